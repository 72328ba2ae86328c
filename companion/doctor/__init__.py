"""Tries every part in turn and says what works, what does not, and what to do; changes nothing."""
