"""Calibration: law: before play, or in its first frames; may use vision, and nothing else of ours."""
