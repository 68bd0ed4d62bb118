"""The whole of a game: components, clauses, table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from typing import Literal

from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.expressions import Constant, Expr, KindColumn, WordColumn
from lawspeaker.ir.statements import Ask, Block, SetLocal
from lawspeaker.ir.texts import ChangeNote, Citation, Source, Texts, VariantNote
from lawspeaker.ir.types import NumberType, PlayerType, SetType, Type


class Goal(Enum):
    """Who wins when a game ends and its rules name nobody, in the words of a rule file."""

    MOST = "most points"
    FEWEST = "fewest points"
    NAMED = "as the rules say"

    @property
    def worth(self) -> int:
        """What a point is worth to somebody who wants to win: 1, -1, or nothing."""
        return {Goal.MOST: 1, Goal.FEWEST: -1, Goal.NAMED: 0}[self]


@dataclass(frozen=True, slots=True)
class Slot:
    """A name of a clause. `private`: while somebody is asked it may hold what only he knows."""

    name: str
    type: Type
    private: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """The unit of everything. `role` is rule, value, choice, window or always.

    `title` says in a few words what it is about; `assumed`, why it is a guess, where no source
    tells; `outcome` is the slot in which it leaves what it has come to, for whoever asks.
    `chapter` is the heading of the chapter that a printed book begins with it; what is not
    `in_book` is not told there. `interrupts`: it is done after the answers that others ask for.
    """

    index: int
    id: str
    role: str
    says: Texts
    asks: Texts
    cites: tuple[Citation, ...]
    parameters: int
    slots: tuple[Slot, ...]
    body: Block
    assumed: Texts = field(default_factory=dict)
    outcome: int | None = None
    title: Texts = field(default_factory=dict)
    chapter: Texts = field(default_factory=dict)
    in_book: bool = True
    interrupts: bool = field(default=False, compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)

    @property
    def opening_question(self) -> Ask | None:
        """The question to one player with which it begins, after names are given at most."""
        for each in self.body:
            if isinstance(each, Ask) and each.each is None:
                return each
            if not isinstance(each, SetLocal):
                return None
        return None


MEASURE = "measure."
"""A defined value whose clause is called so is for the lab, see `Program.measures`."""


@dataclass(frozen=True, slots=True)
class Function:
    """A defined value: arguments in the first slots, then the lets in order, then the result."""

    name: str
    clause: int
    parameters: int
    slots: tuple[Slot, ...]
    lets: tuple[tuple[int, Expr], ...]
    result: Expr


@dataclass(frozen=True, slots=True)
class Index:
    """What several values of one name are told apart by: `with each: faction` is called
    `influence with faction`. `word` is that word, `name` what is told apart by it."""

    word: str
    name: str
    type: Type

    @property
    def owns(self) -> bool:
        """Whether it is the player to whom the value belongs."""
        return self.word == "of" and isinstance(self.type, PlayerType)


Entries = Constant | tuple[Constant, ...]
"""A value; or, of something with indices, one for each combination of them, the last running
fastest and players to the most there can be."""


@dataclass(frozen=True, slots=True)
class Column:
    """An attribute that never changes."""

    name: str
    type: Type
    indices: tuple[Index, ...] = ()


MOST_LETTERS = 60
MOST_WORDS = 12
"""No text that players write may have more."""


@dataclass(frozen=True, slots=True)
class Written:
    """What players may write: from so many to so many words, and letters in all of them."""

    words: tuple[int, int]
    letters: tuple[int, int]


@dataclass(frozen=True, slots=True)
class WordSet:
    """Rows hold, for each word, the values of the columns. `network`: the words are its
    connections. `written`: players may write others, and bots choose from these."""

    name: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[tuple[Entries, ...], ...]
    network: int | None = None
    written: Written | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """`count` pieces (of each player, if the piece type is so), starting in family `starts`."""

    name: str
    count: int
    values: tuple[Entries, ...]
    starts: int


@dataclass(frozen=True, slots=True)
class State:
    """A changing attribute; seen by `everyone` or by who sees the piece (`holder`).

    `starts` are the entries that do not start as `start`, by their indices.
    """

    name: str
    type: Type
    start: Constant
    seen_by: str
    indices: tuple[Index, ...] = ()
    starts: tuple[tuple[tuple[int, ...], Constant], ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    name: str
    plural: str
    per_player: bool
    kinds: tuple[Kind, ...]
    columns: tuple[Column, ...]
    states: tuple[State, ...]
    box: int | None
    assumed: Texts = field(default_factory=dict)
    cites: tuple[Citation, ...] = ()


Step = tuple[int, int]
"""So many columns across and rows down."""
_SIDES: tuple[Step, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
_HEXES: tuple[Step, ...] = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
_ALL: tuple[Step, ...] = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
OTHERS = "everyone but its owner"
SeenBy = str | tuple[str, ...]
"""Who sees something: `everyone`, its `owner`, `nobody` or `OTHERS`; or some, one by one: `owner`,
if he is among them, and players by name, in the order of their seats."""


def seers(seen_by: SeenBy) -> tuple[str, ...]:
    """Who sees something, one by one: `owner`, and names of players."""
    return (seen_by,) if isinstance(seen_by, str) else seen_by


@dataclass(frozen=True, slots=True)
class Family:
    """A family of places: one place for each combination of indices (one, without indices).

    `seen_by` says who sees what is in it, `count_seen_by` who sees how many, and `top_seen_by` who
    sees the top of a pile, if not all of it. `stays_known`: who saw a piece before it came there
    still knows it.
    `arranged`: heap (no order), pile (a top), row (an order).
    `grid`: fixed, grows, hexes or growing hexes, when the indices are a column and a row of a
    grid; otherwise empty. The rows of hexes are shifted, each half a hex further to the right than
    the one above.
    `from_below`: the first row of a grid is the lowest one, and further rows lie above it.
    `lines`: the points of each line of a board that has lines, in order, by the number of the place
    in the family, from 0. Points that follow each other on a line are neighbours.
    `told`: the story tells what comes there.
    """

    name: str
    plural: str
    indices: tuple[Column, ...]
    per_player: bool
    holds: int
    room: int | None
    arranged: str
    seen_by: SeenBy
    count_seen_by: SeenBy
    grid: str = ""
    lines: tuple[tuple[int, ...], ...] = ()
    top_seen_by: SeenBy = "nobody"
    stays_known: bool = False
    from_below: bool = False
    told: bool = True

    @property
    def hexes(self) -> bool:
        return self.grid in ("hexes", "growing hexes")

    @property
    def grows(self) -> bool:
        return self.grid in ("grows", "growing hexes")

    @property
    def has_neighbours(self) -> bool:
        return bool(self.grid or self.lines)

    def joined(self, point: int) -> tuple[int, ...]:
        """The points beside one on a line, in the order of their numbers."""
        found: set[int] = set()
        for line in self.lines:
            for one, other in pairwise(line):
                found.update({other} if one == point else {one} if other == point else ())
        return tuple(sorted(found))

    def steps(self, diagonal: bool) -> tuple[Step, ...]:
        """From a place of a grid to those around it, those that share only a corner with it
        included or not, in the order of their numbers."""
        if self.hexes:
            return _HEXES
        return _ALL if diagonal else _SIDES


@dataclass(frozen=True, slots=True)
class Network:
    """Connections between things: the lines of a board, roads between towns, what lies between two
    squares. `joins` is the type of what is joined, a family of places or a set of words. `ends` has
    for each connection what it joins, in order, by numbers from 0. Its connections are the words of
    a set, numbers from 1, or places that are told apart by such a word alone."""

    joins: Type
    ends: tuple[tuple[int, ...], ...]
    _at: dict[int, list[int]] = field(default_factory=dict, init=False, compare=False, repr=False)
    """The connections of each thing, once somebody has asked for those of one."""
    _alike: Counter[frozenset[int]] = field(
        default_factory=Counter, init=False, compare=False, repr=False
    )

    def at(self, node: int) -> tuple[int, ...]:
        """The connections of a thing, in their order."""
        if not self._at:
            for each, ends in enumerate(self.ends):
                for end in dict.fromkeys(ends):
                    self._at.setdefault(end, []).append(each)
        return tuple(self._at.get(node, ()))

    def tells(self, connection: int, word: str) -> bool:
        """Whether a connection can be told by what it joins: no other one joins the same. What lies
        between two neighbours is called so anyway."""
        if " " in word:
            return True
        if not self._alike:
            self._alike.update(map(frozenset, self.ends))
        return self._alike[frozenset(self.ends[connection])] == 1

    def beyond(self, node: int, connection: int) -> int | None:
        """The other end of a connection; None, if this is none of its ends."""
        ends = self.ends[connection]
        return ends[1 - ends.index(node)] if node in ends else None


@dataclass(frozen=True, slots=True)
class Marker:
    """It shows one value for each combination of its indices (one, without indices).

    `starts` are the entries that do not start as `start`, by their indices. `told`: the story
    tells when it changes. `unset`: the rules do not say how it starts, so that what it shows then
    means nothing yet.
    """

    name: str
    type: Type
    indices: tuple[Index, ...]
    start: Constant
    seen_by: SeenBy
    starts: tuple[tuple[tuple[int, ...], Constant], ...] = ()
    told: bool = True
    unset: bool = field(default=False, compare=False)

    @property
    def per_player(self) -> bool:
        """Whether it has an owner: the player who is its first index."""
        return bool(self.indices) and self.indices[0].owns


@dataclass(frozen=True, slots=True)
class Position:
    """What counts when positions are compared: what lies in the places of some families, and what
    some markers show, all of it for everyone to see. The `last` so many are remembered."""

    name: str
    families: tuple[int, ...]
    markers: tuple[int, ...]
    last: int
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """An attribute of one word, or of one kind of a piece type: which set or type, which of its
    words or kinds, which attribute, and which of its entries, if it has several."""

    of: Literal["words", "pieces"]
    index: int
    row: int
    column: int
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A named choice; `values` for each number of players that the game takes; a list is a tuple.
    `fills` are the attributes that have its value; `shapes`: a board is as large as it says."""

    id: str
    clause: int
    type: Type
    values: tuple[Constant | tuple[Constant, ...], ...]
    beyond: Constant
    one_of: tuple[Constant, ...]
    fills: tuple[Cell, ...] = ()
    shapes: bool = False

    @property
    def figures(self) -> dict[str, str]:
        """What stands for its numbers in a sentence, and how they are told: of a list each by its
        place, and all of them; where they depend on the number of players, all there are."""
        listed = self.type.of if isinstance(self.type, SetType) else None
        if not isinstance(listed or self.type, NumberType):
            return {}
        lists = [each if isinstance(each, tuple) else (each,) for each in self.values]
        found = {self.id: _any_of(", ".join(map(str, each)) for each in lists)}
        for at, each in enumerate(zip(*lists, strict=False) if listed else (), 1):
            found[f"{self.id} at {at}"] = _any_of(map(str, each))
        return found


