"""Loads a game's own pictures, as named by its symbols: `picture: boat.svg`.

Each picture is sanitised once, however often it is named. Problems are reported where it is named
first, since that is where a designer looks.
"""

from __future__ import annotations

import hashlib

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.world import World
from lawspeaker.text.pictures import NoPicture, sanitised
from lawspeaker.text.pictures.naming import LARGEST, MOST, MOST_TOGETHER, file_of

MOST_NAMED = 8


class OwnPictures:
    """The game's own pictures that were named so far."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.known: dict[str, ir.Picture | None] = {}
        self.together = 0

    def named(self, name: str, span: Span) -> ir.Picture | None:
        """The picture in a file; None if it is missing or unusable, which is reported."""
        if name not in self.known:
            self.known[name] = self._taken(name, span)
        return self.known[name]

    def _taken(self, name: str, span: Span) -> ir.Picture | None:
        file, diagnostics = self.world.book.pictures.get(name), self.world.diagnostics
        if len(self.known) >= MOST:
            diagnostics.error("too-large", f"a game may have {MOST} pictures of its own", span)
            return None
        if file is None:
            known = self.world.book.pictures
            diagnostics.error(
                "not-found",
                f"there is no picture {file_of(name)}",
                span,
                hint=self.world.suggest(name, known)
                or f"put {name} into the folder `pictures` beside these rules",
            )
            return None
        try:
            found = sanitised(name, file.text)
        except NoPicture as error:
            diagnostics.error("bad-picture", f"{name}: {error.message}", span, hint=error.hint)
            return None
        if found.left_out:
            listed = ", ".join(found.left_out[:MOST_NAMED])
            more = "" if len(found.left_out) <= MOST_NAMED else ", and more"
            diagnostics.warning(
                "picture-changed",
                f"{name} is drawn without {listed}{more}",
                span,
                hint="turn letters and effects into plain outlines, and save it as plain SVG",
            )
        self.together += len(found.body)
        if self.together > MOST_TOGETHER:
            diagnostics.error(
                "too-large",
                f"with {name} the pictures of this game come to more than {MOST_TOGETHER:,} "
                f"characters (one may have {LARGEST:,} bytes)",
                span,
                hint="simplify outlines, and save images no larger than 256 points",
            )
            return None
        looks = hashlib.sha256(f"{found.view_box} {found.body}".encode()).hexdigest()[:12]
        return ir.Picture(f"o{looks}", found.view_box, found.body)
