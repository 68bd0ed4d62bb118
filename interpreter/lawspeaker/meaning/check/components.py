"""Declares components: places, pieces, markers."""

from __future__ import annotations

import re
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.fitting import bare
from lawspeaker.meaning.check.frame import Frame
from lawspeaker.meaning.check.meaning_lookup import by_type
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.meaning.check.values import citations, constant, texts, whole_number
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    items_of,
    one_or_more,
    text_of,
)
from lawspeaker.text.rulebook import Entry, Rulebook

MOST_PIECES = 10_000
MOST_PLACES = 100_000
MOST_PLAYERS = 64
REMEMBERED = 100
"""The default number of positions that are remembered."""
UNKNOWN = -1
SEEN_BY = ("everyone", "owner", "nobody", ir.OTHERS)
_GRID = re.compile(r"(\S+) by (\S+?)( from below)?\Z")
_ONE_FOR_EACH = re.compile(r"one for each (\w+)\Z")


class Components(Frame):
    """Reads the declarations of places, pieces and markers."""

    def __init__(self, world: World, book: Rulebook, diagnostics: Diagnostics) -> None:
        super().__init__(world, book, diagnostics)
        self.places = 0
        self.pieces = 0
        self.between: dict[int, list[Entry]] = {}
        """By the index of a family that is not declared yet: the words that join its neighbours."""

    # ------------------------------------------------------------ places

    def family(self, entry: Entry) -> None:
        indices = self.indices(entry)
        holds = self.held_type(entry)
        self.add_places(entry, indices)
        room = entry.get("room")
        per_player = bool(indices) and indices[0].type == ir.PLAYER
        seen = self.seen_by(entry, "seen by", "nobody", per_player)
        counted = self.seen_by(entry, "count seen by", "everyone", per_player)
        arranged = entry.text("arranged") or "heap"
        top = self.top_seen_by(entry, arranged, seen, per_player)
        lines = self.lines(entry, indices)
        if lines:
            self.world.joined[len(self.world.families)] = len(self.world.networks)
            of = ir.PlaceType(entry.id, len(self.world.families))
            self.world.networks.append(ir.Network(of, lines))
        self.world.families.append(
            ir.Family(
                entry.id,
                entry.text("plural") or entry.id + "s",
                tuple(indices),
                per_player,
                holds.index,
                whole_number(room, 1) if room is not None else None,
                arranged,
                seen,
                counted,
                self.sort_of_grid(entry),
                lines,
                top,
                self.stays_known(entry, seen),
                text_of(entry.get("grid")).endswith(" from below"),
                entry.text("told") != "false",
            )
        )

    def indices(self, entry: Entry) -> list[ir.Column]:
        """The indices of a family of places."""
        each = entry.text("of each")
        indices: list[ir.Column] = []
        if each == "player":
            indices.append(ir.Column("player", ir.PLAYER))
        elif each is not None:
            indices.append(ir.Column(each, self.type(entry.get("of each"), each)))
        for node in one_or_more(entry.get("at")):
            if node is None:
                continue
            type = self.type(node, "number")
            name = node.value if isinstance(node, Scalar) and ".." not in node.value else "number"
            indices.append(ir.Column(name, type))
        grid = entry.get("grid") or entry.get("hexes")
        if grid is not None:
            indices.extend(self.grid(grid, entry))
        return indices

    def held_type(self, entry: Entry) -> ir.PieceType:
        """The type of pieces that a family holds."""
        holds, written = self.type(entry.get("holds"), "piece"), entry.get("holds")
        if isinstance(holds, ir.PieceType):
            return holds
        if holds != ir.BROKEN and written is not None:
            self.diagnostics.error(
                "wrong-type",
                f"a place holds one type of piece, and this is {self.world.a(holds)}",
                written.span,
                hint=f"write `{holds.of}`; how many it holds is said with `room:`"
                if isinstance(holds, ir.SetType)
                else None,
            )
        return ir.PieceType("?", -1)

    def add_places(self, entry: Entry, indices: list[ir.Column]) -> None:
        """Counts the places of a family, and checks what they are told apart by."""
        size = 1
        named: list[str] = []
        for index in indices:
            type = index.type
            if isinstance(type, (ir.PieceType, ir.SetType)) or type in (ir.NUMBER, ir.TRUTH):
                self.diagnostics.error(
                    "wrong-type",
                    f"places cannot be told apart by {self.world.a(type)}",
                    entry.key_span("at"),
                    hint="use a number range, a word set, `player` or other places",
                )
                type = ir.BROKEN
            self.is_filled(type, entry)
            if index.name in named:
                self.diagnostics.error(
                    "duplicate-name",
                    f"`{entry.id}` is told apart by `{index.name}` twice",
                    entry.key_span("at"),
                    hint="what lies between two places has a name of its own: say under `words:` "
                    f"`side: {{joins: {index.name}}}`, and here `at: side`"
                    if isinstance(type, ir.PlaceType)
                    else "give each range a name of its own under `numbers:`",
                )
            named.append(index.name)
            size *= self.size(type)
        self.places = self.within(entry, self.places, size, MOST_PLACES, "places")

    def within(self, entry: Entry, before: int, more: int, most: int, what: str) -> int:
        """Adds to a number of things, unless there are too many then."""
        if before + more <= most:
            return before + more
        self.diagnostics.error(
            "too-large",
            f"with `{entry.id}` there are {before + more:,} {what}; at most {most:,} are possible",
            entry.span,
        )
        return before

    def is_filled(self, type: ir.Type, entry: Entry) -> None:
        """Reports places indexed by connections that are declared after them."""
        for others in self.between.values():
            for each in others:
                if self.world.types.get(each.id) == type:
                    joins = text_of(each.get("joins"))
                    self.diagnostics.error(
                        "unknown-type",
                        f"`{joins}` is needed before it is declared",
                        entry.key_span("at"),
                        hint=f"the places that `{each.id}` joins come first",
                    )

    def lines_are_named(self, entry: Entry) -> None:
        """Makes the lines of a board a number type, so that rules can range over `line`."""
        lines = entry.get("lines")
        if isinstance(lines, Sequence):
            key = entry.key_span("lines")
            self.new_type(
                Entry("line", Scalar("line", key, key), Mapping((), key)),
                ir.NumberType("line", 1, len(lines.items)),
            )

    def lines(self, entry: Entry, indices: list[ir.Column]) -> tuple[tuple[int, ...], ...]:
        """The points of each line of a board, as indices of places."""
        lines = entry.get("lines")
        if not isinstance(lines, Sequence):
            return ()
        if len(indices) != 1 or not isinstance(indices[0].type, ir.WordType | ir.NumberType):
            self.diagnostics.error(
                "wrong-type",
                f"lines join places that are told apart by a word or a number, and `{entry.id}` "
                "is not",
                entry.key_span("lines"),
                hint="say by what with `at:`, such as `at: spot` or `at: 1..24`",
            )
            return ()
        found, of = [], indices[0].type
        first = of.low if isinstance(of, ir.NumberType) else 0
        for line in lines.items:
            items = items_of(line)
            points: list[int] = []
            for each in items:
                before = len(self.diagnostics)
                index = constant(self.world, each, of)
                if not isinstance(index, int) or len(self.diagnostics) > before:
                    continue  # it is not such a point
                if index - first in points:
                    self.diagnostics.error(
                        "duplicate-name", "a line passes each of its points once", each.span
                    )
                points.append(index - first)
            found.append(tuple(points))
        return tuple(found)

    def sort_of_grid(self, entry: Entry) -> str:
        grid, hexes = entry.get("grid"), entry.get("hexes")
        if grid is not None and hexes is not None:
            self.diagnostics.error(
                "duplicate-name",
                f"`{entry.id}` has squares and hexes",
                entry.key_span("hexes"),
                hint="a board is a `grid` of squares or one of `hexes`",
            )
        if grid is None and hexes is not None:
            return "growing hexes" if text_of(hexes) == "grows" else "hexes"
        if grid is None:
            return ""
        return "grows" if text_of(grid) == "grows" else "fixed"

    def grid(self, node: Node, entry: Entry) -> tuple[ir.Column, ...]:
        """Columns and rows. A growing grid has room for all pieces in a row each way."""
        found = _GRID.match(text_of(node))
        if found and isinstance(node, Scalar):
            wide, high = (self.side(node, found, at) for at in (1, 2))
            numbers = ir.NumberType("column", 1, wide), ir.NumberType("row", 1, high)
        else:
            most = self.most_pieces(entry.text("holds") or "")
            numbers = ir.NumberType("column", -most, most), ir.NumberType("row", -most, most)
        return ir.Column("column", numbers[0]), ir.Column("row", numbers[1])

    def side(self, grid: Scalar, found: re.Match[str], at: int) -> int:
        """The length of a side of a board: a number, or the name of a choice."""
        start = grid.content.start + found.start(at)
        span = replace(grid.span, start=start, end=start + len(found[at]))
        number = found[at].isdigit()
        written = replace(grid, value=found[at], kind="number" if number else "text", span=span)
        before = len(self.diagnostics)
        chosen = self.chosen(written, ir.NUMBER)
        if len(self.diagnostics) > before:
            return 1
        if chosen is not None:
            self.world.shaping.add(found[at])
        side = ir.NumberType("side", 1, MOST_PLACES)
        length = constant(self.world, chosen or written, side, self.book.section("choices"))
        return length if isinstance(length, int) and length > 0 else 1

    def most_pieces(self, name: str) -> int:
        """The number of pieces of a type, read before the piece is declared."""
        entry = self.book.section("pieces").get(name)
        kinds = entry.get("kinds") if entry is not None else None
        bodies = [body for _, body in kinds.entries] if isinstance(kinds, Mapping) else []
        if entry is not None and not bodies:
            bodies = [entry.body]
        total = sum(
            self.count(body.get("count") if isinstance(body, Mapping) else body) for body in bodies
        )
        if entry is not None and entry.text("of each") == "player":
            total *= self.world.counts[-1]
        return max(1, min(total, MOST_PIECES))

    def seen_by(self, entry: Entry, key: str, unless_said: str, owned: bool) -> ir.SeenBy:
        """The players who see something; everyone after an error, so that it is reported once."""
        node = entry.get(key)
        if isinstance(node, Sequence):
            return self.some_see(entry, key, node, owned)
        seen = text_of(node) or unless_said
        if seen not in SEEN_BY:
            return "everyone"
        if seen in ("owner", ir.OTHERS) and not owned:
            return self.no_owner(entry, key, entry.key_span(key))
        return seen

    def top_seen_by(self, entry: Entry, arranged: str, seen: ir.SeenBy, owned: bool) -> ir.SeenBy:
        """The players who see the top of a pile. Whoever sees a card must be able to count it."""
        key = "top seen by"
        top = self.seen_by(entry, key, "nobody", owned)
        if top == "nobody":
            return top
        if arranged != "pile":
            self.diagnostics.error(
                "bad-value",
                f"`{entry.id}` is no pile, so it has no top",
                entry.key_span(key),
                hint="write `arranged: pile`",
            )
        elif seen in ("everyone", top):
            self.diagnostics.error(
                "unused",
                f"who sees the top of `{entry.id}` sees all of it",
                entry.key_span(key),
                hint="write `seen by: nobody` if only the top is seen",
            )
        elif entry.get("count seen by") is not None:
            self.diagnostics.error(
                "bad-value",
                f"of `{entry.id}` the top is seen, so everyone sees whether anything lies there",
                entry.key_span("count seen by"),
                hint="leave out `count seen by`, or `top seen by`",
            )
        else:
            return top
        return "nobody"

    def stays_known(self, entry: Entry, seen: ir.SeenBy) -> bool:
        """Whether a piece that came to a place in sight stays known there."""
        if entry.text("stays known") != "true":
            return False
        if seen == "everyone":
            self.diagnostics.error(
                "unused",
                f"everyone sees what lies in `{entry.id}`, so it is known anyway",
                entry.key_span("stays known"),
            )
        return True

    def some_see(self, entry: Entry, key: str, listed: Sequence, owned: bool) -> ir.SeenBy:
        """A visibility list: players by name, and possibly the owner."""
        players = self.world.player_names
        names: set[str] = set()
        for node in listed.items:
            name = text_of(node)
            if name == "owner" and not owned:
                return self.no_owner(entry, key, node.span)
            if name != "owner" and name not in players:
                self.diagnostics.error(
                    "unknown-name",
                    f"there is no player `{name}`",
                    node.span,
                    hint=self.world.suggest(name, [*players, "owner"]),
                )
                return "everyone"
            names.add(name)
        if names.issuperset(players):
            self.diagnostics.error(
                "bad-value",
                "these are all players",
                listed.span,
                hint=f"write `{key}: everyone`; then those who look on see it, too",
            )
            return "everyone"
        if names == {"owner"}:
            return "owner"
        return tuple(each for each in ("owner", *players) if each in names)

    def no_owner(self, entry: Entry, key: str, span: Span) -> str:
        self.diagnostics.error(
            "no-owner",
            f"`{entry.id}` belongs to nobody, so it has no owner",
            span,
            hint=f"say `of each: player`, or `{key}: everyone` or `nobody`",
        )
        return "everyone"

    def size(self, type: ir.Type) -> int:
        if isinstance(type, ir.PlaceType) and type.index >= len(self.world.families):
            self.diagnostics.error(
                "unknown-type",
                f"`{type.name}` is needed before it is declared",
                self.book.section("places")[type.name].span,
                hint="places that others are told apart by come first",
            )
            return 1
        return self.tables.size(type)

    # ------------------------------------------------------------ pieces

    def piece(self, entry: Entry) -> None:
        world = self.world
        index = len(world.pieces)
        columns = self.columns(entry.get("has"))
        per_player = entry.text("of each") == "player"
        kinds, assumed = self.kinds(entry, index, columns)
        total = sum(kind.count for kind in kinds) * (world.counts[-1] if per_player else 1)
        pieces = self.within(entry, self.pieces, total, MOST_PIECES, "pieces")
        if pieces != self.pieces + total:
            kinds = [ir.Kind(kind.name, 1, kind.values, kind.starts) for kind in kinds]
        self.pieces = pieces
        if isinstance(entry.get("kinds"), Mapping) and entry.get("count") is not None:
            self.diagnostics.error(
                "unused",
                "each kind has its own count, so this one counts nothing",
                entry.key_span("count"),
                hint="how many there are together is said with `in the box:`",
            )
        box = entry.get("in the box")
        self.fits_the_box(entry, box, index, total)
        rows = [kind.values for kind in kinds]
        columns = tuple(self.maybe(column, at, rows) for at, column in enumerate(columns))
        states = self.states(entry.get("changes"), total)
        world.pieces.append(
            ir.Piece(
                entry.id,
                entry.text("plural") or entry.id + "s",
                per_player,
                tuple(kinds),
                columns,
                states,
                whole_number(box, 0) if box is not None else None,
                _together(assumed),
                citations(world, entry.get("cites")),
            )
        )
        came = self.start(entry.get("played from"), entry, index)
        went = self.start(entry.get("played to"), entry, index)
        if came is not None and went is not None:
            world.played[index] = (came, went)

    def kinds(
        self, entry: Entry, piece: int, columns: tuple[ir.Column, ...]
    ) -> tuple[list[ir.Kind], list[ir.Texts]]:
        """The kinds of a type of pieces, and what is assumed about the type and each of them."""
        start = self.start(entry.get("starts in"), entry, piece, begins=True)
        kinds: list[ir.Kind] = []
        assumed = [texts(entry.get("assumed"))]
        node = entry.get("kinds")
        if not isinstance(node, Mapping):
            body = entry.body if isinstance(entry.body, Mapping) else None
            count = self.count(body.get("count") if body else entry.body)
            kinds.append(self.kind(entry, piece, kinds, (entry.id, entry.span), count, (), start))
            return kinds, assumed
        also = ("count", "starts in", "title", "assumed")
        for key, written in node.entries:
            body = written if isinstance(written, Mapping) else None
            self.new_name(key.value, key.span)
            values = self.row(
                columns, written, key.span, ("pieces", piece, len(kinds)), key.value, also
            )
            count = self.count(body.get("count") if body else written)
            own = body.get("starts in") if body else None
            begins = start if own is None else self.start(own, entry, piece, begins=True)
            named = key.value, key.span
            kinds.append(self.kind(entry, piece, kinds, named, count, values, begins))
            assumed.append(texts(body.get("assumed") if body else None))
        return kinds, assumed

    def kind(
        self,
        entry: Entry,
        piece: int,
        before: list[ir.Kind],
        named: tuple[str, Span],
        count: int,
        values: tuple[ir.Entries, ...],
        begins: int | None,
    ) -> ir.Kind:
        """A kind of pieces after those before it."""
        name, span = named
        if begins is None:
            self.diagnostics.error(
                "missing-key",
                f"it is not said where `{name}` starts",
                span,
                hint="say `starts in: PLACE`",
            )
        type = ir.KindType(entry.id, piece)
        self.world.kinds.setdefault(name, []).append((type, len(before)))
        return ir.Kind(name, count, values, begins or 0)

    def fits_the_box(self, entry: Entry, box: Node | None, piece: int, total: int) -> None:
        """Holds the counts of the kinds against the number in the box."""
        accepted = ("totals-differ", f"pieces.{entry.id}") in self.book.accepts
        if box is None or whole_number(box, total) == total or accepted:
            return
        patches = self.book.history.get(f"pieces.{entry.id}", ())
        counted = self.world.many(ir.PieceType(entry.id, piece))
        kinds = entry.get("kinds")
        self.diagnostics.error(
            "totals-differ",
            f"{total} {counted} are counted, not {text_of(box)}",
            box.span,
            *([Label(kinds.span, "counted here")] if kinds is not None else []),
            *(Label(each.span, f"changed by {each.variant.name}") for each in patches),
            hint="one of the counts is wrong, or the number in the box",
        )

    def start(
        self, node: Node | None, entry: Entry, piece: int, begins: bool = False
    ) -> int | None:
        """The family where a piece starts, or is played from or to; UNKNOWN on error."""
        if node is None:
            return None
        name = text_of(node)
        family = self.world.family_types.get(name)
        if family is None:
            if name not in self.world.lost:
                self.diagnostics.error(
                    "unknown-name",
                    f"there is no place `{name}`",
                    node.span,
                    hint=self.world.suggest(name, self.world.family_types),
                )
            self.world.lose(name)
            return UNKNOWN
        self.world.meanings.note(node.span, by_type(family))
        known = self.world.families[family.index]
        if known.holds not in (piece, -1):
            self.diagnostics.error(
                "wrong-type",
                f"`{name}` does not hold {self.world.many(ir.PieceType(entry.id, piece))}",
                node.span,
                Label(self.book.section("places")[name].key_span("holds"), "it holds this"),
            )
        indices = known.indices[1:] if known.per_player else known.indices
        per_player = entry.text("of each") == "player"
        if indices or (begins and known.per_player and not per_player):
            self.diagnostics.error(
                "which-one",
                f"there are several places `{name}`",
                node.span,
                hint="let the pieces start in one pile and move them in the setup",
            )
        return family.index

    def states(self, node: Node | None, pieces: int) -> tuple[ir.State, ...]:
        """The mutable attributes of a type of pieces."""
        found: list[ir.State] = []
        for key, body in entries_of(node):
            self.new_name(key.value, key.span)
            given = body if isinstance(body, Mapping) else None
            written = given.get("is") if given else body
            type = self.single(self.type(written, key.value), written)
            starts = given.get("starts as") if given else None
            indices = self.tables.indices(given)
            self.tables.few(key.value, indices, pieces, key.span)
            table = isinstance(starts, Mapping) and bool(indices)
            left_out = table or _is_nothing(starts, type)
            start = constant(self.world, None if left_out else starts, type)
            others = self.tables.starts(starts, indices, type, start)
            if start is None and type != ir.BROKEN:
                type = ir.MaybeType(type)
            seen = text_of(given.get("seen by") if given else None) or "everyone"
            found.append(ir.State(key.value, type, start, seen, indices, others))
        return tuple(found)

    def count(self, node: Node | None) -> int:
        """The number of pieces: a number, or one for each place of a family."""
        found = _ONE_FOR_EACH.match(text_of(node))
        if found is None or node is None:
            return whole_number(node, 1)
        family = self.world.family_types.get(found[1])
        if family is None:
            self.diagnostics.error(
                "unknown-name",
                f"there is no place `{found[1]}`",
                node.span,
                hint=self.world.suggest(found[1], self.world.family_types),
            )
            self.world.lose(found[1])
            return 1
        counted = self.book.section("places")[found[1]]
        if "grows" in (text_of(counted.get("grid")), text_of(counted.get("hexes"))):
            self.diagnostics.error(
                "bad-value",
                f"`{found[1]}` grows with the pieces, so they cannot be counted by it",
                node.span,
                hint="say how many there are: `count: 72`",
            )
            return 1
        return self.size(family)

    # ------------------------------------------------------------ markers

    def marker(self, entry: Entry) -> None:
        self.new_name(entry.id, entry.span)
        if entry.id in self.world.declared:
            self.diagnostics.error(
                "duplicate-name",
                f"`{entry.id}` already names something else",
                entry.span,
                Label(self.world.declared[entry.id], "here"),
                hint="two things need two names",
            )
        self.world.declared[entry.id] = entry.span
        if entry.get("remembers") is not None:
            return
        type = self.single(self.type(entry.get("shows"), entry.id), entry.get("shows"))
        written = entry.get("starts as")
        perhaps = _is_nothing(written, type) or (ir.is_written(type) and written is None)
        indices = self.tables.indices(entry.body)
        self.tables.few(entry.id, indices, 1 if indices else 0, entry.span)
        table = isinstance(written, Mapping) and bool(indices)
        start = None if perhaps else constant(self.world, None if table else written, type)
        if perhaps or isinstance(type, (ir.PieceType, ir.PlaceType)):
            type = ir.MaybeType(type)
        elif start is None:
            start = type.low if isinstance(type, ir.NumberType) and type.listed else 0
        self.world.marker_index[entry.id] = len(self.world.markers)
        seen = self.seen_by(entry, "seen by", "everyone", bool(indices) and indices[0].owns)
        others = self.tables.starts(written, indices, type, start)
        told = entry.text("told") != "false"
        unset = written is None and not perhaps
        marker = ir.Marker(entry.id, type, indices, start, seen, others, told, unset)
        self.world.markers.append(marker)

    # ------------------------------------------------------------ positions

    def position(self, entry: Entry) -> None:
        """A marker that remembers positions: what they consist of, and how many are kept."""
        world, node = self.world, entry.get("remembers")
        listed = items_of(node)
        families: list[int] = []
        markers: list[int] = []
        if not listed:
            families = [at for at, each in enumerate(world.families) if each.seen_by == "everyone"]
            markers = [at for at, each in enumerate(world.markers) if each.seen_by == "everyone"]
        for each in listed:
            name = text_of(each)
            if name in world.family_types:
                world.meanings.note(each.span, by_type(world.family_types[name]))
                families.append(world.family_types[name].index)
                seen = world.families[families[-1]].seen_by
            elif name in world.marker_index:
                world.meanings.note(each.span, Meaning("marker", name))
                markers.append(world.marker_index[name])
                seen = world.markers[markers[-1]].seen_by
            else:
                known = [*world.family_types, *world.marker_index]
                self.diagnostics.error(
                    "unknown-name",
                    f"there is no place and no marker `{name}`",
                    each.span,
                    hint=world.suggest(name, known),
                )
                world.lose(name)
                continue
            if seen != "everyone":
                self.diagnostics.error(
                    "hidden-position",
                    f"not everyone sees `{name}`, so it cannot be compared with what it was",
                    each.span,
                    hint="a position is what everyone sees; remember other things, or let it be "
                    "`seen by: everyone`",
                )
        for family in families:
            piece = world.piece_of(world.held(family))
            for state in () if piece is None else piece.states:
                self.comparable(state, entry.span)
        for marker in markers:
            spans = [each.span for each in listed if text_of(each) == world.markers[marker].name]
            self.comparable(world.markers[marker], spans[0] if spans else entry.span)
        last = whole_number(entry.get("last"), REMEMBERED)
        world.positions[entry.id] = ir.Position(
            entry.id, tuple(sorted(families)), tuple(sorted(markers)), last, entry.span
        )

    def comparable(self, shows: ir.Marker | ir.State, span: Span) -> None:
        """Reports a marker that shows pieces in a position: pieces that look alike would count as
        different."""
        if isinstance(bare(shows.type), ir.PieceType):
            self.diagnostics.error(
                "wrong-type",
                f"`{shows.name}` shows a piece, and pieces that look alike are one in a position",
                span,
                hint="say under `remembers:` what counts: places, and markers that show numbers, "
                "words, players or places",
            )


def _together(said: list[ir.Texts]) -> ir.Texts:
    """Joins texts, in every language that one of them has."""
    said = [each for each in said if each]
    languages = dict.fromkeys(language for each in said for language in each)
    return {
        language: " ".join(ir.in_language(each, language) for each in said)
        for language in languages
    }


def _is_nothing(starts: Node | None, type: ir.Type) -> bool:
    """Whether a mutable value starts as nothing, and can."""
    number = isinstance(type, ir.NumberType) or type in (ir.TRUTH, ir.BROKEN)
    return text_of(starts) == "nothing" and not number
