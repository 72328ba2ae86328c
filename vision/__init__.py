"""Seeing: law: frame in, reading out; cv2 and numpy only; knows no rules, no threads, no other folder."""
