"""Loads the grammar, and lists its keywords."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

from lark import Lark

from lawspeaker.text.parse import tables
from lawspeaker.text.parse.lines import Indentation, WordsInContext

TABLES = "grammar.json"


OPTIONS: Mapping[str, Any] = {
    "parser": "lalr",
    "start": ["rule", "value", "header", "offers"],
    "postlex": Indentation(),
    "_plugins": {"ContextualLexer": WordsInContext},
    "propagate_positions": True,
    "maybe_placeholders": True,
}


@lru_cache(maxsize=1)
def grammar() -> Lark:
    """The LALR parser: from its cached tables if they match the grammar, or else generated."""
    package = files(__package__)
    text = package.joinpath("grammar.lark").read_text(encoding="utf-8")
    held = package.joinpath(TABLES)
    known = held.read_text(encoding="utf-8") if held.is_file() else ""
    ready = tables.read(known, tables.key(text, OPTIONS), OPTIONS)
    return ready or Lark(text, **OPTIONS)


# Keywords that occur only where no name can, and so are not reserved.
_ALSO_NAMES = {
    "again",
    "case",
    "combination",
    "combinations",
    "decreases",
    "different",
    "down",
    "enough",
    "except",
    "first",
    "game",
    "happen",
    "increases",
    "largest",
    "least",
    "longest",
    "lose",
    "most",
    "number",
    "one",
    "outcome",
    "over",
    "path",
    "play",
    "plays",
    "random",
    "rank",
    "region",
    "rounded",
    "score",
    "shortest",
    "show",
    "starting",
    "through",
    "times",
    "who",
    "win",
}


@lru_cache(maxsize=1)
def reserved_words() -> frozenset[str]:
    """The keywords that cannot be names."""
    words: set[str] = set()
    for terminal in grammar().terminals:
        if terminal.name not in ("NAME", "COMMENT"):
            words.update(re.findall(r"(?<![a-z\\[-])[a-z]+", terminal.pattern.value))
    return frozenset(words - _ALSO_NAMES)


# These begin a sentence about players, in the place of a name.
_NO_DEEDS = {"each", "nobody"}


@lru_cache(maxsize=1)
def statements() -> Mapping[str, str]:
    """The keywords that can begin a statement, each with the fixed words that follow it."""
    parser = grammar()
    words = {
        each.name: first[0]
        for each in parser.terminals
        if (first := re.match("[a-z]+", each.pattern.value))
    }
    forms: dict[str, list[list[str]]] = {}
    for rule in parser.rules:
        forms.setdefault(rule.origin.name, []).append([each.name for each in rule.expansion])
    found: dict[str, list[str]] = {}
    seen = {"expr"}
    waiting = ["compound", "simple"]
    while waiting:
        for form in forms[waiting.pop()]:
            fixed = [words[name] for name in takewhile(words.__contains__, form)]
            if not fixed and form[0] not in seen:
                seen.add(form[0])
                waiting.append(form[0])
            elif fixed and fixed[0] not in _NO_DEEDS:
                known = found.get(fixed[0], fixed)
                found[fixed[0]] = [a for a, b in zip(known, fixed, strict=False) if a == b]
    return {first: " ".join(fixed) for first, fixed in found.items()}
