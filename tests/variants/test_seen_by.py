"""Variants in which others see a place, its top or a marker; and how they are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.comparison import MATTERS
from lawspeaker.study.compare.differences import Difference
from tests.variants.tables import Fair

GAME = """\
lawspeaker: 1
game: fair
players: {from: 2, to: 3, called: [ann, ben, cy]}
pieces:
  card: {starts in: deck, kinds: {low: 6, high: 6}}
places:
  deck: {holds: card, arranged: pile}
  stack: {holds: card, arranged: pile, seen by: nobody, top seen by: everyone}
  hand: {of each: player, holds: card, seen by: owner}
  safe: {holds: card, seen by: [ann, ben]}
markers:
  plan: {of each: player, shows: number, seen by: owner}
rules:
  game:
    says: Cards are dealt.
    rule: |
      for each player: draw card from deck to hand of player
      draw card from deck to safe
      draw card as last from deck to stack
"""


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    found = Fair(tmp_path)
    (tmp_path / "fair.yaml").write_text(GAME, encoding="utf-8")
    return found


CHANGES = [
    ("set: places.hand.seen by, to: everyone but its owner", "hand", "everyone but its owner"),
    ("set: places.hand.seen by, to: [cy, owner]", "hand", ("owner", "cy")),
    ("set: places.hand.seen by, to: [owner]", "hand", "owner"),
    ("set: places.safe.seen by, to: [cy]", "safe", ("cy",)),
    ("set: places.safe.seen by, to: [ben, ann]", "safe", ("ann", "ben")),
    ("set: places.safe.seen by, to: everyone", "safe", "everyone"),
    ("set: places.stack.top seen by, to: [cy, ann]", "stack top", ("ann", "cy")),
    ("set: places.stack.top seen by, to: nobody", "stack top", "nobody"),
    ("remove: places.stack.top seen by", "stack top", "nobody"),
    ("add: places.deck.top seen by, to: [ben]", "deck top", ("ben",)),
    ("add: places.hand.count seen by, to: owner", "hand count", "owner"),
    ("set: markers.plan.seen by, to: everyone but its owner", "plan", "everyone but its owner"),
    ("set: markers.plan.seen by, to: [ben]", "plan", ("ben",)),
]


@pytest.mark.parametrize("change, name, expected", CHANGES, ids=[each[0] for each in CHANGES])
def test_a_variant_says_who_sees(fair: Fair, change: str, name: str, expected: object) -> None:
    fair.variant("other", f"changes:\n  - {{{change}}}\n")
    seen: dict[str, object] = {}
    program = fair.program("fair+other")
    for family in program.families:
        seen[family.name] = family.seen_by
        seen[f"{family.name} top"] = family.top_seen_by
        seen[f"{family.name} count"] = family.count_seen_by
    seen.update((marker.name, marker.seen_by) for marker in program.markers)
    assert seen[name] == expected


def test_nobody_owns_what_is_there_once(fair: Fair) -> None:
    fair.variant("other", "changes:\n  - {set: places.safe.seen by, to: [owner, ann]}\n")
    fault = fair.fault("fair+other")
    assert fault.code == "no-owner"
    assert fault.span.file.name.endswith("other.yaml")


@pytest.mark.parametrize(
    "change, differences",
    [
        ("set: places.safe.seen by, to: [ben, ann]", []),
        ("set: places.safe.seen by, to: [ben, cy]", [["ann, ben", "ben, cy"]]),
        ("set: places.hand.seen by, to: [cy, owner]", [["its owner", "cy, its owner"]]),
        ("set: places.stack.top seen by, to: [ann]", [["everyone", "ann"]]),
    ],
)
def test_who_sees_is_compared_whatever_the_order(
    fair: Fair, change: str, differences: list[list[str]]
) -> None:
    fair.variant("other", f"changes:\n  - {{{change}}}\n")
    found = load_rulesets(["fair", "fair+other"], Diagnostics(), Library(fair.folder, ()))
    assert found is not None
    rows = [each.row for each in compare(found).in_order(MATTERS) if isinstance(each, Difference)]
    assert [[cell.text for cell in row.cells] for row in rows] == differences
