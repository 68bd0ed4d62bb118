"""What is added up inside the module is what the lab adds up from records."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, reduce
from operator import add
from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.machines import sum_cache, sum_layout
from lawspeaker.machines.compiled import Compiled, Instance, compile_module
from lawspeaker.machines.purpose import SUMMING
from lawspeaker.machines.sum_host import AddsUp
from lawspeaker.outside import summing
from lawspeaker.outside.loading import load
from lawspeaker.outside.modules import ModuleFolder
from lawspeaker.position.fault import OutOfMemory
from lawspeaker.position.layout import layout_for
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.tally import Tally, tally
from tests.tiers import sample

GAMES = [
    *[("tic_tac_toe", 2), ("rock_paper_scissors", 2), ("pig", 2), ("little_whist", 4)],
    *[("kuhn_poker", 2), ("stowaways", 4), ("walhalla", 3), ("voluspa", 5)],
    *[("hearts", 4), ("pedlars", 3), ("liars_dice", 3), ("connect_four", 2)],
]
"""With sides, with secret choices at once, with luck, with many players."""


def module(program: ir.Program, players: int) -> Instance:
    return Instance(_compiled(program.name, players))


@cache
def _compiled(name: str, players: int) -> Compiled:
    return compile_module(layout_for(load(name).program, players), SUMMING)


def from_records(program: ir.Program, players: int, numbers: range) -> Tally:
    return tally(play_games(program, players, 5, numbers, ("random",) * players))


def summed_tally(program: ir.Program, inside: AddsUp, numbers: range, threads: int = 1) -> Tally:
    return reduce(add, summing.added_up(program, inside, 5, numbers, threads))


@pytest.mark.parametrize("name, players", sample(GAMES, test=4))
def test_sums_are_those_of_records(name: str, players: int) -> None:
    program = load(name).program
    numbers = range(7, 67)
    assert summed_tally(program, module(program, players), numbers) == from_records(
        program, players, numbers
    )


def test_threads_add_up_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summing, "SECONDS", 0.001)
    monkeypatch.setattr(summing, "WORTH_A_THREAD", 1e-9)
    program = load("tic_tac_toe").program
    found = summed_tally(program, module(program, 2), range(600), threads=3)
    assert found == from_records(program, 2, range(600))


@pytest.mark.usefixtures("uncached")
def test_games_that_do_not_fit_are_added_from_records(monkeypatch: pytest.MonkeyPatch) -> None:
    from lawspeaker.machines.compiled.runtime import sums

    monkeypatch.setattr(sums, "LENGTHS", 8)  # games with a full board do not fit
    program = load("tic_tac_toe").program
    inside = Instance(compile_module(layout_for(program, 2), SUMMING))
    left_out = inside.add_up(5, 0, 100)
    assert 20 < len(left_out) < 100
    assert sum(inside.totals()["games"]) == 100 - len(left_out)
    assert summed_tally(program, inside, range(100)) == from_records(program, 2, range(100))


def test_games_that_stop_are_left_out() -> None:
    program = load("tic_tac_toe").program
    inside = module(program, 2)
    inside.budget = 20  # steps between two questions: too few for the last one
    left_out = inside.add_up(5, 0, 50)
    assert left_out
    assert left_out == sorted(set(left_out))
    assert sum(inside.totals()["games"]) == 50 - len(left_out)


def test_a_module_that_was_kept_adds_up_the_same(tmp_path: Path) -> None:
    program = load("tic_tac_toe").program
    made, folder = module(program, 2), ModuleFolder(tmp_path / "modules")
    assert sum_cache.kept(program, 2, folder) is None
    sum_cache.keep(program, made.sum_places, made.native, folder)
    kept = sum_cache.kept(program, 2, folder)
    assert kept is not None
    assert summed_tally(program, kept, range(200)) == from_records(program, 2, range(200))
    assert sum_cache.kept(program, 3, folder) is None
    assert sum_cache.kept(replace(program, digest="another"), 2, folder) is None
    [file] = (tmp_path / "modules").iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert sum_cache.kept(program, 2, folder) is None


def test_a_kept_module_that_stops_says_no_more(tmp_path: Path) -> None:
    program = load("tic_tac_toe").program
    made, folder = module(program, 2), ModuleFolder(tmp_path / "modules")
    sum_cache.keep(program, made.sum_places, made.native, folder)
    kept = sum_cache.kept(program, 2, folder)
    assert kept is not None
    short = sum_cache.KeptSums(program, kept.sum_places, kept._module, budget=1)
    with pytest.raises(OutOfMemory):
        short.play(5, 0, 1)
    assert short.add_up(5, 0, 3) == [0, 1, 2]


def test_all_that_is_squared_has_room() -> None:
    for players in range(1, sum_layout.MOST_PLAYERS + 1):
        ahead = sum_layout.whole(players) * max(sum_layout.whole(players), sum_layout.SCORES)
        assert ahead <= sum_layout.LIMIT
    assert sum_layout.LIMIT**2 * sum_layout.MOST_GAMES < 1 << 63
