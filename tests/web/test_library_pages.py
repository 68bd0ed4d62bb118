"""The library: pages for games and variants, what was measured, and who may show them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from lawspeaker.faces.web import library_pages
from lawspeaker.faces.web.settings import Settings
from tests.web.conftest import House


def some_variant(house: House) -> str:
    games = house.get("/api/games")["games"]
    small = min(
        (each for each in games if each["variants"]), key=lambda each: len(each["variants"])
    )
    return f"{small['name']}+{small['variants'][0]['name']}"


def measured(house: House, name: str) -> dict[str, Any]:
    """What a variant does, however long a slow machine takes to play the games."""
    while (told := house.post("/api/library/effect", {"name": name}))["running"]:
        pass
    found: dict[str, Any] = told["found"]
    return found


@pytest.mark.full
def test_each_game_and_variant_has_a_page_with_a_preview(house: House) -> None:
    name = some_variant(house)
    for path in ("/library", f"/library/{name.split('+')[0]}", f"/library/{name}"):
        answer = house.client.get(path)
        assert answer.is_success
        assert '<meta property="og:title"' in answer.text
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    for odd in ("no_such_game", f"{name}x", f"{name}+{name}", "..%2f..", "nim(3)"):
        assert house.client.get(f"/library/{odd}").status_code == 404


def test_pages_are_shown_elsewhere_only_where_the_owner_says_so(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, embed=("https://example.org",)), stack)
        policy = house.client.get("/library").headers["content-security-policy"]
        assert "frame-ancestors https://example.org" in policy
        assert "'none'" in policy.split(";")[0]
        for path in ("/", "/home", "/workshop"):
            policy = house.client.get(path).headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy


@pytest.mark.full
def test_an_effect_is_measured_once_and_kept(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_pages, "BOT", "random")
    monkeypatch.setattr(library_pages, "GAMES", 20)
    with ExitStack() as stack:
        house = House(replace(settings, thinkers=1), stack)
        name = some_variant(house)
        path = f"/api/library/effect?name={name.replace('+', '%2B')}"
        assert house.get(path) == {"found": None, "running": False}
        found = measured(house, name)
        assert (found["done"], found["bot"]) == (20, "random")
        assert {"measure", "value", "low", "high"} <= found["rows"][0].keys()
        monkeypatch.setattr(library_pages, "GAMES", 30)
        assert measured(house, name) == found
    with ExitStack() as stack:
        assert House(settings, stack).get(path)["found"] == found


@pytest.mark.parametrize("name", ["nim+nothing", "", "x" * 400])
def test_only_what_is_listed_is_measured(house: House, name: str) -> None:
    assert house.client.post("/api/library/effect", json={"name": name}).status_code == 404
    assert house.client.get("/api/library/effect", params={"name": name}).status_code == 404


def test_odd_wishes_are_answered(house: House) -> None:
    assert house.client.post("/api/library/effect", json={"name": 3}).status_code == 400


MINE = """\
lawspeaker: 1
variant: mine
of: nim
layer: house rule
title: Mine
changes:
  - set: heap.sizes
    to: [1, 2, 3]
    kind: value
