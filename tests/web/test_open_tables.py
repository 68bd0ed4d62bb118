"""Open tables: the host lists one, strangers ask for a seat, and he lets them in or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from starlette.websockets import WebSocketDisconnect

from lawspeaker.faces.web import guests, messages
from lawspeaker.faces.web.settings import Settings
from tests.web import loops
from tests.web.conftest import House
from tests.web.visitors import Message, Screen, everyone, set_up

SEATS = ("me", "friend", "friend")


@pytest.fixture
def lobby(settings: Settings) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(replace(settings, open_tables=True), stack)


def open_listed_table(
    house: House, rules: str = "walhalla+italian", text: str = "Beginners"
) -> Screen:
    """The host's screen of a table that is listed."""
    host = house.connect(set_up(house.post, rules, SEATS, lobby=True, language="de"))
    host.say("list", listed=True, text=text)
    host.see(lambda shown: shown["table"]["listing"]["listed"])
    return host


def tables(house: House) -> list[Message]:
    return list(house.get("/api/open")["tables"])


def ask_for_seat(house: House, name: str = "Cleo") -> Screen:
    """Somebody who has asked for a seat."""
    (table,) = tables(house)
    guest = house.open(table["link"].removeprefix("/t/"))
    shown = guest.hear()
    assert (shown["type"], shown["listed"]) == ("invite", True)
    assert guest.answer_to("sit", name=name)["type"] == "asked"
    return guest


def answer_guest(host: Screen, admit: bool) -> None:
    host.see(lambda shown: shown["table"]["listing"]["guests"])
    (guest,) = host.shown["table"]["listing"]["guests"]
    host.say("admit", guest=guest["guest"], admit=admit)


def close_code(screen: Screen) -> int:
    with pytest.raises(WebSocketDisconnect) as left:
        screen.hear_until(lambda message: False)
    return int(left.value.code)


def test_a_server_lists_nothing_unless_its_owner_says_so(house: House) -> None:
    host = house.connect(set_up(house.post, "nim"))
    assert "listing" not in host.shown["table"]
    assert host.answer_to("list", listed=True)["why"]["code"] == "no_lobby"
    assert house.get("/api/open") == {"on": False, "tables": []}


def test_a_listed_table_tells_its_rules_and_who_sits_there(lobby: House) -> None:
    host = open_listed_table(lobby, text="Beginners <b>")
    (table,) = tables(lobby)
    assert table["rules"] == "walhalla+italian"
    assert table["text"] == "Beginners <b>", "pages show it as text"
    assert [each["free"] for each in table["seats"]] == [False, True, True]
    assert table["lobby"]
    told = json.dumps(table)
    assert host.token not in told
    assert all(token not in told for token in everyone(host.token, host.shown).values() if token)
    page = lobby.client.get(table["link"])
    assert page.status_code == 200


def test_whoever_is_let_in_has_a_seat_and_a_link_of_his_own(lobby: House) -> None:
    host = open_listed_table(lobby)
    guest = ask_for_seat(lobby)
    assert tables(lobby)[0]["seats"][1]["free"], "nobody sits there before the host has agreed"
    answer_guest(host, admit=True)
    link = guest.hear_until(lambda message: message["type"] == "seated")["link"]
    own = lobby.connect(link.removeprefix("/t/"))
    assert own.shown["you"] == {"seats": [1], "host": False, "watch": False}
    assert "listing" not in own.shown["table"]
    host.see(lambda shown: shown["table"]["seats"][1]["nick"] == "Cleo")
    assert [each["free"] for each in tables(lobby)[0]["seats"]] == [False, False, True]


def test_whoever_is_refused_or_removed_cannot_ask_again(lobby: House) -> None:
    host = open_listed_table(lobby)
    guest = ask_for_seat(lobby)
    link = tables(lobby)[0]["link"].removeprefix("/t/")
    answer_guest(host, admit=False)
    assert close_code(guest) == 4412
    again = lobby.open(link)
    again.hear()
    assert again.answer_to("sit", name="Dan")["code"] == "name"
    host.say("list", listed=False)
    host.see(lambda shown: not shown["table"]["listing"]["listed"])
    assert tables(lobby) == []
    assert close_code(lobby.open(link)) == 4404, "its public link leads nowhere any more"


