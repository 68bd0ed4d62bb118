"""Values for each of a set: the same on both machines, and told by the words of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.faces.play.watching import past_of
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import run_scenarios
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story
from tests.compiled.side_by_side import SideBySide, eager
from tests.language.games import GOOD

IN_TWO_LANGUAGES = """\
lawspeaker: 1
game: prices
languages: [en, de]
players: {from: 2, to: 2, called: [ann, ben]}
words:
  good: [salt, silk]
markers:
  price: {of each: good, shows: number}
  stock: {of each: player, in each: good, shows: number}
rules:
  game:
    says: {en: Prices rise., de: Die Preise steigen.}
    rule: |
      price of silk becomes 3
      stock of ben in salt becomes 2
names:
  ann: {en: Ann, de: Anna}
  ben: {en: Ben, de: Benno}
  good: {en: good, de: Ware}
  salt: {en: salt, de: Salz}
  silk: {en: silk, de: Seide}
  price: {en: price, de: "Preis der Ware {good}"}
  stock: {en: stock, de: Vorrat}
"""
SCENARIO = """\
scenario: What was set is there, under either of its texts
game: {game}
players: 2
situation:
  price of salt: 4
  stock ann silk: 3
then:
  price salt: 4
  stock of ann in silk: 3
  best 2: silk
"""
OF_PIECES = """\
scenario: An entry of a piece is told after its name
game: {game}
players: 2
situation:
  held ann: start with edge north city and joined on west true
then:
  held ann: start with edge on north city and joined west true
"""


def load(name: str) -> lawspeaker.Game:
    return lawspeaker.load(str(GOOD / f"{name}.yaml"))


@pytest.mark.parametrize("name", ["market_prices", "cost_in_gems", "sides_of_tiles"])
def test_both_machines_play_in_lockstep(name: str) -> None:
    game = load(name)
    both = SideBySide(game.program, game.players[0])
    assert both.play(1)
    assert both.play(2, eager)


def test_what_happens_is_told_with_the_words_of_the_rules() -> None:
    match = load("market_prices").start(players=2, seed=1)
    first = len(match.events)
    match.choose("buy spice")
    happened = match.events[first:]
    told = [match.tell(each) for each in happened]
    assert "stock of ann in spice is 1" in told
    assert "price of spice is 1" in told
    assert "plan of ann in spice at 2 is yes" in told
    hidden = next(each for each in happened if match.tell(each).startswith("plan"))
    assert match.tell(hidden, 1) == ""
    facts = match.facts(next(each for each in happened if match.tell(each).startswith("stock")))
    assert facts["player"] == "ann"
    assert facts["indices"] == {"good": "spice"}
    assert match.facts(hidden)["indices"] == {"good": "spice", "round": 2}


def test_an_entry_may_be_a_choice() -> None:
    program = lawspeaker.load(str(GOOD / "an_entry_is_set")).program
    dearer = program.choosing(0, (3,))
    ended = [lawspeaker.Game(each, "x").start(players=2, seed=1) for each in (program, dearer)]
    assert [match.scores[0] for match in ended] == [2 * (1 + 1), 2 * (1 + 3)]


def test_a_view_has_an_entry_for_each_that_is_seen() -> None:
    view = load("market_prices").start(players=2, seed=1).view(0).to_json()["markers"]
    assert view["price silk"] == "5"
    assert view["price spice"] == "0"
    assert view["stock ann silk"] == "2"
    assert view["stock ben salt"] == "1"
    assert "plan ann salt 2" in view
    assert "plan ben salt 2" not in view


def test_pieces_show_what_changes_about_them() -> None:
    match = load("sides_of_tiles").start(players=2, seed=1)
    (shown,) = match.view(0).to_json()["places"]["cell 0 0"]["states"]
    assert shown["edge north"] == "city"
    assert shown["joined west"] == "no"


def test_the_story_calls_an_entry_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(IN_TWO_LANGUAGES, encoding="utf-8")
    match = lawspeaker.load(str(tmp_path)).start(players=2, seed=1)
    assert story(match, "en") == ["price of silk: 3", "stock in salt: 2"]
    assert story(match, "de") == ["Preis der Ware Seide: 3", "Vorrat Salz: 2"]


def test_an_entry_is_told_in_a_form_and_in_a_sentence_of_its_own(tmp_path: Path) -> None:
    text = IN_TWO_LANGUAGES.replace("de: Seide", "de: Seide | der = der Seide")
    text = text.replace("de: Salz", "de: Salz | der = des Salzes")
    text = text.replace("der Ware {good}", "{good | der}")
    text += '  told.stock: {en: "has {stock} of {good}", de: "hat vom Wert {good | der} {stock}"}\n'
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    match = lawspeaker.load(str(tmp_path)).start(players=2, seed=1)
    told = Story(match.machine, None, "de", Labels(match.view(None)), past_of(match))
    texts = [line.text for line in told.lines(match.events)]
    assert texts[:2] == ["Preis der Seide: 3", "hat vom Wert des Salzes 2"]


def story(match: Match, language: str) -> list[str]:
    told = Story(match.machine, None, language, Labels(match.view(None)), past_of(match))
    return [line.text for line in told.lines(match.events) if line.kind == "marker"]


@pytest.mark.parametrize(
    "scenario, game", [(SCENARIO, "market_prices"), (OF_PIECES, "sides_of_tiles")]
)
def test_a_scenario_sets_and_expects_single_entries(
    tmp_path: Path, scenario: str, game: str
) -> None:
    file = tmp_path / "entries.yaml"
    written = scenario.format(game=GOOD / f"{game}.yaml")
    file.write_text(written, encoding="utf-8")
    assert run_scenarios([file]).passed
    file.write_text(written.replace("price salt: 4", "price salt: 5"), encoding="utf-8")
    assert run_scenarios([file]).passed is ("price" not in scenario)
