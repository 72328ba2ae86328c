"""Games: law: no I/O, no clock, no threads, no cv2; a game knows nothing outside its own folder."""
