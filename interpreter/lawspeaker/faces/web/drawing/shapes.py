"""Draws pieces, each in its shape: card, tile, disc, pawn, ship, stone, stick, die or mark.

Every shape fills a rectangle from the origin to a given width and height. The owner of a piece
shows as a letter as well as a colour.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from lawspeaker.faces.render.sides import AROUND
from lawspeaker.faces.web.drawing.appearance import Look, Side
from lawspeaker.faces.web.drawing.card_faces import face
from lawspeaker.faces.web.drawing.palette import INK, PAPER
from lawspeaker.faces.web.drawing.pictures import flat, picture
from lawspeaker.faces.web.drawing.svg import (
    circle,
    el,
    fitting,
    moved,
    path,
    rect,
    text,
    text_width,
    wrapped,
)

UNIT = 36.0
"""Height of a place in a line; a piece that spans n places is n times as long."""
SIZES: dict[str, tuple[float, float]] = {
    "card": (112, 158),
    "tile": (62, 62),
    "disc": (38, 38),
    "pawn": (27, 33),
    "ship": (46, UNIT),
    "stone": (30, 25),
    "stick": (9, 44),
    "die": (36, 36),
    "mark": (38, 38),
}
SMALL: dict[str, tuple[float, float]] = {
    "card": (32, 45),
    "tile": (28, 28),
    "disc": (16, 16),
    "pawn": (16, 20),
    "ship": (14, 34),
    "stone": (16, 13),
    "stick": (5, 22),
    "die": (18, 18),
    "mark": (16, 16),
}
"""Sizes in player strips and piles."""
LEGIBLE = 7.5
"""Font size below which the name of a tile wraps to two lines."""


def size_of(look: Look) -> tuple[float, float]:
    """Returns the default size of a piece."""
    width, height = SIZES[look.shape]
    height *= max(look.size, 1)
    return (height, width) if look.turn in (90, 270) else (width, height)


def small_size_of(look: Look) -> tuple[float, float]:
    return SMALL[look.shape]


@lru_cache(maxsize=4096)
def drawn(look: Look, width: float, height: float) -> str:
    """Draws a piece, or its back if it is hidden."""
    if look.hidden:
        return _back(look, width, height) + _clues(look, width, height)
    lying = look.turn in (90, 270)
    wide, high = (height, width) if lying else (width, height)
    body = _SHAPES[look.shape](look, wide, high)
    if not look.turn:
        return body
    turned = f"rotate({look.turn} {wide / 2:.1f} {high / 2:.1f})"
    if wide != width:  # the middle of the piece comes to the middle of its box
        turned = f"translate({(width - wide) / 2:.1f} {(height - high) / 2:.1f}) {turned}"
    return el("g", body, transform=turned)


def bleeding(look: Look, width: float, height: float, bleed: float) -> str:
    """Draws a card or tile with its background beyond the edges, for cutting; itself it stays as
    large."""
    if look.face and not look.hidden:
        return face(look, width, height, bleed)
    beyond = rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, fill=look.tones.dark)
    return beyond + drawn(look, width, height)


def chip(letter: str, look: Look, size: float) -> str:
    """Draws a player's sign: a letter on the player's colour."""
    tones, half = look.tones, size / 2
    sign = text(
        letter,
        half,
        half + size * 0.2,
        size * 0.56,
        fill=tones.ink,
        anchor="middle",
        weight=700,
    )
    return circle(half, half, half - 1, fill=tones.main, stroke=tones.dark, stroke_width=1.5) + sign


BOLD = 1.15
"""Width of bold serif letters relative to `text_width`."""
BROADEST = 1.25
"""Factor by which some fonts are wider than `text_width` estimates."""

# ---------------------------------------------------------------- cards and tiles


def _card(look: Look, width: float, height: float) -> str:
    if look.face and width >= 80:
        return face(look, width, height)
    return _small_card(look, width, height) if width < 80 else _large_card(look, width, height)


def _large_card(look: Look, width: float, height: float) -> str:
    tones = look.tones
    written = wrapped(look.text, 9, width - 14, 6) if look.text else []
    art = height - 30 - (len(written) * 10.4 + 8 if written else 6)
    room = width - (34 if look.badge else 16)
    name_size = fitting(look.name, 13, room / BOLD, 6)
    wide = text_width(look.name, name_size) * BOLD
    # A name that barely fits is forced to its width: a wider font would run into the badge.
    held = {"textLength": round(wide), "lengthAdjust": "spacingAndGlyphs"} if (
        wide * BROADEST > room) else {}  # fmt: skip
    parts = [
        rect(0.75, 0.75, width - 1.5, height - 1.5, 8, fill=PAPER, stroke=tones.dark,
             stroke_width=1.5),
        path(f"M.75 24V8.75a8 8 0 0 1 8-8H{width - 8.75:.1f}a8 8 0 0 1 8 8V24z", fill=tones.main),
        text(look.name, 8, 17, name_size, fill=tones.ink, weight=700, serif=True, **held),
        rect(6, 28, width - 12, art, 4, fill=tones.pale),
    ]  # fmt: skip
    if look.badge:
        size = fitting(look.badge, 12, 13 / BOLD, 5)
        parts += [
            circle(width - 14, 12.5, 9, fill=PAPER, stroke=tones.dark, stroke_width=1),
            text(
                look.badge,
                width - 14,
                12.5 + 0.36 * size,
                size,
                anchor="middle",
                weight=700,
                serif=True,
            ),
        ]
    if look.picture:
        size = min(art - 4, 66)
        parts.append(picture(look.picture, (width - size) / 2, 28 + (art - size) / 2, size, tones))
    else:
        size = min(art * 0.62, 60)
        first = look.name[:1].upper()
        parts.append(
            text(first, width / 2, 28 + art / 2 + size * 0.34, size, fill=tones.main,
                 anchor="middle", weight=700, serif=True)
        )  # fmt: skip
    top = 28 + art + 11
    parts += [
        text(line, width / 2, top + 10.4 * at, 9, fill=INK, anchor="middle")
        for at, line in enumerate(written)
    ]
    return "".join(parts)


def _small_card(look: Look, width: float, height: float) -> str:
    tones = look.tones
    parts = [
        rect(0.6, 0.6, width - 1.2, height - 1.2, width * 0.12, fill=tones.pale, stroke=tones.dark,
             stroke_width=1.2),
    ]  # fmt: skip
    if look.picture:
        size = width * 0.6
        top = (height - size) / 2 + (height * 0.08 if look.badge else 0)
        parts.append(picture(look.picture, (width - size) / 2, top, size, tones))
    if look.badge:
        parts.append(
            text(look.badge, width * 0.1, height * 0.25, width * 0.3, fill=tones.dark, weight=700)
        )
    if not look.picture and not look.badge:
        size = fitting(look.name, width * 0.3, (width - 8) * 0.88, 4)
        parts.append(
            text(look.name, width / 2, height * 0.62, size, fill=INK, anchor="middle", weight=600)
        )
    return "".join(parts)


def _tile(look: Look, width: float, height: float) -> str:
    if look.face and min(width, height) >= 48:
        return face(look, width, height)
    if look.sides:
        return _sided_tile(look, width, height)
    if look.fields:
        return _tile_of_fields(look, width, height)
    tones = look.tones
    parts = [
        rect(1.5, 2.5, width - 3, height - 3, 7, fill=tones.dark),
        rect(1.5, 1, width - 3, height - 4, 7, fill=tones.pale, stroke=tones.dark, stroke_width=1),
        rect(4, 3.5, width - 8, height - 9, 5, fill="none", stroke=tones.main, stroke_width=1),
    ]
    flat_tile = width > height * 1.3
    if flat_tile:
        size = height - 12
        if look.picture:
            parts.append(picture(look.picture, 9, (height - size) / 2 - 1, size, tones))
        if look.badge:
            parts.append(_badge(look, width - 18, height / 2 - 1, height * 0.27))
        return "".join(parts)
    named = width >= 48
    lines = _lines(look.name, width - 10) if named else []
    size = min(width, height) * (0.62 if not named else 0.5 if len(lines) == 1 else 0.43)
    top = height * 0.13 if named else (height - size) / 2 - 1
    if look.picture:
        parts.append(picture(look.picture, (width - size) / 2, top, size, tones))
    elif not named and not look.badge and look.initial:
        line = fitting(look.initial, width * 0.46, width * 0.34, 5)
        parts.append(
            text(look.initial, width * 0.3, height * 0.3 + line * 0.36, line, fill=tones.dark,
                 anchor="middle", weight=700)
        )  # in its corner: most of a small tile may be covered by the next one  # fmt: skip
    line = min((fitting(each, 11 if len(lines) == 1 else LEGIBLE, width - 10, 5) for each in lines),
               default=0)  # fmt: skip
    for above, each in enumerate(reversed(lines)):
        parts.append(
            text(each, width / 2, height - 9.5 - above * line * 1.05, line, fill=tones.dark,
                 anchor="middle", weight=700, serif=True)
        )  # fmt: skip
    if look.badge:
        radius = 8.5 if named else width * 0.2
        parts.append(_badge(look, width - radius - 3.5, radius + 3, radius))
    return "".join(parts)


def _tile_of_fields(look: Look, width: float, height: float) -> str:
    """Draws a tile with several fields, one below the other."""
    parts = [rect(1.5, 2.5, width - 3, height - 3, 7, fill=INK)]
    high = (height - 4) / len(look.fields)
    size = min(high, width) * 0.78
    for at, field in enumerate(look.fields):
        top, tones = 1 + at * high, field.tones
        parts.append(rect(1.5, top, width - 3, high, 4, fill=tones.pale, stroke=tones.dark))
        if field.picture:
            left = (width - size) / 2 - (size * 0.3 if field.badge else 0)
            parts.append(picture(field.picture, left, top + (high - size) / 2, size, tones))
        else:
            line = fitting(field.name, high * 0.4, width - 10, 5)
            middle = top + high / 2 + line * 0.36
            parts.append(
                text(field.name, width / 2, middle, line, fill=tones.dark, anchor="middle")
            )
        if field.badge:
            radius = high * 0.28
            parts.append(_badge(field, width - radius - 5, top + high / 2, radius))
    return "".join(parts)


def _lines(name: str, width: float) -> list[str]:
    """Returns a tile's name on one line, or on two if it would be too small to read."""
    fits = text_width(name, LEGIBLE) <= width
    return [name] if fits else wrapped(name, LEGIBLE, width, 2)


