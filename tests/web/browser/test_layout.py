"""Answers are always visible: the table in windows of all shapes, measured in boxes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tiers import NIGHTLY
from tests.web.browser.screens import Screen
from tests.web.browser.windows import SMALL, WINDOWS, settle, troubles

Visit = Callable[..., Screen]
SetUp = Callable[..., str]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]

GAMES = {
    "walhalla": ("me", "random", "random", "random"),
    "liars_dice": ("me", "random", "random"),
    "voluspa": ("me", "random"),
    "chess": ("me", "random"),
}
BY_DAY = ("walhalla", "liars_dice", "chess")


LAST_ANSWER = """() => {
  const last = () => document.querySelector(".options li:last-child button");
  while (document.body.dataset.state === "asked") last().click();
}"""
"""Answers with the last of all that is offered, in parts where there are many."""


@pytest.mark.parametrize("name", GAMES if NIGHTLY else BY_DAY)
def test_nothing_is_cut_or_covered_in_any_window(visit: Visit, table: SetUp, name: str) -> None:
    screen = visit(table(name, *GAMES[name], seed=12))
    screen.wait("asked")
    found: list[str] = []
    for replies in (0, 12, 40, 120) if NIGHTLY else (0,):
        while screen.state != "over" and int(screen.at) < replies:
            last = screen.at
            screen.page.evaluate(LAST_ANSWER)
            screen.wait_for_news(last)
        found += [
            f"after {screen.at}, {each}" for size in WINDOWS for each in troubles(screen.page, size)
        ]
        if screen.state == "over":
            break
    assert not found, "\n".join(found)


LEFT_FREE = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [stage, frame, drawn, asked] = ["main .stage", "#table", "svg.table", "#question"].map(box);
  const parts = [...document.querySelector("#question").children];
  const last = parts.filter((each) => each.offsetHeight).at(-1).getBoundingClientRect();
  return {
    frame: frame.height / stage.height,
    across: drawn.width / frame.width,
    picture: Math.max(drawn.width / frame.width, drawn.height / frame.height),
    question: Math.round(asked.bottom - last.bottom),
  };
}"""
"""How much of its room the table has, how much of that the picture fills across, and in the
direction in which it fills more, and how many pixels are left free below the answers."""

PHONES = ((390, 844), (360, 640), (844, 390))


@pytest.mark.parametrize("name", [*GAMES, "hearts", "pedlars"] if NIGHTLY else ["chess"])
def test_on_a_phone_the_table_has_the_room_there_is(visit: Visit, table: SetUp, name: str) -> None:
    seats = GAMES.get(name, ("me", "random", "random", "random")[: 4 if name == "hearts" else 3])
    screen = visit(table(name, *seats, seed=12))
    screen.wait("asked")
    for width, height in PHONES:
        wrong = troubles(screen.page, (width, height))
        assert not [each for each in wrong if each != "360×640: only 3 options are seen"]
        found = screen.page.evaluate(LEFT_FREE)
        assert found["frame"] > 0.97, (width, height, "what looks closer takes room from the table")
        assert found["picture"] > 0.94, (width, height, found)
        assert width > height or found["across"] > 0.7, (width, height, found)
        assert width > height or found["question"] < 20, (width, height, found)


def test_what_one_has_in_the_hand_is_in_sight_when_one_is_asked(visit: Visit, table: SetUp) -> None:
    """Where nothing can be pointed at, and the table is too high for the window."""
    phone = {"viewport": {"width": 390, "height": 480}, "has_touch": True, "is_mobile": True}
    screen = visit(table("liars_dice", "me", *["random"] * 4, seed=5), **phone)
    screen.wait("asked")
    settle(screen.page)
    seen = screen.page.evaluate(
        """() => {
          const of = (name) => document.querySelector(name);
          const [frame, own] = [of("#table"), of("#table .own")];
          const [around, dice] = [frame, own].map((each) => each.getBoundingClientRect());
          return {
            scrolls: frame.scrollHeight > frame.clientHeight + 1,
            within: dice.top >= around.top - 1 && dice.bottom <= around.bottom + 1,
          };
        }"""
    )
    assert seen == {"scrolls": True, "within": True}


