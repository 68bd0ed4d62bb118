"""Games between random players may be played on any machine: what comes of them is the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from lawspeaker import ir
from lawspeaker.base.source import NOWHERE
from lawspeaker.faces.cli import app
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.outside import cards
from lawspeaker.outside.loading import load
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.tally import tally
from tests.native.common import needs_compiler

PROGRAM = load("tic_tac_toe").program
RANDOM = ("random", "random")


class Breaking:
    """A machine on which one game breaks."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: list[range] = []
        self.instance = playing_instance(PROGRAM, 2, watching=True)

    @property
    def columns(self) -> dict[str, slice]:
        return self.instance.columns

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        self.asked.append(range(first, first + count))
        if self.number in self.asked[-1]:
            raise RuleFault("game", "breaks", NOWHERE)
        yield from self.instance.records(seed, first, count)


def test_where_a_game_breaks_only_those_around_it_are_played_one_by_one() -> None:
    machine = Breaking(1234)

    def recorders(program: ir.Program, players: int) -> Breaking:
        return machine

    found = play_games(PROGRAM, 2, 1, range(3000), RANDOM, recorders)
    assert tally(found) == tally(play_games(PROGRAM, 2, 1, range(3000), RANDOM))
    assert found.numbers.tolist() == list(range(3000))
    played = [each for each in machine.asked if 1234 not in each]
    assert sum(map(len, played)) >= 2000


def simulated(*given: str) -> tuple[int, str]:
    words = ["simulate", "kuhn_poker", "--games", "300", "--json", "--workers", "1", *given]
    done = CliRunner().invoke(app, words)
    return done.exit_code, done.output


def test_machine_code_gives_the_same_figures() -> None:
    needs_compiler()
    assert simulated("--machine", "native") == simulated("--machine", "wasm")


def test_a_card_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> cards.CupyDevice:
        raise cards.NoCard("there is no graphics card that CUDA can use: none")

    monkeypatch.setattr(cards, "card", none)
    code, said = simulated("--machine", "gpu")
    assert code
    assert "no graphics card" in said
    assert simulated("--machine", "auto")[0] == 0


def test_machines_that_are_none_or_not_for_these_bots_are_told() -> None:
    code, said = simulated("--machine", "abacus")
    assert code
    assert "there are auto, wasm, native, gpu" in said
    code, said = simulated("--machine", "native", "--bots", "greedy")
    assert code
    assert "only random players" in said
