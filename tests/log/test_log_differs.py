"""When the rules have changed: at which reply, and by which clause, a game first differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lawspeaker.match.log import Log
from lawspeaker.match.log.fingerprints import first_difference
from lawspeaker.match.replay import Difference, Replay
from tests.log.tables import STICKS, a_log, changed_game, sticks


def difference(log: Log, folder: Path, old: str, new: str) -> Difference:
    replay = Replay(changed_game(old, new, folder).program, log)
    steps = list(replay)
    assert replay.difference is not None
    assert steps[-1].difference == replay.difference
    assert steps[-1].number == replay.difference.reply
    return replay.difference


def first_take(log: Log, choice: str) -> int:
    return next(at for at, reply in enumerate(log.replies, 1) if reply.choice == choice)


def test_the_same_rules_differ_nowhere() -> None:
    replay = Replay(sticks().program, a_log())
    assert [step.number for step in replay] == list(range(len(a_log().replies) + 1))
    assert replay.difference is None


def test_a_reply_that_is_no_longer_allowed(tmp_path: Path) -> None:
    log = a_log()
    found = difference(log, tmp_path, "is: 3", "is: 2")
    assert found.reply == first_take(log, "take 3")
    assert found.clause.startswith("turn")
    assert "`take 3` is not allowed" in found.message


def test_other_points_are_found_where_they_are_given(tmp_path: Path) -> None:
    found = difference(a_log(), tmp_path, "active scores 1", "active scores 2")
    assert found.clause == "gift"
    assert "scores 2" in found.message


def test_less_and_more_can_happen(tmp_path: Path) -> None:
    log = a_log()
    never = "      if active is cy:\n        do gift\n"
    less = difference(log, tmp_path, "      do gift\n", never)
    assert (less.reply, less.clause) == (1, "game")
    more = difference(log, tmp_path, "      do gift\n", "      active scores 1\n      do gift\n")
    assert (more.reply, more.clause) == (1, "turn")


def test_the_start_can_differ(tmp_path: Path) -> None:
    found = difference(
        a_log(),
        tmp_path,
        "    rule: |\n      repeat until",
        "    rule: |\n      ann scores 1\n      repeat until",
    )
    assert (found.reply, found.clause) == (0, "game")
    assert found.diagnostic().message.startswith("the start, clause `game`")


def test_fewer_players_than_played(tmp_path: Path) -> None:
    found = difference(a_log(), tmp_path, "{from: 2, to: 3", "{from: 3, to: 3")
    assert "2 played" in found.message


def test_a_question_asked_by_another_clause(tmp_path: Path) -> None:
    text = STICKS.replace("do turn\n", "do going\n").replace("  turn:\n", "  going:\n")
    found = difference(a_log(), tmp_path, STICKS, text)
    assert (found.reply, found.clause) == (1, "going")
    assert "it was asked by `turn`" in found.message


def test_the_end_can_differ(tmp_path: Path) -> None:
    found = difference(a_log(), tmp_path, "right_neighbour of active wins", "active wins")
    assert found.reply == len(a_log().replies)
    assert found.clause == "game"


@pytest.mark.parametrize(
    "other, message",
    [
        ({"scores": (40, 2)}, "the scores are"),
        ({"winners": ()}, "the winners are"),
        ({"position": "0" * 16}, "the last position is another"),
        (None, "the log does not say so"),
    ],
)
def test_what_the_log_says_of_the_end(other: dict[str, Any] | None, message: str) -> None:
    log = a_log()
    assert log.result is not None
    result = None if other is None else replace(log.result, **other)
    replay = Replay(sticks().program, replace(log, result=result))
    assert list(replay)[-1].difference is not None
    assert replay.difference is not None
    assert replay.difference.reply == len(log.replies)
    assert message in replay.difference.message


@pytest.mark.parametrize("most", [0, 2])
def test_a_game_is_over_only_at_its_end(most: int) -> None:
    log = replace(a_log(most=most), result=a_log().result)
    replay = Replay(sticks().program, log)
    assert [step.number for step in replay] == list(range(most + 1))
    assert replay.difference is not None
    assert replay.difference.message == "the game is not over, and was then"


def test_going_on_after_a_difference(tmp_path: Path) -> None:
    """Not strict, a replay goes on as long as replies are allowed: what `--under` will need."""
    log = a_log()
    program = changed_game("active scores 1", "active scores 2", tmp_path).program
    strict, lenient = Replay(program, log), Replay(program, log, strict=False)
    stopped = list(strict)
    assert len(list(lenient)) == len(log.replies) + 1 > len(stopped)
    assert lenient.difference == strict.difference
    assert lenient.match is not None
    assert lenient.match.finished
    refused = Replay(changed_game("is: 3", "is: 2", tmp_path).program, log, strict=False)
    assert list(refused)[-1].refused


@pytest.mark.parametrize(
    "one, other, first",
    [("", "aaaa", 0), ("aaaabbbb", "aaaacccc", 1), ("aaaa", "aaaabbbb", 1), ("bbbb", "aaaa", 0)],
)
def test_first_difference_of_prints(one: str, other: str, first: int) -> None:
    assert first_difference(one, other) == first == first_difference(other, one)
