"""The citations of a program held against the texts of the books it cites.

Both ways are looked at. From the rules to the book: the section that a citation names must be a
heading of the text, and the prints it gives must be those of sentences that stand under it. From
the book to the rules: every sentence must be cited by something, or be listed as no rule.

What has no sentence in a book is no fault, but is shown: what the book only implies, what it is
silent on or contradicts, what we decided, and what does not mention the book at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.machine.trace import guards_of
from lawspeaker.sources.fingerprint import PRINT
from lawspeaker.sources.listing import Listing
from lawspeaker.sources.splitter import Heading, Sentence, Text

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
    """What came of holding the rules against one text."""

    source: str
    file: str
    sentences: int
    cited: int
    listed: Mapping[str, int]
    open: tuple[Sentence, ...]
    faults: tuple[Fault, ...]
    without: tuple[Reference, ...]
    unmentioned: tuple[str, ...]

    @property
    def sound(self) -> bool:
        return not self.open and not self.faults


def hold(program: ir.Program, source: str, text: Text, listing: Listing) -> Held:
    """The rules held against the text of one of their sources."""
    found = tuple(references(program))
    about = [each for each in found if each.citation.source == source]
    by_print: dict[str, list[Sentence]] = {}
    for sentence in text.sentences:
        by_print.setdefault(sentence.print, []).append(sentence)
    cited = {mark for each in about for mark in prints(each.citation)}
    faults = [fault for each in about for fault in _faults(each, text, by_print, listing)]
    faults += _of_listing(listing, by_print, cited)
    reasons = {
        reason: sum(1 for each in text.sentences if listing.reasons.get(each.print) == reason)
        for reason in dict.fromkeys(listing.reasons.values())
    }
    mentioned = {each.id for each in about}
    return Held(
        source,
        text.name,
        len(text.sentences),
        sum(1 for each in text.sentences if each.print in cited),
        reasons,
        tuple(
            each
            for each in text.sentences
            if each.print not in cited and each.print not in listing.reasons
        ),
        tuple(dict.fromkeys(faults)),
        tuple(dict.fromkeys(each for each in about if each.citation.stance != "states")),
        tuple(id for id in ids(program) if id not in mentioned),
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
