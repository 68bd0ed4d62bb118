"""Bots that play imagined matches to their end, inside the compiled machine.

Options are tried in worlds that agree with what its seat sees (see `trials.py`). Those that do
worse are dropped by halves as the effort is spent, so that most of it goes to the best.

How the others go on tells the bots apart. In `flat` everyone takes any option. In `mc` everyone
soon has habits: of a few options that come to his mind he takes the one that did best for whoever
took it so far (see `compiled/playouts/habits`). `tree` remembers what came of replies one after
the other, and lets everyone prefer those that did well for him: a tree of replies grows where the
playouts go (see `compiled/playouts/search`). It sees a trap that random players seldom walk
into, and pays for it with playouts that resemble each other.

With something learned (`learned+mc`, `learned+tree`) playouts go by it in the manner that did best
when it was learned (see `policies.Manner`): everyone plays by it, or a playout goes on only until
it is the bot's turn again, or points were made, and what is expected then stands for the rest of
the game. Or everyone has habits that were got in training, and nothing else was of use. As many
are tried as take the time of so many playouts of `mc`. What the policy likes counts until playouts
say otherwise: the fewer there are, the more. A game that is solved needs none: the plan says what
to do.

Rules that are too large for the compiled machine leave it nothing to look ahead with: then it
takes any option.

An option is worth the share of victories that follow it, and, since that is known only roughly,
also how far one is ahead then, as a part of the points that are made in the game at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, log, log2

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.runtime.tree import LEAF
from lawspeaker.machines.purpose import Purpose
from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.learned import planned
from lawspeaker.players.bots.policies import About, Policy, policy_for
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import Trial, Worlds
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.luck import Luck

FASTER = 8
"""With a clock, the next call plays at most so many times as much as the last one."""
NARROWEST, UNLIKELY = 4, 0.1
"""So many options are tried at least, however little a policy likes them; of the others those that
it takes so many times as often as lots would do."""
SELDOM = 0.01
"""What a plan takes more seldom is not worth a thought."""


@dataclass(frozen=True, slots=True)
class Effort:
    """So many playouts for a choice; with a clock, at most so many seconds."""

    playouts: int
    seconds: float = 0.0
    clock: Callable[[], float] | None = None

    def by(self, about: About) -> Effort:
        """The same for one who has learned something, in tries of his manner."""
        return self if self.clock else replace(self, playouts=about.tries(self.playouts))


class Spending:
    """How much of an effort is spent, as a part of it."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.part = 0.0
        self.tries = 0
        self._began = 0.0 if effort.clock is None else effort.clock()
        self._next = 1.0

    def playouts(self, until: float) -> int:
        """How many playouts, as far as can be told, lead to a part of the effort. With a clock it
        is felt out first how long they take."""
        if self.effort.clock is None:
            return ceil(until * self.effort.playouts) - self.tries
        return int(min(self._next, self.tries / max(self.part, 1e-9) * (until - self.part)))

    def add(self, playouts: int) -> None:
        effort = self.effort
        self.tries += playouts
        self._next = FASTER * playouts
        self.part = self.tries / effort.playouts
        if effort.clock is not None:
            self.part = max(self.part, (effort.clock() - self._began) / effort.seconds)


