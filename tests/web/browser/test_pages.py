"""The pages in a real browser: choosing, explaining, keyboard, phone, curtain, reconnecting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tiers import sample
from tests.web.browser.screens import Screen, set_up
from tests.web.browser.windows import settle
from tests.web.conftest import Served

Visit = Callable[..., Screen]
SetUp = Callable[..., str]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]


def test_a_table_is_set_up_from_the_front_page(visit: Visit) -> None:
    screen = visit("/")
    page = screen.page
    page.click('a[href="#walhalla"]')
    page.check('input[value="italian"]')
    page.wait_for_selector(".changes li")
    page.check('input[value="french_card_selling"]')
    page.wait_for_selector(".changes.clash")
    assert page.locator(".start").is_disabled()
    page.uncheck('input[value="french_card_selling"]')
    page.wait_for_selector(".start:not([disabled])")
    page.click(".counts button >> text=3")
    page.click(".start")
    page.wait_for_url("**/t/*")
    screen.wait("asked")
    assert page.locator(".strip").count() == 3


def test_seats_and_conflicts_are_told_in_the_words_of_the_game(visit: Visit) -> None:
    page = visit("/?language=de#walhalla").page
    page.wait_for_selector(".seats .player >> text=Schwarz")
    letters = "all => all.map((each) => each.dataset.letter)"
    assert page.eval_on_selector_all(".seats .chip", letters) == ["R", "S", "G", "B"]
    page.check('input[value="no_exodus"]')
    page.check('input[value="exodus_first"]')
    page.wait_for_selector(".changes.clash li")
    (told,) = page.locator(".changes li").all_inner_texts()
    assert "verträgt sich nicht mit" in told
    assert "no_exodus" not in told


def test_what_is_said_of_the_rules_before_is_marked_until_it_is_said_anew(visit: Visit) -> None:
    page = visit("/#walhalla").page
    page.wait_for_function("() => document.querySelector('.banner .brief')?.textContent")
    page.wait_for_selector(".banner [aria-busy]", state="detached")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/brief?*", hold)
    page.check('input[value="no_exodus"]')
    page.wait_for_selector(".changes:not([hidden]):not([aria-busy]) li")
    assert page.locator(".banner [aria-busy]").count() == 1
    while not held:
        page.wait_for_timeout(20)
    held[0].fulfill(json={"sentences": ["Shorter."]})
    page.wait_for_selector(".banner [aria-busy]", state="detached")
    assert page.inner_text(".banner .brief") == "Shorter."


def test_a_proposal_says_what_is_proposed(visit: Visit, table: SetUp) -> None:
    host = visit(table("nim", "me", "friend"))
    link = host.page.locator("#people [data-link^='/t/']").first.get_attribute("data-link")
    guest = visit(str(link))
    guest.page.fill("#curtain input", "Bob")
    guest.page.click("#curtain button")
    guest.page.wait_for_selector("body[data-state]")
    answered: list[Screen] = []
    for at in ("0", "1"):
        for each in (host, guest):
            each.page.wait_for_selector(f"body[data-at='{at}']")
        answered.append(next(each for each in (host, guest) if each.state == "asked"))
        answered[-1].page.keyboard.press("1")
    first, second = answered
    first.page.wait_for_selector("body[data-at='2']")
    first.page.click("#undo")
    first.page.click("#note .main")
    second.page.wait_for_selector("#proposal:not([hidden])")
    assert "would like to take back" in second.page.inner_text("#proposal")
    second.page.click("#proposal .main")
    first.page.wait_for_selector("body[data-at='0']")


def test_the_question_shows_what_it_is_about(visit: Visit, table: SetUp) -> None:
    screen = visit(table("walhalla", "me", "me", "me", seed=7))
    screen.page.click("#curtain button")
    screen.wait("asked")
    about = screen.page.locator("svg .about").all()
    assert [each.get_attribute("data-place") for each in about] == ["sea"]


def test_everything_is_said_in_the_language(visit: Visit, table: SetUp) -> None:
    screen = visit(table("walhalla", "me", "me", "me", seed=1, language="de"))
    page = screen.page
    page.click("#curtain button")
    screen.wait("asked")
    assert page.get_attribute("html", "lang") == "de"
    assert "Am Tisch" in str(page.text_content(".seats h2"))
    page.select_option("#language", "it")
    page.wait_for_selector("html[lang=it]")
    page.wait_for_function(
        "() => document.querySelector('svg.table').textContent.includes('fiordo 1')"
    )
    assert "vichinghi" in page.inner_text("#prompt")
    page.reload()
    page.wait_for_selector("html[lang=it]")


def test_pointing_step_by_step(visit: Visit, table: SetUp) -> None:
    """A set is put together and confirmed; a place and then a word make a choice."""
    screen = visit(table("walhalla", "me", "me", "me", seed=7))
    page = screen.page
    page.click("#curtain button")
    screen.wait("asked")
    first, second = screen.things()[:2]
    screen.point(first)
    screen.point(second)
    assert page.locator(".so-far .taken").count() == 2
    page.keyboard.press("Escape")
    assert page.locator(".so-far .taken").count() == 0
    screen.point(first)
    before = screen.at
    page.click(".confirm")
    page.wait_for_function("(at) => document.body.dataset.at !== at", arg=before)
    for _ in range(4):  # guests may be asked, behind the curtain
        page.wait_for_selector("body.behind, body[data-state=asked]")
        if page.locator("#curtain button").is_visible():
            page.click("#curtain button")
            screen.wait("asked")
        if "fjord 1" in screen.things():
            break
        before = screen.at
        page.locator(".options button").last.click()
        page.wait_for_function("(at) => document.body.dataset.at !== at", arg=before)
    screen.point("fjord 1")
    assert screen.state == "asked"
    assert page.locator(".options button").count() == 2
    page.locator(".options button").first.click()
    page.wait_for_function("() => document.querySelector('[data-place=\"fjord 1\"]') !== null")


def test_an_answer_keeps_its_key_whether_there_are_many_others_or_few(visit: Visit) -> None:
    found = visit("/").page.evaluate(
        """async () => {
          const [{ Choosing }, { panelEntries }] = await Promise.all(
            ["choosing", "parts"].map((each) => import(`/static/js/${each}.js`)));
          const words = (count, face) => [`count ${count}`, `face ${face}`];
          const bid = (count, face) =>
            ({ name: `bid ${count} ${face}`, things: [], words: words(count, face) });
          const doubt = { name: "doubt", things: [], words: [] };
          const listed = (...counts) => {
            const bids = counts.flatMap((count) => [1, 2, 3, 4].map((face) => bid(count, face)));
            const choosing = new Choosing({ several: false, options: [...bids, doubt] });
            const first = panelEntries(choosing)[0].name;
            choosing.pick("count 9");
            return [first, panelEntries(choosing).map(({ name }) => name)];
          };
          return [listed(6, 7, 8, 9), listed(9)];
        }"""
    )
    for first, after in found:
        assert first == "doubt"
        assert after == [f"bid 9 {face}" for face in (1, 2, 3, 4)]


def test_what_comes_later_waits(visit: Visit) -> None:
    """Of moves those places glow where one can begin, unless there is one beginning."""
    found = visit("/").page.evaluate(
        """async () => {
          const { Choosing } = await import("/static/js/choosing.js");
          const of = (...moves) => new Choosing({
            several: false,
            options: moves.map((things, number) => ({ number, things, words: [] })),
          });
          const moves = of(["a", "c"], ["a", "d"], ["b", "c"], ["c", "d"]);
          const before = [...moves.later];
          moves.pick("a");
          const cards = new Choosing({
            several: true,
            options: [{ number: 0, things: ["ace", "ten"], words: [] }],
          });
          const one = of(["a", "b"], ["a", "c"]);
          return [before, [...moves.later], [...one.later], [...cards.later]];
        }"""
    )
    assert found == [["d"], [], [], []]


def test_pointing_narrows_the_options(visit: Visit) -> None:
    """The logic by itself: things, words and sets."""
    found = visit("/").page.evaluate(
        """async () => {
          const { Choosing } = await import("/static/js/choosing.js");
          const option = (number, things, words = []) => ({ number, things, words });
          const sail = new Choosing({
            several: false,
            options: [
              option(0, ["bay 1"], ["side left"]),
              option(1, ["bay 1"], ["side right"]),
              option(2, ["bay 2"], ["side left"]),
            ],
          });
          const first = sail.pick("bay 1");
          const left = sail.left.map((each) => each.number);
          const next = [...sail.next];
          const astern = sail.pick("side ahead");
          const chosen = sail.pick("side right").number;
          const changed = new Choosing(sail.question);
          changed.pick("bay 1");
          const others = [...changed.others];
          const instead = changed.pick("bay 2").number;
          const cards = new Choosing({
            several: true,
            options: [[], ["ace"], ["ace", "ace"], ["ten"]].map((each, at) => option(at, each)),
          });
          const steps = [cards.pick("ace"), cards.complete[0].number, cards.pick("ace")];
          steps.push(cards.complete[0].number, [...cards.next]);
          cards.pick("ace");
          const path = (number, ...things) => option(number, things);
          const abc = [path(0, "a", "b", "c"), path(1, "c", "b", "a"), path(3, "b", "a", "c")];
          const jumping = () => new Choosing({ several: false, options: [...abc, path(2, "a")] });
          const there = jumping();
          const stops = [there.pick("a"), there.complete[0].number, there.pick("b")];
          stops.push(there.pick("c").number);
          const back = jumping();
          const turned = ["c", "b", "a"].map((key) => back.pick(key)?.number ?? null);
          const astray = jumping();
          const lost = [...["c", "a", "b"].map((key) => astray.pick(key)), astray.complete.length];
          const { extent, picked: dropped } = cards;
          const plain = { first, left, next, astern, chosen, others, instead, steps, dropped };
          return { ...plain, stops, turned, lost, extent };
        }"""
    )
    assert found == {
        "first": None,
        "left": [0, 1],
        "next": ["side left", "side right"],
        "astern": None,
        "chosen": 1,
        "others": ["bay 2"],
        "instead": 2,
        "steps": [None, 1, None, 2, []],
        "dropped": ["ace"],
        "stops": [None, 2, None, 0],
        "turned": [None, None, 1],
        "lost": [None, None, None, 3],
        "extent": {"least": 1, "most": 2, "all": 3},
    }


def test_pieces_are_matched_by_their_looks(visit: Visit) -> None:
    found = visit("/").page.evaluate(
        """async () => {
          const { matched } = await import("/static/js/flight.js");
          const piece = (look, place, type = "pawn") => ({ look, place, type });
          const deck = piece("hidden card", "deck", "card");
          const hand = piece("ace", "hand", "card");
          const { pairs, fresh } = matched(
            [piece("red", "a"), piece("red", "b"), deck],
            [piece("red", "c"), piece("red", "b"), hand, piece("blue", "d")],
          );
          return {
            pairs: pairs.map(([was, now]) => [was.place, now.place]),
            fresh: fresh.map((each) => each.place),
          };
        }"""
    )
    assert found == {"pairs": [["a", "c"], ["deck", "hand"]], "fresh": ["d"]}


def test_a_line_goes_through_places_that_make_one(visit: Visit) -> None:
    """Fields that count here and there are no line, and neither are two that lie apart."""
    found = visit("/").page.evaluate(
        """async () => {
          const { inChain, inLine } = await import("/static/js/picture.js");
          const spots = (...points) => points.map(([x, y]) => ({ x, y, size: 10 }));
          const ends = (...points) => inLine(spots(...points))?.map(({ x, y }) => [x, y]) ?? null;
          return {
            row: ends([10, 0], [0, 0], [20, 0]),
            slope: ends([0, 0], [10, 10], [20, 20]),
            mill: ends([0, 0], [60, 0], [30, 0]),
            pair: ends([0, 0], [10, 0]),
            far: ends([0, 0], [70, 30]),
            uneven: ends([0, 0], [10, 0], [70, 0]),
            bent: ends([0, 0], [10, 0], [10, 10]),
            chain: inChain(spots([0, 0], [10, 0], [10, 10])),
            broken: inChain(spots([0, 0], [10, 0], [30, 0])),
          };
        }"""
    )
    assert {name: sorted(found.pop(name)) for name in ("row", "slope", "mill", "pair")} == {
        "row": [[0, 0], [20, 0]],
        "slope": [[0, 0], [20, 20]],
        "mill": [[0, 0], [60, 0]],
        "pair": [[0, 0], [10, 0]],
    }
    assert found == {"far": None, "uneven": None, "bent": None, "chain": True, "broken": False}


def test_points_of_one_player_rise_together(visit: Visit) -> None:
    found = visit("/").page.evaluate(
        """async () => {
          const { Stages } = await import("/static/js/stages.js");
          const strip = (seat) => `strip ${seat}`;
          const picture = { scored: () => {}, thing: (key) => key, strip };
          const rising = [];
          const float = (...given) => rising.push(given);
          const points = [[0, 2, ["a"]], [0, 3, ["a"]], [1, 1, ["a"]], [1, 4, []]];
          const given = points.map(([seat, points, things]) => ({ seat, points, things }));
          Stages.prototype.rise.call({ picture, float }, { points: given });
          return rising;
        }"""
    )
    assert found == [["a", 0, 5, 0], ["a", 1, 1, 1], ["strip 1", 1, 4, 0]]


def test_an_onlooker_sees_and_is_not_asked(visit: Visit, table: SetUp) -> None:
    host = visit(table("walhalla", "me", "me", "me", seed=7))
    link = host.page.locator("#people [data-link^='/watch/']").get_attribute("data-link")
    watching = visit(str(link))
    watching.wait("waiting")
    held = watching.page.eval_on_selector_all(
        "[data-place^='hand ']", "all => all.map((each) => each.dataset.look)"
    )
    assert set(held) == {"hidden card"}
    assert not watching.things()


def test_what_happens_is_said_aloud(visit: Visit, table: SetUp) -> None:
    screen = visit(table("tic_tac_toe", "me", "random", seed=3))
    screen.wait("asked")
    said = screen.page.locator("#said[aria-live=polite]")
    assert "Which cell do you mark?" in str(said.text_content())
    screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_selector("body[data-at='2'][data-state=asked]")
    assert "Nought" in str(said.text_content())
    assert screen.page.evaluate("document.activeElement.id") == "prompt"


def test_what_is_not_allowed_is_explained(visit: Visit, table: SetUp) -> None:
    screen = visit(table("othello", "me", "random"))
    screen.wait("asked")
    screen.point("cell 1 1")
    assert "A disc must flank" in screen.note()
    assert "A disc must flank" in screen.page.locator("#note p:not(.about)").first.inner_text()
    assert not screen.page.locator("#note .clause").is_visible()
    screen.page.keyboard.press("Escape")
    screen.point("cell 4 4")
    assert "A disc is laid on an empty cell." in screen.note()


def test_the_question_says_which_rule_asks(visit: Visit, table: SetUp) -> None:
    screen = visit(table("walhalla", "me", "me", "me", seed=7))
    screen.page.click("#curtain button")
    screen.wait("asked")
    summary = screen.page.locator(".rule summary")
    assert "seats as many vikings from Midgard as he likes" in summary.inner_text()
    assert "Walhalla (AMIGO 2006)" in str(summary.get_attribute("title"))
    screen.page.keyboard.press("?")
    assert "Only vikings from Midgard can board." in screen.note()


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_keyboard_only(visit: Visit, table: SetUp, name: str) -> None:
    """A game is played to its end with arrows, Enter and digits."""
    screen = visit(table(name, "me", "random", seed=3))
    keys, at, turn = screen.page.keyboard, "", 0
    while screen.wait_for_news(at) != "over":
        at = screen.at
        if turn % 2:
            keys.press("1")
        else:
            for _ in range(turn % 3 + 1):
                keys.press("ArrowDown")
            keys.press("Enter")
        turn += 1
    assert turn > 2


def test_a_place_can_mean_a_number(visit: Visit, table: SetUp) -> None:
    screen = visit(table("connect_four", "me", "random", seed=3))
    screen.wait("asked")
    screen.point("cell 3 2")
    screen.page.wait_for_selector('[data-place="cell 3 6"]')


def test_things_in_the_picture_are_buttons_for_those_who_tab(visit: Visit, table: SetUp) -> None:
    screen = visit(table("tic_tac_toe", "me", "random", seed=3))
    screen.wait("asked")
    cell = screen.page.locator('svg [data-thing="cell 2 2"]')
    assert cell.get_attribute("role") == "button"
    assert cell.get_attribute("aria-label")
    cell.focus()
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_selector('[data-place="cell 2 2"]')


def test_the_table_fits_a_phone(visit: Visit, table: SetUp) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    screen = visit(table("walhalla", "me", "random", "random", seed=2), **phone)
    screen.wait("asked")
    page = screen.page
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    scale = page.evaluate(
        """() => {
          const picture = document.querySelector("svg.table");
          return picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
        }"""
    )
    assert scale > 0.7, "a high table is laid out wider, so that it is seen larger"
    sheet = page.locator("#question").bounding_box()
    assert sheet["y"] + sheet["height"] <= 845
    before = screen.at
    page.locator(".options button").first.tap()
    page.wait_for_function("(at) => document.body.dataset.at !== at", arg=before)


def test_a_tap_chooses_and_a_finger_that_is_held_asks(visit: Visit, table: SetUp) -> None:
    """Neither covers what can be answered."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    screen = visit(table("walhalla", "me", "random", "random", seed=2), **phone)
    screen.wait("asked")
    page = screen.page
    glowing = page.locator("svg .choosable").first
    box = glowing.bounding_box()
    spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    glowing.tap()
    page.wait_for_selector(".so-far .taken")
    page.wait_for_timeout(800)  # as long as somebody rests who wants to know what it is
    assert page.locator("#what").is_hidden()
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    page.wait_for_selector("#what:not([hidden])")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.locator(".so-far .taken").count() == 1, "nothing was chosen by it"
    card, sheet = (page.locator(each).bounding_box() for each in ("#what", "#question"))
    assert card["y"] + card["height"] <= sheet["y"] or card["y"] >= sheet["y"] + sheet["height"]


