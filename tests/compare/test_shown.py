"""How a comparison is shown: in the terminal, as data, as a page."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.typography import NO_BREAK
from lawspeaker.faces.cli.finding import Asking, find_out
from lawspeaker.faces.render import compare as shown
from lawspeaker.faces.render import contract
from lawspeaker.faces.render.compare_json import to_json
from lawspeaker.faces.render.compare_markdown import markdown
from lawspeaker.faces.render.compare_page import page
from lawspeaker.faces.render.findings import how_measured
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.loading import load_rulesets, schema
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.compare.merging import gathered
from lawspeaker.study.compare.points import aims_at
from lawspeaker.study.compare.terms import Term, Terms
from tests.compare.stall import stall_rulesets

CHANGES = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - {set: rounds, to: 3, kind: value, because: So it is printed., cites: {new: Turns}}
  - {amend: picking.not_full, also: fruit is not plum, says: No plums., cites: {new: Picking}}
  - {cite: thanking, cites: {new: {stance: silent}}}
  - {set: names.plum.de, to: "Zwetschge <b>"}
"""


@pytest.fixture(scope="module")
def rulesets(tmp_path_factory: pytest.TempPathFactory) -> list[Ruleset]:
    return stall_rulesets(tmp_path_factory.mktemp("stall"), {"other": CHANGES})


@pytest.fixture(scope="module")
def comparison(rulesets: list[Ruleset]) -> Comparison:
    return compare(rulesets)


@pytest.fixture(scope="module")
def findings(rulesets: list[Ruleset], comparison: Comparison) -> Findings:
    return find_out(rulesets, comparison, Asking(True, 200, 10, (3,), "random", 1, Crew(1)))


def comparison_text(comparison: Comparison, findings: Findings | None = None) -> str:
    out = io.StringIO()
    console = Console(file=out, width=80, no_color=True, force_terminal=False)
    console.print(shown.text(comparison, findings, 80))
    return out.getvalue()


@pytest.mark.parametrize(
    "counts, headline",
    [
        (Counter(), "No differences."),
        (Counter(play=2), "2 differences: 2 change play by the text of the rules."),
        (
            Counter(play=1, words=2),
            (
                "3 differences: 1 changes play by the text of the rules, 2 do not "
                "(2 are matters of words)."
            ),
        ),
        (
            Counter(silences=3),
            "3 differences: none changes play (in 3 a book is silent where another speaks).",
        ),
        (
            Counter(words=1),
            "1 difference: none changes play (1 is a matter of words).",
        ),
        (
            Counter(partly=2, unread=1),
            (
                "3 differences: none changes play "
                "(in 2 a book says one part and leaves another open; 1 is not read yet)."
            ),
        ),
    ],
)
def test_the_headline_is_one_breath(counts: Counter[str], headline: str) -> None:
    assert shown.headline(counts, "en") == headline


def test_the_headline_agrees_with_its_numbers_in_other_languages() -> None:
    assert shown.headline(Counter(play=10, words=2), "de") == (
        "12 Unterschiede: 10 ändern laut Regeltext das Spiel, 2 nicht (2 betreffen nur Worte)."
    )
    assert shown.headline(Counter(play=1, silences=1), "it") == (
        "2 differenze: 1 cambia il gioco secondo il testo delle regole, 1 no "
        "(in 1 un libro tace dove un altro parla)."
    )
    assert shown.headline(Counter(words=2), "fr") == (
        f"2 différences{NO_BREAK}: aucune ne change le jeu (2 ne sont qu’affaire de mots)."
    )


def test_every_difference_is_counted_once(comparison: Comparison) -> None:
    assert comparison.counts.total() == len(comparison.every)
    assert comparison.counts["play"] == sum(each.changes_play for each in comparison.every)


@pytest.mark.full
def test_the_terminal_needs_no_colours_and_80_columns(
    comparison: Comparison, findings: Findings
) -> None:
    text = comparison_text(comparison, findings)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "\x1b" not in text
    assert "≠  other book  3  [states: Turns]" in text
    assert "So it is printed." in text
    assert "○  other book  is silent" in text
    assert "Ann may not choose:" in text
    assert "other book, 10 pairs, 3 players, bots: random" in text
    assert "with luck dealt anew" in text
    assert "Luck alone, 3 players:" in text
    assert f"with the same luck, 0.0{NO_BREAK}% go" in text
    assert "What matters most" not in text, "ten pairs show nothing that luck does not do"
    none = text.index("No effect found beyond that of luck: 2 How many rounds are played: other")
    assert none < text.index("All differences together")


