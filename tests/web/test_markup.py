"""Names, titles and sentences with markup are words, wherever they are shown or written down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from lawspeaker.faces.web import app
from tests.web.conftest import House, Served
from tests.web.test_connections import connected
from tests.web.visitors import everyone, set_up

MARKUP = "</text><script>alert(1)</script>"
EVIL = "'\\\"><img src=x onerror=alert(1)>"
"""As it is written between double quotes in YAML."""
GAME = f"""lawspeaker: 1
game: evil
title: {{en: "{EVIL}{MARKUP}"}}
players: {{from: 2, to: 2, called: [ann, ben]}}
languages: [en]
pieces:
  stone: {{count: 3, starts in: heap}}
places:
  heap: {{holds: stone, seen by: everyone}}
  box: {{holds: stone, seen by: everyone}}
names:
  stone: {{en: "{EVIL}"}}
  heap: {{en: "{MARKUP}"}}
  ann: {{en: "Ann {EVIL}"}}
rules:
  game:
    says: "{MARKUP}"
    asks: "{EVIL}"
    rule: |
      ann must take: stone in heap
        otherwise: cannot happen
      move stone to box
      ben wins
table:
  across:
    - {{place: heap}}
    - {{place: box}}
"""
UPGRADE = b"Connection: upgrade\r\nUpgrade: %s\r\n\r\n"
ALLOWED = {
    "svg", "g", "rect", "circle", "ellipse", "path", "text", "tspan", "title", "defs", "use",
    "line", "polygon", "polyline", "pattern", "clipPath", "linearGradient", "radialGradient",
    "stop", "symbol", "mask", "desc",
}  # fmt: skip


def test_pictures_of_a_draft_hold_no_markup_of_its_author(house: House) -> None:
    wish = {
        "rules": "",
        "files": [{"name": "game.yaml", "text": GAME}],
        "seats": [{"who": "me", "name": EVIL[:20]}, {"who": "friend"}],
    }
    link = house.post("/api/workshop/table", wish)["link"]
    shown = house.connect(link.removeprefix("/t/")).shown
    assert MARKUP in shown["table"]["title"], "it is told as it is"
    picture = ET.fromstring(shown["scene"]["svg"])
    said = []
    for element in picture.iter():
        said.append(element.text or "")
        assert element.tag.rpartition("}")[2] in ALLOWED
        for name, value in element.attrib.items():
            plain = name.rpartition("}")[2]
            assert not plain.startswith("on")
            assert plain != "style"
            assert plain != "href" or value.startswith(("#", "data:image/"))
    assert any("<img" in text or "<script>" in text for text in said), "it is there, as words"


def test_pages_take_no_text_for_markup() -> None:
    """A script puts texts into a page as texts, and pictures as pictures that the server drew."""
    sinks = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(")
    files = sorted((Path(app.__file__).parent / "static").rglob("*.js"))
    assert len(files) > 10
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not [sink for sink in sinks if sink in text], file.name


def test_names_cannot_be_made_of_signs_that_do_not_show(house: House) -> None:
    hidden = "A\u202enn\u200b\n\x07"
    seats = [{"who": "me", "name": hidden}, {"who": "friend"}]
    link = house.post("/api/tables", {"rules": "nim", "seats": seats})["link"]
    screen = house.connect(link.removeprefix("/t/"))
    assert screen.shown["table"]["seats"][0]["nick"] == "A nn"


@pytest.mark.parametrize("nick", ["\u0410nn", "\uff21nn", "a\u0316\u0317\u0318\u0319\u031c"])
def test_names_must_look_like_what_they_are(house: House, nick: str) -> None:
    seats = [{"who": "me", "name": nick}, {"who": "friend"}]
    answer = house.client.post("/api/tables", json={"rules": "nim", "seats": seats})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "name")


def test_nobody_at_a_table_can_be_taken_for_somebody_else(house: House) -> None:
    """A name in other letters that looks the same, in other capitals, or that of another seat."""
    twice = [{"who": "me", "name": "Coca"}, {"who": "me", "name": "\u0421\u043e\u0441\u0430"}]
    answer = house.client.post("/api/tables", json={"rules": "nim", "seats": twice})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "name")
    seats = [{"who": "me", "name": "Coca"}, {"who": "friend"}]
    host = house.post("/api/tables", {"rules": "nim", "seats": seats})["link"].removeprefix("/t/")
    screen = house.connect(host)
    guest = house.open(everyone(host, screen.shown)[1])
    other = guest.hear()["seats"][0]["name"]
    for nick in ("\u0421\u043e\u0441\u0430", "coca", other):
        told = guest.answer_to("sit", name=nick)
        assert (told["type"], told["code"]) == ("error", "name"), nick
    assert not screen.shown["table"]["seats"][1]["taken"]
    assert guest.answer_to("sit", name="\u0410\u043d\u043d\u0430")["type"] == "seated"
    shown = screen.see(lambda shown: shown["table"]["seats"][1]["taken"])
    assert shown["table"]["seats"][1]["nick"] == "\u0410\u043d\u043d\u0430"


@pytest.mark.full
def test_no_link_is_ever_written_to_the_log(serve: Callable[..., Served]) -> None:
    """Not by the server library either, whatever is asked for."""
    served = serve("--verbose")
    host = set_up(served.post, "nim", ("me", "friend"))
    screen = served.connect(host)
    tokens = everyone(host, screen.shown)
    tokens[1] = served.connect(tokens[1]).token
    for request in (
        b"GET /t/%s HTTP/9.9\r\n\r\n",
        b"GET /t/%s\r\n\r\n",
        b"BREW /ws/%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /ws/%s HTTP/1.1\r\nHost: evil.example\r\n" + UPGRADE % b"websocket",
        b"GET /ws/%s HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE % b"nonsense",
        b"GET /t/%s HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    ):
        with connected(served, 1, request % host.encode()) as lines:
            assert lines[0].recv(4096).startswith(b"HTTP/1.1 ")
    for token in tokens.values():
        served.get(f"/api/scene/{token}")
    written = served.complaints()
    assert "GET /api/scene/{token} 200" in written
    assert not [token for token in tokens.values() if token in written]
    assert "Traceback" not in written
