"""Steps are part of the meaning: what one machine has no budget for, the other has none for either.

Every kind of statement and of question stands in a clause of its own. With a budget of exactly what
a clause needs it runs on both machines; with a step less it is the same fault on both, of the same
clause and place, and so it is with any smaller budget. Whole games are played the same
way, in lockstep.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.ir import cost
from lawspeaker.ir.bounds import LONGEST
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.ir.types import NUMBER, PLAYER, TRUTH, SetType
from lawspeaker.machines.compiled import Instance, compile_module
from lawspeaker.machines.lower.messages import (
    TOO_LONG,
    TOO_MANY_COMBINATIONS,
    TOO_MANY_NUMBERS,
    TOO_MANY_OPTIONS,
    TOO_WIDE,
)
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.machines.reference import Machine
from lawspeaker.machines.reference.moving import lay, lift
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.position.rng import RngFactory
from lawspeaker.position.state import State
from lawspeaker.study.lab.record import game_seed
from tests.compiled.side_by_side import SideBySide, Told, fault_of
from tests.compiled.test_expressions import GIVEN, clause
from tests.library import names_in_turn
from tests.reference.games import CARD
from tests.reference.test_expressions import PLACES, PROGRAM, Caller, Maker, situation
from tests.tiers import SLOW, sample

HEAD = """\
lawspeaker: 1
game: costs
players: {from: 2, to: 3, called: [ann, ben, cy]}
numbers: {size: 0..5}
words:
  colour: [red, green, blue]
  way:
    has: {across: number, down: number}
    are:
      east: {across: 1}
      south: {down: 1}
pieces:
  stone: {count: 12, starts in: bag}
  card: {starts in: deck, kinds: {king: 20, page: 20}}
places:
  bag: {holds: stone, seen by: everyone}
  cell: {grid: 5 by 5, holds: stone, room: 1, seen by: everyone}
  bowl: {at: colour, holds: stone, arranged: row, seen by: everyone}
  deck: {holds: card, arranged: pile, seen by: everyone}
  hand: {of each: player, holds: card, seen by: everyone}
markers:
  few: {shows: number, starts as: 3}
  many: {shows: number, starts as: 2000}
  large: {shows: number, starts as: 2147483647}
  small: {shows: number, starts as: -2147483647}
  turns: {of each: player, shows: number, starts as: 0}
  layout: {remembers: [cell, bag, turns], last: 3}
rules:
  near:
    says: How many cells beside it are taken.
    define: near of cell
    as: count of cells as other in neighbours of cell where other is not empty
  alike:
    says: How many cells are like it.
    define: alike of cell
    as: count of cells as other where near of other = near of cell
  fourfold:
    says: Four times as much work.
    define: fourfold of cell
    as: alike of cell + alike of cell + alike of cell + alike of cell
  rich:
    says: How many others have as many like them.
    define: rich of cell
    as: |
      let own be fourfold of cell
      count of cells as other where near of other > 0 and fourfold of other = own
  card_value:
    says: So many of them are kings.
    define: card_value(cards)
    given: {cards: cards}
    as: count of cards as each_one where each_one is king
  helper:
    says: Something small is done.
    given: {number: number}
    rule: |
      ben scores number
      turns of ben becomes number
  spreading:
    says: Stones are spread.
    rule: |
      for each cell where cell is empty and row of cell < few:
        move up to 1 stone in bag to cell
      few becomes few + 1
  deep:
    says: A question that is only looked at.
    asks: Which cell?
    guards: {rare: It is rare.}
    rule: |
      ann must choose cell, colour
        where rare: alike of cell < few
        otherwise: skip
  deeper:
    says: A question that takes long to look at.
    asks: Which cell?
    guards: {rare: It is rare., dear: It is dear.}
    given: {number: number}
    rule: |
      let own be number + 1
      ann must choose cell, colour, any number of colours as other
        where rare: near of cell < own
        where dear: rich of cell + number of colour > own + count of others
        otherwise: skip
