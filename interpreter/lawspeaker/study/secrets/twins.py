"""Twins: two games that differ only in what a seat cannot know, played on in step.

Twins come about in two ways. At any question, and wherever luck has a say, all that a seat does not
see can be dealt anew (see `match.determinization`): then both games stand before the seat's eyes in
the same way. Or a game is begun with other luck, and they are twins until the seat is told
something by it.

They go on in step. The seat's own question must be the same in both, and it answers the same.
Another player chooses freely in one game; in the other he takes what looks the same to the seat, if
there is such a thing: numbers, words, players and places are the same, and of pieces that the seat
does not see only their number and place, and where in a row they lie of which it knows some. Luck
is the same in both, or another; both are tried.

A fault of the rules stops the table, and everybody sees that. So an answer that faults in one game
must fault in the other, unless a deed has told them apart before. A world that was dealt anew may
be one that the rules never come to: if it alone faults, that says nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from lawspeaker.ir.types import PieceType
from lawspeaker.machines.reference import RuleFault
from lawspeaker.machines.reference.machine import blank_state
from lawspeaker.match.decision import Decision, Option, telling
from lawspeaker.match.determinization import dealt, imagined, unseen
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.match.view import view_of
from lawspeaker.position.luck import Luck, Stream
from lawspeaker.position.state import State
from lawspeaker.study.secrets.deeds import Deed, Eyes, Seat, parting

SAME_WORDS = 4
"""Another player's choice says the same in both games so often, and once it only looks the same."""


class NoTwin(Exception):
    """No other world was found that a seat cannot tell from the one there is."""


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
    """Two matches, and the eyes that look at them. `same_luck`: luck has the same seed in both;
    `real`: the second one was begun as a game is, and not dealt anew; `apart`: these seats have
    answered otherwise in secret, and the answers are not opened yet; `opened`: answers were opened
    that differ."""

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
        """Whether the twins can be told apart by what faults in the one and in the other."""
        return one != two and (one or self.real)

    def opens(self, *several: Sequence[Event]) -> bool:
        """Whether something that has happened opens an answer that differs. Of the answers to a
        question for the first who acts, only his is opened."""
        return any(
            each.kind == "choose" and each.seat in self.apart
            for events in several
            for each in events
        )


def dealt_anew(match: Match, seat: Seat, seed: int, same_luck: bool) -> Twins:
    """The match as it stands, and another that looks the same to a seat; raises NoTwin."""
    view = view_of(match.machine, match.state, seat, whole=True)
    pending = match.state.pending
    lucky = pending is not None and pending[0] == "chance"
    try:
        if lucky:
            state = dealt(view, unseen(view), Luck(seed).stream("imagine"))
            state.seed, state.pending = seed, pending
        else:
            state = imagined(view, seed)
    except RuleFault:
        raise NoTwin from None
    if same_luck:
        state.seed = match.state.seed
    if standing(state) != standing(match.state):
        raise NoTwin
    return _followed(match, state, seat, same_luck)


def _followed(match: Match, state: State, seat: Seat, same_luck: bool) -> Twins:
    """Twins from a match and another state; where luck has a say, it has it in both."""
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
    """Whom the game waits for, and where in the rules."""
    return state.pending, [(frame.clause, frame.pc) for frame in state.stack]


def begun_anew(one: Match, two: Match, seat: Seat) -> Twins:
    """Two matches that have just begun, with other luck."""
    start = blank_state(one.machine.layout)
    return Twins(seat, one, two, (Eyes(one, seat, start), Eyes(two, seat, start)), False, real=True)


# ---------------------------------------------------------------- going on


def some_option(options: Sequence[Option], luck: Stream) -> Option:
    """Any option; every second time one of those that take most."""
    if luck.below(2):
        return luck.choose(options)
    return max(luck.shuffled(options), key=_taken)


def _taken(option: Option) -> int:
    if option.alternative is None:
        return -1
    pairs = zip(option.alternative.parts, option.values, strict=True)
    return sum(len(value) if part.several else 1 for part, value in pairs)


