"""Draws the players' belongings: a strip for each player in the player's colour, and the score
track."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, numeral
from lawspeaker.faces.web.drawing.appearance import Look, Looks
from lawspeaker.faces.web.drawing.areas import WIDEST_LABEL, AreaDrawing
from lawspeaker.faces.web.drawing.boxes import Box, below, beside, flowing
from lawspeaker.faces.web.drawing.palette import FAINT_INK, INK
from lawspeaker.faces.web.drawing.pictures import picture
from lawspeaker.faces.web.drawing.shapes import chip, drawn, small_size_of
from lawspeaker.faces.web.drawing.sights import Sights
from lawspeaker.faces.web.drawing.svg import el, moved, rect, shortened, text, text_width, titled
from lawspeaker.match.view import View
from lawspeaker.telling.arrangement import count_is_visible
from lawspeaker.telling.out_of_play import out_of_play
from lawspeaker.telling.unset import UNSET

STRIP = 46.0
DIE = 46.0
LONGEST_NAME = 150.0
ROOMY_NAME = 126.0
"""Width for a name and its sign, if the picture is wide enough."""
NARROWEST = 290.0
BOLD = 1.15
"""Width of bold letters relative to `text_width`."""
FEW = 3
POINTS = 44.0
"""Minimum width for points: room for two digits, and space on both sides."""
POINTS_SIZE = 22.0
SIGN = 20.0
SMALL_SIGN = 13.0
"""Size of players' signs on the score track; the small size applies where they would overlap."""
FOOT = 34.0
"""Bottom edge of the lowest signs: below the line, above its numbers."""
GAP = 11.0
EDGES = 24.0
"""Width of a strip's margins and of the gap between the name and its cells."""
SQUEEZED = ((10, GAP), (10, 7.0), (6, 7.0), (4, 7.0), (2, 7.0))
"""Layouts to try in order: maximum number of pieces in a cell, and the gap between columns.

The first one that fits is taken, so that the columns of all strips stay aligned.
"""
BELOW = 11.0
"""Font size of the line below a player's name."""
TITLE = 11.0
"""Font size of column titles: the smallest on a small screen."""
VALUE = 13.0
"""Font size of a marker's value."""
MARKER_SIGN = 20.0
"""Width of a player's sign on a marker."""
WIDEST_PLAYER = 62.0
"""Width for a player's chosen name on a marker."""


