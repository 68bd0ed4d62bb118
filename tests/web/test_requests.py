"""Requests: headers, hosts and origins, sizes, what is wrong with a wish, and clean log lines."""

from __future__ import annotations

import logging
import re
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from lawspeaker.faces.web.app import AtItsOwner, guarded
from lawspeaker.faces.web.buckets import Bucket
from lawspeaker.faces.web.messages import LARGEST_BODY
from lawspeaker.faces.web.security import HEADERS, HostNames, RequestGuard, same_origin
from lawspeaker.faces.web.settings import Settings
from tests.web.conftest import ROOT, House
from tests.web.loops import run
from tests.web.visitors import everyone, set_up

NOWHERE = "A" * 32
TWO = [{"who": "me"}, {"who": "friend"}]


# -------------------------------------------------------------------- headers


@pytest.mark.parametrize(
    "path",
    ["/healthz", "/api/games", f"/api/scene/{NOWHERE}", "/nothing/here", "/static/nothing.js"],
)
def test_every_answer_has_the_headers(house: House, path: str) -> None:
    answer = house.client.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "no-" in answer.headers["cache-control"]
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("fails", [False, True])
def test_who_leaves_before_anything_is_answered_is_no_error(
    fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    class Fails(Exception):
        pass

    async def left(scope: Scope, receive: Receive, send: Send) -> None:
        if fails:
            raise Fails

    async def nothing(*_: object) -> Any:
        return {"type": "http.disconnect"}

    guard = RequestGuard(left, HostNames.of("localhost", ()), LARGEST_BODY)
    headers = [(b"host", b"localhost")]
    request = {"method": "GET", "path": "/static", "headers": headers, "scheme": "http"}
    scope: Scope = {"type": "http", "client": ("127.0.0.1", 1), **request}
    caplog.set_level(logging.INFO, "lawspeaker.web")
    with suppress(Fails):
        run(guard(scope, nothing, nothing))
    (told,) = caplog.records
    assert told.levelno == (logging.ERROR if fails else logging.INFO)
    assert ("500" if fails else "left") in told.getMessage()


def test_a_fault_of_ours_has_the_headers_too(house: House, monkeypatch: Any) -> None:
    def broken() -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(house.web.registry.catalogue, "listing", broken)
    house.client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    answer = house.client.get("/api/games")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "our_fault"
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy
    assert policy.startswith("default-src 'none'")


# -------------------------------------------------------------------- hosts and origins


@pytest.mark.parametrize(
    "path", ["/api/tables", "/api/drafts", "/api/workshop/table", "/api/comparison", "/api/mix"]
)
@pytest.mark.parametrize("sent", [b"", b'{"rules": "ni'])
def test_who_leaves_in_the_middle_of_a_body_is_no_error(
    house: House, path: str, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    coming = [{"type": "http.request", "body": sent, "more_body": True}]
    answered: list[Message] = []

    async def receive() -> Message:
        return coming.pop() if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answered.append(message)

    headers = [(b"host", b"localhost"), (b"content-length", b"100")]
    request = {"method": "POST", "path": path, "headers": headers, "scheme": "http"}
    scope: Scope = {"type": "http", "client": ("127.0.0.1", 1), "query_string": b"", **request}
    caplog.set_level(logging.INFO, "lawspeaker.web")
    run(guarded(house.web)(scope, receive, send))
    assert answered[0]["status"] == 400
    assert not [each for each in caplog.records if each.levelno > logging.INFO]


def test_half_a_character_is_refused_wherever_it_comes_from(house: House) -> None:
    headers = {"content-type": "application/json"}
    for path in ("/api/tables", "/api/drafts"):
        answer = house.client.post(path, content=b'{"rules": "\\ud800"}', headers=headers)
        assert answer.status_code == 400
        assert "surrogate" in answer.json()["error"]["message"]
    host = set_up(house.post, "nim", ("me", "friend"))
    screen = house.connect(host)
    told = screen.answer_to("say", text="\ud800")
    assert (told["type"], told["code"]) == ("error", "bad_message")
    assert "surrogate" in told["message"]


def host_headers(*hosts: str) -> Headers:
    return Headers(raw=[(b"host", host.encode("latin-1")) for host in hosts])


@pytest.mark.parametrize(
    "hosts, known",
    [
        (["localhost"], True),
        (["localhost:8000"], True),
        (["127.0.0.1:1"], True),
        (["[::1]:8000"], True),
        (["[::1]"], True),
        (["LOCALHOST"], True),
        (["evil.example"], False),
        (["evil.example:8000"], False),
        (["192.168.0.7"], False),
        ([], False),
        ([""], False),
        (["["], False),
        (["[]"], False),
        (["::1"], False),
        (["[localhost]"], False),
        (["[::1%lo]"], False),
        (["[::1]8000"], False),
        (["localhost."], False),
        (["localhost:"], False),
        (["localhost:80:80"], False),
        (["localhost:65535"], True),
        (["localhost:65536"], False),
        (["localhost:99999"], False),
        (["localhost:0"], False),
        (["localhost:00000"], False),
        (["localhost:123456"], False),
        (["localhost:8\xb2"], False),
        (["localhost:http"], False),
        (["localhost:-1"], False),
        (["user@localhost"], False),
        (["evil.example@localhost"], False),
        (["localhost@evil.example"], False),
        (["user:secret@localhost:8000"], False),
        (["localhost/"], False),
        (["localhost/path"], False),
        (["localhost?query"], False),
        (["localhost#part"], False),
        (["localhost\\evil.example"], False),
        (["localhost evil.example"], False),
        ([" localhost"], False),
        (["localhost,evil.example"], False),
        (["//localhost"], False),
        (["http://localhost"], False),
        (["127.1"], False),
        (["2130706433"], False),
        (["0x7f000001"], False),
        (["l\u00f6calhost"], False),
        (["localhost", "localhost"], False),
        (["localhost", "evil.example"], False),
        (["evil.example", "localhost"], False),
    ],
)
def test_a_server_for_this_machine_goes_by_its_names_only(hosts: list[str], known: bool) -> None:
    assert HostNames.of("127.0.0.1", ()).have(host_headers(*hosts)) == known


def test_a_server_for_others_goes_by_addresses_and_the_names_it_is_given() -> None:
    names = HostNames.of("0.0.0.0", ["Games.example"])
    assert names.have(host_headers("192.168.0.7:8000"))
    assert names.have(host_headers("[fe80::7]:8000"))
    assert names.have(host_headers("games.example"))
    assert not names.have(host_headers("evil.example"))
    assert not names.have(host_headers("192.168.0.7.evil.example"))
    assert HostNames.of("Games.example", ()).have(host_headers("games.example"))


@pytest.mark.parametrize(
    "host", ["evil.example", "user@localhost", "localhost/path", "localhost:99999"]
)
def test_another_host_is_refused(house: House, host: str) -> None:
    answer = house.client.get("/healthz", headers={"host": host})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "unknown_host"
    assert "--name" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "headers, same",
    [
        ([], True),
        ([("origin", "http://localhost")], True),
        ([("origin", "http://localhost:80")], True),
        ([("origin", "https://localhost")], True),
        ([("origin", "http://localhost:81")], False),
        ([("origin", "http://LOCALHOST")], True),
        ([("origin", "HTTP://localhost")], False),
        ([("origin", "http://evil.example")], False),
        ([("origin", "null")], False),
        ([("origin", "")], False),
        ([("origin", "localhost")], False),
        ([("origin", "http://")], False),
        ([("origin", "http://[")], False),
        ([("origin", "ftp://localhost")], False),
        ([("origin", "file://localhost")], False),
        ([("origin", "ws://localhost")], False),
        ([("origin", "javascript://localhost")], False),
        ([("origin", "http://user@localhost")], False),
        ([("origin", "http://evil.example@localhost")], False),
        ([("origin", "http://localhost@evil.example")], False),
        ([("origin", "http://localhost/")], False),
        ([("origin", "http://localhost/path")], False),
        ([("origin", "http://localhost?query")], False),
        ([("origin", "http://localhost.")], False),
        ([("origin", "http://localhost:")], False),
        ([("origin", "http://localhost.evil.example")], False),
        ([("origin", "http://localhost http://evil.example")], False),
        ([("origin", "http://localhost, http://evil.example")], False),
        ([("origin", "http://localhost"), ("origin", "http://localhost")], False),
        ([("origin", "http://localhost"), ("origin", "http://evil.example")], False),
        ([("origin", "http://evil.example"), ("origin", "http://localhost")], False),
        ([("sec-fetch-site", "cross-site")], False),
        ([("sec-fetch-site", "same-site")], False),
        ([("sec-fetch-site", "")], False),
        ([("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")], False),
        ([("sec-fetch-site", "same-origin")], True),
        ([("sec-fetch-site", "same-origin"), ("origin", "http://evil.example")], False),
    ],
)
def test_what_changes_something_must_come_from_here(
    house: House, headers: list[tuple[str, str]], same: bool
) -> None:
    raw = [(name.encode(), value.encode()) for name, value in [("host", "localhost"), *headers]]
    assert same_origin(Headers(raw=raw), "http") == same
    body = {"rules": "nim", "seats": TWO}
    answer = house.client.post("/api/tables", json=body, headers=headers)
    assert answer.status_code == (201 if same else 403)
    if not same:
        assert answer.json()["error"]["code"] == "wrong_origin"


def test_a_page_that_came_in_the_open_may_not_speak_to_a_secured_server() -> None:
    plain = Headers({"host": "games.example", "origin": "http://games.example"})
    secured = Headers({"host": "games.example", "origin": "https://games.example"})
    assert [same_origin(plain, scheme) for scheme in ("http", "ws", "https", "wss")] == [
        True,
        True,
        False,
        False,
    ]
    assert all(same_origin(secured, scheme) for scheme in ("http", "ws", "https", "wss"))


@pytest.mark.parametrize("page", ["http://evil.example", "http://user@localhost", "null"])
def test_a_socket_from_another_page_is_refused(house: House, page: str) -> None:
    token = set_up(house.post)
    path = f"ws://localhost/ws/{token}"
    origin = {"origin": page}
    with pytest.raises(WebSocketDisconnect), house.client.websocket_connect(path, headers=origin):
        pass


def test_a_link_that_leads_nowhere(house: House) -> None:
    for token in (NOWHERE, "x", "a" * 5000):
        with house.client.websocket_connect(f"ws://localhost/ws/{token}") as socket:
            with pytest.raises(WebSocketDisconnect) as gone:
                socket.receive_text()
            assert gone.value.code == 4404
        for path in (f"/api/scene/{token}", f"/api/log/{token}"):
            assert house.client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["..%2fapp.py", "%2e%2e/app.py", "....//app.py", "%00", "js"])
