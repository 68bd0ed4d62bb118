"""On telephones: what a question is about, one's own cards and the middle of the table are seen
together, words can be read, and whatever is touched is large enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.language.games import GOOD
from tests.tiers import NIGHTLY, pick
from tests.web.browser.screens import Screen, set_up
from tests.web.browser.windows import settle
from tests.web.conftest import Served

Visit = Callable[..., Screen]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]

SIZES = ((390, 844), (360, 640), (844, 390))
GAMES = {
    "walhalla": 4,  # much of everything
    "branch_lines": 3,  # a map
    "hearts": 4,  # thirteen cards
    "voluspa": 3,  # a table that grows
    "chess": 2,  # a board
    "liars_dice": 4,  # no board at all
    "pedlars": 3,  # a market
    "surveyors": 3,  # tiles with sides
    "backgammon": 2,  # stacks
    "hedges": 2,  # walls between squares
    "drafting": 4,  # a board for each player
    "growing_hexes": 2,  # hexes that grow
}
OWN = ("branch_lines", "hedges", "drafting", "growing_hexes")
QUESTIONS = pick(test=0, full=3, nightly=20)
MISSED = (Path(__file__).parent / "in_hand.js").read_text(encoding="utf-8")

ANSWER = """(turn) => {
  for (let step = 0; document.body.dataset.state === "asked" && step < 40; step += 1) {
    const listed = [...document.querySelectorAll(".options li button")];
    const confirm = document.querySelector(".confirm:not([disabled])");
    const either = listed[(5 * turn + step) % Math.max(1, listed.length)];
    (confirm && (step > 1 || !either) ? confirm : either).click();
  }
}"""
"""Takes one or another of all that is offered, in parts where there are many."""


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that has the games of these tests, too."""
    folder = tmp_path_factory.mktemp("own")
    for name in OWN:
        (folder / "rules" / name).mkdir(parents=True)
        text = (GOOD / f"{name}.yaml").read_text(encoding="utf-8")
        (folder / "rules" / name / "game.yaml").write_text(text, encoding="utf-8")
    served = Served(tmp_path_factory.mktemp("hosts"), ("--pace", "0", str(folder)))
    yield served
    served.close()


def sit(visit: Visit, hosts: Served, name: str, size: tuple[int, int] = SIZES[0]) -> Screen:
    """A seat among bots, with a telephone."""
    link = set_up(hosts, name, ("me", *["random"] * (GAMES.get(name, 2) - 1)), seed=12)
    window = {"viewport": {"width": size[0], "height": size[1]}}
    screen = visit(link, hosts, has_touch=True, is_mobile=True, **window)
    screen.wait("asked")
    return screen


@pytest.mark.parametrize("name", GAMES if NIGHTLY else ("walhalla", "branch_lines"))
def test_all_that_a_question_is_about_is_seen(visit: Visit, hosts: Served, name: str) -> None:
    screen = sit(visit, hosts, name)
    found: list[str] = []
    for turn in range(QUESTIONS):
        for width, height in SIZES:
            screen.page.set_viewport_size({"width": width, "height": height})
            settle(screen.page)
            missed = screen.page.evaluate(MISSED)
            found += [f"{width}×{height} after {screen.at}: {each}" for each in missed]
        last = screen.at
        screen.page.evaluate(ANSWER, turn)
        if screen.wait_for_news(last) == "over":
            break
    assert not found, "\n".join(found)


LONGER = """(times) => {
  const rule = "A sentence that goes on and on. ".repeat(times);
  document.querySelector(".guide p").textContent = rule;
  dispatchEvent(new Event("resize"));
}"""
"""Makes a hint as long as others are."""


def test_the_table_is_as_large_after_a_hint_as_before(visit: Visit, hosts: Served) -> None:
    screen = sit(visit, hosts, "walhalla")
    page = screen.page
    settle(page)
    width = "document.querySelector('svg.table').getBoundingClientRect().width"
    before = page.evaluate(width)
    screen.guided("walhalla")
    page.wait_for_selector(".stage > .guide:not([hidden])")
    page.evaluate(LONGER, 10)
    settle(page)
    with_hint = page.evaluate(width)
    assert page.evaluate(MISSED) == [], "all that is asked about is seen beside the hint, too"
    page.click(".guide .main")
    settle(page)
    assert with_hint < before - 2
    assert abs(page.evaluate(width) - before) < 1


