"""Draws the whole table as one picture, following the game's layout.

The layout is the game's `table` section, or a generated one. Everything comes from a `View`, so
nothing hidden can be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from itertools import product

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.web.drawing.appearance import Looks
from lawspeaker.faces.web.drawing.areas import AreaDrawing
from lawspeaker.faces.web.drawing.assembly import Assembly
from lawspeaker.faces.web.drawing.blocks import Picture, names_in
from lawspeaker.faces.web.drawing.boxes import (
    Box,
    below,
    beside,
    extent_below,
    flowing,
    padded,
    scaled,
)
from lawspeaker.faces.web.drawing.carrying import aboard
from lawspeaker.faces.web.drawing.edges import draw_edged
from lawspeaker.faces.web.drawing.grounds import definitions, painted
from lawspeaker.faces.web.drawing.maps import draw_map
from lawspeaker.faces.web.drawing.player_table import PlayerTable
from lawspeaker.faces.web.drawing.players import (
    SIGN,
    TITLE,
    VALUE,
    WIDEST_PLAYER,
    Strips,
    plate,
    thrown,
    track,
)
from lawspeaker.faces.web.drawing.sights import Sights
from lawspeaker.faces.web.drawing.sketches import Sketches
from lawspeaker.faces.web.drawing.stencils import drawn_of
from lawspeaker.faces.web.drawing.svg import SANS, circle, el, moved, rect, text, text_width
from lawspeaker.match.view import View
from lawspeaker.position.layout import Value
from lawspeaker.telling.arrangement import boards
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.unset import UNSET

WIDTHS = {"wide": 1080.0, "square": 900.0, "tall": 380.0, "low": 540.0}
"""Maximum width of a picture, by shape: for a desktop, a tablet, or a phone, upright or not."""
HAND = ("tall", "low")
GAP = 14.0
EDGE, NARROW_EDGE = 16.0, 6.0
BESIDE = 340.0
"""Minimum width beside the first part of a flow; with less, the others go below it."""
SMALLEST = 0.62
"""Smallest scale at which parts side by side are kept in one line."""
CLOSE = 9.0
"""Gap between parts on a phone."""
HIGH_IN_HAND = 520.0
"""Height above which a picture for a phone that is held upright may become wider,"""
WIDER = (1.2, 1.4, 1.5)
"""by one of these factors,"""
LARGER = 1.04
"""if things are so much larger then where it is seen whole, and the largest part"""
AS_LARGE = 0.95
"""is not smaller than by this factor."""
LOW_IN_HAND = 350.0
"""The height of a phone that is held across."""
TITLE_IN_HAND, WIDEST_IN_HAND = 12.0, 54.0
"""Size and maximum width of the names of markers on a phone, as they are seen there."""
SHRUNK = 0.75
"""Minimum fraction of its area that a hand must keep when drawn beside something."""
HIGHEST = 760.0
"""Height above which a desktop picture is split into columns, to stay readable in a low window."""
SHARES = (0.75, 0.66, 0.5)
"""Fractions of the width to try for the largest part, with others beside it."""
WIDEST = 2400.0
"""Width of a board that is drawn by itself."""
UNTITLED = ("grid", "board", "map", "stacks")
"""Styles without a heading of their own."""
SMALL_BOARD, BESIDE_OWN = 0.42, 0.62
"""Smallest and largest scale of the other players' boards."""
LOUPE = 24.0
"""Width of the sign by which one looks closer, with a gap before it."""
LENS = el(
    "g",
    el("circle", cx=6, cy=6, r=5, fill="none"),
    el("path", d="M9.6 9.6L14 14M3.6 6H8.4M6 3.6V8.4"),
    class_="lens",
    stroke="#6b5f50",
    stroke_width=1.6,
)
TABLE = "parchment"
"""Default texture of the table."""


def draw(
    view: View,
    language: str,
    shape: str = "wide",
    labels: Labels | None = None,
    sketches: Sketches | None = None,
) -> str:
    """Draws the table as SVG; `shape` is a key of `WIDTHS`, `sketches` a cache of earlier
    drawings."""
    return str(assembled(view, language, shape, labels, sketches))


