"""Draws backgrounds: textures such as water, wood and felt, and the cells of boards."""

from __future__ import annotations

from functools import lru_cache

from lawspeaker.faces.web.drawing.appearance import Look
from lawspeaker.faces.web.drawing.palette import FAINT_INK, LINE, PAPER, Shades, shades
from lawspeaker.faces.web.drawing.pictures import picture
from lawspeaker.faces.web.drawing.svg import circle, el, fitting, path, rect, text

_BASE = {
    "felt": ("#39705a", "#28543f"),
    "grass": ("#a9bf7a", "#8ea65f"),
    "parchment": ("#f4ead2", "#e6d6b2"),
    "slate": ("#5b6470", "#414953"),
    "snow": ("#eef3f6", "#d3dfe7"),
    "water": ("#3f86a6", "#245a7c"),
    "wood": ("#a9794a", "#7c5531"),
}
_DARK = frozenset({"felt", "slate", "water", "wood"})


def ink_on(ground: str | None) -> str:
    """Returns a text colour with enough contrast on a ground."""
    return "#fdf8ea" if ground in _DARK else "#4a4034"


def faint_ink_on(ground: str | None) -> str:
    """Returns a text colour for what is said by the way."""
    return ink_on(ground) if ground in _DARK else FAINT_INK


@lru_cache(maxsize=64)
def definitions(used: frozenset[str]) -> str:
    """Returns SVG definitions of the grounds in use: a gradient and a texture each."""
    found = []
    for ground in sorted(used):
        light, dark = _BASE[ground]
        found.append(
            el(
                "linearGradient",
                el("stop", offset="0", stop_color=light),
                el("stop", offset="1", stop_color=dark),
                id=f"ground-{ground}", x1=0, y1=0, x2=0, y2=1,
            )
        )  # fmt: skip
        found.append(_texture(ground))
    return el("defs", *found) if found else ""


def _texture(ground: str) -> str:
    """Returns the texture pattern of a ground, drawn over its colour."""
    match ground:
        case "water":
            return _pattern(
                ground, 44, 22,
                path("M0 7q5.5-5 11 0t11 0 11 0 11 0M-11 18q5.5-5 11 0t11 0 11 0 11 0 11 0",
                     fill="none", stroke="#d9f0f7", stroke_width=1.1, opacity=0.22),
            )  # fmt: skip
        case "wood":
            return _pattern(
                ground, 160, 28,
                path("M0 .5H160M40 0V14M120 14V28M0 14.5H160", stroke="#5d3d20", stroke_width=1,
                     opacity=0.35, fill="none"),
                path("M4 7q30-4 34 0M60 21q22 5 50 0M90 7q20 3 60 0M4 22q10-2 26 0",
                     stroke="#5d3d20", stroke_width=0.7, opacity=0.3, fill="none"),
            )  # fmt: skip
        case "parchment":
            return _pattern(
                ground, 60, 60,
                circle(12, 18, 1, fill="#b99c66", opacity=0.25),
                circle(44, 7, 0.7, fill="#b99c66", opacity=0.25),
                circle(33, 41, 1.2, fill="#b99c66", opacity=0.2),
                circle(52, 52, 0.8, fill="#b99c66", opacity=0.25),
            )  # fmt: skip
        case "grass":
            return _pattern(
                ground, 30, 30,
                path("M5 12l1.5-5 1.5 5M20 25l1.5-5 1.5 5", stroke="#5f7c3c", fill="none",
                     stroke_width=1, opacity=0.5),
            )  # fmt: skip
        case "felt":
            return _pattern(
                ground, 8, 8,
                path("M0 0l8 8M8 0L0 8", stroke="#ffffff", stroke_width=0.4, opacity=0.07),
            )  # fmt: skip
        case "slate":
            return _pattern(
                ground, 60, 30,
                path("M0 29.5H60M18 0V15M48 15V30M0 14.5H60", stroke="#20262d", stroke_width=1,
                     opacity=0.3, fill="none"),
            )  # fmt: skip
    return _pattern(ground, 40, 40, circle(10, 12, 1.2, fill="#ffffff"),
                    circle(30, 31, 1.2, fill="#ffffff"))  # fmt: skip


def _pattern(ground: str, width: int, height: int, *drawn: str) -> str:
    return el(
        "pattern", *drawn, id=f"texture-{ground}", width=width, height=height,
        patternUnits="userSpaceOnUse",
    )  # fmt: skip


def painted(ground: str, width: float, height: float, radius: float = 14) -> str:
    """Draws a rounded rectangle filled with a ground."""
    return rect(0, 0, width, height, radius, fill=f"url(#ground-{ground})") + rect(
        0.75, 0.75, width - 1.5, height - 1.5, radius, fill=f"url(#texture-{ground})",
        stroke="#2a2014", stroke_width=1.5, stroke_opacity=0.35,
    )  # fmt: skip


# ---------------------------------------------------------------- cells

# The page highlights selectable places through their ground: it recolours a `clear` one, and
# brightens one with a colour of its own.


def clear(inset: float, width: float, height: float, opacity: float = 0) -> str:
    """Draws a clickable, nearly transparent area."""
    return rect(
        inset, inset, width, height, 7, class_="ground clear", fill="#ffffff", fill_opacity=opacity
    )


