"""The planning passes in order, and their result: a plan for the code generator.

Each pass reads the lowered program and the results of earlier passes, and emits no code.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.ir.cost import Costs
from lawspeaker.ir.dependence import Dependence
from lawspeaker.machines.lower.bounds import FoldedBounds
from lawspeaker.machines.lower.clauses import lowered
from lawspeaker.machines.lower.faults import Faults
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.machines.lower.guards import Guards
from lawspeaker.machines.lower.metering import metered
from lawspeaker.machines.lower.operations import Lowered
from lawspeaker.machines.lower.simplify import Simplifier
from lawspeaker.machines.planned.analyses import Analyses, analysed
from lawspeaker.machines.planned.arena import ArenaAnalysis
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.machines.planned.condition_bits import WalkConditions
from lawspeaker.machines.planned.definitions import Definitions
from lawspeaker.machines.planned.finding import MemberSearch
from lawspeaker.machines.planned.harmless import Harmless
from lawspeaker.machines.planned.hoisting import Hoisting
from lawspeaker.machines.planned.inside import Inside
from lawspeaker.machines.planned.loops import Loops
from lawspeaker.machines.planned.places import Uses, kept_places
from lawspeaker.machines.planned.questions import Questions
from lawspeaker.machines.planned.rewriting import Rewriting
from lawspeaker.machines.planned.sets import Sets
from lawspeaker.machines.planned.straight import Straight
from lawspeaker.machines.planned.supposed import WriteSets
from lawspeaker.machines.planned.walks import Walks
from lawspeaker.machines.purpose import Purpose
from lawspeaker.position.layout import Layout

PASSES = (
    *(
        ClauseFacts,
        Harmless,
        Uses,
        WalkConditions,
        kept_places,
        ArenaAnalysis,
        Rewriting,
        Sets,
        Questions,
    ),
    *(Definitions, Walks, Loops, Inside, Straight, Hoisting, MemberSearch, WriteSets),
)
"""In dependency order."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan of a program for a number of players and a purpose."""

    layout: Layout
    lowered: Lowered
    costs: Costs
    analyses: Analyses
    facts: ClauseFacts
    sets: Sets
    questions: Questions
    definitions: Definitions
    walks: Walks
    loops: Loops
    inside: Inside
    straight: Straight
    hoisting: Hoisting
    finding: MemberSearch
    write_sets: WriteSets


def planned(layout: Layout, purpose: Purpose) -> Planned:
    """Runs the passes. Plans of sets and questions are made lazily, once each."""
    layout = metered(layout)
    depends = Dependence(layout.program)
    folder = ConstantFolder(layout, depends)
    bounds, can_fault = FoldedBounds(folder), Faults(layout)
    costs = Costs(layout.program, bounds)
    guards = Guards(depends, Simplifier(depends, can_fault), can_fault, all_of_them=False)
    low = lowered(costs, depends, guards, folder.constant)
    facts = ClauseFacts(low, bounds, layout.players, purpose)
    known = analysed(layout, low.program, folder, bounds, can_fault)
    sets = Sets(known)
    questions, definitions = Questions(known, sets, facts, purpose), Definitions(known, sets, costs)
    walks = Walks(known, sets, definitions)
    straight = Straight(known, sets, definitions)
    return Planned(
        *(layout, low, costs, known, facts, sets, questions, definitions, walks),
        *(Loops(known, facts, walks), Inside(facts, known.rooms), straight),
        *(Hoisting(known, straight), MemberSearch(known, sets, straight)),
        WriteSets(low.program, layout, known.places),
    )
