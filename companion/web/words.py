"""What the pages say: the reader's language, and sentences and names made from a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from flask import request

from companion.web.drawing import FIELDS
from companion.web.say import decimal, full_date, gettext, ngettext, percent, pgettext

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
COOKIE = "language"


def language() -> str:
    """The language chosen on this phone, else the best one it asks for, else English."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    # Not best_match: for "de-AT, en;q=0.5" that prefers the later, exact one.
    wanted = (tag.replace("_", "-").partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in wanted if tag in LANGUAGES), "en")


def colour_name(colour: str) -> str:
    """The name of a die's colour."""
    return {
        "red": gettext("red"),
        "blue": gettext("blue"),
        "green": gettext("green"),
        "yellow": gettext("yellow"),
        "white": gettext("white"),
        "black": gettext("black"),
        "orange": gettext("orange"),
        "purple": gettext("purple"),
        "brown": gettext("brown"),
        "pink": gettext("pink"),
    }.get(colour, colour)


def colour_letter(colour: str) -> str:
    """One or two letters that stand for a colour; no two colours share them."""
    return {
        "red": pgettext("letters on the die", "R"),
        "blue": pgettext("letters on the die", "Bu"),
        "green": pgettext("letters on the die", "G"),
        "yellow": pgettext("letters on the die", "Y"),
        "white": pgettext("letters on the die", "W"),
        "black": pgettext("letters on the die", "Bk"),
        "orange": pgettext("letters on the die", "O"),
        "purple": pgettext("letters on the die", "Pu"),
        "brown": pgettext("letters on the die", "Br"),
        "pink": pgettext("letters on the die", "Pi"),
    }.get(colour, colour[:1].upper())


def status(view: Mapping[str, Any]) -> str:
    """The state of the round in one sentence."""
    high = view["high"]
    match view["phase"]:
        case "start":
            return gettext("Who sits at the table?")
        case _ if view["paused"]:
            return gettext("The game is paused.")
        case "throw":
            return gettext("%(name)s throws one die. The first 6 sets up.", name=view["thrower"])
        case "lay" if view["lost"]:
            return gettext(
                "The companion was off while the sand ran, and nobody can tell how much was left: "
                "%(name)s turns the hourglass again.",
                name=setter(view),
            )
        case "lay" if view["situation"] is None:
            return gettext(
                "%(name)s sets up: six pieces on any fields, then all six dice at once.", name=setter(view)
            )
        case "lay":
            return gettext("The situation is set. %(name)s turns the hourglass.", name=setter(view))
        case "auction" if high is None:
            return gettext("The sand is running. How many points can be reached?")
        case "auction":
            return gettext("The sand is running. Who bids more than %(points)d?", points=high["points"])
        case "play":
            return gettext("%(name)s plays for %(points)d points.", name=high["seat"], points=high["points"])
        case "reveal":
            return outcome(view["reveal"])
    return winners(view["over"]["winners"])


def outcome(reveal: Mapping[str, Any]) -> str:
    """How the round went, in one sentence."""
    if reveal["won"]:
        return gettext("%(name)s has won the round.", name=reveal["seat"])
    return gettext("%(name)s has missed the bid, and keeps silent next round.", name=reveal["seat"])


def winners(names: Sequence[str]) -> str:
    """Who has won the game."""
    return ngettext(
        "%(names)s wins the game.", "%(names)s share the win.", len(names), names=" · ".join(names)
    )


def over_reason(reason: str) -> str:
    """Why the game is over."""
    return {
        "rounds": gettext("All the rounds agreed on have been played."),
        "minutes": gettext("The time agreed on is over."),
        "broke": gettext("Somebody has no chips left."),
        "doubled": gettext("Somebody has doubled their chips."),
    }[reason]


def undo(undone: Mapping[str, Any]) -> str:
    """What an undo takes back, as a button says it."""
    values = {"name": undone["seat"], "points": undone["points"]}
    match undone["what"]:
        case "bid_made":
            return gettext("Take back: %(name)s bids %(points)d", **values)
        case "result_entered" | "player_done":
            return gettext("Take back: the result %(points)d", **values)
        case "seat_taken":
            return gettext("Take back: %(name)s sits down", **values)
        case "seat_left":
            return gettext("Take back: %(name)s leaves", **values)
    return {
        "game_started": gettext("Take back: the start of the game"),
        "die_thrown": gettext("Take back: the last throw"),
        "game_paused": gettext("Take back: the pause"),
        "game_resumed": gettext("Take back: the end of the pause"),
        "situation_laid": gettext("Take back: the set-up"),
        "hourglass_turned": gettext("Take back: the hourglass was turned"),
        "hourglass_cancelled": gettext("Take back: the hourglass was cancelled"),
        "piece_moved": gettext("Take back: the last move"),
        "play_followed": gettext("Take back: what the camera saw last"),
    }.get(undone["what"], gettext("Take back the last step"))


