"""Determines the setup: the table before the first turn.

No rule marks the end of the setup. It is taken to be everything before the first step of the main
clause that may ask somebody. Where players are asked during the first step, the setup is the
position of the first question. A game that has laid out nothing by then does so in every round: it
is shown at its first question.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.ir.walk import clauses_used, everything
from lawspeaker.match.match import Match

SEED = 7
"""Seed of the drawn setup."""
DEALS = 4
"""Number of random setups that are compared, to find what depends on chance."""
Arranged = Mapping[str, tuple[Hashable, ...]]
"""Contents of places and values of markers, by their texts."""


def first_done(program: ir.Program) -> ir.Do | None:
    """Returns the first statement of the main clause that executes another clause."""
    steps = everything(program.clauses[program.main].body)
    return next((each for each in steps if isinstance(each, ir.Do)), None)


def tables_set_up(program: ir.Program, seed: int = SEED) -> tuple[Match, ...]:
    """Returns matches after setup, for each number of players."""
    main = program.clauses[program.main]
    clauses = list(program.clauses)
    clauses[main.index] = replace(main, body=_set_up(program, main.body))
    # Invariants are checked only where the whole game would check them.
    alone = replace(program, clauses=tuple(clauses), always=())
    found = []
    for players in program.counts:
        match = Match.at(alone, players, main.id, seed=seed)
        found.append(match if _laid_out(match) else Match(program, players, seed))
    return tuple(found)


def arrangements(program: ir.Program) -> dict[int, Mapping[str, Hashable]]:
    """Returns, by number of players, the parts of the setup that do not depend on chance.

    These are the contents of places, markers and scores. Where they depend on chance, only the
    number of pieces is kept. Places that nobody sees are ignored: their counts only reflect the
    contents of the box.
    """
    dealt = zip(*(tables_set_up(program, SEED + at) for at in range(DEALS)), strict=True)
    return {each[0].players: _in_common([_arranged(match) for match in each]) for each in dealt}


def _in_common(deals: Sequence[Arranged]) -> dict[str, Hashable]:
    """Keeps what is equal in all setups, and the number of things where they differ."""
    first, *others = deals
    return {
        name: told if all(told == each.get(name) for each in others) else len(told)
        for name, told in first.items()
    }


def _arranged(match: Match) -> Arranged:
    layout, families = match.machine.layout, match.program.families
    found: dict[str, tuple[Hashable, ...]] = {"scores": tuple(match.scores)}
    for place, pieces in match.state.contents.items():
        if pieces and families[layout.place_family[place]].seen_by != "nobody":
            named = (_piece(match, piece) for piece in pieces)
            found[layout.place_text[place]] = tuple(sorted(named))
    for entry, value in zip(layout.markers, match.state.markers, strict=True):
        if value or (value == 0 and not isinstance(entry.type, ir.NumberType | ir.TruthType)):
            found[entry.text] = (layout.text(entry.type, value),)
    return found


def _piece(match: Match, piece: int) -> str:
    """Returns a piece with its states as text."""
    layout = match.machine.layout
    number = layout.piece_type[piece]
    declared = match.program.pieces[number]
    values = (match.state.states[at + piece] for at in layout.state_at[number])
    return repr((layout.text(ir.PieceType(declared.name, number), piece), *values))


def _set_up(program: ir.Program, steps: ir.Block) -> ir.Block:
    """Returns the steps of a game that form its setup."""
    first = first_done(program)
    for at, step in enumerate(steps):
        if _may_ask(program, step):
            return steps[: at + 1] if step is first else steps[:at]
    return steps


def _may_ask(program: ir.Program, step: ir.Statement) -> bool:
    """Whether a step, or any clause it calls, may ask somebody."""
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
    """Whether any piece has moved or changed its state."""
    state, blank = match.state, match.machine.blank(SEED)
    return (state.where, state.states) != (blank.where, blank.states)
