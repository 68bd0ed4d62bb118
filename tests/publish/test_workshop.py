"""The published workshop: rules are read, tried and played without a server, and shared by link."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import pytest
import typing_extensions

from lawspeaker.faces.publishing import site
from lawspeaker.faces.publishing.archives import on_offer, to_play, to_write
from lawspeaker.faces.publishing.table_worker import StoredGame
from lawspeaker.faces.publishing.workshop_worker import Bench, Here, read
from lawspeaker.faces.web.messages import BadMessage
from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT
from lawspeaker.faces.web.workshop.worker_pool import Stopped
from lawspeaker.outside.library import Library
from lawspeaker.players.bots import BOTS
from tests.publish.hosts import MODULE, Host, cut_off, take_first_answer, until, wait_until_asked
from tests.tiers import NIGHTLY

pytestmark = pytest.mark.xdist_group("browser")

RULE = """lawspeaker: 1
variant: my_rule
of: nim
layer: house rule
title: Ours
changes:
  - {set: heap.sizes, to: [1, 1, 2], because: It is short.}
"""
HOUSE: dict[str, Any] = {
    "rules": "nim",
    "files": [{"name": "my_rule.yaml", "text": RULE, "given": []}],
}
T = TypeVar("T")
HOUSE_RULE = "#begin .way:has-text('A house rule')"
SEATS = [{"who": "me"}, {"who": "greedy"}]


class SentMessages(list[dict[str, Any]]):
    def tell(self, text: str) -> None:
        self.append(json.loads(text))


@pytest.fixture
def sent() -> SentMessages:
    return SentMessages()


@pytest.fixture
def bench(sent: SentMessages) -> Bench:
    return Bench(sent.tell)


def answers_to(bench: Bench, told: SentMessages, **message: Any) -> list[dict[str, Any]]:
    """What comes of a message, until nothing more does."""

    async def heard() -> None:
        await bench.hear(json.dumps({"id": 1, "before": [], **message}))
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others)

    told.clear()
    run_in_thread(heard())
    return list(told)


def run_in_thread(deed: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: a browser that is driven beside has the loop of this one."""
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, deed).result()


# -------------------------------------------------------------------- what answers in a page


def test_a_visit_is_answered_without_a_server(bench: Bench, sent: SentMessages) -> None:
    begun = json.loads(bench.start(json.dumps([["as", "house"], ["rules", "nim"]])))
    assert begun["open"] == "my_rule.yaml"
    assert "game.yaml" in {each["name"] for each in begun["original"]}
    place = {"players": 2, "seed": 1, "replies": 0, "language": "en", "shape": "wide"}
    first, second = answers_to(bench, sent, type="examine", **HOUSE, **place)
    assert first["ok"]
    assert "<svg" in second["position"]["svg"]
    wrong = {**HOUSE["files"][0], "text": RULE.replace("changes", "changez")}
    (found,) = answers_to(
        bench, sent, type="check", rules="nim", files=[wrong], file="my_rule.yaml"
    )
    assert found["problems"][0]["fixes"]
    (done,) = answers_to(bench, sent, type="figures", **HOUSE, players=2, games=30, bot="random")
    assert (done["done"], done["players"]) == (30, 2)
    (refused,) = answers_to(bench, sent, type="effect", **HOUSE, players=2, games=30, bot="random")
    assert refused["type"] == "error"


def test_a_table_plays_by_a_draft(bench: Bench) -> None:
    found = json.loads(bench.table(json.dumps({**HOUSE, "seats": SEATS, "language": "de"})))
    assert found["game"]["name"] == "nim+./my_rule.yaml"
    game = read(json.dumps(found["game"]))
    record = StoredGame.read(json.dumps({**found["record"], "seed": "1"}), game)
    assert record.who == ("me", "greedy")
    assert record.language == "de"
    friends = [{"who": "me"}, {"who": "friend"}]
    told = json.loads(bench.table(json.dumps({**HOUSE, "seats": friends, "language": "de"})))
    assert told["error"]["code"] == "no_server"
    told = json.loads(bench.table(json.dumps({**HOUSE, "seats": SEATS * 2, "language": "de"})))
    assert "2 players" in told["error"]["message"]


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[]",
        "{}",
        '{"rules": "../../etc/passwd"}',
        '{"rules": "nim", "files": [{"name": "../game.yaml", "text": ""}]}',
        '{"rules": "nim", "files": [{"name": "a.yaml", "text": 1}]}',
        json.dumps({"files": [{"name": "game.yaml", "text": "x" * (LARGEST_DRAFT + 1)}]}),
        json.dumps({"files": [{"name": f"a{at}.yaml", "text": ""} for at in range(100)]}),
    ],
    ids=["words", "list", "nothing", "elsewhere", "path", "number", "large", "many"],
)
def test_what_a_link_holds_is_looked_at_as_whatever_visitors_send(bench: Bench, text: str) -> None:
    assert json.loads(bench.shared(text))["error"]["message"]


