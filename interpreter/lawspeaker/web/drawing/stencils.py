"""Drawings that occur often are written once and used wherever they are wanted.

A stencil is named for its content, so that two pictures on one page never mean different things by
one name.
"""

from __future__ import annotations

from zlib import crc32

from lawspeaker.web.drawing.pictures import used
from lawspeaker.web.drawing.svg import el

SHORT = 160
"""What is shorter than this is as well written anew."""


class Stencils:
    def __init__(self) -> None:
        self.drawn: dict[str, str] = {}

    def use(self, body: str) -> str:
        """The drawing, written out only the first time."""
        if len(body) < SHORT:
            return body
        name = f"s{crc32(body.encode()):08x}"
        self.drawn[name] = body
        return el("use", href=f"#{name}")

    def definitions(self, drawn: str) -> str:
        """All that a drawing uses: stencils, and the pictures on them and elsewhere."""
        stencils = "".join(el("g", body, id=name) for name, body in self.drawn.items())
        return el("defs", used(stencils + drawn), stencils)
