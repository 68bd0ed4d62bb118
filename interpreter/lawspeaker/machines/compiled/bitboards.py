"""Code about bitboards: which places of a large board are taken, a bit for each, in words of 64.

A board that grows is nearly all empty, so only the words between the first and the last one in
which anything ever was are looked at (`Family.spread`). What lies beside taken places is worked out
for a word of places at once: the neighbours in one direction are the same bitboard, shifted.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import Family
from lawspeaker.machines.middle.forms import Variable

Body = Callable[[], None]


def each_occupied(c: Code, source: ir.Occupied, local: Variable, body: Body) -> None:
    """Through the places in which there is something, in the order of their numbers."""
    family = c.plan.families[source.family]

    def push_taken(at: Variable) -> None:
        c.b.get(at)
        c.b.load(family.occupied, "i64.load")

    _each_surveyed(c, family, 0, push_taken, local, body)


def each_open(c: Code, source: ir.OpenPlaces, local: Variable, body: Body) -> None:
    """Through the empty places beside taken ones, in the order of their numbers."""
    b, family = c.b, c.plan.families[source.family]
    near = family.grid[1] // 64 + 1

    def push_open(at: Variable) -> None:
        for number, (across, down) in enumerate(family.of.steps(False)):
            _push_shifted(c, family, at, across * family.grid[1] + down)
            b.get(at)
            b.load(c.plan.inside(family, (across, down)), "i64.load")
            b.op("i64.and")
            if number:
                b.op("i64.or")
        b.get(at)
        b.load(family.occupied, "i64.load")
        b.long(-1)
        b.op("i64.xor", "i64.and")

    _each_surveyed(c, family, near, push_open, local, body)


def _push_shifted(c: Code, family: Family, at: Variable, stride: int) -> None:
    """Of the 64 places of a word, which have a taken place so much further; `at` says how many
    bytes into the bitboard the word lies. Beyond it lies something else: whoever asks leaves those
    places out."""
    b = c.b
    words, bits = divmod(stride, 64)
    b.get(at)
    b.load(family.occupied + 8 * words, "i64.load")
    if not bits:
        return
    b.long(bits)
    b.op("i64.shr_u")
    b.get(at)
    b.load(family.occupied + 8 * (words + 1), "i64.load")
    b.long(64 - bits)
    b.op("i64.shl", "i64.or")


def _each_surveyed(
    c: Code,
    family: Family,
    margin: int,
    push: Callable[[Variable], None],
    local: Variable,
    body: Body,
) -> None:
    """Through the places whose bits are set, word by word. `push` leaves a word on the stack; where
    it lies, in bytes, is in a local. So many more words count as lie beside those in use."""
    b, bits, first = c.b, c.long(), c.local()
    at, last = _push_range(c, family, margin)
    with b.block() as nothing, b.loop() as following:
        b.get(at)
        b.get(last)
        b.op("i32.gt_s")
        b.br_if(nothing)
        push(at)
        b.set(bits)
        b.get(at)
        b.const(3)
        b.op("i32.shl")
        if family.first:
            b.const(family.first)
            b.op("i32.add")
        b.set(first)
        b.get(at)
        b.const(8)
        b.op("i32.add")
        b.set(at)
        with b.loop() as again:
            b.get(bits)
            b.op("i64.eqz")
            b.br_if(following)
            b.get(bits)
            b.op("i64.ctz", "i32.wrap_i64")
            b.get(first)
            b.op("i32.add")
            b.set(local)
            b.get(bits)
            b.get(bits)
            b.long(1)
            b.op("i64.sub", "i64.and")
            b.set(bits)
            body()
            b.br(again)


def _push_range(c: Code, family: Family, margin: int) -> tuple[Variable, Variable]:
    """Where, in bytes, the first and the last word of a bitboard lie in which anything can be, and
    some more beside."""
    b, first, last = c.b, c.local(), c.local()
    words = -(-family.size // 64)
    for at, (line, step, bound) in enumerate(((first, -margin, 0), (last, margin, words - 1))):
        b.const(0)
        b.load(family.spread + 4 * at)
        if step:
            b.const(step)
            b.op("i32.add")
            b.tee(line)
            b.const(bound)
            b.get(line)
            b.const(bound)
            b.op("i32.lt_s" if at else "i32.gt_s", "select")
        b.const(3)
        b.op("i32.shl")
        b.set(line)
    return first, last
