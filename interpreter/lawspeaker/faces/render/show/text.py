"""Renders the document as plain text for the terminal, wrapped to its width."""

from __future__ import annotations

import textwrap

from rich.cells import cell_len

from lawspeaker.faces.render.show.document import Document
from lawspeaker.faces.render.show.outline import (
    Block,
    Code,
    Heading,
    Items,
    Paragraph,
    Table,
    outline,
)

NARROWEST = 40
GAP = 2


def text(document: Document, width: int = 80) -> str:
    """Renders the document; no line except code is wider than `width`."""
    width = max(width, NARROWEST)
    lines: list[str] = []
    indent = ""
    for block in outline(document):
        if isinstance(block, Heading):
            indent = "    " if block.level == 4 else "  " if block.level > 1 else ""
            lines += _heading(block, width, bool(lines))
        else:
            lines += _block(block, indent, width)
    return "\n".join(lines) + "\n"


def _heading(heading: Heading, width: int, space: bool) -> list[str]:
    under = f" ({heading.under})" if heading.under else ""
    if heading.level == 4:
        under = f" = {heading.under}" if heading.under else ""
        return ["", *_wrapped(f"{heading.text}{under}", "  ", width)]
    told = f"{heading.text}{under}"
    if heading.level == 3:
        return ["", *_wrapped(told, "", width), "-" * min(cell_len(told), width)]
    rule = "=" * min(max(cell_len(told), 4), width)
    if heading.level == 2:
        return ["", "", *_wrapped(told.upper() if not under else told, "", width), rule]
    return ["", told, rule] if space else [told, rule]


def _block(block: Block, indent: str, width: int) -> list[str]:
    match block:
        case Paragraph(text=words):
            return _wrapped(words, indent, width)
        case Items(items=items, label=label):
            lines = _wrapped(f"{label}:", indent, width) if label else []
            for each in items:
                lines += _wrapped(each, f"{indent}  ", width, first=f"{indent}- ")
            return lines
        case Code(text=code):
            return ["", *(f"{indent}  {line}".rstrip() for line in code.splitlines())]
        case Table():
            return ["", *_table(block, indent, width)]
        case _:
            return []


def _wrapped(words: str, indent: str, width: int, first: str | None = None) -> list[str]:
    return textwrap.wrap(
        words,
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(table: Table, indent: str, width: int) -> list[str]:
    """Renders columns side by side if they fit, wrapping the last one; else a line for each row."""
    rows = [table.head, *table.rows] if any(table.head) else list(table.rows)
    count = max((len(row) for row in rows), default=0)
    wide = [max(cell_len(row[at]) for row in rows if at < len(row)) for at in range(count)]
    before = len(indent) + sum(wide[:-1]) + GAP * (count - 1)
    if count and width - before < min(wide[-1], 24):
        return _stacked(table, indent, width)
    lines: list[str] = []
    for number, row in enumerate(rows):
        front = indent
        for at, cell in enumerate(row[: count - 1]):
            pad = wide[at] - cell_len(cell) + GAP
            number_cell = cell.isdecimal()
            front += " " * (pad - GAP) + cell + " " * GAP if number_cell else cell + " " * pad
        last = textwrap.wrap(row[-1], max(width - before, 8), break_long_words=False) or [""]
        lines.append((front + last[0]).rstrip())
        lines += [" " * before + more for more in last[1:]]
        if number == 0 and any(table.head):
            rule = indent + (" " * GAP).join("-" * each for each in wide)
            lines.append(rule[:width])
    return lines


def _stacked(table: Table, indent: str, width: int) -> list[str]:
    lines: list[str] = []
    for row in table.rows:
        cells = zip(table.head[1:], row[1:], strict=False)
        told = "; ".join(f"{name} {cell}".strip() for name, cell in cells if cell)
        lines += _wrapped(f"{row[0]}: {told}", f"{indent}    ", width, first=indent)
    return lines
