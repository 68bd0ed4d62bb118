"""Summaries of clauses: what a clause requires of its callers, and the state it leaves.

Clauses do not call each other recursively, so callees are analysed first. If a clause shows
something of a parameter, it requires that those who see it know it; the callers check that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.meaning.secrets.sources import HiddenSource, Label, Moves, SecretStep

MOST_NEEDS = 200


@dataclass(frozen=True, slots=True)
class Sight:
    """A way in which something becomes visible: the diagnostic code, what is seen, and by whom
    (None: everyone)."""

    code: str
    seen: str
    who: ir.Expr | None = None


@dataclass(frozen=True, slots=True)
class Need:
    """A parameter must be known to whoever sees it; `way` leads to where it is seen."""

    source: HiddenSource
    code: str
    who: ir.Expr | None
    seen: str = field(compare=False)
    way: tuple[SecretStep, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A disclosure by a statement. `sort` is value, moved (to where everyone sees it), owned (to
    where its owner sees it), points or winners; `who` and `what` are written as in the rules; for a
    move, `what` is the place. `given` is the parameter that is moved, if it is one: then something
    is made known only if some caller passes something hidden."""

    sort: str
    who: str = ""
    what: str = ""
    given: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The effect of a clause on its caller.

    - `told`: parameters that everyone knows afterwards.
    - `tells`: everyone knows afterwards that it was done; `tells_first`: before seeing anything
      else of it.
    - `leaves`: labels of its parameters, its outcome and what markers show, at its end.
    - `shown`, `kept`: parameters and outcome carrying luck that everyone sees, or that goes where
      some do not see it.
    - `asks`: who is asked; `sets`: the markers it may change.
    - `gone`: the pieces that have moved; `gone_before`: those that may have when somebody is asked.
    - `hidden_steps`: steps that it takes depending on a label, within the budget.
    - `marks`: piece parameters whose public states it sets, and whether always to the same value.
    """

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
