"""Backward induction for games with open information: the value of each position.

The player to move maximises his side's value; chance is averaged. Ties are broken by the value
against random opponents, so that in a lost position the reply is chosen that makes mistakes most
likely.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.match.decision import Decision
from lawspeaker.match.match import Match
from lawspeaker.match.perft import opening
from lawspeaker.players.solving.knowledge import Plan, information_set_hash
from lawspeaker.players.solving.payoffs import Payoffs
from lawspeaker.players.solving.size import NotSmall, is_open

MOST_POSITIONS = 30_000
DEEPEST = 300
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class PositionValue:
    """Value of a position to each seat under best play, and its result if it alone plays well
    against random players (see `Payoffs.told`).
    """

    best: tuple[float, ...]
    careless: tuple[float, ...]


@dataclass(slots=True)
class Solver:
    """Memoised solver; raises NotSmall for too many positions, cycles or hidden information."""

    program: ir.Program
    players: int
    payoffs: Payoffs
    plan: Plan = field(default_factory=dict)
    _worths: dict[str, PositionValue | None] = field(default_factory=dict)

    def solve(self) -> PositionValue:
        return self._worth(opening(self.program, self.players), 0)

    @property
    def positions(self) -> int:
        return len(self._worths)

    def _worth(self, match: Match, depth: int) -> PositionValue:
        decision = match.decision
        if decision is None:
            return PositionValue(self.payoffs.of(match), self.payoffs.told(match))
        key = match.situation
        if key not in self._worths:
            if not is_open(match) or depth > DEEPEST or len(self._worths) > MOST_POSITIONS:
                raise NotSmall
            self._worths[key] = None
            self._worths[key] = self._worked_out(match, decision, depth)
        found = self._worths[key]
        if found is None:
            raise NotSmall  # cycle
        return found

    def _worked_out(self, match: Match, asked: Decision, depth: int) -> PositionValue:
        seat = asked.seat
        view = None if seat is None else match.view(seat)
        if view is not None and view.decision is not None:
            asked = view.decision
        after = []
        for option in asked.options:
            then = match.copy()
            then.choose(option)
            after.append(self._worth(then, depth + 1))
        if view is None or seat is None:
            odds = [option.weight for option in asked.options]
            best, careless = [each.best for each in after], [each.careless for each in after]
            return PositionValue(_mean(best, odds), _mean(careless, odds))
        chosen = self._chosen(after, seat)
        self.plan[information_set_hash(view, all_open=True)] = {asked.options[chosen].text: 1.0}
        return self._answered(after, chosen, seat)

    def _chosen(self, after: list[PositionValue], seat: int) -> int:
        most = max(worth.best[seat] for worth in after)
        good = [at for at, worth in enumerate(after) if worth.best[seat] >= most - _SAME]
        return max(good, key=lambda at: after[at].careless[seat])

    def _answered(self, after: list[PositionValue], chosen: int, seat: int) -> PositionValue:
        any_option = _mean([worth.careless for worth in after], [1] * len(after))
        careless = [
            after[chosen].careless[each] if each == seat else any_option[each]
            for each in range(self.players)
        ]
        return PositionValue(after[chosen].best, tuple(careless))


def _mean(rows: list[tuple[float, ...]], weights: list[int]) -> tuple[float, ...]:
    total = sum(weights)
    columns = zip(*rows, strict=True)
    return tuple(
        sum(weight * each for weight, each in zip(weights, column, strict=True)) / total
        for column in columns
    )
