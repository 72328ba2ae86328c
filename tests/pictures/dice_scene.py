"""Many dice and things that are none in one frame, rendered in Blender from above, with what they show.

A frame is `NNN.jpg` and `NNN.json`: for every die its value, the four corners of its top face in pixels
and how much of that face is in view. Run: `python -m tests.pictures.dice_scene OUT --first 0 --count 500`;
with `--above` a few dice from straight above, as people photograph a throw: 1.6 to 16 would fit side by side.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy  # first: it brings the three below along

# isort: split
import bmesh
import cv2
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

from tests.pictures import things
from tests.pictures.dice_paint import Style, draw_ground, draw_not_die, paint
from tests.pictures.prints import Rng, colour, draw_room

SIZE, SIZE_ABOVE = 384, 512
"""Pixels of a frame's side: of a crowd, and of a few dice from straight above."""
SIDE = 16.0
"""Millimetres a die; their differences in size come from the frames' own scale."""
U = things.UNIT
_STEPS = 14
# value -> outward axis of its face and the axis along its picture's columns
_AXES = {
    1: ((0, 0, 1), (1, 0, 0)), 6: ((0, 0, -1), (1, 0, 0)), 2: ((0, 1, 0), (1, 0, 0)),
    5: ((0, -1, 0), (1, 0, 0)), 3: ((1, 0, 0), (0, 1, 0)), 4: ((-1, 0, 0), (0, 1, 0)),
}  # fmt: skip


def die_mesh(style: Style, side: float) -> Any:
    """A cube with rounded edges, or cut from a ball, its six faces mapped on a painted strip."""
    ramp = np.concatenate(
        [np.linspace(-1, -0.6, 5)[:-1], np.linspace(-0.6, 0.6, _STEPS - 8), np.linspace(0.6, 1, 5)[1:]]
    )
    build = bmesh.new()
    layer = build.loops.layers.uv.new("uv")
    inner = 1 - 2 * style.rounding
    for value, (out, across) in _AXES.items():
        n, u = np.array(out, float), np.array(across, float)
        v = np.cross(n, u)
        rows = []
        for b in ramp:
            row = []
            for a in ramp:
                point = n + u * a + v * b
                core = np.clip(point, -inner, inner)
                away = point - core
                point = core + away / np.linalg.norm(away) * (1 - inner)
                point *= min(1.0, style.ball / float(np.linalg.norm(point)))
                row.append(build.verts.new(point * side / 2 * U))
            rows.append(row)
        for i in range(len(ramp) - 1):
            for j in range(len(ramp) - 1):
                face = build.faces.new((rows[i][j], rows[i][j + 1], rows[i + 1][j + 1], rows[i + 1][j]))
                face.smooth = True
                for loop, (k, m) in zip(
                    face.loops, ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)), strict=True
                ):
                    loop[layer].uv = ((value - 1 + (ramp[m] + 1) / 2) / 6, (ramp[k] + 1) / 2)
    bmesh.ops.remove_doubles(build, verts=build.verts, dist=1e-4)
    mesh = bpy.data.meshes.new("die")
    build.to_mesh(mesh)
    build.free()
    return mesh


def _picture(pixels: Any, data: bool = False) -> Any:
    image = bpy.data.images.new("paint", pixels.shape[1], pixels.shape[0], alpha=False)
    if data:
        image.colorspace_settings.name = "Non-Color"
    rgba = np.ones((*pixels.shape[:2], 4), np.float32)
    rgba[..., :3] = pixels[::-1, :, ::-1] / 255 if pixels.ndim == 3 else pixels[::-1, :, None]
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


