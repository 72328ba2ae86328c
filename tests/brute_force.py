"""The best score by trying everything; written apart from the solver and importing nothing of the game."""

from __future__ import annotations

Digits = tuple[int, ...]


def most_points(waiting: str, moved: str, dice: str) -> int:
    """The most points: pieces still to move and moved on A..L, and dice left, as digits (0 = used)."""
    return _most(
        tuple(map(int, waiting)), tuple(map(int, moved)), tuple(int(d) for d in dice if d != "0"), {}
    )


def _most(
    waiting: Digits, moved: Digits, dice: Digits, seen: dict[tuple[Digits, Digits, Digits], int]
) -> int:
    key = (waiting, moved, tuple(sorted(dice)))
    if key in seen:
        return seen[key]
    best = 0
    for field in range(12):
        if waiting[field] == 0:
            continue
        for which in range(len(dice)):
            target = (field + dice[which]) % 12
            fewer = list(waiting)
            fewer[field] -= 1
            crowd = fewer[target] + moved[target] + 1
            more = list(moved)
            more[target] += 1
            rest = dice[:which] + dice[which + 1 :]
            gained = crowd if crowd > 1 else 0
            best = max(best, gained + _most(tuple(fewer), tuple(more), rest, seen))
    seen[key] = best
    return best
