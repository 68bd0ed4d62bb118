"""Migrates deprecated syntax of code to the current one. Both are accepted, with the same meaning:

    walk cell as next from start while …     walk from start to each cell as next while …
    CONDITION for every BINDER               for every BINDER, CONDITION
    where NAME: … (of a whole question)      in each case where NAME: …
    card in deck as best                     card as best in deck

One occurrence is replaced at a time, the last first, and the code parsed again, so that nested ones
are always found in the current text. An occurrence with a comment inside is left alone, since there
is no telling where the comment would belong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lark import Token, Tree

from lawspeaker.text.parse import grammar

_PERHAPS = re.compile(r"\bwalk\b|\bas\b|\bfor[ \t]+every\b|\bone[ \t]+of\b")
_GOES_ON = re.compile(r"\s*(?:,|(?:and|or|for[ \t]+every)\b)")


def renewed(code: str, start: str) -> str:
    """Valid code, in the current syntax."""
    if not _PERHAPS.search(code):
        return code
    while (change := next(_changes(code, start), None)) is not None:
        low, high, text = change
        code = code[:low] + text + code[high:]
    return code


def _changes(code: str, start: str) -> Iterator[tuple[int, int, str]]:
    """The possible replacements: start, end and new text."""
    tree = grammar().parse(code, start=start)
    found = (each for each in tree.iter_subtrees() if each.data in RENEWED)
    for each in sorted(found, key=lambda each: each.meta.start_pos, reverse=True):
        low, high, text = RENEWED[str(each.data)](code, each)
        if "#" not in code[low:high]:
            yield low, high, text


def _said(code: str, tree: Tree[Token]) -> str:
    return " ".join(code[tree.meta.start_pos : tree.meta.end_pos].split())


def _walk(code: str, tree: Tree[Token]) -> tuple[int, int, str]:
    noun, alias, start, _ = tree.children
    assert isinstance(noun, Tree)
    assert isinstance(start, Tree)
    called = f" as {alias}" if alias else ""
    text = f"walk from {_said(code, start)} to each {_said(code, noun)}{called}"
    return tree.meta.start_pos, start.meta.end_pos, text


def _every(code: str, tree: Tree[Token]) -> tuple[int, int, str]:
    condition, binder = tree.children
    assert isinstance(condition, Tree)
    assert isinstance(binder, Tree)
    while condition.data in ("chain", "parens") and len(condition.children) == 1:
        (inner,) = condition.children
        if not isinstance(inner, Tree) or "parens" not in (condition.data, inner.data):
            break
        condition = inner
    text = f"for every {_said(code, binder)}, {_said(code, condition)}"
    low, high = tree.meta.start_pos, tree.meta.end_pos
    return low, high, f"({text})" if _GOES_ON.match(code, high) else text


def _common(code: str, tree: Tree[Token]) -> tuple[int, int, str]:
    return tree.meta.start_pos, tree.meta.start_pos, "in each case "


def _named_late(code: str, tree: Tree[Token]) -> tuple[int, int, str]:
    noun, source, alias, *_ = tree.children
    assert isinstance(noun, Tree)
    assert isinstance(source, Tree)
    assert isinstance(alias, Token)
    text = f"{_said(code, noun)} as {alias} in {_said(code, source)}"
    return tree.meta.start_pos, alias.end_pos or 0, text


RENEWED: dict[str, Callable[[str, Tree[Token]], tuple[int, int, str]]] = {
    "walk_over": _walk,
    "every_after": _every,
    "silently_common": _common,
    "named_late": _named_late,
}