def test_a_curtain_hides_the_table(visit: Visit, table: SetUp) -> None:
    screen = visit(table("kuhn_poker", "me", "me"))
    page = screen.page
    page.wait_for_selector("#curtain button")
    assert not page.locator("svg.table").is_visible()
    for message in screen.scenes:
        assert message["seat"] is None
    page.click("#curtain button")
    screen.wait("asked")
    assert page.locator("svg.table").is_visible()
    assert screen.scenes[-1]["seat"] == 0


def test_the_page_goes_on_after_the_server_was_gone(visit: Visit, served: Served) -> None:
    screen = visit(set_up(served, "othello", ("me", "random"), seed=3), served)
    screen.wait("asked")
    port = served.port
    served.kill()
    screen.page.wait_for_selector("body[data-line=broken]")
    served.start(port)
    screen.page.wait_for_selector("body[data-line=open]")
    screen.wait("asked")
    before = screen.at
    screen.point(screen.things()[0])
    screen.page.wait_for_function("(at) => document.body.dataset.at !== at", arg=before)


def test_moved_pieces_fly(visit: Visit, table: SetUp) -> None:
    screen = visit(table("tic_tac_toe", "me", "random", seed=3), reduced_motion="no-preference")
    screen.wait("asked")
    screen.page.evaluate(
        """() => {
          window.flights = 0;
          const seen = new MutationObserver((changes) => {
            for (const { addedNodes } of changes) {
              for (const node of addedNodes) {
                if (node.classList?.contains("flying")) window.flights += 1;
              }
            }
          });
          seen.observe(document.querySelector("#table"), { childList: true, subtree: true });
          const start = Element.prototype.animate;
          Element.prototype.animate = function (...all) {
            window.flights += 1;
            return start.apply(this, all);
          };
        }"""
    )
    screen.page.evaluate("localStorage['lawspeaker.speed'] = 3")  # all at once nothing flies
    screen.point("cell 2 2")
    screen.page.wait_for_function("() => window.flights > 0")


