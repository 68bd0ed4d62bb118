"""Which bot plays a game best is measured once, kept, and used in place of `best`."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawspeaker
from lawspeaker import study
from lawspeaker.faces.web.strengths import LADDER, ladder
from lawspeaker.faces.web.workshop.laboratory import ExperimentRequest, simulated
from lawspeaker.outside import ladder as module
from lawspeaker.outside import strongest as cache
from lawspeaker.outside.experiments.requests import NotPossible, pinned, seat_bots
from lawspeaker.outside.ladder import find_strongest, strongest
from lawspeaker.outside.library import Library
from lawspeaker.outside.strongest import Challenge, cached, of_game
from lawspeaker.study.lab.proving import Bout, Proof
from lawspeaker.study.lab.statistics import Estimate
from tests import library

STRENGTH = {"random": 0, "greedy": 2, "mc:200": 1, "tree:200": 4, "flat:200": 3}


@pytest.fixture
def played_bouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Bout]:
    """Bots of known strength, and the games that were played between them."""
    for folder in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    bouts: list[Bout] = []

    def play(_: object, bout: Bout, __: float) -> Proof:
        bouts.append(bout)
        won = 0.5 + (STRENGTH[bout.bot] - STRENGTH[bout.rival]) / 10
        return Proof(bout, 16, Estimate(won, won - 0.2, won + 0.2), 0.5)

    monkeypatch.setattr(module, "_played", play)
    return bouts


def test_whoever_beats_the_best_is_the_best(played_bouts: list[Bout]) -> None:
    program, told = library.game("nim").program, list[Challenge]()
    found = strongest(program, 2, told.append)
    assert found.bot == "tree:200"
    rivals = [(each.bot, each.rival) for each in played_bouts]
    assert rivals == [
        ("greedy", "random"),
        ("mc:200", "greedy"),
        ("tree:200", "greedy"),
        ("flat:200", "tree:200"),
    ]
    assert tuple(told) == found.challenges
    assert [each.won for each in told] == [True, False, True, False]


def test_what_was_measured_is_kept(played_bouts: list[Bout]) -> None:
    program = library.game("nim").program
    assert cached("nim", program.digest, 2) is None
    found = strongest(program, 2)
    count = len(played_bouts)
    assert pinned(seat_bots("best,random", 2, best=True), [program]) == ("tree:200", "random")
    assert cached("nim", program.digest, 2) == found == strongest(program, 2)
    assert len(played_bouts) == count
    assert cached("nim", program.digest, 3) is None


def test_a_ladder_that_is_cut_off_is_not_kept(
    played_bouts: list[Bout], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = library.game("nim").program
    play = module._played
    monkeypatch.setattr(
        module, "_played", lambda *asked: play(*asked) if len(played_bouts) < 2 else None
    )
    assert len(list(find_strongest(program, 2, 1.0))) == 2
    assert cached("nim", program.digest, 2) is None
    strongest(program, 2)  # with the usual time, what is known then is kept
    assert cached("nim", program.digest, 2) is not None


@pytest.mark.usefixtures("played_bouts")
def test_the_lab_in_the_browser_plays_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STRENGTH, "greedy", 9)
    files = lawspeaker.load("nim").files
    told = list(simulated(ExperimentRequest(files, "nim", 2, "best", 2, 1)))
    assert [each["done"] for each in told if each["doing"] == "finding the best bot"] == [
        1,
        2,
        3,
        4,
    ]
    assert "--bots greedy" in told[-1]["command"]
    assert {each["bot"] for each in told[-1]["summary"]["seats"]} == {"greedy"}
    assert told[-1]["over"]


@pytest.mark.full
@pytest.mark.usefixtures("played_bouts")
def test_effects_are_measured_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STRENGTH, "greedy", 9)
    with pytest.raises(NotPossible, match="hangs on how many play"):
        study.effect("crazy_eights", "crazy_eights+one_round", 1, bots="best")
    found = study.effect("kalah", "kalah+three_seeds", 1, bots="best", workers=1)
    assert {row["bots"] for row in found["effects"].rows} == {'["greedy", "greedy"]'}


def test_the_table_goes_by_it(played_bouts: list[Bout], monkeypatch: pytest.MonkeyPatch) -> None:
    assert of_game("nim") is None
    assert ladder("nim", Library()) == LADDER
    strongest(library.game("nim").program, 2)
    assert ladder("nim", Library()) == {**LADDER, "hard": "tree:3000"}
    monkeypatch.setitem(STRENGTH, "greedy", 9)
    strongest(library.game("pig").program, 2)
    assert ladder("pig", Library())["hard"] == "greedy"
    strongest(library.game("voluspa").program, 2)  # its own ladder says otherwise
    assert ladder("voluspa", Library())["hard"] == "mc:1000"
    assert len(played_bouts) == 12


def test_a_damaged_file_is_none(played_bouts: list[Bout]) -> None:
    program = library.game("nim").program
    strongest(program, 2)
    file = cache._place("nim", program.digest, 2)
    for content in (b"", b"[]", b'{"bot": "nobody", "challenges": []}', b'{"bot": 3}'):
        file.write_bytes(content)
        assert cached("nim", program.digest, 2) is None
        assert of_game("nim") is None
    assert len(played_bouts) == 4


def test_who_has_no_time_to_measure_refuses_it() -> None:
    with pytest.raises(NotPossible, match="there is no bot `best`"):
        seat_bots("best", 2)
