"""The grammar made ready, and how indentation becomes blocks.

Lark knows nothing of indentation: `Indentation` stands between its lexer and its parser and turns
the spaces at the start of lines into opening and closing of blocks, counted from the column of
the first word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

from lark import Lark, Token
from lark.lark import PostLex

from lawspeaker.text.parse import tables

TABLES = "grammar.json"


class Indentation(PostLex):
    """Turns the spaces at the start of lines into opening and closing of blocks."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        levels: list[int] = []
        brackets = 0
        last: Token | None = None
        for token in stream:
            if not levels:
                if token.type == "_NL":
                    continue
                levels = [(token.column or 1) - 1]
            if token.type == "_NL":
                if brackets or (last is not None and last.type == "COMMA"):
                    continue
                yield token
                space = token.rsplit("\n", 1)[1].split("#")[0]
                if "\t" in space:
                    raise BadIndentation(token, tab=True)
                yield from self._change(levels, len(space), token)
            else:
                if token.type in ("LPAR", "LSQB"):
                    brackets += 1
                elif token.type in ("RPAR", "RSQB"):
                    brackets -= 1
                yield token
            last = token
        if last is not None:
            if last.type != "_NL":
                yield self._at_end("_NL", last)
            for _ in levels[1:]:
                yield self._at_end("_DEDENT", last)

    @staticmethod
    def _at_end(type: str, last: Token) -> Token:
        """A token without text, just after the last one."""
        at = last.end_pos
        line, column = last.end_line, last.end_column
        return Token(type, "", at, line, column, line, column, at)

    @staticmethod
    def _change(levels: list[int], indent: int, token: Token) -> Iterator[Token]:
        if indent > levels[-1]:
            levels.append(indent)
            yield Token.new_borrow_pos("_INDENT", "", token)
        while indent < levels[-1] and len(levels) > 1:
            levels.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token)
        if indent != levels[-1]:
            raise BadIndentation(token)


class BadIndentation(Exception):
    def __init__(self, token: Token, tab: bool = False) -> None:
        super().__init__("bad indentation")
        self.token = token
        self.tab = tab


OPTIONS: Mapping[str, Any] = {
    "parser": "lalr",
    "start": ["rule", "value", "header", "offers"],
    "postlex": Indentation(),
    "propagate_positions": True,
    "maybe_placeholders": True,
}


@lru_cache(maxsize=1)
def grammar() -> Lark:
    """The parser: from its tables where they are those of the grammar, or else made anew."""
    package = files(__package__)
    text = package.joinpath("grammar.lark").read_text(encoding="utf-8")
    held = package.joinpath(TABLES)
    known = held.read_text(encoding="utf-8") if held.is_file() else ""
    ready = tables.read(known, tables.key(text, OPTIONS), OPTIONS["postlex"])
    return ready or Lark(text, **OPTIONS)


# Words of the language that stand only where no name can stand, and so may be names too.
_ALSO_NAMES = {
    "again",
    "case",
    "decreases",
    "different",
    "down",
    "except",
    "first",
    "game",
    "happen",
    "increases",
    "least",
    "lose",
    "most",
    "number",
    "one",
    "outcome",
    "path",
    "play",
    "plays",
    "random",
    "rank",
    "region",
    "rounded",
    "score",
    "show",
    "starting",
    "times",
    "who",
    "win",
}


@lru_cache(maxsize=1)
def reserved_words() -> frozenset[str]:
    """Words that cannot be names, since they are words of the language itself."""
    words: set[str] = set()
    for terminal in grammar().terminals:
        if terminal.name not in ("NAME", "COMMENT"):
            words.update(re.findall(r"(?<![a-z\\[-])[a-z]+", terminal.pattern.value))
    return frozenset(words - _ALSO_NAMES)


# These begin a sentence about players, as a name would.
_NO_DEEDS = {"each", "nobody"}


@lru_cache(maxsize=1)
def deeds() -> Mapping[str, str]:
    """The words with which a line can begin, each with the fixed words that follow it."""
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
