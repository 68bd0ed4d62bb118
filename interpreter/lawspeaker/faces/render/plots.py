"""Plots simulations, sweeps and tunings with matplotlib (the extra `lab`).

Bands and whiskers are 95 % intervals. Seats are identified by position and label, and insignificant
values by hollow marks, so that nothing depends on colour alone.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lawspeaker.base.diagnostics import Failure
from lawspeaker.faces.render.sheet import Curve, Sheet
from lawspeaker.faces.render.simulation import compared
from lawspeaker.study.lab.figures import SeatSummary
from lawspeaker.study.lab.measures import Measure, Measures
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.sweep import Sweep, SweepPoint
from lawspeaker.study.lab.tally import Summary
from lawspeaker.study.lab.tuning import Target, Tuning, TuningTrial

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTHING_OF_ITSELF: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": dict.fromkeys(("Creator", "Date", "Format", "Type")),
    "pdf": dict.fromkeys(("Creator", "Producer", "CreationDate")),
}
KINDS = tuple(NOTHING_OF_ITSELF)
INK, SOFT, LINE, ACCENT, BAND = "#22201c", "#655f55", "#e2dccf", "#0f5c66", "#a9cdd0"
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "lawspeaker",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": LINE,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "errorbar.capsize": 3,
}
SHOWN = {
    "score": "mean score",
    "spread": "lowest to highest score",
    "margin": "margin of the winner",
    "length": "decisions a game",
    "start": "advantage of the starter (%)",
    "ties": "shared victories (%)",
    "draws": "nobody wins (%)",
    "breaks": "games that stop on a fault (%)",
    "leads": "changes of the lead",
}
MOST_ROWS, MOST_BINS, ACROSS, MOST_TICKS = 20, 40, 4, 12


class NoPlots(Failure):
    """Raised when matplotlib is missing; the message says what to install."""


def drawn(figure: Figure, kind: str) -> bytes:
    """Serializes a figure."""
    import matplotlib as mpl

    out = io.BytesIO()
    # Metadata of a file, above all a date, would make equal results differ.
    with mpl.rc_context(STYLE):
        figure.savefig(out, format=kind, dpi=144, metadata=NOTHING_OF_ITSELF[kind])
    return out.getvalue()


def _styled(width: float, height: float, draw: Callable[[Figure], None], title: str) -> Figure:
    """Creates a figure with the common style and draws on it."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ModuleNotFoundError:
        raise NoPlots("plots need matplotlib: pip install 'lawspeaker[lab]'") from None
    with mpl.rc_context(STYLE):
        spaced = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
        figure = Figure(figsize=(width, height), layout=spaced)
        draw(figure)
        if title:
            figure.suptitle(title, fontsize=12, fontweight="bold", x=0.01, ha="left")
    return figure


def _note(axis: Any, text: str) -> None:
    """Draws a legend of the signs in a free panel."""
    axis.axis("off")
    axis.text(0, 1, text, va="top", color=SOFT, linespacing=1.6)


# ---------------------------------------------------------------- a simulation

SIMULATION_NOTE = """Whiskers of marks: 95 % intervals.
Hollow: the difference may well be chance.
Boxes: the middle half of the games, and 90 % of them;
line: median, diamond: mean.
Who uses something and wins did not win because of it."""


def simulation(summary: Summary, title: str) -> Figure:
    """Plots wins, scores, length, order of play, sources of points, and how those do who choose
    something."""
    panels: list[Callable[[Any, Summary], None]] = [_wins]
    if summary.scored:
        panels.append(_scores)
    panels.append(_lengths)
    if len(summary.order) > 2 and summary.together is None:
        panels.append(_order)
    if summary.sources:
        panels.append(_sources)
    if compared(summary):
        panels.append(_uses)
    rows = math.ceil((len(panels) + 1) / 2)

    def draw(figure: Figure) -> None:
        axes = figure.subplots(rows, 2, squeeze=False).flatten()
        for axis, panel in zip(axes, panels, strict=False):
            panel(axis, summary)
        for axis in axes[len(panels) :]:
            axis.axis("off")
        _note(axes[len(panels)], SIMULATION_NOTE)

    return _styled(11, 3.6 * rows, draw, title)


def _wins(axis: Any, summary: Summary) -> None:
    names = [_seat(seat) for seat in summary.seats]
    fair = 100 * summary.fair
    axis.axvline(fair, color=INK, linewidth=1, linestyle="dotted")
    _marks(axis, names, [seat.wins for seat in summary.seats], 100, fair)
    axis.set_title("victories (%), dotted: fair")