def test_a_shared_draft_is_opened(bench: Bench) -> None:
    found = json.loads(bench.shared(json.dumps(HOUSE)))
    assert found["files"] == HOUSE["files"]
    assert found["rules"] == "nim"


def test_what_was_kept_of_a_draft_is_looked_at_again() -> None:
    with pytest.raises(BadMessage):
        read(json.dumps({**HOUSE, "files": [{"name": "../a.yaml", "text": ""}]}))


def test_work_without_an_end_gives_others_their_turn_and_is_stopped() -> None:
    def endless() -> Iterator[int]:
        while True:
            yield 1

    async def followed() -> tuple[int, int]:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        meanwhile, heard = asyncio.create_task(other()), 0
        try:
            async for _ in Here().run(endless, seconds=0.01):
                heard += 1
        except Stopped as stopped:
            codes.append(stopped.code)
        meanwhile.cancel()
        return heard, turns

    codes: list[str] = []
    heard, turns = run_in_thread(followed())
    assert codes == ["too_long"]
    assert heard > 0
    assert turns > 0


# -------------------------------------------------------------------- what is published

ALONE = """
import asyncio, json, sys
for name in ("numpy", "rich", "starlette", "_multiprocessing", "jsonschema_rs"):
    sys.modules[name] = None
sys.path.insert(0, sys.argv[1])
from lawspeaker.faces.publishing.workshop_worker import Bench, read
told = []
bench = Bench(told.append)
draft = json.loads(sys.argv[2])

async def main():
    bad = [{**each, "text": each["text"] + "wrong: 1"} for each in draft["files"]]
    for kind, more in (
        ("examine", {"players": 2, "seed": 1, "replies": 1, "language": "en", "shape": "wide"}),
        ("figures", {"players": 2, "games": 2, "bot": "random"}),
        ("check", {"files": bad, "file": "my_rule.yaml"}),
        ("patch", {"name": "my_rule.yaml"}),
    ):
        await bench.hear(json.dumps({"type": kind, "id": 1, "before": [], **draft, **more}))
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
    return [json.loads(each) for each in told]

for each in asyncio.run(main()):
    print(each["type"])
    if each["type"] == "checked":
        print(each["problems"][0]["code"])
print(len(json.loads(bench.start(json.dumps([["as", "game"]])))["files"]))
made = json.loads(bench.table(json.dumps({**draft, "seats": [{"who": "me"}] * 2})))
game = read(json.dumps(made["game"]))
print(game.program.name)
from lawspeaker.faces.publishing.opening import open_house
house = open_house(game, json.dumps({**made["record"], "seed": "1"}), lambda text: None, None)
print("<svg" in house.scene(None, None, "en", "wide"))
"""


@pytest.mark.full
def test_the_archives_hold_all_that_rules_are_read_with(tmp_path: Path) -> None:
    """In a browser there is no other library: whatever is asked for is found here."""
    rules = on_offer(["nim"], Library())
    for content in (to_play(), to_write(rules)):
        with zipfile.ZipFile(BytesIO(content)) as archive:
            archive.extractall(tmp_path)
    if sys.version_info < (3, 13):  # later ones, as the browser's, can do without
        shutil.copy(typing_extensions.__file__, tmp_path)
    call = [sys.executable, "-I", "-S", "-c", ALONE, str(tmp_path), json.dumps(HOUSE)]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = [
        "examined",
        "examined",
        "figures",
        "checked",
        "unknown-key",
        "patched",
        "1",
        "nim",
        "True",
    ]
    assert done.stdout.split() == said
    assert {each.name for each in (tmp_path / "licences").iterdir()} >= {"lark", "PyYAML", "attrs"}
    offered = {each.name for each in (tmp_path / "lawspeaker/data/rules").iterdir()}
    assert offered == {"nim"}, "and no other game"


