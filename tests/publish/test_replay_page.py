"""A played game as one page: whole, from a disk, and with nothing in it that was not seen."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.faces.publishing.one_file import modules
from lawspeaker.faces.publishing.replay_page import recording
from lawspeaker.match.match import Match
from tests.log.tables import play

pytestmark = pytest.mark.xdist_group("browser")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["replay", *arguments])


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = play(lawspeaker.load("liars_dice").start(2, seed=5), seed=2)
    file = tmp_path_factory.mktemp("log") / "game.log"
    file.write_text(match.record(["human", "greedy"]).text(), encoding="utf-8")
    return file


def write_replay_page(log: Path, *arguments: str) -> str:
    file = log.with_suffix(".html")
    result = run(str(log), "--html", str(file), *arguments)
    assert result.exit_code == 0, result.output
    return file.read_text(encoding="utf-8")


def data_of(page: str) -> dict[str, Any]:
    (pressed,) = re.findall(r'id="game">"([^"]+)"<', page)
    found: dict[str, Any] = json.loads(gzip.decompress(b64decode(pressed)))
    return found


@pytest.mark.full
def test_a_page_needs_nothing_from_elsewhere(log: Path) -> None:
    page = write_replay_page(log)
    assert not re.findall(r'(?:src|href)="(?!data:)[^"]+"', page.partition('id="modules"')[0])
    assert "default-src 'none'" in page
    assert "unsafe" not in page


def test_every_module_is_in_however_it_is_imported() -> None:
    replaced = {
        "a.js": 'import "./b.js";\nimport { c } from "../c.js";\nconst d = await import("./d.js");',
        "b.js": 'export * from "./d.js";',
        "../c.js": "export const c = 1;",
        "d.js": "",
    }
    found = modules("a.js", replaced)
    assert [name for name, _ in found] == ["d.js", "b.js", "../c.js", "a.js"]
    assert dict(found)["b.js"] == 'export * from "module:d.js";'
    assert '"./' not in dict(found)["a.js"]
    with pytest.raises(ValueError, match="imports itself"):
        modules("a.js", {"a.js": 'import "./a.js";'})


@pytest.mark.full
def test_every_name_that_is_imported_is_exported(log: Path) -> None:
    (listed,) = re.findall(r'id="modules">(.+?)</script>', write_replay_page(log))
    found = dict(json.loads(listed.replace("<\\/", "</")))
    missing = [
        f"{name}: {each} of {other}"
        for name, text in found.items()
        for names, other in re.findall(r'import \{([^}]*)\} from "module:([^"]+)"', text)
        for each in re.findall(r"(\w+)(?: as \w+)?\s*(?:,|$)", names.strip())
        if not re.search(rf"^export (?:async )?(?:\w+\*? )?{each}\b", found[other], re.MULTILINE)
        and not re.search(rf"^export \{{[^}}]*\b{each}\b", found[other], re.MULTILINE)
    ]
    assert not missing


@pytest.mark.full
def test_a_page_for_one_seat_has_the_views_of_no_other(log: Path) -> None:
    every, one = data_of(write_replay_page(log)), data_of(write_replay_page(log, "--seat", "2"))
    assert {key.partition("/")[0] for key in every["views"]} == {"", "0", "1"}
    assert {key.partition("/")[0] for key in one["views"]} == {"1"}
    assert set(one["logs"]) == {"1"}
    assert "seed" not in one["message"]["table"]


@pytest.mark.full
def test_hands_that_were_not_seen_are_not_in_the_page() -> None:
    """Two games that differ in what the other has under his cup, as far as they look alike."""
    game = lawspeaker.load("liars_dice")
    found: dict[str, set[str]] = {}
    for seed in range(60):
        match = game.start(2, seed=seed)
        hands = [json.dumps(recording(once(match), [who], "en")) for who in (0, 1)]
        found.setdefault(hands[0], set()).add(hands[1])
    assert any(len(others) > 1 for others in found.values())


def once(match: Match) -> Iterator[Match]:
    yield match


@pytest.mark.parametrize(
    "arguments",
    [
        ["--html", "x.html", "--json"],
        ["--html", "x.html", "--seat", "3"],
        ["--html", "x.html", "--seat", "0"],
        ["--html", "x.html", "--seat", "all"],
        ["--html", "x.html", "--from", "2"],
        ["--seat", "1"],
        ["--html", "no/such/folder/x.html"],
    ],
)
def test_wrong_calls(log: Path, arguments: list[str]) -> None:
    assert run(str(log), *arguments).exit_code == 2


def test_a_game_that_comes_out_otherwise_is_not_written(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.log"
    text = log.read_text(encoding="utf-8")
    other.write_text(re.sub(r'("seed": ?)\d+', r"\g<1>6", text, count=1), encoding="utf-8")
    assert run(str(other), "--html", str(tmp_path / "other.html")).exit_code == 1
    assert not (tmp_path / "other.html").exists()


@pytest.mark.full
def test_it_is_stepped_through_from_a_disk(log: Path, chromium: Any) -> None:
    write_replay_page(log, "--lang", "de")
    context = chromium.new_context(offline=True, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.extend([message.text] * (message.type == "error")))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(log.with_suffix(".html").as_uri())
    page.wait_for_selector("svg.table")
    last = int(page.get_attribute("#slider", "max"))
    assert last == len(json.loads(log.read_text(encoding="utf-8"))["replies"])
    assert page.inner_text("#line") == "", "nobody is still playing in a file"
    page.click("#first")
    page.wait_for_function("document.getElementById('at').textContent.startsWith('Stand 0 ')")
    seen = set()
    for step in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"location.hash === '#{step}'")
        page.wait_for_selector("#behind p, #log .now", state="attached")
        seen.add(page.inner_text("#behind"))
    assert any("Becher" in each for each in seen)
    page.select_option("#seat", "1")
    page.wait_for_selector("svg.table")
    page.click(".story .line >> nth=0")
    page.wait_for_selector("#note:not([hidden])")
    context.close()
    assert not errors, "\n".join(errors)
