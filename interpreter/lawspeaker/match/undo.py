"""Takes back replies, as far as that reveals nothing and hurts nobody.

Games declare nothing about undo; it follows from the rules. A seat may take back its last replies
up to the point where another seat has answered, chance was involved, or hidden information was
revealed. Each of these is a barrier, and names the clause that raised it:

    answered  the reply is another seat's
    luck      something was shuffled, picked at random, or drawn by chance
    opened    the secret answers of others were opened
    shown     a piece went from where somebody could not see it to where he can
    told      a rule has told somebody something, or somebody's view changed in a way that depends
              on what he cannot see: points that depend on a hidden card, or a question that is
              only asked of those who hold one
    secret    others are asked as well, and it is secret who of them has answered

Barriers are computed from the seat's own knowledge only: a barrier computed from the true state
could leak hidden information, by its clause or its existence. So the state before the reply is
determinized several times from what the seat knew (see `view`), and the reply is repeated in
each. There is a barrier if any determinization has one, or if the seat sees something different
there than in reality. The named clause is that of an event which the seat knows of.

In each determinization a second one, from another viewer's knowledge, tests whether that viewer
was told something: his resulting views are compared. If a reply tells a viewer one bit or more,
each test detects it with probability at least a half, so a dozen miss it once in four thousand
times.

`free` lifts all barriers, for somebody who plays alone: undoing one's last reply then undoes the
others' answers to it, too.

States are recomputed from the first one (see `Match.state_after`) instead of stored. For a game
of 150 replies that takes five milliseconds, and only for those who undo; a copy for each reply
would take a megabyte per match.
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
from lawspeaker.position.rng import combine, word_of
from lawspeaker.position.state import State

TRIES = 12


@dataclass(frozen=True, slots=True)
class Barrier:
    """Why a reply (counted from 0) cannot be taken back: the clause, and the kind of barrier."""

    reply: int
    clause: str
    kind: str


class Barred(Exception):
    """The replies cannot be taken back; the match is unchanged."""


def steps_back(match: Match, seat: int, free: bool = False) -> int:
    """Number of last replies that a seat may take back now."""
    if free:
        return sum(option.setting.seat == seat for option in match.replies)
    count, _ = _looked_back(match, seat)
    return count


def barrier(match: Match, seat: int, free: bool = False) -> Barrier | None:
    """The barrier that limits undo for a seat; None if it has no earlier reply."""
    found = None if free else _looked_back(match, seat)[1]
    if found is None:
        return None
    before = match.replies[: found.reply + 1]
    return found if any(option.setting.seat == seat for option in before) else None


def take_back(match: Match, seat: int, steps: int = 1, free: bool = False) -> None:
    """Takes back the last replies of a seat. Raises Barred."""
    if steps < 1:
        raise ValueError("at least one reply is taken back")
    allowed = steps_back(match, seat, free)
    if steps > allowed:
        raise Barred(f"no more than {allowed} can be taken back: {barrier(match, seat, free)}")
    own = [at for at, option in enumerate(match.replies) if option.setting.seat == seat]
    match.rewind(own[-steps])


def _looked_back(match: Match, seat: int) -> tuple[int, Barrier | None]:
    """Number of replies up to the last barrier, and the barrier."""
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
    """The cached barrier of a reply, which never changes."""
    option = match.replies[number]
    known = _known.setdefault(match, {})
    if number not in known or known[number][0] is not option:
        known[number] = option, _barrier(match, number)
    return known[number][1]


@dataclass(frozen=True, slots=True)
class _Given:
    """A reply in a determinization: the states before and after, and the events."""

    before: State
    after: State
    events: Sequence[Event]


def _barrier(match: Match, number: int) -> Barrier | None:
    """The barrier of a reply, as far as its seat can know."""
    machine, option, events = match.machine, match.replies[number], match.events_of(number)
    if not events:  # A secret reply that waits for others.
        return None
    seat, clauses = option.setting.seat, match.program.clauses
    told = known_to(machine, events, seat)
    last = told[-1].clause if told else option.setting.clause
    before, after = match.state_after(number), match.state_after(number + 1)
    real = _Given(before, after, [replace(each, number=at) for at, each in enumerate(events)])
    for event in told:
        # An unseen piece may be any; all else is known.
        seen_kind = None if event.kind == "move" else _kind(event, machine.layout, before, seat)
        if seen_kind is not None:
            return Barrier(number, clauses[event.clause].id, seen_kind)
    known = view_of(machine, before, seat)
    if not unseen(known).open:  # perfect information
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
    """The first barrier among the events of a determinization.

    Includes the clause that raised it if the seat would know of that.
    """
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
    """The kind of barrier that an event is, if any."""
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


# ---------------------------------------------------------------- determinizations


def _tells_others(match: Match, number: int, world: _Given, tries: range) -> bool:
    """Whether the reply told another viewer something hidden: his view depends on what he cannot
    see.
    """
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
    """Yields determinizations of a viewer's knowledge with the same reply applied.

    Those in which the reply is illegal or the rules fault are skipped.
    """
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
