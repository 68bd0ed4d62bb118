"""Rulebook order: sorts points in reading order, with additions of variants placed sensibly.

The game's own files are read in file order. An addition comes after the rule it is inserted at,
or after its nearest relative by id (`trade.sell` after the last `trade…`), or after the first
clause that mentions it, or at the end of its section. Several rulesets are merged: the first
one's order, with additions of the others after their predecessor there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawspeaker.study.compare.clause_trees import WORDS
from lawspeaker.study.compare.points import CLAUSES, hung
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import SECTIONS, Entry, Rulebook

Key = tuple[str, str]
"""A section and the id of an entry in it."""


def reading_order(book: Rulebook) -> list[Key]:
    """Keys of all entries of a rulebook, in reading order."""
    files = {file: number for number, file in enumerate(book.files)}
    added_by = {variant.file for variant in book.variants}
    entries = [(section, entry) for section in SECTIONS for entry in book.section(section).values()]

    def place(pair: tuple[str, Entry]) -> tuple[int, int]:
        section, entry = pair
        # Names and symbols come last.
        called = section in ("names", "symbols")
        return files.get(entry.span.file, 0) + called * len(files), entry.span.start

    own = [pair for pair in entries if pair[1].span.file not in added_by]
    order = [(section, entry.id) for section, entry in sorted(own, key=place)]
    for section, entry in entries:
        if entry.span.file in added_by:
            order.insert(_where(book, order, section, entry), (section, entry.id))
    return order


def _where(book: Rulebook, order: list[Key], section: str, entry: Entry) -> int:
    """The position of an addition."""
    if section in CLAUSES:
        where = hung(book, entry.id)
        targets = [where.get(when) for when in ("after", "before", "instead of")]
        for target in (*targets, entry.text("joins")):
            if target is not None and ("rules", target) in order:
                return order.index(("rules", target)) + 1
        words = entry.id.split(".")
        for length in range(len(words) - 1, 0, -1):
            stem = ".".join(words[:length])
            kin = [
                at
                for at, (other, id) in enumerate(order)
                if other in CLAUSES and (id == stem or id.startswith(f"{stem}."))
            ]
            if kin:
                return kin[-1] + 1
        for at, (other, id) in enumerate(order):
            if other == "rules" and entry.id in _words(book.section("rules")[id]):
                return at + 1
    same = [at for at, (other, _) in enumerate(order) if other == section]
    return same[-1] + 1 if same else len(order)


def _words(entry: Entry) -> set[str]:
    codes = (entry.get(key) for key in ("rule", "as"))
    return {
        word for code in codes if isinstance(code, Scalar) for word in WORDS.findall(code.value)
    }


def merged(orders: Sequence[Iterable[Key]]) -> list[Key]:
    """Merges several orders."""
    first, *others = (list(order) for order in orders)
    found = first.copy()
    for order in others:
        at = 0
        for key in order:
            if key in found:
                at = found.index(key) + 1
            else:
                found.insert(at, key)
                at += 1
    return found
