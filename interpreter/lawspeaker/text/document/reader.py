"""Builds the node tree from YAML text, and reports every error in it.

`load` has three passes. The first rejects texts that are too long, or have invisible characters.
The second consumes the event stream of PyYAML's parser (libyaml's if installed; it gives the same
offsets as the pure one, which the tests check). The tree grows on a stack of open collections;
depth and size are checked before anything is built, so a hostile file costs no more than an honest
one. Anchors, aliases and tags are rejected, so no part of a file can stand for more than it shows.
The third pass checks tabs: each must be inside a text or a comment.

After a syntax error reading resumes at the next top-level key, to find further errors; the tree is
then incomplete, and `load` returns None. With lesser errors (a duplicate key, a plain `yes`) the
tree is returned as well. The ends of collections and block scalars are computed here, since the
parser's own marks extend to the next token.

A plain scalar is a number if it is an integer in JSON syntax of at most 18 digits; what YAML takes
for a fraction, a date, an octal or a sexagesimal number is text.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import yaml

from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.remembering import ReportingCache
from lawspeaker.base.source import BYTE_ORDER_MARK, SourceFile, Span
from lawspeaker.text.document.characters import (
    UNSEEN_IN_FILE,
    UNSEEN_IN_VALUE,
    stray_tabs,
    unseen_fault,
)
from lawspeaker.text.document.nodes import Kind, Mapping, Node, Scalar, Sequence, Style
from lawspeaker.text.document.yaml_errors import is_merge, key_fault, syntax_fault

_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OF_TREES = (yaml.NodeEvent, yaml.CollectionEndEvent)
_STYLES: dict[str, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_SURPRISING = re.compile(r"yes|no|on|off|true|false", re.IGNORECASE)
_LONGEST_SURPRISE = len("false")
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_PROPERTIES = re.compile(r"(?:[&!]\S*|#[^\r\n]*|\s+)*")
_TAG = re.compile(r"!\S*")
_LINE = re.compile(r"[^\r\n]*")
_INDENT_OF_FIRST = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*( *)")
_TOP_LEVEL_KEY = re.compile(r"""^[^\s#\-&*!|>'"%@`,\[\]{}][^\r\n]*?:(?=\s|\Z)""", re.MULTILINE)
_MOST_RESUMES = 10
_MOST_BAD_CHARACTERS = 10


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximal size of a file: characters, nodes, and nesting depth."""

    characters: int = 1 << 20
    nodes: int = 20_000
    depth: int = 40


DEFAULT_LIMITS = Limits()
MOST_KNOWN = 3_000_000
"""The capacity of the cache of trees, in characters of their files."""


def load(
    file: SourceFile, diagnostics: Diagnostics, limits: Limits = DEFAULT_LIMITS
) -> Node | None:
    """Parses a file; None if it is empty or could not be parsed completely, and then `diagnostics`
    has at least one error."""
    if len(file.text) > limits.characters:
        diagnostics.error(
            "too-large",
            f"this file has {len(file.text):,} characters; at most {limits.characters:,} are read",
            Span(file, 0, 0),
            hint="split it into several files",
        )
        return None
    return _known.at(
        (file, limits), len(file.text), diagnostics, lambda own: _Reader(file, own, limits).read()
    )


_known: ReportingCache[tuple[SourceFile, Limits], Node | None] = ReportingCache(MOST_KNOWN)


@dataclass(slots=True)
class _Open:
    """A collection that is still open."""

    start: int
    bracket: bool
    mapping: bool
    children: list[Node]


class _StopError(Exception):
    """Ends reading at an unrecoverable place."""


class _Reader:
    """Consumes the events of the YAML parser for one file."""

    def __init__(self, file: SourceFile, diagnostics: Diagnostics, limits: Limits) -> None:
        self.file = file
        self.text = file.text
        self.diagnostics = diagnostics
        self.before = len(diagnostics) + diagnostics.left_out
        self.limits = limits
        self.count = 0
        self.whole = True
        self.scalars: list[Span] = []
        self.open: list[_Open] = []
        self.root: Node | None = None

    def read(self) -> Node | None:
        base = int(self.text.startswith(BYTE_ORDER_MARK))
        if not self._check_characters(base):
            return None
        unread = self._read_from(base)
        root, whole = self.root, self.whole
        for _ in range(_MOST_RESUMES):
            key = None if unread is None else _TOP_LEVEL_KEY.search(self.text, unread)
            unread = self._read_from(key.start()) if key else None
        if not whole:
            return None
        self.diagnostics.extend(stray_tabs(self.file, self.scalars))
        if root is None or (isinstance(root, Scalar) and not root.span.text):
            if not self.faults:
                self._error(
                    "yaml-empty",
                    "this file is empty",
                    base,
                    base,
                    hint="`lawspeaker new NAME` makes a game to start from",
                )
            return None
        return root

    def _span(self, start: int, end: int) -> Span:
        return Span(self.file, start, end)

    @property
    def faults(self) -> int:
        """The number of errors in this file."""
        return len(self.diagnostics) + self.diagnostics.left_out - self.before

    def _error(
        self, code: str, message: str, start: int, end: int, *labels: Label, hint: str | None = None
    ) -> None:
        self.diagnostics.error(code, message, self._span(start, end), *labels, hint=hint)

    # ---------------------------------------------------------------- characters

    def _check_characters(self, base: int) -> bool:
        """Reports invisible characters; returns whether to continue. They are replaced one for one,
        so that offsets stay valid."""
        found = 0
        for match in UNSEEN_IN_FILE.finditer(self.text, base):
            self.diagnostics.add(unseen_fault(match.group(), self._span(*match.span())))
            found += 1
            if found > _MOST_BAD_CHARACTERS:
                return False
        if found:
            self.whole = False
            self.text = UNSEEN_IN_FILE.sub("\ufffd", self.text[base:]).rjust(len(self.text))
        return True

    # ---------------------------------------------------------------- events

    def _read_from(self, base: int) -> int | None:
        """Reads from an offset to the end of the file. At a syntax error returns the offset from
        which to resume."""
        self.open, self.root = [], None
        started = False
        try:
            # Any: both parsers give a generator to close, and marks; their stubs leave it open.
            events: Any = yaml.parse(self.text[base:], Loader=_PARSER)
            with closing(events):
                for event in events:
                    start, end = base + event.start_mark.index, base + event.end_mark.index
                    if isinstance(event, yaml.DocumentStartEvent):
                        self._document(event, start, started)
                        started = True
                    elif isinstance(event, _OF_TREES):
                        self._node(event, start, end)
        except _StopError:
            return None
        except yaml.YAMLError as error:
            self.whole = False
            brackets = [each.start for each in self.open if each.bracket]
            fault = syntax_fault(error, self.file, self.text, base, brackets)
            self.diagnostics.add(fault)
            return self._line_end(fault.span.start)
        return None

    def _document(self, event: yaml.DocumentStartEvent, start: int, started: bool) -> None:
        if started:
            self._error(
                "yaml-many-documents",
                "a second document starts here; a file holds one",
                start,
                start + 3,
                hint="remove the '---', or put what follows into a file of its own",
            )
            raise _StopError
        if event.version or event.tags:
            message = "a line that starts with '%' has no meaning in these files"
            self._error("yaml-syntax", message, start, self._line_end(start))

    def _node(self, event: Any, start: int, end: int) -> None:
        if isinstance(event, yaml.CollectionEndEvent):
            self._close(end)
            return
        self.count += 1
        if self.count > self.limits.nodes:
            self._refuse(
                "too-large", f"this file has more than {self.limits.nodes:,} values", start
            )
        if isinstance(event, yaml.AliasEvent):
            self._alias(event, start, end)
            return
        if event.anchor is not None or event.tag is not None:
            start = self._properties(event, start, end)
        if isinstance(event, yaml.ScalarEvent):
            self._place(self._scalar(event, start, end))
            return
        if len(self.open) >= self.limits.depth:
            message = f"this is nested more than {self.limits.depth} deep"
            self._refuse("too-deep", message, start)
        mapping = isinstance(event, yaml.MappingStartEvent)
        bracket = self.text.startswith("{" if mapping else "[", start)
        self.open.append(_Open(start, bool(event.flow_style) and bracket, mapping, []))

    def _refuse(self, code: str, message: str, start: int) -> None:
        self.whole = False
        self._error(code, message, start, start + 1)
        raise _StopError

    def _place(self, node: Node) -> None:
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node

    # ---------------------------------------------------------------- rejected syntax

    def _alias(self, event: yaml.AliasEvent, start: int, end: int) -> None:
        self.whole = False
        siblings = self.open[-1].children if self.open and self.open[-1].mapping else []
        merged = len(siblings) % 2 == 1 and is_merge(siblings[-1])
        if not merged:
            self._error(
                "yaml-anchor",
                f"'*{event.anchor}' refers to another place; references are not used here",
                start,
                end,
                hint="write the value out, or quote it if it is meant as text",
            )
        span = self._span(start, end)
        self._place(Scalar("", span, span, "plain", "nothing"))

    def _properties(self, event: Any, start: int, end: int) -> int:
        """Rejects the anchor and the tag of a node; returns the offset of its value."""
        if event.anchor is not None:
            place = max(self.text.find("&", start), start)
            self._error(
                "yaml-anchor",
                f"'&{event.anchor}' names this value for use elsewhere; that is not done here",
                place,
                place + 1 + len(event.anchor),
                hint="remove it, or quote the text if it is meant as text",
            )
        if event.tag is not None:
            tag = _TAG.search(self.text, start)
            place, stop = tag.span() if tag else (start, start)
            self._error(
                "yaml-tag",
                "tags (words that start with '!') are not used here",
                place,
                stop,
                hint="remove it, or quote the text if it is meant as text",
            )
        match = _PROPERTIES.match(self.text, start)
        return max(start, min(end, match.end())) if match else start

    # ---------------------------------------------------------------- nodes

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> Scalar:
        style: Style = _STYLES.get(event.style or "", "plain")
        if style in ("literal", "folded"):
            content = self._block_content(event.value, start, end)
            span = self._span(start, max(content.end, start + 1))
        elif style == "plain":
            if not event.value:
                start = end = self._unwritten(start)
            span = content = self._span(start, end)
        else:
            span, content = self._span(start, end), self._span(start + 1, max(start + 1, end - 1))
        self.scalars.append(span)
        kind: Kind = "text"
        if style == "plain":
            kind = self._plain_kind(event.value, start, end)
        elif style == "double" and (bad := UNSEEN_IN_VALUE.search(event.value)):
            self.diagnostics.add(unseen_fault(bad.group(), span))
        return Scalar(event.value, span, content, style, kind)

    def _plain_kind(self, value: str, start: int, end: int) -> Kind:
        if value in _NOTHING:
            return "nothing"
        if value[-1].isdecimal():
            return "number" if _NUMBER.fullmatch(value) else "text"
        if value in ("true", "false"):
            return "truth"
        if len(value) <= _LONGEST_SURPRISE and _SURPRISING.fullmatch(value):
            truth = "true" if value.lower() in ("yes", "on", "true") else "false"
            self._error(
                "surprising-truth",
                f"a plain {value} is {truth} to many readers of YAML",
                start,
                end,
                hint=f"quote it if the word is meant: '{value}'; otherwise write {truth}",
            )
        return "text"

    def _block_content(self, value: str, start: int, end: int) -> Span:
        """The span of a block scalar's lines, without the indentation of the first."""
        header_end = self._line_end(start)
        body = self.text[header_end:end]
        first = _INDENT_OF_FIRST.match(body)
        length = len(body.rstrip(" \t\r\n"))
        if not length or not first:
            return self._span(header_end, header_end)
        in_value = _INDENT_OF_FIRST.match(value)
        own_spaces = len(in_value.group(1)) if in_value else 0
        return self._span(
            header_end + first.end() - own_spaces, self._line_end(header_end + length)
        )

    def _line_end(self, offset: int) -> int:
        line = _LINE.match(self.text, offset)
        return line.end() if line else offset

    def _unwritten(self, offset: int) -> int:
        """The position of an omitted value: after the ':' of its key, or after what precedes it."""
        if self.open and self.open[-1].mapping and len(self.open[-1].children) % 2 == 1:
            key_end = self.open[-1].children[-1].span.end
            return max(key_end, self.text.find(":", key_end, offset) + 1)
        while offset > 0 and self.text[offset - 1] in " \t\r\n":
            offset -= 1
        return offset

    def _close(self, end: int) -> None:
        closed = self.open.pop()
        if not closed.bracket:
            end = closed.children[-1].span.end if closed.children else closed.start
        span = self._span(closed.start, max(end, closed.start))
        if closed.mapping:
            self._place(Mapping(self._entries(closed.children), span))
        else:
            self._place(Sequence(tuple(closed.children), span))

    def _entries(self, children: list[Node]) -> tuple[tuple[Scalar, Node], ...]:
        kept: dict[str, tuple[Scalar, Node]] = {}
        for key, value in zip(children[::2], children[1::2], strict=True):
            if not self._is_key(key) or not isinstance(key, Scalar):
                continue
            if key.value in kept:
                first = kept[key.value][0].span
                self._error(
                    "duplicate-key",
                    f"the key '{key.value}' is here a second time",
                    key.span.start,
                    key.span.end,
                    Label(first, "first written here"),
                )
            else:
                kept[key.value] = (key, value)
        return tuple(kept.values())

    def _is_key(self, key: Node) -> bool:
        fault = key_fault(key)
        if fault:
            self.diagnostics.add(fault)
        return fault is None
