"""Aligns rulesets in a table: a row per point, a cell per ruleset, the first being the
reference.

Points are aligned by id. A declaration is descended as long as all rulesets have the same keys,
so that a row is about the one number that differs and not about all cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from lawspeaker import ir
from lawspeaker.base.counts import counts_in_table
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import quotation
from lawspeaker.ir.texts import RULING
from lawspeaker.meaning.overlay.trees import without
from lawspeaker.meaning.variant import EDITION, Change
from lawspeaker.study.compare.clause_trees import CodeTree
from lawspeaker.study.compare.descriptions import Speaker, unlike
from lawspeaker.study.compare.kinds import (
    BOX,
    EXTRA,
    HEAD,
    LEFT_OUT,
    OPEN,
    PLAY,
    SAID,
    SPEAKS,
    TERMS,
    UNREAD,
    WORDING,
    letter_kind,
    play_kind,
    said_kind,
    stances,
    stances_of,
    standing,
)
from lawspeaker.study.compare.order import Key, merged, reading_order
from lawspeaker.study.compare.points import (
    CALLED,
    CLAUSE_SORTS,
    CLAUSES,
    DECLARED,
    Point,
    Points,
    citations,
    texts_of,
    untitled,
)
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.table_parts import TABLE, table_parts
from lawspeaker.study.compare.terms import Terms, terms
from lawspeaker.study.sources.coverage import read_to_the_end
from lawspeaker.study.sources.terms import words_of
from lawspeaker.text.books.fingerprint import heading_key
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.books.outline import Sentence, cited_as
from lawspeaker.text.document import Mapping, Node, child, entries_of, text_of
from lawspeaker.text.rulebook import WINS, Entry

_OPPOSITE = {EXTRA: LEFT_OUT, LEFT_OUT: EXTRA}
_DECLARED = (*DECLARED, *CALLED)
BOX_FACTS = ("players", "age", "minutes")
MARKED = ("box", "table")
"""Marks of non-rule sentences that one book may have alone: contents of the box, handling at the
table.
"""
MOST_KIND_ROWS = 6
"""More kinds of a piece that some rulesets lack share a row."""
_RANK = {kind: at for at, kind in enumerate((*SAID, ""), 1)}


@dataclass(frozen=True, slots=True)
class Cell:
    """One ruleset on one point.

    `kind` is how it differs from the first ruleset, empty if it does not. `text` is a short
    description: what is played, and the books' stance if that is not the same; `does` is what is
    played. `remark` is the variant's remark and the notes of citations; it ends with `ruled`, the
    notes on own rulings. `variant` names the variant that shaped it, and `because` its reason.
    `shared`: it has the citations of the first ruleset. `unread`: nothing is cited, and its books
    are not fully reviewed. `unseen`: no game that was played shows the difference.
    """

    there: bool
    kind: str
    text: str
    does: str
    remark: str
    stances: tuple[str, ...]
    cites: tuple[ir.Citation, ...]
    because: str
    variant: str
    says: str
    code: str
    place: str
    shared: bool
    point: Point | None = field(repr=False, compare=False)
    ruled: str = ""
    unread: bool = False
    unseen: bool = False

    @property
    def same(self) -> bool:
        return not self.kind

    @property
    def cited(self) -> bool:
        """Whether the changes that shaped it cite a book."""
        changes = () if self.point is None else _making(self.point.changes)
        return any(change.get("cites") is not None for change in changes)

    @property
    def plays_otherwise(self) -> bool:
        return self.kind in PLAY

    @property
    def standing(self) -> str:
        """The overall stance of its books."""
        return UNREAD if self.unread else standing(self.stances)

    @property
    def open(self) -> bool:
        """Whether its books leave the point open altogether."""
        return self.standing in OPEN


@dataclass(frozen=True, slots=True)
class Row:
    """A point in all rulesets.

    `says` is the sentence of the rule, if all that have it agree, and neither title nor cells
    contain it. `kind` is the most important one of its cells. `in_part`: some rulesets differ
    there by another difference; their cells are those of the first. `as_a_whole`: it is about
    statements on pieces in general, while their values differ in other rows.
    """

    id: str
    sort: str
    title: str
    says: str
    kind: str
    cells: tuple[Cell, ...]
    in_part: bool = False
    as_a_whole: bool = False

    @property
    def changes_play(self) -> bool:
        return self.kind in PLAY


@dataclass(frozen=True, slots=True)
class RulesetColumn:
    """A ruleset: name, title, titles of its books by id, their language, and remarks on them."""

    name: str
    title: str
    sources: tuple[tuple[str, str], ...]
    language: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RowTable:
    """The aligned rows; `game` is the id of the game, `title` its name."""

    game: str
    language: str
    columns: tuple[RulesetColumn, ...]
    rows: tuple[Row, ...]
    terms: Terms = field(default_factory=Terms)
    title: str = ""


def weightiest(kinds: Iterable[str]) -> str:
    """The most important of some kinds."""
    return min(kinds, key=lambda each: _RANK.get(each, 0))


def table(rulesets: Sequence[Ruleset], language: str, *, everything: bool = False) -> RowTable:
    """All rows in which the rulesets differ; with `everything` all rows."""
    comparing = _Comparing(rulesets, language)
    rows = (row for row in comparing.rows() if row.kind or everything)
    game, columns = rulesets[0].program, comparing.columns()
    title = comparing.speakers[0].texts(game.title) or game.name
    return RowTable(game.name, language, columns, tuple(rows), comparing.terms(), title)


class _Comparing:
    def __init__(self, rulesets: Sequence[Ruleset], language: str) -> None:
        self.rulesets = rulesets
        self.points = [Points(each) for each in rulesets]
        self.speakers = [Speaker(each, language) for each in rulesets]
        self.language = language
        self.cited = [
            any(cite.source in each.own for clause in each.program.clauses for cite in clause.cites)
            for each in rulesets
        ]
        self.unread = [
            not all(read_to_the_end(each.program, id, each.locks.get(id)) for id in each.own)
            for each in rulesets
        ]

    def columns(self) -> tuple[RulesetColumn, ...]:
        found: list[RulesetColumn] = []
        for each in self.rulesets:
            titles = {source.id: self.book(source) for source in each.program.sources}
            sources = tuple((id, titles.get(id, id)) for id in each.own)
            spoken = {source.id: source.language for source in each.program.sources}
            language = next((spoken[id] for id in each.own if id in spoken), "")
            remarks = (source.note for source in each.program.sources if source.id in each.own)
            note = " ".join(self.speakers[0].texts(each) for each in remarks if each)
            found.append(
                RulesetColumn(each.name, each.title(self.language), sources, language, note)
            )
        return tuple(found)

    def book(self, source: ir.Source) -> str:
        """A book as people cite it: title, author, publisher, year, and its id."""
        before, behind = quotation(self.language)
        details = [source.details.get(key) for key in ("author", "publisher", "year")]
        told = [f"{before}{source.title}{behind}", *(str(each) for each in details if each)]
        return f"{', '.join(told)} [{source.id}]"

    def terms(self) -> Terms:
        return terms(self.rulesets, self.language, self.speakers[0].term)

    def rows(self) -> Iterator[Row]:
        yield from self.head()
        yield from self.box()
        if any(each.book.head.get(WINS) is not None for each in self.rulesets):
            yield self.row(WINS, [points.goal() for points in self.points])
        for key in merged([reading_order(each.book) for each in self.rulesets]):
            section, id = key
            entries = [each.book.section(section).get(id) for each in self.rulesets]
            if section in CLAUSES:
                yield from self.clause(key, entries)
            else:
                yield from self.declared(key, entries)
        arranged = [table_parts(each.book) for each in self.rulesets]
        for name in dict.fromkeys(name for own in arranged for name in own):
            yield from self.declared((TABLE, name), [own.get(name) for own in arranged])

    # ------------------------------------------------------------ the game as a whole

    def head(self) -> Iterator[Row]:
        """Rows on the head of the game: numbers and names of players, title, description.

        Editions of one game have these in common; versions of a design may not.
        """
        for key, kind in (("players", "setup"), ("title", WORDING), ("about", WORDING)):
            texts = [self.headed(at, key) for at in range(len(self.rulesets))]
            kinds = ["", *(kind if each != texts[0] else "" for each in texts[1:])]
            if any(kinds):
                title = phrase(f"compare.head.{key}", self.language)
                cells = (self.whole(*pair) for pair in zip(kinds, texts, strict=True))
                yield Row(f"{HEAD}.{key}", HEAD, title, "", max(kinds), tuple(cells))

    def headed(self, at: int, key: str) -> str:
        program = self.rulesets[at].program
        if key == "players":
            names = (self.speakers[at].called(each) for each in program.player_names)
            counts = counts_in_table(program.counts, self.language)
            return self.speakers[at].colon(counts, ", ".join(names))
        node = self.rulesets[at].opened.book.head.get(key)
        return self.speakers[at].texts(texts_of(node))

    def whole(self, kind: str, text: str) -> Cell:
        told = text or phrase("word.nothing", self.language)
        return Cell(True, kind, told, told, "", (), (), "", "", "", "", "", False, None)

    # ------------------------------------------------------------ facts about the game

    def box(self) -> Iterator[Row]:
        """Rows on facts printed on the box: players, age, duration. They change no rule."""
        told = [_on_the_box(each) for each in self.rulesets]
        for fact in BOX_FACTS:
            facts = [each.get(fact, _NOT_PRINTED) for each in told]
            if any(each.value for each in facts):
                title = phrase(f"compare.box.{fact}", self.language)
                first = self.said_of_box(facts[0])
                differs = (self.said_of_box(each) != first for each in facts[1:])
                kinds = ["", *(BOX if each else "" for each in differs)]
                cells = map(self.fact, kinds, facts)
                yield Row(f"box.{fact}", BOX, title, "", max(kinds), tuple(cells))
        for mark in MARKED:
            yield from self.marked(mark, [{*_prints(own)} for own in told])

    def marked(self, mark: str, told: Sequence[set[str]]) -> Iterator[Row]:
        """A row on sentences with a mark, unless all books have as many.

        `told` are sentences compared as facts already. Books in one language are compared by
        sentence.
        """
        found = [
            _marked(each, mark, cited) for each, cited in zip(self.rulesets, told, strict=True)
        ]
        if not any(found):
            return
        spoken = [column.language for column in self.columns()]
        kinds = [""]
        for at, own in enumerate(found[1:], 1):
            prints = ({each.print for each in own}, {each.print for each in found[0]})
            same = prints[0] == prints[1] if spoken[at] == spoken[0] else len(own) == len(found[0])
            known = all(_lock(self.rulesets[each]) for each in (0, at))
            kinds.append(BOX if known and not same else "")
        cells = (self.of_sentences(at, kinds[at], own) for at, own in enumerate(found))
        title = phrase(f"compare.marked.{mark}", self.language)
        yield Row(f"box.marked_{mark}", BOX, title, "", max(kinds), tuple(cells))

    def of_sentences(self, at: int, kind: str, cites: tuple[ir.Citation, ...]) -> Cell:
        """Number and location of a book's sentences with a mark; a book not fully reviewed is
        not silent.
        """
        unread = not cites and self.unread[at]
        stances = stances_of(cites) or (() if unread else ("silent",))
        text = self.brief(UNREAD if unread else "silent")
        if cites:
            text = phrase("compare.marked.sentences", self.language, count=len(cites))
        return Cell(
            True, kind, text, text, "", stances, cites, "", "", "", "", "", False, None, "", unread
        )

    def said_of_box(self, fact: _Fact) -> tuple[str, tuple[str, ...], str]:
        """A book's statement about the game as a whole, its stances, and remarks."""
        stances = stances_of(fact.cites) or ("states" if fact.value else "silent",)
        notes = (each.note_in(self.language) for each in fact.cites)
        return fact.value, stances, " ".join(dict.fromkeys(each for each in notes if each))

    def fact(self, kind: str, fact: _Fact) -> Cell:
        value, stances, note = self.said_of_box(fact)
        text = value or self.brief("silent")
        cites = fact.cites
        return Cell(True, kind, text, value, note, stances, cites, "", "", "", "", "", False, None)

    # ------------------------------------------------------------ clauses

    def clause(self, key: Key, entries: list[Entry | None]) -> Iterator[Row]:
        section, id = key
        found = [
            None if entry is None else points.clause(section, entry)
            for points, entry in zip(self.points, entries, strict=True)
        ]
        yield self.row(id, found)
        guards = [
            {} if entry is None else {guard.id: guard for guard in points.guards(entry)}
            for points, entry in zip(self.points, entries, strict=True)
        ]
        for guard in dict.fromkeys(id for own in guards for id in own):
            having = [own.get(guard) for own in guards]
            if not _goes_with_its_rule(entries, having):
                yield self.row(guard, having)

    # ------------------------------------------------------------ what is declared

    def declared(self, key: Key, entries: list[Entry | None]) -> Iterator[Row]:
        nodes = [None if entry is None else entry.body for entry in entries]
        bare = [None if node is None else without(node, ("cites",)) for node in nodes]
        if _alike(key[0], (), bare):
            row = self.leaf(key, entries, (), nodes)
            yield self.counted(row, entries) if key[0] == "pieces" else row
            return
        yield from self.inside(key, entries, (), nodes)
        if key[0] == "pieces" and all(entry is not None for entry in entries):
            yield from self.as_a_whole(key, entries)

    def as_a_whole(self, key: Key, entries: list[Entry | None]) -> Iterator[Row]:
        """A row on what books say of pieces in general, if that differs beside a value of them."""
        section, id = key
        found = [
            points.whole(section, entry)
            for points, entry in zip(self.points, entries, strict=True)
            if entry is not None
        ]
        row = self.row(f"{section}.{id}", found)
        if row.kind:
            told = (replace(cell, text=self.brief(cell.standing)) for cell in row.cells)
            row = self.counted(row, entries)
            yield replace(row, cells=tuple(told), as_a_whole=True)

    def counted(self, row: Row, entries: Sequence[Entry | None]) -> Row:
        """Retitles a row on pieces that all rulesets have, unless the rules have a title for it."""
        known = next(cell.point for cell in row.cells if cell.point is not None)
        if known.title or any(entry is None for entry in entries):
            return row
        what = "pieces" if known.entry.get("kinds") is not None else "count"
        return replace(row, title=phrase(f"compare.about.{what}", self.language, thing=row.title))

    def inside(
        self, key: Key, entries: list[Entry | None], keys: tuple[str, ...], nodes: list[Node | None]
    ) -> Iterator[Row]:
        mappings = [node for node in nodes if isinstance(node, Mapping)]
        if len(mappings) < len(nodes):
            yield self.leaf(key, entries, keys, nodes)
            return
        played = (untitled(key[0], keys, node) for node in mappings)
        names = dict.fromkeys(
            each.value for node in played if isinstance(node, Mapping) for each, _ in node.entries
        )
        found = {name: [node.get(name) for node in mappings] for name in names}
        differing = {
            name: inner
            for name, inner in found.items()
            if not _alike(key[0], (*keys, name), inner) and (*keys, name) != ("cites",)
        }
        if key[0] in CALLED and len(differing) > 1:
            yield self.leaf(key, entries, keys, nodes)
            return
        many = self.only_somewhere(key[0], keys, differing)
        for name, inner in differing.items():
            if name not in many:
                yield from self.inside(key, entries, (*keys, name), inner)
        if many:
            yield self.many_kinds(key, entries, keys, mappings, many)

    def only_somewhere(
        self, section: str, keys: tuple[str, ...], differing: dict[str, list[Node | None]]
    ) -> frozenset[str]:
        """The kinds that some rulesets lack, if they are too many for a row each."""
        if section != "pieces" or keys != ("kinds",):
            return frozenset()
        lacking = [name for name, inner in differing.items() if None in inner]
        return frozenset(lacking) if len(lacking) > MOST_KIND_ROWS else frozenset()

    def many_kinds(
        self,
        key: Key,
        entries: list[Entry | None],
        keys: tuple[str, ...],
        mappings: list[Mapping],
        names: frozenset[str],
    ) -> Row:
        """A row on many kinds of a piece that some rulesets lack, such as those of a series."""
        parts: list[Node | None] = []
        for each in mappings:
            own = tuple((name, body) for name, body in each.entries if name.value in names)
            parts.append(Mapping(own, each.span) if own else None)
        row = self.leaf(key, entries, keys, parts)
        return replace(row, title=phrase("compare.about.pieces", self.language, thing=row.title))

    def leaf(
        self, key: Key, entries: list[Entry | None], keys: tuple[str, ...], nodes: list[Node | None]
    ) -> Row:
        section, id = key
        found = [
            None if entry is None or node is None else points.declared(section, entry, keys, node)
            for points, entry, node in zip(self.points, entries, nodes, strict=True)
        ]
        around = [
            points.whole(section, entry).cites if entry is not None and node is None else ()
            for points, entry, node in zip(self.points, entries, nodes, strict=True)
        ]
        return self.row(".".join((section, id, *keys)), found, around)

    # ------------------------------------------------------------ rows and cells

    def row(
        self,
        id: str,
        points: Sequence[Point | None],
        around: Sequence[tuple[ir.Citation, ...]] = (),
    ) -> Row:
        """Builds a row; `around` are citations for the containing declaration, where a ruleset
        lacks the part.
        """
        kinds = ["", *(self.kind(id, points[0], at, points[at]) for at in range(1, len(points)))]
        cells = tuple(self.cell(id, at, points, kinds) for at in range(len(points)))
        if any(around):
            cells = tuple(map(_in_the_whole, cells, around))
        kind = weightiest(kinds)
        known = next(at for at, point in enumerate(points) if point is not None)
        point = points[known]
        assert point is not None
        title = self.speakers[known].title(point)
        says = self.sentence(points)
        told = says == title or any(cell.text == says for cell in cells)
        return Row(id, point.sort, title, "" if told else says, kind, cells)

    def sentence(self, points: Sequence[Point | None]) -> str:
        """The common sentence of a point; empty if they differ."""
        pairs = zip(self.speakers, points, strict=True)
        found = {speaker.says(point) for speaker, point in pairs if point is not None}
        return found.pop() if len(found) == 1 else ""

    def kind(self, id: str, one: Point | None, at: int, other: Point | None) -> str:
        """The kind of difference from the first ruleset; empty if there is none."""
        here, there = self.changes(0, id, one), self.changes(at, id, other)
        own = [_kind(each) for each in here if not any(_same(each, known) for known in there)]
        others = [_kind(each) for each in there if not any(_same(each, known) for known in here)]
        if one is None and other is None:
            return ""
        if one is None or other is None or one.in_play != other.in_play:
            if (one or other).sort in CALLED:  # type: ignore[union-attr]
                return TERMS
            return _said_of_play(one, own, other, others) or play_kind(one, other)
        if one.sort in CALLED and one.words != other.words:
            return TERMS
        speech = self.speech(0, one), self.speech(at, other)
        kind = said_kind(*speech)
        noted = one.words != other.words or (
            bool(one.cites and other.cites) and self.remarked(one, other)
        )
        if kind in (WORDING, "") and (kind or noted):
            return TERMS if TERMS in (*own, *others) else letter_kind(*speech) or WORDING
        return kind

    def changes(self, at: int, id: str, point: Point | None) -> tuple[Change, ...]:
        return self.points[at].changes(id) if point is None else point.changes

    def speech(self, at: int, point: Point) -> frozenset[str]:
        """The stances of a ruleset's books."""
        found = frozenset(stances(point))
        unsaid = "" if found else self.unsaid(at, point.sort)
        return frozenset([unsaid]) if unsaid else found

    def unsaid(self, at: int, sort: str) -> str:
        """The stance of a book that is cited elsewhere but not here: silent if fully reviewed,
        else unread.
        """
        if sort not in CLAUSE_SORTS or not self.cited[at]:
            return ""
        return UNREAD if self.unread[at] else "silent"

    def unread_at(self, at: int, point: Point) -> bool:
        """Whether its book is unread here; modules and house rules need no citation of it."""
        changed = any(each.variant.layer != EDITION for each in point.changes)
        return not point.cites and not changed and self.unsaid(at, point.sort) == UNREAD

    def remarked(self, one: Point, other: Point) -> bool:
        """Whether one ruleset alone has a remark on a point: a note, or a reason about what its
        book says.
        """
        told, said = [], []
        for point in (one, other):
            every = {self.reason(each): _says(each) for each in point.changes}
            notes = {*self.notes(point)}
            told.append(notes | {*every})
            said.append(notes | {reason for reason, spoken in every.items() if spoken})
        return bool((said[0] ^ said[1]) - (told[0] & told[1]) - {""})

    def reason(self, change: Change) -> str:
        return self.speakers[0].texts(texts_of(change.get("because")))

    def cell(self, id: str, at: int, points: Sequence[Point | None], kinds: Sequence[str]) -> Cell:
        point, kind = points[at], kinds[at]
        speaker = self.speakers[at]
        changes = self.changes(at, id, point)
        making = _making(changes)
        reasons = dict.fromkeys(speaker.texts(texts_of(each.get("because"))) for each in making)
        because = " ".join(each for each in reasons if each)
        variant = making[-1].variant.name if making else ""
        if point is None:
            sort = next((each.sort for each in points if each is not None), "")
            text = self.missing(sort, id)
            remark = because if kind else ""
            # A book that is compared with one that has the rule, and lacks it, is silent.
            told = any(each is not None and each.cites for each in points)
            mute = self.unsaid(at, sort) if told and not making else ""
            said = ("silent",) if mute == "silent" else ()
            return Cell(
                *(False, kind, text, text, remark, said, (), because, variant),
                *("", "", "", False, None),
                unread=mute == UNREAD,
            )
        first = points[0]
        shared = bool(at) and first is not None and point.cites == first.cites
        does = self.does(at, points, kind, because)
        # A change by a module or a house rule stands for itself, whatever books say.
        made = any(each.variant.layer != EDITION for each in making)
        text = does if made and kind in PLAY else self.text(at, does, points, kinds)
        unsaid = [each for each in reasons if each and each not in text]
        notes = [] if shared else [each for each in self.notes(point) if each not in text]
        rulings = {each.note_in(self.language) for each in point.cites if each.stance == RULING}
        ruled = [each for each in notes if each in rulings and each not in unsaid]
        plainly = [each for each in notes if each not in rulings]
        remark = " ".join(dict.fromkeys((*unsaid, *plainly, *ruled)))
        code, place = _code(point)
        return Cell(
            True,
            kind,
            text,
            does,
            remark,
            stances(point),
            point.cites,
            because,
            variant,
            speaker.says(point),
            code,
            place,
            shared,
            point,
            " ".join(ruled),
            self.unread_at(at, point),
        )

    def does(self, at: int, points: Sequence[Point | None], kind: str, because: str) -> str:
        """What is played: a value, or the sentence; if play differs under the same words, the
        reason or code.
        """
        point, first = points[at], points[0]
        assert point is not None
        does = self.own_word(at, point) or self.speakers[at].does(point)
        if kind in PLAY and at and first is not None and does == self.speakers[0].does(first):
            return because or f"{does} {unlike(first, point, self.language)}"
        return does

    def own_word(self, at: int, point: Point) -> str:
        """A book's word for a thing in another language, or for a card that of its rule."""
        tongue = point.id.rpartition(".")[2]
        ruleset = self.rulesets[at]
        if point.sort != "names" or tongue not in ruleset.program.languages:
            return ""
        books = [each for each in ruleset.program.sources if each.id in ruleset.own]
        if any(each.language == tongue for each in books):
            return ""
        card = point.entry.id
        rules = ruleset.book.section("rules").items()
        things = [card, *(id for id, rule in rules if rule.text("plays") == card)]
        words = (words_of(ruleset.program, each.id) for each in books)
        found = (word for said in words for thing in things for word in said.get(thing, ()))
        return ", ".join(dict.fromkeys(found))

    def text(self, at: int, does: str, points: Sequence[Point | None], kinds: Sequence[str]) -> str:
        """Short text of a cell: the book's stance if all play alike, else what is played."""
        point = points[at]
        assert point is not None
        book = UNREAD if self.unread_at(at, point) else standing(stances(point))
        alike = not any(kind in PLAY for kind in kinds) and self.sentence(points)
        if alike and point.sort in CLAUSE_SORTS and point.sort != "choice":
            return self.brief(book)
        if book in SPEAKS or not book or point.sort in CALLED:
            return does
        return phrase("compare.played", self.language, book=self.brief(book), played=does)

    def brief(self, standing: str) -> str:
        """A stance in a word or two."""
        return phrase(f"compare.brief.{standing or 'none'}", self.language)

    def notes(self, point: Point) -> tuple[str, ...]:
        """The notes of a point's citations, without duplicates."""
        found = (each.note_in(self.language) for each in point.cites)
        return tuple(dict.fromkeys(each for each in found if each))

    def missing(self, sort: str, id: str) -> str:
        """Text for a point that a ruleset lacks: no such rule, or value not given."""
        what = sort if sort in _DECLARED else "rule"
        inner = id.split(".")[2:]
        if sort in DECLARED and (len(inner) == 1 or len(inner) > 2):
            what = "value"
        return phrase(f"web.comparing.missing_{what}", self.language)


