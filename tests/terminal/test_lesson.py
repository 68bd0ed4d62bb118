"""The first lesson of a game: its goal, its points and a turn, from the rules alone."""

from __future__ import annotations

import pytest

from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.telling.lesson import MOST, lesson
from tests.library import RULES, game


@pytest.mark.full
def test_every_game_has_a_lesson_in_every_language() -> None:
    for name in sorted(each.name for each in RULES.iterdir()):
        program = game(name).program
        for language in program.languages:
            cards = lesson(program, language)
            titles = [each.title for each in cards]
            assert titles[0] == phrase("lesson.goal", language), name
            assert titles[-1] == phrase("lesson.turn", language), name
            told = [sentence for each in cards for sentence in each.sentences]
            assert len(told) == len(set(told)), f"{name}: a rule is told twice"
            assert all(1 <= len(each.sentences) <= MOST for each in cards), name


def lesson_sentences(name: str, card: str) -> list[str]:
    program = game(name).program
    told = {each.title: list(each.sentences) for each in lesson(program, "en")}
    return told.get(phrase(f"lesson.{card}", "en"), [])


@pytest.mark.parametrize(
    "name, card, part",
    [
        ("hearts", "goal", "until somebody has 100 points"),
        ("hearts", "points", "the fewest points"),
        ("hearts", "points", "points of the cards taken"),
        ("hearts", "turn", "follows suit"),
        ("walhalla", "points", "A forest gives"),  # with a card that can be played there
        ("walhalla", "turn", "sends the dragon"),
        ("backgammon", "goal", "has won"),  # what ends the game and gives points
        ("pig", "points", "holds and scores the pot"),  # the only rule that gives any
        ("mill_wheel", "turn", "At the market"),
    ],
)
def test_each_rule_is_on_its_card(name: str, card: str, part: str) -> None:
    assert any(part in each for each in lesson_sentences(name, card))


def test_a_lesson_leaves_out_what_is_no_part_of_it() -> None:
    assert not lesson_sentences("chess", "points")  # there are none
    assert not any(
        "4 coins each" in each for each in lesson_sentences("mill_wheel", "points")
    )  # at the start
    assert not any(
        "fiddler" in each for each in lesson_sentences("pedlars", "turn")
    )  # a card that is played


def test_what_has_no_room_is_counted() -> None:
    cards = lesson(game("stowaways").program, "en")
    assert cards[-1].more > 0


def test_a_language_that_the_game_does_not_speak() -> None:
    program = game("nim").program
    assert lesson(program, "xx") == lesson(program, program.languages[0])
    assert set(program.languages) == set(LANGUAGES)
