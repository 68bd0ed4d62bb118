"""A home without an account: what belongs to a key, and what nobody else learns of it."""

from __future__ import annotations

import io
import json
import sqlite3
import time
import zipfile
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lawspeaker.faces.web import store as stores
from lawspeaker.faces.web.keys import opened, sealed
from lawspeaker.faces.web.seats import new_token
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.workshop import draft_store
from tests.web.conftest import House
from tests.web.visitors import Message, Screen, everyone, set_up

FILES = [{"name": "my_rule.yaml", "text": "rules: {}\n", "given": []}]


def home(house: House, key: str) -> Message:
    answer = house.client.get("/api/home", headers=key_header(key))
    assert answer.is_success, answer.text
    found: Message = answer.json()
    return found


def key_header(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def request_home(house: House, key: str, path: str, body: Any = None) -> Any:
    if body is None:
        return house.client.get(path, headers=key_header(key))
    return house.client.post(path, json=body, headers=key_header(key))


def gather_table(screen: Screen, key: str) -> Message:
    return screen.answer_to("mine", key=key)


def save_draft(
    house: House, key: str, own: str, text: str = "rules: {}\n", name: str = "mine"
) -> Any:
    files = [{"name": "my_rule.yaml", "text": text, "given": []}]
    return request_home(
        house, key, f"/api/home/drafts/{own}", {"name": name, "rules": "nim", "files": files}
    )


# -------------------------------------------------------------------- tables


def test_a_table_comes_home_and_says_whom_it_waits_for(house: House) -> None:
    ann, ben = new_token(), new_token()
    host = house.connect(set_up(house.post, "nim", ("me", "friend")))
    links = everyone(host.token, host.shown)
    friend = house.connect(links[1])
    assert gather_table(host, ann) == {"type": "mine", "kept": True, "message": ""}
    gather_table(friend, ben)
    gather_table(friend, ben)
    mine, theirs = home(house, ann)["tables"], home(house, ben)["tables"]
    assert [each["link"] for each in mine] == [f"/t/{host.token}"]
    assert [each["link"] for each in theirs] == [f"/t/{friend.token}"]
    assert (mine[0]["state"], theirs[0]["state"]) == ("yours", "waiting")
    assert theirs[0]["since"] == mine[0]["since"] > 1_600_000_000
    host.reply()
    friend.see_at(1)
    assert home(house, ann)["tables"][0]["state"] == "waiting"
    assert home(house, ben)["tables"][0]["state"] == "yours"


def test_before_a_game_begins_nobody_is_to_move(house: House) -> None:
    ann, ben = new_token(), new_token()
    host = house.connect(set_up(house.post, "nim", ("me", "friend"), lobby=True))
    friend = house.connect(everyone(host.token, host.shown)[1])
    gather_table(host, ann)
    gather_table(friend, ben)
    friend.say("ready")
    host.see(lambda shown: shown["table"]["seats"][1]["ready"])
    for key in (ann, ben):
        (table,) = home(house, key)["tables"]
        assert (table["state"], table["since"]) == ("lobby", None)
        assert [each["asked"] for each in table["seats"]] == [False, False]
        assert [each["ready"] for each in table["seats"]] == [False, True]
    host.say("ready")
    host.see(lambda shown: not shown["table"]["lobby"])
    assert home(house, ann)["tables"][0]["state"] == "yours"


def test_a_used_invitation_leads_whoever_used_it_to_the_seat(house: House) -> None:
    ann, ben = new_token(), new_token()
    host = house.connect(set_up(house.post, "nim", ("me", "friend")))
    invitation = everyone(host.token, host.shown)[1]
    friend = house.connect(invitation)
    gather_table(host, ann)
    gather_table(friend, ben)

    def led(key: str, link: str = invitation) -> Any:
        return request_home(house, key, "/api/home/seat", {"link": link}).json()["link"]

    assert led(ben) == f"/t/{friend.token}"
    assert led(ann) is None
    assert led(new_token()) is None
    assert led(ben, new_token()) is None
    host.say("free", seat=1)
    host.see(lambda shown: shown["table"]["links"]["seats"])
    assert led(ben) is None
    assert house.client.get(f"/t/{invitation}").status_code == 410


def test_a_home_does_not_tell_who_has_answered_in_secret(house: House) -> None:
    """Whoever is asked together with others sees that they are asked until all have answered."""
    screens = [house.connect(set_up(house.post, "rock_paper_scissors", ("me", "friend")))]
    links = everyone(screens[0].token, screens[0].shown)
    screens.append(house.connect(links[1]))
    keys = [new_token() for _ in screens]
    for screen, key in zip(screens, keys, strict=True):
        gather_table(screen, key)

    def asked(key: str) -> list[bool]:
        return [seat["asked"] for seat in home(house, key)["tables"][0]["seats"]]

    assert [asked(key) for key in keys] == [[True, True]] * 2
    screens[1].reply()
    assert [asked(key) for key in keys] == [[True, True], [True, False]]
    assert [home(house, key)["tables"][0]["state"] for key in keys] == ["yours", "waiting"]


def test_who_is_waited_for_survives_a_restart(settings: Settings) -> None:
    key = new_token()
    with ExitStack() as stack:
        first = House(settings, stack)
        gather_table(first.connect(set_up(first.post, "nim", ("me", "me"))), key)
        before = home(first, key)
    with ExitStack() as stack:
        assert home(House(settings, stack), key) == before


def test_an_onlooker_has_no_table(house: House) -> None:
    host = house.connect(set_up(house.post, "nim", ("me", "friend")))
    links = everyone(host.token, host.shown)
    assert not gather_table(house.connect(links[None]), key := new_token())["kept"]
    assert home(house, key)["tables"] == []


def test_a_seat_that_was_freed_is_nobodys_home(house: House) -> None:
    host = house.connect(set_up(house.post, "nim", ("me", "friend")))
    friend = house.connect(everyone(host.token, host.shown)[1])
    gather_table(friend, key := new_token())
    host.say("free", seat=1)
    host.see(lambda scene: "1" in scene["table"]["links"]["seats"])
    assert home(house, key)["tables"] == []


def test_a_table_can_be_taken_off_the_list_and_stays(house: House) -> None:
    host = house.connect(set_up(house.post, "nim", ("me", "me")))
    gather_table(host, key := new_token())
    assert request_home(house, key, "/api/home/tables/out", {"link": host.token}).is_success
    assert home(house, key)["tables"] == []
    assert house.get(f"/api/scene/{host.token}")["at"] == 0


def test_links_and_keys_are_not_in_the_database(house: House, settings: Settings) -> None:
    host = house.connect(set_up(house.post, "nim", ("me", "me")))
    gather_table(host, key := new_token())
    save_draft(house, key, "abcdefgh")
    for file in Path(settings.data).iterdir():
        content = file.read_bytes()
        assert host.token.encode() not in content
        assert key.encode() not in content


def test_a_seal_opens_with_its_key_alone() -> None:
    key, token = new_token(), new_token()
    seal = sealed(key, token)
    assert opened(key, seal) == token
    assert opened(new_token(), seal) != token
    assert sealed(key, token) != seal
    with pytest.raises(ValueError, match="no seal"):
        opened(key, seal[:-1])


def test_a_home_is_never_compressed(house: House) -> None:
    """Its length would tell of the links in it, next to words of others."""
    key = new_token()
    for number in range(30):
        save_draft(house, key, f"abcdefgh{number}", name="x" * 80)
    answer = request_home(house, key, "/api/home")
    assert len(answer.content) > 4000
    assert answer.headers["content-encoding"] == "identity"
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize("said", ["", "Bearer", "Bearer short", "Basic " + "A" * 32, "A" * 32])
def test_without_a_key_nobody_is_at_home(house: House, said: str) -> None:
    for path in ("/api/home", "/api/home/drafts/abcdefgh", "/api/home/drafts/abcdefgh/versions"):
        answer = house.client.get(path, headers={"authorization": said})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no_key")


def test_a_damaged_home_leaves_out_what_makes_no_sense(house: House) -> None:
    key = new_token()
    for _ in range(2):
        gather_table(house.connect(set_up(house.post, "nim", ("me", "me"))), key)
    base = house.web.registry.store._base
    base.execute("UPDATE homes SET sealed = x'00' WHERE tab = 1")
    assert len(home(house, key)["tables"]) == 1
    base.execute("UPDATE tables SET waiting = '7' WHERE id = 2")
    assert home(house, key)["tables"] == []


# -------------------------------------------------------------------- drafts


def test_no_draft_replaces_another_and_each_has_its_history(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, clock = new_token(), 1_700_000_000
    monkeypatch.setattr(time, "time", lambda: clock)
    for own in ("first-draft", "second-draft"):
        assert save_draft(house, key, own, f"# {own}\n", own).is_success
    save_draft(house, key, "first-draft", "# a moment later\n", "first-draft")
    clock += 3600
    save_draft(house, key, "first-draft", "# an hour later\n", "first-draft")
    drafts = {each["id"]: each for each in home(house, key)["drafts"]}
    assert drafts["first-draft"]["versions"] == 2
    assert drafts["second-draft"]["versions"] == 1
    versions = request_home(house, key, "/api/home/drafts/first-draft/versions").json()
    assert [each["number"] for each in versions] == [1, 0]

    def text(query: str = "") -> str:
        found = request_home(house, key, f"/api/home/drafts/first-draft{query}").json()
        told: str = found["files"][0]["text"]
        return told

    assert text() == "# an hour later\n"
    assert text("?version=0") == "# a moment later\n"


def test_a_draft_belongs_to_its_key(house: House) -> None:
    key, other = new_token(), new_token()
    save_draft(house, key, "abcdefgh", "# mine\n")
    assert request_home(house, other, "/api/home/drafts/abcdefgh").status_code == 404
    assert request_home(house, other, "/api/home/drafts/abcdefgh/files").status_code == 404
    assert request_home(house, other, "/api/home/drafts/abcdefgh/versions").json() == []
    save_draft(house, other, "abcdefgh", "# theirs\n")
    request_home(house, other, "/api/home/drafts/abcdefgh/change", {"what": "away"})
    request_home(house, other, "/api/home/drafts/abcdefgh/change", {"what": "delete"})
    assert request_home(house, other, "/api/home/drafts/abcdefgh").status_code == 404
    assert (
        request_home(house, key, "/api/home/drafts/abcdefgh").json()["files"][0]["text"]
        == "# mine\n"
    )


def test_a_draft_is_named_put_away_and_only_then_deleted(house: House) -> None:
    key, path = new_token(), "/api/home/drafts/abcdefgh/change"
    save_draft(house, key, "abcdefgh")
    request_home(house, key, path, {"what": "name", "name": " Short\u202enim "})
    assert home(house, key)["drafts"][0]["name"] == "Short nim"
    request_home(house, key, path, {"what": "delete"})
    assert len(home(house, key)["drafts"]) == 1
    request_home(house, key, path, {"what": "away"})
    assert home(house, key)["drafts"][0]["away"]
    request_home(house, key, path, {"what": "back"})
    assert not home(house, key)["drafts"][0]["away"]
    request_home(house, key, path, {"what": "away"})
    request_home(house, key, path, {"what": "delete"})
    assert home(house, key)["drafts"] == []
    assert request_home(house, key, path, {"what": "burn"}).status_code == 400


def test_a_draft_can_be_had_as_files_though_its_game_is_gone(house: House) -> None:
    key = new_token()
    body = {"name": "Old: one", "rules": "no_such_game", "files": FILES}
    assert request_home(house, key, "/api/home/drafts/abcdefgh", body).is_success
    assert request_home(house, key, "/api/home/drafts/abcdefgh").status_code == 404
    answer = request_home(house, key, "/api/home/drafts/abcdefgh/files")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["old_one/my_rule.yaml"]
        assert archive.read("old_one/my_rule.yaml") == b"rules: {}\n"


def test_another_device_takes_over_and_nothing_is_lost(house: House) -> None:
    here, there = new_token(), new_token()
    tables = [house.connect(set_up(house.post, "nim", ("me", "me"))) for _ in range(2)]
    for key, own, screen in ((here, "draft-here", tables[0]), (there, "draft-there", tables[1])):
        gather_table(screen, key)
        save_draft(house, key, own)
    assert request_home(house, here, "/api/home/join", {"key": there}).is_success
    assert request_home(house, here, "/api/home/join", {"key": there}).is_success
    found = home(house, here)
    assert {each["id"] for each in found["drafts"]} == {"draft-here", "draft-there"}
    assert {each["link"] for each in found["tables"]} == {f"/t/{each.token}" for each in tables}
    assert [each["id"] for each in home(house, there)["drafts"]] == ["draft-there"]


# -------------------------------------------------------------------- bounds


def test_keys_are_bounded(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, most_keys=2), stack)
        keys = [new_token() for _ in range(3)]
        answers = [save_draft(house, key, "abcdefgh") for key in keys]
        assert [each.status_code for each in answers] == [200, 200, 409]
        assert "no more browsers" in answers[-1].json()["error"]["message"]
        kept = []
        for key in keys:
            screen = house.connect(set_up(house.post, "nim", ("me", "me")))
            kept.append(gather_table(screen, key))
        assert [each["kept"] for each in kept] == [True, True, False]
        assert "links work all the same" in kept[-1]["message"]
        assert save_draft(house, keys[0], "another-one").is_success


def test_what_one_key_keeps_is_bounded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    key, clock = new_token(), 1_700_000_000
    monkeypatch.setattr(draft_store, "MOST_OF_ONE", 2)
    monkeypatch.setattr(draft_store, "MOST_VERSIONS", 3)
    monkeypatch.setattr(time, "time", lambda: clock)
    assert [save_draft(house, key, f"draft-{at}-of-3").status_code for at in range(3)] == [
        200,
        200,
        409,
    ]
    for at in range(6):
        clock += 3600 * (1 if at % 2 else 10)
        save_draft(house, key, "draft-0-of-3", f"# {at}\n")
    versions = request_home(house, key, "/api/home/drafts/draft-0-of-3/versions").json()
    numbers = [each["number"] for each in versions]
    assert len(numbers) == 3
    assert (numbers[0], numbers[-1]) == (6, 0)
    monkeypatch.setattr(draft_store, "LARGEST_OF_ONE", 200)
    assert save_draft(house, key, "draft-0-of-3", "# long\n" * 30).status_code == 409
    monkeypatch.setattr(stores, "MOST_GATHERED", 1)
    one, two = (house.connect(set_up(house.post, "nim", ("me", "me"))) for _ in range(2))
    assert gather_table(one, key)["kept"]
    assert "at most 1" in gather_table(two, key)["message"]
    assert gather_table(one, key)["kept"]


@pytest.mark.parametrize("body", [{"link": 3}, {"link": "x"}, {}, {"link": "é" * 32}])
def test_odd_links_are_answered(house: House, body: Any) -> None:
    assert request_home(house, new_token(), "/api/home/tables/out", body).status_code == 400


@pytest.mark.parametrize("own", ["x", "a" * 40, "a.b.c.d.e", "..%2f..%2fx"])
def test_odd_ids_are_answered(house: House, own: str) -> None:
    assert save_draft(house, new_token(), own).status_code == 404


def test_a_draft_that_was_acknowledged_is_on_the_disk(house: House, settings: Settings) -> None:
    save_draft(house, new_token(), "abcdefgh", "# kept\n")
    with closing(sqlite3.connect(Path(settings.data) / draft_store.FILE)) as base:
        (text,) = base.execute("SELECT draft FROM draft_versions").fetchone()
    assert json.loads(text)["files"][0]["text"] == "# kept\n"


def test_a_table_of_a_draft_is_called_by_its_title(house: House) -> None:
    text = "lawspeaker: 1\nvariant: my_rule\nof: nim\nlayer: house rule\ntitle: Ours\nchanges:\n"
    text += "  - set: heap.sizes\n    to: [1, 2, 3]\n    kind: value\n"
    files = [{"name": "my_rule.yaml", "text": text, "given": []}]
    wish = {"rules": "nim", "files": files, "seats": [{"who": "me"}, {"who": "greedy"}]}
    token = house.post("/api/workshop/table", wish)["link"].removeprefix("/t/")
    key = new_token()
    gather_table(house.connect(token), key)
    (mine,) = home(house, key)["tables"]
    assert mine["rules"] == "nim+./my_rule.yaml"
    assert mine["titles"]["en"] == "Nim – Ours"
