"""A result of the lab as a sheet: facts, curves and tables, in one language.

A study describes its sheet once. The terminal prints it, `plots` draws its curves, `lab_page`
makes a page of it, and the browser gets it as JSON.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.base.typography import NO_BREAK
from lawspeaker.faces.render.estimates import Telling, rounded
from lawspeaker.study.lab.statistics import Estimate


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure with its name and interval, as texts."""

    name: str
    value: str
    span: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve: where it is, the label of that, and the estimate there."""

    x: float
    at: str
    y: Estimate


@dataclass(frozen=True, slots=True)
class Curve:
    """Estimates over a number; `share`: they are shown in percent.

    `even`: a line at which both are equal is drawn. `joined`: the points form a line.
    """

    title: str
    about: str
    x: str
    points: tuple[Point, ...]
    share: bool = True
    even: bool = False
    joined: bool = True
    named: tuple[str, ...] = ()
    """Labels of points that stand out, in the order of the points; empty for the others."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A table: headings, and cells as texts. The first column has names."""

    title: str
    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A result: who played, figures, curves and tables, and what they mean."""

    behind: str
    facts: tuple[Fact, ...]
    panels: tuple[Curve | Rows, ...]
    notes: tuple[str, ...]

    @property
    def curves(self) -> list[Curve]:
        return [each for each in self.panels if isinstance(each, Curve) and each.points]

    def to_json(self) -> dict[str, Any]:
        """The sheet for a page that draws it itself."""
        told = asdict(self)
        for panel, each in zip(told["panels"], self.panels, strict=True):
            panel["sort"] = "curve" if isinstance(each, Curve) else "rows"
            for point in panel.get("points", ()):
                for name, value in point["y"].items():
                    point["y"][name] = value if math.isfinite(value) else None
        return told


def fact(name: str, estimate: Estimate, *, share: bool = True, least: int = 1) -> Fact:
    """A figure; shares are shown in percent."""
    telling = Telling.of([estimate], scale=100 if share else 1, least=least)
    span = "" if math.isinf(estimate.low) else _span(telling, estimate)
    return Fact(name, telling.value(estimate), span)


def cell(estimate: Estimate, *, share: bool = True) -> str:
    """A figure with its interval, for a cell of a table; shares in whole percent."""
    if not share:
        found = fact("", estimate, share=False)
        return f"{found.value} ({found.span})" if found.span else found.value
    value, low, high = (
        rounded(100 * each, 0) for each in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value}{NO_BREAK}% ({low}–{high})"


def whole(value: float) -> str:
    """A share in whole percent."""
    return f"{rounded(100 * value, 0)}{NO_BREAK}%"


def _span(telling: Telling, estimate: Estimate) -> str:
    return f"{telling.number(estimate.low)} – {telling.number(estimate.high)}"


def localized(found: Sheet, language: str) -> Sheet:
    """The sheet with the decimal separator of a language; names in first columns stay."""
    if language == "en":
        return found

    def told(number: str) -> str:
        return re.sub(r"(?<=\d)\.(?=\d)", ",", number)

    facts = (replace(each, value=told(each.value), span=told(each.span)) for each in found.facts)
    panels = (
        replace(each, rows=tuple((row[0], *map(told, row[1:])) for row in each.rows))
        if isinstance(each, Rows)
        else each
        for each in found.panels
    )
    return replace(found, facts=tuple(facts), panels=tuple(panels))


def text(sheet: Sheet) -> Group:
    """The sheet for a terminal; curves are tables there."""
    parts: list[Any] = [Text(sheet.behind), Text()]
    if sheet.facts:
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column()
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True, style="dim")
        for each in sheet.facts:
            table.add_row(each.name, each.value, each.span)
        parts += [table, Text()]
    parts += [each for panel in tables(sheet) for each in (panel, Text())]
    return Group(*parts, *(Text(each, style="dim") for each in sheet.notes))


def tables(sheet: Sheet) -> Iterator[Table]:
    """The panels as tables; curves over the same points share one."""
    panels = [each for each in sheet.panels if not isinstance(each, Curve)]
    by_points: dict[tuple[str, tuple[str, ...]], list[Curve]] = {}
    for curve in sheet.curves:
        if not curve.joined:  # a table has the same
            continue
        by_points.setdefault((curve.x, tuple(each.at for each in curve.points)), []).append(curve)
    for (x, at), curves in by_points.items():
        columns = [[cell(each.y, share=curve.share) for each in curve.points] for curve in curves]
        rows = tuple(zip(at, *columns, strict=True))
        title = curves[0].title if len(curves) == 1 else ""
        head = (x, *("" if len(curves) == 1 else curve.title for curve in curves))
        yield _table(Rows(title, "", head, rows))
    for panel in panels:
        if panel.rows:
            yield _table(panel)


def _table(rows: Rows) -> Table:
    table = Table(title=rows.title or None, box=None, pad_edge=False)
    table.title_justify = "left"
    for number, heading in enumerate(rows.head):
        justify: Any = "right" if number else "left"
        table.add_column(heading, justify=justify, overflow="fold")
    for row in rows.rows:
        table.add_row(*row)
    return table