def test_stepping_through_a_game(visit: Visit, table: SetUp) -> None:
    link = table("tic_tac_toe", "me", "random", seed=3)
    screen = visit(link)
    at = ""
    while screen.wait_for_news(at) != "over":
        at = screen.at
        screen.page.keyboard.press("1")
    last = int(screen.at)
    watching = visit(link.replace("/t/", "/replay/"))
    again = watching.page
    again.wait_for_selector("#log .entry")
    again.wait_for_function("() => document.querySelectorAll('.piece').length === 0")
    again.keyboard.press("End")
    again.wait_for_function("(n) => document.querySelectorAll('.piece').length === n", arg=last)
    for _ in range(2):
        again.keyboard.press("ArrowLeft")
    again.wait_for_function("(n) => document.querySelectorAll('.piece').length === n", arg=last - 2)
    again.keyboard.press("Home")
    again.wait_for_function("() => document.querySelectorAll('.piece').length === 0")
    again.hover('.entry[data-reply="3"]')
    again.wait_for_function("() => document.querySelectorAll('.piece').length === 3")
    again.click('.entry[data-reply="2"] button')
    assert "A player marks an empty cell" in watching.note()
    again.wait_for_function("() => document.querySelectorAll('.piece').length === 2")
    again.click("#branch")
    again.wait_for_url("**/t/*")
    again.wait_for_function("() => document.querySelectorAll('.piece').length >= 2")


