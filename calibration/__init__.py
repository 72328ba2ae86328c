"""Calibration: law: done once, before play; may use vision, and nothing else of ours."""