def assembled(
    view: View,
    language: str,
    shape: str = "wide",
    labels: Labels | None = None,
    sketches: Sketches | None = None,
) -> Picture:
    """Draws the table as a picture in parts."""
    program = view.layout.program
    drawing = _Drawing(view, language, labels or Labels(view), sketches or Sketches())
    drawing.places.narrow = shape in HAND
    ground = drawing.table.ground or TABLE
    width = WIDTHS[shape]
    edge = NARROW_EDGE if drawing.places.narrow else EDGE
    inner = drawing.on(ground).fit(drawing.table, width - 2 * edge)
    names = names_in(drawing.assembly.fragments(inner.body))
    wide, high = max(inner.width, 300) + 2 * edge, inner.height + 2 * edge
    title = ir.in_language(program.title, language, program.name)
    whole = el(
        "svg",
        definitions(drawing.places.drawn.grounds | {ground}),
        drawing.places.drawn.definitions(names, drawing.assembly),
        painted(ground, wide, high, 18),
        moved((wide - inner.width) / 2, edge, inner.body),
        xmlns="http://www.w3.org/2000/svg",
        class_="table",
        viewBox=f"0 0 {wide:.0f} {high:.0f}",
        width=round(wide),
        height=round(high),
        font_family=SANS,
        role="group",
        aria_label=title,
    )
    return Picture(drawing.assembly.fragments(whole))


class _Printed(Labels):
    """The labels that are the same in several games: those that are printed on a board."""

    def __init__(self, view: View, others: Sequence[View]) -> None:
        super().__init__(view)
        self._others = [Labels(each) for each in others]

    def value(self, function: int, place: int | None = None) -> Value | None:
        own = super().value(function, place)
        return own if all(own == each.value(function, place) for each in self._others) else None


def draw_boards(views: Sequence[View], language: str) -> list[str]:
    """Draws the boards of the table without pieces, each as an SVG of its own, all to one scale.

    The views are those of several games: what differs in them is not printed.

    A board is a place that is drawn as one, or a part of the table with places on a ground of its
    own. Tables that grow have none.
    """
    view, *others = views
    bare = copy(view)
    bare.contents, bare.loose = {}, {}
    drawing = _Drawing(bare, language, _Printed(view, others), Sketches())
    found = []
    for shown in _boards(view.layout.program, drawing.table):
        ground = shown.ground or drawing.table.ground or TABLE
        inner = drawing.on(ground).drawn(shown, WIDEST)
        names = names_in(drawing.assembly.fragments(inner.body))
        wide, high = inner.width + 2 * NARROW_EDGE, inner.height + 2 * NARROW_EDGE
        whole = el(
            "svg",
            definitions(drawing.places.drawn.grounds | {ground}),
            drawing.places.drawn.definitions(names, drawing.assembly),
            painted(ground, wide, high, 0),
            moved(NARROW_EDGE, NARROW_EDGE, inner.body),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {wide:.0f} {high:.0f}",
            font_family=SANS,
        )
        found.append(str(Picture(drawing.assembly.fragments(whole))))
    return found


def _boards(program: ir.Program, shown: ir.Show, whole: bool = True) -> Iterator[ir.Show]:
    if shown.family is not None and program.families[shown.family].grows:
        return
    own = shown.shape == "place" and shown.style in UNTITLED
    if own or (shown.ground is not None and not whole and _has_places(shown)):
        yield shown
        return
    for part in shown.parts:
        yield from _boards(program, part, whole=False)


def _has_places(shown: ir.Show) -> bool:
    """Whether a part shows places that are not one player's alone."""
    here = shown.shape == "place" and not shown.own and shown.style != "hand"
    return here or any(map(_has_places, shown.parts))


