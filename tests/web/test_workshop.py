"""The workshop: drafts are checked, tried in a position, played in pairs, kept and shared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from starlette.testclient import WebSocketTestSession

from lawspeaker.faces.web.seats import new_token
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT
from lawspeaker.faces.web.workshop.figures import FIRST, batches
from lawspeaker.faces.web.workshop.worker_pool import Stopped
from tests.tiers import sample
from tests.web.conftest import ROOT, House
from tests.web.visitors import Message

RULES = "nim"
HEAD = f"lawspeaker: 1\nvariant: my_rule\nof: {RULES}\nlayer: house rule\ntitle: Ours\n"
TWO_IN_THE_LAST = HEAD + "changes:\n  - {set: heap.sizes, to: [3, 4, 2], because: Try it.}\n"
FIVE_IN_THE_LAST = HEAD + "changes:\n  - {set: heap.sizes, to: [3, 4, 5], because: Try it.}\n"
MORE_THAN_THERE_ARE = HEAD + "changes:\n  - {set: heap.sizes, to: [9, 9, 9], because: Try it.}\n"
POSITION = {"players": 2, "seed": 1, "replies": 0, "language": "en", "shape": "wide"}


class Page:
    """An open page of the workshop."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session

    def ask(self, kind: str, /, **fields: Any) -> None:
        self.session.send_text(json.dumps({"type": kind, "id": 1, **fields}))

    def hear(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.session.receive_text())
        return found

    def examine(self, text: str, **more: Any) -> dict[str, Any]:
        """What is found out about a house rule with these changes."""
        self.ask("examine", **draft_of(text), **{**POSITION, **more})
        return self.hear()


def draft_of(text: str) -> dict[str, Any]:
    return {"rules": RULES, "files": [{"name": "my_rule.yaml", "text": text, "given": []}]}


@contextmanager
def open_workshop(house: House) -> Iterator[Page]:
    with house.client.websocket_connect("ws://localhost/api/workshop") as session:
        yield Page(session)


@pytest.fixture
def page(house: House) -> Iterator[Page]:
    with open_workshop(house) as found:
        yield found


# -------------------------------------------------------------------- beginning


def test_the_files_of_a_game_are_there_to_be_changed(house: House) -> None:
    found = house.get("/api/workshop/start?as=edit&rules=walhalla%2Bitalian")
    assert found["original"][0]["name"] == "game.yaml"
    assert not [file["name"] for file in found["original"] if file["name"].endswith(".lock")]
    assert "italian.yaml" in [
        file["name"] for file in found["original"] if file["given"] is not None
    ]
    assert found["files"] == []


@pytest.mark.full
def test_translations_are_files_like_others(house: House, page: Page) -> None:
    found = house.get("/api/workshop/start?as=edit&rules=walhalla%2Bitalian")
    texts = {file["name"]: file["text"] for file in found["original"] if file["given"] is None}
    assert {"languages/de.yaml", "languages/italian.de.yaml"} <= set(texts)
    german = texts["languages/de.yaml"]
    for changed, codes in (
        (german.replace("Heck voran", "Heck zuerst"), []),
        (german.replace("bow_first @", "bow_frist @"), ["unknown-name"]),
    ):
        assert changed != german
        file = {"name": "languages/de.yaml", "text": changed, "given": None}
        page.ask("examine", rules="walhalla+italian", files=[file], **POSITION)
        answer = page.hear()
        assert [each["code"] for each in answer["problems"]] == codes
        assert {each["file"] for each in answer["problems"][:1]} <= {"languages/de.yaml"}
        if answer["ok"]:
            page.hear()


def test_a_new_game_and_a_house_rule_are_sound_from_the_start(house: House, page: Page) -> None:
    for query in ("as=game", f"as=house&rules={RULES}"):
        found = house.get(f"/api/workshop/start?{query}")
        draft = {"rules": found["rules"], "files": found["files"]}
        before = found["files"] if not found["rules"] else []
        page.ask("examine", **draft, before=before, **POSITION)
        assert page.hear()["problems"] == []
        assert page.hear()["position"]["svg"].startswith("<svg")


@pytest.mark.full
def test_a_difference_of_another_telling_can_be_taken_over(house: House) -> None:
    query = "as=take&rules=walhalla&other=walhalla%2Bno_exodus"
    found = house.get(f"/api/workshop/start?{query}")
    assert "remove: exodus" in found["files"][0]["text"]


@pytest.mark.parametrize("query", ["rules=nothing", "as=take&rules=nim&other=pig", "rules=../x"])
def test_what_is_not_in_the_catalogue_cannot_be_opened(house: House, query: str) -> None:
    answer = house.client.get(f"/api/workshop/start?{query}")
    assert answer.status_code == 404
    assert answer.json()["error"]["message"]


# -------------------------------------------------------------------- what is wrong