def _any_of(values: Iterable[str]) -> str:
    """A value, or where it depends on the number of players, all there are: `3/4`."""
    return "/".join(dict.fromkeys(values))


@dataclass(frozen=True, slots=True)
class Always:
    """An invariant, by its name."""

    name: str
    clause: int
    slots: tuple[Slot, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Show:
    """A piece of the table's layout.

    `shape` is across or down (of `parts`), flow (across if there is room, else down), players
    (a line for each player, a column for each part; of whom `only` does not hold is out), place
    (all places of `family`, those whose index `at` allows and for which the defined value `only`
    holds), marker (`marker`, which means something only where `only` holds), or score.
    `label` is a defined value to write on each place; `own`: only the viewer's own places.
    `ground` is what it is painted on, where it is painted. `means` says of which part of a
    question a place is an answer, by one of its indices: pairs of a name and the number of it;
    `pieces_mean` of which a piece there is one, by one of its states.
    `rows` says where places of a board lie, by the index that `at` leaves open; None is a gap. On a
    map, it says so of the words that are joined. `joined` is a family of places at the connections
    between those that are shown, `others` are families at the same nodes of a map.
    """

    shape: str
    title: str | None = None
    parts: tuple[Show, ...] = ()
    family: int | None = None
    at: tuple[tuple[int, ...] | None, ...] = ()
    style: str = "pile"
    label: int | None = None
    marker: int | None = None
    only: int | None = None
    own: bool = False
    ground: str | None = None
    means: tuple[tuple[str, int], ...] = ()
    pieces_mean: tuple[tuple[str, int], ...] = ()
    rows: tuple[tuple[int | None, ...], ...] = ()
    joined: int | None = None
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a game brings along: what is drawn, as elements of an SVG, and the part of the
    plane that is shown of it. `name` is made of what it looks like."""

    name: str
    view_box: str
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Symbol:
    """How a thing is drawn: a sign of one or more lines, by language, and a colour.

    Where there is room for a picture: `shape` is how a piece is cut, `picture` what is on it, from
    the stock or of its own, and
    `badge` a short text in its corner ({name} stands for an attribute). `rule` is the clause
    whose sentence is written on it, `size` how many places it is long, `carries` the family of
    places that are drawn on it. `turn` turns a piece that is in this state, in degrees.
    `chequered` is the colour of every other place of a board.
    """

    sign: Texts
    colour: str | None = None
    shape: str | None = None
    picture: str | Picture | None = None
    badge: str | None = None
    rule: int | None = None
    size: int = 1
    turn: int = 0
    carries: int | None = None
    chequered: str | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """`sides` are seats that win and lose together and have one score, which is kept with the first
    of them. Where there are any, everybody is on one, and side number n is word n of the word set
    `side_words`. `counts` are the numbers of players that the game takes, from the fewest."""

    name: str
    title: Texts
    about: Texts
    counts: tuple[int, ...]
    player_names: tuple[str, ...]
    languages: tuple[str, ...]
    sources: tuple[Source, ...]
    word_sets: tuple[WordSet, ...]
    pieces: tuple[Piece, ...]
    families: tuple[Family, ...]
    markers: tuple[Marker, ...]
    choices: tuple[Choice, ...]
    functions: tuple[Function, ...]
    clauses: tuple[Clause, ...]
    always: tuple[Always, ...]
    table: Show | None
    names: Mapping[str, Texts]
    main: int
    digest: str
    variants: tuple[VariantNote, ...] = ()
    changes: tuple[ChangeNote, ...] = ()
    by: str | None = None
    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    goal: Goal = Goal.MOST
    sides: tuple[tuple[int, ...], ...] = ()
    side_words: int | None = None
    positions: tuple[Position, ...] = ()
    networks: tuple[Network, ...] = ()
    forms: Mapping[str, Mapping[str, Texts]] = field(default_factory=dict)
    """The forms of names that have some, by language, and by what they are called."""
    hung: Mapping[int, Clause] = field(default_factory=dict)
    """By the number of a clause that variants do something before, after or instead of: a clause
    that does all of it, for a scenario that begins there. Other clauses do it where they call."""

    @property
    def fewest(self) -> int:
        return self.counts[0]

    @property
    def most(self) -> int:
        return self.counts[-1]

    def entering(self, clause: Clause) -> tuple[Program, Clause]:
        """The program and the clause with which one begins to do a clause as all others do it."""
        whole = self.hung.get(clause.index)
        if whole is None:
            return self, clause
        whole = replace(whole, index=len(self.clauses))
        return replace(self, clauses=(*self.clauses, whole)), whole

    @property
    def measures(self) -> dict[str, Function]:
        """The defined values `measure.NAME`, by name: what the lab measures of a finished game."""
        named = ((self.clauses[each.clause].id, each) for each in self.functions)
        return {
            id.removeprefix(MEASURE): function
            for id, function in named
            if id.startswith(MEASURE) and not function.parameters
        }

    def column(self, cell: Cell) -> Column:
        table = self.word_sets if cell.of == "words" else self.pieces
        return table[cell.index].columns[cell.column]

    def choosing(self, number: int, values: tuple[Constant | tuple[Constant, ...], ...]) -> Program:
        """The same game with another value of a choice, and of the attributes that have it."""
        choice = self.choices[number]
        choices = list(self.choices)
        choices[number] = replace(choice, values=values)
        word_sets, pieces = list(self.word_sets), list(self.pieces)
        for cell in choice.fills:
            assert not isinstance(values[0], tuple)
            if cell.of == "words":
                rows = list(word_sets[cell.index].rows)
                rows[cell.row] = _filled(rows[cell.row], cell, values[0])
                word_sets[cell.index] = replace(word_sets[cell.index], rows=tuple(rows))
            else:
                kinds = list(pieces[cell.index].kinds)
                filled = _filled(kinds[cell.row].values, cell, values[0])
                kinds[cell.row] = replace(kinds[cell.row], values=filled)
                pieces[cell.index] = replace(pieces[cell.index], kinds=tuple(kinds))
        return replace(
            self, choices=tuple(choices), word_sets=tuple(word_sets), pieces=tuple(pieces)
        )


def _filled(row: tuple[Entries, ...], cell: Cell, value: Constant) -> tuple[Entries, ...]:
    at, entries = cell.column, row[cell.column]
    if isinstance(entries, tuple) and cell.entry is not None:
        entries = (*entries[: cell.entry], value, *entries[cell.entry + 1 :])
    else:
        entries = value
    return (*row[:at], entries, *row[at + 1 :])


def column_of(program: Program, expr: KindColumn | WordColumn) -> Column:
    """The attribute that an expression asks for."""
    if isinstance(expr, WordColumn):
        return program.word_sets[expr.word_set].columns[expr.column]
    return program.pieces[expr.piece].columns[expr.column]
