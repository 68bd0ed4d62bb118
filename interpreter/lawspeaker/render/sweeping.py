"""Sweeps and tunings as tables for the terminal, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.lab.measures import MEASURES, Measured
from lawspeaker.lab.statistics import Estimate
from lawspeaker.lab.sweep import Point, Sweep
from lawspeaker.lab.tuning import Trial, Tuning
from lawspeaker.render.plots import SHARES
from lawspeaker.render.simulation import tidy


def swept(found: Sweep) -> Group:
    """A line for each value: the measures, and under them the change against the reference."""
    tables = [_measures(found, names) for names in (list(MEASURES)[:4], list(MEASURES)[4:])]
    note = (
        f"{found.games:,} games each, the same luck for all; ± is half of the 95 % interval.\n"
        "Below each line: the change against the line marked *, game by game; = none."
    )
    return Group(*tables, Text(note))


def _measures(found: Sweep, names: Sequence[str]) -> Table:
    """Some of the measures, so that lines stay short."""
    table = Table(box=None, pad_edge=False)
    for each in found.varied:
        table.add_column(each.choice, justify="right")
    for name in names:
        table.add_column(name, justify="right", min_width=12)
    for point in found.points:
        table.add_row(*_marked(found, point), *(_plain(point.measures, name) for name in names))
        if point.changes is not None:
            changes = (_changed(point.changes, name) for name in names)
            table.add_row(*[""] * len(found.varied), *changes, style="dim")
    return table


def tuned(found: Tuning, choices: tuple[str, ...]) -> Group:
    """The trade-off, smallest change first."""
    table = Table(box=None, pad_edge=False)
    for choice in choices:
        table.add_column(choice, justify="right")
    for heading in (found.target.measure, "95 %", "off target", "change"):
        table.add_column(heading, justify="right")
    for trial in found.curve:
        table.add_row(*trial.values, *_trial(trial, found.target.measure))
    best = ", ".join(
        f"{choice} = {value}" for choice, value in zip(choices, found.best.values, strict=True)
    )
    lines = [
        f"Closest of {found.trials} tried: {best}.",
        "Each line above is the closest for so little change to the rules.",
    ]
    if found.best.measure.low <= found.target.value <= found.best.measure.high:
        lines.append("The target lies within its interval: more games would tell more.")
    return Group(table, Text("\n".join(lines)))


def _trial(trial: Trial, measure: str) -> tuple[str, str, str, str]:
    scale = _scale(measure)
    low, high = scale * trial.measure.low, scale * trial.measure.high
    return (
        f"{scale * trial.measure.value:.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{scale * trial.miss:.2f}",
        f"{trial.change:.2f}",
    )


def _marked(found: Sweep, point: Point) -> list[str]:
    mark = "*" if point.values == found.reference else ""
    first, *rest = point.values
    return [f"{mark}{first}", *rest]


def _scale(name: str) -> int:
    return 100 if name in SHARES else 1


def _plain(measures: Measured, name: str) -> str:
    estimate, scale = measures[name], _scale(name)
    unit = " %" if name in SHARES else ""
    return f"{scale * estimate.value:.1f}{_give_or_take(estimate, scale)}{unit}"


def _changed(changes: Measured, name: str) -> str:
    estimate, scale = changes[name], _scale(name)
    if estimate.value == estimate.low == estimate.high == 0:
        return "="
    return f"{scale * estimate.value:+.1f}{_give_or_take(estimate, scale)}"


def _give_or_take(estimate: Estimate, scale: int) -> str:
    return "" if math.isinf(estimate.half) else f" ±{scale * estimate.half:.1f}"


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
    }


def sweep_csv(found: Sweep) -> str:
    """A line for each value: each measure with its interval."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    headings = [f"{name}{what}" for name in MEASURES for what in ("", " low", " high")]
    writer.writerow([*(each.choice for each in found.varied), *headings])
    for point in found.points:
        row: list[float | str] = list(point.values)
        for name in MEASURES:
            estimate = point.measures[name]
            row += [round(v, 6) for v in (estimate.value, estimate.low, estimate.high)]
        writer.writerow(row)
    return out.getvalue()


def tuning_json(found: Tuning, about: dict[str, Any]) -> dict[str, Any]:
    return {**about, **tidy(asdict(found))}


def _estimates(measures: Measured) -> dict[str, Any]:
    return {name: tidy(asdict(estimate)) for name, estimate in measures.items()}
