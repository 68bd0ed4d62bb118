"""Three tiers of tests: `make test`, `make full`, `make nightly`. Each runs those before it, too.

The tier comes from LAWSPEAKER_TIER (`test` unless set). There are two ways to spend less in a lower
tier. A test carries the marker of the lowest tier that runs it. A whole file does so by the line
`pytestmark = pytest.mark.full`, and lower tiers do not even import it:

    @pytest.mark.full
    def test_a_large_book_is_printed() -> None: ...

Or a number, or a list of cases, depends on the tier:

    GAMES = pick(test=1, full=5, nightly=100)

    @pytest.mark.parametrize("name", sample(VARIANTS, test=12, full=3))
    def test_a_variant_keeps_this(name: str) -> None: ...

A test that the command line names (`pytest FILE::TEST`) runs in every tier. CONTRIBUTING.md has
the rule for the tier of a new test.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path
from typing import TypeVar

import pytest

Value = TypeVar("Value")


class Tier(IntEnum):
    TEST = 0
    FULL = 1
    NIGHTLY = 2


def _tier(name: str) -> Tier:
    names = [tier.name.lower() for tier in Tier]
    if name not in names:
        raise SystemExit(f"LAWSPEAKER_TIER is {name!r}; it can be {', '.join(names)}")
    return Tier(names.index(name))


TIER = _tier(os.environ.get("LAWSPEAKER_TIER", "test"))
FULL = TIER >= Tier.FULL
NIGHTLY = TIER == Tier.NIGHTLY

LONG_QUESTIONS = frozenset({"backgammon", "chess", "draughts", "go", "xiangqi"})
"""Games whose questions take the reference machine long."""
SLOW: frozenset[str] = frozenset() if NIGHTLY else LONG_QUESTIONS
"""Games of which only a nightly run plays more than the first moves."""


def pick(test: Value, full: Value, nightly: Value) -> Value:
    """The value for the tier that runs."""
    return (test, full, nightly)[TIER]


_WHOLE_FILE = re.compile(r"^pytestmark = .*pytest\.mark\.(full|nightly)\b", re.MULTILINE)


def tier_of_file(file: Path) -> Tier:
    """The lowest tier that runs all tests of a file, without importing it."""
    found = _WHOLE_FILE.search(file.read_text(encoding="utf-8"))
    return Tier[found[1].upper()] if found else Tier.TEST


def tier_of(item: pytest.Item) -> Tier:
    """The lowest tier that runs a test."""
    marked = (tier for tier in Tier if item.get_closest_marker(tier.name.lower()))
    return max(marked, default=Tier.TEST)


def sample(values: Iterable[Value], test: int = 1, full: int = 1) -> list[Value]:
    """Some cases of a parametrised test: each `test`-th in `make test`, each `full`-th in `make
    full`, every case in a nightly run."""
    return list(values)[:: pick(test=test, full=full, nightly=1)]
