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

from lawspeaker.ir.types import PLAYER
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import Option
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.view import View, view_of
from lawspeaker.position.layout import Layout
from lawspeaker.position.luck import combine, word_of
from lawspeaker.position.state import State

TRIES = 12
ONLOOKERS = "whoever looks on"


@dataclass(frozen=True, slots=True)
class Barrier:
    """Why a reply (counted from 0) cannot be taken back: the clause, and the reason in words."""

    reply: int
    clause: str
    kind: str
    reason: str

    def __str__(self) -> str:
        return f"{self.clause}: {self.reason}"


class Barred(Exception):
    """Nothing, or not so much, can be taken back; nothing has changed."""

    def __init__(self, message: str, barrier: Barrier | None = None) -> None:
        super().__init__(message)
        self.barrier = barrier


def steps_back(match: Match, seat: int, free: bool = False) -> int:
    """How many of its last replies a seat may take back now."""
    if free:
        return sum(option.setting.seat == seat for option in match.replies)
    count, _ = _looked_back(match, seat)
    return count


def barrier(match: Match, seat: int, free: bool = False) -> Barrier | None:
    """What keeps a seat from going back further; None when there is nothing further back."""
    return None if free else _looked_back(match, seat)[1]


def why_barred(match: Match, seat: int, free: bool = False) -> str:
    """Why a seat cannot take back more than it can, with the clause; empty if it is only that
    there is no more to take back."""
    found = barrier(match, seat, free)
    return "" if found is None else str(found)


def take_back(match: Match, seat: int, steps: int = 1, free: bool = False) -> None:
    """Takes back the last replies of a seat: all is as it was before. Raises Barred."""
    if steps < 1:
        raise ValueError("at least one reply is taken back")
    own = [at for at, option in enumerate(match.replies) if option.setting.seat == seat]
    allowed = steps_back(match, seat, free)
    if steps > allowed:
        found = barrier(match, seat, free)
        name = match.machine.layout.name(PLAYER, seat, "en")
        if found is not None:
            raise Barred(str(found), found)
        raise Barred(f"{name} has no more than {allowed} to take back")
    match.rewind(own[-steps])


def _looked_back(match: Match, seat: int) -> tuple[int, Barrier | None]:
    """How many replies there are up to the nearest barrier, and the barrier."""
    replies = match.replies
    for count, number in enumerate(range(len(replies) - 1, -1, -1)):
        option = replies[number]
        if option.setting.seat != seat:
            clause = match.program.clauses[option.setting.clause].id
            return count, _answered(match, number, option.setting.seat, clause)
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


def _answered(match: Match, number: int, seat: int | None, clause: str) -> Barrier:
    if seat is None:
        return Barrier(number, clause, "luck", "luck has had a say since")
    name = match.machine.layout.name(PLAYER, seat, "en")
    return Barrier(number, clause, "answered", f"{name} has answered since")


def _barrier(match: Match, number: int, before: State, after: State) -> Barrier | None:
    """What stands between a reply and the situation before it."""
    events = match.events_of(number)
    layout, program = match.machine.layout, match.program
    seat = match.replies[number].setting.seat
    for event in events:
        found = _luck(event, layout, before) or _opened(event, seat) or _shown(event, layout)
        if event.kind == "tell" and event.known:
            found = found or ("told", f"{_viewers(layout, event.known)} learned something")
        if found is not None:
            return Barrier(number, program.clauses[event.clause].id, *found)
    if before.shuffles != after.shuffles or before.picks != after.picks:
        clause = events[-1].clause if events else match.replies[number].setting.clause
        return Barrier(number, program.clauses[clause].id, "luck", "luck has had a say")
    return _told(match, number, before, after, events)


def _luck(event: Event, layout: Layout, before: State) -> tuple[str, str] | None:
    if event.kind == "chance":
        return "luck", "luck has picked something"
    if event.kind == "shuffle":
        return "luck", "something was shuffled"
    if event.kind == "move":
        piece, origin, _, _ = event.data
        under, loose = before.loose.get(origin, (0, 0))
        held = before.contents.get(origin, ())
        if piece in held[under : under + loose] and loose > 1:
            return "luck", f"{_what(layout, piece)} was drawn by luck"
    return None


def _opened(event: Event, seat: int | None) -> tuple[str, str] | None:
    if event.kind == "choose" and event.seat != seat:
        return "opened", "the secret answers were opened"
    return None


def _shown(event: Event, layout: Layout) -> tuple[str, str] | None:
    """Whether a piece has come into the sight of somebody to whom it could have been another."""
    if event.kind != "move":
        return None
    piece, origin, to, _ = event.data
    new = layout.seen[to] & ~layout.seen[origin]
    if not new or _all_alike(layout, piece):
        return None
    return "shown", f"{_what(layout, piece)} was shown to {_viewers(layout, new)}"


def _all_alike(layout: Layout, piece: int) -> bool:
    looks = {layout.alike[each] for each in layout.pieces_of[layout.piece_type[piece]]}
    return len(looks) == 1


def _what(layout: Layout, piece: int) -> str:
    name = layout.called(layout.program.pieces[layout.piece_type[piece]].name, "piece", "en")
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def _viewers(layout: Layout, known: int) -> str:
    if known == layout.everyone:
        return "everyone"
    names = [layout.name(PLAYER, seat, "en") for seat in layout.seats if known >> seat & 1]
    if len(names) >= layout.players - 1 > 1:
        return "the others"
    return " and ".join(names) or ONLOOKERS


# ---------------------------------------------------------------- what somebody was told


def _told(
    match: Match, number: int, before: State, after: State, events: Sequence[Event]
) -> Barrier | None:
    layout = match.machine.layout
    if not events:
        return None
    clause = match.program.clauses[events[-1].clause].id
    events = [replace(event, number=at) for at, event in enumerate(events)]
    for viewer in layout.seats:
        if not _hidden_from(layout, before, viewer):
            continue
        known = view_of(match.machine, before, viewer)
        seen = view_of(match.machine, after, viewer, events)
        if any(_differs(match, number, known, seen, luck) for luck in range(TRIES)):
            name = layout.name(PLAYER, viewer, "en")
            reason = f"what followed told {name} something that was hidden"
            return Barrier(number, clause, "told", reason)
    return None


def _hidden_from(layout: Layout, state: State, viewer: int) -> bool:
    """Whether there is anything that a viewer does not know."""
    program = layout.program
    if any(marker.seen_by != "everyone" for marker in program.markers) or state.secret:
        return True
    if any(each.seen_by != "everyone" for piece in program.pieces for each in piece.states):
        return True
    unseen: dict[int, set[int]] = {}
    for place, held in state.contents.items():
        if not layout.sees(layout.count_seen[place], viewer):
            return True
        if not layout.sees(layout.seen[place], viewer):
            family = layout.place_family[place]
            unseen.setdefault(program.families[family].holds, set()).update(
                layout.alike[piece] for piece in held
            )
    return any(len(looks) > 1 for looks in unseen.values())


def _differs(match: Match, number: int, known: View, seen: View, luck: int) -> bool:
    """Whether a viewer would have seen something else, had what he cannot see been otherwise."""
    option = match.replies[number]
    try:
        world = imagine(known, combine(word_of("undo"), known.steps, luck) >> 1)
        asked = next((each for each in world.decisions if each.seat == option.setting.seat), None)
        offered = () if asked is None else asked.options
        same = next((each for each in offered if each.text == option.text), None)
        if same is None:
            return False
        world.choose(same, seat=option.setting.seat)
    except RuleFault:
        return False
    return view_of(match.machine, world.state, known.seat, world.events) != seen
