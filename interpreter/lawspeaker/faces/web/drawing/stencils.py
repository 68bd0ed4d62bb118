"""Drawings that are wanted again, in one picture or in the next.

A *stencil* is written once in a picture and used wherever it is wanted. It is named for its
content, so that two pictures on one page never mean different things by one name.

A *sketch* is a finished part of a picture, kept under all that it depends on. From one reply to the
next, from seat to seat and from table to table of a game most parts stay what they were, and a
picture is put together from them. What has not been wanted for a while is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from zlib import crc32

from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.looks import Look
from lawspeaker.faces.web.drawing.meaning import meanings
from lawspeaker.faces.web.drawing.pictures import hrefs, used
from lawspeaker.faces.web.drawing.sights import Reads
from lawspeaker.faces.web.drawing.svg import el
from lawspeaker.position.layout import Layout
from lawspeaker.telling.arrangement import default_table
from lawspeaker.telling.labels import everything

SHORT = 160
"""What is shorter than this is as well written anew."""
MOST_KEPT = 6000
MOST_WRITTEN = 8_000_000
"""So many sketches, or characters of them, are kept, and as many again of those wanted before."""
MOST_GAMES = 48


class Sketches:
    """The sketches that were wanted lately: since it was last too much, or in the time before."""

    def __init__(self) -> None:
        self._now: dict[Hashable, Box] = {}
        self._before: dict[Hashable, Box] = {}
        self._written = 0

    def get(self, key: Hashable) -> Box | None:
        found = self._now.get(key)
        if found is None:
            found = self._before.pop(key, None)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: Hashable, sketch: Box) -> None:
        self._now[key] = sketch
        self._written += len(sketch.body)

    def tidy(self) -> None:
        if len(self._now) > MOST_KEPT or self._written > MOST_WRITTEN:
            self._now, self._before, self._written = {}, self._now, 0


class Drawn:
    """What has been drawn of one game, for one number of players, in one language."""

    def __init__(self, layout: Layout) -> None:
        self.program = layout.program
        self.table = self.program.table or default_table(self.program)
        """What stands where."""
        parts = everything(self.table)
        self.grounds = {part.ground for part in parts if part.ground is not None}
        self.owned = {part.family for part in parts if part.own and part.family is not None}
        """The families of which the viewer's own place is drawn apart."""
        self.means = meanings(layout)
        self.reads: dict[int, Reads] = {}
        """By part of the table (its id, since the table stays), what its drawing depends on."""
        self._forget()

    def _forget(self) -> None:
        self._stencils: dict[str, str] = {}
        self._pictures: dict[str, list[str]] = {}
        """By stencil, the pictures on it."""
        self._sketches = Sketches()
        self.looks: dict[Hashable, Look] = {}

    def tidy(self) -> None:
        """Forgets what was drawn if it is much. Only between pictures: one that is being drawn
        may use any stencil that is known."""
        if len(self._stencils) + len(self.looks) > MOST_KEPT:
            self._forget()
        self._sketches.tidy()

    def sketch(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """What is kept under a key, drawn only the first time. What can still be stretched is not
        kept: it holds on to the view it was drawn of."""
        found = self._sketches.get(key)
        if found is None:
            found = draw()
            if found.stretch is None:
                self._sketches.put(key, found)
        return found

    def use(self, body: str) -> str:
        """The drawing as a stencil."""
        if len(body) < SHORT:
            return body
        name = f"s{crc32(body.encode()):08x}"
        if name not in self._stencils:
            self._stencils[name] = body
            self._pictures[name] = list(hrefs(body))
        return el("use", href=f"#{name}")

    def definitions(self, drawn: str) -> str:
        """All that a drawing uses: stencils, and the pictures on them and elsewhere."""
        names = hrefs(drawn)
        stencils = [name for name in names if name in self._stencils]
        pictures = dict.fromkeys(each for name in stencils for each in self._pictures[name])
        pictures.update((name, None) for name in names if name not in self._stencils)
        bodies = "".join([el("g", self._stencils[name], id=name) for name in stencils])
        return el("defs", used(pictures, self.program), bodies, aria_hidden="true")


@lru_cache(maxsize=MOST_GAMES)
def drawn_of(layout: Layout, language: str) -> Drawn:
    """Where the drawings of a game are kept. Only one thread draws the tables of a layout."""
    return Drawn(layout)