@dataclass(frozen=True, slots=True)
class _Fact:
    """A book's statement about the game as a whole, with citations."""

    value: str
    cites: tuple[ir.Citation, ...] = ()


_NOT_PRINTED = _Fact("")


def _in_the_whole(cell: Cell, around: tuple[ir.Citation, ...]) -> Cell:
    """A cell without the part, with the citations for the whole."""
    return cell if cell.there else replace(cell, cites=around, stances=stances_of(around))


def _alike(section: str, keys: tuple[str, ...], nodes: Sequence[Node | None]) -> bool:
    """Whether some part of a declaration is the same everywhere, ignoring titles."""
    bare = [None if node is None else untitled(section, keys, node) for node in nodes]
    return all(node == bare[0] for node in bare[1:])


def _on_the_box(ruleset: Ruleset) -> dict[str, _Fact]:
    """The facts under `box` of its first own book."""
    sources = ruleset.book.head.get("sources")
    source = sources.get(ruleset.own[0]) if isinstance(sources, Mapping) and ruleset.own else None
    box = child(source, "box")
    entries = entries_of(box)
    return {
        key.value: _Fact(text_of(value.get("is")), tuple(citations(value.get("cites"))))
        if isinstance(value, Mapping)
        else _Fact(text_of(value))
        for key, value in entries
    }


