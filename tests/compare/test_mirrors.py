"""Two editions compared in either direction are mirror images of each other."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.loading import load_rulesets as open_tellings
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.kinds import EXTRA, LEFT_OUT
from tests.compare.stall import stall_rulesets
from tests.tiers import sample

pytestmark = pytest.mark.full

EDITIONS = ("walhalla", "walhalla+italian", "walhalla+french", "walhalla+german_attacke")
OPPOSITE = {EXTRA: LEFT_OUT, LEFT_OUT: EXTRA}


@cache
def editions() -> dict[str, Ruleset]:
    found = open_tellings(list(EDITIONS), Diagnostics())
    assert found is not None
    return {each.name: each for each in found}


def kinds(comparison: Comparison) -> dict[str, str]:
    return {row.id: row.kind for row in comparison.table.rows}


@pytest.mark.parametrize("pair", sample(list(combinations(EDITIONS, 2)), test=3), ids=" ".join)
def test_editions_are_mirror_images(pair: tuple[str, str]) -> None:
    one, other = (editions()[name] for name in pair)
    forth, back = compare([one, other]), compare([other, one])
    mirrored = {id: OPPOSITE.get(kind, kind) for id, kind in kinds(back).items()}
    assert kinds(forth) == mirrored
    assert forth.counts == back.counts
    groups = [
        {frozenset(row.id for row in each.rows) for each in found.differences}
        for found in (forth, back)
    ]
    assert groups[0] == groups[1]


ADDED = """\
changes:
  - add: tip
    kind: extra rule
    after: farewell
    says: Cy has {worth}.
    rule: cy scores {worth}
"""


def test_a_rule_that_two_add_at_another_price_is_neither_extra_nor_left_out(tmp_path: Path) -> None:
    dear, cheap = ADDED.format(worth=2), ADDED.format(worth=1)
    first, one, other = stall_rulesets(tmp_path, {"dear": dear, "cheap": cheap})
    for pair in ([one, other], [other, one]):
        assert kinds(compare(pair))["tip"] == "value"
    assert kinds(compare([first, one]))["tip"] == EXTRA
    assert kinds(compare([one, first]))["tip"] == LEFT_OUT


MORE = """\
changes:
  - replace: farewell
    kind: extra rule
    says: Ann and Ben have the last word.
    rule: |
      ann scores 1
      ben scores 1
"""


def test_what_is_added_to_a_rule_is_left_out_on_the_way_back(tmp_path: Path) -> None:
    first, more = stall_rulesets(tmp_path, {"more": MORE})
    assert kinds(compare([first, more]))["farewell"] == EXTRA
    assert kinds(compare([more, first]))["farewell"] == LEFT_OUT
    first, unsaid = stall_rulesets(tmp_path, {"more": MORE.replace("    kind: extra rule\n", "")})
    assert kinds(compare([first, unsaid]))["farewell"] == EXTRA
    assert kinds(compare([unsaid, first]))["farewell"] == LEFT_OUT
