"""The boards known by name: the printable mat, as the layout's JSON."""

from __future__ import annotations

from typing import Any

MAT: dict[str, Any] = {
    "name": "mat",
    "tags": {
        "dictionary": "DICT_4X4_50",
        "size_mm": 28,
        "centres_mm": {"0": [-122, -122], "1": [122, -122], "2": [122, 122], "3": [-122, 122]},
    },
    "fields": {"count": 12, "ring_radius_mm": 100, "diameter_mm": 46, "first_deg": 15},
}
