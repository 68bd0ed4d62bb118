"""What clauses become: the operations of small games as golden files, and what holds for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.ir import statements as all_statements
from lawspeaker.ir.types import NUMBER
from lawspeaker.ir.walk import everything
from lawspeaker.machines.compiled.compile.clauses import ClauseCode
from lawspeaker.machines.lower import clauses as lowering
from lawspeaker.machines.lower.operations import Kind, Lowered
from lawspeaker.machines.lower.printing import listing_of
from lawspeaker.machines.reference import machine_for
from lawspeaker.machines.reference.operations import MAKERS
from lawspeaker.outside.loading import load
from tests.conftest import Golden
from tests.library import names
from tests.reference import games

GOLDEN = Path(__file__).parent / "golden"
SMALL = ("kuhn_poker", "little_whist", "nim", "pig", "rock_paper_scissors", "tic_tac_toe")


def lowered(name: str) -> Lowered:
    program = load(name).program
    return machine_for(program, program.most).lowered


@pytest.mark.parametrize("name", SMALL)
def test_small_games_as_operations(name: str, golden: Golden) -> None:
    game = lowered(name)
    told = [
        listing_of(game, clause.index)
        for clause in game.program.clauses
        if len(game.code[clause.index]) > 1
    ]
    golden("\n".join(told), GOLDEN / f"{name}.txt")


@pytest.mark.parametrize("name", names())
def test_statements_and_operations_belong_together(name: str) -> None:
    game = lowered(name)
    for clause, code in zip(game.program.clauses, game.code, strict=True):
        assert [operation.at for operation in code] == list(range(len(code)))
        statements = [each for each in everything(clause.body) if isinstance(each, ir.Statement)]
        firsts = {statement.at: statement for statement in statements}
        assert len(firsts) == len(statements)
        assert all(code[at].statement is statement for at, statement in firsts.items())
        assert {op.statement.at for op in code if op.statement is not None} == set(firsts)
        slots = set(range(len(clause.slots)))
        for operation in code:
            assert all(code[to].kind is not Kind.JUMP for to in operation.exits)
            assert operation.live_after <= slots
            assert operation.live <= slots
        assert code[-1].kind is Kind.LEAVE
        assert code[-1].statement is None


def test_a_branch_that_is_never_taken_is_not_written() -> None:
    one, two = (ir.SetLocal(0, "it", games.number(each)) for each in (1, 2))
    known = games.compare("=", games.number(3), games.number(3))
    body = (ir.If(known, (one,), (two,)), two)
    program = games.lots(body, (("it", NUMBER),))
    [code] = machine_for(program, 2).lowered.code
    assert [operation.statement for operation in code] == [one, two, None]


def test_what_a_statement_is_given_is_live_before_it() -> None:
    slots = tuple((f"it{at}", NUMBER) for at in range(3))
    first, second = games.local(NUMBER, 0), games.local(NUMBER, 1)
    read = ir.Arithmetic(NUMBER, "+", first, second)
    body = (
        ir.SetLocal(0, "it0", games.number(1)),
        ir.SetLocal(1, "it1", games.number(2)),
        ir.SetLocal(2, "it2", read),
    )
    program = games.lots(body, slots)
    [code] = machine_for(program, 2).lowered.code
    assert [sorted(operation.live) for operation in code] == [[], [0], [0, 1], []]
    assert [sorted(operation.live_after) for operation in code] == [[], [0], [], []]


def test_every_statement_is_in_every_table() -> None:
    classes = [each for each in vars(all_statements).values() if isinstance(each, type)]
    every = {each for each in classes if issubclass(each, ir.Statement)} - {ir.Statement}
    assert set(lowering.WRITERS) == every
    assert set(ClauseCode.writers) == every
    # Only leaving a clause early is nothing but a jump.
    assert {statement for _, statement in MAKERS} == every - {ir.Finish}


def test_every_kind_of_operation_is_made() -> None:
    assert {kind for kind, _ in MAKERS} == set(Kind) - {Kind.JUMP, Kind.LEAVE}


QUESTION = """\
lawspeaker: 1
game: laying
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  tile: {count: 6, starts in: heap}
places:
  heap: {holds: tile, seen by: everyone}
  cell: {grid: grows, holds: tile, seen by: everyone}
rules:
  game:
    says: Tiles are laid.
    asks: What do you do?
    guards:
      free: The cell must be free.
      touches: It must touch another.
      stocked: There must be a tile left.
      few: There are not so many.
    rule: |
      move 1 tile in heap to cell(0, 0)
      ann must choose one of
        lay: cell in open_cells
          where free: cell is empty
          where touches: there is a cell as other in neighbours of cell where other is not empty
          where stocked: there is a tile in heap
          then: move 1 tile in heap to cell
        take: any number of tiles in heap
          where few: count of tiles <= 2
          then: move tiles to cell(5, 5)
        otherwise: finish
"""


def test_guards_are_asked_when_the_lowered_form_says_so(tmp_path: Path) -> None:
    file = tmp_path / "laying.yaml"
    file.write_text(QUESTION, encoding="utf-8")
    program = load(str(file)).program
    told = listing_of(machine_for(program, 2).lowered, program.main)
    guards = [line.split(":")[0].split() for line in told.splitlines() if line[:8].isspace()]
    assert guards == [
        ["implied", "free"],
        ["implied", "touches"],
        ["0", "stocked"],
        ["limit", "few"],
    ]
