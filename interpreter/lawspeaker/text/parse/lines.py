"""Lexing of lines: continuation lines, and indentation as block tokens.

Lark does not know lines. `LineLexer` is its lexer, plus line ends: these can occur in every parser
state, so they are matched here, once for all states. `Indentation` is a post-lexer that turns
leading spaces into indent and dedent tokens, counted from the column of the first word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark import TextSlice, Token
from lark.common import LexerConf
from lark.lark import PostLex
from lark.lexer import BasicLexer, ContextualLexer

_END = re.compile(r"(\r?\n[ \t]*(#[^\r\n]*)?)+")

_OPERATOR = r"[+*/=<>-]"
# `where name: …` is a guard, and a line of its own.
_WHERE = r"where\b(?![ \t]+[a-z_][a-z0-9_.]*[ \t]*:[ \t]*[^ \t\r\n#])"
# Everything up to a colon, across continuation lines.
_UP_TO_COLON = rf"""
    (?>
        [^:#\r\n]* (?:\#[^\r\n]*)?
        (?:
            \r?\n[ \t]* (?:{_OPERATOR} | (?:and|or|then|else|while)\b | {_WHERE})
            [^:#\r\n]* (?:\#[^\r\n]*)?
        )*
    ) :"""
_IN_BRACKETS = r"\( (?:[^()] | \( (?:[^()] | \([^()]*\))* \))* \) | \[[^\[\]]*\]"
# Everything up to a comma outside of brackets, across continuation lines, except that of `at most`.
_UP_TO_COMMA = rf"""
    (?>
        (?:[^,()\[\]#\r\n] | {_IN_BRACKETS})*
        (?:
            \r?\n[ \t]* (?=(?:and|or)\b)
            (?:(?!\bfor[ \t]+every\b) [^,()\[\]#\r\n] | {_IN_BRACKETS})*
        )*
    ) , (?![ \t]*at[ \t]+most\b)"""

# `over roads` of a path, but not a name `over` that is assigned or scores.
_OVER = r"over[ \t]+(?!(?:of|on|at|along|with|under|becomes|increases|decreases|scores?)\b)[a-z_]"

# A line continues the one before it if it begins with an operator, `while` or `over`; with a
# `where` that is no guard; with `then`, `else` or `for each` that opens no block; or with a `for
# every` without a condition of its own.
_GOES_ON = re.compile(
    rf"""
    {_OPERATOR}
    | (?:and|or|while)\b
    | {_OVER}
    | {_WHERE}
    | for[ \t]+each\b (?!{_UP_TO_COLON})
    | then\b (?!:)
    | else\b (?![^\r\n#]*:)
    | for[ \t]+every\b (?!{_UP_TO_COMMA})
    """,
    re.VERBOSE,
)


class LineLexer(BasicLexer):
    """The lexer for one parser state, plus line ends."""

    def __init__(self, conf: LexerConf, comparator: Any = None) -> None:
        super().__init__(conf, comparator)
        self.newline_types = frozenset(("_NL", "_CONTINUED"))
        self.ignore_types |= {"_CONTINUED"}

    def match(self, text: TextSlice[str], pos: int) -> tuple[str, str] | None:
        word: tuple[str, str] | None = super().match(text, pos)  # type: ignore[no-untyped-call]
        return word or self._end_of_line(text, pos)

    @staticmethod
    def _end_of_line(text: TextSlice[str], pos: int) -> tuple[str, str] | None:
        end = _END.match(text.text, pos, text.end)
        if end is None:
            return None
        goes_on = _GOES_ON.match(text.text, end.end(), text.end)
        return end[0], "_CONTINUED" if goes_on else "_NL"


class WordsInContext(ContextualLexer):
    """Lark's contextual lexer, with `LineLexer` as the lexer of each state."""

    BasicLexer = LineLexer


class Indentation(PostLex):
    """Turns leading spaces into indent and dedent tokens."""

    always_accept = ()

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
                # A line that ends with a comma continues, too.
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
        """An empty token just after the last one."""
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
    """A dedent to no enclosing level, or a tab in the indentation."""

    def __init__(self, token: Token, tab: bool = False) -> None:
        super().__init__("bad indentation")
        self.token = token
        self.tab = tab