def _prints(facts: dict[str, _Fact]) -> Iterator[str]:
    """The sentences cited for facts about the game."""
    for fact in facts.values():
        for cite in fact.cites:
            yield from (cite.print or "").split()


def _lock(ruleset: Ruleset) -> Lock | None:
    """The lock of its first own book, if intact."""
    lock = ruleset.locks.get(ruleset.own[0]) if ruleset.own else None
    return None if lock is None or lock.damaged else lock


def _marked(ruleset: Ruleset, mark: str, but: set[str]) -> tuple[ir.Citation, ...]:
    """The sentences with a mark in its first own book, with exceptions."""
    lock = _lock(ruleset)
    if lock is None:
        return ()
    source, text = ruleset.own[0], lock.text
    cites = (cite for clause in ruleset.program.clauses for cite in clause.cites)
    # Headings are spelled as in the citations of rules.
    called = {heading_key(each.section): each.section for each in cites if each.source == source}

    def section(sentence: Sentence) -> str:
        found = cited_as(text, sentence, lock.marks.misread).partition(" §")[0]
        return called.get(heading_key(found), found)

    return tuple(
        ir.Citation(source, section(each), "states", print=each.print)
        for each in lock.text.sentences
        if lock.marks.reasons.get(each.print) == mark and each.print not in but
    )


