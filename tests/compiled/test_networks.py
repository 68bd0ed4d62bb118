"""Networks: what they join, and the longest and shortest paths over them, on both machines and as
their stated meaning says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.adapter import CompiledMachine
from lawspeaker.machines.lower import messages
from lawspeaker.machines.reference import Machine
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from tests.compiled.side_by_side import SideBySide, eager, fault_of
from tests.language.games import GOOD
from tests.meaning.meaning import Meaning
from tests.tiers import pick

NETWORKS = pick(test=1, full=3, nightly=10)
TOWNS = [f"t{number + 1}" for number in range(6)]
GAME = """\
lawspeaker: 1
game: networks
players: {{from: 2, to: 2, called: [ann, ben]}}
words:
  town: [{towns}]
  side: {{joins: cell}}
  edge: {{joins: hex}}
  link: {{joins: point}}
{words}
pieces:
  stone: {{starts in: bag}}
places:
  bag: {{holds: stone, seen by: everyone}}
  cell: {{grid: 2 by 3, holds: stone}}
  hex: {{hexes: 2 by 3, plural: hexes, holds: stone}}
  point: {{at: town, lines: [[t1, t2, t3], [t3, t4]], holds: stone}}
markers:
  wide: {{shows: number, starts as: 9}}
rules:
  game:
    says: It is asked.
    rule: |
      {rules}
"""
ASKED = [
    "longest path of length of {0} over {0}s where open of {0}",
    "longest path of length of {0} through different towns over {0}s where open of {0}",
    "longest path over {0}s where length of {0} < wide",
    "longest path of length of {0} - 2 from t2 over {0}s",
    "longest path from [t1, t4] through different towns over {0}s where open of {0}",
    "shortest path of length of {0} from t1 to t6 over {0}s where open of {0} otherwise -5",
    "shortest path of wide - length of {0} from t2 to [t5, t6] over {0}s otherwise 77",
    "(if there is a path from t1 to t5 over {0}s where open of {0} then 1 else 0)",
    "(if there is no path from t6 to t2 over {0}s where length of {0} < 3 then 1 else 0)",
    "sum of number of town for each town in neighbours of t3 along all {0}s where open of {0}",
    "count of ends of the {0} + 10 * count of {0}s of t4 + 100 * count of {0}s of t1 with t2",
    "(if neighbour of t1 along the {0} is t2 then 1 else 0)",
]
BOARDS = [
    "count of sides + 100 * count of edges + 10000 * count of links",
    "longest path from cell(1, 1) over sides where wide > 8",
    "longest path through different hexes over edges",
    "shortest path from point(t1) to point(t4) over links otherwise 0",
    "count of sides of cell(2, 2) + count of neighbours of hex(1, 2) along all edges",
]


def random_roads() -> Iterator[str]:
    luck = Random(38)
    for network in range(NETWORKS):
        yield f"  road{network}: {{joins: town, has: {{length: number, open: truth}}, are: {{"
        for number in range(luck.randint(3, 8)):
            ends = ", ".join(luck.sample(TOWNS, 2))
            about = f"length: {luck.randint(0, 6)}, open: {str(luck.random() < 0.8).lower()}"
            yield f"    n{network}_{number}: {{joins: [{ends}], {about}}},"
        yield "  }}"


def both_machines(towns: list[str], words: list[str], asked: list[str]) -> SideBySide:
    """A game that asks one thing after the other."""
    rules = "\n      ".join(f"ann scores {each}" for each in asked)
    text = GAME.format(towns=", ".join(towns), words="\n".join(words), rules=rules)
    diagnostics, file = Diagnostics(), SourceFile("networks.yaml", text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    assert program is not None, [each.message for each in diagnostics]
    return SideBySide(program, 2)


def test_machines_and_meaning_agree_on_networks_at_random() -> None:
    names = [f"road{network}" for network in range(NETWORKS)]
    asked = [each.format(name) for name in names for each in ASKED]
    asked += BOARDS
    both = both_machines(TOWNS, list(random_roads()), asked)
    both.play(1)
    machine = both.reference
    (clause,) = machine.program.clauses
    state, slots = machine.blank(1), [None] * len(clause.slots)
    state.left = 10**6
    wanted, found = [], []
    for deed in clause.body:
        assert isinstance(deed, ir.Score)
        wanted.append(Meaning(machine.layout, state, slots.copy()).value(deed.points))
        found.append(machine.evaluator.compile(deed.points)(state, slots.copy()))
    assert dict(zip(asked, found, strict=True)) == dict(zip(asked, wanted, strict=True))


@pytest.mark.full
def test_games_on_networks_are_the_same_on_both() -> None:
    for name, players, longest in (("branch_lines", 3, 50), ("hedges", 2, 12)):
        program = load(str(GOOD / f"{name}.yaml")).program
        assert SideBySide(program, players).play(1, eager, longest=longest) > 9


def test_too_many_paths_are_a_clear_fault() -> None:
    towns = [f"t{number}" for number in range(1, 11)]
    pairs = list(combinations(towns, 2))
    roads = [f"  road: {{joins: town, are: {{{', '.join(f'{a}_{b}: {{}}' for a, b in pairs)}}}}}"]
    both = both_machines(towns, roads, ["longest path over roads"])
    few, program = 200_000, both.reference.program
    told = fault_of(lambda: Machine(program, 2, few).start(1))
    assert told is not None
    assert told[1] == messages.TOO_MANY_PATHS
    assert fault_of(lambda: CompiledMachine(program, 2, few).start(1)) == told
