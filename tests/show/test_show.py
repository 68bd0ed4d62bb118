"""A game as a document: nothing is left out, and every form of it is sound."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len
from typer.testing import CliRunner, Result

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.clause import clause_text
from lawspeaker.faces.render.show import Document, document, markdown, page, text
from lawspeaker.faces.render.show.document import Clause
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import schema
from tests.conftest import Golden
from tests.library import game
from tests.properties.tables import names
from tests.tiers import sample

HERE = Path(__file__).parent
VALID = jsonschema.Draft202012Validator(schema("show"))


@cache
def crates(name: str = "./crates.yaml") -> Document:
    found = lawspeaker.load(name, Library(here=HERE, path=()))
    return document(found.program, name, "en")


def stormy() -> Document:
    return crates("./crates.yaml+./stormy.yaml")


def every_clause(shown: Document) -> Iterator[Clause]:
    for section in shown.sections:
        yield from section.clauses
    yield from (choice.clause for choice in shown.choices)
    yield from (window.clause for window in shown.windows)
    yield from shown.always


@pytest.mark.parametrize("name", sample(names(), test=6, full=2), ids=lambda name: Path(name).stem)
def test_every_game_can_be_shown(name: str) -> None:
    program = game(name).program
    for language in program.languages:
        shown = document(program, name, language)
        assert sorted(each.id for each in every_clause(shown)) == sorted(
            each.id for each in program.clauses
        )
        VALID.validate(json.loads(json.dumps(shown.to_json())))
        Page(page(shown)).check()
        for form in (text(shown, 80), markdown(shown)):
            for clause in program.clauses:
                assert clause.id in form


def test_the_schema_is_sound() -> None:
    VALID.check_schema(VALID.schema)


def test_the_text_of_a_small_game(golden: Golden) -> None:
    golden(text(crates(), 80), HERE / "crates.txt")


def test_the_markdown_of_a_small_game(golden: Golden) -> None:
    golden(markdown(stormy()), HERE / "crates.md")


# ---------------------------------------------------------------- what is in it


def test_components_and_places() -> None:
    shown = crates()
    (piece,) = shown.pieces
    assert (piece.total, [kind.count for kind in piece.kinds]) == (9, [5, 4])
    assert [kind.values for kind in piece.kinds] == [("light",), ("heavy",)]
    sights = {place.id: place.sight for place in shown.places}
    assert sights == {
        "quay": "nobody, not even how many",
        "hold": "its owner; everyone sees how many",
        "sea": "everyone",
    }
    assert [place.number for place in shown.places] == ["one", "one for each player", "one"]


def test_choices_with_values_and_alternatives() -> None:
    turns, storm = crates().choices
    assert turns.value == "2 players: 3; 3 players: 2"
    assert (storm.value, storm.alternatives) == ("calm", ("calm", "stormy"))
    assert stormy().choices[1].value == "stormy"


def test_windows_say_what_can_be_played() -> None:
    (window,) = crates().windows
    assert [(play.piece, play.clause) for play in window.plays] == [("barrel", "barrel.thrown")]
    assert window.clause.used_by == ("sailing",)


def test_sections_follow_the_comments() -> None:
    assert [(each.title, len(each.clauses)) for each in crates().sections] == [
        ("The course of the game", 1),
        ("A turn", 4),
    ]


BARE = """lawspeaker: 1
game: sassi
language: it
languages: [de, it]
title: {it: Sassi, de: Steine}
about: {it: Un sasso., de: Ein Stein.}
players: {from: 1, to: 1, called: [anna]}
names:
  anna: {it: Anna, de: Anna}
rules:
  game:
    says: {it: Si vince., de: Man gewinnt.}
    rule: |
      anna wins
