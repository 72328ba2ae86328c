"""Things on a table as Blender meshes: dice, metal pieces with markers, chips, clutter, a hand.

Lengths are millimetres; a scene's unit is 10 mm. Board coordinates have y down, Blender's have y up:
`place` is the one spot where that is turned round. Colours are BGR 0..255 as photographed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import bmesh
import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

from tests.pictures.prints import Rng, colour, draw_note

UNIT = 0.1
"""Scene units a millimetre."""


def place(thing: Any, x: float, y: float, z: float = 0.0, yaw: float = 0.0) -> Any:
    """Put a thing at board millimetres, turned by `yaw` radians clockwise as seen from above."""
    thing.location = (x * UNIT, -y * UNIT, z * UNIT)
    thing.rotation_euler[2] = -yaw
    return thing


def covers(thing: Any, reach: float) -> bool:
    """Whether a thing lies on the square within `reach` mm of the board's middle."""
    bpy.context.view_layer.update()
    corners = np.array([thing.matrix_world @ Vector(corner) for corner in thing.bound_box])[:, :2]
    outline = cv2.convexHull((corners / UNIT).astype(np.float32))
    square = reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    return bool(cv2.intersectConvexConvex(outline, square)[0] > 0)


def linear(bgr: Sequence[float]) -> tuple[float, float, float, float]:
    """BGR 0..255 as a screen shows it -> linear RGBA."""
    v = np.clip(np.array(bgr[::-1], dtype=float) / 255, 0, 1)
    r, g, b = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    return float(r), float(g), float(b), 1.0


def material(bgr: Sequence[float], rough: float, metal: float = 0.0, coat: float = 0.0) -> Any:
    """A plain material."""
    made = bpy.data.materials.new("m")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = linear(bgr)
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Metallic"].default_value = metal
    shader.inputs["Coat Weight"].default_value = coat
    return made


def printed(picture: Any, rough: float, coat: float = 0.0) -> Any:
    """A material that shows a BGR picture over the mesh's UV square."""
    made = material((200, 200, 200), rough, 0.0, coat)
    image = bpy.data.images.new("print", picture.shape[1], picture.shape[0], alpha=False)
    rgba = np.ones((*picture.shape[:2], 4), np.float32)
    rgba[..., :3] = picture[::-1, :, ::-1].astype(np.float32) / 255
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    node = made.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    made.node_tree.links.new(
        node.outputs["Color"], made.node_tree.nodes["Principled BSDF"].inputs["Base Color"]
    )
    return made


def _object(build: Any, *materials: Any, smooth: bool = True) -> Any:
    mesh = bpy.data.meshes.new("mesh")
    build.to_mesh(mesh)
    build.free()
    for one in materials:
        mesh.materials.append(one)
    if smooth:
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    thing = bpy.data.objects.new("thing", mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def sheet(picture: Any, width_mm: float, height_mm: float, rough: float, coat: float = 0.0) -> Any:
    """A flat printed rectangle in the plane z = 0."""
    build = bmesh.new()
    w, h = width_mm / 2 * UNIT, height_mm / 2 * UNIT
    corners = [build.verts.new(c) for c in ((-w, -h, 0), (w, -h, 0), (w, h, 0), (-w, h, 0))]
    face = build.faces.new(corners)
    layer = build.loops.layers.uv.new("uv")
    for loop, uv in zip(face.loops, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        loop[layer].uv = uv
    return _object(build, printed(picture, rough, coat), smooth=False)


def lathe(
    profile: Sequence[tuple[float, float]], steps: int, made: Any, wave: Any = None, open_: bool = False
) -> Any:
    """A solid of revolution from (radius, height) mm; `wave(angle, radius, height)` shifts the height.

    `open_`: a ring, its profile ends where it began; else both ends are closed by a disc.
    """
    build = bmesh.new()
    rows = []
    for radius, height in profile:
        row = []
        for k in range(steps):
            a = 2 * np.pi * k / steps
            r, z = wave(a, radius, height) if wave else (radius, height)
            row.append(build.verts.new((r * np.cos(a) * UNIT, r * np.sin(a) * UNIT, z * UNIT)))
        rows.append(row)
    for low, high in pairwise(rows):
        for k in range(steps):
            n = (k + 1) % steps
            build.faces.new((low[k], low[n], high[n], high[k]))
    for row in () if open_ else (rows[0], rows[-1]):
        build.faces.new(row)
    bmesh.ops.recalc_face_normals(build, faces=build.faces)
    thing = _object(build, made)
    split = thing.modifiers.new("edges", "EDGE_SPLIT")
    split.split_angle = np.deg2rad(35)
    return thing


def box(x: float, y: float, z: float, rounding: float, made: Any) -> Any:
    """A rounded box standing on z = 0."""
    build = bmesh.new()
    bmesh.ops.create_cube(build, size=1.0)
    for vert in build.verts:
        vert.co = (vert.co.x * x * UNIT, vert.co.y * y * UNIT, (vert.co.z + 0.5) * z * UNIT)
    if rounding > 0:
        bmesh.ops.bevel(
            build, geom=build.edges, offset=rounding * UNIT, segments=3, profile=0.5, affect="EDGES"
        )
    return _object(build, made)


class DieStyle:
    """What the six dice of one set have in common; `homely` ones are not quite smooth, `matt` ones hardly
    shine."""

    def __init__(self, rng: Rng, homely: bool = False, matt: bool = False) -> None:
        self.rounding = float(rng.uniform(0.04, 0.17))
        self.offset = float(rng.uniform(0.2, 0.285))
        self.pip = float(rng.uniform(0.075, 0.125))
        self.rough = float(rng.choice([rng.uniform(0.08, 0.25), rng.uniform(0.3, 0.6)]))
        self.coat = float(rng.choice([0.0, 0.0, rng.uniform(0.2, 1)]))
        if homely:
            self.rough, self.coat = max(self.rough, 0.2), 0.0
        if matt:
            self.rough, self.coat = max(self.rough, 0.32), 0.0
        self.mirror = bool(rng.integers(2))
        self.dent = float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.5)]))


_SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (1, -1), (-1, 1)],
    5: [(-1, -1), (1, 1), (1, -1), (-1, 1), (0, 0)],
    6: [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)],
}
# value -> outward axis of its face and the two axes across it; opposite faces add up to seven
_AXES = {
    1: ((0, 0, 1), (1, 0, 0)),
    6: ((0, 0, -1), (1, 0, 0)),
    2: ((0, 1, 0), (1, 0, 0)),
    5: ((0, -1, 0), (1, 0, 0)),
    3: ((1, 0, 0), (0, 1, 0)),
    4: ((-1, 0, 0), (0, 1, 0)),
}


def die(side: float, style: DieStyle, face: Sequence[float], pips: Sequence[float]) -> Any:
    """A die of `side` mm centred on the origin, one on top; `face` and `pips` BGR."""
    build = bmesh.new()
    bmesh.ops.create_cube(build, size=side * UNIT)
    bmesh.ops.bevel(
        build,
        geom=build.edges,
        offset=side * style.rounding * UNIT,
        segments=4,
        profile=0.6,
        affect="EDGES",
    )
    half = side / 2
    for value, (out, across) in _AXES.items():
        n, u = np.array(out, float), np.array(across, float)
        v = np.cross(n, u) * (-1 if style.mirror else 1)
        turned = value in (2, 3, 6) and style.mirror
        for a, b in _SPOTS[value]:
            a, b = (b, -a) if turned else (a, b)
            middle = n * (half + 0.02) + (u * a + v * b) * style.offset * side
            ring = []
            for k in range(14):
                t = 2 * np.pi * k / 14
                point = middle + (u * np.cos(t) + v * np.sin(t)) * style.pip * side
                ring.append(build.verts.new(point * UNIT))
            disc = build.faces.new(ring)
            disc.material_index = 1
            disc.normal_update()
            if disc.normal.dot(n) < 0:
                disc.normal_flip()
    body = material(face, style.rough, 0.0, style.coat)
    body.node_tree.nodes["Principled BSDF"].inputs["Subsurface Weight"].default_value = 0.0
    thing = _object(build, body, material(pips, min(1.0, style.rough + 0.2)))
    split = thing.modifiers.new("edges", "EDGE_SPLIT")
    split.split_angle = np.deg2rad(50)
    return thing


def turn_die(thing: Any, value: int, yaw: float, lean: float = 0.0, lean_to: float = 0.0) -> None:
    """Put `value` on top, turn by `yaw`, then lean by `lean` radians towards the direction `lean_to`."""
    out = Vector(_AXES[value][0])
    up = out.rotation_difference(Vector((0, 0, 1))).to_matrix()
    spin = Matrix.Rotation(-yaw, 3, "Z")
    axis = Vector((-np.sin(lean_to), np.cos(lean_to), 0.0))
    whole = Matrix.Rotation(lean, 3, axis) @ spin @ up
    thing.rotation_euler = whole.to_euler()


