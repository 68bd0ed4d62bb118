"""Taking back replies, as far as that is fair.

No game declares what can be taken back; it follows from the rules. A seat may take back its last
replies up to the point where another seat has answered, luck has had a say, or somebody has been
told something hidden. Each of these is a barrier, and a barrier names the clause that raised it:

    answered    the reply is another seat's
    luck        something was shuffled, picked at random, or drawn by luck
    opened      the secret answers of others were opened
    shown       a piece went from where somebody could not see it to where he can
    told        a rule has told somebody something, or somebody's view changed as it would not
                have changed, had what he cannot see been otherwise: points that hang on a hidden
                card, or a question that only those are asked who hold one

The last one is found by trying: the situation before the reply is imagined anew a number of
times from what a viewer knew (see `view`), the same reply is given, and what the viewer then sees
is compared with what he really saw. Where a reply tells a viewer one bit or more, each try finds
out with a chance of at least a half, so a dozen tries miss it once in four thousand times.

`free` lifts all barriers, for somebody who plays alone: going back before the own last reply then
takes back what the others answered to it, too.

Situations are worked out anew from the first one (see `Match.state_after`) rather than kept. For
a game of 150 replies that takes five milliseconds, and costs nothing to those who never go back;
keeping a copy for each reply would take a megabyte a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import Option
from lawspeaker.match.determinization import unseen
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.view import View, view_of
from lawspeaker.position.layout import Layout
from lawspeaker.position.luck import combine, word_of
from lawspeaker.position.state import State

TRIES = 12


@dataclass(frozen=True, slots=True)
class Barrier:
    """Why a reply (counted from 0) cannot be taken back: the clause, and the kind of barrier."""

    reply: int
    clause: str
    kind: str


class Barred(Exception):
    """Nothing, or not so much, can be taken back; nothing has changed."""


def steps_back(match: Match, seat: int, free: bool = False) -> int:
    """How many of its last replies a seat may take back now."""
    if free:
        return sum(option.setting.seat == seat for option in match.replies)
    count, _ = _looked_back(match, seat)
    return count


def barrier(match: Match, seat: int, free: bool = False) -> Barrier | None:
    """What keeps a seat from going back further; None when there is nothing further back."""
    found = None if free else _looked_back(match, seat)[1]
    if found is None:
        return None
    before = match.replies[: found.reply + 1]
    return found if any(option.setting.seat == seat for option in before) else None


def take_back(match: Match, seat: int, steps: int = 1, free: bool = False) -> None:
    """Takes back the last replies of a seat: all is as it was before. Raises Barred."""
    if steps < 1:
        raise ValueError("at least one reply is taken back")
    allowed = steps_back(match, seat, free)
    if steps > allowed:
        raise Barred(f"no more than {allowed} can be taken back: {barrier(match, seat, free)}")
    own = [at for at, option in enumerate(match.replies) if option.setting.seat == seat]
    match.rewind(own[-steps])


def _looked_back(match: Match, seat: int) -> tuple[int, Barrier | None]:
    """How many replies there are up to the nearest barrier, and the barrier."""
    replies = match.replies
    for count, number in enumerate(range(len(replies) - 1, -1, -1)):
        option = replies[number]
        if option.setting.seat != seat:
            clause = match.program.clauses[option.setting.clause].id
            kind = "luck" if option.setting.seat is None else "answered"
            return count, Barrier(number, clause, kind)
        found = _remembered(match, number)
        if found is not None:
            return count, found
    return len(replies), None


_known: WeakKeyDictionary[Match, dict[int, tuple[Option, Barrier | None]]] = WeakKeyDictionary()


def _remembered(match: Match, number: int) -> Barrier | None:
    """The barrier of a reply: a fact of the past, worked out once for each match."""
    option = match.replies[number]
    known = _known.setdefault(match, {})
    if number not in known or known[number][0] is not option:
        before, after = match.state_after(number), match.state_after(number + 1)
        known[number] = option, _barrier(match, number, before, after)
    return known[number][1]


def _barrier(match: Match, number: int, before: State, after: State) -> Barrier | None:
    """What stands between a reply and the situation before it."""
    events = match.events_of(number)
    if not events:  # The reply waits for those of others, and nobody knows it yet.
        return None
    clauses = match.program.clauses
    for event in events:
        kind = _kind(event, match.machine.layout, before, match.replies[number].setting.seat)
        if kind is not None:
            return Barrier(number, clauses[event.clause].id, kind)
    if before.shuffles != after.shuffles or before.picks != after.picks:
        return Barrier(number, clauses[events[-1].clause].id, "luck")
    if _tells(match, number, before, after, events):
        return Barrier(number, clauses[events[-1].clause].id, "told")
    return None


def _kind(event: Event, layout: Layout, before: State, seat: int | None) -> str | None:
    """The barrier that an event is, if it is one."""
    match event.kind:
        case "chance" | "shuffle":
            return "luck"
        case "choose" if event.seat != seat:
            return "opened"
        case "tell" if event.known:
            return "told"
        case "cannot":
            return "told"
        case "move":
            piece, origin, to, *_ = event.data
            under, loose = before.loose.get(origin, (0, 0))
            held = before.contents.get(origin, ())
            if loose > 1 and piece in held[under : under + loose]:
                return "luck"
            if layout.seen[to] & ~layout.seen[origin] and not _all_alike(layout, piece):
                return "shown"
    return None


def _all_alike(layout: Layout, piece: int) -> bool:
    looks = {layout.alike[each] for each in layout.pieces_of[layout.piece_type[piece]]}
    return len(looks) == 1


# ---------------------------------------------------------------- what somebody was told


def _tells(match: Match, number: int, before: State, after: State, events: Sequence[Event]) -> bool:
    """Whether what followed told anybody something that was hidden from him."""
    events = [replace(event, number=at) for at, event in enumerate(events)]
    for viewer in match.machine.layout.seats:
        known = view_of(match.machine, before, viewer)
        if not unseen(known).open:
            continue
        seen = view_of(match.machine, after, viewer, events)
        if any(_differs(match, number, known, seen, luck) for luck in range(TRIES)):
            return True
    return False


def _differs(match: Match, number: int, known: View, seen: View, luck: int) -> bool:
    """Whether a viewer would have seen something else, had what he cannot see been otherwise."""
    option = match.replies[number]
    try:
        world = imagine(known, combine(word_of("undo"), number, luck))
        asked = next((each for each in world.decisions if each.seat == option.setting.seat), None)
        offered = () if asked is None else asked.options
        same = next((each for each in offered if each.text == option.text), None)
        if same is None:
            return False
        world.choose(same, seat=option.setting.seat)
    except RuleFault:
        return False
    return view_of(match.machine, world.state, known.seat, world.events) != seen
