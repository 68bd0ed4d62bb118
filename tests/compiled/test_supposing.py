"""Clauses that are only supposed to be done: both machines say the same, and all is as before."""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.ir import cost
from lawspeaker.ir.dependence import PaidValue, SupposedTogether
from lawspeaker.ir.types import NUMBER, TRUTH
from lawspeaker.machines.adapter import module_for
from lawspeaker.machines.compiled.compile.supposing import FURTHER
from lawspeaker.machines.compiled.runtime.moving import MOVE
from lawspeaker.machines.compiled.runtime.plan import START
from lawspeaker.machines.lower.sharing import shared
from lawspeaker.machines.planned import supposed
from lawspeaker.machines.planned.passes import planned
from lawspeaker.machines.planned.plan_text import listing_of
from lawspeaker.machines.purpose import PLAYING, WATCHING
from lawspeaker.match.decision import Option
from lawspeaker.match.game import Game
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from lawspeaker.position.layout import Layout
from lawspeaker.position.rng import RngFactory
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide, eager, fault_of
from tests.language.games import GOOD
from tests.meaning.meaning import choices

pytestmark = pytest.mark.full

GAMES = ["supposing_done", "supposing_much"]
each_game = pytest.mark.parametrize("name", GAMES)


@cache
def game(name: str) -> Game:
    return load(str(GOOD / f"{name}.yaml"))


@each_game
def test_both_machines_agree_question_by_question(name: str) -> None:
    players = game(name).players[-1]
    both = SideBySide(game(name).program, players)
    for seed in range(4):
        assert both.play(seed) > 0
        assert both.play(seed, eager, ask_chance=True, discreet=True) > 0


@each_game
def test_whole_games_have_equal_records(name: str) -> None:
    """What is counted of a game (points, how often a clause was done) is not counted of what is
    only supposed."""
    check_records(game(name).program, game(name).players[-1], 20, different=11)


@each_game
def test_what_is_offered_is_what_supposing_means(name: str) -> None:
    match = game(name).start(players=2, seed=4)
    choose = RngFactory(4).stream("choices")
    while decision := match.decision:
        assert decision.setting.ask is not None
        assert decision.seat is not None
        allowed = choices(match.machine.layout, match.state, decision.setting.ask, decision.seat)
        wanted = {Option(decision.setting, reply).text for reply in allowed}
        assert {option.text for option in decision.options} == wanted | {"pass"}
        match.choose(choose.choose(decision.options))


def test_nothing_is_told_of_what_is_supposed() -> None:
    match = game("supposing_done").start(players=2, seed=1)
    before = match.state.canonical()
    assert match.decision is not None
    assert len(match.decision.options) == 9 + 1
    assert match.state.canonical() == before
    assert not [event for event in match.events if event.kind in ("move", "score")]


def test_who_would_be_captured_is_told_why() -> None:
    """Black on two points around a corner of which white may not take the last."""
    match = game("supposing_done").start(players=2, seed=1)
    for option in ("place point 2 1", "pass", "place point 1 2"):
        match.choose(option)
    assert match.decision is not None
    assert "place point 1 1" not in [option.text for option in match.decision.options]
    refusal = match.why_not("point 1 1", 1)
    assert refusal.guard is not None
    assert refusal.guard.name == "no_suicide"


INSIDE = """\
lawspeaker: 1
game: inside
players: {from: 2, to: 2, called: [black, white]}
pieces:
  stone: {of each: player, count: 8, starts in: bowl}
places:
  bowl:  {of each: player, holds: stone, seen by: everyone}
  point: {grid: 3 by 2, holds: stone, room: 1, seen by: everyone}
rules:
  game:
    says: The players place stones in turn, three times each.
    rule: |
      repeat 3 times:
        for each player:
          do turn(player)
  turn:
    says: A player places a stone so that the others can answer and nothing else has changed.
    given: {player: player}
    asks: Where do you place a stone?
    guards: {begun: It fits., first: It can be answered., second: Few are left., third: It is free.}
    rule: |
      player may place: point where point is empty
        where begun: there is a stone in bowl of player
          where supposing stone moves to point, point is answered and point is not empty
        where first: supposing placing(player, point), point is answered
          and count of stones in bowl of player < 8 and point is not empty
        where second: supposing placing(player, point), count of stones in bowl of player < 8
        where third: supposing placing(player, point), point is not empty
        then: do placing(player, point)
  placing:
    says: A stone is placed.
    given: {player: player, point: point}
    rule: move a stone in bowl of player to point
  answered:
    says: A point is answered if more could happen.
    define: point is answered
    as: |
      ANSWERED
"""


BY_CLAUSE = """\
there is a point as other where other is empty
        and supposing placing(white, other), other is not empty
"""
BY_MOVE = """\
for every stone in point, there is a point as other where other is empty
        and supposing stone moves to other, supposing placing(white, point), point is not empty
"""


@pytest.mark.usefixtures("uncached")
@pytest.mark.parametrize("answered", [BY_CLAUSE, BY_MOVE])
def test_what_is_supposed_inside_starts_from_what_is_supposed_around_it(answered: str) -> None:
    both = SideBySide(compiled(INSIDE.replace("ANSWERED", answered)), 2)
    assert sum(both.play(seed) for seed in range(4)) > 12


def compiled(text: str) -> ir.Program:
    source, out = SourceFile("inside", text), Diagnostics()
    program = compile_game(source, lambda *_: None, schema("game"), out)
    assert program is not None, [(each.message, each.span.text) for each in out]
    return program


