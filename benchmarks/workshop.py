"""From a key to what it does: how long a designer waits in the workshop.

    python -m benchmarks.workshop

A server is started in a process of its own, and a real browser opens its workshop. Rules are
changed there, and the page itself notes when mistakes are listed, when the options that appear and
disappear are shown, when the first figures of paired games are there, and when all 2,000 pairs have
been played. Each edit is made several times, after one that does not count; told are medians, and
the processor time of the server and its processes. It needs the extra `test`, and Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks.tables import Server
from tests.web.browser.browsers import ARGUMENTS, found_browser

PATIENCE = 60_000

WATCH = """() => {
  const marks = (window.marks = {});
  const found = (what) => document.querySelector(what);
  const seen = {
    mistakes: () => found(".unsound #problems .error"),
    options: () => found("#options .differ li, #options .happened li, #then-now:not([hidden])"),
    figures: () => found("#effect .measures") && !found("#effect .stale"),
    all: () => seen.figures() && found("#effect progress").value >= 2000,
  };
  window.watch = () => {
    for (const name of Object.keys(marks)) delete marks[name];
    const area = document.querySelector("textarea");
    area.addEventListener("beforeinput", () => {
      const began = performance.now();
      const look = () => {
        for (const [name, there] of Object.entries(seen)) {
          if (!(name in marks) && there()) marks[name] = performance.now() - began;
        }
        if (!window.over) requestAnimationFrame(look);
      };
      window.over = false;
      // What was on the screen before the key does not count.
      document.querySelector("#options").replaceChildren();
      document.querySelector("#then-now").hidden = true;
      document.querySelector("#effect .measures")?.remove();
      document.querySelector("#problems").replaceChildren();
      requestAnimationFrame(look);
    }, { once: true });
  };
}"""

SELECT = """([anchor, old]) => {
  const area = document.querySelector("textarea");
  const from = area.value.indexOf(old, area.value.indexOf(anchor));
  area.focus();
  area.setSelectionRange(from, from + old.length);
}"""


@dataclass(frozen=True, slots=True)
class Edit:
    """In `file`, the first `old` after `anchor` becomes `new`; `wanted` is to be seen then."""

    what: str
    rules: str
    file: str
    anchor: str
    old: str
    new: str
    wanted: tuple[str, ...] = ("options", "figures", "all")


MISTAKES = ("mistakes",)
EDITS = (
    Edit("a number", "walhalla", "setup.yaml", "cards.at_start:", "is: 1", "is: 2"),
    Edit("a guard", "walhalla", "landing.yaml", "must go_ashore", "is not player", "is player"),
    Edit(
        "a mistake", "walhalla", "landing.yaml", "must go_ashore", "of field", "of feld", MISTAKES
    ),
    Edit("a number", "voluspa", "placing.yaml", "longest_line", "is: 7", "is: 5"),
    Edit("a guard", "voluspa", "placing.yaml", "no_troll_beside:", "is not beside", "is beside"),
    Edit(
        "a mistake", "voluspa", "placing.yaml", "no_troll_beside:", "is troll", "is trol", MISTAKES
    ),
)


class Page:
    """The workshop in the browser, with the rules of a game open."""

    def __init__(self, browser: Any, server: Server, edit: Edit) -> None:
        self.edit = edit
        self.server = server
        self.page = browser.new_context(viewport={"width": 1440, "height": 880}).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.goto(f"http://{server.address}/workshop?as=edit&rules={edit.rules}")
        self.page.wait_for_selector("svg.table")
        self.page.click(f"#files button:has-text('{edit.file}')")
        self.page.evaluate(WATCH)

    def write(self, old: str, new: str) -> None:
        self.page.evaluate(SELECT, [self.edit.anchor, old])
        self.page.keyboard.insert_text(new)

    def make_ready(self) -> None:
        """Goes to a position in which the edit shows, and takes it back."""
        self.write(self.edit.old, self.edit.new)
        if "options" in self.edit.wanted:
            self.wait("#effect .measures")
            self.page.click(".seek")
            self.page.wait_for_function("() => !document.querySelector('.seek').disabled")
            self.wait("#options .differ li, #options .happened li, #then-now:not([hidden])")
        else:
            self.wait("#problems .error")
        self.write(self.edit.new, self.edit.old)
        self.rest()

    def rest(self) -> None:
        """Until all is as it was, and nothing is under way."""
        self.wait("#problems .none")
        self.page.wait_for_timeout(2_000)

    def wait(self, selector: str) -> None:
        self.page.wait_for_selector(selector, state="attached")

    def measure(self, number: int) -> dict[str, float]:
        # With other spaces in it no two rounds have the same text, so nothing is known of it yet.
        new = self.edit.new.replace(" ", " " * number, 1)
        spare = self.server_time()
        self.page.evaluate("() => window.watch()")
        self.write(self.edit.old, new)
        self.page.wait_for_function(
            "(wanted) => wanted.every((name) => name in window.marks)", arg=list(self.edit.wanted)
        )
        marks = self.page.evaluate("() => { window.over = true; return window.marks; }")
        found = {name: marks[name] / 1000 for name in self.edit.wanted}
        found["processor"] = self.server_time() - spare
        self.write(new, self.edit.old)
        self.rest()
        return found

    def server_time(self) -> float:
        return sum(_worked(each) for each in _family(self.server.process.pid))


def _family(parent: int) -> Iterator[int]:
    """A process and all that come from it, where the system tells."""
    yield parent
    for file in Path(f"/proc/{parent}/task").glob("*/children"):
        for child in file.read_text(encoding="ascii").split():
            yield from _family(int(child))


def _worked(process: int) -> float:
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def measured(browser: Any, server: Server, edit: Edit, rounds: int) -> dict[str, Any]:
    page = Page(browser, server, edit)
    page.make_ready()
    found = [page.measure(2 + number) for number in range(rounds)]
    page.page.context.close()
    medians = {name: round(statistics.median(each[name] for each in found), 2) for name in found[0]}
    return {"rules": edit.rules, "edit": edit.what, **medians}


def main() -> None:
    parser = argparse.ArgumentParser(description="How long a designer waits in the workshop.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rules", help="only edits of these rules")
    wanted = parser.parse_args()
    path = found_browser()
    if path is None:
        sys.exit("no Chromium here (on Debian: apt-get install chromium)")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(folder)
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            for edit in EDITS:
                if wanted.rules in (None, edit.rules):
                    told = measured(browser, server, edit, wanted.rounds)
                    sys.stdout.write(json.dumps(told) + "\n")
                    sys.stdout.flush()
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
