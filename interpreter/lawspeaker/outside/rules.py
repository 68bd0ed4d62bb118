"""Serialisable rules: texts that travel between processes, and the cached program they compile
to.

Each process compiles some rules once, or finds them in the cache of checked programs. The code
that reads rules is imported only on a cache miss.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lawspeaker.base.cache import LruCache
from lawspeaker.base.source import RuleFile
from lawspeaker.outside.machines import WASM
from lawspeaker.outside.modules import ModuleFolder, cache_folder
from lawspeaker.outside.programs import keep_programs, keep_texts, of_texts
from lawspeaker.position.fault import NoCompiledMachine

if TYPE_CHECKING:
    from lawspeaker import ir
    from lawspeaker.match.game import Game


@dataclass(frozen=True, slots=True)
class Rules:
    """A game by its name and the texts of its files, and a patch to apply, if any."""

    name: str
    files: tuple[RuleFile, ...] = field(repr=False)
    patch: str = field(default="", repr=False)

    @classmethod
    def of(cls, name: str) -> Rules:
        """Reads the rules of that name."""
        from lawspeaker.outside.loading import bundled

        return cls(name, bundled(name))

    @classmethod
    def of_game(cls, game: Game, name: str) -> Rules:
        """The rules of a loaded game, without compiling them again."""
        rules = cls(name, game.files)
        _programs.get(rules, lambda: game.program)
        return rules


_programs: LruCache[ir.Program] = LruCache(64)


def program_of(rules: Rules) -> ir.Program:
    """Compiles the rules, once per process."""
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
class MatchSetup:
    """Match setup: a bot for each seat, the common seed, and the back end for random games."""

    bots: tuple[str, ...]
    seed: int
    machine: str = WASM


_keeps = True


def leave_the_disk_alone() -> None:
    """Disables this process's module cache, for untrusted rules."""
    global _keeps  # noqa: PLW0603
    _keeps = False


def module_folder() -> ModuleFolder | None:
    """The module cache of this process, if enabled."""
    return ModuleFolder(cache_folder()) if _keeps else None


def make_ready() -> None:
    """Enables the caches of programs and modules and the other back ends of this computer."""
    if not _keeps:
        return
    keep_programs()
    with suppress(NoCompiledMachine):
        # Imported here because searches for witnesses need no compiled machine.
        from lawspeaker.outside.back_ends import equip

        equip()


def has_learned(rules: Rules) -> bool:
    """Whether there is a learned policy for exactly these rules."""
    from lawspeaker.outside.learned import LearnedShelf

    return LearnedShelf().has(program_of(rules))
