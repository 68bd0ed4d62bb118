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

    secret      others are asked as well, and it is nobody's business who of them has answered

What a seat is told of its barriers is worked out from what the seat itself knows. A barrier that
was read off the real situation would tell, by its clause or by being there at all, what was done in
secret. So the situation before the reply is imagined anew a number of times from what the seat knew
(see `view`), and the same reply is given in each of these worlds. There is a barrier if one is met
in any of them, or if the seat sees something else there than it really saw. The clause that is
named is that of an event which the seat knows of.

In each of these worlds it is tried out whether another viewer was told something: the situation is
imagined once more from what that viewer knew, and what he then sees is compared. Where a reply
tells a viewer one bit or more, each try finds out with a chance of at least a half, so a dozen
tries miss it once in four thousand times.

`free` lifts all barriers, for somebody who plays alone: going back before the own last reply then
takes back what the others answered to it, too.

Situations are worked out anew from the first one (see `Match.state_after`) rather than kept. For
a game of 150 replies that takes five milliseconds, and costs nothing to those who never go back;
keeping a copy for each reply would take a megabyte a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import Option
from lawspeaker.match.determinization import unseen
from lawspeaker.match.events import Event, known_to
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.view import view_of
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
            if len(replies) - number <= len(match.state.secret):
                kind = "secret"
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
        known[number] = option, _barrier(match, number)
    return known[number][1]


@dataclass(frozen=True, slots=True)
class _Given:
    """A reply in a world: the situation before it, the one after it, and what happened."""

    before: State
    after: State
    events: Sequence[Event]


def _barrier(match: Match, number: int) -> Barrier | None:
    """What stands between a reply and the situation before it, as far as its seat can know."""
    machine, option, events = match.machine, match.replies[number], match.events_of(number)
    if not events:  # The reply waits for those of others, and nobody knows it yet.
        return None
    seat, clauses = option.setting.seat, match.program.clauses
    told = known_to(machine, events, seat)
    last = told[-1].clause if told else option.setting.clause
    before, after = match.state_after(number), match.state_after(number + 1)
    real = _Given(before, after, [replace(each, number=at) for at, each in enumerate(events)])
    for event in told:
        # A piece that the seat does not see may be any; of all else it knows what it is.
        seen_kind = None if event.kind == "move" else _kind(event, machine.layout, before, seat)
        if seen_kind is not None:
            return Barrier(number, clauses[event.clause].id, seen_kind)
    known = view_of(machine, before, seat)
    if not unseen(known).open:  # the seat knows the real world
        worlds, tries = iter((real,)), TRIES
    else:
        worlds, tries = _imagined(match, number, before, seat, range(TRIES)), 1
    seen = view_of(machine, after, seat, real.events)
    any_world = False
    for at, world in enumerate(worlds):
        any_world = True
        found = _happened(match, world, seat)
        if found is not None:
            clause, kind = found
            return Barrier(number, clauses[last if clause is None else clause].id, kind)
        differs = view_of(machine, world.after, seat, world.events) != seen
        if differs or _tells_others(match, number, world, range(at, at + tries)):
            return Barrier(number, clauses[last].id, "told")
    return None if any_world else Barrier(number, clauses[last].id, "told")


def _happened(match: Match, world: _Given, seat: int | None) -> tuple[int | None, str] | None:
    """The kind of the first barrier among what happened in a world, with the clause that raised it
    if the seat would know of that."""
    machine = match.machine
    for event in world.events:
        kind = _kind(event, machine.layout, world.before, seat)
        if kind is not None:
            return event.clause if known_to(machine, (event,), seat) else None, kind
    before, after = world.before, world.after
    if before.shuffles != after.shuffles or before.picks != after.picks:
        return None, "luck"
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


# ---------------------------------------------------------------- worlds that are imagined


def _tells_others(match: Match, number: int, world: _Given, tries: range) -> bool:
    """Whether what followed in a world told another viewer something that was hidden from him: he
    would have seen something else, had what he cannot see been otherwise."""
    machine, seat = match.machine, match.replies[number].setting.seat
    for viewer in machine.layout.seats:
        if viewer == seat or not unseen(view_of(machine, world.before, viewer)).open:
            continue
        seen = view_of(machine, world.after, viewer, world.events)
        for other in _imagined(match, number, world.before, viewer, tries):
            if view_of(machine, other.after, viewer, other.events) != seen:
                return True
    return False


def _imagined(
    match: Match, number: int, state: State, viewer: int | None, tries: range
) -> Iterator[_Given]:
    """Worlds that agree with what a viewer knew of a situation, each with the same reply given
    there; what the rules never come to is left out."""
    option = match.replies[number]
    known = view_of(match.machine, state, viewer)
    for luck in tries:
        try:
            world = imagine(known, combine(word_of("undo"), number, luck))
            before = world.state.copy()
            asked = next(
                (each for each in world.decisions if each.seat == option.setting.seat), None
            )
            offered = () if asked is None else asked.options
            same = next((each for each in offered if each.text == option.text), None)
            if same is None:
                continue
            world.choose(same, seat=option.setting.seat)
        except RuleFault:
            continue
        yield _Given(before, world.state, world.events)
