"""What a seat knows."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.events import Event
from lawspeaker.machine.machine import Machine
from lawspeaker.state import State


class View:
    pass


def view_of(machine: Machine, state: State, seat: int | None, events: Sequence[Event]) -> View:
    raise NotImplementedError
