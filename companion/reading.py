"""The vision's networks serve one thread at a time: whoever reads or learns holds this."""

from __future__ import annotations

from threading import RLock

READING = RLock()
"""The watching thread reads the table, pages read photos that were kept: both through the same networks."""
