"""The name of a converter, as picamera2 imports it from PiDNG."""


class PICAM2DNG:
    """Only a name."""