def _said_of_play(
    one: Point | None, own: Sequence[str], other: Point | None, others: Sequence[str]
) -> str:
    """The kind that variants declare for a difference, by the changes that only one ruleset has;
    empty if none is declared or possible.

    Declarations of the first ruleset's variants are inverted. Declarations on both sides are
    relative to a third ruleset: if one adds a rule and the other adds it differently, it is no
    extra rule.
    """
    left = [_OPPOSITE.get(kind, kind) for kind in own if kind in PLAY]
    right = [kind for kind in others if kind in PLAY]
    kind = (right or left or [""])[-1]
    if left and right and (kind in _OPPOSITE or left[-1] != kind):
        return ""
    if (kind == EXTRA and other is None) or (kind == LEFT_OUT and one is None):
        return ""
    return kind


def _making(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes that shaped a point: the last deciding one, or the amendments since."""
    deciding = [each for each in changes if each.action != "cite"]
    if not deciding or deciding[-1].action != "amend":
        return tuple((deciding or list(changes))[-1:])
    return tuple(takewhile(lambda each: each.action == "amend", reversed(deciding)))[::-1]


def _goes_with_its_rule(entries: Sequence[Entry | None], guard: Sequence[Point | None]) -> bool:
    """Whether a guard is missing exactly where its whole rule is, and equal elsewhere."""
    pairs = list(zip(entries, guard, strict=True))
    there = [point for _, point in pairs if point is not None]
    return (
        any(entry is None for entry in entries)
        and all(point is not None for entry, point in pairs if entry is not None)
        and all(point.in_play == there[0].in_play for point in there[1:])
    )


def _kind(change: Change) -> str:
    """The kind of difference that a change declares."""
    return text_of(change.get("kind"))


def _says(change: Change) -> bool:
    """Whether a change is about a book's statement, not about play."""
    return change.action == "cite" or _kind(change) in SAID


def _same(one: Change, other: Change) -> bool:
    """Whether two changes are the same change of the same variant."""
    return one is other or (
        one.action == other.action
        and one.target == other.target
        and one.variant.name == other.variant.name
        and one.node == other.node
    )


def _code(point: Point) -> tuple[str, str]:
    """The effective code of a point, and its position."""
    entry = point.entry
    if point.sort == "guard":
        condition = point.in_play[1]
        rule = entry.get("rule") or entry.body
        amending = [each.span for each in point.changes if each.action == "amend"]
        place = amending[-1] if amending else rule.span
        return condition.text if isinstance(condition, CodeTree) else "", str(place)
    for key in ("rule", "as", "holds", "is"):
        node = entry.get(key)
        if node is not None and point.sort in ("choice", "rule", "value", "always"):
            text = text_of(node)
            define = entry.text("define")
            head = f"{define}:\n" if define else ""
            added = (f"\n{mode}: {code.text}" for mode, code in point.in_play.get("amended", ()))
            return head + text.strip("\n") + "".join(added), str(node.span)
    return "", str(point.node.span)
