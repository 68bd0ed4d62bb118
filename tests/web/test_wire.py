"""Answers of child processes: data of the declared types, and nothing else."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

import lawspeaker
from lawspeaker.faces.web import wire
from lawspeaker.faces.web.drawing.blocks import Picture
from lawspeaker.faces.web.game_in_play import Facts, GameInPlay, Look, Refused, Standing
from lawspeaker.faces.web.seats import Seat
from lawspeaker.faces.web.store import KeptReply, KeptTable
from lawspeaker.faces.web.wire import Malformed, decoded, encoded, fit, for_log
from lawspeaker.faces.web.workshop import jobs, studies
from lawspeaker.match.log import Log

SEATS = (Seat(True), Seat(True))


def game() -> GameInPlay:
    found = lawspeaker.load("nim")
    return GameInPlay(found, KeptTable(found.program.digest, "nim", 7, "quick", "en", SEATS))


def round_trip(value: object, kind: Any) -> Any:
    told = decoded(encoded("done", value))
    assert told[0] == "done"
    return fit(told[1], kind)


def deeds() -> list[str]:
    """The methods that another process may be asked for."""
    own = {"of", "do", "close"}
    found = inspect.getmembers(GameInPlay, inspect.isfunction)
    return [name for name, _ in found if not name.startswith("_") and name not in own]


def test_every_deed_and_every_job_declares_data() -> None:
    """A type that no answer can have would be noticed by a visitor else."""
    kinds = [wire.returned(getattr(GameInPlay, name)) for name in deeds()]
    kinds += [wire.yielded(getattr(jobs, name)) for name in jobs.__all__]
    kinds += [wire.yielded(getattr(studies, name)) for name in studies.__all__]
    for kind in kinds:
        for wrong in (object(), [object()], {"x": object()}):
            try:
                fit(wrong, kind)
            except Malformed:
                continue
            assert "Any" in str(kind)


def test_answers_come_back_as_they_were() -> None:
    played = game()
    facts, standing = played.facts(), played.standing()
    assert round_trip(facts, Facts) == facts
    assert round_trip(standing, Standing) == standing
    answer = played.reply(0, 0, 0, "en")
    assert round_trip(answer, wire.returned(GameInPlay.reply)) == answer
    assert round_trip(played.log(["human", "human"]), Log) == played.log(["human", "human"])
    barred = round_trip(Refused("barred", "No.", "turn", ("book 1",), True), Refused | None)
    assert barred.to_json() == Refused("barred", "No.", "turn", ("book 1",), True).to_json()
    assert round_trip(None, Refused | None) is None
    scene = played.scene(Look(0, "en", in_parts=True))
    assert isinstance(scene["svg"], Picture)
    told = round_trip(scene, wire.returned(GameInPlay.scene))
    assert told["svg"] == str(scene["svg"])
    assert {**told, "svg": ""} == json.loads(json.dumps({**scene, "svg": ""}))


@pytest.mark.parametrize(
    "value, kind",
    [
        (True, int),
        (1, bool),
        (1 << 63, int),
        ("1", float),
        ([1], tuple[int, int]),
        ({"seat": 0, "option": 0}, KeptReply),
        ({"seat": 0, "option": 0, "choice": "x", "more": 1}, KeptReply),
        ({"seat": "0", "option": 0, "choice": "x"}, KeptReply),
        ([{}], list[KeptReply]),
        ({"-1": 0}, dict[int, int]),
        ({}, wire.returned(GameInPlay.scene)),
        ({"svg": 1}, wire.returned(GameInPlay.scene)),
        ({"svg": "", "stages": [{"svg": []}]}, wire.returned(GameInPlay.scene)),
        ({"rules": "nim"}, Log),
        ({}, wire.yielded(jobs.sound)),
        ("x", Refused | None),
    ],
)
def test_other_shapes_are_malformed(value: object, kind: Any) -> None:
    with pytest.raises(Malformed):
        fit(value, kind)


@pytest.mark.parametrize(
    "content", [b"", b"1", b'["done"]', b'["done", NaN]', b'["done", "\\udc00"]', b"\x80\x04N."]
)
def test_other_messages_are_malformed(content: bytes) -> None:
    with pytest.raises(Malformed):
        decoded(content)


def test_no_type_makes_anything_but_data() -> None:
    with pytest.raises(TypeError):
        encoded("done", object())
    with pytest.raises(TypeError):
        fit({}, set[int])
    assert decoded(encoded("done", "\\ud800 as it is written")) == (
        "done",
        "\\ud800 as it is written",
    )


def test_lines_of_a_child_are_no_lines_of_the_log() -> None:
    shown = for_log("one\n2026-01-01 ERROR forged\x1b[2J" + "x" * 100_000)
    assert len(shown) < 2 * wire.LONGEST_TRACE
    assert all(line.startswith("    ") for line in shown.splitlines()[1:])
    assert "\x1b" not in shown