def test_on_a_desk_a_narrow_table_is_seen_whole(visit: Visit, table: SetUp) -> None:
    """And what somebody has stands in one row."""
    seats = ("me", "random", "random", "random")
    screen = visit(table("stowaways", *seats, seed=5), viewport={"width": 1366, "height": 650})
    screen.wait("asked")
    settle(screen.page)
    found = screen.page.evaluate(
        """() => {
          const frame = document.querySelector("#table");
          const strip = document.querySelector("#table .strip").getBBox();
          return [frame.scrollHeight <= frame.clientHeight + 1, strip.height < 60];
        }"""
    )
    assert found == [True, True]


def test_a_board_keeps_its_size_from_question_to_question(visit: Visit, table: SetUp) -> None:
    """Also on a phone, where a longer question leaves it less room, and while nothing is asked."""
    window = {"viewport": {"width": 360, "height": 640}}
    screen = visit(table("chess", "me", "random", seed=12), **window)
    screen.wait("asked")
    across = "document.querySelector('svg.table').getBoundingClientRect().width"
    settle(screen.page)
    first = screen.page.evaluate(across)
    screen.page.evaluate("document.querySelector('.option.part').click()")
    settle(screen.page)
    assert screen.page.locator(".option").count() < 4, "the answers are fewer now"
    assert screen.page.evaluate(across) == first
    screen.page.evaluate("document.querySelector('.option').click()")
    screen.wait_for_news("0")
    settle(screen.page)
    assert screen.page.evaluate(across) == first


def test_the_bar_has_room_in_every_language(visit: Visit, table: SetUp) -> None:
    screen = visit(table("walhalla", "me", "me", "me", seed=7))
    page = screen.page
    page.click("#curtain button")
    screen.wait("asked")
    page.keyboard.press("1")
    page.wait_for_selector("#undo:not([hidden])", state="attached")
    found = []
    for language in ("en", "de", "fr", "it"):
        page.evaluate(
            """(spoken) => {
              const choice = document.querySelector("#language");
              choice.value = spoken;
              choice.dispatchEvent(new Event("change", { bubbles: true }));
            }""",
            language,
        )
        page.wait_for_selector(f"html[lang={language}]")
        if page.locator("#curtain button").is_visible():
            page.click("#curtain button")
        for size in SMALL:
            found += [
                f"{language}, {each}" for each in troubles(page, size) if "option" not in each
            ]
            assert page.locator("#undo").is_visible()
    assert not found, "\n".join(found)


def test_a_board_keeps_its_size_while_cards_come_and_go(visit: Visit, table: SetUp) -> None:
    """The picture of a moment may be smaller than the one before; its scale stays."""
    screen = visit("/")
    scales = screen.page.evaluate(
        """async () => {
          const { Zoom } = await import("/static/js/zoom.js");
          const { svg } = await import("/static/js/dom.js");
          document.body.innerHTML = '<div><div id="frame"></div></div>';
          const frame = document.querySelector("#frame");
          Object.assign(frame.style, { width: "800px", height: "600px", overflow: "auto" });
          const space = "http://www.w3.org/2000/svg";
          const drawn = (size) =>
            svg(`<svg xmlns="${space}" class="table" viewBox="0 0 ${size}"/>`);
          const zoom = new Zoom(frame);
          const show = (width, height) => {
            frame.replaceChildren(drawn(`${width} ${height}`));
            zoom.shown();
            const { x, width: wide } = zoom.picture.getBoundingClientRect();
            return [Math.round(100 * wide / width), Math.round(x)];
          };
          const sizes = [[600, 500], [600, 560], [600, 480], [580, 480], [900, 2000]];
          const steps = sizes.map((size) => show(...size));
          const again = show(1100, 480);
          const low = Array(30).fill([1100, 500]);
          const late = [[1100, 900], ...low].map((size) => show(...size));
          zoom.all();
          const seen = zoom.picture.getBoundingClientRect().height <= 600;
          return [...steps, seen, again, late[1], late.at(-1)];
        }"""
    )
    first, more, fewer, narrower, large, whole, again, soon, late = scales
    assert more[0] < first[0]  # it had to
    assert fewer == more
    assert narrower == more
    assert large[0] >= 60  # scrolls rather than becomes too small to read
    assert whole
    assert again[0] == 72  # laid out otherwise, it has all the room there is
    assert soon[0] < late[0]  # what came and went long ago is no reason any more to be small
    assert late == again


