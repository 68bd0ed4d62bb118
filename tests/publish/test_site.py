"""A published folder in a real browser, from a host of plain files, without a network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.faces.publishing import archives, site
from lawspeaker.faces.publishing import runtime as runtimes
from lawspeaker.faces.publishing.opening import opened, packed
from lawspeaker.faces.publishing.public_names import public_name
from lawspeaker.faces.publishing.runtime import FILES, NoRuntime, runtime
from lawspeaker.outside.library import Library
from tests.publish.hosts import (
    MODULE,
    PATIENCE,
    UNTAUGHT,
    Host,
    cut_off,
    take_first_answer,
    until,
    wait_until_asked,
)
from tests.tiers import NIGHTLY

pytestmark = pytest.mark.xdist_group("browser")

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hosted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Host]]:
    opened: list[Host] = []

    def host(names: Sequence[str], played: bool = True) -> Host:
        python = request.getfixturevalue("python") if played else {}
        compiled = played and NIGHTLY
        made = site.site([lawspeaker.load(each) for each in names], python, compiled=compiled)
        site.write(made, tmp_path / "site")
        opened.append(Host(tmp_path / "site"))
        return opened[-1]

    yield host
    for each in opened:
        each.unplug()


@pytest.mark.nightly
def test_liars_dice_is_played_without_a_network(
    hosted: Callable[..., Host], screen: Any, tmp_path: Path
) -> None:
    host = hosted(["liars_dice"])
    screen.goto(host.url)
    screen.click("a.open")
    screen.wait_for_selector(".start")
    cut_off(screen, host)
    screen.click(".start")
    screen.wait_for_url("**/table.html**")
    # The table is seen before Python is there.
    screen.wait_for_selector("svg.foretaste")
    assert wait_until_asked(screen) == "asked"
    take_first_answer(screen)
    until(screen, f"{MODULE}.calls > 0")
    thought = screen.evaluate(MODULE)
    assert thought["taken"] == 1, "the bot thinks by the module that was published,"
    assert thought["made"] == 0, "and by no other"
    assert wait_until_asked(screen) == "asked"
    told = screen.locator("#log li").count()
    assert told > 1
    # Why not: a die of one's own is nothing that is asked for.
    screen.click("#table [data-thing] >> nth=0")
    screen.wait_for_selector("#note:not([hidden])")
    # What a bot would do, and the rulebook over the table.
    screen.click("#hint")
    screen.wait_for_selector(".advice li")
    assert screen.evaluate(MODULE)["made"] == 0
    screen.keyboard.press("Escape")
    screen.click("#book")
    screen.wait_for_selector("dialog.rulebook .leaf section")
    screen.click("dialog.rulebook .close")
    # Saved, opened elsewhere, and gone on with.
    with screen.expect_download() as saving:
        screen.click("#download")
    saved = tmp_path / "saved.json"
    saving.value.save_as(saved)
    replies = len(json.loads(saved.read_text(encoding="utf-8"))["replies"])
    assert str(replies) == screen.get_attribute("body", "data-at")
    screen.click("a.home")
    screen.wait_for_selector("#kept li")
    screen.set_input_files("#file", saved)
    screen.wait_for_url("**/table.html**")
    assert wait_until_asked(screen) == "asked"
    assert str(replies) == screen.get_attribute("body", "data-at")
    screen.click("#undo")
    until(
        screen,
        f"Number(document.body.dataset.at) < {replies} || !document.getElementById('note').hidden",
    )


@pytest.mark.nightly
def test_a_game_by_mail_goes_from_one_browser_to_another(
    hosted: Callable[..., Host], screen: Any, chromium: Any
) -> None:
    host = hosted(["nim"])
    screen.goto(f"{host.url}nim.html")
    screen.click(".by-mail")
    screen.wait_for_url("**/table.html**")
    assert wait_until_asked(screen) == "asked"
    take_first_answer(screen)
    link = screen.get_attribute("#mail button", "data-link")
    other = chromium.new_context()
    other.set_default_timeout(PATIENCE)
    other.add_init_script(UNTAUGHT)
    page = other.new_page()
    page.goto(link)
    page.wait_for_selector("body[data-at='1']")
    take_first_answer(page)
    back = page.get_attribute("#mail button", "data-link")
    # A link that tells another past than the one this browser knows is refused.
    screen.goto(back)
    screen.wait_for_selector("body[data-at='2'][data-state=asked]")
    other.close()
    broken = link[:-12]
    screen.goto("about:blank")
    screen.goto(broken)
    until(screen, "document.body.dataset.trouble !== undefined")
    assert "no game" in screen.get_attribute("body", "data-trouble")


@pytest.mark.full
def test_what_is_published_needs_nothing_from_elsewhere(python: dict[str, bytes]) -> None:
    made = site.site([lawspeaker.load("nim")], python, compiled=False)
    ours = [name for name in made if not name.startswith("runtime/")]
    pages = [name for name in ours if name.endswith(".html")]
    assert {"index.html", "nim.html", "table.html", "replay.html"} <= set(pages)
    for name in pages:
        text = made[name].decode()
        policy = re.findall(r'content-security-policy" content="([^"]+)"', text)
        if name.startswith("games/"):  # a rulebook, which runs nothing at all
            assert len(policy) == 1
            assert "default-src 'none'" in policy[0]
            assert "<script" not in text
        else:
            assert policy == [site.POLICY]
        assert not re.findall(r'(?:src|href)="(?:/|https?:)', text)
    assert "unsafe-eval'" not in site.POLICY.replace("'wasm-unsafe-eval'", "")
    for name in ours:
        if name.endswith((".js", ".css")):
            assert not re.findall(
                rb"https?://(?!page\.invalid|www\.w3\.org/)\S+\.\w", made[name]
            ), name
    assert set(listed(made)) == set(made) - {"service.js"}


def listed(made: dict[str, bytes]) -> dict[str, list[Any]]:
    """The files that the service worker knows."""
    found = json.loads(re.findall(r"FILES = (\{.*?\});", made["service.js"].decode(), re.S)[0])
    assert isinstance(found, dict)
    return found


def test_a_site_can_be_installed() -> None:
    """All icons that the manifest names are there, as pictures of the size it tells."""
    entry = {"stem": "pile", "title": {"en": "Pile"}}
    manifest = site._manifest([entry, entry])
    static = {f"static/{name}": content for name, content in site._static()}
    sizes = set()
    for icon in manifest["icons"]:
        content = static[icon["src"]]
        if icon["type"] == "image/png":
            size = f"{int.from_bytes(content[16:20])}x{int.from_bytes(content[20:24])}"
            assert size == icon["sizes"]
            sizes.add(size)
    assert sizes >= {"192x192", "512x512"}, "what browsers want before they offer to install it"
    assert not [each for each in json.dumps(manifest).split('"') if each.startswith("/")]


KEPT = "caches.keys().then(async (all) => (await (await caches.open(all[0])).keys()).length)"


@pytest.mark.full
def test_what_was_opened_is_kept_or_everything(
    hosted: Callable[..., Host], screen: Any, tmp_path: Path
) -> None:
    host = hosted(["nim", "pig"], played=False)
    service = (host.folder / "service.js").read_bytes()
    everything = len(listed({"service.js": service}))
    screen.goto(f"{host.url}nim.html?language=en")
    screen.wait_for_selector("#offline button.keep")
    assert 0 < screen.evaluate(KEPT) < everything
    assert not screen.evaluate("caches.match('pig.html').then(Boolean)")
    # What was looked at is there again without a network, and nothing else.
    for name in ("nim.html", "words/en.json", "games/nim.en.wide.svg"):
        until(screen, f"caches.match('{name}').then(Boolean)")
    screen.context.set_offline(True)
    screen.reload()
    screen.wait_for_selector("#start select")
    screen.context.set_offline(False)
    screen.click("#offline button.keep")
    screen.wait_for_selector("#offline .kept")
    assert screen.evaluate(KEPT) == everything
    screen.context.set_offline(True)
    screen.goto(f"{host.url}pig.html?language=de")
    screen.wait_for_selector("#start select")
    assert screen.inner_text("h1") == "Böse Eins"
    screen.wait_for_selector("#offline .kept")
    screen.context.set_offline(False)
    # A newer version waits until it is asked for; what has not changed is not fetched again.
    made = {each: (host.folder / each).read_bytes() for each in listed({"service.js": service})}
    made["pig.html"] = made["pig.html"].replace(b"<main>", b'<main><p id="more">More</p>')
    made["service.js"] = site._service(made)
    site.write(made, host.folder)
    host.asked.clear()
    screen.goto(f"{host.url}pig.html?language=de")
    screen.wait_for_selector("#newer button >> text=Neu laden")
    assert screen.locator("#more").count() == 0
    assert [each for each in host.asked if "service.js" not in each] == ["/pig.html"]
    screen.click("#newer button")
    screen.wait_for_selector("#more")
    screen.wait_for_selector("#offline .kept")
    assert screen.evaluate("caches.keys().then((all) => all.length)") == 1


@pytest.mark.full
def test_a_page_on_a_disk_says_that_it_needs_a_host(tmp_path: Path, chromium: Any) -> None:
    made = site.site([lawspeaker.load("nim")], {}, compiled=False, docs={"index.html": b""})
    site.write(made, tmp_path)
    page = chromium.new_context(locale="fr-FR").new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.wait_for_selector("#disk >> text=il faut un serveur web")
    assert page.locator("#disk p:visible").count() == 1
    assert page.locator(".games img").count() == 1
    assert page.get_attribute("nav a", "href") == "docs/index.html"
    page.context.close()


@pytest.mark.full
def test_rules_are_named_and_their_book_is_there(python: dict[str, bytes], tmp_path: Path) -> None:
    """Of a game in a folder at home, with a variant beside it."""
    shutil.copytree(ROOT / "rules" / "nim", tmp_path / "pile")
    name = f"{tmp_path / 'pile'}"
    assert public_name(name) == "pile"
    assert public_name(f"{name}/game.yaml+{tmp_path}/mine.yaml") == "pile+mine"
    made = site.site([lawspeaker.load(name)], python, compiled=False)
    assert opened(made["games/pile.game"]).name == "pile"
    told = json.loads(made["games/pile.json"])
    assert told["rules"]["en"]["ok"]
    assert told["brief"]["en"]["2"]["sentences"]
    assert b"content-security-policy" in made["games/pile.en.book.html"]
    home = str(tmp_path).encode()
    made["games/pile.game"] = zlib.decompress(made["games/pile.game"])
    assert not [name for name, content in made.items() if home in content]


@pytest.mark.full
def test_the_page_of_a_game_fits_a_phone_and_speaks_one_language(
    hosted: Callable[..., Host], screen: Any
) -> None:
    host = hosted(["pig"], played=False)
    screen.set_viewport_size({"width": 390, "height": 844})
    for language, title in (("de", "Böse Eins"), ("en", "Pig")):
        screen.goto(f"{host.url}pig.html?language={language}")
        screen.wait_for_selector("#start select")
        assert screen.inner_text("h1") == screen.inner_text("h2.title") == title
        longest = "Math.max(...[...document.querySelectorAll('option')].map((o) => o.text.length))"
        assert screen.evaluate(longest) > 40, "a menu that would be wider than the window"
        assert screen.evaluate("document.documentElement.scrollWidth") == 390


def test_a_variant_is_named_on_the_pages() -> None:
    entry = site._entry(lawspeaker.load("walhalla+italian"), Library())
    assert [each["name"] for each in entry["variants"]] == ["italian"]
    assert entry["levels"]


ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from lawspeaker.faces.publishing.opening import open_house, opened
game = opened(Path(sys.argv[2]).read_bytes())
record = '{"rules": "nim", "seed": "1", "seats": [{"who": "me"}, {"who": "greedy"}]}'
house = open_house(game, record, lambda text: None, None)
assert "<svg" in house.scene(None, None, "en", "wide")
import lawspeaker.faces.publishing.bot_worker
"""