def test_a_problem_is_told_with_its_place(page: Page) -> None:
    # The sign before it takes two units of what browsers count.
    text = HEAD.replace("Ours", "𝔄") + "changes:\n  - set: nowhere.at_all\n    to: 2\n"
    found = page.examine(text)
    assert not found["ok"]
    (problem,) = [each for each in found["problems"] if each["severity"] == "error"]
    assert problem["file"] == "my_rule.yaml"
    assert problem["line"] == 7
    units = text.encode("utf-16-le")
    marked = units[2 * problem["from"] : 2 * problem["to"]].decode("utf-16-le")
    assert "nowhere.at_all" in marked


def test_a_file_is_brought_into_layout(page: Page) -> None:
    page.ask("format", name="my_rule.yaml", text=HEAD + "changes:   [{remove: turn}]\n")
    assert page.hear()["text"] == HEAD + "changes: [{remove: turn}]\n"
    page.ask("format", name="my_rule.yaml", text="a: [")
    found = page.hear()
    assert found["text"] is None
    assert found["problems"]


# -------------------------------------------------------------------- what it does


def test_options_disappear_and_the_rule_that_refuses_them_is_named(page: Page) -> None:
    assert page.examine(TWO_IN_THE_LAST)["ok"]
    position = page.hear()["position"]
    gone = [each for each in position["options"] if each["change"] == "gone"]
    assert [each["text"] for each in gone] == [f"take heap 3, {amount}" for amount in (3, 4, 5)]
    assert {each["why"]["clause"] for each in gone} == {"turn.enough"}
    assert gone[0]["why"]["sentence"] == "A heap has at least as many stones as are taken."
    assert position["was"] is not None  # the heap itself is another one


def test_options_appear_where_rules_allow_more(page: Page) -> None:
    draft = draft_of(FIVE_IN_THE_LAST)
    file = draft["files"][0]
    before = [{**file, "text": TWO_IN_THE_LAST}]
    page.ask("examine", **draft, before=before, **POSITION)
    page.hear()
    position = page.hear()["position"]
    fresh = [each for each in position["options"] if each["change"] == "new"]
    assert [each["why"]["clause"] for each in fresh] == ["turn.enough"] * 3


def test_where_nothing_changes_nothing_differs(page: Page) -> None:
    page.examine(FIVE_IN_THE_LAST, replies=3)
    position = page.hear()["position"]
    assert position["at"] == 3
    assert {each["change"] for each in position["options"]} == {"same"}
    assert position["was"] is None
    assert position["happened"] == []


def test_games_part_where_a_reply_is_refused(page: Page) -> None:
    found = []
    for seed in range(1, 6):
        page.examine(TWO_IN_THE_LAST, seed=seed, replies=9)
        found.append(page.hear()["position"])
    parted = [each for each in found if each["parted"]]
    assert parted
    assert all(each["at"] < 9 for each in parted)


def test_why_games_part_is_said_in_the_language_of_the_page(page: Page) -> None:
    said = set()
    for seed in range(1, 6):
        page.examine(TWO_IN_THE_LAST, replies=9, seed=seed, language="it")
        said.add(page.hear()["position"]["parted"])
    refused = "Un mucchio ha almeno tante pietre quante se ne prendono."
    assert said == {refused, "La partita è finita."}


def test_a_position_is_found_in_which_it_shows(page: Page) -> None:
    page.ask("seek", **draft_of(TWO_IN_THE_LAST), players=2, seed=1)
    found = page.hear()
    assert found["type"] == "sought"
    assert found["at"] == 0


def test_paired_games_are_told_as_they_come(page: Page) -> None:
    page.ask("effect", **draft_of(TWO_IN_THE_LAST), players=2, games=60, bot="random")
    while (found := page.hear())["done"] < 60:
        assert found["type"] == "effect"
    rows = {row["measure"]: row for row in found["rows"] if row["seat"] is None}
    assert 0 < rows["winner"]["value"] < 1
    assert 0 < rows["anew"]["value"] < 1, "with other luck others win, too"
    assert 0 < rows["control"]["value"] < 1, "and with new luck after the first difference"
    assert rows["beyond"]["low"] < rows["beyond"]["value"] < rows["beyond"]["high"]
    assert rows["length"]["clear"]
    assert rows["length"]["low"] < rows["length"]["value"] < rows["length"]["high"] < 0
    page.ask("effect", **draft_of(FIVE_IN_THE_LAST), players=2, games=40, bot="random")
    while (found := page.hear())["done"] < 40:
        pass
    assert all(row["value"] == 0 for row in found["rows"] if row["measure"] != "anew")
    assert found["in_step"]
    assert found["weight"] == [0, 0, 0]


