"""Quick fixes for diagnostics, as text edits.

Most of them are derived from the hint of a message: the intended name, or the correct sign. Others
insert what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.table_layout import ADD_1
from lawspeaker.meaning.secrets.sinks import DECIDES, NAMED
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence
from lawspeaker.text.translation.files import COMMAND

_MEANT = re.compile(r"did you mean ['`](.+?)['`]\?|stands `(.+?)`: did you mean that\?")
_BETTER = re.compile(r"how about `(.+?)`\?")
_WRITE = re.compile(r"(?:.*; )?write `([^`…A-Z]+)`\Z")
_TELL = re.compile(
    r".*say (?:so before|before what everyone may know): "
    r"((?:`let known be [^`]+`, )?`tell everyone [^`…]+`)"
)
_WORD = _QUOTED = re.compile(r"`([^`]+)`")
_SPACE = re.compile(r"(?:\\ )+")
_TRANSLATIONS = ("missing-translation", "stale-translation", "unknown-text")


@dataclass(frozen=True, slots=True)
class Edit:
    """A text edit: new text for a span."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    title: str
    edits: tuple[Edit, ...]
    sure: bool = True
    """Whether the fix is certainly the intended one."""


def untranslated(found: Diagnostic) -> bool:
    """Whether updating the translations fixes a diagnostic."""
    return found.code in _TRANSLATIONS and COMMAND in (found.hint or "")


def fixes(found: Diagnostic, root: Node | None) -> Iterator[Fix]:
    """Yields fixes for a diagnostic; `root` is the tree of its file."""
    meant = _MEANT.search(found.hint or "") or _BETTER.search(found.hint or "")
    if meant is not None:
        word = next(each for each in meant.groups() if each)
        yield Fix(f"Change to `{word}`", (Edit(_misspelt(found), word),))
    written = _WRITE.match(found.hint or "")
    if written is not None and found.code == "syntax":
        place = _after_word(found.span) if written[1] == ":" else found.span
        yield Fix(f"Write `{written[1]}`", (Edit(place, written[1]),), sure=False)
    if found.hint == ADD_1:
        spans = (found.span, *(each.span for each in found.labels))
        yield Fix("Count from 1", tuple(Edit(span, str(int(span.text) + 1)) for span in spans))
    told = _TELL.match(found.hint or "")
    if told is not None:
        yield from _telling(found, told[1])
    if found.code == "missing-sentence" and meant is None and isinstance(root, Mapping):
        yield from _sentence(found, root)


def _telling(found: Diagnostic, lines: str) -> Iterator[Fix]:
    """Yields a fix that tells what leaks, before the `if` or the statement that it leaks by."""
    decides = [each.span for each in found.labels if each.text == DECIDES]
    span = decides[-1] if decides else found.span
    before, _, behind = span.file.text[: span.start].rpartition("\n")
    if behind.strip(" ") != ("if" if decides else ""):
        return
    indent = behind[: len(behind) - len(behind.lstrip(" "))]
    at = len(before) + 1 + len(indent)
    told = _QUOTED.findall(lines)
    edits = [Edit(Span(span.file, at, at), "".join(f"{line}\n{indent}" for line in told))]
    if len(told) > 1:
        value = told[0].removeprefix(f"let {NAMED} be ")
        within = _SPACE.sub(r"\\s+", re.escape(value))
        there = re.compile(within).search(span.file.text, span.start, span.end)
        if there is None:
            return
        edits.append(Edit(Span(span.file, *there.span()), NAMED))
    yield Fix(f"Write `{told[-1]}` before", tuple(edits), sure=False)


def _after_word(span: Span) -> Span:
    """Extends a span by the preceding spaces."""
    return Span(span.file, len(span.file.text[: span.start].rstrip(" ")), span.end)


def _misspelt(found: Diagnostic) -> Span:
    """Returns the span to replace: of a longer text only the word that the message complains
    about."""
    span = found.span
    quoted = span.text[:1] in ("'", '"') and span.text[-1:] == span.text[:1]
    if quoted:
        span = Span(span.file, span.start + 1, span.end - 1)
    for word in _WORD.findall(found.message):
        if word != span.text and (at := _whole_word(word, span.text)) is not None:
            return Span(span.file, span.start + at, span.start + at + len(word))
    return span


def _whole_word(word: str, text: str) -> int | None:
    found = re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", text)
    return None if found is None else found.start()


def _sentence(found: Diagnostic, root: Mapping) -> Iterator[Fix]:
    """Yields a fix that inserts a sentence for a guard or a clause."""
    around = list(_around(root, found.span.start))
    if len(around) < 2:
        return
    key, body = around[1]
    if not isinstance(body, Mapping) or not body.entries:
        return
    guard = found.span.text
    indent = " " * (body.entries[0][0].span.column - 1)
    guards = body.get("guards")
    if key.span.start == found.span.start:
        at = body.entries[0][0].span.start
        text = f"says: …\n{indent}"
    elif isinstance(guards, Mapping) and guards.entries:
        first = guards.entries[0][0].span
        at, text = first.start, f"{guard}: …\n{' ' * (first.column - 1)}"
        named = body.key("guards")
        if named is not None and first.line == named.span.line:
            text = f"{guard}: …, "
    else:
        before = body.key("given") or body.key("rule") or body.entries[-1][0]
        at, text = before.span.start, f"guards:\n{indent}  {guard}: …\n{indent}"
    place = Span(found.span.file, at, at)
    yield Fix(f"Add a sentence for `{guard}`", (Edit(place, text),), sure=False)


def citation(root: Node | None, offset: int, source: str) -> Fix | None:
    """Returns a fix that inserts a citation into the clause around an offset, if it has none."""
    around = list(_around(root, offset)) if isinstance(root, Mapping) else []
    if len(around) < 2 or around[0][0].value not in ("rules", "choices", "always", "windows"):
        return None
    body = around[1][1]
    if not isinstance(body, Mapping) or body.get("cites") is not None:
        return None
    after = body.key("says")
    later = [each for each, _ in body.entries if after and each.span.start > after.span.start]
    if not later:
        return None
    at = later[0].span
    text = f"cites: {{{source}: …}}\n{' ' * (at.column - 1)}"
    place = Span(at.file, at.start, at.start)
    return Fix(f"Say where `{source}` says so", (Edit(place, text),), sure=False)


def _around(node: Node, offset: int) -> Iterator[tuple[Scalar, Node]]:
    """Yields the keys on the path to an offset with their values, from the outside in."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            if key.span.start <= offset <= max(value.span.end, key.span.end):
                yield key, value
                yield from _around(value, offset)
                return
    elif isinstance(node, Sequence):
        for each in node.items:
            if each.span.start <= offset <= each.span.end:
                yield from _around(each, offset)
                return
