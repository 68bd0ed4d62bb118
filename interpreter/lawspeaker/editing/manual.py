"""Parses the manual into chapters, for looking words up.

The pages are those of docs/language. Keywords come from the tables of keywords.md, which link to
the chapters that explain them; forms come from the tables of forms.md, keys from the schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

FORMS, KEYWORDS = "forms", "keywords"
"""The pages whose tables list the forms and the keywords."""
LONGEST_CHAPTER = 1_400
_HEADING = re.compile(r"(#{1,4}) (.+)")
_WORD = re.compile(r"`([a-z]+)`")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]+)\)")
_PAGE = re.compile(r"^\| \[[^\]]+\]\(([\w-]+)\.md\)", re.M)
_ROW = re.compile(r"\| (.+?) \| (.+?) \|\Z")


@dataclass(frozen=True, slots=True)
class ManualChapter:
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Manual:
    """The parsed manual.

    A chapter has a key: the name of its page, and for a heading in the page also the anchor, as
    `sets` and `sets#binders`. `pages` are the keys of pages to read, in order. `words` and
    `forms` map to the keys of the chapters that explain them; `keys` of rules to their meanings.
    """

    pages: list[str] = field(default_factory=list)
    chapters: dict[str, ManualChapter] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    forms: list[tuple[str, list[str]]] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)

    def chapter(self, word: str) -> ManualChapter | None:
        """Returns the chapter that explains a keyword."""
        return next((self.chapters[each] for each in self.words.get(word, ())), None)


def reading_order(index: str) -> list[str]:
    """Returns the names of the pages that the table of an index page lists."""
    return _PAGE.findall(index)


def parse_manual(pages: Mapping[str, str], schemas: Iterable[Any]) -> Manual:
    """Parses the pages of the manual by name, and the descriptions of keys in schemas."""
    chapters = {key: each for page, text in pages.items() for key, each in _chapters(page, text)}
    forms = [(form, _keys_of(links)) for form, links in _rows(pages.get(FORMS, "")) if "`" in form]
    words: dict[str, list[str]] = {}
    for row, links in _rows(pages.get(KEYWORDS, "")):
        for word in _WORD.findall(row):
            found = (key for key in _keys_of(links) if key in chapters)
            words.setdefault(word, []).extend(found)
    to_read = [page for page in pages if page not in (FORMS, KEYWORDS)]
    return Manual(to_read, chapters, words, forms, _keys(schemas))


def _keys_of(links: str) -> list[str]:
    """Returns the keys of the chapters that links lead to."""
    return [target.replace(".md", "") for _, target in _LINK.findall(links)]


def _keys(schemas: Iterable[Any]) -> dict[str, list[str]]:
    """Collects all keys of rule files with their meanings."""
    found: dict[str, list[str]] = {}
    for schema in schemas:
        for key, meaning in _described(schema):
            means = found.setdefault(key, [])
            if meaning not in means:
                means.append(meaning)
    return found


def _described(node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        properties = node.get("properties")
        for key, body in properties.items() if isinstance(properties, dict) else ():
            if isinstance(body, dict) and "description" in body:
                yield key, body["description"]
        for each in node.values():
            yield from _described(each)
    elif isinstance(node, list):
        for each in node:
            yield from _described(each)


def headed(page: str, text: str) -> Iterator[tuple[str, int, str, list[str]]]:
    """Yields every heading of a page: its key, level and title, and the lines below it. The first
    heading has the key of the page."""
    key, level, title, body, fenced = page, 0, "", list[str](), False
    for line in [*text.split("\n"), "# end"]:
        fenced = fenced != line.startswith("```")
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        if title:
            yield key, level, title, body
            key = f"{page}#{slug(heading[2])}"
        level, title, body = len(heading[1]), heading[2], []


def _chapters(page: str, text: str) -> Iterator[tuple[str, ManualChapter]]:
    """Yields every heading of a page with the beginning of its chapter, by its key."""
    for key, _, title, body in headed(page, text):
        yield key, ManualChapter(title, _beginning(body))


def _beginning(lines: list[str]) -> str:
    """Returns the first paragraphs and examples of a chapter, up to a length, none of them cut.

    Links become plain text: they lead to pages that a reader of the text does not have.
    """
    blocks = re.split(r"\n\n(?=\S)(?![^`]*```\n(?!\n))", "\n".join(lines).strip())
    text = blocks[0]
    for block in blocks[1:]:
        if len(text) + len(block) > LONGEST_CHAPTER and text.count("```") % 2 == 0:
            break
        text += f"\n\n{block}"
    return _LINK.sub(r"\1", text)


def _rows(page: str) -> Iterator[tuple[str, str]]:
    """Yields the rows of the tables of a page."""
    for line in page.split("\n"):
        found = _ROW.match(line)
        if found:
            yield found[1], found[2]


def slug(title: str) -> str:
    """Returns the anchor of a heading."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return kept.replace(" ", "-")
