"""A session as pure logic: lines go in, what to show comes out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.faces.play import Session
from lawspeaker.faces.play.shown import (
    Curtain,
    Listing,
    Pairs,
    Rule,
    SaveRequest,
    Shown,
    ShownNote,
    ShownQuestion,
    ShownResult,
    ShownTable,
    StoryLines,
    Sum,
)
from lawspeaker.match.match import Match
from lawspeaker.players.bots import Bot, bot
from tests.terminal.games import small_game, walhalla


def session(
    seats: str = "human,random,random,random", language: str = "en", seed: int = 7
) -> Session:
    names = seats.split(",")
    game = small_game() if len(names) == 2 else walhalla()
    match = game.start(len(names), seed)
    return Session(match, sitting(names), language)


def sitting(names: Iterable[str]) -> list[Bot | None]:
    return [None if name == "human" else bot(name, at) for at, name in enumerate(names)]


def until_asked(playing: Session) -> list[Shown]:
    """Lets the others play until a person is wanted."""
    shown = playing.start()
    while not playing.done and playing.waits_for == "others":
        shown = playing.step()
    return shown


def asked_session(
    seats: str = "human,random,random,random", language: str = "en", seed: int = 7
) -> Session:
    playing = session(seats, language, seed)
    until_asked(playing)
    assert playing.waits_for == "answer"
    return playing


def notes_text(shown: Iterable[Shown]) -> str:
    return "\n".join(each.text for each in shown if isinstance(each, ShownNote))


def only(shown: list[Shown], kind: type) -> list[Shown]:
    return [each for each in shown if isinstance(each, kind)]


# ---------------------------------------------------------------- asking and answering


def test_a_question_comes_with_the_table_and_the_news() -> None:
    shown = until_asked(session())
    assert [type(each) for each in shown] == [ShownTable, StoryLines, ShownQuestion]
    question = shown[-1]
    assert isinstance(question, ShownQuestion)
    assert question.seat == 0
    assert "vikings board" in question.prompt
    assert question.choices[0] == "board: nobody"
    told = shown[1]
    assert isinstance(told, StoryLines)
    assert told.lines[0].text == "starter: Yellow"


@pytest.mark.parametrize("text", ["2", "board: bow", "BOARD SEAT BOW", "bow", " 2 "])
def test_an_answer_by_number_or_words(text: str) -> None:
    playing = asked_session()
    assert playing.answer(text) == [SaveRequest()]
    assert playing.match.replies[-1].text == "board seat bow"
    assert playing.waits_for == "others"


@pytest.mark.parametrize("text", ["Bug", "an Bord: Bug", "board seat bow", "an bord bug"])
def test_an_answer_in_german(text: str) -> None:
    playing = asked_session(language="de")
    assert playing.answer(text) == [SaveRequest()]
    assert playing.match.replies[-1].text == "board seat bow"


@pytest.mark.parametrize(
    "text", ["0", "99", "999999999999", "board", "xyzzy", "", "   ", "-1", "\x00"]
)
def test_what_is_no_answer_changes_nothing(text: str) -> None:
    playing = asked_session()
    before = len(playing.match.replies)
    shown = playing.answer(text)
    assert shown
    assert len(playing.match.replies) == before
    assert playing.waits_for == "answer"


def test_several_meanings_are_listed_with_their_numbers() -> None:
    playing = asked_session()
    shown = playing.answer("board")
    assert notes_text(shown) == "This could be several choices:"
    (listing,) = only(shown, Listing)
    assert isinstance(listing, Listing)
    assert listing.choices[1] == (2, "board: bow")


def test_the_own_choice_is_not_told_back() -> None:
    playing = asked_session()
    playing.answer("bow")
    shown = until_asked(playing)
    for told in only(shown, StoryLines):
        assert isinstance(told, StoryLines)
        assert not [line for line in told.lines if line.seat == 0 and line.kind == "choose"]


def test_choices_say_what_is_written_on_places() -> None:
    playing = asked_session()
    for _ in range(40):
        question = playing.decision.clause.id
        if question == "going_ashore":
            assert all("(" in choice.shown for choice in playing.choices())
            return
        playing.answer("1" if question != "boarding.active" else str(len(playing.choices())))
        until_asked(playing)
    pytest.fail("nobody landed")


# ---------------------------------------------------------------- commands


def test_the_rule_behind_the_question() -> None:
    (rule,) = asked_session().answer("?")
    assert isinstance(rule, Rule)
    assert rule.id == "boarding.active"
    assert rule.sentence.startswith("The active player seats")
    stated, implied = rule.sources
    assert stated == "Walhalla (AMIGO 2006), “Drachen ziehen/an Bord gehen”: the book states it"
    assert "the book implies it – That he chooses the seats follows" in implied
    assert dict(rule.guards)["enough_vikings"] == "Only vikings from Midgard can board."


def test_why_something_is_not_offered() -> None:
    playing = asked_session("human,random")
    (rule,) = playing.answer("why lay cell 2 1")
    assert playing.answer("lay cell 2 1") == [rule], "the reason is told at once"
    assert isinstance(rule, Rule)
    assert rule.id == "laying.this_line"
    assert rule.lead == "Not allowed, since the rule is:"
    assert rule.sentence == "Stones are laid in the line of the round."
    (source,) = rule.sources
    assert source.startswith("The Little Book (Us 2020), “Lines”: the book leaves it open")
    assert source.endswith("this is our ruling – Only a picture shows it.")


def test_why_in_german_words() -> None:
    playing = asked_session(language="de", seed=11)
    (rule,) = playing.answer("warum an Bord: Heck")
    assert isinstance(rule, Rule)
    assert rule.id == "boarding.active.his_to_use"
    assert rule.lead == "Nicht erlaubt, denn die Regel ist:"
    assert rule.sources[0].endswith("sagt es")


def test_why_with_the_parts_inside_the_name_of_a_choice() -> None:
    playing = asked_session(language="de", seed=11)
    playing.answer("niemand")
    until_asked(playing)
    assert playing.decision.clause.id == "sending"
    (rule,) = playing.answer("warum in Fjord 2 anlegen, Heck voran")
    assert isinstance(rule, (Rule, ShownNote))
    if isinstance(rule, Rule):
        assert rule.id == "sending.makes_a_difference"


def answering_a_bid() -> Session:
    """Somebody before a person's first choice has bid three fours, of six dice."""
    match = lawspeaker.load("liars_dice").start(2, 1)
    match.choose("say 3, 4")
    assert match.decision is not None
    people = [None if seat == match.decision.seat else bot("random", seat) for seat in range(2)]
    playing = Session(match, people, "en")
    until_asked(playing)
    return playing


