"""Mails to players for whom a game waits: asked for, confirmed, and ended by one press."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from email import message_from_string, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from lawspeaker.faces.web import mailing
from lawspeaker.faces.web import store as stored
from lawspeaker.faces.web.mailing import Mailing, MailServer, address_of
from lawspeaker.faces.web.pace import Waiting
from lawspeaker.faces.web.seats import Seat
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import DueMail, KeptTable, Store
from tests.web import loops
from tests.web.conftest import House
from tests.web.visitors import Screen, everyone, set_up

URL = "https://games.example.org"


class PostOffice:
    """A mail server in a thread, which takes every mail and keeps it."""

    def __init__(self) -> None:
        self.line = socket.create_server(("127.0.0.1", 0))
        self.port = self.line.getsockname()[1]
        self.mails: list[EmailMessage] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self.line.accept()
            except OSError:
                return
            with peer, peer.makefile("rwb") as talk:
                self._take(talk)

    def _take(self, talk: object) -> None:
        def say(text: str) -> None:
            talk.write(f"{text}\r\n".encode())  # type: ignore[attr-defined]
            talk.flush()  # type: ignore[attr-defined]

        say("220 here")
        while line := talk.readline():  # type: ignore[attr-defined]
            word = line[:4].upper()
            if word == b"DATA":
                say("354 go on")
                text = []
                while (each := talk.readline()) != b".\r\n":  # type: ignore[attr-defined]
                    text.append(each.decode())
                found = message_from_string("".join(text), policy=policy.default)
                assert isinstance(found, EmailMessage)
                self.mails.append(found)
            say("221 bye" if word == b"QUIT" else "250 fine")
            if word == b"QUIT":
                return


@contextmanager
def served(settings: Settings) -> Iterator[tuple[House, PostOffice]]:
    office = PostOffice()
    with closing(office.line), ExitStack() as stack:
        server = MailServer("127.0.0.1", office.port, "games@example.org", URL)
        yield House(replace(settings, mail=server), stack), office


def token_in(mail: EmailMessage) -> str:
    found = re.search(rf"{URL}/mail/(\S{{32}})", mail.get_content())
    assert found
    return found[1]


def confirmed(house: House, office: PostOffice, screen: Screen, address: str) -> str:
    """The token of the mails that go to an address from now on."""
    assert screen.answer_to("mail", address=address)["state"] == "asked"
    token = token_in(office.mails[-1])
    assert house.client.get(f"/mail/{token}").status_code == 200
    assert house.get(f"/api/mail/{token}") == {"state": "asked"}, "a look at it confirms nothing"
    assert house.post(f"/api/mail/{token}", {"wanted": True}) == {"state": "on"}
    return token


def send_mails(house: House) -> int:
    return loops.run(house.web.registry.mailing.tell_all(house.web.registry.store))


def test_whoever_is_waited_for_is_told_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(settings) as (house, office):
        host = set_up(house.post, "nim", ("me", "friend"), language="de")
        screens = [house.connect(host)]
        screens.append(house.connect(everyone(host, screens[0].shown)[1]))
        asked = next(each for each in screens if each.asked)
        other = next(each for each in screens if each is not asked)
        confirmed(house, office, asked, "ann@example.org")
        confirmed(house, office, other, "ben@example.org")
        assert send_mails(house) == 0, "nobody has been waited for so long"
        monkeypatch.setattr(mailing, "TELL_AFTER", -1)
        assert send_mails(house) == 1
        mail = office.mails[-1]
        assert mail["To"] == "ann@example.org"
        assert "Nim" in mail["Subject"]
        text = mail.get_content()
        assert all(each.token not in text for each in screens), "no link to a seat"
        assert re.findall(r"https?://\S+", text) == [f"{URL}/home", f"{URL}/mail/{token_in(mail)}"]
        assert send_mails(house) == 0, "once for each question"
        asked.reply()
        other.see_at(1)
        time.sleep(1.1)
        assert send_mails(house) == 1
        assert office.mails[-1]["To"] == "ben@example.org"
        other.reply()
        asked.see_at(2)
        assert send_mails(house) == 0, "and once in an hour"


def test_nothing_is_sent_before_an_address_was_confirmed_or_after_it_was_stopped(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailing, "TELL_AFTER", -1)
    with served(settings) as (house, office):
        screen = house.connect(set_up(house.post, "nim", ("me", "me")))
        screen.look()
        seat = screen.shown["seat"]
        assert screen.answer_to("mail")["state"] == ""
        assert screen.answer_to("mail", address="ann@example.org")["state"] == "asked"
        assert send_mails(house) == 0
        token = token_in(office.mails[-1])
        assert "Nim" not in office.mails[-1].as_string(), "nor can a stranger be sent any text"
        house.post(f"/api/mail/{token}", {"wanted": True})
        assert screen.answer_to("mail") == {
            "type": "mail",
            "state": "on",
            "address": "ann@example.org",
        }
        one_click = house.client.post(f"/mail/{token}", content="List-Unsubscribe=One-Click")
        assert one_click.status_code == 200
        assert send_mails(house) == 0
        assert house.client.get(f"/api/mail/{token}").status_code == 404
        confirmed(house, office, screen, "ann@example.org")
        assert screen.answer_to("mail", address="-")["state"] == ""
        assert send_mails(house) == 0
        assert screen.shown["seat"] == seat


def test_a_freed_seat_tells_its_former_player_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailing, "TELL_AFTER", -1)
    with served(settings) as (house, office):
        host = set_up(house.post, "nim", ("me", "friend"))
        screen = house.connect(host)
        guest = house.connect(everyone(host, screen.shown)[1])
        token = confirmed(house, office, guest, "ben@example.org")
        screen.say("free", seat=1)
        screen.see(lambda shown: shown["table"]["links"]["seats"])
        assert house.client.get(f"/api/mail/{token}").status_code == 404


def test_onlookers_and_odd_addresses_get_no_mail(settings: Settings) -> None:
    with served(settings) as (house, office):
        host = set_up(house.post, "nim", ("me", "friend"))
        screen = house.connect(host)
        watcher = house.connect(str(everyone(host, screen.shown)[None]))
        assert not watcher.shown["table"]["mails"]
        assert watcher.answer_to("mail", address="a@b.org")["why"]["code"] == "onlooker"
        for odd in ("ann", "ann@", "a@b", "a b@c.org", "a@b.org, c@d.org", "a@b.org\nBcc: c@d.org"):
            assert screen.answer_to("mail", address=odd)["why"]["code"] == "bad_address", odd
        assert office.mails == []


def test_without_a_mail_server_there_are_no_mails(house: House) -> None:
    screen = house.connect(set_up(house.post, "nim", ("me", "friend")))
    assert not screen.shown["table"]["mails"]
    assert screen.answer_to("mail", address="a@b.org")["why"]["code"] == "no_mail"


def test_a_mail_that_cannot_be_sent_says_so(settings: Settings) -> None:
    with served(settings) as (house, office):
        screen = house.connect(set_up(house.post, "nim", ("me", "friend")))
        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        sending = house.web.registry.mailing
        assert sending.server is not None
        sending.server = replace(sending.server, port=port)
        assert screen.answer_to("mail", address="a@b.org")["why"]["code"] == "mail_fails"
        assert office.mails == []
        assert screen.answer_to("mail")["state"] == ""


def test_addresses_are_held_to_limits(settings: Settings) -> None:
    with served(replace(settings, hurry=1.0)) as (house, _):
        screen = house.connect(set_up(house.post, "nim", ("me", "friend")))
        found = [screen.answer_to("mail", address="a@b.org")["type"] for _ in range(3)]
        assert found == ["mail", "mail", "refused"]
    assert address_of("Ann@Example.org") == "Ann@Example.org"
    assert address_of("ä@example.org") is None


def test_seats_that_are_not_waited_for_hide_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "LOOKED_AT", 2)
    found: list[str] = []

    async def tell(self: Mailing, due: DueMail) -> bool:
        found.append(due.token)
        return True

    monkeypatch.setattr(Mailing, "tell", tell)
    with closing(Store(tmp_path)) as store:
        seats = (Seat(True), Seat(True))
        for at, asked in enumerate((1, 1, 1, 0, 1, 1, 0, 1, 0)):
            waiting = Waiting(1, (asked,), (asked,))
            table = KeptTable("d", "nim", 7, "quick", "en", seats, waiting=waiting)
            number = store.add_table(table, (), {})
            store.set_mail(number, 0, f"token {at}", "ann@example.org", "en")
            store.confirm_mail(f"token {at}", True)
        assert loops.run(Mailing(None).tell_all(store)) == 3
        assert loops.run(Mailing(None).tell_all(store)) == 0
    assert found == ["token 3", "token 6", "token 8"]
