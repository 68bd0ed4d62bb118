"""The manual taken apart, so that an editor can look a word up.

Words of the language come from the two tables at the end of docs/language.md, which say for each
in which chapter it is explained; forms from the index before them; keys from the schemas; and
messages from the catalogue of codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from lawspeaker.base.codes import CODES
from lawspeaker.outside.library import data_folder
from lawspeaker.outside.loading import schema

MANUAL = "language.md"
LONGEST_CHAPTER = 1_400
_HEADING = re.compile(r"(#{1,4}) (.+)")
_WORD = re.compile(r"`([a-z]+)`")
_LINK = re.compile(r"\[([^\]]*)\]\(#([^)]+)\)")
_ROW = re.compile(r"\| (.+?) \| (.+?) \|\Z")


@lru_cache(maxsize=1)
def reference() -> dict[str, Any]:
    """Words with their chapters, forms and keys with what they mean, and codes."""
    try:
        manual = data_folder("docs").joinpath(MANUAL).read_text(encoding="utf-8")
    except OSError:  # an installation without the manual still has its schemas and codes
        manual = ""
    chapters = dict(_chapters(manual))
    forms = [(form, link) for form, link in _rows(manual, "Index of forms") if "`" in form]
    words: dict[str, list[str]] = {}
    for row, links in _rows(manual, "Words of the language"):
        found = [slug for _, slug in _LINK.findall(links)]
        for word in _WORD.findall(row):
            words.setdefault(word, []).extend(slug for slug in found if slug in chapters)
    return {
        "chapters": chapters,
        "words": words,
        "forms": [[form, [slug for _, slug in _LINK.findall(link)]] for form, link in forms],
        "keys": keys(),
        "codes": {code: asdict(each) for code, each in CODES.items()},
    }


def keys() -> dict[str, list[str]]:
    """Every key that a file of rules may have, with all it may mean."""
    found: dict[str, list[str]] = {}
    for name in ("game", "variant"):
        for key, meaning in _described(schema(name)):
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


def _chapters(manual: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Every heading with how its chapter begins, by what links call it."""
    title, body, fenced = "", list[str](), False
    for line in [*manual.split("\n"), "# end"]:
        fenced = fenced != line.startswith("```")
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        if title:
            yield slug(title), {"title": title, "text": _beginning(body)}
        title, body = heading[2], []


def _beginning(lines: list[str]) -> str:
    """The first paragraphs and examples of a chapter, none of them cut in the middle."""
    blocks = re.split(r"\n\n(?=\S)(?![^`]*```\n(?!\n))", "\n".join(lines).strip())
    text = blocks[0]
    for block in blocks[1:]:
        if len(text) + len(block) > LONGEST_CHAPTER and text.count("```") % 2 == 0:
            break
        text += f"\n\n{block}"
    return text


def _rows(manual: str, title: str) -> Iterator[tuple[str, str]]:
    """The rows of the tables of a chapter, until the next one of its rank."""
    inside = False
    for line in manual.split("\n"):
        if line.startswith("## "):
            inside = line.endswith(title)
        found = _ROW.match(line) if inside else None
        if found:
            yield found[1], found[2]


def slug(title: str) -> str:
    """What a link to a heading is called."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return kept.replace(" ", "-")
