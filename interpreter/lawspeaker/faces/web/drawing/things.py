"""Names the clickable things in a picture.

Every drawn place and piece carries `data-thing`, its canonical text: `cell 2 3` for a place, `ace
in hand red` for a piece (with its position where pieces lie in a row, and with its changed states
where only these tell pieces apart). Pieces that look the same in the same place share their text,
since nobody can tell them apart; no internal number of a piece ever leaves the server.
"""

from __future__ import annotations

from lawspeaker.ir.types import PieceType, PlaceType
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout, Value


def place_thing(layout: Layout, place: int) -> str:
    return layout.text(PlaceType("", layout.place_family[place]), place)


def piece_text(view: View, piece: int, place: int) -> str:
    """Returns a piece's text without its place; a hidden piece has only its type."""
    layout = view.layout
    if piece < 0:
        family = layout.program.families[layout.place_family[place]]
        return f"hidden {layout.program.pieces[family.holds].name}"
    number = layout.piece_type[piece]
    return layout.text(PieceType("", number), piece) + _changed(view, number, piece)


def piece_thing(view: View, piece: int, place: int) -> str:
    """Returns a piece's text with its place, as it is chosen."""
    thing = f"{piece_text(view, piece, place)} in {place_thing(view.layout, place)}"
    if view.layout.row[place]:
        thing += f" at {view.contents[place].index(piece) + 1}"
    return thing


def _changed(view: View, number: int, piece: int) -> str:
    """Returns the states of a piece that differ from the start, in brackets."""
    layout = view.layout
    values: tuple[Value, ...] = view.states.get(piece, ())
    told = [
        f"{state.text} {layout.text(state.type, value)}"
        for state, value in zip(layout.states[number], values, strict=False)
        if value is not None and value != state.start
    ]
    return f" ({', '.join(told)})" if told else ""


def place_of(view: View, piece: int) -> int | None:
    """Returns the place of a piece, as far as the viewer knows."""
    return next((place for place, held in view.contents.items() if piece in held), None)
