"""Bugs of the checker that were found and fixed, put back on purpose to test the generator.

Each patches one rule of the analysis. The generator must find a file that leaks then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lawspeaker.meaning.secrets.alike import Alike, FirstEffects
from lawspeaker.meaning.secrets.expression_labels import Looking
from lawspeaker.meaning.secrets.moves import Moving
from lawspeaker.meaning.secrets.sinks import Seeing
from lawspeaker.meaning.secrets.state import State
from lawspeaker.meaning.secrets.statements import StatementFlow

Patch = Callable[[pytest.MonkeyPatch], None]


def conditions_stay(patch: pytest.MonkeyPatch) -> None:
    """What holds inside of a value is believed to hold after it."""
    looks = Looking.looks

    def leaking(self: Looking, node: Any) -> Any:
        found = looks(self, node)
        for each in _conditions(node):
            self.state.holds(each)
        return found

    patch.setattr(Looking, "looks", leaking)


def _conditions(node: Any) -> list[Any]:
    binder = getattr(node, "binder", node)
    where = getattr(binder, "where", None)
    return [] if where is None else [where]


def copies_are_told(patch: pytest.MonkeyPatch) -> None:
    """Telling a name tells older copies of it, too, although it was changed since."""
    tell_name = State.tell_name

    def leaking(self: State, slot: int, who: Any) -> None:
        changes, self.changes = self.changes, frozenset()
        tell_name(self, slot, who)
        self.changes = changes

    patch.setattr(State, "tell_name", leaking)


def points_for_nobody(patch: pytest.MonkeyPatch) -> None:
    """Points for a set of players tell something, also if nobody is in it."""
    patch.setattr(StatementFlow, "scores_surely", lambda self, each: True)


def no_faults(patch: pytest.MonkeyPatch) -> None:
    """Nobody sees that the rules fault."""
    patch.setattr(Seeing, "fails", lambda self, *args, **named: None)


def nothing_moves(patch: pytest.MonkeyPatch) -> None:
    """A move tells something, also if there is nothing to move."""
    patch.setattr(Moving, "surely_moves", lambda self, each: True)


def values_forget(patch: pytest.MonkeyPatch) -> None:
    """A name that is set anew in one way is taken for what it is there."""
    met = State.met

    def leaking(self: State, other: State) -> State:
        found = met(self, other)
        if self.left is None and other.left is None:
            found.known = {**found.known, **other.known}
        return found

    patch.setattr(State, "met", leaking)


def texts_unread(patch: pytest.MonkeyPatch) -> None:
    """Names in the text of a question are not looked at."""
    patch.setattr(StatementFlow, "text", lambda self, each, who: self.names_in(each))


def nothing_is_kept(patch: pytest.MonkeyPatch) -> None:
    """Names that are needed after a question are not looked at."""
    patch.setattr(StatementFlow, "kept", lambda self, *args: None)


def other_ways_tell_faults(patch: pytest.MonkeyPatch) -> None:
    """What decides whether there is a fault is told by the way that is not taken."""
    patch.setattr(State, "whether_fault", property(lambda self: self.whether))


def own_states(patch: pytest.MonkeyPatch) -> None:
    """A public state may say what is hidden of its own piece."""
    pointed_at = StatementFlow.pointed_at

    def leaking(self: StatementFlow, value: Any) -> Any:
        found = pointed_at(self, value)
        of = getattr(self, "marked", None)
        return frozenset(each for each in found if of is None or each.piece != of)

    set_state = StatementFlow.set_state

    def marking(self: StatementFlow, each: Any) -> None:
        self.marked = getattr(each.of, "slot", None)  # type: ignore[attr-defined]
        set_state(self, each)
        self.marked = None  # type: ignore[attr-defined]

    patch.setattr(StatementFlow, "pointed_at", leaking)
    patch.setattr(StatementFlow, "set_state", marking)
    patch.setattr(StatementFlow, "in_turn", lambda self, *args: frozenset())


def rounds_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Of loops around only a few rounds count."""
    patch.setattr(StatementFlow, "most_rounds", lambda self, loop: 1)


def ways_that_begin_alike(patch: pytest.MonkeyPatch) -> None:
    """What tells something tells which of two ways it is, also if the other one tells the same."""
    patch.setattr(
        StatementFlow, "left_open", lambda self, statement, label: (frozenset(), [[], []])
    )


def later_deeds_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Further rounds, and what callers do after a clause, do not count as what follows."""
    patch.setattr(Alike, "_again", lambda self, clause, rounds: FirstEffects())
    patch.setattr(Alike, "_callers_of", lambda self, clause: {})


HOLES: dict[str, Patch] = {
    each.__name__: each
    for each in (
        conditions_stay,
        copies_are_told,
        points_for_nobody,
        no_faults,
        nothing_moves,
        values_forget,
        texts_unread,
        nothing_is_kept,
        other_ways_tell_faults,
        own_states,
        rounds_forgotten,
        ways_that_begin_alike,
        later_deeds_forgotten,
    )
}
