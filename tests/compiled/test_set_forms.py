"""A set can be gone through and asked for its size and ends, however it is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from lawspeaker.machines.compiled.compile.set_forms import Bits, Chosen, KeptSet, Listed, Ray
from lawspeaker.machines.compiled.runtime.wide import known
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, const, long, word
from tests.middle.running import run

NOTHING = -9
Make = Callable[[Body, Sequence[int]], KeptSet]


def listed(f: Body, members: Sequence[int]) -> KeptSet:
    for at, value in enumerate((len(members), *members)):
        f.set(word(64 + 4 * at), value)
    return Listed(const(64))


def bits(f: Body, members: Sequence[int]) -> KeptSet:
    return Bits(3, known(sum(1 << (member - 3) for member in members), 1))


def bits_of_words(f: Body, members: Sequence[int]) -> KeptSet:
    """The lower members are in the first word, the others in the second of three."""
    return Bits(-58, known(sum(1 << (member + 58) for member in members), 3))


def chosen(f: Body, members: Sequence[int]) -> KeptSet:
    """Among those of a list others stand that are not chosen."""
    row = [5, *(each for member in members for each in (member, 8))]
    listed(f, row)
    mask = sum(1 << (62 - 2 * at) for at in range(len(members)))
    return Chosen(f.let("list", 64), f.let("mask", long(mask)))


def ray(f: Body, members: Sequence[int]) -> KeptSet:
    stride = members[1] - members[0] if len(members) > 1 else 2
    start = members[0] - stride if members else 70
    return Ray(f.let("start", start), const(stride), f.let("count", len(members)))


@pytest.mark.parametrize("make", [listed, bits, bits_of_words, chosen, ray])
@pytest.mark.parametrize("members", [(), (6,), (6, 20), (3, 5, 7, 9)])
def test_a_set_is_the_same_however_it_is_kept(make: Make, members: tuple[int, ...]) -> None:
    def build(f: Body) -> None:
        kept, member, digits = make(f, members), f.variable("member"), f.let("digits", 0)
        kept.each(f, member, lambda: f.set(digits, digits * 100 + member))
        f.return_(
            digits,
            kept.size(),
            kept.is_empty(),
            kept.end(f, NOTHING, last=False),
            kept.end(f, NOTHING, last=True),
        )

    digits = int("".join(f"{member:02}" for member in members) or "0")
    ends = (members[0], members[-1]) if members else (NOTHING, NOTHING)
    found = run(build, [], [I32] * 5)
    assert found == [digits, len(members), int(not members), *ends]
