"""Writes a book as PDF with Typst: book.typ reads the tree as JSON.

So no text of a game is ever parsed as markup. Only the fonts bundled with Typst are used, and no
date is written: the same rules give the same bytes everywhere.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import Any, cast

from lawspeaker.faces.render.book.tree import Book, Picture

MAIN = "main"


class NoTypst(Exception):
    """Raised when Typst is not installed."""


def pdf(book: Book) -> bytes:
    """Renders the book as PDF; raises NoTypst if Typst is not installed."""
    try:
        import typst
    except ImportError:
        raise NoTypst from None
    # The stubs know single files only; the compiler accepts several, by name.
    sources = cast("Any", sheets(book))
    return typst.compile(sources, format="pdf", ignore_system_fonts=True, timestamp=0)


def sheets(book: Book) -> dict[str, bytes]:
    """Returns the input files of Typst by name: the template, the tree and the pictures."""
    pictures: dict[str, str] = {}
    data = json.dumps(_plain(book, pictures), ensure_ascii=False)
    found = {MAIN: files(__package__).joinpath("book.typ").read_bytes(), "book.json": data.encode()}
    return found | {name: svg.encode() for svg, name in pictures.items()}


def _plain(value: Any, pictures: dict[str, str]) -> Any:
    """Converts a value of the tree to JSON; a picture becomes a file name."""
    if isinstance(value, Picture):
        file = pictures.setdefault(value.svg, f"picture-{len(pictures)}.svg")
        return {"file": file, "width": value.width, "height": value.height, "says": value.says}
    if is_dataclass(value):
        inner = {each.name: _plain(getattr(value, each.name), pictures) for each in fields(value)}
        return {"kind": type(value).__name__, **inner}
    if isinstance(value, tuple):
        return [_plain(each, pictures) for each in value]
    return dict(value) if isinstance(value, dict) else value
