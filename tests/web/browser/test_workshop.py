"""The workshop in a real browser: from an edit to what it does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.browser.screens import Screen
from tests.web.conftest import Served

Visit = Callable[..., Screen]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]


def write(page: Any, old: str, new: str) -> None:
    """Puts something else in the place of a text, by the keyboard."""
    at = page.evaluate("(old) => document.querySelector('textarea').value.indexOf(old)", old)
    assert at >= 0
    page.evaluate(
        "([from, to]) => { const area = document.querySelector('textarea');"
        " area.focus(); area.setSelectionRange(from, to); }",
        [at, at + len(old)],
    )
    page.keyboard.insert_text(new)


def test_from_an_edit_to_its_effect(visit: Visit) -> None:
    page = visit("/workshop?as=house&rules=nim").page
    page.wait_for_selector("svg.table")
    page.locator(".steps input").fill("0")
    write(page, "to: [3, 4, 5]", "to: [3, 4, 2]")
    page.wait_for_selector(".differ .gone")
    assert page.locator(".differ .gone").count() == 3
    assert "turn.enough" in page.locator(".differ .gone").first.inner_text()
    page.wait_for_selector("text=2000 of 2000 games", timeout=60_000)
    measured = page.locator(".measures").inner_text()
    assert "with luck dealt anew" in measured
    assert "\u00a0% points" in measured.partition("Share of victories, change")[2]

    # A mistake is underlined, counted and listed; the list leads there. Undo takes it back.
    write(page, "set: heap.sizes", "set: heap.size")
    page.wait_for_selector(".paint .error")
    assert page.locator("#count").inner_text() == "1"
    page.locator("#problems .go").first.click()
    chosen = "(() => { const a = document.querySelector('textarea');"
    chosen += " return a.value.slice(a.selectionStart, a.selectionEnd); })()"
    assert "heap.size" in page.evaluate(chosen)
    page.keyboard.press("Control+z")
    page.wait_for_selector("#problems .none")


@pytest.mark.parametrize("width", [1280, 390])
def test_numbers_are_set_without_their_text(visit: Visit, width: int) -> None:
    from tests.web.browser.test_access import found_by_axe

    address = "/workshop?as=edit&rules=nim&form=numbers"
    page = visit(address, viewport={"width": width, "height": 844}).page
    page.fill("#number-heap-sizes-2", "6")
    page.keyboard.press("Enter")
    page.wait_for_selector("#number-heap-sizes-back")
    page.fill("#number-title", "Taller")
    page.keyboard.press("Enter")
    page.wait_for_selector("#draft:has-text('Taller')")
    assert found_by_axe(page, "the form") == []
    page.fill("#number-heap-sizes-0", "")
    page.keyboard.press("Enter")
    page.wait_for_selector("#numbers [role=alert]")
    page.reload()
    page.wait_for_selector("#problems .none")
    text = page.locator("textarea").input_value()
    assert "title: Taller\n" in text.replace('"', "")
    assert "  - set: heap.sizes\n    to: [3, 4, 6]\n" in text
    page.click("#numbers-button")
    page.click("#number-heap-sizes-back")
    page.wait_for_selector("#number-heap-sizes-back", state="detached")


THREE_CHANGES = """\
lawspeaker: 1
variant: my_rule
of: nim
layer: house rule
title: Ours
changes:
  - {set: heap.sizes, to: [3, 4, 6]}
  - {set: pieces.stone.count, to: 13}
  - {set: numbers.amount, to: 1..4}
