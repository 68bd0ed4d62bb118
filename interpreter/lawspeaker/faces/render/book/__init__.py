"""Generates a printable rulebook from the rules.

`tree` is the format-independent document. `gathering` and `supplement` build it from `course` (the
rules in chapters), `components` (the box, the setup, the pieces), `examples`, `summary` and
`index`; `pictures` are those of the browser. `typst` and `page` write it as PDF and as HTML.
"""

from lawspeaker.faces.render.book.gathering import ExampleScenario, book_of
from lawspeaker.faces.render.book.page import page
from lawspeaker.faces.render.book.supplement import supplement_of
from lawspeaker.faces.render.book.tree import Book
from lawspeaker.faces.render.book.typst import NoTypst, pdf

__all__ = ["Book", "ExampleScenario", "NoTypst", "book_of", "page", "pdf", "supplement_of"]
