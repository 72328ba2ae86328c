"""Corona: law: no I/O, no clock, no threads, no cv2; time and what was seen are passed in."""
