"""The wiring as a table and as a drawing on A4, both of the same joints, so that neither can lie."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from companion.config_panel import RESERVED_PINS
from hardware.header import PINS, Joint, Supply, pins_of

SAND, SETTER, BUZZER = "#a8650b", "#37474f", "#b0185b"
SEATS = ("#1565b0", "#2a7d46", "#c62f3d", "#6f42a5", "#00798a", "#7a5546")
"""The colour of each seat's wires; they are told apart by their labels too."""
PAPER, INK, FAINT = "#ffffff", "#1c2126", "#5c656d"
SUPPLY: dict[Supply, str] = {"ground": INK, "3V3": "#d11a2a"}

MIDDLE, TOP, PITCH = 105.0, 47.0, 10.8
PIN, LABEL, NAME, GLYPH, RESISTOR = 6.0, 11.5, 24.0, 55.0, 69.0
RAIL: dict[Supply, float] = {"3V3": 84.0, "ground": 91.0}
"""Millimetres from the middle of the sheet, to both sides."""


def table(joints: list[Joint]) -> list[str]:
    """The lines of the table: every part, its GPIO, its pin on the header, and where its other leg goes."""
    if not joints:
        return ["No part is wired."]
    lines = [f"{'part':<17}{'GPIO':>5}{'pin':>5}  other leg"]
    lines += [f"{one.part:<17}{one.gpio:>5}{one.pin:>5}  {one.other_leg}" for one in joints]
    lines += ["", *_notes(joints)]
    return lines


def as_object(one: Joint) -> dict[str, str | int]:
    """A line of the table as a JSON object; `ohms` is 0 where there is no resistor."""
    return {
        "part": one.part,
        "kind": one.kind,
        "gpio": one.gpio,
        "pin": one.pin,
        "other": one.other,
        "ohms": one.ohms,
    }


def drawing(joints: list[Joint]) -> str:
    """The same as an SVG on A4, upright: the header with a wire from every used pin to its part."""
    by_pin = {one.pin: one for one in joints}
    wires: list[str] = []
    for pin in range(1, len(PINS) + 1):
        wires += _part(by_pin[pin]) if pin in by_pin else _bare(pin, joints)
    notes = [_text(14, 270 + 4.8 * number, note, 3.1, FAINT) for number, note in enumerate(_notes(joints))]
    body = [
        f'<rect width="210" height="297" fill="{PAPER}"/>',  # paper of its own: dark viewers show it too
        _text(14, 19, "Corona companion: wiring", 7, INK, "start", bold=True),
        _text(14, 26, "The 40-pin header of a Raspberry Pi from above, its USB sockets to the bottom:", 3.4),
        _text(14, 31, "the odd pins in the left column, the even ones along the edge of the board.", 3.4),
        *_rails(joints),
        _header(),
        *wires,
        *notes,
    ]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297" '
        'role="img" font-family="Helvetica, Arial, sans-serif">\n'
        "<title>Corona companion: wiring</title>\n"
        f"<desc>{escape('; '.join(_said(one) for one in joints) or 'No part is wired.')}</desc>\n"
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _said(one: Joint) -> str:
    return f"{one.part}: GPIO {one.gpio}, pin {one.pin}; other leg: {one.other_leg}"


def _notes(joints: Iterable[Joint]) -> list[str]:
    """What the rows do not say."""
    found = []
    for supply in sorted({one.other for one in joints}, reverse=True):
        pins = ", ".join(str(pin) for pin in pins_of(supply))
        name = supply[0].upper() + supply[1:]
        found.append(f"{name} is on pins {pins}; any one of them, joined to a rail, is enough.")
    if any(one.kind == "LED" for one in joints):
        ends = {"ground": "GPIO", "3V3": "resistor"}
        (end,) = {ends[one.other] for one in joints if one.kind == "LED"}
        found.append(f"The long leg of an LED (+) faces the {end}.")
    if any(one.part.startswith("seat") for one in joints):
        found.append("Seat 1 is the first in the game's list of players; the others follow clockwise.")
    return found


