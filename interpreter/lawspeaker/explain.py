"""Why a choice is not offered, and where points come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.decision import Decision
from lawspeaker.machine.machine import Machine
from lawspeaker.source import NOWHERE, Span
from lawspeaker.state import Note, State


@dataclass(frozen=True, slots=True)
class Refusal:
    message: str
    clause: ir.Clause
    guard: ir.Guard | None = None
    span: Span = NOWHERE
    offered: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    clause: ir.Clause | None
    points: int
    total: int
    times: int


def why_not(machine: Machine, state: State, current: Decision | None, text: str) -> Refusal:
    raise NotImplementedError


def points_of(machine: Machine, state: State, journal: Iterable[Note], seat: int) -> list[Points]:
    raise NotImplementedError