def lowest(thing: Any) -> float:
    """How far below its origin (mm) a turned thing reaches."""
    turn = thing.rotation_euler.to_matrix()
    return -min((turn @ v.co).z for v in thing.data.vertices) / UNIT


METALS = {
    "brass": (78, 170, 205),
    "gold": (60, 165, 235),
    "steel": (190, 188, 185),
    "pewter": (130, 128, 125),
    "copper": (95, 130, 205),
    "iron": (80, 78, 76),
    "nickel": (165, 180, 190),
    "bronze": (60, 115, 160),
    "rose": (140, 160, 225),
}


class PieceStyle:
    """The six identical metal pieces of one set: a lathed or wavy form in one metal, room for a marker;
    `homely` ones are no mirrors, `usual` ones neither flat nor towers."""

    def __init__(self, rng: Rng, form: str | None = None, homely: bool = False, usual: bool = False) -> None:
        self.metal = str(rng.choice(list(METALS)))
        forms = {"tube": 3, "cup": 2, "ring": 4, "crown": 2, "wavy": 2, "cone": 1, "bell": 1, "nut": 1}
        forms |= {"pot": 1, "dish": 1, "stub": 1, "bead": 1}
        self.form = form or str(rng.choice([form for form, share in forms.items() for _ in range(share)]))
        self.diameter = float(np.round(rng.uniform(*((18, 21) if usual else (16.5, 22.5))), 1))
        self.height = float(np.round(rng.uniform(*((9.5, 15) if usual else (8.5, 16.5))), 1))
        self.rough = float(
            rng.choice([rng.uniform(0.03, 0.12), rng.uniform(0.1, 0.3), rng.uniform(0.3, 0.5)])
        )
        self.rough = max(self.rough, 0.12) if homely else self.rough
        self.points = int(rng.integers(5, 13))
        self.wall = float(rng.uniform(0.1, 0.24))
        self.floor = float(rng.uniform(0.05, 0.6))
        self.through = self.form in ("ring", "tube") and rng.uniform() < 0.7
        self.wave = float(rng.uniform(0.08, 0.22))
        self.ball = str(rng.choice(["ball", "disc", "peg", "dome"]))
        tone = np.array(METALS[self.metal]) * rng.uniform(0.8, 1.15)
        self.tone = tuple(float(v) for v in np.clip(tone, 10, 250))
        self.foot, self.bend, self.lip = 1.0, 1.0, 0.05

    def flare(self, rng: Rng) -> None:
        """Narrower at the foot than at the rim, by a straight line or a curve; a wavy rim waves more."""
        self.foot = float(rng.uniform(0.55, 0.95))
        self.bend = float(rng.choice([1.0, rng.uniform(0.6, 2.5)]))
        self.lip = float(rng.uniform(0.03, 0.12))

    def another(self, rng: Rng, form: str | None, homely: bool) -> PieceStyle:
        """Pieces as wide, as high and as flared, of another metal and, unless it is given, another form."""
        other = PieceStyle(rng, form, homely)
        other.diameter, other.height = self.diameter, self.height
        other.foot, other.bend, other.lip = self.foot, self.bend, self.lip
        return other

    def profile(self) -> list[tuple[float, float]]:
        """(radius, height) mm from the foot's middle outwards, up, over the rim and down inside."""
        straight = self._straight()
        if self.foot == 1:
            return straight
        points = [straight[0]]
        for (r0, z0), (r1, z1) in pairwise(straight):
            steps = max(1, round(abs(z1 - z0) / 2))
            points += [(r0 + (r1 - r0) * k / steps, z0 + (z1 - z0) * k / steps) for k in range(1, steps + 1)]

        def wide(z: float) -> float:
            return self.foot + (1 - self.foot) * (max(z, 0.0) / self.height) ** self.bend

        return [(r * wide(z), z) for r, z in points]

    def _straight(self) -> list[tuple[float, float]]:
        r, h = self.diameter / 2, self.height
        inner, floor = r * (1 - 2 * self.wall), h * self.floor
        e = 0.35
        if self.through:
            return [
                (inner, 0),
                (r - e, 0),
                (r, e),
                (r, h - e),
                (r - e, h),
                (inner + e, h),
                (inner, h - e),
                (inner, 0),
            ]
        if self.form == "cone":
            out = [(0.01, 0), (r, 0), (r, h * 0.15), (r * 0.8, h - e), (r * 0.78, h)]
            inner = min(inner, r * 0.6)
        elif self.form == "bell":
            out = [(0.01, 0), (r, 0), (r, h * 0.2), (r * 0.72, h * 0.5), (r * 0.85, h - e), (r * 0.8, h)]
            inner = min(inner, r * 0.62)
        elif self.form == "pot":
            out = [(0.01, 0), (r * 0.7, 0), (r * 0.95, h * 0.4), (r, h - e), (r - e, h)]
        elif self.form == "dish":
            out = [(0.01, 0), (r * 0.85, 0), (r, h * 0.3), (r, h - e), (r - e, h)]
            floor = h * 0.75
        elif self.form == "stub":
            out = [(0.01, 0), (r - e, 0), (r, e), (r, h - 1), (r - 1, h)]
            inner, floor = r * 0.62, h * 0.85
        elif self.form == "bead":
            out = [(0.01, 0), (r * 0.8, 0), (r, h * 0.35), (r, h * 0.65), (r * 0.85, h)]
            inner = min(inner, r * 0.6)
        else:
            out = [(0.01, 0), (r - e, 0), (r, e), (r, h - e), (r - e, h)]
        return [*out, (inner + e, h), (inner, h - e), (inner, floor), (0.01, floor)]

    def make(self) -> Any:
        """One piece."""
        steps = 6 if self.form == "nut" else 48
        wave = None
        if self.form in ("crown", "wavy"):

            def wave(a: float, radius: float, height: float) -> tuple[float, float]:
                if height < 0.6 * self.height:
                    return radius, height
                phase = a * self.points
                lift = abs(((phase / np.pi) % 2) - 1) if self.form == "crown" else 0.5 + 0.5 * np.cos(phase)
                out = 1 + (self.lip * np.cos(phase) if self.form == "wavy" else 0.0)
                return radius * out, height - self.wave * self.height * (1 - lift)

        return lathe(self.profile(), steps, material(self.tone, self.rough, 1.0), wave, self.through)

    def marker(self, bgr: Sequence[float], rough: float) -> tuple[Any, float]:
        """A coloured marker and the height at which it stands on the piece."""
        profile = self.profile()
        hole = self.diameter / 2 * (1 - 2 * self.wall) * self.foot
        inner = 0.94 * (hole if self.through else profile[-2][0])
        floor = 0.0 if self.through else profile[-1][1]
        top = self.height - floor
        made = material(bgr, rough)
        if self.ball == "disc":
            rise = max(1.5, top * 0.8)
            form = [(0.01, 0), (inner, 0), (inner, rise - 0.4), (inner - 0.4, rise), (0.01, rise)]
        elif self.ball == "peg":
            rise = top + 3.5
            thin = inner * 0.8
            form = [(0.01, 0), (thin, 0), (thin, rise - 1), (thin - 1, rise), (0.01, rise)]
        else:
            bulge = inner * (0.9 if self.ball == "ball" else 0.35)
            foot = max(0.5, top - (bulge * 0.5 if self.ball == "ball" else 0.3))
            t = np.linspace(0, np.pi / 2, 9)
            form = [
                (0.01, 0),
                *[(inner * float(np.cos(a)) + 0.01, foot + bulge * float(np.sin(a))) for a in t],
            ]
        return lathe(form, 32, made), floor


