"""Lists the gaps of a book: points it leaves open, and how they are played.

A gap is a point that the book does not settle by itself: it is silent, partial, contradictory, or
its letter differs from what is played. Statements of the book and own rulings are listed
separately. Editions whose books decide the point are named with their solution, and variants that
play it differently. A point with the same gap as another is only named there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from lawspeaker import ir
from lawspeaker.ir.texts import RULING
from lawspeaker.meaning.variant import EDITION, Variant
from lawspeaker.study.compare.kinds import PLAY, SPEAKS
from lawspeaker.study.compare.points import CLAUSE_SORTS, CLAUSES, texts_of
from lawspeaker.study.compare.rows import Cell, Row, RowTable, RulesetColumn, table
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.searching import Search, words_of
from lawspeaker.study.compare.terms import Terms

STANDINGS = ("contradicts_itself", "says_otherwise", "silent", "our_ruling", "in_part")
"""Standings of a book that make a gap."""
Named = tuple[str, str]
"""Name and title of a variant or edition."""


@dataclass(frozen=True, slots=True)
class Decided:
    """An edition whose book decides a point, with its solution, and whether that is the same as
    here.
    """

    name: str
    title: str
    played: str
    alike: bool
    cites: tuple[ir.Citation, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A point that a book leaves open.

    `played` is the solution, `value` whether that is a value instead of a sentence; `standing` is
    the book's overall stance. `said` are notes on the book's statements, `ruled` those on own
    rulings; `decided` are the editions whose books decide the point, `otherwise` those editions
    and variants that play it differently; `also` are titles of points with the same gap; `words`
    index it for search.
    """

    id: str
    title: str
    played: str
    value: bool
    standing: str
    cites: tuple[ir.Citation, ...]
    said: tuple[str, ...]
    ruled: tuple[str, ...]
    decided: tuple[Decided, ...]
    otherwise: tuple[Named, ...]
    words: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gaps:
    """All gaps of a ruleset, in rulebook order; `points` is the number of points that were
    checked.

    With a search (`find`), gaps and points are the matching ones, best first. `title` is that of
    the game.
    """

    game: str
    language: str
    column: RulesetColumn
    each: tuple[Gap, ...]
    points: int
    find: str = ""
    title: str = ""
    terms: Terms = field(default_factory=Terms)

    @property
    def counts(self) -> Counter[str]:
        return Counter(gap.standing for gap in self.each)


def gaps(
    ruleset: Ruleset,
    language: str,
    variants: Sequence[Variant] = (),
    find: str = "",
    editions: Sequence[Ruleset] = (),
) -> Gaps:
    """Lists what the ruleset's own books leave open, all or matching a search.

    `variants` are all variants of the game, and `editions` its other editions. Alternatives are
    looked up among modules and house rules, which would be added, and among editions, which would
    replace it.
    """
    found = table([ruleset], language, everything=True)
    laid = {each.name for each in ruleset.variants}
    others = [each for each in variants if each.name not in laid and each.layer != EDITION]
    beside = _beside(ruleset, editions, language)
    search = Search(find, found.terms)
    ranked = [(search.rank_of([row], found.terms), row) for row in _own_word(found.rows)]
    rows = [row for rank, row in sorted(ranked, key=_by_rank) if rank is not None]
    each = [
        _gap(row, beside.get(row.id, ()), others, found)
        for row in rows
        if row.cells[0].standing in STANDINGS
    ]
    return Gaps(
        found.game,
        language,
        found.columns[0],
        tuple(_once(each)),
        len(rows),
        find,
        found.title,
        found.terms,
    )


def _by_rank(ranked: tuple[int | None, Row]) -> int:
    return ranked[0] or 0


def _once(found: Sequence[Gap]) -> Iterator[Gap]:
    """Merges gaps that only repeat another one; of equals, the first stays."""
    kept: dict[str, list[Gap]] = {gap.id: [gap] for gap in found}
    for gap in reversed(found):
        for other in found:
            if other.id in kept and _repeats(gap, other):
                kept[other.id] += kept.pop(gap.id)
                break
    for gap, *others in kept.values():
        if not others:
            yield gap
            continue
        otherwise = dict.fromkeys(each for own in (gap, *others) for each in own.otherwise)
        words = dict.fromkeys(word for own in (gap, *others) for word in own.words)
        also = tuple(each.title for each in others)
        yield replace(gap, otherwise=tuple(otherwise), words=tuple(words), also=also)


