"""Drawings that are wanted again, in one picture or in the next.

A *stencil* is written once in a picture and used wherever it is wanted. It is named for its
content, so that two pictures on one page never mean different things by one name.

Small parts of a picture, such as a piece in a place, look alike at all tables of a game, and are
kept here (`sketches`); large ones are kept for each table (see `assembly`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from zlib import crc32

from lawspeaker.faces.web.drawing.assembly import Assembly
from lawspeaker.faces.web.drawing.blocks import CUT, Block, Picture
from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.looks import Look
from lawspeaker.faces.web.drawing.meaning import meanings
from lawspeaker.faces.web.drawing.pictures import own_pictures, used
from lawspeaker.faces.web.drawing.sights import Known
from lawspeaker.faces.web.drawing.sketches import MOST_WRITTEN, Sketches
from lawspeaker.faces.web.drawing.svg import el
from lawspeaker.position.layout import Layout
from lawspeaker.telling.arrangement import default_table
from lawspeaker.telling.labels import everything

SHORT = 160
"""What is shorter than this is as well written anew."""
MOST_KEPT = 6000
"""So many stencils and looks are kept of a game."""
MOST_GAMES = 48


class Drawn:
    """What has been drawn of one game, for one number of players, in one language."""

    def __init__(self, layout: Layout) -> None:
        self.program = layout.program
        self.table = self.program.table or default_table(self.program)
        """What stands where."""
        parts = everything(self.table)
        self.grounds = frozenset(part.ground for part in parts if part.ground is not None)
        self.owned = {part.family for part in parts if part.own and part.family is not None}
        """The families of which the viewer's own place is drawn apart."""
        self.means = meanings(layout)
        self._own = own_pictures(self.program)
        self._pictures: dict[str, str | Block] = {}
        self.known = Known(layout)
        self._forget()

    def _forget(self) -> None:
        self.era: object = object()
        """Stands for the time in which the same stencils are known, at least."""
        self._stencils: dict[str, Block] = {}
        """By name, as they are written in a picture."""
        self.sketches = Sketches(MOST_WRITTEN)
        self.looks: dict[Hashable, Look] = {}

    def tidy(self) -> None:
        """Forgets what was drawn if it is much. Only between pictures: one that is being drawn
        may use any stencil that is known."""
        if len(self._stencils) + len(self.looks) > MOST_KEPT:
            self._forget()
        self.sketches.tidy()
        self.known.tidy()

    def sketch(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """What is kept under a key, drawn only the first time."""
        return self.sketches.one(key, draw)

    def use(self, body: str) -> str:
        """The drawing as a stencil."""
        if len(body) < SHORT:
            return body
        name = f"s{crc32(body.encode()):08x}"
        if name not in self._stencils:
            self._stencils[name] = Block(el("g", body, id=name))
        return el("use", href=f"#{name}")

    def definitions(self, names: frozenset[str], assembly: Assembly) -> str:
        """All that a picture uses by these names: stencils, and the pictures on them and
        elsewhere. Most pictures of a table use the same; where on it, makes no difference."""
        key = ("definitions", names)
        return assembly.kept(key, lambda: self._defined(names)).body

    def _defined(self, names: frozenset[str]) -> Box:
        known = self._stencils.keys() & names
        stencils = [self._stencils[name] for name in sorted(known)]
        pictures = (names - known).union(*[stencil.uses for stencil in stencils])
        defined = [*(self._painted(name) for name in sorted(pictures)), *stencils]
        written = [each for each in defined if isinstance(each, str)]
        if len(written) == len(defined):
            return Box(body=el("defs", *written, aria_hidden="true"))
        return Box(block=Picture(['<defs aria-hidden="true">', *defined, "</defs>"]))

    def _painted(self, name: str) -> str | Block:
        """The definition of a picture."""
        if name not in self._pictures:
            text = used([name], self._own)
            self._pictures[name] = Block(text) if CUT in text else text
        return self._pictures[name]


@lru_cache(maxsize=MOST_GAMES)
def drawn_of(layout: Layout, language: str) -> Drawn:
    """Where the drawings of a game are kept. Only one thread draws the tables of a layout."""
    return Drawn(layout)
