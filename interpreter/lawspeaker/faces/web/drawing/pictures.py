"""Pictures on things: a built-in stock that any game can name, and those a game ships.

A stock picture is drawn on a grid of 24 by 24: a few areas, each in one of three tones, `main`,
`dark` or `light`, so that one drawing works in any colour. They are stored in pictures.txt; their
names are those of `picture` in the schema of rule files.

A game's own picture has its own colours; `currentColor` in it is the colour of the thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from zlib import crc32

from lawspeaker import ir
from lawspeaker.faces.web.drawing.palette import Shades
from lawspeaker.faces.web.drawing.svg import el, path

SHEET = 24


@cache
def stock() -> dict[str, tuple[tuple[str, str], ...]]:
    """Returns, by name, the areas of each stock picture: tone and outline."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    drawn = files(__package__).joinpath("pictures.txt").read_text(encoding="utf-8")
    for line in drawn.splitlines():
        if not line.startswith("#"):
            name, tone, outline = line.split(" ", 2)
            found[name] = (*found.get(name, ()), (tone, outline))
    return found


_painted: dict[str, str] = {}
"""SVG definitions by id, in the colours used so far; at most one for each picture and palette."""


@cache
def _body(name: str, tones: Shades) -> str:
    areas = (path(d, fill=tones.tone(tone), fill_rule="evenodd") for tone, d in stock()[name])
    return "".join(areas)


@cache
def _name(name: str, tones: Shades) -> str:
    body = _body(name, tones)
    known = f"p{crc32(body.encode()):08x}"
    _painted[known] = el("g", body, id=known)
    return known


def picture(which: str | ir.Picture, x: float, y: float, size: float, tones: Shades) -> str:
    """References a picture in given shades, at a position and size; see `used` for its
    definition."""
    if isinstance(which, ir.Picture):
        return _own(which, x, y, size, tones.main)
    return el("use", href=f"#{_name(which, tones)}", transform=_where(x, y, size))


def _own(which: ir.Picture, x: float, y: float, size: float, colour: str) -> str:
    return el(
        "use", href=f"#{which.name}", x=x, y=y, width=float(size), height=float(size), color=colour
    )


def hrefs(drawn: str) -> dict[str, None]:
    """Returns the ids that a drawing references, in order.

    Text in the drawing may look like a reference, so there may be false ones.
    """
    _, *uses = drawn.split('href="#')
    return dict.fromkeys([use.partition('"')[0] for use in uses])


def own_pictures(program: ir.Program) -> dict[str, str]:
    """Returns SVG symbols of the pictures that a game ships, by id."""
    found = [each.picture for each in program.symbols.values()]
    found += [part.icon for each in program.symbols.values() for part in each.face]
    return {
        own.name: el("symbol", own.body, id=own.name, viewBox=own.view_box)
        for own in found
        if isinstance(own, ir.Picture)
    }


def used(names: Iterable[str], own: Mapping[str, str]) -> str:
    """Returns the definitions of pictures by id; `own` are those of the game."""
    return "".join([own.get(name) or _painted.get(name, "") for name in names])


def flat(
    which: str | ir.Picture, x: float, y: float, size: float, fill: str, opacity: float = 1
) -> str:
    """Draws a picture in one colour, as a sign; a game's own picture keeps its colours."""
    if isinstance(which, ir.Picture):
        return _own(which, x, y, size, fill)
    areas = (path(d, fill_rule="evenodd") for _, d in stock()[which])
    faint = opacity if opacity < 1 else None
    return el("g", *areas, transform=_where(x, y, size), fill=fill, opacity=faint)


def icon(which: str | ir.Picture, tones: Shades) -> str:
    """Draws a picture as a standalone SVG, for use outside the table."""
    own = isinstance(which, ir.Picture)
    return el(
        "svg",
        which.body if isinstance(which, ir.Picture) else _body(which, tones),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=which.view_box if isinstance(which, ir.Picture) else f"0 0 {SHEET} {SHEET}",
        color=tones.main if own else None,
        class_="icon",
        aria_hidden="true",
    )


def _where(x: float, y: float, size: float) -> str:
    return f"translate({x:.1f} {y:.1f}) scale({size / SHEET:.3f})"
