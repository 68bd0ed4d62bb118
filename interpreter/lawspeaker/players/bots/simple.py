"""Bots that need no more than the reference machine.

`random` takes any option. `greedy` tries each of its options once in a few imagined matches that
agree with what it sees, lets everyone play on at random for a short while, and takes the option
after which it leads by most. All options are tried in the same imagined matches and with the same
luck, so that they are compared fairly. It knows nothing of any game.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match, RuleFault, imagine
from lawspeaker.match.view import View
from lawspeaker.position.luck import Luck, Stream
from lawspeaker.position.standing import ahead

WORLDS = 2
AHEAD = 12
MOST_TRIED = 24


class Bot(Protocol):
    name: str

    def choose(self, view: View) -> Option:
        """One of the options the view's seat is offered."""
        ...


def options_of(view: View) -> Sequence[Option]:
    if view.decision is None:
        raise ValueError("this seat is not asked anything")
    return view.decision.options


class RandomBot:
    name = "random"

    def __init__(self, seed: int) -> None:
        self.luck = Luck(seed).stream("random")

    def choose(self, view: View) -> Option:
        return self.pick(options_of(view))

    def pick(self, options: Sequence[Option]) -> Option:
        return self.luck.choose(options)


class GreedyBot:
    name = "greedy"

    def __init__(self, seed: int, worlds: int = WORLDS, ahead: int = AHEAD) -> None:
        self.luck = Luck(seed).stream("greedy")
        self.worlds = worlds
        self.ahead = ahead

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        if len(options) > MOST_TRIED:
            options = self.luck.shuffled(options)[:MOST_TRIED]
        seat = view.seat
        assert seat is not None
        leads = [0] * len(options)
        for _ in range(self.worlds):
            seed = self.luck.word()
            world = imagine(view, seed)
            for at, option in enumerate(options):
                match = world.copy()
                # What a seat cannot see is imagined freely, so a world may be one that the rules
                # never come to and have no answer for. It counts as far as it went.
                with suppress(RuleFault):
                    match.choose(option, seat=seat)
                    play_on(match, Stream(seed), self.ahead)
                leads[at] += lead(match, seat)
        best = max(leads)
        equals = [each for each, led in zip(options, leads, strict=True) if led == best]
        return self.luck.choose(equals)


def play_on(match: Match, luck: Stream, replies: int) -> None:
    """Lets everyone take any option, for so many replies or to the end."""
    for _ in range(replies):
        decision = match.decision
        if decision is None:
            return
        match.choose(luck.choose(decision.options), seat=decision.seat)


def lead(match: Match, seat: int) -> int:
    """How far a seat's side is ahead of the others together; at the end, winning counts most."""
    led = ahead(match.machine.layout, match.scores, seat)
    if match.finished:
        led += 1000 if seat in match.winners else -1000
    return led
