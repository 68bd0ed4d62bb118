"""The value of Kuhn poker, found by a short solver that uses only the public interface.

Counterfactual regret minimisation over the whole tree: luck is asked for, a player's knowledge is
his view. The first player's value in equilibrium is -1/18.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

import lawspeaker
from lawspeaker.match.match import Match

ROUNDS = 400


class Solver:
    def __init__(self) -> None:
        self.regrets: dict[str, list[float]] = defaultdict(list)
        self.chosen: dict[str, list[float]] = defaultdict(list)
        self.tree: dict[tuple[str, ...], tuple[int | None, str, list[str], list[int]]] = {}
        self.ends: dict[tuple[str, ...], float] = {}
        self._grow(lawspeaker.load("kuhn_poker").start(chance="ask"), ())

    def _grow(self, match: Match, path: tuple[str, ...]) -> None:
        decision = match.decision
        if decision is None:
            self.ends[path] = match.scores[0]
            return
        known = ""
        if decision.seat is not None:
            view = match.view(decision.seat).to_json()
            known = repr((decision.seat, view["places"], decision.clause.id))
        texts = [option.text for option in decision.options]
        weights = [option.weight for option in decision.options]
        self.tree[path] = (decision.seat, known, texts, weights)
        for option in decision.options:
            after = match.copy()
            after.choose(option)
            self._grow(after, (*path, option.text))

    def strategy(self, known: str, size: int) -> list[float]:
        regrets = self.regrets[known] or [0.0] * size
        positive = [max(0.0, each) for each in regrets]
        total = sum(positive)
        return [each / total for each in positive] if total else [1 / size] * size

    def walk(self, path: tuple[str, ...], reach: tuple[float, float, float]) -> float:
        """The first player's expectation; regrets are gathered on the way."""
        if path in self.ends:
            return self.ends[path]
        seat, known, texts, weights = self.tree[path]
        if seat is None:
            share = [weight / sum(weights) for weight in weights]
            return sum(
                part * self.walk((*path, text), (reach[0], reach[1], reach[2] * part))
                for text, part in zip(texts, share, strict=True)
            )
        plan = self.strategy(known, len(texts))
        worths = []
        for text, part in zip(texts, plan, strict=True):
            one, two, luck = reach
            further = (one * part, two, luck) if seat == 0 else (one, two * part, luck)
            worths.append(self.walk((*path, text), further))
        value = sum(part * worth for part, worth in zip(plan, worths, strict=True))
        sign, others = (1, reach[1] * reach[2]) if seat == 0 else (-1, reach[0] * reach[2])
        old = self.regrets[known] or [0.0] * len(texts)
        self.regrets[known] = [
            regret + others * sign * (worth - value)
            for regret, worth in zip(old, worths, strict=True)
        ]
        return value

    def average(self) -> float:
        total = 0.0
        for _ in range(ROUNDS):
            total += self.walk((), (1.0, 1.0, 1.0))
        return total / ROUNDS


def test_the_first_player_loses_an_eighteenth() -> None:
    assert Solver().average() == pytest.approx(-1 / 18, abs=0.01)
