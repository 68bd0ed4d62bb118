"""Renders the document as Markdown."""

from __future__ import annotations

import re

from lawspeaker.base.typography import flat
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

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
_LIST = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)")


def markdown(document: Document) -> str:
    blocks = (_block(block) for block in outline(document))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(level=level, text=words, under=under):
            if level == 4:
                more = f" = {escaped(under)}" if under else ""
                return f'<a id="{words}"></a>\n\n#### `{words}`{more}'
            more = f" ({escaped(under)})" if under else ""
            return f"{'#' * level} {escaped(words)}{more}"
        case Paragraph(text=words):
            return escaped(words)
        case Items(items=items, label=label):
            lines = [f"- {escaped(each)}" for each in items]
            return "\n".join([f"{escaped(label)}:\n", *lines] if label else lines)
        case Table(head=head, rows=rows):
            if not rows:
                return ""
            lines = [_row(head), "|" + " --- |" * len(head), *map(_row, rows)]
            return "\n".join(lines)
        case Code(text=code):
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", code)), 3)
            return f"{fence}yaml\n{code}\n{fence}"


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(escaped(cell) for cell in cells) + " |"


def escaped(words: str) -> str:
    """Escapes a text for Markdown."""
    plain = flat(words)
    return _LIST.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", plain))
