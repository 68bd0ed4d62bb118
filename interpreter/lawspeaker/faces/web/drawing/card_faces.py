"""Lays out the front of a card or tile as the rules arrange it.

The face has three bands, at the top, in the middle and at the bottom, and each band has a column on
the left, in the middle and on the right. Parts at one place stand one below the other. The bands at
the top and the bottom are as high as they must be, and the middle has what is left; so parts never
overlap. If there is too little room, everything becomes smaller, and at last long texts are cut.

A picture that fills the face is as large as the card with its bleed, and is clipped at the edge of
the card, or at that of the bleed: what is printed is what is on the screen, and a bit more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import sqrt
from zlib import crc32

from lawspeaker import ir
from lawspeaker.faces.web.drawing.appearance import FaceItem, Icons, Look
from lawspeaker.faces.web.drawing.palette import INK, PAPER, Shades
from lawspeaker.faces.web.drawing.pictures import SHEET, picture
from lawspeaker.faces.web.drawing.svg import (
    el,
    fitting,
    moved,
    rect,
    shortened,
    text,
    text_width,
    wrapped,
)

NORMAL = 112.0
"""The width of a card at which letters have the sizes below."""
LETTERS = {"small": 8.0, "medium": 10.5, "large": 17.0}
ICONS = {"small": 12.0, "medium": 19.0, "large": 32.0}
ART = {"small": 0.5, "medium": 0.75, "large": 1.0}
"""The part of the room that a picture in the middle takes, and of half the card elsewhere."""
BLEED = 8.0
"""How far a picture that fills a card of normal width reaches beyond it."""
SHRUNK = ((1.0, 14), (0.9, 14), (0.8, 14), (0.7, 14), (0.6, 14), (0.6, 8), (0.6, 5), (0.6, 3),
          (0.6, 2), (0.6, 1))  # fmt: skip
"""Sizes to try one after the other: a factor, and the maximum number of lines of a text."""
MOST_ICONS = 6
"""More of the same than this are drawn once, with their number."""
SHARES = {1: 1.0, 2: 0.48, 3: 0.3}
"""The most that a column at a side takes of the width, by the number of columns."""
GAP, LINE, BOLD = 2.0, 1.16, 1.1
DIGIT = 0.45
"""The width of a digit beside a picture, as a part of the picture's."""
LEAST = 6.0
"""The smallest size of letters of a word that is too long for its line."""
SMALLER = 0.8
"""The part of its size to which a name may shrink before it takes two lines."""
SIDES = ("left", "middle", "right")
_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}


@dataclass(frozen=True, slots=True)
class _Block:
    """A part that is laid out: how wide and high it is, and its drawing from the top of its
    column."""

    height: float
    body: str


def fills(look: Look) -> FaceItem | None:
    """The picture that fills the face, if there is one."""
    return next((each for each in look.face if each.size == "full"), None)


def face(look: Look, width: float, height: float, bleed: float = 0) -> str:
    """Draws the front of a card; with bleed, what lies behind goes on beyond its edges."""
    return ground(look, width, height, bleed) + _parts(look, width, height)


def ground(look: Look, width: float, height: float, bleed: float) -> str:
    """Draws what is behind the parts of a face."""
    tones, radius = look.tones, min(8.0, width * 0.08)
    full = fills(look)
    edge = {"stroke": tones.dark, "stroke_width": 1.5}
    card = (0.75, 0.75, width - 1.5, height - 1.5, radius)
    if full is None:
        below = _beyond(width, height, bleed, fill=tones.dark) if bleed else ""
        return below + rect(*card, fill=tones.pale, **edge)
    over = BLEED * width / NORMAL
    art = _covering(full.pictures[0], width + 2 * over, height + 2 * over)
    art = moved(-over, -over, art)
    if bleed:
        edges = _beyond(width, height, bleed)
        back = _beyond(width, height, bleed, fill=tones.pale)
    else:
        edges, back = rect(*card), rect(*card, fill=tones.pale)
    clip = f"c{crc32((edges + art).encode()):08x}"
    clipped = el("g", art, clip_path=f"url(#{clip})")
    border = "" if bleed else rect(*card, fill="none", **edge)
    return el("clipPath", edges, id=clip) + back + clipped + border


def _beyond(width: float, height: float, bleed: float, **more: str) -> str:
    return rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, **more)


