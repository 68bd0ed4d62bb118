"""Assembles a picture from cached blocks without concatenating their text.

Most of a picture stays the same from one to the next. During layout a *token* stands for each
finished block, so that only the little text around the tokens is handled. The text is joined only
on request; a screen that has most of it already compares hashes (`web/redrawing`) and reads only
the new blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from lawspeaker.faces.web.drawing.blocks import CUT, Block, Fragment, Picture
from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.sketches import Sketches
from lawspeaker.faces.web.drawing.svg import TOKEN

SHORT = 400
"""Boxes with shorter text are inlined rather than made a block."""


class Assembly:
    """The blocks of a picture during layout, and the tokens that stand for them.

    Finished parts are cached in the table's `sketches` as long as their stencils are defined: for
    an `era`. `shared` is the cache of all tables of the game, which often look alike, mostly at the
    start.
    """

    def __init__(self, sketches: Sketches, shared: Sketches, era: object) -> None:
        self._sketches = sketches
        self._shared = shared
        self._era = era
        self._blocks: list[Block | Picture] = []

    def kept(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """Returns a part of the picture from the cache, or draws it."""
        (found,) = self.several(key, lambda: (self._finished(draw()),))
        if found.block is None:
            return found
        return Box(found.width, found.height, self.token(found.block))

    def several(self, key: Hashable, draw: Callable[[], tuple[Box, ...]]) -> tuple[Box, ...]:
        """Returns boxes that are arranged differently each time, cached in the same way."""
        return self._sketches.several((self._era, key), lambda: self._shared.several(key, draw))

    def _finished(self, box: Box) -> Box:
        """Turns a box into one that other pictures can reuse.

        A box with a block has no body, and text made of blocks is not concatenated again. A
        stretchable box is not finished and returned as it is.
        """
        if box.stretch is not None or box.block is not None:
            return box
        fragments = self.fragments(box.body)
        if len(fragments) > 1:
            return Box(box.width, box.height, block=Picture(fragments))
        if len(box.body) < SHORT or CUT not in box.body:
            return box
        return Box(box.width, box.height, block=Block(box.body))

    def token(self, block: Block | Picture) -> str:
        """Registers a block and returns its token."""
        self._blocks.append(block)
        return f"{TOKEN}{len(self._blocks) - 1}{TOKEN}"

    def fragments(self, body: str) -> list[Fragment]:
        """Splits a body at its tokens into texts and blocks."""
        texts = body.split(TOKEN)
        found: list[Fragment] = [*texts]
        found[1::2] = [self._blocks[int(each)] for each in texts[1::2]]
        return found
