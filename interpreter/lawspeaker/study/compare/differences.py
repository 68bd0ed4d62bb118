"""Rows put together into differences: what can be played alone.

One difference may show in several rows: a new rule, the places that call it, the card it is for,
what that card is called. Two rows belong together when both speak of something that exists in only
one of the tellings, or that each has from a variant of its own, or when they stand in one piece of
code that can only be changed as a whole. What different things two tellings bring are two
differences, also where both change the same rule for them.
What only books say otherwise is one difference, too: a row that says nothing beyond another one,
about the same sentences or in the same remarks, belongs to it. Each difference has a number, in
rulebook order; one of its rows that change play stands for it. One that changes nothing in play
points to those that do, and rest on a sentence that it cites as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lawspeaker.base.braces import names_in
from lawspeaker.study.compare.clause_trees import tree, words_of, written_guards
from lawspeaker.study.compare.evidence import Evidence
from lawspeaker.study.compare.kinds import HEAD, PLAY, SAID, SAME_PLAY, SPEAKS, group_of
from lawspeaker.study.compare.points import CALLED, CLAUSE_SORTS, CLAUSES, DECLARED
from lawspeaker.study.compare.rows import Cell, Row, Table, weightiest
from lawspeaker.study.compare.telling import Telling
from lawspeaker.text.document import Mapping as MapNode
from lawspeaker.text.document import Scalar, plain
from lawspeaker.text.document import Sequence as ListNode
from lawspeaker.text.rulebook import Entry, Rulebook
from lawspeaker.text.syntax import Header

Sentence: TypeAlias = tuple[str, str]
"""A sentence by its book and its print; a section by its heading where no sentence is named."""
_Part: TypeAlias = tuple[int, int]
"""What one telling does otherwise in one row, by the numbers of the row and the telling."""
_Link: TypeAlias = tuple[str, ...]
"""What rows have in common: of which sort it is, and what."""
WORD = "word"


@dataclass(frozen=True, slots=True)
class Difference:
    """Rows that belong together. `tellings` are the numbers of those that differ from the first;
    `see` are the numbers of differences in play that rest on the same sentences. `found` is the
    evidence of games that were played, by the numbers of tellings."""

    number: int
    rows: tuple[Row, ...]
    tellings: tuple[int, ...]
    see: tuple[int, ...] = ()
    found: tuple[tuple[int, Evidence], ...] = ()

    @property
    def row(self) -> Row:
        """The row that stands for it: the first that changes play and says why, or else a rule
        rather than a number of things; of words, the one that says most. One that has a part in
        another difference stands for neither if there is any else."""
        playing = [row for row in self.rows if row.changes_play]
        if not playing:
            return max(self.rows, key=_weight)
        playing = [row for row in playing if not row.in_part] or playing
        said = [row for row in playing if any(cell.because for cell in row.cells)]
        rules = [row for row in playing if row.sort in CLAUSE_SORTS]
        return (said or rules or playing)[0]

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def title(self) -> str:
        """What it is about."""
        return self.row.title.rstrip(".")

    @property
    def kind(self) -> str:
        return self.row.kind

    @property
    def changes_play(self) -> bool:
        """Whether it does by the text of the rules."""
        return self.kind in PLAY

    @property
    def evidence(self) -> dict[int, Evidence]:
        """By what it changes play in each telling that plays otherwise by the text of its rules."""
        played = dict(self.found)
        return {at: played.get(at, Evidence()) for at in self.tellings if self.plays_otherwise(at)}

    def group(self, telling: int | None = None) -> str:
        """The group it is counted in, of all tellings or of one."""
        kind = self.kind if telling is None else _kind(self, telling)
        if kind in PLAY:
            evidence = self.evidence
            own = [evidence[telling]] if telling in evidence else [*evidence.values()]
            if not any(each.shows for each in own):
                return SAME_PLAY
        return group_of(kind)

    def rows_of(self, telling: int) -> tuple[str, ...]:
        """The ids of the rows in which a telling differs from the first."""
        return tuple(row.id for row in self.rows if row.cells[telling].kind)

    def row_of(self, telling: int) -> Row:
        """The row that stands for it in one telling."""
        differing = [row for row in (self.row, *self.rows) if row.cells[telling].kind]
        return differing[0] if differing else self.row

    def cells_of(self, telling: int) -> dict[str, tuple[Cell, Cell]]:
        """What the first and one telling do on each row in which they differ, by the ids of the
        rows; the one that stands for it comes first."""
        rows = (self.row_of(telling), *(row for row in self.rows if row.cells[telling].kind))
        return {row.id: (row.cells[0], row.cells[telling]) for row in rows}

    def plays_otherwise(self, telling: int) -> bool:
        return any(row.cells[telling].plays_otherwise for row in self.rows)


def differences(table: Table, tellings: Sequence[Telling]) -> tuple[Difference, ...]:
    rows = [row for row in table.rows if row.kind]
    groups = _Groups(rows)
    apart = [_Apart.of(tellings[0].book, each.book) for each in tellings]
    first: dict[_Link, _Part] = {}
    for at, row in enumerate(rows):
        for telling, link in _links(row, tellings, apart):
            groups.join((at, telling), first.setdefault(link, (at, telling)))
            groups.bring((at, telling), link)
    for at in range(len(rows)):
        groups.join_row(at)
    for at, row in enumerate(rows):
        around = _said_with(row, rows)
        if around is not None:
            groups.join(groups.of_row[at][0], groups.of_row[around][0])
    found: list[Difference] = []
    for number, own in enumerate(groups.members(), 1):
        columns = range(1, len(table.columns))
        differing = tuple(at for at in columns if any(row.cells[at].kind for row in own))
        found.append(Difference(number, tuple(own), differing))
    playing = {each.number: _disputed(each) for each in found if each.changes_play}
    return tuple(
        replace(each, see=_see(each, playing)) if not each.changes_play else each for each in found
    )


class _Groups:
    """What belongs together. A part is what one telling does otherwise in one row.

    As a rule all that is done otherwise in a row is one difference, since it is one point. But if
    two tellings bring different things there, each a tile of its own that may lie where others may
    not, neither has anything to do with the other: the row then has a part in both differences."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.of_row = [
            [(at, telling) for telling, cell in enumerate(row.cells) if cell.kind]
            for at, row in enumerate(rows)
        ]
        self.parent = {part: part for parts in self.of_row for part in parts}
        self.brings: dict[_Part, set[_Link]] = {part: set() for part in self.parent}
        self.tellings = {part: {part[1]} for part in self.parent}

    def root(self, part: _Part) -> _Part:
        while self.parent[part] != part:
            part = self.parent[part]
        return part

    def bring(self, part: _Part, link: _Link) -> None:
        """A part speaks of something; what only one of two tellings has, it brings."""
        if link[0] == WORD:
            self.brings[self.root(part)].add(link)

    def join(self, part: _Part, other: _Part) -> None:
        one, two = sorted((self.root(part), self.root(other)))
        if one != two:
            self.parent[two] = one
            self.brings[one] |= self.brings[two]
            self.tellings[one] |= self.tellings[two]

    def join_row(self, at: int) -> None:
        """The parts of a row, except those whose tellings bring different things."""
        for number, part in enumerate(self.of_row[at]):
            for other in self.of_row[at][:number]:
                if not self.different(self.root(part), self.root(other)):
                    self.join(part, other)

    def different(self, one: _Part, other: _Part) -> bool:
        brought = self.brings[one] and self.brings[other]
        return bool(brought) and not self.tellings[one] & self.tellings[other]

    def members(self) -> Iterator[list[Row]]:
        """The rows of each difference, in rulebook order."""
        found: dict[_Part, dict[int, set[int]]] = {}
        for at, telling in self.parent:
            found.setdefault(self.root((at, telling)), {}).setdefault(at, set()).add(telling)
        for parts in found.values():
            yield [_part_of(self.rows[at], own) for at, own in parts.items()]


