"""A question in a clause, and the memory layout of its options."""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker import ir

_SET_WORDS = 3


@dataclass(frozen=True, slots=True)
class Question:
    """A question at one operation: several clauses may ask the same one, of an open window."""

    clause: int
    ask: ir.Ask

    @property
    def operation(self) -> tuple[int, int]:
        """The clause that asks, and the operation in it."""
        return self.clause, self.ask.at

    @property
    def key(self) -> str:
        return f"{self.clause}.{self.ask.at}"

    @property
    def stride(self) -> int:
        """The bytes of an option."""
        return 4 * stride(self.ask)


def offsets(alternative: ir.Alternative) -> list[int]:
    """Returns the byte offsets of the parts of an option."""
    found, at = [], 4
    for part in alternative.parts:
        found.append(at)
        at += 4 * (_SET_WORDS if part.several else 1)
    return found


def stride(ask: ir.Ask) -> int:
    """Returns the words of an option."""
    return 1 + max(
        (
            sum(_SET_WORDS if part.several else 1 for part in alternative.parts)
            for alternative in ask.alternatives
        ),
        default=0,
    )