class Strips:
    """Lays out the strips of all players with aligned columns."""

    def __init__(
        self,
        view: View,
        places: AreaDrawing,
        shown: ir.Show,
        sights: Sights,
    ) -> None:
        self.owned = places.drawn.owned
        self.most = SQUEEZED[0][0]
        self.sights = sights
        self.view = view
        self.looks = places.looks
        self.places = places
        self.parts = [part for part in shown.parts if part.shape != "score"]
        self.out = out_of_play(view, places.labels)
        self.scored = any(part.shape == "score" for part in shown.parts)
        told = [text_width(numeral(points), POINTS_SIZE) for points in view.points]
        self.points = max(POINTS, BOLD * max(told) + 16) if self.scored else 0.0
        longest = max(text_width(self.looks.player(seat), 13.5) for seat in view.layout.seats)
        if shown.only is not None:  # Space for it is reserved before somebody is out.
            said = (self.below_name(seat, you=True, out=True) for seat in view.layout.seats)
            longest = max(longest, *(text_width(each, BELOW) for each in said))
        self.name = min(LONGEST_NAME, max(86.0, longest + 36))

    def draw(self, width: float) -> Box:
        for self.most, gap in SQUEEZED:
            columns = [self.column(part) for part in self.parts]
            kept = [column for column in columns if any(column)]
            wide = [max(box.width for box in column) for column in kept]
            needed = self.name + (self.points + 8 if self.scored else 0) + sum(wide) + EDGES
            needed += gap * (len(wide) - 1)
            if needed <= width:
                break
        if needed < width:  # people may have longer names than the seats they take
            more = max(0.0, min(ROOMY_NAME - self.name, width - needed))
            self.name, needed = self.name + more, needed + more
        needed = max(needed, min(NARROWEST, width))
        together = needed <= width
        strips = []
        for seat in self.view.layout.seats:
            boxes = [
                Box(size if together else box.width, box.height, box.body)
                for box, size in zip((column[seat] for column in kept), wide, strict=True)
            ]
            strips.append(self.strip(seat, boxes, needed if together else width, gap))
        return below(strips, 6)

    def column(self, shown: ir.Show) -> tuple[Box, ...]:
        """Draws the cells of one column, cached, one for each player."""
        own = self.view.seat if shown.family in self.owned else None
        key = ("column", self.sights.of(shown), own, self.places.ground, self.most)
        seats = self.view.layout.seats
        return self.places.assembly.several(
            key, lambda: tuple([self.cell(shown, seat) for seat in seats])
        )

    def strip(self, seat: int, boxes: list[Box], width: float, gap: float) -> Box:
        """Draws a player's strip, cached; it is redrawn only if something in it has changed."""
        view = self.view
        stands = (view.points[seat], seat in view.asked, seat == view.seat, seat in self.out)
        had = tuple([(box.width, box.body) for box in boxes])
        key = ("strip", seat, stands, had, width, gap, self.points)
        return self.places.assembly.kept(key, lambda: self.whole_strip(seat, boxes, width, gap))

    def whole_strip(self, seat: int, boxes: list[Box], width: float, gap: float) -> Box:
        tones = self.looks.seat(seat)
        head = self.head(seat)
        rest = flowing([box for box in boxes if box.width], width - head.width - EDGES, gap)
        height = max(STRIP, rest.height + 10)
        asked = seat in self.view.asked
        parts = [
            rect(0.75, 0.75, width - 1.5, height - 1.5, 9, fill="#fffaf0", fill_opacity=0.82,
                 stroke=tones.dark, stroke_opacity=0.9 if asked else 0.35,
                 stroke_width=2 if asked else 1),
            rect(0.75, 0.75, 7, height - 1.5, 3.5, fill=tones.main),
            moved(14, (height - head.height) / 2, head.body),
            moved(head.width + 16, (height - rest.height) / 2, rest.body),
        ]  # fmt: skip
        name = self.looks.player(seat)
        points = f"{self.view.points[seat]} {phrase('word.points', self.looks.language)}"
        told = colon(name, points, self.looks.language) if self.scored else name
        if seat in self.out:
            told = f"{told}, {phrase('word.out', self.looks.language)}"
        body = el(
            "g",
            *parts,
            class_="strip asked" if asked else "strip out" if seat in self.out else "strip",
            role="group",
            aria_label=told,
            data_seat=seat,
            data_thing=self.view.layout.program.player_names[seat],
        )
        return Box(width, height, body)

    def below_name(self, seat: int, you: bool, out: bool) -> str:
        """Returns the line below a name: the side, and whether this is the viewer or somebody who
        is out."""
        language, layout = self.looks.language, self.view.layout
        said = [] if layout.named_side(seat) is None else [layout.holder_name(seat, language)]
        said += [phrase("word.you", language)] * you + [phrase("word.out", language)] * out
        return ", ".join(said)

    def head(self, seat: int) -> Box:
        look = Look("", tones=self.looks.seat(seat))
        name = shortened(self.looks.player(seat), 13, self.name - 32)
        below = self.below_name(seat, seat == self.view.seat, seat in self.out)
        parts = [
            moved(0, 6, chip(self.looks.letter(seat), look, 24)),
            text(
                name,
                30,
                18 if below else 23,
                13,
                weight=700,
                serif=True,
                data_player=seat,
                data_room=round(self.name - 32),
            ),
        ]
        if below:
            parts.append(text(below, 30, 31, BELOW, fill=FAINT_INK))
        if not self.scored:
            return Box(self.name, 36, "".join(parts))
        points = text(
            numeral(self.view.points[seat]),
            self.name + self.points / 2,
            27,
            POINTS_SIZE,
            anchor="middle",
            weight=700,
            serif=True,
        )
        return Box(self.name + self.points, 36, "".join((*parts, points)))

    # ------------------------------------------------------------ cells

    def cell(self, shown: ir.Show, seat: int) -> Box:
        if shown.marker is not None:
            return self.marker(shown, seat)
        assert shown.family is not None
        place = self.view.layout.places_of[shown.family][seat]
        apart = shown.family in self.owned and seat == self.view.seat
        label = self.places.words(shown, place)
        how = ("strip", shown.style, shown.title, apart, self.most, label)
        return self.places.kept(place, how, lambda: self.whole_cell(shown, place, apart, label))

    def whole_cell(self, shown: ir.Show, place: int, apart: bool, label: str) -> Box:
        """Draws the contents of a player's place, with its label; `apart` means that it is drawn
        openly elsewhere."""
        assert shown.family is not None
        layout = self.view.layout
        held = self.view.contents.get(place, ())
        language = self.looks.language
        title = (
            layout.family_name(shown.family, language)
            if shown.title is None
            else layout.called(shown.title, "", language)
        )
        known = count_is_visible(self.view, place)
        count = str(len(held)) if known else "?"
        if shown.style != "count" and not held and not label:
            return Box()
        pieces = self.backs(held, place) if apart else self.row(held, place)
        number = text(count, pieces.width + 4, 22, 13, fill=INK, weight=700) if (
            shown.style == "count") else ""  # fmt: skip
        wide = pieces.width + (4 + text_width(count, 13) if number else 0)
        written = ""
        if label:
            words = shortened(label, VALUE, WIDEST_LABEL)
            left = wide + 7 if wide else 0.0
            written = text(words, left, 32, VALUE, serif=True)
            wide = left + text_width(words, VALUE)
        width = max(wide, text_width(title, TITLE) * 1.1, 22)
        ground = rect(-4, -2, width + 8, 42, 6, class_="ground clear", fill="#fff", fill_opacity=0)
        body = ground + moved(0, 13, pieces.body) + moved(0, 10, number) + written
        named = text(title, 0, 9, TITLE, fill=FAINT_INK)
        if apart:
            return Box(width, 40, named + body)
        return Box(width, 40, self.places.thing(place, named + body, label))

    def backs(self, held: tuple[int, ...], place: int) -> Box:
        """Draws face-down pieces, as many as are in a place that is drawn openly elsewhere."""
        layout = self.view.layout
        look = self.looks.hidden(layout.program.families[layout.place_family[place]].holds)
        width, height = small_size_of(look)
        scale = min(1.0, 26 / height)
        back = self.places.drawn.use(drawn(look, width * scale, height * scale))
        return _overlapping([Box(width * scale, height * scale, back)] * min(len(held), self.most))

    def row(self, held: tuple[int, ...], place: int) -> Box:
        """Draws small pieces: a few visible ones side by side, others overlapping."""
        boxes = []
        for piece in held[: self.most]:
            width, height = small_size_of(self.places.look(piece, place))
            scale = min(1.0, 26 / height)
            boxes.append(self.places.piece(piece, place, (width * scale, height * scale)))
        told = [piece >= 0 or bool(self.places.look(piece, place).badge) for piece in held]
        if len(boxes) <= FEW and (all(told) or (self.view.layout.row[place] and any(told))):
            return beside(boxes, 3)
        return _overlapping(boxes)

    def marker(self, shown: ir.Show, seat: int) -> Box:
        """Draws a marker's value for a player; several entries each get a label."""
        assert shown.marker is not None
        layout, language = self.view.layout, self.looks.language
        marker = layout.program.markers[shown.marker]
        title = layout.marker_name(shown.marker, language, shown.title)
        blank = self.sights.unset
        if not marker.per_player:
            at = layout.marker_at[shown.marker]
            found = None if at in blank else self.view.markers[at]
            held = "●" if found is not None and found[0] == seat else ""
            return _labelled(title, held, None, language)
        boxes: list[Box] = []
        for at, entry in layout.entries(shown.marker):
            if entry.owner == seat:
                which, found = layout.index_names(entry, language), self.view.markers[at]
                value = "?" if found is None else layout.name(marker.type, found[0], language)
                look = None if found is None else self.looks.value(marker.type, found[0])
                if at in blank:
                    value, look = UNSET, None
                label = colon(title, which, language) if title and which else title or which
                boxes.append(_labelled(label if not boxes else which, value, look, language))
        return beside(boxes, 10)