def test_only_some_are_shown(comparison: Comparison) -> None:
    """In every form of output; what is counted stays the whole."""
    some = comparison.only(shown.kinds_of(["play"]))
    for text in (comparison_text(some), page(some, Findings()), json.dumps(to_json(some)["rows"])):
        assert "rounds" in text
        assert "names.plum.de" not in text
        assert "is thanked.</p>" not in text
        assert '"thanking"' not in text
    assert some.counts == comparison.counts


@pytest.mark.full
def test_the_data_keep_to_their_schema(comparison: Comparison, findings: Findings) -> None:
    for found in (to_json(comparison), to_json(comparison, findings)):
        jsonschema.validate(json.loads(json.dumps(found)), schema("compare"))
    assert found["counts"]["play"] == 2
    sorts = [each["witness"]["sort"] for one in found["differences"] for each in one["findings"]]
    assert sorted(sorts) == ["happened", "offered"] or sorted(sorts) == ["asked", "offered"]
    assert found["played"]["ranking"] == [], "ten pairs show nothing that luck does not do"
    effects = [
        one for each in found["differences"] for it in each["findings"] for one in it["effects"]
    ]
    assert all(each["control"] is not None for each in effects)
    assert found["played"]["notes"] == how_measured(findings, "en")
    assert any("Random players" in each for each in found["played"]["notes"])


class Reader(HTMLParser):
    """Counts what is open, and gathers what a page asks of the world."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "br", "input"):
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and value and not value.startswith(("#", "data:")):
                self.outside.append(value)
            if name == "id" and value:
                self.ids.append(value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_stands_alone(comparison: Comparison, findings: Findings) -> None:
    text = page(comparison, findings)
    reader = Reader()
    reader.feed(text)
    assert not reader.open
    assert not reader.outside
    assert len(reader.ids) == len(set(reader.ids))
    assert not re.search(r"https?://|@import|url\(", text)
    assert "Zwetschge <b>" not in text
    assert "Zwetschge &lt;b&gt;" in text


def test_the_page_marks_differences_by_signs(comparison: Comparison) -> None:
    text = page(comparison, Findings())
    assert text.count('title="plays otherwise">≠</span>') == 2
    assert 'title="plays alike, but is said otherwise">~</span>' in text


def test_the_page_can_be_filtered(comparison: Comparison) -> None:
    text = page(comparison, Findings())
    assert 'id="rounds" data-group="play" data-kind="value" data-tellings="1"' in text
    assert '<option value="value">value (1)</option>' in text
    assert '<option value="1">other book</option>' in text


def test_equal_tellings_have_no_differences(tmp_path: Path) -> None:
    found = compare(stall_rulesets(tmp_path, {}, "stall", "stall"))
    assert "No differences." in comparison_text(found)
    assert "No differences." in page(found, Findings())
    assert to_json(found)["rows"] == []


HAGGLING = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - add: haggling
    kind: extra rule
    because: The new book ends with it.
    says: A player haggles.
    cites: {new: Haggling}
    before: picking
    given: {player: player}
    rule: player scores haggled
  - add: haggled
    kind: extra rule
    says: Haggling is worth a point.
    cites:
      - {section: Haggling, stance: says_otherwise, note: By its letter only Ann may.}
      - {section: Haggling, stance: our_ruling, note: We let everyone haggle.}
    define: haggled
    as: 1
"""


def test_what_a_book_says_otherwise_of_a_part_is_told_of_the_whole(tmp_path: Path) -> None:
    """In the line of the edition, before any other row is named or opened."""
    found = compare(stall_rulesets(tmp_path, {"other": HAGGLING}))
    whole = next(each for each in found.differences if each.id == "haggling")
    assert [row.id for row in whole.rows] == ["haggling", "haggled"]
    line = " ".join(comparison_text(found).partition("together with")[0].split())
    assert "[says otherwise, states, our ruling: Haggling]" in line
    told = "By its letter only Ann may. The new book ends with it. We let everyone haggle."
    assert told in line
    row = page(found, Findings()).partition('id="haggling"')[2].partition("<details>")[0]
    assert told in row
    assert '<span class="stance says_otherwise">says otherwise</span>' in row
    back = compare(stall_rulesets(tmp_path, {"other": HAGGLING}, "stall+other", "stall"))
    whole = next(each for each in back.differences if each.id == "haggling")
    first, other = gathered(whole).cells
    assert "By its letter only Ann may." in first.remark, "of the first as of any other"
    assert not other.there


