"""Checks a program's citations against the texts of the cited books, in both directions.

From rules to book: the cited section must be a heading of the text, and the cited fingerprints
those of sentences under it. From book to rules: every sentence must be cited, or be listed as no
rule. And where a clause is about a thing, the book must use our name for it there (see `terms`).

A point without a sentence is no error, but is listed: what the book only implies, what it is
silent on or contradicts, and own rulings. But every point must state what the ruleset's own book
does about it, if only that it is silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.ir.walk import guards_of
from lawspeaker.study.sources.terms import (
    OF_ANY_GAME,
    ThingTerm,
    follows,
    headings,
    occurs,
    spoken_of,
    terms,
    things,
    words_of,
)
from lawspeaker.text.books import reference as named
from lawspeaker.text.books.citing import NEED_A_SENTENCE
from lawspeaker.text.books.fingerprint import PRINT
from lawspeaker.text.books.lock import Lock, Marks
from lawspeaker.text.books.outline import Sentence, Text, cited_as, meant_heading, same_book
from lawspeaker.text.books.reference import in_runs

_NOT_SAID = "what the book does about it is not said: cite it, if only as `stance: silent`"


@dataclass(frozen=True, slots=True)
class Reference:
    """A citation with its owner: a clause, a guard, a piece, or a change of a variant."""

    id: str
    citation: ir.Citation


@dataclass(frozen=True, slots=True)
class Fault:
    """An error: code and message; `line` is one of the text, if applicable."""

    code: str
    message: str
    id: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class CoverageResult:
    """Result of checking rules against one text.

    `whole` says whether the ruleset covers this book. A module or a house rule may cite one that
    is not covered: then only its citations are checked. `left_out` counts sentences that the
    book's own rules cite but the ruleset does not, since a module or a house rule removed or
    replaced the rule. `elsewhere` counts those that belong to variants outside of the ruleset: a
    book may describe modules, too.
    """

    source: str
    file: str
    whole: bool
    sentences: int
    cited: int
    left_out: int
    elsewhere: int
    listed: Mapping[str, int]
    open: tuple[Sentence, ...]
    faults: tuple[Fault, ...]
    without: tuple[Reference, ...]
    unmentioned: tuple[str, ...]
    text: Text
    misread: Mapping[str, str]

    def named(self, sentence: Sentence) -> str:
        """The citation of a sentence."""
        return cited_as(self.text, sentence, self.misread)

    @property
    def sound(self) -> bool:
        return not self.open and not self.faults


def check_coverage(
    program: ir.Program,
    source: str,
    text: Text,
    marks: Marks,
    by_the_books: ir.Program | None = None,
    of_variants: Iterable[Reference] = (),
    lock: Lock | None = None,
    own: bool = False,
) -> CoverageResult:
    """Checks rules against the text of one of their sources.

    `by_the_books` are the same rules without modules and house rules, which need not cite the
    book. `of_variants` are the citations of all variants of the game. `lock` is that of the book,
    if it has one; its text can replace the book's, but its sentences have no words. `own` marks
    the ruleset's own book, which must be cited for every point.
    """
    retold = by_the_books or program
    whole = retold is program or any(each.id == source for each in retold.sources)
    about = [each for each in references(program) if each.citation.source == source]
    by_print: dict[str, list[Sentence]] = {}
    for sentence in text.sentences:
        by_print.setdefault(sentence.print, []).append(sentence)
    cited = {mark for each in about for mark in prints(each.citation)}
    answered = {
        mark
        for each in references(retold)
        if each.citation.source == source
        for mark in prints(each.citation)
    }
    others = [each for each in of_variants if each.citation.source == source]
    elsewhere = {mark for each in others for mark in prints(each.citation)} - cited - answered
    faults = [
        fault for each in (*about, *others) for fault in _faults(each, text, by_print, marks, lock)
    ]
    faults += _of_marks(marks, by_print, cited | elsewhere)
    if lock is None or text is not lock.text:
        faults += _of_terms(program, source, about, text, marks, retold is program)
        faults += _of_words(program, source, text)
        faults += _of_lock(lock, text)
    reasons = {
        reason: sum(1 for each in text.sentences if marks.reasons.get(each.print) == reason)
        for reason in dict.fromkeys(marks.reasons.values())
    }
    mentioned = {each.id for each in about}
    unmentioned = tuple(id for id in ids(retold) if whole and id not in mentioned)
    faults += (Fault("not-said", _NOT_SAID, id) for id in unmentioned if own)
    return CoverageResult(
        source,
        lock.file.name if lock is not None and text is lock.text else text.name,
        whole,
        len(text.sentences),
        sum(1 for each in text.sentences if each.print in cited),
        sum(1 for each in text.sentences if each.print in answered - cited),
        sum(1 for each in text.sentences if each.print in elsewhere),
        reasons,
        tuple(
            each
            for each in text.sentences
            if whole and each.print not in cited | answered | elsewhere | marks.reasons.keys()
        ),
        tuple(dict.fromkeys(faults)),
        tuple(dict.fromkeys(each for each in about if each.citation.stance != "states")),
        unmentioned,
        text,
        marks.misread,
    )


# ---------------------------------------------------------------- what cites


def ids(program: ir.Program) -> Iterator[str]:
    """All ids that should have citations: clauses, guards with citations of their own, and
    pieces.

    Invariants (`always`) are a safety net of ours and have no source.
    """
    yield from (clause.id for clause in program.clauses if clause.role != "always")
    yield from _citing_guards(program)
    yield from (f"pieces.{piece.name}" for piece in program.pieces)


def _citing_guards(program: ir.Program) -> dict[str, ir.Guard]:
    """The guards whose citations differ from their clause's."""
    return {
        id: guard
        for id, guard in guards_of(program).items()
        if guard.cites != program.clauses[guard.clause].cites
    }