def _sided_tile(look: Look, width: float, height: float) -> str:
    """Draws a tile whose sides each show a strip or an area that meets the others in the middle."""
    tones, size = look.tones, min(width, height)
    ground = rect(0.5, 0.5, size - 1, size - 1, 3, fill=tones.pale, stroke=tones.dark,
                  stroke_width=1)  # fmt: skip
    shown = [(at, side) for at, side in enumerate(look.sides) if side is not None]
    wide = [_side(at, side, size) for at, side in shown if not side.strip]
    strips = [_side(at, side, size) for at, side in shown if side.strip]
    who = _on_tile(look, size) if look.mark_letter else ""
    return moved((width - size) / 2, (height - size) / 2, "".join((ground, *wide, *strips, who)))


def _side(at: int, side: Side, size: float) -> str:
    """Draws a strip, or the whole side, from an edge to the middle."""
    tones, half, reach = side.tones, size / 2, size * 0.08
    if side.strip:
        body = rect(half - reach, 1, 2 * reach, half + reach - 1, reach * 0.8, fill=tones.light,
                    stroke=tones.dark, stroke_width=1)  # fmt: skip
    else:
        body = path(
            f"M1 1H{size - 1:.1f}L{half + reach:.1f} {half:.1f}H{half - reach:.1f}z",
            fill=tones.main, stroke=tones.dark, stroke_width=1, stroke_linejoin="round",
        )  # fmt: skip
    return el("g", body, transform=f"rotate({90 * at} {half:.1f} {half:.1f})")


