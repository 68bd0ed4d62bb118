"""What can be taken from editions, and what was: for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.blocks import Prose
from lawspeaker.faces.render.compare import View, block, short_names
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.mix import Mix, can_be_taken


def listed(comparison: Comparison) -> Group:
    """The differences that change play, with each reading; of all others, how many there are."""
    language, columns = comparison.table.language, comparison.table.columns
    names = short_names(columns)
    playing = [each for each in comparison.differences if each.changes_play]
    said = [
        each
        for each in comparison.differences
        if not each.changes_play and any(can_be_taken(each, at) for at in each.tellings)
    ]
    parts: list[RenderableType] = [Prose(phrase("mix.list", language), style="bold")]
    parts += (block(each, columns, language, View(ids=True)) for each in playing)
    if said:
        parts += [Prose(), Prose(phrase("mix.said_only", language, count=len(said)), style="dim")]
    if playing:
        last = playing[-1]
        example = f"lawspeaker mix {columns[0].name} --take {names[last.tellings[0]]}:{last.id}"
        parts += [Prose(), Prose(example)]
    return Group(*parts)


def remarks(made: Mix, comparison: Comparison) -> Iterator[str]:
    """What was taken from whom, what came along, and where there was nothing to take."""
    language, names = comparison.table.language, short_names(comparison.table.columns)
    for each in made.taken:
        key = "along" if each.along else "taken"
        edition, id = names[each.telling], each.difference.id
        yield phrase(f"mix.{key}", language, edition=edition, id=id)
    for each in made.idle:
        edition, id = names[each.telling], each.difference.id
        yield phrase("mix.idle", language, edition=edition, id=id, first=names[0])
