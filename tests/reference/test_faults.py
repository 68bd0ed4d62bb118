"""Holes in the rules are faults: they name the clause and say what happened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import (
    LARGEST,
    NUMBER,
    PLAYER,
    TRUTH,
    MaybeType,
    NumberType,
    PlaceType,
    SetType,
)
from lawspeaker.machines.reference import Machine, RuleFault
from lawspeaker.match.match import Match
from tests.reference import games
from tests.reference.games import (
    CARD,
    CELL,
    DECK,
    DISCARDS,
    HAND,
    STONE,
    SUPPLY,
    binder,
    contents,
    local,
    number,
    place,
)

RED = ir.Const(PLAYER, 0)
NO = games.guard("never", 0, ir.Const(TRUTH, False), "Never.")
ALL_CARDS = binder(0, CARD, contents(place(DECK)))


def only_card(card: ir.Expr) -> ir.The:
    return ir.The(CARD, binder(0, CARD, contents(card)))


def let(value: ir.Expr) -> ir.SetLocal:
    return ir.SetLocal(1, "it", value)


def sum_(left: ir.Expr, operator: str, right: ir.Expr) -> ir.Arithmetic:
    return ir.Arithmetic(NUMBER, operator, left, right)


FAULTS: dict[str, tuple[ir.Statement, str]] = {
    "the": (let(only_card(place(HAND, RED))), "no such"),
    "extreme": (
        let(ir.Extreme(NUMBER, binder(0, CARD, contents(place(HAND, RED))), number(1), True, None)),
        "no it to compare",
    ),
    "divide": (let(ir.Divide(NUMBER, number(1), number(0), True)), "division by zero"),
    "remainder": (let(sum_(number(1), "remainder", number(0))), "division by zero"),
    "difference": (let(sum_(number(-1), "difference", number(LARGEST))), "beyond ±2,147,483,647"),
    "sum": (let(sum_(number(LARGEST), "+", number(1))), "beyond ±2,147,483,647"),
    "product": (let(sum_(number(-LARGEST), "*", number(2))), "beyond ±2,147,483,647"),
    "index": (let(place(HAND, sum_(number(1), "+", number(1)))), "there is no hand"),
    "item": (let(ir.ItemOf(CARD, place(DISCARDS), number(1))), "not so many"),
    "member": (
        let(
            ir.ItemOf(
                NUMBER,
                ir.Range(SetType(NUMBER), number(1), number(3)),
                ir.MarkerValue(NUMBER, 0, ()),
            )
        ),
        "not so many members",
    ),
    "too few": (
        ir.MoveSome(ALL_CARDS, number(10), True, place(DISCARDS), False),
        "too few",
    ),
    "draw": (
        ir.Draw(0, "card", number(1), place(DISCARDS), place(DECK), False, None, 1),
        "nothing left to draw",
    ),
    "pick": (
        ir.Pick(binder(0, CARD, contents(place(DISCARDS)), name="card")),
        "no card to pick",
    ),
    "must": (
        ir.Ask(RED, None, True, (games.alternative("no", (), (NO,)),), None, (), 0),
        "nothing to choose",
    ),
    "nothing": (
        ir.Move(ir.TopOf(MaybeType(CARD), place(DISCARDS)), place(DECK), False),
        "this is nothing",
    ),
    "absent": (ir.Score(ir.Const(PLAYER, 2), number(1), False), "does not take part"),
    "absent winner": (
        ir.EndGame(ir.ListOf(SetType(PLAYER), (RED, ir.Const(PLAYER, 2)))),
        "does not take part",
    ),
    "score": (
        ir.Repeat(number(2), (ir.Score(RED, number(LARGEST), False),), 1),
        "a score grew",
    ),
    "beyond": (let(ir.ChoiceItem(NUMBER, 0, number(3))), "prizes has 2 values"),
    "top": (let(ir.TopOf(MaybeType(CARD), place(DECK))), "shuffled"),
    "loose item": (let(ir.ItemOf(CARD, place(DECK), number(1))), "shuffled"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    deed, message = FAULTS[name]
    prizes = ir.Choice("prizes", 0, NUMBER, ((6, 5), (6, 5)), None, ())
    program = games.lots(
        (ir.Shuffle(place(DECK)), deed), (("a", CARD), ("b", NUMBER)), choices=(prizes,)
    )
    with pytest.raises(RuleFault, match=message) as fault:
        Match(program, 2, 0)
    assert fault.value.clause == "game"


def stones(body: ir.Block) -> ir.Program:
    grid = games.grid()
    return games.program(
        "stones",
        (games.clause(0, "game", body, (("stone", STONE), ("stone", STONE))),),
        pieces=grid.pieces,
        families=grid.families,
    )


def test_a_place_has_only_so_much_room() -> None:
    cell = place(CELL, number(1), number(1))
    supply = contents(place(SUPPLY, RED), STONE)
    program = stones((ir.MoveSome(binder(0, STONE, supply), number(2), True, cell, False),))
    with pytest.raises(RuleFault, match="no room"):
        Match(program, 2, 0)


def test_a_place_holds_only_its_own_type() -> None:
    card = games.card_piece(*games.CARDS)
    stone = games.grid().pieces[0]
    families = (*games.card_families(), games.family("yard", 1))
    body = (ir.Move(ir.The(CARD, binder(0, CARD, contents(place(DECK)))), yard(), False),)
    program = games.lots(body, (("card", CARD),), pieces=(card, stone), families=families)
    with pytest.raises(RuleFault, match="no place for such a piece"):
        Match(program, 2, 0)


def yard() -> ir.PlaceAt:
    return place(PlaceType("yard", 4))


def test_the_step_budget_names_the_clause() -> None:
    inner: ir.Expr = ir.MarkerValue(NUMBER, 0, ())
    for slot in range(4):
        wide = ir.Range(SetType(NUMBER), number(1), number(60))
        inner = ir.SumOf(NUMBER, binder(slot, NUMBER, wide), inner)
    program = games.lots((ir.SetMarker(0, (), inner),), tuple(("n", NUMBER) for _ in range(4)))
    machine = Machine(program, 2, budget=20_000)
    with pytest.raises(RuleFault, match="too many steps") as fault:
        machine.start(0)
    assert fault.value.clause == "game"


def test_a_loop_through_clauses_runs_out_of_steps_too() -> None:
    def twice(clause: int) -> ir.Block:
        return (ir.Do(clause, ()), ir.Do(clause, ()))

    clauses = [games.clause(at, f"c{at}", twice(at + 1)) for at in range(30)]
    program = games.program("deep", (*clauses, games.clause(30, "c30", ())))
    with pytest.raises(RuleFault, match="too many steps"):
        Machine(program, 2, budget=10_000).start(0)


def test_too_many_options_are_a_fault() -> None:
    many = ir.Domain(SetType(NUMBER), NumberType("wide", 1, 300))
    parts = tuple(ir.Part(binder(slot, NumberType("wide", 1, 300), many)) for slot in range(2))
    program = games.lots(
        (ir.Ask(RED, None, True, (games.alternative("choose", parts),), None, (), 0),),
        (("a", NUMBER), ("b", NUMBER)),
    )
    with pytest.raises(RuleFault, match="more than 50000 options"):
        Match(program, 2, 0)


def test_too_many_sets_are_a_fault_even_if_none_is_allowed() -> None:
    number_of_20 = NumberType("wide", 1, 20)
    chosen = local(SetType(number_of_20), 1)
    size = ir.Count(NUMBER, binder(2, number_of_20, chosen))
    none = games.guard("none", 0, games.compare("<", size, ir.MarkerValue(NUMBER, 0, ())), "No.")
    part = ir.Part(binder(0, number_of_20, games.everything(number_of_20)), True, set_slot=1)
    asked = ir.Ask(RED, None, False, (games.alternative("all", (part,), (none,)),), None, (), 0)
    slots = (("n", number_of_20), ("all", chosen.type), ("each", number_of_20))
    with pytest.raises(RuleFault, match="more than 50000 options"):
        Match(games.lots((asked,), slots), 2, 0)


def test_only_so_many_players() -> None:
    with pytest.raises(ValueError, match="2 to 3 players"):
        Match(games.cards(), 5, 0)


def test_unknown_settings_are_refused() -> None:
    wrong: Any = "dice"
    with pytest.raises(ValueError, match="chance is"):
        Match(games.cards(), 2, 0, chance=wrong)


def test_looking_for_something_to_choose_takes_steps_too() -> None:
    small = NumberType("small", 0, 9)
    parts = tuple(ir.Part(binder(slot, small, games.everything(small))) for slot in range(5))
    total: ir.Expr = number(0)
    for slot in range(5):
        total = sum_(total, "+", local(small, slot))
    nothing = ir.MarkerValue(NUMBER, 0, ())
    never = games.guard("never", 1, games.compare("<", total, nothing), "Never.")
    ask = ir.Ask(RED, None, False, (games.alternative("add", parts, (never,)),), None, (), 1)
    found = games.lots((ir.If(ir.Possible(TRUTH, 1, ()), (ir.EndGame(None),), ()),))
    adding = games.clause(1, "adding", (ask,), tuple(("n", small) for _ in range(5)))
    machine = Machine(replace(found, clauses=(*found.clauses, adding)), 2, budget=2_000)
    with pytest.raises(RuleFault, match="too many steps"):
        machine.start(0)