def test_what_rests_on_the_sentence_of_a_difference_in_play_points_there(tmp_path: Path) -> None:
    edition = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - {set: rounds, to: 3, cites: {new: {section: Course, print: 1111111111 2222222222}}}
  - cite: round
    cites: {new: {section: Course, print: 2222222222, note: They pick by age.}}
  - cite: picking
    cites: {new: {section: Picking, print: 3333333333, note: They pick with closed eyes.}}
"""
    found = compare(stall_rulesets(tmp_path, {"other": edition}))
    numbers = {each.id: each.number for each in found.differences}
    see = {each.id: each.see for each in found.differences if each.id in ("round", "picking")}
    assert see == {"round": (numbers["rounds"],), "picking": ()}
    assert f"See {numbers['rounds']}: a sentence" in comparison_text(found)
    assert f'<p class="see">See <a href="#rounds">{numbers["rounds"]}</a>: a' in page(
        found, Findings()
    )


def test_a_book_without_a_rule_says_what_it_says_of_those_that_it_would_change(
    tmp_path: Path,
) -> None:
    bags = """\
  - amend: picking.not_full
    unless: haggled > 0
    cites: {new: Haggling}
"""
    found = compare(stall_rulesets(tmp_path, {"other": HAGGLING + bags}))
    whole = next(each for each in found.differences if each.id == "haggling")
    assert [cite.section for cite in gathered(whole).cells[0].cites] == ["Baskets"]
    assert "no such rule [Baskets]" in " ".join(comparison_text(found).split())


def test_a_value_that_a_variant_widens_has_the_sentence_of_the_variant_as_well() -> None:
    found = load_rulesets(["ludo", "ludo+bonus_throw"], Diagnostics())
    assert found is not None
    told = json.dumps(to_json(compare(found), Findings()))
    assert "Who has earned a bonus throws again, too." in told


@pytest.mark.parametrize("back", [False, True])
def test_many_kinds_that_one_version_lacks_share_a_row(back: bool) -> None:
    names = ["dominoes", "dominoes+double_nine"]
    found = load_rulesets(names[::-1] if back else names, Diagnostics())
    assert found is not None
    rows = {row.id: row for row in compare(found).table.rows if row.sort == "pieces"}
    assert set(rows) == {"pieces.tile.in the box", "pieces.tile.kinds"}
    told = rows["pieces.tile.kinds"].cells[0 if back else 1].text
    assert told.startswith("0–7, 0–8, 0–9, 1–7")
    assert told.endswith("8–9, 9–9")
    assert len(told.split(", ")) == 55 - 28


@pytest.mark.parametrize(
    "target, id, about",
    [
        ("names.seven_{high}", "names.seven_eight", True),
        ("names.seven_{high}", "names.six_eight", False),
        ("names.seven_{high}", "names.seven", False),
        ("pieces.tile.kinds.two_{high}.for each.high", "pieces.tile.kinds.two_six", True),
        ("pieces.tile.kinds.two_{high}.for each.high", "pieces.tile.kinds.two_six.low", True),
        ("pieces.tile.kinds.two_{high}.for each.high", "pieces.tile.kinds", True),
        ("pieces.card.kinds.{suit}_{rank}", "pieces.card.kinds.clubs_7", True),
        ("pieces.card.kinds.{suit}_{rank}", "pieces.card.count", False),
    ],
)
def test_a_change_of_a_series_is_about_its_kinds(target: str, id: str, about: bool) -> None:
    assert aims_at(target, id) is about


def test_a_book_that_leaves_a_point_open_agrees_with_nobody(tmp_path: Path) -> None:
    reprint = (
        "sources: {again: {title: The Old Book, language: en, reprint of: old}}\nchanges: []\n"
    )
    silent = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - cite: thanks
    cites: {new: {section: The end, stance: our_ruling, note: It is not said.}}
"""
    other = silent.replace("It is not said.", "Nothing is said.")
    names = ("stall", "stall+again", "stall+new", "stall+other")
    variants = {"again": reprint, "new": silent, "other": other}
    found = compare(stall_rulesets(tmp_path, variants, *names), everything=True)
    row = next(row for row in found.table.rows if row.id == "thanks")
    assert [shown.mark_of(cell, at) for at, cell in enumerate(row.cells)] == ["", "○", "○", "○"]
    assert "thanks" in {each.id for each in found.differences if 3 in each.columns}
    assert "thanks" not in {each.id for each in found.differences if 2 in each.columns}
    told = " ".join(comparison_text(found).split())
    assert "In 1 more (○) it leaves open what the first book leaves open, too." in told
    assert "leaves it open; played: 2 players: 0; 3 players: 1 [our ruling: The end]" in told
    assert told.count("As in the first book.") == 2


