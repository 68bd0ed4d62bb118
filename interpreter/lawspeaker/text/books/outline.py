"""The text of a rulebook taken apart: its headings, and its sentences under them.

A sentence is named by a heading it stands under and by its number there. What stands below a lower
heading counts for the higher ones as well, and headings that are called the same count as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.text.books.fingerprint import heading_key
from lawspeaker.text.books.reference import named


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    line: int
    level: int

    @property
    def short(self) -> str:
        """The heading up to what stands in brackets."""
        return self.text.partition("(")[0].strip() or self.text

    def is_called(self, section: str) -> bool:
        """Whether a citation that names this section means this heading."""
        return heading_key(section) in self.keys

    @property
    def keys(self) -> frozenset[str]:
        return frozenset({heading_key(self.text), heading_key(self.short)})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as shown, its line, its print, and the headings above it, outermost first. `item`
    is the line that begins the item of a list to which it belongs; 0 if it belongs to none."""

    text: str
    line: int
    print: str
    headings: tuple[Heading, ...]
    item: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """A rulebook's text, taken apart."""

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
        """Whether there is a heading that is called so."""
        return heading_key(section) in self._under

    def under(self, section: str) -> tuple[Sentence, ...]:
        """The sentences under a heading, in their order: the first is number 1."""
        return self._under.get(heading_key(section), ())


def cited_as(text: Text, sentence: Sentence, misread: Mapping[str, str] | None = None) -> str:
    """How a sentence is cited: by the heading right above it, as that should be called, and by its
    number there. One under no heading has its print alone."""
    if not sentence.headings:
        return sentence.print
    heading = sentence.headings[-1]
    under = text.under(heading.short)
    number = next(at for at, each in enumerate(under, start=1) if each is sentence)
    return named(called(heading, misread or {}), (number,))


def called(heading: Heading, misread: Mapping[str, str]) -> str:
    """What a heading should be called, if it was misread, or else is called."""
    return next((name for name, read in misread.items() if heading.is_called(read)), heading.short)


def meant_heading(section: str, text: Text) -> str | None:
    """Which heading was perhaps meant by one that the text does not have: one that is written
    nearly so, or that has all its words and some more, or lacks some."""
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
