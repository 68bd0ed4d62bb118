"""Renders results as HTML for a cell of a notebook.

Everything is made from the JSON of a result, and all texts are escaped: names come from rules. A
figure with its interval is one cell, `0.50 (0.30 to 0.70)`. What is the same in all rows, as the
game and the seed, stands above the table. The cell has no style but alignment, so that it fits the
colours of any notebook.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.faces.render.words import kind_name

MOST_ROWS = 20
"""Maximum number of rows of a table that are shown."""
LONGEST, LONGEST_LIST = 300, 60
"""Maximum number of characters of a cell, and of one that holds a list."""
ABOUT = ("game", "before", "players", "bots", "games", "seed")
"""Fields of a result that are told above its tables."""
LONG_TABLES = ("games", "fired", "uses", "proof", "tables")
"""Tables that are folded at first."""
_FIGURE = ("value", "low", "high")
_LEFT = ' style="text-align:left"'

Columns = Mapping[str, Sequence[Any]]


def table(columns: Columns) -> str:
    """Renders a table, with its constant columns above it."""
    return _table(columns, hide=False)


def result(json_: Mapping[str, Any], tables: Mapping[str, Columns]) -> str:
    """Renders a result: what it is about, findings as sentences, comparisons, and its tables."""
    parts = [f"<p>{_about(json_)}</p>"]
    if "differences" in json_ and "tellings" in json_:
        parts = [_comparison(json_)]
    if isinstance(json_.get("findings"), list):
        parts.append(_findings(json_["findings"]))
    for name, columns in tables.items():
        rows = _length(columns)
        if rows and name not in ("findings", "differences"):
            state = "" if name in LONG_TABLES else " open"
            shown = _table(columns, hide=True)
            parts.append(
                f"<details{state}><summary>{escape(name)} ({rows:,})</summary>{shown}</details>"
            )
    return "<div>" + "\n".join(parts) + "</div>"


def picture(svg: str, label: str) -> str:
    """Renders an SVG picture; as an image, so that its ids meet no others in the notebook."""
    data = b64encode(svg.encode()).decode()
    return f'<img alt="{escape(label)}" src="data:image/svg+xml;base64,{data}">'


# ---------------------------------------------------------------- parts


def _about(json_: Mapping[str, Any]) -> str:
    told = [
        f"{escape(name)}: {escape(_said(json_[name]))}"
        for name in ABOUT
        if name in json_ and name != "game"
    ]
    return f"<b>{escape(str(json_.get('game', '')))}</b> {', '.join(told)}"


def _said(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(dict.fromkeys(map(str, value)))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _findings(found: Sequence[Mapping[str, Any]]) -> str:
    items = "".join(f"<li>{escape(str(each.get('says', '')))}</li>" for each in found)
    return f"<ol>{items}</ol>" if items else "<p>Nothing was found that is worth telling.</p>"


def _comparison(json_: Mapping[str, Any]) -> str:
    """Renders the differences of a comparison, with a column for each edition."""
    language = json_["language"] if json_["language"] in LANGUAGES else "en"
    rows = {row["id"]: row for row in json_["rows"]}
    heads = ["", *(phrase(f"compare.page.{key}", language) for key in ("rule", "kind"))]
    heads += [each["title"] for each in json_["tellings"]]
    lines = [f"<p><b>{escape(json_['headline'])}</b></p>"]
    lines += ["<table><thead>", _row("th", map(escape, heads), left=True), "</thead><tbody>"]
    play_first = sorted(json_["differences"], key=lambda each: not each["changes_play"])
    for each in play_first[:MOST_ROWS]:
        row = rows[each["rows"][0]]
        about = f"<b>{escape(row['title'])}</b>"
        about += f"<br>{escape(row['says'])}" if row["says"] else ""
        kind = escape(kind_name(each["kind"], language))
        cells = [str(each["number"]), about, kind, *map(_cell, row["cells"])]
        lines.append(_row("td", cells, left=True))
    lines += ["</tbody></table>", _more(len(json_["differences"]))]
    return "\n".join(lines)


def _cell(cell: Mapping[str, Any]) -> str:
    told = escape(_cut(cell["text"]))
    if cell["said"]:
        told += f"<br><small>[{escape(cell['said'])}]</small>"
    return told + (f"<br><i>{escape(_cut(cell['remark']))}</i>" if cell["remark"] else "")


# ---------------------------------------------------------------- tables


def _length(columns: Columns) -> int:
    return len(next(iter(columns.values()), ()))


def _table(columns: Columns, hide: bool) -> str:
    """Renders a table. `hide` leaves columns out that describe the whole result."""
    rows = _length(columns)
    same = [name for name in ABOUT if name in columns and len({*map(str, columns[name])}) == 1]
    shown = {name: each for name, each in columns.items() if name not in same}
    told = "" if hide else ", ".join(f"{name}: {_of_text(columns[name][0])}" for name in same)
    heads = [*_heads(shown)]
    lines = [f"<p>{escape(told)}</p>"] if told else []
    lines += ["<table><thead>", _row("th", (escape(name) for name, _ in heads)), "</thead><tbody>"]
    for at in range(min(rows, MOST_ROWS)):
        cells = [_figure(own, at) if len(own) > 1 else _plain(own[0][at]) for _, own in heads]
        words = [len(own) == 1 and isinstance(own[0][at], str) for _, own in heads]
        lines.append(_row("td", map(escape, cells), lefts=words))
    return "\n".join([*lines, "</tbody></table>", _more(rows)])


def _of_text(value: Any) -> str:
    """Formats a value that is the same in all rows; a list stands there as JSON."""
    if isinstance(value, str) and value.startswith("["):
        return _said(json.loads(value))
    return _said(value)


def _heads(columns: Columns) -> Iterator[tuple[str, list[Sequence[Any]]]]:
    """Yields the heads of a table with their columns: one, or a value with its interval."""
    for name, column in columns.items():
        base, _, part = name.rpartition(".")
        whole = [columns.get(f"{base}.{each}") for each in _FIGURE]
        if part in _FIGURE and all(each is not None for each in whole):
            if part == "value":
                yield base, [each for each in whole if each is not None]
        else:
            yield name, [column]


def _figure(own: Sequence[Sequence[Any]], at: int) -> str:
    value, low, high = (each[at] for each in own)
    if value is None or low is None or high is None:
        return _plain(value)
    return f"{_plain(value)} ({_plain(low)} to {_plain(high)})"


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1 else f"{value:,.2f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = str(value)
    return _cut(text, LONGEST_LIST if text.startswith("[") else LONGEST)


def _cut(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _more(rows: int) -> str:
    left = rows - MOST_ROWS
    return f"<p>and {left:,} more</p>" if left > 0 else ""


def _row(tag: str, cells: Iterable[str], *, left: bool = False, lefts: Sequence[bool] = ()) -> str:
    told = "".join(
        f"<{tag}{_LEFT if left or (lefts and lefts[at]) else ''}>{cell}</{tag}>"
        for at, cell in enumerate(cells)
    )
    return f"<tr>{told}</tr>"
