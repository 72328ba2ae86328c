"""In place of lgpio, which only the archive of Raspberry Pi has: it is there, and has no pins."""
