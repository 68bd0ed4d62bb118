"""Solves a small game: the plan for each information set, and its quality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lawspeaker import ir
from lawspeaker.players.solving.answers import exploitability
from lawspeaker.players.solving.knowledge import Plan
from lawspeaker.players.solving.payoffs import Payoffs
from lawspeaker.players.solving.positions import Solver
from lawspeaker.players.solving.regrets import learning
from lawspeaker.players.solving.size import NotSmall, looks_small
from lawspeaker.players.solving.tree import Reals, Tree, game_tree

NEAR = 2e-5
"""Exploitability, as a fraction of the stakes, at which iteration stops."""
MOST_ROUNDS = 3000
BETWEEN = 100
"""Rounds of CFR between checks of the exploitability."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The solution of a game.

    `all_open`: open information, solved exactly; else an equilibrium approximation with average
    gain `exploitable` for a best response. `size`: number of positions or information sets.
    `values`: expected utility of each seat if all follow the plan. `careless`: expected result of
    the plan against random players, averaged over the seats: points, or a share of the victory.
    """

    plan: Plan
    all_open: bool
    size: int
    values: tuple[float, ...]
    exploitable: float
    careless: float
    rounds: int = 0


def solved(program: ir.Program, players: int, *, points: bool) -> Solved:
    """Solves a game exactly or by CFR+. Raises NotSmall."""
    if not looks_small(program, players):
        raise NotSmall
    payoffs = Payoffs(points)
    try:
        solver = Solver(program, players, payoffs)
        worth = solver.solve()
    except NotSmall:
        return equilibrium(game_tree(program, players, payoffs))
    careless = sum(worth.careless) / players
    return Solved(solver.plan, True, solver.positions, worth.best, 0.0, careless)


def equilibrium(tree: Tree) -> Solved:
    """Runs CFR+ until it is close enough or the round limit is reached."""
    stake = float(np.ptp(tree.payoffs))
    for number, strategy in enumerate(learning(tree), 1):
        if number % BETWEEN:
            continue
        left = exploitability(tree, strategy)
        if left <= NEAR * stake or number >= MOST_ROUNDS:
            break
    values = tuple(tree.expected(strategy)[0].tolist())
    return Solved(
        plan_of(tree, strategy),
        False,
        len(tree.choices),
        values,
        left,
        against_careless(tree, strategy),
        number,
    )


def plan_of(tree: Tree, strategy: Reals) -> Plan:
    """Converts a strategy vector to a plan."""
    return {
        each.known: dict(zip(each.options, strategy[each.slots].tolist(), strict=True))
        for each in tree.choices
    }


def against_careless(tree: Tree, strategy: Reals) -> float:
    """Expected result of a strategy against random players, averaged over the seats."""
    found = 0.0
    for seat in range(tree.players):
        mixed = np.where(tree.owners == seat, strategy, tree.even)
        found += float(tree.expected(mixed, tree.told)[0, seat])
    return found / tree.players