def test_only_signs_and_words_that_occur_are_explained(tmp_path: Path) -> None:
    new = "sources: {new: {title: The New Book, language: en}}\nchanges:\n"
    stated = "".join(
        f"  - {{cite: {id}, cites: {{new: Rules}}}}\n"
        for id in (
            *("pieces.fruit", "thanks", "game", "round", "picking", "picking.not_full"),
            *("thanking", "farewell"),
        )
    )
    dearer = "  - {set: rounds, to: 3, kind: value, cites: {new: Rules}}\n"
    heads = {}
    for name, body in {"plain": stated, "mute": ""}.items():
        found = compare(stall_rulesets(tmp_path / name, {name: new + body + dearer}))
        heads[name] = " ".join(comparison_text(found).partition("How many rounds")[0].split())
    assert "≠ plays otherwise; ○ the book is silent or leaves it open; =" not in heads["plain"]
    unread = "? nothing is cited, and nobody has read the book to its end"
    assert unread in heads["mute"]
    assert unread not in heads["plain"]
    meant = {name: told.partition("What a book does: ")[2] for name, told in heads.items()}
    assert "not read yet (nothing is cited, and the book has sentences that" in meant["mute"]
    assert "not read yet" not in meant["plain"]
    for told in meant.values():
        assert "states (says it outright)" in told
        assert "contradicts itself" not in told


def test_a_value_of_which_a_part_is_ours_says_so(tmp_path: Path) -> None:
    new = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - cite: rounds
    cites: {new: [Course, {section: Course, stance: our_ruling, note: We chose.}]}
"""
    found = compare(stall_rulesets(tmp_path, {"new": new}))
    row = next(row for row in found.table.rows if row.id == "rounds")
    assert [cell.text for cell in row.cells] == ["2", "says some of it; played: 2"]
    told = " ".join(comparison_text(found).split())
    assert "says some of it; played: 2 [states, our ruling: Course] We chose." in told


@pytest.mark.parametrize("width", [30, 60, 100])
def test_no_word_of_a_table_of_words_is_broken(tmp_path: Path, width: int) -> None:
    new = "sources: {new: {title: The New Book, language: en}}\nchanges: []\n"
    found = compare(stall_rulesets(tmp_path, {"new": new}))
    long, other = "Geländeplättchen", "avant-dernière"
    terms = Terms((Term("crate", "crate", ((long,), (f"{other} pointe",))),))
    out = io.StringIO()
    told = shown.words(replace(found, table=replace(found.table, terms=terms)), width)
    Console(file=out, width=width, no_color=True).print(told)
    assert {long, other} <= {*out.getvalue().split()}


def test_a_contract_says_what_was_ruled(tmp_path: Path) -> None:
    told = stall_rulesets(tmp_path, {"other": HAGGLING}, "stall", "stall+other", "stall+other")
    text = contract.text(contract.contract(compare(told), told[1]), 200)
    point = text.partition("1. A player haggles.")[2].partition("\n\n")[0]
    assert [line.strip() for line in point.splitlines() if line] == [
        "Also: Haggling is worth a point.",
        "Remark: The new book ends with it.",
        "Source: Haggling [new]",
        "Wording: By its letter only Ann may.",
        "Ruling: We let everyone haggle.",
        "The Stall: no such rule",
        "other book: as agreed here",
    ]


def test_a_contract_has_one_point_for_each_difference_what_touches_most_first(
    tmp_path: Path,
) -> None:
    changes = f"{HAGGLING}  - {{set: rounds, to: 3, kind: value}}\n"
    told = stall_rulesets(tmp_path, {"other": changes})
    (part,) = contract.contract(compare(told), told[1]).parts
    assert [(each.title or each.says, len(each.also)) for each in part.points] == [
        ("A player haggles.", 1),
        ("How many rounds are played", 0),
    ]


def test_a_contract_says_what_fills_in_and_what_was_not_taken(tmp_path: Path) -> None:
    """A table takes one reading of an edition that plays two points otherwise."""
    declared = "sources: {new: {title: The New Book, language: en}}\nchanges:\n"
    rounds = "  - {set: rounds, to: 3, because: It is longer., cites: {new: Course}}\n"
    points = "  - {set: wins, to: fewest points}\n"
    variants = {"other": declared + rounds + points, "ours": declared + rounds}
    names = ("stall", "stall+ours", "stall+other")
    told = stall_rulesets(tmp_path, variants, *names)
    agreed = contract.contract(compare(told), told[1])
    assert [each.remark for part in agreed.parts for each in part.points] == ["It is longer."]
    sentence, left = agreed.further
    assert sentence.startswith("One further point is played otherwise where something is taken")
    assert "(other book)" in left
    for text in (contract.text(agreed), contract.markdown(agreed), contract.page(agreed)):
        flat = " ".join(text.split())
        assert "Whatever is not listed here is played by these rules: The Stall." in flat
        assert sentence in flat
        assert left in flat or left.removeprefix("- ") in flat


def test_a_reason_of_ones_own_is_told_as_one(tmp_path: Path) -> None:
    own = "changes: [{set: rounds, to: 3, because: We have time.}]\n"
    told = stall_rulesets(tmp_path, {"ours": own}, layer="house rule")
    text = contract.text(contract.contract(compare(told), told[1]))
    assert "Why: We have time." in text


def test_a_contract_names_rulings_that_nobody_was_asked_about(tmp_path: Path) -> None:
    """Those of the base game, too; what is told as a point already is not told again."""
    changes = """\
