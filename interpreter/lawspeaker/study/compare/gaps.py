"""What a book leaves open, and how it is played: a telling held against its own book.

A gap is a point on which the book does not settle play by itself: it is silent, says only some of
it, contradicts itself, or says otherwise by its letter than is played. What the book does say and
what we decided are kept apart. The editions are named whose books decide the point, with how they
do, and the variants that play it otherwise. A point of which nothing is said that is not said of
another is only named there.
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
from lawspeaker.study.compare.rows import Cell, Column, Row, Table, table
from lawspeaker.study.compare.searching import Search, words_of
from lawspeaker.study.compare.telling import Telling
from lawspeaker.study.compare.terms import Terms

STANDINGS = ("contradicts_itself", "says_otherwise", "silent", "our_ruling", "in_part")
"""What a book does that leaves a gap."""
Named = tuple[str, str]
"""A variant or an edition by its name and its title."""


@dataclass(frozen=True, slots=True)
class Decided:
    """An edition whose book decides a point, how it is played there, and whether just as here."""

    name: str
    title: str
    played: str
    alike: bool
    cites: tuple[ir.Citation, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """`played` is how the point is played, `value` whether that is a value and no sentence;
    `standing` is what the book does about it on the whole.

    `said` are the notes on what the book says of it, `ruled` those on what we decided; `decided`
    are the editions whose books decide the point, `otherwise` those editions and variants that play
    it otherwise, whatever a book says; `also` are the titles of points on which just the same is
    open; `words` those by which it is found.
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
    """All gaps of a telling, in rulebook order; `points` is how many points the book is held
    against. If they were searched for a word (`find`), gaps and points are those it is about, what
    fits best first. `title` is that of the game."""

    game: str
    language: str
    column: Column
    each: tuple[Gap, ...]
    points: int
    find: str = ""
    title: str = ""
    terms: Terms = field(default_factory=Terms)

    @property
    def counts(self) -> Counter[str]:
        return Counter(gap.standing for gap in self.each)


def gaps(
    telling: Telling,
    language: str,
    variants: Sequence[Variant] = (),
    find: str = "",
    editions: Sequence[Telling] = (),
) -> Gaps:
    """What the telling's own books leave open, about a word of any language or altogether.

    `variants` are those that there are of the game, and `editions` its other editions. What plays
    otherwise is looked for among modules and house rules, which would be laid over the telling,
    and among editions, which would take its place.
    """
    found = table([telling], language, everything=True)
    laid = {each.name for each in telling.variants}
    others = [each for each in variants if each.name not in laid and each.layer != EDITION]
    beside = _beside(telling, editions, language)
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
    """The gaps without those that only repeat another one, which are named there; of two that say
    the same, the first stays."""
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
    """Whether a gap is open in the same way as another, and nothing is said of it, or cited for it,
    that is not said there."""
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
    """What is cited for what the book does not settle."""
    for cite in gap.cites:
        if cite.stance not in SPEAKS:
            yield cite.stance, cite.section, cite.print or ""


def _own_word(rows: Sequence[Row]) -> Iterator[Row]:
    """The points of which the books are asked; a guard that just stands where its rule stands is
    none of its own."""
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


def _beside(telling: Telling, editions: Sequence[Telling], language: str) -> dict[str, Beside]:
    """By the id of a point, what each other edition does there. Where values of some pieces differ,
    what books say of them as a whole decides none of these."""
    if not editions:
        return {}
    found = table([telling, *editions], language, everything=True)
    names = [(each.name.partition("+")[2] or each.name, each.title) for each in found.columns]
    rows = (row for row in found.rows if not row.as_a_whole)
    return {row.id: tuple(zip(names[1:], row.cells[1:], strict=True)) for row in rows}


def _gap(row: Row, beside: Beside, variants: Sequence[Variant], found: Table) -> Gap:
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
    """Why an edition plays a point as it does: what is remarked there on its book."""
    change = None if cell.point is None else cell.point.change
    if cell.because and change is not None and change.variant.layer == EDITION:
        yield cell.because


def _notes(cell: Cell, language: str, ruling: bool) -> Iterator[str]:
    notes = (each.note_in(language) for each in cell.cites if (each.stance == RULING) is ruling)
    return iter(dict.fromkeys(note for note in notes if note))


def _changes(variant: Variant, id: str) -> bool:
    """Whether a variant plays a point otherwise."""
    for change in variant.changes:
        section, _, rest = change.target.partition(".")
        target = rest if section in CLAUSES else change.target
        if change.action != "cite" and (target == id or target.startswith(f"{id}.")):
            return True
    return False


def _title(variant: Variant, language: str) -> str:
    titles = texts_of(variant.root.get("title"))
    return titles.get(language) or next(iter(titles.values()), variant.name)
