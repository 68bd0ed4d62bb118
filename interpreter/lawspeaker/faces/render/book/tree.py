"""A rulebook as a tree of plain values, for no format yet.

All texts are in one language and ready to be read; a writer (`typst`, `page`) gives them a shape
and adds none of its own but those in `words`. A `mark` is the title of the variant that brought or
changed something, and empty for what is as in the base game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG, its size in the units it was drawn in, and what is to be seen."""

    svg: str
    width: float
    height: float
    says: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """What stands in the margin: where a book speaks of a rule, or what was ruled."""

    where: str
    text: str
    ruling: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in its sentence, and under it what it takes or excepts, each a rule of its own."""

    id: str
    title: str
    says: str
    under: tuple[Rule, ...] = ()
    notes: tuple[Note, ...] = ()
    mark: str = ""
    before: str = ""
    """What held before, in a supplement."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns after the first hold short values; a last row that adds up is `total`. There is a
    mark for each row, or none at all."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A thing with its pictures, how many there are, and what it does."""

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
    """Drawings that belong side by side, where there is room."""

    each: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happens in an example: who does it, or to whom it happens; `refused` is what
    cannot be done, and why."""

    who: str
    text: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    title: str
    before: Figure
    told: tuple[Told, ...]
    after: Figure | None


Block: TypeAlias = Paragraph | Rule | Table | Gallery | Figures | Example


@dataclass(frozen=True, slots=True)
class Chapter:
    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a summary, and how deep it stands under others."""

    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """What fits on a page or a card: headed lists of lines."""

    title: str
    parts: tuple[tuple[str, tuple[Step, ...]], ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the index, and the ids of the rules that speak of it."""

    word: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    layer: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Book:
    """`facts` stand on the title page, each with its label; `words` are those that a writer needs
    besides; `margin` says that there are notes."""

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
    index: tuple[Term, ...] = ()
    sources: tuple[str, ...] = ()
    margin: bool = False
