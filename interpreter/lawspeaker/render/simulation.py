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

from lawspeaker.lab.record import Record
from lawspeaker.lab.statistics import Estimate
from lawspeaker.lab.tally import Summary


def tables(summary: Summary, rate: float | None = None) -> Group:
    """Seats, the game as a whole, where points come from, pieces, how often each clause fired."""
    parts: list[Any] = [seats(summary), whole(summary, rate)]
    if summary.sources:
        parts.append(sources(summary))
    if summary.uses:
        parts.append(uses(summary))
    parts.append(fired(summary))
    if summary.never:
        parts.append(Text("\nnever: " + ", ".join(summary.never)))
    return Group(*parts)


def seats(summary: Summary) -> Table:
    table = _table("By seat", ("seat", "bot"), ("wins", "95 %", "score", "95 %", "deviation"))
    for seat in summary.seats:
        table.add_row(
            seat.name,
            seat.bot,
            percent(seat.wins.value),
            percents(seat.wins),
            f"{seat.score.value:.1f}",
            span(seat.score),
            f"{seat.deviation:.1f}",
        )
    return table


def whole(summary: Summary, rate: float | None) -> Table:
    table = Table(title="\nThe game", title_justify="left", box=None, show_header=False)
    fair = percent(1 / len(summary.seats))
    for label, text in (
        ("games", f"{summary.games:,}" + (f" ({rate:,.0f} a second)" if rate else "")),
        (
            "wins of who starts",
            f"{percent(summary.starter.value)} ({percents(summary.starter)}; fair: {fair})",
        ),
        ("margin of the winner", f"{summary.margin.value:.1f} ({span(summary.margin)})"),
        ("shared victories", f"{percent(summary.ties.value)} ({percents(summary.ties)})"),
        ("changes of the lead", f"{summary.leads.value:.1f} ({span(summary.leads)})"),
        ("decisions a game", f"{summary.decisions.value:.1f} ({span(summary.decisions)})"),
        ("options a decision", f"{summary.branching:.1f}"),
    ):
        table.add_row(label, text)
    return table


def sources(summary: Summary) -> Table:
    table = _table(
        "\nWhere points come from, a player and game", ("clause",), ("points", "95 %", "part")
    )
    for each in summary.sources:
        points = each.points
        table.add_row(each.clause, f"{points.value:.2f}", span(points, 2), percent(each.part))
    return table


def uses(summary: Summary) -> Table:
    """What goes with choosing a piece; a leading sign marks what may well be chance."""
    table = _table(
        "\nWhat was chosen, and how its users did against the others (≈: may be chance)",
        ("piece", "kind"),
        ("a game", "users", "wins", "95 %", "score", "95 %"),
    )
    for each in summary.uses:
        table.add_row(
            each.piece,
            each.kind,
            f"{each.times:.2f}",
            percent(each.players),
            _maybe(each.wins, f"{100 * each.wins.value:+.1f} %"),
            span(Estimate(*(100 * v for v in (each.wins.value, each.wins.low, each.wins.high)))),
            _maybe(each.score, f"{each.score.value:+.1f}"),
            span(each.score),
        )
    return table


def fired(summary: Summary) -> Table:
    table = _table("\nHow often clauses fired, a game", ("clause",), ("times",))
    for clause, times in summary.fired:
        table.add_row(clause, f"{times:.2f}")
    return table


def _table(title: str, left: tuple[str, ...], right: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in left:
        table.add_column(heading)
    for heading in right:
        table.add_column(heading, justify="right")
    return table


def _maybe(estimate: Estimate, text: str) -> str:
    return f"≈ {text}" if estimate.low <= 0 <= estimate.high else text


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def percents(estimate: Estimate) -> str:
    return f"{percent(estimate.low)} to {percent(estimate.high)}"


def span(estimate: Estimate, digits: int = 1) -> str:
    if math.isinf(estimate.low):
        return "unknown"
    return f"{estimate.low:.{digits}f} to {estimate.high:.{digits}f}"


def tidy(value: Any) -> Any:
    """Plain data; an interval that is not known yet is null."""
    if isinstance(value, dict):
        return {key: tidy(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [tidy(each) for each in value]
    if isinstance(value, float):
        return None if math.isinf(value) else round(value, 6)
    return value


def to_json(summary: Summary, about: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = tidy(asdict(summary))
    found["fired"] = dict(found["fired"])
    return {**about, **found}


def to_csv(records: Iterable[Record], names: tuple[str, ...]) -> str:
    """A line a game: number, score of each seat, winners, who started, decisions, lead changes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    scores = (f"score {name}" for name in names)
    writer.writerow(["game", *scores, "winners", "starter", "decisions", "lead changes"])
    for record in records:
        winners = "+".join(names[seat] for seat in record.winners)
        starter = names[record.starter]
        told = [winners, starter, record.decisions, record.leads]
        writer.writerow([record.number, *record.scores, *told])
    return out.getvalue()