UNCOVERED = """() => {
  const box = (each) => each.getBoundingClientRect();
  const guide = box(document.querySelector(".guide"));
  const about = "svg .choosable, svg .means, svg .about, svg .own, #question";
  return [...document.querySelectorAll(about)].map(box).every((each) =>
    Math.min(each.right, guide.right) - Math.max(each.left, guide.left) <= 1
    || Math.min(each.bottom, guide.bottom) - Math.max(each.top, guide.top) <= 1);
}"""


def test_a_hint_that_would_hide_its_subject_is_one_line_that_unfolds(
    visit: Visit, hosts: Served
) -> None:
    screen = sit(visit, hosts, "walhalla", (360, 640))
    page = screen.page
    screen.guided("walhalla")
    page.wait_for_selector(".guide:not([hidden])")
    for wide, high in (*SIZES[::2], SIZES[1]):
        page.set_viewport_size({"width": wide, "height": high})
        settle(page)
        assert page.evaluate(MISSED) == [], f"beside a hint at {wide}×{high}"
        assert page.evaluate(UNCOVERED)
    page.evaluate(LONGER, 12)
    settle(page)
    assert page.evaluate(MISSED) == [], "nor beside a long one"
    line = page.locator(".guide.brief")
    one_line = line.bounding_box()["height"]
    assert one_line < 60
    page.tap(".guide .all")
    assert line.count() == 0
    whole = page.locator(".guide")
    assert whole.bounding_box()["height"] > one_line + 40
    assert page.get_attribute(".guide .all", "aria-expanded") == "true"
    page.tap(".guide .all")
    assert line.count() == 1
    page.tap(".guide .main")
    assert not whole.is_visible()


def test_the_board_of_somebody_else_is_looked_at_closer(visit: Visit, hosts: Served) -> None:
    screen = sit(visit, hosts, "drafting")
    page = screen.page
    settle(page)
    width = "document.querySelectorAll('svg .theirs')[1].getBoundingClientRect().width"
    before = page.evaluate(width)
    closer = page.locator("svg .closer").nth(1)
    assert closer.get_attribute("aria-label") == "cy: look closer"
    closer.tap()
    page.wait_for_function(f"{width} > {2 * before}")
    closer.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"Math.abs({width} - {before}) < 1")
    assert screen.state == "asked"


def test_a_finger_points_at_what_is_near_and_small(visit: Visit) -> None:
    """What stands alone need not be hit; at what stands close together one looks closer first."""
    screen = visit("/")
    found = screen.page.evaluate(
        """async () => {
          const { Zoom } = await import("/static/js/zoom.js");
          const { svg } = await import("/static/js/dom.js");
          document.body.innerHTML = '<div><div id="frame"></div></div>';
          const frame = document.querySelector("#frame");
          Object.assign(frame.style, { width: "360px", height: "400px", overflow: "auto" });
          const space = "http://www.w3.org/2000/svg";
          const small = (x) => `<rect x="${x}" y="100" width="15" height="15"/>`;
          frame.append(svg(`<svg xmlns="${space}" class="table" viewBox="0 0 340 340">${
            small(50)}${small(200)}${small(216)}</svg>`));
          const zoom = new Zoom(frame);
          zoom.shown();
          const [alone, one, other] = frame.querySelectorAll("rect");
          const all = [alone, one, other];
          const middle = (each) => {
            const { x, y, width, height } = each.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
          };
          const [x, y] = middle(alone);
          const near = [[x, y], [x - 17, y], [x + 17, y + 17], [x - 23, y], [x, y + 23]]
            .map(([left, top]) => zoom.meant(all, null, left, top) === alone);
          const before = one.getBoundingClientRect().width;
          const first = zoom.meant(all, one, ...middle(one));
          const closer = one.getBoundingClientRect().width;
          const second = zoom.meant(all, one, ...middle(one)) === one;
          return [near, before < 24, first, closer > 39, second];
        }"""
    )
    assert found == [[True, True, True, False, False], True, False, True, True]
