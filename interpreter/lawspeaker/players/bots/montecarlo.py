"""Monte Carlo bots: playouts to the end of the game, inside the compiled machine.

Options are tried in determinizations of the view (see `trials.py`). The worse half is dropped
repeatedly as the effort is spent (sequential halving), so that most playouts go to the best.

The bots differ in the playout policy. `flat` plays uniformly at random. In `mc` players keep
statistics of replies (habits): of a few sampled options a player takes the one that did best so
far (see `compiled/playouts/playout_policy`). `tree` grows a search tree of replies, in which
everyone prefers those that did well for him (see `compiled/playouts/search`): it finds traps that
random players seldom enter, at the price of less diverse playouts.

With a policy (`learned+mc`, `learned+tree`) playouts use it in the manner that tested best in
training (see `policies.Manner`): everyone plays by it, or playouts are cut off at the bot's next
turn or after points were made and end with the value estimate. Or playouts start with trained
habits, if nothing else was of use. The number of playouts is scaled to take the time of that many
playouts of `mc`. The policy's preference acts as a prior, which weighs more the fewer playouts
there are. A solved game needs no playouts: the plan is followed.

If the rules are too large for the compiled machine the bot chooses at random.

The value of an option is its share of victories plus the average lead, as a part of the points
made in the game, because the share is noisy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, log, log2

from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.runtime.search_layout import LEAF
from lawspeaker.machines.purpose import Purpose
from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.learned import planned
from lawspeaker.players.bots.policies import About, Policy, policy_for
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import OptionTrial, Worlds
from lawspeaker.position.fault import OutOfMemory, TooLargeToCompile
from lawspeaker.position.rng import RngFactory

FASTER = 8
"""With a time limit, the growth factor of batches of playouts."""
NARROWEST, UNLIKELY = 4, 0.1
"""Minimum number of options tried; of the others those above this multiple of uniform
probability.
"""
SELDOM = 0.01
"""Probability in a plan below which an option is not evaluated."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Playouts per choice; with a clock, also a limit in seconds."""

    playouts: int
    seconds: float = 0.0
    clock: Callable[[], float] | None = None

    def by(self, about: About) -> Effort:
        """The same effort in playouts of a policy's manner."""
        return self if self.clock else replace(self, playouts=about.tries(self.playouts))


class Spending:
    """Tracks the fraction of an effort that is spent."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.part = 0.0
        self.tries = 0
        self._began = 0.0 if effort.clock is None else effort.clock()
        self._next = 1.0

    def playouts(self, until: float) -> int:
        """Estimates the playouts left until a fraction of the effort; with a clock from their
        pace so far.
        """
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
    """Chooses by playouts: `flat`, `mc` or `tree`, optionally with a policy."""

    def __init__(self, name: str, seed: int, effort: Effort, file: str | None = None) -> None:
        """`file` selects the policy used in playouts; empty for the stored one, None for no
        policy.
        """
        self.name = name
        self.file = file
        self.luck = RngFactory(seed).stream("monte carlo")
        self.effort = effort
        self.tries = self.choices = 0
        """Total playouts and choices so far."""

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        policy = self._policy(view)
        if policy is not None and policy.about.solved:
            return planned(policy, view, self.luck)
        try:
            alive = self._tried(
                view, policy, [OptionTrial(number) for number in range(len(options))]
            )
        except (TooLargeToCompile, OutOfMemory):
            return self.luck.choose(options)
        best = max(map(worth, alive))
        equals = [options[trial.option] for trial in alive if worth(trial) == best]
        return self.luck.choose(equals)

    def weighed(self, view: View) -> list[OptionTrial]:
        """The surviving options after full playouts in the same determinizations, best first.

        Empty if determinization is impossible. In a solved game only options of the plan are
        tried.
        """
        options, policy = options_of(view), self._policy(view)
        trials = [OptionTrial(number) for number in range(len(options))]
        if policy is not None and policy.about.solved:
            planned = policy.chances(view)
            good = [each for each in trials if planned.get(options[each.option].text, 0.0) > SELDOM]
            policy, trials = None, good or trials
        elif policy is not None:
            about = replace(policy.about, manner="guided", pace=1.0, start=0.0)
            policy = replace(policy, about=about)
        try:
            return sorted(self._tried(view, policy, trials), key=worth, reverse=True)
        except (TooLargeToCompile, OutOfMemory):
            return []

    def _policy(self, view: View) -> Policy | None:
        """The policy to use, None if there is none or it does not help. Raises NothingLearned."""
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
            turns = 1  # a value estimate does not tell how the others share the rest
        return Worlds(
            view,
            deep=deep,
            habits=not (deep or manner.guided),
            practice=habits,
            policy=policy,
            guided=manner.guided,
            turns=turns,
        )

    def _tried(
        self, view: View, policy: Policy | None, alive: list[OptionTrial]
    ) -> list[OptionTrial]:
        """Runs sequential halving and returns the surviving options."""
        # Compile first, so that the clock counts playing only.
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

    def _afforded(
        self, trials: list[OptionTrial], worlds: Worlds, spending: Spending
    ) -> list[OptionTrial]:
        """A random subset of the options that fits the effort with one playout each.

        With a clock each is tried in turn with the same seed until time runs out.
        """
        lots, word = self.luck.shuffled(trials), self.luck.word()
        if spending.effort.clock is None:
            return lots[: spending.effort.playouts]
        tried = 0
        while tried < len(lots) and spending.part < 1.0:
            some = lots[tried : tried + max(1, spending.playouts(1.0))]
            spending.add(len(some) * worlds.play(some, word, 1))
            tried += len(some)
        return lots[:tried]


def _prepared(
    worlds: Worlds, policy: Policy, trials: list[OptionTrial], effort: int
) -> list[OptionTrial]:
    """Sets priors and weights of trials from a policy, and prunes unlikely options."""
    manner = policy.manner
    for trial in trials:
        trial.lead = manner.lead
        trial.point = abs(policy.point) if manner.turns else 0.0
    if not manner.trust:
        return trials
    for trial, liked in zip(trials, worlds.likings(policy, len(trials)), strict=True):
        trial.liked = manner.trust * liked
    return _worth_a_try(trials, manner.trust, effort)


def _worth_a_try(trials: list[OptionTrial], trust: float, effort: int) -> list[OptionTrial]:
    """Prunes options that the policy considers hopeless, down to two playouts per option."""
    liked = sorted(trials, key=lambda trial: trial.liked, reverse=True)
    least = log(UNLIKELY / len(trials)) * trust
    few = [each for at, each in enumerate(liked) if at < NARROWEST or each.liked > least]
    return few[: max(1, effort // 2)]


def worth(trial: OptionTrial) -> float:
    """Value of an option per playout.

    Points are scaled by their usual size, so that games need not declare it. The prior counts as
    one playout, so its influence shrinks.
    """
    if not trial.playouts:
        return 0.0
    point = trial.point or 1 / (1 + trial.points / max(1, trial.counted))
    ahead = trial.lead * trial.ahead * point
    return (trial.wins + ahead + trial.expected + trial.liked) / trial.playouts
