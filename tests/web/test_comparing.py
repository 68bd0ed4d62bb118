"""The page of a comparison, and a game that was played held against other rules."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from contextlib import ExitStack
from pathlib import Path

import pytest

from lawspeaker.faces.web.comparing import policy_for
from lawspeaker.faces.web.settings import Settings
from lawspeaker.outside.library import Library
from lawspeaker.study.compare.replay_under import MOST_LINES
from tests.compare import dairy
from tests.web.conftest import House
from tests.web.visitors import everyone, set_up

TWO = {"name": ["walhalla", "walhalla+no_exodus"], "language": "en"}


@pytest.mark.full
def test_tellings_are_compared_on_a_page(house: House) -> None:
    answer = house.client.get("/compare", params=TWO)
    assert answer.status_code == 200
    assert "exodus" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    assert "default-src 'none'" in policy
    assert house.client.get("/compare", params=TWO).text == answer.text


def test_books_are_quoted_if_the_server_has_their_texts(tmp_path: Path) -> None:
    folder = dairy.set_up(tmp_path)
    library = Library(folder, ())
    names = ("dairy", "dairy+new")
    for texts, quoted in ((folder / "texts", True), (None, False)):
        with ExitStack() as stack:
            settings = Settings(tmp_path / "data", library=library, thinkers=0, texts=texts)
            house = House(settings, stack)
            page = house.client.get("/compare", params={"name": names, "language": "en"})
            data = house.client.get("/api/comparison", params={"name": names, "language": "en"})
        assert ("two wheels" in page.text) is quoted
        assert ("two wheels" in data.text) is quoted
        assert page.headers["cache-control"] == data.headers["cache-control"] == "no-store"
        told = " ".join(data.json()["about_texts"])
        assert ("for your own use only" in told) is quoted
        assert ("texts are not here" in told) is not quoted


def test_the_policy_allows_just_what_stands_in_the_page() -> None:
    html = '<style>p {}</style><p style="--a: &quot;1&quot;">x</p><script>let a = 1</script>'
    policy = policy_for(html)
    for text in ("p {}", '--a: "1"', "let a = 1"):
        print_ = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{print_}'" in policy
    assert len(re.findall("sha256", policy)) == 3


def test_what_cannot_be_compared_is_answered(house: House) -> None:
    for names in (
        [],
        ["walhalla"],
        ["walhalla", "nim"],
        ["walhalla", "walhalla+nothing"],
        ["../x", "y"],
    ):
        answer = house.client.get("/compare", params={"name": names})
        assert answer.status_code == 404
        assert answer.json()["error"]["message"]


@pytest.mark.full
def test_a_game_is_held_against_other_rules(house: House) -> None:
    host = set_up(house.post, "walhalla", ("me", "me", "random"), seed=1)
    screen = house.connect(host)
    screen.look()
    screen.see(lambda shown: shown["ask"] is not None)
    screen.reply()
    same = house.get(f"/api/under/{host}?rules=walhalla")
    assert same["same"]
    other = house.get(f"/api/under/{host}?rules=walhalla%2Bitalian")
    assert other["under"] == "walhalla+italian"
    assert other["replies"] >= 1
    full = house.get(f"/api/under/{host}?rules=walhalla%2Bfull_hands&language=de")["first"]
    assert any("Drache" in line for line in full["now"])
    assert len(full["now"]) == MOST_LINES
    assert "AMIGO" in full["citations"][0]
    for rules, status in (("", 404), ("walhalla+no_exodus+exodus_first", 400)):
        answer = house.client.get(f"/api/under/{host}", params={"rules": rules})
        assert answer.status_code == status


@pytest.mark.full
def test_of_much_that_goes_otherwise_the_last_line_says_how_much_more(house: House) -> None:
    host = set_up(house.post, "walhalla", ("me", "me", "me", "random"), seed=1)
    full = house.get(f"/api/under/{host}?rules=walhalla%2Bfull_hands&language=de")["first"]
    assert len(full["now"]) == MOST_LINES
    assert re.fullmatch(r"und [2-9] mehr", full["now"][-1])


def test_a_game_of_others_is_not_told_before_it_is_over(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "friend"))
    for token in everyone(host, house.connect(host).shown).values():
        assert house.client.get(f"/api/under/{token}?rules=nim").status_code == 403