def go_on(twins: Twins, luck: Stream) -> bool:
    """Answers a question in both games, so that it looks the same to the seat that looks on.

    False when that cannot be, or when nobody is asked. Raises Faults.
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
    if len(asked) == 1:  # the last one who is asked
        news = (each.events[at:] for each, at in zip(twins.both, numbers, strict=True))
        twins.opened, twins.apart = twins.opens(*news), frozenset()
    return True


def told_before(twins: Twins, one: Option, two: Option) -> bool:
    """Whether a deed tells the twins apart before an answer faults in one of them, or the answer
    opens others that differ. Then the fault says nothing more."""
    seed = twins.one.state.seed
    found = []
    for match, eyes, option in zip(twins.both, twins.eyes, (one, two), strict=True):
        events, faults = _until_fault(match, option, seed)
        if twins.opens(events):
            return True
        found.append((eyes.known(events), faults))
    (mine, first), (theirs, _) = found
    faulting, other = (mine, theirs) if first else (theirs, mine)
    same = len(faulting) <= len(other) and all(map(Deed.same_as, faulting, other))
    parted = None if same else parting(mine, theirs, same_luck=True)
    return parted is not None and parted.told


def _until_fault(match: Match, option: Option, seed: int) -> tuple[list[Event], bool]:
    """What an answer brings about, until the rules fault if they do, and whether they do."""
    again = Match.from_state(match.program, match.state)  # by the reference machine
    again.state.seed = seed
    reached = again.state
    try:
        again.choose(option.text, seat=option.seat)
    except RuleFault:
        notes = reached.journal  # What was done is taken back, but still noted there.
        return [Event(at, note[1], note[0], *note[2:]) for at, note in enumerate(notes)], True
    return again.events, False


def own_answers(twins: Twins, most: int) -> list[tuple[Option, Option]]:
    """Some answers of the seat to its own question, as it may give them in either game."""
    mine, theirs = (_asked(match, twins.seat, twins.seat) for match in twins.both)
    if twins.seat is None or mine is None or theirs is None:
        return []
    pairs = list(zip(mine.options, theirs.options, strict=False))
    return pairs[:: -(-len(pairs) // most) or 1]


def faulting(both: tuple[Match, Match], one: Option, two: Option) -> tuple[bool, bool]:
    """Whether an answer faults in each of two games, which stay as they are. What luck still brings
    is the same in both, so that it makes no difference."""
    seed = both[0].state.seed
    return _faults(both[0], one, seed), _faults(both[1], two, seed)


def _faults(match: Match, option: Option, seed: int) -> bool:
    again = match.copy()
    again.state.seed = seed
    try:
        again.choose(option.text, seat=option.seat)
        _ = again.decisions  # A fault in the next question is one of this answer.
    except RuleFault:
        return True
    return False


def _asked(match: Match, seat: Seat, viewer: Seat) -> Decision | None:
    """What a seat is asked; to the one that looks on, as it is shown."""
    if seat == viewer:
        return match.view(seat).decision
    return next((each for each in match.decisions if each.seat == seat), None)


def _looking_the_same(twins: Twins, option: Option, asked: Decision, luck: Stream) -> Option | None:
    """What another player may choose instead, as far as the seat can see."""
    one, two = twins.eyes
    wanted = looks(one, option)
    if asked.kind == "together" and not luck.below(SAME_WORDS):
        # What is answered in secret is not seen before all have answered.
        other = luck.choose(asked.options)
        if looks(two, other) != wanted:
            twins.apart |= {asked.seat}
        return other
    same = [each for each in asked.options if looks(two, each) == wanted]
    if not same:
        return None
    worded = [each for each in same if each.text == option.text]
    return luck.choose(worded if worded and luck.below(SAME_WORDS) else same)


def looks(eyes: Eyes, option: Option) -> Hashable:
    """All that a seat may know of another's choice."""
    setting = option.setting
    told: list[Hashable] = [option.reply[0]]
    parts = () if option.alternative is None else option.alternative.parts
    for part, value in zip(parts, option.values, strict=True):
        of, how = part.binder.type, telling(eyes.layout, part)
        members = []
        for member in value if part.several else (value,):
            place = eyes.where[member] if isinstance(of, PieceType) else None
            if place is not None and not eyes.sees(place):
                members.append((place, eyes.followed(member), eyes.showing(member, place)))
            else:
                members.append((place or 0, 0, setting.thing(of, member, how, None)))
        told.append(tuple(sorted(members)))
    return tuple(told)
