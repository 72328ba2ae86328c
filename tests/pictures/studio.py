"""A table in Blender: surface, board, lamps, camera; renders what lies on it as a photograph."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

from tests.pictures import things
from tests.pictures.prints import Board, Picture, Rng, colour, draw_room, draw_table

SIZE = (1536, 864)
OVERSCAN = 1.07
"""Rendered wider than asked for, so that the lens' distortion finds pixels at the edge."""
U = things.UNIT
HOMELY = 0.55
"""How saturated, of all that can be printed or woven, what people like to look at is at most."""


@dataclass(frozen=True)
class Camera:
    """Where it hangs: mm and degrees in board coordinates; `k1` as in OpenCV."""

    height: float
    tilt: float
    azimuth: float
    roll: float
    hfov: float
    k1: float
    look: tuple[float, float]

    @classmethod
    def random(cls, rng: Rng, side_mm: float) -> Camera:
        """High enough to see the board whole."""
        hfov = rng.uniform(55, 76)
        tilt = abs(rng.normal(0, 12)) if rng.uniform() < 0.8 else rng.uniform(12, 26)
        sees = 2 * np.tan(np.deg2rad(hfov / 2)) * 9 / 16
        roll = rng.choice([0, 90, 180, 270]) + rng.normal(0, 10)
        across = np.abs(np.sin(np.deg2rad(roll))) + np.abs(np.cos(np.deg2rad(roll)))
        height = across * side_mm * rng.uniform(1.18, 1.5) / sees * np.cos(np.deg2rad(min(tilt, 26)))
        look = rng.normal(0, 9, 2)
        k1 = rng.uniform(-0.08, 0.03)
        return cls(
            float(height),
            float(min(tilt, 26)),
            float(rng.uniform(0, 360)),
            float(roll),
            float(hfov),
            float(k1),
            (float(look[0]), float(look[1])),
        )

    def bumped(self, rng: Rng) -> Camera:
        """The same camera after somebody knocked against it."""
        look = np.array(self.look) + rng.normal(0, 6, 2)
        return Camera(
            self.height + rng.normal(0, 5),
            self.tilt + rng.normal(0, 0.6),
            self.azimuth,
            self.roll + rng.normal(0, 1.2),
            self.hfov,
            self.k1,
            (float(look[0]), float(look[1])),
        )


