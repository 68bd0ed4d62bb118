"""Declarations of a rulebook into a World: types, pieces, places, markers, choices, signatures.

Done in an order in which everything named is known when it is needed: words and number ranges,
then the names of pieces and places, then their details, then markers, choices, windows and the
heads of clauses. Code is not looked at here.
"""

from __future__ import annotations

import re

from lawspeaker import ir, parse
from lawspeaker.check.clauses import declare_clauses
from lawspeaker.check.values import constant, text_of, whole_number
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
                self.diagnostics.error(
                    "bad-players",
                    f"a game has 1 to {MOST_PLAYERS} players, and `from` is at most `to`",
                    players.span,
                )
                world.fewest = min(max(world.fewest, 1), MOST_PLAYERS)
                world.most = min(max(world.most, world.fewest), MOST_PLAYERS)
            if called is not None and len(world.player_names) != world.most:
                self.diagnostics.error(
                    "bad-players",
                    f"{len(world.player_names)} names are given for {world.most} players",
                    called.span,
                )
        while len(world.player_names) < world.most:
            world.player_names += (f"player_{len(world.player_names) + 1}",)
        for name in world.player_names:
            world.declared.setdefault(name, head.span)
        languages = head.get("languages")
        if isinstance(languages, Sequence):
            world.languages = tuple(text_of(each) for each in languages.items)
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
        if plural in world.types:
            self.diagnostics.error(
                "duplicate-name",
                f"the plural `{plural}` already names something else",
                entry.span,
                hint="say `plural: …` to choose another",
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
            if low > high or high - low > MOST_PLACES:
                self.diagnostics.error("bad-range", f"`{text}` is no fit range", node.span)
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
                self.diagnostics.error("duplicate-name", f"`{key.value}` is said twice", key.span)
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
        old = self.world.word_sets[type.index]
        self.world.word_sets[type.index] = ir.WordSet(old.name, old.words, columns, rows)

    def columns(self, node: Node | None) -> tuple[ir.Column, ...]:
        entries = node.entries if isinstance(node, Mapping) else ()
        for key, _ in entries:
            self.new_name(key.value, key.span)
        return tuple(ir.Column(key.value, self.type(type, key.value)) for key, type in entries)

    def row(
        self, columns: tuple[ir.Column, ...], node: Node, span: Span, also: tuple[str, ...] = ()
    ) -> tuple[ir.Constant, ...]:
        given = node if isinstance(node, Mapping) else None
        names = [column.name for column in columns]
        for key, _ in given.entries if given else ():
            if key.value not in names and key.value not in also:
                self.diagnostics.error(
                    "unknown-column",
                    f"`{key.value}` is not among the attributes: {', '.join(names) or 'none'}",
                    key.span,
                    hint=did_you_mean(key.value, names) or "declare it under `has:`",
                )
        values: list[ir.Constant] = []
        for column in columns:
            found = given.get(column.name) if given else None
            values.append(constant(self.world, found, column.type))
        return tuple(values)

    def number_range(self, entry: Entry) -> None:
        type = self.type(entry.body, entry.id)
        if isinstance(type, NumberType) and type.listed:
            self.new_type(entry, type)
        else:
            self.diagnostics.error("bad-range", "a number range is written `1..6`", entry.body.span)

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
        holds = self.type(entry.get("holds"), "piece")
        if not isinstance(holds, PieceType):
            if holds != BROKEN:
                written = entry.get("holds")
                at_span = written.span if written else entry.span
                self.diagnostics.error("wrong-type", f"a place holds pieces, not {holds}", at_span)
            holds = PieceType("?", 0)
        size = 1
        for index in indices:
            if isinstance(index.type, (PieceType, SetType)) or index.type in (NUMBER, TRUTH):
                self.diagnostics.error(
                    "wrong-type",
                    f"places cannot be numbered by {index.type}",
                    entry.span,
                    hint="use a number range, a word set, players or other places",
                )
                index = ir.Column(index.name, BROKEN)
            size *= self.size(index.type)
        if size > MOST_PLACES:
            self.diagnostics.error(
                "too-large", f"`{entry.id}` would be {size:,} places", entry.span
            )
        room = entry.get("room")
        per_player = bool(indices) and indices[0].type == PLAYER
        seen = entry.text("seen by") or "nobody"
        if seen == "owner" and not per_player:
            self.diagnostics.error(
                "no-owner",
                f"`{entry.id}` has no owner who could see it",
                entry.span,
                hint="say `of each: player`, or `seen by: everyone` or `nobody`",
            )
            seen = "nobody"
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
            )
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
                        f"`{type.name}` is declared further down",
                        self.book.section("places")[type.name].span,
                        hint="places that others are numbered by come first",
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
        start = self.start(entry.get("starts in"), entry, index)
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
            begins = self.start(own_start, entry, index) if own_start is not None else start
            if begins is None:
                self.diagnostics.error(
                    "no-start",
                    f"it is not said where `{name}` starts",
                    span,
                    hint="say `starts in: PLACE`",
                )
            world.kinds.setdefault(name, []).append((type, len(kinds)))
            kinds.append(ir.Kind(name, count, values, begins or 0))
        total = sum(kind.count for kind in kinds) * (world.most if per_player else 1)
        if total > MOST_PIECES:
            self.diagnostics.error("too-large", f"{total:,} pieces are too many", entry.span)
            kinds = [ir.Kind(kind.name, 1, kind.values, kind.starts) for kind in kinds]
        box = entry.get("in the box")
        if box is not None and whole_number(box, total) != total:
            self.diagnostics.error(
                "totals-differ",
                f"the kinds of `{entry.id}` add up to {total}, not {text_of(box)}",
                box.span,
                *(Label(node.span, "counted here") for _, node, _ in keys[:1]),
                hint="one of the counts is wrong, or the number in the box",
            )
        # An attribute that some kinds lack may be nothing.
        columns = tuple(self.maybe(column, at, kinds) for at, column in enumerate(columns))
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
            )
        )
        came = self.start(entry.get("played from"), entry, index)
        went = self.start(entry.get("played to"), entry, index)
        if came is not None and went is not None:
            world.played[index] = (came, went)

    @staticmethod
    def maybe(column: ir.Column, at: int, kinds: list[ir.Kind]) -> ir.Column:
        if any(len(kind.values) > at and kind.values[at] is None for kind in kinds):
            return ir.Column(column.name, MaybeType(column.type))
        return column

    def start(self, node: Node | None, entry: Entry, piece: int) -> int | None:
        """The family a piece begins in, or is played from or to."""
        if node is None:
            return None
        name = text_of(node)
        family = self.world.family_types.get(name)
        if family is None:
            self.diagnostics.error(
                "unknown-place",
                f"there is no place `{name}`",
                node.span,
                hint=did_you_mean(name, self.world.family_types),
            )
            return 0
        known = self.world.families[family.index]
        if known.holds != piece:
            self.diagnostics.error(
                "wrong-type",
                f"`{name}` does not hold {entry.id}",
                node.span,
                Label(self.book.section("places")[name].span, "declared here"),
            )
        indices = known.indices[1:] if known.per_player else known.indices
        if indices:
            self.diagnostics.error(
                "which-place",
                f"there are several places `{name}`; a piece starts in one",
                node.span,
                hint="let it start in a pile and move it in the setup",
            )
        return family.index

    def states(self, node: Node | None) -> tuple[ir.State, ...]:
        found: list[ir.State] = []
        for key, body in node.entries if isinstance(node, Mapping) else ():
            self.new_name(key.value, key.span)
            given = body if isinstance(body, Mapping) else None
            type = self.type(given.get("is") if given else body, key.value)
            starts = given.get("starts as") if given else None
            start = constant(self.world, starts, type)
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
            )
        self.world.declared[entry.id] = entry.span
        type = self.type(entry.get("shows"), entry.id)
        start = constant(self.world, entry.get("starts as"), type)
        if start is None:
            start = type.low if isinstance(type, NumberType) and type.listed else 0
        self.world.marker_index[entry.id] = len(self.world.markers)
        per_player = entry.text("of each") == "player"
        seen = entry.text("seen by") or "everyone"
        self.world.markers.append(ir.Marker(entry.id, type, per_player, start, seen))
