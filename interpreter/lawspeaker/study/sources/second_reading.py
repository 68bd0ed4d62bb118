"""Compares annotations by several readers of a book: inter-annotator disagreement.

A mark is a judgement. A second reader states which sentences are no rule, or which rules they
state, and for a rule what the book does about it. That is stored beside the first reader's marks,
which it does not change. Readers disagree

- about a sentence that is no rule to one of them and states a rule to the other, or is no rule
  for another reason, or states rules none of which they have in common;
- about a rule, if the book's overall stance differs. Whether a ruling decides what it leaves open
  is no matter of reading.

A statement by only one of them is no disagreement.
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
"""Possible overall stances of a book on a rule."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A disagreement about a sentence (as cited) or a rule (by id), with both statements."""

    reader: str
    about: str
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SecondReading:
    """Number of statements by further readers, and disagreements with the first."""

    said: Mapping[str, int]
    disagreements: tuple[Disagreement, ...]


def second_reading(
    source: str,
    text: Text,
    marks: Marks,
    about: Iterable[Reference],
    points: Mapping[str, Reading],
) -> SecondReading:
    """Compares readers; `about` are all citations, `points` the points of the book."""
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
