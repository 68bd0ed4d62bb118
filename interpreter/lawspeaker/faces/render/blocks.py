"""Blocks of styled text lines that are arranged beside and below each other.

A block is as wide as its widest line. Combining blocks cuts and wraps nothing: the caller checks
the width first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.containers import Lines
from rich.text import Text

from lawspeaker.base.typography import NARROW, NO_BREAK

_PAPER = Console(file=StringIO(), width=200)
"""A console that prints nothing; wrapping text requires one."""


def ink(text: str, style: str = "") -> Text:
    """Returns a text whose style does not extend to text joined to it later."""
    return Text().append(text, style)


@dataclass(frozen=True, slots=True)
class Block:
    lines: tuple[Text, ...] = ()

    @property
    def width(self) -> int:
        return max((line.cell_len for line in self.lines), default=0)

    @property
    def height(self) -> int:
        return len(self.lines)

    def __bool__(self) -> bool:
        return bool(self.lines)


def block(*lines: Text | str) -> Block:
    return Block(tuple(line if isinstance(line, Text) else Text(line) for line in lines))


def padded(line: Text, width: int) -> Text:
    """Pads a line with spaces to a width."""
    line = line.copy()
    line.append(" " * max(width - line.cell_len, 0))
    return line


def centred(line: Text, width: int) -> Text:
    space = max(width - line.cell_len, 0) // 2
    return padded(Text(" " * space) + line, width)


def beside(blocks: Iterable[Block], gap: int) -> Block:
    """Arranges blocks side by side, aligned at the top."""
    all_blocks = [(each, each.width) for each in blocks if each]
    lines: list[Text] = []
    for number in range(max((each.height for each, _ in all_blocks), default=0)):
        line = Text()
        for at, (each, width) in enumerate(all_blocks):
            line.append(" " * (gap if at else 0))
            part = each.lines[number] if number < each.height else Text()
            line.append_text(padded(part, width))
        line.rstrip()
        lines.append(line)
    return Block(tuple(lines))


def below(blocks: Iterable[Block], space: int = 0) -> Block:
    """Stacks blocks, with `space` empty lines between."""
    lines: list[Text] = []
    for each in blocks:
        if each and lines:
            lines += [Text()] * space
        lines += each.lines
    return Block(tuple(lines))


def flowing(blocks: Iterable[Block], width: int, gap: int, space: int = 0) -> Block:
    """Arranges blocks in rows, each as full as fits."""
    rows: list[list[Block]] = []
    used = 0
    for each in blocks:
        if not each:
            continue
        if rows and used + gap + each.width <= width:
            rows[-1].append(each)
            used += gap + each.width
        else:
            rows.append([each])
            used = each.width
    return below((beside(row, gap) for row in rows), space)


_HELD = str.maketrans({NO_BREAK: "\ue000", NARROW: "\ue001"})
_FREED = {ord(held): chr(sign) for sign, held in _HELD.items()}


def wrapped(text: Text, width: int, **how: Any) -> Lines:
    """Wraps a text, never at a no-break space.

    Rich would break there, so private-use characters replace them meanwhile.
    """
    held = text.copy()
    held.plain = held.plain.translate(_HELD)
    lines = held.wrap(_PAPER, width, **how)
    for line in lines:
        line.plain = line.plain.translate(_FREED)
    return lines


class Prose(Text):
    """A rich text that keeps its no-break spaces."""

    def wrap(self, console: Console, width: int, **how: Any) -> Lines:
        return wrapped(self, width, **how)


def indented(shown: Block, width: int, indent: int = 2) -> Block:
    """Wraps lines that are too wide, with a hanging indent."""
    lines: list[Text] = []
    for line in shown.lines:
        if line.cell_len <= width:
            lines.append(line)
            continue
        first, *rest = wrapped(line, max(width - indent, 1))
        first.rstrip()
        lines += [first, *(Text(" " * indent) + each for each in rest)]
    return Block(tuple(lines))


def in_columns(texts: Sequence[Text], width: int, gap: int = 3) -> Block:
    """Arranges short texts in as many columns as fit, read downwards."""
    if not texts:
        return Block()
    widths = [text.cell_len for text in texts]
    for rows in range(1, len(texts) + 1):
        columns = range(0, len(texts), rows)
        if sum(gap + max(widths[at : at + rows]) for at in columns) - gap <= width:
            return beside((Block(tuple(texts[at : at + rows])) for at in columns), gap)
    return Block(tuple(texts))


def cut(text: str, width: int) -> str:
    """Truncates a text to a width with `…`."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "…" if width > 0 else ""
