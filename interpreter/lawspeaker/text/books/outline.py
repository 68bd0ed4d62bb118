"""The parsed text of a rulebook: headings, and the sentences under them.

A sentence is addressed by a heading above it and its number there. Sentences under a lower heading
count for the higher ones as well, and headings of the same name count as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.text.books.fingerprint import heading_key
from lawspeaker.text.books.reference import named


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a book: its text, its line, and its level."""

    text: str
    line: int
    level: int

    @property
    def short(self) -> str:
        """The heading up to its first parenthesis."""
        return self.text.partition("(")[0].strip() or self.text

    def is_called(self, section: str) -> bool:
        """Whether a citation that names this section means this heading."""
        return heading_key(section) in self.keys

    @property
    def keys(self) -> frozenset[str]:
        return frozenset({heading_key(self.text), heading_key(self.short)})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as shown, its line, its fingerprint, and the headings above it, outermost first.
    `item` is the first line of the list item that contains it; 0 if none does."""

    text: str
    line: int
    print: str
    headings: tuple[Heading, ...]
    item: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """The parsed text of a rulebook."""

    name: str
    headings: tuple[Heading, ...]
    sentences: tuple[Sentence, ...]
    _under: dict[str, tuple[Sentence, ...]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        found: dict[str, list[Sentence]] = {}
        keys = {heading: heading.keys for heading in self.headings}
        for heading in self.headings:
            for key in keys[heading]:
                found.setdefault(key, [])
        for sentence in self.sentences:
            for key in {key for each in sentence.headings for key in keys[each]}:
                found[key].append(sentence)
        under = {key: tuple(sentences) for key, sentences in found.items()}
        object.__setattr__(self, "_under", under)

    def has(self, section: str) -> bool:
        """Whether there is a heading of this name."""
        return heading_key(section) in self._under

    def under(self, section: str) -> tuple[Sentence, ...]:
        """The sentences under a heading, in order: the first is number 1."""
        return self._under.get(heading_key(section), ())


def cited_as(text: Text, sentence: Sentence, misread: Mapping[str, str] | None = None) -> str:
    """The reference to a sentence: the corrected name of the heading right above it, and its number
    there; its fingerprint if there is no heading."""
    if not sentence.headings:
        return sentence.print
    heading = sentence.headings[-1]
    under = text.under(heading.short)
    number = next(at for at, each in enumerate(under, start=1) if each is sentence)
    return named(called(heading, misread or {}), (number,))


def called(heading: Heading, misread: Mapping[str, str]) -> str:
    """The corrected name of a heading, or its own."""
    return next((name for name, read in misread.items() if heading.is_called(read)), heading.short)


def meant_heading(section: str, text: Text) -> str | None:
    """A suggestion for an unknown heading: one with a similar spelling, or whose words include or
    are included in its words."""
    names = [each.short for each in text.headings]
    words = {*heading_key(section).split()}
    akin = (name for name in names if _akin(words, {*heading_key(name).split()}))
    near = did_you_mean(section, names)
    other = None if near else next(akin, None)
    return near if other is None else f"did you mean {other!r}?"


def _akin(one: set[str], other: set[str]) -> bool:
    return bool(one and other) and (one <= other or other <= one)


def same_book(one: Text, other: Text) -> bool:
    """Whether two texts have the same sentences under the same headings."""
    return _shape(one) == _shape(other)


def _shape(text: Text) -> list[tuple[str, ...]]:
    names = {heading: heading_key(heading.short) for heading in text.headings}
    return [(each.print, *(names[above] for above in each.headings)) for each in text.sentences]
