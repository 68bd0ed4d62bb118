"""Takes the pictures of the documentation anew.

    python -m tests.web.browser.screenshots FOLDER [tables] [workshop] [change] [comparison] [lab]

Seeds are fixed, so the pictures change only when the rules, the bots or the drawing do.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.web.browser.browsers import ARGUMENTS, found_browser
from tests.web.browser.screens import Screen, set_up
from tests.web.conftest import Served

DESK = {"viewport": {"width": 1280, "height": 760}, "device_scale_factor": 0.8}
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}
WORKSHOP = {"viewport": {"width": 1440, "height": 880}, "device_scale_factor": 0.8}
FILM = {"viewport": {"width": 1240, "height": 700}}
TALL = {"viewport": {"width": 1280, "height": 980}, "device_scale_factor": 0.8}
CALM = {"reduced_motion": "reduce"}
PATIENCE = 600_000


def window(browser: Any, **how: Any) -> Any:
    """A window without motion, lesson and guide, which would cover the table."""
    found = browser.new_context(**how, **CALM)
    found.add_init_script("localStorage['lawspeaker.guide'] = 'off'")
    return found


def play_until(screen: Screen, at: int, asked: str = "") -> None:
    """Takes the option that does most, until so many replies were given and this is asked."""
    last = ""
    while screen.wait_for_news(last) != "over":
        last = screen.at
        clause = screen.scenes[-1]["scene"]["question"]["clause"]
        if int(last) >= at and asked in clause:
            return
        while screen.state == "asked" and screen.at == last:  # in parts, where there are many
            screen.page.locator(".options button").last.click()


def shoot(screen: Screen, file: Path) -> None:
    screen.page.mouse.move(2, 2)
    screen.page.wait_for_timeout(700)
    screen.page.screenshot(path=str(file))
    print(file)


def take_tables(browser: Any, served: Served, folder: Path) -> None:
    front = Screen(window(browser, **DESK), served.url + "/")
    front.page.wait_for_selector(".game img")
    front.page.wait_for_load_state("networkidle")
    shoot(front, folder / "games.png")

    seats = ("me", "greedy", "greedy", "greedy")
    link = set_up(served, "walhalla", seats, seed=12)
    desk = Screen(window(browser, **DESK), served.url + link)
    play_until(desk, 36, "going_ashore")
    shoot(desk, folder / "walhalla.png")
    night = window(browser, **PHONE, color_scheme="dark")
    phone = Screen(night, served.url + link)
    phone.wait("asked")
    shoot(phone, folder / "phone.png")

    link = set_up(served, "voluspa", ("me", "greedy"), seed=4)
    desk = Screen(window(browser, **DESK), served.url + link)
    play_until(desk, 40, "placing")
    shoot(desk, folder / "voluspa.png")


def take_workshop(browser: Any, served: Served, folder: Path) -> None:
    """A guard taken out of a game, in a position in which that shows."""
    address = served.url + "/workshop?as=house&rules=walhalla"
    desk = Screen(window(browser, **WORKSHOP), address)
    desk.page.wait_for_selector("svg.table", timeout=PATIENCE)
    desk.page.evaluate(
        "() => { const area = document.querySelector('textarea'); area.focus();"
        " const from = area.value.indexOf('  # How many');"
        " area.setSelectionRange(from, area.value.length); }"
    )
    desk.page.keyboard.insert_text(
        "  - remove: going_ashore.not_his_own\n    because: Brothers fight, too.\n"
    )
    desk.page.wait_for_selector("#problems .none", timeout=PATIENCE)
    desk.page.click(".seek")
    desk.page.wait_for_selector(".differ .new", timeout=PATIENCE)
    desk.page.wait_for_selector("text=2000 of 2000 games", timeout=PATIENCE)
    shoot(desk, folder / "workshop.png")


CHANGES = (
    "  - remove: turn.straight_free\n    because: Men may take straight ahead.\n",
    "  - set: board.size\n    to: 6\n    because: Small boards are quick.\n",
)
AT_ONCE = 6
"""Letters that are typed between two frames."""
TYPING, LOOKING = 90, 2_200
"""Milliseconds that a frame is shown, while somebody types and when there is something to see."""


class Film:
    """Frames of a page, each with the time for which it is shown."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def take(self, time: int) -> None:
        picture = Image.open(BytesIO(self.page.screenshot())).convert("RGB")
        if self.frames and picture.tobytes() == self.frames[-1].tobytes():
            self.times[-1] += time
            return
        self.frames.append(picture)
        self.times.append(time)

    def write(self, file: Path) -> None:
        first, *others = self.frames
        first.save(
            file,
            save_all=True,
            append_images=others,
            duration=self.times,
            loop=0,
            quality=70,
            method=4,
        )
        print(file, f"{file.stat().st_size / 1e3:.0f} kB")


