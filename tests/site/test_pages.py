"""The built documentation: every link leads somewhere, and words are found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from lawspeaker.outside.library import Library
from tests.site.building import build

DEPRECATED = pytest.mark.filterwarnings("ignore:.*MystReferenceResolver.app")
"""What the reader of Markdown still asks of Sphinx, once for each link."""
pytestmark = [pytest.mark.full, pytest.mark.xdist_group("documentation"), DEPRECATED]


class Reader(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "docs"
    build(folder)
    return folder


@cache
def read(page: Path) -> Reader:
    return Reader(page.read_text(encoding="utf-8"))


def pages(docs: Path) -> Iterator[Path]:
    yield from sorted(docs.rglob("*.html"))


def beside() -> set[str]:
    """The files of the site that the pages may link to."""
    games = Library().games()
    tables = (f"games/{name}.en.wide.svg" for name in games)
    return {"index.html", "workshop.html", *(f"{name}.html" for name in games), *tables}


def test_no_link_is_dead(docs: Path) -> None:
    known, dead = beside(), []
    for page in pages(docs):
        for link in read(page).links:
            target, anchor = urldefrag(link)
            if urlsplit(link).scheme in ("http", "https", "data", "mailto"):
                continue
            path = unquote(target.partition("?")[0])
            file = (page.parent / path).resolve() if path else page
            if not file.is_relative_to(docs):
                found = file.relative_to(docs.parent).as_posix() in known
            elif file.suffix == ".html" and anchor:
                found = file.is_file() and anchor in read(file).anchors
            else:
                found = file.is_file()
            if not found:
                dead.append(f"{page.relative_to(docs)}: {link[:100]}")
    assert dead == []


def test_nothing_is_loaded_from_elsewhere(docs: Path) -> None:
    for page in pages(docs):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|link)[^>]*(?:src|href)=\"(https?:[^\"]+)", text)
        assert not loaded, page


def test_words_are_found_without_a_host(docs: Path) -> None:
    """The index of the search is a script, which a page may load from a disk."""
    index = (docs / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    names = json.loads(index[len("Search.setIndex(") : -1])["docnames"]
    assert {"index", "recipes", "language/guards", "CHANGELOG"} <= set(names)
