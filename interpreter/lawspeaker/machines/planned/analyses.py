"""Analyses of a program for a number of players, on which the planning passes build."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import Dependence
from lawspeaker.machines.lower.bounds import FoldedBounds
from lawspeaker.machines.lower.faults import Faults
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.machines.planned.arena import ArenaAnalysis
from lawspeaker.machines.planned.condition_bits import WalkConditions
from lawspeaker.machines.planned.harmless import Harmless
from lawspeaker.machines.planned.places import PlacesPlan, Uses, kept_places, single_families
from lawspeaker.machines.planned.rewriting import Rewriting
from lawspeaker.position.layout import Layout


@dataclass(frozen=True, slots=True)
class Analyses:
    """The analyses that the passes read; independent of a module's purpose."""

    layout: Layout
    program: ir.Program
    depends: Dependence
    folder: ConstantFolder
    bounds: FoldedBounds
    can_fault: Faults
    harmless: Harmless
    rooms: ArenaAnalysis
    rewriting: Rewriting
    going: WalkConditions
    places: tuple[PlacesPlan, ...]
    rows: dict[tuple[object, ...], tuple[object, list[list[Any]] | None]] = field(
        default_factory=dict, repr=False
    )
    """Values of expressions for each place; a cache of `whole_board`."""


def analysed(
    layout: Layout,
    program: ir.Program,
    folder: ConstantFolder,
    bounds: FoldedBounds,
    can_fault: Faults,
) -> Analyses:
    """Runs the analyses of a lowered program."""
    depends, uses = folder.depends, Uses(layout.program)
    going = WalkConditions(folder, single_families(layout.program, uses))
    return Analyses(
        layout,
        program,
        depends,
        folder,
        bounds,
        can_fault,
        Harmless(folder, bounds),
        ArenaAnalysis(depends, can_fault),
        Rewriting(program, depends, can_fault),
        going,
        kept_places(layout, going, uses),
    )
