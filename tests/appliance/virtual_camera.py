"""What picamera2 needs on a machine without a Pi, for libcamera's virtual pipeline; for these tests alone.

picamera2 and libcamera are the real ones. What stands in for the Pi: memory for the frames, the list of raw
modes, which the virtual pipeline lacks, and whether a frame is good, which libcamera 0.4 leaves open there.
"""

from __future__ import annotations

import mmap
import os
import time
from typing import Any

import libcamera
import numpy as np
from picamera2 import picamera2 as core
from picamera2.allocators import Allocator
from picamera2.request import CompletedRequest

from tests.camera_contract import SHADES


class Scene:
    """What the virtual camera looks at, and whether its cable is in."""

    shade = SHADES[0]
    plugged = True


class _Mapped:
    """A frame's memory, as long as it is looked at."""

    def __init__(self, allocator: MemoryAllocator, buffer: Any, _write: bool) -> None:
        self._memory = allocator.mapped[buffer]

    def __enter__(self) -> mmap.mmap:
        return self._memory

    def __exit__(self, *_: object) -> None: ...


class MemoryAllocator(Allocator):
    """Frames in plain memory, where a Pi has a DMA heap: NV12, brightness and colours one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.sync = _Mapped
        self.mapped: dict[Any, mmap.mmap] = {}
        self._streams: dict[Any, list[Any]] = {}

    def allocate(self, configuration: Any, _use_case: Any) -> None:
        self._streams = {
            one.stream: [self._buffer(one) for _ in range(one.buffer_count)] for one in configuration
        }

    def _buffer(self, stream: Any) -> Any:
        memory = os.memfd_create("frame")
        os.ftruncate(memory, stream.frame_size)
        bright = stream.stride * stream.size.height
        planes = []
        for offset, length in ((0, bright), (bright, stream.frame_size - bright)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = memory, offset, length
            planes.append(plane)
        buffer = libcamera.FrameBuffer(planes)
        self.mapped[buffer] = mmap.mmap(memory, stream.frame_size)
        os.close(memory)  # libcamera and the map hold it
        return buffer

    def buffers(self, stream: Any) -> list[Any]:
        return self._streams[stream]


_begin = CompletedRequest.__init__


def _begin_with_scene(request: Any, raw: Any, camera: Any) -> None:
    """A frame that has just been taken: the grey square of the scene is painted into it."""
    _begin(request, raw, camera)
    for name, stream in request.stream_map.items():
        if stream is not None:
            width, height = request.config[name]["size"]
            memory = np.frombuffer(camera.allocator.mapped[raw.buffers[stream]], np.uint8)
            rows = memory[: width * height * 3 // 2].reshape(height * 3 // 2, width)
            x0, y0, x1, y1 = (part * width // 1536 // 2 * 2 for part in (600, 300, 900, 500))
            rows[y0:y1, x0:x1] = 16 + Scene.shade * 219 // 255
            rows[height + y0 // 2 : height + y1 // 2, x0:x1] = 128  # no colour
    time.sleep(0.005)  # the virtual pipeline takes frames as fast as it can


def install() -> None:
    """From now on picamera2 in this process works on the virtual pipeline."""
    status = libcamera.FrameMetadata.Status
    core.DmaAllocator = MemoryAllocator
    core.Picamera2._get_raw_modes = lambda _: [{"format": "NV12", "size": (1536, 864)}]
    CompletedRequest.__init__ = _begin_with_scene
    libcamera.FrameMetadata.status = property(lambda _: status.Success if Scene.plugged else status.Error)
