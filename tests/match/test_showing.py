"""`show`, and places that some see: who knows a piece knows it as long as he can follow it."""

from __future__ import annotations

from io import StringIO
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.play.shown import ShownTable
from lawspeaker.faces.render.screen import Screen
from lawspeaker.faces.web.drawing import draw
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.undo import barrier
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.players.bots import bot
from lawspeaker.position.state import State
from lawspeaker.study.secrets.api_output import CHANNELS
from lawspeaker.study.secrets.trial import LeakSearch
from lawspeaker.study.secrets.trial import TrialTable as Moment
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD, compiled

ANN, BEN, CY = range(3)
ONLOOKER = None

HEAD = """\
lawspeaker: 1
game: shown
players: {from: 3, to: 3, called: [ann, ben, cy]}
pieces:
  card: {starts in: deck, kinds: {ace: 2, king: 2, queen: 2, jack: 2}}
places:
  deck:   {holds: card, arranged: pile, seen by: nobody}
  hand:   {of each: player, holds: card, seen by: owner}
  rack:   {of each: player, holds: card, arranged: row, seen by: owner}
  fan:    {of each: player, holds: card, seen by: everyone but its owner}
  shelf:  {holds: card, seen by: [ann, cy]}
  pile:   {holds: card, arranged: pile, seen by: nobody, top seen by: everyone}
  album:  {holds: card, arranged: pile, seen by: nobody, top seen by: everyone, stays known: true}
  closet: {of each: player, holds: card, seen by: owner, count seen by: owner}
  diary:  {of each: player, holds: card, seen by: owner, stays known: true}
  open:   {holds: card, seen by: everyone}
rules:
  game:
    says: Somebody is shown something.
    rule: |
      do beforehand
      do showing

  beforehand:
    says: Ann is asked, so that there is something before.
    asks: Go on?
    rule: |
      ann may go_on

  showing:
    says: Lines are done, and nothing more is asked.
    asks: Go on?
    rule: |
"""


def program(*lines: str) -> ir.Program:
    text = HEAD + "".join(f"      {line}\n" for line in (*lines, "ann may go_on"))
    out = Diagnostics()
    found = compile_game(SourceFile("shown.yaml", text), lambda *_: None, schema("game"), out)
    assert found is not None, [str(each) for each in out]
    return found


def match_after(*lines: str, machine: str = "reference") -> Match:
    """A game in which these lines were done. The deck is in order: jacks are drawn first."""
    match = Match(program(*lines), 3, 1, machine=machine)
    match.choose("go_on")
    return match


def lies(match: Match, seat: int | None, place: str) -> list[str | None]:
    """What a seat is shown in a place, whether others look at the same time or not."""
    view = match.view(seat)
    assert match.view(seat, match.in_common()) == view
    places = view.to_json()["places"]
    return list(places[place]["pieces"]) if place in places else []


JACKS = "draw 2 cards from deck to hand of ann"
"""Then queens, kings and aces are left."""
MIXED = ("draw card as first from deck to hand of ann", "draw card as gap from deck to open")
QUEEN = "draw card as second from deck to hand of ann"
JACK_AND_QUEEN = (*MIXED, QUEEN)
"""Ann has a jack and a queen, and a jack lies open."""


# ---------------------------------------------------------------- places that some see


def test_all_but_its_owner_see_a_fan() -> None:
    match = match_after("draw 2 cards from deck to fan of ann")
    assert lies(match, ANN, "fan ann") == [None, None]
    assert lies(match, BEN, "fan ann") == lies(match, CY, "fan ann") == ["jack", "jack"]
    assert lies(match, ONLOOKER, "fan ann") == [None, None]


def test_some_see_a_place() -> None:
    match = match_after("draw 2 cards from deck to shelf")
    assert lies(match, ANN, "shelf") == lies(match, CY, "shelf") == ["jack", "jack"]
    assert lies(match, BEN, "shelf") == lies(match, ONLOOKER, "shelf") == [None, None]
    known = next(each for each in match.events if each.kind == "move").known
    assert known == 1 << ANN | 1 << CY


def test_only_the_top_is_seen() -> None:
    match = match_after("draw 3 cards from deck to pile")
    for seat in (ANN, BEN, CY, ONLOOKER):
        assert lies(match, seat, "pile") == [None, None, "queen"]
    assert match.tell(match.events[-1], BEN) == "queen from deck to pile"


def test_a_top_that_goes_uncovers_the_next() -> None:
    match = match_after("draw 3 cards from deck to pile", "draw card from pile to hand of ben")
    assert lies(match, CY, "pile") == [None, "jack"]
    assert lies(match, CY, "hand ben") == [None]
    assert match.tell(match.events[-1], CY) == "queen from pile to hand ben"


def test_what_goes_under_is_not_seen_unless_nothing_lies_there() -> None:
    match = match_after(
        "draw card from deck to bottom of pile", "draw 2 cards from deck to bottom of pile"
    )
    assert lies(match, ANN, "pile") == [None, None, "jack"]
    told = [match.tell(each, CY) for each in match.events if each.kind == "move"]
    assert told == ["jack from deck under pile", *["a card from deck under pile"] * 2]


