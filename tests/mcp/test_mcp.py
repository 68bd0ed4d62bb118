"""The server for language models: a scripted client takes a small game from a broken draft to a
reviewed one, and nothing outside of the folder can be reached."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

pytest.importorskip("mcp", reason="the server for language models needs lawspeaker[mcp]")

from mcp import Client

from lawspeaker.faces.mcp.server import server
from lawspeaker.outside.library import data_folder
from tests.compare.stall import GAME

Call = Callable[..., Awaitable[str]]
T = TypeVar("T")
BROKEN = GAME.replace("move fruit to basket", "move fruti to basket")
STORM = """\
lawspeaker: 1
variant: storm
of: stall
layer: house rule
title: Storm
changes: [{set: rounds, to: 1, because: It rains.}]
"""
SCENARIO = """\
scenario: A basket holds one fruit
game: stall
players: 2
seed: 1
steps:
  - offers among others: [take apple]
    answer: take apple
    then: {basket ann: apple}
  - asks: {ben: picking}
"""


class Refused(Exception):
    """The tool has answered with an error."""


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine in a thread, since a browser may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def session(folder: Path, script: Callable[[Call], Awaitable[None]], **options: Any) -> None:
    """Runs a script of calls against a server for the folder."""

    failed: list[BaseException] = []

    async def run() -> None:
        async with Client(server(folder, **options)) as client:

            async def call(tool: str, **given: Any) -> str:
                answer = await client.call_tool(tool, given)
                text = "\n".join(each.text for each in answer.content if each.type == "text")
                if answer.is_error:
                    raise Refused(text)
                return text

            try:
                await script(call)
            except BaseException as error:  # the client would wrap it in groups
                failed.append(error)

    run_in_thread(run())
    if failed:
        raise failed[0]


async def refused(call: Awaitable[str]) -> str:
    with pytest.raises(Refused) as told:
        await call
    return str(told.value)


@pytest.mark.full
def test_a_broken_draft_becomes_a_reviewed_game(tmp_path: Path) -> None:
    async def script(call: Call) -> None:
        assert "write NAME/game.yaml" in await call("list_games")
        assert "secretly must" in await call("manual", words="questions")

        # A first draft with a mistake: the checker says where, and the code is explained.
        told = await call("write_file", path="stall/game.yaml", text=BROKEN)
        assert "stall/game.yaml: written" in told
        code, line = re.findall(r"stall/game.yaml:(\d+):\d+: error\[(.+?)\]", told)[0][::-1]
        assert "fruti" in BROKEN.splitlines()[int(line) - 1]
        assert "did you mean 'fruit'?" in told
        assert (await call("explain", what=code)).startswith(code)
        assert "error[" in await refused(call("play", name="stall"))
        mended = (await call("read_file", path="stall/game.yaml")).replace("fruti", "fruit")
        told = await call("write_file", path="stall/game.yaml", text=mended)
        assert "stall: 5 clauses, 2 choices, no errors" in told
        assert "formatted" in await call("format", path="stall/game.yaml")
        assert "is in canonical layout" in await call("format", path="stall/game.yaml")

        # A few replies by hand, and one that the rules forbid.
        told = await call("play", name="stall")
        assert "Asked: ann, by picking: Which fruit?" in told
        assert "- take apple" in told
        replies = ["take apple", "take plum", "take plum"]
        told = await refused(call("play", name="stall", replies=replies))
        assert "Reply 3, 'take plum', is not allowed" in told
        told = await call("play", name="othello", why_not="lay cell 1 1")
        assert "'lay cell 1 1': A disc must flank" in told
        assert "A basket holds one fruit." in await call(
            "explain", what="picking.not_full", game="stall"
        )

        # A test, a variant, many games.
        await call("write_file", path="stall/scenarios/first.yaml", text=SCENARIO)
        assert "passed, 0 failed" in await call("run_scenarios", path="stall")
        await call("write_file", path="variants/stall/storm.yaml", text=STORM)
        assert "stall/scenarios/first.yaml" in await call("list_files")
        assert "- stall, with variants storm" in await call("list_games")
        told = await call("compare", names=["stall", "stall+storm"])
        assert "| 1 | **How many rounds are played.** |" in told
        told = await call("simulate", name="stall", games=30)
        assert "30 games, 3 players, seed 1" in told
        assert "By seat" in told
        told = await call("review", name="stall", games=20, thinking=2)
        assert "What thinking is worth" in told or "greedy" in told
        told = await call("worth", name="stall", games=20, players=2, seat="ben")
        assert "What ben loses without it" in told
        assert "nobody is called `bem`; did you mean" in await refused(
            call("worth", name="stall", seat="bem")
        )
        told = await call("drama", name="stall", games=4, players=2)
        assert "4 games, 2 players (random), seed 1" in told
        told = await call("variety", name="stall", games=4, players=2)
        assert "4 games, 2 players (greedy), seed 1" in told
        assert "mc:200" in await call("ladder", name="stall", deals=4, players=2)

    session(tmp_path, script)
    assert (tmp_path / "stall" / "game.yaml").is_file()


@pytest.mark.full
def test_nothing_outside_is_reached(tmp_path: Path) -> None:
    """Neither by a path of the client, nor by a name in rules or a scenario, nor by a link."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for folder in (outside / "stall", inside / "shop"):
        folder.mkdir(parents=True)
    secret = outside / "stall" / "game.yaml"
    secret.write_text(GAME.replace("The Stall", "A Secret Title"), encoding="utf-8")
    (inside / "linked").symlink_to(outside / "stall", target_is_directory=True)
    (inside / "shop" / "game.yaml").write_text(
        GAME.replace("lawspeaker: 1", f"lawspeaker: 1\nfiles: [../../{secret}]"), encoding="utf-8"
    )

    async def script(call: Call) -> None:
        for path in ("../outside/stall/game.yaml", str(secret), "linked/game.yaml", ".hidden.yaml"):
            for call_it in (
                call("read_file", path=path),
                call("write_file", path=path, text="x: 1\n"),
                call("check", name=path),
                call("play", name=f"stall+{path}"),
                call("run_scenarios", path=path),
            ):
                told = await refused(call_it)
                assert "does not lie in the folder" in told or "is hidden" in told
        assert "no older revisions" in await refused(call("check", name="shop@HEAD"))
        assert "those end in .yaml" in await refused(call("read_file", path="shop/game.txt"))
        told = await call("check", name="shop")
        assert "error[not-found]" in told
        assert "Secret" not in told

        for game in (secret, "../../outside/stall", "../linked/game.yaml", "shop@HEAD"):
            text = SCENARIO.replace("game: stall", f"game: {game}")
            await call("write_file", path="test.yaml", text=text)
            told = await call("run_scenarios", path="test.yaml")
            assert "0 passed, 1 failed" in told
            assert "error[not-found]" in told
            assert "passed" not in await call("check", name="test.yaml")
        assert "linked" not in await call("list_files")

    session(inside, script)
    assert "A Secret Title" in secret.read_text(encoding="utf-8")