def test_the_first_figures_of_a_draft_are_told_as_games_come(page: Page) -> None:
    page.ask("figures", **draft_of(TWO_IN_THE_LAST), players=2, games=60, bot="random")
    while (found := page.hear())["done"] < 60:
        assert found["type"] == "figures"
    assert (found["players"], found["bot"], found["broken"]) == (2, "random", 0)
    wins = [row for row in found["rows"] if row["measure"] == "wins"]
    assert sum(row["value"] for row in wins) == pytest.approx(1)
    assert all(row["low"] < row["value"] < row["high"] and row["mark"] == 0.5 for row in wins)
    for row in found["rows"]:
        now, before, change = row, row["before"], row["change"]
        assert change["value"] == pytest.approx(now["value"] - before["value"])
        assert change["low"] <= change["value"] <= change["high"]
    (length,) = [row for row in found["rows"] if row["measure"] == "decisions"]
    assert length["clear"], "three stones less are fewer decisions"
    assert length["change"]["high"] < 0
    page.ask("figures", rules=RULES, files=[], players=2, games=60, bot="random")
    while (alone := page.hear())["done"] < 60:
        pass
    # The game itself, by itself: what was shown as before.
    shown = {(row["measure"], row["seat"]): row["value"] for row in alone["rows"]}
    before = {(row["measure"], row["seat"]): row["before"]["value"] for row in found["rows"]}
    assert shown == before
    assert not any("before" in row for row in alone["rows"])
    page.ask("figures", **draft_of(TWO_IN_THE_LAST), players=2, games=60, bot="mc:100")
    assert page.hear()["code"] == "bad_message"


def test_a_hole_in_the_rules_is_told_with_the_first_figures(page: Page) -> None:
    page.ask("figures", **draft_of(MORE_THAN_THERE_ARE), players=2, games=3, bot="random")
    while (found := page.hear())["done"] < 3:
        assert found["type"] == "figures"
    assert (found["broken"], found["rows"]) == (3, [])
    assert found["holes"]


def test_the_games_as_they_were_are_played_in_advance(page: Page) -> None:
    page.ask("effect", rules=RULES, files=[], players=2, games=40, bot="random")
    while (found := page.hear())["done"] < 40:
        pass
    assert all(row["value"] == 0 for row in found["rows"] if row["measure"] != "anew")
    assert found["in_step"]
    assert found["weight"] == [0, 0, 0]


def test_the_first_games_are_few_and_then_more() -> None:
    sizes = [len(batch) for batch in batches(500, ("random", "random"))]
    assert sizes[:3] == [FIRST, 3 * FIRST, 9 * FIRST]
    assert sum(sizes) == 500
    assert next(batches(500, ("greedy", "greedy"))) == range(1)


# -------------------------------------------------------------------- playing


def play_request(text: str, *seats: str) -> dict[str, Any]:
    return {**draft_of(text), "seats": [{"who": each} for each in seats], "language": "en"}


def asked_or_over(shown: Message) -> bool:
    return bool(shown["table"]["finished"]) or shown["ask"] is not None


def test_a_draft_is_played_at_a_table(house: House) -> None:
    link = house.post("/api/workshop/table", play_request(TWO_IN_THE_LAST, "me", "greedy"))["link"]
    token = link.removeprefix("/t/")
    screen = house.connect(token)
    assert "take heap 3, 2" in screen.options
    assert "take heap 3, 3" not in screen.options
    assert screen.see(asked_or_over)["table"]["title"] == "Nim – Ours"
    while not screen.see(asked_or_over)["table"]["finished"]:
        screen.reply()
    log = house.get(f"/api/log/{token}")
    assert log["rules"] == "nim+./my_rule.yaml"
    assert TWO_IN_THE_LAST in [file["text"] for file in log["bundle"]]