@pytest.mark.parametrize(
    "text,told",
    [
        ("20x3", ["Not 20: here it goes from 1 to 6."]),
        ("why bid 4 × 7", ["Not 7: here it goes from 1 to 6."]),
        ("9x7", ["Not 9: here it goes from 1 to 6.", "Not 7: here it goes from 1 to 6."]),
    ],
)
def test_a_number_out_of_bounds_is_told_the_bounds(text: str, told: list[str]) -> None:
    assert notes_text(answering_a_bid().answer(text)).splitlines() == told


@pytest.mark.parametrize("text", ["raise 20x3", "20x3x4", f"{'9' * 5000}x3"])
def test_what_is_said_like_no_choice_is_told_no_bounds(text: str) -> None:
    assert "cannot be read as a choice" in notes_text(answering_a_bid().answer(text))


def test_what_needs_no_more_than_a_word_is_listed_first() -> None:
    playing = answering_a_bid()
    assert [choice.shown for choice in playing.choices()][:2] == ["doubt", "bid 3 dice showing 5"]
    assert notes_text(playing.answer("why doubt")) == "That is offered: 1  doubt"
    playing.answer("1")
    assert playing.match.replies[-1].text == "doubt"


def test_why_with_a_sign_in_the_name_of_a_choice() -> None:
    playing = answering_a_bid()
    (rule,) = playing.answer("why bid 1 × 6")
    assert isinstance(rule, Rule)
    assert rule.id == "turn.higher"


def test_why_of_what_is_offered_or_is_nothing() -> None:
    playing = asked_session()
    assert notes_text(playing.answer("why board: bow")) == "That is offered: 2  board: bow"
    for line in ("why xyzzy", "xyzzy"):
        assert notes_text(playing.answer(line)).splitlines() == [
            "“xyzzy” cannot be read as a choice of this question.",
            "What can be chosen: board: …",
        ]
    assert "Did you mean “board: nobody”?" in notes_text(playing.answer("bord: nobdy"))
    assert notes_text(playing.answer("why")) == "Why what? Type: why WORDS"


def refused(playing: Session, *lines: str) -> set[str]:
    """The rules that answer to lines which ask why."""
    found = set()
    for line in lines:
        (rule,) = playing.answer(line)
        assert isinstance(rule, Rule), (line, rule)
        found.add(rule.id)
    return found


def test_why_reads_words_as_an_answer_does() -> None:
    """Parts in any order and without signs, a few words of a label, in every language."""
    playing = asked_session(language="it", seed=11)
    assert "poppa" not in " ".join(choice.shown for choice in playing.choices())
    lines = ("perché poppa", "perché imbarcare: poppa", "perché POPPA imbarcare")
    assert refused(playing, *lines) == {"boarding.active.his_to_use"}
    assert refused(playing, "perché poppa prua", "perché prua + poppa") == {
        "boarding.active.his_to_use"
    }


def attacked(language: str) -> Session:
    """Somebody is attacked who cannot win."""
    for seed in range(1, 60):
        playing = asked_session(language=language, seed=seed)
        for _ in range(60):
            if playing.done:
                break
            if playing.decision.clause.id == "attack.defence" and len(playing.choices()) == 1:
                return playing
            playing.answer("1")
            until_asked(playing)
    pytest.fail("nobody is attacked")


@pytest.mark.parametrize(
    "language, line",
    [("de", "warum gewinnen"), ("it", "perché vincere"), ("fr", "pourquoi gagner")],
)
def test_why_reads_a_few_words_of_what_is_not_offered(language: str, line: str) -> None:
    assert refused(attacked(language), line) == {"attack.defence.has_heroes"}


def test_why_of_a_number_says_that_it_is_offered() -> None:
    playing = asked_session()
    assert notes_text(playing.answer("why 2")) == "That is offered: 2  board: bow"
    assert "cannot be read as a choice" in notes_text(playing.answer("why 99"))


def test_why_of_words_that_fit_several_lists_them() -> None:
    playing = asked_session()
    (listed,) = playing.answer("why bo")
    assert isinstance(listed, Pairs)
    assert listed.title == "Which of these do you mean?"
    assert ("", "board: bow") in listed.rows


def test_why_of_a_real_thing_that_lies_elsewhere() -> None:
    match = lawspeaker.load("little_whist").start(4, 3)
    assert match.decision is not None
    seat = match.decision.seat
    held = {option.text.removeprefix("play ") for option in match.decision.options}
    ask = match.decision.setting.ask
    assert ask is not None
    part = ask.alternatives[0].parts[0]
    layout = match.machine.layout
    other = next(
        layout.text(part.binder.type, card)
        for card in layout.domain(part.binder.type)
        if layout.text(part.binder.type, card) not in held
    )
    playing = Session(match, [None if at == seat else bot("random", at) for at in range(4)], "en")
    until_asked(playing)
    assert notes_text(playing.answer(f"why {other}")).endswith("It does not lie there.")


def test_a_game_without_points_says_so() -> None:
    playing = Session(lawspeaker.load("liars_dice").start(2, 1), [None, None], "fr")
    until_asked(playing)
    playing.answer("")  # the curtain
    assert notes_text(playing.answer("points")) == "Il n’y a pas de points dans ce jeu."


def test_points_clause_by_clause() -> None:
    playing = asked_session("human,random", seed=1)
    assert notes_text(playing.answer("points")) == "ann has no points yet."
    playing.answer("lay cell 1 3")
    until_asked(playing)
    (total,) = playing.answer("points")
    assert isinstance(total, Sum)
    assert (total.holder.seats, total.total) == ((0,), 3)
    assert total.rows[0][:3] == (3, "laying", "3")
    assert total.rows[0][3].startswith("A player lays a stone")
    assert notes_text(playing.answer("points zoe")) == "Nobody is called “zoe”; there are ann, bob."
    (other,) = playing.answer("points bob")
    assert not isinstance(other, Sum) or other.holder.seats == (1,)


def test_rules_by_word() -> None:
    playing = asked_session()
    (found,) = playing.answer("rules cult site")
    assert isinstance(found, Pairs)
    assert [row[0] for row in found.rows][:2] == ["besieging", "drawing_a_card"]
    (full,) = playing.answer("rules exodus")
    assert isinstance(full, Rule)
    many = playing.answer("rules the")
    assert isinstance(many[0], Pairs)
    assert "more" in notes_text(many)
    assert notes_text(playing.answer("rules xyzzy")) == "No clause speaks of “xyzzy”."
    assert notes_text(playing.answer("rules")) == "Rules about what? Type: rules WORD"


def test_rules_by_a_german_word() -> None:
    found = asked_session(language="de").answer("regeln Kult")
    assert isinstance(found[0], (Pairs, Rule))


def test_the_command_table_shows_table_and_question() -> None:
    assert [type(each) for each in asked_session().answer("table")] == [ShownTable, ShownQuestion]


def test_what_happened_since_the_last_move() -> None:
    playing = asked_session("human,random", seed=1)
    assert notes_text(asked_session("random,human", seed=1).answer("log")) == ""
    playing.answer("lay cell 1 3")
    until_asked(playing)
    (told,) = playing.answer("events")
    assert isinstance(told, StoryLines)
    assert told.lines[0].text == "lay cell 1 3"
    (whole,) = playing.answer("events all")
    assert isinstance(whole, StoryLines)
    assert len(whole.lines) > len(told.lines)


def test_undo_is_fair_and_says_why_not() -> None:
    playing = session("human,human", seed=1)
    open_curtain(playing)
    assert notes_text(playing.answer("undo")) == "You have not chosen anything yet."


def test_whoever_has_not_chosen_yet_has_nothing_to_take_back_whatever_others_did() -> None:
    playing = answering_a_bid()
    assert notes_text(playing.answer("undo")) == "You have not chosen anything yet."


def open_curtain(playing: Session) -> None:
    until_asked(playing)
    assert playing.waits_for == "curtain"
    playing.answer("")


def test_undo_of_a_lone_player() -> None:
    playing = asked_session("human,random,random", seed=3)
    before = playing.match.state.digest()
    replies = len(playing.match.replies)
    playing.answer("1")
    until_asked(playing)
    shown = playing.answer("undo")
    if notes_text(shown).startswith("Taken back"):
        until_asked(playing)
    else:
        assert "cannot be taken back" in notes_text(shown)
        assert "undo anyway" in notes_text(shown)
        assert "Taken back." in notes_text(playing.answer("undo anyway"))
        until_asked(playing)
    assert len(playing.match.replies) == replies
    assert playing.match.state.digest() == before
    assert playing.waits_for == "answer"


def test_undo_within_the_own_turn() -> None:
    """A choice that nobody has answered and luck has not followed can be taken back."""
    for seed in range(1, 60):
        playing = asked_session(seed=seed)
        before = playing.match.state.digest()
        playing.answer("2")
        until_asked(playing)
        if playing.match.replies[-1].setting.seat == 0 and playing.waits_for == "answer":
            shown = playing.answer("undo")
            if "Taken back." in notes_text(shown):
                assert playing.match.state.digest() == before
                assert SaveRequest() in shown
                return
    pytest.fail("nothing could ever be taken back")


def test_saving_and_leaving() -> None:
    playing = asked_session()
    assert playing.answer("save game.json") == [SaveRequest("game.json")]
    assert notes_text(playing.answer("save")) == "Into which file? Type: save FILE"
    assert playing.answer("quit") == [SaveRequest()]
    assert playing.done


def test_help_names_every_command() -> None:
    (helping,) = asked_session(language="de").answer("hilfe")
    assert isinstance(helping, Pairs)
    words = " ".join(left for left, _ in helping.rows)
    for word in ("regel", "warum", "punkte", "regeln", "tisch", "verlauf", "zurück", "ende"):
        assert word in words


def test_an_option_comes_before_a_command_of_the_same_name() -> None:
    playing = asked_session("human,random", seed=1)
    assert "pass" in playing.completions()
    assert "undo" in playing.completions()
    playing.answer("pass")
    assert playing.match.replies[-1].text == "pass"


# ---------------------------------------------------------------- several people


def test_a_curtain_falls_between_people() -> None:
    playing = session("human,human", seed=1)
    (curtain,) = until_asked(playing)
    assert isinstance(curtain, Curtain)
    assert curtain.seat == 0
    assert "ann" in curtain.text
    assert playing.completions() == []
    shown = playing.answer("anything")
    assert isinstance(shown[-1], ShownQuestion)
    playing.answer("lay cell 1 1")
    (curtain,) = until_asked(playing)
    assert isinstance(curtain, Curtain)
    assert curtain.seat == 1
    shown = playing.answer("")
    assert isinstance(shown[0], ShownTable)
    assert shown[0].view.seat == 1


def test_secret_answers_are_given_behind_the_curtain() -> None:
    playing = session("human,human", seed=1)
    open_curtain(playing)
    playing.answer("pass")
    open_curtain(playing)
    playing.answer("pass")
    seats = []
    for _ in range(2):
        shown = until_asked(playing)
        if playing.waits_for == "curtain":
            shown = playing.answer("")
        question = shown[-1]
        assert isinstance(question, ShownQuestion)
        assert question.prompt == "Which card do you show?"
        seats.append(question.seat)
        table = shown[0]
        assert isinstance(table, ShownTable)
        assert table.view.seat == question.seat
        playing.answer("1")
    assert sorted(seats) == [0, 1]


def test_one_person_needs_no_curtain() -> None:
    playing = asked_session("human,random", seed=1)
    for _ in range(20):
        if playing.done:
            break
        playing.answer("1")
        shown = until_asked(playing)
        assert not only(shown, Curtain)
    assert playing.done


# ---------------------------------------------------------------- the end


def test_the_end_says_who_won_and_what_for() -> None:
    playing = asked_session("human,random", seed=1)
    shown: list[Shown] = []
    while not playing.done:
        playing.answer("1")
        shown = until_asked(playing)
    assert [type(each) for each in shown] == [StoryLines, ShownTable, ShownResult, SaveRequest]
    result = shown[2]
    assert isinstance(result, ShownResult)
    assert [points for _, points, _ in result.scores] == sorted(playing.match.scores, reverse=True)
    assert result.winners == playing.match.winners
    assert "laying" in result.scores[0][2]


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_bots_alone_are_told_from_beginning_to_end(language: str) -> None:
    playing = session("random,random,random", language)
    shown: list[Shown] = playing.start()
    while not playing.done:
        shown += playing.step()
    assert isinstance(shown[0], ShownTable)
    assert isinstance(shown[-2], ShownResult)
    lines = [
        line
        for told in only(shown, StoryLines)
        if isinstance(told, StoryLines)
        for line in told.lines
    ]
    markers = [line.text for line in lines if line.kind == "marker"]
    assert any(text.endswith("3") for text in markers)
    assert len([each for each in shown if isinstance(each, ShownNote)]) == 2, (
        "scores after two rounds"
    )
    assert not [line for line in lines if "{" in line.text or "_" in line.text]


def test_the_seats_must_be_as_many_as_the_players() -> None:
    match: Match = small_game().start(2, 1)
    with pytest.raises(ValueError, match="3 seats are named for 2 players"):
        Session(match, [None, None, None], "en")


BIDS = """
lawspeaker: 1
game: bids
players: {from: 2, to: 2}
numbers:
  bid: 2..5
rules:
  game:
    says: A player bids, and then nothing is left to be done.
    rule: |
      for each player:
        do bidding(player)

  bidding:
    says: A player bids.
    asks: How much do you bid?
    given: {player: player}
    rule: |
      player must choose bid
        otherwise: finish
      player scores bid
"""


def test_a_number_that_is_an_answer_itself_is_asked_back(tmp_path: Path) -> None:
    file = tmp_path / "bids.yaml"
    file.write_text(BIDS, encoding="utf-8")
    playing = Session(lawspeaker.load(file).start(2, 1), sitting(["human", "human"]), "en")
    until_asked(playing)
    if playing.waits_for == "curtain":
        playing.answer("")
    offered = [each.shown for each in playing.choices()]
    assert [each.split()[-1] for each in offered] == ["2", "3", "4", "5"]
    (note,) = playing.answer("3")  # the third choice, or a bid of 3?
    assert isinstance(note, ShownNote)
    assert "#3" in note.text
    assert offered[1] in note.text
    (note,) = playing.answer("#9")
    assert isinstance(note, ShownNote)
    assert not playing.match.replies
    playing.answer("#3")
    assert playing.match.scores[0] == 4
