"""Hand-written baselines: what careful Python does for one game, to hold the interpreter against.

`BASELINES` names for each game the function that plays one random game: play(players, seed).
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import walhalla_by_hand

BASELINES: dict[str, Callable[[int, int], object]] = {"walhalla": walhalla_by_hand.play}
