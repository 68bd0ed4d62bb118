"""The catalogue of codes holds what the package says, no more and no less.

Codes are found by reading the source: they are the first argument of whatever makes a diagnostic,
or a constant that is given there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from lawspeaker.base import codes
from tests.conftest import Golden
from tests.language.games import BAD, expected, games
from tests.repo.checkout import PACKAGE, ROOT, parsed

pytestmark = pytest.mark.xdist_group("source tree")
MAKERS = frozenset({"error", "warning", "Diagnostic", "Sight", "_error", "_refuse", "_words"})
CODE = re.compile(r"[a-z]+(-[a-z]+)*\Z")
NOT_ABOUT_RULES = frozenset(
    {"bad-log", "log-differs", "impossible-luck", "bad-scenario", "scenario-failed"}
)


@cache
def emitted() -> dict[str, str]:
    """Every code in the source, and a place where it is."""
    found: dict[str, str] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.name == "codes.py":
            continue
        tree = parsed(file)
        named = dict(constants(tree))
        for name in {"BAD", "FAILED"} & named.keys():
            found.setdefault(named[name], file.relative_to(ROOT).as_posix())
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and callee_name(node) in MAKERS:
                for code in codes_passed(node, named):
                    found.setdefault(code, f"{file.relative_to(ROOT).as_posix()}:{node.lineno}")
    return found


def constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(value))):
                yield name, value


def callee_name(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def codes_passed(node: ast.Call, named: dict[str, str]) -> Iterator[str]:
    """The codes a call is given: its first argument (of two, if it is one or the other)."""
    keyword = [each.value for each in node.keywords if each.arg == "code"]
    first = [] if callee_name(node) == "_words" else node.args[:1]
    for argument in (*first, *keyword):
        options = (
            [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
        )
        for each in options:
            value = named.get(each.id) if isinstance(each, ast.Name) else None
            if isinstance(each, ast.Constant):
                value = each.value if isinstance(each.value, str) else None
            if value is not None and CODE.match(value):
                yield value


def test_every_code_that_is_emitted_is_in_the_catalogue() -> None:
    missing = {code: place for code, place in emitted().items() if code not in codes.CODES}
    assert not missing


def test_every_code_of_the_catalogue_is_emitted() -> None:
    assert set(codes.CODES) == set(emitted())


def test_every_code_about_rules_has_a_bad_game() -> None:
    shown = {code for game in games(BAD) for _, _, _, code in expected(game, BAD)}
    assert set(codes.CODES) - NOT_ABOUT_RULES - shown == set()
    assert shown <= set(codes.CODES)


def test_the_page_of_the_manual_is_the_catalogue(golden: Golden) -> None:
    golden(codes.markdown(), ROOT / "docs" / "codes.md")


def test_every_code_is_explained() -> None:
    wrong = [f"{code}: {each}" for code in codes.CODES for each in broken_rules(code)]
    assert not wrong, "\n" + "\n".join(wrong)


def broken_rules(code: str) -> list[str]:
    each, explained = codes.CODES[code], codes.explain(code)
    rules = {
        "the code is words with hyphens": CODE.match(code),
        "the title begins small": each.title[0].islower() or each.title.startswith("`"),
        "the title has no full stop": not each.title.endswith("."),
        "the text is whole sentences": each.text.endswith((".", ").")),
        "the explanation names the code": code in explained,
        "no line is too long": all(len(line) <= 100 for line in explained.splitlines()),
    }
    return [rule for rule, holds in rules.items() if not holds]
