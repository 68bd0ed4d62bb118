"""Sentences that tell a number by the name of a choice say it wherever they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli import app
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.language.games import GOOD

GAME = """\
lawspeaker: 1
game: hands
title: Hands
players: {from: 2, to: 3, called: [ann, ben, cy]}
pieces:
  card: {starts in: pile, kinds: {low: 9, high: 9}}
places:
  pile: {holds: card, seen by: everyone}
  hand: {of each: player, holds: card, seen by: everyone}
choices:
  hand.most: {says: How many cards a hand holds., is: 1}
  turns: {says: How many turns there are., is: {2 players: 3, 3 players: 4}}
rules:
  game:
    says: There are {turns} turns.
    rule: |
      repeat turns times:
        for each player:
          do taking(player)
  taking:
    says: A player may take a card, up to {hand.most}.
    asks: Which card?
    guards:
      room: "A hand holds {hand.most} at most: {hand.most}, not more."
    given: {player: player}
    rule: |
      player may take: card in pile
        where room: card is low or count of hand of player < hand.most
        then:
          move card to hand of player
"""
LARGER = """\
lawspeaker: 1
variant: larger
of: hands
layer: house rule
title: Larger hands
changes:
  - {set: hand.most, to: 2}
"""


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, file, text in (("rules", "game", GAME), ("variants", "larger", LARGER)):
        (tmp_path / folder / "hands").mkdir(parents=True)
        (tmp_path / folder / "hands" / f"{file}.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("name, most", [("hands", 1), ("hands+larger", 2)])
def test_a_refusal_says_the_number(name: str, most: int) -> None:
    match = lawspeaker.load(name).start(2, seed=1)
    for _ in range(2 * most):
        match.choose("take high")
    refusal = match.why_not("take high")
    assert refusal.message == f"A hand holds {most} at most: {most}, not more."
    assert refusal.sentence("en") == refusal.message


def test_the_rules_are_shown_with_the_numbers_of_the_variant() -> None:
    text = run("show", "hands+larger")
    assert "A player may take a card, up to 2." in text
    assert "There are 3/4 turns." in text
    assert "{hand.most}" not in text


def test_a_comparison_tells_the_number_that_differs_once() -> None:
    text = run("compare", "hands", "hands+larger")
    assert "1 difference: 1 changes play" in text
    assert "{" not in text


def test_a_text_alone_is_in_the_language_of_the_game() -> None:
    game = lawspeaker.load(str(GOOD / "one_language.yaml"))
    decision = game.start(2, seed=1).decision
    assert decision is not None
    assert decision.prompt_in("de") == "Wohin legst du, Rot?"
    assert [option.name("de") for option in decision.options] == ["auf Wiese 1", "auf Wiese 2"]
    assert game.program.clauses[game.program.main].says == {"de": "Alle legen einen Stein."}


RACE = """\
lawspeaker: 1
game: race
players: {from: 2, to: 3}
choices:
  prizes:
    says: Points for the first two.
    is: [6, 1]
  shares:
    says: Points by seat.
    is: {2 players: [5, 1], 3 players: [5, 3, 1]}
rules:
  game:
    says: SENTENCE
    rule: |
      players scores prizes at 1
      players scores shares at 1
"""


def shown_sentence(sentence: str) -> tuple[str, str]:
    """A sentence as it is shown, and what is wrong with it."""
    diagnostics = Diagnostics()
    file = SourceFile("race.yaml", RACE.replace("SENTENCE", f'"{sentence}"'))
    program = compile_game(file, lambda *_: None, schema("game"), diagnostics)
    told = {} if program is None else program.clauses[program.main].says
    return told.get("en", ""), " ".join(map(str, diagnostics))


def test_a_sentence_tells_a_list_or_one_of_its_numbers() -> None:
    sentence = (
        "Of {prizes}, the first gets {prizes at 1}, the second {prizes at 2 | point | points}."
    )
    assert shown_sentence(sentence)[0] == "Of 6, 1, the first gets 6, the second 1 point."


def test_numbers_that_depend_on_how_many_play_are_all_told() -> None:
    assert shown_sentence("{shares at 1}; {shares at 2}; {shares}")[0] == "5; 1/3; 5, 1/5, 3, 1"


def test_a_place_that_a_list_has_not_got_is_refused() -> None:
    shown, wrong = shown_sentence("The third gets {prizes at 3}.")
    assert not shown
    assert "`{prizes at 3}` stands for nothing in a sentence" in wrong