@pytest.mark.full
def test_a_table_keeps_the_draft_when_the_server_ends(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(settings, stack)
        link = house.post("/api/workshop/table", play_request(TWO_IN_THE_LAST, "me", "greedy"))[
            "link"
        ]
        before = house.connect(link.removeprefix("/t/")).options
    with ExitStack() as stack:
        house = House(settings, stack)
        assert house.connect(link.removeprefix("/t/")).options == before


def test_a_draft_that_changes_nothing_is_the_game_itself(house: House) -> None:
    wish = {"rules": RULES, "files": [], "seats": [{"who": "me"}, {"who": "me"}]}
    link = house.post("/api/workshop/table", wish)["link"]
    token = link.removeprefix("/t/")
    assert house.get(f"/api/log/{token}")["rules"] == RULES


FAILING = (
    HEAD
    + """changes:
  - replace: game
    says: Something is shared among nobody.
    rule: |
      for each heap:
        move heap.sizes at number of heap stones in box to heap
      active scores 1 / count of stones in box rounded down
      do turn
      active wins
    because: Try it.
"""
)


@pytest.mark.parametrize(
    "text, seats, told",
    [
        (HEAD + "changes: [{set: nowhere, to: 2}]\n", 2, "nowhere"),
        (FAILING, 2, "by zero"),
        (TWO_IN_THE_LAST, 5, "players"),
    ],
)
def test_what_cannot_be_played_gets_no_table(
    house: House, text: str, seats: int, told: str
) -> None:
    answer = house.client.post("/api/workshop/table", json=play_request(text, *["me"] * seats))
    assert answer.status_code == 400
    assert told in answer.json()["error"]["message"]


# -------------------------------------------------------------------- saving and sharing


def test_changes_are_saved_as_a_patch(house: House, page: Page) -> None:
    file, *others = house.get(f"/api/workshop/start?rules={RULES}")["original"]
    changed = file["text"].replace("is: [3, 4, 5]", "is: [3, 4, 2]")
    page.ask("patch", rules=RULES, files=[{**file, "text": changed}, *others], name="my_rule.yaml")
    found = page.hear()
    assert "set: heap.sizes" in found["text"]
    assert page.examine(found["text"])["ok"]
    assert any(each["change"] == "gone" for each in page.hear()["position"]["options"])


def test_a_house_rule_is_its_own_patch(page: Page) -> None:
    page.ask("patch", **draft_of(TWO_IN_THE_LAST), name="other.yaml")
    found = page.hear()
    assert (found["name"], found["text"]) == ("my_rule.yaml", TWO_IN_THE_LAST)


def test_a_draft_is_shared_by_link(house: House) -> None:
    link = house.post("/api/drafts", draft_of(TWO_IN_THE_LAST))["link"]
    assert house.client.get(link).status_code == 200
    token = link.removeprefix("/workshop/")
    found = house.get(f"/api/drafts/{token}")
    assert found["files"][0]["text"] == TWO_IN_THE_LAST
    assert found["original"]
    assert house.client.get(f"/api/drafts/{token[::-1]}").status_code == 404
    assert house.client.get("/workshop/x").status_code == 404


def test_a_draft_with_nothing_in_it_is_neither_shared_nor_kept(house: House) -> None:
    empty = {"rules": "", "files": []}
    key = {"authorization": f"bearer {new_token()}"}
    for path, name in (("/api/drafts", {}), ("/api/home/drafts/my_draft", {"name": "mine"})):
        answer = house.client.post(path, json={**empty, **name}, headers=key)
        assert answer.status_code == 400
        assert answer.json()["error"]["message"] == "there is nothing in this draft"


def test_a_shared_draft_may_be_rules_as_they_are(house: House) -> None:
    link = house.post("/api/drafts", {"rules": RULES, "files": []})["link"]
    found = house.get(link.replace("/workshop/", "/api/drafts/"))
    assert (found["files"], found["open"]) == ([], "game.yaml")


# -------------------------------------------------------------------- one by one

THREE_CHANGES = (
    HEAD
    + """\
changes:
  - {set: heap.sizes, to: [3, 4, 6]}
  - {set: pieces.stone.count, to: 13}
  - {set: numbers.amount, to: 1..4}
"""
)


def weigh_change(page: Page, **wish: Any) -> dict[str, Any]:
    """What all games say of a change alone."""
    page.ask("weigh", telling=1, games=40, language="en", **wish)
    while (found := page.hear())["done"] < found["of"]:
        assert found["type"] == "weighed"
    return found


@pytest.mark.full
def test_the_changes_of_a_draft_are_weighed_one_by_one(page: Page) -> None:
    names = [RULES, draft_of(THREE_CHANGES)]
    page.ask("changes", names=names, language="de")
    found = page.hear()["changes"]
    told = {each["title"]: (each["number"], each["says"], each["before"]) for each in found}
    sizes, _, _ = told["Wie viele Steine jeder Haufen am Anfang hat"]
    stones, *said = told["Stein: Anzahl"]
    assert said == ["13", "12"]
    amount, *said = told["Anzahl"]
    assert said == ["1 bis 4", "1 bis 5"]

    alone = weigh_change(page, names=names, number=stones, bot="greedy", players=2)
    assert (alone["along"], alone["problem"]) == ([], "")
    assert (alone["bot"], alone["players"], alone["games"]) == ("greedy", 2, 40)
    rows = {each["measure"]: each for each in alone["rows"]}
    assert rows["differs"]["value"] == 0, "a stone that stays in the box"
    assert 0 < rows["differs"]["high"] < 0.2
    assert weigh_change(page, names=names, number=sizes)["along"] == [stones], (
        "13 stones are needed"
    )
    assert weigh_change(page, names=names, number=amount)["along"] == []
    page.ask("weigh", names=names, number=amount, telling=1, games=2, bot="mc:900")
    assert page.hear()["code"] == "bad_message"


OWN_GAME = """\
lawspeaker: 1
game: pebbles
title: Pebbles
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  stone: {count: 3, starts in: box}
  shell: {count: 3, starts in: bag}
places:
  box: {holds: stone, seen by: everyone}
  bag: {holds: shell, seen by: everyone}
  heap: {holds: stone, seen by: everyone}
  beach: {holds: shell, seen by: everyone}
choices:
  deal: {says: How many of each are laid out., is: 3}
  prize: {says: What Ann gets., is: 1}
rules:
  game:
    says: All is laid out, and Ann scores.
    rule: |
      move deal stones in box to heap
      move deal shells in bag to beach
      ann scores prize
      end the game
"""


def test_changes_that_only_work_together_are_said_to(page: Page) -> None:
    """Of a game of one's own, held against itself as it was; and what cannot be played alone."""

    def names(text: str) -> list[dict[str, Any]]:
        texts = (OWN_GAME, text)
        return [{"rules": "", "files": [{"name": "game.yaml", "text": each}]} for each in texts]

    wider = OWN_GAME.replace("count: 3", "count: 4").replace("is: 3", "is: 4")
    wider = wider.replace("is: 1", "is: 2")
    page.ask("changes", names=names(wider), language="en")
    numbers = {each["title"]: each["number"] for each in page.hear()["changes"]}
    assert len(numbers) == 4
    found = weigh_change(page, names=names(wider), number=numbers["How many of each are laid out"])
    needed = {title for title, number in numbers.items() if number in found["along"]}
    assert needed == {"Stone: number", "Shell: number"}
    assert weigh_change(page, names=names(wider), number=numbers["What Ann gets"])["along"] == []

    broken = OWN_GAME.replace("is: 3", "is: 5").replace("count: 3", "count: 4")
    page.ask("changes", names=names(broken), language="en")
    numbers = {each["title"]: each["number"] for each in page.hear()["changes"]}
    found = weigh_change(page, names=names(broken), number=numbers["How many of each are laid out"])
    assert found["of"] == 0
    assert found["problem"].startswith("game: ")

    other = OWN_GAME.replace("game: pebbles", "game: shells")
    page.ask("changes", names=names(other), language="en")
    found = page.hear()
    assert found["code"] == "bad_rules"
    assert "two different games" in found["message"]
    for wrong in ([], [RULES], [RULES, {"rules": RULES, "files": 3}], [RULES, {"rules": ""}]):
        page.ask("changes", names=wrong, language="en")
        assert page.hear()["code"] == "bad_message"


# -------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    "wrong",
    [
        {"files": [{"name": "../x.yaml", "text": ""}]},
        {"files": [{"name": "languages/../de.yaml", "text": ""}]},
        {"files": [{"name": "x.yaml"}]},
        {"files": "x"},
        {"files": [{"name": "x.yaml", "text": "a" * (LARGEST_DRAFT + 1)}]},
        {"files": [{"name": "x.yaml", "text": ""}] * 2},
        {"rules": "x" * 400},
        {"rules": "", "files": []},
        {"rules": "nothing"},
        {"players": -1},
        {"replies": True},
    ],
)
def test_a_bad_wish_is_answered_and_nothing_breaks(page: Page, wrong: dict[str, Any]) -> None:
    page.ask("examine", **{"rules": RULES, "files": [], **POSITION, **wrong})
    found = page.hear()
    assert found["type"] == "stopped"
    assert found["message"]
    assert page.examine(TWO_IN_THE_LAST)["ok"]


