"""What further readers of a book say, and where it is not what the first has said.

A mark is the judgement of somebody. Whoever reads the book again says of sentences that they are no
rule, or which rules they state, and of a rule what the book does about it. That is stored beside
what the first has said, and changes nothing of it. Readers disagree

- about a sentence that is no rule to one of them and states a rule to the other, or is no rule for
  another reason, or states rules none of which they have in common;
- about a rule, if the book does not do the same about it on the whole. Whether we decided what it
  leaves open is no matter of reading.

What only one of them has spoken of is no disagreement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from lawspeaker.ir.texts import RULING
from lawspeaker.study.compare.kinds import IN_PART
from lawspeaker.study.sources.coverage import Reference, cited_at, prints
from lawspeaker.study.sources.readings import Reading
from lawspeaker.text.books.lock import Marks
from lawspeaker.text.books.outline import Text, cited_as

DOES = ("states", "implies", IN_PART, "silent", "says_otherwise", "contradicts_itself")
"""What a book can do about a rule on the whole."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """`about` is a sentence as it is cited, or the id of a rule; `first` and `second` are the words
    of the two readers."""

    reader: str
    about: str
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SecondReading:
    """Of how many sentences and rules further readers have spoken, and where they disagree."""

    said: Mapping[str, int]
    disagreements: tuple[Disagreement, ...]


def second_reading(
    source: str,
    text: Text,
    marks: Marks,
    about: Iterable[Reference],
    points: Mapping[str, Reading],
) -> SecondReading:
    """`about` is all that cites books, `points` are those of the book with what is said of them."""
    cited: dict[str, set[str]] = {}
    for each in about:
        if each.citation.source == source:
            where = cited_at(each.citation)
            under = text.under(marks.misread.get(where.section, where.section))
            known = (under[at - 1].print for at in where.numbers if at <= len(under))
            for print_ in (*prints(each.citation), *known):
                cited.setdefault(print_, set()).add(each.id)
    said = {reader: len(own) for reader, own in sorted(marks.others.items())}
    return SecondReading(said, tuple(_disagreements(text, marks, cited, points)))


def _disagreements(
    text: Text,
    marks: Marks,
    cited: Mapping[str, Collection[str]],
    points: Mapping[str, Reading],
) -> Iterator[Disagreement]:
    for reader, said in sorted(marks.others.items()):
        for sentence in text.sentences:
            second = said.get(sentence.print, ())
            reason = marks.reasons.get(sentence.print)
            first = (reason,) if reason is not None else (*sorted(cited.get(sentence.print, ())),)
            if first and second and not {*first} & {*second}:
                name = cited_as(text, sentence, marks.misread)
                yield Disagreement(reader, name, first, second)
        for id, point in points.items():
            second = said.get(id, ())
            first = ("silent" if point.standing == RULING else point.standing,)
            if point.standing and second and first != second:
                yield Disagreement(reader, id, first, second)
