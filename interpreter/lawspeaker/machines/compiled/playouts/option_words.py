"""Hash of an option that is the same in all worlds: pieces count by looks, place and states."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.runtime.question import Question, offsets
from lawspeaker.machines.compiled.runtime.replies import part_of
from lawspeaker.machines.compiled.runtime.rng import combine, combined_with
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I64, Expr, Variable, select, word
from lawspeaker.position.rng import word_of

_PASS = word_of("pass")


def said(unit: Unit, question: Question, at: Expr, number: Expr, count: Expr) -> Expr:
    """Returns the hash of an option: its address, its number, and the number of options. Passing is
    the last option, and is not stored."""
    option = at if question.ask.must else select(number < count - 1, at, 0)
    return _identity(unit, question)(option)


@routine("identity", returns=I64)
def _identity(unit: Unit, question: Question, f: Body, option: Variable) -> None:
    """(address of the option, or 0 for none) -> its hash"""
    with f.if_(option == 0):
        f.return_(_PASS)
    kept = f.let("kept", unit.kept)
    said = f.let("said", word(option).to_long())
    for number, alternative in enumerate(question.ask.alternatives):
        if not alternative.parts:
            continue
        with f.if_(word(option) == number):
            for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                value = f.let("value", part_of(unit, part, option, offset))
                f.set(said, combine(unit)(said, _said(unit, f, part, value)))
    f.set(unit.kept, kept)
    f.return_(said)


def _said(unit: Unit, f: Body, part: ir.Part, value: Variable) -> Expr:
    """Returns the hash of the value of a part."""
    if not part.several:
        return _said_of_one(unit, part, value)
    together = f.let("together", 0, I64)
    with f.each_listed("member", value) as member:
        # A sum, so that the order of the members does not matter.
        f.add(together, combine(unit)(0, _said_of_one(unit, part, member)))
    return together


def _said_of_one(unit: Unit, part: ir.Part, member: Expr) -> Expr:
    of = part.binder.type
    if isinstance(of, ir.PieceType):
        return _looks(unit, of.index)(member)
    return member.to_long(signed=True)


@routine("looks", returns=I64)
def _looks(unit: Unit, of: int, f: Body, piece: Variable) -> None:
    """(piece) -> the hash of its looks, its place and its states"""
    plan = unit.plan
    looks = plan.table(unit.layout.alike)[piece].to_long()
    rest = (column[piece].to_long(signed=True) for column in (plan.where, *plan.states[of]))
    f.return_(combined_with(unit, looks, *rest))
