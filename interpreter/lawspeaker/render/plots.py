"""Simulations and sweeps as pictures, drawn by matplotlib (the extra `lab`).

Bands and whiskers are 95 % intervals. Seats are told apart by their place and label, so nothing
depends on colour alone.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lawspeaker.lab.statistics import Estimate
from lawspeaker.lab.sweep import Sweep
from lawspeaker.lab.tally import Summary
from lawspeaker.lab.tuning import Tuning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTHING_OF_ITSELF: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": dict.fromkeys(("Creator", "Date", "Format", "Type")),
    "pdf": dict.fromkeys(("Creator", "Producer", "CreationDate")),
}
KINDS = tuple(NOTHING_OF_ITSELF)
INK, ACCENT, BAND = "#22201c", "#0f5c66", "#9cc5c9"
SHOWN = {
    "score": "mean score",
    "spread": "lowest to highest score",
    "margin": "margin of the winner",
    "length": "decisions a game",
    "start": "advantage of the starter (%)",
    "ties": "shared victories (%)",
    "leads": "changes of the lead",
}
SHARES = frozenset(("start", "ties"))
MOST_BARS, MOST_BINS = 20, 30


class NoPlots(Exception):
    """There is nothing to draw with; the message says what to install."""


def drawn(figure: Figure, kind: str) -> bytes:
    """The bytes of a picture."""
    out = io.BytesIO()
    # What a file says of its making, a date above all, would make equal results unequal.
    figure.savefig(out, format=kind, dpi=144, metadata=NOTHING_OF_ITSELF[kind])
    return out.getvalue()


def simulation(summary: Summary, title: str) -> Figure:
    """Victories, scores, length, and where points come from."""
    figure = _figure(11, 8)
    (wins, scores), (lengths, sources) = figure.subplots(2, 2)
    names = [f"{seat.name}\n{seat.bot}" for seat in summary.seats]
    wins.bar(
        names,
        [100 * seat.wins.value for seat in summary.seats],
        yerr=_whiskers([seat.wins for seat in summary.seats], 100),
        color=BAND,
        edgecolor=ACCENT,
        capsize=4,
    )
    wins.axhline(100 / len(names), color=INK, linewidth=1, linestyle="dotted")
    wins.set_title("victories (%), dotted: fair")
    spread = [
        [score for score, count in seat.scores for _ in range(count)] for seat in summary.seats
    ]
    scores.boxplot(spread, tick_labels=[seat.name for seat in summary.seats], showmeans=True)
    scores.set_title("scores")
    lengths.hist(
        [length for length, _ in summary.lengths],
        weights=[count for _, count in summary.lengths],
        bins=_whole_bins([length for length, _ in summary.lengths]),
        color=BAND,
        edgecolor=ACCENT,
    )
    lengths.set_title("decisions a game")
    top = sorted(summary.sources, key=lambda each: abs(each.points.value))[-MOST_BARS:]
    sources.barh(
        [each.clause for each in top],
        [each.points.value for each in top],
        xerr=_whiskers([each.points for each in top], 1),
        color=BAND,
        edgecolor=ACCENT,
        capsize=3,
    )
    sources.set_title("points a player and game, by rule")
    figure.suptitle(title)
    return figure


def sweep(found: Sweep, title: str) -> Figure:
    """A line with its band for each measure; for two choices, a field of values."""
    figure = _figure(12, 6.5)
    axes = figure.subplots(2, 4).flatten()
    for axis, (measure, label) in zip(axes, SHOWN.items(), strict=False):
        if len(found.varied) == 1:
            _line(axis, found, measure)
        else:
            _field(axis, found, measure)
        axis.set_title(label, fontsize=10)
    axes[-1].axis("off")
    figure.suptitle(title)
    return figure


def tuning(found: Tuning, title: str) -> Figure:
    """The trade-off between closeness to the target and to the rules as they are."""
    figure = _figure(7, 5)
    axis = figure.subplots()
    axis.plot(
        [each.change for each in found.curve],
        [each.miss for each in found.curve],
        color=ACCENT,
        marker="o",
    )
    for each in found.curve:
        axis.annotate(
            ", ".join(each.values),
            (each.change, each.miss),
            xytext=(5, 5),
            textcoords="offset points",
        )
    axis.set_xlabel("change to the rules")
    axis.set_ylabel(f"distance of {SHOWN[found.target.measure]} from {found.target.value:g}")
    figure.suptitle(title)
    return figure


def _line(axis: Any, found: Sweep, measure: str) -> None:
    values = found.varied[0].numbers or tuple(range(len(found.points)))
    scale = 100 if measure in SHARES else 1
    estimates = [point.measures[measure] for point in found.points]
    axis.fill_between(
        values,
        [scale * each.low for each in estimates],
        [scale * each.high for each in estimates],
        color=BAND,
        linewidth=0,
    )
    axis.plot(values, [scale * each.value for each in estimates], color=ACCENT, marker="o")
    axis.set_xticks(values, found.varied[0].values)
    axis.set_xlabel(found.varied[0].choice)


def _field(axis: Any, found: Sweep, measure: str) -> None:
    down, across = found.varied
    scale = 100 if measure in SHARES else 1
    width = len(across.values)
    means = [scale * point.measures[measure].value for point in found.points]
    rows = [means[at : at + width] for at in range(0, len(means), width)]
    axis.imshow(rows, cmap="GnBu", alpha=0.6, aspect="auto")
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            axis.text(x, y, f"{value:.1f}", ha="center", va="center", color=INK, fontsize=8)
    axis.set_xticks(range(width), across.values)
    axis.set_yticks(range(len(down.values)), down.values)
    axis.set_xlabel(across.choice)
    axis.set_ylabel(down.choice)


def _whole_bins(numbers: Sequence[int]) -> list[float]:
    """Edges of equal bins for whole numbers, each bin of the same count of them."""
    low, high = min(numbers), max(numbers)
    width = (high - low) // MOST_BINS + 1
    return [low - 0.5 + width * step for step in range((high - low) // width + 2)]


def _whiskers(estimates: Sequence[Estimate], scale: float) -> list[list[float]]:
    return [
        [scale * (each.value - each.low) for each in estimates],
        [scale * (each.high - each.value) for each in estimates],
    ]


def _figure(width: float, height: float) -> Figure:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise NoPlots("plots need matplotlib: pip install 'lawspeaker[lab]'") from None
    mpl.rcParams["svg.hashsalt"] = "lawspeaker"
    return Figure(figsize=(width, height), layout="constrained")
