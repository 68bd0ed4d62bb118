"""How soon a published game is there: the first picture, the first question, the first bot's reply.

    python -m benchmarks.published [GAME ...] [--visits N]

Publishes games into a folder, puts it on a host of plain files and opens each in Chromium: once as
a first visit, and then again with all of it kept in the browser and the host gone. Prints, for
both, the seconds from the click that starts a game. It needs the extra `test`, Chromium, and npm.
"""

from __future__ import annotations

import argparse
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
PARTS = ("picture", "question", "bot")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def visited(page: Any, address: str) -> dict[str, float]:
    """Begins a game, and waits for each part of it."""
    page.goto(address)
    page.wait_for_selector(".start")
    began = perf_counter()
    page.click(".start")
    page.wait_for_selector("svg.table")
    found = {"picture": perf_counter() - began}
    page.wait_for_selector("body[data-state=asked]")
    found["question"] = perf_counter() - began
    while page.get_attribute("body", "data-thought") is None:
        if page.get_attribute("body", "data-state") == "asked":
            page.keyboard.press("1")
        page.wait_for_timeout(20)
    found["bot"] = perf_counter() - began
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
        browser = driver.chromium.launch(executable_path=found_browser(), args=ARGUMENTS)
        for each in given.games:
            server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
            Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/{stem(each)}.html"
            context = browser.new_context()
            context.set_default_timeout(300_000)
            page = context.new_page()
            first = visited(page, address)
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
            server.shutdown()
            server.server_close()
            later = [visited(page, address) for _ in range(given.visits)]
            for part in PARTS:
                again = median(visit[part] for visit in later)
                print(f"{each:12} {part:9} first {first[part]:6.1f} s   later {again:6.1f} s")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
