"""Checked programs are kept, and used again only while all that they were read from is the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.cache import LruCache as Recent
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.outside import loading, programs
from lawspeaker.outside.library import Library
from tests.repo.checkout import ROOT


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A game in a folder of its own, and no program that is known or kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(programs, "_folder", None)
    monkeypatch.setattr(programs, "_recent", Recent(16))  # other tests load the same game
    programs.keep_programs()
    shutil.copytree(ROOT / "rules" / "tic_tac_toe", tmp_path / "rules" / "tic_tac_toe")
    return Library(here=tmp_path, path=())


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were checked."""
    done: list[str] = []
    compiled = loading._compiled

    def noting(
        name: str, diagnostics: Diagnostics, library: Library, taken: list[RuleFile] | None
    ) -> ir.Program | None:
        done.append(name)
        return compiled(name, diagnostics, library, taken)

    monkeypatch.setattr(loading, "_compiled", noting)
    return done


def test_what_has_not_changed_is_checked_once(library: Library, checked: list[str]) -> None:
    first = loading.load("tic_tac_toe", library)
    again = loading.load("tic_tac_toe", library)
    assert checked == ["tic_tac_toe"]
    assert again.program is first.program
    assert again.files == first.files


def test_it_is_the_same_program_in_another_process(
    library: Library, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = loading.load("tic_tac_toe", library)
    monkeypatch.setattr(programs, "_recent", Recent(1))
    again = loading.load("tic_tac_toe", library)
    assert checked == ["tic_tac_toe"]
    assert again.program is not first.program
    assert again.program == first.program
    assert again.files == first.files


def edited(rules: Path) -> None:
    file = rules / "game.yaml"
    file.write_text(file.read_text("utf-8") + "\n# A remark.\n", "utf-8")


def translation_gone(rules: Path) -> None:
    (rules / "languages" / "de.yaml").unlink()


def translation_added(rules: Path) -> None:
    shutil.copy(rules / "languages" / "de.yaml", rules / "languages" / "nl.yaml")


def own_game_nearer(rules: Path) -> None:
    """A game of the same name where it is looked for first."""
    shutil.copy(rules / "game.yaml", rules.parent.parent / "tic_tac_toe.yaml")
    shutil.rmtree(rules)


@pytest.mark.parametrize("change", [edited, translation_gone, translation_added, own_game_nearer])
def test_after_a_change_it_is_checked_again(
    change: Callable[[Path], None], library: Library, checked: list[str]
) -> None:
    loading.load("tic_tac_toe", library)
    change(library.here / "rules" / "tic_tac_toe")
    loading.compile_name("tic_tac_toe", Diagnostics(), library)
    assert checked == ["tic_tac_toe"] * 2


def test_warnings_are_told_again(library: Library, checked: list[str]) -> None:
    file = library.here / "rules" / "tic_tac_toe" / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("says: ", "says: Still, ", 1), "utf-8")
    found = [Diagnostics(), Diagnostics()]
    for each in found:
        loading.compile_name("tic_tac_toe", each, library)
    assert len(checked) == 1
    assert found[0].sorted()
    assert found[0].sorted() == found[1].sorted()


def test_rules_with_errors_are_not_kept(library: Library, checked: list[str]) -> None:
    file = library.here / "rules" / "tic_tac_toe" / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("rules:\n", "rulez:\n", 1), "utf-8")
    for _ in range(2):
        assert loading.compile_name("tic_tac_toe", Diagnostics(), library) is None
    assert len(checked) == 2


def test_a_damaged_entry_is_made_anew(library: Library, checked: list[str]) -> None:
    loading.load("tic_tac_toe", library)
    [entry] = (library.here / "cache" / "lawspeaker" / "programs").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    loading.load("tic_tac_toe", library)
    assert len(checked) == 2


def test_a_folder_that_others_can_write_to_is_not_used(
    library: Library, checked: list[str]
) -> None:
    loading.load("tic_tac_toe", library)
    (library.here / "cache" / "lawspeaker" / "programs").chmod(0o777)
    loading.load("tic_tac_toe", library)
    assert len(checked) == 2


def test_other_code_checks_again(
    library: Library, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loading.load("tic_tac_toe", library)
    monkeypatch.setattr(programs, "_checker", lambda: "another")
    loading.load("tic_tac_toe", library)
    assert len(checked) == 2
