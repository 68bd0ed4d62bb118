"""Compiled games are kept, and taken from where they are kept only if they are whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, PLAYER
from lawspeaker.machines.compiled import compile_module, instance_for
from lawspeaker.machines.compiled.host import module_cache
from lawspeaker.machines.purpose import PLAYING, STEPPING, Purpose
from lawspeaker.outside import modules
from lawspeaker.outside.modules import ModuleFolder
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout
from tests.reference import games
from tests.reference.games import number


class Kept(dict[str, bytes]):
    """A cache in memory."""

    def put(self, name: str, content: bytes) -> None:
        self[name] = content


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Layout]:
    """The layouts that were compiled."""
    done: list[Layout] = []

    def noting(layout: Layout, purpose: Purpose) -> object:
        done.append(layout)
        return compile_module(layout, purpose)

    monkeypatch.setattr(module_cache, "compile_module", noting)
    return done


LAYOUT = Layout(games.cards(), 2)


def test_what_is_kept_is_not_compiled_again(compiled: list[Layout]) -> None:
    kept = Kept()
    first = instance_for(LAYOUT, PLAYING, cache=kept)
    again = instance_for(LAYOUT, PLAYING, cache=kept)
    assert len(compiled) == len(kept) == 1
    assert first.games(1, 0, 20) == again.games(1, 0, 20)


def test_stepping_and_the_number_of_players_make_another_module() -> None:
    kept = Kept()
    instance_for(LAYOUT, PLAYING, cache=kept)
    instance_for(LAYOUT, STEPPING, cache=kept)
    instance_for(Layout(LAYOUT.program, 3), STEPPING, cache=kept)
    assert len(kept) == 3


def test_other_rules_under_the_same_digest_are_another_module() -> None:
    kept = Kept()
    for points in (1, 2):
        body = (ir.Score(ir.Const(PLAYER, 0), number(points), False),)
        layout = Layout(games.lots(body), 2)
        (played,) = instance_for(layout, PLAYING, cache=kept).games(1, 0, 1)
        assert played.scores == (points, 0)
    assert len(kept) == 2


@pytest.mark.parametrize("damage", ["cut", "changed", "nonsense"])
def test_a_damaged_entry_is_made_anew(damage: str, compiled: list[Layout]) -> None:
    kept = Kept()
    wanted = instance_for(LAYOUT, PLAYING, cache=kept).games(1, 0, 5)
    (name,) = kept
    whole = kept[name]
    changed = whole[:-1] + bytes([whole[-1] ^ 1])
    kept[name] = {"cut": whole[:100], "changed": changed, "nonsense": b"nonsense"}[damage]
    assert instance_for(LAYOUT, PLAYING, cache=kept).games(1, 0, 5) == wanted
    assert len(compiled) == 2
    assert kept[name][:32] == whole[:32] or len(kept[name]) > 1000


def test_a_fault_of_a_kept_module_still_has_its_words() -> None:
    kept = Kept()
    body = (ir.SetLocal(0, "it", ir.Divide(NUMBER, number(1), number(0), True)),)
    layout = Layout(games.lots(body, (("a", NUMBER),)), 2)
    for _ in range(2):
        with pytest.raises(RuleFault, match="division by zero"):
            instance_for(layout, PLAYING, cache=kept).games(1, 0, 1)


def test_a_folder_keeps_modules(tmp_path: Path) -> None:
    folder = ModuleFolder(tmp_path / "new")
    assert folder.get("name") is None
    folder.put("name", b"content")
    assert folder.get("name") == b"content"
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["name"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners here")
def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    folder = ModuleFolder(tmp_path / "open")
    folder.put("name", b"content")
    (tmp_path / "open").chmod(0o777)
    assert folder.get("name") is None
    folder.put("other", b"content")
    assert not (tmp_path / "open" / "other").exists()


def test_a_folder_lets_go_of_what_was_not_used_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modules, "MOST", 25)
    folder = ModuleFolder(tmp_path / "new")
    for at, name in enumerate("abc"):
        folder.put(name, b"ten bytes.")
        if (tmp_path / "new" / name).exists():
            os.utime(tmp_path / "new" / name, (at, at))
        assert name != "b" or folder.get("a"), "now it has been used last"
    assert (folder.get("a"), folder.get("b"), folder.get("c")) == (
        b"ten bytes.",
        None,
        b"ten bytes.",
    )
    folder.put("large", b"larger than all that there is room for")
    assert folder.get("large"), "what was made last is kept in any case"


def test_the_folders_of_other_compilers_do_not_pile_up(tmp_path: Path) -> None:
    for at in range(5):
        old = ModuleFolder(tmp_path / f"{at:016x}")
        old.put("module", b"content")
        os.utime(old.path, (at, at))
    (tmp_path / "what else lies there").mkdir()
    ModuleFolder(tmp_path / f"{1:016x}").forget_others()
    left = sorted(each.name for each in tmp_path.iterdir())
    assert left == [*(f"{at:016x}" for at in (1, 3, 4)), "what else lies there"]
