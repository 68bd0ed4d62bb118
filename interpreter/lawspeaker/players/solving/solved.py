"""A small game, solved: what to do in all that a seat can know, and how good that is."""

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
from lawspeaker.players.solving.tree import Reals, Tree, grown

NEAR = 2e-5
"""An equilibrium is near enough if so small a part of all that is at stake can be won from it."""
MOST_ROUNDS = 3000
BETWEEN = 100
"""So many rounds of regrets go by before it is looked how far it is."""


@dataclass(frozen=True, slots=True)
class Solved:
    """`all_open`: nothing is hidden, and the plan knows every position exactly; else it is an
    equilibrium, as near as `exploitable` says: so much a seat could gain on average by answering
    best. `size`: how many positions, or choices that can be told apart, there are. `values`: what
    each seat may expect if all play by the plan. `careless`: what one who plays by it may
    expect, on average over the seats, if all others take any option: points, or a part of the
    victory."""

    plan: Plan
    all_open: bool
    size: int
    values: tuple[float, ...]
    exploitable: float
    careless: float
    rounds: int = 0


def solved(program: ir.Program, players: int, *, points: bool) -> Solved:
    """Raises NotSmall for a game that cannot be solved so."""
    if not looks_small(program, players):
        raise NotSmall
    payoffs = Payoffs(points)
    try:
        solver = Solver(program, players, payoffs)
        worth = solver.solve()
    except NotSmall:
        return equilibrium(grown(program, players, payoffs))
    careless = sum(worth.careless) / players
    return Solved(solver.plan, True, solver.positions, worth.best, 0.0, careless)


def equilibrium(tree: Tree) -> Solved:
    """As near as can be in so many rounds."""
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
    return {
        each.known: dict(zip(each.options, strategy[each.slots].tolist(), strict=True))
        for each in tree.choices
    }


def against_careless(tree: Tree, strategy: Reals) -> float:
    """What one may expect, on average over the seats, who plays by a strategy among others who take
    any option."""
    found = 0.0
    for seat in range(tree.players):
        mixed = np.where(tree.owners == seat, strategy, tree.even)
        found += float(tree.expected(mixed, tree.told)[0, seat])
    return found / tree.players
