"""What somebody in front of a browser does: look, point, press keys."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from lawspeaker.faces.web.drawing.blocks import CUT
from tests.web.conftest import Served
from tests.web.visitors import put_together

PATIENCE = 120_000
"""How long to wait for anything, in milliseconds; the machine may be busy."""

GUIDED = "localStorage['lawspeaker.guide'] = 'on'"
NEXT_CLICK = """([at, turn]) => {
  const { at: now, state } = document.body.dataset;
  if (state !== "asked" || now !== at) return null;
  const glowing = [...document.querySelectorAll("svg .choosable")];
  const confirm = document.querySelector(".confirm:not([disabled])");
  const listed = [...document.querySelectorAll(".options button")];
  const among = glowing.length ? glowing : listed;
  const target = confirm && (turn % 2 || !glowing.length) ? confirm : among[turn % among.length];
  target.scrollIntoView({ block: "center" });
  const { x, y, width, height } = target.getBoundingClientRect();
  let above = null;
  for (const across of [0.5, 0.2, 0.8, 0.05, 0.95]) {
    for (const down of [0.5, 0.2, 0.8, 0.05, 0.95]) {
      const point = [x + across * width, y + down * height];
      above = document.elementFromPoint(...point);
      if (target.contains(above)) return point;
    }
  }
  const told = [target, above].map((each) => each?.outerHTML.slice(0, 80));
  return `nothing of ${told[0]} can be clicked, there is ${told[1]}`;
}"""
"""Where to click next on the way to an answer; null when the question has been answered, and a text
if something lies over it, as what flies there does for a moment."""


def set_up(served: Served, rules: str, seats: Sequence[str], **more: Any) -> str:
    body = {"rules": rules, "seats": [{"who": each} for each in seats], **more}
    link: str = served.post("/api/tables", body)["link"]
    return link


class Screen:
    """A page in a context of its own. `told` keeps what came over its socket."""

    def __init__(self, context: Any, url: str) -> None:
        self.context = context
        context.set_default_timeout(PATIENCE)
        self.page = context.new_page()
        self.errors: list[str] = []
        self.told: list[str] = []
        self.page.on("console", self._logged)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("websocket", self._connected)
        self.page.goto(url)

    def _logged(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _connected(self, socket: Any) -> None:
        socket.on("framereceived", self._heard)

    def _heard(self, text: str) -> None:
        self.told.append(text)

    @property
    def scenes(self) -> list[dict[str, Any]]:
        """All scenes that were told, with their pictures put together."""
        messages = [json.loads(text) for text in self.told]
        found = [message for message in messages if message["type"] == "scene"]
        shown: list[str] = []
        for message in found:
            shown = put_together(message["scene"]["parts"], shown)
            message["scene"]["svg"] = CUT.join(shown)
        return found

    @property
    def state(self) -> str:
        return str(self.page.evaluate("document.body.dataset.state ?? ''"))

    def wait(self, state: str) -> None:
        """Waits for a state of the page; says what is to be seen if it does not come."""
        try:
            self.page.wait_for_selector(f"body[data-state={state}]")
        except Exception as error:
            known = self.page.evaluate("JSON.stringify(document.body.dataset)")
            error.add_note(f"{known}\n{self.page.inner_text('body')[:2000]}\n{self.errors}")
            raise

    def wait_for_news(self, at: str) -> str:
        """Waits until something else is asked, or nothing any more, than at a moment; says what."""
        self.page.wait_for_function(
            """(at) => {
              const { state, at: now } = document.body.dataset;
              return state === "over" || (state === "asked" && now !== at);
            }""",
            arg=at,
        )
        return self.state

    @property
    def at(self) -> str:
        return str(self.page.evaluate("document.body.dataset.at ?? ''"))

    def guided(self, rules: str) -> None:
        """Starts over with the guide, as after the first lesson of a game."""
        told = f"localStorage['lawspeaker.told.{rules}'] = '[]'"
        self.page.add_init_script(f"localStorage.clear(); {GUIDED}; {told}")
        self.page.reload()

    def learn(self) -> list[str]:
        """Starts over as in a first game, reads the cards of its lesson, and returns their
        titles."""
        page, titles = self.page, []
        page.add_init_script(f"localStorage.clear(); {GUIDED}")
        page.reload()
        page.wait_for_selector("dialog.lesson[open]")
        while page.locator("dialog.lesson[open]").count():
            titles.append(str(page.inner_text("dialog.lesson h2")))
            page.click("dialog.lesson button.main")
        return titles

    def things(self) -> list[str]:
        """What can be pointed at, and has not been."""
        found: list[str] = self.page.eval_on_selector_all(
            "svg .choosable", "all => all.map((each) => each.dataset.thing)"
        )
        return found

    def point(self, thing: str) -> None:
        """Clicks on the first such thing that is not picked yet."""
        self.page.locator(f'svg [data-thing="{thing}"]:not(.picked)').first.click()

    def answer(self, turn: int) -> None:
        """Answers a question with clicks on what glows; from the list what does not."""
        at = self.at
        for step in range(8):
            point = self._next_click(at, turn + step)
            if point is None:
                return
            self.page.mouse.click(*point)
        raise AssertionError("eight clicks, and still asked the same")

    def _next_click(self, at: str, turn: int) -> Any:
        until = time.monotonic() + PATIENCE / 1000
        while isinstance(found := self.page.evaluate(NEXT_CLICK, [at, turn]), str):
            assert time.monotonic() < until, found
            self.page.wait_for_timeout(50)
        return found

    def note(self) -> str:
        self.page.wait_for_selector("#note:not([hidden])")
        return str(self.page.inner_text("#note"))
