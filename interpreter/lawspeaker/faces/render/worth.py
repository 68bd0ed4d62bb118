"""Renders the worth of cards, options and rules, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.sheet import Curve, Point, Rows, Sheet, cell
from lawspeaker.faces.render.simulation import json_value
from lawspeaker.study.lab.paired_changes import MeasuredChange
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.worth import Worth, by_cost

NOTHING = "There is nothing here that can be taken away from one seat."


def text(found: Sequence[Worth], game: str, seat: str, seed: int) -> Group:
    if not found:
        return Group(Text(NOTHING))
    parts: list[Any] = []
    for bots, some in groupby(found, key=lambda each: each.bots):
        worths = list(some)
        parts += [Text(_behind(worths, game, bots, seed)), Text(), _table(worths, seat), Text()]
        parts += _outliers(worths)
    return Group(*parts, *(Text(each, style="dim") for each in _notes(found, seat)))


def _outliers(found: Sequence[Worth]) -> list[Any]:
    """Cards that are worth more or less than others of their cost."""
    points = any(each.points.value for each in found if each.measured)
    off = by_cost(found, points=points)
    if not off:
        return []
    named = [each for each in off if each.clear]
    if not named:
        return [Text("By cost, no card is clearly off the line of the others."), Text()]
    table = Table(title="Off the line of cost and worth", box=None, pad_edge=False)
    table.title_justify = "left"
    for heading in ("card", "cost", "worth", "by the others", "apart"):
        table.add_column(heading, justify="left" if heading == "card" else "right")
    scale, unit = (1, "") if points else (100, " %")
    for each in named:
        low, high = scale * each.apart.low, scale * each.apart.high
        apart = f"{scale * each.apart.value:+.1f}{unit} ({low:+.1f} to {high:+.1f})"
        worth, expected = (f"{scale * one:+.1f}{unit}" for one in (each.worth, each.expected))
        table.add_row(each.name, str(each.cost), worth, expected, apart)
    return [table, Text()]


def _behind(found: Sequence[Worth], game: str, bots: Sequence[str], seed: int) -> str:
    names = bots[0] if len(set(bots)) == 1 else ", ".join(bots)
    most = max(each.games + each.broken for each in found)
    least = min(each.games + each.broken for each in found)
    pairs = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return f"{game}, {len(bots)} players ({names}), {pairs} pairs of games each, seed {seed}"


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
    # Rounded first, so that zero has no sign.
    value, low, high = (
        round(scale * each, 1) + 0.0 for each in (change.value, change.low, change.high)
    )
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
    if more := max((each.known_from for each in found), default=0):
        told.append(
            f"What the pairs are luckier than {more:,} games as they are is taken out (a control "
            "variate)."
        )
    if any(each.looks > 1 for each in found):
        told.append(
            "The games were looked at in between to see when to stop; the intervals of all looks "
            "hold together, too."
        )
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


def sheet(found: Sequence[Worth], seat: str, seed: int, language: str = "en") -> Sheet:
    """The worths of the first players as a sheet, with the cost of cards."""

    def say(key: str, **words: Any) -> str:
        return phrase(f"worth.{key}", language, **words)

    bots = found[0].bots if found else ()
    own = [each for each in found if each.bots == bots and each.measured]
    points = any(each.points.value for each in own)
    count = max((each.games + each.broken for each in own), default=0)
    names = bots[0] if len(set(bots)) == 1 else ", ".join(bots)
    behind = say("behind", count=count, players=len(bots), bots=names, seed=seed)
    if not own:
        return Sheet(behind, (), (), (say("nothing"),))
    panels: list[Curve | Rows] = []
    off = {each.name: each for each in by_cost(own, points=points)}
    if off:
        at = sorted((each for each in own if each.name in off), key=lambda each: each.cost or 0)
        told = tuple(
            Point(each.cost or 0, str(each.cost), _estimate(each, points=points)) for each in at
        )
        named = tuple(each.name if off[each.name].clear else "" for each in at)
        about = say("by_cost_about")
        curve = Curve(
            say("by_cost"), about, say("cost"), told, not points, joined=False, named=named
        )
        panels.append(curve)
        outliers = tuple(
            (each.name, str(each.cost), cell(each.apart, share=not points))
            for each in off.values()
            if each.clear
        )
        if outliers:
            named_by = say("what"), say("cost"), say("apart")
            panels.append(Rows(say("outliers"), say("outliers_about"), named_by, outliers))
    rows = tuple(
        (
            f"{say(each.sort)} {each.name}",
            _value(each.victories, 100).strip(),
            *([_value(each.points, 1).strip()] if points else []),
        )
        for each in own
    )
    head = (say("what"), say("victories"), *([say("points")] if points else []))
    panels.append(Rows(say("title", seat=seat), "", head, rows))
    return Sheet(behind, (), tuple(panels), (say("meaning", seat=seat), say("correction")))


def _estimate(each: Worth, *, points: bool) -> Estimate:
    change = each.points if points else each.victories
    return Estimate(change.value, change.low, change.high)


def _off_the_line(found: Sequence[Worth]) -> list[dict[str, Any]]:
    """Cards by cost, for each sort of players."""
    told = []
    for bots, some in groupby(found, key=lambda each: each.bots):
        own = list(some)
        points = any(each.points.value for each in own if each.measured)
        told += [
            {**asdict(each), "bots": list(bots), "points": points, "clear": each.clear}
            for each in by_cost(own, points=points)
        ]
    return [json_value(each) for each in told]


def to_json(found: Sequence[Worth], about: dict[str, Any], seat: str) -> dict[str, Any]:
    return {
        **about,
        "seat": seat,
        "compared": 2 * len(found),
        "correction": "Bonferroni, 95 % for all together",
        "by_cost": _off_the_line(found),
        "worths": [json_value({**asdict(each), "bots": list(each.bots)}) for each in found],
    }