def _on_tile(look: Look, size: float) -> str:
    """Draws the marked player on a side or in the middle, as an upright letter."""
    steps = (0, 0) if look.mark_at is None else AROUND[look.mark_at]
    wide = size * 0.36
    left, top = (size / 2 + step * size * 0.28 - wide / 2 for step in steps)
    return moved(left, top, chip(look.mark_letter, Look("", tones=look.mark_tones), wide))


def _badge(look: Look, x: float, y: float, radius: float) -> str:
    tones = look.tones
    size = fitting(look.badge, radius * 1.35, radius * 1.7, 4)
    return circle(x, y, radius, fill=tones.main, stroke=PAPER, stroke_width=1.2) + text(
        look.badge, x, y + size * 0.36, size, fill=tones.ink, anchor="middle", weight=700
    )


def _back(look: Look, width: float, height: float) -> str:
    """Draws the back of a piece."""
    if look.shape not in ("card", "tile"):
        return _SHAPES[look.shape](look, width, height)
    tones, radius = look.tones, min(8, width * 0.12)
    inset = max(2.5, width * 0.07)
    inner = (width - 2 * inset, height - 2 * inset)
    middle = (width / 2, height / 2)
    bow = min(inner) * 0.34
    knot = (
        f"M{middle[0]:.1f} {middle[1] - bow:.1f}l{bow:.1f} {bow:.1f}-{bow:.1f} {bow:.1f}"
        f"-{bow:.1f}-{bow:.1f}z"
    )
    return "".join(
        (
            rect(0.6, 0.6, width - 1.2, height - 1.2, radius, fill=tones.dark, stroke=PAPER,
                 stroke_width=1.2),
            rect(inset, inset, *inner, radius * 0.7, fill=tones.main, stroke=tones.light,
                 stroke_width=0.8),
            path(knot, fill="none", stroke=tones.light, stroke_width=max(1, width * 0.035)),
            circle(*middle, bow * 0.55, fill="none", stroke=tones.light,
                   stroke_width=max(1, width * 0.035)),
        )
    )  # fmt: skip


