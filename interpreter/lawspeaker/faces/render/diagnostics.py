"""Renders diagnostics as text, plain or in colour, and as JSON.

    rules/game.yaml:3:5: error[unknown-key]: 'colr' is not a key of 'tile'
      3 |     colr: red
        |     ^^^^
    hint: did you mean 'color'?

Each span is shown by an excerpt: its line, with the span underlined. To align the marks, a line is
first split into cells: the displayed text and width of each character. Tabs become spaces, control
characters become visible stand-ins, wide characters take two columns and combining marks none. A
long line is cut to a window of cells around the span. A span of several lines is marked on its
first.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from rich.cells import cell_len

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics, Label
from lawspeaker.base.source import Span

_TAB = 4
_NARROWEST = 20
_FAR = 4
_CUT = "…"
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_COLOURS = {"error": "1;31", "warning": "1;33", "note": "1;34", "hint": "1;36", "bold": "1"}


def text(
    diagnostics: Diagnostics | Iterable[Diagnostic],
    colour: bool = False,
    width: int = 100,
    left_out: int = 0,
) -> str:
    """Renders all diagnostics with excerpts, and a line that counts them; empty if there are none.

    A collector is sorted by file and place, any other iterable is rendered in its order.
    """
    if isinstance(diagnostics, Diagnostics):
        left_out += diagnostics.left_out
        diagnostics = diagnostics.sorted()
    shown = list(diagnostics)
    if not shown and not left_out:
        return ""
    paint = _Paint(colour)
    blocks = [_block(each, paint, max(width, _NARROWEST)) for each in shown]
    return "\n\n".join([*blocks, _count_line(shown, left_out, paint)]) + "\n"


def to_json(diagnostics: Diagnostics | Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Returns one object for each diagnostic.

    Lines and columns count from 1; the end is exclusive. Without a place, file, lines and columns
    are null.
    """
    if isinstance(diagnostics, Diagnostics):
        diagnostics = diagnostics.sorted()
    return [
        {
            **_place(each.span),
            "code": each.code,
            "severity": each.severity,
            "message": each.message,
            "hint": each.hint,
            "labels": [{**_place(label.span), "text": label.text} for label in each.labels],
        }
        for each in diagnostics
    ]