def test_what_if_another_rule_held(visit: Visit, table: SetUp) -> None:
    link = table("walhalla", "me", "me", "me", seed=3)
    screen = visit(link.replace("/t/", "/replay/"))
    screen.page.wait_for_selector("#under:not([hidden])")
    screen.page.select_option("#under", "full_hands")
    told = screen.note()
    assert "would have" in told
    assert "With these rules" in told
    assert "[object" not in told


def test_a_link_that_leads_nowhere(visit: Visit) -> None:
    screen = visit("/t/nothing")
    screen.page.wait_for_selector("text=There is no table here")
    screen.errors.clear()  # the page itself was answered with 404


def test_the_guide_covers_nothing_that_was_opened(visit: Visit, table: SetUp) -> None:
    screen = visit(table("nim", "me", "greedy"))
    page = screen.page
    screen.guided("nim")
    page.wait_for_selector(".guide")
    page.click("#seats summary")
    page.wait_for_selector(".guide", state="hidden")
    page.keyboard.press("Escape")
    page.wait_for_selector(".guide")


def test_a_first_game_begins_with_its_lesson(visit: Visit, table: SetUp) -> None:
    screen = visit(table("hearts", "me", "random", "random", "random", language="fr"))
    page = screen.page
    assert screen.learn() == ["Le but du jeu", "Comment marquer des points", "Un tour de jeu"]
    assert screen.state == "asked"
    page.keyboard.press("2")  # and no key was taken for an answer meanwhile
    assert page.locator(".so-far .taken").count() == 1


