"""`make static`: the icons of the page, drawn after icon.svg, and the silent video that keeps a screen on."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.browser import browser

STATIC = Path(__file__).parents[1] / "companion" / "web" / "static"
FELT = '<circle r="124" fill="#1f4a38"/><g '
EDGELESS = '<rect x="-125" y="-125" width="250" height="250" fill="#1f4a38"/><g transform="scale(.85)" '
"""A phone cuts what it masks to its own shape: felt to the edge, and the ring within the middle."""
ICONS = {
    "icon-192": (192, FELT),
    "icon-512": (512, FELT),
    "icon-mask": (512, EDGELESS),
    "icon-180": (180, EDGELESS),
}
VIDEO = (
    *("ffmpeg", "-v", "error", "-y"),
    *("-f", "lavfi", "-i", "color=black:s=16x16:r=2:d=10", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono"),
    *("-t", "10", "-c:v", "libx264", "-profile:v", "baseline", "-preset", "veryslow", "-pix_fmt", "yuv420p"),
    *("-bsf:v", "filter_units=remove_types=6", "-c:a", "aac", "-b:a", "8k", "-movflags", "+faststart"),
    *("-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"),
)
"""Ten seconds of black and of silence, in what every phone plays. ffmpeg is needed for nothing else."""


def main() -> None:
    """Make them all anew."""
    drawn = (STATIC / "icon.svg").read_text(encoding="utf-8")
    assert FELT in drawn
    with browser() as chromium:
        for name, (size, ground) in ICONS.items():
            page = chromium.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawn.replace(FELT, ground)}"
            )
            page.screenshot(path=STATIC / f"{name}.png", omit_background=True)
            page.close()
    subprocess.run([*VIDEO, STATIC / "awake.mp4"], check=True)


if __name__ == "__main__":
    main()