"""
FREE = "walk from cell(1, 2) along east to each cell while cell is empty"
STATEMENTS: dict[str, str] = {
    "nothing": "skip",
    "naming": "let own be few + many\nann scores own",
    "marker": "few becomes few + 1",
    "score": "ann scores few\nplayers scores 2",
    "move_one": "move a card in deck to hand of ann",
    "move_a_stone": "move a stone in bag to cell(1, 1)",
    "move_some": "move few cards in deck to hand of ann",
    "move_all": "move all cards in hand of ann to hand of ben",
    "move_set": "let some be all cards in hand of ann where card is king\nmove some to deck",
    "move_few": "move up to 9 stones in bowl(red) to bowl(green)",
    "move_none": "move up to 1 stones in bowl(blue) to bowl(green)",
    "draw_one": "shuffle deck\ndraw card from deck to hand of ann\n  otherwise: skip",
    "draw_some": "shuffle deck\ndraw few cards from deck to hand of ann\n  otherwise: skip",
    "draw_all": "draw 60 cards from deck to hand of ann\n  otherwise: do helper(3)",
    "draw_round": "draw many cards from deck to bottom of deck\n  otherwise: skip",
    "shuffle": "shuffle deck",
    "pick": "pick a random card in hand of ann\nmove card to deck",
    "do_others": "do helper(1)\ndo helper(few)",
    "finish": "for each player:\n  if player is ben: finish\n  do helper(2)",
    "end": "end the game",
    "branch": "if few > 2: do helper(1)\nelse: ann scores sum of fourfold of cell for each cell",
    "for_each": "for each cell: ann scores near of cell",
    "for_each_where": "for each cell where alike of cell < 3: do helper(0)",
    "for_each_card": "for each card in hand of ann: ann scores 1",
    "for_each_in_row": "for each stone in bowl(red): do helper(2)",
    "range_of_unknown": "ann scores count of numbers in 1..(many - few) where number > few",
    "for_each_number": "for each number in 1..many: ann scores 1",
    "for_each_of_few": "for each number in 2..few: ann scores number",
    "for_each_of_none": "for each number in many..few: ann scores number",
    "for_each_of_set": (
        "let some be all cells where near of cell = 0\nfor each cell in some: do helper(1)"
    ),
    "for_each_found": "for each cell in (all cells where near of cell = 0): ben scores 1",
    "for_each_joined": "for each number in ([1, few] + [many]): ben scores number",
    "for_each_around": "for each cell in neighbours of cell(1, 2): ann scores 1",
    "for_each_on_a_walk": f"for each cell in ({FREE}): ann scores 1",
    "region": "ann scores count of (region from cell(1, 2) to each cell while cell is empty)",
    "border": "for each cell in neighbours of ([cell(1, 2), cell(2, 2)]): ann scores 1",
    "for_each_from": "for each player from ben: player scores 1",
    "for_each_word": "for each colour:\n  for each way: ann scores across of way",
    "for_each_of_one": "for each number in few..few: ann scores 1",
    "repeat": "repeat few times: do helper(1)",
    "repeat_often": "repeat many times: few becomes few + 1",
    "repeat_never": "repeat few - 5 times: do helper(1)",
    "until": "repeat until few > 9, at most 20 times: few becomes few + 1",
    "rank": "ann scores 3\nrank players by score of player, highest first:\n  tied scores place",
    "rank_cells": "rank cells by near of cell, lowest first: ann scores count of tied",
    "nested": (
        "for each colour:\n  repeat few times:\n    for each card in hand of ben: do helper(1)"
    ),
    "supposing": (
        "pick a random stone in bag\n"
        "ann scores count of cells where supposing stone moves to cell, near of cell(1, 1) > 0"
    ),
    "supposing_done": (
        "ann scores count of cells where supposing helper(few), near of cell < score of ben"
    ),
    "supposing_dear": "if supposing spreading, few > many: do helper(1)",
    "supposing_twice": "if supposing helper(7), supposing helper(8), few > 2: do helper(1)",
    "remembering": "remember layout\nremember layout\nann scores appearances of layout",
    "often_new": "ann scores count of cells where supposing helper(few), layout is new",
    "sums": (
        "ann scores sum of near of cell for each cell\n"
        "ann scores highest of alike of cell for each cell"
    ),
    "sets": (
        "let lonely be all cells where near of cell = 0\n"
        "ann scores count of (lonely - [cell(1, 1)]) + count of (collect near of cell "
        "for each cell)"
    ),
    "heavy": (
        "if there is a cell where fourfold of cell > few and "
        "(there is a cell as other where fourfold of other + fourfold of cell = few): finish\n"
        "ann scores 1"
    ),
    "heavy_sum": "ann scores sum of rich of cell for each cell where near of cell > 0",
    "heavy_set": (
        "let some be all cells where rich of cell > few\n"
        "let others be collect rich of cell for each cell in some\n"
        "ann scores count of some + count of others"
    ),
    "heavy_every": "if for every cell, rich of cell >= 0: do helper(2)",
    "heavy_best": "ann scores highest of rich of cell for each cell",
    "heavy_rank": "rank cells by rich of cell, lowest first: ann scores count of tied",
    "heavy_pick": "pick a random cell where rich of cell >= 0\nann scores near of cell",
    "heavy_move": "move up to 2 stones in bowl(red) where few < rich of cell(1, 2) to bowl(green)",
    "heavy_part": "for each cell in (all cells where rich of cell < few): do helper(1)",
    "heavy_range": "for each number in 1..(count of cells where rich of cell < few): ann scores 1",
    "heavy_region": (
        "let area be region from cell(2, 4) to each cell\n"
        "  while near of cell > 0 and rich of cell > few\n"
        "ann scores count of area + count of neighbours of area"
    ),
    "heavy_given": "do helper(sum of rich of cell for each cell)",
    "heavy_condition": (
        "repeat until (sum of rich of cell for each cell) > few, at most 9 times: few "
        "becomes few + 1"
    ),
    "combinations": (
        "ann scores count of combinations of colours + count of combinations of 2 cards in deck"
        " + (product of column of cell for each cell where column of cell < 3)"
    ),
    "few_combinations": (
        "let some be the largest combination of up to 2 colours as picked where red is in picked\n"
        "ann scores count of some"
    ),
    "heavy_combinations": (
        "ann scores count of combinations of 2 cards in deck as two where card_value(two) > few\n"
        "let some be the combination of at least 9 cells in (all cells where row of cell < 3) "
        "as several where count of several = 10\n"
        "ann scores count of some"
    ),
    "conditions": "if for every cell, alike of cell > 0 and few is in 1..5: do helper(1)",
}
QUESTIONS: dict[str, str] = {
    "word": "ann must choose colour",
    "piece": "ann may discard: card in hand of ann where card is king",
    "cell": "ann must take: cell where cell is empty\n  otherwise: skip",
    "two": (
        "ann must join: cell, cell as other\n  where close: other is in neighbours of cell\n"
        "  otherwise: skip"
    ),
    "dear": (
        "ann must join: colour, card in hand of ben, cell\n  where rare: alike of cell < 24\n"
        "  otherwise: skip"
    ),
    "three": (
        "ann must join: colour, way, size\n  where slight: size < 3 or colour is red\n"
        "  otherwise: skip"
    ),
    "set": "ann may discard: any number of cards in hand of ann",
    "sizes": "ann must discard: 3 cards in hand of ann\n  otherwise: skip",
    "limited": (
        "ann may discard: any number of cards in deck\n  where fitting: count of cards <= few"
    ),
    "set_of_cells": (
        "ann may take: 2 cells\n"
        "  where apart: there is no cell as other in cells where near of other > 1"
    ),
    "sets_of_cells": (
        "ann may take: up to 2 cells\n"
        "  where apart: there is no cell as other in cells where near of other > 1"
    ),
    "colours": "ann may take: any number of colours\n  where fitting: count of colours <= few - 1",
    "two_sets": "ann may give: any number of colours, any number of ways",
    "cell_and_set": (
        "ann may give: cell, up to 2 colours\n  where rare: alike of cell < few + count of colours"
    ),
    "alternatives": (
        "ann must choose one of\n"
        "  wait\n    then: do helper(1)\n"
        "  take: cell\n    where free: near of cell < 9\n    then: do helper(2)\n"
        "  give: card in hand of ann, cell where cell is empty"
    ),
    "together": (
        "each player secretly must take: colour, cell\n"
        "  where far: column of cell > 2 and alike of cell > 1\n  otherwise: skip"
    ),
    "possible": "if deep is possible: do helper(1)",
    "deeply_possible": "if deeper(few) is possible: do helper(1)",
    "heavy_guard": (
        "ann must join: colour, cell\n"
        "  where lonely: near of cell > 0\n"
        "  where dear: rich of cell > few\n"
        "  otherwise: skip"
    ),
    "heavy_alike": (
        "ann must join: card in hand of ben, cell\n"
        "  where fine: card is page or rich of cell(2, 2) = 0\n"
        "  where dear: near of cell > 0 and rich of cell >= 0\n  otherwise: skip"
    ),
    "heavy_set_guard": (
        "ann may discard: up to 3 cards in hand of ann\n"
        "  where dear: rich of cell(2, 2) >= count of cards"
    ),
    "heavy_source": (
        "ann must take: cell in (all cells where rich of cell = 0)\n  otherwise: skip"
    ),
}
GUARD = re.compile(r"where (\w+):")


def rule(name: str, code: str) -> str:
    lines = "".join(f"      {line}\n" for line in code.split("\n"))
    guards = "".join(f"      {guard}: It has to be so.\n" for guard in GUARD.findall(code))
    return (
        f"  {name}:\n    says: What {name} does.\n"
        + ("    asks: What is it?\n" if " must " in code or " may " in code else "")
        + (f"    guards:\n{guards}" if guards else "")
        + f"    rule: |\n{lines}"
    )


def compiled(rules: Mapping[str, str]) -> SideBySide:
    """A game that does all of them, each in a clause of its own."""
    uses = ["helper(1)", "spreading", "deep", "deeper(1)", "using", *rules]
    does = "".join(f"      do {name}\n" for name in uses)
    text = f"{HEAD}  game:\n    says: It begins.\n    rule: |\n{does}"
    text += rule(
        "using",
        "ann scores rich of cell(1, 1)\nremember layout\nann scores appearances of layout\n"
        "ann scores card_value(all cards in deck)",
    )
    out = Diagnostics()
    source = SourceFile("costs.yaml", text + "".join(map(rule, rules, rules.values())))
    program = compile_game(source, lambda name, span: None, schema("game"), out)
    assert program is not None, [(each.message, each.span.text, each.span.line) for each in out]
    return SideBySide(program, 2)


@pytest.fixture(scope="module")
def game() -> SideBySide:
    return compiled({**STATEMENTS, **QUESTIONS})


def with_budget(game: SideBySide, steps: int) -> None:
    game.reference.budget = game.compiled.budget = game.compiled.instance.budget = steps


def clause_outcome(game: SideBySide, machine: Machine, name: str) -> tuple[State, Told | None]:
    """What a clause comes to in a situation with something in it: the state, and the fault."""
    numbers = {clause.id: clause.index for clause in game.reference.program.clauses}
    state = machine.blank(3)
    layout = machine.layout
    for piece, place in moved(game):
        lift(state, piece)
        lay(layout, state, piece, place, False)
    return state, fault_of(lambda: machine.begin(state, numbers[name], ()))


def moved(game: SideBySide) -> list[tuple[int, int]]:
    """Some cards in both hands, stones in a row, and one on the board."""
    layout = game.reference.layout
    stones, cards = layout.pieces_of
    _, cells, bowls, _, hands = layout.places_of
    hand = [(card, hands[at % 2]) for at, card in enumerate(cards[15:24])]
    return [*hand, *((stone, bowls[0]) for stone in stones[:3]), (stones[3], cells[9])]


def outcome_on_both(game: SideBySide, name: str, steps: int) -> tuple[State, Told | None]:
    """The same on both machines."""
    with_budget(game, steps)
    one, first = clause_outcome(game, game.reference, name)
    two, second = clause_outcome(game, game.compiled, name)
    assert first == second, (name, steps)
    if first is None:
        assert game.told(one) == game.told(two)
        assert one.journal == two.journal
        if one.pending is not None and one.pending[0] != "chance":
            assert game.reference.offers(one) == game.compiled.offers(two)
    return one, first


@pytest.mark.parametrize("name", sample([*STATEMENTS, *QUESTIONS], test=2))
def test_both_machines_need_the_same(game: SideBySide, name: str) -> None:
    state, fault = outcome_on_both(game, name, MOST_STEPS)
    assert fault is None
    need = MOST_STEPS - state.left
    assert need >= game.reference.lowered.entry[_clause(game, name)]
    assert outcome_on_both(game, name, need)[1] is None
    _, short = outcome_on_both(game, name, need - 1)
    assert short is not None
    assert short[1].startswith(TOO_LONG)
    luck = RngFactory(5).stream(name)
    for _ in range(6):
        _, fault = outcome_on_both(game, name, luck.below(need))
        assert fault is not None
        assert fault[1].startswith(TOO_LONG)


def _clause(game: SideBySide, name: str) -> int:
    [number] = [each.index for each in game.reference.program.clauses if each.id == name]
    return number


# ---------------------------------------------------------------- whole games


class Measured(SideBySide):
    """Notes what each stretch costs."""

    def __init__(self, program: ir.Program, players: int) -> None:
        super().__init__(program, players)
        self.spent: list[int] = []

    def _compare(self, one: State, two: State, decisions: int) -> None:
        super()._compare(one, two, decisions)
        self.spent.append(self.reference.budget - one.left)


@pytest.mark.parametrize("name", sample(names_in_turn(1), test=9, full=5))
def test_a_game_stops_in_the_same_clause(name: str) -> None:
    """Faults are held against each other; enough is enough, and one step less is not."""
    program = load(name).program
    game = Measured(program, program.most)
    play = partial(game.play, 1, longest=15 if name in SLOW else 10_000)
    whole, spent = play(), game.spent
    assert max(spent) < MOST_STEPS / 3, "our own games have a wide margin"
    for steps in (max(spent), max(spent) - 1, sorted(spent)[len(spent) // 2] - 1):
        with_budget(game, steps)
        assert (play() == whole) == (steps >= max(spent))


@pytest.mark.parametrize("name", ["nim", "rock_paper_scissors", "tic_tac_toe", "walhalla"])
def test_a_game_inside_one_call_stops_in_the_same_clause(name: str) -> None:
    program = load(name).program
    machine = Machine(program, program.most)
    fast = Instance(compile_module(machine.layout, PLAYING))
    most = max(stretches(machine))
    fast.budget = machine.budget = most
    assert stretches(machine)
    assert fast.games(7, 0, 1)
    fast.budget = machine.budget = most - 1
    one, two = fault_of(lambda: stretches(machine)), fault_of(lambda: fast.games(7, 0, 1))
    assert one == two
    assert one is not None
    assert one[1].startswith(TOO_LONG)


def stretches(machine: Machine) -> list[int]:
    """What each stretch of a game of random bots costs."""
    own, found = game_seed(7, 0), []
    seats = [bot("random", seat_seed(own, seat)) for seat in range(machine.players)]
    match = Match.from_state(machine.program, machine.start(own), machine=machine)
    while decision := match.decision:
        found.append(machine.budget - match.state.left)
        assert decision.seat is not None
        option = reply(seats[decision.seat], match, decision.seat)
        match.choose(option, seat=decision.seat)
    return [*found, machine.budget - match.state.left]


# ---------------------------------------------------------------- other limits


RANGES = {
    "a_range": f"ann scores count of numbers in 1..{LONGEST} where number > 0",
    "wide": "for each number in small..large: ann scores 1",
    "one_more": f"for each number in few..(few + {LONGEST}): ann scores 1",
    "last": "for each number in (large - 2)..large: ann scores 1",
    "counted": "ann scores count of numbers in small..large",
    "inside": "if few is in small..large: ann scores 1",
    "empty": "for each number in large..small: ann scores 1",
    "listed": "let some be all numbers in small..many\nann scores count of some",
    "found": f"ann scores sum of 1 for each number in 1..(few + {LONGEST})",
    "joined": f"let some be all numbers in 1..{LONGEST}\nann scores count of (some + [few])",
    "joined_more": f"let some be all numbers in 1..{LONGEST}\nann scores count of (some + [0])",
    "combined": "ann scores count of combinations of cards in deck",
    "combined_one_by_one": (
        "ann scores sum of count of cards for each combination of at least 4 cards in deck"
    ),
}
TOLD = {
    **dict.fromkeys(("wide", "one_more", "counted", "inside", "listed", "found"), TOO_WIDE),
    "joined_more": TOO_MANY_NUMBERS,
    **dict.fromkeys(("combined", "combined_one_by_one"), TOO_MANY_COMBINATIONS),
}


@pytest.mark.full
def test_ranges_and_sets_of_numbers() -> None:
    game = compiled(RANGES)
    for name in RANGES:
        _, fault = outcome_on_both(game, name, MOST_STEPS)
        assert (None if fault is None else fault[1]) == TOLD.get(name), name


OFFERS = {
    "as_many_as_can_be": "ann must choose number in 1..2500, number as other in 1..20",
    "one_more": (
        "ann must choose one of\n  take: number in 1..2500, number as other in 1..20\n  wait"
    ),
    "two_sets": "ann may take: 4 cells, any number of colours",
    "all_sets": "ann may take: any number of cells",
    "few_that_differ": "ann may take: any number of cards in deck",
    "together": "each player secretly must take: number in 1..2500, number as other in 1..10",
    "too_many_together": (
        "each player secretly must take: number in 1..2500, number as other in 1..11"
    ),
    "few_large_sets": "ann may take: any number of cells\n  where few: count of cells <= 2",
    "any_of_them": "if many_of_them is possible: ann scores 1",
    "many_of_them": "ann must take: at least 3 cells\n  otherwise: skip",
}
REFUSED = {"one_more", "two_sets", "all_sets", "too_many_together", "many_of_them"}


@pytest.mark.full
def test_too_many_options_fault_on_both_machines() -> None:
    game = compiled(OFFERS)
    for name in OFFERS:
        state, fault = outcome_on_both(game, name, MOST_STEPS)
        assert (None if fault is None else fault[1]) == (
            TOO_MANY_OPTIONS if name in REFUSED else None
        ), name
        if name == "as_many_as_can_be":
            [found] = game.reference.offers(state).values()
            assert len(found) == MOST_OPTIONS


# ---------------------------------------------------------------- random expressions


@pytest.mark.usefixtures("uncached")
@pytest.mark.parametrize("makes", sample([Maker, Caller], test=3))
@pytest.mark.parametrize("seed", range(3))
def test_random_expressions(seed: int, makes: type[Maker], monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are called heavy that are not, so that most of them pay for themselves."""
    for bound in ("HEAVY", "HEAVY_REGION", "HEAVY_PART"):
        monkeypatch.setattr(cost, bound, 5)
    luck = RngFactory(seed).stream("costs")
    clauses = []
    for number in range(25):
        maker = makes(luck)
        expr = maker.make(luck.choose([NUMBER, TRUTH, PLAYER, SetType(CARD), PLACES]), 3)
        clauses.append(clause(number, expr, max(maker.next, len(GIVEN))))
    digest = sha256(repr(clauses).encode()).hexdigest()
    game = SideBySide(replace(PROGRAM, clauses=tuple(clauses), digest=digest), 2)
    for each in clauses:
        state, given = situation(luck)
        with_budget(game, MOST_STEPS)
        left, fault = begin_on_both(game, state, each.index, given)
        for steps in () if fault else (MOST_STEPS - left, MOST_STEPS - left - 1):
            with_budget(game, steps)
            _, fault = begin_on_both(game, state, each.index, given)
            assert (fault is None) == (steps == MOST_STEPS - left)


def begin_on_both(
    game: SideBySide, state: State, number: int, given: list[Any]
) -> tuple[int, Told | None]:
    """What is left on the reference machine, and the fault, which is that of both."""
    one, two = state.copy(), state.copy()
    first = fault_of(lambda: game.reference.begin(one, number, given))
    second = fault_of(lambda: game.compiled.begin(two, number, given))
    assert first == second
    return one.left, first