def test_nothing_but_the_files_of_the_pages_is_served(house: House, path: str) -> None:
    answer = house.client.get(f"/static/{path}")
    assert answer.status_code == 404
    assert "import" not in answer.text


# -------------------------------------------------------------------- wishes


@pytest.mark.parametrize(
    "body, code",
    [
        ({}, "bad_message"),
        ({"rules": 7, "seats": TWO}, "bad_message"),
        ({"rules": "nim", "seats": []}, "bad_message"),
        ({"rules": "nim", "seats": ["me"]}, "bad_message"),
        ({"rules": "nim", "seats": TWO, "admin": True}, "bad_message"),
        ({"rules": "nim", "seats": [{"who": "me", "name": "x" * 25}, TWO[1]]}, "bad_message"),
        ({"rules": "nim", "seats": TWO, "discreet": 1}, "bad_message"),
        ({"rules": "nim", "seats": [{"who": "me"}], "seed": -1}, "bad_message"),
        ({"rules": "nim", "seats": [{"who": "me"}], "seed": 1 << 70}, "bad_message"),
        ({"rules": "nim", "seats": TWO * 2}, "seats"),
        ({"rules": "nim", "seats": [{"who": "oracle"}, *TWO[1:]]}, "seats"),
        ({"rules": "nim", "seats": TWO, "seed": 1}, "seed"),
        ({"rules": "nimm", "seats": TWO}, "unknown_rules"),
        ({"rules": "", "seats": TWO}, "unknown_rules"),
        ({"rules": "rules/nim/game.yaml", "seats": TWO}, "unknown_rules"),
        ({"rules": "../../x", "seats": TWO}, "unknown_rules"),
        ({"rules": "walhalla+italien", "seats": TWO}, "unknown_rules"),
        ({"rules": "walhalla+long_peninsulas(x)", "seats": TWO}, "unknown_rules"),
        ({"rules": "walhalla+../italian", "seats": TWO}, "unknown_rules"),
        ({"rules": "walhalla+no_exodus+exodus_first", "seats": TWO}, "bad_rules"),
        ({"rules": "walhalla+long_peninsulas(1, 2, 3)", "seats": TWO}, "bad_rules"),
    ],
)
def test_a_wish_that_cannot_be_met_is_answered(
    house: House, body: dict[str, Any], code: str
) -> None:
    answer = house.client.post("/api/tables", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code
    assert answer.json()["error"]["message"]


def test_a_near_name_is_suggested(house: House) -> None:
    answer = house.client.get("/api/rules", params={"name": "walhalla+italien"})
    assert answer.status_code == 404
    assert "did you mean 'italian'?" in answer.json()["error"]["message"]


def test_a_body_has_a_largest_size(house: House) -> None:
    answer = house.client.post("/api/tables", content=b"x" * LARGEST_BODY)
    assert answer.status_code == 400
    answer = house.client.post("/api/tables", content=b"x" * (LARGEST_BODY + 1))
    assert answer.status_code == 413

    def endless() -> Any:
        for _ in range(LARGEST_BODY // 1024 + 2):
            yield b"x" * 1024

    answer = house.client.post("/api/tables", content=endless())
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


def test_nobody_may_ask_without_end(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, hurry=1), stack)
        codes = [house.client.post("/api/tables", content=b"{}").status_code for _ in range(40)]
    assert codes[0] == 400
    assert codes[-1] == 429


def test_a_screen_that_talks_without_end_is_cut_off(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, hurry=1), stack)
        screen = house.connect(set_up(house.post))
        for _ in range(200):
            screen.say("ping")
        with pytest.raises(WebSocketDisconnect) as gone:
            screen.hear_until(lambda message: False)
    assert gone.value.code == 4429