def _labelled(title: str, value: str, look: Look | None, language: str) -> Box:
    """Draws a value under its title, with its picture if it has one."""
    width = max(text_width(title, TITLE) * 1.1, BOLD * text_width(value, 14))
    words = text(title, 0, 9, TITLE, fill=FAINT_INK)
    if look is not None and look.picture:
        words += picture(look.picture, 0, 13, 26, look.tones) + text(value, 32, 31, 13)
        width = max(width, 34 + text_width(value, 13))
    else:
        words += text(value, 0, 29, 14, weight=700)
    told = colon(title, value or "–", language)
    return Box(width, 40, el("g", words, role="img", aria_label=told))


def _overlapping(boxes: list[Box]) -> Box:
    if not boxes:
        return Box()
    step = boxes[0].width * (0.8 if len(boxes) < 4 else 0.55 if len(boxes) < 7 else 0.45)
    parts = [moved(at * step, 0, box.body) for at, box in enumerate(boxes)]
    return Box(step * (len(boxes) - 1) + boxes[0].width, boxes[0].height, "".join(parts))


def track(places: AreaDrawing, view: View, width: float) -> Box:
    """Draws the score track, on which the players' signs move."""
    key = ("track", view.points, width)
    return places.drawn.sketch(key, lambda: _whole_track(places.looks, view, width))