# ---------------------------------------------------------------- undone by a log


@pytest.mark.usefixtures("uncached")
@pytest.mark.parametrize("answered", [BY_CLAUSE, BY_MOVE])
def test_logged_moves_are_undone(answered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any copy of where the stones lie, all is as before."""
    monkeypatch.setattr(supposed, "MOST_COPIED", 0)
    program = compiled(INSIDE.replace("ANSWERED", answered))
    plan = listing_of(planned(Layout(program, 2), PLAYING), 1)
    assert "moves of stone are logged and undone" in plan
    both = SideBySide(program, 2)
    assert sum(both.play(seed) for seed in range(4)) > 12


@pytest.mark.usefixtures("uncached")
def test_logged_captures_are_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supposed, "MOST_COPIED", 0)
    check_records(load(str(GOOD / "supposing_done.yaml")).program, 2, 12, different=8)


GROWING = """\
lawspeaker: 1
game: growing
players: {from: 2, to: 2, called: [black, white]}
pieces:
  stone: {of each: player, count: 4, starts in: bowl}
places:
  bowl: {of each: player, holds: stone, seen by: everyone}
  cell: {grid: grows, holds: stone, room: 1, seen by: everyone}
rules:
  game:
    says: The players place stones in turn.
    rule: |
      do placing(black, cell(0, 0))
      repeat 3 times:
        for each player:
          do turn(player)
  turn:
    says: A player places a stone.
    given: {player: player}
    asks: Where?
    guards: {fits: The others can go on.}
    rule: |
      player may place: cell in open_cells
        where fits: supposing placing(player, cell),
          count of stones in bowl of player < 4 and cell is not empty
        then: do placing(player, cell)
  placing:
    says: A stone is placed.
    given: {player: player, cell: cell}
    rule: |
      move a stone in bowl of player to cell
      repeat ROUNDS times:
        move all stones in cell to bowl of player
        move a stone in bowl of player to cell
"""


@pytest.mark.usefixtures("uncached")
@pytest.mark.parametrize("rounds", [0, 1, 30])
def test_a_large_board_is_not_copied(rounds: int) -> None:
    """Nor if the log has no room for all moves: then the reference machine goes on."""
    program = compiled(GROWING.replace("ROUNDS", str(rounds)))
    turn = listing_of(planned(Layout(program, 2), PLAYING), 1)
    assert "moves of stone are logged and undone" in turn
    both = SideBySide(program, 2)
    assert sum(both.play(seed) for seed in range(2)) > 6


@pytest.mark.usefixtures("uncached")
def test_the_log_counts_as_needed_memory() -> None:
    """A GPU has as much memory for a game as games were seen to need."""
    instance = module_for(Layout(compiled(GROWING.replace("ROUNDS", "0")), 2), WATCHING)
    list(instance.records(1, 0, 1))
    stones, arena = 8, instance.plan.arena
    assert instance.touched(arena, START) >= (stones + FURTHER) * MOVE


# ---------------------------------------------------------------- supposed once for several guards


def test_conditions_that_suppose_the_same_are_joined() -> None:
    """The same clause with the same arguments, one condition right after the other."""
    span = game("supposing_done").program.clauses[0].span
    one, two, three = (
        ir.Compare(TRUTH, "=", ir.Local(NUMBER, 0, "n", span=span), ir.Const(NUMBER, at), span=span)
        for at in (1, 2, 3)
    )
    of, other = (ir.Local(NUMBER, slot, "n", span=span) for slot in (1, 2))

    def supposing(condition: ir.Expr, *given: ir.Expr, clause: int = 0) -> ir.Expr:
        return ir.SupposingDone(TRUTH, clause, given, condition, span=span)

    def joined(*conditions: ir.Expr) -> list[ir.Expr]:
        return shared(conditions, lambda each: (False,) if each is never else None)

    never = ir.Const(TRUTH, False)
    first, second, third = (supposing(each, of) for each in (one, two, three))
    paid = PaidValue(TRUTH, ir.Or(TRUTH, never, second), 7)
    [both] = joined(first, paid, third)
    assert isinstance(both, SupposedTogether)
    assert both.condition is one
    assert [(each.value, each.cost) for each in both.more] == [(two, 7), (three, 0)]
    [whole] = joined(paid, first)
    assert isinstance(whole, PaidValue)
    assert whole.cost == 7
    for apart in (
        (first, supposing(two, other)),
        (first, supposing(two, of, clause=1)),
        (first, one, second),
        (first, ir.Or(TRUTH, one, second)),
        (supposing(one, ir.The(NUMBER, ir.Binder(1, "n", NUMBER, of, None, span=span))),) * 2,
    ):
        assert joined(*apart) == list(apart)


@pytest.mark.usefixtures("uncached")
def test_what_is_supposed_once_is_paid_for_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any budget both machines stop at the same place, also in the middle of the clause that
    is done once and paid for twice."""
    monkeypatch.setattr(cost, "HEAVY_PART", 5)
    both = SideBySide(game("supposing_much").program, 2)
    state = both.reference.start(1)
    spent, stopped = both.reference.budget - state.left, set()
    for budget in range(1, spent + 2, max(1, spent // 200)):
        both.reference.budget = both.compiled.budget = both.compiled.instance.budget = budget
        if not both.play(1, longest=0):
            fault = fault_of(lambda: both.reference.start(1))
            stopped.add(None if fault is None else fault[0])
    assert len(stopped) > 2, stopped
