"""A drawn table in place of a real one: pictures and mock pins; what uses them cannot tell."""

from hardware.virtual.pins import VirtualPins
from hardware.virtual.table import VirtualCamera, VirtualTable

__all__ = ["VirtualCamera", "VirtualPins", "VirtualTable"]
