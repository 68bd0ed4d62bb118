"""Twins: two games that differ only in what a seat cannot know, continued in lockstep.

There are two sources of twins. At any question or chance event, everything hidden from a seat can
be resampled (see `match.determinization`): then both games look equal to the seat. Or a game is
started with another seed, and they are twins until chance reveals something to the seat.

In lockstep, the seat's own question must be equal in both, and it answers equally. Another player
chooses freely in one game; in the other he takes an option that looks the same to the seat, if
there is one: equal numbers, words, players and places, and for pieces that the seat does not see
only their number and place, and their position in a partly known row. The seed is the same in
both, or different; both are tested.

Everybody sees that a fault of the rules stops the table. So an answer that faults in one game
must fault in the other, unless an event has distinguished them before. A determinization may be
unreachable: a fault in it alone means nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from lawspeaker.ir.types import PieceType
from lawspeaker.machines.reference import RuleFault
from lawspeaker.machines.reference.machine import blank_state
from lawspeaker.match.decision import Decision, Option, distinguishing
from lawspeaker.match.determinization import dealt, determinized, unseen
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.match.view import view_of
from lawspeaker.position.rng import RngFactory, Stream
from lawspeaker.position.state import State
from lawspeaker.study.secrets.visible_events import Eyes, Seat, VisibleEvent, parting

SAME_WORDS = 4
"""One time in this many, another player's option only looks the same instead of having equal
text.
"""


class NoTwin(Exception):
    """No indistinguishable determinization was found."""


class Faults(Exception):
    """The rules fault at an answer, in one of the twins or in both."""

    def __init__(self, answer: Option, other: Option, one: bool, two: bool) -> None:
        super().__init__(answer.text, one, two)
        self.answer = answer
        self.other = other
        self.one = one
        self.two = two


@dataclass(slots=True)
class Twins:
    """Two matches with their observers.

    `same_luck`: both have the same seed; `real`: the second one was started as a game, not
    determinized; `apart`: seats whose pending secret answers differ; `opened`: differing answers
    were opened.
    """

    seat: Seat
    one: Match
    two: Match
    eyes: tuple[Eyes, Eyes]
    same_luck: bool
    real: bool = False
    apart: frozenset[Seat] = frozenset()
    opened: bool = False

    @property
    def both(self) -> tuple[Match, Match]:
        return self.one, self.two

    def told_by(self, one: bool, two: bool) -> bool:
        """Whether faults in the one and the other distinguish the twins."""
        return one != two and (one or self.real)

    def opens(self, *several: Sequence[Event]) -> bool:
        """Whether events open a differing answer.

        Of the answers to a question for the first who acts, only his is opened.
        """
        return any(
            each.kind == "choose" and each.seat in self.apart
            for events in several
            for each in events
        )


def dealt_anew(match: Match, seat: Seat, seed: int, same_luck: bool) -> Twins:
    """Twins from a match and a determinization of a seat's view; raises NoTwin."""
    view = view_of(match.machine, match.state, seat, whole=True)
    pending = match.state.pending
    lucky = pending is not None and pending[0] == "chance"
    try:
        if lucky:
            state = dealt(view, unseen(view), RngFactory(seed).stream("imagine"))
            state.seed, state.pending = seed, pending
        else:
            state = determinized(view, seed)
    except RuleFault:
        raise NoTwin from None
    if same_luck:
        state.seed = match.state.seed
    if standing(state) != standing(match.state):
        raise NoTwin
    return _followed(match, state, seat, same_luck)


def _followed(match: Match, state: State, seat: Seat, same_luck: bool) -> Twins:
    """Twins from a match and another state, with pending chance resolved in both."""
    one, two = (
        Match.from_state(match.program, each, machine=match.machine)
        for each in (match.state, state)
    )
    eyes = Eyes(one, seat, one.state), Eyes(two, seat, two.state)
    for each in (one, two):
        each.leave_to_luck()
        each.state.ask_chance = False
    return Twins(seat, one, two, eyes, same_luck)


def standing(state: State) -> object:
    """The pending question and the control stack."""
    return state.pending, [(frame.clause, frame.pc) for frame in state.stack]


def begun_anew(one: Match, two: Match, seat: Seat) -> Twins:
    """Twins from two matches that have just begun, with different seeds."""
    start = blank_state(one.machine.layout)
    return Twins(seat, one, two, (Eyes(one, seat, start), Eyes(two, seat, start)), False, real=True)


# ---------------------------------------------------------------- going on


def some_option(options: Sequence[Option], luck: Stream) -> Option:
    """A random option; every second time one with the most members."""
    if luck.below(2):
        return luck.choose(options)
    return max(luck.shuffled(options), key=_taken)


def _taken(option: Option) -> int:
    if option.alternative is None:
        return -1
    pairs = zip(option.alternative.parts, option.values, strict=True)
    return sum(len(value) if part.several else 1 for part, value in pairs)


