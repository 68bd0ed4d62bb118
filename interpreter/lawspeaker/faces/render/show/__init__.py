"""A game as a document to read: for the terminal, as Markdown, as a page, as data.

`document` gathers what there is to say; the other modules only give it a shape.
"""

from lawspeaker.faces.render.show.document import Document, document
from lawspeaker.faces.render.show.markdown import markdown
from lawspeaker.faces.render.show.page import page
from lawspeaker.faces.render.show.text import text

__all__ = ["Document", "document", "markdown", "page", "text"]