def _place(span: Span) -> dict[str, Any]:
    line, column = span.file.position(span.start) if span.known else (None, None)
    end_line, end_column = span.file.position(span.end) if span.known else (None, None)
    return {
        "file": span.file.name if span.known else None,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


@dataclass(frozen=True, slots=True)
class _Paint:
    on: bool

    def __call__(self, words: str, colour: str) -> str:
        return f"\x1b[{_COLOURS[colour]}m{words}\x1b[0m" if self.on and words else words


def _block(diagnostic: Diagnostic, paint: _Paint, width: int) -> str:
    severity = diagnostic.severity
    place = f"{_safe(str(diagnostic.span))}: " if diagnostic.span.known else ""
    title = paint(f"{severity}[{diagnostic.code}]", severity)
    lines = [paint(place, "bold") + title + ": " + paint(_safe(diagnostic.message), "bold")]
    places = [diagnostic.span, *(label.span for label in diagnostic.labels)]
    gutter = max((len(str(span.line)) for span in places if span.known), default=1) + 2
    unread = diagnostic.code == "not-found" and not diagnostic.span.file.text
    if diagnostic.span.known and not unread:
        lines += _excerpt(diagnostic.span, "^", "", severity, gutter, paint, width)
    for label in diagnostic.labels:
        lines += _label(label, diagnostic.span, gutter, paint, width)
    if diagnostic.hint:
        lines += _wrapped("hint", _safe(diagnostic.hint), paint, width)
    return "\n".join(lines)


def _label(label: Label, main: Span, gutter: int, paint: _Paint, width: int) -> list[str]:
    if not label.span.known:
        return _wrapped("note", _safe(label.text), paint, width)
    lines = []
    if label.span.file != main.file:
        lines.append(" " * gutter + paint("-->", "note") + f" {_safe(str(label.span))}")
    return lines + _excerpt(label.span, "-", label.text, "note", gutter, paint, width)


def _wrapped(title: str, words: str, paint: _Paint, width: int) -> list[str]:
    lines = textwrap.wrap(
        words, width - len(title) - 2, break_long_words=False, break_on_hyphens=False
    )
    indent = " " * (len(title) + 2)
    first = paint(f"{title}:", "hint" if title == "hint" else "note")
    return [first + " " + lines[0], *(indent + line for line in lines[1:])] if lines else [first]


# -------------------------------------------------------------------- excerpts


def _excerpt(
    span: Span, mark: str, words: str, colour: str, gutter: int, paint: _Paint, width: int
) -> list[str]:
    """Renders the line where a span starts, and under it the marks."""
    line = span.line
    source = span.file.line_text(line)
    start = min(max(span.start - span.file.line_start(line), 0), len(source))
    end = min(max(span.end - span.file.line_start(line), start), len(source))
    end = start + len(source[start:end].rstrip()) if source[start:end].strip() else end
    room = max(width - gutter - 2, _NARROWEST)
    skipped, kept = max(start - _FAR * room, 0), min(start + _FAR * room, len(source))
    start, end = start - skipped, min(end, kept) - skipped
    cells = _cells(source[skipped:kept])
    first, last = _window(cells, start, end, room)
    before = _CUT if skipped or first else ""
    after = _CUT if kept < len(source) or last < len(cells) else ""
    shown = before + "".join(cell for cell, _ in cells[first:last]) + after
    space = len(before) + sum(size for _, size in cells[first:start])
    marks = mark * max(sum(size for _, size in cells[start : min(end, last)]), 1)
    numbered = str(line).rjust(gutter - 1)
    under = paint(marks + (f" {_safe(words)}" if words else ""), colour)
    return [
        f"{paint(f'{numbered} |', 'note')} {shown}".rstrip(),
        f"{paint(' ' * gutter + '|', 'note')} {' ' * space}{under}",
    ]


def _cells(source: str) -> list[tuple[str, int]]:
    """Returns the cells of a line: displayed text and width for each character.

    The width of a character is what it adds to the text before it, so that joined emoji and accents
    come out right.
    """
    if source.isascii() and source.isprintable():
        return [(character, 1) for character in source]
    cells: list[tuple[str, int]] = []
    column = 0
    cluster, cluster_width = "", 0
    for character in source:
        if character == "\t":
            width = _TAB - column % _TAB
            cells.append((" " * width, width))
            cluster, cluster_width = "", 0
        else:
            character = _safe(character)
            joined = cell_len(cluster + character)
            width = max(joined - cluster_width, 0)
            if width and cell_len(character) == width:
                cluster, cluster_width = character, width
            else:
                cluster, cluster_width = cluster + character, joined
            cells.append((character, width))
        column += width
    return cells


def _window(cells: list[tuple[str, int]], start: int, end: int, room: int) -> tuple[int, int]:
    """Returns the range of cells to show: all if they fit, else a window that includes the place.

    A third of the window precedes the place.
    """
    columns = [0, *accumulate(size for _, size in cells)]
    if columns[-1] <= room:
        return 0, len(cells)
    room -= 2 * len(_CUT)
    place_width = min(columns[end] - columns[start], room)
    lead = min(room // 3, room - place_width)
    from_column = max(min(columns[start] - lead, columns[-1] - room), 0)
    first = next(place for place, column in enumerate(columns) if column >= from_column)
    last = first
    while last < len(cells) and columns[last + 1] - columns[first] <= room:
        last += 1
    return first, last


def _safe(words: str) -> str:
    """Replaces control characters and those that change the direction of text."""
    return _UNSAFE.sub(_stand_in, words)


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def _count_line(shown: list[Diagnostic], left_out: int, paint: _Paint) -> str:
    errors = sum(each.severity == "error" for each in shown)
    warnings = len(shown) - errors
    files = len({each.span.file.name for each in shown if each.span.known})
    parts = []
    if errors or not warnings:
        parts.append(paint(_number(errors, "error"), "error" if errors else "bold"))
    if warnings:
        parts.append(paint(_number(warnings, "warning"), "warning"))
    where = f" in {_number(files, 'file')}" if files else ""
    more = f" ({left_out} more not shown)" if left_out else ""
    return ", ".join(parts) + where + more


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
