"""Lays out the YAML of a file: keys and values, lists, blank lines and comments.

Flow collections stay in flow style as long as they fit on a line, and otherwise become block
collections; block collections stay. The order of entries is preserved. At most one consecutive
blank line is kept; there is always one before sections and clauses. In tables (pieces, places,
names …) the details of consecutive entries are aligned in one column, and continue below it where a
line is full.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lawspeaker.base.source import SourceFile
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence
from lawspeaker.text.format import code_layout, roles, scalars
from lawspeaker.text.format.remarks import Remark, Remarks
from lawspeaker.text.format.roles import Path
from lawspeaker.text.format.scalars import WIDTH

STEP = 2


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a mapping, or an item of a list (without a key); `limit` is the offset where the
    next one begins."""

    key: Scalar | None
    value: Node
    parent: Node
    path: Path
    limit: int

    @property
    def start(self) -> int:
        return (self.key or self.value).span.start


_Collection: TypeAlias = Mapping | Sequence


def written(
    file: SourceFile, root: Node, changed: Node | None = None, without: Container[int] = ()
) -> str:
    """Serialises a tree in the canonical layout, with the comments of its file. `changed`, if
    given, is written instead: the same tree with some values changed or removed. `without` are the
    offsets of comments to drop."""
    return _Writer(file, root, root if changed is None else changed, without).write()