def _scores(axis: Any, summary: Summary) -> None:
    boxes = [_box(seat) for seat in summary.seats]
    axis.bxp(
        boxes,
        positions=range(len(boxes)),
        orientation="horizontal",
        showfliers=False,
        showmeans=True,
        widths=0.5,
        patch_artist=True,
        boxprops={"facecolor": BAND, "edgecolor": ACCENT},
        medianprops={"color": ACCENT, "linewidth": 2},
        meanprops={"marker": "D", "markersize": 4, "markerfacecolor": INK, "markeredgecolor": INK},
        whiskerprops={"color": ACCENT},
        capprops={"color": ACCENT},
    )
    _rows(axis, [_seat(seat) for seat in summary.seats])
    axis.set_title("scores")


def _seat(seat: SeatSummary) -> str:
    return f"{seat.name} ({seat.bot})"


def _box(seat: SeatSummary) -> dict[str, Any]:
    """Returns box-plot statistics of a seat's scores."""
    low, first, middle, third, high = quantiles(seat.scores, (0.05, 0.25, 0.5, 0.75, 0.95))
    return {
        "whislo": low, "q1": first, "med": middle, "q3": third, "whishi": high,
        "mean": seat.score.value, "label": seat.name,
    }  # fmt: skip


def quantiles(counted: Sequence[tuple[int, int]], parts: Sequence[float]) -> list[int]:
    """Returns quantiles of sorted values with counts: the lowest value that at least each part does
    not exceed."""
    whole = sum(times for _, times in counted)
    found, seen = [], 0
    wanted = list(parts)
    for value, times in counted:
        seen += times
        while wanted and seen >= wanted[0] * whole:
            found.append(value)
            wanted.pop(0)
    return found


def _lengths(axis: Any, summary: Summary) -> None:
    values = [length for length, _ in summary.lengths]
    axis.hist(
        values,
        weights=[100 * count / summary.games for _, count in summary.lengths],
        bins=_whole_bins(values),
        color=BAND,
        edgecolor=ACCENT,
        linewidth=0.6,
    )
    axis.grid(visible=False, axis="x")
    axis.set_title("decisions a game (% of the games)")


def _order(axis: Any, summary: Summary) -> None:
    later = range(1, len(summary.order))
    names = ["starts", *(f"{count} seat{'s' * (count > 1)} after" for count in later)]
    fair = 100 * summary.fair
    axis.axvline(fair, color=INK, linewidth=1, linestyle="dotted")
    _marks(axis, names, summary.order, 100, fair)
    axis.set_title("victories (%) by order of play, dotted: fair")


def _sources(axis: Any, summary: Summary) -> None:
    top = sorted(summary.sources, key=lambda each: -abs(each.points.value))[:MOST_ROWS]
    places = range(len(top))
    values = [each.points.value for each in top]
    axis.barh(places, values, color=BAND, edgecolor=ACCENT, linewidth=0.6, height=0.7)
    for place, each in zip(places, top, strict=True):
        told = f" {each.points.value:.2f}"
        axis.text(max(each.points.value, 0), place, told, va="center", fontsize=8, color=SOFT)
    axis.axvline(0, color=SOFT, linewidth=0.8)
    axis.margins(x=0.12)
    _rows(axis, [each.clause for each in top])
    axis.set_title("points a player and game, by rule")


def _uses(axis: Any, summary: Summary) -> None:
    top = sorted(compared(summary), key=lambda each: -each.players)[:MOST_ROWS]
    top.sort(key=lambda each: -each.wins.value)
    axis.axvline(0, color=INK, linewidth=1, linestyle="dotted")
    _marks(axis, [each.option for each in top], [each.wins for each in top], 100, 0)
    axis.set_title("victories (%) of who chose it more often, less the others'")


def _marks(
    axis: Any, names: Sequence[str], estimates: Sequence[Estimate], scale: int, usual: float
) -> None:
    """Draws a mark with its interval in each row: hollow if the interval contains the usual
    value."""
    for place, each in enumerate(estimates):
        hollow = scale * each.low <= usual <= scale * each.high
        axis.errorbar(
            [scale * each.value],
            [place],
            xerr=_whiskers([each], scale),
            fmt="o",
            color=ACCENT,
            markersize=6,
            markerfacecolor="white" if hollow else ACCENT,
        )
    _rows(axis, names)


def _rows(axis: Any, names: Sequence[str]) -> None:
    """Labels rows, the first on top; a single one does not fill the plot."""
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(max(len(names), 3) - 0.5, -0.5)
    axis.grid(visible=False, axis="y")
    axis.tick_params(axis="y", length=0)