def _repeats(gap: Gap, other: Gap) -> bool:
    """Whether a gap is subsumed by another: open in the same way, without further remarks or
    citations.
    """
    open_here, open_there = ({*_opened(each)} for each in (gap, other))
    return (
        gap.id != other.id
        and gap.standing in (other.standing, "in_part")
        and bool(open_here)
        and open_here <= open_there
        and {*gap.said, *gap.ruled} <= {*other.said, *other.ruled}
        and bool(gap.said or gap.ruled or any(cite.section for cite in gap.cites))
    )


def _opened(gap: Gap) -> Iterator[tuple[str, str, str]]:
    """Citations for what the book does not settle."""
    for cite in gap.cites:
        if cite.stance not in SPEAKS:
            yield cite.stance, cite.section, cite.print or ""


def _own_word(rows: Sequence[Row]) -> Iterator[Row]:
    """The points that books are checked for; guards with the citations of their rule are
    skipped.
    """
    cites: dict[str, tuple[ir.Citation, ...]] = {}
    for row in rows:
        cell = row.cells[0]
        if row.sort == "guard" and cell.cites == cites.get(row.id.rpartition(".")[0]):
            continue
        cites[row.id] = cell.cites
        if cell.cites and row.sort in (*CLAUSE_SORTS, "pieces"):
            yield row


Beside = tuple[tuple[Named, Cell], ...]
"""The other editions on a point."""


def _beside(ruleset: Ruleset, editions: Sequence[Ruleset], language: str) -> dict[str, Beside]:
    """By point id, the cells of each other edition.

    Statements about pieces as a whole decide none of their values.
    """
    if not editions:
        return {}
    found = table([ruleset, *editions], language, everything=True)
    names = [(each.name.partition("+")[2] or each.name, each.title) for each in found.columns]
    rows = (row for row in found.rows if not row.as_a_whole)
    return {row.id: tuple(zip(names[1:], row.cells[1:], strict=True)) for row in rows}


def _gap(row: Row, beside: Beside, variants: Sequence[Variant], found: RowTable) -> Gap:
    cell, language = row.cells[0], found.language
    decided = tuple(
        Decided(*name, other.does, not other.plays_otherwise, other.cites)
        for name, other in beside
        if other.standing in SPEAKS and not other.shared
    )
    named = {each.name for each in decided}
    changing = ((each.name, _title(each, language)) for each in variants if _changes(each, row.id))
    return Gap(
        row.id,
        row.title,
        cell.does,
        row.sort == "choice" or not cell.says,
        cell.standing,
        cell.cites,
        tuple(dict.fromkeys((*_reasons(cell), *_notes(cell, language, ruling=False)))),
        tuple(_notes(cell, language, ruling=True)),
        decided,
        (
            *(
                name
                for name, other in beside
                if other.there and other.kind in PLAY and name[0] not in named
            ),
            *changing,
        ),
        words_of(row, found.terms),
    )


def _reasons(cell: Cell) -> Iterator[str]:
    """An edition's remark on its book."""
    change = None if cell.point is None else cell.point.change
    if cell.because and change is not None and change.variant.layer == EDITION:
        yield cell.because


def _notes(cell: Cell, language: str, ruling: bool) -> Iterator[str]:
    notes = (each.note_in(language) for each in cell.cites if (each.stance == RULING) is ruling)
    return iter(dict.fromkeys(note for note in notes if note))


def _changes(variant: Variant, id: str) -> bool:
    """Whether a variant changes a point in play."""
    for change in variant.changes:
        section, _, rest = change.target.partition(".")
        target = rest if section in CLAUSES else change.target
        if change.action != "cite" and (target == id or target.startswith(f"{id}.")):
            return True
    return False


def _title(variant: Variant, language: str) -> str:
    titles = texts_of(variant.root.get("title"))
    return ir.in_language(titles, language, variant.name)