def _part(one: Joint) -> list[str]:
    """A used pin, the wire from it, and the part with its other leg up to the rail."""
    side, y = _place(one.pin)
    colour = _colour(one.part)
    at = [MIDDLE + side * away for away in (PIN, GLYPH - 4, GLYPH + 4, RAIL[one.other])]
    anchor = "start" if side > 0 else "end"
    drawn = [
        _gap(side, y) if one.other == "ground" else "",
        _line(at[2], y, at[3], y, SUPPLY[one.other], 0.5),
        _line(at[0], y, at[1], y, colour, 0.9),
        f'<circle cx="{at[3]:g}" cy="{y:g}" r="0.9" fill="{SUPPLY[one.other]}"/>',
        _dot(one.pin, colour),
        _text(MIDDLE + side * LABEL, y - 1.3, f"GPIO {one.gpio}", 2.6, FAINT, anchor),
        _text(MIDDLE + side * NAME, y - 1.3, one.part, 3.5, colour, anchor, bold=True),
    ]
    glyph = {"LED": _led, "button": _button, "buzzer": _buzzer}[one.kind]
    drawn.append(glyph(MIDDLE + side * GLYPH, y, colour, side * (1 if one.other == "ground" else -1)))
    if one.ohms:
        x = MIDDLE + side * RESISTOR
        drawn.append(_box(x - 4.5, y - 1.6, 9, 3.2))
        drawn.append(_text(x, y + 0.9, f"{one.ohms} Ω", 2.5, INK, "middle"))
    return [piece for piece in drawn if piece]


def _bare(pin: int, joints: list[Joint]) -> list[str]:
    """A pin that no part hangs on."""
    side, y = _place(pin)
    name = PINS[pin - 1]
    gpio = int(name.removeprefix("GPIO ")) if name.startswith("GPIO") else None
    said = f"{name}: kept for {RESERVED_PINS[gpio]}" if gpio in RESERVED_PINS else name
    fill = {str(supply): colour for supply, colour in SUPPLY.items()}.get(name)
    joined = any(_feed(one.other, side) == pin and _place(one.pin)[0] == side for one in joints)
    return [
        _dot(pin, fill or PAPER),
        _text(
            MIDDLE + side * LABEL,
            y + (-1.3 if joined else 0.9),
            said,
            2.6,
            fill or FAINT,
            "start" if side > 0 else "end",
        ),
    ]


def _rails(joints: list[Joint]) -> list[str]:
    """The rails of both sides, each joined to a pin of its supply."""
    drawn = []
    supplies: tuple[Supply, Supply] = ("3V3", "ground")
    for supply in supplies:
        for side in (-1, 1):
            used = [
                _place(one.pin)[1] for one in joints if one.other == supply and _place(one.pin)[0] == side
            ]
            if used:
                drawn.append(_rail(supply, side, used))
    return drawn


def _rail(supply: Supply, side: int, used: list[float]) -> str:
    """A rail along the rows `used` on that side, and the wire from the header to it."""
    x, colour, pin = MIDDLE + side * RAIL[supply], SUPPLY[supply], _feed(supply, side)
    if pin is not None:
        y = _place(pin)[1]
        wire = f"M{MIDDLE + side * PIN:g} {y:g}H{x:g}"
    else:  # the even column has no 3V3: over the top, from pin 1
        y = TOP - 9
        wire = f"M{MIDDLE - PIN:g} {TOP:g}V{y:g}H{x:g}"
    low, high = min(*used, y), max(*used, y)
    gap = _gap(side, y) if supply == "ground" else ""
    return (
        f'{gap}<path d="{wire}M{x:g} {low:g}V{high:g}" fill="none" stroke="{colour}" stroke-width="0.9" '
        'stroke-linecap="square"/>' + _text(x, high + 5, supply, 3, colour, "middle", bold=True)
    )


def _feed(supply: Supply, side: int) -> int | None:
    """The pin that the rail of that side is joined to; None where its column has none."""
    return next((pin for pin in pins_of(supply) if _place(pin)[0] == side), None)


