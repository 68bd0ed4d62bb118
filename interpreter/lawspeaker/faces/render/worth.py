"""What cards, options and rules are worth, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render.simulation import tidy
from lawspeaker.study.lab.changing import Change
from lawspeaker.study.lab.worth import Worth

NOTHING = "There is nothing here that can be taken away from one seat."


def text(found: Sequence[Worth], game: str, seat: str, seed: int) -> Group:
    if not found:
        return Group(Text(NOTHING))
    parts: list[Any] = []
    for bots, some in groupby(found, key=lambda each: each.bots):
        worths = list(some)
        parts += [Text(_behind(worths, game, bots, seed)), Text(), _table(worths, seat), Text()]
    return Group(*parts, *(Text(each, style="dim") for each in _notes(found, seat)))


def _behind(found: Sequence[Worth], game: str, bots: Sequence[str], seed: int) -> str:
    names = bots[0] if len(set(bots)) == 1 else ", ".join(bots)
    most = max(each.games + each.broken for each in found)
    return f"{game}, {len(bots)} players ({names}), {most:,} pairs of games each, seed {seed}"


def _table(found: Sequence[Worth], seat: str) -> Table:
    points = any(each.points.value for each in found)
    controlled = any(each.beyond is not None for each in found)
    title = f"What {seat} loses without it"
    table = Table(title=title, box=None, pad_edge=False, title_justify="left")
    table.add_column("sort")
    table.add_column("what", overflow="fold")
    headings = ["victories", "interval"] + ["points", "interval"] * points
    for heading in (*headings, *["beyond control"] * controlled, "broken"):
        table.add_column(heading, justify="right")
    for each in found:
        cells = [_value(each.victories, 100, " %"), _span(each.victories, 100)]
        if points:
            cells += [_value(each.points, 1, ""), _span(each.points, 1)]
        if controlled:
            cells.append("" if each.beyond is None else _value(each.beyond, 100, " %"))
        table.add_row(each.sort, each.name, *cells, f"{each.broken:,}" if each.broken else "")
    return table


def _value(change: Change, scale: int, unit: str) -> str:
    return f"{scale * change.value:+.{1 if scale > 1 else 2}f}{unit}{'*' if change.clear else ' '}"


def _span(change: Change, scale: int) -> str:
    digits = 1 if scale > 1 else 2
    return f"{scale * change.low:+.{digits}f} to {scale * change.high:+.{digits}f}"


def _notes(found: Sequence[Worth], seat: str) -> list[str]:
    looked_at = 2 * len(found)
    correction = (
        f"{looked_at} changes were looked at. Intervals are so wide that with 95 % all of them "
        "hold together (Bonferroni); * marks those without 0."
    )
    meaning = (
        f"This is what {seat} wins less without something, by these players. It does not say what "
        "a better player would make of it, nor what it is worth where nobody has it."
    )
    told = [correction, meaning]
    if any(each.broken for each in found):
        told.append("Broken: pairs in which a game had no end without it; they count for nothing.")
    return told


def to_json(found: Sequence[Worth], about: dict[str, Any], seat: str) -> dict[str, Any]:
    return {
        **about,
        "seat": seat,
        "compared": 2 * len(found),
        "correction": "Bonferroni, 95 % for all together",
        "worths": [tidy({**asdict(each), "bots": list(each.bots)}) for each in found],
    }
