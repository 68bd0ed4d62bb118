"""Two machines play the same game, and are compared at every step.

What is compared: whom the game waits for, every option in its order, every event, and the whole
state. Of the frames only those slots count that still matter (`Operation.live`): what the others
hold is of no more use to anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.adapter import CompiledMachine
from lawspeaker.machines.reference import Machine
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.rng import RngFactory, Stream
from lawspeaker.position.state import PASS, Reply, State

Policy = Callable[[Stream, Sequence[Reply]], Reply]
Told = tuple[str, str, object]


def any_option(luck: Stream, options: Sequence[Reply]) -> Reply:
    return luck.choose(options)


def eager(luck: Stream, options: Sequence[Reply]) -> Reply:
    """Does as much as possible, and now and then anything: so games get to where random players
    seldom do."""
    if luck.below(8) == 0:
        return luck.choose(options)
    return max(options, key=_size)


def _size(reply: Reply) -> tuple[bool, int]:
    number, values = reply
    return number >= 0, sum(len(v) if isinstance(v, tuple) else 1 for v in values)


class SideBySide:
    """A program on both machines."""

    def __init__(self, program: ir.Program, players: int) -> None:
        self.reference = Machine(program, players)
        self.compiled = CompiledMachine(program, players)

    def play(
        self,
        seed: int,
        policy: Policy = any_option,
        *,
        ask_chance: bool = False,
        discreet: bool = False,
        longest: int = 10_000,
    ) -> int:
        """Plays a game to its end, or so far, or to a fault that both find; the number of
        decisions."""
        luck = RngFactory(seed).stream("side by side")
        settings = {"ask_chance": ask_chance, "discreet": discreet}
        one = self.reference.blank(seed, **settings)
        two = self.compiled.blank(seed, **settings)
        main = self.reference.program.main
        if self._both(
            lambda: self.reference.begin(one, main, ()), lambda: self.compiled.begin(two, main, ())
        ):
            return 0
        decisions = 0
        while True:
            self._compare(one, two, decisions)
            if one.pending is None or decisions == longest:
                return decisions
            for seat, reply in self._replies(one, two, luck, policy):
                if self._both(
                    lambda: self.reference.answer(one, seat, reply),  # noqa: B023
                    lambda: self.compiled.answer(two, seat, reply),  # noqa: B023
                ):
                    return decisions
            decisions += 1

    def _both(self, one: Callable[[], None], two: Callable[[], None]) -> bool:
        """Does the same on both; whether it is a fault, which has to be the same."""
        first, second = fault_of(one), fault_of(two)
        assert first == second
        return first is not None

    def _compare(self, one: State, two: State, decisions: int) -> None:
        assert one.journal == two.journal, f"after {decisions} decisions"
        one.journal, two.journal = [], []
        first, second = self.told(one), self.told(two)
        assert first.keys() == second.keys(), f"after {decisions} decisions"
        wrong = {key: (first[key], second[key]) for key in first if first[key] != second[key]}
        assert not wrong, f"after {decisions} decisions"
        if two.pending is None or two.pending[0] != "together":  # who is asked is kept in a slot
            # Where a module has no room for a question, the reference machine has played on.
            either = (second["stack"], one.to_json()["stack"])
            assert two.to_json()["stack"] in either, "names that matter no more are told"

    def told(self, state: State) -> dict[str, Any]:
        """A state as plain data, without slots that no longer matter."""
        data = state.to_json()
        last = len(state.stack) - 1
        for depth, frame in enumerate(data["stack"]):
            clause, pc, slots = frame
            operation = self.reference.codes[clause].operations[pc]
            live = operation.live if depth == last else operation.live_after
            frame[2] = [held if slot in live else None for slot, held in enumerate(slots)]
        return data

    def _replies(
        self, one: State, two: State, luck: Stream, policy: Policy
    ) -> list[tuple[int | None, Reply]]:
        assert one.pending is not None
        if one.pending[0] == "chance":
            outcomes = self.reference.outcomes(one)
            return [(None, (0, (luck.choose(outcomes)[1],)))]
        offered = self.reference.offers(one)
        assert offered == self.compiled.offers(two)
        if luck.below(4) == 0:
            two.offered = None  # worked out once more, from the state alone
            assert offered == self.compiled.offers(two)
        question = self.reference.question(one)
        assert question is not None
        more = [] if question.must else [PASS]
        return [(seat, policy(luck, offered[seat] + more)) for seat in one.pending[1]]


def fault_of(work: Callable[[], object]) -> Told | None:
    """The fault that something is, if it is one."""
    try:
        work()
    except RuleFault as fault:
        return fault.clause, fault.message, fault.span
    return None
