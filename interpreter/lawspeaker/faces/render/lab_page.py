"""Renders a simulation, a sweep or a review as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render import plots, sweeping
from lawspeaker.faces.render import review as reviewed
from lawspeaker.faces.render import review_words as words
from lawspeaker.faces.render import simulation as shown
from lawspeaker.faces.render.estimates import percent
from lawspeaker.faces.render.page_frame import framed
from lawspeaker.faces.render.proof import sentences
from lawspeaker.faces.render.review import Witnesses
from lawspeaker.faces.render.sheet import Sheet, tables
from lawspeaker.study.lab.sweep import Sweep
from lawspeaker.study.lab.tally import Summary
from lawspeaker.study.reviewing.comparing import FindingChange
from lawspeaker.study.reviewing.findings import Review

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def simulation(summary: Summary, title: str, about: Sequence[str]) -> str:
    fair = percent(summary.fair)
    facts = [
        (f"{summary.games:,}", "games"),
    ]
    if summary.broken.games:
        facts.append((f"{summary.broken.games:,}", "more stopped on a fault"))
    if summary.starter is not None:
        wins = f"wins of who starts, whoever is first asked alone (fair: {fair})"
        facts.append((percent(summary.starter.value), wins))
    if summary.for_points:
        facts.append((f"{summary.margin.value:.1f}", "margin of the winner"))
    facts.append((f"{summary.decisions.value:.1f}", "decisions a game"))
    sheets = [
        _sheet(_picture(plots.simulation(summary, "")), "broad"),
        _sheet(_table(shown.seats(summary)), "broad"),
        _sheet(_table(shown.whole(summary, None)), "broad"),
        _sheet(_table(shown.sources(summary)), "broad"),
        _sheet(_table(shown.uses(summary)), "broad"),
        _sheet(_fired(summary), "broad"),
    ]
    return _page(title, about, _facts(facts) + _sheets(sheets))


def _fired(summary: Summary) -> str:
    """Renders all clauses as a compact list, with one number each."""
    title = shown.fired(summary).title
    rows = "".join(
        f"<div><dt>{escape(clause)}</dt><dd>{times:.2f}</dd></div>"
        for clause, times in summary.fired
    )
    never = f"<p>{escape(shown.never(summary))}</p>" if summary.never else ""
    return f'<h2>{escape(str(title))}</h2><dl class="many">{rows}</dl>{never}'


def sweep(found: Sweep, title: str, about: Sequence[str], behind: str) -> str:
    sheets = [_sheet(_picture(plots.sweep(found, "")), "broad")]
    for each in sweeping.swept(found, behind).renderables:
        if isinstance(each, Table):
            sheets.append(_sheet(_table(each), "broad"))
        elif isinstance(each, Text):
            sheets.append(f'<p class="broad">{escape(each.plain)}</p>')
    return _page(title, about, _sheets(sheets))


def review(
    found: Review,
    title: str,
    witnesses: Witnesses,
    changes: Sequence[FindingChange] | None = None,
    measures: Sweep | None = None,
) -> str:
    """Renders a review: findings by weight, changes from another version, and the games of strong
    bots.

    The last are shown as by `simulate`.
    """
    items = []
    for each in found.findings:
        opens = witnesses.get(each.about)
        witness = f"<br><code>{escape(opens)}</code>" if opens else ""
        source = f"<br><small>{escape(words.source(each))}</small>"
        items.append(f"<li>{escape(words.sentence(each))}{source}{witness}</li>")
    listed = f"<ol>{''.join(items)}</ol>" if items else "<p>Nothing worth telling was found.</p>"
    sheets = [_sheet(f"<h2>Findings</h2>{listed}", "broad")]
    if lines := words.worth_of_thinking(found):
        told = "".join(f"<li>{escape(each)}</li>" for each in lines)
        sheets.append(_sheet(f"<h2>{reviewed.THINKING}</h2><ul>{told}</ul>", "broad"))
    if changes is not None:
        told = "".join(
            f"<li>{escape(each.how)}: {escape(reviewed.changed(each))}</li>" for each in changes
        )
        listed = f"<ul>{told}</ul>" if told else f"<p>{reviewed.NOTHING_CHANGED}</p>"
        if measures is None:
            listed += f"<p>{reviewed.NOT_MEASURED}</p>"
        sheets.append(_sheet(f"<h2>Against the version before</h2>{listed}", "broad"))
    if measures is not None:
        told = "".join(f"<li>{escape(each)}</li>" for each in reviewed.moves(measures))
        sheets.append(_sheet(f"<h2>{reviewed.by_game(measures)}</h2><ul>{told}</ul>", "broad"))
    sheets.append(_sheet(_table(reviewed.tables_of(found, "The games")), "broad"))
    best = found.evidence.thinking
    if best.tally.games:
        summary = best.summary(found.evidence.program)
        sheets.append(_sheet(_picture(plots.simulation(summary, "")), "broad"))
        sheets += [_sheet(_table(each(summary)), "broad") for each in (shown.seats, shown.uses)]
    about = [f"{reviewed.behind(found)}.", *sentences(found.evidence.proofs)]
    about += words.notes(found)
    return _page(title, about, _sheets(sheets))


def sheet(found: Sheet, title: str) -> str:
    """Renders the sheet of a study."""
    facts = [
        (each.value, f"{each.name} ({each.span})" if each.span else each.name)
        for each in found.facts
    ]
    parts = [_sheet(_picture(plots.sheet(found, "")), "broad")] if found.curves else []
    parts += [_sheet(_table(each), "broad") for each in tables(found)]
    parts += [f'<p class="broad">{escape(each)}</p>' for each in found.notes]
    return _page(title, [f"{found.behind}."], _facts(facts) + _sheets(parts))


def _sheet(content: str, kind: str = "") -> str:
    return f'<section class="sheet {kind}">{content}</section>' if content else ""


def _sheets(sheets: list[str]) -> str:
    return '<div class="sheets">' + "\n".join(filter(None, sheets)) + "</div>"


def _facts(facts: list[tuple[str, str]]) -> str:
    cells = (_sheet(f"<b>{escape(value)}</b><span>{escape(of)}</span>") for value, of in facts)
    return '<div class="facts">' + "".join(cells) + "</div>"


def _page(title: str, about: Sequence[str], body: str) -> str:
    style = files(__package__).joinpath("lab_page.css").read_text(encoding="utf-8")
    told = escape(" ".join([*about, "Ranges are 95 % intervals."]))
    head = f'<h1>{escape(title)}</h1>\n<p class="about">{told}</p>\n'
    return framed(escape(title), "en", head + body, style)


def _picture(figure: Figure) -> str:
    """Returns a plot as an SVG element, without its XML header."""
    text = plots.drawn(figure, "svg").decode()
    return text[text.index("<svg") :]


def _table(table: Table) -> str:
    """Converts a terminal table to HTML."""
    if not table.row_count:
        return ""
    lines = []
    if table.title:
        lines.append(f"<h2>{escape(str(table.title).strip())}</h2>")
    if table.caption:
        lines.append(f"<p>{escape(str(table.caption))}</p>")
    sides = ["left" if column.justify == "left" else "" for column in table.columns]
    lines.append("<table>")
    if table.show_header:
        headings = zip(table.columns, sides, strict=True)
        lines.append(_row("th", ((str(column.header), side) for column, side in headings), ""))
    cells = [[str(cell) for cell in column.cells] for column in table.columns]
    for row, texts in zip(table.rows, zip_longest(*cells, fillvalue=""), strict=True):
        lines.append(_row("td", zip(texts, sides, strict=True), str(row.style or "")))
    lines.append("</table>")
    return "\n".join(lines)


def _row(tag: str, cells: Iterable[tuple[str, str]], style: str) -> str:
    told = "".join(
        f'<{tag} class="{side}">{escape(text)}</{tag}>'
        if side
        else f"<{tag}>{escape(text)}</{tag}>"
        for text, side in cells
    )
    return f'<tr class="{escape(style)}">{told}</tr>' if style else f"<tr>{told}</tr>"
