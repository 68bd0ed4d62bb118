"""The library: pages for games and variants, what was measured, and who may show them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

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
        found = house.post("/api/library/effect", {"name": name})["found"]
        assert (found["done"], found["bot"]) == (20, "random")
        assert {"measure", "value", "low", "high"} <= found["rows"][0].keys()
        monkeypatch.setattr(library_pages, "GAMES", 30)
        assert house.post("/api/library/effect", {"name": name})["found"] == found
    with ExitStack() as stack:
        assert House(settings, stack).get(path)["found"] == found


@pytest.mark.parametrize("name", ["nim", "nim+nothing", "", "nim+a+b", "x" * 400])
def test_only_what_is_listed_is_measured(house: House, name: str) -> None:
    assert house.client.post("/api/library/effect", json={"name": name}).status_code == 404
    assert house.client.get("/api/library/effect", params={"name": name}).status_code == 404


def test_odd_wishes_are_answered(house: House) -> None:
    assert house.client.post("/api/library/effect", json={"name": 3}).status_code == 400
