"""Renders a simulation as tables for the terminal, as JSON and as CSV."""

from __future__ import annotations

import math
from dataclasses import asdict
from enum import Enum
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render.estimates import (
    Telling,
    at_most,
    mean_and_span,
    percent,
    rounded,
    share_and_span,
)
from lawspeaker.ir import Goal
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.statistics import Estimate, share
from lawspeaker.study.lab.tally import Summary, Use

FEW = 20
"""Minimum number of games for a comparison."""
USES = (
    "±: half of the 95 % interval, ≈: may be chance. That two things go together does not"
    " make one the cause: who is asked more often chooses everything more often. An answer that all"
    " can see is forced is not asked for, and not counted."
)


def tables(summary: Summary, rate: float | None = None) -> Group:
    """Renders the tables: seats, the whole game, sources of points, choices, clauses that fired."""
    tables = [seats(summary), whole(summary, rate), sources(summary), uses(summary), fired(summary)]
    parts: list[Any] = []
    for table in tables:
        if table.row_count:
            # A table title would be wrapped to a narrow table.
            parts.append(Text(f"{table.title}", style="bold"))
            if table.caption:
                parts.append(Text(f"{table.caption}", style="dim"))
            parts += [table, Text()]
            table.title = table.caption = None
    if summary.never:
        parts.append(Text(never(summary)))
    return Group(*parts)


def seats(summary: Summary) -> Table:
    points = ("score", "95 %", "deviation") if summary.scored else ()
    table = _table("By seat", ("seat", "bot"), ("wins", "95 %", *points))
    wins = Telling.of([seat.wins for seat in summary.seats], scale=100)
    score = Telling.of([seat.score for seat in summary.seats])
    for seat in summary.seats:
        cells = [seat.name, seat.bot, wins.value(seat.wins), wins.span(seat.wins)]
        if summary.scored:
            apart = "unknown" if seat.deviation is None else rounded(seat.deviation, 1)
            cells += [score.value(seat.score), score.span(seat.score), apart]
        table.add_row(*cells)
    return table


def whole(summary: Summary, rate: float | None) -> Table:
    table = Table(title="The game", box=None, pad_edge=False, show_header=False)
    pace = f" ({pace_of(rate)})" if rate else ""
    table.add_row("games", f"{summary.games:,}{pace}")
    if summary.broken.games:
        of = summary.games + summary.broken.games
        table.add_row(
            "stopped on a fault, besides", share_and_span(share(summary.broken.games, of))
        )
    if summary.together is not None:
        won = "won together" if len(summary.seats) > 1 else "won"
        table.add_row(won, share_and_span(summary.together))
    elif summary.starter is not None:
        started = share_and_span(summary.starter)
        table.add_row("wins of who starts", f"{started[:-1]}; fair: {percent(summary.fair)})")
        table.add_row("who starts", "whoever is first asked alone")
        # Of two seats, the other one has the rest.
        for after, wins in enumerate(summary.order[1:] if len(summary.order) > 2 else (), 1):
            seats = "1 seat" if after == 1 else f"{after} seats"
            table.add_row(f"wins {seats} after him", share_and_span(wins))
    else:
        table.add_row("who starts", "nobody: all are asked at once")
    if summary.together is None:
        table.add_row("shared victories", share_and_span(summary.ties))
    if summary.draws.value and summary.together is None:
        table.add_row("nobody wins", share_and_span(summary.draws))
    if summary.goal is not Goal.MOST:
        table.add_row("who wins", summary.goal.value)
    if summary.for_points:
        table.add_row("margin of the winner", mean_and_span(summary.margin))
        table.add_row("changes of the lead", _or_none(summary.leads, summary.games))
    table.add_row("decisions a game", mean_and_span(summary.decisions))
    table.add_row("options a decision", f"{summary.branching:.1f}")
    for each in summary.measures:
        told = share_and_span if each.share else mean_and_span
        table.add_row(f"measure.{each.name}", told(each.found))
    return table


def _or_none(times: Estimate, games: int) -> str:
    """Formats how often something happens in a game, or an upper bound if it never did."""
    if times.value:
        return mean_and_span(times)
    return f"none, so in less than {at_most(share(0, games).high)} of all games"


def pace_of(rate: float) -> str:
    """Formats a rate as games per second, or as seconds per game if it is slow."""
    if rate < 1:
        return f"{1 / rate:,.1f} seconds each"
    return f"{rate:,.{0 if rate >= 100 else 1}f} a second"


def never(summary: Summary) -> str:
    """Lists the rules that never had an effect, with an upper bound of their frequency."""
    most = at_most(share(0, summary.games).high)
    return (
        f"Never changed anything, so in less than {most} of all games: {', '.join(summary.never)}"
    )


def sources(summary: Summary) -> Table:
    table = _table(
        "Where points come from, a player and game", ("clause",), ("points", "95 %", "part")
    )
    points = Telling.of([each.points for each in summary.sources], least=2)
    for each in summary.sources:
        told = points.value(each.points), points.span(each.points)
        table.add_row(each.clause, *told, percent(each.part))
    return table


def compared(summary: Summary) -> list[Use]:
    """Returns the choices with enough games to compare those who chose them more often."""
    return [each for each in summary.uses if each.compared >= FEW]


def uses(summary: Summary) -> Table:
    """Builds the table of choices by question; `≈` marks insignificant differences."""
    table = _table(
        "What was chosen, and how those who chose it more often did against the others",
        ("option",),
        ("a game", "users", "wins", *(("score",) if summary.scored else ())),
    )
    table.caption = USES
    known = compared(summary)
    wins = Telling.of([each.wins for each in known], scale=100)
    score = Telling.of([each.score for each in known])
    question = ""
    for each in summary.uses:
        if each.question != question:
            question = each.question
            table.add_row(question, style="bold")
        cells = [f"  {each.option}", f"{each.times:.2f}", percent(each.players)]
        if each not in known:
            cells += ["too few games"]
        else:
            cells.append(wins.change(each.wins) + wins.half(each.wins))
            if summary.scored:
                cells.append(score.change(each.score) + score.half(each.score))
        table.add_row(*cells)
    return table


def fired(summary: Summary) -> Table:
    table = _table("How often clauses changed something, a game", ("clause",), ("times",))
    for clause, times in summary.fired:
        table.add_row(clause, f"{times:.2f}")
    return table


def _table(title: str, left: tuple[str, ...], right: tuple[str, ...]) -> Table:
    table = Table(title=title, box=None, pad_edge=False)
    for heading in left:
        # Wrapped rather than truncated, so that names stay distinct.
        table.add_column(heading, overflow="fold")
    for heading in right:
        table.add_column(heading, justify="right")
    return table


def json_value(value: Any) -> Any:
    """Converts a value to JSON; an unknown bound of an interval becomes null."""
    if isinstance(value, dict):
        return {key: json_value(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return None if math.isinf(value) else round(value, 6)
    return value


def to_json(summary: Summary, about: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json_value(asdict(summary))
    found["fired"] = [{"clause": clause, "times": times} for clause, times in found["fired"]]
    found["starter"] = found["order"][0] if found["order"] else None
    found["broken"] = broken_json(summary.broken)
    found["measures"] = {each.name: json_value(asdict(each.found)) for each in summary.measures}
    return {**about, **found}


def broken_json(broken: Broken) -> dict[str, Any]:
    return {"games": broken.games, "holes": [asdict(hole) for hole in broken.holes]}
