"""`lawspeaker new --from BOOK`: what it makes is sound, and has every sentence of the book."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli import app
from lawspeaker.outside.loading import compile_name
from lawspeaker.study.drafting.finding import BookFindings, book_findings
from lawspeaker.study.sources.splitter import split
from tests.repo.checkout import ROOT
from tests.tiers import sample

Run = Callable[..., Any]
PAIRS = ROOT / "tests" / "sources" / "pairs"
BOOKS = sorted(each.stem for each in PAIRS.glob("*.md"))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAWSPEAKER_PATH", raising=False)
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def complaints(name: str) -> list[str]:
    diagnostics = Diagnostics()
    compile_name(name, diagnostics)
    return [str(each) for each in diagnostics]


def findings_in(text: str, language: str) -> BookFindings:
    return book_findings(split(SourceFile("book.md", text)), language)


@pytest.mark.parametrize("book", sample(BOOKS, test=2))
def test_a_skeleton_is_sound_and_cites_sentences_that_are_there(
    run: Run, tmp_path: Path, book: str
) -> None:
    answer = run("new", "draft", "--from", str(PAIRS / f"{book}.md"))
    assert answer.exit_code == 0, answer.output
    assert complaints("./draft") == []
    assert run("format", "--check", "./draft").exit_code == 0
    told = run("sources", "./draft", "--texts", "books").output
    for wrong in ("moved-sentence", "changed-sentence", "unknown-sentence", "stale-lock"):
        assert wrong not in told, told
    written = "".join(each.read_text("utf-8") for each in (tmp_path / "draft").glob("*.yaml"))
    flat = " ".join(written.replace("#", " ").split())
    text = split(SourceFile("book.md", (PAIRS / f"{book}.md").read_text("utf-8")))
    for sentence in text.sentences:
        assert " ".join(sentence.text.split()) in flat, "every sentence stands there"


def test_what_was_found_is_said(run: Run) -> None:
    told = run("new", "draft", "--from", str(PAIRS / "stowaways-en.md")).output
    assert "  players: 2 to 4\n" in told
    assert "  components: 12 uniforms, 40 ship's biscuits\n" in told
    assert "lawspeaker sources ./draft --texts books" in told


def test_an_added_book_is_used_as_it_was_corrected(run: Run, tmp_path: Path) -> None:
    run("books", "add", str(PAIRS / "stowaways-en.md"))
    text = tmp_path / "books" / "stowaways-en.txt"
    text.write_text(text.read_text("utf-8").replace("40 ship's biscuits", "41 crumbs"), "utf-8")
    assert "41 crumbs" in run("new", "draft", "--from", "books/stowaways-en.txt").output
    again = run("new", "other", "--from", str(PAIRS / "stowaways-en.md"))
    assert again.exit_code == 2
    assert "books/stowaways-en.txt is there already" in again.output


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "draft").mkdir()
    (tmp_path / "draft" / "notes.txt").write_text("mine", "utf-8")
    answer = run("new", "draft", "--from", str(PAIRS / "stowaways-en.md"))
    assert answer.exit_code == 2
    assert "stays as it is" in answer.output
    assert not (tmp_path / "books").exists()


def test_a_book_begins_an_edition(run: Run, tmp_path: Path) -> None:
    run("new", "draft", "--from", str(PAIRS / "pedlars-de.md"))
    told = run("new", "italian", "--variant", "./draft", "--from", str(PAIRS / "pedlars-it.md"))
    assert told.exit_code == 0, told.output
    assert complaints("./draft+italian") == []
    assert run("format", "--check", "./draft+italian").exit_code == 0
    listed = run("sources", "./draft+italian", "--texts", "books", "--json")
    assert '"stale-lock"' not in listed.output
    assert (tmp_path / "variants" / "draft" / "books" / "it.lock").exists()
    again = run("new", "italian", "--variant", "./draft", "--from", "books/pedlars-it.txt")
    assert again.exit_code == 2
    other = run("new", "other", "--variant", "./draft", "--from", "books/pedlars-de.txt")
    assert other.exit_code == 0
    assert (tmp_path / "variants" / "draft" / "books" / "other.lock").exists()
    assert complaints("./draft+other") == []


def test_a_missing_book_is_named(run: Run) -> None:
    answer = run("new", "draft", "--from", "nowhere.txt")
    assert answer.exit_code == 2
    assert "nowhere.txt" in answer.output
    odd = run("new", "draft", "--from", "book.doc")
    assert odd.exit_code == 2
    assert "book.doc" in odd.output


NASTY = """\
# The game: "of" #1 {games} & 'more'