def _part_of(row: Row, tellings: Collection[int]) -> Row:
    """A row with what some tellings alone do otherwise; the others count as if they did not."""
    differing = [cell.kind for cell in row.cells if cell.kind]
    if len(differing) == len(tellings):
        return row
    cells = tuple(
        cell if at in tellings or not cell.kind else replace(row.cells[0], shared=True)
        for at, cell in enumerate(row.cells)
    )
    return replace(row, cells=cells, kind=weightiest(cell.kind for cell in cells), in_part=True)


def _see(difference: Difference, playing: Mapping[int, set[Sentence]]) -> tuple[int, ...]:
    """The numbers of differences in play whose sentences it cites."""
    cited = {each for cell in difference.row.cells for each in _prints(cell)}
    return tuple(number for number, disputed in playing.items() if cited & disputed)


def _disputed(difference: Difference) -> set[Sentence]:
    """The sentences on which books part where it changes play."""
    rows = (row for row in difference.rows if row.changes_play)
    return {each for row in rows for cell in row.cells for each in _prints(cell)}


def counts(found: Sequence[Difference], telling: int | None = None) -> Counter[str]:
    """How many differences there are of each group of kinds, of all tellings or of one; each
    difference counts once."""
    wanted = [each for each in found if telling is None or telling in each.tellings]
    return Counter(each.group(telling) for each in wanted)


