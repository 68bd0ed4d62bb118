"""Evidence that a difference changes play: rule text, games, or a proof of equality.

Rules with different text may play alike: a condition may always hold, a sum may be written
differently. So results state in how many games the difference was seen; if in none, or if both
rulebooks simplify to the same program, it does not count as a change of play.

The proof shows equality only. Constant expressions are folded in both programs, for each number
of players, and dead branches removed. If only texts differ then, every game is the same. Programs
that differ may still play alike.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import Dependence
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.position.layout import Layout

TEXT, SEEN, UNSEEN, EQUAL, BOX = "text", "seen", "unseen", "equal", "box"
_NODES = (ir.Expr, ir.Binder, ir.Statement, ir.Guard, ir.Part, ir.Alternative)
_TEXTS = ("says", "asks", "cites", "title", "chapter", "assumed", "in_book")
_DECLARED = (
    "counts",
    "player_names",
    "word_sets",
    "pieces",
    "families",
    "markers",
    "goal",
    "sides",
    "side_words",
    "positions",
    "networks",
    "main",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Number of games in which a difference was seen; `equal`: proven equal; `box`: different
    pieces.
    """

    seen: int = 0
    games: int = 0
    equal: bool = False
    box: bool = False

    @property
    def by(self) -> str:
        if self.equal:
            return EQUAL
        if self.seen:
            return SEEN
        if self.box:
            return BOX
        return UNSEEN if self.games else TEXT

    @property
    def shows(self) -> bool:
        """Whether it counts as a change of play."""
        return self.by not in (EQUAL, UNSEEN)


def proven_equal(one: ir.Program, other: ir.Program) -> bool:
    """Whether two programs are equal but for texts after constant folding."""
    if _declared(one) != _declared(other):
        return False
    return all(_worked_out(one, count) == _worked_out(other, count) for count in one.counts)


def _declared(program: ir.Program) -> tuple[object, ...]:
    """Declarations, and the choices that determine attributes or boards."""
    shaping = [each for each in program.choices if each.fills or each.shapes]
    return (*(_without_texts(getattr(program, each)) for each in _DECLARED), shaping)


def _without_texts(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(map(_without_texts, node))
    own = getattr(node, "__dataclass_fields__", {})
    empty = {name: type(getattr(node, name))() for name in own if name in _TEXTS}
    return replace(node, **empty) if empty else node


def _worked_out(program: ir.Program, players: int) -> tuple[object, ...]:
    """The code of a program after constant folding for a number of players."""
    folder = ConstantFolder(Layout(program, players), Dependence(program))

    def plain(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(part for each in node for part in taken(each))
        known = folder.constant(node) if isinstance(node, ir.Expr) else None
        if known is not None:
            return ir.Const(node.type, known[0])
        if not isinstance(node, _NODES):
            return node
        parts = {
            each.name: plain(getattr(node, each.name)) for each in fields(node) if each.compare
        }
        return _without_texts(replace(node, **parts))

    def taken(node: Any) -> tuple[Any, ...]:
        """A node; an `if` with a constant condition is replaced by its branch."""
        known = folder.constant(node.condition) if isinstance(node, ir.If) else None
        if known is None:
            return (plain(node),)
        branch: tuple[Any, ...] = plain(node.then if known[0] else node.otherwise)
        return branch

    functions = [
        (each.name, each.parameters, each.slots, plain(each.lets), plain(each.result))
        for each in program.functions
    ]
    clauses = [
        (each.index, each.id, each.role, each.parameters, each.slots, each.outcome, each.interrupts)
        for each in program.clauses
    ]
    bodies = [plain(each.body) for each in program.clauses]
    always = [(each.name, each.slots, plain(each.condition)) for each in program.always]
    return functions, clauses, bodies, always
