"""Draws the players' belongings as a table with a row for each player, for small screens."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, numeral
from lawspeaker.faces.web.drawing.appearance import Look, Looks
from lawspeaker.faces.web.drawing.areas import STOUT, AreaDrawing
from lawspeaker.faces.web.drawing.boxes import Box, below, beside
from lawspeaker.faces.web.drawing.grounds import faint_ink_on
from lawspeaker.faces.web.drawing.pictures import picture
from lawspeaker.faces.web.drawing.shapes import chip, small_size_of
from lawspeaker.faces.web.drawing.sights import Sights
from lawspeaker.faces.web.drawing.svg import el, moved, rect, shortened, text, text_width
from lawspeaker.match.view import View
from lawspeaker.telling.arrangement import count_is_visible
from lawspeaker.telling.out_of_play import out_of_play
from lawspeaker.telling.unset import UNSET

LINE = 30.0
NAME, NARROWEST_NAME = 110.0, 62.0
SCORE = 40.0
SQUEEZED = ((66.0, 14.0), (50.0, 10.0), (38.0, 8.0))
"""Maximum width of a column title, and the gap between columns, to try in turn; the cells below may
be wider than their title."""
TITLE, VALUE = 12.0, 14.0
BOLD = 1.15
"""Width of bold letters relative to `text_width`."""
PIECE = 20.0
"""Height of pieces."""
FEW = 4
WIDER_GAP = 24.0
"""Additional gap between columns, where there is room."""


class PlayerTable:
    """Lays out the table: a row for each player, a column for each part."""

    def __init__(self, view: View, places: AreaDrawing, shown: ir.Show, sights: Sights) -> None:
        self.view = view
        self.places = places
        self.looks: Looks = places.looks
        self.parts = [part for part in shown.parts if part.shape != "score"]
        self.scored = any(part.shape == "score" for part in shown.parts)
        self.out = out_of_play(view, places.labels)
        self.blank = sights.unset

    def draw(self, width: float) -> Box | None:
        """Draws the table; returns None if it does not fit."""
        columns = [self.column(part) for part in self.parts]
        kept = [column for column in columns if any(column[1])]
        longest = max(STOUT * text_width(self.looks.player(s), 13) for s in self.view.layout.seats)
        least = min(NARROWEST_NAME, longest + 30)
        for most, gap in SQUEEZED:
            titles = [shortened(title, TITLE, most) for title, _ in kept]
            wide = [
                max(text_width(title, TITLE), *(box.width for box in cells))
                for title, (_, cells) in zip(titles, kept, strict=True)
            ]
            needed = (SCORE if self.scored else 0) + sum(wide) + gap * (len(wide) + 1) + 8
            if width - needed >= least:
                break
        else:
            return None
        name = min(NAME, width - needed)  # players may have chosen longer names than the game has
        if wide:  # a picture that is seen smaller has larger words
            gap += min(WIDER_GAP, (width - needed - name) / (len(wide) + 1))
        start = 8 + name + (SCORE if self.scored else 0)
        lefts = [start + sum(wide[:at]) + gap * (at + 1) for at in range(len(wide))]
        head = "".join(
            text(title, left, 12, TITLE, fill=faint_ink_on(self.places.ground))
            for title, left in zip(titles, lefts, strict=True)
        )
        total = start + sum(wide) + gap * (len(wide) + 1)
        lines = [
            self.line(
                seat,
                name,
                total,
                [(x, cells[seat]) for x, (_, cells) in zip(lefts, kept, strict=True)],
            )
            for seat in self.view.layout.seats
        ]
        return below([Box(total, 16, head or " "), *lines] if titles else lines, 2)

    def line(self, seat: int, name: float, width: float, cells: list[tuple[float, Box]]) -> Box:
        tones, looks = self.looks.seat(seat), self.looks
        asked, out = seat in self.view.asked, seat in self.out
        called = looks.player(seat)
        parts = [
            rect(0.75, 0.75, width - 1.5, LINE - 1.5, 7, fill="#fffaf0", fill_opacity=0.82,
                 stroke=tones.dark, stroke_opacity=0.9 if asked else 0.35,
                 stroke_width=2 if asked else 1),
            moved(6, 5, chip(looks.letter(seat), Look("", tones=tones), 20)),
            text(
                shortened(called, 13, name - 30), 31, 19.5, 13,
                weight=700, serif=True, data_player=seat, data_room=round(name - 30),
                text_decoration="underline" if seat == self.view.seat else None,
            ),
        ]  # fmt: skip
        if self.scored:
            points = numeral(self.view.points[seat])
            middle = 8 + name + SCORE / 2
            parts.append(text(points, middle, 21, 17, anchor="middle", weight=700, serif=True))
        parts += [moved(x, (LINE - box.height) / 2, box.body) for x, box in cells if box]
        said = [called]
        said += [phrase("word.you", looks.language)] * (seat == self.view.seat)
        if self.view.layout.named_side(seat) is not None:
            said.append(self.view.layout.holder_name(seat, looks.language))
        told = ", ".join(said)
        if self.scored:
            points = f"{self.view.points[seat]} {phrase('word.points', looks.language)}"
            told = colon(told, points, looks.language)
        body = el(
            "g",
            *parts,
            class_="strip asked" if asked else "strip out" if out else "strip",
            role="group",
            aria_label=f"{told}, {phrase('word.out', looks.language)}" if out else told,
            data_seat=seat,
            data_thing=self.view.layout.program.player_names[seat],
        )
        return Box(width, LINE, body)

    # ------------------------------------------------------------ columns

    def column(self, shown: ir.Show) -> tuple[str, list[Box]]:
        """Returns the title of a column and a cell for each player."""
        layout, language = self.view.layout, self.looks.language
        seats = layout.seats
        if shown.marker is not None:
            title = layout.marker_name(shown.marker, language, shown.title)
            return title, [self.marker(shown, seat, title) for seat in seats]
        assert shown.family is not None
        title = (
            layout.family_name(shown.family, language)
            if shown.title is None
            else layout.called(shown.title, "", language)
        )
        return title, [self.cell(shown, layout.places_of[shown.family][seat]) for seat in seats]

    def cell(self, shown: ir.Show, place: int) -> Box:
        """Draws a place: a few of its pieces, their number, and its label."""
        label = self.places.words(shown, place)
        held = self.view.contents.get(place, ())
        if shown.style != "count" and not held and not label:
            return Box()
        few = held[: 1 if shown.style == "count" else FEW]
        apart = place in self.owned_elsewhere
        boxes = [] if apart else [self.piece(piece, place) for piece in few]
        count = str(len(held)) if count_is_visible(self.view, place) else "?"
        if shown.style == "count" or len(held) > len(few):
            wide = BOLD * text_width(count, VALUE)
            boxes.append(Box(wide, PIECE, text(count, 0, 15.5, VALUE, weight=700)))
        if label:
            words = shortened(label, TITLE, SQUEEZED[0][0])
            written = text(words, 0, 15, TITLE, serif=True)
            boxes.append(Box(text_width(words, TITLE), PIECE, written))
        inner = beside(boxes, 3, "centre")
        ground = rect(
            -3, -4, inner.width + 6, LINE - 2, 5, class_="ground clear", fill="#fff", fill_opacity=0
        )
        body = ground + inner.body
        return Box(inner.width, PIECE, body if apart else self.places.thing(place, body, label))

    @property
    def owned_elsewhere(self) -> set[int]:
        """The viewer's own places that are also drawn elsewhere."""
        seat, layout = self.view.seat, self.view.layout
        if seat is None:
            return set()
        return {layout.places_of[family][seat] for family in self.places.drawn.owned}

    def piece(self, piece: int, place: int) -> Box:
        width, height = small_size_of(self.places.look(piece, place))
        scale = min(1.0, PIECE / height)
        return self.places.piece(piece, place, (width * scale, height * scale))

    def marker(self, shown: ir.Show, seat: int, title: str) -> Box:
        """Draws the values of a marker for a player side by side."""
        assert shown.marker is not None
        layout, language = self.view.layout, self.looks.language
        marker, blank = layout.program.markers[shown.marker], self.blank
        if not marker.per_player:
            at = layout.marker_at[shown.marker]
            found = None if at in blank else self.view.markers[at]
            here = found is not None and found[0] == seat
            return self.value(title, "●" if here else "", None)
        boxes = []
        for at, entry in layout.entries(shown.marker):
            if entry.owner != seat:
                continue
            found = self.view.markers[at]
            value = "?" if found is None else layout.name(marker.type, found[0], language)
            look = None if found is None else self.looks.value(marker.type, found[0])
            if at in blank:
                value, look = UNSET, None
            which = layout.index_names(entry, language)
            boxes.append(self.value(f"{title} {which}".strip(), value, look))
        return beside(boxes, 8, "centre")

    def value(self, title: str, value: str, look: Look | None) -> Box:
        if not value:
            return Box()
        told = colon(title, value, self.looks.language)
        if look is not None and look.picture:
            drawn, width = picture(look.picture, 0, 0, PIECE, look.tones), PIECE
        else:
            words = shortened(value, VALUE, SQUEEZED[0][0])
            drawn, width = text(words, 0, 15.5, VALUE, weight=700), BOLD * text_width(words, VALUE)
        return Box(width, PIECE, el("g", drawn, role="img", aria_label=told))