def open_cell(width: float, height: float, ink: str) -> str:
    """Draws an open place at the edge of a growing table."""
    return rect(
        2, 2, width - 4, height - 4, 8, class_="ground clear", fill="#ffffff", fill_opacity=0.1,
        stroke=ink, stroke_opacity=0.35, stroke_dasharray="3 4",
    )  # fmt: skip


def empty_cell(width: float, height: float) -> str:
    """Draws an empty place for a piece."""
    return rect(
        1, 1, width - 2, height - 2, 7, class_="ground clear", fill="#ffffff", fill_opacity=0.12,
        stroke=LINE, stroke_dasharray="4 4",
    )  # fmt: skip


def paper_cell(width: float, height: float) -> str:
    """Draws a cell of a board without a colour."""
    return rect(
        0, 0, width, height, 3, class_="ground clear", fill="#ffffff", fill_opacity=0.28,
        stroke="#2a2014", stroke_opacity=0.4,
    )  # fmt: skip


def board_cell(width: float, height: float, colour: str, hollow: bool) -> str:
    """Draws a cell of a coloured board, with a hollow for round pieces."""
    tones = shades(colour)
    cell = rect(
        0, 0, width, height, 3, class_="ground", fill=tones.main, stroke=tones.dark,
        stroke_opacity=0.8,
    )  # fmt: skip
    if not hollow:
        return cell
    radius = min(width, height) / 2 - 2.5
    return cell + circle(width / 2, height / 2, radius, fill=tones.dark, opacity=0.28)


# ---------------------------------------------------------------- land

_SPOTS = ((0.07, 0.08), (0.82, 0.3), (0.16, 0.47), (0.68, 0.02), (0.9, 0.62), (0.02, 0.66))


@lru_cache(maxsize=1024)
def hex_cell(width: float, height: float, tones: Shades, ink: float = 1.0) -> str:
    """Draws a pointy-top hex; `ink` is the opacity of its colour."""
    middle, low, high = width / 2, height / 4, height * 3 / 4
    corners = ((middle, 0), (width, low), (width, high), (middle, height), (0, high), (0, low))
    line = " L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
    whole = ink == 1
    return path(f"M{line} Z", class_="ground" if whole else "ground clear",
                fill=tones.pale if whole else "#ffffff", fill_opacity=None if whole else ink / 3,
                stroke=tones.dark, stroke_opacity=0.6 * ink or 0.08,
                stroke_dasharray=None if whole else "3 4")  # fmt: skip


def point_cell(side: float, ink: str) -> str:
    """Draws a point where lines meet."""
    middle, room = side / 2, side * 0.36
    return circle(middle, middle, room, class_="ground clear", fill="#ffffff", fill_opacity=0) + (
        circle(middle, middle, 4.5, fill=ink)
    )


def tint(width: float, height: float, colour: str) -> str:
    """Draws a tint around a point where lines meet."""
    return rect(0, 0, width, height, fill=colour, fill_opacity=0.22)


def strip_cell(width: float, height: float, colour: str | None, falling: bool) -> str:
    """Draws a strip on which pieces are stacked; with a colour, a wedge that tapers away from its
    base."""
    room = clear(0, width, height)
    if colour is None:
        return room
    tones = shades(colour)
    base, tip = (0.0, height) if falling else (height, 0.0)
    wedge = f"M1 {base:.1f} H{width - 1:.1f} L{width / 2:.1f} {tip:.1f} Z"
    return path(wedge, fill=tones.main, stroke=tones.dark, stroke_opacity=0.6) + room


def land(look: Look, width: float, height: float, seed: int) -> str:
    """Draws land: a cell in its colour, with scattered pictures and a badge.

    The pictures keep to the sides, so that a piece in the middle hides none of them.
    """
    tones = look.tones
    parts = [rect(0, 0, width, height, fill=tones.pale)]
    if look.picture:
        size = min(height * 0.52, 19)
        count = 5 if not look.badge else 4
        for at in range(count):
            x, y = _SPOTS[(at + seed) % len(_SPOTS)]
            shift = (seed * 7 + at * 5) % 5 - 2
            left = min(max(x * width + shift, 1), width - size - 1)
            if look.badge:
                left = min(left, width - size - 21)
            top = y * (height - size) * 1.35
            parts.append(picture(look.picture, left, min(top, height - size), size, tones))
    if look.badge:
        parts.append(_plate(look.badge, width - 11.5, height / 2, tones.dark))
    return "".join(parts)


def _plate(words: str, x: float, y: float, edge: str) -> str:
    size = fitting(words, 12, 17, 7)
    return circle(x, y, 9.2, fill=PAPER, stroke=edge, stroke_width=1.4) + text(
        words, x, y + size * 0.36, size, fill=edge, anchor="middle", weight=700
    )


def shore(width: float, height: float) -> str:
    """Draws a beach around a strip of land."""
    sand = shades("yellow").pale
    return rect(
        -4, -4, width + 8, height + 8, 9, fill=sand, stroke="#fffdf2", stroke_width=2,
        stroke_opacity=0.55,
    )  # fmt: skip
