"""How often defined values are evaluated again although nothing has changed: what memoising them
could save.

    python -m benchmarks.repeated othello backgammon

Plays the first moves of a game on the reference machine. An evaluation is a repetition if the last
one of the same value with the same arguments came after the last change of the position. Time in
other defined values is not counted twice.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partialmethod
from typing import Any
from unittest.mock import patch

from lawspeaker import ir, load
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.reference import operations
from lawspeaker.machines.reference.evaluate import Eval, Evaluator
from lawspeaker.machines.reference.expressions import BUILDERS
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory

GAMES = (
    *("walhalla", "voluspa", "chess", "draughts", "hex", "nine_mens_morris", "othello"),
    *("pedlars", "backgammon"),
)
MOVES = 40
CHANGING = (Kind.EFFECT, Kind.DRAW, Kind.PICK)
SUPPOSITIONS = (ir.Supposing, ir.SupposingDone)


class Repetitions:
    """Measures the evaluations of defined values while a game is played."""

    def __init__(self) -> None:
        self.changes = 0
        self.inner = 0.0
        self.all = 0.0
        self.repeated: dict[str, float] = defaultdict(float)
        self._last: dict[tuple[object, ...], int] = {}

    def changing(self, made: Callable[..., Any]) -> Callable[..., Any]:
        """Counts a change before and after each execution of what `made` makes."""

        def make(*given: Any) -> Callable[..., Any]:
            done = made(*given)

            def counted(*given: Any) -> Any:
                self.changes += 1
                try:
                    return done(*given)
                finally:
                    self.changes += 1

            return counted

        return make

    def measured(self, ev: Evaluator, number: int, value: Eval) -> Eval:
        """Measures each evaluation of a compiled defined value."""
        function = ev.program.functions[number]
        if ev.depends.fixed_function(number):
            return value

        def measured(s: Any, f: Any) -> Any:
            key = (number, *f[: function.parameters])
            before, self.inner, began = self.inner, 0.0, time.process_time()
            found = value(s, f)
            took = time.process_time() - began
            own, self.inner = took - self.inner, before + took
            self.all += own
            if self._last.get(key) == self.changes:
                self.repeated[function.name] += own
            self._last[key] = self.changes
            return found

        return measured


FUNCTION = Evaluator.function


def compiled(ev: Evaluator, found: Repetitions, number: int) -> Eval:
    """Compiles a defined value as usual, and measures it."""
    return found.measured(ev, number, FUNCTION(ev, number))


def measure(name: str, moves: int) -> str:
    """Plays the first moves of a game, and returns a row of a table."""
    found, program = Repetitions(), load(name).program
    suppositions = {each: found.changing(BUILDERS[each]) for each in SUPPOSITIONS}
    makers = {
        key: found.changing(maker)
        for key, maker in operations.MAKERS.items()
        if key[0] in CHANGING and key[1] not in (ir.SetLocal, ir.Tell)
    }
    with (
        patch.dict(BUILDERS, suppositions),
        patch.object(Evaluator, "function", partialmethod(compiled, found)),
        patch.dict(operations.MAKERS, makers),
    ):
        Match(program, program.fewest, 1)  # compiles the rules
        found.all = 0.0
        found.repeated.clear()
        began = time.process_time()
        match, luck = Match(program, program.fewest, 1), RngFactory(1).stream("repeated")
        for _ in range(moves):
            if (decision := match.decision) is None:
                break
            match.choose(luck.choose(decision.options), seat=decision.seat)
        whole = time.process_time() - began
    parts = sorted(found.repeated.items(), key=lambda item: -item[1])[:2]
    most = ", ".join(f"`{each}` {part / whole:.1%}" for each, part in parts)
    again = sum(found.repeated.values()) / whole
    return f"| {name} | {found.all / whole:.0%} | {again:.1%} | {most} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--moves", type=int, default=MOVES)
    given = parser.parse_args()
    print("| game | in defined values | of it again | most |")
    for name in given.games:
        print(measure(name, given.moves), flush=True)


if __name__ == "__main__":
    main()
