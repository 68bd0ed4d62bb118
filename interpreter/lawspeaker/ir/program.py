"""The root of the IR: a game's components, clauses, and table layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from typing import Literal

from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.expressions import Constant, Expr, KindColumn, WordColumn
from lawspeaker.ir.notation import Notation
from lawspeaker.ir.statements import Ask, Block, SetLocal
from lawspeaker.ir.texts import ChangeNote, Citation, Source, Texts, VariantNote
from lawspeaker.ir.types import NumberType, PlayerType, SetType, Type


class Goal(Enum):
    """The winners of a game whose rules name nobody at its end, in the words of a rule file."""

    MOST = "most points"
    FEWEST = "fewest points"
    NAMED = "as the rules say"

    @property
    def worth(self) -> int:
        """The value of a point to a player who wants to win: 1, -1, or 0."""
        return {Goal.MOST: 1, Goal.FEWEST: -1, Goal.NAMED: 0}[self]


@dataclass(frozen=True, slots=True)
class Slot:
    """A name of a clause. `private`: during a question it may hold what only the asked player
    knows."""

    name: str
    type: Type
    private: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rules. `role` is rule, value, choice, window or always.

    `title` is a short heading; `assumed`, why it is a guess, if no source tells; `outcome` is the
    slot of its return value. `chapter` is the heading of the chapter that a printed book begins
    with it; a clause that is not `in_book` is left out there. `interrupts`: it is executed after
    the answers that others ask for.
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
        """The question to one player with which it begins, after assignments to names at most."""
        for each in self.body:
            if isinstance(each, Ask) and each.each is None:
                return each
            if not isinstance(each, SetLocal):
                return None
        return None


MEASURE = "measure."
"""Prefix of the ids of clauses that define measures for the lab, see `Program.measures`."""


@dataclass(frozen=True, slots=True)
class Function:
    """A definition: parameters in the first slots, then the lets in order, then the result."""

    name: str
    clause: int
    parameters: int
    slots: tuple[Slot, ...]
    lets: tuple[tuple[int, Expr], ...]
    result: Expr


@dataclass(frozen=True, slots=True)
class Index:
    """An index that distinguishes the values of one name: `with each: faction` is referred to as
    `influence with faction`. `word` is that word, `name` the name of the index."""

    word: str
    name: str
    type: Type

    @property
    def owns(self) -> bool:
        """Whether it is the player who owns the value."""
        return self.word == "of" and isinstance(self.type, PlayerType)


Entries = Constant | tuple[Constant, ...]
"""A value; or, with indices, one for each combination of them, the last varying fastest and players
up to the greatest number."""


@dataclass(frozen=True, slots=True)
class Column:
    """A constant attribute."""

    name: str
    type: Type
    indices: tuple[Index, ...] = ()


MOST_LETTERS = 60
MOST_WORDS = 12
"""Limits of texts that players write."""


@dataclass(frozen=True, slots=True)
class Written:
    """The format of a text that players write: ranges of the numbers of words and of letters."""

    words: tuple[int, int]
    letters: tuple[int, int]


@dataclass(frozen=True, slots=True)
class WordSet:
    """A set of words. Rows hold, for each word, the values of the columns. `network`: the words are
    its connections. `written`: players may write others, and bots choose from these."""

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
    """A mutable attribute; visible to `everyone` or to viewers of the piece (`holder`).

    `starts` are the entries with another initial value than `start`, by their indices.
    """

    name: str
    type: Type
    start: Constant
    seen_by: str
    indices: tuple[Index, ...] = ()
    starts: tuple[tuple[tuple[int, ...], Constant], ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A type of pieces, with its kinds and attributes; `box` is the number of pieces in the
    published box, if the rules state it."""

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
"""A step of so many columns and rows."""
_SIDES: tuple[Step, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
_HEXES: tuple[Step, ...] = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
_ALL: tuple[Step, ...] = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
OTHERS = "everyone but its owner"
SeenBy = str | tuple[str, ...]
"""Viewers: `everyone`, its `owner`, `nobody` or `OTHERS`; or a list: `owner`, if he is among them,
and players by name, in the order of their seats."""


def seers(seen_by: SeenBy) -> tuple[str, ...]:
    """Returns viewers as a list: `owner`, and names of players."""
    return (seen_by,) if isinstance(seen_by, str) else seen_by


@dataclass(frozen=True, slots=True)
class Family:
    """A family of places: one place for each combination of indices (one, without indices).

    - `seen_by` is who sees its pieces, `count_seen_by` who sees their number, and `top_seen_by` who
      sees the top of a pile, if not all of it. `stays_known`: a viewer who saw a piece before it
      came there still knows it.
    - `arranged`: heap (no order), pile (a top), row (an order).
    - `grid`: fixed, grows, hexes or growing hexes, if the indices are a column and a row of a grid;
      otherwise empty. The rows of hexes are shifted, each half a hex further to the right than the
      one above.
    - `from_below`: the first row of a grid is the lowest one, and further rows are above it.
    - `lines`: the points of each line of a board with lines, in order, by the number of the place
      in the family, from 0. Adjacent points on a line are neighbours.
    - `told`: the story reports arrivals.
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
        """Returns the neighbours of a point on lines, in the order of their numbers."""
        found: set[int] = set()
        for line in self.lines:
            for one, other in pairwise(line):
                found.update({other} if one == point else {one} if other == point else ())
        return tuple(sorted(found))

    def steps(self, diagonal: bool) -> tuple[Step, ...]:
        """Returns the steps from a place of a grid to its neighbours, with or without diagonals, in
        the order of their numbers."""
        if self.hexes:
            return _HEXES
        return _ALL if diagonal else _SIDES


@dataclass(frozen=True, slots=True)
class Network:
    """A graph of connections between things: the lines of a board, roads between towns, the edge
    between two squares. `joins` is the type of the nodes, a family of places or a set of words.
    `ends` has the nodes of each connection, in order, by numbers from 0. Its connections are the
    words of a set, numbers from 1, or places indexed by such a word alone."""

    joins: Type
    ends: tuple[tuple[int, ...], ...]
    _at: dict[int, list[int]] = field(default_factory=dict, init=False, compare=False, repr=False)
    """The connections of each node; computed on demand."""
    _alike: Counter[frozenset[int]] = field(
        default_factory=Counter, init=False, compare=False, repr=False
    )

    def at(self, node: int) -> tuple[int, ...]:
        """Returns the connections of a node, in order."""
        if not self._at:
            for each, ends in enumerate(self.ends):
                for end in dict.fromkeys(ends):
                    self._at.setdefault(end, []).append(each)
        return tuple(self._at.get(node, ()))

    def tells(self, connection: int, word: str) -> bool:
        """Returns whether a connection is identified by its ends: no other one has the same. The
        edge between two neighbours is always named by them."""
        if " " in word:
            return True
        if not self._alike:
            self._alike.update(map(frozenset, self.ends))
        return self._alike[frozenset(self.ends[connection])] == 1

    def beyond(self, node: int, connection: int) -> int | None:
        """Returns the other end of a connection; None, if `node` is not one of its ends."""
        ends = self.ends[connection]
        return ends[1 - ends.index(node)] if node in ends else None


@dataclass(frozen=True, slots=True)
class Marker:
    """A variable of the game, with one value for each combination of its indices (one, without).

    `starts` are the entries with another initial value than `start`, by their indices. `told`: the
    story reports changes. `unset`: the rules do not define its initial value, which means nothing.
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
    """The parts of a position that count for repetition: the contents of some families, and the
    values of some markers, all of them public. The last `last` ones are remembered."""

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
    """A named constant; `values` for each number of players; a list is a tuple. `fills` are the
    attributes that have its value; `shapes`: the size of a board depends on it."""

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
        """The placeholders of its numbers in a sentence, and their texts: for a list each item by
        its index, and all of them; if they depend on the number of players, all alternatives."""
        listed = self.type.of if isinstance(self.type, SetType) else None
        if not isinstance(listed or self.type, NumberType):
            return {}
        lists = [each if isinstance(each, tuple) else (each,) for each in self.values]
        found = {self.id: _any_of(", ".join(map(str, each)) for each in lists)}
        for at, each in enumerate(zip(*lists, strict=False) if listed else (), 1):
            found[f"{self.id} at {at}"] = _any_of(map(str, each))
        return found


def _any_of(values: Iterable[str]) -> str:
    """Joins the distinct values for different numbers of players: `3/4`."""
    return "/".join(dict.fromkeys(values))


@dataclass(frozen=True, slots=True)
class Always:
    """A named invariant."""

    name: str
    clause: int
    slots: tuple[Slot, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Show:
    """An element of the table's layout.

    - `shape` is across or down (of `parts`), flow (across if there is room, else down), players (a
      line for each player, a column for each part; players for whom `only` is false are left out),
      place (all places of `family` that match the indices in `at` and the definition `only`),
      marker (`marker`, which means something only where `only` holds), or score.
    - `labels` are definitions to write on each place; `own`: only the viewer's own places.
    - `ground` is the background.
    - `means` maps parts of a question to the index of a place that answers it: pairs of a name and
      the number of the index; `pieces_mean` likewise to a state of a piece.
    - `rows` arranges places of a board by the index that `at` leaves open; None is a gap. On a map,
      it arranges the words that are joined.
    - `joined` is a family of places at the connections between those that are shown, `others` are
      families at the same nodes of a map.
    """

    shape: str
    title: str | None = None
    parts: tuple[Show, ...] = ()
    family: int | None = None
    at: tuple[tuple[int, ...] | None, ...] = ()
    style: str = "pile"
    labels: tuple[int, ...] = ()
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
    """A picture of a game: SVG elements, and the view box. `name` is a hash of its looks."""

    name: str
    view_box: str
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class FacePart:
    """A part of a card's face, and where it is.

    It shows one of these: `name`, `text` or `picture` of the card (`show`); a text with attributes
    in braces (`write`); an icon, which is a picture, or that of the value of an `attribute`. The
    attribute `times` says how often the icon is drawn. `behind` is what it is painted on.
    """

    show: str | None = None
    write: Texts = field(default_factory=dict)
    icon: str | Picture | None = None
    attribute: str | None = None
    times: str | None = None
    at: str = "middle"
    size: str = "medium"
    behind: str | None = None


@dataclass(frozen=True, slots=True)
class Symbol:
    """The drawing of a thing: a sign of one or more lines, by language, and a colour.

    Where there is room for a picture: `shape` is the outline of a piece, `picture` the image on it,
    from the stock or of its own, and `badge` a short text in its corner ({name} stands for an
    attribute). `rule` is the clause whose sentence is written on it, or `text` what else is;
    `size` how many places it is long, `carries` the family of places that are drawn on it. `turn`
    rotates a piece that is in this state, in degrees. `chequered` is the colour of every other
    place of a board. `face` arranges what is on the front of a card or tile.
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
    text: Texts = field(default_factory=dict)
    face: tuple[FacePart, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A whole game. `sides` are seats that win and lose together and have one score, which is
    stored with the first of them. If there are any, everybody is on one, and side number n is word
    n of the word set `side_words`. `counts` are the supported numbers of players, from the
    fewest."""

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
    """Inflected forms of names, by language, and by name."""
    notation: Notation | None = field(default=None, compare=False)
    """How positions and games are written down; no rule depends on it."""
    hung: Mapping[int, Clause] = field(default_factory=dict)
    """For a clause with additions or replacements by variants, by its number: a clause that
    executes all of it, for a scenario that begins there. Other clauses do so at their calls."""

    @property
    def fewest(self) -> int:
        return self.counts[0]

    @property
    def most(self) -> int:
        return self.counts[-1]

    def entering(self, clause: Clause) -> tuple[Program, Clause]:
        """Returns the program and the clause with which to start a clause as its callers execute
        it."""
        whole = self.hung.get(clause.index)
        if whole is None:
            return self, clause
        whole = replace(whole, index=len(self.clauses))
        return replace(self, clauses=(*self.clauses, whole)), whole

    @property
    def measures(self) -> dict[str, Function]:
        """The definitions `measure.NAME`, by name: statistics of a finished game for the lab."""
        named = ((self.clauses[each.clause].id, each) for each in self.functions)
        return {
            id.removeprefix(MEASURE): function
            for id, function in named
            if id.startswith(MEASURE) and not function.parameters
        }

    def column(self, cell: Cell) -> Column:
        table = self.word_sets if cell.of == "words" else self.pieces
        return table[cell.index].columns[cell.column]

    def spoken(self, language: str) -> str:
        """Returns the language if the game has it, else the game's first."""
        return language if language in self.languages else self.languages[0]

    def choosing(self, number: int, values: tuple[Constant | tuple[Constant, ...], ...]) -> Program:
        """Returns the program with another value of a choice, and of the attributes that have
        it."""
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
    """Returns the attribute that an expression reads."""
    if isinstance(expr, WordColumn):
        return program.word_sets[expr.word_set].columns[expr.column]
    return program.pieces[expr.piece].columns[expr.column]
