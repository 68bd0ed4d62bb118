"""The citations of a program held against the texts of the books it cites.

Both ways are looked at. From the rules to the book: the section that a citation names must be a
heading of the text, and the prints it gives must be those of sentences that stand under it. From
the book to the rules: every sentence must be cited by something, or be listed as no rule. And
where a clause speaks of a thing, the book must have our name for it there (see `terms`).

What has no sentence in a book is no fault, but is shown: what the book only implies, what it is
silent on or contradicts, what we decided, and what does not mention the book at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.machines.reference.tracing import guards_of
from lawspeaker.study.sources.listing import Listing
from lawspeaker.study.sources.terms import Term, follows, headings, occurs, terms
from lawspeaker.text.books.fingerprint import PRINT
from lawspeaker.text.books.outline import Heading, Sentence, Text

NEED_A_SENTENCE = ("states", "contradicts_itself")


@dataclass(frozen=True, slots=True)
class Reference:
    """Something of the rules that cites: a clause, a guard, a piece, or a change of a variant."""

    id: str
    citation: ir.Citation


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, in a word and in a sentence; `line` is one of the text, if it is about one."""

    code: str
    message: str
    id: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Held:
    """What came of holding the rules against one text.

    `whole` says whether the telling retells this book. A module or a house rule may cite one that
    is not retold: then only its citations are looked at. `left_out` counts sentences of which the
    book's own rules speak, and the telling does not, since a module or a house rule took the rule
    out or put another in its place. `elsewhere` counts those that belong to variants of the game
    which are not part of the telling: a book may describe modules, too.
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

    @property
    def sound(self) -> bool:
        return not self.open and not self.faults


def hold(
    program: ir.Program,
    source: str,
    text: Text,
    listing: Listing,
    by_the_books: ir.Program | None = None,
    of_variants: Iterable[Reference] = (),
) -> Held:
    """The rules held against the text of one of their sources.

    `by_the_books` are the same rules without modules and house rules: these owe no book an answer.
    `of_variants` is what all variants of the game cite, those of the telling or not.
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
        fault for each in (*about, *others) for fault in _faults(each, text, by_print, listing)
    ]
    faults += _of_listing(listing, by_print, cited | elsewhere)
    faults += _of_terms(program, source, about, text, listing, retold is program)
    reasons = {
        reason: sum(1 for each in text.sentences if listing.reasons.get(each.print) == reason)
        for reason in dict.fromkeys(listing.reasons.values())
    }
    mentioned = {each.id for each in about}
    return Held(
        source,
        text.name,
        whole,
        len(text.sentences),
        sum(1 for each in text.sentences if each.print in cited),
        sum(1 for each in text.sentences if each.print in answered - cited),
        sum(1 for each in text.sentences if each.print in elsewhere),
        reasons,
        tuple(
            each
            for each in text.sentences
            if whole and each.print not in cited | answered | elsewhere | listing.reasons.keys()
        ),
        tuple(dict.fromkeys(faults)),
        tuple(dict.fromkeys(each for each in about if each.citation.stance != "states")),
        tuple(id for id in ids(program) if whole and id not in mentioned),
    )


# ---------------------------------------------------------------- what cites


def ids(program: ir.Program) -> Iterator[str]:
    """All that should be cited: clauses, and guards that cite for themselves.

    What holds always is our own net and comes from no book.
    """
    yield from (clause.id for clause in program.clauses if clause.role != "always")
    yield from _citing_guards(program)


def _citing_guards(program: ir.Program) -> dict[str, ir.Guard]:
    """The guards that do not just share the citations of their clause."""
    return {
        id: guard
        for id, guard in guards_of(program).items()
        if guard.cites != program.clauses[guard.clause].cites
    }


def references(program: ir.Program) -> Iterator[Reference]:
    """Every citation of a program, with what cites."""
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


def prints(citation: ir.Citation) -> tuple[str, ...]:
    return tuple((citation.print or "").split())


# ---------------------------------------------------------------- faults


def _faults(
    each: Reference, text: Text, by_print: Mapping[str, list[Sentence]], listing: Listing
) -> Iterator[Fault]:
    cite = each.citation
    section = listing.misread.get(cite.section, cite.section)
    if cite.section and not any(heading.is_called(section) for heading in text.headings):
        yield Fault("unknown-heading", f"the text has no heading “{cite.section}”", each.id)
        return
    given = prints(cite)
    if not given and cite.stance in NEED_A_SENTENCE:
        yield Fault(
            "no-print", f"it is not said which sentence under “{cite.section}” is meant", each.id
        )
    for mark in given:
        if not PRINT.fullmatch(mark):
            yield Fault("bad-print", f"{mark} is no print: ten digits from 0 to f", each.id)
        elif mark not in by_print:
            yield Fault("unknown-print", f"the text has no sentence {mark}", each.id)
        elif cite.section and not any(_under(found, section) for found in by_print[mark]):
            first = by_print[mark][0]
            where = first.headings[-1].text if first.headings else "no heading"
            yield Fault(
                "wrong-section",
                f"{mark} stands under “{where}”, not under “{cite.section}”",
                each.id,
                first.line,
            )


def _under(sentence: Sentence, section: str) -> bool:
    headings: tuple[Heading, ...] = sentence.headings
    return any(heading.is_called(section) for heading in headings)


def _of_listing(
    listing: Listing, by_print: Mapping[str, list[Sentence]], cited: set[str]
) -> Iterator[Fault]:
    for mark, reason in listing.reasons.items():
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
    listing: Listing,
    all_said: bool,
) -> Iterator[Fault]:
    """Things whose name does not occur where the clauses about them are said to stand.

    `all_said` says whether all rules are there of which the list may speak.
    """
    language = follows(program, source)
    stated: dict[str, list[str]] = {}
    for each in about:
        if language is not None and each.citation.stance in NEED_A_SENTENCE:
            stated.setdefault(each.id, []).append(each.citation.section)
    excused = {(id, thing) for id, others in listing.other_words.items() for thing in others}
    guards = guards_of(program)
    for id, sections in stated.items():
        # A guard is about what its own name says; its clause is looked at by itself.
        about_it = id.rpartition(".")[2] if id in guards else id
        for term in terms(program, about_it, language or ""):
            if (id, term.thing) in excused:
                excused.discard((id, term.thing))
            elif not occurs(term.name, text, _as_read(sections, listing)):
                line = next((each.line for each in headings(text, _as_read(sections, listing))), 0)
                yield _missing(id, term, sections, line)
    if language is not None and all_said:
        for id, thing in sorted(excused):
            yield Fault("other-words", f"it does not speak of `{thing}`, or is not stated", id)


def _as_read(sections: list[str], listing: Listing) -> list[str]:
    """Headings as the text has them."""
    return [listing.misread.get(each, each) for each in sections]


def _missing(id: str, term: Term, sections: list[str], line: int) -> Fault:
    under = " or ".join(f"“{each}”" for each in dict.fromkeys(sections) if each)
    message = f"`{term.thing}` is called “{term.name}”, which does not occur under {under}"
    return Fault("missing-term", message, id, line)