def references(program: ir.Program) -> Iterator[Reference]:
    """Every citation of a program, with its owner."""
    for clause in program.clauses:
        for cite in clause.cites:
            yield Reference(clause.id, cite)
    for id, guard in _citing_guards(program).items():
        for cite in guard.cites:
            yield Reference(id, cite)
    for piece in program.pieces:
        for cite in piece.cites:
            yield Reference(f"pieces.{piece.name}", cite)
    known = {*(clause.id for clause in program.clauses), *guards_of(program)}
    for change in program.changes:
        if change.target not in known:
            for cite in change.cites:
                yield Reference(change.target, cite)


def read_to_the_end(program: ir.Program, source: str, lock: Lock | None) -> bool:
    """Whether every sentence of a book is cited or marked as no rule; False without a lock."""
    if lock is None or lock.damaged:
        return False
    about = (each.citation for each in references(program) if each.citation.source == source)
    marked = {mark for each in about for mark in prints(each)} | lock.marks.reasons.keys()
    return all(each.print in marked for each in lock.text.sentences)


def prints(citation: ir.Citation) -> tuple[str, ...]:
    """The fingerprints in a citation."""
    return tuple((citation.print or "").split())


def cited_at(citation: ir.Citation) -> named.Reference:
    """The section of a citation, and the numbers of its sentences if it has no fingerprints."""
    if citation.print:
        return named.Reference(citation.section)
    return named.reference(citation.section)


def cited_in(text: Text, source: str, about: Iterable[Reference], marks: Marks) -> dict[str, str]:
    """The owner of a citation by fingerprint of the cited sentence."""
    found: dict[str, str] = {}
    for each in about:
        if each.citation.source == source:
            where = cited_at(each.citation)
            under = text.under(marks.misread.get(where.section, where.section))
            known = (under[at - 1].print for at in where.numbers if at <= len(under))
            found |= dict.fromkeys((*prints(each.citation), *known), each.id)
    return found


# ---------------------------------------------------------------- faults


def _faults(
    each: Reference,
    text: Text,
    by_print: Mapping[str, list[Sentence]],
    marks: Marks,
    lock: Lock | None,
) -> Iterator[Fault]:
    cite = each.citation
    where = cited_at(cite)
    section = marks.misread.get(where.section, where.section)
    if where.section and not text.has(section):
        renamed = "if it was renamed, --write lets citations follow"
        locked = lock is not None and lock.has(where.section)
        near = renamed if locked else meant_heading(where.section, text)
        more = f"; {near}" if near else ""
        yield Fault("unknown-heading", f"the text has no heading “{where.section}”{more}", each.id)
        return
    given = prints(cite)
    if not given and (cite.stance in NEED_A_SENTENCE or where.numbers):
        yield Fault("no-print", _no_print(where, lock), each.id)
    for mark in given:
        # The lock identifies the sentence, also if it is no longer in the text.
        known = () if lock is None else _places(mark, lock.under(cite.section))
        found = _places(mark, text.under(section))
        sentence = f"“{cite.section}” § {in_runs(known)}"
        if not PRINT.fullmatch(mark):
            yield Fault("bad-print", f"{mark} is no print: ten digits from 0 to f", each.id)
        elif mark not in by_print and known:
            yield Fault("changed-sentence", f"{sentence} has changed, or is gone", each.id)
        elif mark not in by_print:
            yield Fault("unknown-print", f"the text has no sentence {mark}", each.id)
        elif cite.section and not found:
            first = by_print[mark][0]
            above = first.headings[-1].text if first.headings else "no heading"
            yield Fault(
                "wrong-section",
                f"{mark} stands under “{above}”, not under “{cite.section}”",
                each.id,
                first.line,
            )
        elif known and known != found:
            line = by_print[mark][0].line
            yield Fault("moved-sentence", f"{sentence} is § {in_runs(found)} now", each.id, line)