def _whole_track(looks: Looks, view: View, width: float) -> Box:
    low = min(0, min(view.points) // 10 * 10)
    top = max(20, -(-(max(view.points) + 1) // 10) * 10)
    left, right, line = 16.0, width - 16.0, 30.0
    step = (right - left) / (top - low)
    parts = [
        rect(0, 4, width, 42, 10, fill="#fffaf0", fill_opacity=0.75, stroke="#bfae8e"),
    ]
    for at in range(low, top + 1):
        x = left + (at - low) * step
        long = at % 10 == 0
        if at % 5 and step < 6:
            continue
        parts.append(
            rect(x - 0.5, line - (5 if long else 2.5), 1, 10 if long else 5, fill=FAINT_INK)
        )
        if long or (at % 5 == 0 and step > 8):
            parts.append(text(numeral(at), x, 44.5, 10, fill=FAINT_INK, anchor="middle"))
    parts.append(rect(left, line - 0.6, right - left, 1.2, fill=FAINT_INK))
    stops = {points: left + (points - low) * step for points in view.points}
    for points, x in stops.items():
        seats = [seat for seat, own in enumerate(view.points) if own == points]
        near = any(0 < abs(x - other) < SIGN for other in stops.values())
        size = SMALL_SIGN if near or len(seats) > 1 else SIGN
        lower = max(1, len(seats) // 2)
        for row, signs in enumerate((seats[:lower], seats[lower:])):
            wide = len(signs) * size
            start = min(max(x - wide / 2, 2), width - 2 - wide)
            for at, seat in enumerate(signs):
                sign = _sign(looks, seat, points, size)
                parts.append(moved(start + at * size, FOOT - (row + 1) * size, sign))
    return Box(width, 50, el("g", *parts, class_="track"))


def _sign(looks: Looks, seat: int, points: int, size: float) -> str:
    """Draws a player's sign on the score track."""
    told = colon(looks.player(seat), numeral(points), looks.language)
    return el("g", titled(told), chip(looks.letter(seat), Look("", tones=looks.seat(seat)), size),
              class_="piece", role="img", aria_label=told, data_look=f"score {seat}",
              data_place=f"points {points}")  # fmt: skip


def plate(
    title: str,
    value: str,
    look: Look | None,
    seat: int | None = None,
    marker: str = "",
    room: float = 0,
    size: float = TITLE,
    widest: float = 0,
) -> Box:
    """Draws a marker: its name and its value; `seat` is given if the value is a player.

    With `room` for the widest value, its size stays the same when the value changes. `size`
    is that of its name, which is cut beyond `widest`.
    """
    told, title = title, shortened(title, size, widest) if widest else title
    named = text_width(title, size) * 1.1
    needed = text_width(value, VALUE) + (MARKER_SIGN if look and look.letter else 0)
    wide = named + max(needed, room) + 30
    parts = [
        rect(0.5, 0.5, wide - 1, 29, 15, fill="#fffaf0", fill_opacity=0.85, stroke="#bfae8e"),
        text(title, 11, 19, size, fill=FAINT_INK),
    ]
    x = 17 + named
    if look is not None and look.letter:
        parts.append(moved(x, 5, chip(look.letter, look, 20)))
        x += 24
    player = {} if seat is None else {"data_player": seat, "data_room": round(wide - x - 8)}
    parts.append(text(value, x, 19.5, VALUE, weight=700, serif=True, **player))
    return Box(wide, 30, el("g", *parts, class_="marker", role="img", data_what=marker or None,
                            aria_label=f"{told}: {value}"))  # fmt: skip


def thrown(title: str, shown: int) -> Box:
    """Draws a marker as a die."""
    body = drawn(Look(title, "die", pips=shown or None), DIE, DIE)
    told = f"{title}: {shown}"
    return Box(DIE, DIE, el("g", titled(told), body, class_="marker", role="img", aria_label=told))
