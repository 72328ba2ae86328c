"""In place of PiDNG, which picamera2 imports for raw photographs that nobody takes here."""
