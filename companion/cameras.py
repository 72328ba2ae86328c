"""How other cameras would give the same photographs: their exposure, tones, colours, sharpening and lens.

A disturbance befalls one photo; another camera took all of a session, those that are learned from, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import cv2
import numpy as np

from vision.geometry import Floats, Image


@dataclass(frozen=True, slots=True)
class Camera:
    """What a camera makes of the light, against the one that took a photo.

    `exposure` and `tint` (blue, green, red) are factors, and above white nothing is told apart; `gamma` is
    the power of its tones, `contrast` how much steeper they are in the middle, by a sine of that share of
    white; `colourful` is a factor of a and b of Lab, `hue_deg` turns them; `sharpness` is how much of the
    details below `reach` (pixels) is added; `grain` the standard deviation of its noise, of 255; `shade` the
    share of the light that its corners lack.
    """

    exposure: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    contrast: float = 0.0
    colourful: float = 1.0
    hue_deg: float = 0.0
    sharpness: float = 0.0
    reach: float = 2.0
    grain: float = 0.0
    shade: float = 0.0

    def takes(self, photo: Image, seed: int = 0) -> Image:
        """A photo, BGR uint8 (H, W, 3), as this camera would give it; `seed` is that of its noise."""
        if self.shade:
            photo = _clipped(photo * _shaded(photo.shape[0], photo.shape[1], self.shade)[..., None])
        photo = np.asarray(cv2.LUT(photo, self._tones()), dtype=np.uint8)
        if self.colourful != 1 or self.hue_deg:
            photo = self._coloured(photo)
        if self.grain:
            noise = np.random.default_rng(seed).standard_normal(photo.shape, np.float32)
            photo = _clipped(photo + self.grain * noise)
        if self.sharpness:
            soft = cv2.GaussianBlur(photo, (0, 0), self.reach)
            photo = np.asarray(cv2.addWeighted(photo, 1 + self.sharpness, soft, -self.sharpness, 0), np.uint8)
        return photo

    def _tones(self) -> Image:
        """(256, 1, 3): what becomes of each value of each channel."""
        seen = np.linspace(0, 1, 256)[:, None, None] * self.exposure * np.array(self.tint)
        toned = np.clip(seen, 0, 1) ** self.gamma
        return _clipped(255 * (toned + self.contrast * np.sin(2 * np.pi * (toned - 0.5))))

    def _coloured(self, photo: Image) -> Image:
        turn = np.radians(self.hue_deg)
        hues = self.colourful * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        lab = cv2.cvtColor(photo, cv2.COLOR_BGR2LAB).astype(np.float32)
        lab[..., 1:] = 128 + (lab[..., 1:] - 128) @ hues.astype(np.float32)
        return np.asarray(cv2.cvtColor(_clipped(np.round(lab)), cv2.COLOR_LAB2BGR), dtype=np.uint8)


CAMERAS = {
    "lighter tones": Camera(gamma=0.75),
    "darker tones": Camera(gamma=1.35),
    "hard tones": Camera(contrast=0.12),
    "paler colours": Camera(colourful=0.6),
    "vivid colours": Camera(colourful=1.4),
    "hues turned": Camera(hue_deg=12),
    "hues turned back": Camera(hue_deg=-12),
    "warm": Camera(tint=(0.75, 0.97, 1.1)),
    "cold": Camera(tint=(1.12, 1.0, 0.8)),
    "overexposed": Camera(exposure=1.3),
    "underexposed": Camera(exposure=0.6),
    "dark corners": Camera(shade=0.45),
    "sharpened": Camera(sharpness=1.0),
    "grainy": Camera(grain=5),
}
"""Those that `corona evaluate --cameras` sees every session through."""


def taken_by(camera: str, photo: Image, name: str) -> Image:
    """A photo, BGR uint8, as that of `CAMERAS` would give it; `name` tells its noise from another's."""
    return CAMERAS[camera].takes(photo, crc32(f"{name} {camera}".encode()))


def _shaded(height: int, width: int, shade: float) -> Floats:
    """(H, W) the share of the light that is left: the square of the way to the corners is lacking."""
    y, x = np.linspace(-1, 1, height, dtype=np.float32), np.linspace(-1, 1, width, dtype=np.float32)
    return np.asarray(1 - shade / 2 * (x[None] ** 2 + y[:, None] ** 2))


def _clipped(photo: Floats) -> Image:
    return np.asarray(np.clip(photo, 0, 255), dtype=np.uint8)
