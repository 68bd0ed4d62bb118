"""Declarations of a rulebook into a World: types, pieces, places, markers, choices, signatures.

Done in an order in which everything named is known when it is needed: words and number ranges,
then the names of pieces and places, then their details, then markers, choices, windows and the
heads of clauses. Code is not looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lawspeaker import ir, parse
from lawspeaker.check.clauses import declare_clauses
from lawspeaker.check.values import citations, constant, text_of, whole_number
from lawspeaker.check.world import BUILT_IN_TYPES, World
from lawspeaker.diagnostics import Diagnostics, Label, did_you_mean
from lawspeaker.document import Mapping, Node, Scalar, Sequence
from lawspeaker.rulebook import Entry, Rulebook
from lawspeaker.source import Span
from lawspeaker.types import (
    BROKEN,
    NUMBER,
    PLAYER,
    TRUTH,
    KindType,
    MaybeType,
    NumberType,
    PieceType,
    PlaceType,
    SetType,
    Type,
    WordType,
)

MOST_PIECES = 10_000
MOST_PLACES = 100_000
MOST_PLAYERS = 64
_RANGE = re.compile(r"(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})\Z")
_GRID = re.compile(r"(\d{1,4}) by (\d{1,4})\Z")
_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")


def declare(book: Rulebook, diagnostics: Diagnostics) -> World:
    world = World(book, diagnostics)
    _Declaring(world, book, diagnostics).everything()
    return world


class _Declaring:
    def __init__(self, world: World, book: Rulebook, diagnostics: Diagnostics) -> None:
        self.world = world
        self.book = book
        self.diagnostics = diagnostics
        self.places = 0
        self.pieces = 0

    def everything(self) -> None:
        self.head()
        self.world.types.update({"number": NUMBER, "truth": TRUTH, "player": PLAYER})
        self.world.plurals.update({"players": "player", "numbers": "number"})
        for entry in self.book.section("words").values():
            self.word_set_name(entry)
        for entry in self.book.section("numbers").values():
            self.number_range(entry)
        for index, entry in enumerate(self.book.section("pieces").values()):
            self.new_type(entry, PieceType(entry.id, index))
        for index, entry in enumerate(self.book.section("places").values()):
            family = PlaceType(entry.id, index)
            self.new_type(entry, family)
            self.world.family_types[entry.id] = family
        for entry in self.book.section("words").values():
            self.word_set(entry)
        for entry in self.book.section("places").values():
            self.family(entry)
        for entry in self.book.section("pieces").values():
            self.piece(entry)
        for entry in self.book.section("markers").values():
            self.marker(entry)
        declare_clauses(self.world, self)

    # ------------------------------------------------------------ the head

    def head(self) -> None:
        world, head = self.world, self.book.head
        players = head.get("players")
        if isinstance(players, Mapping):
            world.fewest = whole_number(players.get("from"), 1)
            world.most = whole_number(players.get("to"), world.fewest)
            called = players.get("called")
            names = called.items if isinstance(called, Sequence) else ()
            world.player_names = tuple(text_of(each) for each in names)
            if not 1 <= world.fewest <= world.most <= MOST_PLAYERS:
                key = players.key("to")
                self.diagnostics.error(
                    "bad-value",
                    f"a game has 1 to {MOST_PLAYERS} players, and `to` is not less than `from`",
                    key.span if key is not None else players.span,
                )
                world.fewest = min(max(world.fewest, 1), MOST_PLAYERS)
                world.most = min(max(world.most, world.fewest), MOST_PLAYERS)
            if called is not None and len(world.player_names) != world.most:
                self.diagnostics.error(
                    "bad-value",
                    f"{len(world.player_names)} names are given for {world.most} players",
                    called.span,
                    hint="give each seat a name, also those that are not always taken",
                )
            for at, each in enumerate(names):
                self.new_name(text_of(each), each.span)
                if text_of(each) in world.player_names[:at]:
                    message = f"two players are called `{text_of(each)}`"
                    self.diagnostics.error("duplicate-name", message, each.span)
        while len(world.player_names) < world.most:
            world.player_names += (f"player_{len(world.player_names) + 1}",)
        for name in world.player_names:
            world.declared.setdefault(name, head.span)
        languages = head.get("languages")
        if isinstance(languages, Sequence):
            world.languages = tuple(text_of(each) for each in languages.items) or ("en",)
        sources = head.get("sources")
        for key, node in sources.entries if isinstance(sources, Mapping) else ():
            details = {
                each.value: text_of(value)
                for each, value in (node.entries if isinstance(node, Mapping) else ())
            }
            title, language = details.pop("title", key.value), details.pop("language", "en")
            world.sources[key.value] = ir.Source(key.value, title, language, details)

    # ------------------------------------------------------------ names

    def new_name(self, name: str, span: Span) -> bool:
        """Whether the name is fit to be used in code; complains if not."""
        if not _NAME.match(name):
            self.diagnostics.error(
                "bad-name",
                f"`{name}` cannot be used as a name",
                span,
                hint="names are small letters, digits and `_`, and begin with a letter",
            )
            return False
        if name in parse.reserved_words() or name in BUILT_IN_TYPES:
            self.diagnostics.error(
                "reserved-word",
                f"`{name}` is a word of the language and cannot be a name",
                span,
                hint=f"call it `{name}_` or something else",
            )
            return False
        return True

    def new_type(self, entry: Entry, type: Type) -> None:
        world = self.world
        self.new_name(entry.id, entry.span)
        earlier = world.declared.get(entry.id)
        if earlier is not None:
            self.diagnostics.error(
                "duplicate-name",
                f"`{entry.id}` already names something else",
                entry.span,
                Label(earlier, "here"),
                hint="two things need two names",
            )
            return
        world.declared[entry.id] = entry.span
        world.types[entry.id] = type
        plural = entry.text("plural") or entry.id + "s"
        if plural in world.types or plural in world.plurals:
            self.diagnostics.error(
                "duplicate-name",
                f"the plural `{plural}` already names something else",
                entry.key_span("plural"),
                hint="say `plural: …` to choose another",
            )
        elif entry.id in world.plurals:
            self.diagnostics.error(
                "duplicate-name",
                f"`{entry.id}` is already the plural of `{world.plurals[entry.id]}`",
                entry.span,
                hint="say `plural: …` there to choose another",
            )
        world.plurals[plural] = entry.id

    def type(self, node: Node | None, what: str) -> Type:
        """A type as written in a declaration: a name, a plural for a set, or a range."""
        if not isinstance(node, Scalar):
            return BROKEN
        text = node.value.strip()
        found = self.world.types.get(text)
        if found is not None:
            return found
        if text in self.world.plurals and self.world.plurals[text] in self.world.types:
            return SetType(self.world.types[self.world.plurals[text]])
        numbers = _RANGE.match(text)
        if numbers:
            low, high = int(numbers[1]), int(numbers[2])
            if low > high:
                self.diagnostics.error(
                    "bad-value", "a range begins with its smaller number", node.span
                )
                high = low
            elif high - low >= MOST_PLACES:
                self.diagnostics.error(
                    "too-large", f"a range has at most {MOST_PLACES:,} numbers", node.span
                )
                high = low
            return NumberType(what, low, high)
        self.diagnostics.error(
            "unknown-type",
            f"there is no type `{text}`",
            node.span,
            hint=did_you_mean(text, [*self.world.types, *self.world.plurals])
            or "a type is a word set, a number range, a piece, a place, "
            "`number`, `truth` or `player`",
        )
        return BROKEN

    # ------------------------------------------------------------ words and numbers

    def word_set_name(self, entry: Entry) -> None:
        type = WordType(entry.id, len(self.world.word_sets))
        self.new_type(entry, type)
        body = entry.get("are") if isinstance(entry.body, Mapping) else entry.body
        if isinstance(body, Sequence):
            keys = [each for each in body.items if isinstance(each, Scalar)]
        else:
            keys = [key for key, _ in body.entries] if isinstance(body, Mapping) else []
        words: list[str] = []
        for key in keys:
            if key.value in words:
                self.diagnostics.error(
                    "duplicate-name", f"`{key.value}` is in the set twice", key.span
                )
                continue
            self.new_name(key.value, key.span)
            self.world.words.setdefault(key.value, []).append((type, len(words)))
            words.append(key.value)
        self.world.word_sets.append(ir.WordSet(entry.id, tuple(words), (), ()))

    def word_set(self, entry: Entry) -> None:
        type = self.world.types.get(entry.id)
        has, are = entry.get("has"), entry.get("are")
        if not isinstance(type, WordType) or not isinstance(are, Mapping):
            return
        columns = self.columns(has)
        rows = tuple(self.row(columns, node, key.span) for key, node in are.entries)
        columns = tuple(self.maybe(column, at, rows) for at, column in enumerate(columns))
        old = self.world.word_sets[type.index]
        self.world.word_sets[type.index] = ir.WordSet(old.name, old.words, columns, rows)

    def columns(self, node: Node | None) -> tuple[ir.Column, ...]:
        entries = node.entries if isinstance(node, Mapping) else ()
        found: list[ir.Column] = []
        for key, node in entries:
            self.new_name(key.value, key.span)
            type = self.single(self.type(node, key.value), node)
            if isinstance(type, (PieceType, PlaceType)):
                self.diagnostics.error(
                    "wrong-type",
                    f"an attribute that never changes cannot be {self.world.a(type)}",
                    node.span,
                    hint="it can be a word, a number, `truth` or `player`; what changes stands "
                    "under `changes:`",
                )
                type = BROKEN
            found.append(ir.Column(key.value, type))
        return tuple(found)

    def single(self, type: Type, node: Node | None) -> Type:
        """A type of single things: no set is kept on a piece or shown by a marker."""
        if not isinstance(type, SetType) or node is None:
            return type
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(type)}, but one thing is needed here",
            node.span,
            hint=f"write `{type.of}`; what belongs together can lie in a place",
        )
        return BROKEN

    def row(
        self, columns: tuple[ir.Column, ...], node: Node, span: Span, also: tuple[str, ...] = ()
    ) -> tuple[ir.Constant, ...]:
        given = node if isinstance(node, Mapping) else None
        names = [column.name for column in columns]
        for key, _ in given.entries if given else ():
            if key.value not in names and key.value not in also:
                self.diagnostics.error(
                    "unknown-key",
                    f"no attribute `{key.value}` is declared",
                    key.span,
                    hint=did_you_mean(key.value, [*names, *also]) or "declare it under `has:`",
                )
        values: list[ir.Constant] = []
        for column in columns:
            found = given.get(column.name) if given else None
            values.append(constant(self.world, found, column.type))
        return tuple(values)

    def number_range(self, entry: Entry) -> None:
        if not isinstance(entry.body, Scalar) or not _RANGE.match(entry.body.value.strip()):
            if isinstance(entry.body, Scalar) and entry.body.kind in ("text", "number"):
                self.diagnostics.error(
                    "bad-value", "a number range is written `1..6`", entry.body.span
                )
            self.new_type(entry, NumberType(entry.id, 0, 0))
            return
        self.new_type(entry, self.type(entry.body, entry.id))

    # ------------------------------------------------------------ places

    def family(self, entry: Entry) -> None:
        each = entry.text("of each")
        indices: list[ir.Column] = []
        if each is not None:
            owner = self.type(entry.get("of each"), "player")
            indices.append(ir.Column(each, owner))
        at = entry.get("at")
        for node in at.items if isinstance(at, Sequence) else (at,):
            if node is None:
                continue
            type = self.type(node, "number")
            name = node.value if isinstance(node, Scalar) and ".." not in node.value else "number"
            indices.append(ir.Column(name, type))
        grid = entry.get("grid")
        if grid is not None:
            indices.extend(self.grid(grid, entry))
        holds = self.type(entry.get("holds"), "piece")
        if not isinstance(holds, PieceType):
            written = entry.get("holds")
            if holds != BROKEN and written is not None:
                self.diagnostics.error(
                    "wrong-type",
                    f"a place holds one type of piece, and this is {self.world.a(holds)}",
                    written.span,
                    hint=f"write `{holds.of}`; how many it holds is said with `room:`"
                    if isinstance(holds, SetType)
                    else None,
                )
            holds = PieceType("?", -1)
        size = 1
        named: list[str] = []
        for index in indices:
            if isinstance(index.type, (PieceType, SetType)) or index.type in (NUMBER, TRUTH):
                self.diagnostics.error(
                    "wrong-type",
                    f"places cannot be told apart by {self.world.a(index.type)}",
                    entry.key_span("at"),
                    hint="use a number range, a word set, `player` or other places",
                )
                index = ir.Column(index.name, BROKEN)
            if index.name in named:
                self.diagnostics.error(
                    "duplicate-name",
                    f"`{entry.id}` is told apart by `{index.name}` twice",
                    entry.key_span("at"),
                    hint="give each range a name of its own under `numbers:`",
                )
            named.append(index.name)
            size *= self.size(index.type)
        self.places += size
        if self.places > MOST_PLACES:
            self.diagnostics.error(
                "too-large",
                f"with `{entry.id}` there are {self.places:,} places; at most {MOST_PLACES:,} are "
                "possible",
                entry.span,
            )
            self.places -= size
        room = entry.get("room")
        per_player = bool(indices) and indices[0].type == PLAYER
        seen = entry.text("seen by") or "nobody"
        if not per_player:
            self.no_owner(entry)
        self.world.families.append(
            ir.Family(
                entry.id,
                entry.text("plural") or entry.id + "s",
                tuple(indices),
                per_player,
                holds.index,
                whole_number(room, 1) if room is not None else None,
                entry.text("arranged") or "heap",
                seen,
                entry.text("count seen by") or "everyone",
                "" if grid is None else "grows" if text_of(grid) == "grows" else "fixed",
            )
        )

    def grid(self, node: Node, entry: Entry) -> tuple[ir.Column, ...]:
        """A column and a row. A grid that grows has room for every piece in a line each way."""
        found = _GRID.match(text_of(node))
        if found:
            wide, high = int(found[1]), int(found[2])
            numbers = NumberType("column", 1, max(wide, 1)), NumberType("row", 1, max(high, 1))
        else:
            most = self.most_pieces(entry.text("holds") or "")
            numbers = NumberType("column", -most, most), NumberType("row", -most, most)
        return ir.Column("column", numbers[0]), ir.Column("row", numbers[1])

    def most_pieces(self, name: str) -> int:
        """How many pieces of a type there are, read before the piece itself is declared."""
        entry = self.book.section("pieces").get(name)
        kinds = entry.get("kinds") if entry is not None else None
        bodies = [body for _, body in kinds.entries] if isinstance(kinds, Mapping) else []
        if entry is not None and not bodies:
            bodies = [entry.body]
        total = sum(
            whole_number(body.get("count") if isinstance(body, Mapping) else body, 1)
            for body in bodies
        )
        if entry is not None and entry.text("of each") == "player":
            total *= self.world.most
        return max(1, min(total, MOST_PIECES))

    def no_owner(self, entry: Entry) -> None:
        for key in ("seen by", "count seen by"):
            if entry.text(key) == "owner":
                self.diagnostics.error(
                    "no-owner",
                    f"`{entry.id}` belongs to nobody, so no owner can see it",
                    entry.key_span(key),
                    hint=f"say `of each: player`, or `{key}: everyone` or `nobody`",
                )

    def size(self, type: Type) -> int:
        world = self.world
        match type:
            case NumberType(low=low, high=high):
                return high - low + 1
            case WordType(index=index):
                return len(world.word_sets[index].words)
            case PlaceType(index=index):
                if index >= len(world.families):
                    self.diagnostics.error(
                        "unknown-type",
                        f"`{type.name}` is needed before it is declared",
                        self.book.section("places")[type.name].span,
                        hint="places that others are told apart by come first",
                    )
                    return 1
                size = 1
                for column in world.families[index].indices:
                    size *= self.size(column.type)
                return size
            case _:
                return world.most if type == PLAYER else 1

    # ------------------------------------------------------------ pieces

    def piece(self, entry: Entry) -> None:
        world = self.world
        index = len(world.pieces)
        columns = self.columns(entry.get("has"))
        kinds_node = entry.get("kinds")
        per_player = entry.text("of each") == "player"
        start = self.start(entry.get("starts in"), entry, index, begins=True)
        keys: list[tuple[str, Node, Span]] = []
        if isinstance(kinds_node, Mapping):
            keys = [(key.value, node, key.span) for key, node in kinds_node.entries]
        else:
            keys = [(entry.id, entry.body, entry.span)]
        kinds: list[ir.Kind] = []
        type = KindType(entry.id, index)
        for name, node, span in keys:
            body = node if isinstance(node, Mapping) else None
            also = ("count", "starts in")
            values: tuple[ir.Constant, ...] = ()
            if isinstance(kinds_node, Mapping):
                self.new_name(name, span)
                values = self.row(columns, node, span, also)
            count = whole_number(body.get("count") if body else node, 1)
            own_start = body.get("starts in") if body and isinstance(kinds_node, Mapping) else None
            begins = start
            if own_start is not None:
                begins = self.start(own_start, entry, index, begins=True)
            if begins is None:
                self.diagnostics.error(
                    "missing-key",
                    f"it is not said where `{name}` starts",
                    span,
                    hint="say `starts in: PLACE`",
                )
            world.kinds.setdefault(name, []).append((type, len(kinds)))
            kinds.append(ir.Kind(name, count, values, begins or 0))
        total = sum(kind.count for kind in kinds) * (world.most if per_player else 1)
        self.pieces += total
        if self.pieces > MOST_PIECES:
            self.diagnostics.error(
                "too-large",
                f"with `{entry.id}` there are {self.pieces:,} pieces; at most {MOST_PIECES:,} are "
                "possible",
                entry.span,
            )
            self.pieces -= total
            kinds = [ir.Kind(kind.name, 1, kind.values, kind.starts) for kind in kinds]
        if isinstance(kinds_node, Mapping) and entry.get("count") is not None:
            self.diagnostics.error(
                "unused",
                "each kind has its own count, so this one counts nothing",
                entry.key_span("count"),
                hint="how many there are together is said with `in the box:`",
            )
        box = entry.get("in the box")
        accepted = ("totals-differ", f"pieces.{entry.id}") in self.book.accepts
        if box is not None and whole_number(box, total) != total and not accepted:
            self.diagnostics.error(
                "totals-differ",
                f"{total} {world.many(PieceType(entry.id, index))} are counted, not {text_of(box)}",
                box.span,
                *([Label(kinds_node.span, "counted here")] if kinds_node is not None else []),
                hint="one of the counts is wrong, or the number in the box",
            )
        rows = [kind.values for kind in kinds]
        columns = tuple(self.maybe(column, at, rows) for at, column in enumerate(columns))
        states = self.states(entry.get("changes"))
        world.pieces.append(
            ir.Piece(
                entry.id,
                entry.text("plural") or entry.id + "s",
                per_player,
                tuple(kinds),
                columns,
                states,
                whole_number(box, 0) if box is not None else None,
                entry.text("assumed"),
                citations(world, entry.get("cites")),
            )
        )
        came = self.start(entry.get("played from"), entry, index)
        went = self.start(entry.get("played to"), entry, index)
        if came is not None and went is not None:
            world.played[index] = (came, went)

    @staticmethod
    def maybe(column: ir.Column, at: int, rows: Iterable[tuple[ir.Constant, ...]]) -> ir.Column:
        """An attribute that some lack may be nothing."""
        if column.type != BROKEN and any(len(row) > at and row[at] is None for row in rows):
            return ir.Column(column.name, MaybeType(column.type))
        return column

    def start(
        self, node: Node | None, entry: Entry, piece: int, begins: bool = False
    ) -> int | None:
        """The family a piece begins in, or is played from or to."""
        if node is None:
            return None
        name = text_of(node)
        family = self.world.family_types.get(name)
        if family is None:
            self.diagnostics.error(
                "unknown-name",
                f"there is no place `{name}`",
                node.span,
                hint=did_you_mean(name, self.world.family_types),
            )
            return 0
        known = self.world.families[family.index]
        if known.holds not in (piece, -1):
            self.diagnostics.error(
                "wrong-type",
                f"`{name}` does not hold {self.world.many(PieceType(entry.id, piece))}",
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

    def states(self, node: Node | None) -> tuple[ir.State, ...]:
        found: list[ir.State] = []
        for key, body in node.entries if isinstance(node, Mapping) else ():
            self.new_name(key.value, key.span)
            given = body if isinstance(body, Mapping) else None
            written = given.get("is") if given else body
            type = self.single(self.type(written, key.value), written)
            starts = given.get("starts as") if given else None
            start = constant(self.world, starts, type)
            if start is None and type != BROKEN:
                type = MaybeType(type)
            seen = given.get("seen by") if given else None
            found.append(ir.State(key.value, type, start, text_of(seen) or "everyone"))
        return tuple(found)

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
        type = self.single(self.type(entry.get("shows"), entry.id), entry.get("shows"))
        start = constant(self.world, entry.get("starts as"), type)
        if isinstance(type, (PieceType, PlaceType)):
            type = MaybeType(type)
        elif start is None:
            start = type.low if isinstance(type, NumberType) and type.listed else 0
        self.world.marker_index[entry.id] = len(self.world.markers)
        per_player = entry.text("of each") == "player"
        if not per_player:
            self.no_owner(entry)
        seen = entry.text("seen by") or "everyone"
        self.world.markers.append(ir.Marker(entry.id, type, per_player, start, seen))