def test_one_address_may_connect_so_often(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, most_of_one=3), stack)
        token = set_up(house.post)
        for _ in range(3):
            house.connect(token)
        with pytest.raises(WebSocketDisconnect) as gone:
            house.connect(token)
    assert gone.value.code == 4429


def test_what_takes_long_may_be_asked_for_less_often(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, hurry=0.1), stack)
        codes = [house.client.get("/api/rules?name=x").status_code for _ in range(12)]
        assert (codes[0], codes[-1]) == (404, 429)
        assert house.client.get("/healthz").status_code == 200


def test_a_bucket_fills_again() -> None:
    bucket = Bucket.full(burst=2, rate=1, now=0)
    assert [bucket.take(0) for _ in range(3)] == [True, True, False]
    assert bucket.take(1)
    assert not bucket.take(1.5)
    assert [bucket.take(100) for _ in range(3)] == [True, True, False]


def test_a_table_has_room_for_so_many(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, most_sockets=2), stack)
        token = set_up(house.post)
        house.connect(token)
        house.connect(token)
        with pytest.raises(WebSocketDisconnect):
            house.connect(token)


def test_there_is_room_for_so_many_tables(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, most_tables=1), stack)
        set_up(house.post)
        answer = house.client.post("/api/tables", json={"rules": "nim", "seats": TWO})
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "full"


