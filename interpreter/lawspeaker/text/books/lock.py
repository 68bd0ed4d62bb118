"""The lock of a book: its sentences by section, number and fingerprint, with people's annotations.

A lock is a line-based file, `books/SOURCE.lock`, beside the rules that declare the source. It is
written by a command, never by hand, and contains no sentence of the book:

    lawspeaker 1: written by `lawspeaker sources --write`, never by hand
    text eggs.txt
    misread Selling = SELIING
    other words market.closed = market
    agrees second_edition selling = Selling § 1-2
    read selling = 2026-03-01 5c0f19ee20 b0a7726d1c
    by kb 77aa01c3de = flavour
    by kb selling = implies

    # THE EGG MARKET
    1 1f0c9a2b7d flavour
    ## SELIING
    1 77aa01c3de
    2 e5f60718aa

First come the marks on headings and rules:

- `misread`: the correct name of a misread heading;
- `other words`: things in a rule that the book calls otherwise;
- `agrees`: rules that an edition's book states as the game has them;
- `read`: rules that somebody has compared with what they cite, with date and both fingerprints;
- `by`: marks of further readers, by short name, which do not affect those of the first.

Then comes the book, in order: headings by level, and under each its sentences, counted from 1, with
fingerprint and, if it is no rule, the reason. Each item has its own line, so that merges work by
line; and since sentences are counted, a lost line is detected. The marks of a damaged lock are read
as far as possible, so that it can be regenerated from the text; its numbers are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.remembering import ReportingCache
from lawspeaker.base.source import NOWHERE, SourceFile, Span
from lawspeaker.text import document
from lawspeaker.text.books.fingerprint import PRINT
from lawspeaker.text.books.outline import Heading, Sentence, Text
from lawspeaker.text.books.reference import BadReference, Reference, reference

FIRST = "lawspeaker 1: written by `lawspeaker sources --write`, never by hand"
REASONS = {
    "flavour": "colour, moods and advice",
    "picture": "what is said of a picture",
    "example": "a worked example of rules that stand elsewhere",
    "heading": "a title, or words that only lead to what follows",
    "box": "what is in the box, and for whom",
    "table": "how things are handled on the table, with no effect on the game",
    "legal": "rights, addresses and the like",
}
_MERGE = re.compile(r"<{7}|={7}|>{7}|\|{7}")
_HEADING = re.compile(r"(#{1,7})(?: (\S.*))?")
_SENTENCE = re.compile(rf"(\d+) ({PRINT.pattern})(?: (\S+))?")
_TEXT = re.compile(r"text (\S.*)")
_MISREAD = re.compile(r"misread (\S.*) = (\S.*)")
_OTHER_WORDS = re.compile(r"other words (\S+) = (\S.*)")
_AGREES = re.compile(r"agrees (\S+) (\S+) = (\S.*)")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
READER = re.compile(r"[a-z][a-z0-9_]*")
_BY = re.compile(rf"by ({READER.pattern}) (\S+) = (\S.*)")
_READ = re.compile(rf"read (\S.*\S) = ({DATE.pattern}) ({PRINT.pattern}) ({PRINT.pattern})")


@dataclass(frozen=True, slots=True)
class Agreement:
    """A rule of the game that a variant's book states unchanged, and where."""

    variant: str
    id: str
    where: Reference
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Read:
    """Somebody has compared a rule with what it cites: the date, and the fingerprints of the rule
    and of the cited sentences at that time."""

    date: str
    rule: str
    said: str


