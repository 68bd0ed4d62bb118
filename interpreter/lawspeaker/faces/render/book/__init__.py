"""A rulebook to print, from the rules themselves.

`tree` is the book for no format yet. `gathering` and `supplement` put it together from `course`
(the rules in chapters), `components` (the box, the table, the pieces one by one), `examples`,
`summary` and `index`; `pictures` are those of the browser. `typst` and `page` write it, as PDF and
as HTML.
"""

from lawspeaker.faces.render.book.gathering import Shown, book_of
from lawspeaker.faces.render.book.page import page
from lawspeaker.faces.render.book.supplement import supplement_of
from lawspeaker.faces.render.book.tree import Book
from lawspeaker.faces.render.book.typst import NoTypst, pdf

__all__ = ["Book", "NoTypst", "Shown", "book_of", "page", "pdf", "supplement_of"]