changes:
  - {set: rounds, to: 3, kind: value}
  - {cite: thanking, cites: {old: {stance: our_ruling, note: Everyone is thanked at once.}}}
  - {cite: rounds, cites: {old: {stance: silent}}}
"""
    told = stall_rulesets(tmp_path, {"other": changes})
    agreed = contract.contract(compare(told), told[1])
    titles = [title for title, _ in agreed.rulings]
    rule = next(clause for clause in told[1].program.clauses if clause.id == "thanking")
    ruled = f"{rule.says['en']} Everyone is thanked at once."
    assert ruled in [each for _, each in agreed.rulings]
    assert "How many rounds are played" not in titles
    for text in (contract.text(agreed), contract.markdown(agreed), contract.page(agreed)):
        assert "What we play where the book leaves it open" in text
        assert "Everyone is thanked at once." in text
        assert str(tmp_path) not in text


def test_no_code_stands_in_titles_and_kinds(tmp_path: Path) -> None:
    changes = """\
changes:
  - {set: names.take, to: {en: "pick {fruit}", de: "{fruit} pflücken"}}
  - add: pieces.nut
    kind: setup
    to: {starts in: bowl, kinds: {walnut: 3, hazel: 2}}
  - {add: places.bowl, to: {holds: nut, seen by: everyone}}
  - {add: names.nut, to: {en: nut, de: Nuss}}
  - {add: names.walnut, to: {en: walnut, de: Walnuss}}
  - {add: names.hazel, to: {en: hazelnut, de: Haselnuss}}
  - {add: names.bowl, to: {en: bowl, de: Schale}}
"""
    found = compare(stall_rulesets(tmp_path, {"other": changes}))
    titles = {row.id: row.title for row in found.table.rows}
    assert titles["names.take"] == "Take …: what it is called"
    nut = next(row for row in found.table.rows if row.id == "pieces.nut")
    assert nut.cells[1].does == f"3{NO_BREAK}× walnut, 2{NO_BREAK}× hazelnut"


@pytest.mark.full
def test_markdown_is_a_table_with_folded_positions(
    comparison: Comparison, findings: Findings
) -> None:
    text = markdown(comparison, findings)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[0] == "|  | Rule | kind | The Stall | other book |"
    unescaped = [re.sub(r"\\.", "", line) for line in table]
    assert {line.count("|") for line in unescaped[: len(comparison.every) + 2]} == {6}
    assert r"≠ 3<br><sub>\[states: Turns\]</sub><br>*So it is printed.*" in text
    assert r"Zwetschge \<b\>" in text, "texts of rules are no HTML"
    assert text.count("<details>") == text.count("</details>") > 0
    assert "Ann may not choose:" in text
    assert "| All differences together: other book | 3 |" in text
    assert "Luck alone, 3 players:" in text
    assert "No effect found beyond that of luck: 2 How many rounds" in text
    assert "**What each book calls things**" not in text


def test_markdown_without_differences(rulesets: list[Ruleset]) -> None:
    text = markdown(compare([rulesets[0], rulesets[0]]))
    assert text.startswith("**No differences.**\n\n- **")
    assert "|" not in text