Said: TypeAlias = Mapping[str, tuple[str, ...]]
"""A reader's marks on sentences and rules: a reason, rules, or the book's stance on one."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Annotations of a book: `reasons`, by fingerprint, for sentences that are no rules; `misread`:
    the correct name of a heading, and the text's; `other_words`: by rule, things that the book
    calls otherwise there; `agrees`: what it states as the game does; `read`: by rule, that somebody
    has compared it; `others`: by further reader, marks on sentences (by fingerprint) and rules (by
    id)."""

    reasons: Mapping[str, str] = field(default_factory=dict)
    misread: Mapping[str, str] = field(default_factory=dict)
    other_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    agrees: tuple[Agreement, ...] = ()
    read: Mapping[str, Read] = field(default_factory=dict)
    others: Mapping[str, Said] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lock:
    """A parsed lock. Its sentences have no text, and their line numbers are those of the lock. If
    it is `damaged`, only the marks are valid."""

    file: SourceFile
    text: Text
    marks: Marks
    damaged: bool = False

    def has(self, section: str) -> bool:
        return self.text.has(self.marks.misread.get(section, section))

    def under(self, section: str) -> tuple[Sentence, ...]:
        return self.text.under(self.marks.misread.get(section, section))

    def prints(self, where: Reference) -> tuple[str, ...]:
        """The fingerprints of the sentences that are named, as far as they are known."""
        known = () if self.damaged else self.under(where.section)
        return tuple(known[each - 1].print for each in where.numbers if each <= len(known))

    def numbers(self, section: str, prints: tuple[str, ...]) -> tuple[int, ...] | None:
        """The numbers of sentences in a section by fingerprint; None if one is missing."""
        known = [each.print for each in self.under(section)]
        if any(each not in known for each in prints):
            return None
        return tuple(known.index(each) + 1 for each in prints)


# ---------------------------------------------------------------- reading


def read_lock(file: SourceFile, diagnostics: Diagnostics) -> Lock:
    """Parses the lock in a file, and reports damage."""

    def look(own: Diagnostics) -> Lock:
        found = _Reader(file, own).read()
        return replace(found, damaged=own.has_errors)

    return _known.at(file, len(file.text), diagnostics, look)


_known: ReportingCache[SourceFile, Lock] = ReportingCache(document.MOST_KNOWN)


class _Reader:
    """Parses a lock line by line."""

    def __init__(self, file: SourceFile, diagnostics: Diagnostics) -> None:
        self.file = file
        self.diagnostics = diagnostics
        self.name = ""
        self.headings: list[Heading] = []
        self.above: tuple[Heading, ...] = ()
        self.sentences: list[Sentence] = []
        self.count = 0
        self.reasons: dict[str, str] = {}
        self.misread: dict[str, str] = {}
        self.other_words: dict[str, tuple[str, ...]] = {}
        self.agrees: list[Agreement] = []
        self.were_read: dict[str, Read] = {}
        self.others: dict[str, dict[str, tuple[str, ...]]] = {}

    def read(self) -> Lock:
        first = self.file.line_text(1)
        if not first.startswith("lawspeaker 1:"):
            self.bad(1, "this is no lock of a book", f"the first line is: {FIRST}")
        for number in range(2, self.file.line_count + 1):
            line = self.file.line_text(number).rstrip()
            if _MERGE.match(line):
                self.bad(number, "two versions of this lock were not merged", _MERGED)
            elif line and not (self.sentence(line, number) or self.mark(line, number)):
                self.bad(number, "this is no line of a lock", _AGAIN)
        text = Text(self.name, tuple(self.headings), tuple(self.sentences))
        marks = Marks(
            self.reasons,
            self.misread,
            self.other_words,
            tuple(self.agrees),
            self.were_read,
            self.others,
        )
        return Lock(self.file, text, marks)

    def sentence(self, line: str, number: int) -> bool:
        """Parses a heading or a sentence; returns whether the line is one."""
        if heading := _HEADING.fullmatch(line):
            self.heading(heading[2], number, len(heading[1]))
            return True
        found = _SENTENCE.fullmatch(line)
        if found is None:
            return False
        self.count += 1
        if int(found[1]) != self.count:
            self.bad(number, f"here should stand sentence {self.count}, not {found[1]}", _AGAIN)
            self.count = int(found[1])
        reason = found[3]
        if reason is not None and reason not in REASONS:
            hint = did_you_mean(reason, REASONS) or f"it can be {', '.join(REASONS)}"
            self.bad(number, f"`{reason}` is no reason why a sentence is no rule", hint)
        elif reason is not None:
            self.reasons[found[2]] = reason
        self.sentences.append(Sentence("", number, found[2], self.above))
        return True

    def heading(self, text: str | None, number: int, level: int) -> None:
        """Enters a heading; without a text, what follows is under none."""
        self.above = tuple(each for each in self.above if each.level < level)
        self.count = 0
        if text:
            self.headings.append(Heading(text, number, level))
            self.above = (*self.above, self.headings[-1])

    def mark(self, line: str, number: int) -> bool:
        if found := _TEXT.fullmatch(line):
            self.name = found[1]
        elif found := _MISREAD.fullmatch(line):
            self.misread[found[1]] = found[2]
        elif found := _OTHER_WORDS.fullmatch(line):
            self.other_words[found[1]] = tuple(found[2].split())
        elif found := _READ.fullmatch(line):
            self.were_read[found[1]] = Read(found[2], found[3], found[4])
        elif found := _BY.fullmatch(line):
            self.others.setdefault(found[1], {})[found[2]] = tuple(found[3].split())
        elif found := _AGREES.fullmatch(line):
            try:
                where = reference(found[3])
            except BadReference as error:
                self.bad(number, str(error), _AGAIN)
                return True
            start = self.file.line_start(number) + found.start(2)
            span = Span(self.file, start, start + len(found[2]))
            self.agrees.append(Agreement(found[1], found[2], where, span))
        else:
            return False
        return True

    def bad(self, number: int, message: str, hint: str) -> None:
        start = self.file.line_start(number)
        span = Span(self.file, start, start + len(self.file.line_text(number)))
        self.diagnostics.error("bad-lock", message, span, hint=hint)