def _kind(difference: Difference, telling: int) -> str:
    kinds = [row.cells[telling].kind for row in difference.rows if row.cells[telling].kind]
    play = [kind for kind in kinds if kind in PLAY]
    return play[0] if play else min(kinds, key=SAID.index)


# ---------------------------------------------------------------- what links rows


@dataclass(frozen=True, slots=True)
class _Apart:
    """Names that only one of two rulebooks has or each has from a variant of its own (`words`), and
    names in which not the same things have a place (`labels`)."""

    words: frozenset[str]
    labels: frozenset[str]

    @staticmethod
    def of(one: Rulebook, other: Rulebook) -> _Apart:
        words = (_declared(one) ^ _declared(other)) | _brought_apart(one, other)
        return _Apart(frozenset(words), frozenset(_relabelled(one, other)))


def _links(
    row: Row, tellings: Sequence[Telling], apart: Sequence[_Apart]
) -> Iterator[tuple[int, _Link]]:
    """What each telling that differs in a row has in common with rows that belong to it there. How
    many pieces its box holds is its own matter."""
    if row.sort == HEAD:
        return
    for at, cell in enumerate(row.cells[1:], 1):
        if not cell.kind or (cell.kind not in PLAY and row.sort not in CALLED):
            continue
        one, other = tellings[0], tellings[at]
        spoken = words_of(row.id) if row.sort in CALLED else {row.id, *_spoken(row, at)}
        for word in spoken & apart[at].words:
            yield at, (WORD, word)
        for label in spoken & apart[at].labels:
            yield at, ("label", label)
        if row.sort == "guard":
            clause, _, guard = row.id.rpartition(".")
            if _needs_code(one.book, other.book, clause, guard):
                yield at, ("code", clause)
        elif row.sort == "rule":
            yield at, ("code", row.id)
        elif row.sort == "pieces" and _box(one.book, row) != _box(other.book, row):
            yield at, ("box", row.id.split(".")[1], other.name)


def _said_with(row: Row, rows: Sequence[Row]) -> int | None:
    """The number of a row that says all that this one says, where this one changes nothing in play:
    every telling that differs here differs in the same way there, or in play, and either no book is
    cited here for anything that it is not cited for there, or all that is remarked here is remarked
    there."""
    if row.changes_play or row.sort not in (*CLAUSE_SORTS, *CALLED):
        return None
    for at, other in enumerate(rows):
        if other is row or other.sort not in CLAUSE_SORTS:
            continue
        pairs = list(zip(row.cells, other.cells, strict=True))
        differing = [(cell, than) for cell, than in pairs if cell.kind]
        remarked = all(cell.remark or row.cells[0].remark for cell, _ in differing)
        if not all(cell.remark in than.remark for cell, than in pairs):
            continue
        if other.changes_play:
            if remarked and all(than.plays_otherwise for _, than in differing):
                return at
        elif (
            all(cell.kind == than.kind for cell, than in differing)
            and (remarked or _cites_no_more(pairs))
            and (_weight(other), -at) > (_weight(row), -rows.index(row))
        ):
            return at
    return None


def _cites_no_more(pairs: Sequence[tuple[Cell, Cell]]) -> bool:
    return any(_sentences(cell) for cell, _ in pairs) and all(
        _sentences(cell) <= _sentences(than) and _gist(cell) <= _gist(than) for cell, than in pairs
    )


