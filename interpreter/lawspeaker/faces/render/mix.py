"""Renders what can be taken from editions, and what was taken, for the terminal."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import joined
from lawspeaker.faces.render.blocks import Prose
from lawspeaker.faces.render.compare import CompareOptions, block, short_names, titles
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.mix import Mix, can_be_taken


def listed(comparison: Comparison, ids: bool = False) -> Group:
    """Lists the differences that change play with each reading, and counts the others.

    `ids` shows the ids of rules.
    """
    language, columns = comparison.table.language, comparison.table.columns
    names = short_names(columns)
    playing = [each for each in comparison.differences if each.changes_play]
    said = [
        each
        for each in comparison.differences
        if not each.changes_play and any(can_be_taken(each, at) for at in each.columns)
    ]
    parts: list[RenderableType] = [Prose(phrase("mix.list", language), style="bold")]
    parts += (block(each, columns, language, CompareOptions(ids=ids)) for each in playing)
    if said:
        parts += [Prose(), Prose(phrase("mix.said_only", language, count=len(said)), style="dim")]
    if playing:
        last = playing[-1]
        take = f"{names[last.columns[0]]}:{last.id if ids else in_words(last.title)}"
        example = shlex.join(["lawspeaker", "mix", columns[0].name, "--take", take])
        parts += [Prose(), Prose(example)]
    return Group(*parts)


def in_words(title: str) -> str:
    """Converts a title to a form for `--take`, where commas and colons are separators."""
    return re.sub(r"[,:]", "", title)


def remarks(made: Mix, comparison: Comparison) -> Iterator[str]:
    """Yields what was taken from which edition, what came along, and what was redundant.

    Then it names the base for everything else, and the points not adopted from those editions.
    """
    language, names = comparison.table.language, titles(comparison.table.columns)
    for each in (*made.taken, *made.idle):
        key = "idle" if each in made.idle else "along" if each.along else "taken"
        what, edition = each.difference.title, names[each.column]
        yield phrase(f"mix.{key}", language, edition=edition, what=what, first=names[0])
    yield phrase("contract.all_else", language, game=names[0])
    taken = {each.difference.number for each in made.taken}
    editions = list(dict.fromkeys(each.column for each in made.taken))
    left = [each for each in comparison.differences if each.number not in taken]
    yield from untaken(left, editions, names, language)


def untaken(
    left: Sequence[Difference], editions: Sequence[int], names: Sequence[str], language: str
) -> Iterator[str]:
    """Yields a sentence and the titles of points on which editions differ but the first is kept."""
    found = {
        each.title: [names[at] for at in editions if each.plays_otherwise(at)] for each in left
    }
    found = {title: whose for title, whose in found.items() if whose}
    if not found:
        return
    key = "contract.further_one" if len(found) == 1 else "contract.further_many"
    books = joined([names[at] for at in editions], language)
    yield phrase(key, language, books=books, count=len(found), game=names[0])
    for title, whose in found.items():
        yield f"- {title} ({joined(whose, language)})"
