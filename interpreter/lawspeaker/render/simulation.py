"""A simulation as tables for the terminal, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.simulate import Estimate, Record, Summary


def tables(summary: Summary, rate: float | None = None) -> Group:
    """Seats, the game as a whole, and how often each clause fired."""
    seats = Table(title="By seat", title_justify="left", box=None, pad_edge=False)
    for heading in ("seat", "bot", "wins", "95 %", "score", "95 %", "deviation"):
        seats.add_column(heading, justify="left" if heading in ("seat", "bot") else "right")
    for seat in summary.seats:
        seats.add_row(
            seat.name,
            seat.bot,
            percent(seat.wins.value),
            f"{percent(seat.wins.low)} to {percent(seat.wins.high)}",
            f"{seat.score.value:.1f}",
            span(seat.score),
            f"{seat.deviation:.1f}",
        )
    whole = Table(title="\nThe game", title_justify="left", box=None, show_header=False)
    whole.add_row("games", f"{summary.games:,}" + (f" ({rate:,.0f} a second)" if rate else ""))
    whole.add_row("margin of the winner", f"{summary.margin.value:.1f} ({span(summary.margin)})")
    ties = f"{percent(summary.ties.low)} to {percent(summary.ties.high)}"
    whole.add_row("shared victories", f"{percent(summary.ties.value)} ({ties})")
    length = f"{summary.decisions.value:.1f} ({span(summary.decisions)})"
    whole.add_row("decisions a game", length)
    whole.add_row("options a decision", f"{summary.branching:.1f}")
    fired = Table(title="\nHow often clauses fired, a game", title_justify="left", box=None)
    fired.add_column("clause")
    fired.add_column("times", justify="right")
    for clause, times in summary.fired:
        fired.add_row(clause, f"{times:.2f}")
    parts: list[Any] = [seats, whole, fired]
    if summary.never:
        parts.append(Text("\nnever: " + ", ".join(summary.never)))
    return Group(*parts)


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def span(estimate: Estimate) -> str:
    if math.isinf(estimate.low):
        return "unknown"
    return f"{estimate.low:.1f} to {estimate.high:.1f}"


def to_json(summary: Summary, about: dict[str, Any]) -> dict[str, Any]:
    """Plain data; an interval that is not known yet is null."""

    def tidy(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: tidy(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [tidy(each) for each in value]
        if isinstance(value, float):
            return None if math.isinf(value) else round(value, 6)
        return value

    found: dict[str, Any] = tidy(asdict(summary))
    found["fired"] = dict(found["fired"])
    return {**about, **found}


def to_csv(records: Iterable[Record], names: tuple[str, ...]) -> str:
    """A line a game: number, score of each seat, winners, decisions."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["game", *(f"score {name}" for name in names), "winners", "decisions"])
    for record in records:
        winners = "+".join(names[seat] for seat in record.winners)
        writer.writerow([record.number, *record.scores, winners, record.decisions])
    return out.getvalue()
