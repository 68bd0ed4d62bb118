"""A book as PDF, set by Typst from book.typ, which reads the tree as data.

So no text of a game is ever read as a program, whatever signs are in it. Only the fonts that Typst
brings along are used, and no date is written: the same rules give the same bytes everywhere.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import Any, cast

from lawspeaker.faces.render.book.tree import Book, Picture

MAIN = "main"


class NoTypst(Exception):
    """Typst is not installed."""


def pdf(book: Book) -> bytes:
    """The book as a PDF file; raises NoTypst where that cannot be made."""
    try:
        import typst
    except ImportError:
        raise NoTypst from None
    # Its stubs know of one file only; the compiler takes several, by name.
    sources = cast("Any", sheets(book))
    return typst.compile(sources, format="pdf", ignore_system_fonts=True, timestamp=0)


def sheets(book: Book) -> dict[str, bytes]:
    """All that Typst reads, by name: how a book looks, what is in it, and its pictures."""
    pictures: dict[str, str] = {}
    data = json.dumps(_plain(book, pictures), ensure_ascii=False)
    found = {MAIN: files(__package__).joinpath("book.typ").read_bytes(), "book.json": data.encode()}
    return found | {name: svg.encode() for svg, name in pictures.items()}


def _plain(value: Any, pictures: dict[str, str]) -> Any:
    """A value of the tree as plain data; of a picture, the name of its file."""
    if isinstance(value, Picture):
        file = pictures.setdefault(value.svg, f"picture-{len(pictures)}.svg")
        return {"file": file, "width": value.width, "height": value.height, "says": value.says}
    if is_dataclass(value):
        inner = {each.name: _plain(getattr(value, each.name), pictures) for each in fields(value)}
        return {"kind": type(value).__name__, **inner}
    if isinstance(value, tuple):
        return [_plain(each, pictures) for each in value]
    return dict(value) if isinstance(value, dict) else value
