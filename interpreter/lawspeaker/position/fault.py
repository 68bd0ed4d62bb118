"""What goes wrong while a game runs because its rules leave a hole.

A fault names the clause and the place in the file, and says in plain words what happened. It is
never the fault of a player: replies that are not allowed are refused before anything is done.
"""

from __future__ import annotations

from lawspeaker.base.source import NOWHERE, Span


class NoCompiledMachine(Exception):
    """There is no compiled machine for a game; the reference machine can play it."""


class NoWasmtime(NoCompiledMachine, ImportError):
    """What runs compiled games cannot be loaded here; all else works without it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the compiled machine needs wasmtime, which cannot be loaded: {why}")


class TooLargeToCompile(NoCompiledMachine):
    """The code of a game would become too large: no more of it is written."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(f"the rules of {game} are too large for the compiled machine: {why}")


class OutOfRoom(NoCompiledMachine):
    """A game came to where the memory of the compiled machine has no room for what is going on."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} takes more room than the compiled machine has")


class CannotCount(NoCompiledMachine):
    """The compiled machine counts the ways to go on where one player at a time is asked."""

    def __init__(self, game: str) -> None:
        super().__init__(f"luck, or several players at once, decide in {game}")


class NoMachine(Exception):
    """A machine that was asked for cannot be had here; the message says why."""


class NothingLearned(Exception):
    """There is nothing that a bot could play by; the message says what to do."""


class RuleFault(Exception):
    """The rules ask for something impossible."""

    def __init__(self, clause: str, message: str, span: Span = NOWHERE) -> None:
        super().__init__(clause, message, span)
        self.clause = clause
        self.message = message
        self.span = span

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span.known else ""
        return f"{place}{self.clause}: {self.message}"