@pytest.mark.full
def test_what_takes_too_much_is_refused(tmp_path: Path) -> None:
    async def script(call: Call) -> None:
        asked = {"name": "kuhn_poker"}
        assert "from 1 to 2,000" in await refused(call("simulate", **asked, games=2_001))
        assert "from 1 to 50" in await refused(call("simulate", **asked, games=60, bots="mc:100"))
        assert "one of random" in await refused(call("simulate", **asked, games=1, bots="clever"))
        assert "from 1 to 40" in await refused(call("review", **asked, thinking=100))
        assert "from 1 to 1,000" in await refused(call("worth", **asked, games=1_001))
        assert "from 4 to 200" in await refused(call("drama", **asked, games=3))
        assert "from 1 to 200" in await refused(call("variety", **asked, games=201))
        assert "from 4 to 20" in await refused(call("ladder", **asked, deals=21))
        assert "two to six" in await refused(call("compare", names=["kuhn_poker"]))
        many = ["check"] * 2_001
        assert "at most 2,000 replies" in await refused(call("play", **asked, replies=many))
        text = "x: 1\n" * 40_001
        told = await refused(call("write_file", path="large.yaml", text=text))
        assert "200,000 characters" in told

    session(tmp_path, script)
    assert not list(tmp_path.iterdir())


def test_a_folder_may_be_for_reading_only(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")

    async def tools(**options: Any) -> dict[str, bool]:
        async with Client(server(tmp_path, **options)) as client:
            found = (await client.list_tools()).tools
            assert all(each.description for each in found)
            return {
                each.name: bool(each.annotations and each.annotations.read_only_hint)
                for each in found
            }

    whole = run_in_thread(tools())
    assert {name for name, reads in whole.items() if not reads} == {"write_file", "format"}
    reading = run_in_thread(tools(writable=False))
    assert reading == {name: True for name, reads in whole.items() if reads}


def test_the_manual_is_found_by_words(tmp_path: Path) -> None:
    async def script(call: Call) -> None:
        assert "(boards#networks)" in await call("manual", words="networks of roads")
        assert "(recipes#" in await call("manual", words="auction with secret bids")
        page = data_folder("docs") / "language" / "windows.md"
        assert (await call("manual", words="windows")).count("## ") >= page.read_text(
            encoding="utf-8"
        ).count("\n## ")
        assert (await call("manual", words="boards#networks")).startswith("## ")
        assert "its pages: " in await refused(call("manual", words="zyzzyva"))

    session(tmp_path, script)
