"""Draws places and their contents, each in one of the layout's styles.

column   one place below the other; a single place shows its pieces in a column
row      the same side by side
grid     places by two indices; the last one runs across; hexes in shifted rows
board    places at their positions in the layout, and the lines between them
stacks   the same as strips, on which pieces are stacked from the edge of the board
hand     the contents piece by piece, as large as possible
slot     places that hold one piece
pile     a stack: the number of pieces, and the top one
count    the number of pieces

A place whose label has a colour or a picture of its own is painted with it, as land.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil

from lawspeaker import ir
from lawspeaker.base.typography import colon
from lawspeaker.faces.web.drawing.appearance import Look, Looks
from lawspeaker.faces.web.drawing.assembly import Assembly
from lawspeaker.faces.web.drawing.boxes import Box, below, beside, flowing, in_a_row, scaled
from lawspeaker.faces.web.drawing.grounds import (
    board_cell,
    clear,
    empty_cell,
    hex_cell,
    ink_on,
    land,
    open_cell,
    paper_cell,
    point_cell,
    shore,
    strip_cell,
    tint,
)
from lawspeaker.faces.web.drawing.meaning import meant_by
from lawspeaker.faces.web.drawing.palette import PAPER, Shades, shades
from lawspeaker.faces.web.drawing.shapes import UNIT, bench_at, drawn, size_of, small_size_of
from lawspeaker.faces.web.drawing.stencils import Drawn
from lawspeaker.faces.web.drawing.svg import (
    el,
    moved,
    path,
    rect,
    shortened,
    text,
    text_width,
    titled,
)
from lawspeaker.faces.web.drawing.things import piece_text, piece_thing, place_thing
from lawspeaker.match.view import View
from lawspeaker.position.layout import Value
from lawspeaker.telling.arrangement import Grid, board, chosen, count_is_visible, grid, numbers
from lawspeaker.telling.labels import Labels

TITLE = 20.0
LABEL = 12.0
WRITTEN = 9.0
"""Size of a label on a place."""
STOUT = 1.2
"""Width of a heading relative to `text_width`: its letters are bold and have serifs."""
WIDEST_LABEL = 90.0
NARROWEST_LABEL = 62.0
"""Width that the name of a pile may have on a small screen, if the pile is not wider."""
LANDS = 6
"""Number of different arrangements of the pictures on one kind of land."""
LAND_WIDTH = 80.0
GRID_ROOM = 6.0
EDGE = 18.0
"""Width of the margin of a board in which its lines are labelled."""
SMALLEST_GRID = 0.42
HEX, POINT = "hex", "point"
"""Cell styles of a place on a board of hexes, and of a point where lines meet."""
HEX_AT = {"": HEX, "covered": HEX, "open": "open hex", "far": "far hex"}
"""The cell style of a hex on a growing table, by its state (see `edge`)."""
HEX_INK = {HEX: 1.0, "open hex": 0.3, "far hex": 0.0}
"""Opacity of a hex, by its cell style."""
FALLING, RISING = "falling", "rising"
"""Cell styles of a strip: pieces are stacked from the top, or from the bottom."""
STRIP = 5
"""Number of pieces that are fully visible on a strip; more than that overlap and are counted."""
INSIDE = 4.0
"""Margin around the contents of a place."""
ROW_GAP = 6.0
HIGHEST_ROW = 340.0
"""A row of pieces in lines that are higher together is drawn smaller,"""
ROW_SCALES = (1.0, 0.75, 0.5)
"""by the first of these factors that suffices, or the last one."""
HIGHEST_HAND = 130.0
"""Maximum height of a hand on a small screen."""
SEEN = 0.4
"""Visible fraction of each overlapping piece,"""
SMALLEST_FAN = 0.42
"""unless pieces would be scaled below this factor."""
STACKED = 4
"""Maximum number of edges that indicate the height of a pile."""


@dataclass(slots=True)
class AreaDrawing:
    """Draws the places of a view. `ground` is the texture below them, for the colour of text."""

    view: View
    looks: Looks
    labels: Labels
    drawn: Drawn
    seen: Mapping[int, Hashable]
    """By place, a key for the appearance of its contents (see `Sights`)."""
    means: Mapping[int, Mapping[str, str]]
    """By place, the answer to a question that it stands for, by part of the question."""
    aboard: Mapping[int, list[int]]
    """By piece, the places that are drawn on it."""
    assembly: Assembly
    ground: str | None = None
    narrow: bool = False
    """Whether the screen is small."""
    coloured: dict[Hashable, bool] = field(default_factory=dict)
    """By part of the layout, whether its labels are colours alone (see `only_coloured`)."""

    def shown(self, shown: ir.Show) -> list[int]:
        """Returns the places of a part of the layout, except those drawn on a piece."""
        return [
            place
            for place in chosen(self.view, self.labels, shown)
            if not any(place in carried for carried in self.aboard.values())
        ]

    def draw(self, shown: ir.Show, width: float) -> Box:
        assert shown.family is not None
        places = self.shown(shown)
        if not places:
            return Box()
        match shown.style:
            case "column":
                return self.column(shown, places)
            case "row":
                return self.row(shown, places, width)
            case "grid":
                return self.grid(shown, places, width)
            case "board":
                return self.board(shown, places, width)
            case "stacks":
                return self.stacks(shown, places, width)
            case "hand":
                return self.hands(shown, places, width)
            case "slot":
                return self.slots(shown, places, width)
        return self.piles(shown, places, width)

    # ------------------------------------------------------------ words

    def title(self, shown: ir.Show, places: list[int]) -> str:
        """Returns the heading of some places: the one in the layout, or the name of the places."""
        assert shown.family is not None
        layout, language = self.view.layout, self.looks.language
        if shown.title is not None:
            return layout.called(shown.title, "", language)
        if len(places) == 1 and not shown.own:
            return self.looks.place(places[0])
        columns = layout.program.families[shown.family].indices
        indices = layout.place_indices[places[0]]
        fixed = [at for at, allowed in enumerate(shown.at) if allowed is not None]
        names = [layout.name(columns[at].type, indices[at], language) for at in fixed]
        return " ".join(names) or layout.family_name(shown.family, language)

    def heading(
        self, words: str, width: float = 0, centred: bool = False, seat: int | None = None
    ) -> Box:
        """Draws a heading. If it is the name of a `seat`, the page writes the name over it that
        this player has at the table."""
        words = shortened(words, LABEL, width) if width else words
        wide = max(STOUT * text_width(words, LABEL), width if centred else 0)
        x, anchor = (wide / 2, "middle") if centred else (0.0, "start")
        more = (
            {"data_player": seat, "data_room": round(max(wide, width))} if seat is not None else {}
        )
        fill = ink_on(self.ground)
        line = text(words, x, 13, LABEL, fill=fill, anchor=anchor, weight=600, serif=True, **more)
        return Box(wide, TITLE, line)

    def labelled(self, shown: ir.Show, place: int) -> list[tuple[str, Look | None]]:
        """Returns the labels of a place, with their looks."""
        found: list[tuple[str, Look | None]] = []
        for label in shown.labels:
            value = self.labels.value(label, place)
            if value is not None:
                of = self.labels.type(label)
                name = self.view.layout.name(of, value, self.looks.language)
                found.append((name, self.looks.value(of, value)))
        return found

    def words(self, shown: ir.Show, place: int) -> str:
        """Returns the labels of a place in one line."""
        return " · ".join(name for name, _ in self.labelled(shown, place))

    def named(self, place: int, words: str) -> int | None:
        """Returns the owner of a place if some words are his name."""
        seat = self.view.layout.place_owner[place]
        return seat if seat is not None and words == self.looks.player(seat) else None

    # ------------------------------------------------------------ pieces

    def look(self, piece: int, place: int) -> Look:
        if piece >= 0:
            return self.looks.piece(piece)
        family = self.view.layout.place_family[place]
        return self.looks.hidden(self.view.layout.program.families[family].holds, piece)

    def piece(self, piece: int, place: int, size: tuple[float, float] | None = None) -> Box:
        """Draws a piece as a clickable element, with the places drawn on it."""
        width, height = size or size_of(self.look(piece, place))

        def draw() -> Box:
            return Box(width, height, self.whole_piece(piece, place, width, height))

        if piece in self.aboard:
            return draw()
        return self.drawn.sketch((self.known(piece, place), place, width, height), draw)

    def known(self, piece: int, place: int) -> Hashable:
        """Returns a cache key for everything that determines how a piece looks in a place."""
        at = self.view.contents[place].index(piece) if self.view.layout.row[place] else 0
        alike = self.view.layout.alike[piece] if piece >= 0 else -1
        return alike, self.view.states.get(piece, ()), at

    def kept(self, place: int, how: Hashable, draw: Callable[[], Box]) -> Box:
        """Draws a place, cached by its contents and `how`.

        `how` must contain everything else that the drawing depends on.
        """
        held = self.view.contents.get(place, ())
        if not self.aboard.keys().isdisjoint(held):
            return draw()  # pieces on board are in other places, which the key does not cover
        seen = (self.seen.get(place), count_is_visible(self.view, place))
        return self.drawn.sketch((place, how, seen, self.ground, self.narrow), draw)

    def whole_piece(self, piece: int, place: int, width: float, height: float) -> str:
        look = self.look(piece, place)
        name = look.name if not look.letter else f"{look.name} {self.owner(piece)}".rstrip()
        if look.pips:
            name = f"{name} {look.pips}"
        told = colon(name, look.text, self.looks.language) if look.text else name
        carried = "".join(
            self.on_board(look, seat, at, width, height)
            for at, seat in enumerate(self.aboard.get(piece, ()))
        )
        meant = meant_by(self.view, piece, place)
        means = "; ".join(f"{part} {word}" for part, word in meant.items())
        return el(
            "g",
            titled(told),
            self.drawn.use(drawn(look, width, height)),
            carried,
            class_="piece",
            role="img",
            aria_label=told,
            data_thing=piece_thing(self.view, piece, place),
            data_look=piece_text(self.view, piece, place),
            data_place=place_thing(self.view.layout, place),
            data_type=self.view.layout.program.pieces[self.held_type(place)].name,
            data_means=means or None,
        )

    def held_type(self, place: int) -> int:
        layout = self.view.layout
        return layout.program.families[layout.place_family[place]].holds

    def owner(self, piece: int) -> str:
        seat = self.view.layout.piece_owner[piece] if piece >= 0 else None
        return "" if seat is None else self.looks.player(seat)

    def on_board(self, look: Look, place: int, at: int, width: float, height: float) -> str:
        """Draws a place on a piece, with its contents; a turned piece turns its places."""
        y = bench_at(look, at, height)
        if look.turn == 180:
            y = height - y
        room = UNIT - 2
        inner = Box()
        for piece in self.view.contents.get(place, ())[:1]:
            inner = self.piece(piece, place)
        sat = moved((width - inner.width) / 2, (room - inner.height) / 2, inner.body)
        body = rect(4, 0, width - 8, room, 8, class_="ground clear", fill="#ffffff", fill_opacity=0)
        return moved(0, y - room / 2, self.thing(place, body + sat))

    def thing(self, place: int, body: str, label: str = "") -> str:
        """Wraps a drawing of a place in a clickable, labelled element."""
        name = self.looks.place(place)
        held = self.view.contents.get(place, ())
        told = f"{name} ({label})" if label else name
        if held:
            told = colon(told, self.listed(place), self.looks.language)
        means = "; ".join(f"{part} {word}" for part, word in self.means.get(place, {}).items())
        return el(
            "g",
            titled(told),
            body,
            class_="place",
            role="group",
            aria_label=told,
            data_thing=place_thing(self.view.layout, place),
            data_means=means or None,
        )

    def listed(self, place: int) -> str:
        """Lists the contents of a place in words."""
        counts: dict[str, int] = {}
        for piece in self.view.contents.get(place, ()):
            name = f"{self.look(piece, place).name} {self.owner(piece)}".rstrip()
            counts[name] = counts.get(name, 0) + 1
        return ", ".join(n if count == 1 else f"{count} × {n}" for n, count in counts.items())

    # ------------------------------------------------------------ cells

    def cell_size(self, shown: ir.Show) -> tuple[float, float]:
        """Returns the cell size of a family: that of its pieces, or that of land."""
        assert shown.family is not None
        holds = self.view.layout.program.families[shown.family].holds
        width, height = size_of(self.looks.hidden(holds))
        if self.looks.shape(holds) == "card":
            width, height = width * 0.62, height * 0.62
        if shown.labels and not self.only_coloured(shown):
            return max(LAND_WIDTH, width + 6), max(UNIT, height + 3)
        return width + GRID_ROOM, height + GRID_ROOM

    def only_coloured(self, shown: ir.Show) -> bool:
        """Whether labels give places a colour and no picture or words, so that they need no
        room."""
        key = (shown.family, shown.labels, shown.at)
        if key not in self.coloured:
            told = [self.labelled(shown, place) for place in self.shown(shown)]
            looks = [look for labels in told for _, look in labels]
            self.coloured[key] = bool(looks) and all(
                look is not None and is_painted(look) and not look.picture and not look.badge
                for look in looks
            )
        return self.coloured[key]

    def cell(self, shown: ir.Show, place: int, width: float, height: float, edge: str) -> Box:
        """Draws one place: its ground, its contents and its label."""
        written = tuple([self.labels.value(each, place) for each in shown.labels])

        def draw() -> Box:
            return Box(width, height, self.whole_cell(shown, place, width, height, edge))

        return self.kept(place, ("cell", width, height, edge, shown.labels, written), draw)

    def whole_cell(self, shown: ir.Show, place: int, width: float, height: float, edge: str) -> str:
        labels = self.labelled(shown, place)
        name = ", ".join(words for words, _ in labels)
        look = next((look for _, look in labels if is_painted(look)), None)
        if edge in (FALLING, RISING):
            body = strip_cell(width, height, self.ground_colour(shown, place), edge == FALLING)
            body += self.piled(place, width, height, edge)
            body += self.written([words for words, _ in labels], width, height, False)
            return self.thing(place, body, name)
        if edge in HEX_AT.values():
            body = hex_cell(width, height, self.hex_colour(shown, look), HEX_INK[edge])
        elif look is not None and not (edge == POINT and self.only_coloured(shown)):
            painted = self.drawn.use(land(look, width, height, place % LANDS))
            body = el("g", painted, class_="land")
            body += rect(0, 0, width, height, class_="ground clear", fill="#fff", fill_opacity=0,
                         stroke=look.tones.dark, stroke_opacity=0.3, stroke_width=1)  # fmt: skip
        else:
            body = self.plain_cell(shown, place, width, height, edge)
        body += self.contents(place, width, height, None if edge else self.cell_size(shown))
        written = [words for words, own in labels if own is None or own is not look]
        body += self.written(written, width, height, edge in HEX_AT.values())
        return self.thing(place, body, name)

    def written(self, labels: Sequence[str], width: float, height: float, hexagon: bool) -> str:
        """Draws labels over the contents of a place: in its lower corners, or in the point of a
        hex."""
        if not labels:
            return ""
        if hexagon:
            told = shortened(" · ".join(labels), WRITTEN, width * 0.7)
            return _written(told, width / 2, height * 0.84, "middle")
        room = (width - 8) / len(labels) - 2
        first, *more = [shortened(each, WRITTEN, room) for each in labels]
        body = _written(first, width - 4, height - 4, "end")
        return body + "".join(_written(each, 4, height - 4, "start") for each in more)

    def hex_colour(self, shown: ir.Show, look: Look | None) -> Shades:
        """Returns the shades of a hex: those of its label, else of its family."""
        assert shown.family is not None
        if look is not None:
            return look.tones
        symbol = self.looks.family(shown.family)
        return shades(None if symbol is None else symbol.colour)

    def plain_cell(self, shown: ir.Show, place: int, width: float, height: float, edge: str) -> str:
        """Draws the ground of a place that is not land."""
        assert shown.family is not None
        if edge == POINT:
            return point_cell(width, ink_on(self.ground))
        if edge == "open":
            return open_cell(width, height, ink_on(self.ground))
        if edge:
            return clear(2, width - 4, height - 4, 0.03)
        colour, symbol = self.ground_colour(shown, place), self.looks.family(shown.family)
        if symbol is None or colour is None:
            return paper_cell(width, height)
        hollow = symbol.chequered is None and self.shape_of(shown) == "disc"
        return board_cell(width, height, colour, hollow)

    def ground_colour(self, shown: ir.Show, place: int) -> str | None:
        """Returns the colour of a place, alternating on a chequered board."""
        assert shown.family is not None
        symbol = self.looks.family(shown.family)
        if symbol is None or symbol.colour is None:
            return None
        other = sum(self.view.layout.place_indices[place][-2:]) % 2
        return symbol.chequered if other and symbol.chequered is not None else symbol.colour

    def shape_of(self, shown: ir.Show) -> str:
        """Returns the shape of the pieces that a family holds."""
        assert shown.family is not None
        return self.looks.shape(self.view.layout.program.families[shown.family].holds)

    def contents(
        self,
        place: int,
        width: float,
        height: float,
        usual: tuple[float, float] | None = None,
        filling: bool = False,
    ) -> str:
        """Draws the contents of a place, centred: stacked, side by side, or in several lines.

        `usual` is the size that the place would have with a single piece.
        """
        held = self.view.contents.get(place, ())
        if not count_is_visible(self.view, place):
            return text("?", width / 2, height / 2 + 5, 16, anchor="middle")
        if not held:
            return ""
        if filling and len(held) == 1:
            return self.piece(held[0], place, (width, height)).body
        if self.is_pile(place):
            return self.stacked(held, place, width, height)
        sizes = [self.fitted(piece, place, *(usual or (width, height))) for piece in held]
        wide, high = (max(each) for each in zip(*sizes, strict=True))
        abreast = _abreast(len(held), wide, width)
        if ceil(len(held) / abreast) * high + INSIDE > height:
            return self.fanned(held, place, sizes, width, height)
        boxes = [self.piece(piece, place, size) for piece, size in zip(held, sizes, strict=True)]
        inner = below(_lines(boxes, abreast, 0), 0)
        return moved((width - inner.width) / 2, (height - inner.height) / 2, inner.body)

    def is_pile(self, place: int) -> bool:
        """Whether only the topmost piece of a place is visible."""
        family = self.view.layout.program.families[self.view.layout.place_family[place]]
        return family.arranged == "pile" and place not in self.view.loose

    def fanned(
        self,
        held: tuple[int, ...],
        place: int,
        sizes: list[tuple[float, float]],
        width: float,
        height: float,
    ) -> str:
        """Draws overlapping pieces where they do not fit side by side.

        They are scaled so that a part of each stays visible; if there are many, the last one shows
        their number.
        """
        room, last = width - INSIDE, sizes[-1][0]
        covered = sum(size[0] for size in sizes[:-1])
        scale = step = 1.0
        if covered:
            scale = min(1.0, max(SMALLEST_FAN, room / (last + SEEN * covered)))
            step = min(1.0, (room / scale - last) / covered)
        x = (width - scale * (step * covered + last)) / 2
        parts = []
        for piece, size in zip(held, sizes, strict=True):
            box = self.piece(piece, place, (size[0] * scale, size[1] * scale))
            parts.append(moved(x, (height - box.height) / 2, box.body))
            x += box.width * step
        if len(held) > STRIP:
            middle = x - last * scale * (step - 0.5)
            parts.append(moved(middle - 11, height / 2 - 8.5, _count(str(len(held)))))
        return "".join(parts)

    def fitted(self, piece: int, place: int, width: float, height: float) -> tuple[float, float]:
        """Returns the size of a piece, scaled down to fit into a place."""
        own = size_of(self.look(piece, place))
        scale = min(1.0, (width - 2) / own[0], (height - 2) / own[1])
        return own[0] * scale, own[1] * scale

    def stacked(self, held: tuple[int, ...], place: int, width: float, height: float) -> str:
        """Draws pieces on top of each other: the top one, with the edges of those below."""
        parts = []
        under = held[max(0, len(held) - 3) : -1]
        for depth, piece in enumerate(under):
            size = self.fitted(piece, place, width, height)
            lift = 3.0 * (len(under) - depth)
            box = self.piece(piece, place, size)
            parts.append(
                moved((width - size[0]) / 2 + lift, (height - size[1]) / 2 + lift, box.body)
            )
        size = self.fitted(held[-1], place, width, height)
        top = self.piece(held[-1], place, size)
        parts.append(moved((width - size[0]) / 2, (height - size[1]) / 2, top.body))
        return "".join(parts)

    def piled(self, place: int, width: float, height: float, edge: str) -> str:
        """Draws pieces along a strip from its edge; if they overlap, the last one shows their
        number."""
        held = self.view.contents.get(place, ())
        if not count_is_visible(self.view, place):
            return text("?", width / 2, height / 2 + 5, 16, anchor="middle")
        if not held:
            return ""
        wide, high = self.fitted(held[0], place, width, height)
        step = min(high, (height - high) / max(len(held) - 1, 1))
        first, way = (0.0, 1) if edge == FALLING else (height - high, -1)
        tops = [first + way * step * at for at in range(len(held))]
        parts = [
            moved((width - wide) / 2, top, self.piece(piece, place, (wide, high)).body)
            for piece, top in zip(held, tops, strict=True)
        ]
        if len(held) > STRIP:
            parts.append(moved(width / 2 - 11, tops[-1] + high / 2 - 8.5, _count(str(len(held)))))
        return "".join(parts)

    # ------------------------------------------------------------ styles

    def column(self, shown: ir.Show, places: list[int]) -> Box:
        if len(places) == 1:
            return self.lane(shown, places[0])
        width, height = self.cell_size(shown)
        cells = [self.cell(shown, place, width, height, "") for place in places]
        inner = below(cells, 0)
        beach = shore(inner.width, inner.height) if shown.labels else ""
        strip = Box(inner.width, inner.height, beach + inner.body)
        return below([self.heading(self.title(shown, places), width, True), strip], 2, "centre")

    def lane(self, shown: ir.Show, place: int) -> Box:
        """Draws a single place with its pieces in a column; its height can be stretched."""
        held = self.view.contents.get(place, ())
        boxes = [self.piece(piece, place) for piece in held]
        inner = below(boxes, 0, "centre")
        width = max(inner.width, self.cell_size(shown)[0] - GRID_ROOM) + 8
        name = self.words(shown, place)
        words = self.title(shown, [place])
        if text_width(words, LABEL) > width:
            words = words if text_width(words, LABEL) < width + 14 else words.split()[-1]
        heading = self.heading(words, width, True)

        def whole(height: float) -> Box:
            room = height - TITLE - 2
            ground = clear(0, width, room, 0.05)
            body = ground + moved((width - inner.width) / 2, 0, inner.body)
            body += self.written([name] if name else [], width, room, False)
            parts = moved((width - heading.width) / 2, 0, heading.body)
            return Box(width, height, parts + moved(0, TITLE + 2, self.thing(place, body, name)))

        return self._stretched(
            place, (width, words, name), whole, max(inner.height, 3 * UNIT) + TITLE + 2
        )

    def _stretched(
        self, place: int, how: Hashable, whole: Callable[[float], Box], height: float
    ) -> Box:
        """Draws a box of at least this height that can be stretched."""
        drawn = self.kept(place, ("lane", how, height), lambda: whole(height))
        return drawn._replace(stretch=partial(self._stretched, place, how, whole))

    def row(self, shown: ir.Show, places: list[int], width: float) -> Box:
        title = self.title(shown, places)
        if len(places) == 1:
            held = self.view.contents.get(places[0], ())
            if not held:
                return self.piles(shown, places, width)
            inner = self.lines(held, places[0], width)
            name = self.words(shown, places[0])
            body = clear(0, inner.width, inner.height) + inner.body
            body = self.thing(places[0], body, name)
            heading = self.heading(f"{title} · {name}" if name else title)
            return below([heading, Box(inner.width, inner.height, body)], 2)
        share = width / len(places) - ROW_GAP
        sizes = [self.field_size(shown, place, share) for place in places]
        high = max(size[1] for size in sizes)
        # The index that distinguishes a place from its neighbours.
        told = [numbers(self.view, shown, place, self.looks.language) for place in places]
        widest = max(text_width(words, LABEL) for words in told)
        least = min(widest, WIDEST_LABEL)
        cells = [
            below(
                [
                    self.cell(shown, place, wide, high, ""),
                    self.heading(words, max(wide, least), True, self.named(place, words)),
                ],
                1,
                "centre",
            )
            for place, words, (wide, _) in zip(places, told, sizes, strict=True)
        ]
        return below([self.heading(title), in_a_row(cells, width, ROW_GAP)], 2)

    def lines(self, held: tuple[int, ...], place: int, width: float) -> Box:
        """Draws pieces in lines, smaller if there are very many."""
        inner = Box()
        for scale in ROW_SCALES:
            sizes = [self.readable(piece, place) for piece in held]
            boxes = [
                self.piece(piece, place, (scale * wide, scale * high))
                for piece, (wide, high) in zip(held, sizes, strict=True)
            ]
            inner = flowing(boxes, width, 4, "middle")
            if inner.height <= HIGHEST_ROW:
                break
        return inner

    def field_size(self, shown: ir.Show, place: int, width: float) -> tuple[float, float]:
        """Returns the size of a place in a row, so that its contents fit.

        Lines of pieces are at most `width` wide, or hold two pieces.
        """
        usual = self.cell_size(shown)
        held = self.view.contents.get(place, ())
        if len(held) < 2 or not count_is_visible(self.view, place) or self.is_pile(place):
            return usual
        sizes = [self.fitted(piece, place, *usual) for piece in held]
        wide, high = (max(each) for each in zip(*sizes, strict=True))
        abreast = _abreast(len(held), wide, max(width, 2 * wide + INSIDE))
        lines = ceil(len(held) / abreast)
        return max(usual[0], abreast * wide + INSIDE), max(usual[1], lines * high + INSIDE)

    def grid(self, shown: ir.Show, places: list[int], width: float) -> Box:
        found = grid(self.view, shown, places)
        if self.view.layout.program.families[shown.family or 0].hexes:
            inner = self.hexes(shown, found)
            return scaled(inner, min(1.0, max(SMALLEST_GRID, width / inner.width)))
        grows = self.view.layout.program.families[shown.family or 0].grows
        size = self.cell_size(shown)
        space = 0.0 if not grows else 2.0
        lines = []
        for down in found.downs:
            line = []
            for over in found.overs:
                place = found.at(down, over)
                if place is None:
                    line.append(Box(*size, rect(0, 0, *size, fill="none")))
                else:
                    line.append(self.cell(shown, place, *size, self.edge(place) if grows else ""))
            lines.append(beside(line, space))
        if shown.family is not None and (grows or self.view.layout.names_lines(shown.family)):
            needed = len(found.overs) * (size[0] + space)
            smaller = min(1.0, max(SMALLEST_GRID, width / needed)) if needed else 1.0
            lines = self.lettered(shown.family, found, lines, size, space, 1 / smaller)
        inner = below(lines, space)
        if inner.width > width:
            inner = scaled(inner, max(SMALLEST_GRID, width / inner.width))
        return inner

    def lettered(
        self,
        family: int,
        found: Grid,
        lines: list[Box],
        size: tuple[float, float],
        space: float,
        larger: float,
    ) -> list[Box]:
        """Adds row and column labels on the left of a grid and below it.

        `space` is the gap between places. Text is enlarged by `larger`, because the grid will be
        scaled down. A growing table is labelled, too, since places are named in messages.
        """
        layout, language, ink = self.view.layout, self.looks.language, ink_on(self.ground)

        def written(column: ir.Column, index: Value, width: float, height: float) -> Box:
            words = layout.index_name(family, column, index, language)
            line = text(
                words,
                width / 2,
                height / 2 + 4 * larger,
                LABEL * larger,
                fill=ink,
                anchor="middle",
                weight=600,
            )
            return Box(width, height, line)

        (down,), edge = found.columns, EDGE * larger
        sides = [written(down, row, edge, size[1]) for (row,) in found.downs]
        feet = [written(found.across, over, size[0], edge) for over in found.overs]
        rows = [beside(each, 0) for each in zip(sides, lines, strict=True)]
        corner = Box(edge, edge, rect(0, 0, edge, edge, fill="none"))
        return [*rows, beside([corner, beside(feet, space)], 0)]

    def hexes(self, shown: ir.Show, found: Grid) -> Box:
        """Draws a grid of pointy-top hexes, each row shifted by half a hex to the right."""
        wide = max(self.cell_size(replace(shown, labels=())))
        high = wide * 2 / 3**0.5
        grows = self.view.layout.program.families[shown.family or 0].grows
        cells = [
            (column + row / 2, row, place)
            for row, down in enumerate(found.downs)
            for column, over in enumerate(found.overs)
            if (place := found.at(down, over)) is not None
        ]
        if not cells:
            return Box()
        left = min(across for across, _, _ in cells)
        right = max(across for across, _, _ in cells)
        parts = []
        for across, row, place in cells:
            edge = self.edge(place) if grows else ""
            cell = self.cell(shown, place, wide, high, HEX_AT[edge])
            parts.append(moved((across - left) * wide, row * high * 3 / 4, cell.body))
        rows = len(found.downs) - 1
        return Box((right - left + 1) * wide, (rows * 3 / 4 + 1) * high, "".join(parts))

    def board(self, shown: ir.Show, places: list[int], width: float) -> Box:
        """Draws points at their positions in the layout, over the lines that join them; a place
        without lines is a square."""
        found = board(self.view, shown, places)
        if not found.places:
            return Box()
        side = max(self.cell_size(shown)) + 2
        columns, rows = found.size
        lines = [
            path(
                " L".join(
                    f"{'' if at else 'M'}{(x + 0.5) * side:.1f} {(y + 0.5) * side:.1f}"
                    for at, (x, y) in enumerate((found.places[one], found.places[other]))
                ),
                stroke=ink_on(self.ground),
                stroke_width=2,
                stroke_opacity=0.7,
            )
            for one, other in found.joined
        ]
        on_lines = {place for pair in found.joined for place in pair}
        tints = self.tints(shown, on_lines) if self.only_coloured(shown) else {}
        below_lines = [
            moved(x * side, y * side, tint(side, side, tints[place].main))
            for place, (x, y) in found.places.items()
            if place in tints
        ]
        points = [
            moved(
                x * side,
                y * side,
                self.cell(shown, place, side, side, POINT if place in on_lines else "").body,
            )
            for place, (x, y) in found.places.items()
        ]
        inner = Box(columns * side, rows * side, "".join(below_lines + lines + points))
        return scaled(inner, min(1.0, max(SMALLEST_GRID, width / inner.width)))

    def tints(self, shown: ir.Show, places: Iterable[int]) -> dict[int, Shades]:
        """Returns the shades of points that labels colour, drawn below the lines."""
        found = {}
        for place in places:
            looks = (look for _, look in self.labelled(shown, place) if look is not None)
            if (look := next(filter(is_painted, looks), None)) is not None:
                found[place] = look.tones
        return found

    def stacks(self, shown: ir.Show, places: list[int], width: float) -> Box:
        """Draws strips side by side, labelled at their edge.

        Strips of the upper half hang from the top, those of the lower half rise from the bottom.
        """
        found = board(self.view, shown, places)
        if not found.places:
            return Box()
        assert shown.family is not None
        holds = self.view.layout.program.families[shown.family].holds
        piece = size_of(self.looks.hidden(holds))
        wide, high = piece[0] + 4, piece[1] * (STRIP + 0.4)
        columns, rows = found.size
        parts = []
        for place, (x, y) in found.places.items():
            edge = FALLING if y < rows // 2 else RISING
            strip = self.cell(shown, place, wide, high, edge)
            words = numbers(self.view, shown, place, self.looks.language)
            told = self.heading(shortened(words, LABEL, wide), wide, True)
            both = [told, strip] if edge == FALLING else [strip, told]
            parts.append(moved(x * wide, y * (high + TITLE), below(both, 0).body))
        inner = Box(columns * wide, rows * (high + TITLE), "".join(parts))
        return scaled(inner, min(1.0, max(SMALLEST_GRID, width / inner.width)))

    def edge(self, place: int) -> str:
        """Returns the state of a place on a growing table: covered, open (next to a piece) or
        far."""
        layout, contents = self.view.layout, self.view.contents
        if place in contents:
            return "covered"
        column, row = layout.place_indices[place]
        family = layout.place_family[place]
        steps = layout.program.families[family].steps(diagonal=False)
        around = (layout.place(family, (column + across, row + down)) for across, down in steps)
        return "open" if any(each in contents for each in around) else "far"

    def hands(self, shown: ir.Show, places: list[int], width: float) -> Box:
        return below((self.hand(shown, place, width) for place in places), 10)

    def hand(self, shown: ir.Show, place: int, width: float) -> Box:
        """Draws a hand: readable pieces side by side."""
        words = self.title(shown, [place])
        owner = self.view.layout.place_owner[place]
        if owner is not None and not shown.own and shown.title is None:
            words = colon(self.looks.player(owner), words, self.looks.language)
        name = self.words(shown, place)
        held = self.view.contents.get(place, ())
        if not held:
            return self.piles(shown, [place], width)
        sizes = [self.readable(piece, place) for piece in held]
        gap = 8.0
        if self.narrow:
            sizes, gap = in_few_lines(sizes, width), 5.0
        boxes = [self.piece(piece, place, size) for piece, size in zip(held, sizes, strict=True)]
        inner = flowing(boxes, width, gap)
        body = self.thing(place, clear(0, inner.width, inner.height) + inner.body, name)
        if shown.own:
            body = el("g", body, class_="own")
        heading = self.heading(f"{words} · {name}" if name else words)
        return below([heading, Box(inner.width, inner.height, body)], 2)

    def readable(self, piece: int, place: int) -> tuple[float, float]:
        look = self.look(piece, place)
        width, height = size_of(look)
        if look.shape == "tile":
            return width * 1.15, height * 1.15
        return (width * 0.5, height * 0.5) if look.hidden else (width, height)

    def slots(self, shown: ir.Show, places: list[int], width: float) -> Box:
        size = self.slot_size(shown)
        filling = self.shape_of(shown) == "tile"
        boxes = [self.slot(shown, place, size, filling) for place in places]
        inner = flowing(boxes, width, 6)
        if shown.title is None:
            return inner
        heading = self.heading(self.title(shown, places))
        return below([heading, inner], 2)

    def slot(self, shown: ir.Show, place: int, size: tuple[float, float], filling: bool) -> Box:
        name = self.words(shown, place)

        def draw() -> Box:
            body = empty_cell(*size) if place not in self.view.contents else clear(0, *size)
            body += self.contents(place, *size, filling=filling)
            box = Box(*size, self.thing(place, body, name))
            return below([box, self.heading(name)], 0) if name else box

        return self.kept(place, ("slot", size, filling, name), draw)

    def slot_size(self, shown: ir.Show) -> tuple[float, float]:
        assert shown.family is not None
        holds = self.view.layout.program.families[shown.family].holds
        width, height = size_of(self.looks.hidden(holds))
        shape = self.looks.shape(holds)
        if shape == "tile":
            return LAND_WIDTH + 4, UNIT + 6
        return (width * 0.62, height * 0.62) if shape == "card" else (width + 4, height + 4)

    def piles(self, shown: ir.Show, places: list[int], width: float) -> Box:
        boxes = [self.pile(shown, place, len(places) > 1) for place in places]
        if len(places) == 1:
            return boxes[0]
        return below([self.heading(self.title(shown, places)), flowing(boxes, width, 14)], 2)

    def pile(self, shown: ir.Show, place: int, many: bool) -> Box:
        """Draws a stack with its count, and its name below."""
        how = ("pile", many, shown.title, shown.own, shown.at, self.words(shown, place))
        return self.kept(place, how, lambda: self.whole_pile(shown, place, many))

    def whole_pile(self, shown: ir.Show, place: int, many: bool) -> Box:
        view = self.view
        held = view.contents.get(place, ())
        holds = view.layout.program.families[view.layout.place_family[place]].holds
        words = (
            numbers(view, shown, place, self.looks.language) if many else self.title(shown, [place])
        )
        if self.spread(held, place):
            inner = self.heap(held, place)
        else:
            inner = self.stack(held, place, holds)
        count = str(len(held)) if count_is_visible(view, place) else "?"
        wide = max(inner.width, 44.0)
        apart = 3 if self.spread(held, place) else -9
        body = moved((wide - inner.width) / 2, 0, inner.body) + moved(
            wide / 2 - 11, inner.height + apart, _count(count)
        )
        high = inner.height + apart + 17
        name = self.words(shown, place)
        box = Box(wide, high, self.thing(place, clear(0, wide, high) + body, name))
        seat = self.named(place, words)
        if self.narrow and seat is None:
            words = shortened(words, LABEL * STOUT, max(wide, NARROWEST_LABEL))
        heads = [self.heading(words, centred=True, seat=seat)]
        heads += [self.heading(name, centred=True)] if name else []
        return below([box, *heads], 0, "centre")

    def spread(self, held: tuple[int, ...], place: int) -> bool:
        """Whether pieces are spread out to be counted: all but cards, tiles and ships."""
        return bool(held) and self.look(held[0], place).shape not in ("card", "tile", "ship")

    def heap(self, held: tuple[int, ...], place: int) -> Box:
        """Draws loose pieces in short lines."""
        boxes = [self.piece(piece, place) for piece in held[:30]]
        return below(_lines(boxes, 5, 2), 2, "centre")

    def stack(self, held: tuple[int, ...], place: int, holds: int) -> Box:
        """Draws a pile from above: its edges and its top piece."""
        look = self.look(held[-1], place) if held else self.looks.hidden(holds)
        width, height = size_of(look)
        scale = 0.5 if look.shape in ("card", "tile") else 0.8
        if look.shape == "tile":
            scale = 0.85
        width, height = width * scale, height * scale
        if look.shape == "ship":
            width, height = small_size_of(look)[0] * 2, small_size_of(look)[1] * 2
        if not held:
            return Box(width, height, empty_cell(width, height))
        shown = held[-STACKED:]
        parts = [
            moved(-1.6 * at, -1.6 * at, self.piece(piece, place, (width, height)).body)
            for at, piece in enumerate(shown)
        ]
        shift = 1.6 * (len(shown) - 1)
        body = "".join(moved(shift, shift, part) for part in parts)
        return Box(width + shift, height + shift, body)


def in_few_lines(sizes: list[tuple[float, float]], width: float) -> list[tuple[float, float]]:
    """Scales pieces to the maximum height of a hand, in one to three lines, as large as
    possible."""
    wide, high = (max(each) for each in zip(*sizes, strict=True))
    scale = 0.0
    for lines in range(1, 4):
        abreast = ceil(len(sizes) / lines)
        share = (width - 5 * (abreast - 1)) / abreast / wide
        scale = max(scale, min(1.0, share, (HIGHEST_HAND - 5 * (lines - 1)) / lines / high))
    return [(size[0] * scale, size[1] * scale) for size in sizes]


def _lines(boxes: list[Box], abreast: int, gap: float) -> list[Box]:
    """Splits boxes into lines of `abreast` boxes side by side."""
    return [beside(boxes[at : at + abreast], gap, "centre") for at in range(0, len(boxes), abreast)]


def _abreast(many: int, wide: float, width: float) -> int:
    """Returns how many of `many` pieces to put in a line, so that lines are about equally long."""
    most = max(1, int((width - INSIDE) / wide + 1e-6))
    return ceil(many / ceil(many / most))


def is_painted(look: Look | None) -> bool:
    """Whether a label is painted as land: it has a colour or a picture of its own."""
    return look is not None and (bool(look.picture) or look.tones is not shades(None))


def _written(words: str, x: float, y: float, anchor: str) -> str:
    return text(words, x, y, WRITTEN, fill="#4a4034", anchor=anchor,
                stroke=PAPER, stroke_width=3, paint_order="stroke")  # fmt: skip


def _count(count: str) -> str:
    wide = max(22.0, 10 + 7.5 * len(count))
    return rect((22 - wide) / 2, 0, wide, 17, 8.5, fill=PAPER, stroke="#6b5f50") + text(
        count, 11, 12.5, 11.5, anchor="middle", weight=700
    )