def ball(radius: float, bgr: Sequence[float], rough: float) -> Any:
    """A ball on z = 0."""
    t = np.linspace(-np.pi / 2, np.pi / 2, 17)
    return lathe(
        [(radius * float(np.cos(a)) + 0.01, radius + radius * float(np.sin(a))) for a in t],
        32,
        material(bgr, rough),
    )


def skin(rng: Rng) -> tuple[float, float, float]:
    """A skin tone, BGR."""
    tones = [(150, 180, 225), (120, 150, 205), (90, 125, 180), (60, 85, 130), (40, 55, 85)]
    return tuple(float(v) for v in np.array(tones[int(rng.integers(5))]) * rng.uniform(0.9, 1.1))  # type: ignore[return-value]


def hand(rng: Rng) -> Any:
    """A flat hand with a sleeve, fingers along +x, the palm's middle over the origin."""
    ball = bpy.data.metaballs.new("hand")
    ball.resolution = ball.render_resolution = 0.25
    ball.threshold = 0.1

    def limb(a: Sequence[float], b: Sequence[float], r0: float, r1: float) -> None:
        n = max(3, int(np.hypot(b[0] - a[0], b[1] - a[1]) / 5))
        for t in np.linspace(0, 1, n):
            one = ball.elements.new()
            one.co = [(a[i] + (b[i] - a[i]) * t) * UNIT for i in range(3)]
            one.radius = (r0 + (r1 - r0) * t) * UNIT * 1.35

    spread = rng.uniform(0.4, 1.3)
    curl = rng.uniform(0.6, 1.0)
    for k, length in enumerate((68, 76, 70, 55)):
        y = (k - 1.5) * 19
        tip = (42 + length * curl, y * (1 + 0.5 * spread), rng.uniform(6, 16))
        limb((38, y, 16), tip, 9, 7)
    limb((0, -36, 14), (48, -36 - 38 * spread, 10), 11, 8)
    for y in (-26, -9, 9, 26):
        limb((-40, y * 0.85, 18), (38, y, 16), 13, 11)
    limb((-45, 0, 20), (-110, 0, 28), 24, 24)
    made = bpy.data.objects.new("hand", ball)
    bpy.context.scene.collection.objects.link(made)
    bpy.context.view_layer.update()
    mesh = bpy.data.meshes.new_from_object(made.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(made)
    mesh.materials.clear()
    mesh.materials.append(material(skin(rng), 0.5))
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    thing = bpy.data.objects.new("hand", mesh)
    bpy.context.scene.collection.objects.link(thing)
    sleeve = lathe([(30, 0), (36, 40), (42, 260)], 24, material(colour(rng, 20, 240), 0.9))
    sleeve.rotation_euler = (0, -np.pi / 2, 0)
    sleeve.location = (-95 * UNIT, 0, 30 * UNIT)
    sleeve.parent = thing
    return thing


def clutter(rng: Rng) -> Any:
    """Something that lies about: a pencil, a phone, a mug, a sheet, coins, a book, an hourglass, a pawn."""
    kind = rng.choice(["pencil", "phone", "mug", "note", "book", "glass", "coin", "pawn", "box", "cable"])
    tone = colour(rng, 20, 250)
    if kind == "pencil":
        thing = lathe([(0.01, 0), (3.6, 0), (3.6, 150), (0.6, 168), (0.01, 168)], 6, material(tone, 0.4))
        thing.rotation_euler = (0, np.pi / 2, 0)
        thing.location.z = 3.6 * UNIT
    elif kind == "phone":
        thing = box(74, 150, 8, 3, material((rng.uniform(10, 40),) * 3, rng.uniform(0.05, 0.4)))
    elif kind == "mug":
        thing = lathe(
            [(0.01, 0), (38, 0), (41, 90), (38, 90), (36, 70), (0.01, 70)], 40, material(tone, 0.25)
        )
    elif kind == "note":
        thing = sheet(draw_note(rng), rng.uniform(80, 160), rng.uniform(110, 210), 0.9)
        thing.location.z = 0.3 * UNIT
    elif kind in ("book", "box"):
        thing = box(*rng.uniform(30, 140, 2), rng.uniform(8, 40), 1.5, material(tone, 0.6))
    elif kind == "glass":
        form = [(0.01, 0), (22, 0), (22, 6), (4, 32), (20, 60), (22, 64), (22, 70), (0.01, 70)]
        thing = lathe(form, 32, material(tone, 0.2))
    elif kind == "coin":
        thing = lathe([(0.01, 0), (11, 0), (11, 2), (0.01, 2)], 32, material((90, 160, 190), 0.3, 1.0))
    elif kind == "pawn":
        form = [(0.01, 0), (8, 0), (8, 3), (4, 8), (3, 16), (6, 20), (5, 25), (0.01, 27)]
        thing = lathe(form, 24, material(tone, 0.4))
    else:
        thing = lathe([(0.01, 0), (2.5, 0), (2.5, 260), (0.01, 260)], 8, material(tone, 0.6))
        thing.rotation_euler = (0, np.pi / 2, 0)
        thing.location.z = 2.5 * UNIT
    return thing


def chip(diameter: float, thick: float, bgr: Sequence[float], rough: float) -> Any:
    """A round chip lying flat."""
    r = diameter / 2
    form = [(0.01, 0), (r - 0.3, 0), (r, 0.3), (r, thick - 0.3), (r - 0.3, thick), (0.01, thick)]
    return lathe(form, 40, material(bgr, rough))
