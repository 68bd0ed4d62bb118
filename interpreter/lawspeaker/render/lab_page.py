"""A simulation or a sweep as one page that needs nothing from anywhere else."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from lawspeaker.lab.sweep import Sweep
from lawspeaker.lab.tally import Summary
from lawspeaker.render import plots, sweeping
from lawspeaker.render import simulation as shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = """
:root { color-scheme: light; --ink: #22201c; --soft: #655f55; --line: #e2dccf; --paper: #fbfaf6; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--paper);
       color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
svg { width: 100%; height: auto; background: #fff; border: 1px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid var(--line);
         white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
.left { text-align: left; } .dim { color: var(--soft); }
p { color: var(--soft); max-width: 44rem; }
"""


def simulation(summary: Summary, title: str) -> str:
    parts = [
        _picture(plots.simulation(summary, "")),
        _table(shown.seats(summary)),
        _table(shown.whole(summary, None)),
        _table(shown.sources(summary)),
        _table(shown.uses(summary)),
        _table(shown.fired(summary)),
    ]
    if summary.never:
        parts.append(f"<h2>Never done</h2><p>{escape(', '.join(summary.never))}</p>")
    return _page(title, parts)


def sweep(found: Sweep, title: str) -> str:
    parts = [_picture(plots.sweep(found, ""))]
    for each in sweeping.swept(found).renderables:
        if isinstance(each, Table):
            parts.append(_table(each))
        elif isinstance(each, Text):
            parts.append(f"<p>{escape(each.plain)}</p>")
    return _page(title, parts)


def _page(title: str, parts: list[str]) -> str:
    body = "\n".join(parts)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{body}
<p>Ranges are 95 % intervals.</p>
</body>
</html>
"""


def _picture(figure: Figure) -> str:
    """The picture itself, without the head that a file of its own would need."""
    text = plots.drawn(figure, "svg").decode()
    return text[text.index("<svg") :]


def _table(table: Table) -> str:
    """The same table as in the terminal."""
    if not table.row_count:
        return ""
    lines = []
    if table.title:
        lines.append(f"<h2>{escape(str(table.title).strip())}</h2>")
    sides = ["left" if column.justify == "left" else "" for column in table.columns]
    lines.append('<div class="wide"><table>')
    if table.show_header:
        headings = zip(table.columns, sides, strict=True)
        lines.append(_row("th", ((str(column.header), side) for column, side in headings), ""))
    cells = [[str(cell) for cell in column.cells] for column in table.columns]
    for row, texts in zip(table.rows, zip_longest(*cells, fillvalue=""), strict=True):
        lines.append(_row("td", zip(texts, sides, strict=True), str(row.style or "")))
    lines.append("</table></div>")
    return "\n".join(lines)


def _row(tag: str, cells: Iterable[tuple[str, str]], style: str) -> str:
    told = "".join(
        f'<{tag} class="{side}">{escape(text)}</{tag}>'
        if side
        else f"<{tag}>{escape(text)}</{tag}>"
        for text, side in cells
    )
    return f'<tr class="{escape(style)}">{told}</tr>' if style else f"<tr>{told}</tr>"
