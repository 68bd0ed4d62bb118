"""Converts HTML to Markdown: headings, paragraphs, lists and table rows."""

from __future__ import annotations

from html.parser import HTMLParser

_BLOCKS = frozenset(
    "p div section article header footer main ul ol table tbody thead blockquote dl dt dd figure "
    "figcaption aside pre address form h1 h2 h3 h4 h5 h6".split()
)
_HIDDEN = frozenset("script style head nav template noscript svg".split())
_BOLD = frozenset(("b", "strong"))


def markdown(html: str) -> str:
    """Converts a page to Markdown."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.text()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = [""]
        self.hidden = 0
        self.cells = 0

    def text(self) -> str:
        lines = (" ".join(each.split()).replace("** **", " ") for each in self.lines)
        return "\n".join("" if each.strip("*#- |") == "" else each for each in lines) + "\n"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self.hidden += 1
        elif tag == "tr":
            self.lines += ["", ""]
            self.cells = 0
        elif tag in ("td", "th"):
            self.lines[-1] += " | " if self.cells else ""
            self.cells += 1
        elif tag == "li":
            self.lines += ["", "- "]
        elif tag == "br":
            self.lines.append("")
        elif tag in _BOLD:
            self.lines[-1] += "**"
        elif tag in _BLOCKS and not (tag == "p" and self.lines[-1] == "- "):
            self.lines += [
                "",
                f"{'#' * int(tag[1])} " if tag[0] == "h" and tag[1:].isdigit() else "",
            ]

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self.hidden = max(self.hidden - 1, 0)
        elif tag in _BOLD:
            self.lines[-1] += "**"
        elif tag in _BLOCKS or tag in ("li", "tr"):
            self.lines += ["", ""]

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.lines[-1] += data.replace("\n", " ")
