"""Renders the worth of cards, options and rules, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render.simulation import tidy
from lawspeaker.study.lab.paired_changes import MeasuredChange
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
    told = [each for each in found if each.measured]
    points = any(each.points.value for each in told)
    controlled = any(each.beyond is not None for each in told)
    broken = any(each.broken for each in told)
    table = Table(title=f"What {seat} loses without it", box=None, pad_edge=False)
    table.title_justify = "left"
    table.add_column("what", overflow="fold")
    headings = ["victories, %", *["points"] * points, *["beyond"] * controlled]
    for heading in (*headings, *["broken"] * broken):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in told:
        cells = [_value(each.victories, 100)]
        if points:
            cells.append(_value(each.points, 1))
        if controlled:
            beyond = each.beyond
            cells.append("" if beyond is None else f"{100 * beyond.value:+.0f} %{_mark(beyond)}")
        if broken:
            cells.append(f"{each.broken:,}" if each.broken else "")
        table.add_row(f"{each.sort} {each.name}", *cells)
    return table


def _value(change: MeasuredChange, scale: int) -> str:
    value, low, high = (scale * each for each in (change.value, change.low, change.high))
    return f"{value:+.1f}{_mark(change)} ({low:+.1f} to {high:+.1f})"


def _mark(change: MeasuredChange) -> str:
    return "*" if change.clear else " "


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
    if any(each.beyond is not None for each in found):
        told.append(
            "Beyond: by how much oftener somebody else wins than by new luck alone, in the first "
            "pairs; below 0, luck alone would change more."
        )
    if any(each.broken for each in found):
        told.append("Broken: pairs in which a game had no end without it; they count for nothing.")
    if never := [f"{each.sort} {each.name}" for each in found if not each.measured]:
        told.append(f"Not measured, since most games then have no end: {', '.join(never)}.")
    return told


def to_json(found: Sequence[Worth], about: dict[str, Any], seat: str) -> dict[str, Any]:
    return {
        **about,
        "seat": seat,
        "compared": 2 * len(found),
        "correction": "Bonferroni, 95 % for all together",
        "worths": [tidy({**asdict(each), "bots": list(each.bots)}) for each in found],
    }