class Studio:
    """One table with its board and lamps; things are put on it and taken off between photographs."""

    def __init__(
        self,
        rng: Rng,
        board: Board,
        camera: Camera,
        samples: int = 5,
        percent: int = 100,
        plain: bool = False,
        homely: bool = False,
        varnished: bool = False,
    ) -> None:
        """`plain`: lit as people light a room to play in, not dimly, oddly coloured or from right above.

        `homely`: nothing glares, neither table nor paper nor camera. `varnished`: the board mirrors.
        """
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.rng, self.board, self.camera = rng, board, camera
        self._things: list[Any] = []
        self.percent, self.plain = percent, plain
        scene = bpy.context.scene
        self._render_quickly(max(2, round(samples * rng.uniform(0.6, 1.7))))
        scene.view_settings.view_transform = "Standard" if rng.uniform() < 0.65 else "AgX"
        self.noise = float(rng.uniform(0.6, 3.2))
        self.blur = float(rng.choice([rng.uniform(0, 0.5), rng.uniform(0, 0.5), rng.uniform(0.5, 1.4)]))
        if homely:
            self.noise, self.blur = min(self.noise, 2.0), min(self.blur, 0.7)
        self.quality = int(rng.integers(80, 96))
        self.tint = rng.normal(1, 0.05, 3)
        table, self.table = draw_table(rng, most=HOMELY if homely else 1.0)
        thick = rng.uniform(0.5, 4)
        gloss = float(rng.choice([rng.uniform(0.12, 0.35), rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9)]))
        gloss = max(gloss, 0.35) if homely else gloss
        side = rng.uniform(1100, 1500)
        things.sheet(table, side, side, gloss).location.z = -thick * U
        paper = float(rng.choice([rng.uniform(0.2, 0.4), rng.uniform(0.45, 0.9), rng.uniform(0.45, 0.9)]))
        paper = max(paper, 0.45) if homely else paper
        varnish = 0.0
        if varnished:
            paper, varnish = float(rng.uniform(0.05, 0.4)), float(rng.choice([0.0, rng.uniform(0.3, 1)]))
        things.sheet(board.picture, board.side_mm, board.side_mm, paper, varnish)
        edge = things.box(
            board.side_mm - 0.02, board.side_mm - 0.02, thick, 0, things.material(colour(rng, 60, 240), 0.8)
        )
        edge.location.z = (-thick - 0.02) * U
        self._light()
        self._camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
        scene.collection.objects.link(self._camera)
        scene.camera = self._camera
        self.exposure = 0.0
        self._meter()

    def _render_quickly(self, samples: int) -> None:
        """A photograph in a fraction of the time that a still life would be given."""
        scene = bpy.context.scene
        scene.render.engine = "CYCLES"
        scene.cycles.device = "CPU"
        scene.cycles.samples = samples
        scene.cycles.use_denoising = True
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
        # A tenth of the time of the best quality; pixels' noise is added afterwards anyhow.
        scene.cycles.denoising_quality = scene.cycles.denoising_prefilter = "FAST"
        scene.cycles.max_bounces = 4
        scene.cycles.diffuse_bounces = 2
        scene.cycles.glossy_bounces = 3
        scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
        scene.cycles.sample_clamp_indirect = 4
        scene.render.use_persistent_data = True
        scene.render.image_settings.file_format = "PNG"
        scene.render.image_settings.compression = 1
        scene.render.resolution_x, scene.render.resolution_y = (round(s * OVERSCAN) for s in SIZE)

    def _light(self) -> None:
        rng, scene = self.rng, bpy.context.scene
        world = bpy.data.worlds.new("room")
        scene.world = world
        world.use_nodes = True
        nodes = world.node_tree
        picture = draw_room(rng)
        image = bpy.data.images.new(
            "room", picture.shape[1], picture.shape[0], alpha=False, float_buffer=True
        )
        rgba = np.ones((*picture.shape[:2], 4), np.float32)
        rgba[..., :3] = picture[::-1, :, ::-1]
        image.pixels.foreach_set(rgba.ravel())
        image.pack()
        texture = nodes.nodes.new("ShaderNodeTexEnvironment")
        texture.image = image
        nodes.links.new(texture.outputs["Color"], nodes.nodes["Background"].inputs["Color"])
        nodes.nodes["Background"].inputs["Strength"].default_value = rng.uniform(
            0.5 if self.plain else 0.15, 1.0
        )
        # A bare bulb or the sun throws shadows as sharp as a print, and outshines the other lamps.
        sharp = rng.uniform() < (0.1 if self.plain else 0.35)
        for nth in range(int(rng.integers(1, 4))):
            bare = sharp and nth == 0
            kinds = ["POINT", "SPOT"] if bare else ["AREA", "AREA", "POINT", "SPOT"]
            lamp = bpy.data.lights.new("lamp", str(rng.choice(kinds)))
            kelvin = rng.uniform(-1, 1) * (0.5 if self.plain else 1)
            lamp.color = (
                (1.0, 1 - 0.18 * max(kelvin, 0) - 0.05, 1 - 0.4 * max(kelvin, 0))
                if kelvin > 0
                else (1 + 0.2 * kelvin, 1 + 0.08 * kelvin, 1.0)
            )
            away, high = rng.uniform(400 if self.plain else 150, 1300), rng.uniform(500, 1900)
            round_about = rng.uniform(0, 2 * np.pi)
            where = Vector((away * np.cos(round_about) * U, away * np.sin(round_about) * U, high * U))
            distance = where.length
            lamp.energy = rng.uniform(0.2, 1.2) * distance**2 * 12
            if lamp.type == "AREA":
                lamp.size = rng.uniform(5, 90) ** 1.0 * 10 * U
            else:
                lamp.shadow_soft_size = (rng.uniform(1, 12) if bare else rng.uniform(3, 120)) * U
                lamp.energy *= (1.0 if lamp.type == "POINT" else 2.0) * (rng.uniform(1, 2.5) if bare else 1)
            if lamp.type == "SPOT":
                lamp.spot_size = np.deg2rad(rng.uniform(50, 100))
                lamp.spot_blend = rng.uniform(0.3, 1)
            one = bpy.data.objects.new("lamp", lamp)
            one.location = where
            one.rotation_euler = (-where).to_track_quat("-Z", "Y").to_euler()
            scene.collection.objects.link(one)

    def _aim(self, camera: Camera) -> None:
        data = self._camera.data
        data.sensor_fit = "HORIZONTAL"
        data.angle = 2 * np.arctan(np.tan(np.deg2rad(camera.hfov / 2)) * OVERSCAN)
        data.clip_end = 1000
        aside = camera.height * np.tan(np.deg2rad(camera.tilt))
        a = np.deg2rad(camera.azimuth)
        look = Vector((camera.look[0] * U, -camera.look[1] * U, 0))
        eye = look + Vector((aside * np.cos(a) * U, -aside * np.sin(a) * U, camera.height * U))
        forward = (look - eye).normalized()
        r = np.deg2rad(camera.roll)
        up = Vector((np.sin(r), np.cos(r), 0))
        right = forward.cross(up).normalized()
        true_up = right.cross(forward)
        self._camera.matrix_world = (
            Matrix.Translation(eye) @ Matrix((right, true_up, -forward)).transposed().to_4x4()
        )

    def _meter(self) -> None:
        """Expose as a camera does: a small first look sets the brightness."""
        scene = bpy.context.scene
        scene.render.resolution_percentage = 12
        for _ in range(2):
            middle = float(np.percentile(self._render(self.camera, 0.0), 60))
            want = self.rng.uniform(95, 145) if self.plain else self.rng.uniform(65, 165)
            step = np.clip(np.log2((want / 255) ** 2.2 / max((middle / 255) ** 2.2, 1e-3)), -4, 4)
            self.exposure += float(step)
            scene.view_settings.exposure = self.exposure
        scene.render.resolution_percentage = self.percent

    def _render(self, camera: Camera, drift: float) -> Picture:
        scene = bpy.context.scene
        self._aim(camera)
        scene.view_settings.exposure = self.exposure + drift
        scene.cycles.seed = int(self.rng.integers(1 << 30))
        path = Path(bpy.app.tempdir) / "frame.png"
        scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        picture = cv2.imread(str(path))
        assert picture is not None
        return picture

    def sees(self, x: float, y: float) -> bool:
        """Whether what stands at (x, y) mm is well within the picture."""
        from bpy_extras.object_utils import world_to_camera_view

        self._aim(self.camera)
        bpy.context.view_layer.update()
        across, down, _ = world_to_camera_view(bpy.context.scene, self._camera, Vector((x * U, -y * U, 0)))
        # The render is a little larger than the picture, and the lens bends its edges.
        return bool(max(abs(across - 0.5), abs(down - 0.5)) * OVERSCAN < 0.44)

    def only_the_board(self) -> None:
        """From now on render only the part of the picture in which the board lies; the rest stays black."""
        from bpy_extras.object_utils import world_to_camera_view

        self._aim(self.camera)
        bpy.context.view_layer.update()
        scene, reach = bpy.context.scene, self.board.side_mm / 2 * 1.06 * U
        corners = [Vector((x, y, 0)) for x in (-reach, reach) for y in (-reach, reach)]
        seen = np.array([world_to_camera_view(scene, self._camera, corner)[:2] for corner in corners])
        low, high = np.clip(seen.min(axis=0), 0, 1), np.clip(seen.max(axis=0), 0, 1)
        scene.render.use_border = True
        scene.render.border_min_x, scene.render.border_min_y = map(float, low)
        scene.render.border_max_x, scene.render.border_max_y = map(float, high)

    def add(self, thing: Any) -> Any:
        """Put something on the table until it is cleared."""
        self._things.append(thing)
        return thing

    def clear(self) -> None:
        """Take everything off that was added."""
        for thing in self._things:
            for part in [*thing.children, thing]:
                bpy.data.objects.remove(part)
        self._things = []
        for mesh in [m for m in bpy.data.meshes if not m.users]:
            bpy.data.meshes.remove(mesh)
        for used in [m for m in bpy.data.materials if not m.users]:
            bpy.data.materials.remove(used)

    def photograph(self, path: Path, camera: Camera | None = None) -> None:
        """Render, bend by the lens, add noise, drift and JPEG, and write it."""
        camera = camera or self.camera
        rng = self.rng
        wide = self._render(camera, float(rng.normal(0, 0.03))).astype(np.float32)
        wide = cv2.resize(wide, tuple(round(s * OVERSCAN) for s in SIZE), interpolation=cv2.INTER_CUBIC)
        width, height = SIZE
        focal = width / 2 / np.tan(np.deg2rad(camera.hfov / 2))
        lens = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
        columns, rows = np.meshgrid(np.arange(width), np.arange(height))
        points = np.stack([columns.ravel(), rows.ravel()], axis=1).astype(np.float64)[:, None]
        bend = np.array([camera.k1, 0, 0, 0])
        straight = cv2.undistortPoints(points, lens, bend)[:, 0]
        middle = np.array([(wide.shape[1] - 1) / 2, (wide.shape[0] - 1) / 2])
        source = (straight * focal + middle).reshape(height, width, 2).astype(np.float32)
        picture = cv2.remap(wide, source[..., 0], source[..., 1], cv2.INTER_LINEAR)
        if self.blur > 0.15:
            picture = cv2.GaussianBlur(picture, (0, 0), self.blur)
        picture *= (self.tint * rng.normal(1, 0.01, 3)).astype(np.float32)
        picture += rng.normal(0, 1, picture.shape).astype(np.float32) * self.noise
        done = np.clip(picture, 0, 255).astype(np.uint8)
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), done, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
