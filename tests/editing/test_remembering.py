"""What was worked out before is what would be worked out now: rules that are changed step by step
are, after each step, what they are to somebody who reads them for the first time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.remembering import Itself, Looks, Remembered
from lawspeaker.base.source import NOWHERE
from lawspeaker.editing.occurrences import Occurrence
from lawspeaker.meaning.check import work
from lawspeaker.outside.folder import Folder
from lawspeaker.outside.language_service import LanguageService
from lawspeaker.outside.workspace import Superseded

ROOT = Path(__file__).resolve().parents[2]
ORCHARD = Path(__file__).parent / "orchard"
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
    (GREEDY, "variant: greedy", "# and here\nvariant: greedy"),
    (PICKING, "let left be tree", "let left be tree ("),
)
WALHALLAS: tuple[Step, ...] = (
    ("rules/walhalla/landing.yaml", "cites: ", "cites: No such chapter, "),
    ("rules/walhalla/landing.yaml", "cites: No such chapter, ", "cites: "),
    ("rules/walhalla/languages/it.yaml", "same:", "# above\nsame:"),
    ("rules/walhalla/books/de.lock", "lawspeaker 1:", "lawspeaker 2:"),
)


def said(service: LanguageService, path: Path) -> list[object]:
    """All that is known of the rules of a file, with where each of it stands."""
    analysis = service.look(path, played=True)
    assert analysis is not None
    told = [(each, str(each.span), each.hint) for each in analysis.diagnostics.sorted()]
    named = [analysis.occurrences.in_file(file.name) for file in analysis.files]
    return [told, [list(map(_placed, each)) for each in named], analysis.program]


def _placed(each: Occurrence) -> tuple[object, ...]:
    return each.meaning, each.span.start, each.span.end, each.declares


def stepped(root: Path, steps: tuple[Step, ...]) -> Iterator[Folder]:
    folder = Folder(root)
    for name, old, new in steps:
        path = root / name
        text = folder.source(path).text
        assert old in text, (name, old)
        folder.open(path, text.replace(old, new, 1))
        yield folder


def both(
    folder: Folder, warm: LanguageService, path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[object], list[object]]:
    first = said(warm, path)
    with monkeypatch.context() as patch:
        patch.setattr(Remembered, "get", lambda self, key: None)
        return first, said(LanguageService(folder.changed({})), path)


def test_an_orchard_is_what_it_is_to_a_new_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ORCHARD, tmp_path, dirs_exist_ok=True)
    service = None
    for folder in stepped(tmp_path, ORCHARDS):
        service = service or LanguageService(folder)
        for path in (PICKING, GREEDY):
            warm, cold = both(folder, service, tmp_path / path, monkeypatch)
            assert warm == cold


def test_citations_and_locks_are_what_they_are_to_a_new_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = ROOT / "rules/walhalla/landing.yaml"
    service = None
    for folder in stepped(ROOT, WALHALLAS):
        service = service or LanguageService(folder)
        warm, cold = both(folder, service, path, monkeypatch)
        assert warm == cold


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
    looks: Looks[str, int] = Looks(most=100)

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
    folder = Folder(tmp_path)
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
    folder = Folder(tmp_path)
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
