"""Rules as they travel between processes: texts, and the program that they come to. An edge.

A process makes the program of some rules once, or finds it where checked programs are kept. The
code that reads rules is imported only where it has to be made.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lawspeaker.base.cache import Kept
from lawspeaker.base.source import RuleFile
from lawspeaker.outside.machines import WASM
from lawspeaker.outside.modules import Folder, cache_folder
from lawspeaker.outside.programs import keep_programs, keep_texts, of_texts
from lawspeaker.position.fault import NoCompiledMachine

if TYPE_CHECKING:
    from lawspeaker import ir
    from lawspeaker.match.game import Game


@dataclass(frozen=True, slots=True)
class Rules:
    """A game by its name and the texts of its files, and a patch to lay over it, if any."""

    name: str
    files: tuple[RuleFile, ...] = field(repr=False)
    patch: str = field(default="", repr=False)

    @classmethod
    def of(cls, name: str) -> Rules:
        """The rules of that name, with their files as they are now."""
        from lawspeaker.outside.loading import bundled

        return cls(name, bundled(name))

    @classmethod
    def of_game(cls, game: Game, name: str) -> Rules:
        """Those of a game that was loaded: its program is not made again."""
        rules = cls(name, game.files)
        _programs.get(rules, lambda: game.program)
        return rules


_programs: Kept[ir.Program] = Kept(64)


def program_of(rules: Rules) -> ir.Program:
    """What the rules mean; each process works it out once."""
    return _programs.get(rules, lambda: _checked(rules))


def _checked(rules: Rules) -> ir.Program:
    kept = of_texts(rules.files) if not rules.patch else None
    if kept is not None:
        return kept
    from lawspeaker.outside.patching import compiled

    program = compiled(rules.files, rules.patch)
    if not rules.patch:
        keep_texts(rules.files, program)
    return program


def patched_game(rules: Rules) -> Game:
    """The game with its patch, ready to be played; the patch is among its files."""
    from lawspeaker.match.game import Game

    patch = (RuleFile("patch.yaml", rules.patch, ()),) if rules.patch else ()
    return Game(program_of(rules), rules.name, (*rules.files, *patch))


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays: a bot at each seat, the seed that the games have in common, and the machine on
    which games between random players are played."""

    bots: tuple[str, ...]
    seed: int
    machine: str = WASM


_keeps = True


def leave_the_disk_alone() -> None:
    """Has this process keep no modules: it plays by rules that nobody has read."""
    global _keeps  # noqa: PLW0603
    _keeps = False


def module_folder() -> Folder | None:
    """Where this process keeps modules."""
    return Folder(cache_folder()) if _keeps else None


def make_ready() -> None:
    """Has this process keep programs and modules, and do all else that this computer can."""
    if not _keeps:
        return
    keep_programs()
    with suppress(NoCompiledMachine):
        # Here and not above: whoever only looks for witnesses needs no compiled machine.
        from lawspeaker.outside.equipment import equip

        equip()


def has_learned(rules: Rules) -> bool:
    """Whether something was learned for these very rules."""
    from lawspeaker.outside.learned import LearnedShelf

    return LearnedShelf().has(program_of(rules))
