"""Twin games find what is given away, on whatever way: a search for leaks that can fail.

In the first tests rules give something away; the checker is not asked. In the others the rules are
blameless, and one of the ways on which a seat is given something is broken on purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import lawspeaker
from lawspeaker import ir
from lawspeaker.faces import seat_output as faces_given
from lawspeaker.faces.play import session
from lawspeaker.faces.play.shown import Shown, ShownNote
from lawspeaker.faces.web import game_in_play, staging
from lawspeaker.faces.web.scene import scene
from lawspeaker.match import events, undo, view
from lawspeaker.match.decision import Decision
from lawspeaker.match.match import Match
from lawspeaker.position.rng import word_of
from lawspeaker.study.secrets import api_output
from lawspeaker.study.secrets.trial import Leak, LeakSearch, TrialTable
from lawspeaker.telling import story
from tests.secrets.leaking import leaking
from tests.tiers import sample

SEEDS = range(1, 5)
MOMENTS = 6
QUICKLY = ("view", "question", "events", "story", "why not")


def leaks(
    program: ir.Program,
    players: int = 2,
    seeds: range = SEEDS,
    only: tuple[str, ...] = (),
    machines: tuple[str, ...] = ("reference",),
) -> list[Leak]:
    channels = [each for each in faces_given.ALL_CHANNELS if not only or each.name in only]
    trial = LeakSearch(program, players, channels)
    for seed in seeds:
        trial.game(TrialTable(players, seed, machines), MOMENTS)
    return trial.findings.leaks


# ---------------------------------------------------------------- rules that leak

BLAMELESS = {
    "nothing": "active becomes player",
    "own cards": "let own be aces of player\nplayer must say: few\n  where low: few <= own",
    "what is shown": (
        "if hand of player is not empty:\n"
        "  move a card in hand of player to shown\n"
        "  tally becomes count of cards in shown where card is ace"
    ),
    "what is scored": "player scores aces of player",
    "what is drawn": "draw card from deck to shown\n  otherwise: skip",
    "what luck brings": "pick a random few\ntally becomes few",
    "an answer in secret that is a fault": (
        "each player as one secretly must bid: few in 0..1\n"
        "  then: mind becomes 1 / (1 - few) rounded down"
    ),
    "the first answer that counts is a fault": (
        "any player as one may bid: few in 0..1\n  then: mind becomes 1 / (1 - few) rounded down"
    ),
}

GIVING = {
    "a public marker": ("tally becomes aces of ben", "events"),
    "a marker set or not": ("if aces of ben > 0:\n  tally becomes 1", "events"),
    "a marker set twice": ("repeat aces of ben times:\n  tally becomes 1", "events"),
    "an end of a clause": ("if aces of ben > 0:\n  finish\ntally becomes 1", "events"),
    "a public state": (
        "for each card in hand of ben where card is ace:\n  marked of card becomes yes",
        "events",
    ),
    "a move of what is seen": (
        "if aces of ben > 0 and bank is not empty:\n  move a coin in bank to purse of ben",
        "events",
    ),
    "how many coins move": (
        "for each card in hand of ben where card is ace:\n  move a coin in bank to purse of ben",
        "events",
    ),
    "where a coin goes": (
        "if bank is not empty:\n  move a coin in bank to purse of whoever(player)",
        "events",
    ),
    "a move between hidden places": (
        "if aces of ben > 0:\n  move a card in hand of ben to away of ben",
        "events",
    ),
    "shuffling": ("if aces of ben > 0:\n  shuffle deck", "events"),
    "luck that is asked for": (
        "if aces of ben > 0:\n  pick a random few\n  tally becomes few",
        "events",
    ),
    "luck among what is hidden": (
        "pick a random few in 0..aces of ben\ntally becomes few",
        "events",
    ),
    "being asked": ("if aces of ben > 0:\n  do dancing(ann)", "question"),
    "who is asked": ("do dancing(if aces of ben > 0 then ann else ben)", "question"),
    "how often one is asked": ("repeat aces of ben times:\n  do dancing(ann)", "question"),
    "what is offered": ("ann must say: few\n  where low: few <= aces of ben", "question"),
    "a word that is offered": (
        "ann must choose one of\n  go\n  stay\n  dream\n    where lucky: aces of ben > 0",
        "question",
    ),
}

TEXTS = {
    "a number": "let what be aces of ben",
    "a truth": "let what be aces of ben > 0",
    "a player": "let what be if aces of ben > 0 then ann else ben",
    "a word": "let what be if aces of ben > 0 then red else black",
    "a place": "let what be if aces of ben > 0 then hand of ann else hand of ben",
}


@pytest.mark.parametrize(
    "deed", sample(BLAMELESS.values(), test=4, full=2), ids=sample(BLAMELESS, test=4, full=2)
)
def test_rules_that_keep_their_secrets_have_no_leaks(deed: str) -> None:
    found = leaks(leaking(deed), only=QUICKLY)
    assert not found, found[0]


@pytest.mark.parametrize("name", sample(GIVING, test=10, full=3))
@pytest.mark.parametrize("players", [2, 3])
def test_rules_that_give_something_away_are_found(name: str, players: int) -> None:
    deed, channel = GIVING[name]
    found = leaks(leaking(deed), players, only=QUICKLY)
    assert channel in {each.difference.channel for each in found}
    clauses = {each.clause for each in found if each.difference.channel == channel}
    assert clauses & {"deed", "dancing", "waiting", "game"}
    # To ben his own cards are no secret.
    assert {each.seat for each in found} - {1}


@pytest.mark.full
@pytest.mark.parametrize(
    "let", sample(TEXTS.values(), test=5, full=2), ids=sample(TEXTS, test=5, full=2)
)
def test_texts_of_questions_that_give_something_away_are_found(let: str) -> None:
    deed = f"{let}\nplayer must choose one of\n  hear\n  listen"
    program = leaking(deed, asks="Psst: {what}")
    found = leaks(program, only=QUICKLY)
    assert {each.difference.channel for each in found} == {"question"}
    assert {each.clause for each in found} == {"deed"}


def test_reasons_that_give_something_away_are_found() -> None:
    deed = (
        "player must choose one of\n  go\n  stay\n  dream\n"
        "    where with_aces: aces of ben = 0\n    where without: aces of ben > 0"
    )
    found = leaks(leaking(deed), only=("why not",))
    assert {each.difference.channel for each in found} == {"why not"}
    texts = {(each.difference.one, each.difference.two) for each in found}
    assert any("with_aces" in one and "without" in two for one, two in texts)


@pytest.mark.full
def test_the_compiled_machine_is_looked_at_as_well() -> None:
    program = leaking("tally becomes aces of ben")
    found = leaks(program, only=("view",), machines=("wasm",))
    assert {each.table.machine for each in found} == {"wasm"}


@pytest.mark.full
def test_a_leak_is_found_again_by_its_seed() -> None:
    program = leaking("if aces of ben > 0:\n  tally becomes 1")
    first = leaks(program, only=QUICKLY)[-1]
    again = leaks(program, seeds=range(first.table.seed, first.table.seed + 1), only=QUICKLY)
    assert [each.sort for each in again].count(first.sort) >= 1
    assert (first.seat, first.before, first.since) in {
        (each.seat, each.before, each.since) for each in again
    }


@pytest.mark.full
def test_at_a_quick_table_being_asked_may_tell_and_at_a_discreet_one_it_may_not() -> None:
    """A window that opens only for who could answer: at discreet tables it is asked always."""
    deed = "player may show_one: card in hand of player\n  where low: card is ace\n  then: skip"
    program = leaking(deed)
    trial = LeakSearch(program, 2, [each for each in api_output.CHANNELS if each.name in QUICKLY])
    for seed in SEEDS:
        trial.game(TrialTable(2, seed, ("reference",)), MOMENTS)
    assert not trial.findings.leaks, trial.findings.leaks[0]
    assert ("asked", "deed") in trial.findings.ends


# ---------------------------------------------------------------- ways that are broken

Break = Callable[[pytest.MonkeyPatch], None]


def cards(match: Match) -> str:
    """What nobody should be told."""
    return str(sorted(match.state.contents.items()))


def view_of_everything(patch: pytest.MonkeyPatch) -> None:
    told = view.View.to_json
    patch.setattr(Match, "view", remembering(Match.view))
    patch.setattr(view.View, "to_json", lambda self: {**told(self), "cards": cards(looked_at[0])})


def numbers_of_pieces(patch: pytest.MonkeyPatch) -> None:
    look = view.view_of

    def broken(machine: Any, state: Any, *rest: Any, **named: Any) -> view.View:
        found = look(machine, state, *rest, **named)
        found.shuffles = {0: word_of(str(sorted(state.contents.items())))}
        return found

    patch.setattr("lawspeaker.match.match.view_of", broken)


def events_of_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(events, "seen_by", lambda layout, event, viewer: event)
    patch.setattr("lawspeaker.match.facts.seen_by", lambda layout, event, viewer: event)


def story_of_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(story, "seen_by", lambda layout, event, viewer: event)


def prompts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Match, "view", remembering(Match.view))
    patch.setattr(Decision, "prompt_in", lambda self, language: cards(looked_at[0]))


def taking_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(undo, "barrier", lambda match, seat: cards(match))


def bots(patch: pytest.MonkeyPatch) -> None:
    class Cheat:
        def choose(self, view: view.View) -> Any:
            assert view.decision is not None
            options = view.decision.options
            return options[word_of(cards(looked_at[0])) % len(options)]

    patch.setattr(Match, "view", remembering(Match.view))
    patch.setattr(api_output, "bot", lambda name, seed: Cheat())


def terminal(patch: pytest.MonkeyPatch) -> None:
    turn_to = session.Session.turn_to

    def broken(self: session.Session, seat: int) -> list[Shown]:
        return [*turn_to(self, seat), ShownNote(cards(self.match))]

    patch.setattr(session.Session, "turn_to", broken)


def scenes(patch: pytest.MonkeyPatch) -> None:
    def broken(match: Match, *how: Any) -> dict[str, Any]:
        return {**scene(match, *how), "cards": cards(match)}

    patch.setattr("lawspeaker.faces.web.game_in_play.scene", broken)


def points(patch: pytest.MonkeyPatch) -> None:
    def broken(self: game_in_play.GameInPlay, seat: int, language: str) -> dict[str, Any]:
        return {"total": cards(self._match)}

    patch.setattr(game_in_play.GameInPlay, "points", broken)


def old_scenes(patch: pytest.MonkeyPatch) -> None:
    def broken(self: game_in_play.GameInPlay, replies: int, look: Any) -> dict[str, Any]:
        return {"cards": cards(self._match)}

    patch.setattr(game_in_play.GameInPlay, "scene_after", broken)


def recordings(patch: pytest.MonkeyPatch) -> None:
    def broken(match: Match, *how: Any, **more: Any) -> dict[str, Any]:
        return {**scene(match, *how, **more), "cards": cards(match)}

    patch.setattr("lawspeaker.faces.publishing.replay_page.scene", broken)


def puzzles(patch: pytest.MonkeyPatch) -> None:
    def broken(match: Match, *how: Any) -> dict[str, Any]:
        found = scene(match, *how)
        return {**found, "question": {**found["question"], "cards": cards(match)}}

    patch.setattr("lawspeaker.faces.publishing.puzzle.scene", broken)


def stages(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(staging, "_data", lambda match, stage: {"cards": cards(match)})


def hints(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Match, "view", remembering(Match.view))
    patch.setattr(faces_given, "advised", lambda view, thinker: cards(looked_at[0]))


def foresight(patch: pytest.MonkeyPatch) -> None:
    def broken(self: game_in_play.GameInPlay, seat: int, number: int, language: str) -> Any:
        before = self._match.copy()
        before.choose(before.shown(seat).options[number], seat=seat)
        return {"lines": cards(before)}

    patch.setattr(game_in_play.GameInPlay, "foreseen", broken)


looked_at: list[Match] = []


def remembering(look: Callable[[Match, int | None], view.View]) -> Any:
    """A match that is looked at is remembered, so that a broken view can look into it."""

    def looking(self: Match, seat: int | None) -> view.View:
        looked_at[:] = [self]
        return look(self, seat)

    return looking


BROKEN: dict[str, tuple[Break, str]] = {
    "view": (view_of_everything, "view"),
    "numbers": (numbers_of_pieces, "numbers"),
    "events": (events_of_everything, "events"),
    "story": (story_of_everything, "story"),
    "question": (prompts, "question"),
    "undo": (taking_back, "undo"),
    "bots": (bots, "bots"),
    "terminal": (terminal, "terminal"),
    "socket, the scene": (scenes, "socket"),
    "socket, the answers": (points, "socket"),
    "staged": (stages, "staged"),
    "past": (old_scenes, "past"),
    "recording": (recordings, "recording"),
    "puzzle": (puzzles, "puzzle"),
    "hint": (hints, "hint"),
    "foreseen": (foresight, "foreseen"),
}


@pytest.mark.parametrize("broken, channel", BROKEN.values(), ids=BROKEN)
def test_a_broken_way_is_found(
    broken: Break, channel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = lawspeaker.load("kuhn_poker").program
    broken(monkeypatch)
    found = leaks(program, only=(channel,))
    assert {each.difference.channel for each in found} == {channel}


@pytest.mark.parametrize("channel", [each.name for each in faces_given.ALL_CHANNELS])
def test_every_way_can_be_broken(channel: str) -> None:
    tried = {name for _, name in BROKEN.values()} | {"why not"}
    assert channel in tried
