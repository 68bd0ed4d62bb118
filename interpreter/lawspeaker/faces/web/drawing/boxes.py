"""Boxes, the layout primitives of a picture, and functions that arrange them.

A box is drawn with its upper left corner at the origin. A stretchable box has a function that
redraws it taller, so that boxes side by side can end at the same line. A finished box may have a
block instead of a body (see `blocks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil
from typing import NamedTuple

from lawspeaker.faces.web.drawing.blocks import Block, Picture
from lawspeaker.faces.web.drawing.svg import moved

SMALLER_ROW = 0.72
"""Smallest scale at which a row is kept in one line."""


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
        """Its approximate memory use in characters."""
        return len(self.body) if self.block is None else self.block.size

    def as_high_as(self, height: float) -> Box:
        if self.stretch is None or height <= self.height:
            return self
        return self.stretch(height)


def beside(boxes: Iterable[Box], gap: float, align: str = "top") -> Box:
    """Arranges boxes from left to right."""
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
    """Arranges boxes from top to bottom."""
    found = [box for box in boxes if box]
    width, height = extent_below(found, gap)
    body, y = [], 0.0
    for box in found:
        x = (width - box.width) / 2 if align == "centre" else 0
        body.append(moved(x, y, box.body))
        y += box.height + gap
    return Box(width, height, "".join(body))


def extent_below(boxes: Iterable[Box], gap: float) -> tuple[float, float]:
    """Returns the width and height of what `below` makes of boxes."""
    found = [box for box in boxes if box]
    width = max((box.width for box in found), default=0)
    return width, max(sum(box.height + gap for box in found) - gap, 0)


def flowing(boxes: Iterable[Box], width: float, gap: float, align: str = "top") -> Box:
    """Arranges boxes in lines, each as full as fits."""
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
    """Arranges boxes in one line, scaled down if that suffices; else in lines of about equal
    length."""
    line = beside(boxes, gap)
    if line.width <= width:
        return line
    if width >= SMALLER_ROW * line.width:
        return scaled(line, width / line.width)
    lines, widest = ceil(line.width / width), max(box.width for box in boxes)
    return flowing(boxes, min(width, line.width / lines + widest / 2), gap)


def padded(box: Box, across: float, down: float | None = None) -> Box:
    """Adds a margin around a box."""
    if not box:
        return box
    down = across if down is None else down
    return Box(box.width + 2 * across, box.height + 2 * down, moved(across, down, box.body))


def scaled(box: Box, factor: float) -> Box:
    body = f'<g transform="scale({factor:.4f})">{box.body}</g>'
    return Box(box.width * factor, box.height * factor, body)