def go_on(twins: Twins, luck: Stream) -> bool:
    """Answers a question in both games, so that it looks the same to the observing seat.

    False if that is impossible, or if nobody is asked. Raises Faults.
    """
    asked = twins.one.decisions
    if not asked:
        return False
    seat = luck.choose(asked).seat
    mine, theirs = (_asked(match, seat, twins.seat) for match in twins.both)
    if mine is None or theirs is None:
        return False
    option = some_option(mine.options, luck)
    if seat == twins.seat:
        other: Option | None = theirs.options[mine.options.index(option)]
    else:
        other = _looking_the_same(twins, option, theirs, luck)
    if other is None:
        return False
    before = twins.one.copy(), twins.two.copy()
    numbers = [len(match.events) for match in twins.both]
    try:
        twins.one.choose(option)
        twins.two.choose(other)
    except RuleFault:
        twins.one, twins.two = before
        raise Faults(option, other, *faulting(before, option, other)) from None
    if len(asked) == 1:  # the last pending answer
        news = (each.events[at:] for each, at in zip(twins.both, numbers, strict=True))
        twins.opened, twins.apart = twins.opens(*news), frozenset()
    return True


def distinguished_before(twins: Twins, one: Option, two: Option) -> bool:
    """Whether an event distinguishes the twins before an answer faults in one of them, or the
    answer opens differing ones. Then the fault reveals nothing more.
    """
    seed = twins.one.state.seed
    found = []
    for match, eyes, option in zip(twins.both, twins.eyes, (one, two), strict=True):
        events, faults = _until_fault(match, option, seed)
        if twins.opens(events):
            return True
        found.append((eyes.known(events), faults))
    (mine, first), (theirs, _) = found
    faulting, other = (mine, theirs) if first else (theirs, mine)
    same = len(faulting) <= len(other) and all(map(VisibleEvent.same_as, faulting, other))
    parted = None if same else parting(mine, theirs, same_luck=True)
    return parted is not None and parted.told


def _until_fault(match: Match, option: Option, seed: int) -> tuple[list[Event], bool]:
    """The events of an answer, up to a fault if there is one, and whether there is."""
    again = Match.from_state(match.program, match.state)  # by the reference machine
    again.state.seed = seed
    reached = again.state
    try:
        again.choose(option.text, seat=option.seat)
    except RuleFault:
        notes = reached.journal  # Effects are rolled back, but still in the journal.
        return [Event(at, note[1], note[0], *note[2:]) for at, note in enumerate(notes)], True
    return again.events, False


def own_answers(twins: Twins, most: int) -> list[tuple[Option, Option]]:
    """A sample of the seat's answers to its own question, paired between the games."""
    mine, theirs = (_asked(match, twins.seat, twins.seat) for match in twins.both)
    if twins.seat is None or mine is None or theirs is None:
        return []
    pairs = list(zip(mine.options, theirs.options, strict=False))
    return pairs[:: -(-len(pairs) // most) or 1]


def faulting(both: tuple[Match, Match], one: Option, two: Option) -> tuple[bool, bool]:
    """Whether an answer faults in each of two games, which stay unchanged; with the same seed in
    both.
    """
    seed = both[0].state.seed
    return _faults(both[0], one, seed), _faults(both[1], two, seed)


def _faults(match: Match, option: Option, seed: int) -> bool:
    again = match.copy()
    again.state.seed = seed
    try:
        again.choose(option.text, seat=option.seat)
        _ = again.decisions  # A fault while computing the next question counts.
    except RuleFault:
        return True
    return False


def _asked(match: Match, seat: Seat, viewer: Seat) -> Decision | None:
    """The question to a seat; for the observer, as it is shown."""
    if seat == viewer:
        return match.view(seat).decision
    return next((each for each in match.decisions if each.seat == seat), None)


def _looking_the_same(twins: Twins, option: Option, asked: Decision, luck: Stream) -> Option | None:
    """Another player's option that looks the same to the seat."""
    one, two = twins.eyes
    wanted = visible_choice(one, option)
    if asked.kind == "together" and not luck.below(SAME_WORDS):
        # Secret answers are invisible until all have answered.
        other = luck.choose(asked.options)
        if visible_choice(two, other) != wanted:
            twins.apart |= {asked.seat}
        return other
    same = [each for each in asked.options if visible_choice(two, each) == wanted]
    if not same:
        return None
    worded = [each for each in same if each.text == option.text]
    return luck.choose(worded if worded and luck.below(SAME_WORDS) else same)


def visible_choice(eyes: Eyes, option: Option) -> Hashable:
    """Everything a seat may know of another's choice."""
    setting = option.setting
    told: list[Hashable] = [option.reply[0]]
    parts = () if option.alternative is None else option.alternative.parts
    for part, value in zip(parts, option.values, strict=True):
        of, how = part.binder.type, distinguishing(eyes.layout, part)
        members = []
        for member in value if part.several else (value,):
            place = eyes.where[member] if isinstance(of, PieceType) else None
            if place is not None and not eyes.sees(place):
                members.append((place, eyes.followed(member), eyes.showing(member, place)))
            else:
                members.append((place or 0, 0, setting.thing(of, member, how, None)))
        told.append(tuple(sorted(members)))
    return tuple(told)
