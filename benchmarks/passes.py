"""The effect of each planning pass: games a second with it, over games a second without it.

    python -m benchmarks.passes othello chess --only whole_board hoisting

Each pass is switched off by replacing what it decides with the plain way that is always possible.
The games with and without it take turns in WebAssembly on one core, and processor time counts. They
have to have the same records: otherwise the pass, or the plain way, is wrong, and the run ends.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from benchmarks.beside_rbg import ours, paces
from lawspeaker import ir, load
from lawspeaker.machines.adapter import module_for
from lawspeaker.machines.compiled import Instance
from lawspeaker.machines.compiled.compile import options
from lawspeaker.machines.compiled.runtime import hashes
from lawspeaker.machines.middle import passes
from lawspeaker.machines.planned import loops, places, questions, sets, supposed
from lawspeaker.machines.planned.condition_bits import WalkConditions
from lawspeaker.machines.planned.definitions import Definitions
from lawspeaker.machines.planned.finding import MemberSearch, OneByOne
from lawspeaker.machines.planned.hoisting import Hoisting
from lawspeaker.machines.planned.inside import Inside
from lawspeaker.machines.planned.straight import Straight
from lawspeaker.machines.planned.walks import Stepwise, Walks
from lawspeaker.machines.planned.whole_board import Everywhere
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.position.layout import layout_for

GAMES = (
    *("tic_tac_toe", "connect_four", "othello", "hex", "nine_mens_morris"),
    *("go", "chess", "draughts", "walhalla", "voluspa"),
)
RECORDS = 4
"""So many games are compared."""

Switch = tuple[Any, str, Any]
"""A module or class, the name in it, and what stands there instead."""

_kept, _written = places._kept, supposed.WriteSets.of


def _never(*_: object, **__: object) -> bool:
    return False


def _nothing(*_: object, **__: object) -> None:
    return None


def _everything(self: supposed.WriteSets, clause: int) -> supposed.WriteSet:
    """All that any clause could write; but what is called is as it is."""
    program: ir.Program = self._program
    return replace(
        _written(self, clause),
        moved=frozenset(range(len(program.pieces))),
        states=frozenset(
            (number, state)
            for number, piece in enumerate(program.pieces)
            for state in range(len(piece.states))
        ),
        markers=frozenset(range(len(program.markers))),
        scoring=frozenset(range(len(program.clauses))),
    )


PASSES: dict[str, tuple[str, Sequence[Switch]]] = {
    "whole_board": ("conditions for all places at once", [(Everywhere, "field", _nothing)]),
    "sets, masks": (
        "tests of pieces and places as masks",
        [(sets.Sets, "_masks", lambda *_: (None, 0)), (sets.Sets, "_compared", _nothing)],
    ),
    "sets, tables": ("constant sets as tables", [(sets.Sets, "_table", _nothing)]),
    "sets, order": ("constant tests first", [(sets.Sets, "_fixed_first", lambda _, t, __: t)]),
    "sets, unrolled": (
        "few members are unrolled",
        [(module, "few", _never) for module in (sets, loops, questions)],
    ),
    "places, masks": (
        "heaps as masks",
        [(places, "_kept", lambda *given: replace(_kept(*given), masked=False))],
    ),
    "places, boards": (
        "occupied and held places as bitboards",
        [(places, "_kept", lambda *given: replace(_kept(*given), indexed=False, holders=()))],
    ),
    "condition_bits": (
        "conditions of walks as bitboards",
        [(WalkConditions, "kept", lambda *_: {})],
    ),
    "questions": (
        "known options and subsets are not listed",
        [
            (questions.Questions, "_all_known", _nothing),
            (questions.Questions, "_subsets", _nothing),
        ],
    ),
    "definitions": ("short definitions are inlined", [(Definitions, "opens", _never)]),
    "inside": ("short clauses are inlined", [(Inside, "has", _never)]),
    "walks": ("walks by fields and tables", [(Walks, "walked", lambda *_: Stepwise())]),
    "loops": (
        "loops over sets that are not listed",
        [
            (loops.Loops, "_is_steady", _never),
            (loops.Loops, "_asked_if_taken", _nothing),
            (Walks, "is_line", _never),
        ],
    ),
    "finding": (
        "the first member without a loop",
        [(MemberSearch, "first", lambda *_, **__: OneByOne())],
    ),
    "straight": ("short expressions without a branch", [(Straight, "is_short", _never)]),
    "hoisting": (
        "parts of guards before the loop",
        [(Hoisting, "settled", lambda _, guards, *__: (list(guards), ()))],
    ),
    "sharing": (
        "guards that suppose the same share it",
        [(options, "shared", lambda conditions, _: list(conditions))],
    ),
    "supposed": ("only what is written is saved", [(supposed.WriteSets, "of", _everything)]),
    "hashes": ("remembered positions by hash", [(hashes, "has_hash", _never)]),
    "folding, forwarding": ("the middle form is simplified", [(passes, "OF_A_FUNCTION", ())]),
    "inlining": ("short functions are inlined", [(passes, "inline_short", _nothing)]),
}
"""Each pass with what it does and how it is switched off."""


@contextmanager
def without(name: str) -> Iterator[None]:
    """Compiles without a pass meanwhile."""
    with ExitStack() as stack:
        for owner, attribute, instead in PASSES[name][1]:
            stack.enter_context(patch.object(owner, attribute, instead))
        yield


def compiled(program: ir.Program) -> Instance:
    """The module of a game, with all passes that are switched on."""
    return module_for(layout_for(program, program.most), WATCHING)


def records(instance: Instance) -> list[bytes]:
    return [bytes(each) for each in instance.records(1, 0, RECORDS)]


def ratio(
    name: str, program: ir.Program, usual: Instance, rounds: int, seconds: float
) -> float | None:
    """Games a second with a pass, over games a second without it; None if the code is the same."""
    with without(name):
        plain = compiled(program)
    if plain.compiled.code == usual.compiled.code:
        return None
    if records(plain) != records(usual):
        raise SystemExit(f"{program.name} is another game without {name}")
    found = paces({"with": ours(usual), "without": ours(plain)}, rounds, seconds)
    return found["with"] / found["without"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--only", nargs="+", default=list(PASSES), choices=PASSES, metavar="PASS")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="for a side in a round")
    given = parser.parse_args()
    found: dict[str, list[float | None]] = {each: [] for each in given.only}
    for game in given.games:
        print(game, file=sys.stderr, flush=True)
        program = load(game).program
        usual = compiled(program)
        for each, ratios in found.items():
            ratios.append(ratio(each, program, usual, given.rounds, given.seconds))
    print("| pass |", " | ".join(given.games), "|")
    for each, ratios in found.items():
        print(f"| {PASSES[each][0]} |", " | ".join(map(_told, ratios)), "|")


def _told(ratio: float | None) -> str:
    """Formats a ratio; nothing if the code is the same."""
    return "" if ratio is None else f"{ratio:.2f}"


if __name__ == "__main__":
    main()
