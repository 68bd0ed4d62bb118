"""Parses the manual into chapters, for looking words up.

Keywords come from the two tables at the end of docs/language.md, which name the chapters that
explain them; forms from the index before these; keys from the schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

LONGEST_CHAPTER = 1_400
_HEADING = re.compile(r"(#{1,4}) (.+)")
_WORD = re.compile(r"`([a-z]+)`")
_LINK = re.compile(r"\[([^\]]*)\]\(#([^)]+)\)")
_ROW = re.compile(r"\| (.+?) \| (.+?) \|\Z")


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Manual:
    """The parsed manual.

    `chapters` are by slug; `words` and `forms` map to the chapters that explain them; `keys` to all
    their meanings.
    """

    chapters: dict[str, Chapter] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    forms: list[tuple[str, list[str]]] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)

    def chapter(self, word: str) -> Chapter | None:
        """Returns the chapter that explains a keyword."""
        return next((self.chapters[each] for each in self.words.get(word, ())), None)


def taken_apart(text: str, schemas: Iterable[Any]) -> Manual:
    """Parses the manual, and the descriptions of keys in schemas."""
    chapters = dict(_chapters(text))
    forms = [(form, _slugs(links)) for form, links in _rows(text, "Index of forms") if "`" in form]
    words: dict[str, list[str]] = {}
    for row, links in _rows(text, "Words of the language"):
        for word in _WORD.findall(row):
            found = (slug for slug in _slugs(links) if slug in chapters)
            words.setdefault(word, []).extend(found)
    return Manual(chapters, words, forms, _keys(schemas))


def _slugs(links: str) -> list[str]:
    return [slug for _, slug in _LINK.findall(links)]


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


def _chapters(manual: str) -> Iterator[tuple[str, Chapter]]:
    """Yields every heading by slug, with the beginning of its chapter."""
    title, body, fenced = "", list[str](), False
    for line in [*manual.split("\n"), "# end"]:
        fenced = fenced != line.startswith("```")
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        if title:
            yield slug(title), Chapter(title, _beginning(body))
        title, body = heading[2], []


def _beginning(lines: list[str]) -> str:
    """Returns the first paragraphs and examples of a chapter, up to a length, none of them cut."""
    blocks = re.split(r"\n\n(?=\S)(?![^`]*```\n(?!\n))", "\n".join(lines).strip())
    text = blocks[0]
    for block in blocks[1:]:
        if len(text) + len(block) > LONGEST_CHAPTER and text.count("```") % 2 == 0:
            break
        text += f"\n\n{block}"
    return text


def _rows(manual: str, title: str) -> Iterator[tuple[str, str]]:
    """Yields the table rows of a second-level chapter."""
    inside = False
    for line in manual.split("\n"):
        if line.startswith("## "):
            inside = line.endswith(title)
        found = _ROW.match(line) if inside else None
        if found:
            yield found[1], found[2]


def slug(title: str) -> str:
    """Returns the anchor of a heading."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return kept.replace(" ", "-")
