"""Draws the table as a seat sees it as text, following the game's layout.

The layout is the game's `table` section, or a generated one. Everything comes from a `View`, so
nothing hidden can be shown.

A drawing that is too wide is abbreviated step by step: short titles; line numbers only once; signs
instead of names, with a legend. If it is still too wide, its parts are stacked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import numeral
from lawspeaker.faces.render.blocks import Block, below, beside, block, flowing, indented, ink
from lawspeaker.faces.render.place_text import PlaceText, Terse
from lawspeaker.faces.render.players import players_block
from lawspeaker.faces.render.signs import Signs
from lawspeaker.match.view import View
from lawspeaker.telling.arrangement import boards, default_table
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.out_of_play import out_of_play
from lawspeaker.telling.unset import UNSET, unset

GAPS = (3, 2, 1)
"""Gaps between parts side by side; the widest that fits is used."""
STEPS = (
    Terse(),
    Terse(titles=True),
    Terse(titles=True, numbers=True),
    Terse(titles=True, numbers=True, names=True),
)
NARROWEST = 48
"""Minimum width beside a board; with less, the other parts go below it."""
ANY_WIDTH = 10_000


def table_block(view: View, language: str, width: int, labels: Labels | None = None) -> Block:
    """Draws the whole table, at most `width` wide if possible."""
    drawing = _Drawing(view, language, labels or Labels(view))
    program = view.layout.program
    return drawing.fit(program.table or default_table(program), width)


class _Drawing:
    def __init__(self, view: View, language: str, labels: Labels) -> None:
        self.view = view
        self.language = language
        self.signs = Signs(view.layout, language)
        self.places = PlaceText(view, self.signs, labels)

    # ------------------------------------------------------------ fitting

    def fit(self, shown: ir.Show, width: int) -> Block:
        """Draws a part of the layout, at most `width` wide if possible."""
        match shown.shape:
            case "down":
                return self.titled(shown, below(self.fit(part, width) for part in shown.parts))
            case "flow":
                return self.titled(shown, self.fit_flow(shown, width))
            case "across":
                return self.fit_across(shown, width)
            case "players":
                return self.titled(shown, self.players(shown, width))
        each_has_one = boards(self.view, shown)
        if each_has_one:
            fitting = [self.fit(board, width) for _, board in each_has_one]
            return self.titled(shown, flowing(fitting, width, GAPS[0], _space(fitting)))
        drawn = self.draw(shown, GAPS[0], STEPS[0])
        if drawn.width > width:
            drawn = self.draw(shown, GAPS[-1], STEPS[-1])
        return drawn if drawn.height > 1 else indented(drawn, width)

    def fit_flow(self, shown: ir.Show, width: int) -> Block:
        """Draws all parts side by side, abbreviated unless that replaces names; else stacked.

        Beside a board the other parts keep their own width if possible, else share what is left.
        """
        own = [self.fit(part, width) for part in shown.parts]
        for share in (False, True):

            def draw(gap: int, terse: Terse, share: bool = share) -> Block | None:
                return self.side_by_side(shown.parts, own, width, gap, terse, share)

            if draw(GAPS[-1], STEPS[-2]) is not None:
                drawn = _widest(draw, STEPS[:-1])
                assert drawn is not None
                return drawn
        return flowing(own, width, GAPS[0], _space(own))

    def side_by_side(
        self,
        parts: tuple[ir.Show, ...],
        own: list[Block],
        width: int,
        gap: int,
        terse: Terse,
        share: bool,
    ) -> Block | None:
        """Draws boards with the other parts beside them; returns None if they do not fit."""
        blocks, legend = own.copy(), dict[str, str]()
        boards = [at for at, part in enumerate(parts) if part.shape == "across"]
        for at in boards:
            blocks[at] = self.draw(parts[at], gap, terse)
            legend |= self.places.legend
        if share and boards:
            used = sum(blocks[at].width for at in boards) + GAPS[0] * (len(parts) - 1)
            room = (width - used) // max(len(parts) - len(boards), 1)
            if room < NARROWEST:
                return None
            others = [at for at in range(len(parts)) if at not in boards]
            for at in others:
                blocks[at] = self.fit(parts[at], room)
        drawn = beside(blocks, GAPS[0])
        return below([drawn, self.legend(legend, width)]) if drawn.width <= width else None

    def fit_across(self, shown: ir.Show, width: int) -> Block:

        def draw(gap: int, terse: Terse) -> Block | None:
            drawn = self.draw(shown, gap, terse)
            legend = self.legend(self.places.legend, width)
            return below([drawn, legend]) if drawn.width <= width else None

        drawn = _widest(draw, STEPS)
        if drawn is not None:
            return drawn
        parts = [self.fit(part, width) for part in shown.parts]
        return self.titled(shown, flowing(parts, width, GAPS[0], _space(parts)))

    def draw(self, shown: ir.Show, gap: int, terse: Terse) -> Block:
        self.places.begin(terse)
        return self.drawn(shown, gap)

    # ------------------------------------------------------------ drawing

    def drawn(self, shown: ir.Show, gap: int) -> Block:
        match shown.shape:
            case "across" | "flow":
                inner = beside((self.drawn(part, gap) for part in shown.parts), gap)
            case "down":
                inner = below(self.drawn(part, gap) for part in shown.parts)
            case "players":
                inner = self.players(shown, ANY_WIDTH)
            case "marker":
                return self.marker(shown)
            case "score":
                return self.scores(shown)
            case _:
                each_has_one = boards(self.view, shown)
                if not each_has_one:
                    return self.places.draw(shown, gap)
                inner = beside((self.drawn(board, gap) for _, board in each_has_one), gap)
        return self.titled(shown, inner)

    def titled(self, shown: ir.Show, inner: Block) -> Block:
        if shown.title is None or not inner:
            return inner
        title = ink(self.called(shown.title), "bold")
        if inner.height == 1:
            return block(title + Text(": ") + inner.lines[0])
        return below([block(title), inner])

    def called(self, title: str) -> str:
        return self.view.layout.called(title, "", self.language)

    def legend(self, signs: dict[str, str], width: int) -> Block:
        words = [f"{sign} = {name}" for sign, name in signs.items()]
        return flowing([block(ink(word, "dim")) for word in words], width, 2)

    def players(self, shown: ir.Show, width: int) -> Block:
        out = out_of_play(self.view, self.places.labels)
        return players_block(self.view, self.signs, shown, width, self.places.in_line, out)

    def marker(self, shown: ir.Show) -> Block:
        assert shown.marker is not None
        layout = self.view.layout
        marker = layout.program.markers[shown.marker]
        values: list[Text] = []
        blank = unset(self.view)
        for at, entry in layout.entries(shown.marker):
            found = self.view.markers[at]
            value = Text("?") if found is None else self.signs.value(marker.type, found[0], False)
            value = Text(UNSET) if at in blank else value
            which = layout.index_names(entry, self.language)
            value = Text(f"{which} ") + value if which else value
            seat = entry.owner
            values.append(value if seat is None else self.signs.chip(seat) + Text(" ") + value)
        title = ink(f"{layout.marker_name(shown.marker, self.language, shown.title)} ", "dim")
        return block(title + Text("  ").join(values))

    def scores(self, shown: ir.Show) -> Block:
        title = self.called(shown.title) if shown.title else phrase("word.points", self.language)
        points = [
            self.signs.chip(seat) + Text(f" {numeral(points)}")
            for seat, points in enumerate(self.view.points)
        ]
        return block(ink(f"{title} ", "dim") + Text("  ").join(points))


def _widest(draw: Callable[[int, Terse], Block | None], steps: Sequence[Terse]) -> Block | None:
    """Returns the least abbreviated drawing that fits, with the widest gap."""
    for step in steps:
        narrow = draw(GAPS[-1], step)
        if narrow is not None:
            wider = (draw(gap, step) for gap in GAPS[:-1])
            return next((drawn for drawn in wider if drawn is not None), narrow)
    return None


def _space(parts: list[Block]) -> int:
    """Returns the number of empty lines between stacked parts: none between single lines."""
    return int(any(part.height > 1 for part in parts))
