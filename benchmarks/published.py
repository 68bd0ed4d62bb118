"""How soon a published game is there: the first picture, the table itself, a bot's first reply.

    python -m benchmarks.published [GAME ...] [--visits N]

Publishes games into a folder, puts it on a host of plain files and opens each in Chromium: once as
a first visit, and then again with all of it kept in the browser and the host gone. Prints, for
both, the seconds from the click that starts a game, by the clock and (on Linux) of the processor,
all processes of the browser together: on a busy machine only the second says something. It needs
the extra `test`, Chromium, and npm.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any

import lawspeaker
from lawspeaker.faces.publishing import site
from lawspeaker.faces.publishing.public_names import stem
from lawspeaker.faces.publishing.runtime import runtime
from tests.web.browser.browsers import ARGUMENTS, found_browser

GAMES = ("liars_dice", "walhalla")
PARTS = ("picture", "table", "bot")
"""A picture that was drawn beforehand; the table with its question, unless a bot is asked first."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def spent() -> float:
    """The seconds that processes of this one's own have taken of the processor, and theirs."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        own = int(file.parent.name)
        parents[own], ticks[own] = int(after[1]), sum(map(int, after[11:15]))

    def ours(process: int) -> bool:
        above = parents.get(process, 0)
        return above == os.getpid() or (above > 0 and ours(above))

    return sum(each for own, each in ticks.items() if ours(own)) / os.sysconf("SC_CLK_TCK")


def visited(page: Any, address: str) -> dict[str, tuple[float, float]]:
    """Begins a game, and waits for each part of it."""
    page.goto(address)
    page.wait_for_selector(".start")
    began, before = perf_counter(), spent()

    def since() -> tuple[float, float]:
        return perf_counter() - began, spent() - before

    page.click(".start")
    page.wait_for_selector("svg.table")
    found = {"picture": since()}
    page.wait_for_selector("body[data-state]")
    found["table"] = since()
    while page.get_attribute("body", "data-thought") is None:
        if page.get_attribute("body", "data-state") == "asked":
            page.keyboard.press("1")
        page.wait_for_timeout(20)
    found["bot"] = since()
    return found


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--visits", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        made = site.site([lawspeaker.load(each) for each in given.games], runtime())
        site.write(made, folder)
        print(f"{len(made)} files, {sum(map(len, made.values())) / 1e6:.1f} MB")
        print(f"{'':22} {'clock: first, later':19} {'processor: first, later'}")
        browser = driver.chromium.launch(executable_path=found_browser(), args=ARGUMENTS)
        for each in given.games:
            server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
            Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/{stem(each)}.html"
            context = browser.new_context()
            context.set_default_timeout(300_000)
            context.add_init_script("localStorage['lawspeaker.guide'] = 'off'")
            page = context.new_page()
            first = visited(page, address)
            page.goto(address)
            page.click("#offline button.keep")
            page.wait_for_selector("#offline .kept")
            server.shutdown()
            server.server_close()
            later = [visited(page, address) for _ in range(given.visits)]
            for part in PARTS:
                times = list(zip(first[part], *(visit[part] for visit in later), strict=True))
                told = (f"{once:5.1f} s {median(again):5.1f} s" for once, *again in times)
                print(f"{each:12} {part:9} {'    '.join(told)}")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