"""


@pytest.mark.parametrize("language, title", [("it", "Regole"), ("de", "Regeln")])
def test_rules_without_a_comment_have_a_heading_in_the_language(
    tmp_path: Path, language: str, title: str
) -> None:
    (tmp_path / "sassi.yaml").write_text(BARE, encoding="utf-8")
    found = lawspeaker.load("./sassi.yaml", Library(here=tmp_path, path=()))
    assert found.program.languages == ("it", "de")  # its own first
    assert [each.title for each in document(found.program, "sassi", language).sections] == [title]


def test_clauses_know_each_other() -> None:
    clauses = {each.id: each for each in every_clause(crates())}
    assert clauses["turn"].used_by == ("game",)
    assert clauses["game"].uses == ("turns.each", "turn")
    assert set(clauses["sailing"].uses) == {"at_sea", "boxes", "storm.rule", "barrel.thrown"}
    assert [guard.id for guard in clauses["sailing"].guards] == ["sailing.is_light"]
    assert clauses["boxes"].code.startswith("define: dry_boxes of player\nas: count of crates")
    assert "says" not in clauses["sailing"].code


def test_every_assumption_is_collected() -> None:
    found = [(each.why, each.about) for each in crates().assumptions]
    assert found == [
        ("assumed", "crate"),
        ("our_ruling", "storm.rule"),
        ("silent", "turn"),
        ("assumed", "sailing"),
        ("our_ruling", "sailing.is_light"),
    ]
    assert crates().assumptions[1].says == "Whether there are storms: calm."


@pytest.mark.parametrize(
    "language, words",
    [
        ("en", "This game cites no source."),
        ("de", "Dieses Spiel nennt keine Quelle."),
        ("fr", "Ce jeu ne cite aucune source."),
        ("it", "Questo gioco non cita alcuna fonte."),
    ],
)
def test_a_game_without_sources_does_not_follow_one(language: str, words: str) -> None:
    shown = replace(crates(), language=language, assumptions=(), sources=())
    assert words in text(shown, 80)
    assert words in page(shown)
    cited = replace(crates(), language="en", assumptions=())
    assert "Nothing: every clause follows a source." in text(cited, 80)


def test_what_a_variant_changed_is_shown_as_it_is_now() -> None:
    shown = stormy()
    (variant,) = shown.variants
    assert (variant.title, variant.layer) == ("Stormy weather", "house rule")
    targets = ["storm.rule", "boxes", "sailing.is_light"]
    assert [change.target for change in variant.changes] == targets
    boxes = next(each for each in every_clause(shown) if each.id == "boxes")
    assert boxes.says == "Every crate counts."
    assert "where tons" not in boxes.code
    assert "count of crates in hold of player" in boxes.code
    assert [(each.action, each.because) for each in boxes.changes] == [("replace", "Simpler.")]
    sailing = next(each for each in every_clause(shown) if each.id == "sailing")
    assert sailing.code.splitlines()[-1] == "is_light unless: storm.rule is stormy"


def test_explain_shows_what_holds_now() -> None:
    name = "./crates.yaml+./stormy.yaml"
    program = lawspeaker.load(name, Library(here=HERE, path=())).program
    boxes, turn = (next(c for c in program.clauses if c.id == id) for id in ("boxes", "turn"))
    told = clause_text(program, boxes)
    assert "changed by stormy: Simpler." in told
    assert "where tons" not in told
    assert "says: A crate is loaded" in clause_text(program, turn)


@pytest.mark.full
def test_explain_knows_guards_and_languages() -> None:
    """What `why` prints as the id of a rule can be asked for."""

    def explained(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["explain", *arguments])

    told = explained("attack.defence.has_heroes", "--lang", "it").stdout.splitlines()
    assert told[0] == "attack.defence.has_heroes (walhalla)"
    assert "nel Walhalla" in told[2]
    assert told[4].endswith("«Von Bord gehen»: il libro lo dice")
    assert told[-1] == "walhalla of player is not empty"
    assert "Verteidiger" in explained("attack.defence", "--of", "walhalla", "--lang", "de").stdout
    assert explained("attack.defence", "--lang", "xx").exit_code == 2
    missed = explained("attack.defence.has_heros", "--of", "walhalla")
    assert "did you mean 'attack.defence.has_heroes'" in missed.stderr


# ---------------------------------------------------------------- forms


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_of_text_is_too_wide_but_code(width: int) -> None:
    shown = crates()
    code = {line for each in every_clause(shown) for line in each.code.splitlines()}
    for line in text(shown, width).splitlines():
        assert cell_len(line) <= width or line.strip() in {each.strip() for each in code}


def test_the_markdown_means_what_the_document_says() -> None:
    html = MarkdownIt("commonmark").enable("table").render(markdown(crates()))
    assert "<b>bold</b>" not in html
    assert "Load *crates* and `barrels`" in html
    assert "<td>Someone | else</td>" not in html
    assert "Crates &amp; &lt;Barrels&gt;" in html
    assert html.count("<table>") >= 5
    assert "shuffle quay # &lt;quickly&gt;" in html


class Page(HTMLParser):
    """A page, taken apart."""

    VOID = frozenset("meta link input br hr img".split())

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name != "src"
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def check(self) -> None:
        """It is whole, fetches nothing, and every link leads somewhere in it."""
        assert not self.open
        assert len(set(self.ids)) == len(self.ids)
        for link in self.links:
            assert link == "data:," or link[1:] in self.ids, link
        assert not re.search(r"@import|url\(|https?:|<script", self.source)


def test_the_page_is_whole_and_alone() -> None:
    for shown in (crates(), stormy()):
        found = Page(page(shown))
        found.check()
        for clause in every_clause(shown):
            assert clause.id in found.ids
            for guard in clause.guards:
                assert guard.id in found.ids
        assert "prefers-color-scheme: dark" in found.source
        assert "@media print" in found.source


def test_nothing_of_a_game_is_markup_in_the_page() -> None:
    source = page(crates())
    assert "<b>bold" not in source
    assert "<Barrels>" not in source
    assert "&lt;b&gt;bold&lt;/b&gt;" in source
    assert "<title>Crates &amp; &lt;Barrels&gt;: the rules</title>" in source


def test_names_in_code_are_links() -> None:
    source = page(crates())
    assert '<b>do</b> <a href="#turn">turn</a>' in source
    assert '<a href="#boxes">dry_boxes</a> <b>of</b> active' in source
    assert '<b>offer</b> <a href="#at_sea">at_sea</a>' in source
    assert '<a href="#storm.rule">storm.rule</a>' in source
    assert "<i># &lt;quickly&gt;</i>" in source


# ---------------------------------------------------------------- the command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["show", *arguments])


def test_the_command_writes_every_form(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(HERE)
    assert run("./crates.yaml", "--width", "80").stdout == text(crates(), 80)
    assert run("./crates.yaml", "--markdown").stdout == markdown(crates())
    VALID.validate(json.loads(run("./crates.yaml", "--json").stdout))
    file = tmp_path / "page.html"
    assert run("./crates.yaml", "--html", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == page(crates())
    assert run("./crates.yaml", "--html", str(tmp_path / "no" / "page.html")).exit_code == 1


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["./nothing.yaml"], 2),
        (["./crates.yaml", "--lang", "xx"], 2),
        (["./crates.yaml", "--json", "--markdown"], 2),
        ([], 2),
    ],
)
def test_exit_codes(monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int) -> None:
    monkeypatch.chdir(HERE)
    assert run(*arguments).exit_code == code