def settled_round(one: Mapping[str, Any]) -> str:
    """A settled round as a choice."""
    return gettext(
        "%(number)d: %(name)s bid %(bid)d, reached %(reached)d",
        number=one["round"],
        name=one["seat"],
        bid=one["bid"],
        reached=one["reached"],
    )


def paid(reveal: Mapping[str, Any]) -> str:
    """Who paid whom, in one sentence."""
    payments = reveal["paid"]
    if not payments:
        return gettext("Nobody could pay.")
    name = reveal["seat"]
    if reveal["won"]:
        names = ", ".join(payment["from"] for payment in payments)
        return gettext("%(name)s gets one chip from each of: %(names)s.", name=name, names=names)
    names = ", ".join(payment["to"] for payment in payments)
    return gettext("%(name)s gives one chip to each of: %(names)s.", name=name, names=names)


def share(part: float) -> str:
    """A share as people say it: in per cent, a rare one as one in so many."""
    if part >= 0.01:
        return percent(part)
    return gettext("1 in %(number)s", number=decimal(round(1 / part)))


def rarity(best: int, here: float, everywhere: float) -> str:
    """How many of the throws on a set-up, and of all situations, allow so much, in one sentence."""
    return gettext(
        "%(points)d or more: %(here)s of them, %(everywhere)s of all situations.",
        points=best,
        here=share(here),
        everywhere=share(everywhere),
    )


def chances_described(cases: Sequence[int]) -> str:
    """The bars of what throws allow, for those who cannot see them."""
    there = [points for points, number in enumerate(cases) if number]
    return gettext(
        "Throws on this set-up allow %(least)d to %(most)d points, most often %(often)d.",
        least=there[0],
        most=there[-1],
        often=cases.index(max(cases)),
    )


def as_address(moves: Sequence[Mapping[str, Any]]) -> str:
    """A play as the pages' addresses carry it: `A-red,B-blue`."""
    return ",".join(f"{move['from']}-{move['colour']}" for move in moves)


def day(iso: str) -> str:
    """A date, "2026-11-21", in full."""
    return full_date(date.fromisoformat(iso))


def number_of(number: float, digits: int = 0) -> str:
    """A number with so many digits behind the point."""
    return decimal(round(number, digits) if digits else round(number))


def against_best(below: float) -> str:
    """How far somebody's bids were below the best there was, in one sentence; above it where below 0."""
    points = number_of(abs(below), 1)
    if abs(below) < 0.05:
        return gettext("On average, bids were as high as the best.")
    if below < 0:
        return gettext("On average, bids were %(points)s above the best.", points=points)
    return gettext("On average, bids were %(points)s below the best.", points=points)


def solved(number: int, reached: int, best: int) -> str:
    """How a puzzle went, in one sentence."""
    if reached < number:
        return gettext("You have missed your number.")
    if reached == best:
        return gettext("You have found all there was.")
    return ngettext(
        "You have reached your number; %(num)d more point was possible.",
        "You have reached your number; %(num)d more points were possible.",
        best - reached,
    )


def refusal(template: str, values: Mapping[str, object]) -> str:
    """A refused command's reason; its template is a message of the catalogues."""
    named = {**values}
    if "colour" in named:
        named["colour"] = colour_name(str(named["colour"]))
    return str(gettext(template)) % named


def next_bids(view: Mapping[str, Any], most: int) -> range:
    """The next sensible numbers: from 5 when nobody has bid, else those above the highest, up to `most`."""
    first = view["high"]["points"] + 1 if view["high"] else 5
    return range(first, min(first + 6, most + 1))


def setter(view: Mapping[str, Any]) -> str:
    """Who sets up (after a reveal: who sets up next)."""
    return next((str(seat["name"]) for seat in view["seats"] if seat["setter"]), "")


def described(situation: str, colours: Sequence[str]) -> str:
    """A situation in words, for those who cannot see the drawing."""
    pieces, _, dice = situation.partition("-")
    counts = [sum(map(int, both)) for both in zip(*pieces.split("."), strict=True)]  # waiting, and moved
    fields = [f"{letter} {count}" for letter, count in zip(FIELDS, counts, strict=True) if count]
    faces = [f"{colour_name(colour)} {pips}" for colour, pips in zip(colours, dice, strict=True)]
    return gettext("Pieces: %(pieces)s. Dice: %(dice)s.", pieces=", ".join(fields), dice=", ".join(faces))


def ending(code: str) -> str:
    """How a game ends, as a choice: "rounds-10", "minutes-30", "broke", "doubled"."""
    kind, _, number = code.partition("-")
    return {
        "rounds": ngettext("after %(num)d round", "after %(num)d rounds", int(number or 0)),
        "minutes": ngettext("after %(num)d minute", "after %(num)d minutes", int(number or 0)),
        "broke": gettext("when somebody has no chips left"),
        "doubled": gettext("when somebody has doubled their chips"),
    }[kind]
