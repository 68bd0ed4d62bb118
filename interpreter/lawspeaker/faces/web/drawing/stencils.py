"""Drawings that are wanted again, in one picture or in the next.

A *stencil* is written once in a picture and used wherever it is wanted. It is named for its
content, so that two pictures on one page never mean different things by one name.

A *sketch* is a finished part of a picture, kept under all that it depends on. From one reply to the
next, from seat to seat and from table to table of a game most parts stay what they were, and a
picture is put together from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from functools import lru_cache
from zlib import crc32

from lawspeaker import ir
from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.looks import Look
from lawspeaker.faces.web.drawing.pictures import used
from lawspeaker.faces.web.drawing.svg import el
from lawspeaker.position.layout import Layout

SHORT = 160
"""What is shorter than this is as well written anew."""
MOST_KEPT = 6000
MOST_GAMES = 48


class Drawn:
    """What has been drawn of one game, for one number of players, in one language."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._stencils: dict[str, str] = {}
        self._sketches: dict[Hashable, Box] = {}
        self.looks: dict[Hashable, Look] = {}

    def tidy(self) -> None:
        """Forgets what was drawn if it is much. Only between pictures: one that is being drawn
        may use any stencil that is known."""
        if len(self._sketches) + len(self._stencils) > MOST_KEPT:
            self._sketches.clear()
            self._stencils.clear()
            self.looks.clear()

    def sketch(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """What is kept under a key, drawn only the first time."""
        found = self._sketches.get(key)
        if found is None:
            found = self._sketches[key] = draw()
        return found

    def use(self, body: str) -> str:
        """The drawing as a stencil."""
        if len(body) < SHORT:
            return body
        name = f"s{crc32(body.encode()):08x}"
        self._stencils[name] = body
        return el("use", href=f"#{name}")

    def definitions(self, drawn: str) -> str:
        """All that a drawing uses: stencils, and the pictures on them and elsewhere."""
        names = dict.fromkeys(re.findall(r'href="#(s[0-9a-f]{8})"', drawn))
        stencils = "".join(el("g", self._stencils[name], id=name) for name in names)
        return el("defs", used(stencils + drawn, self.program), stencils, aria_hidden="true")


@lru_cache(maxsize=MOST_GAMES)
def drawn_of(layout: Layout, language: str) -> Drawn:
    """Where the drawings of a game are kept. Only one thread draws the tables of a layout."""
    return Drawn(layout.program)
