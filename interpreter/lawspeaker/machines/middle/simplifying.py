"""All ways of simplifying, one after the other."""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.middle.folding import folded
from lawspeaker.machines.middle.forms import Statements
from lawspeaker.machines.middle.forwarding import forwarded

PASSES: tuple[Callable[[Statements], Statements], ...] = (folded, forwarded)


def simplified(body: Statements) -> Statements:
    """A body as it is kept in a module."""
    for each in PASSES:
        body = each(body)
    return body