def _whole_bins(numbers: Sequence[int]) -> list[float]:
    """Returns the edges of bins that contain equally many whole numbers."""
    low, high = min(numbers), max(numbers)
    width = (high - low) // MOST_BINS + 1
    return [low - 0.5 + width * step for step in range((high - low) // width + 2)]


def _whiskers(estimates: Sequence[Estimate], scale: float) -> list[list[float]]:
    return [
        [scale * (each.value - each.low) for each in estimates],
        [scale * (each.high - each.value) for each in estimates],
    ]


# ---------------------------------------------------------------- a sweep


def sweep(found: Sweep, title: str) -> Figure:
    """Plots a line with its band for each measure; for two choices, a heat map."""
    panel = _line if len(found.varied) == 1 else _field
    note = LINE_NOTE if len(found.varied) == 1 else FIELD_NOTE
    measures = found.telling
    rows = math.ceil((len(measures) + 1) / ACROSS)

    def draw(figure: Figure) -> None:
        axes = figure.subplots(rows, ACROSS, squeeze=False).flatten()
        for axis, measure in zip(axes, measures, strict=False):
            panel(axis, found, measure)
            axis.set_title(_title(measure))
        for axis in axes[len(measures) :]:
            axis.axis("off")
        _note(axes[len(measures)], note)

    return _styled(12, 3.25 * rows, draw, title)


LINE_NOTE = """Band: 95 % interval.
Dotted: what changes are measured
against, the rules as they are.
Hollow: the change against them,
measured game by game,
may well be chance."""
FIELD_NOTE = """Framed: what changes are measured
against, the rules as they are.
≈: the change against them,
measured game by game,
may well be chance; =: no change."""


def _title(measure: Measure) -> str:
    return SHOWN.get(measure.name) or measure.name + " (%)" * measure.share


def _sign(point: SweepPoint, measure: str) -> str:
    """Returns a sign for how a point differs from the reference: not at all, insignificantly, or
    clearly."""
    if point.changes is None:
        return ""
    change = point.changes[measure]
    if change.low == change.high == 0:
        return "= "
    return "≈ " if change.low <= 0 <= change.high else ""


def _line(axis: Any, found: Sweep, measure: Measure) -> None:
    choice = found.varied[0]
    points, values = _in_order(found.points)
    scale = 100 if measure.share else 1
    estimates = [point.measures[measure.name] for point in points]
    axis.fill_between(
        values,
        [scale * each.low for each in estimates],
        [scale * each.high for each in estimates],
        color=BAND,
        alpha=0.6,
        linewidth=0,
    )
    axis.plot(values, [scale * each.value for each in estimates], color=ACCENT)
    for at, point, each in zip(values, points, estimates, strict=True):
        if point.values == found.reference:
            axis.axvline(at, color=INK, linewidth=1, linestyle="dotted")
        inside = "white" if _sign(point, measure.name) else ACCENT
        axis.plot([at], [scale * each.value], "o", color=ACCENT, markerfacecolor=inside)
    if measure.what in ("start", "ahead"):
        axis.axhline(0, color=SOFT, linewidth=0.8)
    axis.set_xticks(values, [point.values[0] for point in points])
    axis.set_xlabel(choice.choice)
    axis.grid(visible=False, axis="x")


def _in_order(points: Sequence[SweepPoint]) -> tuple[list[SweepPoint], list[int]]:
    """Sorts points by number and places them to scale; other values are equally spaced."""
    try:
        ranked = sorted(points, key=lambda point: int(point.values[0]))
    except ValueError:
        return list(points), list(range(len(points)))
    return ranked, [int(point.values[0]) for point in ranked]


def _field(axis: Any, found: Sweep, measure: Measure) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    down, across = found.varied
    scale = 100 if measure.share else 1
    # The reference may lie beside the requested values, and points without any complete game are
    # missing: such cells stay empty.
    ys, xs = (_values_of(found, number) for number in (0, 1))
    means = [scale * point.measures[measure.name].value for point in found.points]
    rows = [[math.nan] * len(xs) for _ in ys]
    digits = _digits(max(means) - min(means))
    for point, value in zip(found.points, means, strict=True):
        y, x = ys.index(point.values[0]), xs.index(point.values[1])
        rows[y][x] = value
        told = f"{_sign(point, measure.name)}{value:.{digits}f}"
        axis.text(x, y, told, ha="center", va="center", fontsize=8)
        if point.values == found.reference:
            _frame(axis, x, y)
    shades = LinearSegmentedColormap.from_list("shades", ["#ffffff", BAND])
    axis.imshow(rows, cmap=shades, aspect="auto")
    axis.set_xticks(range(len(xs)), xs)
    axis.set_yticks(range(len(ys)), ys)
    axis.set_xlabel(across.choice)
    axis.set_ylabel(down.choice)
    axis.grid(visible=False)


def _values_of(found: Sweep, number: int) -> list[str]:
    """Returns the values of one of two choices, sorted if they are numbers."""
    values = [*found.varied[number].values, *(point.values[number] for point in found.points)]
    each = list(dict.fromkeys(values))
    try:
        return sorted(each, key=int)
    except ValueError:
        return each


def _frame(axis: Any, x: int, y: int) -> None:
    from matplotlib.patches import Rectangle

    axis.add_patch(Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, fill=False, edgecolor=INK))


def _digits(width: float) -> int:
    """Returns the number of digits that distinguish values over such a range."""
    return min(4, max(1, 1 - math.floor(math.log10(width)))) if width else 1


# ---------------------------------------------------------------- a tuning


def tuning(found: Tuning, measures: Measures, title: str) -> Figure:
    """Plots, for each target, the trade-off between closeness to it and to the rules as they are.

    It shows all trials and the Pareto front.
    """
    named = {each.name: each for each in measures}

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, len(found.targets), squeeze=False).flatten()
        for axis, target in zip(axes, found.targets, strict=True):
            _trade_off(axis, found, target, named[target.measure])

    return _styled(8 * len(found.targets), 5, draw, title)