def _clues(look: Look, width: float, height: float) -> str:
    """Draws what is public about a face-down piece, on a band across it."""
    if not look.badge:
        return ""
    size = fitting(look.badge, height * 0.22, width * 0.92, 3)
    high = size * 1.5
    band = rect(0.6, height - high - 1, width - 1.2, high, 2, fill=PAPER, stroke=look.tones.dark,
                stroke_width=0.6)  # fmt: skip
    words = text(
        look.badge, width / 2, height - 1 - size * 0.45, size, fill=INK, anchor="middle", weight=700
    )
    return band + words


# ---------------------------------------------------------------- pieces on a board


def _disc(look: Look, width: float, height: float) -> str:
    tones, x, y = look.tones, width / 2, height / 2
    radius = min(width, height) / 2 - 1
    parts = [
        circle(x, y + 1, radius, fill=tones.dark),
        circle(x, y - 0.5, radius - 0.5, fill=tones.main, stroke=tones.dark, stroke_width=0.8),
        circle(x, y - 0.5, radius * 0.72, fill="none", stroke=tones.light, stroke_width=1.2,
               opacity=0.8),
    ]  # fmt: skip
    if look.picture:
        size = radius * 1.1
        parts.append(flat(look.picture, x - size / 2, y - size / 2 - 0.5, size, tones.ink, 0.92))
    elif look.letter and radius > 6:
        parts.append(
            text(look.letter, x, y + radius * 0.3, radius * 0.86, fill=tones.ink, anchor="middle",
                 weight=700)
        )  # fmt: skip
    return "".join(parts)


