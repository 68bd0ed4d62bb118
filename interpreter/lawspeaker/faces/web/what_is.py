"""Describes anything in the picture: its name, the rules about it, and its current values.

The rules are the clauses that name it: the one written on it, the one with its id, those whose
sentences mention it, and those whose code refers to it. Current values are read from the seat's own
view, so that asking reveals no more than looking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.faces.web.drawing.things import piece_thing, place_thing
from lawspeaker.ir.walk import everything
from lawspeaker.match.decision import states_name
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.unset import unset

MARKER = "marker "
"""Prefix of the things that are markers."""
MOST_SENTENCES = 4
SHORTEST = 3
"""Shorter names than this occur in too many sentences."""


def what_is(
    view: View, labels: Labels, thing: str, language: str, layout: Layout
) -> dict[str, Any] | None:
    """Describes a thing in the picture, as a seat knows it; None if it is not there."""
    program = view.program
    if thing.startswith(MARKER):
        return _marker(view, thing.removeprefix(MARKER), language, layout)
    if thing in program.player_names[: layout.players]:
        return _player(view, program.player_names.index(thing), language, layout)
    for place, held in view.contents.items():
        if place_thing(layout, place) == thing:
            return _place(view, labels, place, language, layout)
        for piece in held:
            if piece_thing(view, piece, place) == thing:
                return _piece(view, piece, place, language, layout)
    found = layout.places_by_text().get(thing)
    return None if found is None else _place(view, labels, found, language, layout)


def _told(name: str, clauses: Iterable[ir.Clause], now: list[str], language: str) -> dict[str, Any]:
    says: dict[str, str] = {}
    for clause in clauses:
        text = ir.in_language(clause.says, language)
        if text and clause.role != "choice" and text not in says.values():
            says[clause.id] = text
        if len(says) == MOST_SENTENCES:
            break
    rules = [{"clause": clause, "text": text} for clause, text in says.items()]
    return {"name": name, "says": rules, "now": now}


def _piece(view: View, piece: int, place: int, language: str, layout: Layout) -> dict[str, Any]:
    program = view.program
    number = program.families[layout.place_family[place]].holds
    declared = program.pieces[number]
    if piece < 0:
        name = layout.called(declared.name, "piece", language)
        return _told(name, _by_name(program, name, language), [], language)
    kind = declared.kinds[layout.piece_kind[piece]]
    word = kind.name if len(declared.kinds) > 1 else declared.name
    called = layout.called(word, declared.name, language)
    name = layout.name(ir.PieceType(declared.name, number), piece, language)
    now = list(_attributes(program, declared, kind, layout, language))
    changed = states_name(layout, number, view.states.get(piece, ()), language)
    now += [changed.strip(" ()")] if changed else []
    return _told(name, _of_kind(program, declared, kind, called, language), now, language)


def _of_kind(
    program: ir.Program, piece: ir.Piece, kind: ir.Kind, called: str, language: str
) -> Iterator[ir.Clause]:
    for name in (f"{piece.name}.{kind.name}", kind.name, piece.name):
        symbol = program.symbols.get(name)
        if symbol is not None and symbol.rule is not None:
            yield program.clauses[symbol.rule]
    several = len(piece.kinds) > 1
    own = kind.name if several else piece.name
    yield from (each for each in program.clauses if each.id.rpartition(".")[2] == own)
    yield from _by_name(program, called, language)
    number = program.pieces.index(piece)
    at = piece.kinds.index(kind)
    for clause in program.clauses:
        for node in everything(clause.body):
            named = isinstance(node, ir.Const) and isinstance(node.type, ir.KindType)
            if several and named and (node.type.index, node.value) == (number, at):
                yield clause
                break


def _attributes(
    program: ir.Program, piece: ir.Piece, kind: ir.Kind, layout: Layout, language: str
) -> Iterator[str]:
    """Yields the numbers on a piece whose names exist in this language."""
    for column, value in zip(piece.columns, kind.values, strict=False):
        spoken = language == program.languages[0] or language in program.names.get(column.name, {})
        if spoken and isinstance(column.type, ir.NumberType) and value and not column.indices:
            name = layout.called(column.name, piece.name, language)
            yield colon(name, layout.values_name((), column.type, value, language), language)


def _place(view: View, labels: Labels, place: int, language: str, layout: Layout) -> dict[str, Any]:
    program, family = view.program, layout.place_family[place]
    name = layout.name(ir.PlaceType("", family), place, language)
    written = labels.name(place, language)
    now = [written] if written and written != name else []
    held = view.contents.get(place)
    if held is not None:
        now.append(phrase("what.lies", language, count=len(held)))
    bare = layout.family_name(family, language)
    clauses = [
        *(_by_name(program, written, language) if written else ()),
        *_by_name(program, bare, language),
        *_naming(program, lambda node: getattr(node, "family", None) == family),
    ]
    return _told(name, clauses, now, language)


def _player(view: View, seat: int, language: str, layout: Layout) -> dict[str, Any]:
    name = layout.name(ir.PLAYER, seat, language)
    now = [f"{view.points[seat]} {phrase('word.points', language)}"]
    if seat in view.asked:
        now.append(phrase("what.asked", language))
    return _told(name, (), now, language)


def _marker(view: View, name: str, language: str, layout: Layout) -> dict[str, Any] | None:
    program = view.program
    number = next((at for at, each in enumerate(program.markers) if each.name == name), None)
    if number is None:
        return None
    now, blank = [], unset(view)
    for at, entry in layout.entries(number):
        shown = view.markers[at]
        if shown is not None and at not in blank:
            owner = None if entry.owner is None else layout.name(ir.PLAYER, entry.owner, language)
            value = layout.name(entry.type, shown[0], language)
            now.append(value if owner is None else colon(owner, value, language))
    called = layout.marker_name(number, language)
    clauses = [
        *_by_name(program, called, language),
        *_naming(program, lambda node: getattr(node, "marker", None) == number),
    ]
    return _told(called, clauses, now, language)


def _by_name(program: ir.Program, name: str, language: str) -> list[ir.Clause]:
    """Returns the clauses whose sentences begin with a name, then those that mention it."""
    if len(name) < SHORTEST:
        return []
    begins = re.compile(rf"(?:\w+[ '’])?{re.escape(name)}\b", re.IGNORECASE)
    names = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    told = [(each, ir.in_language(each.says, language)) for each in program.clauses if each.in_book]
    first = [each for each, text in told if begins.match(text)]
    return [*first, *(each for each, text in told if names.search(text) and each not in first)]


def _naming(program: ir.Program, named: Any) -> Iterator[ir.Clause]:
    for clause in program.clauses:
        if clause.in_book and any(named(node) for node in everything(clause.body)):
            yield clause
