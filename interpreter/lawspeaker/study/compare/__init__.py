"""Tellings of one game held against each other, rule by rule.

    telling ── points ── rows ── differences ── comparison
                           │          │
                         patch     witness, effect

`points` takes a rulebook apart, `rows` puts several side by side, `differences` finds what belongs
together. `patch` writes a difference, or all of them, as a variant; with it `witness` looks for a
position in which a difference shows, and `effect` plays paired games with and without it.
"""

from lawspeaker.study.compare.comparison import Comparison, OtherGame, compare
from lawspeaker.study.compare.telling import Telling

__all__ = ["Comparison", "OtherGame", "Telling", "compare"]
