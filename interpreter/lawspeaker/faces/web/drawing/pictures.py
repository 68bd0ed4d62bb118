"""The stock of pictures a game can name, each on a sheet of 24 by 24.

A picture is a few areas, each in one of three tones: `main`, `dark` or `light`. So one drawing does
in any colour. They stand in pictures.txt; their names are those of `picture` in the schema of rule
files.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from zlib import crc32

from lawspeaker.faces.web.drawing.palette import Shades
from lawspeaker.faces.web.drawing.svg import el, path

SHEET = 24


@cache
def stock() -> dict[str, tuple[tuple[str, str], ...]]:
    """By name, the areas of a picture: tone and outline."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    drawn = files(__package__).joinpath("pictures.txt").read_text(encoding="utf-8")
    for line in drawn.splitlines():
        if not line.startswith("#"):
            name, tone, outline = line.split(" ", 2)
            found[name] = (*found.get(name, ()), (tone, outline))
    return found


_painted: dict[str, str] = {}
"""Pictures by the name under which they are defined, in the colours they were wanted in so far:
no more than there are pictures and shades."""


@cache
def _name(name: str, tones: Shades) -> str:
    areas = (path(d, fill=tones.tone(tone), fill_rule="evenodd") for tone, d in stock()[name])
    body = "".join(areas)
    known = f"p{crc32(body.encode()):08x}"
    _painted[known] = body
    return known


def picture(name: str, x: float, y: float, size: float, tones: Shades) -> str:
    """A picture of the stock, so large, in shades of a colour; see `used`."""
    return el("use", href=f"#{_name(name, tones)}", transform=_where(x, y, size))


def used(drawn: str) -> str:
    """The definitions of the pictures that occur in a drawing."""
    names = dict.fromkeys(re.findall(r'href="#(p[0-9a-f]{8})"', drawn))
    return "".join(el("g", _painted[name], id=name) for name in names)


def flat(name: str, x: float, y: float, size: float, fill: str, opacity: float = 1) -> str:
    """The same in one colour, as a sign."""
    areas = (path(d, fill_rule="evenodd") for _, d in stock()[name])
    faint = opacity if opacity < 1 else None
    return el("g", *areas, transform=_where(x, y, size), fill=fill, opacity=faint)


def icon(name: str, tones: Shades) -> str:
    """A picture by itself, for use outside the table."""
    return el(
        "svg",
        _painted[_name(name, tones)],
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {SHEET} {SHEET}",
        class_="icon",
        aria_hidden="true",
    )


def _where(x: float, y: float, size: float) -> str:
    return f"translate({x:.1f} {y:.1f}) scale({size / SHEET:.3f})"
