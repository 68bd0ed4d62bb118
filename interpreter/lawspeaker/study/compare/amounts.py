"""Compares piece counts by place in two positions, listing only what differs.

Which pieces lie there is random when a game is set up, so there only their number is listed:
`basket of Ann: 3 × fruit`. Before anything is done, kinds with different counts are listed as
well, with the total in the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.ir.types import PieceType, PlaceType
from lawspeaker.match.match import Match
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare.position_setup import piece_text, place_text

Lines = tuple[tuple[str, ...], tuple[str, ...]]
"""Lines about the first and the second position."""
Lying = tuple[str, str]
"""A place and a kind or type of piece, as texts."""


@dataclass(slots=True)
class _Amounts:
    """Counts by place and kind, totals by place, and display names."""

    each: Counter[Lying] = field(default_factory=Counter)
    all: Counter[str] = field(default_factory=Counter)
    named: dict[str, str] = field(default_factory=dict)


def how_many(one: Match, other: Match, language: str) -> Lines:
    """Compares counts by type of piece."""
    found = [_amounts(match, language, kinds=False) for match in (one, other)]
    return _differing(found, language, in_all=False)


def how_many_of_each(one: Match, other: Match, language: str) -> Lines:
    """Compares counts by kind of piece."""
    found = [_amounts(match, language, kinds=True) for match in (one, other)]
    return _differing(found, language, in_all=True)


def _amounts(match: Match, language: str, kinds: bool) -> _Amounts:
    layout = match.machine.layout
    found = _Amounts()
    state = match.state
    lying = [(place, piece) for place in sorted(state.contents) for piece in state.contents[place]]
    for place, piece in lying:
        where = place_text(layout, place)
        number = layout.piece_type[piece]
        if kinds:
            what = piece_text(layout, piece)
            name = layout.name(PieceType("", number), piece, language)
        else:
            what = layout.program.pieces[number].name
            name = layout.called(what, "piece", language)
        found.each[where, what] += 1
        found.all[where] += 1
        found.named[where] = _place_name(layout, place, language)
        found.named[what] = name
    return found


def _place_name(layout: Layout, place: int, language: str) -> str:
    return layout.name(PlaceType("", layout.place_family[place]), place, language)


def _differing(found: Iterable[_Amounts], language: str, in_all: bool) -> Lines:
    one, other = found
    named = {**other.named, **one.named}
    keys = [key for key in one.each | other.each if one.each[key] != other.each[key]]
    places = dict.fromkeys(place for place, _ in keys)

    def lines(amounts: _Amounts) -> tuple[str, ...]:
        told: list[str] = []
        for place in places:
            some = ", ".join(
                f"{amounts.each[key]} × {named[key[1]]}" for key in keys if key[0] == place
            )
            if in_all:
                some = phrase("compare.in_all", language, pieces=some, total=amounts.all[place])
            told.append(colon(named[place], some, language))
        return tuple(told)

    return lines(one), lines(other)
