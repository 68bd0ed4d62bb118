"""Best responses to a strategy, and its exploitability.

A best responder knows the others' strategy, but sees no more than its seat. In each information
set it takes the option with the highest value over the set's nodes, weighted by the reach
probability of chance and the others.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from lawspeaker.players.solving.tree import Reals, Tree


def best_answer(tree: Tree, strategy: Reals, seat: int) -> float:
    """The value of a best response at a seat, while all others play the strategy."""
    reaches, chances = tree.reaches(strategy), tree.chances(strategy)
    others = np.delete(reaches, seat, axis=1).prod(axis=1)
    nodes: dict[int, list[int]] = {}
    for node in np.flatnonzero(tree.seat == seat).tolist():
        nodes.setdefault(int(tree.choice[node]), []).append(node)

    @cache
    def worth(node: int) -> float:
        children = tree.children[node]
        if not children:
            return float(tree.payoffs[node, seat])
        if tree.seat[node] == seat:
            return worth(children[taken(int(tree.choice[node]))])
        return sum(float(chances[child]) * worth(child) for child in children)

    @cache
    def taken(choice: int) -> int:
        options = range(len(tree.choices[choice].options))

        def brings(option: int) -> float:
            return sum(
                float(others[node]) * worth(tree.children[node][option]) for node in nodes[choice]
            )

        return max(options, key=brings)

    return worth(0)


def exploitability(tree: Tree, strategy: Reals) -> float:
    """Average gain of a best response over the strategy itself, over the seats: 0 in an
    equilibrium.
    """
    own = tree.expected(strategy)[0]
    gains = [best_answer(tree, strategy, seat) - own[seat] for seat in range(tree.players)]
    return float(sum(gains)) / tree.players