class _Drawing:
    def __init__(self, view: View, language: str, labels: Labels, sketches: Sketches) -> None:
        self.view = view
        drawn = drawn_of(view.layout, language)
        drawn.tidy()
        self.looks = Looks(view.layout, language, view.states, drawn.looks)
        self.table = drawn.table
        self.shrinks = 1.0
        carrying = aboard(view)
        self.sights = Sights(view, labels, carrying, drawn.known)
        self.assembly = Assembly(sketches, drawn.sketches, drawn.era)
        seen = self.sights.places
        self.places = AreaDrawing(
            view, self.looks, labels, drawn, seen, drawn.means, carrying, self.assembly
        )

    def on(self, ground: str | None) -> _Drawing:
        self.places.ground = ground
        return self

    def fit(self, shown: ir.Show, width: float) -> Box:
        """Draws a part of the layout, scaled to a width if possible; cached by what it depends on.

        Composite parts that depend on the viewer are not cached themselves.
        """
        if shown.parts and self.sights.reads(shown).seat:
            return self.drawn(shown, width)
        looks = (self.places.narrow, self.shrinks, self.places.ground)
        key = (self.sights.of(shown), width, looks)
        return self.assembly.kept(key, lambda: self.drawn(shown, width))

    def drawn(self, shown: ir.Show, width: float) -> Box:
        if shown.ground is None or shown is self.table:
            return self.titled(shown, self.inner(shown, width))
        before = self.places.ground
        edge = NARROW_EDGE if self.places.narrow else 12
        inner = self.titled(shown, self.on(shown.ground).inner(shown, width - 2 * edge))
        inner = padded(inner, edge)
        self.on(before)
        return Box(
            inner.width, inner.height, painted(shown.ground, inner.width, inner.height) + inner.body
        )

    def inner(self, shown: ir.Show, width: float) -> Box:
        match shown.shape:
            case "down":
                if self.places.narrow and shown is self.table:
                    return self.in_hand(shown.parts, width)
                found = below((self.fit(part, width) for part in shown.parts), GAP)
                high = shown is self.table and found.height > HIGHEST
                return self.in_columns(shown.parts, found, width) if high else found
            case "across":
                return self.across(shown.parts, width)
            case "flow":
                return self.flow(shown.parts, width)
            case "players":
                return self.players(shown, width)
            case "marker":
                return self.marker(shown, width)
            case "score":
                return track(self.places, self.view, min(width, 560))
        each_has_one = boards(self.view, shown)
        if each_has_one:
            return self.boards(each_has_one, width)
        if shown.style == "map":
            return draw_map(self.places, shown, self.places.shown(shown), width)
        if shown.joined is not None:
            return draw_edged(self.places, shown, self.places.shown(shown), width)
        return self.places.draw(shown, width)

    def in_hand(self, parts: tuple[ir.Show, ...], width: float) -> Box:
        """Lays out a whole table on a phone; wider than its screen, and so smaller there, if a high
        one becomes larger by it."""
        found, seen = self.lines_in_hand(parts, width, width)
        upright = width < WIDTHS["tall"]
        for wider in WIDER if upright and found.height > HIGH_IN_HAND else ():
            self.shrinks = wider
            other, _ = self.lines_in_hand(parts, wider * width, width, AS_LARGE * seen)
            if _scale(other, width) > LARGER * _scale(found, width):
                found = other
        return found

    def lines_in_hand(
        self, parts: tuple[ir.Show, ...], width: float, across: float, least: float = 0
    ) -> tuple[Box, float]:
        """Lays out a whole table on a phone, with room for `across`: the parts one plays with
        first, the players' belongings last.

        They are put in lines or beside the largest part, whichever is lower. Returns also how wide
        that part is seen in lines: beside others it is hardly smaller, or not than `least`.
        """
        flat = tuple(_flat(parts))
        near = [part for part in flat if not _of_players(part)]
        rest = tuple(part for part in flat if _of_players(part))
        boxes = [self.fit(part, width) for part in near]
        last = [self.fit(part, width) for part in rest]
        found = below([flowing(boxes, width, CLOSE), *last], CLOSE)
        main = max(
            (at for at, part in enumerate(near) if not part.own),
            key=lambda at: boxes[at].width * boxes[at].height,
            default=0,
        )
        seen = (boxes[main].width if near else 0.0) * _scale(found, across)
        least = least or AS_LARGE * seen
        others = (*near[:main], *near[main + 1 :])
        own = tuple(part for part in others if part.own)
        markers = tuple(part for part in others if _is_of_markers(part))
        for share in SHARES if width > WIDTHS["tall"] and near and len(flat) > 1 else ():
            large = self.fit(near[main], share * width)
            room = width - large.width - CLOSE
            for above_it, below_it, ends in product(((), markers), ((), own), ((), rest)):
                apart = [
                    part for part in (*others, *rest) if part not in (*above_it, *below_it, *ends)
                ]
                aside = flowing([self.fit(part, room) for part in apart], room, CLOSE)
                over, under = (
                    flowing([self.fit(part, width) for part in some], width, CLOSE)
                    for some in (above_it, below_it)
                )
                end = last if ends else []
                both = below([over, beside([large, aside], CLOSE), under, *end], CLOSE)
                shrunk = any(self.is_shrunk(part, room, width) for part in others if not below_it)
                shrunk |= large.width * _scale(both, across) < least
                if both.width <= width and both.height < found.height and not shrunk:
                    found = both
        return found, seen

    def in_columns(self, parts: tuple[ir.Show, ...], found: Box, width: float) -> Box:
        """Splits a table that is too high for a window into two columns, if that makes it lower."""
        flat = tuple(_flat(parts))
        for share in SHARES if width > WIDTHS["square"] else ():
            left = [self.fit(part, share * width) for part in flat]
            right, room = list[Box](), 0.0
            for at in range(1, len(flat)):
                first_width, first_height = extent_below(left[:at], GAP)
                if first_height >= found.height:
                    break
                right = right[1:]
                if at == 1 or room != width - first_width - 2 * GAP:
                    room = width - first_width - 2 * GAP
                    right = [self.fit(part, room) for part in flat[at:]]
                if extent_below(right, GAP)[1] >= found.height:
                    continue
                both = beside([below(left[:at], GAP), below(right, GAP)], 2 * GAP)
                if both.width <= width and both.height < found.height:
                    found = both
        return found

    def is_shrunk(self, shown: ir.Show, room: float, width: float) -> bool:
        """Whether the viewer's hand becomes much smaller at a smaller width."""
        if not shown.own:
            return False
        small, large = (self.fit(shown, each) for each in (room, width))
        return small.width * small.height < SHRUNK * large.width * large.height

    def boards(self, found: list[tuple[int, ir.Show]], width: float) -> Box:
        """Draws a board for each player: the viewer's own large, the others small beside or below
        it."""
        drawn = [self.inner(board, width) for _, board in found]
        widest = max(each.width for each in drawn) or 1.0
        if self.view.seat is None or len(drawn) == 1:
            share = width / len(drawn) - GAP
            return self.small_boards(found, drawn, width, min(1.0, share / widest))
        own = below([self.owner(found[0][0], drawn[0].width), drawn[0]], 2)
        room = width - own.width - 2 * GAP
        beside_it = room >= SMALL_BOARD * widest
        room = room if beside_it else width
        others = len(drawn) - 1
        share = room / (others if others < 4 else -(-others // 2)) - GAP
        small = min(BESIDE_OWN, share / widest)
        rest = self.small_boards(found[1:], drawn[1:], room, small)
        return beside([own, rest], 2 * GAP) if beside_it else below([own, rest], GAP)

    def small_boards(
        self, found: list[tuple[int, ir.Show]], drawn: list[Box], width: float, small: float
    ) -> Box:
        """Draws boards with their owners, scaled down; at the owner one looks closer."""
        boxes = (
            self.small_board(seat, scaled(box, max(SMALL_BOARD, small)))
            for (seat, _), box in zip(found, drawn, strict=True)
        )
        return flowing(boxes, width, GAP)

    def small_board(self, seat: int, board: Box) -> Box:
        owner = self.owner(seat, board.width - LOUPE)
        wide = max(owner.width + LOUPE, board.width)
        called = phrase("web.layout.closer", self.looks.language, name=self.looks.player(seat))
        loupe = el(
            "g",
            rect(0, 0, wide, owner.height, fill="#000", fill_opacity=0),
            owner.body,
            moved(wide - LOUPE + 7, 2, LENS),
            class_="closer",
            role="button",
            tabindex=0,
            aria_label=called,
        )
        both = below([Box(wide, owner.height, loupe), board], 2)
        return Box(both.width, both.height, el("g", both.body, class_="theirs"))

    def owner(self, seat: int, room: float) -> Box:
        """Draws the owner of a board in so much room: a letter in the player's colour, and the
        name."""
        tones, looks = self.looks.seat(seat), self.looks
        sign = circle(8, 9, 8, fill=tones.main, stroke=tones.dark) + text(
            looks.letter(seat), 8, 12.7, 10.5, fill=tones.ink, anchor="middle", weight=700
        )
        return beside(
            [Box(16, 20, sign), self.places.heading(looks.player(seat), room - 21, seat=seat)], 5
        )

    def players(self, shown: ir.Show, width: float) -> Box:
        """Draws the players' belongings, cached."""
        key = ("players", self.sights.of(shown), width, self.places.narrow, self.places.ground)
        return self.assembly.kept(key, lambda: self.strips(shown, width))

    def strips(self, shown: ir.Show, width: float) -> Box:
        if self.places.narrow:
            lines = PlayerTable(self.view, self.places, shown, self.sights).draw(width)
            if lines is not None:
                return lines
        strips = Strips(self.view, self.places, shown, self.sights)
        drawn = strips.draw(width)
        if not strips.scored:
            return drawn
        return below([drawn, track(self.places, self.view, drawn.width)], 4)

    def across(self, parts: tuple[ir.Show, ...], width: float) -> Box:
        """Arranges parts side by side; wraps into lines only if scaling does not suffice."""
        boxes = [self.fit(part, width) for part in parts]
        for gap in ((CLOSE if self.places.narrow else GAP), 8.0, 5.0):
            drawn = beside(boxes, gap)
            if drawn.width <= width:
                return drawn
        in_words = all(part.shape == "marker" for part in parts)  # text can be read below as well
        if width >= SMALLEST * drawn.width and not in_words:
            return scaled(drawn, width / drawn.width)
        return flowing(boxes, width, GAP)

    def flow(self, parts: tuple[ir.Show, ...], width: float) -> Box:
        """Puts the other parts beside the first one if they fit, else in lines."""
        if len(parts) > 1 and width >= 2 * BESIDE:
            first = self.fit(parts[0], width - BESIDE - 2 * GAP)
            rest = width - first.width - 2 * GAP
            others = below((self.fit(part, rest) for part in parts[1:]), GAP)
            if rest >= BESIDE and others.width <= rest:
                return beside([first, others], 2 * GAP)
        return flowing((self.fit(part, width) for part in parts), width, GAP)

    def titled(self, shown: ir.Show, inner: Box) -> Box:
        if shown.title is None or not inner or shown.shape == "marker":
            return inner
        if shown.shape == "place" and shown.style not in UNTITLED:
            return inner
        title = self.view.layout.called(shown.title, "", self.looks.language)
        return below([self.places.heading(title), inner], 2)

    @property
    def widest_player(self) -> float:
        """The width of the widest player's sign and name."""
        name, language = self.view.layout.name, self.looks.language
        names = [name(ir.PLAYER, seat, language) for seat in self.view.layout.seats]
        return SIGN + max(WIDEST_PLAYER, *(text_width(each, VALUE) for each in names))

    def marker(self, shown: ir.Show, width: float) -> Box:
        assert shown.marker is not None
        layout, language = self.view.layout, self.looks.language
        marker = layout.program.markers[shown.marker]
        plates, blank = [], self.sights.unset
        narrow = self.places.narrow
        size = TITLE_IN_HAND * self.shrinks if narrow else TITLE
        widest = WIDEST_IN_HAND * self.shrinks if narrow else 0.0
        of_player = marker.type in (ir.PLAYER, ir.MaybeType(ir.PLAYER))
        room = self.widest_player if of_player else 0
        if isinstance(marker.type, ir.NumberType):
            room = text_width("00", VALUE)
        for at, entry in layout.entries(shown.marker):
            found, seat = self.view.markers[at], entry.owner
            title = layout.entry_name(entry, language, shown.title)
            if found is None or at in blank:
                told = "?" if found is None else UNSET
                plates.append(
                    plate(title, told, None, None, f"marker {marker.name}", room, size, widest)
                )
                continue
            words = layout.name(marker.type, found[0], language)
            name = title if seat is None else f"{title} {self.looks.player(seat)}"
            symbol = self.looks.signs.symbol(marker.name)
            if symbol is not None and symbol.shape == "die" and isinstance(found[0], int):
                plates.append(thrown(name, found[0]))
            else:
                seat = found[0] if of_player else None
                look = self.looks.value(marker.type, found[0])
                plates.append(
                    plate(name, words, look, seat, f"marker {marker.name}", room, size, widest)
                )
        return flowing(plates, width, 8)


def _scale(box: Box, width: float) -> float:
    """Returns the scale at which a picture for a phone is seen whole, upright or not."""
    high = HIGH_IN_HAND if width < WIDTHS["tall"] else LOW_IN_HAND
    return min(1.0, width / box.width, high / box.height)


def _flat(parts: Iterable[ir.Show]) -> Iterator[ir.Show]:
    """Flattens nested parts that only stack or flow."""
    for part in parts:
        if part.shape in ("down", "flow") and part.title is None and part.ground is None:
            yield from _flat(part.parts)
        else:
            yield part


def _is_of_markers(shown: ir.Show) -> bool:
    """Whether a part of the layout shows nothing but markers."""
    return shown.shape == "marker" or (bool(shown.parts) and all(map(_is_of_markers, shown.parts)))


def _of_players(shown: ir.Show) -> bool:
    """Whether a part of the layout shows players' belongings."""
    return shown.shape == "players" or any(map(_of_players, shown.parts))
