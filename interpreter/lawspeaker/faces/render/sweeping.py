"""Sweeps and tunings as tables for the terminal, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render.estimates import Telling
from lawspeaker.faces.render.plots import SHARES
from lawspeaker.faces.render.simulation import broken_json, tidy
from lawspeaker.study.lab.measures import MEASURES, Measured
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.sweep import Point, Sweep
from lawspeaker.study.lab.tuning import Target, Tuning


def swept(found: Sweep, bots: str) -> Group:
    """A line for each value: the measures, and under them the change against the reference."""
    names = found.telling
    tables = [_measures(found, names[at : at + 4]) for at in range(0, len(names), 4)]
    broke = "; ".join(
        f"{', '.join(values)}: {broken.games:,} of {found.games:,} games broke off"
        for values, broken in found.broken
    )
    note = (f"\n{broke}; all figures are of the others." if broke else "") + (
        f"\n{found.games:,} games each ({bots}), the same luck for all; ± is half of the 95 % "
        "interval.\n"
        "Below each line: the change against the line marked *, game by game; ≈ may be chance, "
        "= none."
    )
    return Group(*tables, Text(note))


def _measures(found: Sweep, names: Sequence[str]) -> Table:
    """Some of the measures, so that lines stay short."""
    table = Table(box=None, pad_edge=False)
    for each in found.varied:
        table.add_column(each.choice, justify="right")
    for name in names:
        table.add_column(name, justify="right", min_width=12)
    telling = {name: _telling(found, name) for name in names}
    for point in found.points:
        measures = (_plain(point.measures[name], telling[name]) for name in names)
        table.add_row(*_marked(found, point), *measures)
        if point.changes is not None:
            changes = (_changed(point.changes[name], telling[name]) for name in names)
            table.add_row(*[""] * len(found.varied), *changes, style="dim")
    return table


def _telling(found: Sweep, name: str) -> Telling:
    return Telling.of([point.measures[name] for point in found.points], scale=_scale(name))


def _plain(estimate: Estimate, telling: Telling) -> str:
    return telling.value(estimate) + telling.half(estimate)


def _changed(estimate: Estimate, telling: Telling) -> str:
    if estimate.low == estimate.high == 0:
        return "="
    return telling.change(estimate) + telling.half(estimate)


def tuned(found: Tuning, again: Estimate | None, choices: tuple[str, ...], bots: str) -> Group:
    """The trade-off, smallest change first; `again` is the best one, measured in other games."""
    table = Table(box=None, pad_edge=False)
    for choice in choices:
        table.add_column(choice, justify="right")
    for heading in (found.target.measure, "95 %", "off target", "change"):
        table.add_column(heading, justify="right")
    told = Telling.of([trial.measure for trial in found.curve], scale=_scale(found.target.measure))
    for trial in found.curve:
        measure = told.value(trial.measure), told.span(trial.measure), told.number(trial.miss)
        table.add_row(*trial.values, *measure, f"{trial.change:.2f}")
    best = ", ".join(
        f"{choice} = {value}" for choice, value in zip(choices, found.best.values, strict=True)
    )
    lines = [
        f"\nClosest of {found.trials} tried: {best}.",
        f"In other games than those it was chosen by: {_again(again, found.target)}.",
        f"All of this is told of these bots: {bots}.",
        "Each line above is the closest for so little change to the rules: how far each choice is",
        "from the value it has, as a part of the values given, added up.",
    ]
    if found.broken:
        lines.append(
            f"Under {len(found.broken)} of those tried, games break off: they are left out."
        )
    if again is not None and again.low <= found.target.value <= again.high:
        lines.append("The target lies within this interval: more games would tell more.")
    return Group(table, Text("\n".join(lines)))


def _again(again: Estimate | None, target: Target) -> str:
    if again is None:
        return "some of them break off, so it is no answer"
    told = Telling.of([again], scale=_scale(target.measure))
    return f"{told.value(again)} ({told.span(again)})"


def _marked(found: Sweep, point: Point) -> list[str]:
    mark = "*" if point.values == found.reference else ""
    first, *rest = point.values
    return [f"{mark}{first}", *rest]


def _scale(name: str) -> int:
    return 100 if name in SHARES else 1


def sweep_json(found: Sweep, about: dict[str, Any]) -> dict[str, Any]:
    return {
        **about,
        "games": found.games,
        "varied": [each.choice for each in found.varied],
        "reference": list(found.reference),
        "points": [
            {
                "values": list(point.values),
                "measures": _estimates(point.measures),
                "changes": None if point.changes is None else _estimates(point.changes),
            }
            for point in found.points
        ],
        "broken": [
            {"values": list(values), **broken_json(broken)} for values, broken in found.broken
        ],
    }


def sweep_csv(found: Sweep) -> str:
    """A line for each value: each measure, and its change against the reference, which has none
    itself, with their intervals."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = [*MEASURES, *(f"{name} change" for name in MEASURES)]
    headings = [f"{name}{what}" for name in columns for what in ("", " low", " high")]
    writer.writerow([*(each.choice for each in found.varied), *headings])
    for point in found.points:
        numbers = _numbers(point.measures) + _numbers(point.changes)
        writer.writerow([*point.values, *numbers])
    return out.getvalue()


def _numbers(measures: Measured | None) -> list[float | str]:
    if measures is None:
        return [""] * (3 * len(MEASURES))
    estimates = (measures[name] for name in MEASURES)
    return [round(v, 6) for each in estimates for v in (each.value, each.low, each.high)]


def tuning_json(found: Tuning, again: Estimate | None, about: dict[str, Any]) -> dict[str, Any]:
    told = None if again is None else tidy(asdict(again))
    return {**about, **tidy(asdict(found)), "again": told}


def _estimates(measures: Measured) -> dict[str, Any]:
    return {name: tidy(asdict(estimate)) for name, estimate in measures.items()}
