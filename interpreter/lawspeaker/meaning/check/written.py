"""Checks open sets of words, to which players add free text: its limits, and where it can be used.

A text that a player writes is not known at compile time. It can be asked for, stored in a marker,
passed as an argument and compared; it cannot be an index, has no number, and cannot be in a set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import Span
from lawspeaker.ir.program import MOST_LETTERS, MOST_WORDS
from lawspeaker.ir.walk import everything
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, text_of
from lawspeaker.text.rulebook import Entry

_SPAN = re.compile(r"(\d{1,3})(?:\.\.(\d{1,3}))?")


def limits(entry: Entry, diagnostics: Diagnostics) -> ir.Written | None:
    """The limits of the text that players may write, if they may add to a set."""
    node = entry.get("written") if isinstance(entry.body, Mapping) else None
    if not isinstance(node, Mapping):
        return None
    for key in ("are", "has", "joins"):
        if entry.get(key) is not None:
            diagnostics.error(
                "unknown-key",
                f"words that players write have no `{key}`",
                entry.key_span(key),
                hint="list some of them under `such as:`; bots choose from these",
            )
    return ir.Written(
        _span(node.get("words"), (1, MOST_WORDS), diagnostics),
        _span(node.get("letters"), (1, MOST_LETTERS), diagnostics),
    )


def _span(node: Node | None, most: tuple[int, int], diagnostics: Diagnostics) -> tuple[int, int]:
    """A range of lengths; a single number is both ends."""
    if node is None:
        return most
    found = _SPAN.fullmatch(text_of(node).strip())
    low = int(found[1]) if found else 0
    high = int(found[2] or found[1]) if found else 0
    if not most[0] <= low <= high <= most[1]:
        diagnostics.error(
            "bad-value",
            f"this is a number from {most[0]} to {most[1]}, or a range of them",
            node.span,
            hint=f"such as `1`, or `2..{min(20, most[1])}`",
        )
        return most
    return low, high


def check(world: World, functions: Iterable[ir.Function], always: Iterable[ir.Always]) -> None:
    """Reports uses of free text that are not possible."""
    if not any(words.written for words in world.word_sets):
        return
    _declared(world)
    values = [*functions, *always]
    listed = {
        id(part.binder.source)
        for _, node in world.code
        if isinstance(node, ir.Ask)
        for each in node.alternatives
        for part in each.parts
        if not part.several and not part.receives
    }
    told: set[tuple[int, int]] = set()
    for node in chain((node for _, node in world.code), everything(values)):
        if not isinstance(node, ir.Expr) or (node.span.start, node.span.end) in told:
            continue
        of = ir.plain(node.type)
        if isinstance(of, ir.SetType) and ir.is_written(of.of) and id(node) not in listed:
            told.add((node.span.start, node.span.end))
            name = ir.plain(of.of)
            _cannot(
                world,
                node.span,
                f"players write what {name} is, and there is no set of such texts",
                f"ask for one: `must choose {name}`; or compare one with what things have",
            )
        elif isinstance(node, ir.NumberOf) and ir.is_written(node.of.type):
            told.add((node.span.start, node.span.end))
            _cannot(world, node.span, "a text that players write has no number", "compare it")


def _declared(world: World) -> None:
    book = world.book
    indexed: list[tuple[str, str, ir.Type]] = [
        *(("places", each.name, i.type) for each in world.families for i in each.indices),
        *(("markers", each.name, i.type) for each in world.markers for i in each.indices),
        *(
            ("pieces", each.name, i.type)
            for each in world.pieces
            for indices in (
                *(column.indices for column in each.columns),
                *(state.indices for state in each.states),
            )
            for i in indices
        ),
        *(
            ("words", each.name, i.type)
            for each in world.word_sets
            for one in each.columns
            for i in one.indices
        ),
    ]
    for section, name, type in indexed:
        if ir.is_written(type) and name in book.section(section):
            _cannot(
                world,
                book.section(section)[name].span,
                f"nothing can be told apart by {ir.plain(type)}, which players write",
                "use a set of words to which they cannot add",
            )
    for each in world.pieces:
        for state in each.states:
            if ir.is_written(state.type):
                _cannot(
                    world,
                    book.section("pieces")[each.name].span,
                    f"`{state.name}` cannot be a text that players write",
                    "let a marker show it",
                )
    for position in world.positions.values():
        for marker in position.markers:
            if ir.is_written(world.markers[marker].type):
                _cannot(
                    world,
                    position.span,
                    f"`{world.markers[marker].name}` shows what players write, and is not "
                    "compared in positions",
                    "leave it out",
                )
    for network in world.networks:
        if not isinstance(network.joins, ir.PlaceType) and ir.is_written(network.joins):
            span = next(iter(book.section("words").values())).span
            _cannot(world, span, "texts that players write cannot be joined", "use other words")


def _cannot(world: World, span: Span, message: str, hint: str) -> None:
    world.diagnostics.error("cannot-do", message, span, hint=hint)
