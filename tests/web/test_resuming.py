"""Nothing is lost: killed at any moment, a server goes on where it was."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.settings import Settings
from lawspeaker.outside.library import Library
from lawspeaker.outside.storage import open_log
from tests.web.conftest import PATIENCE, House, Served
from tests.web.visitors import everyone, play_on, set_up


def question(shown: dict[str, Any]) -> Any:
    return shown["at"], shown["ask"], shown["seat"], shown["scene"]["question"]


def test_every_table_goes_on_at_the_same_question(settings: Settings) -> None:
    tables: dict[str, Any] = {}
    with ExitStack() as stack:
        house = House(settings, stack)
        for rules, seats, replies in (("walhalla", 3, 8), ("nim", 2, 1), ("kuhn_poker", 2, 99)):
            host = set_up(house.post, rules, ["me", *["friend"] * (seats - 1)])
            found = everyone(host, house.connect(host).shown)
            watch = found.pop(None)
            screens = {seat or 0: house.connect(token) for seat, token in found.items()}
            play_on(screens, replies)
            for token in (watch, *(screen.token for screen in screens.values())):
                tables[token] = question(house.connect(token).shown)
    with ExitStack() as stack:
        house = House(settings, stack)
        for token, before in tables.items():
            assert question(house.connect(token).shown) == before


@pytest.mark.full
def test_killed_in_the_middle_nothing_that_was_told_is_lost(served: Served) -> None:
    """Several tables are played as fast as they can be while the server is killed."""
    hosts = [set_up(served.post, "walhalla", ("me", "me", "me"), seed=n) for n in range(3)]
    told: dict[str, list[dict[str, Any]]] = {host: [] for host in hosts}

    def play(host: str) -> None:
        screen = served.connect(host)
        try:
            while not screen.shown["table"]["finished"]:
                screen.look()
                number = screen.shown["at"] % len(screen.options)
                screen.reply(number)
                told[host].append(screen.shown)
        except ConnectionClosed:
            pass

    playing = [Thread(target=play, args=(host,)) for host in hosts]
    for each in playing:
        each.start()
    while not all(len(each) > 3 for each in told.values()):
        time.sleep(0.01)
    served.restart()
    for each in playing:
        each.join()

    for host in hosts:
        shown = served.connect(host).shown
        last = told[host][-1]
        assert last["at"] <= shown["at"] <= last["at"] + 1
        if shown["at"] == last["at"]:
            asked = last["seat"] if last["curtain"] is None else last["curtain"]
            now = shown["seat"] if shown["curtain"] is None else shown["curtain"]
            assert now == asked, "the same player is asked"


def test_what_is_proposed_is_still_proposed(settings: Settings) -> None:
    """A going back and a bot: what has been agreed to counts, and the last consent does it."""
    with ExitStack() as stack:
        house = House(settings, stack)
        host = set_up(house.post, "walhalla", ("me", "friend", "friend", "friend"))
        screen = house.connect(host)
        found = everyone(host, screen.shown)
        friends = [house.connect(found[seat]) for seat in (1, 2)]
        for each in (screen, *friends):
            each.see(lambda shown: shown["table"]["seats"][2]["here"])
        screen.say("bot", seat=3, strength="random")
        friends[0].see(lambda shown: shown["table"]["proposal"])
        friends[0].say("agree")
        agreed = screen.see(lambda shown: bool((shown["table"]["proposal"] or {}).get("agreed")))
        assert agreed["table"]["proposal"]["text"]
    with ExitStack() as stack:
        house = House(settings, stack)
        friend = house.connect(friends[1].token)
        proposal = friend.shown["table"]["proposal"]
        assert (proposal["agreed"], proposal["needs"], proposal["yours"]) == ([1], [1, 2], True)
        assert friend.shown["table"]["seats"][3]["who"] == "person"
        friend.say("agree")
        friend.see(lambda shown: shown["table"]["seats"][3]["who"] == "bot")
        assert friend.shown["table"]["proposal"] is None


def test_old_tables_are_deleted_only_if_that_is_wanted(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(settings, stack)
        hosts = [set_up(house.post, "nim", ("me", "me")) for _ in range(2)]
        aged = "UPDATE tables SET touched = '2020-01-01'"
        days = "INSERT INTO days VALUES ('2020-01-01'), ('2020-01-02')"
        house.web.registry.store._base.execute(aged)
        house.web.registry.store._base.execute(days)
    with ExitStack() as stack:
        House(replace(settings, keep_finished=1), stack).connect(hosts[0])
    with ExitStack() as stack:
        house = House(replace(settings, keep_running=1), stack)
        house.connect(hosts[0])
        assert house.client.get(f"/t/{hosts[1]}").status_code == 404


def child_processes(process: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after_name = each.read_text(encoding="ascii", errors="replace").rpartition(")")[2]
            if int(after_name.split()[1]) == process:
                found.append(int(each.parent.name))
    return found


def has_exited(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


@pytest.mark.full
def test_bots_end_with_their_server_and_play_on_with_the_next(served: Served) -> None:
    host = set_up(served.post, "nim", ("me", "random"))
    screen = served.connect(host)
    screen.reply()
    at = screen.see(lambda shown: shown["at"] == 2)["at"]
    assert served.process is not None
    bots = child_processes(served.process.pid)
    assert bots or not Path("/proc/self").exists()
    served.restart()
    deadline = time.monotonic() + PATIENCE
    while not all(map(has_exited, bots)):
        assert time.monotonic() < deadline, "a bot's process outlives its server"
        time.sleep(0.05)
    screen = served.connect(host)
    assert screen.shown["at"] == at
    screen.reply()
    screen.see(lambda shown: shown["at"] >= at + 2 or shown["table"]["finished"])
    assert served.stop(signal.SIGTERM) == 0


def test_a_table_keeps_the_rules_it_began_with(settings: Settings, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(Library().game("nim").parent, own / "rules" / "nim")
    settings = replace(settings, library=replace(settings.library, here=own))
    with ExitStack() as stack:
        house = House(settings, stack)
        old = set_up(house.post, "nim", ("me", "me"))
        before = house.connect(old).shown["scene"]
    file = own / "rules" / "nim" / "game.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("is: [3, 4, 5]", "is: [2, 4, 5]"), encoding="utf-8")
    assert file.read_text(encoding="utf-8") != text
    with ExitStack() as stack:
        house = House(settings, stack)
        kept = house.connect(old).shown
        assert kept["scene"] == before
        new = set_up(house.post, "nim", ("me", "me"))
        assert house.connect(new).shown["scene"]["svg"] != before["svg"]
        file.unlink()
        assert house.connect(old).shown["scene"] == before


def test_tables_that_nobody_uses_are_closed_and_opened_again(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, most_open=2), stack)
        hosts = [set_up(house.post, "nim", ("me", "me"), seed=n) for n in range(5)]
        for host in hosts:
            assert house.get(f"/api/scene/{host}")["at"] == 0
        assert len(house.web.registry._open) == 2
        screens = [house.connect(host) for host in hosts]
        assert len(house.web.registry._open) == 5, "tables in use stay open"
        for screen in screens:
            screen.look()
            screen.see(lambda shown: shown["seat"] is not None)
            assert screen.reply()["at"] == 1


def test_a_reply_that_cannot_be_kept_does_not_count(house: House, monkeypatch: Any) -> None:
    host = set_up(house.post, "nim", ("me", "me"))
    screen = house.connect(host)
    screen.look()
    before = question(screen.see(lambda shown: shown["seat"] is not None))

    def full(*_: Any) -> None:
        raise NotKept("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(house.web.registry.store, "add_reply", full)
        refused = screen.answer_to("reply", number=0, ask=screen.shown["ask"])
    assert refused["why"]["code"] == "not_kept"
    again = house.connect(host)
    again.look()
    assert question(again.see(lambda shown: shown["seat"] is not None)) == before
    assert screen.reply()["at"] == 1


@pytest.mark.full
def test_a_downloaded_log_is_replayed_by_the_command_line(house: House, tmp_path: Path) -> None:
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    tokens = everyone(host, house.connect(host).shown)
    screens = {seat: house.connect(tokens[seat]) for seat in (0, 1)}
    play_on(screens)
    answer = house.client.get(f"/api/log/{screens[1].token}")
    assert "attachment" in answer.headers["content-disposition"]
    file = tmp_path / "game.json"
    file.write_text(answer.text, encoding="utf-8")
    diagnostics = Diagnostics()
    log = open_log(file, diagnostics)
    assert log is not None, diagnostics
    assert log.bundle
    done = subprocess.run(
        [sys.executable, "-m", "lawspeaker", "replay", str(file)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[2] / "interpreter")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