def test_the_table_can_be_enlarged(visit: Visit, table: SetUp) -> None:
    screen = visit(table("surveyors", "me", "random", seed=3))
    screen.wait("asked")
    page = screen.page
    settle(page)
    across = "document.querySelector('svg.table').getBoundingClientRect().width"
    before = page.evaluate(across)
    for _ in range(4):
        page.keyboard.press("+")
    assert page.evaluate(across) > 2 * before
    assert page.evaluate("document.querySelector('#table').scrollWidth > innerWidth / 2")
    page.mouse.move(400, 400)
    at = "[document.querySelector('#table').scrollLeft, document.querySelector('#table').scrollTop]"
    was = page.evaluate(at)
    page.mouse.down()
    page.mouse.move(330, 340, steps=4)
    page.mouse.up()
    assert page.evaluate(at) != was
    assert screen.state == "asked"  # what was dragged was not clicked
    assert not page.locator("#note").is_visible()
    page.keyboard.press("0")
    assert page.evaluate(across) == pytest.approx(before, abs=2)


def test_a_folded_list_is_no_dead_end(visit: Visit, table: SetUp) -> None:
    """On a phone a list is folded away; what cannot be pointed at stays, and it can be unfolded."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    screen = visit(table("walhalla", "me", "random", "random", "random", seed=12), **phone)
    screen.wait("asked")
    page = screen.page
    options = page.locator(".options li:visible")
    assert options.count() == 1  # to board nobody there is nothing to point at
    page.tap(".fold")
    assert options.count() > 4
    page.tap(".fold")
    assert options.count() == 1
    assert not troubles(page, (390, 844))
    seat = page.locator("svg .choosable").first
    seat.tap()
    page.wait_for_selector(".confirm:not([disabled])")
    assert page.locator(".confirm").is_visible()


TOGETHER = """() => {
  const frame = document.querySelector(".looked-at").getBoundingClientRect();
  const within = (box) => box.left >= frame.left - 1 && box.right <= frame.right + 1
    && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  const asked = [...document.querySelectorAll("svg .choosable")];
  return [asked.length, asked.filter((each) => !within(each.getBoundingClientRect())).length];
}"""
"""How many things glow, and how many of these are not seen whole."""
PHONES = ((390, 844), (360, 640), (844, 390))
POINTED_AT = {
    "hearts": ("me", "random", "random", "random"),
    "voluspa": ("me", "random", "random"),
    "chess": ("me", "random"),
    "othello": ("me", "random"),
}


@pytest.mark.parametrize("name", POINTED_AT)
def test_on_a_phone_all_that_can_be_pointed_at_is_seen(
    visit: Visit, table: SetUp, name: str
) -> None:
    found: list[str] = []
    for wide, high in PHONES:
        phone = {"viewport": {"width": wide, "height": high}, "has_touch": True, "is_mobile": True}
        screen = visit(table(name, *POINTED_AT[name], seed=12), **phone)
        screen.wait("asked")
        for _ in range(3):
            settle(screen.page)
            many, hidden = screen.page.evaluate(TOGETHER)
            if hidden:
                found.append(f"{wide}x{high} after {screen.at}: {hidden} of {many} are not seen")
            last = screen.at
            screen.page.evaluate(LAST_ANSWER)
            screen.wait_for_news(last)
    assert not found, "\n".join(found)


PLAYED_OUT = """() => new Promise((done) => {
  new MutationObserver((_, watching) => {
    if (document.body.dataset.state !== "staged") return;
    watching.disconnect();
    const story = document.querySelector(".story").getBoundingClientRect();
    const heading = document.querySelector(".story h2");
    done({
      answers: document.querySelectorAll(".option").length,
      told: document.querySelector("#log").checkVisibility(),
      share: story.height / document.querySelector("aside").clientHeight,
      cut: heading.scrollWidth - heading.clientWidth,
      high: heading.getBoundingClientRect().height,
    });
  }).observe(document.body, { attributes: true });
  while (document.body.dataset.state === "asked") document.querySelector(".option").click();
})"""
"""Answers, and says what is seen at the moment at which what follows begins to be played out."""


@pytest.mark.parametrize("size", ["390x844", "844x390", "1366x650"])
def test_while_nothing_is_asked_the_story_has_the_room(
    visit: Visit, table: SetUp, size: str
) -> None:
    width, height = map(int, size.split("x"))
    window = {"viewport": {"width": width, "height": height}}
    link = table("liars_dice", "me", "random", "random", seed=12, language="it")
    screen = visit(link, **window)
    screen.wait("asked")
    found = screen.page.evaluate(PLAYED_OUT)
    assert found["answers"] == 0, "what was asked before is not asked any more"
    assert found["told"]
    assert found["share"] > 0.7
    assert found["cut"] <= 0, "and its heading is read whole,"
    assert found["high"] < 46, "in one line"


ANSWERED = """() => {
  while (document.body.dataset.state === "asked") document.querySelector(".option").click();
}"""


@pytest.mark.parametrize("size", ["390x844", "844x390"])
def test_what_the_others_did_last_is_read_with_the_question(
    visit: Visit, table: SetUp, size: str
) -> None:
    """Where the story is folded, in one line that opens it; of what one did oneself there is no
    need to be told."""
    width, height = map(int, size.split("x"))
    window = {"viewport": {"width": width, "height": height}}
    screen = visit(table("liars_dice", "me", "random", "random", seed=12), **window)
    page, last_line = screen.page, screen.page.locator(".last-line")
    screen.wait("asked")
    for _ in range(2):
        at = screen.at
        page.evaluate(ANSWERED)
        assert screen.wait_for_news(at) == "asked"
    told = screen.scenes[-1]["scene"]
    mine = screen.scenes[-1]["seat"]
    done = [line for entry in told["log"] for line in entry["lines"] if line["kind"] == "choose"]
    assert done[-1]["seat"] != mine
    who = told["players"][done[-1]["seat"]]["name"]
    assert last_line.inner_text().startswith(f"{who} {done[-1]['text']}")
    assert not troubles(page, (width, height))
    last_line.click()
    assert page.locator("#log").is_visible()
    assert page.locator(".story.unfolded").count() == 1
    page.click("#unfold-story")
    troubles(page, (1280, 800))
    assert not last_line.is_visible()
    own = page.evaluate(
        """async () => {
          const { Story } = await import("/static/js/story.js");
          const story = new Story(document.createElement("ol"), {});
          const players = [{ name: "Ann", letter: "A" }, { name: "Ben", letter: "B" }];
          const line = (seat, kind, text, more) => ({ seat, kind, text, verb: true, ...more });
          const told = [];
          const tell = (...lines) => {
            story.tell([{ reply: story.last + 1, lines }], players, false);
            told.push(story.lastLine(0)?.textContent ?? null);
          };
          tell(line(1, "choose", "draws"), line(1, "move", "gets a pear"),
            line(1, "score", "scores 2", { trifle: true }), line(0, "score", "loses 1"));
          tell(line(0, "forced", "passes"));
          tell(line(0, "choose", "waits"), line(1, "score", "scores 1"));
          tell(line(1, "forced", "stops"), line(0, "forced", "goes on"), line(0, "score", "wins"));
          return told;
        }"""
    )
    assert own == ["Ben draws · gets a pear · Ann loses 1"] * 2 + [None, "Ben stops"]


def test_beside_many_answers_the_story_has_room(visit: Visit, table: SetUp) -> None:
    """In a low window short answers stand side by side, and what happened has more than three
    lines; nothing of the answers is lost for it."""
    window = {"viewport": {"width": 1366, "height": 650}}
    screen = visit(table("walhalla", "me", "greedy", "greedy", "greedy", seed=12), **window)
    screen.wait("asked")
    settle(screen.page)
    found = screen.page.evaluate(
        """() => ({
          story: document.querySelector(".story").getBoundingClientRect().height,
          tops: [...document.querySelectorAll(".options > li")].map(
            (each) => Math.round(each.getBoundingClientRect().top)),
        })"""
    )
    assert len(found["tops"]) == 8
    assert len(set(found["tops"])) <= 5, "two beside each other"
    assert found["story"] >= 180


def test_night_and_language_stay_from_page_to_page(visit: Visit, table: SetUp) -> None:
    link = table("tic_tac_toe", "me", "random", seed=3)
    screen = visit("/")
    page = screen.page
    page.wait_for_selector(".game")
    assert page.get_attribute("html", "data-theme") == "light"
    page.click("#night")
    page.select_option("#language", "fr")
    page.wait_for_selector("html[lang=fr]")
    page.goto(page.url.split("?")[0].rstrip("/") + link)
    screen.wait("asked")
    assert page.get_attribute("html", "lang") == "fr"
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.get_attribute("#night", "aria-pressed") == "true"
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#night")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


@pytest.mark.parametrize("name", ["liars_dice", "mill_wheel"])
def test_all_that_is_written_can_be_read_on_a_phone(visit: Visit, table: SetUp, name: str) -> None:
    """Nothing that is written on the table is smaller than eight pixels."""
    window = {"width": 390, "height": 844}
    screen = visit(table(name, "me", "random", "random", "random", seed=3), viewport=window)
    screen.wait("asked")
    settle(screen.page)
    small = screen.page.evaluate(
        """() => [...document.querySelectorAll("svg.table text:not(.piece text)")]
          .map((each) => [each.getScreenCTM().a * Number(each.getAttribute("font-size")), each])
          .filter(([size, each]) => each.textContent && size < 8)
          .map(([size, each]) => `${each.textContent}: ${size.toFixed(1)}`)"""
    )
    assert not small


def test_how_it_ended_is_read_whole_on_a_tablet(visit: Visit, table: SetUp) -> None:
    window = {"width": 820, "height": 1180}
    screen = visit(table("pig", "me", "random", "random", seed=3), viewport=window)
    screen.wait("asked")
    settle(screen.page)
    found = screen.page.evaluate(
        """async () => {
          document.body.dataset.state = "over";
          const question = document.querySelector("#question");
          const rank = '<li class="winner"><span>1.</span><span>A</span><b>Ann</b><b>9</b></li>';
          question.innerHTML = `<div class="who">Over</div><h2>Ann wins</h2>
            <div class="ended"><ol class="result ranks">${rank.repeat(3)}</ol></div>
            <div class="buttons"><button>Again</button></div>`;
          const [card, beside] = [question, document.querySelector(".story")].map((each) =>
            each.getBoundingClientRect(),
          );
          const ended = question.querySelector(".ended");
          const cut = ended.scrollHeight - ended.clientHeight;
          return [card.height / beside.height, cut, card.height];
        }"""
    )
    assert found[0] > 0.99, "as high as the story beside it"
    assert found[1] <= 1, "nothing of it is cut"
    assert found[2] > 500, "with room for the chart, and for what turned the game"
