"""Groups rows into differences: the units that can be played alone.

One difference may span several rows: a new rule, its callers, its card, the card's name. Rows are
joined (union-find) if both mention something that exists in only one of the rulesets, or that
each has from a variant of its own, or if they are in one piece of code that can only change as a
whole. Different things that two rulesets add are separate differences, even if both change the
same rule.

Differences in what books say are grouped, too: a row that adds nothing to another one, about the
same sentences or in the same remarks, belongs to it. Each difference has a number, in rulebook
order; one of its rows that change play represents it. One that does not change play links to
those that do and rest on a sentence that it cites as well.
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
from lawspeaker.study.compare.rows import Cell, Row, RowTable, weightiest
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.text.document import Mapping as MapNode
from lawspeaker.text.document import Scalar, plain
from lawspeaker.text.document import Sequence as ListNode
from lawspeaker.text.rulebook import Entry, Rulebook
from lawspeaker.text.syntax import Header

Sentence: TypeAlias = tuple[str, str]
"""A sentence by book and fingerprint; a section by its heading where no sentence is named."""
_Part: TypeAlias = tuple[int, int]
"""A cell: row number and ruleset number."""
_Link: TypeAlias = tuple[str, ...]
"""A key that rows have in common: its kind, and what."""
WORD = "word"


@dataclass(frozen=True, slots=True)
class Difference:
    """Rows that belong together.

    `columns` are the numbers of the rulesets that differ from the first; `see` are the numbers
    of differences in play that rest on the same sentences. `found` is evidence from games, by
    number of ruleset.
    """

    number: int
    rows: tuple[Row, ...]
    columns: tuple[int, ...]
    see: tuple[int, ...] = ()
    found: tuple[tuple[int, Evidence], ...] = ()

    @property
    def row(self) -> Row:
        """The representative row.

        The first that changes play and gives a reason, or else a rule rather than a count; among
        wordings, the one that says most. Rows that are shared with another difference come last.
        """
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
        """Title of the representative row."""
        return self.row.title.rstrip(".")

    @property
    def kind(self) -> str:
        return self.row.kind

    @property
    def changes_play(self) -> bool:
        """Whether the text of the rules differs in play."""
        return self.kind in PLAY

    @property
    def evidence(self) -> dict[int, Evidence]:
        """Evidence by ruleset that differs in play."""
        played = dict(self.found)
        return {at: played.get(at, Evidence()) for at in self.columns if self.plays_otherwise(at)}

    def group(self, column: int | None = None) -> str:
        """The group it is counted in, over all rulesets or for one."""
        kind = self.kind if column is None else _kind(self, column)
        if kind in PLAY:
            evidence = self.evidence
            own = [evidence[column]] if column in evidence else [*evidence.values()]
            if not any(each.shows for each in own):
                return SAME_PLAY
        return group_of(kind)

    def rows_of(self, column: int) -> tuple[str, ...]:
        """The ids of the rows in which a ruleset differs from the first."""
        return tuple(row.id for row in self.rows if row.cells[column].kind)

    def row_of(self, column: int) -> Row:
        """The representative row for one ruleset."""
        differing = [row for row in (self.row, *self.rows) if row.cells[column].kind]
        return differing[0] if differing else self.row

    def cells_of(self, column: int) -> dict[str, tuple[Cell, Cell]]:
        """Pairs of cells of the first and one ruleset, by row id, representative first."""
        rows = (self.row_of(column), *(row for row in self.rows if row.cells[column].kind))
        return {row.id: (row.cells[0], row.cells[column]) for row in rows}

    def plays_otherwise(self, column: int) -> bool:
        return any(row.cells[column].plays_otherwise for row in self.rows)


def differences(table: RowTable, rulesets: Sequence[Ruleset]) -> tuple[Difference, ...]:
    """Groups the differing rows of a table into differences."""
    rows = [row for row in table.rows if row.kind]
    groups = _Groups(rows)
    apart = [_Apart.of(rulesets[0].book, each.book) for each in rulesets]
    first: dict[_Link, _Part] = {}
    for at, row in enumerate(rows):
        for column, link in _links(row, rulesets, apart):
            groups.join((at, column), first.setdefault(link, (at, column)))
            groups.bring((at, column), link)
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
    """Union-find over cells.

    Normally all cells of a row are one difference. But if two rulesets add different things
    there, each an independent one, they are unrelated: the row is then split between both
    differences.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.of_row = [
            [(at, column) for column, cell in enumerate(row.cells) if cell.kind]
            for at, row in enumerate(rows)
        ]
        self.parent = {part: part for parts in self.of_row for part in parts}
        self.brings: dict[_Part, set[_Link]] = {part: set() for part in self.parent}
        self.columns = {part: {part[1]} for part in self.parent}

    def root(self, part: _Part) -> _Part:
        while self.parent[part] != part:
            part = self.parent[part]
        return part

    def bring(self, part: _Part, link: _Link) -> None:
        """Records that a part mentions something that only one of two rulesets has."""
        if link[0] == WORD:
            self.brings[self.root(part)].add(link)

    def join(self, part: _Part, other: _Part) -> None:
        one, two = sorted((self.root(part), self.root(other)))
        if one != two:
            self.parent[two] = one
            self.brings[one] |= self.brings[two]
            self.columns[one] |= self.columns[two]

    def join_row(self, at: int) -> None:
        """Joins the parts of a row, unless their rulesets add different things."""
        for number, part in enumerate(self.of_row[at]):
            for other in self.of_row[at][:number]:
                if not self.different(self.root(part), self.root(other)):
                    self.join(part, other)

    def different(self, one: _Part, other: _Part) -> bool:
        brought = self.brings[one] and self.brings[other]
        return bool(brought) and not self.columns[one] & self.columns[other]

    def members(self) -> Iterator[list[Row]]:
        """The rows of each difference, in rulebook order."""
        found: dict[_Part, dict[int, set[int]]] = {}
        for at, column in self.parent:
            found.setdefault(self.root((at, column)), {}).setdefault(at, set()).add(column)
        for parts in found.values():
            yield [_part_of(self.rows[at], own) for at, own in parts.items()]