def test_an_answer_says_what_comes_of_it(visit: Visit, table: SetUp) -> None:
    screen = visit(table("mill_wheel", "me", "random", "random", seed=12))
    page = screen.page
    screen.wait("asked")
    at = screen.at
    answer = page.locator(".options [data-option]", has_text="hive")
    answer.hover()
    page.wait_for_selector("#what .comes li")
    assert "stores 2 × honey" in page.inner_text("#what")
    page.mouse.move(2, 2)
    page.wait_for_selector("#what", state="hidden")
    answer.evaluate("(each) => each.focus({ focusVisible: true })")
    page.wait_for_selector("#what .comes li")
    assert answer.get_attribute("aria-describedby") == "what"
    touched = {"pointerType": "touch", "bubbles": True}
    page.keyboard.press("Escape")
    answer.dispatch_event("pointerdown", touched)
    page.wait_for_selector("#what .comes li")
    answer.dispatch_event("pointerup", touched)
    answer.dispatch_event("click")  # what is held is not chosen
    assert screen.at == at
    assert screen.state == "asked"


def test_a_search_in_the_rulebook_shows_rules_first(visit: Visit, table: SetUp) -> None:
    screen = visit(table("chess", "me", "random"))
    screen.wait("asked")
    page = screen.page
    page.click("#book")
    page.wait_for_selector(".rulebook .rule")
    chapters = """() => [...document.querySelector(".book-place").shadowRoot.querySelectorAll(
      ".leaf > section:not(.out)")].map((each) => Boolean(each.querySelector(".rule:not(.out)")))"""
    before = page.evaluate(chapters)
    page.fill(".rulebook input", "rook")
    found = page.evaluate(chapters)
    assert found == sorted(found, reverse=True)
    assert True in found
    assert False in found
    page.fill(".rulebook input", "")
    assert page.evaluate(chapters) == before