def take_change(browser: Any, served: Served, folder: Path) -> None:
    """Rules are changed, and the table follows: first what may be chosen, then the board."""
    page = Screen(
        window(browser, **FILM), f"{served.url}/workshop?as=house&rules=breakthrough"
    ).page
    page.wait_for_selector("svg.table", timeout=PATIENCE)
    page.evaluate(
        "() => { const area = document.querySelector('textarea'); area.focus();"
        " area.setSelectionRange(area.value.indexOf('changes:') + 9, area.value.length); }"
    )
    page.keyboard.press("Delete")
    film = Film(page)
    film.take(LOOKING)
    for number, text in enumerate(CHANGES):
        for at in range(0, len(text), AT_ONCE):
            page.keyboard.insert_text(text[at : at + AT_ONCE])
            film.take(TYPING)
        page.wait_for_selector("#problems .none", timeout=PATIENCE)
        if number == 0:
            page.click(".seek")
            page.wait_for_selector(".differ .new", timeout=PATIENCE)
        page.wait_for_selector("text=2000 of 2000 games", timeout=PATIENCE)
        page.mouse.move(2, 2)
        page.wait_for_timeout(700)
        film.take(LOOKING)
    film.times[-1] *= 2
    film.write(folder / "change.webp")


def take_comparison(browser: Any, served: Served, folder: Path) -> None:
    """A difference between editions, where it shows, and how much it matters."""
    names = "&".join(f"name={name}" for name in ("walhalla", "walhalla%2Bno_exodus"))
    desk = Screen(window(browser, **TALL), f"{served.url}/comparison?{names}")
    desk.page.locator(".actions button", has_text="Show where").first.click(timeout=PATIENCE)
    desk.page.wait_for_selector(".witness svg", timeout=PATIENCE)
    desk.page.locator(".actions button", has_text="How much?").first.click()
    desk.page.wait_for_selector("text=2000 of 2000 games", timeout=PATIENCE)
    shoot(desk, folder / "comparison.png")


def take_lab(browser: Any, served: Served, folder: Path) -> None:
    """What a number of the rules does."""
    desk = Screen(window(browser, **TALL), f"{served.url}/lab?rules=walhalla&way=sweep")
    desk.page.click("#wish button.main", timeout=PATIENCE)
    desk.page.wait_for_selector(r"text=/^(\d+) of \1 games/", timeout=PATIENCE)
    shoot(desk, folder / "lab.png")


PICTURES = {
    "tables": take_tables,
    "workshop": take_workshop,
    "change": take_change,
    "comparison": take_comparison,
    "lab": take_lab,
}


def main() -> None:
    folder = Path(sys.argv[1])
    wanted = sys.argv[2:] or list(PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    data = Path(tempfile.mkdtemp())
    served = Served(data, ("--pace", "0"))
    try:
        with sync_playwright() as driver:
            path = found_browser()
            if path is None:
                sys.exit("no Chromium here (on Debian: apt-get install chromium)")
            browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
            for each in wanted:
                PICTURES[each](browser, served, folder)
            browser.close()
    finally:
        served.stop()
        shutil.rmtree(data)


if __name__ == "__main__":
    main()
