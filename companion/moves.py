"""A line of moves as text: rows for a person, and words that can be read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from companion.games.corona.rules import LETTERS, IllegalMove, Move, Situation, find_move, play


def as_rows(moves: Sequence[Move], colours: Sequence[str]) -> Iterator[str]:
    """One row a move, with its points and the points so far."""
    total = 0
    for number, move in enumerate(moves, start=1):
        total += move.points
        yield (
            f"  {number}. {LETTERS[move.start]} -> {LETTERS[move.to]}  {colours[move.die]:<6} {move.pips}"
            f"   {move.points or '-':>2}   {total:>2}\n"
        )


def as_short(moves: Sequence[Move], colours: Sequence[str]) -> str:
    """A line in one row: `A-G red 2, G-A white 2`; the number is what the move scores, `-` if nothing."""
    return ", ".join(
        f"{LETTERS[move.start]}-{LETTERS[move.to]} {colours[move.die]} {move.points or '-'}" for move in moves
    )


def read_moves(situation: Situation, words: Iterable[str], colours: Sequence[str]) -> tuple[Move, ...]:
    """The moves that words such as `A-red` say, in order; raises `IllegalMove`, which names the word."""
    moves: list[Move] = []
    for word in words:
        letter, _, colour = word.strip().partition("-")
        try:
            if len(letter) != 1 or letter not in LETTERS:
                raise IllegalMove("a move is a field A to L, a dash and a colour")
            if colour not in colours:
                raise IllegalMove(f"there is no die of that colour; there are {', '.join(colours)}")
            move = find_move(situation, LETTERS.index(letter), list(colours).index(colour))
        except IllegalMove as fault:
            raise IllegalMove(f"move {len(moves) + 1}, {word.strip()!r}: {fault}") from fault
        moves.append(move)
        situation = play(situation, move)
    return tuple(moves)