def test_what_is_covered_stays_known_where_the_place_says_so() -> None:
    match = match_after("draw 3 cards from deck to album")
    assert lies(match, BEN, "album") == ["jack", "jack", "queen"]


def test_what_was_seen_stays_known_where_the_place_says_so() -> None:
    back = "move all cards in open to {} of ann"
    for place, known in ("diary", ["jack"]), ("hand", [None]):
        match = match_after("draw card from deck to open", back.format(place))
        assert lies(match, BEN, f"{place} ann") == known
        assert lies(match, ONLOOKER, f"{place} ann") == known


# ---------------------------------------------------------------- what is shown


def test_who_was_shown_a_hand_goes_on_seeing_it() -> None:
    match = match_after(*JACK_AND_QUEEN, "show hand of ann to ben")
    assert lies(match, BEN, "hand ann") == ["queen", "jack"]
    assert lies(match, CY, "hand ann") == lies(match, ONLOOKER, "hand ann") == [None, None]


def test_what_everyone_was_shown_onlookers_know_too() -> None:
    match = match_after(*JACK_AND_QUEEN, "show second to everyone")
    for seat in (BEN, CY, ONLOOKER):
        assert lies(match, seat, "hand ann") == ["queen", None]


def test_some_are_shown_a_card() -> None:
    match = match_after(*JACK_AND_QUEEN, "show second to [ben, cy]")
    assert lies(match, BEN, "hand ann") == lies(match, CY, "hand ann") == ["queen", None]
    assert lies(match, ONLOOKER, "hand ann") == [None, None]


def test_a_new_card_is_not_known() -> None:
    match = match_after(
        *JACK_AND_QUEEN, "show hand of ann to ben", "draw card from deck to hand of ann"
    )
    assert lies(match, BEN, "hand ann") == ["queen", "jack", None]


def test_what_is_played_in_sight_leaves_the_rest_known() -> None:
    match = match_after(*JACK_AND_QUEEN, "show hand of ann to ben", "move second to open")
    assert lies(match, BEN, "hand ann") == ["jack"]


def test_what_goes_out_of_a_hand_unseen_might_be_any_of_it() -> None:
    match = match_after(*JACK_AND_QUEEN, "show hand of ann to ben", "move first to hand of cy")
    assert lies(match, BEN, "hand ann") == lies(match, BEN, "hand cy") == [None]


def test_the_last_card_of_a_hand_can_be_followed() -> None:
    match = match_after(*MIXED, "show hand of ann to ben", "move first to hand of cy")
    assert lies(match, BEN, "hand cy") == ["jack"]
    move = next(each for each in reversed(match.events) if each.kind == "move")
    assert match.tell(move, BEN) == "jack from hand ann to hand cy"
    assert match.tell(move, ONLOOKER) == "a card from hand ann to hand cy"


def test_in_a_row_a_card_can_be_followed() -> None:
    names = ("first", "second", "third")
    drawn = [f"draw card as {name} from deck to rack of ann" for name in names]
    match = match_after(*drawn, "show second to ben")
    assert lies(match, BEN, "rack ann") == [None, "jack", None]
    moved = [f"draw card as {name} from rack of ann to rack of cy" for name in ("one", "two")]
    match = match_after(*drawn, "show second to ben", *moved)
    assert lies(match, BEN, "rack ann") == [None]
    assert lies(match, BEN, "rack cy") == [None, "jack"]


def test_one_that_looks_the_same_and_is_played_may_be_the_one_that_was_shown() -> None:
    """Of two jacks ben was shown one. Whichever is played, he knows nothing of the other."""
    for played in ("first", "second"):
        drawn = (f"draw card as {name} from deck to hand of ann" for name in ("first", "second"))
        match = match_after(*drawn, "show first to ben", f"move {played} to open")
        assert lies(match, BEN, "hand ann") == [None]


def test_one_that_looks_the_same_and_is_shown_may_be_the_one_that_was_shown() -> None:
    drawn = [f"draw card as {name} from deck to hand of ann" for name in ("first", "second")]
    for again in ("first", "second"):
        match = match_after(*drawn, "show first to ben", f"show {again} to ben")
        assert lies(match, BEN, "hand ann") == ["jack", None]
    match = match_after(*drawn, "show first to ben", "show hand of ann to ben")
    assert lies(match, BEN, "hand ann") == ["jack", "jack"]


def test_what_is_shuffled_is_known_to_nobody() -> None:
    lines = ("draw 3 cards from deck to rack of ann", "show rack of ann to ben")
    assert lies(match_after(*lines), BEN, "rack ann") == ["jack", "jack", "queen"]
    assert lies(match_after(*lines, "shuffle rack of ann"), BEN, "rack ann") == [None] * 3


def test_of_a_shuffled_pile_no_card_can_be_kept_apart() -> None:
    match = match_after("shuffle deck", "show deck to ben")
    assert lies(match, BEN, "deck") == [None] * 8
    assert "queen" in match.tell(match.events[-1], BEN)


