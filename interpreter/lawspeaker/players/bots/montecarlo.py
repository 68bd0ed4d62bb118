"""Bots that play imagined matches to their end, inside the compiled machine.

Options are tried in worlds that agree with what its seat sees (see `trials.py`). Those that do
worse are dropped by halves as the effort is spent, so that most of it goes to the best.

How the others go on tells the bots apart. In `flat` everyone takes any option. In `mc` everyone
soon has habits: of a few options that come to his mind he takes the one that did best for whoever
took it so far (see `machines/compiled/habits.py`). `tree` remembers what came of replies one after
the other, and lets everyone prefer those that did well for him: a tree of replies grows where the
playouts go (see `machines/compiled/search.py`). It sees a trap that random players seldom walk
into, and pays for it with playouts that resemble each other.

With something learned (`learned+mc`, `learned+tree`) everyone plays by it in the playouts instead
of taking any option. Where that was found to be better, they go on only until it is the bot's turn
again: what it has learned to expect then stands for the rest of the game, and many more of them are
played in the same time. What the policy likes counts until playouts say otherwise: the fewer there
are, the more. A game that is solved needs no playouts: the plan says what to do.

Rules that are too large for the compiled machine leave it nothing to look ahead with: then it
takes any option.

An option is worth the share of victories that follow it, and, since that is known only roughly,
also how far one is ahead then, as a part of the points that are made in the game at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, log2

from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.learned import planned
from lawspeaker.players.bots.policies import Policy, policy_for
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import Trial, Worlds
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.luck import Luck

FASTER = 8
"""With a clock, the next call plays at most so many times as much as the last one."""
SELDOM = 0.01
"""What a plan takes more seldom is not worth a thought."""


@dataclass(frozen=True, slots=True)
class Effort:
    """So many playouts for a choice; with a clock, at most so many seconds."""

    playouts: int
    seconds: float = 0.0
    clock: Callable[[], float] | None = None


class Spending:
    """How much of an effort is spent, as a part of it."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.part = 0.0
        self._playouts = 0
        self._began = 0.0 if effort.clock is None else effort.clock()
        self._next = 1.0

    def playouts(self, until: float) -> int:
        """How many playouts, as far as can be told, lead to a part of the effort. With a clock it
        is felt out first how long they take."""
        if self.effort.clock is None:
            return ceil(until * self.effort.playouts) - self._playouts
        return int(min(self._next, self._playouts / max(self.part, 1e-9) * (until - self.part)))

    def add(self, playouts: int) -> None:
        effort = self.effort
        self._playouts += playouts
        self._next = FASTER * playouts
        self.part = self._playouts / effort.playouts
        if effort.clock is not None:
            self.part = max(self.part, (effort.clock() - self._began) / effort.seconds)


class MonteCarloBot:
    def __init__(self, name: str, seed: int, effort: Effort, file: str | None = None) -> None:
        """`file`: everyone plays by what was learned, there or in the usual place, in playouts."""
        self.name = name
        self.file = file
        self.luck = Luck(seed).stream("monte carlo")
        self.effort = effort

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        policy = self._policy(view)
        if policy is not None and policy.about.solved:
            return planned(policy, view, self.luck)
        try:
            alive = self._tried(view, policy, [Trial(number) for number in range(len(options))])
        except (TooLargeToCompile, OutOfRoom):
            return self.luck.choose(options)
        best = max(map(worth, alive))
        equals = [options[trial.option] for trial in alive if worth(trial) == best]
        return self.luck.choose(equals)

    def weighed(self, view: View) -> list[Trial]:
        """The options that are left when the effort is spent, tried in the same worlds to the end
        of the game, the best first; none where nothing can be imagined. In a game that is solved
        only those are tried that the plan takes."""
        options, policy = options_of(view), self._policy(view)
        trials = [Trial(number) for number in range(len(options))]
        if policy is not None and policy.about.solved:
            planned = policy.chances(view)
            good = [each for each in trials if planned.get(options[each.option].text, 0.0) > SELDOM]
            policy, trials = None, good or trials
        elif policy is not None:
            policy = replace(policy, about=replace(policy.about, breaks_off=False))
        try:
            return sorted(self._tried(view, policy, trials), key=worth, reverse=True)
        except (TooLargeToCompile, OutOfRoom):
            return []

    def _policy(self, view: View) -> Policy | None:
        """What was learned, if it plays by that. Raises NothingLearned."""
        if self.file is None:
            return None
        return policy_for(view.program, view.layout.players, self.file)

    def _worlds(self, view: View, policy: Policy | None) -> Worlds:
        deep = self.name == "tree"
        if policy is None:
            return Worlds(view, deep=deep, habits=self.name == "mc")
        return Worlds(view, deep=deep, policy=policy, turns=int(policy.about.breaks_off))

    def _tried(self, view: View, policy: Policy | None, alive: list[Trial]) -> list[Trial]:
        """The options that are left when the effort is spent."""
        worlds = self._worlds(view, policy)  # first: what a clock counts is thinking
        spending = Spending(self.effort)
        if policy is not None:
            for trial, liked in zip(alive, worlds.likings(policy, len(alive)), strict=True):
                trial.liked = liked
        halvings = max(1, ceil(log2(len(alive))))
        for halved in range(halvings):
            if halved:
                alive = sorted(alive, key=worth, reverse=True)[: (len(alive) + 1) // 2]
            until = (halved + 1) / halvings
            while spending.part < until:
                rounds = max(1, ceil(spending.playouts(until) / len(alive)))
                played = worlds.play(alive, self.luck.word(), rounds)
                spending.add(played * len(alive))
        return alive


def worth(trial: Trial) -> float:
    """Points count by their usual size, so that no game needs to say how many are many. What is
    liked counts once, and less and less as playouts come in."""
    if not trial.playouts:
        return 0.0
    usual = 1 + trial.points / max(1, trial.ended)
    return (trial.wins + trial.ahead / usual + trial.expected + trial.liked) / trial.playouts