def test_a_game_of_ones_own_is_on_offer_with_its_variants(tmp_path: Path) -> None:
    (tmp_path / "pile").mkdir()
    text = (Path(__file__).parents[2] / "rules/nim/game.yaml").read_text(encoding="utf-8")
    (tmp_path / "pile/game.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "variants/pile/languages").mkdir(parents=True)
    (tmp_path / "variants/pile/mine.yaml").write_text("variant: mine", encoding="utf-8")
    (tmp_path / "variants/pile/scenarios").mkdir()
    (tmp_path / "variants/pile/scenarios/one.yaml").write_text("no rule", encoding="utf-8")
    library = Library(here=tmp_path)
    found = on_offer([f"{tmp_path}/pile"], library)
    assert found.keys() == {"rules/pile/game.yaml", "variants/pile/mine.yaml"}
    # One that lies elsewhere comes with its translations, and with nothing else that is there.
    (tmp_path / "languages").mkdir()
    for name in (
        "other.yaml",
        "languages/other.de.yaml",
        "secret.yaml",
        "languages/secret.de.yaml",
    ):
        (tmp_path / name).write_text("variant: other", encoding="utf-8")
    more = on_offer([f"{tmp_path}/pile+{tmp_path}/other.yaml"], library).keys() - found.keys()
    assert more == {"variants/pile/other.yaml", "variants/pile/languages/other.de.yaml"}


# -------------------------------------------------------------------- in a browser


@pytest.fixture
def host(python: dict[str, bytes], tmp_path: Path) -> Iterator[Host]:
    made = site.site([], python, compiled=NIGHTLY, workshop=["nim"])
    site.write(made, tmp_path / "site")
    opened = Host(tmp_path / "site")
    yield opened
    opened.unplug()


def open_house_rule(page: Any, host: Host) -> None:
    """A house rule is opened, and its table is there."""
    page.goto(f"{host.url}workshop.html")
    page.wait_for_selector("#begin .way")
    cut_off(page, host)
    page.click(HOUSE_RULE)
    page.wait_for_selector("#table svg")


@pytest.mark.full
def test_mistakes_are_told_in_a_page_without_a_network(host: Host, screen: Any) -> None:
    open_house_rule(screen, host)
    assert screen.inner_text("#count") == "0"
    assert screen.is_hidden("#compare")
    # Numbers can be set there, too.
    screen.click("#numbers-button")
    screen.wait_for_selector("#numbers .setting >> nth=0")
    screen.click("#numbers-button")
    screen.fill("#editor textarea", RULE.replace("changes", "changez"))
    screen.wait_for_selector("#problems >> text=did you mean 'changes'?")
    screen.click("#problems button:has-text('Change to')")
    screen.wait_for_selector("#count.ok >> text=0")
    assert screen.input_value("#editor textarea") == RULE
    # Where nothing can be kept, that is said.
    full = "Storage.prototype.setItem = () => { throw new Error('full'); }"
    screen.evaluate(f"() => {{ {full} }}")
    screen.fill("#editor textarea", f"{RULE}# more\n")
    screen.wait_for_selector("#note >> text=This draft cannot be kept in this browser.")


@pytest.mark.nightly
def test_a_draft_is_tried_shared_and_played_without_a_network(host: Host, screen: Any) -> None:
    open_house_rule(screen, host)
    screen.fill("#editor textarea", RULE)
    screen.wait_for_selector("#options .badge.gone")
    # Many games, by the compiled machine.
    screen.click("#effect button")
    screen.wait_for_selector("#effect >> text=2000 of 2000 games with 2 players (random)")
    columns = screen.locator("#effect .measures thead th").all_inner_texts()
    assert columns == ["before", "now", "change"]
    assert screen.locator("#effect .measures .clear").count() >= 1
    # Shared: the link holds all of it.
    screen.context.grant_permissions(["clipboard-write"])
    screen.click("#share")
    until(screen, "location.hash.startsWith('#draft=')")
    link = screen.url
    other = screen.context.new_page()
    other.goto(link)
    other.wait_for_selector("#table svg")
    assert other.input_value("#editor textarea") == RULE
    other.goto(f"{link[:-20]}")
    other.wait_for_selector("#begin .wrong >> text=This link holds no draft.")
    other.close()
    # What was written is there again, and can be gone on with.
    screen.fill("#editor textarea", f"{RULE}# mine\n")
    until(screen, "location.search.startsWith('?draft=')")
    screen.goto(f"{host.url}workshop.html")
    screen.click("#begin .left a")
    screen.wait_for_selector("#table svg")
    assert screen.input_value("#editor textarea") == f"{RULE}# mine\n"
    # Played, against a bot that thinks by a module made here.
    screen.click("#play")
    screen.wait_for_selector("dialog.seating .main")
    offered = screen.locator("#seat-1 option").evaluate_all("all => all.map((each) => each.value)")
    assert {*offered} == {"me", *BOTS}
    screen.select_option("#seat-1", "mc:100")
    with screen.context.expect_page() as opening:
        screen.click("dialog.seating .main")
    table = opening.value
    assert wait_until_asked(table) == "asked"
    assert table.inner_text("#title") == "Nim – Ours"
    take_first_answer(table)
    until(table, f"{MODULE}.calls > 0")
    assert table.evaluate(MODULE)["made"] == 1
    wait_until_asked(table)
    table.close()


@pytest.mark.nightly
def test_a_page_ends_what_takes_too_long(host: Host, screen: Any) -> None:
    """The page waits for a millisecond instead of a minute, so any work at all takes too long."""
    script = (host.folder / "published" / "bench.js").read_text(encoding="utf-8")
    assert "PATIENCE = 60_000" in script
    slow = script.replace("PATIENCE = 60_000", "PATIENCE = 1")
    (host.folder / "published" / "bench.js").write_text(slow, encoding="utf-8")
    screen.goto(f"{host.url}workshop.html")
    screen.click(HOUSE_RULE)
    screen.wait_for_selector("#begin .wrong >> text=That took too long and was stopped.")
    screen.wait_for_selector("#begin .way")
