"""How much a difference matters, and how much of that is luck: paired games with it and without.

Game number i is played twice with the same seed and bots of the same luck, once by the first
telling and once with the difference. Up to the point where the difference shows, the two games
are the same. All measures are taken from the pairs:

    winner    the share of pairs in which not the same players win
    apart     by how much the shares of victories of all seats differ, taken together: half the sum
              of all changes, the total variation between who wins here and who wins there
    score     the change of the mean score of a player
    length    the change of the number of decisions
    differs   the share of pairs in which anything asked, offered or scored is not the same
    outcome   the share of pairs that end with other scores
    control   the share of pairs in which not the same players win if the game without the
              difference is played on with new luck from where the pair parts (see `control`)
    beyond    how much oftener somebody else wins in the pairs than in their controls: only what is
              surely above 0 there is an effect of the difference on who wins
    came_up   the share of pairs in which a rule is done in which the difference can show (see
              `coming_up`), with it or without
    seats     for each seat, the change of its score and of its share of victories

Once two games have parted, luck may fall otherwise in them for no other reason, and then somebody
else wins as he would if the same rules were played again. So every pair stands beside one in which
luck was dealt anew: the game with the difference, and a game by the first telling of another seed.
In how many of these somebody else wins is `anew`. If the two games of a pair had no luck in common
in the end, that would be as many as in the pairs themselves. Luck is `in_step` if games that share
it are at most half as far from each other as games that do not, in all that happened, in winners or
in scores: then most of what is different in a pair is due to the difference. Otherwise only changes
of means say anything, which hold with any luck.

Shares have Wilson's 95 % interval, changes Student's for paired differences. Those of victories
are made with two more pairs, one that the seat gains and one that it loses (Agresti and Min), since
Student's is too narrow where few pairs differ. Each interval stands for itself: among twenty of
them, one is expected to miss. A change is called `clear` only if 0 lies outside even where all
changes that were looked at together are to hold at once, and if enough pairs differ at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lawspeaker.study.lab.changing import Change, change
from lawspeaker.study.lab.exact_sums import Numbers, Sums, mean
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.statistics import Estimate, Mean, share

Rules = tuple[tuple[int, ...], tuple[int, ...]]
"""Clauses by their numbers, without a difference and with it."""
NO_PAIRS = Mean()
SURELY = 100
"""Luck is in step if that is as sure as if it had been looked for so many times."""


@dataclass(frozen=True, slots=True)
class SeatEffect:
    name: str
    score: Change
    wins: Change


@dataclass(frozen=True, slots=True)
class Effect:
    """`broken` games, in which the rules have a hole, count only as differing; `holes` are the
    clauses that have them, each with why and in how many games, the most frequent first."""

    players: int
    games: int
    broken: int
    holes: tuple[tuple[str, int], ...]
    in_step: bool
    differs: Estimate
    outcome: Estimate
    winner: Estimate
    anew: Estimate
    apart: Change
    score: Change
    length: Change
    seats: tuple[SeatEffect, ...]
    came_up: Estimate | None = None
    control: Estimate | None = None
    beyond: Change | None = None

    @property
    def detected(self) -> bool:
        """Whether any game came out otherwise at all."""
        return self.differs.value > 0

    @property
    def clear(self) -> tuple[str, ...]:
        """The measures that have changed beyond doubt."""
        measures = (("apart", self.apart), ("score", self.score), ("length", self.length))
        found = [name for name, change in measures if change.clear]
        found += ["beyond"] if self.beyond is not None and self.beyond.clear else []
        return (*found, *(seat.name for seat in self.seats if seat.wins.clear))

    @property
    def matters(self) -> bool:
        """Whether who wins, or what players score, has changed beyond doubt. A game that only asks
        more has not."""
        return any(name != "length" for name in self.clear)

    @property
    def weight(self) -> tuple[float, float, float]:
        """How much it matters: to who wins, to points, and how often it comes up.

        Of who wins only that counts which exceeds the control, or is clear of the shares of
        victories, which hold with any luck.
        """
        beyond = self.beyond.value if self.beyond is not None and self.beyond.clear else 0.0
        wins = max(beyond, self.apart.value * self.apart.clear)
        points = abs(self.score.value) * self.score.clear
        return wins, points, self.differs.value * self.matters


@dataclass(frozen=True, slots=True)
class Pairs(Sums):
    """Sums over pairs of games; what is not told by its name is as in `Effect`. `closer` has, for
    all that happened, for winners and for scores, twice how far two games with the same luck are
    from each other, less how far two with other luck are. `came_up` has one entry, or none where it
    was not asked for."""

    games: int
    broken: int
    holes: Counter[str]
    differs: int
    outcome: int
    winner: int
    anew: int
    luck: int
    closer: tuple[Mean, ...]
    score: Mean
    length: Mean
    scores: tuple[Mean, ...]
    wins: tuple[Mean, ...]
    nobody: Mean
    came_up: tuple[int, ...] = ()
    control: Mean = NO_PAIRS
    beyond: Mean = NO_PAIRS

    def effect(self, names: Sequence[str], among: int = 1) -> Effect:
        """What they say; `names` are those of the seats, and with so many others (`among`) this
        effect is looked at."""
        whole = self.games - self.broken
        # Of every effect: points, length, what exceeds the control, and each seat's victories.
        looked_at = among * (3 + len(names))
        outcomes = self.wins if not self.nobody.squares else (*self.wins, self.nobody)
        seats = zip(names, self.scores, self.wins, strict=True)
        return Effect(
            len(names),
            self.games,
            self.broken,
            tuple(sorted(self.holes.items(), key=lambda hole: (-hole[1], hole[0]))),
            self.in_step,
            share(self.differs, self.games),
            share(self.outcome, whole),
            share(self.winner, whole),
            share(self.anew, self.luck),
            _apart(outcomes, among),
            change(self.score, looked_at, self.outcome),
            change(self.length, looked_at, self.differs),
            tuple(
                SeatEffect(
                    name,
                    change(score, looked_at, self.outcome),
                    change(wins, looked_at, self.winner, within=1),
                )
                for name, score, wins in seats
            ),
            next((share(each, self.games) for each in self.came_up), None),
            share(self.control.total, self.control.count) if self.control.count else None,
            self._beyond(looked_at),
        )

    def _beyond(self, looked_at: int) -> Change | None:
        """What exceeds the control; a change below it is none."""
        if not self.beyond.count:
            return None
        found = change(self.beyond, looked_at, self.winner, within=1)
        return replace(found, clear=found.clear and found.value > 0)

    @property
    def in_step(self) -> bool:
        """Whether games with the same luck are half as far from each other as with other luck."""
        if not self.differs:
            return True
        return any(each.count > 1 and each.estimate(SURELY).high < 0 for each in self.closer)


def _apart(wins: Sequence[Mean], among: int) -> Change:
    """The total variation. Its interval is made of those of all seats, so wide that all hold."""

    def between(others: int) -> tuple[float, float]:
        found = [each.estimate(len(wins) * others, within=1) for each in wins]
        least = sum(max(0.0, each.low, -each.high) for each in found) / 2
        return least, min(1.0, sum(max(-each.low, each.high) for each in found) / 2)

    value = sum(abs(each.value) for each in wins) / 2
    return Change(value, *between(1), clear=between(among)[0] > 0)


def pairs(
    without: Games,
    with_it: Games,
    anew: Games,
    about: Rules | None = None,
    controls: tuple[Mean, Mean] = (NO_PAIRS, NO_PAIRS),
) -> Pairs:
    """The sums over games without a difference and with it, number by number. `anew` are games
    without it again, of other seeds: so many that there is one for each. `about` are the rules in
    which the difference can show."""
    assert np.array_equal(without.numbers, with_it.numbers)
    assert len(without) == len(anew)
    ended = without.ended & with_it.ended
    one, other = without[ended], with_it[ended]
    scores = other.scores - one.scores
    wins = other.victories() - one.victories()
    all_three = ended & anew.ended
    first, second, third = without[all_three], with_it[all_three], anew[all_three]
    return Pairs(
        len(without),
        len(without) - len(one),
        _holes(without, with_it),
        int(np.count_nonzero(without.trail != with_it.trail)),
        int(np.count_nonzero((one.scores != other.scores).any(axis=1))),
        int(np.count_nonzero(_other_winners(one, other))),
        int(np.count_nonzero(_other_winners(third, second))),
        len(third),
        tuple(
            mean(2 * near - far)
            for near, far in zip(_distances(first, second), _distances(third, second), strict=True)
        ),
        mean(scores.sum(axis=1), one.players),
        mean(other.decisions - one.decisions),
        tuple(mean(scores[:, keeper]) for keeper in one.keepers),
        tuple(mean(seat, victory(one.players)) for seat in wins.T),
        mean(-wins.sum(axis=1), victory(one.players)),
        () if about is None else (_came_up(without, with_it, about),),
        *controls,
    )


def _came_up(without: Games, with_it: Games, about: Rules) -> int:
    """In how many pairs one of these rules is done."""
    done = [
        games.clauses[:, list(numbers)].any(axis=1)
        for games, numbers in zip((without, with_it), about, strict=True)
    ]
    return int(np.count_nonzero(done[0] | done[1]))


def _other_winners(one: Games, other: Games) -> Numbers:
    found: Numbers = (one.winners != other.winners).any(axis=1)
    return found


def _distances(one: Games, other: Games) -> tuple[Numbers, ...]:
    """How far games are from each other: in all that happened, in the winners, in the scores."""
    yes_or_no = (one.trail != other.trail, _other_winners(one, other))
    points = np.abs(one.scores - other.scores).sum(axis=1)
    return (*(each.astype(np.int64) for each in yes_or_no), points)


def _holes(without: Games, with_it: Games) -> Counter[str]:
    """In how many pairs each hole showed: once, where both games of a pair have the same."""
    found = {*without.faults, *with_it.faults}
    return Counter(fault for _, fault in found)
