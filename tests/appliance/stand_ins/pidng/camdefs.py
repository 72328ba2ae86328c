"""The name of a camera, as picamera2 imports it from PiDNG."""


class Picamera2Camera:
    """Only a name."""
