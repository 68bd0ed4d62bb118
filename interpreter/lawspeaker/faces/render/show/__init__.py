"""Renders a game as a document: for the terminal, as Markdown, as HTML, as JSON.

`document` collects the content; the other modules format it.
"""

from lawspeaker.faces.render.show.document import Document, document
from lawspeaker.faces.render.show.markdown import markdown
from lawspeaker.faces.render.show.page import page
from lawspeaker.faces.render.show.text import text

__all__ = ["Document", "document", "markdown", "page", "text"]