def _trade_off(axis: Any, found: Tuning, target: Target, measure: Measure) -> None:
    scale = 100 if measure.share else 1

    def drawn(trials: Sequence[TuningTrial], **how: Any) -> None:
        estimates = [each.measures[measure.name] for each in trials]
        at, values = [each.change for each in trials], [scale * each.value for each in estimates]
        axis.errorbar(at, values, yerr=_whiskers(estimates, scale), marker="o", **how)

    axis.axhline(scale * target.value, color=INK, linewidth=1, linestyle="dotted")
    beaten = [each for each in found.trials if each not in found.front]
    drawn(beaten, color=BAND, linestyle="none", markersize=4)
    # With one target the front is a curve; with several it is not.
    drawn(found.front, color=ACCENT, linestyle="solid" if len(found.targets) == 1 else "none")
    for each in found.front:
        axis.annotate(
            ", ".join(each.values),
            (each.change, scale * each.measures[measure.name].value),
            xytext=(8, 6),
            textcoords="offset points",
            fontsize=8,
        )
    axis.margins(x=0.12)
    axis.set_xlabel("change to the rules: parts of the range of each choice, added up")
    axis.set_title(f"{_title(measure)}, dotted: target, pale: beaten")


# ---------------------------------------------------------------- a sheet


def sheet(found: Sheet, title: str) -> Figure:
    """Plots the curves of a sheet, two in a row."""
    curves = found.curves
    rows = max(1, math.ceil(len(curves) / 2))

    def draw(figure: Figure) -> None:
        axes = figure.subplots(rows, 2, squeeze=False).flatten()
        for axis, curve in zip(axes, curves, strict=False):
            _curve(axis, curve)
        for axis in axes[len(curves) :]:
            axis.axis("off")

    return _styled(11, 3.6 * rows, draw, title)


def _curve(axis: Any, curve: Curve) -> None:
    scale = 100 if curve.share else 1
    xs = [each.x for each in curve.points]
    estimates = [each.y for each in curve.points]
    values = [scale * each.value for each in estimates]
    if curve.even:
        ends = min(xs), max(xs)
        axis.plot(ends, [scale * each for each in ends], color=INK, linewidth=1, linestyle="dotted")
    if curve.joined and not curve.even:
        low, high = ([scale * getattr(each, end) for each in estimates] for end in ("low", "high"))
        axis.fill_between(xs, low, high, color=BAND, alpha=0.6, linewidth=0)
        axis.plot(xs, values, "o-", color=ACCENT, markersize=4)
    else:
        axis.errorbar(xs, values, yerr=_whiskers(estimates, scale), fmt="o", color=ACCENT)
    for name, x, value in zip(curve.named, xs, values, strict=False):
        if name:
            where = {"xytext": (6, 4), "textcoords": "offset points", "fontsize": 8}
            axis.annotate(name, (x, value), **where)
    if len(xs) <= MOST_TICKS and not curve.even and not curve.named:
        axis.set_xticks(xs, [each.at for each in curve.points])
    axis.set_xlabel(curve.x)
    axis.set_title(f"{curve.title}{' (%)' if curve.share else ''}")