def test_where_nobody_counts_nothing_can_be_followed() -> None:
    match = match_after(*MIXED, "show hand of ann to ben", "move first to closet of cy")
    assert "closet cy" not in match.view(BEN).to_json()["places"]
    match = match_after(
        *MIXED,
        "move first to closet of cy",
        "show closet of cy to ben",
        "move first to hand of ann",
    )
    assert lies(match, BEN, "hand ann") == [None]


def test_who_was_shown_nothing_reads_that_somebody_was() -> None:
    match = match_after(*JACK_AND_QUEEN, "show hand of ann to ben")
    assert match.tell(match.events[-1], BEN) == "ben is shown: queen + jack"
    assert match.tell(match.events[-1], CY) == "ben is shown something"
    told = Story(match.machine, CY, "de").lines(match.events)[-1].text
    assert told == "ben bekommt etwas zu sehen"


# ---------------------------------------------------------------- it is part of the game


LOOKED_AT = (*JACK_AND_QUEEN, "show hand of ann to ben", "draw card from deck to hand of ann")


def test_it_is_saved_and_copied() -> None:
    match = match_after(*LOOKED_AT)
    again = State.from_json(match.state.to_json())
    assert again == match.state == match.copy().state
    assert again.known
    again.known = {}
    assert again != match.state
    assert match.situation != Match.from_state(match.program, again).situation


def test_to_be_shown_something_cannot_be_taken_back() -> None:
    match = match_after("show top of deck to ben")
    assert lies(match, BEN, "deck")[-2:] == [None, "jack"]
    found = barrier(match, ANN)
    assert found is not None
    assert found.kind == "told"
    match.rewind(0)
    assert lies(match, BEN, "deck")[-2:] == [None, None]


def test_both_machines_know_the_same() -> None:
    one, two = match_after(*LOOKED_AT), match_after(*LOOKED_AT, machine="wasm")
    assert one.state.known == two.state.known != {}
    assert one.events == two.events


@pytest.mark.parametrize("name", ["showing", "seen_by_some"])
def test_both_machines_play_the_same(name: str) -> None:
    rules, _ = compiled(GOOD / f"{name}.yaml", GOOD)
    assert rules is not None
    both = SideBySide(rules, 3)
    for seed in range(2):
        assert both.play(seed) > 0
        assert both.play(seed, ask_chance=True, discreet=True) > 0


def test_worlds_agree_with_what_was_shown() -> None:
    match = match_after(*LOOKED_AT)
    view = match.view(BEN)
    worlds = [imagine(view, seed) for seed in range(20)]
    for world in worlds:
        assert lies(world, BEN, "hand ann") == ["queen", "jack", None]
        assert world.view(BEN).contents == view.contents
    # What ben does not know is another card from world to world.
    assert len({tuple(sorted(map(str, lies(world, ANN, "hand ann")))) for world in worlds}) > 1


def test_bots_answer_where_something_is_known() -> None:
    rules, _ = compiled(GOOD / "showing.yaml", GOOD)
    assert rules is not None
    match = Game(rules, "showing").start(players=3, seed=5)
    player = bot("mc:20", 1)
    for _ in range(4):
        asked = match.decision
        assert asked is not None
        assert asked.seat is not None
        view = match.view(asked.seat)
        answer = player.choose(view)
        assert view.decision is not None
        assert answer in view.decision.options
        match.choose(answer.text, seat=asked.seat)


# ---------------------------------------------------------------- how it looks


def test_what_is_known_is_on_the_screen() -> None:
    match = match_after(*JACK_AND_QUEEN, "show second to ben", "show top of deck to ben")
    sheet = StringIO()
    for seat in (BEN, CY):
        view = match.view(seat)
        screen = Screen(Console(file=sheet, width=120), match.machine.layout, "en")
        screen.show([ShownTable(view, Labels(view))])
    text = sheet.getvalue()
    assert text.count("2 (queen)") == 1
    assert text.count("deck 5 (queen)") == 1


def test_the_picture_has_the_top_of_a_pile_in_front_of_what_lies_below() -> None:
    match = match_after("draw 3 cards from deck to album")
    root = ET.fromstring(draw(match.view(CY), "en"))
    album = next(each for each in root.iter() if each.get("data-thing") == "album")
    things = [each.get("data-thing", "") for each in album.iter() if each.get("class") == "piece"]
    assert things == ["jack in album", "jack in album", "queen in album"]


@pytest.mark.parametrize("name", ["showing", "known_in_a_row"])
def test_what_is_known_tells_nothing_more(name: str) -> None:
    """Twins differ in what a seat cannot know; in a row all see which card is taken."""
    rules, _ = compiled(GOOD / f"{name}.yaml", GOOD)
    assert rules is not None
    channels = [each for each in CHANNELS if each.name in ("question", "view", "events", "numbers")]
    trial = LeakSearch(rules, 3, channels)
    for seed in (1, 3):
        trial.game(Moment(3, seed, ("reference",)), 6)
    assert not trial.findings.leaks, trial.findings.leaks[0]
    assert trial.findings.pairs > 4
