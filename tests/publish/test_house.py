"""The table of a page, without a browser: keeping, going on, opening logs, bots that fail."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

import lawspeaker
from lawspeaker.faces.publishing.bot_worker import Thinker
from lawspeaker.faces.publishing.opening import opened, packed
from lawspeaker.faces.publishing.play_by_mail import needs_server
from lawspeaker.faces.publishing.table_worker import House, StoredGame, Unplayable
from lawspeaker.faces.web import strengths
from lawspeaker.machines import adapter
from lawspeaker.machines.compiled import compile_module
from lawspeaker.machines.compiled.host.module_cache import entry_name
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.game import Game
from lawspeaker.position.layout import layout_for
from tests.log.tables import play
from tests.web import loops


@pytest.fixture(scope="module")
def game() -> Game:
    return opened(packed(lawspeaker.load("liars_dice")))


@pytest.fixture
def thoughtful() -> Iterator[None]:
    """A page keeps modules elsewhere, and few of them. For later tests all is as it was."""
    kept, most = adapter._cache, (adapter._machines.most, adapter._instances.most)
    yield
    adapter.keep_modules_in(kept)
    adapter._machines.most, adapter._instances.most = most


def record(game: Game, *who: str, **more: Any) -> str:
    seats = [{"who": each} for each in who]
    return json.dumps({"rules": game.name, "seed": "7", "seats": seats, **more})


async def no_thoughts(turn: str) -> str:
    return json.dumps({"error": "no module"})


class Sitting:
    """A screen at a table, and what it was told and has kept."""

    def __init__(
        self, game: Game, record: str, think: Callable[[str], Awaitable[str]] = no_thoughts
    ) -> None:
        self.kept: list[str] = []
        self.told: list[dict[str, Any]] = []
        self.house = House(game, record, self.kept.append, think, pace=0)

    async def show(self) -> None:
        told = lambda text: self.told.append(json.loads(text))  # noqa: E731
        self.connection = await self.house.show(told, "en", "wide")
        self.writing = asyncio.ensure_future(self.connection.write(self.house.channel))
        await self.quiet()

    async def say(self, kind: str, **more: Any) -> None:
        await self.house.channel.hear(self.connection, json.dumps({"type": kind, **more}))
        await self.quiet()

    async def quiet(self) -> None:
        """Until nobody has anything left to do."""
        for _ in range(50):
            await asyncio.sleep(0)

    @property
    def scene(self) -> dict[str, Any]:
        return next(each for each in reversed(self.told) if each["type"] == "scene")


def test_a_game_is_kept_and_goes_on(game: Game) -> None:
    async def sit() -> None:
        first = Sitting(game, record(game, "me", "me"))
        await first.show()
        assert first.scene["curtain"] is not None
        await first.say("face", seat=first.scene["curtain"])
        await first.say("reply", number=0, ask=first.scene["ask"])
        assert json.loads(first.kept[-1])["replies"]
        again = Sitting(game, first.kept[-1])
        assert again.house.table.at == 1
        await again.show()
        await again.say("undo")
        assert json.loads(again.kept[-1])["replies"] == []
        for each in (first, again):
            each.writing.cancel()

    loops.run(sit())


def test_a_page_has_the_first_lesson_and_tells_what_comes_of_an_answer(game: Game) -> None:
    async def sit() -> None:
        here = Sitting(game, record(game, "me", "greedy"))
        await here.show()
        await here.say("lesson")
        assert [each["title"] for each in here.told[-1]["cards"]] == ["The goal", "A turn"]
        question, ask = here.scene["scene"]["question"], here.scene["ask"]
        highest = question["options"][-1]["number"]
        await here.say("foresee", number=highest, ask=ask)
        assert here.told[-1]["type"] == "foreseen"
        assert here.told[-1]["decides"] in ("others", "hidden")
        await here.say("foresee", number=0, ask=ask + 1)  # of another question nothing is told
        assert (here.told[-1]["lines"], here.told[-1]["decides"]) == ([], "")
        before = len(here.told)
        await here.say("foresee", number=999, ask=ask)
        assert len(here.told) == before
        here.writing.cancel()

    loops.run(sit())


def test_people_are_told_once_when_bots_cannot_think(game: Game) -> None:
    async def sit() -> None:
        here = Sitting(game, record(game, "me", "greedy"))
        await here.show()
        for _ in range(3):
            if here.house.table.finished or here.scene["ask"] is None:
                break
            await here.say("reply", number=0, ask=here.scene["ask"])
        notes = [each["text"] for each in here.told if each["type"] == "note"]
        assert len(notes) == 1
        assert "no module" in notes[0]
        assert any(each.seat == 1 for each in here.house.table.replies(99))
        here.writing.cancel()

    loops.run(sit())


def test_a_log_is_played_again_and_checked(game: Game) -> None:
    match = play(game.start(2, seed=(1 << 61) + 1), seed=1, most=4)
    log = match.record(["human", "greedy"], game.files)
    house = Sitting(game, json.dumps({"log": log.text()})).house
    assert house.table.at == 4
    assert [each.bot for each in house.table.seats] == ["", "greedy"]
    assert json.loads(house.log())["replies"] == json.loads(log.text())["replies"]
    assert json.loads(house.branch(2))["replies"] == [list(each) for each in _given(house)[:2]]
    damaged = json.loads(log.text())
    damaged["replies"][1]["choice"] = "no such thing"
    with pytest.raises(Unplayable, match="reply 2"):
        Sitting(game, json.dumps({"log": json.dumps(damaged)}))


def _given(house: House) -> list[tuple[int, int, str]]:
    return [(each.seat, each.option, each.choice) for each in house.table.replies(99)]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "no json",
        '{"rules": "x", "seed": "1", "seats": [{"who": "me"}]}',
        '{"rules": "x", "seed": "1", "seats": [{"who": "me"}, {"who": "friend"}]}',
        '{"rules": "x", "seed": "one", "seats": [{"who": "me"}, {"who": "me"}]}',
        '{"rules": "x", "digest": "y", "seed": "1", "seats": [{"who": "me"}, {"who": "me"}]}',
        '{"rules": "x", "seed": "1", "seats": [{"who": "me"}, {"who": "me"}], "replies": [[0, 1]]}',
        '{"log": "{}"}',
        '{"log": {}}',
    ],
)
def test_what_cannot_be_played_is_refused(game: Game, text: str) -> None:
    with pytest.raises(Unplayable):
        Sitting(game, text)


def test_what_was_kept_is_read_as_it_was(game: Game) -> None:
    kept = StoredGame.read(record(game, "me", "greedy", language="de"), game)
    assert StoredGame.read(kept.text(), game) == kept


@pytest.mark.usefixtures("thoughtful")
def test_bots_think_by_the_module_that_was_published(game: Game) -> None:
    layout = layout_for(game.program, 2)
    code = compile_module(layout, PLAYING).code
    thinker = Thinker(game, {entry_name(layout, PLAYING): code})
    # Elsewhere than in a browser bare code is no kept module: the shelf is asked all the same.
    match = game.start(2, seed=7)
    seat = match.decisions[0].seat or 0
    turn = {"seat": seat, "bot": "random", "ask": 0, "players": 2, "seed": "7"}
    turn |= {"discretion": "quick", "replies": []}
    answer = json.loads(thinker.think(json.dumps(turn)))
    assert answer["number"] < len(match.shown(seat).options)
    wrong = json.loads(thinker.think(json.dumps({**turn, "replies": [[0, 999]]})))
    assert "error" in wrong
    assert thinker.shelf.get(entry_name(layout, PLAYING)) is not None
    assert thinker.shelf.get("another") is None


@pytest.mark.full
@pytest.mark.usefixtures("thoughtful")
def test_a_hint_is_what_a_bot_would_do(game: Game) -> None:
    thinker = Thinker(game, {})

    async def thinking(turn: str) -> str:
        return thinker.think(turn)

    async def sit(think: Callable[[str], Awaitable[str]], most: int) -> None:
        here = Sitting(game, record(game, "me", "random"), think)
        await here.show()
        await here.say("hint")
        (hint,) = [each for each in here.told if each["type"] == "hint"]
        assert hint["ask"] == here.scene["ask"]
        assert bool(hint["options"]) == (most > 0)
        for each in hint["options"]:
            low, high = each["wins"][1:]
            assert 0 <= low <= each["wins"][0] <= high <= 1
        here.writing.cancel()

    loops.run(sit(thinking, 3))
    loops.run(sit(no_thoughts, 0))


def test_bots_are_called_as_strong_as_they_are_in_this_game(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lawspeaker.outside.library", None)  # as in a page
    strengths._built_in.cache_clear()
    try:
        opened(packed(game, {"easy": "mc:100", "hard": "greedy"}))
        assert strengths.level(game.program.name, "greedy") == "hard"
    finally:
        strengths._built_in.cache_clear()
        strengths.brought.clear()


def test_by_mail_each_plays_his_seat_on_his_own_device() -> None:
    nim = opened(packed(lawspeaker.load("nim")))

    async def sit() -> None:
        first = Sitting(nim, record(nim, "me", "me", mail="a" * 24))
        await first.show()
        one = first.scene["seat"]
        assert first.scene["curtain"] is None
        await first.say("reply", number=0, ask=first.scene["ask"])
        assert first.scene["ask"] is None, "now it is somebody else's turn, elsewhere"
        kept = json.loads(first.kept[-1])
        assert kept["mine"] == one
        # A link says who chose what, and nothing else.
        told = [[seat, 0, said] for seat, _, said in kept["replies"]]
        second = Sitting(nim, json.dumps({**kept, "mine": -1, "replies": told}))
        await second.show()
        assert second.scene["seat"] != one
        assert second.scene["ask"] is not None
        with pytest.raises(Unplayable):
            Sitting(nim, json.dumps({**kept, "replies": [[one, 0, "take a thousand"]]}))
        for each in (first, second):
            each.writing.cancel()

    loops.run(sit())


@pytest.mark.parametrize(
    "name, why",
    [("chess", ""), ("nim", ""), ("liars_dice", "hidden"), ("backgammon", "luck")],
)
def test_it_is_known_which_games_need_a_server(name: str, why: str) -> None:
    assert needs_server(lawspeaker.load(name).program) == why
