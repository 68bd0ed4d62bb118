"""Closures for regions (sets reachable by steps) and borders of sets of places."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State


def region(ev: Evaluator, expr: ir.Region) -> Eval:
    """Compiles a breadth-first search."""
    start, steps = ev.compile(expr.standing.source), ev.compile(expr.step.source)
    assert expr.step.where is not None
    goes_on, here, there = ev.compile(expr.step.where), expr.standing.slot, expr.step.slot

    def reached(s: State, f: Slots) -> Value:
        found: list[int] = list(dict.fromkeys(start(s, f)))
        asked = set(found)
        for place in found:  # grows during the loop
            f[here] = place
            for following in steps(s, f):
                if following not in asked:
                    asked.add(following)
                    f[there] = following
                    if goes_on(s, f):
                        found.append(following)
        return tuple(sorted(found))

    return reached


def border(ev: Evaluator, expr: ir.Border) -> Eval:
    """Compiles the neighbours of a set without the set."""
    near, places, diagonal = ev.grid(expr.family).around, ev.compile(expr.of), expr.diagonal

    def outside(s: State, f: Slots) -> Value:
        inside = places(s, f)
        found = {each for place in inside for each in near(place, diagonal)}
        return tuple(sorted(found.difference(inside)))

    return outside
