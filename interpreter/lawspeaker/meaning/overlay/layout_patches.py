"""Applies a variant's changes to the layout of the table."""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.meaning.overlay.table_patches import (
    Path,
    changed,
    name_of,
    part_at,
    parts,
    put_last,
    with_part_beside,
)
from lawspeaker.meaning.overlay.trees import inside, with_value, without
from lawspeaker.meaning.variant import Change
from lawspeaker.text.document import Mapping, Scalar
from lawspeaker.text.rulebook import Rulebook

SECTION = "table"


def speaks_of_table(change: Change) -> bool:
    """Whether a change is about the layout of the table."""
    return change.target.partition(".")[0] == SECTION


class Arranging:
    """Applies `add`, `set` and `remove` to parts of the table: `add: table.market`."""

    def __init__(self, book: Rulebook, diagnostics: Diagnostics) -> None:
        self.book = book
        self.diagnostics = diagnostics

    def apply(self, change: Change) -> bool:
        """Applies a change; False if it failed, which was reported."""
        if self.book.table is None:
            self.diagnostics.error(
                "bad-change",
                "the game has no `table` that could be changed",
                change.span,
                hint="all its places are shown in any case",
            )
            return False
        action = {"add": self.add, "set": self.set, "remove": self.remove}.get(change.action)
        if action is None:
            self.diagnostics.error(
                "bad-change", "parts of the table are added, set or removed", change.span
            )
            return False
        return action(change)

    def add(self, change: Change) -> bool:
        table, part, name = self.book.table, change.get("to"), self.name(change)
        assert table is not None
        if not isinstance(part, Mapping) or not name:
            self.diagnostics.error(
                "bad-change",
                "say what is shown: `add: table.NAME`, `to: {place: NAME}`",
                change.span,
            )
            return False
        if any(each == name for each, _ in parts(table)):
            self.diagnostics.error(
                "duplicate-name", f"there is already a `{name}` on the table", change.span
            )
            return False
        if name_of(part) != name:
            key = change.node.get("add")
            assert isinstance(key, Scalar)
            part = with_value(part, ("id",), Scalar(name, key.span, key.content))
        for when in ("before", "after"):
            beside = change.get(when)
            if isinstance(beside, Scalar):
                way = self.find(beside.value, beside.span)
                if way is not None:
                    self.book.table = with_part_beside(table, way, part, when == "after")
                return way is not None
        self.book.table = put_last(table, part)
        return True

    def set(self, change: Change) -> bool:
        """Replaces a part, or with `table.NAME.KEY` one of its keys."""
        table, value = self.book.table, change.get("to")
        assert table is not None
        name, _, key = self.name(change).partition(".")
        way = self.find(name, change.span)
        if way is None:
            return False
        if value is None:
            self.diagnostics.error("bad-change", "say to what: `to: …`", change.span)
            return False
        part = part_at(table, way)
        if key and isinstance(part, Mapping):
            value = with_value(part, (key,), value)
        elif isinstance(value, Mapping) and name_of(value) != name:
            value = with_value(value, ("id",), Scalar(name, change.span, change.span))
        self.book.table = changed(table, way, value)
        return True

    def remove(self, change: Change) -> bool:
        table = self.book.table
        assert table is not None
        name, _, key = self.name(change).partition(".")
        way = self.find(name, change.span)
        if way is None:
            return False
        part = part_at(table, way)
        if not key:
            self.book.table = changed(table, way)
        elif inside(part, (key,)) is not None:
            self.book.table = changed(table, way, without(part, (key,)))
        else:
            said = f"nothing is said of `{name}` on the table under `{key}`"
            self.diagnostics.error("unknown-target", said, change.span)
            return False
        return True

    @staticmethod
    def name(change: Change) -> str:
        return change.target.partition(".")[2]

    def find(self, name: str, span: Span) -> Path | None:
        """The path to the part of this name; reports an error unless there is exactly one."""
        assert self.book.table is not None
        known = list(parts(self.book.table))
        found = [way for each, way in known if each == name]
        if len(found) == 1:
            return found[0]
        if not found:
            self.diagnostics.error(
                "unknown-target",
                f"there is no `{name}` on the table",
                span,
                hint=did_you_mean(name, [each for each, _ in known]),
            )
        else:
            self.diagnostics.error(
                "bad-change",
                f"`{name}` is on the table {len(found)} times",
                span,
                hint="give one of them an `id:` in the game, and name it by that",
            )
        return None
