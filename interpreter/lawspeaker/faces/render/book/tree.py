"""The document tree of a rulebook, independent of output format.

All texts are in one language and final; a writer (`typst`, `page`) adds only layout and the texts
in `words`. A `mark` is the title of the variant that added or changed something, and empty for the
base game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG drawing, its size in its own units, and its description; `bleed` is how much of it
    lies beyond each edge along which it is cut."""

    svg: str
    width: float
    height: float
    says: str
    bleed: float = 0


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A margin note: a citation of a rule, or a ruling."""

    where: str
    text: str
    ruling: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its conditions and exceptions, each a rule of its own."""

    id: str
    title: str
    says: str
    under: tuple[Rule, ...] = ()
    notes: tuple[Note, ...] = ()
    mark: str = ""
    before: str = ""
    """The former rule, in a supplement."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; columns after the first hold short values.

    `total` is a last row of sums. There is a mark for each row, or none at all.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A thing with its pictures, number and effect."""

    pictures: tuple[Picture, ...]
    name: str
    count: str
    text: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Gallery:
    title: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    picture: Picture
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Drawings to be put side by side, if they fit."""

    each: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class ExampleEvent:
    """An event in an example and who it concerns; `refused` is the reason for something illegal."""

    who: str
    text: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    title: str
    before: Figure
    told: tuple[ExampleEvent, ...]
    after: Figure | None


Block: TypeAlias = Paragraph | Rule | Table | Gallery | Figures | Example


@dataclass(frozen=True, slots=True)
class Chapter:
    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A line of a summary, with its nesting depth."""

    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary for a page or a card: lists of lines with headings."""

    title: str
    parts: tuple[tuple[str, tuple[SummaryLine, ...]], ...]


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An index entry with the ids of the rules that mention it."""

    word: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    layer: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Book:
    """A whole book.

    `facts` are labelled facts for the title page; `words` are additional texts for a writer;
    `margin` tells that there are notes.
    """

    language: str
    title: str
    subtitle: str
    by: str
    about: str
    facts: tuple[tuple[str, str], ...]
    cover: Picture | None
    variants: tuple[Variant, ...]
    imprint: str
    words: Mapping[str, str]
    chapters: tuple[Chapter, ...] = ()
    crib: Summary | None = None
    card: Summary | None = None
    index: tuple[IndexEntry, ...] = ()
    sources: tuple[str, ...] = ()
    margin: bool = False