@pytest.mark.parametrize("text", ["", "[]", '{"type": "x"}', "{" * 9, " " * 200_000])
def test_what_is_no_wish_is_answered(page: Page, text: str) -> None:
    page.session.send_text(text)
    assert page.hear()["type"] == "error"


def test_the_manual_can_be_looked_up(house: House) -> None:
    found = house.get("/api/reference")
    assert found["pages"]
    explaining = {key for keys in found["words"].values() for key in keys}
    assert {*found["pages"], *explaining} <= found["chapters"].keys()
    assert found["chapters"][found["words"]["must"][0]]["text"]
    assert found["keys"]["says"]
    assert found["codes"]["unknown-name"]["title"]


# -------------------------------------------------------------------- tellings side by side


@pytest.mark.full
def test_tellings_are_compared_as_data(house: House) -> None:
    found = house.get("/api/comparison?name=walhalla&name=walhalla%2Bno_exodus&language=de")
    assert found["language"] == "de"
    assert found["counts"]["play"] >= 1
    assert house.client.get("/comparison").status_code == 200
    for query in ("name=nim", "name=nim&name=pig", "name=nim&name=nim%2Bx"):
        assert house.client.get(f"/api/comparison?{query}").status_code in (400, 404)


@pytest.mark.full
def test_a_difference_is_shown_and_weighed(house: House, page: Page) -> None:
    names = ["walhalla", "walhalla+no_exodus"]
    found = house.get("/api/comparison?name=walhalla&name=walhalla%2Bno_exodus")
    number = next(each["number"] for each in found["differences"] if each["changes_play"])
    wish = {"names": names, "number": number, "telling": 1, "language": "en"}
    page.ask("witness", **wish)
    seen = page.hear()["witness"]
    assert seen["svg"].startswith("<svg")
    assert len(seen["sides"]) == 2
    page.ask("weigh", **wish, games=3)
    while (told := page.hear())["done"] < 3:
        pass
    assert told["rows"]
    assert (told["number"], told["telling"]) == (number, 1)
    assert told["seats"][0] == "Red"
    evidence = told["evidence"]
    assert (evidence["by"], evidence["shows"]) == ("seen", True)
    assert evidence["text"] == "seen in 1 of 3 games"
    page.ask("weigh", **{**wish, "telling": 0}, games=3)
    assert page.hear()["code"] == "bad_message"


