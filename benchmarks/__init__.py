"""Hand-written baselines: what careful Python does for one game, to hold the interpreter against.

`BASELINES` names for each game the function that plays one random game: play(players, seed).
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import voluspa_by_hand, walhalla_by_hand

BASELINES: dict[str, Callable[[int, int], object]] = {
    "voluspa": voluspa_by_hand.play,
    "walhalla": walhalla_by_hand.play,
}