Nobody says how many can play.

## Contents

- 3 end
- 3 players
- 12 cards
- 4 cards
- Three dice: one red
- 2 très-belles pièces d'or
- 100000 grains
- 1 {thing}
- seven seas of the old and tired world

## Game

Take a card. Take two.
Why would you?

## Game

Each player wins: "now" # at once. It's 3 % & {all}.

## rules: [1]

Put it ' back \\ again, 2 times.
"""


def test_odd_signs_and_names_do_no_harm(run: Run, tmp_path: Path) -> None:
    (tmp_path / "nasty.md").write_text(NASTY, "utf-8")
    told = run("new", "draft", "--from", "nasty.md")
    assert told.exit_code == 0, told.output
    assert complaints("./draft") == []
    assert "3 end, 3 players, 12 cards, 4 cards, 3 dice, 2 très-belles pièces d'or" in told.output
    assert "how many can play: not understood" in told.output


@pytest.mark.parametrize("seed", sample(range(12), test=3))
def test_any_text_makes_a_sound_skeleton(run: Run, tmp_path: Path, seed: int) -> None:
    luck = random.Random(seed)
    words = "take 3 the # : ' \" { } - end card * > | Each § 2 if & ! % @ ` ? , [ ] é ß Ö .".split()
    lines = []
    for _ in range(60):
        line = " ".join(luck.choices(words, k=luck.randrange(1, 12)))
        mark = luck.choice(["", "", "", "# ", "## ", "### ", "- "])
        lines += [f"{mark}{line}.", *[""] * luck.randrange(2)]
    (tmp_path / "odd.md").write_text("\n".join(lines), "utf-8")
    told = run("new", "draft", "--from", "odd.md")
    assert told.exit_code == 0, told.output
    assert complaints("./draft") == []


# ---------------------------------------------------------------- what is understood


@pytest.mark.parametrize(
    "text, language, players",
    [
        ("A game for two to five players.", "en", (2, 5)),
        ("Für 3-4 Spieler ab 12.", "de", (3, 4)),
        ("Per 2 o 3 persone.", "it", (2, 3)),
        ("De deux à six joueurs.", "fr", (2, 6)),
        ("For 2 players.", "en", (2, 2)),
        ("The other players wait.", "en", None),
        ("For 9 to 3 players.", "en", None),
        ("A game for 800 players.", "en", None),
    ],
)
def test_the_number_of_players_is_found_in_a_sentence(
    text: str, language: str, players: tuple[int, int] | None
) -> None:
    told = findings_in(f"# It\n\n{text}\n", language).players
    assert (told and told[:2]) == players


def test_components_stand_in_the_box_alone() -> None:
    told = findings_in(
        "# It\n\n## Scoring\n\n- 3 points\n\n## In the box\n\n- twelve cups\n- Cups\n", "en"
    )
    assert [(each.count, each.noun) for each in told.components] == [(12, "cups")]


def test_a_component_ends_where_it_is_told_what_it_is_like() -> None:
    told = findings_in("# It\n\n## In the box\n\n- 36 lamp cards in three colours, 1 to 6\n", "en")
    assert [(each.count, each.noun) for each in told.components] == [(36, "lamp cards")]


@pytest.mark.parametrize(
    "text, language, rule",
    [
        ("Draw a card.", "en", True),
        ("You may pass.", "en", True),
        ("Three cards are dealt.", "en", True),
        ("The sea was calm.", "en", False),
        ("Why so?", "en", False),
        ("Example: Ann takes 3 cards.", "en", False),
        ("First take one card.", "en", True),
        ("A game takes about 15 minutes.", "en", False),
        ("Each player has 2 minutes.", "en", True),
        ("Mische die Karten.", "de", True),
        ("Wer keine Karte hat, setzt aus.", "de", True),
        ("Zuletzt füllt ihr die Auslage auf.", "de", True),
        ("Eine Partie dauert etwa 15 Minuten.", "de", False),
        ("Das Meer war ruhig.", "de", False),
        ("Pesca una carta.", "it", True),
        ("Il mare era calmo.", "it", False),
        ("Piochez une carte.", "fr", True),
        ("La mer était calme.", "fr", False),
    ],
)
def test_sentences_of_rules_are_told_from_others(text: str, language: str, rule: bool) -> None:
    assert bool(findings_in(f"# It\n\n{text}\n", language).rules) is rule