def _gist(cell: Cell) -> set[str]:
    """Its stances; what a book implies is not more than what it states."""
    return {"states" if each in SPEAKS else each for each in cell.stances}


def _sentences(cell: Cell) -> set[Sentence]:
    """The sentences that are cited, by their books; a section where none is named."""
    sections = {(cite.source, cite.section) for cite in cell.cites if not cite.print}
    return _prints(cell) | sections


def _prints(cell: Cell) -> set[Sentence]:
    """The sentences alone."""
    return {(cite.source, each) for cite in cell.cites for each in (cite.print or "").split()}


def _weight(row: Row) -> tuple[int, int, int]:
    """How much a row says: in how many tellings it is open, what is remarked, what is cited."""
    return (
        sum(cell.open for cell in row.cells),
        sum(len(cell.remark) for cell in row.cells),
        sum(len(_sentences(cell)) for cell in row.cells),
    )


def _spoken(row: Row, at: int) -> Iterator[str]:
    """All words in what decides play, as the first and another telling have it."""
    for cell in (row.cells[0], row.cells[at]):
        if cell.point is not None:
            yield from words_of(cell.point.deeds)
            yield from words_of(
                list(cell.point.deeds) if isinstance(cell.point.deeds, dict) else ()
            )
    yield from row.id.split(".") if row.id.partition(".")[0] not in CLAUSES else ()


def _relabelled(one: Rulebook, other: Rulebook) -> set[str]:
    """Names in which not the same things have a place: `sell {card}` and `sell {cards}`."""
    found: set[str] = set()
    for id, entry in one.section("names").items():
        also = other.section("names").get(id)
        if also is not None and _in_braces(entry) != _in_braces(also):
            found.add(id)
    return found


def _in_braces(entry: Entry) -> set[str]:
    texts = entry.body.entries if isinstance(entry.body, MapNode) else ()
    return {word for _, text in texts if isinstance(text, Scalar) for word in names_in(text.value)}


def _box(book: Rulebook, row: Row) -> object:
    """How many pieces the box is said to hold: if that differs, the counts go with it."""
    entry = book.section("pieces").get(row.id.split(".")[1])
    return None if entry is None else entry.get("in the box")


def _needs_code(one: Rulebook, other: Rulebook, clause: str, guard: str) -> bool:
    """Whether a guard stands in the code of only one, so that the rule itself must be changed."""
    added = {each.name.value for book in (one, other) for each in book.added.get(clause, ())}
    differs = len({guard in _written(book, clause) for book in (one, other)}) == 2
    return differs and guard not in added


def _written(book: Rulebook, clause: str) -> set[str]:
    entry = book.section("rules").get(clause)
    return set() if entry is None else {each.name for each in written_guards(entry)}


def _declared(book: Rulebook) -> set[str]:
    """Every name that a rulebook declares."""
    found: set[str] = set()
    found.update(word for name in book.section("names") for word in (name, *name.split(".")))
    for section in (*CLAUSES, *DECLARED):
        for entry in book.section(section).values():
            found.update(_called(entry))
            for key in ("one of", "are", "kinds"):
                node = entry.get(key)
                if isinstance(node, MapNode):
                    found.update(each.value for each, _ in node.entries)
                elif isinstance(node, ListNode):
                    found.update(map(str, map(plain, node.items)))
            if isinstance(entry.body, ListNode):
                found.update(map(str, map(plain, entry.body.items)))
    return found


def _called(entry: Entry) -> Iterator[str]:
    """The id of an entry, and what a value that it defines is called."""
    yield entry.id
    define = entry.text("define")
    header = None if define is None else tree("header", define)
    if isinstance(header, Header):
        yield header.name.text


def _brought_apart(one: Rulebook, other: Rulebook) -> set[str]:
    """Clauses that two variants add, each in its own words: what the one makes of them need not fit
    what the other does."""
    here, there = _brought(one), _brought(other)
    return {word for word in here.keys() & there.keys() if here[word] != there[word]}


def _brought(book: Rulebook) -> dict[str, str]:
    """Every clause that is added, and by which variant."""
    entries = [entry for section in CLAUSES for entry in book.section(section).values()]
    return {
        word: change.variant.name
        for entry in entries
        for change in book.history.get(entry.id, ())
        if change.action == "add"
        for word in _called(entry)
    }
