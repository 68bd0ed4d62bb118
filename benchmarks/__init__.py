"""Hand-written baselines: what careful Python does for one game, to hold the interpreter against.

`BASELINES` names for each game the function that plays one random game: play(players, seed).
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import (
    chess_by_hand,
    draughts_by_hand,
    go_by_hand,
    voluspa_by_hand,
    walhalla_by_hand,
)

BASELINES: dict[str, Callable[[int, int], object]] = {
    "chess": chess_by_hand.play,
    "draughts": draughts_by_hand.play,
    "go": go_by_hand.play,
    "voluspa": voluspa_by_hand.play,
    "walhalla": walhalla_by_hand.play,
}