# -------------------------------------------------------------------- what is offered


def test_the_catalogue_names_games_variants_and_conflicts(house: House) -> None:
    found = house.get("/api/games")
    games = {each["name"]: each for each in found["games"]}
    assert games["nim"]["players"] == [2]
    assert "greedy" in found["bots"]
    assert "de" in found["languages"]
    variants = {each["name"]: each for each in games["walhalla"]["variants"]}
    assert variants["no_exodus"]["conflicts"] == ["exodus_first"]
    assert variants["italian"]["layer"] == "edition"
    assert [each["name"] for each in variants["long_peninsulas"]["parameters"]] == [
        "left",
        "middle",
        "right",
    ]


@pytest.mark.full
def test_what_a_table_agrees_on_is_told_in_words(house: House) -> None:
    found = house.get("/api/rules?name=walhalla%2Bno_exodus&language=de")
    assert found["ok"]
    assert found["parts"][0]["points"][0]["says"]
    first = found["seats"][0]
    assert (first["name"], first["letter"], len(found["seats"])) == ("Rot", "R", 4)
    assert first["colour"].startswith("#")
    clash = house.get("/api/rules?name=walhalla%2Bno_exodus%2Bexodus_first")
    assert not clash["ok"]
    assert clash["problems"][0]["code"] == "variants-clash"


