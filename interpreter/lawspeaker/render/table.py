"""The table as a seat sees it, drawn in text from the game's own layout.

What stands where is said by the section `table` of the game; where there is none, a plain layout
is made up from its places. Everything shown comes from a `View`, so nothing hidden can be.

A picture that is too wide is drawn again more tersely, step by step: with short titles; with the
numbers of lines only once; with signs instead of names, and a legend. What is too wide even then
is stacked.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rich.text import Text

from lawspeaker import ir
from lawspeaker.labels import Labels
from lawspeaker.layout import Value
from lawspeaker.phrases import phrase
from lawspeaker.render.blocks import Block, below, beside, block, centred, flowing, padded
from lawspeaker.render.players import players_block
from lawspeaker.render.signs import EMPTY, Signs
from lawspeaker.types import PLAYER, PlaceType
from lawspeaker.view import View

GAPS = (3, 2, 1)
"""How far things stand apart that are side by side; the widest that fits is taken."""


@dataclass(frozen=True, slots=True)
class Terse:
    """How tersely to draw: what is left out to save room."""

    titles: bool = False
    numbers: bool = False
    names: bool = False


STEPS = (
    Terse(),
    Terse(titles=True),
    Terse(titles=True, numbers=True),
    Terse(titles=True, numbers=True, names=True),
)


def table_block(view: View, language: str, width: int, labels: Labels | None = None) -> Block:
    """The whole table, at most so wide if that can be."""
    drawing = _Drawing(view, language, labels or Labels(view))
    shown = view.layout.program.table or default_table(view.layout.program)
    return drawing.fit(shown, width)


def default_table(program: ir.Program) -> ir.Show:
    """A layout for a game that has none: markers, what each player has, then all other places."""
    markers = [
        ir.Show("marker", marker=number)
        for number, marker in enumerate(program.markers)
        if not marker.per_player
    ]
    lines = [ir.Show("score")]
    lines += [
        ir.Show("marker", marker=number)
        for number, marker in enumerate(program.markers)
        if marker.per_player
    ]
    own, rest = [], []
    for number, family in enumerate(program.families):
        at: tuple[None, ...] = (None,) * len(family.indices)
        if len(family.indices) == 1 and family.indices[0].type == PLAYER:
            counted = family.seen_by != "everyone"
            style = "count" if counted else "hand"
            lines.append(ir.Show("place", None, (), number, at, style))
            if family.seen_by == "owner":
                own.append(ir.Show("place", None, (), number, at, "hand", own=True))
        else:
            style = ("pile", "row", "grid")[min(len(family.indices), 2)]
            rest.append(ir.Show("place", None, (), number, at, style))
    parts = (ir.Show("flow", parts=tuple(markers)), ir.Show("flow", parts=tuple(rest)))
    return ir.Show("down", parts=(*parts, ir.Show("players", parts=tuple(lines)), *own))


@dataclass(slots=True)
class _Drawing:
    view: View
    language: str
    labels: Labels
    signs: Signs = field(init=False)
    terse: Terse = STEPS[0]
    numbered: set[tuple[int, ...]] = field(default_factory=set)
    legend: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.signs = Signs(self.view.layout, self.language)

    # ------------------------------------------------------------ putting together

    def fit(self, shown: ir.Show, width: int) -> Block:
        """A piece of the layout, no wider than this if that can be."""
        match shown.shape:
            case "down":
                return self.titled(shown, below(self.fit(part, width) for part in shown.parts))
            case "flow":
                return self.titled(shown, self.fit_flow(shown, width))
            case "across":
                return self.fit_across(shown, width)
            case "players":
                return players_block(self.view, self.signs, shown, width, self.cell_line)
        drawn = self.draw(shown, GAPS[0], STEPS[0])
        return drawn if drawn.width <= width else self.draw(shown, GAPS[-1], STEPS[-1])

    def fit_flow(self, shown: ir.Show, width: int) -> Block:
        """All side by side, drawn more tersely for it if names need not go; else stacked."""
        parts = [self.fit(part, width) for part in shown.parts]
        for step in STEPS[:-1]:
            for gap in GAPS:
                tried = [
                    self.draw(part, gap, step) if part.shape == "across" else each
                    for part, each in zip(shown.parts, parts, strict=True)
                ]
                drawn = beside(tried, GAPS[0])
                if drawn.width <= width:
                    return below([drawn, self.legend_block(width)])
        return flowing(parts, width, GAPS[0], space=_space(parts))

    def fit_across(self, shown: ir.Show, width: int) -> Block:
        for step in STEPS:
            for gap in GAPS:
                drawn = self.draw(shown, gap, step)
                if drawn.width <= width:
                    return below([drawn, self.legend_block(width)])
        parts = [self.fit(part, width) for part in shown.parts]
        return self.titled(shown, flowing(parts, width, GAPS[0], space=_space(parts)))

    def draw(self, shown: ir.Show, gap: int, terse: Terse) -> Block:
        self.terse, self.numbered, self.legend = terse, set(), {}
        return self.drawn(shown, gap)

    def drawn(self, shown: ir.Show, gap: int) -> Block:
        match shown.shape:
            case "across" | "flow":
                inner = beside((self.drawn(part, gap) for part in shown.parts), gap)
            case "down":
                inner = below(self.drawn(part, gap) for part in shown.parts)
            case "players":
                inner = players_block(self.view, self.signs, shown, 10_000, self.cell_line)
            case "marker":
                return self.marker(shown)
            case "score":
                inner = self.scores()
            case _:
                return self.place(shown, gap)
        return self.titled(shown, inner)

    def titled(self, shown: ir.Show, inner: Block) -> Block:
        if shown.title is None or not inner:
            return inner
        title = Text(self.title_text(shown.title), style="bold")
        if inner.height == 1:
            return block(title + Text(": ") + inner.lines[0])
        return below([block(title), inner])

    def title_text(self, title: str) -> str:
        return self.view.layout.called(title, "", self.language)

    def legend_block(self, width: int) -> Block:
        words = [Text(f"{sign} = {name}", style="dim") for sign, name in self.legend.items()]
        return flowing([block(word) for word in words], width, 2)

    # ------------------------------------------------------------ markers and scores

    def marker(self, shown: ir.Show) -> Block:
        assert shown.marker is not None
        layout = self.view.layout
        marker = layout.program.markers[shown.marker]
        at = layout.marker_at[shown.marker]
        name = self.title_text(shown.title or marker.name)
        values: list[Text] = []
        for seat in layout.seats if marker.per_player else (None,):
            found = self.view.markers[at + (seat or 0)]
            value = Text("?") if found is None else self.signs.value(marker.type, found[0], False)
            values.append(value if seat is None else self.signs.chip(seat) + Text(" ") + value)
        return block(Text(f"{name} ", style="dim") + Text("  ").join(values))

    def scores(self) -> Block:
        points = [
            self.signs.chip(seat) + Text(f" {points}")
            for seat, points in enumerate(self.view.scores)
        ]
        title = Text(phrase("points", self.language) + " ", style="dim")
        return block(title + Text("  ").join(points))

    # ------------------------------------------------------------ places

    def places(self, shown: ir.Show) -> list[int]:
        """The places of a family that are to be drawn."""
        assert shown.family is not None
        layout = self.view.layout
        found = []
        for place in layout.places_of[shown.family]:
            indices = layout.place_indices[place]
            fits = all(
                allowed is None or self.plain_index(column.type, index) in allowed
                for column, index, allowed in zip(
                    layout.program.families[shown.family].indices, indices, shown.at, strict=True
                )
            )
            if shown.own and layout.place_owner[place] != self.view.seat:
                continue
            if fits and (shown.only is None or self.labels.value(shown.only, place)):
                found.append(place)
        return found

    def plain_index(self, of: object, index: Value) -> Value:
        """A number by which a place is told: for a place as an index, that place's own."""
        layout = self.view.layout
        while isinstance(of, PlaceType):
            family = layout.program.families[of.index]
            if len(family.indices) != 1:
                return index
            of, index = family.indices[0].type, layout.place_indices[index][0]
        return index

    def place(self, shown: ir.Show, gap: int) -> Block:
        assert shown.family is not None
        places = self.places(shown)
        if not places:
            return Block()
        match shown.style:
            case "column":
                inner = self.column(shown, places)
                head = self.heading(shown, places, inner.width)
                return below([head, _middle(inner, head.width)])
            case "row":
                return self.row(shown, places)
            case "grid":
                return self.grid(shown, places, gap)
            case "hand":
                return self.hands(shown, places)
            case "slot":
                inner = block(Text("  ").join([self.slot(shown, place) for place in places]))
                return self.titled(shown, inner)
        return self.counts(shown, places)

    def heading(self, shown: ir.Show, places: list[int], width: int) -> Block:
        """What a column is called: by its fixed numbers, or as its family."""
        assert shown.family is not None
        layout = self.view.layout
        columns = layout.program.families[shown.family].indices
        fixed = [at for at, allowed in enumerate(shown.at) if allowed is not None]
        indices = layout.place_indices[places[0]]
        if shown.title is not None:
            name = self.title_text(shown.title)
        elif len(places) == 1:
            name = self.signs.place(places[0])
        elif fixed:
            names = [layout.name(columns[at].type, indices[at], self.language) for at in fixed]
            name = " ".join(names)
        else:
            name = self.signs.family(shown.family)
        if self.terse.titles and len(name) > width:
            name = self.short_title(shown, fixed, indices)
        return block(centred(Text(name, style="bold"), max(width, 1)))

    def short_title(self, shown: ir.Show, fixed: list[int], indices: tuple[Value, ...]) -> str:
        """The sign of a family, or its first letter, with the number of the place."""
        assert shown.family is not None
        layout = self.view.layout
        family, number = shown.family, ""
        if fixed:
            of = layout.program.families[family].indices[fixed[0]].type
            number = str(self.plain_index(of, indices[fixed[0]]))
            family = of.index if isinstance(of, PlaceType) else family
        name = self.signs.family(family)
        sign = self.signs.sign(layout.program.families[family].name) or name[:1]
        self.legend[sign] = name
        return sign + number

    def column(self, shown: ir.Show, places: list[int]) -> Block:
        if len(places) == 1:
            pieces = self.view.contents.get(places[0], ())
            drawn = [Block(tuple(self.piece(piece))) for piece in pieces]
            return below(drawn) or block(Text(" "))
        free = self.free(shown)
        inner = []
        for place in places:
            content = beside([self.cell(place), block(self.label(shown, place))], 1)
            inner.append((self.index_names(shown, place, free), content))
        numbers = tuple(hash(name) for name, _ in inner)
        if self.terse.numbers and numbers in self.numbered:
            return below(content for _, content in inner)
        self.numbered.add(numbers)
        wide = max(len(name) for name, _ in inner)
        return below(
            beside([block(Text(name.rjust(wide), style="dim")), content], 1)
            for name, content in inner
        )

    def row(self, shown: ir.Show, places: list[int]) -> Block:
        assert shown.family is not None
        if len(places) == 1:
            name = self.title_text(shown.title) if shown.title else self.signs.place(places[0])
            pieces = self.view.contents.get(places[0], ())
            drawn = beside((Block(tuple(self.piece(piece))) for piece in pieces), 1)
            return beside([block(Text(name, style="dim")), drawn or block(EMPTY)], 1)
        free = self.free(shown)
        cells = []
        for place in places:
            name = block(Text(self.index_names(shown, place, free), style="dim"))
            label = block(self.label(shown, place))
            cells.append(beside([name, self.cell(place), label], 1))
        title = self.title_text(shown.title) if shown.title else self.signs.family(shown.family)
        return beside([block(Text(title, style="bold")), *cells], 2)

    def grid(self, shown: ir.Show, places: list[int], gap: int) -> Block:
        """Places by two numbers; the last one runs across. Far from all pieces nothing is drawn."""
        assert shown.family is not None
        layout = self.view.layout
        columns = layout.program.families[shown.family].indices
        by_index = {layout.place_indices[place]: place for place in places}
        downs = list(dict.fromkeys(index[:-1] for index in by_index))
        acrosses = list(dict.fromkeys(index[-1] for index in by_index))
        used = [index for index, place in by_index.items() if place in self.view.contents]
        if used and len(by_index) > 100:
            downs = _around(downs, [index[:-1] for index in used])
            acrosses = _around(acrosses, [index[-1] for index in used])
        names = [
            block(Text(layout.name(columns[-1].type, at, self.language), style="dim"))
            for at in acrosses
        ]
        lines: list[list[Block]] = [[Block(), *names]]
        for down in downs:
            told = [
                layout.name(column.type, index, self.language)
                for column, index in zip(columns[:-1], down, strict=True)
            ]
            line = [block(Text(" ".join(told), style="dim"))]
            for across in acrosses:
                place = by_index.get((*down, across))
                if place is None:
                    line.append(block(" "))
                else:
                    line.append(beside([self.cell(place), block(self.label(shown, place))], 1))
            lines.append(line)
        widths = [max(each.width for each in column) for column in zip(*lines, strict=True)]
        title = Text(self.title_text(shown.title) if shown.title else self.signs.family(shown.family))
        title.stylize("bold")
        return below(
            [block(title)]
            + [
                beside(
                    (_wide(each, size) for each, size in zip(line, widths, strict=True)),
                    min(gap, 2),
                )
                for line in lines
            ]
        )

    def hands(self, shown: ir.Show, places: list[int]) -> Block:
        """What lies in places, piece by piece, by name; places of others by owner."""
        lines = []
        for place in places:
            owner = self.view.layout.place_owner[place]
            name = self.signs.place(place) if owner is None else self.signs.family(shown.family or 0)
            title = Text(self.title_text(shown.title) if shown.title else name, style="dim")
            if owner is not None and not shown.own:
                title = self.signs.chip(owner) + Text(" ") + title
            lines.append(title + Text(": ") + self.listed(place))
        return below(block(line) for line in lines)

    def counts(self, shown: ir.Show, places: list[int]) -> Block:
        cells = []
        for place in places:
            owner = self.view.layout.place_owner[place]
            count = self.count(place)
            top = self.top(place) if shown.style == "pile" else Text()
            if owner is not None and len(places) > 1:
                cells.append(self.signs.chip(owner) + Text(f" {count}") + top)
            elif len(places) > 1:
                name = Text(self.index_names(shown, place, self.free(shown)), style="dim")
                cells.append(name + Text(f" {count}") + top)
            else:
                cells.append(Text(count) + top)
        name = self.signs.place(places[0]) if len(places) == 1 else self.signs.family(shown.family or 0)
        title = Text(self.title_text(shown.title) if shown.title else name, style="dim")
        return block(title + Text(" ") + Text("  ").join(cells))

    # ------------------------------------------------------------ single places

    def free(self, shown: ir.Show) -> list[int]:
        """Which numbers of a place are not fixed."""
        return [
            at for at, allowed in enumerate(shown.at) if allowed is None or len(allowed) > 1
        ] or list(range(len(shown.at)))

    def index_names(self, shown: ir.Show, place: int, which: list[int]) -> str:
        assert shown.family is not None
        layout = self.view.layout
        columns = layout.program.families[shown.family].indices
        indices = layout.place_indices[place]
        return " ".join(
            layout.name(columns[at].type, indices[at], self.language) for at in which
        )

    def counted(self, place: int) -> bool:
        layout, seat = self.view.layout, self.view.seat
        seen = layout.sees(layout.seen[place], seat)
        return seen or layout.sees(layout.count_seen[place], seat)

    def count(self, place: int) -> str:
        return str(len(self.view.contents.get(place, ()))) if self.counted(place) else "?"

    def top(self, place: int) -> Text:
        held = self.view.contents.get(place, ())
        if not held or held[-1] < 0 or place in self.view.loose:
            return Text()
        return Text(" (") + self.signs.piece_name(held[-1]) + Text(")")

    def piece(self, piece: int) -> list[Text]:
        return [Text("?")] if piece < 0 else self.signs.piece(piece)

    def cell(self, place: int) -> Block:
        """What lies in a place, drawn small."""
        if not self.counted(place):
            return block("?")
        held = self.view.contents.get(place, ())
        if not held:
            return block(Text(EMPTY, style="dim"))
        groups: dict[str, list[Block]] = {}
        for piece in held:
            drawn = Block(tuple(self.piece(piece)))
            groups.setdefault("\n".join(line.plain for line in drawn.lines), []).append(drawn)
        blocks = []
        for same in groups.values():
            blocks.append(same[0])
            if len(same) > 1:
                blocks.append(block(f"×{len(same)}"))
        return beside(blocks, 0 if len(groups) == 1 else 1)

    def listed(self, place: int) -> Text:
        """What lies in a place, by name."""
        if not self.counted(place):
            return Text("?")
        held = self.view.contents.get(place, ())
        if not held:
            return Text("–", style="dim")
        if all(piece < 0 for piece in held):
            return Text(str(len(held)))
        groups: dict[str, tuple[Text, int]] = {}
        for piece in held:
            name = Text("?") if piece < 0 else self.signs.piece_name(piece)
            groups[name.plain] = (name, groups.get(name.plain, (name, 0))[1] + 1)
        names = [name if count == 1 else Text(f"{count} × ") + name for name, count in groups.values()]
        return Text(", ").join(names)

    def slot(self, shown: ir.Show, place: int) -> Text:
        label = self.label(shown, place)
        held = self.view.contents.get(place, ())
        drawn = self.piece(held[0]) if self.terse.names and len(held) == 1 else []
        listed = drawn[0] if len(drawn) == 1 else self.listed(place)
        return listed + Text(" ") + label if label else listed

    def label(self, shown: ir.Show, place: int) -> Text:
        """The defined value that is written on a place."""
        if shown.label is None:
            return Text()
        value = self.labels.value(shown.label, place)
        if value is None:
            return Text()
        of = self.labels.type(shown.label)
        text = self.signs.value(of, value, short=self.terse.names)
        if self.terse.names:
            name = self.signs.value(of, value, short=False)
            if name.plain != text.plain:
                self.legend[text.plain] = name.plain
        return text

    def cell_line(self, shown: ir.Show, place: int) -> Text:
        """A place in the line of a player."""
        if shown.style == "count":
            return Text(self.count(place))
        if place not in self.view.contents and self.counted(place):
            return Text()
        return self.listed(place)


def _wide(inner: Block, width: int) -> Block:
    lines = inner.lines or (Text(),)
    return replace(inner, lines=tuple(padded(line, width) for line in lines))


def _space(parts: list[Block]) -> int:
    """How many lines to leave between things that are stacked: none between single lines."""
    return int(any(part.height > 1 for part in parts))


def _middle(inner: Block, width: int) -> Block:
    """A block with as much room on its left as on its right."""
    space = " " * max((width - inner.width) // 2, 0)
    return Block(tuple(Text(space) + line for line in inner.lines))


def _around(indices: list[Value], used: list[Value]) -> list[Value]:
    """The part of a list from one before the first used to one after the last."""
    at = [indices.index(each) for each in used]
    return indices[max(min(at) - 1, 0) : max(at) + 2]