COVERED = """() => {
  const area = (one, two) =>
    Math.max(0, Math.min(one.right, two.right) - Math.max(one.left, two.left)) *
    Math.max(0, Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top));
  const box = (each) => each.getBoundingClientRect();
  const [guide, frame] = ['.guide', '.looked-at'].map((each) => box(document.querySelector(each)));
  const seen = ({ left, right, top, bottom }) => ({  // of what is scrolled
    left: Math.max(left, frame.left), right: Math.min(right, frame.right),
    top: Math.max(top, frame.top), bottom: Math.min(bottom, frame.bottom),
  });
  const spared = [...document.querySelectorAll('#question, .bar, .proposal:not([hidden])')];
  const chosen = [...document.querySelectorAll('svg .choosable')].map((each) => seen(box(each)));
  return [...spared.map(box), ...chosen].map((each) => area(guide, each));
}"""


@pytest.mark.parametrize(
    "rules, size",
    sample(
        [
            ("voluspa", (1366, 650)),  # a hand of tiles
            ("othello", (390, 844)),
            ("surveyors", (390, 844)),  # cells of a table that grows
            ("backgammon", (390, 844)),  # dice above the board
            ("draughts", (820, 1180)),
        ],
        full=2,
    ),
)
def test_the_guide_covers_neither_the_question_nor_what_can_be_chosen(
    visit: Visit, table: SetUp, rules: str, size: tuple[int, int]
) -> None:
    window = {"width": size[0], "height": size[1]}
    screen = visit(table(rules, "me", "random", seed=4), viewport=window)
    page = screen.page
    screen.guided(rules)
    screen.wait("asked")
    page.wait_for_selector(".guide")
    covered = page.evaluate(COVERED)
    assert len(covered) > 3, "the question, and what can be chosen"
    assert not any(covered)


