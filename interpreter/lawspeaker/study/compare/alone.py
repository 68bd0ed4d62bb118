"""Isolates each difference: the first ruleset patched with this difference only.

If the patch does not compile by itself (a rule that uses something another difference adds), the
other differences of that ruleset are added, one at a time, and then as few of all of them as
suffice. The result says which were needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.match import Match
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.patch import CannotPatch, patch
from lawspeaker.study.compare.ruleset import Ruleset

NAME = "alone"


@dataclass(frozen=True, slots=True)
class Alone:
    """A difference of one ruleset (by its number), as a patch of the first.

    `along` are the numbers of differences it needs; `problem` says why it cannot be played at
    all. `program` is the patched first ruleset.
    """

    difference: Difference
    column: int
    patch: str = field(repr=False)
    program: ir.Program | None = field(repr=False)
    along: tuple[int, ...] = ()
    problem: str = ""


def all_alone(rulesets: Sequence[Ruleset], comparison: Comparison) -> list[Alone]:
    """Isolates every difference in play, for every ruleset that has it.

    Rulesets with the same difference share patch and program.
    """
    built: dict[str, tuple[ir.Program | None, str]] = {}
    found: list[Alone] = []
    for difference in comparison.differences:
        for at in difference.columns:
            if difference.plays_otherwise(at):
                found.append(_alone(rulesets, comparison, difference, at, built))
    return found


def one_alone(
    rulesets: Sequence[Ruleset], comparison: Comparison, difference: Difference, column: int
) -> Alone:
    """Isolates a single difference of a ruleset that has it."""
    return _alone(rulesets, comparison, difference, column, {})


def breaks(program: ir.Program) -> str:
    """The fault with which every game of these rules fails to start; empty if one starts."""
    problem = ""
    for players in reversed(program.counts):
        try:
            Match(program, players, 1)
        except RuleFault as fault:
            problem = problem or f"{fault.clause}: {fault.message}"
        else:
            return ""
    return problem


def _alone(
    rulesets: Sequence[Ruleset],
    comparison: Comparison,
    difference: Difference,
    at: int,
    built: dict[str, tuple[ir.Program | None, str]],
) -> Alone:
    first, other = rulesets[0], rulesets[at]

    def tried(rows: Sequence[str]) -> tuple[str, ir.Program | None, str]:
        text = patch(first, other, NAME, set(rows), comparison.table, at)
        if text not in built:
            diagnostics = Diagnostics()
            told = first.with_patch(text, NAME, diagnostics)
            problem = next((each.message for each in diagnostics.sorted()), "")
            if told is not None:
                problem = breaks(told.program)
            built[text] = (None if problem or told is None else told.program, problem)
        return (text, *built[text])

    rows = difference.rows_of(at)
    try:
        text, program, problem = tried(rows)
    except CannotPatch as error:
        return Alone(difference, at, "", None, (), str(error))
    if program is not None:
        return Alone(difference, at, text, program)
    others = [each for each in comparison.differences if each is not difference]
    others = [each for each in others if each.plays_otherwise(at)]

    def together(some: Sequence[Difference]) -> Alone | None:
        wider, found, _ = tried((*rows, *(row for each in some for row in each.rows_of(at))))
        along = tuple(each.number for each in some)
        return None if found is None else Alone(difference, at, wider, found, along)

    for another in others:
        pair = together([another])
        if pair is not None:
            return pair
    whole = together(others) if len(others) > 1 else None
    if whole is None:
        return Alone(difference, at, text, None, (), problem)
    needed = others
    for another in others:
        fewer = together([each for each in needed if each is not another])
        if fewer is not None:
            whole = fewer
            needed = [each for each in needed if each is not another]
    return whole
