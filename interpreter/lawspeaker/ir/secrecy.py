"""Queries about hidden information, and about chance that creates it."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.walk import code_of, everything

OPEN = ("everyone", "nobody")


def keeps_secrets(program: ir.Program) -> bool:
    """Returns whether something is visible to some and not to others, or is answered in secret; if
    not, all may share a screen. What nobody sees is no secret between players."""
    seen: list[ir.SeenBy] = [each.seen_by for each in program.markers]
    for family in program.families:
        # A piece seen before it came to a place that nobody sees may still be known to some.
        seen += [family.seen_by, family.count_seen_by, family.top_seen_by]
        if family.stays_known:
            return True
    if any(each not in OPEN for each in seen):
        return True
    return any(
        isinstance(node, ir.Ask) and node.each is not None
        for code in code_of(program)
        for node in everything(code)
    )


def can_be_discreet(program: ir.Program) -> bool:
    """Returns whether discretion matters: a player may act, and his options depend on hidden
    information."""
    return any(
        isinstance(node, ir.Ask) and not node.must and bool(node.private)
        for code in code_of(program)
        for node in everything(code)
    )


def is_interrupted(program: ir.Program) -> bool:
    """Returns whether a player may interrupt others: without discretion, being asked reveals that
    he can."""
    return any(
        isinstance(node, ir.Ask) and node.first and bool(node.private)
        for code in code_of(program)
        for node in everything(code)
    )


def unannounced_outcomes(program: ir.Program) -> frozenset[int]:
    """Returns the clauses in which a random outcome that is not a piece is not announced, since it
    may reach hidden places.

    They set a state or a marker that some do not see, announce something to some, or pass values to
    or from such a clause. The events that follow tell what others may know of it.
    """
    silent: set[int] = set()
    giving: dict[int, set[int]] = {}
    for clause in program.clauses:
        for statement in everything(clause.body):
            match statement:
                case ir.SetState(piece, state):
                    told = program.pieces[piece].states[state].seen_by == "everyone"
                case ir.SetMarker(marker):
                    told = program.markers[marker].seen_by == "everyone"
                case ir.Tell(who):
                    told = who is None
                case ir.Do(target, arguments, returns):
                    if arguments:
                        giving.setdefault(clause.index, set()).add(target)
                    if returns:
                        giving.setdefault(target, set()).add(clause.index)
                    continue
                case _:
                    continue
            if not told:
                silent.add(clause.index)
    while more := {clause for clause, targets in giving.items() if targets & silent} - silent:
        silent |= more
    return frozenset(silent)
