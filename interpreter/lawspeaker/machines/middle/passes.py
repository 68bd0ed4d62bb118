"""All passes on the middle form, in their order. Both back ends take a module from here.

A function, when it is finished (`simplified`):
    fold        works out what is known
    forward     does without variables that are read once at once, or never

A module that is written as C for one use (`leave_needed`): the C compiler inlines by itself.
    prune       leaves the functions that the doors of that use lead to
    propagate   puts constants in place of variables that hold one, where all calls give the same

A module that is written as WebAssembly (`inline_short`):
    inline      writes short functions where they are called

What every pass keeps: the order of stores, calls and stops, and what all of them are given. What
would stop the machine itself, a division by 0 or an address outside memory, is a mistake of whoever
writes forms; a pass may leave it out, but makes none.
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
"""How many operations a function may have that is written where it is called, and the caller
then."""


def simplified(body: Statements) -> Statements:
    """A body as it is kept in a module."""
    for each in OF_A_FUNCTION:
        body = each(body)
    return body


def inline_short(module: Module, room: int) -> None:
    """Writes short functions where they are called. All functions together have so many operations
    at most, unless they had more before."""
    inline(module, _SHORT, _LONGEST, room)


def leave_needed(module: Module, doors: Iterable[str]) -> None:
    """Leaves what is needed by whoever only calls these doors."""
    prune(module, doors, simplified)
