"""Whether a player can know what another one cannot, and where luck can bring that about."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.walk import code_of, everything

OPEN = ("everyone", "nobody")


def keeps_secrets(program: ir.Program) -> bool:
    """Whether something is for some to see and not for others, or is answered in secret; if not,
    all may look at the same screen. What nobody sees is no secret between players."""
    seen: list[ir.SeenBy] = [each.seen_by for each in program.markers]
    for family in program.families:
        # What was seen before it came to where nobody sees it may still be known to some.
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
    """Whether it can matter that a table is discreet: somebody may do something, and what of it he
    can do hangs on what not everyone sees."""
    return any(
        isinstance(node, ir.Ask) and not node.must and bool(node.private)
        for code in code_of(program)
        for node in everything(code)
    )


def is_interrupted(program: ir.Program) -> bool:
    """Whether somebody may step in before others: at a table that is not discreet, to be asked
    tells that he can."""
    return any(
        isinstance(node, ir.Ask) and node.first and bool(node.private)
        for code in code_of(program)
        for node in everything(code)
    )


def silent_luck(program: ir.Program) -> frozenset[int]:
    """Clauses in which luck is not told that brings a number, a word, or whatever is no piece: it
    may go where not everyone sees it.

    They set a state or a marker that some do not see, tell something to some, or give something to
    a clause that does, or back to one. What others may know of it, the events that follow tell.
    """
    silent: set[int] = set()
    giving: dict[int, set[int]] = {}
    for clause in program.clauses:
        for deed in everything(clause.body):
            match deed:
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
