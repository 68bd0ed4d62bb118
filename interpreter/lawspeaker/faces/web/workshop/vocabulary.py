"""The names that stand in some rules, for an editor that completes and explains them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker import ir
from lawspeaker.ir import Texts
from lawspeaker.ir.walk import everything

MOST_NAMES = 2_000

Named = tuple[str, str, str]


def names(*programs: ir.Program) -> list[dict[str, Any]]:
    """All names with what sort of thing each is, and the sentence that tells of it. What is the
    same in several programs is told as the first one tells it."""
    found: dict[tuple[str, str], str] = {}
    for name, kind, says in (each for program in programs for each in _all(program)):
        if name and (name, kind) not in found and len(found) < MOST_NAMES:
            found[name, kind] = says
    return [{"name": name, "kind": kind, "says": says} for (name, kind), says in found.items()]


def _all(program: ir.Program) -> Iterator[Named]:
    for clause in program.clauses:
        yield clause.id, clause.role, _told(clause.says)
        for node in everything(clause.body):
            if isinstance(node, ir.Guard):
                yield f"{program.clauses[node.clause].id}.{node.name}", "guard", _told(node.says)
    for name, texts in program.names.items():
        # What the rules call a thing, if only in the names given to it for people.
        yield name.rpartition(".")[2], "name", _told(texts)
    for name in program.player_names:
        yield name, "player", ""
    for words in program.word_sets:
        yield words.name, "word set", ", ".join(words.words)
        for column in words.columns:
            yield column.name, "attribute", ""
        for word in words.words:
            yield word, "word", words.name
    yield from _things(program)


def _things(program: ir.Program) -> Iterator[Named]:
    for piece in program.pieces:
        for name in (piece.name, piece.plural):
            yield name, "piece", ", ".join(kind.name for kind in piece.kinds if kind.name)
        for kind in piece.kinds:
            yield kind.name, "kind of piece", piece.name
        for name in [each.name for each in piece.columns] + [each.name for each in piece.states]:
            yield name, "attribute", piece.name
    for family in program.families:
        for name in (family.name, family.plural):
            yield name, "place", program.pieces[family.holds].name
    for marker in program.markers:
        yield marker.name, "marker", ""


def _told(texts: Texts) -> str:
    return texts.get("en") or next(iter(texts.values()), "")
