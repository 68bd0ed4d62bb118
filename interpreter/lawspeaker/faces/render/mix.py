"""What can be taken from editions, and what was: for the terminal."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from rich.console import Group, RenderableType

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.blocks import Prose
from lawspeaker.faces.render.compare import View, block, short_names, titles
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.mix import Mix, can_be_taken


def listed(comparison: Comparison, ids: bool = False) -> Group:
    """The differences that change play, with each reading; of all others, how many there are. With
    the ids of rules, if they are wanted."""
    language, columns = comparison.table.language, comparison.table.columns
    names = short_names(columns)
    playing = [each for each in comparison.differences if each.changes_play]
    said = [
        each
        for each in comparison.differences
        if not each.changes_play and any(can_be_taken(each, at) for at in each.tellings)
    ]
    parts: list[RenderableType] = [Prose(phrase("mix.list", language), style="bold")]
    parts += (block(each, columns, language, View(ids=ids)) for each in playing)
    if said:
        parts += [Prose(), Prose(phrase("mix.said_only", language, count=len(said)), style="dim")]
    if playing:
        last = playing[-1]
        take = f"{names[last.tellings[0]]}:{last.id if ids else in_words(last.title)}"
        example = shlex.join(["lawspeaker", "mix", columns[0].name, "--take", take])
        parts += [Prose(), Prose(example)]
    return Group(*parts)


def in_words(title: str) -> str:
    """A title as it can be typed after `--take`, where commas and colons mean something."""
    return re.sub(r"[,:]", "", title)


def remarks(made: Mix, comparison: Comparison) -> Iterator[str]:
    """What was taken from whom, what came along, and where there was nothing to take."""
    language, names = comparison.table.language, titles(comparison.table.columns)
    for each in (*made.taken, *made.idle):
        key = "idle" if each in made.idle else "along" if each.along else "taken"
        what, edition = each.difference.title, names[each.telling]
        yield phrase(f"mix.{key}", language, edition=edition, what=what, first=names[0])