def _part_of(row: Row, columns: Collection[int]) -> Row:
    """A row restricted to some rulesets; the others count as unchanged."""
    differing = [cell.kind for cell in row.cells if cell.kind]
    if len(differing) == len(columns):
        return row
    cells = tuple(
        cell if at in columns or not cell.kind else replace(row.cells[0], shared=True)
        for at, cell in enumerate(row.cells)
    )
    return replace(row, cells=cells, kind=weightiest(cell.kind for cell in cells), in_part=True)


def _see(difference: Difference, playing: Mapping[int, set[Sentence]]) -> tuple[int, ...]:
    """The numbers of differences in play whose sentences it cites."""
    cited = {each for cell in difference.row.cells for each in _prints(cell)}
    return tuple(number for number, disputed in playing.items() if cited & disputed)


def _disputed(difference: Difference) -> set[Sentence]:
    """The cited sentences of rows that change play."""
    rows = (row for row in difference.rows if row.changes_play)
    return {each for row in rows for cell in row.cells for each in _prints(cell)}


def counts(found: Sequence[Difference], column: int | None = None) -> Counter[str]:
    """Number of differences by group, over all rulesets or for one."""
    wanted = [each for each in found if column is None or column in each.columns]
    return Counter(each.group(column) for each in wanted)


def _kind(difference: Difference, column: int) -> str:
    kinds = [row.cells[column].kind for row in difference.rows if row.cells[column].kind]
    play = [kind for kind in kinds if kind in PLAY]
    return play[0] if play else min(kinds, key=SAID.index)


# ---------------------------------------------------------------- what links rows


@dataclass(frozen=True, slots=True)
class _Apart:
    """Names that exist in only one of two rulebooks or come from different variants (`words`),
    and names with different braces (`labels`).
    """

    words: frozenset[str]
    labels: frozenset[str]

    @staticmethod
    def of(one: Rulebook, other: Rulebook) -> _Apart:
        words = (_declared(one) ^ _declared(other)) | _brought_apart(one, other)
        return _Apart(frozenset(words), frozenset(_relabelled(one, other)))


def _links(
    row: Row, rulesets: Sequence[Ruleset], apart: Sequence[_Apart]
) -> Iterator[tuple[int, _Link]]:
    """Keys that join a row to others, by ruleset. Box counts join nothing else."""
    if row.sort == HEAD:
        return
    for at, cell in enumerate(row.cells[1:], 1):
        if not cell.kind or (cell.kind not in PLAY and row.sort not in CALLED):
            continue
        one, other = rulesets[0], rulesets[at]
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
    """The number of a row that subsumes this one, if this one does not change play.

    Every ruleset that differs here must differ in the same way there, or in play, and all
    citations or all remarks here must be there, too.
    """
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
    """Its stances; implying counts as stating."""
    return {"states" if each in SPEAKS else each for each in cell.stances}


def _sentences(cell: Cell) -> set[Sentence]:
    """The cited sentences by book; a section where none is named."""
    sections = {(cite.source, cite.section) for cite in cell.cites if not cite.print}
    return _prints(cell) | sections


def _prints(cell: Cell) -> set[Sentence]:
    """The cited sentences only."""
    return {(cite.source, each) for cite in cell.cites for each in (cite.print or "").split()}


def _weight(row: Row) -> tuple[int, int, int]:
    """Information content of a row: open rulesets, remarks, citations."""
    return (
        sum(cell.open for cell in row.cells),
        sum(len(cell.remark) for cell in row.cells),
        sum(len(_sentences(cell)) for cell in row.cells),
    )


def _spoken(row: Row, at: int) -> Iterator[str]:
    """All words in the code and data of a row, of the first and another ruleset."""
    for cell in (row.cells[0], row.cells[at]):
        if cell.point is not None:
            yield from words_of(cell.point.in_play)
            yield from words_of(
                list(cell.point.in_play) if isinstance(cell.point.in_play, dict) else ()
            )
    yield from row.id.split(".") if row.id.partition(".")[0] not in CLAUSES else ()


def _relabelled(one: Rulebook, other: Rulebook) -> set[str]:
    """Names with different braces: `sell {card}` and `sell {cards}`."""
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
    """The declared number of pieces in the box; if it differs, the counts are joined."""
    entry = book.section("pieces").get(row.id.split(".")[1])
    return None if entry is None else entry.get("in the box")


def _needs_code(one: Rulebook, other: Rulebook, clause: str, guard: str) -> bool:
    """Whether a guard is in the code of only one rulebook, so that the rule itself must change."""
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
    """The id of an entry, and the name of the value it defines."""
    yield entry.id
    define = entry.text("define")
    header = None if define is None else tree("header", define)
    if isinstance(header, Header):
        yield header.name.text


def _brought_apart(one: Rulebook, other: Rulebook) -> set[str]:
    """Clauses added by two different variants, whose definitions may be incompatible."""
    here, there = _brought(one), _brought(other)
    return {word for word in here.keys() & there.keys() if here[word] != there[word]}


def _brought(book: Rulebook) -> dict[str, str]:
    """Added clauses by name, with the variant that adds them."""
    entries = [entry for section in CLAUSES for entry in book.section(section).values()]
    return {
        word: change.variant.name
        for entry in entries
        for change in book.history.get(entry.id, ())
        if change.action == "add"
        for word in _called(entry)
    }
