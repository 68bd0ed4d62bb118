"""The table as it is set up, before anything of the first turn has happened.

No rule says where a set-up ends, but a game shows it: it is what is done before the first step of
the whole game in which somebody may be asked. Players may be asked while they set up, in what a
game does first: then the table is as the first of them finds it. A game that has laid out nothing
until then does so in every round: it is shown before its first question.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir
from lawspeaker.ir.walk import clauses_used, everything
from lawspeaker.match.match import Match

SEED = 7
"""Of the deals that are drawn."""


def first_done(program: ir.Program) -> ir.Do | None:
    """What a game does first."""
    steps = everything(program.clauses[program.main].body)
    return next((each for each in steps if isinstance(each, ir.Do)), None)


def tables_set_up(program: ir.Program) -> tuple[Match, ...]:
    """The game when its table is set up, for each number of players."""
    main = program.clauses[program.main]
    clauses = list(program.clauses)
    clauses[main.index] = replace(main, body=_set_up(program, main.body))
    # What should always hold is asked only where the game itself would be asked for it.
    alone = replace(program, clauses=tuple(clauses), always=())
    found = []
    for players in range(program.fewest, program.most + 1):
        match = Match.at(alone, players, main.id, seed=SEED)
        found.append(match if _laid_out(match) else Match(program, players, SEED))
    return tuple(found)


def _set_up(program: ir.Program, steps: ir.Block) -> ir.Block:
    """The steps of a game with which it sets up."""
    first = first_done(program)
    for at, step in enumerate(steps):
        if _may_ask(program, step):
            return steps[: at + 1] if step is first else steps[:at]
    return steps


def _may_ask(program: ir.Program, step: ir.Statement) -> bool:
    """Whether somebody may be asked in a step, or in what is done by it."""
    reached: set[int] = set()
    waiting: list[object] = [step]
    while waiting:
        code = waiting.pop()
        if any(isinstance(each, ir.Ask) for each in everything(code)):
            return True
        new = set(clauses_used(program, code)) - reached
        reached |= new
        waiting += [program.clauses[each].body for each in new]
    return False


def _laid_out(match: Match) -> bool:
    """Whether any piece is no longer where, or as, it was."""
    state, blank = match.state, match.machine.blank(SEED)
    return (state.where, state.states) != (blank.where, blank.states)