"""


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_changes_are_weighed_one_by_one(visit: Visit, width: int) -> None:
    from tests.web.browser.test_access import found_by_axe

    page = visit("/workshop?as=house&rules=nim", viewport={"width": width, "height": 844}).page
    page.wait_for_selector("#problems .none")
    write(page, page.locator("textarea").input_value(), THREE_CHANGES)
    if width < 900:
        page.click(".switch [data-tab=games]")
    page.wait_for_selector("#changes ol > li:nth-child(3)")
    page.focus("#weigh-changes")
    page.keyboard.press("Enter")
    page.wait_for_selector("#weigh-changes", state="detached")
    told = page.locator("#changes").inner_text()
    assert "in 2000 games with 2 players (random)" in told
    assert "Works only together with: Stone: number." in told
    assert "Changes nothing in these 2000 games" in told
    assert page.evaluate("document.activeElement.id") == "changes-title"
    page.locator("#changes summary").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#changes details[open] .measures")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = found_by_axe(page, "changes one by one")
    assert not found, "\n".join(found)
    if width < 900:
        page.click(".switch [data-tab=rules]")
    write(page, "13}", "14}")
    page.wait_for_selector("#changes .stale", state="attached")


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_a_draft_is_compared(visit: Visit, width: int) -> None:
    from tests.web.browser.test_access import found_by_axe

    screen = visit("/workshop?as=house&rules=nim", viewport={"width": width, "height": 844})
    page = screen.page
    page.wait_for_selector("#problems .none")
    write(page, page.locator("textarea").input_value(), THREE_CHANGES)
    page.wait_for_url("**/workshop?draft=*")
    page.wait_for_selector("#effect .measures", state="attached")
    page.click("#compare")
    page.wait_for_selector("#difference-3")
    assert "draft%3A" in page.url
    assert page.locator(".cell.other h3").first.inner_text() == "Nim (draft)"
    assert page.locator("#choice optgroup option:checked").count() == 1
    page.locator("#difference-2 .cell.other .pick").click()
    page.wait_for_selector("#mix a[download]", state="attached")
    assert page.locator("#mix a[href^='/contract']").count() == 0
    page.locator("#difference-3 .actions button:has-text('How much?')").click()
    page.wait_for_selector("#difference-3 .weighed .measures")
    told = page.locator("#difference-3").inner_text()
    assert "Works only together with: 1 Stone: number." in told
    assert "games with 2 players (random)" in told
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = found_by_axe(page, "a draft compared")
    assert not found, "\n".join(found)
    page.reload()  # the address leads to the draft, from the server by now
    page.wait_for_selector("#difference-3")
    page.goto(page.url.split("/comparison")[0] + "/comparison?name=nim&name=draft:abcdefgh01")
    page.wait_for_selector("#rows:has-text('another key')")
    screen.errors.clear()  # the draft that is not there was answered with 404


def test_names_are_completed_and_words_looked_up(visit: Visit) -> None:
    page = visit("/workshop?as=edit&rules=nim").page
    page.wait_for_selector("svg.table")
    write(page, "do turn", "do tu")
    page.wait_for_selector(".completions [aria-selected=true]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problems .none")
    assert "do turn" in page.locator("textarea").input_value()
    write(page, "active must take", "active must take")
    page.evaluate(
        "() => { const area = document.querySelector('textarea');"
        " const at = area.value.indexOf('must') + 1; area.setSelectionRange(at, at); }"
    )
    page.keyboard.press("F1")
    page.wait_for_selector("#lookup .forms")
    assert "PLAYER must choose" in page.locator("#lookup").inner_text()
    put_caret(page, "  d")
    page.keyboard.press("F1")
    page.wait_for_selector("#lookup .tabled td")  # the table of what `do` means


def put_caret(page: Any, before: str) -> None:
    """Puts the caret behind the beginning of a text."""
    page.evaluate(
        "(text) => { const area = document.querySelector('textarea'); area.focus();"
        " const at = area.value.indexOf(text) + text.length; area.setSelectionRange(at, at); }",
        before,
    )


@pytest.mark.nightly
def test_mistakes_are_mended_and_things_renamed(visit: Visit) -> None:
    page = visit("/workshop?as=edit&rules=nim").page
    page.wait_for_selector("#problems .none")
    page.wait_for_selector(".paint .n-clause")
    write(page, "do turn", "do trun")
    page.locator(".fixing .fix").click()
    page.wait_for_selector("#problems .none")
    put_caret(page, "do tu")
    page.keyboard.press("F2")
    page.locator("dialog.renaming input").fill("game")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.renaming .why:has-text('already')")
    page.locator("dialog.renaming input").fill("taking")
    page.keyboard.press("Enter")
    page.wait_for_selector("#note:has-text('taking')")
    assert "do taking" in page.locator("textarea").input_value()
    page.wait_for_selector("#problems .none")
    # The place is found by name in all files, and the question leads to it, too.
    page.click("#search-button")
    page.keyboard.type("taking")
    page.wait_for_selector(".found li strong:has-text('languages/de.yaml')")
    page.keyboard.press("Escape")
    page.locator(".steps input").fill("0")
    page.click(".asked .clause")
    chosen = "() => { const a = document.querySelector('textarea');"
    chosen += " return a.value.slice(a.selectionStart, a.selectionEnd) === 'taking'; }"
    page.wait_for_function(chosen)


@pytest.mark.nightly
def test_words_are_explained_declared_and_found(visit: Visit) -> None:
    page = visit("/workshop?as=edit&rules=nim").page
    page.wait_for_selector("#problems .none")
    page.wait_for_selector("svg.table")
    word = page.locator(".paint .n-clause:text-is('turn')").first
    word.scroll_into_view_if_needed()
    box = word.bounding_box()
    page.mouse.move(box["x"] + 6, box["y"] + 8)
    page.wait_for_selector(".explains:has-text('A player takes one or more stones')")
    below = page.locator(".explains").bounding_box()
    assert below["y"] >= box["y"] + box["height"] - 4  # the box never covers its line
    put_caret(page, "do tu")
    page.keyboard.press("F12")
    at = "() => document.querySelector('textarea').selectionStart"
    page.wait_for_function(f"{at} > 900")
    page.keyboard.press("Shift+F12")
    page.wait_for_selector("#places li")
    assert "languages/de.yaml" in page.locator("#places").inner_text()
    page.click("#go-back")
    page.wait_for_function(f"{at} < 900")


SHARED_IN_GERMAN = """\
lawspeaker: 1
translates: nim+my_rule
language: de
title @123456: Unsere Regel
"""


def test_a_shared_draft_opens_on_its_rule_in_the_language_of_the_page(
    visit: Visit, quick: Served
) -> None:
    rule = THREE_CHANGES.replace("set: numbers.amount", "set: numbers.amounts")
    files = [
        {"name": "my_rule.yaml", "text": rule, "given": []},
        {"name": "languages/my_rule.de.yaml", "text": SHARED_IN_GERMAN, "given": None},
    ]
    page = visit("/", locale="de-DE").page
    sent = page.request.post(f"{quick.url}/api/drafts", data={"rules": "nim", "files": files})
    page.goto(quick.url + sent.json()["link"])
    page.wait_for_selector("#count.error")
    assert page.locator("#file-name").inner_text() == "my_rule.yaml"
    assert page.locator("#draft").inner_text().startswith("Unsere Regel")
    page.wait_for_selector("#problems li.warning .translate")
    told = [page.locator(each).get_attribute("title") for each in ("#count", "#more-count")]
    assert told == ["1 fehlerhafte Stelle", "1 Warnung"], "an old translation is no error"
    assert page.locator("#more-count").is_visible()


def test_a_draft_is_shared_and_saved(visit: Visit) -> None:
    screen = visit("/workshop?as=house&rules=nim", accept_downloads=True)
    page = screen.page
    page.wait_for_selector("svg.table")
    write(page, "to: [3, 4, 5]", "to: [1, 1, 1]")
    page.wait_for_selector(".differ .gone")
    with page.expect_download() as saving:
        page.click("#save")
    assert saving.value.suggested_filename == "my_rule.yaml"
    page.click("#share")
    page.wait_for_url("**/workshop/*")
    page.reload()
    page.wait_for_selector(".differ .gone")
    assert "to: [1, 1, 1]" in page.locator("textarea").input_value()


def test_a_draft_is_played_and_survives_a_reload(visit: Visit) -> None:
    page = visit("/workshop?as=house&rules=nim").page
    page.wait_for_selector("svg.table")
    write(page, "to: [3, 4, 5]", "to: [1, 1, 1]")
    page.wait_for_selector(".differ .gone")
    page.click("#play")
    with page.context.expect_page() as opening:
        page.click("dialog.seating .main")
    table = opening.value
    table.wait_for_selector("body[data-state=asked]")
    assert table.locator(".options button").count() == 3
    table.locator(".options button").first.click()
    table.wait_for_selector("body[data-state=over], body[data-at='2'][data-state=asked]")
    page.reload()
    page.wait_for_selector(".differ .gone")
    assert "to: [1, 1, 1]" in page.locator("textarea").input_value()


def test_friends_sit_at_the_table_of_a_draft(visit: Visit) -> None:
    page = visit("/workshop?as=house&rules=nim").page
    page.wait_for_selector("svg.table")
    page.wait_for_selector("#problems .none")
    page.click("#play")
    bots = page.locator("#seat-1 option").all_inner_texts()
    assert {"bot, medium (mc:100)", "bot, plays at random (random)"} <= {*bots}
    page.select_option("#seat-1", "friend")
    with page.context.expect_page() as opening:
        page.click("dialog.seating .main")
    table = opening.value
    table.wait_for_selector("body[data-state=asked]")
    sitting = table.locator("#people .who-is").all_text_contents()
    assert len(sitting) == 2
    assert not any("bot" in each for each in sitting), sitting


def test_files_are_begun_renamed_and_removed(visit: Visit) -> None:
    screen = visit("/workshop?as=house&rules=nim", viewport={"width": 390, "height": 844})
    page = screen.page
    page.wait_for_selector("#problems .none")
    write(page, "title: My rule", "title: Small heaps")
    page.wait_for_function("document.getElementById('draft').textContent == 'Small heaps · Nim'")
    page.click("#files-button")
    page.click(".file-new")
    page.select_option("#file-kind", "translation")
    page.fill("#file-called", "en")
    page.click("dialog.renaming .main")
    page.wait_for_selector("dialog.renaming .why:has-text('written in this language')")
    page.fill("#file-called", "fr")
    page.click("dialog.renaming .main")
    page.wait_for_selector("#file-name:has-text('languages/my_rule.fr.yaml')")
    assert "# en: Small heaps" in page.locator("textarea").input_value()
    page.wait_for_selector("#problems .warning .hint:has-text('write the texts')")
    assert page.locator("#problems li").count() == 1, "other languages are not asked for"
    assert not page.locator("#problems .translate").count(), "it is up to date"
    page.click("#files-button")
    page.click(".file-new")
    page.select_option("#file-kind", "translation")
    page.select_option("#file-of", "my_rule.yaml")
    page.fill("#file-called", "italian")
    page.click("dialog.renaming .main")
    page.wait_for_selector("dialog.renaming .why:has-text('two small letters')")
    page.fill("#file-called", "it")
    page.click("dialog.renaming .main")
    page.wait_for_selector("#file-name:has-text('languages/my_rule.it.yaml')")
    page.click("#files-button")
    page.click("#tree button:has-text('my_rule.yaml')")
    page.click("#files-button")
    page.click(".file-rename")
    page.fill("#file-called", "small_heaps")
    page.click("dialog.renaming .main")
    page.wait_for_selector("#file-name:has-text('small_heaps.yaml')")
    assert "variant: small_heaps\n" in page.locator("textarea").input_value()
    assert "play nim+./small_heaps.yaml\n" in page.locator("textarea").input_value()
    page.once("dialog", lambda asked: asked.accept())
    page.click("#files-button")
    page.click("#tree button:has-text('small_heaps.it.yaml')")
    page.click("#files-button")
    page.click(".file-remove")
    page.wait_for_selector("#tree button:has-text('small_heaps.it.yaml')", state="detached")
    # The draft is listed by its own name; what is not there is told where it is seen.
    page.wait_for_url("**/workshop?draft=*")
    page.goto(page.url.replace("draft=", "draft=0"))
    page.wait_for_selector("#begin .wrong:has-text('another key')")
    screen.errors.clear()  # the draft that is not there was answered with 404
    page.click("#begin .left a:has-text('Small heaps')")
    page.wait_for_selector("#tree button:has-text('small_heaps.fr.yaml')", state="attached")


def test_the_workshop_fits_a_phone(visit: Visit) -> None:
    page = visit(
        "/workshop?as=house&rules=nim",
        viewport={"width": 390, "height": 780}, is_mobile=True, has_touch=True,
    ).page  # fmt: skip
    page.wait_for_selector("#problems .none")
    page.click('.switch [data-tab="table"]')
    page.wait_for_selector("svg.table", state="visible")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390


def test_the_start_of_a_line_is_seen_when_it_is_written(visit: Visit) -> None:
    size = {"width": 390, "height": 780}
    page = visit("/workshop?as=house&rules=nim", viewport=size, is_mobile=True).page
    page.wait_for_selector("#problems .none")
    page.click("textarea")
    page.keyboard.press("Control+End")
    page.keyboard.type(f"\n# {'a long line ' * 6}")
    page.wait_for_function("() => document.querySelector('.paper').scrollLeft > 100")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.paper').scrollLeft === 0")


@pytest.mark.nightly
def test_a_difference_becomes_a_house_rule(visit: Visit) -> None:
    page = visit("/comparison?name=walhalla&name=walhalla%2Bno_exodus").page
    page.wait_for_selector(".difference")
    actions = page.locator(".difference .actions").nth(1)  # beneath the one that plays otherwise
    actions.locator("button").nth(1).click()
    page.wait_for_selector(".witness svg.table", timeout=180_000)
    page.fill(".filters input", "no such thing")
    page.wait_for_selector(".difference", state="detached")
    page.fill(".filters input", "")
    actions.locator("button").nth(2).click()
    page.wait_for_selector("text=of 2000 games", timeout=180_000)  # however far it has come
    actions.locator("a").click()
    page.wait_for_selector("#problems .none")
    assert "remove: exodus" in page.locator("textarea").input_value()


def test_variants_are_compared_together(visit: Visit) -> None:
    page = visit("/comparison?name=walhalla&name=walhalla%2Bno_exodus").page
    page.wait_for_selector(".difference:has(h2[title='exodus'])")
    page.click("details.together >> nth=0 >> summary")
    page.check("details.together input[value=full_hands]")
    page.wait_for_selector(".difference >> nth=1")
    assert page.locator(".difference").count() == 2
    assert "full_hands" in str(page.get_attribute("#page", "href"))
    # What was ticked stays open, and can be taken out again.
    page.uncheck("details.together[open] input[value=full_hands]")
    page.wait_for_selector(".difference:has(h2[title='exodus'])")
    assert page.locator(".difference").count() == 1


@pytest.mark.nightly
def test_every_telling_is_weighed(visit: Visit) -> None:
    names = ("walhalla", "walhalla%2Bfull_hands", "walhalla%2Bno_exodus")
    page = visit("/comparison?" + "&".join(f"name={name}" for name in names), locale="de").page
    page.wait_for_selector(".difference")
    assert page.locator(".actions a").count() == 2  # each beneath the version that plays otherwise
    assert page.locator(".kind").all_inner_texts() == ["Wert", "weggelassen"]
    page.click(".weighing button")
    page.wait_for_selector(".weighing [aria-pressed=true]", timeout=60_000)
    assert "Das Wichtigste zuerst" in page.locator(".weighing [aria-pressed=true]").inner_text()
    shares = page.locator(".weighed tbody:first-child tr:nth-child(1) .figure")
    figures = [float(each.split(" ")[0]) for each in shares.all_inner_texts()]
    assert figures == sorted(figures, reverse=True)


def test_the_lab_counts_and_can_be_stopped(visit: Visit) -> None:
    page = visit("/lab?rules=pig").page
    page.click("#wish button.main")
    page.wait_for_selector("#result .seats")
    page.wait_for_selector("#wish button.main:has-text('Run')")
    rows = page.locator("#result .seats").nth(1).locator("th").all_inner_texts()
    told = page.locator("#result .tip:has-text('takes about')").inner_text()
    assert re.search(r"known to ±\d+\.\d.%.*about \d+ games: at most \d+ minute", told)
    assert rows == ["starts", "1 seat after", "2 seats after", "3 seats after"]
    assert page.locator("#result .seats").nth(1).locator(".interval .zero").count() == 4
    page.locator(".wish select").nth(1).select_option("2")
    page.locator("#wish button.main:has-text('Run')").click()
    # Of two seats, the second has what the first leaves.
    page.wait_for_selector("#result h2:has-text('by order of play')", state="detached")
    page.wait_for_selector("#result .seats")
    page.wait_for_selector("#wish button.main:has-text('Run')")
    page.locator(".ways button").nth(1).click()
    page.locator("#wish button.main").click()
    page.wait_for_selector("#result .line-chart")
    page.locator(".wish select").nth(2).select_option("greedy")
    page.locator("#wish button.main:has-text('Run')").click()
    page.locator("#wish button.main:has-text('Stop')").click()
    page.wait_for_selector("#wish button.main:has-text('Run')")


def test_the_lab_draws_when_games_are_decided_and_what_skill_wins(visit: Visit) -> None:
    page = visit("/lab?rules=pig&way=drama").page
    games = page.locator(".wish input[type=number]").first
    games.fill("8")
    games.press("Tab")
    page.click("#wish button.main")
    page.wait_for_selector("#wish button.main:has-text('Run')", timeout=60_000)
    assert page.locator("#result .line-chart").count() == 4
    assert "lead changes" in page.inner_text("#result .facts")
    page.locator(".ways button:has-text('ladder')").click()
    assert page.locator(".wish select").count() == 2, "the ladder has bots of its own"
    games.fill("4")
    games.press("Tab")
    page.click("#wish button.main")
    page.wait_for_selector("#result td:has-text('random')", timeout=60_000)
    page.locator("#wish button.main").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_readings_are_picked_and_played(visit: Visit) -> None:
    names = "name=walhalla&name=walhalla%2Bitalian&name=walhalla%2Bfrench"
    page = visit(f"/comparison?{names}&language=en").page
    page.wait_for_selector(".difference", timeout=60_000)
    card = page.locator(".difference:has(h2[title='ties.second'])")
    card.locator(".pick").nth(1).click()
    page.wait_for_selector("#mix a[download]", timeout=60_000)
    assert page.locator("#mix li").count() == 1
    assert "pick=2%3Aties.second" in page.url
    contract = page.locator("#mix a[href^='/contract']").get_attribute("href")
    assert "pick=2%3Aties.second" in contract

    # The link holds the picks; the reading of the first takes the other one back.
    page.reload()
    page.wait_for_selector("#mix a[download]", timeout=60_000)
    card.locator(".pick").first.click()
    page.wait_for_selector("#mix", state="hidden")
    assert "pick=" not in page.url

    # What is only said otherwise can be taken as well, but for what is printed on the box.
    hidden = page.locator("#filters .groups[role=group] button[aria-pressed=false]")
    while hidden.count():
        hidden.first.click()
    said = page.locator(".difference:has(h2[title='prizes'])")
    assert said.locator(".pick").count() == 2
    assert page.locator(".difference:has(h2[title='box.age']) .pick").count() == 0
    assert page.locator(".difference:has(h2[title='box.age'])").count() == 1


def test_on_a_phone_the_picked_readings_are_folded(visit: Visit) -> None:
    names = "name=walhalla&name=walhalla%2Bfrench&pick=1%3Aties.second"
    phone = {"viewport": {"width": 390, "height": 844}}
    page = visit(f"/comparison?{names}&language=en", **phone).page
    page.wait_for_selector("#mix summary", timeout=60_000)
    assert page.locator("#mix").bounding_box()["height"] < 844 / 10
    page.locator("#mix summary").click()
    page.wait_for_selector("#mix li", state="visible")
    assert page.locator("#mix").bounding_box()["height"] > 844 / 10
