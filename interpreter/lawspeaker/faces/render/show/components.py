"""Collects the components of a game: pieces and their kinds, words, places, markers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.match.writing import spans
from lawspeaker.position.layout import Layout
from lawspeaker.position.written import LONGEST

_GRIDS = {"grows": "grid_grows", "hexes": "hexes", "growing hexes": "hexes_grow"}
"""Phrases for boards that are not plain square grids."""
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece; `values` are parallel to the piece's attributes, empty where it has none."""

    id: str
    name: str
    count: int
    values: tuple[str, ...]
    starts: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A type of piece; `total` is its number with the most players."""

    id: str
    name: str
    total: int
    per_player: bool
    attributes: tuple[str, ...]
    changes: tuple[str, ...]
    kinds: tuple[Kind, ...]
    assumed: str | None


@dataclass(frozen=True, slots=True)
class Words:
    """A word set that is no choice, with attributes. `written` describes permitted free text."""

    id: str
    name: str
    attributes: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    id: str
    name: str
    number: str
    holds: str
    room: int | None
    arranged: str
    seen_by: ir.SeenBy
    count_seen_by: ir.SeenBy
    top_seen_by: ir.SeenBy
    stays_known: bool
    sight: str


@dataclass(frozen=True, slots=True)
class Marker:
    id: str
    name: str
    per_player: bool
    shows: str
    starts: str
    seen_by: ir.SeenBy


class Components:
    def __init__(self, layout: Layout, language: str) -> None:
        self.layout = layout
        self.program = layout.program
        self.language = language

    def called(self, thing: str, of: str) -> str:
        return self.layout.called(thing, of, self.language)

    def phrase(self, key: str, **values: object) -> str:
        return phrase(f"show.{key}", self.language, **values)

    def type(self, of: ir.Type) -> str:
        """Names a type: `number`, `truth`, `player`, or the name of its things."""
        bared = bare(of)
        if isinstance(bared, ir.NumberType):
            if not bared.listed:
                return self.phrase("number")
            return self.phrase("from_to", low=bared.low, high=bared.high)
        if isinstance(bared, ir.PlayerType | ir.TruthType):
            return self.phrase("player" if isinstance(bared, ir.PlayerType) else "truth")
        return self.called(str(bared), "")

    def pieces(self) -> tuple[Piece, ...]:
        return tuple(self.piece(at, each) for at, each in enumerate(self.program.pieces))

    def piece(self, index: int, piece: ir.Piece) -> Piece:
        kinds = tuple(self.kind(piece, each) for each in piece.kinds)
        changes = tuple(
            colon(
                self.told_apart(self.called(each.name, piece.name), each.indices),
                self.type(each.type),
                self.language,
            )
            for each in piece.states
        )
        return Piece(
            piece.name,
            self.called(piece.name, "piece"),
            len(self.layout.pieces_of[index]),
            piece.per_player,
            tuple(self.attribute(each, piece.name) for each in piece.columns),
            changes,
            kinds,
            ir.in_language(piece.assumed, self.language) or None,
        )

    def kind(self, piece: ir.Piece, kind: ir.Kind) -> Kind:
        values = tuple(
            self.layout.values_name(column.indices, column.type, value, self.language)
            for column, value in zip(piece.columns, kind.values, strict=False)
        )
        family = self.program.families[kind.starts]
        name = self.called(kind.name, piece.name)
        return Kind(kind.name, name, kind.count, values, self.place_name(family))

    def words(self) -> tuple[Words, ...]:
        choices = {each.id for each in self.program.choices}
        return tuple(
            self.word_set(ir.WordType(each.name, number), each)
            for number, each in enumerate(self.program.word_sets)
            if each.name not in choices and not self.joins_neighbours(each)
        )

    def joins_neighbours(self, each: ir.WordSet) -> bool:
        """Whether these are the implicit connections of a board."""
        number = each.network
        return number is not None and isinstance(self.program.networks[number].joins, ir.PlaceType)

    def word_set(self, of: ir.WordType, each: ir.WordSet) -> Words:
        rows = []
        for at in range(len(each.words)):
            values = each.rows[at] if each.rows else ()
            texts = (
                self.layout.values_name(column.indices, column.type, value, self.language)
                for column, value in zip(each.columns, values, strict=False)
            )
            rows.append((self.layout.name(of, at, self.language), *texts))
        attributes = tuple(self.attribute(column, each.name) for column in each.columns)
        written = None
        if each.written is not None:
            written = phrase("text.others", self.language, **spans(each.written, self.language))
            written += f". {phrase('text.signs', self.language, most=LONGEST)}".rstrip(".")
        return Words(each.name, self.called(each.name, ""), attributes, tuple(rows), written)

    def attribute(self, column: ir.Column, of: str) -> str:
        return self.told_apart(self.called(column.name, of), column.indices)

    def told_apart(self, name: str, indices: tuple[ir.Index, ...]) -> str:
        """Formats a name with the indices that distinguish its values, except the owner."""
        by = [self.index_name(each) for each in indices if not each.owns]
        if not by:
            return name
        both = reduce(lambda one, other: self.phrase("and", one=one, other=other), by)
        return self.phrase("told_apart", name=_PLACEHOLDER.sub("…", name), by=both)

    def place_name(self, family: ir.Family) -> str:
        """Names the places of a family, with placeholders for indices replaced."""
        names = {each.name: self.index_word(each) for each in family.indices}
        called = self.called(family.name, "place")
        return _PLACEHOLDER.sub(lambda found: names.get(found[1], "…"), called)

    def index_word(self, column: ir.Column) -> str:
        if isinstance(column.type, ir.NumberType):
            return "…"
        called = self.called(column.name, "")
        return "…" if _PLACEHOLDER.search(called) else called

    def places(self) -> tuple[Place, ...]:
        return tuple(self.place(at, each) for at, each in enumerate(self.program.families))

    def place(self, index: int, family: ir.Family) -> Place:
        return Place(
            family.name,
            self.place_name(family),
            self.number(index, family),
            self.called(self.program.pieces[family.holds].name, "piece"),
            family.room,
            family.arranged,
            family.seen_by,
            family.count_seen_by,
            family.top_seen_by,
            family.stays_known,
            self.sight(family),
        )

    def sight(self, family: ir.Family) -> str:
        """Describes who sees the contents of a place, their number, and the top."""
        sight = self.whole_sight(family)
        if family.top_seen_by != "nobody":
            sight = self.phrase("sight.top", sight=sight, who=self.seers(family.top_seen_by))
        return self.phrase("sight.stays_known", sight=sight) if family.stays_known else sight

    def whole_sight(self, family: ir.Family) -> str:
        """Describes who sees the contents of a place, and their number."""
        seen, counted = family.seen_by, family.count_seen_by
        who = self.seers(seen)
        if seen == "everyone" or seen == counted != "nobody":
            return who
        if seen == counted:
            return self.phrase("sight.not_even")
        if counted in ("everyone", "owner", "nobody"):
            return self.phrase(f"sight.{counted}_counts", who=who)
        return self.phrase("sight.some_counts", who=who, some=self.seers(counted))

    def seers(self, seen_by: ir.SeenBy) -> str:
        """Names the players who see something."""
        if seen_by == ir.OTHERS:
            return self.phrase("sight.others")
        fixed = ("everyone", "owner", "nobody")
        *some, last = (
            self.phrase(f"sight.{each}") if each in fixed else self.called(each, "player")
            for each in ir.seers(seen_by)
        )
        return self.phrase("and", one=", ".join(some), other=last) if some else last

    def number(self, index: int, family: ir.Family) -> str:
        """Describes how many places there are, and how they are numbered."""
        columns = [each for each in family.indices if not isinstance(each.type, ir.PlayerType)]
        if family.grid:
            fixed = "grid_from_below" if family.from_below else "grid"
            return self.phrase(_GRIDS.get(family.grid, fixed))
        if not columns:
            return self.phrase("places.one_each" if family.per_player else "places.one")
        count = len(self.layout.places_of[index])
        by = reduce(
            lambda one, other: self.phrase("and", one=one, other=other),
            (self.index_name(each) for each in columns),
        )
        if family.per_player:
            return self.phrase("places.each_by", count=count // self.layout.players, by=by)
        return self.phrase("places.by", count=count, by=by)

    def index_name(self, column: ir.Column | ir.Index) -> str:
        if column.name == "number" and isinstance(column.type, ir.NumberType):
            return self.phrase("numbered", low=column.type.low, high=column.type.high)
        return _PLACEHOLDER.sub("…", self.called(column.name, ""))

    def markers(self) -> tuple[Marker, ...]:
        return tuple(
            Marker(
                each.name,
                self.told_apart(self.called(each.name, "marker"), each.indices),
                each.per_player,
                self.type(each.type),
                self.starts(at, each),
                each.seen_by,
            )
            for at, each in enumerate(self.program.markers)
        ) + tuple(map(self.position, self.program.positions))

    def position(self, each: ir.Position) -> Marker:
        """Describes a position history as a marker: a sheet on which positions are noted."""
        program = self.program
        counted = [program.families[at].name for at in each.families]
        counted += [program.markers[at].name for at in each.markers]
        names = ", ".join(self.called(name, "") for name in counted)
        shows = self.phrase("positions", last=each.last, of=names)
        return Marker(each.name, self.called(each.name, "marker"), False, shows, "", "everyone")

    def starts(self, number: int, marker: ir.Marker) -> str:
        """Formats the initial value of a marker; of each entry if they differ."""
        layout, language = self.layout, self.language
        if not marker.starts:
            return constant(layout, marker.type, marker.start, language)
        told = []
        for _, entry in layout.entries(number):
            value = layout.name(marker.type, entry.start, language)
            told.append(f"{layout.index_names(entry, language)} {value}")
        return ", ".join(dict.fromkeys(told))


def bare(of: ir.Type) -> ir.Type:
    """Returns a type without `maybe` and `set of`."""
    while isinstance(of, ir.MaybeType | ir.SetType):
        of = of.of
    return of


def constant(
    layout: Layout, of: ir.Type, value: ir.Constant | tuple[ir.Constant, ...], language: str
) -> str:
    """Formats a value; a list with commas."""
    if isinstance(value, tuple):
        return ", ".join(constant(layout, bare(of), each, language) for each in value)
    return layout.name(bare(of), value, language)


def choice_values(layout: Layout, choice: ir.Choice, language: str) -> list[str]:
    """Formats the values of a choice, for each number of players.

    For a list it adds the value beyond its end.
    """
    texts = [constant(layout, choice.type, each, language) for each in choice.values]
    if choice.beyond is None:
        return texts
    beyond = constant(layout, choice.type, choice.beyond, language)
    return [phrase("compare.beyond", language, text=text, beyond=beyond) for text in texts]