EDITIONS = "name=walhalla&name=walhalla%2Bitalian&name=walhalla%2Bfrench"
PICKED = f"{EDITIONS}&pick=1:selling&pick=2:ties.second&language=de"


@pytest.mark.full
def test_readings_that_are_picked_are_a_variant(house: House) -> None:
    found = house.get(f"/api/mix?{PICKED}")
    assert not found["problem"]
    assert [(each["id"], each["telling"]) for each in found["taken"]] == [
        ("selling", 1),
        ("ties.second", 2),
    ]
    assert "set: ties.second" in found["file"]["text"]
    kept = house.client.post(
        "/api/drafts", json={"rules": found["rules"], "files": [found["file"]]}
    )
    assert kept.status_code == 201, kept.text
    begun = house.get(f"/api/drafts/{kept.json()['link'].rpartition('/')[2]}")
    assert begun["files"] == [found["file"]]


@pytest.mark.full
def test_readings_that_are_picked_are_a_contract_to_sign(house: House) -> None:
    page = house.client.get(f"/contract?{PICKED}")
    assert page.status_code == 200
    assert "style-src 'sha256-" in page.headers["content-security-policy"]
    assert "Décompte des presqu&#x27;îles après une attaque [fr]" in page.text
    assert "<dt>Deutsche Regel, 2006</dt><dd>wie vorher [" in page.text
    assert "<dt>Italienische Übersetzung, 2007</dt>" in page.text
    assert "<b>Gleichstand auf dem zweiten Platz</b>" in page.text


@pytest.mark.full
def test_readings_that_are_picked_are_held_against_each_edition(page: Page) -> None:
    names = ["walhalla", "walhalla+italian", "walhalla+french"]
    wish = {"names": names, "picks": ["2:ties.second"], "games": 3, "language": "en"}
    page.ask("balance", **wish, telling=2)
    while (told := page.hear())["done"] < 3:
        assert told["type"] == "balanced"
    assert told["telling"] == 2
    assert told["rows"]
    page.ask("balance", **{**wish, "picks": ["2:nothing_like_that"]}, telling=0)
    assert "no difference `nothing_like_that`" in page.hear()["problem"]
    page.ask("balance", **{**wish, "picks": ["9:ties.second"]}, telling=0)
    assert page.hear()["code"] == "bad_message"


@pytest.mark.full
@pytest.mark.parametrize(
    "pick, problem",
    sample(
        [
            ("1:ties.second", "nothing is taken"),
            ("1:box.age", "fact about the game"),
            ("1:no", "`no`"),
        ],
        test=3,
    ),
)
def test_picks_that_cannot_be_played_say_why(house: House, pick: str, problem: str) -> None:
    found = house.get(f"/api/mix?{EDITIONS}&pick={pick}")
    assert found["file"] is None
    assert problem in found["problem"]
    assert house.client.get(f"/contract?{EDITIONS}&pick={pick}").status_code == 404


@pytest.mark.parametrize("pick", ["", "ties.second", "x:ties.second", "3:ties.second", "-1:a"])
def test_what_is_no_pick_is_refused(house: House, pick: str) -> None:
    assert house.client.get(f"/api/mix?{EDITIONS}&pick={pick}").status_code == 400


# -------------------------------------------------------------------- drafts beside others