_WRITE = "`lawspeaker sources NAME --texts FOLDER --write`"
_AGAIN = f"{_WRITE} keeps what can be read, and writes the rest anew from the text"
_MERGED = (
    f"{_WRITE} keeps the marks of both and numbers the sentences anew; by hand, take out these "
    "signs and the sentences that stand there twice"
)


# ---------------------------------------------------------------- writing


def written(text: Text, marks: Marks) -> str:
    """Serialises the lock of a book."""
    return "\n".join(
        (FIRST, f"text {text.name}", *_marks(text, marks), "", *_book(text, marks), "")
    )


def _marks(text: Text, marks: Marks) -> Iterator[str]:
    for wanted, read in sorted(marks.misread.items()):
        yield f"misread {wanted} = {read}"
    for rule, things in sorted(marks.other_words.items()):
        yield f"other words {rule} = {' '.join(things)}"
    place = {id(each): at for at, each in enumerate(text.sentences)}

    def order(each: Agreement) -> tuple[object, ...]:
        known = text.under(marks.misread.get(each.where.section, each.where.section))
        at = [place[id(known[number - 1])] for number in each.where.numbers if number <= len(known)]
        return min(at, default=len(place)), each.variant, each.id, str(each.where)

    for each in sorted(set(marks.agrees), key=order):
        yield f"agrees {each.variant} {each.id} = {each.where}"
    for rule, mark in sorted(marks.read.items()):
        yield f"read {rule} = {mark.date} {mark.rule} {mark.said}"
    for reader, said in sorted(marks.others.items()):
        for about, words in sorted(said.items()):
            yield f"by {reader} {about} = {' '.join(words)}"


def _book(text: Text, marks: Marks) -> Iterator[str]:
    """Headings and sentences. A heading is repeated where the text returns to it."""
    waiting = list(text.headings)
    above: Heading | None = None
    count = 0
    for sentence in text.sentences:
        own = sentence.headings[-1] if sentence.headings else None
        if own != above:
            due = waiting.index(own) + 1 if own in waiting else 0
            yield from map(_heading, waiting[:due] or (own,))
            del waiting[:due]
            above, count = own, 0
        count += 1
        reason = marks.reasons.get(sentence.print)
        yield f"{count} {sentence.print}" + (f" {reason}" if reason else "")
    yield from map(_heading, waiting)


def _heading(heading: Heading | None) -> str:
    return "#" if heading is None else f"{'#' * heading.level} {heading.short}"


def merged(first: Marks, second: Marks) -> Marks:
    """Merges marks; where they differ, the second wins."""
    return replace(
        second,
        reasons={**first.reasons, **second.reasons},
        misread={**first.misread, **second.misread},
        other_words={**first.other_words, **second.other_words},
        agrees=tuple(dict.fromkeys((*first.agrees, *second.agrees))),
        read={**first.read, **second.read},
        others={
            reader: {**first.others.get(reader, {}), **second.others.get(reader, {})}
            for reader in {**first.others, **second.others}
        },
    )