def _covering(pictured: Icons, width: float, height: float) -> str:
    """Draws a picture so large that it covers a rectangle, without distorting it."""
    which, tones, _ = pictured
    wide = high = float(SHEET)
    if isinstance(which, ir.Picture):
        *_, wide, high = map(float, which.view_box.replace(",", " ").split())
    scale = max(width / wide, height / high)
    size = (wide * scale, high * scale)
    x, y = (width - size[0]) / 2, (height - size[1]) / 2
    if isinstance(which, ir.Picture):
        return el("use", href=f"#{which.name}", x=x, y=y, width=size[0], height=size[1],
                  color=tones.main)  # fmt: skip
    return picture(which, x, y, size[0], tones)


# ---------------------------------------------------------------- bands and columns


def _parts(look: Look, width: float, height: float) -> str:
    """Draws the parts of a face, as large as they fit."""
    items = [each for each in look.face if each.size != "full"]
    body = ""
    for factor, lines in SHRUNK:
        unit = sqrt(width / NORMAL) * factor
        layout = _Layout(look, width, height, unit, lines)
        body, fits = layout.drawn(items)
        if fits:
            break
    return body


@dataclass(frozen=True, slots=True)
class _Layout:
    look: Look
    width: float
    height: float
    unit: float
    lines: int

    @property
    def inset(self) -> float:
        return 6.0 * sqrt(self.width / NORMAL)

    def drawn(self, items: Sequence[FaceItem]) -> tuple[str, bool]:
        """Draws all parts, and says whether there was room for them."""
        bands: dict[str, list[FaceItem]] = {"top": [], "": [], "bottom": []}
        for item in items:
            band = item.at.partition(" ")[0]
            bands[band if band in bands else ""].append(item)
        free = self.height - 2 * self.inset
        top, above = self.band(bands["top"], None)
        bottom, below = self.band(bands["bottom"], None)
        room = free - above - below - GAP * (bool(above) + bool(below))
        middle, between = self.band(bands[""], max(room, 1.0)) if bands[""] else ("", 0.0)
        start = self.inset + above + (GAP if above else 0)
        placed = (
            moved(self.inset, self.inset, top) if top else "",
            moved(self.inset, start + max(0.0, (room - between) / 2), middle) if middle else "",
            moved(self.inset, self.height - self.inset - below, bottom) if bottom else "",
        )
        least = 14.0 * self.unit if any(each.show == "picture" for each in bands[""]) else 0.0
        return "".join(placed), room >= max(between, least) - 0.01

    def band(self, items: Sequence[FaceItem], room: float | None) -> tuple[str, float]:
        """Draws the columns of a band side by side, and returns how high they are."""
        columns = {side: [each for each in items if _side(each) == side] for side in SIDES}
        whole = self.width - 2 * self.inset
        widths = dict.fromkeys(SIDES, 0.0)
        taken = [side for side in SIDES if columns[side]]
        for side in ("left", "right"):
            if columns[side]:
                natural = max(self.natural(each) for each in columns[side])
                widths[side] = min(natural, whole * SHARES[len(taken)])
        if taken in (["left"], ["right"]):
            natural = max(self.natural(each) for each in items)
            widths[taken[0]] = min(natural, whole)
        if columns["middle"]:  # as far from both edges, unless that leaves too little
            widths["middle"] = whole - widths["left"] - widths["right"]
            widths["middle"] -= GAP * (len(taken) - 1)
        stacks = {side: self.column(columns[side], side, widths[side], room) for side in taken}
        high = max((height for _, height in stacks.values()), default=0.0)
        starts = {
            "left": 0.0,
            "middle": widths["left"] + GAP if widths["left"] else 0.0,
            "right": whole - widths["right"],
        }
        bodies = [
            moved(starts[side], (high - height) / 2, body)
            for side, (body, height) in stacks.items()
        ]
        return "".join(bodies), high

    def natural(self, item: FaceItem) -> float:
        """How wide a part is if it has room."""
        if item.pictures:
            size = self.picture_size(item)
            shown = min(sum(times for *_, times in item.pictures), MOST_ICONS)
            return size * shown + 1
        pad = 4 * self.unit if item.behind else 0.0
        return text_width(item.text, self.letters(item)) * BOLD + 1 + 2 * pad

    def column(
        self, items: Sequence[FaceItem], side: str, width: float, room: float | None
    ) -> tuple[str, float]:
        """Draws parts one below the other; a picture takes what the others leave of the room."""
        blocks: dict[int, _Block] = {}
        art = [at for at, each in enumerate(items) if each.show == "picture" and room is not None]
        for at, item in enumerate(items):
            if at not in art:
                blocks[at] = self.block(item, side, width)
        if art and room is not None:
            used = sum(each.height for each in blocks.values()) + GAP * (len(items) - 1)
            each_high = max(1.0, (room - used) / len(art))
            for at in art:
                size = min(each_high, width) * ART[items[at].size]
                blocks[at] = self.pictured(items[at], side, width, size)
        top = 0.0
        bodies = []
        for at in range(len(items)):
            bodies.append(moved(0, top, blocks[at].body))
            top += blocks[at].height + GAP
        return "".join(bodies), max(0.0, top - GAP)

    # ------------------------------------------------------------ parts

    def letters(self, item: FaceItem) -> float:
        return LETTERS[item.size] * self.unit

    def picture_size(self, item: FaceItem) -> float:
        if item.show == "picture":
            return ART[item.size] * min(self.width, self.height) / 2 * self.unit
        return ICONS[item.size] * self.unit

    def block(self, item: FaceItem, side: str, width: float) -> _Block:
        if item.pictures:
            return self.pictured(item, side, width, self.picture_size(item))
        return self.written(item, side, width)

    def written(self, item: FaceItem, side: str, width: float) -> _Block:
        """Draws a text on as many lines as it needs; a name is rather a bit smaller."""
        pad = 4 * self.unit if item.behind else 0.0
        bold = item.show != "text"
        room = max(1.0, (width - 2 * pad) / (BOLD if bold else 1.0))
        size = self.letters(item)
        if item.show == "name" and text_width(item.text, size * SMALLER) > room:
            size *= SMALLER
        least = min(size, LEAST * self.unit)
        if item.show == "name" and text_width(item.text, size) <= room / SMALLER:
            lines = [item.text]
        else:
            lines = wrapped(item.text, size, room, self.lines)
        size = min(fitting(each, size, room, least) for each in lines)
        lines = [shortened(each, size, room) for each in lines]
        return self.set_in(item, side, width, size, lines)

    def set_in(
        self, item: FaceItem, side: str, width: float, size: float, lines: Sequence[str]
    ) -> _Block:
        """Draws lines of letters in a column, on a strip if there is one behind them."""
        tones = self.look.tones
        pad = 4 * self.unit if item.behind else 0.0
        high = len(lines) * size * LINE + pad
        fill = tones.ink if item.behind == "colour" else INK
        x = {"left": pad, "middle": width / 2, "right": width - pad}[side]
        bold = item.show != "text"
        words = [
            text(line, x, pad / 2 + size * (0.92 + LINE * at), size, fill=fill,
                 anchor=_ANCHORS[side], weight=700 if bold else None, serif=item.show == "name")
            for at, line in enumerate(lines)
        ]  # fmt: skip
        return _Block(high, self.strip(item, width, high) + "".join(words))

    def strip(self, item: FaceItem, width: float, height: float) -> str:
        if item.behind is None:
            return ""
        fill = self.look.tones.main if item.behind == "colour" else PAPER
        return rect(0, 0, width, height, min(3.0, height / 3), fill=fill)

    def pictured(self, item: FaceItem, side: str, width: float, size: float) -> _Block:
        """Draws pictures in a row; many of the same are drawn once, with their number."""
        pad = 2 * self.unit if item.behind else 0.0
        shown = list(_grouped(item.pictures))
        wide = sum(1.0 if label == "" else 1.0 + DIGIT * len(label) for _, label in shown)
        size = min(size, (width - 2 * pad) / wide)
        left = {
            "left": pad,
            "middle": (width - wide * size) / 2,
            "right": width - pad - wide * size,
        }[side]
        high = size + 2 * pad
        parts = [self.strip(item, width, high)]
        for (which, tones), label in shown:
            if label:
                ink = self.look.tones.ink if item.behind == "colour" else INK
                parts.append(text(label, left, pad + size * 0.72, size * 0.7, fill=ink, weight=700))
                left += DIGIT * len(label) * size
            parts.append(picture(which, left, pad, size, tones))
            left += size
        return _Block(high, "".join(parts))


def _side(item: FaceItem) -> str:
    return next((side for side in ("left", "right") if item.at.endswith(side)), "middle")


def _grouped(
    pictures: Iterable[Icons],
) -> Iterable[tuple[tuple[str | ir.Picture, Shades], str]]:
    """Yields the pictures to draw, each with its number if there are many of it."""
    for which, tones, times in pictures:
        if times > MOST_ICONS:
            yield (which, tones), f"{times}×"
        else:
            yield from repeat(((which, tones), ""), times)
