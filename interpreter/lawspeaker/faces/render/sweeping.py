"""Renders sweeps and tunings as tables for the terminal, as JSON and as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render.estimates import Telling
from lawspeaker.faces.render.simulation import broken_json, json_value
from lawspeaker.study.lab.measures import Measure, Measured, Measures
from lawspeaker.study.lab.sequential import Look
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.sweep import Sweep, SweepPoint
from lawspeaker.study.lab.tuning import Target, Tuning, TuningTrial, missed
from lawspeaker.study.lab.varying import Values

TRADE_OFF = (
    "± is half of the 95 % interval, `off` how far from the target it is. None of the lines above"
    " is beaten by another in closeness to every target and to the rules as they are: `change` is"
    " how far each choice is from the value it has, as a part of the values given, added up."
)
CHANGES = (
    "* the rules as they are. Below each other line: the change against them, game by game; ≈ may"
    " be chance, = none in any game."
)
NOTHING_TO_COMPARE = (
    "Under the rules as they are no game came to its end, so there is nothing to compare with."
)
MOST_TRIALS = 20
"""Number of trials shown on the terminal, the closest first."""


def swept(found: Sweep, behind: str) -> Group:
    """Renders a line for each value: the measures, and below them the change from the reference."""
    telling = found.telling
    tables = [_measures(found, telling[at : at + 4]) for at in range(0, len(telling), 4)]
    broke = "; ".join(
        f"{', '.join(values)}: {broken.games:,} of {found.games:,} games stopped on a fault"
        for values, broken in found.broken
    )
    note = f"\n{broke}; all figures are of the others." if broke else ""
    if pairs := few_pairs(found):
        note += f"\nThe change rests on those that came to their end under both: {pairs}."
    note += f"\n{behind}, the same luck for all; ± is half of the 95 % interval.\n"
    return Group(*tables, Text(note + (CHANGES if found.compared else NOTHING_TO_COMPARE)))


def few_pairs(found: Sweep) -> str:
    """Describes how many pairs a change rests on, where not all could be used."""
    return "; ".join(
        f"{', '.join(each.values)}: {each.pairs:,} of {found.games:,} pairs"
        for each in found.points
        if each.values != found.reference and each.pairs < found.games and found.compared
    )


def _measures(found: Sweep, measures: Measures) -> Table:
    """Builds a table of some measures, so that lines stay short."""
    table = Table(box=None, pad_edge=False)
    for varied in found.varied:
        table.add_column(varied.choice, justify="right")
    for each in measures:
        table.add_column(each.name, justify="right", min_width=12)
    telling = {each.name: _telling(found, each) for each in measures}
    for point in found.points:
        plain = (_plain(point.measures[name], told) for name, told in telling.items())
        table.add_row(*_marked(found, point), *plain)
        if point.changes is not None:
            changes = (_changed(point.changes[name], told) for name, told in telling.items())
            table.add_row(*[""] * len(found.varied), *changes, style="dim")
    return table


def _telling(found: Sweep, measure: Measure) -> Telling:
    estimates = [point.measures[measure.name] for point in found.points]
    return Telling.of(estimates, scale=_scale(measure))


def _plain(estimate: Estimate, telling: Telling) -> str:
    return telling.value(estimate) + telling.half(estimate)


def _changed(estimate: Estimate, telling: Telling) -> str:
    if estimate.low == estimate.high == 0:
        return "="
    return telling.change(estimate) + telling.half(estimate)


def tuned(
    found: Tuning,
    again: Measured | None,
    choices: tuple[str, ...],
    measures: Measures,
    behind: str,
    *,
    over: bool = True,
) -> Group:
    """Renders the Pareto front, smallest change first, and all trials.

    `again` is the best trial measured in fresh games, if the search was `over`.
    """
    scales = {each.name: _scale(each) for each in measures}
    told = {
        target.measure: Telling.of(
            [trial.measures[target.measure] for trial in found.front], scale=scales[target.measure]
        )
        for target in found.targets
    }
    best = ", ".join(
        f"{choice} = {value}" for choice, value in zip(choices, found.best.values, strict=True)
    )
    several = "; closest to all of them together" if len(found.targets) > 1 else ""
    lines = [f"\nClosest of {found.tried} tried: {best}{several}."]
    if over:
        found_again = _again(again, found.targets, told)
        lines.append(f"In other games than those it was chosen by: {found_again}.")
    else:
        lines.append("It was not measured in other games than those it was chosen by.")
    known = again or found.best.measures
    lines += [
        f"The target of {each.measure}, {told[each.measure].number(each.value)}, is missed: it lies"
        " outside of the interval."
        for each in found.targets
        if missed(known, each)
    ]
    other = "; the other games have the next seed" if over else ""
    lines += [f"All of this is told of {behind}{other}.", TRADE_OFF]
    if found.broken:
        lines.append(
            f"Under {len(found.broken)} of those tried, games stop on a fault: they are left out."
        )
    for target in found.targets if again is not None else ():
        if again is not None and not missed(again, target):
            lines.append(
                f"The target of {target.measure} lies within its interval: more games would tell"
                " more."
            )
    front = _trials(found.front, found.targets, choices, told, found.printed)
    parts: list[Any] = [front, Text("\n".join(lines))]
    if len(found.trials) > len(found.front):
        nearest = sorted(found.trials, key=lambda each: (each.miss, each.change))
        shown = nearest[:MOST_TRIALS]
        if found.printed is not None and found.printed not in shown:
            shown[-1] = found.printed
        left = len(nearest) - len(shown)
        more = f"; {left} more are in --json and --csv" if left else ""
        parts.append(Text(f"\nAll that was tried, the closest first{more}:", style="bold"))
        if found.printed is not None:
            parts.append(Text("* the rules as they are.", style="dim"))
        parts.append(_trials(shown, found.targets, choices, told, found.printed))
    return Group(*parts)


def _trials(
    trials: Sequence[TuningTrial],
    targets: Sequence[Target],
    choices: Sequence[str],
    told: dict[str, Telling],
    printed: TuningTrial | None,
) -> Table:
    table = Table(box=None, pad_edge=False)
    for choice in choices:
        table.add_column(choice, justify="right")
    for target in targets:
        for heading in (target.measure, "off"):
            table.add_column(heading, justify="right")
    table.add_column("change", justify="right")
    for trial in trials:
        cells: list[str] = []
        for target, miss in zip(targets, trial.misses, strict=True):
            estimate, telling = trial.measures[target.measure], told[target.measure]
            cells += [_plain(estimate, telling), telling.number(miss)]
        first, *rest = trial.values
        marked = f"*{first}" if trial == printed else first
        table.add_row(marked, *rest, *cells, f"{trial.change:.2f}")
    return table


def _again(again: Measured | None, targets: Sequence[Target], told: dict[str, Telling]) -> str:
    if again is None:
        return "some games stop on a fault, so it is no answer"

    def one(target: Target) -> str:
        estimate, telling = again[target.measure], told[target.measure]
        named = f"{target.measure} " if len(targets) > 1 else ""
        return f"{named}{telling.value(estimate)} ({telling.span(estimate)})"

    return ", ".join(one(each) for each in targets)


def _marked(found: Sweep, point: SweepPoint) -> list[str]:
    mark = "*" if point.values == found.reference else ""
    first, *rest = point.values
    return [f"{mark}{first}", *rest]


def _scale(measure: Measure) -> int:
    return 100 if measure.share else 1


def sweep_json(found: Sweep, about: dict[str, Any]) -> dict[str, Any]:
    choices = [each.choice for each in found.varied]
    return {
        **about,
        "games": found.games,
        "looks": found.look.number,
        "varied": choices,
        "points": [
            {
                "values": set_to(choices, point.values),
                "reference": point.values == found.reference,
                "games": point.games,
                "pairs": None if point.values == found.reference else point.pairs,
                "measures": estimates(point.measures),
                "changes": None if point.changes is None else estimates(point.changes),
            }
            for point in found.points
        ],
        "broken": [
            {"values": set_to(choices, values), **broken_json(broken)}
            for values, broken in found.broken
        ],
    }


def tuning_json(
    found: Tuning,
    again: Measured | None,
    choices: Sequence[str],
    looks: Mapping[Values, Look],
    about: dict[str, Any],
) -> dict[str, Any]:
    """Converts a tuning to JSON.

    `trials` are in order of execution; `again` is the best one measured in fresh games.
    """
    targets = [each.measure for each in found.targets]
    return {
        **about,
        "varied": list(choices),
        "targets": [
            {
                "measure": each.measure,
                "value": each.value,
                "missed": missed(again or found.best.measures, each),
            }
            for each in found.targets
        ],
        "trials": [
            {
                "values": set_to(choices, each.values),
                "games": looks[each.values].games,
                "looks": looks[each.values].number,
                "measures": estimates(each.measures),
                "off": json_value(dict(zip(targets, each.misses, strict=True))),
                "miss": json_value(each.miss),
                "change": json_value(each.change),
                "front": each in found.front,
                "best": each == found.best,
                "printed": each == found.printed,
            }
            for each in found.trials
        ],
        "broken": [{"values": set_to(choices, each)} for each in found.broken],
        "again": None if again is None else estimates(again),
    }


def set_to(choices: Sequence[str], values: Sequence[str]) -> dict[str, int | str]:
    """Maps choices to values, as numbers where possible."""
    return {
        choice: int(value) if value.removeprefix("-").isdecimal() else value
        for choice, value in zip(choices, values, strict=True)
    }


def estimates(measures: Measured) -> dict[str, Any]:
    return {name: json_value(asdict(estimate)) for name, estimate in measures.items()}
