"""Parts of a picture with their sizes, and how they are put together.

A box is drawn with its upper left corner at nought. A box that can be drawn taller says how, so
that things which stand side by side can end at the same line. One that is finished may have a block
instead of a body (see `blocks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil
from typing import NamedTuple

from lawspeaker.faces.web.drawing.blocks import Block, Picture
from lawspeaker.faces.web.drawing.svg import moved

SMALLER_ROW = 0.72
"""What stands in a row is drawn smaller, but not more than this, rather than in two lines."""


class Box(NamedTuple):
    width: float = 0
    height: float = 0
    body: str = ""
    stretch: Callable[[float], Box] | None = None
    block: Block | Picture | None = None

    def __bool__(self) -> bool:
        return bool(self.body)

    @property
    def size(self) -> int:
        """About how much is kept for it."""
        return len(self.body) if self.block is None else self.block.size

    def as_high_as(self, height: float) -> Box:
        if self.stretch is None or height <= self.height:
            return self
        return self.stretch(height)


def beside(boxes: Iterable[Box], gap: float, align: str = "top") -> Box:
    """Boxes from left to right."""
    found = [box for box in boxes if box]
    height = max((box.height for box in found), default=0)
    body, x = [], 0.0
    for box in found:
        box = box.as_high_as(height)
        y = 0 if align == "top" else (height - box.height) / 2
        body.append(moved(x, y, box.body))
        x += box.width + gap
    return Box(max(x - gap, 0), height, "".join(body))


def below(boxes: Iterable[Box], gap: float, align: str = "left") -> Box:
    """Boxes from top to bottom."""
    found = [box for box in boxes if box]
    width = max((box.width for box in found), default=0)
    body, y = [], 0.0
    for box in found:
        x = (width - box.width) / 2 if align == "centre" else 0
        body.append(moved(x, y, box.body))
        y += box.height + gap
    return Box(width, max(y - gap, 0), "".join(body))


def flowing(boxes: Iterable[Box], width: float, gap: float, align: str = "top") -> Box:
    """Boxes side by side, as many in a line as there is room for."""
    lines: list[list[Box]] = []
    room = 0.0
    for box in boxes:
        if not box:
            continue
        if lines and box.width <= room:
            lines[-1].append(box)
        else:
            lines.append([box])
            room = width
        room -= box.width + gap
    return below((beside(line, gap, align) for line in lines), gap)


def in_a_row(boxes: list[Box], width: float, gap: float) -> Box:
    """Boxes in one line, drawn smaller if that is enough; otherwise in lines of about equal length,
    rather than with a last one that is nearly empty."""
    line = beside(boxes, gap)
    if line.width <= width:
        return line
    if width >= SMALLER_ROW * line.width:
        return scaled(line, width / line.width)
    lines, widest = ceil(line.width / width), max(box.width for box in boxes)
    return flowing(boxes, min(width, line.width / lines + widest / 2), gap)


def padded(box: Box, across: float, down: float | None = None) -> Box:
    """A box with room around it."""
    if not box:
        return box
    down = across if down is None else down
    return Box(box.width + 2 * across, box.height + 2 * down, moved(across, down, box.body))


def scaled(box: Box, factor: float) -> Box:
    body = f'<g transform="scale({factor:.4f})">{box.body}</g>'
    return Box(box.width * factor, box.height * factor, body)