class MonteCarloBot:
    def __init__(self, name: str, seed: int, effort: Effort, file: str | None = None) -> None:
        """`file`: everyone plays by what was learned, there or in the usual place, in playouts."""
        self.name = name
        self.file = file
        self.luck = Luck(seed).stream("monte carlo")
        self.effort = effort
        self.tries = self.choices = 0
        """How many tries for how many choices there were so far."""

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
            about = replace(policy.about, manner="guided", pace=1.0, start=0.0)
            policy = replace(policy, about=about)
        try:
            return sorted(self._tried(view, policy, trials), key=worth, reverse=True)
        except (TooLargeToCompile, OutOfRoom):
            return []

    def _policy(self, view: View) -> Policy | None:
        """What was learned, if it plays by that. Raises NothingLearned."""
        if self.file is None:
            return None
        policy = policy_for(view.program, view.layout.players, self.file)
        return None if policy.manner.blank and not policy.about.solved else policy

    def _worlds(self, view: View, policy: Policy | None) -> Worlds:
        deep = self.name == "tree"
        if policy is None:
            return Worlds(view, deep=deep, habits=self.name == "mc")
        manner = policy.manner
        habits = policy.habits if policy.is_of(view.program, view.layout.players) else b""
        deep = deep or manner.deep
        turns = manner.turns
        if turns == LEAF and len(view.layout.sides) > 2:
            turns = 1  # what one expects does not tell how the others share the rest
        return Worlds(
            view,
            deep=deep,
            habits=not (deep or manner.guided),
            practice=habits,
            policy=policy,
            guided=manner.guided,
            turns=turns,
        )

    def _tried(self, view: View, policy: Policy | None, alive: list[Trial]) -> list[Trial]:
        """The options that are left when the effort is spent."""
        # First, since it may have to be compiled: what a clock counts is thinking.
        playing_instance(view.program, view.layout.players, Purpose(guided=policy is not None))
        effort = self.effort
        if policy is not None:
            effort = effort.by(policy.about)
        spending = Spending(effort)
        worlds = self._worlds(view, policy)
        if policy is not None:
            alive = _prepared(worlds, policy, alive, effort.playouts)
        if len(alive) > effort.playouts or effort.clock:
            alive = self._afforded(alive, worlds, spending)
        halvings = max(1, ceil(log2(len(alive))))
        for halved in range(halvings):
            if halved:
                alive = sorted(alive, key=worth, reverse=True)[: (len(alive) + 1) // 2]
            until = (halved + 1) / halvings
            while spending.part < until:
                rounds = max(1, ceil(spending.playouts(until) / len(alive)))
                played = worlds.play(alive, self.luck.word(), rounds)
                spending.add(played * len(alive))
        self.tries += spending.tries
        self.choices += 1
        return alive

    def _afforded(self, trials: list[Trial], worlds: Worlds, spending: Spending) -> list[Trial]:
        """As many as there can be a try of each, drawn by lot; with a clock they are tried one
        after the other to find out, all with the same luck."""
        lots, word = self.luck.shuffled(trials), self.luck.word()
        if spending.effort.clock is None:
            return lots[: spending.effort.playouts]
        tried = 0
        while tried < len(lots) and spending.part < 1.0:
            some = lots[tried : tried + max(1, spending.playouts(1.0))]
            spending.add(len(some) * worlds.play(some, word, 1))
            tried += len(some)
        return lots[:tried]


def _prepared(worlds: Worlds, policy: Policy, trials: list[Trial], effort: int) -> list[Trial]:
    """Those that are worth the effort, and what is to count in them, by what was learned."""
    manner = policy.manner
    for trial in trials:
        trial.lead = manner.lead
        trial.point = abs(policy.point) if manner.turns else 0.0
    if not manner.trust:
        return trials
    for trial, liked in zip(trials, worlds.likings(policy, len(trials)), strict=True):
        trial.liked = manner.trust * liked
    return _worth_a_try(trials, manner.trust, effort)


def _worth_a_try(trials: list[Trial], trust: float, effort: int) -> list[Trial]:
    """Those that a policy does not think hopeless, before anything is tried; no more than there
    can be two tries of each."""
    liked = sorted(trials, key=lambda trial: trial.liked, reverse=True)
    least = log(UNLIKELY / len(trials)) * trust
    few = [each for at, each in enumerate(liked) if at < NARROWEST or each.liked > least]
    return few[: max(1, effort // 2)]


def worth(trial: Trial) -> float:
    """Points count by their usual size, so that no game needs to say how many are many. What is
    liked counts once, and less and less as playouts come in."""
    if not trial.playouts:
        return 0.0
    point = trial.point or 1 / (1 + trial.points / max(1, trial.counted))
    ahead = trial.lead * trial.ahead * point
    return (trial.wins + ahead + trial.expected + trial.liked) / trial.playouts
