"""Reusable SVG definitions, and the drawing caches of a game.

A *stencil* is defined once in a picture and referenced from there on. Its id is a hash of its
content, so that two pictures on one page never use one id for different things.

Small parts, such as a piece in a place, look alike at all tables of a game and are cached here
(`sketches`); large ones are cached for each table (see `assembly`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from zlib import crc32

from lawspeaker.faces.web.drawing.appearance import Look
from lawspeaker.faces.web.drawing.assembly import Assembly
from lawspeaker.faces.web.drawing.blocks import CUT, Block, Picture
from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.meaning import meanings
from lawspeaker.faces.web.drawing.pictures import own_pictures, used
from lawspeaker.faces.web.drawing.sights import DrawingCache
from lawspeaker.faces.web.drawing.sketches import MOST_WRITTEN, Sketches
from lawspeaker.faces.web.drawing.svg import el
from lawspeaker.position.layout import Layout
from lawspeaker.telling.arrangement import default_table
from lawspeaker.telling.labels import everything

SHORT = 160
"""Drawings with shorter text are inlined rather than made a stencil."""
MOST_KEPT = 6000
"""Number of stencils and looks cached for a game."""
MOST_GAMES = 48


class Drawn:
    """The drawing caches of one game, for one number of players and one language."""

    def __init__(self, layout: Layout) -> None:
        self.program = layout.program
        self.table = self.program.table or default_table(self.program)
        """The layout of the table."""
        parts = everything(self.table)
        self.grounds = frozenset(part.ground for part in parts if part.ground is not None)
        self.owned = {part.family for part in parts if part.own and part.family is not None}
        """The families whose own place is drawn separately."""
        self.means = meanings(layout)
        self._own = own_pictures(self.program)
        self._pictures: dict[str, str | Block] = {}
        self.known = DrawingCache(layout)
        self._forget()

    def _forget(self) -> None:
        self.era: object = object()
        """Identifies the period during which all stencils stay defined."""
        self._stencils: dict[str, Block] = {}
        """Stencils by id."""
        self.sketches = Sketches(MOST_WRITTEN)
        self.looks: dict[Hashable, Look] = {}

    def tidy(self) -> None:
        """Clears the caches if they have grown too large.

        Call it between pictures only: one being drawn may reference any stencil.
        """
        if len(self._stencils) + len(self.looks) > MOST_KEPT:
            self._forget()
        self.sketches.tidy()
        self.known.tidy()

    def sketch(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """Returns the drawing under a key, made on a miss."""
        return self.sketches.one(key, draw)

    def use(self, body: str) -> str:
        """Registers a drawing as a stencil and returns a reference to it; a short one stays
        inline."""
        if len(body) < SHORT:
            return body
        name = f"s{crc32(body.encode()):08x}"
        if name not in self._stencils:
            self._stencils[name] = Block(el("g", body, id=name))
        return el("use", href=f"#{name}")

    def definitions(self, names: frozenset[str], assembly: Assembly) -> str:
        """Returns the `defs` element for these ids: stencils, and the pictures that they reference.

        It is cached, since most pictures of a table use the same ids.
        """
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
        """Returns the definition of a picture."""
        if name not in self._pictures:
            text = used([name], self._own)
            self._pictures[name] = Block(text) if CUT in text else text
        return self._pictures[name]


@lru_cache(maxsize=MOST_GAMES)
def drawn_of(layout: Layout, language: str) -> Drawn:
    """Returns the drawing caches of a game. Only one thread may draw the tables of a layout."""
    return Drawn(layout)
