"""What was worked out before is what would be worked out now: rules that are changed step by step
are, after each step, what they are to somebody who reads them for the first time."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.remembering import Itself, Remembered, ReportingCache
from lawspeaker.base.source import NOWHERE
from lawspeaker.editing.occurrences import Occurrence
from lawspeaker.ir.walk import everything
from lawspeaker.meaning.check import work
from lawspeaker.meaning.check.recall import UNSEEN
from lawspeaker.meaning.check.world import World
from lawspeaker.outside.folder import FolderWorkspace
from lawspeaker.outside.language_service import LanguageService
from lawspeaker.outside.workspace import Superseded
from tests.tiers import NIGHTLY, sample

ROOT = Path(__file__).resolve().parents[2]
ORCHARD = Path(__file__).parent / "orchard"
FAIR = Path(__file__).parent / "fair"
PICKING = "rules/orchard/picking.yaml"
GERMAN = "rules/orchard/languages/de.yaml"
GREEDY = "variants/orchard/greedy.yaml"

Step = tuple[str, str, str]
"""A file, what stands in it, and what is written instead."""

ORCHARDS: tuple[Step, ...] = (
    (PICKING, "choices:", "# somebody types above\nchoices:"),
    (PICKING, "picker scores worth", "picker scores worth + ripe_plums"),
    (PICKING, "Who is on turn takes a plum.", "Who is on turn takes one plum."),
    (PICKING, "move plum to basket of picker", "move plum to baskt of picker"),
    (GERMAN, "rules:", "# somebody types here, too\nrules:"),
    (PICKING, "baskt", "basket"),
    (GERMAN, "language: de", "language: fr"),
    (GERMAN, "language: fr", "language: de"),
    (PICKING, "picking:\n    title", "picking:\n    titel"),
    (PICKING, "titel", "title"),
    (PICKING, "picker scores worth", "picker scores tree"),
    (GERMAN, "# somebody types here, too\n", ""),
    (PICKING, "picker scores tree", "picker scores worth"),
    (GREEDY, "variant: greedy", "# and here\nvariant: greedy"),
    (PICKING, "let left be tree", "let left be tree ("),
)
WALHALLAS: tuple[Step, ...] = (
    ("rules/walhalla/landing.yaml", "cites: ", "cites: No such chapter, "),
    ("rules/walhalla/landing.yaml", "cites: No such chapter, ", "cites: "),
    ("rules/walhalla/languages/it.yaml", "same:", "# above\nsame:"),
    ("rules/walhalla/books/de.lock", "lawspeaker 1:", "lawspeaker 2:"),
)


FAIR_GAME, TENT, RAINY = (
    "rules/fair/game.yaml",
    "rules/fair/tent.yaml",
    "variants/fair/rainy.yaml",
)
NOON, DUSK = "  noon: {remembers: [heap]}\n", "  dusk: {remembers: [active]}\n"
FAIRS: tuple[Step, ...] = (
    (TENT, "rules:", "# somebody types above\nrules:"),
    (FAIR_GAME, f"{NOON}{DUSK}", f"{DUSK}{NOON}"),  # numbered in another order
    (TENT, "as: 2", "as: active"),  # another type of value
    (TENT, "as: active", "as: 1 + 1"),
    (TENT, "outcome is 3", "outcome is ann"),  # of an outcome
    (TENT, "outcome is ann", "outcome is prize"),
    (TENT, "score of player < 9", "score of player"),  # what is played in a window elsewhere
    (TENT, "early: score of player", "early: heap of player is empty"),
    (TENT, "  dance\n", "  dance: song\n"),  # what joins a question elsewhere
    (TENT, "plays: ballad", "plays: shanty"),
    (TENT, "player scores 1", "player scores penny"),  # a name that nothing has
    (FAIR_GAME, "player scores prize", "player scores penny"),  # and that is lost earlier now
    (FAIR_GAME, "player scores penny", "player scores prize"),  # and no longer
    (RAINY, "score of active > 3", "score of active"),  # what is done instead
    (RAINY, "score of active", "score of active < prize"),
    (FAIR_GAME, "do performing", "do performed"),
)


def said(service: LanguageService, path: Path, *, played: bool = True) -> list[object]:
    """All that is known of the rules of a file, with where each of it stands."""
    analysis = service.look(path, played=played)
    if analysis is None:
        return []
    told = [*analysis.diagnostics, analysis.diagnostics.left_out]
    named = [analysis.occurrences.in_file(file.name) for file in analysis.files]
    world = analysis.world
    clauses = {} if world is None else world.clauses
    nodes = [node for each in clauses.values() for node in everything(each.body)]
    return [
        told,
        [list(map(_placed, each)) for each in named],
        clauses,
        [getattr(node, "span", None) for node in nodes],
        [] if world is None else world.meanings.lets,
        analysis.program,
    ]


def _placed(each: Occurrence) -> tuple[object, ...]:
    return each.meaning, each.span.start, each.span.end, each.declares


def stepped(root: Path, steps: tuple[Step, ...]) -> Iterator[FolderWorkspace]:
    folder = FolderWorkspace(root)
    for name, old, new in steps:
        path = root / name
        text = folder.source(path).text
        assert old in text, (name, old)
        folder.open(path, text.replace(old, new, 1))
        yield folder


def check_both(
    folder: FolderWorkspace,
    warm: LanguageService,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    played: bool = True,
) -> tuple[list[object], list[object]]:
    first = said(warm, path, played=played)
    with monkeypatch.context() as patch:
        patch.setattr(Remembered, "get", lambda self, key: None)
        return first, said(LanguageService(folder.changed({})), path, played=played)


@pytest.mark.full
def test_an_orchard_is_what_it_is_to_a_new_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ORCHARD, tmp_path, dirs_exist_ok=True)
    service = None
    for folder in stepped(tmp_path, ORCHARDS):
        service = service or LanguageService(folder)
        for path in (PICKING, GREEDY):
            warm, cold = check_both(folder, service, tmp_path / path, monkeypatch)
            assert warm == cold


@pytest.mark.full
def test_a_fair_is_what_it_is_to_a_new_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    service = None
    for folder in stepped(FAIR, FAIRS):
        service = service or LanguageService(folder)
        for path in (FAIR_GAME, RAINY):
            warm, cold = check_both(folder, service, FAIR / path, monkeypatch, played=False)
            assert warm == cold


@pytest.mark.full
def test_citations_and_locks_are_what_they_are_to_a_new_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = ROOT / "rules/walhalla/landing.yaml"
    service = None
    for folder in stepped(ROOT, WALHALLAS):
        service = service or LanguageService(folder)
        warm, cold = check_both(folder, service, path, monkeypatch)
        assert warm == cold


RULES: dict[str, tuple[Path, tuple[str, ...], int]] = {
    "orchard": (ORCHARD, ("rules/orchard/*.yaml", GERMAN, GREEDY), 40),
    "fair": (FAIR, (FAIR_GAME, TENT, RAINY), 30),
    "stowaways": (ROOT, ("rules/stowaways/*.yaml", "rules/stowaways/languages/fr.yaml"), 4),
    "pedlars": (ROOT, ("rules/pedlars/*.yaml", "rules/pedlars/languages/de.yaml"), 4),
    "voluspa": (ROOT, ("rules/voluspa/*.yaml", "variants/voluspa/*.yaml"), 2),
    "walhalla": (
        ROOT,
        ("rules/walhalla/*.yaml", "rules/walhalla/languages/it.yaml", "variants/walhalla/*.yaml"),
        2,
    ),
}
"""Rules in which somebody types: where they lie, in which files, and how many keys are pressed by
day."""
BY_NIGHT = 150
_WORD = re.compile(r"[a-z_]+")


def with_slip(text: str, luck: Random) -> str:
    """A text after a slip or a change: of a word, of a letter, of a line, or above it all."""
    words = list(_WORD.finditer(text))
    word, other = luck.choice(words), luck.choice(words)
    start, end = word.span()
    lines = text.splitlines(keepends=True)
    at = luck.randrange(len(lines))
    return luck.choice(
        [
            text[:start] + other.group() + text[end:],
            re.sub(rf"\b{word.group()}\b", f"{word.group()}x", text),
            text[: start + 1] + text[start + 2 :],
            text[:end] + luck.choice(" e:(.{") + text[end:],
            "".join(lines[:at] + lines[at + 1 :]),
            "".join([*lines[:at], lines[at], *lines[at:]]),
            "# typed above\n" + text,
        ]
    )


@pytest.mark.full
@pytest.mark.parametrize("name", sample(RULES, full=3))
def test_rules_in_which_somebody_types_are_what_they_are_to_a_new_reader(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, patterns, by_day = RULES[name]
    paths = sorted(path for each in patterns for path in root.glob(each))
    luck, folder = Random(name), FolderWorkspace(root)
    service = LanguageService(folder)
    left: Path | None = None
    for key in range(BY_NIGHT if NIGHTLY else by_day):
        path = luck.choice(paths)
        text = with_slip(folder.source(path).text, luck)
        folder.open(path, text)
        # What is wrong in one place is still so while somebody types in another.
        for each in dict.fromkeys((path, left or path)):
            warm, cold = check_both(folder, service, each, monkeypatch, played=False)
            assert warm == cold, (key, path.name)
        if left is not None:
            folder.close(left)
        left = path if luck.random() < 0.6 else None
        if left is None:
            folder.close(path)


def test_what_code_cannot_see_is_in_the_world() -> None:
    assert {each.name for each in fields(World)} > UNSEEN


def test_what_is_kept_is_let_go_of_when_there_is_too_much() -> None:
    known: Remembered[int, str] = Remembered(most=10)
    for number in range(3):
        known.keep(number, "found", 5)
    assert [known.get(number) for number in range(3)] == [None, None, "found"]


def test_things_that_say_the_same_are_told_apart() -> None:
    one, other = ["same"], ["same"]
    assert Itself(one) == Itself(one)
    assert Itself(one) != Itself(other)


def test_what_was_said_is_said_again() -> None:
    looks: ReportingCache[str, int] = ReportingCache(most=100)

    def look(own: Diagnostics) -> int:
        own.warning("unused", "it was looked at", NOWHERE)
        return 7

    for _ in range(2):
        diagnostics = Diagnostics()
        assert looks.at("key", 3, diagnostics, look) == 7
        assert [each.message for each in diagnostics] == ["it was looked at"]


def test_the_long_look_is_given_up_when_somebody_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ORCHARD, tmp_path, dirs_exist_ok=True)
    folder = FolderWorkspace(tmp_path)
    service, path = LanguageService(folder), tmp_path / PICKING
    text = folder.source(path).text
    weigh = work.check

    def typing(*given: object) -> None:
        folder.open(path, "# typed meanwhile\n" + text)
        weigh(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "check", typing)
    with pytest.raises(Superseded):
        service.problems(path, played=True, unless_changed=True)
    assert service.problems(path).found
    assert service.problems(path, played=True).found, "who insists is answered"


def test_colours_do_not_wait_for_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ORCHARD, tmp_path, dirs_exist_ok=True)
    folder = FolderWorkspace(tmp_path)
    service, path = LanguageService(folder), tmp_path / PICKING
    before = service.named_in(path)
    typed = "# typed above\n"
    folder.open(path, typed + folder.source(path).text)
    with monkeypatch.context() as patch:
        patch.setattr(folder, "read", None)
        moved = service.named_in(path, at_once=True)
        (name, type), *more = service.let_types(path, at_once=True)
    assert [(each.span.text, each.meaning.sort) for each in moved] == [
        (each.span.text, each.meaning.sort) for each in before
    ]
    assert moved[0].span.start == before[0].span.start + len(typed)
    assert (name.text, type, more) == ("left", "a tree", [])
    assert [each.span for each in moved] == [each.span for each in service.named_in(path)]