def _gap(side: int, y: float) -> str:
    """A gap in the 3V3 rail, where a wire to the ground rail crosses it."""
    x = MIDDLE + side * RAIL["3V3"]
    return _line(x - 1.5, y, x + 1.5, y, PAPER, 2.4)


def _place(pin: int) -> tuple[int, float]:
    """Left (-1) or right (1) of the middle, and how far down."""
    return 1 if pin % 2 == 0 else -1, TOP + PITCH * ((pin - 1) // 2)


def _colour(part: str) -> str:
    first, *rest = part.split()
    if first == "seat":
        return SEATS[(int(rest[0]) - 1) % len(SEATS)]
    return {"sand": SAND, "buzzer": BUZZER}.get(first, SETTER)


def _header() -> str:
    height = PITCH * (len(PINS) // 2 - 1) + 12
    return (
        f'<rect x="{MIDDLE - 10.5:g}" y="{TOP - 6:g}" width="21" height="{height:g}" rx="2" '
        f'fill="#eceff1" stroke="{FAINT}" stroke-width="0.4"/>'
    )


def _dot(pin: int, fill: str) -> str:
    side, y = _place(pin)
    x = MIDDLE + side * PIN
    # Pin 1 is square, as its solder pad on the board is.
    shape = (
        f'<rect x="{x - 3.2:g}" y="{y - 3.2:g}" width="6.4" height="6.4"'
        if pin == 1
        else f'<circle cx="{x:g}" cy="{y:g}" r="3.2"'
    )
    ink = INK if fill == PAPER else PAPER
    return f'{shape} fill="{fill}" stroke="{FAINT}" stroke-width="0.3"/>' + _text(
        x, y + 1.1, str(pin), 3, ink, "middle", bold=True
    )


def _led(x: float, y: float, colour: str, along: int) -> str:
    """A diode that lets current pass to the right (`along` 1) or to the left, and its rays."""
    tip, back = x + along * 2.6, x - along * 2.6
    rays = "".join(f"M{x + off:g} {y - 3.4:g}l1.6 -1.6m-0.9 0h0.9v0.9" for off in (-1.2, 1.4))
    return (
        f'<path d="M{x - 4:g} {y:g}H{x + 4:g}" stroke="{colour}" stroke-width="0.6"/>'
        f'<path d="M{back:g} {y - 2.8:g}L{tip:g} {y:g}L{back:g} {y + 2.8:g}Z" fill="{colour}"/>'
        f'<path d="M{tip:g} {y - 2.8:g}V{y + 2.8:g}{rays}" fill="none" stroke="{colour}" stroke-width="0.6"/>'
        + _text(back - along * 1.8, y + 3.9, "+", 3.6, colour, "middle", bold=True)
    )


def _button(x: float, y: float, colour: str, _along: int) -> str:
    return (
        f'<path d="M{x - 4.2:g} {y - 2.4:g}H{x + 4.2:g}M{x:g} {y - 2.4:g}v-2.2m-1.6 0h3.2" fill="none" '
        f'stroke="{colour}" stroke-width="0.7"/>'
        f'<circle cx="{x - 3.2:g}" cy="{y:g}" r="1" fill="{PAPER}" stroke="{colour}" stroke-width="0.6"/>'
        f'<circle cx="{x + 3.2:g}" cy="{y:g}" r="1" fill="{PAPER}" stroke="{colour}" stroke-width="0.6"/>'
    )


def _buzzer(x: float, y: float, colour: str, along: int) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{PAPER}" stroke="{colour}" stroke-width="0.7"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="1" fill="{colour}"/>'
        + _text(x - along * 6.2, y + 3.9, "+", 3.6, colour, "middle", bold=True)
    )


def _box(x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'fill="{PAPER}" stroke="{INK}" stroke-width="0.4"/>'
    )


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, width: float) -> str:
    return (
        f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    )


def _text(
    x: float, y: float, text: str, size: float, colour: str = INK, anchor: str = "start", bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )
