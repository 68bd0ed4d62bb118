"""What happened, told shortly, and to each only what that seat may know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.play.watching import past_of
from lawspeaker.ir.types import PieceType
from lawspeaker.match.events import Viewer, seen_by
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from lawspeaker.position.rng import RngFactory
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, StoryLine, brief, option_name
from tests.language.games import GOOD
from tests.terminal.games import cups, small_game, walhalla


def story_lines(match: Match, viewer: Viewer, language: str = "en", first: int = 0) -> list[str]:
    view = match.view(viewer if isinstance(viewer, int) else None)
    story = Story(match.machine, viewer, language, Labels(view), past_of(match))
    return [line_text(match, line) for line in story.lines(match.events[first:])]


def compiled(text: str) -> ir.Program:
    diagnostics = Diagnostics()
    file = SourceFile("game.yaml", text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    assert program is not None, list(map(str, diagnostics))
    return program


def line_text(match: Match, line: StoryLine) -> str:
    if line.seat is None:
        return line.text
    return f"{match.program.player_names[line.seat]}{'' if line.verb else ':'} {line.text}"


def landed(replies: Sequence[str], **places: str) -> Match:
    """A dragon with vikings of red and black aboard, sent into a fjord beside two peninsulas."""
    setup = {
        "places": {
            "peninsula 1": ["cult_forest_2"],
            "peninsula 2": ["village_1_wheat"],
            "inner 1": ["inner_3"],
            "outer 1": ["outer_6"],
            "sea": ["black_stern"],
            "seat bow": ["viking red"],
            "seat stern": ["viking black"],
            "walhalla yellow": ["2 viking yellow"],
            "midgard red": ["3 viking red"],
            **{place: [piece] for place, piece in places.items()},
        },
        "markers": {"active": "red"},
    }
    arguments = {"dragon": "black_stern"}
    match = Match.at(walhalla().program, 4, "sending", arguments, setup)
    for reply in replies:
        match.choose(reply)
    return match


def test_a_choice_is_told_and_what_follows_from_it_is_not() -> None:
    match = landed(["dock fjord 2, bow_first", "go_ashore field 2 1"])
    assert story_lines(match, 0) == [
        "red docks in fjord 2, bow first (dragon with a black stern)",
        "red lands on peninsula 2 row 1 (village +1)",
        "black fetches 1 viking to Midgard",
        "The game is over.",
    ]


def test_what_was_told_is_not_told_again() -> None:
    match = walhalla().start(4, seed=7)
    while match.decision and match.decision.clause.id != "boarding.active":
        match.choose(0)
    match.choose("board none")
    while match.decision and match.decision.clause.id != "sending":
        match.choose("pass")
    match.choose(0)
    lines = story_lines(match, None)
    (first,) = [line for line in lines if line.startswith("The dragon drawn: ")][:1]
    dragon = first.partition(": ")[2]
    assert not [line for line in lines if line.startswith(f"{dragon}, sea")]


def test_the_same_in_german() -> None:
    match = landed(["dock fjord 2, stern_first", "go_ashore field 1 1"])
    assert story_lines(match, 0, "de")[:2] == [
        "red legt in Fjord 2 an, Heck voran (Drache mit schwarzem Heck)",
        "black geht auf Landzunge 1 Reihe 1 (Kult) von Bord",
    ]


BIDS = """\
lawspeaker: 1
game: bids
players: {from: 2, to: 2, called: [ann, ben]}
markers:
  promise: {of each: player, shows: number, told: false}
  tricks:  {of each: player, shows: number}
rules:
  game:
    says: Everybody promises, ann claps, and everybody has a trick.
    asks: Do you clap?
    rule: |
      for each player:
        do bidding(player)
      ann may clap
      tricks of ann increases by 1
      tricks of ben increases by 1
  bidding:
    says: A promise.
    asks: How many?
    given: {player: player}
    rule: |
      player must bid: number in 1..3
      promise of player becomes number
"""


def test_a_number_that_was_chosen_long_ago_is_news_elsewhere() -> None:
    match = Match(compiled(BIDS), 2, 0)
    for reply in ("bid 1", "bid 3", "clap"):
        match.choose(reply)
    assert story_lines(match, 0)[:5] == [
        "ann: bid 1",
        "ben: bid 3",
        "ann: clap",
        "ann: tricks: 1",
        "ben: tricks: 1",
    ]


def test_a_card_is_named_only_to_those_who_see_it() -> None:
    match = landed(["dock fjord 2, bow_first", "go_ashore field 1 1"])
    drawn = [line for line in story_lines(match, 0) if "draws" in line]
    assert len(drawn) == 1
    assert re.fullmatch(r"red draws 1 action card \(.+\)", drawn[0]), "which one, to its owner"
    for other in (1, None):
        assert "red draws 1 action card" in story_lines(match, other)


def test_a_fight_is_told_with_its_outcome() -> None:
    places = {"field 2 1": "viking yellow"}
    match = landed(["dock fjord 2, bow_first", "go_ashore field 2 1", "win"], **places)
    assert story_lines(match, 2)[1:4] == [
        "red lands on peninsula 2 row 1 (village +1)",
        "yellow wins the fight",
        "yellow puts 1 viking back into Asgard",
    ]
    assert story_lines(match, 2)[4] == "red sends 1 viking to Walhalla"


def test_what_belongs_together_is_gathered() -> None:
    match = walhalla().start(4, seed=7)
    lines = story_lines(match, None)
    assert "red fetches 7 vikings to Midgard" in lines
    assert "red sends 1 viking to Walhalla" in lines
    assert not [line for line in lines if line.startswith("luck")], "the next event tells it"


def test_points_of_several_in_one_line() -> None:
    setup = {
        "places": {
            "peninsula 1": ["cult_wheat"],
            "field 1 2": ["viking red"],
            "peninsula 2": ["village_1_wheat"],
            "field 2 2": ["viking blue"],
        },
        "markers": {"raid": 2},
    }
    match = Match.at(walhalla().program, 4, "wheat", (), setup)
    assert story_lines(match, None)[:2] == [
        "red scores 2 points for wheat (peninsula 1 row 2 (wheat))",
        "blue scores 2 points for wheat (peninsula 2 row 2 (wheat))",
    ]


SHARED = """\
lawspeaker: 1
game: shared
players: {from: 3, to: 3, called: [ann, ben, cy]}
languages: [en, fr]
rules:
  game:
    says: {en: Everyone is paid., fr: Tous sont payés.}
    rule: |
      for each player:
        player scores if player is cy then 1 else 2
names:
  game: {en: wages, fr: salaire}
  ann: {en: Ann, fr: Anne}
  ben: {en: Ben, fr: Ben}
  cy: {en: Cy, fr: Cy}
"""


def test_who_gets_as_many_points_is_told_together() -> None:
    match = Match(compiled(SHARED), 3, 1)
    assert story_lines(match, None)[:2] == [
        "Ann and Ben score 2 points each (wages)",
        "cy scores 1 point (wages)",
    ]
    assert story_lines(match, None, "fr")[0] == "Anne et Ben marquent 2 points chacun (salaire)"


def test_points_are_told_with_what_they_are_for() -> None:
    """Where everyone may know it; a line that scores is told by its direction."""
    match = lawspeaker.load("voluspa").start(players=3, seed=3)
    lines: list[str] = []
    while len(match.replies) < 24 and match.decision is not None:
        match.choose(match.decision.options[-1])
        story = Story(match.machine, 0, "en", None, past_of(match))
        lines += [line.text for line in story.lines(match.events_of(len(match.replies) - 1))]
    assert any(line.endswith(("points (row)", "points (column)")) for line in lines), lines


def test_points_for_a_secret_reason_are_told_without_it() -> None:
    """Which of two hidden cards scored is nobody's business, how many points it brought is."""
    program = compiled(HIDDEN_REASON)
    match = Match(program, 2, 1)
    scored = [each for each in match.events if each.kind == "score"]
    assert len(scored) == 2
    for event in scored:
        assert len(event.data) > 3
        seen = seen_by(match.machine, event, 1)
        assert seen is not None
        assert len(seen.data) == 3


HIDDEN_REASON = """
lawspeaker: 1
game: guess
title: Guess
players: {from: 2, to: 2, called: [ann, ben]}
language: en
pieces:
  card:
    starts in: deck
    in the box: 4
    kinds:
      high: {count: 2}
      low: {count: 2}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
rules:
  game:
    says: Ann scores for a high card.
    rule: |
      shuffle deck
      draw 2 cards from deck to hand of ann
      for each card in hand of ann:
        do scoring(card)
      nobody wins

  scoring:
    says: A card scores.
    given: {card: card}
    rule: |
      if kind of card is high:
        ann scores 1
      if kind of card is low:
        ann scores 1
"""


@pytest.mark.parametrize("taken, last", [(0, 40), (-1, 80)], ids=["laid", "taken back"])
def test_what_was_laid_from_a_hand_is_told_though_another_like_it_was_before(
    taken: int, last: int
) -> None:
    """Pieces are told by their looks: that one of them was named does not name the next, not even
    if it was seen to come to the hand."""
    match = lawspeaker.load("voluspa").start(players=3, seed=3)
    laid = {"move": 0, "told": 0}
    while len(match.replies) < last and match.decision is not None:
        match.choose(match.decision.options[taken])
    story = Story(match.machine, None, "en", None, past_of(match))
    for reply in range(len(match.replies)):
        lines = [line.text for line in story.lines(match.events_of(reply))]
        for event in match.events_of(reply):
            if match.program.clauses[event.clause].id == "laying" and event.kind == "move":
                name = match.machine.layout.name(PieceType("", 0), event.data[0], "en")
                laid["move"] += 1
                laid["told"] += any(line.endswith(f"({name})") for line in lines)
    assert laid["move"] > 8
    assert laid["told"] == laid["move"]


def test_an_answer_is_told_with_what_it_was_about() -> None:
    """The one who is attacked says that he wins; against whom, and where, the question knew."""
    match = lawspeaker.load("walhalla").start(players=4, seed=3)
    picks = RngFactory(3).stream("replies")
    told_of: list[str] = []
    while match.decision is not None and len(told_of) < 2:
        options = match.decision.options
        match.choose(options[picks.below(len(options))])
        number = len(match.replies) - 1
        if match.replies[-1].clause.id != "attack.defence":
            continue
        layout = match.machine.layout.named(("Frida", "Bo", "", ""))
        labels, about = Labels(match.view(None)), Circumstances(match, None)
        story = Story(
            match.machine, None, "en", labels, past_of(match), layout=layout, circumstances=about
        )
        line = story.lines(match.events_of(number))[0]
        if line.kind == "choose":
            told_of.append(line.text)
            assert re.search(r"\(viking (Frida|Bo|Yellow|Blue), peninsula \d row", line.text), line
    assert told_of


def test_players_are_called_what_they_call_themselves() -> None:
    match = walhalla().start(4, seed=7)
    layout = match.machine.layout.named(("Frida", "", "Ole", ""))
    story = Story(match.machine, None, "en", None, past_of(match), layout=layout)
    lines = [line.text for line in story.lines(match.events)]
    assert any("Frida" in line for line in lines) or any("Ole" in line for line in lines)
    assert not any("Red" in line for line in lines)


def test_secret_choices_are_told_when_they_are_shown() -> None:
    match = small_game().start(2, seed=1)
    for _ in range(2):
        match.choose("pass")
    cards = match.decisions[1].options[-1]
    match.choose("show none", seat=0)
    first = len(match.events)
    assert story_lines(match, 0, first=first) == []
    match.choose(cards, seat=1)
    lines = story_lines(match, 0, first=first)
    assert any(line.startswith("bob: ") and line.endswith("hand → shown") for line in lines)


def test_the_end_is_told_with_the_winner() -> None:
    match = small_game().start(2, seed=1)
    while match.decision:
        match.choose(0, seat=match.decision.seat)
    assert re.fullmatch(r"The game is over\. \w+ wins\.", story_lines(match, None)[-1])


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_options_with_what_is_written_on_places(language: str) -> None:
    match = landed(["dock fjord 2, bow_first"])
    assert match.decision is not None
    labels = Labels(match.view(0))
    names = [option_name(option, labels, language) for option in match.decision.options]
    assert len(names) == 2
    assert all(name.count("(") == 1 for name in names)
    assert all("{" not in name for name in names)


def test_options_leave_out_whose_a_place_is() -> None:
    match = load("hex").start(seed=1)
    assert match.decision is not None
    labels = Labels(match.view(0))
    ((goal,),) = labels.labels_of.values()
    corner = match.decision.options[0]
    assert labels.value(goal, corner.values[0]) is not None
    assert option_name(corner, labels, "en") == "lay on cell 1 1"


def test_what_shows_when_hidden_pieces_are_turned_up() -> None:
    match = cups().start(2, seed=6)
    first = len(match.events)
    match.choose("name 6")
    assert story_lines(match, 0, first=first) == [
        "ann: name 6",
        "ann: 2 × die (face 1), cup → lifted",
        "bob: die (face 5), die (face 1), cup → lifted",
        "ann: 2 × die, lifted → cup",
        "bob: 2 × die, lifted → cup",
        "ann: 2 × die, face: 2 and 6",
    ]
    assert story_lines(match, None, first=first)[1:3] == [
        "ann: 2 × die (face 1), cup → lifted",
        "bob: die (face 5), die (face 1), cup → lifted",
    ]


def test_dice_are_told_apart_by_their_faces() -> None:
    match = cups().start(2, seed=6)
    match.choose("name 6")
    assert match.decision is not None
    assert [option.name("en") for option in match.decision.options] == [
        "keep die ann (face 2)",
        "keep die ann (face 6)",
    ]


def test_nothing_is_told_of_faces_if_the_game_is_not_known_from_its_start() -> None:
    match = cups().start(2, seed=6)
    later = Match.from_state(match.program, match.state)
    later.choose("name 6")
    assert story_lines(later, 0)[1:3] == [
        "ann: 2 × die, cup → lifted",
        "bob: 2 × die, cup → lifted",
    ]


def test_nobody_is_told_what_luck_brings_under_a_cup() -> None:
    match = cups().start(2, seed=6)
    assert not [event for event in match.view(None).events if event.kind == "chance"]
    assert [event.data[-1] for event in match.events if event.kind == "chance"] == [1, 1, 5, 1]


SOWING = """\
lawspeaker: 1
game: sowing
players: {from: 2, to: 2, called: [ann, ben]}
numbers: {side: 1..2}
pieces:
  seed: {count: 6, starts in: bag}
places:
  bag: {holds: seed, seen by: everyone}
  pit: {of each: player, at: 1..3, holds: seed, seen by: everyone}
markers:
  active: {shows: player}
  price: {shows: number}
  round: {shows: 1..9}
  sown: {shows: number, told: false}
  die: {shows: 1..2}
rules:
  game:
    says: Seeds go from pit to pit, and markers are set.
    rule: |
      active becomes ann
      move 2 seeds in bag to pit(ann, 1)
      for each seed in pit(ann, 1):
        sown increases by 1
        move seed to pit(ann, 1 + sown)
      move a seed in pit(ann, 2) to pit(ben, 3)
      price becomes 0
      price becomes 4
      price becomes 4
      round becomes 1
      active becomes ann
      active becomes ben
      do rolling
      do rolling
  rolling:
    says: A die is rolled, and may show the same again.
    rule: |
      pick a random side
      die becomes side
"""


def test_places_keep_their_number_and_what_stays_as_it_is_is_not_told() -> None:
    match = Match(compiled(SOWING), 2, 1, luck={"rolling": ["2", "2"]})
    assert story_lines(match, None) == [
        "active: ann",
        "ann: 2 × seed, bag → pit 1",
        "ann: seed, pit 1 → pit 2",
        "ann: seed, pit 1 → pit 3",
        "ben: seed, pit ann 2 → pit 3",
        "price: 4",
        "active: ben",
        "die: 2",
        "die: 2",
        "The game is over. ann and ben win.",
    ]


ROLLING = """\
lawspeaker: 1
game: rolling
players: {from: 2, to: 2, called: [ann, ben]}
numbers:
  face: 1..6
pieces:
  die: {plural: dice, count: 2, starts in: cup, changes: {face: face}}
places:
  cup: {holds: die, seen by: everyone, told: false}
  tray: {holds: die, seen by: everyone}
rules:
  game:
    says: Ann names a face, and a die is rolled.
    asks: Which face?
    rule: |
      ann must name: face
      let first be the die in cup
      move first to tray
      pick a random face as rolled
      move first to cup
      face of first becomes rolled
"""


def test_luck_is_told_though_it_brings_what_was_chosen_and_a_quiet_place_is_not() -> None:
    match = Match(compiled(ROLLING), 2, 1, luck={"game": ["4"]})
    match.choose("name 4")
    assert story_lines(match, None) == [
        "ann: name 4",
        "die, cup → tray",
        "die, face: 4",
        "The game is over. ann and ben win.",
    ]


HARVEST = """\
lawspeaker: 1
game: harvest
players: {from: 2, to: 2, called: [ann, ben]}
languages: [en, de]
rules:
  game:
    says: {en: There is a harvest., de: Es wird geerntet.}
    rule: |
      do harvest.wages
      do harvest.tax
  harvest.wages:
    title: {en: What helpers are paid, de: Lohn der Helfer}
    says: {en: Helpers are paid., de: Helfer werden bezahlt.}
    rule: |
      ann scores 5
  harvest.tax:
    title: {en: What the town is paid, de: Was die Stadt bekommt}
    says: {en: The town is paid., de: Die Stadt wird bezahlt.}
    rule: |
      ann loses 2
names:
  harvest.tax: {en: tax, de: Steuer}
  ann: {en: Ann, de: Anna}
  ben: {en: Ben, de: Benno}
"""


def test_a_rule_without_a_name_is_told_by_its_title() -> None:
    match = Match(compiled(HARVEST), 2, 1)
    assert story_lines(match, None)[:2] == [
        "ann scores 5 points (What helpers are paid)",
        "ann loses 2 points (tax)",
    ]
    german = story_lines(match, None, "de")
    assert ["Lohn der Helfer" in german[0], "Steuer" in german[1]] == [True, True]


DOUBTING = """\
lawspeaker: 1
game: doubting
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  card: {starts in: hand, of each: player, kinds: {king: 1}}
places:
  hand: {of each: player, holds: card, seen by: owner}
rules:
  game:
    says: Ben doubts, and Ann shows her card; then Ben shows one of his own.
    rule: |
      do doubting
      do showing
  doubting:
    says: Ben may doubt.
    asks: Do you doubt?
    rule: |
      ben must choose one of
        doubt
          then: show the card in hand of ann to everyone
        believe
  showing:
    says: Ben shows a card.
    asks: Which card?
    rule: |
      ben may present: card in hand of ben
        then: show card to everyone
"""


def test_only_who_has_chosen_a_piece_is_said_to_show_it() -> None:
    match = Match(compiled(DOUBTING), 2, 1)
    match.choose("doubt")
    match.choose("present card ben")
    lines = story_lines(match, None)
    assert [line for line in lines if "shows" in line] == ["ben shows card ben"]
    assert any(line.startswith("Everyone is shown: ") for line in lines)


SENTENCES = """\
lawspeaker: 1
game: sentences
players: {from: 2, to: 2, called: [ann, ben]}
languages: [en, de]
rules:
  game:
    says: {en: Everyone does something or other., de: Alle tun irgendetwas.}
    rule: |
      do bidding
      do waiting
      do resting
  bidding:
    says: {en: Ann bids., de: Anna bietet.}
    asks: {en: What do you bid?, de: Was bietest du?}
    rule: |
      ann must choose one of
        bid: number in 1..3
        fold
  waiting:
    says: {en: Ben may bid., de: Ben darf bieten.}
    asks: {en: And you?, de: Und du?}
    rule: |
      ben may bid: number in 1..3
  resting:
    says: {en: Ann may fold., de: Anna darf aussteigen.}
    asks: {en: And now?, de: Und nun?}
    rule: |
      ann may fold
        then: skip
names:
  ann: {en: Ann, de: Anna}
  ben: {en: Ben, de: Ben}
  bid: {en: "bid {number}", de: "{number} bieten"}
  waiting.bid: {en: "bid too: {number}", de: "auch bieten: {number}"}
  fold: {en: fold, de: aussteigen}
  resting.pass: {en: stay, de: bleiben}
  told.bid: {en: "bids {number}", de: "bietet {number}"}
  told.resting.pass: {en: stays, de: bleibt}
"""


@pytest.mark.parametrize(
    "replies, english, german",
    [
        (
            ["bid 2", "pass", "pass"],
            ["ann bids 2", "ben passes", "ann stays"],
            ["ann bietet 2", "ben passt", "ann bleibt"],
        ),
        # What is called otherwise in a clause is not told as it is elsewhere.
        (
            ["fold", "bid 1", "fold"],
            ["ann: fold", "ben: bid too: 1", "ann: fold"],
            ["ann: aussteigen", "ben: auch bieten: 1", "ann: aussteigen"],
        ),
    ],
    ids=["in sentences", "as it is offered"],
)
def test_a_choice_is_told_in_a_sentence_if_the_rules_have_one(
    replies: list[str], english: list[str], german: list[str]
) -> None:
    match = Match(compiled(SENTENCES), 2, 1)
    for each in replies:
        match.choose(each)
    assert story_lines(match, None)[:3] == english
    assert story_lines(match, None, "de")[:3] == german


TOLD_BY_RULES = """\
lawspeaker: 1
game: told_by_rules
players: {from: 2, to: 2, called: [ann, ben]}
numbers:
  face: 1..6
  lane: 1..3
pieces:
  die:
    plural: dice
    of each: player
    count: 2
    starts in: cup
    changes:
      face: {is: face, seen by: holder}
  disc: {of each: player, count: 3, starts in: supply}
places:
  cup:    {of each: player, holds: die, seen by: owner, told: false}
  lifted: {of each: player, holds: die, seen by: everyone}
  supply: {of each: player, holds: disc, seen by: everyone}
  spot:   {at: [lane], holds: disc, seen by: everyone}
markers:
  stake: {shows: number, told: false}
rules:
  game:
    says: Dice are rolled, Ann drops a disc, and the dice are shown.
    rule: |
      for each die:
        pick a random face as rolled
        face of die becomes rolled
      do dropping
      do lifting
  dropping:
    says: Ann drops a disc into a lane, and it falls into the one beside it.
    asks: Into which lane?
    rule: |
      ann must drop: lane in 1..2
      let landing be spot(lane + 1)
      move a disc in supply of ann to landing
      stake becomes 3
  lifting:
    says: The dice are shown, and Ben pays.
    rule: |
      for each player:
        move all dice in cup of player to lifted of player
      let sixes be sum of (count of dice in lifted of player where face of die = 6) for each player
      tell everyone sixes
      let loser be ben
      tell everyone loser
      tell ann sixes
      ann scores 1
      ben loses 2
names:
  told.drop: drops into lane {lane}
  told.face: rolls {face}
  told.lifted: had {lifted}
  told.sixes: "{sixes | six | sixes} for a stake of {stake}"
  told.loser: loses
  told.points: takes {points | coin | coins}
  told.lifting.loss: pays {loss | coin | coins}
"""


def told_by_rules() -> Match:
    match = Match(compiled(TOLD_BY_RULES), 2, 1, luck={"game": ["6", "2", "6", "6"]})
    match.choose("drop 1")
    return match


def test_rules_say_in_sentences_what_is_rolled_shown_told_and_paid() -> None:
    assert story_lines(told_by_rules(), 1) == [
        "ben rolls 6 and 6",
        "ann drops into lane 1",
        "ann: disc, supply → spot 2",
        "ann had 6 and 2",
        "ben had 6 and 6",
        "3 sixes for a stake of 3",
        "ben loses",
        "ann is told something",
        "ann takes 1 coin",
        "ben pays 2 coins",
        "The game is over. ann wins.",
    ]
    assert "ann is told: 3 sixes for a stake of 3" in story_lines(told_by_rules(), 0)


def test_what_only_the_reader_sees_is_no_trifle_and_what_a_choice_does_goes_behind_it() -> None:
    match = told_by_rules()
    lines = Story(match.machine, 0, "en", None, past_of(match)).lines(match.events)
    rolled, chosen, moved, *_ = lines
    assert (rolled.text, rolled.trifle) == ("rolls 6 and 2", False)
    assert [chosen.implied, moved.implied, moved.text] == [False, True, "disc, supply → spot 2"]
    assert not any(line.implied for line in brief(lines))
    assert len(brief(lines)) == len(lines) - 1


def test_a_sentence_that_speaks_of_a_marker_needs_the_game_from_its_start() -> None:
    match = told_by_rules()
    lines = Story(match.machine, None, "en").lines(match.events)
    assert "Everyone is told: sixes is 3" in [line.text for line in lines]


GIFT = """\
lawspeaker: 1
variant: gift
of: pig
layer: house rule
title: A gift
about: Who begins gets two points.
changes:
  - add: gift
    says: Who is on turn gets two points.
    because: So that nobody has none.
    before: turn
    rule: active scores 2
"""


def test_a_sentence_for_the_points_of_a_rule_is_not_told_of_a_house_rule(tmp_path: Path) -> None:
    (tmp_path / "gift.yaml").write_text(GIFT)
    match = load(f"pig+{tmp_path}/gift.yaml").start(2, 1)
    match.choose("hold")
    points = [line for line in story_lines(match, None) if "point" in line]
    assert any("scores" in line and line.endswith("from the pot") for line in points)
    assert any("scores 2" in line and "pot" not in line for line in points)


LANTERN = """\
lawspeaker: 1
game: lantern
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  lamp: {kinds: {red: 1, green: 1}, starts in: shelf, changes: {lit: truth}}
places:
  shelf: {holds: lamp, seen by: everyone}
  cellar: {holds: lamp, seen by: everyone}
  bag: {of each: player, holds: lamp, seen by: everyone}
markers:
  dark: {shows: truth}
choices:
  moon: {says: Whether there is a moon., is: true}
  rain: {says: Whether it rains., is: false}
rules:
  game:
    says: Lamps are carried to and fro.
    asks: "{dark | It is dark | It is light}. Who carries one?"
    rule: |
      dark becomes yes
      ann must carry: lamp in shelf
        otherwise: cannot happen
      move lamp to bag of ann
      lit of lamp becomes yes
      move all lamps in bag of ann to cellar
      do storing
      let safe be not dark or moon and rain
      tell everyone safe
  storing:
    says: What is left is stored.
    rule: move all lamps in shelf to cellar
names:
  told.dark: "{dark | Night falls | Day breaks}"
  told.lit: "{lit | A light shines | A light goes out}"
  told.safe: "{safe | All is well | Beware}{moon | , under the moon |}{rain | , in the rain |}"
  told.cellar: takes {cellar | lamp | lamps} down
  told.storing.cellar: "Into the cellar: {cellar}"
"""


def test_a_truth_is_told_in_words_of_its_own_and_a_place_of_nobody_has_sentences() -> None:
    match = Match(compiled(LANTERN), 2, 1)
    decision = match.decision
    assert decision is not None
    assert decision.prompt == "It is dark. Who carries one?"
    match.choose(decision.options[0].text)
    assert story_lines(match, None)[:-1] == [
        "Night falls",
        "ann: carry red",
        "A light shines",
        "ann takes 1 lamp down (red)",
        "Into the cellar: green",
        "Beware, under the moon",
    ]


def test_names_are_told_in_the_form_that_a_sentence_asks_for() -> None:
    """In options, questions and the story; of several alike by their number and bare name."""
    match = load(str(GOOD / "forms_of_names.yaml")).start(players=2, seed=1)
    assert match.decision is not None
    assert match.decision.prompt_in("de") == "Du bist in der Mühle. Wohin?"
    assert [option.name("de") for option in match.decision.options] == [
        "zur Mühle gehen",
        "ins Gasthaus gehen",
    ]
    match.choose("go inn")
    asked = match.decision
    assert asked is not None
    named = [option_name(each, Labels(match.view(0)), "de") for each in asked.options]
    assert "einen König auf das rechte Feld legen" in named
    match.choose("lay king, field right")
    match.choose("throw king + ace")
    assert story_lines(match, 0, "de")[:4] == [
        "ann zieht 2 × König und ein Ass",
        "ann geht ins Gasthaus",
        "ann legt einen König auf das rechte Feld",
        "ann wirft ein Ass und einen König",
    ]


def test_a_name_without_the_form_is_told_as_it_is() -> None:
    text = (GOOD / "forms_of_names.yaml").read_text(encoding="utf-8")
    program = compiled(text.replace(" | wohin = ins Gasthaus", ""))
    match = Game(program, "forms").start(players=2, seed=1)
    assert match.decision is not None
    assert match.decision.options[1].name("de") == "Gasthaus gehen"


def test_a_clause_that_sets_a_marker_has_a_sentence_for_it() -> None:
    """It is told each time, also where the marker shows that already: who rolls badly at once has
    nothing to lose, and gets nothing all the same."""
    match = load("pig").start(players=2, seed=3)
    for _ in range(2):
        match.choose("hold")
    lines = story_lines(match, 0)
    at = lines.index("The die shows 1")
    assert lines[at - 1 : at + 2] == [
        "There are 0 points in the pot",
        "The die shows 1",
        "Ben gets nothing",
    ]


def test_a_sentence_names_whom_the_question_spoke_of() -> None:
    """Of who passes as well, and to everyone; where that is not known, the bare choice is told."""
    match = load("stowaways").start(players=2, seed=3)
    for reply in ("as_purser ida", "pass", "block_it mate", "doubt_it"):
        match.choose(reply)

    def lines(about: Circumstances | None) -> list[str]:
        story = Story(match.machine, 0, "en", past=match.events, circumstances=about)
        return [line.said(match.machine.layout, "en") for line in story.lines(match.events)]

    for viewer in (0, 1, None):
        told = lines(Circumstances(match, viewer))
        assert "Ida believes Jonas" in told
        assert "Jonas does not believe Ida" in told
    assert "Jonas: doubt" in lines(None)


def test_what_was_named_just_before_is_not_said_again_in_brackets() -> None:
    match = load("walhalla").start(players=4, seed=7)
    match.choose("board seat bow")
    story = Story(match.machine, 0, "en", circumstances=Circumstances(match, 0))
    told = [line.text for line in story.lines(match.events)]
    drawn = next(text for text in told if text.startswith("The dragon drawn: "))
    assert told[told.index(drawn) + 1 :][:1] == ["goes aboard at the bow"]


ORCHARD = """\
lawspeaker: 1
game: orchard
players: {from: 2, to: 2, called: [ann, ben]}
words: {fruit: [pear, plum]}
pieces:
  card:
    has: {fruit: fruit, worth: number}
    starts in: pile
    kinds: {pear: {count: 9, fruit: pear, worth: 3}, plum: {count: 9, fruit: plum, worth: 2}}
places:
  pile: {holds: card, arranged: pile, seen by: nobody}
  row: {holds: card, seen by: everyone}
  sold: {holds: card, seen by: everyone}
  basket: {of each: player, holds: card, seen by: everyone}
rules:
  game:
    says: Each picks fruit; then what is ripe is sold.
    rule: |
      shuffle pile
      for each player:
        do picking(player)
      do selling
  picking:
    says: A player gets the worth of the fruit that is drawn.
    given: {player: player}
    rule: |
      draw card from pile to basket of player
        otherwise: cannot happen
      player scores worth of card
  selling:
    says: The row is filled up, and what lies in it is sold, until six are sold.
    rule: |
      repeat until count of cards in sold = 6, at most 9 times:
        draw 2 cards from pile to row
          otherwise: skip
        move all cards in row to sold
"""


def test_what_follows_from_a_move_is_told_after_it() -> None:
    """The row is filled up again because it was sold."""
    match = Match(compiled(ORCHARD), 2, 1)
    moves = [line.split(", ")[-1] for line in story_lines(match, None) if " → " in line]
    assert moves[2:] == ["pile → row", "row → sold"] * 3


def test_for_what_points_are_is_not_said_where_it_was_just_drawn() -> None:
    match = Match(compiled(ORCHARD), 2, 1)
    lines = story_lines(match, None)
    assert lines[1].startswith(("ann: pear, pile → basket", "ann: plum, pile → basket"))
    assert lines[2] in ("ann scores 3 points", "ann scores 2 points")
    assert lines[4] in ("ben scores 3 points", "ben scores 2 points")


NOUGHT = """\
lawspeaker: 1
game: nought
language: en
players: {from: 2, to: 2, called: [ann, ben]}
pieces: {card: {starts in: pile, kinds: {pear: 2, plum: 2}}}
places: {pile: {holds: card, seen by: everyone}, lost: {holds: card, seen by: everyone}}
rules:
  game:
    says: What is lost is told, before and after.
    rule: |
      do telling
      move all cards in pile to lost
      do telling
      end the game
  telling:
    says: All are told what is lost.
    rule: |
      let gone be all cards in lost where card is plum
      tell everyone gone
      let many be count of cards in lost
      tell everyone many
names:
  gone: what is gone
  many: how many
  told.gone: "Gone: {gone | 0 = nothing}"
  told.many: "{many | card | cards | 0 = no cards} in all"
"""


def test_where_there_is_nothing_a_word_for_it_is_told() -> None:
    match = Match(compiled(NOUGHT), 2, 1)
    assert [line for line in story_lines(match, None) if "Gone" in line or "in all" in line] == [
        "Gone: nothing",
        "no cards in all",
        "Gone: 2 plum",
        "4 cards in all",
    ]


CHEST = """\
lawspeaker: 1
game: chest
language: en
languages: [en, de]
players: {from: 2, to: 2, called: [ann, ben]}
words: {gem: [opal, ruby]}
pieces:
  box: {of each: player, count: 1, starts in: shelf, changes: {filled: {in each: gem, is: number}}}
places: {shelf: {of each: player, holds: box, seen by: everyone}}
rules:
  game:
    says: Boxes are filled.
    rule: |
      for each box:
        filled of box in ruby becomes 2
names:
  told.filled:
    en: "puts {filled} into the box, {gem}"
    de: "legt {filled | Stein | Steine} in die Kiste, {gem}"
  ruby: {en: ruby, de: Rubin}
"""


def test_a_sentence_for_an_attribute_says_of_which_it_is() -> None:
    match = Match(compiled(CHEST), 2, 1)
    assert "ann puts 2 into the box, ruby" in story_lines(match, None)
    assert "ben legt 2 Steine in die Kiste, Rubin" in story_lines(match, None, "de")


def test_a_move_from_place_to_place_names_the_piece() -> None:
    match = load("chess").start(players=2, seed=1)
    for each in ("5 2, square 5 4", "4 7, square 4 5", "5 4, square 4 5", "4 8, square 4 5"):
        match.choose(f"go square {each}")
    found = [line for line in story_lines(match, None) if "to move" not in line]
    assert found[-6:] == [
        "white moves e2 to e4 (pawn)",
        "black moves d7 to d5 (pawn)",
        "white moves e4 to d5 (pawn)",  # though it has just been named
        "black loses a pawn",
        "black moves d8 to d5 (queen)",
        "white loses a pawn",
    ]
