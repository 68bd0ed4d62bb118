"""Mutations: the code they make, and their fingerprints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.operators import mutated, mutations
from tests.mutants.parts import PARTS, Part

ROOT = Path(__file__).parents[2]


def mutants_of(text: str) -> list[str]:
    """A text mutated in every way, in one line each."""
    found = [mutated(text, each) for each in mutations(text)]
    return [each.replace("\n", "").replace("  ", " ") for each in found if each is not None]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("x = a if c else d", ["x = a if True else d", "x = a if False else d"]),
        ("x = a and b", ["x = b", "x = a"]),
        ("x = a < b", ["x = (a <= b)"]),
        ("x = a not in b", ["x = (a in b)"]),
        ("x = not a", ["x = a"]),
        ("x = a | b", ["x = a", "x = b"]),
        ("x = a // b", ["x = (a * b)"]),
        ("x = 7", ["x = 8"]),
        ("x = f'{7}'", []),
        ("x = (a, b)", ["x = (b,)", "x = (a,)"]),
        ("x = {a: b}", ["x = {}"]),
        ("x = {a}", ["x = set()"]),
        ("x = a[b:c]", ["x = a[:c]", "x = a[b:]"]),
        ("x = f(a)", ["x = a"]),
        ("x = max(a, b)", ["x = min(a, b)"]),
        (
            "x = [a for a in b if c]",
            [f"x = [a for a in {x}]" for x in ("() if c", "b if True", "b if False")],
        ),
        ("x = f(*a, b=c)", ["x = f(b=c)", "x = f(*a)"]),
        ("x: f[1] = ä", []),
        ("Place = str | None", []),
        ("def f() -> bool: return a", [f"def f() -> bool: return {x}" for x in (True, False)]),
        ("def f() -> int: yield a", ["def f() -> int: pass"]),
        ("while a: b()", ["while False: b()", "while a: pass"]),
        ("def f():\n 'Says.'\n a += b", ["def f(): 'Says.' pass", "def f(): 'Says.' a = b"]),
        (
            "match a:\n case B() | C(): pass",
            [f"match a: case {x}: pass" for x in ("B() | C() if False", "C()", "B()")],
        ),
    ],
)
def test_a_text_is_mutated(text: str, expected: list[str]) -> None:
    assert mutants_of(text) == expected


def test_a_fingerprint_survives_changes_elsewhere() -> None:
    before = "def f():\n    return a | b\n"
    after = f"# Remark.\nclass C: ...\n\n\ndef g(x): return x\n\n\n{before}"
    assert {each.fingerprint for each in mutations(before)} <= {
        each.fingerprint for each in mutations(after)
    }


def test_equal_mutations_have_their_own_fingerprints() -> None:
    found = list(mutations("def f():\n    a()\n    a()\n"))
    assert len({each.fingerprint for each in found}) == len(found) == 2
    assert replace(found[0], line=9).fingerprint == found[0].fingerprint


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_files_of_a_part_exist(part: Part) -> None:
    for pattern in part.files.split():
        assert replace(part, files=pattern).modules(ROOT), pattern
    for each in part.tests.split():
        assert (ROOT / "tests" / each).exists(), each
