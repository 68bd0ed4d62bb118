"""Taking back: what is fair follows from the rules, and taking back leaves no trace."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.match.undo import Barred, Barrier, barrier, steps_back, take_back
from lawspeaker.outside.library import Library
from tests.properties.tables import Table, every_manner, play, start
from tests.tiers import pick

ANN, BEN = 0, 1


@cache
def peek() -> Game:
    return lawspeaker.load("./peek.yaml", Library(here=Path(__file__).parent, path=()))


def loaded(rules: str, folder: Path) -> Game:
    (folder / "rules.yaml").write_text(rules, encoding="utf-8")
    return lawspeaker.load("./rules.yaml", Library(here=folder, path=()))


def match_after(*replies: str, seed: int = 4, players: int = 2) -> Match:
    """A game in which so far these were the replies, whoever was asked."""
    match = peek().start(players=players, seed=seed)
    for reply in replies:
        match.choose(reply)
    return match


def match_with_card(colour: str) -> Match:
    """A game in which ann holds a card of this colour."""
    for seed in range(100):
        match = match_after(seed=seed)
        if f"lay {colour}" in [option.text for option in match.asked(ANN).options]:
            return match
    raise AssertionError(colour)


def stands_before(match: Match, seat: int, free: bool = False) -> tuple[str, str] | None:
    """The kind of the nearest barrier, and the clause that raised it."""
    found = barrier(match, seat, free)
    return None if found is None else (found.kind, found.clause)


def test_nothing_was_answered_yet() -> None:
    match = match_after()
    assert steps_back(match, ANN) == 0
    assert stands_before(match, ANN) is None
    with pytest.raises(Barred, match="no more than 0"):
        take_back(match, ANN)


@pytest.mark.parametrize("reply", ["wait", "build", "feel 2"])
def test_what_tells_nobody_anything_can_be_taken_back(reply: str) -> None:
    match, before = match_after(), match_after()
    match.choose(reply)
    assert steps_back(match, ANN) == 1
    match.choose(reply)
    assert steps_back(match, ANN) == 2
    take_back(match, ANN, steps=2)
    assert match.state == before.state
    assert match.log() == before.log()


def test_a_hidden_card_that_stays_hidden_can_be_taken_back() -> None:
    match = match_with_card("red")
    match.choose("hide red")
    assert steps_back(match, ANN) == 1


@pytest.mark.parametrize(
    "reply, kind, clause",
    [
        ("fetch", "luck", "fetching"),
        ("toss", "luck", "tossing"),
        ("dream", "luck", "dreaming"),
        ("sink", "luck", "sinking"),
        ("mix", "luck", "acting"),
        ("lay red", "shown", "acting"),
        ("boast", "told", "boasting"),
    ],
)
def test_luck_and_secrets_are_barriers(reply: str, kind: str, clause: str) -> None:
    match = match_with_card("red")
    match.choose(reply)
    assert stands_before(match, ANN) == (kind, clause)
    assert steps_back(match, ANN) == 0
    before = match.state.canonical()
    with pytest.raises(Barred, match=clause):
        take_back(match, ANN)
    assert match.state.canonical() == before


def test_up_to_a_barrier() -> None:
    match = match_after("toss", "wait")
    assert steps_back(match, ANN) == 1
    assert barrier(match, ANN) == Barrier(0, "tossing", "luck")
    with pytest.raises(Barred):
        take_back(match, ANN, steps=2)
    take_back(match, ANN)
    assert match.state == match_after("toss").state


def test_a_barrier_names_the_clause_that_raised_it() -> None:
    """Whatever follows, as here that the next player is active."""
    assert stands_before(match_after("wait", "toss"), ANN) == ("luck", "tossing")


def test_nobody_takes_back_over_another_reply() -> None:
    match = match_after("wait", "wait")
    assert steps_back(match, ANN) == 2
    assert steps_back(match, BEN) == 0
    assert barrier(match, BEN) is None, "ben has not chosen anything yet"
    match.choose("wait")
    assert steps_back(match, ANN) == 0
    assert barrier(match, ANN) == Barrier(2, "acting", "answered")
    assert steps_back(match, BEN) == 1


def test_a_secret_answer_until_the_next_one_and_until_they_are_opened() -> None:
    match = match_after(*["wait"] * 4)
    match.choose("offer_up 1", seat=BEN)
    assert steps_back(match, BEN) == 3
    take_back(match, BEN)
    match.choose("offer_up 2", seat=BEN)
    match.choose("offer_up 0", seat=ANN)
    assert steps_back(match, BEN) == 0
    assert stands_before(match, ANN) == ("opened", "bidding")
    assert match.scores == [0, 2]


def test_asked_luck_is_a_barrier() -> None:
    match = peek().start(players=2, seed=1, chance="ask")
    while (decision := match.decision) is not None and decision.kind == "chance":
        match.choose(0, seat=None)
    assert stands_before(match, ANN) is None, "luck took nothing from ann that she had chosen"
    match.choose("toss")
    match.choose(0, seat=None)
    assert stands_before(match, ANN) == ("luck", "tossing")


def test_alone_at_the_table_everything_is_free() -> None:
    match = match_with_card("red")
    seed = match.state.seed
    for reply in ("lay red", "fetch", "toss", "wait"):
        match.choose(reply)
    assert steps_back(match, ANN) == 0
    assert steps_back(match, ANN, free=True) == 2
    assert stands_before(match, ANN, free=True) is None
    take_back(match, ANN, free=True)
    assert match.log() == match_after("lay red", seed=seed).log()
    take_back(match, ANN, free=True)
    assert match.state == match_after(seed=seed).state
    with pytest.raises(Barred):
        take_back(match, ANN, free=True)


def test_the_last_of_a_shuffled_pile_is_not_drawn_by_luck() -> None:
    match = match_after("thread")
    assert stands_before(match, ANN) == ("luck", "threading")
    match.choose("thread")
    assert steps_back(match, ANN) == 1


def test_another_reply_has_barriers_of_its_own() -> None:
    match = match_after("wait")
    assert steps_back(match, ANN) == 1
    take_back(match, ANN)
    match.choose("toss")
    assert steps_back(match, ANN) == 0


def test_wrong_numbers() -> None:
    with pytest.raises(ValueError, match="at least one"):
        take_back(match_after("wait"), ANN, steps=0)


def test_points_that_hang_on_nothing_hidden_are_no_barrier() -> None:
    """Which cards ann holds makes no difference once everyone can see that she holds none."""
    match = match_after(seed=2)
    first = next(o for o in match.asked(ANN).options if o.label == "lay")
    match.choose(first)
    match.choose(next(o for o in match.asked(ANN).options if o.label == "lay"))
    for reply in ("wait", "wait"):
        match.choose(reply, seat=BEN)
    for seat in (ANN, BEN):
        match.choose("offer_up 0", seat=seat)
    match.choose("boast")
    assert steps_back(match, ANN) == 1


@pytest.mark.parametrize(
    "secret, seen_by",
    [
        ("card", "nobody"),
        ("stones", "nobody"),
        ("worth", "holder"),
        ("aim", "nobody"),
        ("mood", "nobody"),
    ],
)
def test_whatever_is_hidden_is_a_secret(secret: str, seen_by: str, tmp_path: Path) -> None:
    rules = Path(__file__).with_name("one_secret.yaml").read_text(encoding="utf-8")
    match = loaded(rules, tmp_path).start(seed=1)
    for _ in range(2):
        match.choose(secret)
    assert steps_back(match, ANN) == 2

    hidden = re.sub(rf"everyone(?=}}  # {secret}$)", seen_by, rules, flags=re.MULTILINE)
    match = loaded(hidden, tmp_path).start(seed=1)
    match.choose("wait")
    assert steps_back(match, ANN) == 1
    match.choose(secret)
    assert stands_before(match, ANN) == ("told", "game")


# ---------------------------------------------------------------- no trace


def snapshot(match: Match) -> tuple[object, ...]:
    """Everything that can be seen of a match."""
    return (
        match.state.canonical(),
        match.record().text(),
        list(match.events),
        [(each.seat, [option.text for option in each.options]) for each in match.decisions],
        [match.view(seat).to_json() for seat in (0, None)],
    )


@every_manner
def test_taking_back_and_answering_again_is_the_same(table: Table, discretion: str) -> None:
    match = start(table, 3, discretion=discretion)
    history = [snapshot(match)]
    for number, option in enumerate(play(match, 3)):
        seat = option.setting.seat
        if number >= pick(test=12, full=36, nightly=36) or seat is None:
            break
        trial = match.copy()
        trial.choose(option.text, seat=seat)
        after = snapshot(trial)
        for back in range(1, steps_back(trial, seat) + 1) if number % 3 == 0 else ():
            given = trial.replies[len(trial.replies) - back :]
            trial.rewind(len(trial.replies) - back)
            assert snapshot(trial) == history[-back]
            for each in given:
                trial.choose(each.text, seat=each.setting.seat)
            assert snapshot(trial) == after
        take_back(trial, seat, free=True)
        assert snapshot(trial) == history[-1]
        history.append(after)
