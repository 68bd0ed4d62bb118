"""Names the holders of a score and the winners: players, or sides by their names."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.ir.walk import code_of, everything
from lawspeaker.position.layout import Layout


def holders(layout: Layout, seats: Iterable[int], language: str) -> list[str]:
    """Players by name; those of a named side by the name of the side."""
    return list(
        dict.fromkeys(
            layout.name(ir.PLAYER, seat, language)
            if layout.named_side(seat) is None
            else layout.holder_name(seat, language)
            for seat in seats
        )
    )


def who_is_together(layout: Layout, language: str) -> list[str]:
    """All sides with their players, by name if they have one; empty without sides."""
    told = []
    for side in layout.sides if layout.program.sides else ():
        players = " + ".join(layout.name(ir.PLAYER, seat, language) for seat in side)
        named = layout.named_side(side[0]) is not None
        told.append(f"{layout.holder_name(side[0], language)} ({players})" if named else players)
    return told


def outcome_together(program: ir.Program, won: bool, language: str) -> str:
    """The outcome of a cooperative game. If the rules never name winners, the score alone is the
    result."""
    if not won:
        return phrase("end.all_lost", language)
    return phrase("end.all_won", language) if names_winners(program) else ""


def names_winners(program: ir.Program) -> bool:
    """Whether a rule names winners."""
    ends = (each for each in everything(code_of(program)) if isinstance(each, ir.EndGame))
    return any(each.winners not in (None, ir.ListOf(ir.SetType(ir.PLAYER), ())) for each in ends)