@pytest.mark.full
def test_a_draft_is_a_version_like_others(house: House, page: Page) -> None:
    names = [RULES, draft_of(THREE_CHANGES), draft_of(TWO_IN_THE_LAST)]
    answer = house.client.post("/api/comparison", json={"names": names, "language": "de"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found = answer.json()
    assert (found["language"], found["about_texts"], len(found["tellings"])) == ("de", [], 3)
    sizes = next(each for each in found["differences"] if each["id"] == "heap.sizes")
    assert sizes["tellings"] == [1, 2]
    (row,) = [each for each in found["rows"] if each["id"] == "heap.sizes"]
    assert [each["text"] for each in row["cells"]] == ["3, 4, 5", "3, 4, 6", "3, 4, 2"]

    wish = {"names": names, "number": sizes["number"], "telling": 2, "language": "en"}
    page.ask("witness", **wish)
    assert len(page.hear()["witness"]["sides"]) == 2
    mixed = house.post("/api/mix", {"names": names, "picks": ["2:heap.sizes"], "language": "en"})
    assert mixed["problem"] == ""
    assert "to: [3, 4, 2]" in mixed["file"]["text"]
    page.ask("balance", names=names, picks=["2:heap.sizes"], telling=1, games=2, language="en")
    while (told := page.hear())["done"] < 2:
        assert told["type"] == "balanced"

    # What was mixed is a draft itself, and something else is laid over it under another name.
    first = {"rules": RULES, "files": [mixed["file"]]}
    picked = {"names": [first, names[1]], "picks": ["1:numbers.amount"], "language": "en"}
    again = house.post("/api/mix", picked)
    assert again["problem"] == ""
    assert (mixed["file"]["name"], again["file"]["name"]) == ("our_rules.yaml", "our_rules_2.yaml")
    both = {"rules": RULES, "files": [mixed["file"], again["file"]]}
    page.ask("examine", **both, **POSITION)
    assert page.hear()["ok"]


@pytest.mark.parametrize(
    "names, code",
    [
        ([RULES], "bad_message"),
        ([RULES, {"rules": "", "files": []}], "bad_message"),
        ([RULES, {"rules": RULES, "files": "x"}], "bad_message"),
        ([RULES, draft_of("lawspeaker: [")], "bad_rules"),
        (["pig", draft_of(TWO_IN_THE_LAST)], "bad_rules"),
        ([RULES, {"rules": "nothing", "files": []}], "unknown_rules"),
    ],
)
def test_what_cannot_be_held_beside_a_draft_is_answered(
    house: House, names: list[Any], code: str
) -> None:
    for path in ("/api/comparison", "/api/mix"):
        answer = house.client.post(path, json={"names": names, "picks": [], "language": "en"})
        assert answer.json()["error"]["code"] == code, answer.text
        assert answer.json()["error"]["message"]


def test_no_draft_is_read_in_the_server_itself(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked of drafts is asked of the workers, and what they answer is passed on."""

    async def busy(*_: Any, **__: Any) -> Any:
        raise Stopped("too_long", "not here")
        yield

    monkeypatch.setattr(house.web.workshop.slow, "run", busy)
    wish = {"names": [RULES, draft_of(TWO_IN_THE_LAST)], "picks": ["1:heap.sizes"]}
    for path in ("/api/comparison", "/api/mix"):
        answer = house.client.post(path, json=wish)
        assert answer.json()["error"] == {"code": "too_long", "message": "not here"}


# -------------------------------------------------------------------- the lab


def test_games_are_simulated(house: House, page: Page) -> None:
    assert house.client.get("/lab").status_code == 200
    page.ask("simulate", rules="pig", players=2, bot="random", games=30, seed=1, language="de")
    while not (found := page.hear())["over"]:
        assert found["type"] == "simulated"
    summary = found["summary"]
    assert [each["called"] for each in summary["seats"]] == ["Anna", "Ben"]
    assert sum(each["wins"]["value"] for each in summary["seats"]) == pytest.approx(1)
    assert summary["fair"] == pytest.approx(0.5)
    assert all(summary["says"][each["clause"]] for each in summary["fired"])
    words = "lawspeaker simulate pig --games 30 --players 2 --bots random --seed 1"
    assert found["command"] == words
    page.ask("simulate", rules="pig", players=99, bot="random", games=30, seed=1)
    assert page.hear()["type"] == "stopped"
    page.ask("simulate", rules="pig", players=60, bot="random", games=30, seed=1)
    assert page.hear()["broken"].startswith("pig is for ")


def test_every_bot_of_the_lab_has_a_name_and_plays(house: House, page: Page) -> None:
    bots = [each["name"] for each in house.get("/api/choices?rules=tic_tac_toe")["bots"]]
    kinds = {"random", "greedy", "mc", "tree", "best"}
    assert {each.partition(":")[0] for each in bots} == kinds
    for bot in bots:
        if bot == "best":  # plays a ladder first: see test_strongest
            continue
        page.ask("simulate", rules="tic_tac_toe", players=2, bot=bot, games=2, seed=1)
        while not (found := page.hear()).get("summary"):
            assert found["type"] == "simulated"
        while not found["over"]:
            found = page.hear()


@pytest.mark.full
def test_a_choice_is_told_in_words_that_it_can_be_set_to(house: House, page: Page) -> None:
    (choice,) = house.get("/api/choices?rules=liars_dice")["choices"]
    assert choice["is"] == "true"
    wish = {"rules": "liars_dice", "players": 2, "bot": "random", "games": 2, "seed": 1}
    page.ask("sweep", **wish, vary=f"{choice['id']}=false,{choice['is']}")
    while not (found := page.hear())["over"]:
        assert not found["broken"]
    assert [each["reference"] for each in found["points"]] == [False, True]
    page.ask("sweep", **wish, vary=f"{choice['id']}=perhaps")
    assert page.hear()["broken"] == "wild_ones cannot be `perhaps`; it is one of true, false"


@pytest.mark.full
def test_values_are_found_and_a_game_is_reviewed(page: Page) -> None:
    wish = {"rules": "pig", "players": 2, "bot": "random", "games": 20, "seed": 1}
    goals = {"vary": ["goal=20,40"], "target": ["length=30", "skill:mc:2=0.5"]}
    page.ask("tune", **wish, **goals, measure=["left=10"])
    seen: list[Any] = []
    while not (found := page.hear())["over"]:
        seen.append(found)
    assert any("tuning" in each for each in seen), "what is known is told on the way"
    tuning = found["tuning"]
    assert [each["measure"] for each in tuning["targets"]] == ["length", "skill:mc:2"]
    assert {each["values"]["goal"] for each in tuning["trials"]} == {100, 20, 40}
    assert [each["values"]["goal"] for each in tuning["trials"] if each["printed"]] == [100]
    assert tuning["trials"][0]["measures"]["left"]["value"] == 10
    assert "--target length=30 --target skill:mc:2=0.5 --games 20" in found["command"]
    page.ask("review", **{**wish, "bot": "greedy", "players": 2}, language="de")
    while not (found := page.hear())["over"]:
        assert found["type"] == "reviewed"
    told = found["review"]
    assert told["thinking"][1].startswith("Also entscheidet der Zufall höchstens")
    assert told["tables"][-1]["bots"] == ["greedy"] * 2
    page.ask("review", **wish)
    assert page.hear()["broken"] == "a review needs players who think"


@pytest.mark.full
def test_a_draft_is_measured(page: Page) -> None:
    draft = "lawspeaker: 1\nvariant: mine\nof: pig\nlayer: house rule\ntitle: Mine\nchanges:\n"
    file = {"name": "mine.yaml", "text": f"{draft}  - set: goal\n    to: 7\n", "given": []}
    wish = {"rules": "pig", "files": [file], "players": 2, "bot": "random", "games": 4, "seed": 1}
    page.ask("sweep", **wish, vary=["goal=7,8"])
    while not (found := page.hear())["over"]:
        assert not found["broken"]
    assert [each["reference"] for each in found["points"]] == [True, False]
    assert found["command"].startswith("lawspeaker sweep pig+./mine.yaml --vary goal=7,8 ")


@pytest.mark.full
def test_a_choice_is_varied(house: House, page: Page) -> None:
    choices = house.get("/api/choices?rules=pig")["choices"]
    assert {"goal", "bad_face"} == {each["id"] for each in choices}
    wish = {"rules": "pig", "players": 2, "bot": "random", "games": 20, "seed": 1}
    page.ask("sweep", **wish, vary="goal=20,40")
    while not (found := page.hear())["over"]:
        assert found["type"] == "swept"
    assert found["csv"].count("\n") == 4
    assert [each["values"] for each in found["points"]] == [["100"], ["20"], ["40"]]
    whole, short, long = (each["measures"]["length"]["value"] for each in found["points"])
    assert short < long < whole
    assert [each["reference"] for each in found["points"]] == [True, False, False]
    assert [each["changes"] is None for each in found["points"]] == [True, False, False]
    for wrong in ("nothing=1..2", "goal", "goal=1..50"):
        page.ask("sweep", **wish, vary=wrong)
        assert page.hear()["broken"]


@pytest.mark.full
def test_a_table_says_what_its_draft_changes(house: House) -> None:
    text = (
        "lawspeaker: 1\nvariant: mine\nof: nim\nlayer: house rule\ntitle: Mine\nchanges:\n"
        "  - set: heap.sizes\n    to: [1, 2, 3]\n    kind: value\n"
    )
    seats = [{"who": "me"}, {"who": "friend"}]
    sent = {"rules": "nim", "files": [{"name": "mine.yaml", "text": text, "given": []}]}
    link = house.post("/api/workshop/table", {**sent, "seats": seats})["link"]
    token = link.removeprefix("/t/")
    first = house.get(f"/api/agreed/{token}?language=de")
    assert [each["says"] for each in first["points"]] == ["1, 2, 3"]
    assert house.get(f"/api/agreed/{token}?language=de") == first
    main = (ROOT / "rules" / "nim" / "game.yaml").read_text(encoding="utf-8")
    changed = main.replace("is: [3, 4, 5]", "is: [2, 4, 5]")
    assert changed != main
    sent = {"rules": "nim", "files": [{"name": "game.yaml", "text": changed, "given": None}]}
    link = house.post("/api/workshop/table", {**sent, "seats": seats})["link"]
    points = house.get(f"/api/agreed/{link.removeprefix('/t/')}")["points"]
    assert [each["says"] for each in points] == ["2, 4, 5"], "the files of the game themselves"
    plain = house.post("/api/tables", {"rules": "nim", "seats": seats})["link"]
    assert house.get(f"/api/agreed/{plain.removeprefix('/t/')}")["points"] == []
    assert house.client.get(f"/api/agreed/{'x' * 32}").status_code == 404