def _pawn(look: Look, width: float, height: float) -> str:
    """Draws a standing figure; its picture is drawn on its head."""
    tones = look.tones
    scale = min(width / 27, height / 33)
    body = path(
        "M13.5 13c5 0 8 3.5 9.3 9.5l2 8.5c.3 1.2-.4 1.8-1.5 1.8H3.7c-1.1 0-1.8-.6-1.5-1.8l2"
        "-8.5C5.5 16.5 8.5 13 13.5 13z",
        fill=tones.main, stroke=tones.dark, stroke_width=1.3,
    )  # fmt: skip
    halo = path(
        "M13.5 12c5.5 0 9 4 10.3 10.3l2 8.5c.4 1.8-.8 3-2.5 3H3.7c-1.7 0-2.9-1.2-2.5-3"
        "l2-8.5C4.5 16 8 12 13.5 12z",
        fill=PAPER, opacity=0.75,
    )  # fmt: skip
    head = circle(13.5, 9.8, 5.6, fill=tones.light, stroke=tones.dark, stroke_width=1.3)
    worn = picture(look.picture, 5.8, 0, 15.4, tones) if look.picture else ""
    sign = text(look.letter, 13.5, 28.6, 11.5, fill=tones.ink, anchor="middle", weight=700)
    return el("g", halo, body, head, worn, sign, transform=f"scale({scale:.3f})")


def _stone(look: Look, width: float, height: float) -> str:
    tones = look.tones
    x, y = width / 2, height / 2
    return (
        el("ellipse", cx=x, cy=y + 1.2, rx=x - 1, ry=y - 1.5, fill=tones.dark)
        + el("ellipse", cx=x, cy=y - 0.6, rx=x - 1, ry=y - 1.8, fill=tones.main)
        + el("ellipse", cx=x * 0.78, cy=y * 0.62, rx=x * 0.36, ry=y * 0.22, fill=tones.light,
             opacity=0.8)
    )  # fmt: skip


def _stick(look: Look, width: float, height: float) -> str:
    tones = look.tones
    body = rect(
        1, 1, width - 2, height - 2, (min(width, height) - 2) / 2, fill=tones.main,
        stroke=tones.dark, stroke_width=1,
    )  # fmt: skip
    if width > height:
        return body + rect(4, height * 0.3, width - 8, height * 0.16, 1, fill=tones.light)
    return body + rect(width * 0.3, 4, width * 0.16, height - 8, 1, fill=tones.light)


PIPS = {
    1: ((2, 2),),
    2: ((1, 1), (3, 3)),
    3: ((1, 1), (2, 2), (3, 3)),
    4: ((1, 1), (1, 3), (3, 1), (3, 3)),
    5: ((1, 1), (1, 3), (2, 2), (3, 1), (3, 3)),
    6: ((1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)),
}


def _die(look: Look, width: float, height: float) -> str:
    size = min(width, height)
    body = rect(1, 2.5, size - 2, size - 3, size * 0.2, fill="#8d8470") + rect(
        1, 1, size - 2, size - 3, size * 0.2, fill="#fffdf6", stroke="#6b5f50", stroke_width=1
    )
    shown = look.pips
    if shown not in PIPS:
        sign = look.badge or ("" if shown is None else str(shown))
        return body + text(sign, size / 2, size * 0.66, size * 0.5, anchor="middle", weight=700)
    dots = (
        circle(size * at[0] / 4, size * at[1] / 4, size * 0.085, fill=INK) for at in PIPS[shown]
    )
    return body + "".join(dots)


def _mark(look: Look, width: float, height: float) -> str:
    """Draws a picture without a body, or else a letter."""
    size = min(width, height) * 0.82
    if look.picture:
        return picture(look.picture, (width - size) / 2, (height - size) / 2, size, look.tones)
    return text(
        look.letter or look.name[:2], width / 2, height * 0.72, size * 0.8, fill=look.tones.main,
        anchor="middle", weight=700, serif=True,
    )  # fmt: skip