"""
DRAFT = {"rules": "nim", "files": [{"name": "mine.yaml", "text": MINE, "given": []}]}


def as_owner(house: House) -> dict[str, str]:
    return {"authorization": f"Bearer {house.web.workshop.drafts.owner_key()}"}


def test_a_library_takes_no_drafts_unless_its_owner_says_so(house: House) -> None:
    assert house.get("/api/library/drafts") == {"publish": "nothing", "owner": False, "drafts": []}
    answer = house.client.post("/api/library/drafts", json={**DRAFT, "name": "Mine"})
    assert answer.status_code == 403
    assert house.web.workshop.drafts.handed_in("waiting", "shown") == []


def test_what_is_handed_in_waits_for_the_owner(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, publish="approved"), stack)
        sent = {**DRAFT, "name": "Small <b>heaps</b>", "about": "For a short break."}
        told = house.post("/api/library/drafts", sent)
        assert told["state"] == "waiting"
        assert house.get("/api/library/drafts")["drafts"] == []
        odd = {"authorization": "Bearer " + "x" * 32}
        assert house.client.get("/api/library/drafts", headers=odd).json()["drafts"] == []
        token = told["link"].removeprefix("/workshop/")
        decide = f"/api/library/drafts/{token}/decide"
        for headers in ({}, odd):
            refused = house.client.post(decide, json={"shown": True}, headers=headers)
            assert refused.status_code == 401
        owner = as_owner(house)
        (seen,) = house.client.get("/api/library/drafts", headers=owner).json()["drafts"]
        assert (seen["name"], seen["state"]) == ("Small <b>heaps</b>", "waiting")
        assert house.client.post(decide, json={"shown": "yes"}, headers=owner).status_code == 400
        assert house.client.post(decide, json={"shown": True}, headers=owner).is_success
        (seen,) = house.get("/api/library/drafts")["drafts"]
        assert (seen["token"], seen["rules"], seen["state"]) == (token, "nim", "shown")
        assert house.get(f"/api/drafts/{token}")["files"] == DRAFT["files"]
        points = house.get(f"/api/library/drafts/{token}/changes?language=de")["points"]
        assert [(each["says"], bool(each["before"])) for each in points] == [("1, 2, 3", True)]
    with ExitStack() as stack:  # where nothing is shown any more, the owner sees it all the same
        house = House(settings, stack)
        assert house.get("/api/library/drafts")["drafts"] == []
        assert house.client.get("/api/library/drafts", headers=owner).json()["drafts"] == [seen]
        assert house.client.post(decide, json={"shown": False}, headers=owner).is_success
        assert house.client.get("/api/library/drafts", headers=owner).json()["drafts"] == []
        assert house.get(f"/api/drafts/{token}")["files"] == DRAFT["files"], "its link still leads"


def test_where_all_may_publish_only_what_can_be_played_is_shown(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, publish="all"), stack)
        broken = MINE.replace("heap.sizes", "heap.size")
        for odd in (
            {"name": "x", "files": [{"name": "mine.yaml", "text": broken, "given": []}]},
            {"name": "  "},
            {"name": "x" * 81},
            {"name": "x", "about": "x" * 201},
            {"name": 1},
            {"name": "x", "rules": "no_such_game"},
        ):
            answer = house.client.post("/api/library/drafts", json={**DRAFT, **odd})
            assert 400 <= answer.status_code < 500, odd
        assert house.get("/api/library/drafts")["drafts"] == []
        assert house.post("/api/library/drafts", {**DRAFT, "name": "Mine"})["state"] == "shown"
        assert len(house.get("/api/library/drafts")["drafts"]) == 1


@pytest.mark.full
def test_parameters_and_seats_are_called_as_people_call_them(house: House) -> None:
    games = {each["name"]: each for each in house.get("/api/games")["games"]}
    walhalla = games["walhalla"]
    variants = {each["name"]: each for each in walhalla["variants"]}
    called = [each["called"]["de"] for each in variants["long_peninsulas"]["parameters"]]
    assert called == ["links", "in der Mitte", "rechts"]
    assert [each["de"] for each in walhalla["called"]][:2] == ["Rot", "Schwarz"]


@pytest.mark.full
def test_minutes_are_told_of_games_with_measured_times(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, times=True), stack)
        base = house.web.registry.store._base
        base.execute("INSERT INTO thinking VALUES ('nim', 'turn', 400, 16000)")
        base.execute("INSERT INTO thinking VALUES ('hex', 'turn', 49, 4900)")
        assert house.get("/api/library/minutes") == {"names": ["nim"]}
        found = house.get("/api/library/minutes?name=nim")["minutes"]
        assert found.keys() == {"shortest", "longest", "replies"}
        assert 1 <= found["shortest"] < found["longest"]
        assert found["replies"] == 400
        assert house.get("/api/library/minutes?name=hex") == {"minutes": None}
        answer = house.client.get("/api/library/minutes", params={"name": "no_such_game"})
        assert answer.status_code == 404
    with ExitStack() as stack:
        house = House(settings, stack)
        assert house.get("/api/library/minutes") == {"names": []}
        assert house.get("/api/library/minutes?name=nim") == {"minutes": None}
