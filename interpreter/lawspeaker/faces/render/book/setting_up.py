"""The table as it is set up, before anything of the first turn has happened.

No rule says where a set-up ends, but a game shows it: it is what is done before the first step of
the whole game in which somebody may be asked. Players may be asked while they set up, in what a
game does first: then the table is as the first of them finds it. A game that has laid out nothing
until then does so in every round: it is shown before its first question.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.ir.types import NumberType, PieceType, TruthType
from lawspeaker.ir.walk import clauses_used, everything
from lawspeaker.match.match import Match

SEED = 7
"""Of the deals that are drawn."""
DEALS = 4
"""So many show what luck brings."""
Arranged = Mapping[str, tuple[Hashable, ...]]
"""By the texts of places and markers, what they hold and show."""


def first_done(program: ir.Program) -> ir.Do | None:
    """What a game does first."""
    steps = everything(program.clauses[program.main].body)
    return next((each for each in steps if isinstance(each, ir.Do)), None)


def tables_set_up(program: ir.Program, seed: int = SEED) -> tuple[Match, ...]:
    """The game when its table is set up, for each number of players."""
    main = program.clauses[program.main]
    clauses = list(program.clauses)
    clauses[main.index] = replace(main, body=_set_up(program, main.body))
    # What should always hold is asked only where the game itself would be asked for it.
    alone = replace(program, clauses=tuple(clauses), always=())
    found = []
    for players in program.counts:
        match = Match.at(alone, players, main.id, seed=seed)
        found.append(match if _laid_out(match) else Match(program, players, seed))
    return tuple(found)


def arrangements(program: ir.Program) -> dict[int, Mapping[str, Hashable]]:
    """By the number of players, how the table is set up, whatever luck brings: what lies in each
    place, and what markers and scores show. Where that is luck, only how many pieces lie there. How
    many are left in a pile that nobody sees goes by what is in the box, and is no matter of it."""
    dealt = zip(*(tables_set_up(program, SEED + at) for at in range(DEALS)), strict=True)
    return {each[0].players: _in_common([_arranged(match) for match in each]) for each in dealt}


def _in_common(deals: Sequence[Arranged]) -> dict[str, Hashable]:
    """What is the same in all deals; of what is not, how many things are there."""
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
        if value or (value == 0 and not isinstance(entry.type, NumberType | TruthType)):
            found[entry.text] = (layout.text(entry.type, value),)
    return found


def _piece(match: Match, piece: int) -> str:
    """A piece, and in which state it is."""
    layout = match.machine.layout
    number = layout.piece_type[piece]
    declared = match.program.pieces[number]
    values = (match.state.states[at + piece] for at in layout.state_at[number])
    return repr((layout.text(PieceType(declared.name, number), piece), *values))


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
