"""Several people: agreeing on going back and on bots, and sharing one screen."""

from __future__ import annotations

import pytest
from starlette.websockets import WebSocketDisconnect

from lawspeaker.faces.web.seats import invitation
from tests.web.conftest import House
from tests.web.test_playing import seated
from tests.web.visitors import Screen, everyone, play_on, set_up


def first_asked(screens: dict[int, Screen]) -> tuple[Screen, Screen]:
    """Of two, who is asked, and the other."""
    asked = next(screen for screen in screens.values() if screen.asked)
    return asked, next(screen for screen in screens.values() if screen is not asked)


# -------------------------------------------------------------------- going back


def test_what_nobody_has_answered_is_taken_back_at_once(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    asked, other = first_asked(screens)
    question = asked.shown["scene"]["question"]
    asked.reply()
    other.see_at(1)
    asked.say("undo")
    for screen in (asked, other):
        shown = screen.see(lambda scene: scene["at"] == 0)
        assert shown["since"] == 0, "the screen starts anew"
    assert asked.shown["scene"]["question"] == question
    assert asked.reply()["at"] == 1


def test_beyond_the_barrier_the_others_must_agree(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    asked, other = first_asked(screens)
    asked.reply()
    other.see_at(1)
    other.reply()
    asked.see_at(2)
    refused = asked.answer_to("undo")
    assert refused["why"]["code"] == "barred"
    assert refused["why"]["anyway"]
    assert refused["why"]["clause"]
    asked.say("undo", anyway=True)
    proposal = other.see(lambda scene: scene["table"]["proposal"])["table"]["proposal"]
    assert proposal["kind"] == "undo"
    assert proposal["yours"]
    assert not proposal["mine"]
    assert asked.see(lambda scene: scene["table"]["proposal"])["at"] == 2, "nothing is done yet"
    other.say("agree")
    assert other.see(lambda scene: scene["at"] == 0)["table"]["proposal"] is None


def test_one_who_declines_is_enough(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    asked, other = first_asked(screens)
    asked.reply()
    other.see_at(1)
    other.reply()
    asked.see_at(2)
    asked.say("undo", anyway=True)
    other.see(lambda scene: scene["table"]["proposal"])
    other.say("decline")
    assert asked.hear_until(lambda message: message["type"] == "note")["text"]
    assert asked.see(lambda scene: scene["table"]["proposal"] is None)["at"] == 2
    assert other.answer_to("agree")["why"]["code"] == "nothing_proposed"


def test_a_proposal_to_go_back_ends_when_the_game_goes_on(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    asked, other = first_asked(screens)
    asked.reply()
    other.see_at(1)
    other.reply()
    asked.see_at(2)
    asked.say("undo", anyway=True)
    asked.see(lambda scene: scene["table"]["proposal"])
    asked.reply()
    assert other.see_at(3)["table"]["proposal"] is None
    assert other.answer_to("agree")["why"]["code"] == "nothing_proposed"


def test_alone_against_bots_one_may_always_go_back(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "random"))
    screen = house.connect(host)
    screen.reply()
    screen.see(lambda scene: scene["ask"] is not None and scene["at"] == 2)
    assert screen.answer_to("undo")["why"]["code"] == "barred"
    screen.say("undo", anyway=True)
    shown = screen.see(lambda scene: scene["at"] == 0)
    assert shown["ask"] == 0


def test_who_has_given_no_reply_has_nothing_to_take_back(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    asked, other = first_asked(screens)
    assert not asked.shown["table"]["undo"]
    asked.reply()
    assert asked.shown["table"]["undo"]
    other.see_at(1)
    assert other.answer_to("undo")["why"]["code"] == "nothing"
    assert other.answer_to("undo", anyway=True)["why"]["code"] == "nothing"


# -------------------------------------------------------------------- bots for people


def test_a_bot_takes_the_seat_of_who_is_away_and_gives_it_back(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "friend"))
    screen = house.connect(host)
    friend = everyone(host, screen.shown)[1]
    screen.say("bot", seat=1, strength="random")
    shown = screen.see(lambda scene: scene["table"]["seats"][1]["who"] == "bot")
    assert shown["table"]["seats"][1]["person"]
    screen.reply()
    screen.see(lambda scene: scene["at"] == 2)
    back = house.connect(friend)
    screen.see(lambda scene: scene["table"]["seats"][1]["here"])
    back.say("back", seat=1)
    back.see(lambda scene: scene["table"]["seats"][1]["who"] == "person")
    screen.reply()
    shown = back.see(lambda scene: scene["ask"] is not None)
    assert shown["at"] == 3


def test_those_who_are_here_must_agree_to_a_bot(house: House) -> None:
    host = set_up(house.post, "walhalla", ("me", "friend", "friend"))
    screen = house.connect(host)
    tokens = everyone(host, screen.shown)
    friend = house.connect(tokens[1])
    assert friend.answer_to("bot", seat=2, strength="random")["why"]["code"] == "host_only"
    screen.see(lambda scene: scene["table"]["seats"][1]["here"])
    assert screen.answer_to("bot", seat=1, strength="random")["why"]["code"] == "is_here"
    assert screen.answer_to("bot", seat=9, strength="random")["why"]["code"] == "no_seat"
    assert screen.answer_to("bot", seat=2, strength="oracle")["why"]["code"] == "no_seat"
    screen.say("bot", seat=2, strength="random")
    friend.see(lambda scene: scene["table"]["proposal"])
    assert friend.shown["table"]["seats"][2]["who"] == "person"
    friend.say("agree")
    screen.see(lambda scene: scene["table"]["seats"][2]["who"] == "bot")


def test_nobody_takes_a_seat_that_is_not_his(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    for kind in ("back", "face"):
        assert screens[0].answer_to(kind, seat=1)["why"]["code"] == "not_yours"


def test_others_propose_a_bot_once_the_host_is_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = set_up(house.post, "nim", ("me", "friend"))
    screen = house.connect(host)
    friend = house.connect(everyone(host, screen.shown)[1])
    watcher = house.connect(screen.shown["table"]["links"]["watch"].split("/")[-1])
    assert not friend.shown["table"]["host_away"]
    screen.line.close()
    friend.see(lambda scene: scene["table"]["host_away"])
    assert friend.answer_to("bot", seat=0, strength="random")["why"]["code"] == "replace_later"
    monkeypatch.setattr("lawspeaker.faces.web.channel.REPLACE_AFTER", 0)
    assert watcher.answer_to("bot", seat=0, strength="random")["why"]["code"] == "host_only"
    friend.say("bot", seat=0, strength="random")
    friend.see(lambda scene: scene["table"]["seats"][0]["who"] == "bot")
    friend.see(lambda scene: scene["ask"] is not None)  # and the game goes on
    again = house.connect(host)
    again.say("back", seat=0)
    again.see(lambda scene: scene["table"]["seats"][0]["who"] == "person")


def until_asked(seat: int, screens: dict[int, Screen]) -> None:
    """Everyone replies until a seat is asked."""
    while not screens[seat].asked:
        next(each for each in screens.values() if each.asked).reply()
        for each in screens.values():
            each.see_at(max(screen.shown["at"] for screen in screens.values()))


def test_others_hand_on_the_seat_of_an_absent_player_without_the_host(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = set_up(house.post, "walhalla", ("me", "friend", "friend"))
    screen = house.connect(host)
    tokens = everyone(host, screen.shown)
    ben, cy = house.connect(tokens[1]), house.connect(tokens[2])
    watcher = house.connect(str(tokens[None]))
    until_asked(0, {0: screen, 1: ben, 2: cy})
    assert ben.answer_to("hand_on", seat=0)["why"]["code"] == "host_only", "the host is here"
    screen.leave()
    cy.see(lambda scene: scene["table"]["host_away"])
    ben.see(lambda scene: scene["table"]["host_away"])
    assert ben.answer_to("hand_on", seat=0)["why"]["code"] == "hand_on_later"
    monkeypatch.setattr("lawspeaker.faces.web.channel.HAND_ON_AFTER", 0)
    assert watcher.answer_to("hand_on", seat=0)["why"]["code"] == "host_only"
    assert ben.answer_to("hand_on", seat=2)["why"]["code"] == "is_here"
    for seat in (1, 7):
        assert ben.answer_to("hand_on", seat=seat)["why"]["code"] == "no_seat"
    ben.say("hand_on", seat=0)
    proposal = cy.see(lambda scene: scene["table"]["proposal"])["table"]["proposal"]
    assert (proposal["kind"], proposal["yours"]) == ("seat", True)
    assert "links" not in ben.shown["table"], "nobody has agreed yet"
    cy.say("agree")
    links = ben.see(lambda scene: "links" in scene["table"])["table"]["links"]
    assert list(links) == ["seats"], "the onlookers' link is the host's"
    assert "links" not in cy.see(lambda scene: not scene["table"]["proposal"])["table"]
    dan = house.connect(links["seats"]["0"].removeprefix("/t/"))
    assert dan.shown["you"] == {"seats": [0], "host": False, "watch": False}
    assert dan.asked
    again = house.connect(host)
    assert again.shown["you"] == {"seats": [], "host": True, "watch": False}
    assert again.shown["table"]["links"]["seats"] == {}
    again.say("free", seat=0)
    assert list(
        again.see(lambda scene: scene["table"]["links"]["seats"])["table"]["links"]["seats"]
    ) == ["0"]
    assert close_code(dan) == 4411


def test_who_comes_back_keeps_his_seat(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    host = set_up(house.post, "walhalla", ("me", "friend", "friend"))
    screen = house.connect(host)
    tokens = everyone(host, screen.shown)
    ben, cy = house.connect(tokens[1]), house.connect(tokens[2])
    until_asked(0, {0: screen, 1: ben, 2: cy})
    screen.leave()
    ben.see(lambda scene: scene["table"]["host_away"])
    monkeypatch.setattr("lawspeaker.faces.web.channel.HAND_ON_AFTER", 0)
    ben.say("hand_on", seat=0)
    cy.see(lambda scene: scene["table"]["proposal"])
    house.connect(host)
    ben.see(lambda scene: scene["table"]["proposal"] is None)
    assert cy.answer_to("agree")["why"]["code"] == "nothing_proposed"


def test_who_lets_a_bot_play_for_himself_needs_nobody(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    asked, other = first_asked(screens)
    seat = asked.shown["seat"]
    asked.say("bot", seat=seat, strength="random")
    assert other.see(lambda scene: scene["ask"] is not None)["at"] == 1
    refused = asked.answer_to("reply", number=0, ask=1)
    assert refused["type"] == "refused"


# -------------------------------------------------------------------- one screen for several


def test_a_curtain_falls_before_another_player_is_asked(house: House) -> None:
    screen = house.connect(set_up(house.post, "kuhn_poker", ("me", "me"), seed=3))
    assert screen.shown["seat"] is None
    assert screen.shown["curtain"] == 0
    assert screen.shown["scene"]["question"] is None, "nothing is told behind the curtain"
    refused = screen.answer_to("reply", number=0, ask=0)
    assert refused["why"]["code"] == "not_asked"
    screen.say("face", seat=0)
    shown = screen.see(lambda scene: scene["seat"] == 0)
    assert shown["curtain"] is None
    shown = screen.reply()
    assert (shown["seat"], shown["curtain"]) == (None, 1)
    screen.say("face", seat=0)
    assert screen.hear()["curtain"] == 1, "who is not asked does not open it"
    screen.say("face", seat=1)
    assert screen.see(lambda scene: scene["seat"] == 1)["ask"] == 1


def test_at_one_screen_everything_may_be_saved_and_branched(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "me"), seed=1)
    screen = house.connect(host)
    for at in range(3):
        screen.look()
        screen.see(lambda scene: scene["seat"] is not None)
        screen.reply()
        assert screen.shown["at"] == at + 1
    log = house.get(f"/api/log/{host}")
    assert len(log["replies"]) == 3
    link = house.post(f"/api/branch/{host}", {"after": 2})["link"]
    branch = house.connect(link.removeprefix("/t/"))
    assert branch.shown["at"] == 2
    assert branch.shown["seat"] == log["replies"][2]["seat"]
    screen.see_at(3)


def test_a_finished_game_is_branched_with_other_players(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    play_on(screens)
    links = screens[0].shown["table"]["links"]
    watch = links["watch"].removeprefix("/watch/")
    seats = [{"who": "me"}, {"who": "random"}]
    answer = house.post(f"/api/branch/{watch}", {"after": 1, "seats": seats})
    branch = house.connect(answer["link"].removeprefix("/t/"))
    assert branch.shown["at"] >= 1
    bad = house.client.post(f"/api/branch/{watch}", json={"after": 99})
    assert bad.status_code == 400


# -------------------------------------------------------------------- invitations


def test_an_invitation_is_not_a_seat_until_it_is_accepted(house: House) -> None:
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    screen = house.connect(host)
    invitation = everyone(host, screen.shown)[1]
    looking = house.open(invitation)
    shown = looking.hear()
    assert shown["type"] == "invite"
    assert shown["name"]
    assert "scene" not in shown
    assert looking.answer_to("reply", number=0, ask=0)["type"] == "error"
    assert looking.answer_to("ping")["type"] == "pong"
    for path in ("scene", "log"):
        assert house.client.get(f"/api/{path}/{invitation}").status_code == 403
    assert not screen.shown["table"]["seats"][1]["here"]


def test_who_accepts_an_invitation_has_a_link_that_the_host_does_not_know(house: House) -> None:
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    screen = house.connect(host)
    invitation = everyone(host, screen.shown)[1]
    late = house.open(invitation)
    assert late.hear()["type"] == "invite"
    friend = house.connect(invitation)
    assert friend.shown["seat"] == 1
    screen.see(lambda shown: shown["table"]["seats"][1]["taken"])
    assert screen.shown["table"]["links"]["seats"] == {}
    assert friend.token not in "".join(screen.texts)
    late.say("sit", name="Late")
    assert close_code(late) == 4410
    assert close_code(house.open(invitation)) == 4410, "it was used, and not only unknown"
    page = house.client.get(f"/t/{invitation}")
    assert page.status_code == 410
    assert 'data-words="used"' in page.text


def test_an_invitation_says_who_sits_already_and_for_whom_it_is(house: House) -> None:
    seats = [{"who": "me"}, {"who": "friend", "name": "Ben"}, {"who": "friend", "name": "Cleo"}]
    more = {"language": "de", "clock": 600, "discreet": True, "lobby": True}
    made = house.post("/api/tables", {"rules": "walhalla", "seats": seats, **more})
    host = house.connect(made["link"].removeprefix("/t/"))
    links = everyone(host.token, host.shown)
    looking = house.open(links[2])
    shown = looking.hear()
    assert [each["sits"] for each in shown["seats"]] == [True, False, False]
    assert shown["seats"][shown["seat"]]["nick"] == "Cleo"
    assert (shown["clock"], shown["discreet"], shown["language"]) == (600, True, "de")
    house.connect(links[1])
    looking.say("language", language="fr")
    again = looking.hear()
    assert [each["sits"] for each in again["seats"]] == [True, True, False]
    assert again["language"] == "fr"
    assert again["name"] != shown["name"]
    assert looking.answer_to("sit", name="Cleo")["type"] == "seated"


def test_a_guest_is_spoken_to_as_chosen_then_as_his_browser_then_as_the_table(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "friend"), language="de")
    links = everyone(host, house.connect(host, "?browser=fr").shown)

    def spoken(token: str | None, query: str) -> str:
        found = house.open(str(token), query).hear_until(lambda each: "seat" in each)
        return str(found.get("language") or found["table"]["language"])

    assert spoken(links[1], "?browser=xx,it,fr") == "it"
    assert spoken(links[1], "?language=en&browser=it") == "en"
    assert spoken(links[1], "?browser=xx") == "de"
    assert spoken(links[None], "?browser=fr") == "fr"
    assert spoken(host, "?browser=fr") == "de", "the host has chosen the language of the table"
    watched = house.get(f"/api/scene/{links[None]}?browser=fr")
    assert watched["table"]["language"] == "fr"


def test_a_name_is_shown_to_all(house: House) -> None:
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    screen = house.connect(host)
    looking = house.open(everyone(host, screen.shown)[1])
    looking.hear()
    looking.answer_to("sit", name="  Bob <b>\n" + "x" * 100)
    shown = screen.see(lambda shown: shown["table"]["seats"][1]["taken"])
    nick = shown["table"]["seats"][1]["nick"]
    assert nick.startswith("Bob <b>")
    assert len(nick) <= 24
    assert "\n" not in nick


def test_the_host_can_give_a_seat_to_somebody_else(house: House) -> None:
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    screen = house.connect(host)
    first = house.connect(everyone(host, screen.shown)[1])
    assert first.answer_to("free", seat=0)["why"]["code"] == "host_only"
    for seat in (0, 7):
        assert screen.answer_to("free", seat=seat)["why"]["code"] == "no_seat"
    screen.say("free", seat=1)
    heard = len(first.texts)
    assert close_code(first) == 4411
    assert not any('"note"' in each for each in first.texts[heard:]), "one thing is told, not two"
    assert screen.hear_until(lambda message: message["type"] == "note")["text"]
    assert close_code(house.open(first.token)) == 4404
    screen.see(lambda shown: shown["table"]["links"]["seats"])
    second = house.connect(everyone(host, screen.shown)[1])
    assert second.shown["seat"] == 1


def close_code(screen: Screen) -> int:
    """The code with which a connection ends."""
    with pytest.raises(WebSocketDisconnect) as gone:
        screen.hear_until(lambda message: False)
    return gone.value.code


def test_a_proposal_for_a_bot_ends_when_the_player_is_back(house: House) -> None:
    host = set_up(house.post, "walhalla", ("me", "friend", "friend"))
    screen = house.connect(host)
    tokens = everyone(host, screen.shown)
    house.connect(tokens[1])
    screen.see(lambda shown: shown["table"]["seats"][1]["here"])
    screen.say("bot", seat=2, strength="random")
    screen.see(lambda shown: shown["table"]["proposal"])
    house.connect(tokens[2])
    screen.see(lambda shown: shown["table"]["seats"][2]["here"])
    shown = screen.see(lambda shown: shown["table"]["proposal"] is None)
    assert shown["table"]["seats"][2]["who"] == "person"


def test_whoever_comes_or_goes_is_called_so_at_once_on_all_screens(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lawspeaker.faces.web.table_registry.secrets.randbits", lambda _: 5)
    host = house.connect(set_up(house.post, "stowaways", ("me", "friend", "friend")))
    links = everyone(host.token, host.shown)
    before = host.shown["scene"]["question"]["options"]
    looking = house.open(links[1])
    looking.hear()
    looking.answer_to("sit", name="Tom")
    shown = host.see(lambda shown: shown["scene"]["players"][1]["name"] == "Tom")
    called = [each["name"] for each in shown["scene"]["question"]["options"]]
    assert any("Tom" in each for each in called)
    host.say("free", seat=1)
    shown = host.see(lambda shown: shown["scene"]["players"][1]["name"] != "Tom")
    assert shown["scene"]["question"]["options"] == before


# -------------------------------------------------------------------- the same again


def test_who_has_played_is_invited_to_the_same_again_where_he_is(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    watcher = house.connect(str(everyone(screens[0].token, screens[0].shown)[None]))
    fresh = set_up(house.post, "nim", ("me", "friend"))
    refused = screens[1].answer_to("rematch", link=f"/t/{fresh}")
    assert refused["code"] == "bad_message"  # the game is not over
    while not all(each.shown["table"]["finished"] for each in screens.values()):
        asked, other = first_asked(screens)
        at = asked.shown["at"]
        asked.reply()
        other.see_at(at + 1)
    for bad in ("/t/nonsense", f"/t/{invitation(fresh, 1)}"):
        assert screens[0].answer_to("rematch", link=bad)["code"] == "bad_message"
    screens[0].say("rematch", link=f"/t/{fresh}")
    told = screens[1].see(lambda shown: bool(shown["table"].get("rematch")))["table"]["rematch"]
    assert (told["by"], told["links"]) == (0, [f"/t/{invitation(fresh, 1)}"])
    own = screens[0].see(lambda shown: bool(shown["table"].get("rematch")))["table"]["rematch"]
    assert own["links"] == []
    late = set_up(house.post, "nim", ("friend", "me"))
    screens[1].say("rematch", link=f"/t/{late}")  # both wanted to: the first table counts
    screens[1].say("ping")
    screens[1].hear_until(lambda message: message["type"] == "pong")
    assert screens[1].shown["table"]["rematch"] == told
    watcher.see(lambda shown: bool(shown["table"].get("rematch")))
    assert all(fresh not in text and invitation(fresh, 1) not in text for text in watcher.texts)
    guest = house.connect(invitation(fresh, 1))
    assert guest.shown["you"]["seats"] == [1]
