"""All pieces and places of a game for so many players, numbered, and what everything is called.

Pieces are numbered type by type, kind by kind; pieces of each player exist once for each seat
that plays, seat by seat within a kind. Places are numbered family by family; within a family
the indices run in the order listed, the last one fastest. What is fixed about a piece or place
stands in lists by its number, so that the machine looks it up and never works it out.

Who sees a place is a number with a bit for each seat that plays and one more for a spectator.

Pieces with the same number in `alike` have the same type, kind and owner: only where they are
and what state they are in can tell them apart. `piece_word` is a piece's word for luck, made of
its type, kind, owner and number within the kind.

Every value has a canonical text, by its type: `king`, `red`, `3`, `field 2 7`, `pawn red`;
and a name in each language, which falls back to the text with spaces for underscores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial, reduce
from itertools import product
from math import prod
from operator import or_
from typing import Any, TypeVar

from lawspeaker import ir
from lawspeaker.base import phrases
from lawspeaker.base.braces import Filling, Named, Truth, filled, in_braces
from lawspeaker.base.cache import Kept
from lawspeaker.base.counts import not_for
from lawspeaker.base.typography import enumerated, numeral
from lawspeaker.ir.types import (
    KindType,
    MaybeType,
    NumberType,
    PieceType,
    PlaceType,
    PlayerType,
    SetType,
    TruthType,
    Type,
    WordType,
)
from lawspeaker.position.entries import Entry, offset
from lawspeaker.position.luck import word_of
from lawspeaker.position.written import Text, fits, folded, readable

Told = TypeVar("Told")
Value = Any
"""A value at run time: an integer, a truth, None, or a tuple of values."""

"""Stands in a text for the name of something."""


class Layout:
    """The numbering for one program and number of players."""

    def __init__(self, program: ir.Program, players: int) -> None:
        if players not in program.counts:
            raise ValueError(not_for(program.name, program.counts, players))
        self.program = program
        self.players = players
        self.seats = tuple(range(players))
        self.sides = sides_of(program, players)
        self._seat_the_sides()
        self.people: tuple[str, ...] = ("",) * players
        """What those at the table call themselves; empty for who is called as the game does."""
        self.everyone = (1 << (players + 1)) - 1
        self._number_places()
        self._number_pieces()
        self._number_states_and_markers()
        self.texts: dict[tuple[Type, Value], str] = {}
        self.words: dict[tuple[Type, Value], int] = {}
        self._readings: dict[Type, dict[str, list[Value]]] = {}
        self._sayings: dict[Type, dict[tuple[str, ...], tuple[Value, ...]]] = {}
        self._places: dict[str, int] = {}
        self._named: dict[int, dict[str, int]] = {}
        self._called: dict[tuple[str, str, str, str], str] = {}
        self._place_called: dict[tuple[int, str, str], str] = {}

    def under(self, program: ir.Program) -> Layout:
        """The same numbering for a program with the same things and other rules."""
        other = copy(self)
        other.program = program
        other.sides = sides_of(program, self.players)
        other._seat_the_sides()
        other._called, other._place_called = {}, {}
        return other

    def named(self, people: Sequence[str]) -> Layout:
        """The same, in which players are called what they call themselves."""
        if not any(people):
            return self
        other = copy(self)
        other.people = tuple(people)
        return other

    # ------------------------------------------------------------ numbering

    def _seat_the_sides(self) -> None:
        """The number of the side of each seat, and by side who of it plays."""
        declared = self.program.sides or tuple((seat,) for seat in self.seats)
        number = {seat: at for at, side in enumerate(declared) for seat in side}
        self.side_of = tuple(number.get(each, each) for each in range(max(number) + 1))
        self.players_of = [tuple(seat for seat in side if seat < self.players) for side in declared]

    def keeper(self, seat: int) -> int:
        """The seat with which the score of a seat is kept: the first of its side."""
        return self.players_of[self.side_of[seat]][0]

    def shared(self, scores: Sequence[int]) -> tuple[int, ...]:
        """The score of each seat, which is that of its side: kept with the first of its players."""
        return tuple(scores[self.keeper(seat)] for seat in self.seats)

    def named_side(self, seat: int) -> str | None:
        """The word for the side of a seat, if the rules have one of their own."""
        words = self.program.side_words
        if words is None:
            return None
        at = self.side_of[seat]
        word = self.program.word_sets[words].words[at]
        return None if word == f"side_{at + 1}" else word

    def holder_name(self, seat: int, language: str) -> str:
        """Who has the score of a seat: the side by its name, or else all who are on it."""
        word = self.named_side(seat)
        if word is not None:
            return self.called(word, "side", language)
        side = self.players_of[self.side_of[seat]]
        return enumerated((self._player_name(each, language) for each in side), language)

    def _number_places(self) -> None:
        self.place_family: list[int] = []
        self.place_indices: list[tuple[Value, ...]] = []
        self.place_owner: list[int | None] = []
        self.place_room: list[int | None] = []
        self.heap: list[bool] = []
        self.row: list[bool] = []
        self.seen: list[int] = []
        self.count_seen: list[int] = []
        self.top_seen: list[int] = []
        self.places_of: list[tuple[int, ...]] = []
        self.index_domains: list[list[tuple[Value, ...]]] = []
        self._count_places()
        for number, family in enumerate(self.program.families):
            domains = self.domains(family.indices)
            self.index_domains.append(domains)
            owner_at = next(
                (i for i, c in enumerate(family.indices) if isinstance(c.type, PlayerType)), None
            )
            for indices in product(*domains):
                owner = None if owner_at is None else indices[owner_at]
                self.place_family.append(number)
                self.place_indices.append(indices)
                self.place_owner.append(owner)
                self.place_room.append(family.room)
                self.heap.append(family.arranged == "heap")
                self.row.append(family.arranged == "row")
                self.seen.append(self.viewers(family.seen_by, owner))
                self.count_seen.append(self.viewers(family.count_seen_by, owner))
                self.top_seen.append(self.viewers(family.top_seen_by, owner))
        self.place_text: list[str] = []
        for number, family in enumerate(self.program.families):
            texts = self._each_index(number, self._index_text)
            self.place_text += (" ".join((family.name, *filter(None, each))) for each in texts)
        self.place_word = [word_of(text) for text in self.place_text]

    def _each_index(
        self, family: int, told: Callable[[ir.Column, Value], Told]
    ) -> Iterator[tuple[Told, ...]]:
        """What is told of the indices of all places of a family, in their order. A board that grows
        has thousands of cells, so each index is asked for but once."""
        columns = zip(
            self.program.families[family].indices, self.index_domains[family], strict=True
        )
        return product(*([told(column, index) for index in domain] for column, domain in columns))

    def _count_places(self) -> None:
        """The numbers of the places of each family; one family may be the index of another."""
        families = self.program.families
        sizes: dict[int, int] = {}

        def size(number: int) -> int:
            if number not in sizes:
                sizes[number] = 1
                sizes[number] = prod(
                    size(column.type.index)
                    if isinstance(column.type, PlaceType)
                    else len(self.domain(column.type))
                    for column in families[number].indices
                )
            return sizes[number]

        first = 0
        for number in range(len(families)):
            self.places_of.append(tuple(range(first, first + size(number))))
            first += size(number)

    def _number_pieces(self) -> None:
        self.piece_type: list[int] = []
        self.piece_kind: list[int] = []
        self.piece_owner: list[int | None] = []
        self.piece_word: list[int] = []
        self.alike: list[int] = []
        self.looks: list[int] = []
        self.start: list[int] = []
        self.pieces_of: list[tuple[int, ...]] = []
        looks = 0
        for number, piece in enumerate(self.program.pieces):
            first = len(self.piece_type)
            owners: Iterable[int | None] = self.seats if piece.per_player else (None,)
            for kind_number, kind in enumerate(piece.kinds):
                for owner in owners:
                    start = self._starting_place(kind.starts, owner)
                    first_of_looks = len(self.piece_type)
                    for count in range(kind.count):
                        self.piece_type.append(number)
                        self.piece_kind.append(kind_number)
                        self.piece_owner.append(owner)
                        named = "" if owner is None else self.program.player_names[owner]
                        self.piece_word.append(
                            word_of(f"{piece.name}/{kind.name}/{named}/{count + 1}")
                        )
                        self.alike.append(looks)
                        self.looks.append(first_of_looks)
                        self.start.append(start)
                    looks += 1
            self.pieces_of.append(tuple(range(first, len(self.piece_type))))

    def _starting_place(self, family: int, owner: int | None) -> int:
        places = self.places_of[family]
        owned = [place for place in places if self.place_owner[place] in (None, owner)]
        return (owned or places)[0]

    def _number_states_and_markers(self) -> None:
        """All entries of states, type by type, and of markers. `state_at[type][entry] + piece` is
        where an entry lies, and `first_entry[type][state]` the first of a state; an entry of a
        marker lies where it stands in `markers`, the first of each in `marker_at`."""
        self.states: list[tuple[Entry, ...]] = []
        self.first_entry: list[list[int]] = []
        self.first_states: list[Value] = []
        self.state_at: list[list[int]] = []
        for number, piece in enumerate(self.program.pieces):
            own = self.pieces_of[number]
            entries: list[Entry] = []
            self.first_entry.append([])
            for state in piece.states:
                self.first_entry[-1].append(len(entries))
                entries += self._entries(state)
            self.states.append(tuple(entries))
            self.state_at.append([])
            for entry in entries:
                self.state_at[-1].append(len(self.first_states) - (own[0] if own else 0))
                self.first_states += [entry.start] * len(own)
        self.markers: list[Entry] = []
        self.marker_at: list[int] = []
        for marker in self.program.markers:
            self.marker_at.append(len(self.markers))
            self.markers += self._entries(marker)
        self.first_markers: list[Value] = [entry.start for entry in self.markers]

    def _entries(self, declared: ir.Marker | ir.State) -> Iterator[Entry]:
        starts = dict(declared.starts)
        for indices in product(*self.domains(declared.indices)):
            told = [
                self._text(index.type, value)
                for index, value in zip(declared.indices, indices, strict=True)
            ]
            which = "".join(
                f" {index.word} {text}" for index, text in zip(declared.indices, told, strict=True)
            )
            start, text = starts.get(indices, declared.start), " ".join([declared.name, *told])
            yield Entry(declared, indices, start, text, which)

    def domains(self, indices: Iterable[ir.Index | ir.Column]) -> list[tuple[Value, ...]]:
        """For each index what it can be."""
        return [self.domain(index.type) for index in indices]

    def entries_of(self, declared: ir.Marker | ir.State) -> int:
        """How many entries a marker, or what changes about a piece, has."""
        return prod(map(len, self.domains(declared.indices)))

    def all_players(self, indices: Iterable[ir.Index]) -> list[Sequence[Value]]:
        """The same for what never changes, and is given for players who may not play, too."""
        every = range(len(self.program.player_names))
        return [
            every if isinstance(index.type, PlayerType) else self.domain(index.type)
            for index in indices
        ]

    # ------------------------------------------------------------ sets and sight

    def domain(self, of: Type) -> tuple[Value, ...]:
        """Everything of a type that can be listed."""
        if isinstance(of, PlayerType):
            return self.seats
        if isinstance(of, WordType):
            return tuple(range(len(self.program.word_sets[of.index].words)))
        if isinstance(of, KindType):
            return tuple(range(len(self.program.pieces[of.index].kinds)))
        if isinstance(of, PieceType):
            return self.pieces_of[of.index]
        if isinstance(of, PlaceType):
            return self.places_of[of.index]
        if isinstance(of, NumberType) and of.listed:
            return tuple(range(of.low, of.high + 1))
        if isinstance(of, TruthType):
            return (False, True)
        raise ValueError(f"{of} cannot be listed")

    def choice(self, number: int) -> Value:
        """What a named choice is for this number of players."""
        values = self.program.choices[number].values
        return values[min(self.program.counts.index(self.players), len(values) - 1)]

    def viewers(self, seen_by: ir.SeenBy, owner: int | None) -> int:
        """A bit for each who sees something of an owner. A spectator sees what everyone does."""
        if seen_by == "everyone":
            return self.everyone
        own = 0 if owner is None else 1 << owner
        if seen_by == ir.OTHERS:
            return (1 << self.players) - 1 & ~own
        names = self.program.player_names
        bits = {"owner": own} | {names[seat]: 1 << seat for seat in self.seats}
        return reduce(or_, (bits.get(each, 0) for each in ir.seers(seen_by)))

    def sees(self, known: int, viewer: int | str | None) -> bool:
        """Whether a viewer (a seat, None for a spectator, or `all`) is among those who know."""
        if viewer == "all":
            return True
        seat = self.players if viewer is None else int(viewer)
        return bool(known >> seat & 1)

    def sight(self, seat: int | None) -> int:
        """The bit of a seat, or of a spectator, among those who know."""
        return 1 << (self.players if seat is None else seat)

    def place(self, family: int, indices: tuple[Value, ...]) -> int | None:
        """The number of a place, or None when an index is out of range."""
        found = offset(self.index_domains[family], indices)
        return None if found is None else self.places_of[family][0] + found

    # ------------------------------------------------------------ texts

    def text(self, of: Type, value: Value) -> str:
        """The canonical text of a value."""
        if isinstance(value, Text):
            return f'"{value}"'
        key = (of, value)
        known = self.texts.get(key)
        if known is None:
            known = self.texts[key] = self._text(of, value)
        return known

    def word(self, of: Type, value: Value) -> int:
        """The word for luck of a value that is no piece."""
        key = (of, value)
        known = self.words.get(key)
        if known is None:
            known = self.words[key] = word_of(self.text(of, value))
        return known

    def _text(self, of: Type, value: Value) -> str:
        if isinstance(value, Text):
            return f'"{value}"'
        if isinstance(of, MaybeType):
            return self._text(of.of, value)
        if value is None:
            return "nothing"
        program = self.program
        match of:
            case SetType():
                return counted(self.text(of.of, member) for member in value)
            case PlayerType():
                return program.player_names[value]
            case WordType():
                return program.word_sets[of.index].words[value]
            case KindType():
                return program.pieces[of.index].kinds[value].name
            case PieceType() if value < 0:
                return program.pieces[of.index].name
            case PieceType():
                piece = program.pieces[self.piece_type[value]]
                kind = piece.kinds[self.piece_kind[value]]
                words = [kind.name if len(piece.kinds) > 1 else piece.name]
                owner = self.piece_owner[value]
                return " ".join(words if owner is None else [*words, program.player_names[owner]])
            case PlaceType():
                return self.place_text[value]
            case TruthType():
                return "yes" if value else "no"
        return str(value)

    def _index_text(self, column: ir.Column, index: Value) -> str:
        """The text of an index of a place; a place as an index is told by its own."""
        if not isinstance(column.type, PlaceType):
            return self._text(column.type, index)
        indices = self.program.families[self.place_family[index]].indices
        own = zip(indices, self.place_indices[index], strict=True)
        return " ".join(self._index_text(*each) for each in own)

    def name(self, of: Type, value: Value, language: str, form: str = "") -> str:
        """What a value is called in a language; in a form, if its name has it."""
        if isinstance(of, MaybeType):
            return self.name(of.of, value, language, form)
        if value is None:
            return self.called("nothing", "", language)
        if isinstance(value, Text):
            return str(value)
        program = self.program
        match of:
            case SetType():
                none = self.called("none", "", language)
                told = [self.name(of.of, member, language) for member in value]
                alone = [self.name(of.of, member, language, form) for member in value]
                return counted(told, none, alone)
            case PlayerType():
                return self._player_name(value, language)
            case WordType(index=index) if self._told_by_ends(index, value):
                return self._ends_named(index, value, language)
            case WordType() | KindType():
                return self.called(self.text(of, value), of.name, language, form)
            case PieceType() if value < 0:
                return self.called(program.pieces[of.index].name, "piece", language, form)
            case PieceType():
                piece = program.pieces[self.piece_type[value]]
                kind = piece.kinds[self.piece_kind[value]]
                word = kind.name if len(piece.kinds) > 1 else piece.name
                owner = self.piece_owner[value]
                called = self.called(word, piece.name, language, form)
                if owner is None:
                    return called
                return f"{called} {self._player_name(owner, language)}"
            case PlaceType():
                return self._place_name(value, language, form)
            case TruthType():
                return self.called("yes" if value else "no", "", language)
        return numeral(value)

    def _told_by_ends(self, word_set: int, word: int) -> bool:
        """Whether a connection has no name, and is told by what it joins."""
        program = self.program
        words = program.word_sets[word_set]
        own = words.words[word]
        if words.network is None or own in program.names or f"{words.name}.{own}" in program.names:
            return False
        return program.networks[words.network].tells(word, own)

    def _ends_named(self, word_set: int, word: int, language: str) -> str:
        """A connection by its ends: `York – Leeds`, or of two squares `2 3 – 2 4`."""
        number = self.program.word_sets[word_set].network
        assert number is not None
        network = self.program.networks[number]
        first = self.domain(network.joins)[0]
        return " – ".join(
            self._end_name(network.joins, first + end, language) for end in network.ends[word]
        )

    def _end_name(self, of: Type, value: Value, language: str) -> str:
        if not isinstance(of, PlaceType):
            return self.name(of, value, language)
        if in_braces(self.called(self.program.families[of.index].name, "place", language)):
            return self._place_name(value, language)
        return " ".join(self._index_names(value, language))

    def _player_name(self, seat: int, language: str) -> str:
        """A player as he calls himself, or else as the game does; a game may speak of players who
        are not there."""
        own = self.people[seat] if seat < self.players else ""
        return own or self.called(self.program.player_names[seat], "player", language)

    def family_name(self, family: int, language: str) -> str:
        """What a family of places is called by itself, without the indices of a place.

        Of `{flower} meadow` that is `meadow`; `row {row} of {player}` is `row … of …`. Where a
        game has a name for `place.meadow` and one for `meadow`, it is the latter.
        """
        name = self.program.families[family].name
        own = "" if name in self.program.names else "place"
        return _without_indices(self.called(name, own, language), name, language)

    def marker_name(self, marker: int, language: str, title: str | None = None) -> str:
        """What a marker is called by itself, without the indices of an entry."""
        name = title or self.program.markers[marker].name
        return _without_indices(self.called(name, "", language), name, language)

    def bare_name(self, place: int, language: str) -> str:
        """What a place of a player is called among those of the same player."""
        number = self.place_family[place]
        family = self.program.families[number]
        called = self.called(family.name, "place", language)
        if len(family.indices) == 1:
            return self.family_name(number, language)
        if in_braces(called):
            return self._place_name(place, language)
        return " ".join([called, *self._index_names(place, language)[1:]])

    def _place_name(self, place: int, language: str, form: str = "") -> str:
        if any(self.people):
            return self._place_told(place, language, form)
        key = (place, language, form)
        found = self._place_called.get(key)
        if found is None:
            found = self._place_called[key] = self._place_told(place, language, form)
        return found

    def _place_told(self, place: int, language: str, form: str) -> str:
        family = self.place_family[place]
        told, name = self._naming(family, language, form)
        columns = self.program.families[family].indices
        return name(list(map(told, columns, self.place_indices[place])))

    def _place_names(self, family: int, language: str) -> Iterator[str]:
        """The names of all places of a family, in their order."""
        told, name = self._naming(family, language)
        return map(name, self._each_index(family, told))

    def _naming(
        self, number: int, language: str, form: str = ""
    ) -> tuple[Callable[[ir.Column, Value], Filling], Callable[[Sequence[Filling]], str]]:
        """How the indices of a place are told, and then the place: `{row}` in the name of a family
        stands for that index; otherwise they come after it."""
        family = self.program.families[number]
        called = self.called(family.name, "place", language, form)
        if not in_braces(called):
            return (
                lambda column, index: self._index_name(column, index, language),
                lambda told: " ".join((called, *filter(None, map(str, told)))),
            )
        columns = [column.name for column in family.indices]
        return (
            lambda column, index: filling(
                column.type, index, lambda form: self.name(column.type, index, language, form)
            ),
            lambda told: filled(called, dict(zip(columns, told, strict=True)).get, language),
        )

    def index_name(self, family: int, column: ir.Column, index: Value, language: str) -> str:
        """What tells a place from those in a line with it, as in the names of places."""
        told = self.name(column.type, index, language)
        called = self.called(self.program.families[family].name, "place", language)
        for brace in in_braces(called):
            if brace.name == column.name and len(brace.words) > 2:
                return brace.told(told, language)
        return told

    def names_lines(self, family: int) -> bool:
        """Whether the name of a place is made of its column and its row alone, as `a1` is."""
        of = self.program.families[family]
        called = self.called(of.name, "place", self.program.languages[0])
        columns = [column.name for column in of.indices]
        braces = in_braces(called)
        alone = "".join(called[brace.start : brace.end] for brace in braces) == called
        return bool(of.grid) and alone and sorted(columns) == sorted(each.name for each in braces)

    def _index_name(self, column: ir.Column, index: Value, language: str) -> str:
        """An index in the name of a place; a place as an index is told by its own."""
        if isinstance(column.type, PlaceType):
            return " ".join(self._index_names(index, language))
        return self.name(column.type, index, language)

    def _index_names(self, place: int, language: str) -> list[str]:
        columns = self.program.families[self.place_family[place]].indices
        told = zip(columns, self.place_indices[place], strict=True)
        return [self._index_name(*each, language) for each in told]

    def entry_name(self, entry: Entry, language: str, title: str | None = None) -> str:
        """What an entry is called, but for its owner: `{good}` in the name of a marker or of what
        changes about a piece stands for that index; otherwise they come after it."""
        told = [
            (index, filling(index.type, value, partial(self.name, index.type, value, language)))
            for index, value in zip(entry.declared.indices, entry.indices, strict=True)
            if not index.owns
        ]
        called = self.called(title or entry.declared.name, "", language)
        if in_braces(called):
            return filled(called, {index.name: text for index, text in told}.get, language)
        english = language == "en"
        words = (f"{index.word} {text}" if english else str(text) for index, text in told)
        return " ".join([called, *words])

    def entries(self, marker: int) -> Iterator[tuple[int, Entry]]:
        """The entries of a marker, and where each lies."""
        first = self.marker_at[marker]
        count = self.entries_of(self.program.markers[marker])
        return zip(range(first, first + count), self.markers[first : first + count], strict=True)

    def index_names(self, entry: Entry, language: str) -> str:
        """What tells an entry from others of the same owner."""
        pairs = zip(entry.declared.indices, entry.indices, strict=True)
        return " ".join(self.name(i.type, v, language) for i, v in pairs if not i.owns)

    def values_name(
        self, indices: Sequence[ir.Index], of: Type, values: ir.Entries, language: str
    ) -> str:
        """A value that never changes; of one told apart by indices all that is not 0, no or
        nothing, as in `white 2, green 1`, and what is the same for all said once."""
        if not isinstance(values, tuple):
            return "" if values is None else self.name(of, values, language)
        if len(set(values)) == 1:
            return self.values_name((), of, values[0], language)
        told = []
        for at, value in zip(product(*self.all_players(indices)), values, strict=True):
            # The first word is a value, too.
            if value or (value is not None and not isinstance(of, NumberType | TruthType)):
                names = [self.name(i.type, v, language) for i, v in zip(indices, at, strict=True)]
                truth = isinstance(of, TruthType)
                told.append(" ".join(names if truth else [*names, self.name(of, value, language)]))
        return ", ".join(told)

    def called(self, thing: str, of: str, language: str, form: str = "") -> str:
        key = (thing, of, language, form)
        found = self._called.get(key)
        if found is None:
            found = self._called[key] = called(self.program, *key)
        return found

    def read(self, of: Type, text: str) -> list[Value]:
        """All values of a type with this text; case and the number of spaces do not matter."""
        if isinstance(of, MaybeType):
            return [None] if plain(text) == "nothing" else self.read(of.of, text)
        if isinstance(of, WordType) and of.written and text[:1] == '"' == text[-1:]:
            own = self.written(of, text[1:-1])
            return [] if own is None else [own]
        readings = self._readings.get(of)
        if readings is None:
            if isinstance(of, NumberType) and not of.listed:
                digits = plain(text)
                known = digits.removeprefix("-").isdecimal() and len(digits) < 12
                return [int(digits)] if known and of.low <= int(digits) <= of.high else []
            readings = self._readings[of] = {}
            values = range(len(self.program.player_names)) if isinstance(of, PlayerType) else None
            for value in self.domain(of) if values is None else values:
                readings.setdefault(plain(self.text(of, value)), []).append(value)
        return readings.get(plain(text), [])

    def written(self, of: WordType, raw: str) -> Value:
        """What a text that somebody writes is: a word of the set that is called so, or itself; None
        if it cannot be written."""
        text, limits = readable(raw), self.program.word_sets[of.index].written
        word = None if text is None else self.word_called(of, text)
        if text is None or limits is None or (word is None and not fits(text, limits)):
            return None
        return Text(text) if word is None else word

    def word_called(self, of: WordType, text: str) -> int | None:
        """The word of a set that is called so in a language of the game; what the first language
        calls so goes before."""
        known = self._named.get(of.index)
        if known is None:
            known = self._named[of.index] = {}
            for language in self.program.languages:
                for word in self.domain(of):
                    known.setdefault(folded(self.name(of, word, language)), word)
            for word in self.domain(of):
                known.setdefault(folded(self.text(of, word)), word)
        return known.get(folded(text))

    def places_by_text(self) -> Mapping[str, int]:
        """All places, by their texts."""
        if not self._places:
            for place, text in enumerate(self.place_text):
                self._places[plain(text)] = place
        return self._places

    def sayings(self, of: Type) -> Mapping[tuple[str, ...], tuple[Value, ...]]:
        """All ways to say the values of a type, word by word: the canonical text, the names in
        all languages, and of a place its numbers alone."""
        known = self._sayings.get(of)
        if known is None:
            found: dict[tuple[str, ...], list[Value]] = {}
            for value, *names in zip(self.domain(of), *self._said(of), strict=True):
                for words in dict.fromkeys(map(_words, dict.fromkeys(names))):
                    found.setdefault(words, []).append(value)
            known = self._sayings[of] = {words: tuple(each) for words, each in found.items()}
        return known

    def _said(self, of: Type) -> list[Iterable[str]]:
        """Ways to say the values of a type; each says all of them, in their order."""
        if isinstance(of, PlaceType):
            places = self.places_of[of.index]
            texts = [self.place_text[place] for place in places]
            alone = (text.partition(" ")[2] or text for text in texts)
            languages = self.program.languages
            return [texts, *(self._place_names(of.index, each) for each in languages), alone]
        values = self.domain(of)
        names = (
            (self.name(of, value, each) for value in values) for each in self.program.languages
        )
        return [(self.text(of, value) for value in values), *names]


THINGS = ("pieces", "families", "markers", "word_sets", "player_names", "names", "languages")
"""What of a program is numbered and named; programs that share it share a layout."""
_KEPT = 16
_layouts: Kept[Layout] = Kept(_KEPT)


def sides_of(program: ir.Program, players: int) -> tuple[tuple[int, ...], ...]:
    """All seats that play, each in its side; sides are in the order of their first seats."""
    named = {seat: side for side in program.sides for seat in side}
    every = (named.get(seat, (seat,)) for seat in range(players))
    return tuple(dict.fromkeys(tuple(seat for seat in side if seat < players) for side in every))


def keepers_of(program: ir.Program, players: int) -> tuple[int, ...]:
    """By seat, the seat with which its score is kept: the first of its side."""
    sides = {seat: side for side in sides_of(program, players) for seat in side}
    return tuple(sides[seat][0] for seat in range(players))


def layout_for(program: ir.Program, players: int) -> Layout:
    """The layout of a program. Programs that differ in their rules alone share the numbering,
    which takes long for a table that grows: a rule that is changed to see what happens, a choice
    that is set for one scenario."""
    key = (*(id(getattr(program, each)) for each in THINGS), players)
    found = _layouts.get(key, lambda: Layout(program, players))
    return found if found.program is program else found.under(program)


def called(program: ir.Program, thing: str, of: str, language: str, form: str = "") -> str:
    """The name of a thing in a language: that of `type.thing` first, then of `thing`; where there
    is none in this language, the one that the rules are written in. In a form, if it has it."""
    keys = [key for key in (f"{of}.{thing}", thing) if program.names.get(key)]
    for key in keys:
        if language in program.names[key]:
            told = program.names[key][language]
            return program.forms.get(key, {}).get(language, {}).get(form, told) if form else told
    word = phrases.word(thing, language)
    if word is None and keys:
        word = next(iter(program.names[keys[0]].values()))
    return word or thing.replace("_", " ")


def _without_indices(called: str, name: str, language: str) -> str:
    """What is called with its indices in braces, by itself."""
    called = filled(called, lambda _: "…", language)
    bare = called.strip(" …,:")
    if "…" in bare or called.count("…") > 1:
        bare = called
    return bare if any(map(str.isalnum, bare)) else name.replace("_", " ")


def plain(text: str) -> str:
    """A text in the form in which texts are compared."""
    return " ".join(_words(text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.lower().replace(",", " ").split())


def filling(of: Type, value: Value, told: Callable[[str], str]) -> Filling:
    """What stands for a value in braces: a truth and a number can have words there, and things are
    told in a form, `told` by their names."""
    of = of.of if isinstance(of, MaybeType) else of
    if isinstance(of, TruthType):
        return Truth(bool(value), told(""))
    if isinstance(of, NumberType) and value is not None:
        return told("")
    return Named(told, value is None or (isinstance(of, SetType) and not value))


def counted(texts: Iterable[str], none: str = "none", alone: Iterable[str] | None = None) -> str:
    """`2 king + ace`: equal texts counted, in order of first mention. `alone`: how each is told
    where there is one of it."""
    texts = list(texts)
    single = dict(zip(texts, texts if alone is None else alone, strict=True))
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    if not counts:
        return none
    return " + ".join(
        single[text] if count == 1 else f"{count} {text}" for text, count in counts.items()
    )
