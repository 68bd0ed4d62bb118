"""What comes of an answer is foretold from the view of the seat, and comes true."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import lawspeaker
from lawspeaker.match.match import Match, imagine
from lawspeaker.position.rng import RngFactory
from lawspeaker.telling.consequences import HIDDEN, LUCK, OTHERS, Consequences, consequences
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story
from tests.properties.tables import Table, start, table_id
from tests.tiers import FULL, pick, sample

TABLES = [
    ("walhalla", 4),
    ("leduc_poker", 2),
    ("stowaways", 3),
    ("hearts", 4),
    ("pedlars", 3),
    ("surveyors", 3),
    ("mill_wheel", 3),
    ("liars_dice", 3),
    ("voluspa", 3),
]


def foretold_answers(table: Table, answers: int) -> Iterator[tuple[Match, int, Consequences]]:
    """A random game, with what is foretold of each answer before it is given."""
    match, luck = start(table, seed=5), RngFactory(8).stream("any")
    for _ in range(answers):
        decision = match.decision
        if decision is None:
            return
        assert decision.seat is not None
        view = match.view(decision.seat)
        assert view.decision is not None
        number = luck.below(len(view.decision.options))
        yield match, number, consequences(view, number, "en")
        match.choose(view.decision.options[number], seat=decision.seat)


@pytest.mark.parametrize("table", sample(TABLES, test=4), ids=table_id)
def test_what_is_foretold_comes_true(table: Table) -> None:
    told = 0
    for match, number, foreseen in foretold_answers(table, pick(test=10, full=14, nightly=80)):
        assert match.decision is not None
        seat = match.decision.seat
        assert seat is not None
        after = match.copy()
        after.choose(after.shown(seat).options[number], seat=seat)
        story = Story(after.machine, seat, "en", Labels(match.view(seat)))
        events = after.events_of(len(match.replies))
        happened = [(each.seat, each.text) for each in story.lines(events)]
        for line in foreseen.lines:
            assert (line.seat, line.text) in happened
            told += 1
    assert told or table[0] in ("stowaways", "liars_dice", "surveyors") or not FULL


@pytest.mark.parametrize("table", sample(TABLES, test=4), ids=table_id)
def test_positions_that_a_seat_cannot_tell_apart_foretell_the_same(table: Table) -> None:
    compared = 0
    for match, number, foreseen in foretold_answers(table, pick(test=8, full=8, nightly=60)):
        assert match.decision is not None
        seat = match.decision.seat
        for seed in (1, 2):
            other = imagine(match.view(seat), seed).view(seat)
            assert consequences(other, number, "en") == foreseen
            compared += 1
    assert compared > 3


def consequences_of(
    name: str, replies: tuple[str, ...], option: str, seed: int = 3
) -> Consequences:
    match = lawspeaker.load(name).start(players=2, seed=seed)
    for each in replies:
        match.choose(each)
    assert match.decision is not None
    view = match.view(match.decision.seat)
    assert view.decision is not None
    texts = [each.text for each in view.decision.options]
    return consequences(view, texts.index(option), "en")


@pytest.mark.parametrize(
    "name, replies, option, decides",
    [
        ("pig", (), "roll", LUCK),
        ("kuhn_poker", (), "bet", OTHERS),
        ("kuhn_poker", ("bet",), "call", HIDDEN),
    ],
)
def test_it_stops_where_something_else_decides(
    name: str, replies: tuple[str, ...], option: str, decides: str
) -> None:
    found = consequences_of(name, replies, option)
    assert found.decides == decides
    assert not any(each.kind == "end" for each in found.lines)


def test_what_hides_nothing_is_foretold_to_the_end() -> None:
    game = ("mark cell 1 1", "mark cell 2 1", "mark cell 1 2", "mark cell 2 2")
    found = consequences_of("tic_tac_toe", game, "mark cell 1 3")
    assert found.decides == ""
    assert [each.kind for each in found.lines][-1] == "end"


def test_a_capture_is_foretold() -> None:
    chess = ("go square 5 2, square 5 4", "go square 4 7, square 4 5")
    [lost, *_] = consequences_of("chess", chess, "go square 5 4, square 4 5").lines
    assert lost.text == "loses a pawn"
