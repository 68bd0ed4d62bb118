"""What should always hold is looked at in every game: whenever somebody is asked and at the end, on
both machines alike, and not in the middle of a deed."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.match.log.fingerprints import position_fingerprint
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.lab.games import play_games

GAME = """\
lawspeaker: 1
game: bank
players: {from: 2, to: 3}
pieces:
  coin: {of each: player, count: 5, starts in: purse}
places:
  purse: {of each: player, holds: coin, seen by: everyone}
  bank: {holds: coin, seen by: everyone}
rules:
  game:
    says: Everyone pays coins, twice.
    asks: How many do you pay?
    rule: |
      repeat 2 times:
        each player secretly must pay: number in 0..2
          then: move number coins in purse of player to bank
always:
  bank_is_small:
    says: The bank never holds too much.
    holds: count of coins in bank <= 9
"""
LUCK = """\
lawspeaker: 1
game: sorting
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  card: {starts in: deck, kinds: {low: 2, high: 2}}
places:
  deck: {holds: card, arranged: heap, seen by: nobody}
  row: {holds: card, seen by: everyone}
rules:
  game:
    says: Two cards are laid out, Ann says something, and the row is empty again.
    asks: Do you like it?
    rule: |
      draw 2 cards from deck to row
      ann must say: number in 1..2
        otherwise: cannot happen
      move all cards in row to deck
always:
  two_or_none:
    says: Two cards lie in the row, or none does.
    holds: count of cards in row = 0 or count of cards in row = 2
"""


def compile_text(text: str) -> ir.Program:
    diagnostics = Diagnostics()
    source = SourceFile("game.yaml", text)
    program = compile_game(source, lambda *_: None, schema("game"), diagnostics)
    assert program is not None, diagnostics
    return program


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_a_breach_is_a_fault_and_the_match_stays_where_it_was(machine: str) -> None:
    match = Match(compile_text(GAME), 3, 0, machine=machine)
    for paid in (1, 2, 2, 2, 2):
        match.choose(f"pay {paid}")
    before = position_fingerprint(match.machine, match.state)
    with pytest.raises(RuleFault) as broken:
        match.choose("pay 2")
    assert broken.value.clause == "bank_is_small"
    assert broken.value.message.endswith("does not: The bank never holds too much.")
    assert position_fingerprint(match.machine, match.state) == before
    match.choose("pay 0")
    assert match.finished


@pytest.mark.full
def test_both_machines_break_the_same_games_and_so_do_whole_games_inside() -> None:
    program, seeds = compile_text(GAME), range(200)

    def breaks(machine: str, seed: int) -> bool:
        match, luck = Match(program, 3, seed, machine=machine), Random(seed)
        try:
            while match.decision is not None:
                match.choose(luck.choice(match.decision.options))
        except RuleFault:
            return True
        return False

    one, other = ([breaks(machine, seed) for seed in seeds] for machine in ("reference", "wasm"))
    assert one == other
    assert 0 < sum(one) < len(seeds)

    instance = playing_instance(program, 3, WATCHING)
    found = play_games(program, 3, 1, seeds, ["random"] * 3)
    broken = {number for number, _ in found.faults}
    assert 0 < len(broken) < len(seeds)
    for number in seeds:
        breaking = (
            pytest.raises(RuleFault, match="bank_is_small") if number in broken else nullcontext()
        )
        with breaking:
            list(instance.records(1, number, 1))


def test_bots_may_think_of_what_must_not_be() -> None:
    assert list(playing_instance(compile_text(GAME), 3).records(1, 0, 60))


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_it_is_not_looked_at_between_two_strokes_of_luck(machine: str) -> None:
    match = Match(compile_text(LUCK), 2, 0, chance="ask", machine=machine)
    seats = []
    while match.decision is not None:
        seats.append(match.decision.seat)
        match.choose(match.decision.options[0])
    assert seats == [None, None, 0]
    assert match.finished
