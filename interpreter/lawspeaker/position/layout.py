"""Numbers all pieces and places of a game for a number of players, and names all values.

Pieces are numbered type by type, kind by kind; pieces of each player exist once per seat, seat by
seat within a kind. Places are numbered family by family, with indices in row-major order (the
last one fastest). Constant properties of pieces and places are precomputed in lists by number.

Visibility of a place is a bit set: a bit for each seat and one more for spectators.

Pieces with the same number in `alike` have the same type, kind and owner: only their place and
states distinguish them. `piece_word` is a piece's RNG key, a hash of its type, kind, owner and
number within the kind.

Every value has a canonical text, by its type: `king`, `red`, `3`, `field 2 7`, `pawn red`; and a
name in each language, which falls back to the text with spaces for underscores.
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
from lawspeaker.base.cache import LruCache
from lawspeaker.base.counts import not_for
from lawspeaker.base.typography import enumerated, numeral
from lawspeaker.position.entries import Entry, offset
from lawspeaker.position.rng import word_of
from lawspeaker.position.written import Text, fits, folded, readable

Told = TypeVar("Told")
Value = Any
"""A run-time value: an integer, a truth, None, or a tuple of values."""


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
        """Names that players chose for themselves; empty to use the game's name."""
        self.everyone = (1 << (players + 1)) - 1
        self._number_places()
        self._number_pieces()
        self._number_states_and_markers()
        self.texts: dict[tuple[ir.Type, Value], str] = {}
        self.words: dict[tuple[ir.Type, Value], int] = {}
        self._readings: dict[ir.Type, dict[str, list[Value]]] = {}
        self._sayings: dict[ir.Type, dict[tuple[str, ...], tuple[Value, ...]]] = {}
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
        """A copy in which players have names of their own."""
        if not any(people):
            return self
        other = copy(self)
        other.people = tuple(people)
        return other

    # ------------------------------------------------------------ numbering

    def _seat_the_sides(self) -> None:
        """Computes the side of each seat, and the players of each side."""
        declared = self.program.sides or tuple((seat,) for seat in self.seats)
        number = {seat: at for at, side in enumerate(declared) for seat in side}
        self.side_of = tuple(number.get(each, each) for each in range(max(number) + 1))
        self.players_of = [tuple(seat for seat in side if seat < self.players) for side in declared]

    def keeper(self, seat: int) -> int:
        """The seat that stores the score of a seat's side: the first of the side."""
        return self.players_of[self.side_of[seat]][0]

    def shared(self, scores: Sequence[int]) -> tuple[int, ...]:
        """The score of each seat, taken from its side."""
        return tuple(scores[self.keeper(seat)] for seat in self.seats)

    def named_side(self, seat: int) -> str | None:
        """The word for the side of a seat, if the rules name sides."""
        words = self.program.side_words
        if words is None:
            return None
        at = self.side_of[seat]
        word = self.program.word_sets[words].words[at]
        return None if word == f"side_{at + 1}" else word

    def holder_name(self, seat: int, language: str) -> str:
        """Display name of the owner of a score: the side's name, or all its players."""
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
                (i for i, c in enumerate(family.indices) if isinstance(c.type, ir.PlayerType)), None
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
        """The Cartesian product of rendered indices of a family's places, in order.

        Large boards have thousands of cells, so each index is rendered once.
        """
        columns = zip(
            self.program.families[family].indices, self.index_domains[family], strict=True
        )
        return product(*([told(column, index) for index in domain] for column, domain in columns))

    def _count_places(self) -> None:
        """Computes the range of numbers of each family; a family may be the index of another."""
        families = self.program.families
        sizes: dict[int, int] = {}

        def size(number: int) -> int:
            if number not in sizes:
                sizes[number] = 1
                sizes[number] = prod(
                    size(column.type.index)
                    if isinstance(column.type, ir.PlaceType)
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
        """Numbers all entries of states, type by type, and of markers.

        An entry of a state is at `state_at[type][entry] + piece`; `first_entry[type][state]` is
        the first of a state. An entry of a marker is at its position in `markers`, the first of
        each at `marker_at`.
        """
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
        """The domain of each index."""
        return [self.domain(index.type) for index in indices]

    def entries_of(self, declared: ir.Marker | ir.State) -> int:
        """Number of entries of a marker or state."""
        return prod(map(len, self.domains(declared.indices)))

    def all_players(self, indices: Iterable[ir.Index]) -> list[Sequence[Value]]:
        """Domains for constant tables, which have entries also for players who do not take part."""
        every = range(len(self.program.player_names))
        return [
            every if isinstance(index.type, ir.PlayerType) else self.domain(index.type)
            for index in indices
        ]

    # ------------------------------------------------------------ sets and sight

    def domain(self, of: ir.Type) -> tuple[Value, ...]:
        """All values of an enumerable type."""
        if isinstance(of, ir.PlayerType):
            return self.seats
        if isinstance(of, ir.WordType):
            return tuple(range(len(self.program.word_sets[of.index].words)))
        if isinstance(of, ir.KindType):
            return tuple(range(len(self.program.pieces[of.index].kinds)))
        if isinstance(of, ir.PieceType):
            return self.pieces_of[of.index]
        if isinstance(of, ir.PlaceType):
            return self.places_of[of.index]
        if isinstance(of, ir.NumberType) and of.listed:
            return tuple(range(of.low, of.high + 1))
        if isinstance(of, ir.TruthType):
            return (False, True)
        raise ValueError(f"{of} cannot be listed")

    def choice(self, number: int) -> Value:
        """The value of a named choice for this number of players."""
        values = self.program.choices[number].values
        return values[min(self.program.counts.index(self.players), len(values) - 1)]

    def viewers(self, seen_by: ir.SeenBy, owner: int | None) -> int:
        """Bit set of the seats that see something of an owner; a spectator sees what everyone
        does.
        """
        if seen_by == "everyone":
            return self.everyone
        own = 0 if owner is None else 1 << owner
        if seen_by == ir.OTHERS:
            return (1 << self.players) - 1 & ~own
        names = self.program.player_names
        bits = {"owner": own} | {names[seat]: 1 << seat for seat in self.seats}
        return reduce(or_, (bits.get(each, 0) for each in ir.seers(seen_by)))

    def sees(self, known: int, viewer: int | str | None) -> bool:
        """Whether a viewer (a seat, None for a spectator, or `all`) is in a bit set."""
        if viewer == "all":
            return True
        seat = self.players if viewer is None else int(viewer)
        return bool(known >> seat & 1)

    def sight(self, seat: int | None) -> int:
        """The bit of a seat, or of a spectator."""
        return 1 << (self.players if seat is None else seat)

    def place(self, family: int, indices: tuple[Value, ...]) -> int | None:
        """The number of a place, or None if an index is out of range."""
        found = offset(self.index_domains[family], indices)
        return None if found is None else self.places_of[family][0] + found

    # ------------------------------------------------------------ texts

    def text(self, of: ir.Type, value: Value) -> str:
        """The canonical text of a value."""
        if isinstance(value, Text):
            return f'"{value}"'
        key = (of, value)
        known = self.texts.get(key)
        if known is None:
            known = self.texts[key] = self._text(of, value)
        return known

    def word(self, of: ir.Type, value: Value) -> int:
        """RNG key of a value that is no piece."""
        key = (of, value)
        known = self.words.get(key)
        if known is None:
            known = self.words[key] = word_of(self.text(of, value))
        return known

    def _text(self, of: ir.Type, value: Value) -> str:
        if isinstance(value, Text):
            return f'"{value}"'
        if isinstance(of, ir.MaybeType):
            return self._text(of.of, value)
        if value is None:
            return "nothing"
        program = self.program
        match of:
            case ir.SetType():
                return joined_with_counts(self.text(of.of, member) for member in value)
            case ir.PlayerType():
                return program.player_names[value]
            case ir.WordType():
                return program.word_sets[of.index].words[value]
            case ir.KindType():
                return program.pieces[of.index].kinds[value].name
            case ir.PieceType() if value < 0:
                return program.pieces[of.index].name
            case ir.PieceType():
                piece = program.pieces[self.piece_type[value]]
                kind = piece.kinds[self.piece_kind[value]]
                words = [kind.name if len(piece.kinds) > 1 else piece.name]
                owner = self.piece_owner[value]
                return " ".join(words if owner is None else [*words, program.player_names[owner]])
            case ir.PlaceType():
                return self.place_text[value]
            case ir.TruthType():
                return "yes" if value else "no"
        return str(value)

    def _index_text(self, column: ir.Column, index: Value) -> str:
        """Text of an index of a place; a place as an index is spelled by its own indices."""
        if not isinstance(column.type, ir.PlaceType):
            return self._text(column.type, index)
        indices = self.program.families[self.place_family[index]].indices
        own = zip(indices, self.place_indices[index], strict=True)
        return " ".join(self._index_text(*each) for each in own)

    def name(self, of: ir.Type, value: Value, language: str, form: str = "") -> str:
        """Display name of a value in a language, in a grammatical form if its name has it."""
        if isinstance(of, ir.MaybeType):
            return self.name(of.of, value, language, form)
        if value is None:
            return self.called("nothing", "", language)
        if isinstance(value, Text):
            return str(value)
        program = self.program
        match of:
            case ir.SetType():
                none = self.called("none", "", language)
                told = [self.name(of.of, member, language) for member in value]
                alone = [self.name(of.of, member, language, form) for member in value]
                return joined_with_counts(told, none, alone)
            case ir.PlayerType():
                return self._player_name(value, language)
            case ir.WordType(index=index) if self._told_by_ends(index, value):
                return self._ends_named(index, value, language)
            case ir.WordType() | ir.KindType():
                return self.called(self.text(of, value), of.name, language, form)
            case ir.PieceType() if value < 0:
                return self.called(program.pieces[of.index].name, "piece", language, form)
            case ir.PieceType():
                piece = program.pieces[self.piece_type[value]]
                kind = piece.kinds[self.piece_kind[value]]
                word = kind.name if len(piece.kinds) > 1 else piece.name
                owner = self.piece_owner[value]
                called = self.called(word, piece.name, language, form)
                if owner is None:
                    return called
                return f"{called} {self._player_name(owner, language)}"
            case ir.PlaceType():
                return self._place_name(value, language, form)
            case ir.TruthType():
                return self.called("yes" if value else "no", "", language)
        return numeral(value)

    def _told_by_ends(self, word_set: int, word: int) -> bool:
        """Whether a network edge has no name and is named by its ends."""
        program = self.program
        words = program.word_sets[word_set]
        own = words.words[word]
        if words.network is None or own in program.names or f"{words.name}.{own}" in program.names:
            return False
        return program.networks[words.network].tells(word, own)

    def _ends_named(self, word_set: int, word: int, language: str) -> str:
        """Names an edge by its ends: `York – Leeds`, or of two squares `2 3 – 2 4`."""
        number = self.program.word_sets[word_set].network
        assert number is not None
        network = self.program.networks[number]
        first = self.domain(network.joins)[0]
        return " – ".join(
            self._end_name(network.joins, first + end, language) for end in network.ends[word]
        )

    def _end_name(self, of: ir.Type, value: Value, language: str) -> str:
        if not isinstance(of, ir.PlaceType):
            return self.name(of, value, language)
        if in_braces(self.called(self.program.families[of.index].name, "place", language)):
            return self._place_name(value, language)
        return " ".join(self._index_names(value, language))

    def _player_name(self, seat: int, language: str) -> str:
        """A player's own name, or the game's; games may refer to players who do not take part."""
        own = self.people[seat] if seat < self.players else ""
        return own or self.called(self.program.player_names[seat], "player", language)

    def family_name(self, family: int, language: str) -> str:
        """Display name of a family of places, without indices.

        Of `{flower} meadow` that is `meadow`; `row {row} of {player}` is `row … of …`. If a game
        names both `place.meadow` and `meadow`, the latter is used.
        """
        name = self.program.families[family].name
        own = "" if name in self.program.names else "place"
        return _without_indices(self.called(name, own, language), name, language)

    def marker_name(self, marker: int, language: str, title: str | None = None) -> str:
        """Display name of a marker, without indices."""
        name = title or self.program.markers[marker].name
        return _without_indices(self.called(name, "", language), name, language)

    def bare_name(self, place: int, language: str) -> str:
        """Display name of a player's place among the places of the same player."""
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
        """The names of all places of a family, in order."""
        told, name = self._naming(family, language)
        return map(name, self._each_index(family, told))

    def _naming(
        self, number: int, language: str, form: str = ""
    ) -> tuple[Callable[[ir.Column, Value], Filling], Callable[[Sequence[Filling]], str]]:
        """Returns functions that render an index, and a place from its indices.

        `{row}` in the name of a family is replaced by that index; without braces indices are
        appended.
        """
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
        """Renders an index that labels a line of places, as within their names."""
        told = self.name(column.type, index, language)
        called = self.called(self.program.families[family].name, "place", language)
        for brace in in_braces(called):
            if brace.name == column.name and len(brace.words) > 2:
                return brace.told(told, language)
        return told

    def names_lines(self, family: int) -> bool:
        """Whether places are named by column and row alone, as `a1`."""
        of = self.program.families[family]
        called = self.called(of.name, "place", self.program.languages[0])
        columns = [column.name for column in of.indices]
        braces = in_braces(called)
        alone = "".join(called[brace.start : brace.end] for brace in braces) == called
        return bool(of.grid) and alone and sorted(columns) == sorted(each.name for each in braces)

    def _index_name(self, column: ir.Column, index: Value, language: str) -> str:
        """Renders an index in the name of a place; a place as an index by its own indices."""
        if isinstance(column.type, ir.PlaceType):
            return " ".join(self._index_names(index, language))
        return self.name(column.type, index, language)

    def _index_names(self, place: int, language: str) -> list[str]:
        columns = self.program.families[self.place_family[place]].indices
        told = zip(columns, self.place_indices[place], strict=True)
        return [self._index_name(*each, language) for each in told]

    def entry_name(self, entry: Entry, language: str, title: str | None = None) -> str:
        """Display name of an entry, without its owner.

        `{good}` in the name of a marker or state is replaced by that index; without braces
        indices are appended.
        """
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
        """The entries of a marker with their positions."""
        first = self.marker_at[marker]
        count = self.entries_of(self.program.markers[marker])
        return zip(range(first, first + count), self.markers[first : first + count], strict=True)

    def index_names(self, entry: Entry, language: str) -> str:
        """Names the indices that distinguish an entry from others of the same owner."""
        pairs = zip(entry.declared.indices, entry.indices, strict=True)
        return " ".join(self.name(i.type, v, language) for i, v in pairs if not i.owns)

    def values_name(
        self, indices: Sequence[ir.Index], of: ir.Type, values: ir.Entries, language: str
    ) -> str:
        """Renders a constant, indexed value without its zero, false and empty entries: `white 2,
        green 1`.

        A value that is the same for all indices is rendered once.
        """
        if not isinstance(values, tuple):
            return "" if values is None else self.name(of, values, language)
        if len(set(values)) == 1:
            return self.values_name((), of, values[0], language)
        told = []
        for at, value in zip(product(*self.all_players(indices)), values, strict=True):
            # The first word of a set is falsy, but a value.
            if value or (value is not None and not isinstance(of, ir.NumberType | ir.TruthType)):
                names = [self.name(i.type, v, language) for i, v in zip(indices, at, strict=True)]
                truth = isinstance(of, ir.TruthType)
                told.append(" ".join(names if truth else [*names, self.name(of, value, language)]))
        return ", ".join(told)

    def called(self, thing: str, of: str, language: str, form: str = "") -> str:
        key = (thing, of, language, form)
        found = self._called.get(key)
        if found is None:
            found = self._called[key] = called(self.program, *key)
        return found

    def read(self, of: ir.Type, text: str) -> list[Value]:
        """All values of a type with this text, ignoring case and repeated spaces."""
        if isinstance(of, ir.MaybeType):
            return [None] if plain(text) == "nothing" else self.read(of.of, text)
        if isinstance(of, ir.WordType) and of.written and text[:1] == '"' == text[-1:]:
            own = self.written(of, text[1:-1])
            return [] if own is None else [own]
        readings = self._readings.get(of)
        if readings is None:
            if isinstance(of, ir.NumberType) and not of.listed:
                digits = plain(text)
                known = digits.removeprefix("-").isdecimal() and len(digits) < 12
                return [int(digits)] if known and of.low <= int(digits) <= of.high else []
            readings = self._readings[of] = {}
            values = (
                range(len(self.program.player_names)) if isinstance(of, ir.PlayerType) else None
            )
            for value in self.domain(of) if values is None else values:
                readings.setdefault(plain(self.text(of, value)), []).append(value)
        return readings.get(plain(text), [])

    def written(self, of: ir.WordType, raw: str) -> Value:
        """Interprets a player's text: a word of the set, or the text itself; None if it is not
        allowed.
        """
        text, limits = readable(raw), self.program.word_sets[of.index].written
        word = None if text is None else self.word_called(of, text)
        if text is None or limits is None or (word is None and not fits(text, limits)):
            return None
        return Text(text) if word is None else word

    def word_called(self, of: ir.WordType, text: str) -> int | None:
        """The word of a set with this name in any language of the game; the first language has
        priority.
        """
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
        """All places by text."""
        if not self._places:
            for place, text in enumerate(self.place_text):
                self._places[plain(text)] = place
        return self._places

    def sayings(self, of: ir.Type) -> Mapping[tuple[str, ...], tuple[Value, ...]]:
        """All names of the values of a type, split into words.

        These are the canonical text, the names in all languages, and for a place its indices
        alone.
        """
        known = self._sayings.get(of)
        if known is None:
            found: dict[tuple[str, ...], list[Value]] = {}
            for value, *names in zip(self.domain(of), *self._said(of), strict=True):
                for words in dict.fromkeys(map(_words, dict.fromkeys(names))):
                    found.setdefault(words, []).append(value)
            known = self._sayings[of] = {words: tuple(each) for words, each in found.items()}
        return known

    def _said(self, of: ir.Type) -> list[Iterable[str]]:
        """Lists of names for all values of a type, each in the order of the domain."""
        if isinstance(of, ir.PlaceType):
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
"""Parts of a program that determine the numbering and names; programs that share them share a
layout.
"""
_KEPT = 16
_layouts: LruCache[Layout] = LruCache(_KEPT)


def sides_of(program: ir.Program, players: int) -> tuple[tuple[int, ...], ...]:
    """All playing seats grouped by side, in the order of the first seats."""
    named = {seat: side for side in program.sides for seat in side}
    every = (named.get(seat, (seat,)) for seat in range(players))
    return tuple(dict.fromkeys(tuple(seat for seat in side if seat < players) for side in every))


def keepers_of(program: ir.Program, players: int) -> tuple[int, ...]:
    """By seat, the seat that stores its score: the first of its side."""
    sides = {seat: side for side in sides_of(program, players) for seat in side}
    return tuple(sides[seat][0] for seat in range(players))


def layout_for(program: ir.Program, players: int) -> Layout:
    """Returns the cached layout of a program.

    Programs that differ in their rules alone share the numbering, which is slow for large boards:
    for example a rule that is patched for an experiment, or a choice that is set for one
    scenario.
    """
    key = (*(id(getattr(program, each)) for each in THINGS), players)
    found = _layouts.get(key, lambda: Layout(program, players))
    return found if found.program is program else found.under(program)


def called(program: ir.Program, thing: str, of: str, language: str, form: str = "") -> str:
    """Looks up the display name of a thing: first of `type.thing`, then of `thing`.

    If neither has a name in this language, the language of the rules is used. With `form`, the
    inflected form, if there is one.
    """
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
    """Strips the indices in braces from a display name."""
    called = filled(called, lambda _: "…", language)
    bare = called.strip(" …,:")
    if "…" in bare or called.count("…") > 1:
        bare = called
    return bare if any(map(str.isalnum, bare)) else name.replace("_", " ")


def plain(text: str) -> str:
    """Normalises a text for comparison."""
    return " ".join(_words(text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.lower().replace(",", " ").split())


def filling(of: ir.Type, value: Value, told: Callable[[str], str]) -> Filling:
    """Wraps a value for interpolation in braces.

    Truths and numbers can select words there; other things are inflected through `told`.
    """
    of = of.of if isinstance(of, ir.MaybeType) else of
    if isinstance(of, ir.TruthType):
        return Truth(bool(value), told(""))
    if isinstance(of, ir.NumberType) and value is not None:
        return told("")
    return Named(told, value is None or (isinstance(of, ir.SetType) and not value))


def joined_with_counts(
    texts: Iterable[str], none: str = "none", alone: Iterable[str] | None = None
) -> str:
    """Joins equal texts with counts, in order of first mention: `2 king + ace`.

    `alone` has the forms for counts of one.
    """
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
