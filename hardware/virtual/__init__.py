"""A drawn table in place of a real one: pictures and mock pins, nothing that knows they are not real."""

from hardware.virtual.table import VirtualCamera, VirtualTable

__all__ = ["VirtualCamera", "VirtualTable"]
