"""A host of plain files, and what is done on its pages."""

from __future__ import annotations

import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

PATIENCE = 400_000
"""How long to wait for anything, in milliseconds; the machine may be busy."""
UNTAUGHT = "location.protocol !== 'about:' && (localStorage['lawspeaker.guide'] = 'off')"
"""A script by which a page shows neither the first lesson nor the guide."""
MODULE = "JSON.parse(document.body.dataset.thought ?? '{}')"
"""What a bot's worker said last."""


class Host:
    """A folder on a host of plain files, until it is unplugged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        """The paths of all requests."""
        asked = self.asked

        class Quiet(SimpleHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                asked.append(self.path)
                super().do_GET()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def unplug(self) -> None:
        """A socket that is closed alone leaves its thread busy to the end of the run."""
        self.server.shutdown()
        self.server.server_close()


def until(page: Any, condition: str) -> None:
    """Waits for a condition; as the page may evaluate no text, it is asked from outside."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def keep_everything(page: Any, host: Host) -> None:
    """Asks for it on the front page."""
    other = page.context.new_page()
    other.goto(host.url)
    other.click("#offline button.keep")
    other.wait_for_selector("#offline .kept")
    other.close()


def cut_off(page: Any, host: Host) -> None:
    """Has everything kept in the browser, and pulls the plug."""
    keep_everything(page, host)
    host.unplug()
    page.context.set_offline(True)


def take_first_answer(page: Any) -> None:
    """Takes the first answer there is; of many, part by part."""
    at = page.get_attribute("body", "data-at")
    if page.is_visible("#curtain button"):
        page.click("#curtain button")
    page.wait_for_selector("body[data-state=asked]:not(.behind)")
    end = time.monotonic() + PATIENCE / 1000
    while page.get_attribute("body", "data-at") == at:
        assert time.monotonic() < end, "asked the same for too long"
        if page.get_attribute("body", "data-state") == "asked":
            page.keyboard.press("1")
        page.wait_for_timeout(50)


def wait_until_asked(page: Any) -> str:
    """Waits until a person is asked, or the game is over."""
    page.wait_for_selector("body[data-state=asked], body[data-state=over], body.behind")
    return str(page.get_attribute("body", "data-state"))