def _ship(look: Look, width: float, height: float) -> str:
    """Draws an open boat from above, bow up, with a bench for each place of its length."""
    w, h = width, height
    middle = w / 2
    hull = (
        f"M{middle:.1f} 1C{w * 0.86:.1f} {h * 0.1:.1f} {w - 2:.1f} {h * 0.24:.1f} {w - 2:.1f} "
        f"{h * 0.45:.1f}C{w - 2:.1f} {h * 0.74:.1f} {w * 0.8:.1f} {h * 0.92:.1f} {middle:.1f} "
        f"{h - 2:.1f}C{w * 0.2:.1f} {h * 0.92:.1f} 2 {h * 0.74:.1f} 2 {h * 0.45:.1f}"
        f"C2 {h * 0.24:.1f} {w * 0.14:.1f} {h * 0.1:.1f} {middle:.1f} 1z"
    )
    wood, edge, deck, plank = "#9a6a3c", "#4a2d14", "#c99a63", "#a87845"
    inside = el(
        "g",
        path(hull, fill=deck),
        transform=f"translate({w * 0.1:.2f} {h * 0.05:.2f}) scale(.8 .9)",
    )
    lines = "".join(
        path(f"M{middle + off:.1f} {h * 0.14:.1f}V{h * 0.88:.1f}", stroke=plank, stroke_width=0.8)
        for off in (-w * 0.2, 0, w * 0.2)
    )
    parts = [
        path(hull, fill=wood, stroke=edge, stroke_width=1.5),
        inside,
        lines,
        *_shields(hull),
        _prow(w, edge),
    ]
    if look.size > 1:
        parts += [_bench(look, at, w, h) for at in range(look.size)]
    elif look.letter:
        parts.append(chip(look.letter, look, w * 0.7))
    return "".join(parts)


def bench_at(look: Look, part: int, height: float) -> float:
    """Returns the distance of a bench's centre from the bow."""
    return height * (part + 0.5) / look.size


def _shields(hull: str) -> list[str]:
    """Draws round shields along both sides: dots of two colours on the outline."""
    return [
        path(hull, fill="none", stroke=colour, stroke_width=5, stroke_linecap="round",
             stroke_dasharray="0 14", stroke_dashoffset=offset)
        for colour, offset in (("#b5522f", 0), ("#d8b24a", 7))
    ]  # fmt: skip


def _prow(w: float, edge: str) -> str:
    """Draws the carved head at the bow."""
    middle = w / 2
    head = path(
        f"M{middle - 3:.1f} 14C{middle - 5:.1f} 8 {middle - 4:.1f} 2 {middle:.1f} 0c4 2 5 8 3 14z",
        fill="#d8b24a",
        stroke=edge,
        stroke_width=1,
    )
    eyes = (circle(middle + side, 5, 0.9, fill=edge) for side in (-1.6, 1.6))
    return head + "".join(eyes)


def _bench(look: Look, part: int, w: float, h: float) -> str:
    y = bench_at(look, part, h)
    marked = look.mark is not None and look.mark.part == part
    if not marked:
        return circle(w / 2, y, w * 0.24, fill="#7a5027", stroke="#4a2d14", stroke_width=1)
    tones = look.mark_tones
    ring = circle(w / 2, y, w * 0.27, fill=tones.main, stroke="#fff6dd", stroke_width=1.6)
    # The letter stays upright when the boat is turned.
    sign = text(look.mark_letter, 0, 4, 11, fill=tones.ink, anchor="middle", weight=700)
    return ring + el("g", sign, transform=f"translate({w / 2:.1f} {y:.1f}) rotate({-look.turn})")


_SHAPES: dict[str, Callable[[Look, float, float], str]] = {
    "card": _card,
    "tile": _tile,
    "disc": _disc,
    "pawn": _pawn,
    "ship": _ship,
    "stone": _stone,
    "stick": _stick,
    "die": _die,
    "mark": _mark,
}
