"""The accessor forms of all indexed values of a game."""

from __future__ import annotations

from functools import partial

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.world import Form, World


def forms_of(world: World) -> dict[str, list[Form]]:
    """The accessor forms of indexed markers and attributes, by name. Cached in the world."""
    if world.forms is None:
        world.forms = {}
        for form in [*_markers(world), *_attributes(world)]:
            world.forms.setdefault(form.name, []).append(form)
    return world.forms


def _markers(world: World) -> list[Form]:
    found = []
    for number, marker in enumerate(world.markers):
        if marker.indices:
            words, names, types = _said(marker.indices)
            make = partial(_marker, marker.type, number)
            found.append(Form(marker.name, words, names, types, make))
    return found


def _marker(type: ir.Type, number: int, indices: tuple[ir.Expr, ...], span: Span) -> ir.Expr:
    return ir.MarkerValue(type, number, indices, span=span)


def _attributes(world: World) -> list[Form]:
    found = []
    for number, words in enumerate(world.word_sets):
        for at, column in enumerate(words.columns):
            of_word = ir.WordType(words.name, number)
            make = partial(_attribute, ir.WordColumn, column.type, number, at)
            found += _form(column, words.name, of_word, make)
    for number, piece in enumerate(world.pieces):
        for at, column in enumerate(piece.columns):
            make = partial(_attribute, ir.KindColumn, column.type, number, at)
            found += _form(column, piece.name, ir.PieceType(piece.name, number), make)
            found += _form(column, piece.name, ir.KindType(piece.name, number), make)
        for at, state in enumerate(piece.states):
            make = partial(_attribute, ir.PieceState, state.type, number, at)
            found += _form(state, piece.name, ir.PieceType(piece.name, number), make)
    return found


def _attribute(
    node: type[ir.WordColumn] | type[ir.KindColumn] | type[ir.PieceState],
    type: ir.Type,
    number: int,
    at: int,
    operands: tuple[ir.Expr, ...],
    span: Span,
) -> ir.Expr:
    of, *indices = operands
    return node(type, number, at, of, tuple(indices), span=span)


def _form(
    declared: ir.Column | ir.State, name: str, of: ir.Type, make: partial[ir.Expr]
) -> list[Form]:
    if not declared.indices:
        return []
    words, names, types = _said(declared.indices)
    return [Form(declared.name, ("of", *words), (name, *names), (of, *types), make)]


def _said(
    indices: tuple[ir.Index, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[ir.Type, ...]]:
    return (
        tuple(index.word for index in indices),
        tuple(index.name for index in indices),
        tuple(index.type for index in indices),
    )
