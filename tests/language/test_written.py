"""Texts that players write: what is read, what is refused and by which rule, on both machines, in
states, logs, views, scenarios and sessions."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from lawspeaker.faces.play.session import Session
from lawspeaker.faces.render.book.course import BookRules
from lawspeaker.faces.render.clause import clause_text
from lawspeaker.faces.render.show.document import document
from lawspeaker.faces.web.game_in_play import TYPED, GameInPlay, Refused
from lawspeaker.faces.web.scene import scene
from lawspeaker.faces.web.seats import Seat
from lawspeaker.faces.web.store import KeptTable
from lawspeaker.ir.types import WordType
from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import load
from lawspeaker.players.bots import bot, reply
from lawspeaker.position.layout import layout_for
from lawspeaker.position.state import State
from lawspeaker.position.written import Text, readable
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD

SEED = 7
HOSTILE = {
    "long": "x" * 10_000,
    "markup": "<script>alert(1)</script>",
    "escape": "\x1b[31mred",
    "bell": "re\x07d",
    "direction": "ab\u202edc",
    "isolate": "\u2066abc\u2069",
    "unseen": "re\u200bd",
    "half": "re\ud800d",
    "picture": "🎈",
    "mixed": "p\u0430ypal",
    "wide": "ｒed",
    "braces": "{clue}",
    "sum": "red + blue",
    "marks": "a" + "\u0301" * 9,
    "line": "red\nblue",
}


@cache
def game(name: str) -> Game:
    return load(str(GOOD / f"{name}.yaml"))


def new_match(machine: str = "reference", seed: int = SEED) -> Match:
    return Match(game("hinted_words").program, 4, seed, machine=machine)


@pytest.mark.parametrize("name, players", [("hinted_words", 4), ("a_word_from_each", 3)])
def test_both_machines_agree(name: str, players: int) -> None:
    both = SideBySide(game(name).program, players)
    for seed in range(3):
        assert both.play(seed) > 0
    check_records(game(name).program, players, 20)


@pytest.mark.parametrize("name, players", [("hinted_words", 4), ("a_word_from_each", 4)])
@pytest.mark.parametrize("seed", range(3))
def test_both_machines_take_what_is_written(name: str, players: int, seed: int) -> None:
    """Whatever is written, both go the same way, and the log comes out as it was."""
    program, rng = game(name).program, random.Random(seed)
    one, other = (Match(program, players, seed, machine=each) for each in ("reference", "wasm"))
    wrote = 0
    while one.decision:
        seat = rng.choice([each.seat for each in one.decisions])
        options = [each.text for each in one.asked(seat or 0).options]
        assert [each.text for each in other.asked(seat or 0).options] == options
        said = rng.choice(options)
        label, _, parts = said.partition(" ")
        if label in ("give", "guess"):
            word = rng.choice(["Moon", "MOON", "Träne", "tower", "sky", "honey"])
            own = f'{label} "{word}"' + "".join(parts.partition(",")[1:])
            if one.why_not(own, seat).offered:
                said, wrote = own, wrote + 1
            assert other.why_not(own, seat).message == one.why_not(own, seat).message
        one.choose(said, seat)
        other.choose(said, seat)
        assert other.state.markers == one.state.markers
        assert other.state.scores == one.state.scores
        assert [other.tell(each) for each in other.events] == [one.tell(e) for e in one.events]
        again = State.from_json(json.loads(json.dumps(one.state.to_json())))
        assert again == one.state
        assert again.canonical() == one.state.canonical()
    assert wrote
    assert game(name).replay(one.log()).state.digest() == one.state.digest()


def test_what_is_written_is_the_word_that_is_called_so() -> None:
    match = new_match()
    layout = match.machine.layout
    clue = WordType("clue", [each.name for each in match.program.word_sets].index("clue"))
    assert layout.written(clue, " WATER ") == layout.written(clue, "water") == 0
    assert layout.written(clue, "cafe\u0301") == Text("CAFÉ")
    assert str(layout.written(clue, "cafe\u0301")) == "café"
    assert Text("l'ombre") == Text("L’Ombre")
    assert Text("water") != "water"
    assert layout.written(clue, "two words") is layout.written(clue, "x") is None


@pytest.mark.parametrize("said", HOSTILE.values(), ids=HOSTILE)
def test_what_no_text_is_made_of_is_refused(said: str) -> None:
    """By a rule with a name, and without saying the text again; nothing has changed."""
    match = new_match()
    before = match.state.digest()
    for form in (f'give "{said}", 2', f"{said} 2", said):
        with pytest.raises(IllegalChoice) as refused:
            match.choose(form)
        if form is not said:
            assert refused.value.guard is not None
            assert refused.value.guard.name in ("signs", "clue")
            assert said not in str(refused.value)
    assert match.state.digest() == before


def test_refusals_name_the_guard() -> None:
    match = new_match()
    assert match.why_not("Trout, 1").guard.name == "not_on_the_table"  # type: ignore[union-attr]
    assert match.why_not("a, 1").message == "Clue: 1 word, 2 to 15 letters."
    assert match.why_not("a, 1").sentence("de") == "Clue: 1 Wort, 2 bis 15 Buchstaben."
    assert match.why_not('"deep water" 1').guard.name == "clue"  # type: ignore[union-attr]
    assert match.why_not('"moon" 1').offered
    assert not match.why_not('"moon" 4').offered
    match.choose("moon 1")
    while match.decision is not None and match.decision.clause.id == "guessing":
        match.choose(0)
    assert match.why_not("MOON 1").guard.name == "not_said_before"  # type: ignore[union-attr]


def test_a_hidden_word_refuses_a_hint() -> None:
    match = Match(game("a_word_from_each").program, 3, 1)
    assert {each.clause.id for each in match.decisions} == {"hinting"}
    layout = match.machine.layout
    (card,) = match.state.contents[layout.places_by_text()["riddle ann"]]
    word = layout.program.pieces[0].kinds[layout.piece_kind[card]].name
    with pytest.raises(IllegalChoice) as refused:
        match.choose(f'give "{word}"', 1)
    assert refused.value.guard is not None
    assert refused.value.guard.name == "not_the_word"


def test_undo_takes_a_text_back() -> None:
    match = new_match()
    before = match.state.digest()
    match.choose('give "Moon", 1')
    match.choose(0)
    match.rewind(1)
    assert match.state.markers[1] == Text("moon")
    match.rewind(0)
    assert match.state.digest() == before


def test_everyone_sees_what_was_written_and_no_page_takes_it_for_markup() -> None:
    match = new_match()
    match.choose('give "rock-&-roll", 1')
    for seat in (None, 1, 3):
        told = json.dumps(scene(match, seat, "en"), ensure_ascii=False)
        assert "rock-&amp;-roll" in told
    assert match.view(2).decision is not None
    assert match.view(2).decision.prompt.startswith("ann says: rock-&-roll.")  # type: ignore[union-attr]


def test_a_screen_gets_a_form() -> None:
    asks = scene(new_match(), 0, "en")["question"]
    assert all(each["typed"] for each in asks["options"])
    (form,) = asks["forms"]
    clue, number = form["fields"]
    assert clue["written"]
    assert clue["limits"] == "Clue: 1 word, 2 to 15 letters."
    assert [text for text, _ in number["values"]] == ["1", "2", "3"]


def test_texts_are_typed_in_the_terminal() -> None:
    match = new_match()
    session = Session(match, [None] * 4, "en")
    session.step()
    session.answer("")

    def said(line: str) -> str:
        return " ".join(str(each) for each in session.answer(line))

    assert "Type your answer: give CLUE, NUMBER" in said("")
    assert "none of the words on the table" in said("trout 1")
    assert "1 word, 2 to 15 letters" in said("two words, 1")
    assert "A text has at most 100 signs" in said("\x1b[2Jred 1")
    assert session.waits_for == "answer"
    said('"table" 2')
    assert match.replies[-1].text == 'give "table", 2'


def test_bots_choose_from_the_list() -> None:
    """Also in worlds that they imagine after a text was written."""
    match = new_match()
    match.choose('give "Moon", 2')
    thinker = bot("mc:8", 1)
    while match.decision is not None:
        seat = match.decision.seat
        assert seat is not None
        match.choose(reply(thinker, match, seat))
    assert match.finished


def test_what_can_be_read() -> None:
    assert readable("  deep \t water ") == "deep water"
    assert readable("שלום") == "שלום"
    assert readable("O’Neill & Sons") == "O’Neill & Sons"
    assert readable("x" * 101) is None


def test_a_table_takes_what_was_typed_and_comes_back_with_it() -> None:
    found = game("hinted_words")
    seats = (Seat(True),) * 4
    kept = KeptTable(found.program.digest, "hinted_words", SEED, "quick", "en", seats)
    play = GameInPlay(found, kept)
    with pytest.raises(Refused) as refused:
        play.reply(0, 0, play.standing().asks[0], "de", 'give "zwei Wörter", 1')
    assert str(refused.value) == "Clue: 1 Wort, 2 bis 15 Buchstaben."
    one, standing = play.reply(0, 0, play.standing().asks[0], "en", 'give "Moon", 1')
    assert (one.option, one.choice) == (TYPED, 'give "Moon", 1')
    again = GameInPlay(found, kept, [one])
    assert again.given == [one]
    assert again.standing() == standing


@pytest.mark.parametrize(
    "language, limits", [("en", "1 word, 2 to 15 letters"), ("it", "1 parola")]
)
def test_whoever_reads_the_rules_reads_what_a_text_may_be(language: str, limits: str) -> None:
    program = game("hinted_words").program
    turn = next(each for each in program.clauses if each.id == "turn")
    told = clause_text(program, turn, language)
    rules = BookRules(layout_for(program, 4), program, language)
    printed = [each.says for each in rules.rule(turn).under]
    (words,) = (each for each in document(program, "", language).words if each.written)
    for each in (told, " ".join(printed), str(words.written)):
        assert limits in " ".join(each.split())
        assert " ' - . ! ? &" in " ".join(each.split())