class _Writer:
    """Writes the lines of one file."""

    def __init__(
        self, file: SourceFile, root: Node, changed: Node, without: Container[int]
    ) -> None:
        self.file = file
        self.root = changed
        self.kind = roles.kind_of(root)
        self.remarks = Remarks(file, root, without)
        self.lines: list[str] = []

    def write(self) -> str:
        end = len(self.file.text) + 1
        if isinstance(self.root, Scalar) or not _children(self.root):
            self._value(_Entry(None, self.root, self.root, (), end), "", 0)
        else:
            self._collection(self.root, "", 0, (), end)
        self._notes(self.remarks.before(end), 0, first=False)
        return "\n".join(self.lines) + "\n"

    # ------------------------------------------------------------ collections

    def _collection(
        self, node: _Collection, lead: str, indent: int, path: Path, limit: int
    ) -> None:
        """Writes entries, each on new lines; `lead` is the start of the first line."""
        entries = list(_entries(node, path, limit))
        pads = self._pads(node, entries, indent, path)
        for number, entry in enumerate(entries):
            first = number == 0
            self._before(entry, indent, first, fresh=not lead.strip())
            start = lead if first else " " * indent
            if entry.key is None:
                self._value(entry, f"{start}- ", indent)
            else:
                head = f"{start}{self._key(entry.key)}:"
                self._keyed(entry, head.ljust(pads[number]), indent, pads[number] > 0)
        if _in_brackets(self.file, node):
            self._notes(self.remarks.before(node.span.end), indent, first=False)
            if beside := self.remarks.beside(node.span.end):
                self.lines.append(" " * indent + beside.lstrip())
        else:
            column = self.file.position(node.span.start)[1] - 1
            self._notes(self.remarks.below(max(column, 1), limit), indent, first=False)

    def _before(self, entry: _Entry, indent: int, first: bool, fresh: bool) -> None:
        """Writes blank lines and comments before an entry, including those between its key and a
        value beside it."""
        reach = entry.start
        if entry.key is not None and not self._goes_below(entry):
            reach = max(reach, entry.value.span.start)
        notes = self.remarks.before(reach)
        apart = not first and roles.stands_apart(self.kind, entry.path)
        if notes and apart and self.lines and not self._apart(entry.start):
            self._blank()
            apart = False
        self._notes(notes, indent, first and fresh)
        if (notes or not first) and (apart or self._apart(entry.start)):
            self._blank()

    def _goes_below(self, entry: _Entry) -> bool:
        """Whether the value is a collection that begins on a line after its key."""
        if isinstance(entry.value, Scalar) or entry.key is None:
            return False
        return self._line(entry.value.span.start) > self._line(entry.key.span.end)

    def _line(self, offset: int) -> int:
        return self.file.position(offset)[0]

    def _notes(self, notes: list[Remark], indent: int, first: bool) -> None:
        for number, note in enumerate(notes):
            if self._apart(note.start) and not (first and number == 0):
                self._blank()
            self.lines.append(" " * indent + note.text)

    def _blank(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def _apart(self, offset: int) -> bool:
        """Whether something is the first on its line, after a blank line."""
        line = self._line(offset)
        before = self.file.text[self.file.line_start(line) : offset]
        return line > 1 and not before.strip(" \t-?") and not self.file.line_text(line - 1).strip()

    # ------------------------------------------------------------ values

    def _key(self, key: Scalar) -> str:
        return scalars.one_line(key)

    def _keyed(self, entry: _Entry, head: str, indent: int, row: bool) -> None:
        node = entry.value
        if isinstance(node, Scalar):
            self._value(entry, head if _is_unwritten(node) else f"{head} ", indent)
            return
        flat = self._flat(node, entry.path)
        if flat is not None and (len(head) + 1 + len(flat) <= WIDTH or not _children(node)):
            self.lines.append(f"{head} {flat}{self.remarks.beside(node.span.end)}")
            return
        if row:
            rows = scalars.filled_parts(self._row(entry), WIDTH - len(head) - len(" {"))
            self.lines.append(f"{head} {{{rows[0]}")
            self.lines += (" " * (len(head) + 2) + each for each in rows[1:])
            self.lines[-1] += "}" + self.remarks.beside(node.span.end)
            return
        beside = "" if not self._goes_below(entry) else self.remarks.beside(entry.start)
        self.lines.append(f"{head.rstrip()}{beside}")
        inner = indent + STEP
        self._collection(node, " " * inner, inner, entry.path, entry.limit)

    def _value(self, entry: _Entry, head: str, indent: int) -> None:
        """Writes a value beside its head, or below it if necessary; `indent` is the head's
        column."""
        node = entry.value
        if isinstance(node, Scalar):
            start = roles.code_at(self.kind, entry.path, entry.parent)
            if start is not None and node.kind != "nothing":
                self._code(node, start, head, indent)
            else:
                self._text(node, head, indent)
            return
        flat = self._flat(node, entry.path)
        if flat is not None and (len(head) + len(flat) <= WIDTH or not _children(node)):
            self.lines.append(f"{head}{flat}{self.remarks.beside(node.span.end)}")
        else:
            self._collection(node, head, indent + STEP, entry.path, entry.limit)

    def _text(self, node: Scalar, head: str, indent: int) -> None:
        below = scalars.below(node, indent + STEP, WIDTH - len(head))
        if below is None:
            text = scalars.one_line(node)
            self.lines.append(f"{head}{text}{self.remarks.beside(node.span.end)}".rstrip())
        else:
            self._below(node, f"{head}{below[0]}", below[1], indent)

    def _below(self, node: Scalar, head: str, lines: list[str], indent: int) -> None:
        beside = self.remarks.beside(node.span.start)
        if not beside and node.style not in ("literal", "folded"):
            beside = self.remarks.beside(node.span.end)
        self.lines.append(f"{head}{beside}")
        spaces = " " * (indent + STEP)
        self.lines += [f"{spaces}{line}" if line else "" for line in lines]

    def _code(self, node: Scalar, start: str, head: str, indent: int) -> None:
        lines = code_layout.formatted(node.value, start, indent + STEP, WIDTH)
        line = lines[0]
        short = len(lines) == 1 and "#" not in line and len(head) + len(line) <= WIDTH
        if short and start not in roles.DEEDS and scalars.can_be_code(line):
            at = node.span.start if node.style == "literal" else node.span.end
            self.lines.append(f"{head}{line}{self.remarks.beside(at)}")
        else:
            self._below(node, f"{head}|", lines, indent)

    # ------------------------------------------------------------ in braces and brackets

    def _flat(self, node: Node, path: Path) -> str | None:
        """A value in flow style on one line, if it was in flow style or is empty."""
        if not isinstance(node, Scalar) and not _in_brackets(self.file, node):
            return None
        if self.remarks.between(node.span.start, node.span.end):
            return None if _children(node) else "{}" if isinstance(node, Mapping) else "[]"
        inside = roles.codes_in(self.kind, node, node, path)
        if any(len(_unbroken(scalar, start)) > 1 for scalar, start in inside):
            return None
        return self._bracketed(node, node, path)

    def _bracketed(self, node: Node, parent: Node, path: Path) -> str:
        if isinstance(node, Mapping):
            return "{" + ", ".join(self._pairs(node, path)) + "}"
        if isinstance(node, Sequence):
            items = (
                self._bracketed(item, node, (*path, str(number)))
                for number, item in enumerate(node.items)
            )
            return "[" + ", ".join(items) + "]"
        start = roles.code_at(self.kind, path, parent)
        if start is None or node.kind == "nothing":
            return scalars.one_line(node, brackets=True)
        [line] = _unbroken(node, start)
        return line if scalars.can_be_code(line, brackets=True) else scalars.quoted(line)

    def _pairs(self, node: Mapping, path: Path) -> Iterator[str]:
        for key, value in node.entries:
            text = self._bracketed(value, node, (*path, key.value))
            yield f"{scalars.one_line(key, brackets=True)}: {text}"

    # ------------------------------------------------------------ tables

    def _pads(self, node: _Collection, entries: list[_Entry], indent: int, path: Path) -> list[int]:
        """The width of each key with indentation and colon; 0 for entries that are not table
        rows."""
        pads = [0] * len(entries)
        if not roles.is_table(self.kind, path):
            return pads
        run: list[int] = []
        for number, entry in enumerate(entries):
            row = self._row(entry)
            if run and (not row or self._interrupted(entries[number - 1], entry)):
                self._align(run, entries, pads, indent)
                run = []
            if row:
                run.append(number)
        self._align(run, entries, pads, indent)
        return pads

    def _interrupted(self, before: _Entry, entry: _Entry) -> bool:
        """Whether there is a comment or a blank line between two entries."""
        between = self.remarks.between(before.value.span.end, entry.start)
        return self._apart(entry.start) or any(remark.alone for remark in between)

    def _row(self, entry: _Entry) -> list[str]:
        """The details of an entry in flow style, which make it a table row."""
        if not isinstance(entry.value, Mapping) or self._flat(entry.value, entry.path) is None:
            return []
        return list(self._pairs(entry.value, entry.path))

    def _align(self, run: list[int], entries: list[_Entry], pads: list[int], indent: int) -> None:
        """Aligns the details of rows. A row with a detail that does not fit then is laid out by
        itself, and splits the table into two."""
        keys = {number: len(self._key(key)) for number in run if (key := entries[number].key)}
        details = {number: max(map(len, self._row(entries[number]))) for number in run}
        runs = [run]
        while runs:
            run = runs.pop()
            width = indent + max((keys[number] for number in run), default=0) + len(":")
            room = WIDTH - width - len(" {}")
            wide = next((at for at, number in enumerate(run) if details[number] > room), None)
            if wide is None:
                for number in run:
                    pads[number] = width
            else:
                runs += [run[:wide], run[wide + 1 :]]


def _unbroken(node: Scalar, start: str) -> list[str]:
    """The lines of code without any breaks for length."""
    return code_layout.formatted(node.value, start, 0, WIDTH + 2 * len(node.value))


def _children(node: Node) -> tuple[object, ...]:
    if isinstance(node, Scalar):
        return ()
    return node.entries if isinstance(node, Mapping) else node.items


def _entries(node: _Collection, path: Path, limit: int) -> Iterator[_Entry]:
    if isinstance(node, Mapping):
        pairs: list[tuple[Scalar | None, Node]] = list(node.entries)
        names = [key.value for key, _ in node.entries]
    else:
        pairs = [(None, item) for item in node.items]
        names = [str(number) for number in range(len(pairs))]
    starts = [(key or value).span.start for key, value in pairs]
    for (key, value), name, ends in zip(pairs, names, [*starts[1:], limit], strict=True):
        yield _Entry(key, value, node, (*path, name), ends)


def _in_brackets(file: SourceFile, node: _Collection) -> bool:
    return file.text[node.span.start : node.span.start + 1] in ("{", "[")


def _is_unwritten(node: Scalar) -> bool:
    return node.kind == "nothing" and not node.span.text
