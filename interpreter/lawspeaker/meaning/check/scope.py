"""Scopes inside one clause: parameters, `let`, bound names, and their slots in the frame.

A frame has a fixed number of slots; each name gets its own. Blocks nest; a name cannot be shadowed,
since a reader could not tell which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import Span
from lawspeaker.text.rulebook import Entry

LONGEST_NOUN = 100
_NOUN_AS = re.compile(r"\b([a-z_]\w*)\s+as\s+$")


@dataclass(frozen=True, slots=True)
class Variable:
    """A name in scope. `members` is the name for one member of a set: `seat` for `seats`."""

    name: str
    slot: int
    type: ir.Type
    span: Span
    members: str | None = None


class Scope:
    """The slots of one frame, and the names in scope."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.slots: list[ir.Slot] = []
        self.blocks: list[dict[str, Variable]] = [{}]
        self.used: set[int] = set()
        self.uses: list[int] = []
        self.outcomes: set[int] = set()
        """Slots of outcomes: a variant may change whether they can be nothing."""
        self.unnamed: dict[str, Span] = {}
        """Combinations in a condition that bound no name, by their noun."""
        self.unsure: dict[str, Span] = {}
        """Chosen sets that may not have been chosen on every path to here."""
        self.filled: set[int] = set()
        """Slots of chosen sets that are never empty."""
        self.perhaps: dict[str, Entry] = {}
        """Names bound by a question, unless a joined alternative was chosen; with its clause."""

    def new_slot(self, name: str, type: ir.Type) -> int:
        self.slots.append(ir.Slot(name, type))
        return len(self.slots) - 1

    def hidden(self, name: str = "", type: ir.Type = ir.NUMBER) -> int:
        """A slot without a name, for a temporary such as a loop index."""
        return self.new_slot(f"({name or 'loop'})", type)

    def declare(
        self,
        name: str,
        type: ir.Type,
        span: Span,
        members: str | None = None,
        let: bool = False,
        slot: int | None = None,
    ) -> Variable:
        """Binds a name, to a new slot unless one is given."""
        earlier = self.find(name, use=False)
        if earlier is not None:
            self.diagnostics.error(
                "name-taken",
                f"`{name}` already means something here",
                span,
                Label(earlier.span, "given here"),
                hint=f"choose another name, or write `{name} becomes …` to change it"
                if let
                else "choose another name, for example with `as`: "
                f"`{_noun(span) or name} as other_{name}`",
            )
        slot = self.new_slot(name, type) if slot is None else slot
        variable = Variable(name, slot, type, span, members)
        self.blocks[-1][name] = variable
        return variable

    def narrow(self, variable: Variable, type: ir.Type) -> None:
        """Narrows the type of a variable in the rest of this block."""
        self.blocks[-1][variable.name] = Variable(
            variable.name, variable.slot, type, variable.span, variable.members
        )

    def bring(self, variable: Variable) -> None:
        self.blocks[-1][variable.name] = variable

    def find(self, name: str, use: bool = True) -> Variable | None:
        for block in reversed(self.blocks):
            if name in block:
                if use:
                    self.used.add(block[name].slot)
                    self.uses.append(block[name].slot)
                return block[name]
        return None

    def variables(self) -> list[Variable]:
        """All variables in scope."""
        return [variable for block in self.blocks for variable in block.values()]

    def names(self) -> list[str]:
        return [name for block in self.blocks for name in block]

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A scope that does not see the enclosing blocks."""
        outer, self.blocks = self.blocks, [{}]
        try:
            yield
        finally:
            self.blocks = outer

    @contextmanager
    def block(self) -> Iterator[None]:
        self.blocks.append({})
        try:
            yield
        finally:
            self.blocks.pop()


def _noun(span: Span) -> str | None:
    """The noun of `city as next`, if the name was bound that way."""
    before = _NOUN_AS.search(span.file.text, max(0, span.start - LONGEST_NOUN), span.start)
    return before[1] if before else None
