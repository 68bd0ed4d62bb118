"""A picture put together from finished parts, without writing them out.

From picture to picture most of it stays what it was. While one is laid out, a *token* stands for
each finished part, its block; what is written around the tokens is little. Whoever wants the text
joins it; a screen that has most of it already compares prints (`web/redrawing`), and reads only
what is new to it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain

from lawspeaker.faces.web.drawing.blocks import CUT, Block, prints_of
from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.pictures import hrefs
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
        self._blocks: list[Block] = []

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
        """A box with its text written out. One that can still be stretched is not finished."""
        if box.stretch is not None:
            return box
        text = "".join(map(_text, self.fragments(box.body)))
        block = Block(text) if len(text) >= SHORT and CUT in text else None
        return Box(box.width, box.height, text, block=block)

    def token(self, block: Block) -> str:
        """What stands for a block."""
        self._blocks.append(block)
        return f"{TOKEN}{len(self._blocks) - 1}{TOKEN}"

    def fragments(self, body: str) -> Iterator[str | Block]:
        """What is written in a body, and the blocks between."""
        for at, text in enumerate(body.split(TOKEN)):
            yield self._blocks[int(text)] if at % 2 else text


class Picture:
    """A picture in its fragments."""

    def __init__(self, fragments: Iterable[str | Block]) -> None:
        self.fragments = tuple(fragments)
        self.prints = prints_of([])
        """Those of all its parts."""
        self._blocks: list[tuple[int, Block]] = []
        """With the number of the part that its second one is."""
        self._between: dict[int, str] = {}
        """By number, the parts that are not inside a block."""
        ended = ""
        for each in self.fragments:
            if isinstance(each, Block):
                first, between, last = each.cut
                self._add(ended + first)
                self._blocks.append((len(self.prints), each))
                self.prints += between
                ended = last
            else:
                first, *others = each.split(CUT)
                ended += first
                for other in others:
                    self._add(ended)
                    ended = other
        self._add(ended)

    def _add(self, part: str) -> None:
        self._between[len(self.prints)] = part
        self.prints.append(hash(part))

    def part(self, number: int) -> str:
        """The text of a part."""
        if number in self._between:
            return self._between[number]
        at = bisect_right(self._blocks, number, key=lambda each: each[0]) - 1
        first, block = self._blocks[at]
        return block.parts[1 + number - first]

    def __str__(self) -> str:
        return "".join(map(_text, self.fragments))

    def __reduce__(self) -> tuple[type[Picture], tuple[list[str]]]:
        """To another process goes the text: prints are those of one process alone."""
        return Picture, ([str(self)],)


def names_in(fragments: Iterable[str | Block]) -> dict[str, None]:
    """The names of all that fragments use, in the order in which they occur."""
    each = (hrefs(one) if isinstance(one, str) else one.uses for one in fragments)
    return dict.fromkeys(chain.from_iterable(each))


def _text(fragment: str | Block) -> str:
    return fragment if isinstance(fragment, str) else fragment.text
