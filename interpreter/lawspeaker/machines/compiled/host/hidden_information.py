"""Encodes a seat's hidden information for dealing worlds.

The layout is in `world_layout.py`; `dealing.py` decodes it.
"""

from __future__ import annotations

from itertools import accumulate
from struct import pack, unpack

from lawspeaker.machines.compiled.host import images
from lawspeaker.machines.compiled.host.frames import Frames
from lawspeaker.machines.compiled.host.images import CannotHold
from lawspeaker.machines.compiled.runtime.plan import Plan
from lawspeaker.machines.compiled.runtime.world_layout import MOST_SPOKEN, question_number
from lawspeaker.position.unseen import SPOKEN, Unseen


def written(
    plan: Plan, frames: Frames, unseen: Unseen, seats: tuple[int, ...]
) -> tuple[bytes, bytes]:
    """Returns the state with gaps, and the table that says how to fill them. `seats` are asked.

    Raises `CannotHold` if the module cannot deal the hidden pieces.
    """
    if unseen.uncounted:
        raise CannotHold("there are pieces of which nobody says where they may be")
    if unseen.partly:
        raise CannotHold("there are places of which some pieces are known")
    if unseen.slots:
        raise CannotHold("something is known only to those who are asked")
    known = unseen.known
    if any(isinstance(shown, int) and shown >= SPOKEN for shown in known.markers):
        raise CannotHold("a marker shows a piece that is dealt")
    stack = frames.written(known.stack)
    situation = images.Bytes(plan, bytearray(images.written(plan, known)))
    places = _places(plan, situation, unseen)
    values = _values(plan, unseen)
    spoken = _spoken(plan, stack) if unseen.spoken else []
    if len(stack) > plan.frames_end - plan.frames or len(spoken) > MOST_SPOKEN:
        raise CannotHold("too much is going on")
    pools = [
        (len(pool.pieces), int(pool.settled), *pool.pieces) for pool in unseen.pools if pool.pieces
    ]
    asking = known.stack[-1]
    head = (
        *(len(pools), len(values), len(spoken), len(places)),
        plan.frames + len(stack),
        question_number(asking.clause, asking.pc),
        *unpack("<2i", pack("<Q", sum(1 << seat for seat in seats))),
    )
    words = [word for entry in (head, *pools, *values, *spoken, *places) for word in entry]
    return bytes(situation.content) + stack, pack(f"<{len(words)}i", *words)


def _dealt(plan: Plan, number: int) -> int:
    """Returns the address of a dealt piece."""
    return plan.worlds.dealt + 4 * number


def _places(plan: Plan, situation: images.Bytes, unseen: Unseen) -> list[tuple[int, ...]]:
    """Returns for each place: family, place, address of its pieces, their number."""
    found: list[tuple[int, ...]] = []
    ends = accumulate(len(pool.pieces) for pool in unseen.pools)
    for pool, end in zip(unseen.pools, ends, strict=True):
        at = end - len(pool.pieces)
        for place, count in () if pool.settled else pool.places:
            number = plan.layout.place_family[place]
            family = plan.families[number]
            if family.held or family.condition_bits or (family.indexed and count > 1):
                raise CannotHold(f"who holds {family.of.name} is not kept for what is unseen")
            if family.occupied:
                images.fill_bitboard(situation, family, (place,))
            found.append((number, place, _dealt(plan, at), count))
            at += count
    return found


def _values(plan: Plan, unseen: Unseen) -> list[tuple[int, ...]]:
    """Returns for each value: its address for piece 0, the address of the piece, the width, and the
    possible values."""
    kept = plan.snapshot - plan.state
    found: list[tuple[int, ...]] = []
    for gap in unseen.states:
        column = plan.states[gap.type][gap.state]
        of = plan.layout.states[gap.type][gap.state].type
        first = images.word(gap.values[0], of)
        choices = len(gap.values) if gap.hidden else 0
        at = _dealt(plan, gap.dealt)
        found.append((column.base + kept, at, column.width, first, choices))
    for marker in unseen.markers:
        first = images.word(marker.values[0], plan.layout.markers[marker.marker].type)
        found.append((plan.markers + 4 * marker.marker + kept, 0, 4, first, len(marker.values)))
    return found


def _spoken(plan: Plan, stack: bytes) -> list[tuple[int, ...]]:
    """Returns the addresses of frame words that refer to dealt pieces, and of these pieces."""
    first = plan.frames + plan.snapshot - plan.state
    return [
        (first + 4 * at, _dealt(plan, word - SPOKEN))
        for at, word in enumerate(unpack(f"<{len(stack) // 4}i", stack))
        if word >= SPOKEN
    ]