def _no_print(where: named.Reference, lock: Lock | None) -> str:
    if not where.numbers:
        return f"it is not said which sentence under “{where.section}” is meant"
    if lock is None:
        write = "`lawspeaker sources NAME --texts FOLDER --write` writes it"
        return f"the book has no lock yet, which knows the sentences of “{where}”; {write}"
    return f"“{where.section}” has no sentence {in_runs(where.numbers)}"


def _places(mark: str, sentences: Sequence[Sentence]) -> tuple[int, ...]:
    """The numbers of a fingerprint in a section."""
    return tuple(number for number, each in enumerate(sentences, start=1) if each.print == mark)


def _of_lock(lock: Lock | None, text: Text) -> Iterator[Fault]:
    """Checks that the lock matches the text."""
    if lock is not None and not same_book(lock.text, text):
        old = [each.print for each in lock.text.sentences]
        new = [each.print for each in text.sentences]
        more = sum((Counter(new) - Counter(old)).values())
        less = sum((Counter(old) - Counter(new)).values())
        told = f"the text has {more} sentences that the lock has not, and lacks {less}"
        moved = "headings or sentences stand elsewhere than in the lock"
        yield Fault("stale-lock", told if more or less else moved)


def _of_marks(
    marks: Marks, by_print: Mapping[str, list[Sentence]], cited: set[str]
) -> Iterator[Fault]:
    for mark, reason in marks.reasons.items():
        if mark not in by_print:
            yield Fault("unknown-print", f"{mark} ({reason}) is no sentence of the text")
        elif mark in cited:
            line = by_print[mark][0].line
            yield Fault("cited-and-listed", f"{mark} is cited, and listed as {reason}", "", line)


def _of_terms(
    program: ir.Program,
    source: str,
    about: list[Reference],
    text: Text,
    marks: Marks,
    all_said: bool,
) -> Iterator[Fault]:
    """Reports things whose name does not occur in the sections cited for them.

    `all_said` says whether all rules that the exceptions may refer to are present.
    """
    language = follows(program, source)
    stated: dict[str, list[str]] = {}
    for each in about:
        if language is not None and each.citation.stance in NEED_A_SENTENCE:
            stated.setdefault(each.id, []).append(cited_at(each.citation).section)
    excused = {(id, thing) for id, others in marks.other_words.items() for thing in others}
    guards = guards_of(program)
    for id, sections in stated.items():
        # A guard is about its own name; its clause is checked separately.
        about_it = id.rpartition(".")[2] if id in guards else id
        for term in terms(program, about_it, language or ""):
            if (id, term.thing) in excused:
                excused.discard((id, term.thing))
            elif not occurs(term.name, text, _as_read(sections, marks)):
                line = next((each.line for each in headings(text, _as_read(sections, marks))), 0)
                yield _missing(id, term, sections, line)
    if language is not None and all_said:
        for id, thing in sorted(excused):
            yield Fault("other-words", f"it does not speak of `{thing}`, or is not stated", id)


def _of_words(program: ir.Program, source: str, text: Text) -> Iterator[Fault]:
    """Checks the words that a source declares for things."""
    known = things(program) | {clause.id for clause in program.clauses} | {*OF_ANY_GAME}
    known |= {change.target for change in program.changes}  # removed rules are known, too
    for thing, words in words_of(program, source).items():
        if thing not in known:
            near = did_you_mean(thing, known)
            more = f"; {near}" if near else ""
            yield Fault("unknown-thing", f"there is no thing or rule `{thing}`{more}", thing)
        for word in words:
            if not spoken_of(word, text):
                message = f"`{thing}` is said to be called “{word}”, which the text does not have"
                yield Fault("missing-word", message, thing)


def _as_read(sections: list[str], marks: Marks) -> list[str]:
    """Headings as spelled in the text."""
    return [marks.misread.get(each, each) for each in sections]


def _missing(id: str, term: ThingTerm, sections: list[str], line: int) -> Fault:
    under = " or ".join(f"“{each}”" for each in dict.fromkeys(sections) if each)
    message = f"`{term.thing}` is called “{term.name}”, which does not occur under {under}"
    return Fault("missing-term", message, id, line)
