"""Games between random players may be played on any machine: what comes of them is the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.base.source import NOWHERE
from lawspeaker.faces.cli import app
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.outside import gpu_driver, gpu_games, machines, native
from lawspeaker.outside.loading import load
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.tally import tally
from tests.native.common import needs_compiler
from tests.native.test_cuda import Emulated
from tests.tiers import sample


@cache
def tic_tac_toe() -> ir.Program:
    return load("tic_tac_toe").program


RANDOM = ("random", "random")


class Breaking:
    """A machine on which one game breaks."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: list[range] = []
        self.instance = playing_instance(tic_tac_toe(), 2, WATCHING)

    @property
    def columns(self) -> dict[str, slice]:
        return self.instance.columns

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        self.asked.append(range(first, first + count))
        if self.number in self.asked[-1]:
            raise RuleFault("game", "breaks", NOWHERE)
        yield from self.instance.records(seed, first, count)


@pytest.mark.full
def test_where_a_game_breaks_only_those_around_it_are_played_one_by_one() -> None:
    machine = Breaking(1234)

    def recorders(program: ir.Program, players: int) -> Breaking:
        return machine

    found = play_games(tic_tac_toe(), 2, 1, range(3000), RANDOM, recorders)
    assert tally(found) == tally(play_games(tic_tac_toe(), 2, 1, range(3000), RANDOM))
    assert found.numbers.tolist() == list(range(3000))
    played = [each for each in machine.asked if 1234 not in each]
    assert sum(map(len, played)) >= 2000


def run_command(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, [*words])
    return done.exit_code, done.output


def simulated(*given: str) -> tuple[int, str]:
    return run_command(
        "simulate", "kuhn_poker", "--games", "300", "--json", "--workers", "1", *given
    )


DEAR = Path(__file__).with_name("dear_calls.yaml")
COMMANDS = [
    ["simulate", "kuhn_poker", "--games", "300"],
    ["sweep", "kuhn_poker", "--vary", "stake.small=1,2", "--games", "40"],
    ["tune", "kuhn_poker", "--vary", "stake.small=1,2", "--target", "length=3", "--games", "40"],
    ["compare", "kuhn_poker", f"kuhn_poker+{DEAR}", "--effect", "40"],
    ["worth", "nim", "--games", "40"],
]
"""All that takes --machine."""


def machine_in(told: dict[str, Any]) -> dict[str, Any]:
    """Where it is told who played."""
    found: dict[str, Any] = told.get("played", told)
    return found


@pytest.mark.full
@pytest.mark.parametrize("words", sample(COMMANDS, test=4), ids=lambda words: words[0])
def test_machine_code_gives_the_same_figures(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_compiler()
    unrefined = ("-O0", *native.FLAGS[1:])
    monkeypatch.setattr(native, "library", partial(native.library, flags=unrefined))
    found = []
    for name in ("native", "wasm"):
        code, told = run_command(*words, "--json", "--workers", "1", "--machine", name)
        assert code == 0, told
        found.append(json.loads(told))
        assert machine_in(found[-1]).pop("machine") == name
    assert found[0] == found[1]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_card_that_is_not_there_is_told(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> gpu_driver.CupyDevice:
        raise gpu_driver.NoGpu("there is no graphics card that CUDA can use: none")

    monkeypatch.setattr(gpu_games, "gpu", none)
    code, told = run_command(*words, "--machine", "gpu")
    assert code == 1
    assert "no graphics card" in told
    monkeypatch.setattr(machines, "MANY_GAMES", 1)
    code, told = run_command(*words, "--json", "--workers", "1", "--machine", "auto")
    assert code == 0
    assert machine_in(json.loads(told))["machine"] == "wasm"


def test_machines_that_are_none_or_not_for_these_bots_are_told() -> None:
    code, told = simulated("--machine", "abacus")
    assert code == 2
    assert "there are auto, wasm, native, gpu" in told
    code, told = simulated("--machine", "native", "--bots", "greedy")
    assert code == 2
    assert "only random players" in told


@pytest.mark.full
def test_a_card_adds_games_up_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Emulated()
    monkeypatch.setattr(machines, "_given_up", [])
    monkeypatch.setattr(gpu_games, "gpu", lambda: device)
    code, told = simulated("--machine", "gpu")
    assert code == 0
    found, wasm = json.loads(told), json.loads(simulated("--machine", "wasm")[1])
    assert (found.pop("machine"), wasm.pop("machine")) == ("gpu", "wasm")
    assert found == wasm
    launch = gpu_driver.Whole.launch

    def tired(self: gpu_driver.Whole, *given: int, summed: bool) -> gpu_driver.Launched:
        if given[1]:
            raise gpu_driver.NoGpu("the card gave up: it is busy")
        return launch(self, *given, summed=summed)

    monkeypatch.setattr(gpu_driver.Whole, "launch", tired)
    monkeypatch.setattr(gpu_games, "_FIRST", 100)
    monkeypatch.setattr(gpu_games, "_games", LruCache(1))
    monkeypatch.setattr(machines, "MANY_GAMES", 1)
    monkeypatch.setattr(gpu_games, "_FASTER", 0)
    found = json.loads(simulated("--machine", "auto")[1])
    assert found.pop("machine") == "gpu, wasm"
    assert found == wasm


class Tiring:
    """A card that gives up after some games."""

    def __init__(self) -> None:
        self.instance = playing_instance(tic_tac_toe(), 2, WATCHING)
        self.columns = self.instance.columns

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        yield from self.instance.records(seed, first, 7)
        raise gpu_driver.NoGpu("the card gave up: it is busy")


def test_where_a_card_gives_up_that_nobody_named_the_compiled_machine_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machines, "_given_up", [])
    monkeypatch.setattr(gpu_games, "card_games", lambda *_: Tiring())
    monkeypatch.setattr(machines, "MANY_GAMES", 1)
    chosen = machines.machine_for("auto", 50, RANDOM, [(tic_tac_toe(), 2)])
    assert machines.back_ends_used(chosen) == "gpu"
    found = play_games(tic_tac_toe(), 2, 1, range(50), RANDOM, machines.recorders(chosen))
    assert tally(found) == tally(play_games(tic_tac_toe(), 2, 1, range(50), RANDOM))
    assert machines.back_ends_used(chosen) == "gpu, wasm"
    with pytest.raises(gpu_driver.NoGpu, match="busy"):
        play_games(tic_tac_toe(), 2, 1, range(50), RANDOM, machines.recorders("gpu"))
