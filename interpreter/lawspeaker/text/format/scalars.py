"""Serialises scalars: plain if possible, otherwise quoted, or as a block below the key.

A single line is quoted only where YAML would parse it differently. One that does not fit is folded
below `>-`; several lines are a literal block below `|`.
"""

from __future__ import annotations

import re

from lawspeaker.text.document import Scalar

WIDTH = 100
_STARTS_OTHERWISE = re.compile(r"[,\[\]{}#&*!|>'\"%@`]|[-?:](?:\s|$)|---|\.\.\.")
_ENDS_OTHERWISE = re.compile(r": | #|:$")
_IN_BRACKETS = re.compile(r"[,\[\]{}?]")
# Words that some YAML parser does not read as text.
_NUMERIC = re.compile(r"[-+.]?[0-9][0-9a-fA-FxXoOeE_.:+-]*")
_WORDS = frozenset("y n yes no on off true false null ~ = <<".split())
# Single spaces, except those of French before a colon and the like.
_SPACE = re.compile(r"(?<=[^ «]) (?=[^ »])(?![;:!?](?: |$))")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def can_be_plain(text: str, brackets: bool = False) -> bool:
    """Whether a text needs no quotes; inside brackets more characters are special."""
    if text != text.strip() or not text or not text.isprintable():
        return False
    if _STARTS_OTHERWISE.match(text) or _ENDS_OTHERWISE.search(text):
        return False
    return not (brackets and _IN_BRACKETS.search(text))


def can_be_code(line: str, brackets: bool = False) -> bool:
    """Whether a line of code needs no quotes. A mere `yes` would be taken for a boolean."""
    return can_be_plain(line, brackets) and line not in _WORDS


def one_line(scalar: Scalar, brackets: bool = False) -> str:
    """A scalar on one line."""
    if scalar.kind != "text":
        return scalar.span.text
    text = scalar.value
    surprising = bool(_NUMERIC.fullmatch(text)) or text.lower() in _WORDS
    if can_be_plain(text, brackets) and (scalar.style == "plain" or not surprising):
        return text
    return quoted(text)


def worded(text: str) -> str:
    """A text in flow style on one line, quoted only if necessary."""
    surprising = bool(_NUMERIC.fullmatch(text)) or text.lower() in _WORDS
    return text if can_be_plain(text, brackets=True) and not surprising else quoted(text)


def quoted(text: str) -> str:
    """A text in double quotes, or in single ones if that saves a backslash."""
    if text.isprintable() and ('"' in text or "\\" in text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_ESCAPES.get(each, each) for each in text) + '"'


def below(scalar: Scalar, indent: int, room: int) -> tuple[str, list[str]] | None:
    """The block indicator and lines for a scalar that cannot be beside its key: multi-line, or too
    long."""
    text = scalar.value
    if scalar.kind != "text":
        return None
    if scalar.style == "folded" and "\n" in text:
        return _folded_paragraphs(text, indent) or literal(text)
    if scalar.style == "literal" and "\n" in text:
        return literal(text)
    if len(one_line(scalar)) > room and _SPACE.search(text) and _can_be_folded(text):
        return ">-", filled(text, WIDTH - indent)
    return None


def literal(text: str) -> tuple[str, list[str]] | None:
    """A literal block."""
    lines = text.split("\n")
    kept = "-" if lines[-1] else "+" if lines[-2:] == ["", ""] or text == "\n" else ""
    spaces = "2" if next((line for line in lines if line), "").startswith(" ") else ""
    return f"|{spaces}{kept}", lines if lines[-1] else lines[:-1]


def _can_be_folded(text: str) -> bool:
    return text.isprintable() and text == text.strip()


def _folded_paragraphs(text: str, indent: int) -> tuple[str, list[str]] | None:
    body = text.removesuffix("\n")
    paragraphs = body.split("\n")
    if not all(map(_can_be_folded, paragraphs)) or not all(paragraphs):
        return None
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += ["", *filled(paragraph, WIDTH - indent)]
    return ">" if body != text else ">-", lines[1:]


def filled(text: str, width: int) -> list[str]:
    """Wraps a text. It breaks only at single spaces, since several would be lost."""
    return _filled(_SPACE.split(text), width)


def filled_parts(parts: list[str], width: int) -> list[str]:
    """Wraps the parts of a flow mapping."""
    return _filled([*(f"{each}," for each in parts[:-1]), parts[-1]], width - len("}"))


def _filled(words: list[str], width: int) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