def test_the_public_link_opens_nothing_of_the_game(lobby: House) -> None:
    open_listed_table(lobby, "walhalla")
    token = tables(lobby)[0]["link"].removeprefix("/t/")
    for path in ("scene", "log", "report"):
        assert lobby.client.get(f"/api/{path}/{token}").status_code == 403
    for path in ("branch", "rules"):
        body = {"after": 0} if path == "branch" else {}
        assert lobby.client.post(f"/api/{path}/{token}", json=body).status_code == 403
    assert lobby.client.get(f"/api/qr/{token}").status_code == 404
    guest = lobby.open(token)
    guest.hear()
    for kind in ("say", "reply", "agree"):
        fields = (
            {"text": "x"} if kind == "say" else {"number": 0, "ask": 0} if kind == "reply" else {}
        )
        assert guest.answer_to(kind, **fields)["type"] == "error"


def test_only_the_host_lists_and_lets_in(lobby: House) -> None:
    host = open_listed_table(lobby)
    friend = lobby.connect(everyone(host.token, host.shown)[1])
    for kind, fields in (("list", {"listed": False}), ("admit", {"guest": 1})):
        assert friend.answer_to(kind, **fields)["why"]["code"] == "host_only"
    assert host.answer_to("admit", guest=99)["why"]["code"] == "guest_gone"
    long = "x" * (guests.LONGEST_NOTE + 1)
    assert host.answer_to("list", listed=True, text=long)["why"]["code"] == "too_wordy"


def test_names_are_held_to_the_same_rules_as_at_an_invitation(lobby: House) -> None:
    host = open_listed_table(lobby)
    lobby.connect(everyone(host.token, host.shown)[1])
    token = tables(lobby)[0]["link"].removeprefix("/t/")
    guest = lobby.open(token)
    guest.hear()
    for name in ("", "  ", "раураl x", "x" * 301):
        assert guest.answer_to("sit", name=name)["type"] == "error"
    told = guest.answer_to("sit", name="y" * 40)
    assert told["type"] == "asked"
    host.see(lambda shown: shown["table"]["listing"]["guests"])
    (asked,) = host.shown["table"]["listing"]["guests"]
    assert len(asked["name"]) == messages.LONGEST_NICK
    guest.leave()
    host.see(lambda shown: not shown["table"]["listing"]["guests"])


def test_full_and_old_tables_are_not_listed(lobby: House, monkeypatch: pytest.MonkeyPatch) -> None:
    host = open_listed_table(lobby, "walhalla")
    for seat in (1, 2):
        lobby.connect(everyone(host.token, host.shown)[seat])
    assert tables(lobby) == []
    host.say("free", seat=2)
    host.see(lambda shown: shown["table"]["links"]["seats"])
    assert len(tables(lobby)) == 1
    monkeypatch.setattr("lawspeaker.faces.web.app.LISTED_FOR", -10)
    assert tables(lobby) == []


def test_visitors_who_wait_are_few_and_asked_addresses_are_forgotten() -> None:
    some = guests.Guests()

    async def fill() -> None:
        found = [some.add(1, "x", f"address {number}") for number in range(12)]
        assert sum(each is not None for each in found) == guests.MOST_GUESTS
        assert some.add(2, "x", "address 1") is not None
        for each in some.at(1):
            some.gone(1, each)
        assert some.at(1) == []
        some.refuse(1, "address 1")
        assert some.add(1, "x", "address 1") is None
        assert some.add(1, "x", "address 2") is not None

    loops.run(fill())


def test_whoever_talks_without_end_while_asking_is_cut_off(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, open_tables=True, hurry=1), stack)
        host = open_listed_table(house)
        guest = ask_for_seat(house)
        for _ in range(200):
            guest.say("ping")
        assert close_code(guest) == 4429
        host.see(lambda shown: not shown["table"]["listing"]["guests"])
        (table,) = tables(house)
        reader = house.open(table["link"].removeprefix("/t/"))
        for at in range(200):
            reader.say("speak", language=("de", "en")[at % 2])
        assert close_code(reader) == 4429
