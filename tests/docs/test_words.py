"""The words that docs/glossary.md lists as not used are in no comment, docstring, message or page.

A row of the table with a note in brackets is about one sense of a word, which no test can tell
apart; it is left out. Code in pages, between backquotes and in blocks, is not prose.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.repo.checkout import PACKAGE, ROOT, files

GLOSSARY = ROOT / "docs" / "glossary.md"
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.M)
COMMENT = re.compile(r"(?:^|(?<= ))# .*", re.M)
CODE = re.compile(r"^```.*?^```|``.+?``|`[^`]+`|\]\([^)]*\)", re.M | re.S)


@cache
def unused() -> dict[str, str]:
    """By each form of a word that is not used: what is used instead."""
    table = GLOSSARY.read_text(encoding="utf-8").partition("## Words we do not use")[2]
    rows = ROW.findall(table)[1:]
    return {
        form.strip(): instead
        for words, instead in rows
        if "(" not in words
        for form in words.split(",")
    }


@cache
def pattern() -> re.Pattern[str]:
    longest_first = sorted(unused(), key=len, reverse=True)
    forms = "|".join(r"\s+".join(map(re.escape, each.split())) for each in longest_first)
    return re.compile(rf"\b(?<!-)(?:{forms})(?![\w-])")


def banned_words(text: str) -> Iterator[tuple[int, str]]:
    """The words in a text that are not used, with their lines."""
    for each in pattern().finditer(text.lower()):
        yield text.count("\n", 0, each.start()), " ".join(each[0].split())


def prose_of(file: Path) -> Iterator[tuple[int, str]]:
    """The prose of a file, in pieces with their lines."""
    text = file.read_text(encoding="utf-8")
    if file == GLOSSARY:
        text = text.partition("## Words we do not use")[0]
    if next(banned_words(text), None) is None:
        return  # most files need not be parsed
    if file.suffix == ".py":
        yield from prose_of_code(text)
    elif file.suffix == ".toml":
        yield from ((1, each) for each in phrases(tomllib.loads(text)))
    else:
        yield 1, CODE.sub(blank, text)


def prose_of_code(text: str) -> Iterator[tuple[int, str]]:
    """Comments, and the strings that have several words: docstrings and messages."""
    for comment in COMMENT.finditer(text):
        yield text.count("\n", 0, comment.start()) + 1, CODE.sub(blank, comment[0])
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, CODE.sub(blank, node.value)


def blank(code: re.Match[str]) -> str:
    return "\n" * code[0].count("\n")


def phrases(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from phrases(each)
    else:
        yield CODE.sub(blank, str(value))


@pytest.mark.full
def test_no_word_is_used_that_the_glossary_replaces() -> None:
    pages = (ROOT / file for file in files() if file.suffix == ".md")
    texts = [
        *(page for page in pages if page.name != "CHANGELOG.md"),
        *sorted(PACKAGE.rglob("*.py")),
        *sorted(PACKAGE.glob("base/phrases/en/*.toml")),
    ]
    wrong = [
        f"{file.relative_to(ROOT)}:{line + further}: “{word}”: say {unused()[word]}"
        for file in texts
        for line, text in prose_of(file)
        for further, word in banned_words(text)
    ]
    assert wrong == []


def test_the_glossary_has_such_words() -> None:
    assert {"beforehand", "deed", "in step", "under way"} <= unused().keys()
    phrase = next(word for word in unused() if word.count(" ") == 1)
    text = "It {}\n{}, a deed-like thing.".format(*phrase.split())
    assert [word for _, word in banned_words(text)] == [phrase]
