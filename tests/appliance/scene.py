"""Writes what the virtual camera looks at as a JPEG: `python -m tests.appliance.scene 0.jpg`."""

from __future__ import annotations

import sys

import cv2
import numpy as np

from tests.camera_contract import SHADES, picture

# libcamera passes a JPEG's brightness and colours on as they are, over all 256 levels; a camera uses fewer.
_full = cv2.cvtColor(picture(SHADES[0]), cv2.COLOR_BGR2YCrCb).astype(float)
_video = np.stack(
    [16 + _full[..., 0] * 219 / 255, *(128 + (_full[..., i] - 128) * 224 / 255 for i in (1, 2))], 2
)
_scene = cv2.cvtColor(_video.round().astype(np.uint8), cv2.COLOR_YCrCb2BGR)
cv2.imwrite(sys.argv[1], _scene, (cv2.IMWRITE_JPEG_QUALITY, 95))
