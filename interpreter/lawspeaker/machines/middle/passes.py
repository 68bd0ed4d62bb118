"""The optimisation pipelines of the middle form, for both back ends.

Per function, when it is built (`simplified`):
    fold        folds constants
    forward     eliminates dead variables and forwards single-use values

Per module for C (`leave_needed`): the C compiler inlines by itself.
    prune       keeps the functions reachable from the exports of one use
    propagate   replaces parameters that are the same constant in all calls

Per module for WebAssembly (`inline_short`):
    inline      inlines short functions

Invariant of every pass: the order and the operands of stores, calls and traps. Implicit traps, a
division by 0 or an address outside memory, are errors of the code generator; a pass may remove one,
but adds none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lawspeaker.machines.middle.folding import folded
from lawspeaker.machines.middle.forms import Statements
from lawspeaker.machines.middle.forwarding import forwarded
from lawspeaker.machines.middle.inlining import inline
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.pruning import prune

OF_A_FUNCTION: tuple[Callable[[Statements], Statements], ...] = (
    folded,
    forwarded,
)

_SHORT, _LONGEST = 100, 8000
"""The most operations of an inlined function, and of a caller after inlining."""


def simplified(body: Statements) -> Statements:
    """Runs the function passes."""
    for each in OF_A_FUNCTION:
        body = each(body)
    return body


def inline_short(module: Module, room: int) -> None:
    """Inlines short functions. The module grows to at most `room` operations, unless it had more
    before."""
    inline(module, _SHORT, _LONGEST, room)


def leave_needed(module: Module, doors: Iterable[str]) -> None:
    """Removes what is unreachable from these exports."""
    prune(module, doors, simplified)
