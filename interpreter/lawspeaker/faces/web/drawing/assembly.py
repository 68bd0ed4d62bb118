"""A picture put together from finished parts, without writing them out.

From picture to picture most of it stays what it was. While one is laid out, a *token* stands for
each finished part, its block; what is written around the tokens is little. Whoever wants the text
joins it; a screen that has most of it already compares prints (`web/redrawing`), and reads only
what is new to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from lawspeaker.faces.web.drawing.blocks import CUT, Block, Fragment, Picture
from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.sketches import Sketches
from lawspeaker.faces.web.drawing.svg import TOKEN

SHORT = 400
"""What is shorter than this is as well written out."""


class Assembly:
    """The blocks of a picture that is being laid out, and the tokens that stand for them. Finished
    parts are kept among the `sketches` of the table, as long as the stencils on them are known: for
    an `era`. Other tables may look the same, mostly in the beginning: what they had drawn lately is
    `shared`."""

    def __init__(self, sketches: Sketches, shared: Sketches, era: object) -> None:
        self._sketches = sketches
        self._shared = shared
        self._era = era
        self._blocks: list[Block | Picture] = []

    def kept(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """A part of the picture, which is drawn only if it is not kept under its key."""
        (found,) = self.several(key, lambda: (self._finished(draw()),))
        if found.block is None:
            return found
        return Box(found.width, found.height, self.token(found.block))

    def several(self, key: Hashable, draw: Callable[[], tuple[Box, ...]]) -> tuple[Box, ...]:
        """Boxes that are put together otherwise each time, kept in the same way."""
        return self._sketches.several((self._era, key), lambda: self._shared.several(key, draw))

    def _finished(self, box: Box) -> Box:
        """A box that can be used in other pictures: a block has no body besides, and what is put
        together from blocks is not written out again. One that can still be stretched is not
        finished."""
        if box.stretch is not None or box.block is not None:
            return box
        fragments = self.fragments(box.body)
        if len(fragments) > 1:
            return Box(box.width, box.height, block=Picture(fragments))
        if len(box.body) < SHORT or CUT not in box.body:
            return box
        return Box(box.width, box.height, block=Block(box.body))

    def token(self, block: Block | Picture) -> str:
        """What stands for a block."""
        self._blocks.append(block)
        return f"{TOKEN}{len(self._blocks) - 1}{TOKEN}"

    def fragments(self, body: str) -> list[Fragment]:
        """What is written in a body, and the blocks between."""
        texts = body.split(TOKEN)
        found: list[Fragment] = [*texts]
        found[1::2] = [self._blocks[int(each)] for each in texts[1::2]]
        return found