def test_large_answers_are_compressed_and_hold_no_links(house: House) -> None:
    host = set_up(house.post, "walhalla", ("me", "friend", "friend"))
    answer = house.client.get(f"/api/scene/{host}")
    assert answer.headers["content-encoding"] == "gzip"
    assert "links" not in answer.json()["table"]
    assert "content-encoding" not in house.client.get("/healthz").headers


def test_a_picture_of_a_game_is_drawn_in_a_language_it_speaks(house: House) -> None:
    answer = house.client.get("/api/preview/nim?language=xx")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text == house.client.get("/api/preview/nim").text
    assert house.client.get("/api/preview/nimm").status_code == 404


@pytest.mark.full
def test_a_game_in_the_making_is_not_on_offer(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "rules" / "half").mkdir(parents=True)
    (tmp_path / "rules" / "half" / "game.yaml").write_text("lawspeaker: 1\ngame: half\n")
    own = replace(settings.library, here=tmp_path)
    with ExitStack() as stack:
        house = House(replace(settings, library=own), stack)
        names = [each["name"] for each in house.get("/api/games")["games"]]
        assert "half" not in names
        assert "nim" in names
        answer = house.client.post("/api/tables", json={"rules": "half", "seats": TWO})
    assert answer.json()["error"]["code"] == "bad_rules"


# -------------------------------------------------------------------- the log of the server


def test_log_lines_name_routes_and_never_links(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "lawspeaker.web"):
        host = set_up(house.post)
        screen = house.connect(host)
        tokens = everyone(host, screen.shown)
        screen.line.send("nonsense \n2026-01-01 ERROR forged")
        screen.hear_until(lambda message: message["type"] == "error")
        tokens[1] = house.connect(tokens[1]).token
        house.client.get(f"/api/scene/{tokens[1]}")
        house.client.get("/api/rules", params={"name": "x\nforged"})
        house.client.get("/no%0Asuch/forged")
        house.client.request("FORGED", "/api/games")
    lines = [record.getMessage() for record in caplog.records]
    assert "GET /api/scene/{token} 200" in " ".join(lines)
    for line in lines:
        assert "\n" not in line
        assert "forged" not in line
        assert not any(token in line for token in tokens.values())


# -------------------------------------------------------------------- the manual


def test_the_manual_names_every_header_as_it_is_set() -> None:
    manual = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    for name, value in HEADERS.items():
        assert f"| {name} | `{value}` |".lower() in manual.lower()


def test_the_manual_names_every_route_to_data(house: House) -> None:
    manual = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    own = [
        route.path
        for route in house.web.routes()
        if isinstance(getattr(route, "endpoint", None), AtItsOwner)
        or getattr(getattr(route, "endpoint", None), "__self__", None) is house.web
    ]
    assert "/ws/{token}" in own
    for path in own:
        written = re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), path)
        assert not path.startswith(("/api/", "/ws/")) or written in manual, path


def test_every_promise_of_the_manual_has_a_test() -> None:
    manual = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z][^|]*) \| (`test_[^|]*) \|$", manual, re.M)
    assert len(rows) > 20
    for promise, tests in rows:
        named = re.findall(r"`(\w+\.py)::(\w+)`", tests)
        assert named, promise
        for file, test in named:
            found = [*(ROOT / "tests" / "web").glob(file), *(ROOT / "tests").rglob(file)]
            written = found[0].read_text(encoding="utf-8")
            assert f"def {test}(" in written, f"{promise}: {file} has no {test}"
