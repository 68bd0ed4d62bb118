"""Places that are drawn on a piece, such as the benches of a boat.

A game declares them with `carries` in its symbols. There may be many such pieces but only one set
of places: it is drawn on the piece that moved last, as far as the viewer saw it.
"""

from __future__ import annotations

from lawspeaker.match.view import View


def aboard(view: View) -> dict[int, list[int]]:
    """Returns, by piece, the places drawn on it."""
    layout, program = view.layout, view.layout.program
    found: dict[int, list[int]] = {}
    for number, piece in enumerate(program.pieces):
        symbol = program.symbols.get(piece.name)
        if symbol is None or symbol.carries is None:
            continue
        carrier = _moved_last(view, number)
        if carrier is not None:
            found[carrier] = list(layout.places_of[symbol.carries])
    return found


def _moved_last(view: View, number: int) -> int | None:
    """Returns the piece of a type that moved last, if the viewer sees where it is."""
    event = view.last_move(number)
    if event is None:
        return None
    piece, _, to, *_ = event.data
    looks = view.layout.looks
    alike = [each for each in view.contents.get(to, ()) if each >= 0 and looks[each] == piece]
    return alike[-1] if alike else None
