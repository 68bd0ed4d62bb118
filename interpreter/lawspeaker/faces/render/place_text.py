"""Draws places and their contents as text, each in one of the layout's styles.

column   one place below the other; a single place shows its pieces in a column
row      the same side by side
grid     places by two indices; the last one runs across; hexes in shifted rows
board    places at their positions in the layout, and the lines between them
map      nodes, each with its contents and its neighbours; then the connections
stacks   places at their positions in the layout, with their numbers at the edge of the board
hand     the contents by name, piece by piece
slot     the same for places that hold one piece
pile     the number of pieces, and the top one
count    the number of pieces
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from rich.text import Text

from lawspeaker import ir
from lawspeaker.base.typography import colon, numeral
from lawspeaker.faces.render.blocks import Block, below, beside, block, centred, ink, padded
from lawspeaker.faces.render.signs import EMPTY, Signs
from lawspeaker.match.decision import changed_states
from lawspeaker.match.view import View
from lawspeaker.telling.arrangement import (
    Grid,
    board,
    chosen,
    count_is_visible,
    grid,
    numbers,
    plain_index,
)
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.maps import ends_of, map_of, only_number

LONGEST_ROW = 76
"""Columns that a row of pieces takes with its title; more of them go on below."""
COVERS = "+"
"""Follows a piece that lies on others."""


@dataclass(frozen=True, slots=True)
class Terse:
    """Levels of abbreviation, to save width."""

    titles: bool = False
    numbers: bool = False
    names: bool = False


@dataclass(slots=True)
class PlaceText:
    """Draws places of a view. `legend` collects the signs that stand for names."""

    view: View
    signs: Signs
    labels: Labels
    terse: Terse = field(default_factory=Terse)
    numbered: set[tuple[str, ...]] = field(default_factory=set)
    legend: dict[str, str] = field(default_factory=dict)

    def begin(self, terse: Terse) -> None:
        """Starts a new drawing."""
        self.terse, self.numbered, self.legend = terse, set(), {}

    def draw(self, shown: ir.Show, gap: int) -> Block:
        places = chosen(self.view, self.labels, shown)
        if not places:
            return Block()
        match shown.style:
            case "column":
                return self.column(shown, places)
            case "row":
                return self.row(shown, places)
            case "grid":
                return self.grid(shown, places, min(gap, 2))
            case "board":
                return self.board(shown, places)
            case "map":
                return self.map(shown, places)
            case "stacks":
                return self.stacks(shown, places)
            case "hand":
                return self.hands(shown, places)
            case "slot":
                return self.slots(shown, places)
        return self.counts(shown, places)

    # ------------------------------------------------------------ titles

    def title(self, shown: ir.Show, places: list[int]) -> str:
        """Returns the heading of some places: the one in the layout, or the name of the places."""
        assert shown.family is not None
        layout, language = self.view.layout, self.signs.language
        if shown.title is not None:
            return layout.called(shown.title, "", language)
        if len(places) == 1:
            return self.signs.place(places[0])
        columns = layout.program.families[shown.family].indices
        indices = layout.place_indices[places[0]]
        fixed = [at for at, allowed in enumerate(shown.at) if allowed is not None]
        names = [layout.name(columns[at].type, indices[at], language) for at in fixed]
        return " ".join(names) or self.signs.family(shown.family)

    def short_title(self, shown: ir.Show, places: list[int]) -> str:
        """Returns the sign of a family, or its first letter, with the number of the place."""
        assert shown.family is not None
        layout = self.view.layout
        family, number = shown.family, ""
        fixed = [at for at, allowed in enumerate(shown.at) if allowed is not None]
        if fixed:
            column = layout.program.families[family].indices[fixed[0]]
            number = numeral(plain_index(layout, column, layout.place_indices[places[0]][fixed[0]]))
            family = column.type.index if isinstance(column.type, ir.PlaceType) else family
        name = self.signs.family(family)
        sign = self.signs.sign(layout.program.families[family].name) or name[:1]
        self.legend[sign] = name
        return sign + number

    # ------------------------------------------------------------ styles

    def column(self, shown: ir.Show, places: list[int]) -> Block:
        if len(places) == 1:
            held = self.view.contents.get(places[0], ())
            inner = below(Block(tuple(self.piece(piece))) for piece in held) or block(" ")
        else:
            inner = self._numbered(shown, places)
        title = self.title(shown, places)
        if self.terse.titles and len(title) > inner.width:
            title = self.short_title(shown, places)
        head = block(centred(ink(title, "bold"), inner.width))
        if len(places) == 1 and (label := self.label(shown, places[0])):
            head = below([head, block(label)])
        space = " " * max((head.width - inner.width) // 2, 0)
        return below([head, Block(tuple(Text(space) + line for line in inner.lines))])

    def _numbered(self, shown: ir.Show, places: list[int]) -> Block:
        """Draws a line for each place, with its number unless an earlier column has the same
        ones."""
        names = tuple(numbers(self.view, shown, place, self.signs.language) for place in places)
        lines = [self.cell(shown, place) for place in places]
        if self.terse.numbers and names in self.numbered:
            return below(lines)
        self.numbered.add(names)
        wide = max(len(name) for name in names)
        return below(
            beside([block(ink(name.rjust(wide), "dim")), line], 1)
            for name, line in zip(names, lines, strict=True)
        )

    def row(self, shown: ir.Show, places: list[int]) -> Block:
        title = block(ink(self.title(shown, places), "bold"))
        if len(places) == 1:
            held = self.view.contents.get(places[0], ())
            drawn = [Block(tuple(self.piece(piece))) for piece in held]
            lines = _in_lines(drawn or [block(EMPTY)], LONGEST_ROW - title.width)
            label = self.label(shown, places[0])
            return beside([title, lines, *([block(label)] if label else [])], 1)
        cells = []
        for place in places:
            name = block(ink(numbers(self.view, shown, place, self.signs.language), "dim"))
            cells.append(beside([name, self.cell(shown, place)], 1))
        return beside([title, *cells], 2)

    def grid(self, shown: ir.Show, places: list[int], gap: int) -> Block:
        layout, language = self.view.layout, self.signs.language
        found = grid(self.view, shown, places)
        assert shown.family is not None
        name = partial(layout.index_name, shown.family)
        head = [ink(name(found.across, at, language), "dim") for at in found.overs]
        lines = [[block(""), *(block(each) for each in head)]]
        for down in found.downs:
            pairs = zip(found.columns, down, strict=True)
            names = [name(column, index, language) for column, index in pairs]
            cells = [found.at(down, over) for over in found.overs]
            line = [block(" ") if place is None else self.cell(shown, place) for place in cells]
            lines.append([block(ink(" ".join(names), "dim")), *line])
        hexes = layout.program.families[shown.family].hexes
        if shown.joined is not None and not hexes:
            lines, gap = self.walled(shown, found, lines), 0
        widths = [max(each.width for each in column) for column in zip(*lines, strict=True)]
        if hexes:  # so that a row can be shifted by half a cell
            widest = max(widths[1:])
            widths[1:] = [widest + (widest + gap) % 2] * len(found.overs)
        rows = [
            beside((_wide(each, size) for each, size in zip(line, widths, strict=True)), gap)
            for line in lines
        ]
        if hexes:
            half = (widths[1] + gap) // 2
            first, *others = rows
            spaces = (block(" " * half * at) for at in range(len(others)))
            shifted = (beside(both, 0) for both in zip(spaces, others, strict=True))
            rows = [first, *shifted]
        if shown.joined is not None and hexes:
            rows.append(self.between(shown.joined))
        return below([block(ink(self.title(shown, places), "bold")), *rows])

    def walled(self, shown: ir.Show, found: Grid, lines: list[list[Block]]) -> list[list[Block]]:
        """Inserts the strips between places into the lines of a grid."""
        assert shown.joined is not None
        layout, joined = self.view.layout, shown.joined
        ends = ends_of(layout, joined)
        walls = {
            frozenset(ends[layout.place_indices[place][0]]): place
            for place in layout.places_of[joined]
        }
        head, *rest = lines
        above = [head[0], *(each for one in head[1:] for each in (one, block("  ")))]
        drawn = [[*above[:1], block("  "), *above[1:]]]
        squares = [[found.at(down, over) for over in found.overs] for down in found.downs]
        for y, (line, row) in enumerate(zip(rest, squares, strict=True)):
            after = [*row[1:], None]
            sides = [
                self.wall(walls, one, other, " \u2503")
                for one, other in zip(row, after, strict=True)
            ]
            pairs = (each for both in zip(line[1:], sides, strict=True) for each in both)
            drawn.append([line[0], block("  "), *pairs])
            below_it = squares[y + 1] if y + 1 < len(squares) else [None] * len(row)
            feet = [
                self.wall(walls, one, other, "\u2501\u2501")
                for one, other in zip(row, below_it, strict=True)
            ]
            drawn.append(
                [block(""), block(""), *(each for foot in feet for each in (foot, block("")))]
            )
        return drawn[:-1]

    def wall(
        self, walls: dict[frozenset[int], int], one: int | None, other: int | None, sign: str
    ) -> Block:
        """Draws the strip between two places of a grid: a sign for one piece, else their number."""
        place = None if one is None or other is None else walls.get(frozenset((one, other)))
        if place is None:
            return block("  ")
        if not count_is_visible(self.view, place):
            return block(" ?")
        held = self.view.contents.get(place, ())
        if not held:
            return block("  ")
        return block(Text(sign if len(held) == 1 else f" {len(held)}"[-2:]))

    def between(self, family: int) -> Block:
        """Lists the pieces on the connections of a board, by place."""
        layout, language = self.view.layout, self.signs.language
        (column,) = layout.program.families[family].indices
        return below(
            block(
                ink(layout.name(column.type, layout.place_indices[place][0], language), "dim")
                + ": "
                + self.listed(place)
            )
            for place in layout.places_of[family]
            if place in self.view.contents
        )

    def map(self, shown: ir.Show, places: list[int]) -> Block:
        """Lists a network: the contents of each node and of each connection."""
        layout, language = self.view.layout, self.signs.language
        found = map_of(layout, shown, places)
        lines = []
        for node, there in found.places.items():
            told = ink(layout.name(found.of, node, language), "bold")
            label = self.label(shown, there[0])
            if label.plain:
                told = told + " " + label
            for place in there:
                if place in self.view.contents or not count_is_visible(self.view, place):
                    told = told + "  " + self.listed(place)
            roads = [road for road in found.roads if node in (road.one, road.other)]
            if not shown.joined:
                others = [road.other if road.one == node else road.one for road in roads]
                names = ", ".join(layout.name(found.of, each, language) for each in others)
                told = told + ink(f"  \u2013 {names}", "dim")
            lines.append(told)
        for road in found.roads:
            if road.place is None:
                continue
            told = Text(layout.name(road.of, road.value, language))
            number = only_number(layout.program, road.of, road.value)
            label = self.label(shown, road.place) if not found.places else Text()
            if label.plain or number is not None:
                told = told + ink(f" ({label.plain or numeral(number or 0)})", "dim")
            lines.append(told + "  " + self.listed(road.place))
        title = block(ink(self.title(shown, places), "bold"))
        short = len(lines) <= 8 or self.terse.titles
        half = len(lines) if short else -(-len(lines) // 2)
        columns = [Block(tuple(lines[:half])), Block(tuple(lines[half:]))]
        return below([title, beside((each for each in columns if each.lines), 3)])

    def board(self, shown: ir.Show, places: list[int]) -> Block:
        """Draws points at their positions in the layout, over the lines that join them.

        An empty point shows its name; those of a grid are labelled at the edge.
        """
        assert shown.family is not None
        if self.view.layout.program.families[shown.family].grid:
            return self.grid(shown, places, 1)
        found = board(self.view, shown, places)
        cells = {
            place: self.cell(shown, place).lines[0]
            if place in self.view.contents
            else self.point(shown, place)
            for place in found.places
        }
        if not cells:
            return Block()
        wide = max(text.cell_len for text in cells.values()) + 3
        columns, rows = found.size
        signs = [[" "] * (columns * wide) for _ in range(2 * rows - 1)]
        for one, other in found.joined:
            (left, top), (right, bottom) = sorted((found.places[one], found.places[other]))
            if top == bottom:
                for x in range(left * wide + 1, right * wide):
                    signs[2 * top][x] = "─"
            elif left == right:
                for y in range(2 * min(top, bottom) + 1, 2 * max(top, bottom)):
                    signs[y][left * wide] = "│"
        lines = [Text("".join(line).rstrip(), style="dim") for line in signs]
        for place, (column, row) in sorted(found.places.items(), key=lambda each: -each[1][0]):
            line, at = lines[2 * row], column * wide
            after = line[at + cells[place].cell_len :] if len(line) > at else Text("")
            before = line[:at] if len(line) >= at else padded(line, at)
            lines[2 * row] = before + cells[place] + after
        title, drawn = block(ink(self.title(shown, places), "bold")), Block(tuple(lines))
        if shown.joined is None:
            return below([title, drawn])
        return below([title, drawn, self.between(shown.joined)])

    def point(self, shown: ir.Show, place: int) -> Text:
        """Formats an empty point of a board: its name, and its label."""
        name = ink(numbers(self.view, shown, place, self.signs.language), "dim")
        label = self.label(shown, place)
        return Text.assemble(name, " ", label) if label else name

    def stacks(self, shown: ir.Show, places: list[int]) -> Block:
        """Draws rows of places that hold many pieces, with their numbers at the edge of the board.

        The numbers are above the upper rows and below the lower ones.
        """
        found = board(self.view, shown, places)
        if not found.places:
            return Block()
        columns, rows = found.size
        lines = [[Text() for _ in range(columns)] for _ in range(2 * rows)]
        for place, (x, y) in found.places.items():
            told = ink(numbers(self.view, shown, place, self.signs.language), "dim")
            upper, lower = told, self.cell(shown, place).lines[0]
            if y >= rows // 2:
                upper, lower = lower, upper
            lines[2 * y][x], lines[2 * y + 1][x] = upper, lower
        wide = max(text.cell_len for line in lines for text in line)
        drawn = [beside((block(padded(text, wide)) for text in line), 1) for line in lines]
        halves = [below(drawn[: rows // 2 * 2]), below(drawn[rows // 2 * 2 :])]
        return below([block(ink(self.title(shown, places), "bold")), below(halves, 1)])

    def hands(self, shown: ir.Show, places: list[int]) -> Block:
        lines = []
        for place in places:
            owner = self.view.layout.place_owner[place]
            title = self.title(shown, [place])
            if owner is not None and shown.title is None:
                title = self.signs.family(self.view.layout.place_family[place])
            line = ink(colon(title, "", self.signs.language), "dim") + self.listed(place)
            line = self.with_label(line, self.label(shown, place))
            if owner is not None and not shown.own:
                line = self.signs.chip(owner) + Text(" ") + line
            lines.append(line)
        return block(*lines)

    def slots(self, shown: ir.Show, places: list[int]) -> Block:
        texts = []
        for place in places:
            held = self.view.contents.get(place, ())
            drawn = self.piece(held[0]) if self.terse.names and len(held) == 1 else []
            text = drawn[0] if len(drawn) == 1 else self.listed(place)
            label = self.label(shown, place)
            texts.append(text + Text(" ") + label if label else text)
        line = Text("  ").join(texts)
        if shown.title is not None:
            title = colon(self.title(shown, places), "", self.signs.language)
            line = ink(title, "dim") + line
        return block(line)

    def counts(self, shown: ir.Show, places: list[int]) -> Block:
        cells = []
        for place in places:
            owner = self.view.layout.place_owner[place]
            cell = Text(self.count(place)) + self.known(place)
            if shown.style == "pile":
                cell += self.top(place)
            cell = self.with_label(cell, self.label(shown, place))
            if len(places) > 1:
                name = ink(numbers(self.view, shown, place, self.signs.language), "dim")
                cell = (name if owner is None else self.signs.chip(owner)) + Text(" ") + cell
            cells.append(cell)
        title = ink(self.title(shown, places), "dim")
        return block(title + Text(" ") + Text("  ").join(cells))

    # ------------------------------------------------------------ single places

    def count(self, place: int) -> str:
        return (
            str(len(self.view.contents.get(place, ())))
            if count_is_visible(self.view, place)
            else "?"
        )

    def sees(self, place: int) -> bool:
        layout = self.view.layout
        return layout.sees(layout.seen[place], self.view.seat)

    def known(self, place: int) -> Text:
        """Lists what the viewer knows of a hidden place, the topmost first."""
        held = () if self.sees(place) else self.view.contents.get(place, ())
        names = [self.named(piece) for piece in reversed(held) if piece >= 0]
        names += [self.hidden(piece, place) for piece in held if self.clues(piece, place)]
        return Text(" (") + Text(", ").join(names) + Text(")") if names else Text()

    def top(self, place: int) -> Text:
        held = self.view.contents.get(place, ())
        if not self.sees(place) or not held or place in self.view.loose:
            return Text()
        return Text(" (") + self.named(held[-1]) + Text(")")

    def clues(self, piece: int, place: int) -> str:
        """Formats what is public about a piece that is hidden from somebody, in brackets."""
        layout = self.view.layout
        if layout.seen[place] == layout.everyone:
            return ""
        number = layout.program.families[layout.place_family[place]].holds
        values = self.view.states.get(piece, ())
        told = changed_states(layout, number, values, self.signs.language)
        return f" ({', '.join(' '.join(each).rstrip() for each in told)})" if told else ""

    def hidden(self, piece: int, place: int) -> Text:
        """Formats a piece hidden from the viewer, with what is public about it."""
        return Text("?") + ink(self.clues(piece, place), "dim")

    def piece(self, piece: int) -> list[Text]:
        if piece < 0:
            return [Text("?")]
        return self.signs.piece(piece, self.view.states.get(piece, ()))

    def named(self, piece: int) -> Text:
        return self.signs.piece_name(piece, self.view.states.get(piece, ()))

    def cell(self, shown: ir.Show, place: int) -> Block:
        """Draws the contents of a place in short form, with its label."""
        label = self.label(shown, place)
        content = self.content(place)
        return beside([content, block(label)], 1) if label else content

    def content(self, place: int) -> Block:
        if not count_is_visible(self.view, place):
            return block("?")
        held = self.view.contents.get(place, ())
        if not held:
            return block(ink(EMPTY, "dim"))
        family = self.view.layout.program.families[self.view.layout.place_family[place]]
        if family.arranged == "pile" and place not in self.view.loose:
            more = [block(ink(COVERS, "dim"))] if len(held) > 1 else []
            return beside([Block(tuple(self.piece(held[-1]))), *more], 0)
        groups: dict[str, list[Block]] = {}
        for piece in held:
            drawn = Block(tuple(self.piece(piece)))
            groups.setdefault("\n".join(line.plain for line in drawn.lines), []).append(drawn)
        blocks = []
        for same in groups.values():
            many = [block(f"×{len(same)}")] if len(same) > 1 else []
            blocks.append(beside([same[0], *many], 0))
        return beside(blocks, 1)

    def listed(self, place: int) -> Text:
        """Lists the contents of a place by name."""
        if not count_is_visible(self.view, place):
            return Text("?")
        held = self.view.contents.get(place, ())
        if not held:
            return ink("–", "dim")
        clues = {piece: self.clues(piece, place) for piece in held}
        if all(piece < 0 for piece in held) and not any(clues.values()):
            return Text(str(len(held)))
        if any(clues.values()) and self.view.layout.row[place]:  # each at its position
            return Text(", ").join(
                self.hidden(piece, place)
                if piece < 0
                else self.named(piece) + ink(clues[piece], "dim")
                for piece in held
            )
        groups: dict[str, list[Text]] = {}
        for piece in held:
            name = self.hidden(piece, place) if piece < 0 else self.named(piece)
            groups.setdefault(name.plain, []).append(name)
        names = [
            same[0] if len(same) == 1 else Text(f"{len(same)} × ") + same[0]
            for same in groups.values()
        ]
        return Text(", ").join(names)

    def label(self, shown: ir.Show, place: int) -> Text:
        """Returns the labels of a place."""
        told = (self.labelled(label, place) for label in shown.labels)
        return Text(" ").join(each for each in told if each)

    @staticmethod
    def with_label(told: Text, label: Text) -> Text:
        """Adds the labels of a place to a line about it, in brackets."""
        return Text.assemble(told, " (", label, ")") if label else told

    def labelled(self, label: int, place: int) -> Text:
        value = self.labels.value(label, place)
        if value is None:
            return Text()
        of = self.labels.type(label)
        name = self.signs.value(of, value, short=False)
        if not self.terse.names:
            return name
        sign = self.signs.value(of, value, short=True)
        if name.plain != sign.plain:
            self.legend[sign.plain] = name.plain
        return sign

    def in_line(self, shown: ir.Show, place: int) -> Text:
        """Draws a place within the line of its player, with its label."""
        label = self.label(shown, place)
        if shown.style == "count":
            return self.with_label(Text(self.count(place)) + self.known(place), label)
        empty = count_is_visible(self.view, place) and place not in self.view.contents
        return label if empty else self.with_label(self.listed(place), label)


def _wide(inner: Block, width: int) -> Block:
    return Block(tuple(padded(line, width) for line in inner.lines or (Text(),)))


def _in_lines(blocks: list[Block], width: int) -> Block:
    """Draws blocks side by side, in as many lines as they need."""
    lines: list[list[Block]] = [[]]
    room = width
    for each in blocks:
        if lines[-1] and each.width > room:
            lines.append([])
            room = width
        lines[-1].append(each)
        room -= each.width + 1
    return below(beside(line, 1) for line in lines)