def test_what_a_choice_moves_stands_folded_behind_it(visit: Visit, table: SetUp) -> None:
    screen = visit(table("connect_four", "me", "me"))
    screen.wait("asked")
    screen.answer(0)
    page = screen.page
    behind = page.locator("#log .behind")
    behind.wait_for()
    assert not behind.locator(".line").is_visible()
    behind.locator("summary").click()
    assert "supply →" in str(behind.locator(".line").text_content())
    said = str(page.locator("#said").text_content())
    assert said.startswith("Red drops into column")
    assert "supply" not in said


def test_every_change_of_the_lead_is_a_turning_point(visit: Visit) -> None:
    screen = visit("/")
    found = screen.page.evaluate(
        """async () => {
          const { turning } = await import("/static/js/end.js");
          const at = (reply, ...scores) => ({ reply, scores });
          const few = [[0, 0, 0], [2, 1, 0], [4, 1, 3], [6, 4, 3], [8, 4, 9], [9, 12, 9]];
          const leads = ({ listed }) => listed.filter(({ key }) => key === "takes_lead");
          const many = [...Array(30).keys()].map((each) =>
            at(each, (each % 2) * each, ((each + 1) % 2) * each),
          );
          const first = leads(turning(few.map((each) => at(...each))));
          const { changes } = turning(many);
          const taken = [[0, 0, 0], [3, 1, 0], [6, 1, 13], [9, 3, 13]].map((each) => at(...each));
          const [cost] = turning(taken, true).listed.filter(({ points }) => points === 13);
          return [first.map(({ reply }) => reply), leads(turning(many)).length, changes, cost.key];
        }"""
    )
    assert found[0] == [4, 6, 8, 9]
    assert found[1] == 8
    assert found[2] > 20  # and this is said
    assert found[3] == "gains", "thirteen points turned a game that the fewest win"


def test_a_proposal_and_a_hint_leave_free_what_they_speak_of(visit: Visit, table: SetUp) -> None:
    window = {"width": 820, "height": 1180}
    screen = visit(table("voluspa", "me", "random", seed=4), viewport=window)
    page = screen.page
    screen.guided("voluspa")
    screen.wait("asked")
    page.wait_for_selector(".guide")
    page.evaluate(
        """async () => {
          const words = "Somebody proposes to take back what was played last, and all must agree.";
          const frame = document.querySelector("#proposal");
          frame.textContent = words;
          frame.hidden = false;
          dispatchEvent(new Event("resize"));
        }"""
    )
    settle(page)
    assert not any(page.evaluate(COVERED))
    page.click("#hint")
    page.wait_for_selector("#note .advice")
    over = page.evaluate(
        """() => {
          const own = document.querySelector("#note").getBoundingClientRect();
          return [...document.querySelectorAll("svg .hint")].filter((each) => {
            const { top, bottom } = each.getBoundingClientRect();
            return bottom > own.top && top < own.bottom;
          }).length;
        }"""
    )
    assert page.locator("svg .hint").count()
    assert not over
