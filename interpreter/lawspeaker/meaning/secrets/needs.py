"""What a clause demands of those who do it, and what it leaves behind.

Clauses do not do each other in a circle, so each is looked at after those it does. What it shows
of what it is given, it needs to be known to those who see it; whoever does it, sees to that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.meaning.secrets.sources import Label, Moves, Source, Step

MOST_NEEDS = 200


@dataclass(frozen=True, slots=True)
class Sight:
    """A way by which something gets known: the code of the mistake, what is seen, and by whom
    (None: everyone)."""

    code: str
    seen: str
    who: ir.Expr | None = None


@dataclass(frozen=True, slots=True)
class Need:
    """Something given has to be known to whoever sees it; `way` is the way to where it is seen."""

    source: Source
    code: str
    who: ir.Expr | None
    seen: str = field(compare=False)
    way: tuple[Step, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Telling:
    """What a deed makes known. `sort` is value, moved (to where everyone sees it), owned (to where
    its owner sees it), points or winners; `who` and `what` are written as in the rules, and `what`
    is the place, where something is moved. `given` is what the clause is given that is moved: it
    makes something known only if that is ever something hidden."""

    sort: str
    who: str = ""
    what: str = ""
    given: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """`told` are the numbers of what it is given that everyone knows when it is done; `tells`:
    everyone knows then that it was done; `tells_first`: before anything else is seen of it.
    `leaves` is what its names carry at its end, those that it was given and its outcome, and where
    the pieces lie that markers show; `shown` and `kept` are those that carry luck which everyone
    sees, or which goes where some do not see it. `asks` are those who are asked, `sets` the markers
    that may be others afterwards, `gone` the pieces that have gone, and `gone_before` those that
    may have gone when somebody is asked. `hidden_steps` are steps, not too many,
    that it may take or not, and what
    decides that. `marks` are the numbers of the pieces given to it of which it sets states that
    everyone sees, each with whether always to the same."""

    needs: tuple[Need, ...]
    told: frozenset[int]
    tells: bool
    tells_first: bool
    leaves: dict[int, Label]
    shown: dict[int, Sight]
    kept: frozenset[int]
    asks: tuple[ir.Expr | None, ...]
    sets: frozenset[int]
    gone: Moves
    gone_before: Moves
    hidden_steps: tuple[tuple[Label, int], ...]
    marks: tuple[tuple[int, bool], ...]