@pytest.mark.full
def test_a_page_needs_no_library_but_pythons_own(tmp_path: Path) -> None:
    """The browser has no other: whatever the table comes to import is found here at once."""
    (tmp_path / "lawspeaker.zip").write_bytes(archives.to_play())
    (tmp_path / "nim.game").write_bytes(packed(lawspeaker.load("nim")))
    call = [sys.executable, "-I", "-S", "-c", ALONE, "lawspeaker.zip", "nim.game"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nothing_is_lost_in_a_folder_that_holds_something_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(app, ["publish", "nim", "-o", str(tmp_path)])
    assert result.exit_code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]


def test_without_npm_it_is_said_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(app, ["publish", "nim", "-o", str(tmp_path / "site")])
    assert result.exit_code == 2
    assert "install npm" in result.stderr
    assert not (tmp_path / "site").exists()


def test_another_runtime_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoRuntime, match="it has no"):
        runtime(tmp_path)
    for name in FILES:
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "package.json").write_text('{"version": "1.0.0"}', encoding="utf-8")
    with pytest.raises(NoRuntime, match="holds pyodide 1.0.0"):
        runtime(tmp_path)
    assert not runtimes._is_right(b"something else")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["walhalla", "voluspa", "chess"])
def test_larger_games_are_played_without_a_network(
    hosted: Callable[..., Host], screen: Any, name: str
) -> None:
    host = hosted([name])
    screen.goto(f"{host.url}{name}.html")
    screen.wait_for_selector(".start")
    cut_off(screen, host)
    screen.click(".start")
    screen.wait_for_url("**/table.html**")
    for _ in range(5):
        if wait_until_asked(screen) == "over":
            break
        take_first_answer(screen)
    until(screen, f"{MODULE}.calls > 0")
    assert screen.evaluate(MODULE)["made"] == 0
