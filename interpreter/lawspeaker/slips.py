"""Syntax errors in the words of the person who made them.

The parser knows where it stopped and which words could have stood there. This file turns that
into a sentence, and knows the slips people make who come from other languages or from prose.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d]\w*")

_CONNECTORS = {
    "PREPOSITION": "of",
    "COMPARE": "a comparison",
    "NAME": "a name",
    "NUMBER": "a number",
    "MODAL": "must or may",
    "WHICH": "highest or lowest",
    "ROUNDING": "up or down",
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "$END": "the end",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "__ANON_0": "`:`",
}

# What was found -> what to do about it. The first whose pattern fits at the place wins.
_SLIPS: tuple[tuple[str, str], ...] = (
    (r"==", "write `=` for numbers and `is` for everything else"),
    (r"!=|<>|≠", "write `is not`"),
    (r"=>", "write `>=`"),
    (r"=<", "write `<=`"),
    (r"&&|&", "write `and`"),
    (r"\|\|", "write `or`"),
    (r"!", "write `not`"),
    (r"\+=|-=|\+\+|--", "write `x becomes x + 1`, or `player scores 1`"),
    (r":=|<-", "write `let x be …` for something new, `x becomes …` for something that changes"),
    (r"[\"'“„«]", "names in code are written without quotation marks"),
    (r"[A-Z]", "names in code are small letters, digits and `_`"),
    (r"[×·]", "write `*`"),
    (r"%", "write `remainder(a, b)`"),
    (r";", "one deed a line: start a new line instead of `;`"),
    (r"\{|\}", "blocks are made by `:` and indentation"),
    (r"-(?=\w)", "names are joined with `_`, and a minus sign stands between spaces"),
    (r"true\b|false\b", "write `yes` or `no`"),
    (r"none\b|null\b|nil\b", "write `nothing`"),
    (r"elif\b|elsif\b", "write `else if`"),
    (r"while\b", "write `repeat until …, at most N times:`"),
    (r"return\b", "write `finish` to leave a clause; a value is what the last line says"),
    (r"set\b", "write `x becomes …`"),
    (r"can\b|could\b|should\b", "write `may` for a choice and `must` for a duty"),
    (r"gets\b|gains\b|wins\b", "points are given with `player scores N`"),
    (r"to\b", "`to` belongs to `move … to …` and `offer … to …`"),
)


def word_at(text: str, at: int) -> str:
    found = _WORD.match(text, at)
    return found.group() if found else ""


def describe(
    text: str, start: int, at: int, found: str, accepted: set[str]
) -> tuple[str, str | None]:
    """A sentence about a place at which the code cannot be read, and a hint."""
    line = text[text.rfind("\n", 0, at) + 1 : at].strip()
    hint = _hint(text, at, found, accepted, line)
    if not found:
        message = "something is missing at the end of this line"
    elif found.isalnum() or "_" in found:
        message = f"`{found}` cannot stand here"
    else:
        message = f"`{found.strip() or ' '}` cannot stand here"
    expected = _expected(accepted)
    return (f"{message}; expected {expected}" if expected else message), hint


def _hint(text: str, at: int, found: str, accepted: set[str], line: str) -> str | None:
    for pattern, advice in _SLIPS:
        if re.compile(pattern).match(text, at):
            return advice
    if not found and "COLON" in accepted:
        return "a line that opens a block ends with `:`"
    if "ROUNDED" in accepted:
        return "say how a division is rounded: `a / b rounded up` or `rounded down`"
    if not found and re.match(r"(if|for each|repeat|rank|else|then|otherwise)\b", line):
        return "a line that opens a block ends with `:`"
    if found and "_INDENT" in accepted:
        return "what belongs to the line above is indented"
    if found and line.startswith("where ") and "COLON" in accepted:
        return "a guard has a name: `where name: condition`"
    return None


def _expected(accepted: set[str]) -> str:
    names = []
    for each in sorted(accepted):
        if each in _CONNECTORS:
            names.append(_CONNECTORS[each])
        elif each.isalpha():
            names.append(f"`{each.lower()}`")
    names = sorted(set(names), key=lambda each: (each.startswith("`"), each))
    if not names or len(names) > 12:
        return ""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
