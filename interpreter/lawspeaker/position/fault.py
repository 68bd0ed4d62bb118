"""Exceptions of running games: faults of the rules, and machines that are not available.

A fault names the clause and the source position, and says in plain words what happened. Players
never cause one: illegal replies are rejected before anything is done.
"""

from __future__ import annotations

from lawspeaker.base.diagnostics import Failure
from lawspeaker.base.source import NOWHERE, Span


class NoCompiledMachine(Failure):
    """The compiled machine cannot run a game; the reference machine can."""


class NoWasmtime(NoCompiledMachine, ImportError):
    """wasmtime cannot be loaded here; everything else works without it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the compiled machine needs wasmtime, which cannot be loaded: {why}")


class TooLargeToCompile(NoCompiledMachine):
    """The generated code of a game exceeds the limit; generation stops."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(f"the rules of {game} are too large for the compiled machine: {why}")


class OutOfMemory(NoCompiledMachine):
    """A game exceeds a memory region of the compiled machine."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} takes more room than the compiled machine has")


class CannotCount(NoCompiledMachine):
    """The compiled machine computes perft only where one player at a time decides."""

    def __init__(self, game: str) -> None:
        super().__init__(f"luck, or several players at once, decide in {game}")


class NoMachine(Failure):
    """A requested back end is not available; the message says why."""


class NothingLearned(Failure):
    """No policy is available for a bot; the message says what to do."""


class RuleFault(Failure):
    """The rules ask for something impossible."""

    def __init__(self, clause: str, message: str, span: Span = NOWHERE) -> None:
        super().__init__(clause, message, span)
        self.clause = clause
        self.message = message
        self.span = span

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span.known else ""
        return f"{place}{self.clause}: {self.message}"
