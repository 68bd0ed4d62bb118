"""Compares rulesets of one game, rule by rule: a structural diff with evidence from games.

    ruleset ── points ── rows ── differences ── comparison
                          │          │
                        patch    witness, effect

`points` splits a rulebook into comparable units, `rows` aligns several rulebooks, `differences`
groups rows. `patch` writes a difference, or all of them, as a variant; with it `witness` searches
a position in which a difference shows, and `effect` plays paired games with and without it.
"""

from lawspeaker.study.compare.comparison import Comparison, OtherGame, compare
from lawspeaker.study.compare.ruleset import Ruleset

__all__ = ["Comparison", "OtherGame", "Ruleset", "compare"]