def die_material(rng: Rng, style: Style) -> Any:
    """Paint, hollows, gloss and glass of one die."""
    strip, depth = paint(rng, style)
    made = things.material(style.face, style.rough, 0.0, style.coat)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    image = nodes.new("ShaderNodeTexImage")
    image.image = _picture(strip)
    links.new(image.outputs["Color"], shader.inputs["Base Color"])
    if style.glass:
        pips = nodes.new("ShaderNodeTexImage")
        pips.image = _picture((1 - (depth > 0.05)).astype(np.float32) * style.glass, data=True)
        links.new(pips.outputs["Color"], shader.inputs["Transmission Weight"])
        shader.inputs["IOR"].default_value = 1.35
    if style.dent:
        hollow = nodes.new("ShaderNodeTexImage")
        hollow.image = _picture(1 - depth, data=True)
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = style.dent
        bump.inputs["Distance"].default_value = 0.08 * SIDE * U
        links.new(hollow.outputs["Color"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


class DiceScene:
    """One frame: ground, lamps, dice, other things, camera."""

    def __init__(self, rng: Rng, samples: int, above: bool = False) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.rng, self.above, self.size = rng, above, SIZE_ABOVE if above else SIZE
        self.dice: list[tuple[Any, int]] = []
        self.taken: list[tuple[float, float, float]] = []
        scene = bpy.context.scene
        scene.render.engine = "CYCLES"
        scene.render.threads_mode, scene.render.threads = "FIXED", 1
        scene.cycles.samples = samples
        scene.cycles.use_denoising = True
        scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.glossy_bounces = 4, 1, 1
        scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
        scene.cycles.sample_clamp_indirect = 4
        scene.render.resolution_x = scene.render.resolution_y = self.size
        scene.render.image_settings.file_format = "HDR"
        self.spread = (np.exp(rng.uniform(*np.log((1.6, 16)))) if above else rng.uniform(8, 13)) * SIDE
        ground = things.sheet(
            draw_ground(rng, 900), 5 * self.spread, 5 * self.spread, rng.choice([0.25, 0.6, 0.9])
        )
        ground.rotation_euler[2] = rng.uniform(0, 6.3)
        self._light()
        self._stand_camera()

    def _light(self) -> None:
        rng, scene = self.rng, bpy.context.scene
        world = bpy.data.worlds.new("room")
        scene.world = world
        world.use_nodes = True
        tree = world.node_tree
        texture = tree.nodes.new("ShaderNodeTexEnvironment")
        texture.image = _picture(draw_room(rng) * 255)
        tree.links.new(texture.outputs["Color"], tree.nodes["Background"].inputs["Color"])
        tree.nodes["Background"].inputs["Strength"].default_value = rng.uniform(0.1, 1.0)
        for _ in range(int(rng.integers(1, 4))):
            lamp = bpy.data.lights.new("lamp", str(rng.choice(["AREA", "AREA", "POINT"])))
            warm = rng.uniform(-1, 1)
            lamp.color = (
                (1, 1 - 0.2 * warm, 1 - 0.45 * warm) if warm > 0 else (1 + 0.25 * warm, 1 + 0.1 * warm, 1)
            )
            away, high, turn = rng.uniform(0, 1000), rng.uniform(250, 1200), rng.uniform(0, 2 * np.pi)
            where = Vector((away * np.cos(turn) * U, away * np.sin(turn) * U, high * U))
            lamp.energy = rng.uniform(0.2, 1.2) * where.length**2 * 12
            if lamp.type == "AREA":
                lamp.size = float(rng.uniform(20, 700)) * U
            else:
                lamp.shadow_soft_size = float(rng.uniform(2, 60)) * U
            one = bpy.data.objects.new("lamp", lamp)
            one.location = where
            one.rotation_euler = (-where).to_track_quat("-Z", "Y").to_euler()
            scene.collection.objects.link(one)

    def _stand_camera(self) -> None:
        rng, scene = self.rng, bpy.context.scene
        data = bpy.data.cameras.new("camera")
        data.sensor_fit = "HORIZONTAL"
        data.angle = np.deg2rad(rng.uniform(22, 75))
        distance = self.spread / 2 / np.tan(data.angle / 2)
        if self.above:
            tilt = abs(rng.normal(0, 3))
        else:
            tilt = abs(rng.normal(0, 10)) if rng.uniform() < 0.8 else rng.uniform(15, 48)
        tilt, around, roll = np.deg2rad(min(tilt, 48)), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
        away = np.sin(tilt) * distance
        eye = Vector((away * np.cos(around), away * np.sin(around), np.cos(tilt) * distance)) * U
        forward = -eye.normalized()
        right = forward.cross(Vector((np.sin(roll), np.cos(roll), 0.1))).normalized()
        turned = Matrix((right, right.cross(forward), -forward)).transposed().to_4x4()
        self.camera = bpy.data.objects.new("camera", data)
        self.camera.matrix_world = Matrix.Translation(eye) @ turned
        scene.collection.objects.link(self.camera)
        scene.camera = self.camera

    def _free_place(self, reach: float, touch: bool) -> tuple[float, float] | None:
        part = max(0.0, 0.5 - 0.55 * SIDE / self.spread) if self.above else 0.55
        for _ in range(40):
            x, y = self.rng.uniform(-part, part, 2) * self.spread
            if touch and self.taken:
                px, py, other = self.taken[int(self.rng.integers(len(self.taken)))]
                turn = self.rng.uniform(0, 6.3)
                x, y = px + np.cos(turn) * (reach + other), py + np.sin(turn) * (reach + other)
            if all(np.hypot(x - px, y - py) >= 0.99 * (reach + other) for px, py, other in self.taken):
                self.taken.append((float(x), float(y), reach))
                return float(x), float(y)
        return None

    def add_dice(self, count: int) -> None:
        """Dice of some sets, apart or touching, now and then one upon another."""
        rng = self.rng
        touching = rng.choice([0.0, 0.3, 0.7])
        sets = []
        for _ in range(int(rng.integers(3, 14))):
            style = Style.random(rng)
            sets.append(
                (die_mesh(style, SIDE), [die_material(rng, style) for _ in range(int(rng.integers(1, 3)))])
            )
        for _ in range(count):
            spot = self._free_place(SIDE * rng.uniform(0.52, 0.7), rng.uniform() < touching)
            if spot is None:
                continue
            mesh, materials = sets[int(rng.integers(len(sets)))]
            self._lay(mesh, materials, spot, SIDE / 2)
            if rng.uniform() < 0.02:
                self._lay(mesh, materials, spot, 1.5 * SIDE)

    def _lay(self, mesh: Any, materials: Sequence[Any], spot: tuple[float, float], z: float) -> None:
        rng = self.rng
        copy = mesh.copy()
        copy.materials.append(materials[int(rng.integers(len(materials)))])
        thing = bpy.data.objects.new("die", copy)
        bpy.context.scene.collection.objects.link(thing)
        value, yaw = int(rng.integers(1, 7)), rng.uniform(0, 2 * np.pi)
        up = Vector(_AXES[value][0]).rotation_difference(Vector((0, 0, 1))).to_matrix()
        turned = Matrix.Rotation(yaw, 3, "Z") @ up
        thing.matrix_world = Matrix.Translation(Vector((spot[0], spot[1], z)) * U) @ turned.to_4x4()
        self.dice.append((thing, value))

    def add_others(self, count: int) -> None:
        """Things that are no dice: flat prints, chips, coins, bricks, balls, blank cubes."""
        rng = self.rng
        for _ in range(count):
            kind = str(rng.choice(["print", "print", "print", "chip", "studs", "ball", "cube", "clutter"]))
            spot = self._free_place(SIDE * rng.uniform(0.6, 1.6), False)
            if spot is None:
                continue
            made = things.material(
                colour(rng, 20, 250), float(rng.uniform(0.1, 0.9)), float(rng.choice([0, 0, 1]))
            )
            if kind == "print":
                thing = self._print(made, spot)
            elif kind == "chip":
                thing = things.chip(
                    SIDE * rng.uniform(0.6, 1.8),
                    rng.uniform(1, 4),
                    colour(rng, 10, 255),
                    rng.uniform(0.1, 0.8),
                )
            elif kind == "ball":
                r = SIDE * rng.uniform(0.2, 0.6)
                t = np.linspace(-np.pi / 2, np.pi / 2, 16)
                thing = things.lathe([(max(0.01, r * np.cos(a)), r + r * np.sin(a)) for a in t], 32, made)
            elif kind == "cube":
                thing = things.box(
                    SIDE * rng.uniform(0.7, 1.3),
                    SIDE * rng.uniform(0.7, 1.3),
                    SIDE * rng.uniform(0.3, 1.2),
                    SIDE * rng.uniform(0.01, 0.12),
                    made,
                )
            elif kind == "studs":
                thing = self._studs(made)
            else:
                t = np.linspace(0, 1, int(rng.integers(3, 8)))
                form = [
                    (0.01, 0.0),
                    *((float(SIDE * rng.uniform(0.1, 0.6)), float(SIDE * a)) for a in t),
                    (0.01, SIDE),
                ]
                thing = things.lathe(form, int(rng.choice([4, 6, 8, 32])), made)
            self._on(thing, spot)

    def _print(self, made: Any, spot: tuple[float, float]) -> Any:
        """A flat print of what could pass for a die: on a disc, or on a block that is put down first."""
        picture, length, disc = draw_not_die(self.rng)
        length *= SIDE
        wide = length * min(1.0, picture.shape[1] / picture.shape[0])
        if disc:
            thing = things.lathe(
                [(0.01, 0), (wide / 2, 0), (wide / 2, 2), (0.01, 2)], 40, things.printed(picture, 0.4)
            )
            return self._with_print(thing, picture, wide)
        deep = length * min(1.0, picture.shape[0] / picture.shape[1])
        self._on(things.box(wide, deep, 3, 0.3, made), spot)
        thing = things.sheet(picture, wide * 0.98, deep * 0.98, 0.4)
        thing.location.z = 3.02 * U
        return thing

    def _on(self, thing: Any, spot: tuple[float, float]) -> None:
        z = thing.location.z / U
        turn = 0.0 if thing.get("studs") else float(self.rng.uniform(0, 6.3))
        things.place(thing, spot[0], spot[1], z, turn)

    def _with_print(self, thing: Any, picture: Any, wide: float) -> Any:
        layer = thing.data.uv_layers.new(name="uv")
        for loop in thing.data.loops:
            point = thing.data.vertices[loop.vertex_index].co
            layer.data[loop.index].uv = (point.x / U / wide + 0.5, point.y / U / wide + 0.5)
        return thing

    def _studs(self, made: Any) -> Any:
        """A building brick with 2 x 2, 2 x 3 or 1 x 1 studs."""
        rng = self.rng
        a, b = (int(v) for v in rng.choice([(2, 2), (2, 3), (1, 1), (2, 4), (3, 3)]))
        pitch, high = SIDE * rng.uniform(0.35, 0.6), SIDE * rng.uniform(0.2, 0.7)
        brick = things.box(a * pitch, b * pitch, high, 0.2, made)
        for i in range(a):
            for j in range(b):
                stud = things.lathe([(0.01, 0), (pitch * 0.3, 0), (pitch * 0.3, 2), (0.01, 2)], 24, made)
                stud.location = ((i - (a - 1) / 2) * pitch * U, (j - (b - 1) / 2) * pitch * U, high * U)
                stud.parent = brick
        return brick

    def render(self) -> Any:
        """The frame as a camera without faults would take it, BGR, exposed for its middle tones."""
        scene = bpy.context.scene
        path = Path(bpy.app.tempdir) / "dice.hdr"
        scene.render.filepath = str(path)
        scene.cycles.seed = int(self.rng.integers(1 << 30))
        bpy.ops.render.render(write_still=True)
        light = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        assert light is not None
        light = np.maximum(light[..., :3], 0)
        light *= (self.rng.uniform(70, 175) / 255) ** 2.2 / max(float(np.percentile(light, 60)), 1e-4)
        if self.rng.uniform() < 0.6:  # a camera's shoulder: bright places keep some colour
            light = np.where(light > 0.6, 0.6 + 0.4 * np.tanh((light - 0.6) / 0.55), light)
        screen = np.where(light <= 0.0031308, light * 12.92, 1.055 * light.clip(1e-6) ** (1 / 2.4) - 0.055)
        return (screen.clip(0, 1) * 255).round().astype(np.uint8)

    def truth(self) -> list[dict[str, Any]]:
        """Every die of whose top face something may lie in the frame."""
        scene = bpy.context.scene
        graph = bpy.context.evaluated_depsgraph_get()
        eye = self.camera.matrix_world.translation
        rows = []
        for thing, value in self.dice:
            middle = thing.matrix_world.translation
            turn = thing.matrix_world.to_3x3()
            sides = [turn @ Vector(axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
            flat = [side for side in sides if abs(side.z) < 0.5]
            top = middle + Vector((0, 0, SIDE / 2 * U))

            def at(a: float, b: float, top: Any = top, flat: Any = flat) -> Any:
                return top + (flat[0] * a + flat[1] * b) * (SIDE / 2 * U)

            corners = [
                world_to_camera_view(scene, self.camera, at(a, b))
                for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            pixels = [(round(c.x * self.size, 2), round((1 - c.y) * self.size, 2)) for c in corners]
            if not any(all(-60 < v < self.size + 60 for v in pixel) for pixel in pixels):
                continue
            seen = 0
            probes = [(a * 0.6, b * 0.6) for a in (-1, 0, 1) for b in (-1, 0, 1)]
            for a, b in probes:
                aim = (at(a, b) - eye).normalized()
                hit, _, _, _, what, _ = scene.ray_cast(graph, eye, aim)
                seen += bool(hit and what.name == thing.name)
            rows.append({"value": value, "corners": pixels, "seen": round(seen / len(probes), 2)})
        return rows


def main() -> None:
    """Render the frames asked for; those that exist are left alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--above", action="store_true", help="a few dice, large, from straight above")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for seed in range(asked.first, asked.first + asked.count):
        name = asked.out / f"{seed:04d}"
        if name.with_suffix(".json").exists():
            continue
        rng = np.random.default_rng([3, seed])
        scene = DiceScene(rng, asked.samples, asked.above)
        if asked.above:
            scene.add_dice(int(rng.integers(1, 2 + min(12, 0.2 * (scene.spread / SIDE) ** 2))))
            scene.add_others(int(rng.integers(0, 4)))
        else:
            scene.add_others(int(rng.integers(0, 14)))
            scene.add_dice(int(rng.integers(25, 60)) if rng.uniform() < 0.9 else 0)
        picture = scene.render()
        cv2.imwrite(str(name.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, 96])
        name.with_suffix(".json").write_text(json.dumps(scene.truth()))


if __name__ == "__main__":
    main()
