"""What holds for all tests: none is timed, for a busy machine is no fault."""

from contextlib import suppress

with suppress(ImportError):  # a Raspberry Pi, whose tests ask for no properties, has no hypothesis
    from hypothesis import settings

    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
