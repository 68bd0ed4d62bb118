"""Finds tables for a playthrough: `python -m tests.playthroughs.search NAME [SEEDS]`.

Every number of players is tried with every seed. The first table is the one that executes the most
clauses; among equals, the one that shows the most labels in the fewest lines. Others follow as long
as they execute a clause that none before did.
"""

from __future__ import annotations

import sys

from tests.library import game
from tests.playthroughs.record import Playthrough, Table, executable, playthrough


def search(name: str, seeds: int) -> tuple[list[Table], frozenset[str]]:
    """The tables, and the clauses that no game has executed."""
    wanted = executable(game(name).program)
    played = {
        (players, seed): playthrough(game(name), [(players, seed)])
        for players in game(name).players
        for seed in range(1, seeds + 1)
    }
    chosen: list[Table] = []
    missing = wanted
    while True:
        best = max(played, key=lambda table: worth(played[table], missing))
        if not missing & played[best].shown:
            return chosen, missing
        chosen.append(best)
        missing -= played[best].shown


def worth(played: Playthrough, missing: frozenset[str]) -> tuple[int, int, int]:
    return len(missing & played.shown), len(played.shown), -played.text.count("\n")


if __name__ == "__main__":
    tables, left = search(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100)
    print(f"{sys.argv[1]}: tables {tables}, not executed: {', '.join(sorted(left)) or 'none'}")
