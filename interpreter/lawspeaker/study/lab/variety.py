"""How different games are: their openings, what is chosen in them, and their ends.

Any two games are compared, so the shares of pairs are unbiased (U-statistics). Their intervals are
by game: the mean over its pairs varies from game to game.

openings   by decision, the share of pairs that have gone the same way so far
choices    how far what is chosen in one game differs from another: the part of the choices that
           would have to change (total variation distance)
results    the share of pairs in which all have the same points and the same win
used       by question, the effective number of options: as many equally frequent ones would be
           chosen alike as often by two players
agreement  the share of decisions in which a panel of bots with seeds of their own choose the same
           option, and by how much that is more than chance: what is no real choice
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from lawspeaker import ir
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.match import Match
from lawspeaker.players.bots import bot, reply
from lawspeaker.position.rng import RngFactory, combine, word_of
from lawspeaker.position.state import State
from lawspeaker.study.lab.exact_sums import PARTS, fractions, ratio
from lawspeaker.study.lab.record import Watcher, game_seed, play_game
from lawspeaker.study.lab.statistics import Estimate, share, student

OPENING = 20
"""Number of decisions of an opening."""
ASKED, PANEL = 6, 3
"""Decisions of a game that the panel is asked about, and its members."""
FEWEST = 4
"""Minimum number of games."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A decision: by which clause, of how many options, and what the panel would choose."""

    clause: str
    options: int
    chosen: tuple[str, ...]

    @property
    def alike(self) -> bool:
        return len(set(self.chosen)) == 1


@dataclass(frozen=True, slots=True)
class Course:
    """A game as texts: its replies in order, with the clause that asked, its result, and what the
    panel says of some of its decisions.
    """

    number: int
    replies: tuple[tuple[str, str], ...]
    result: tuple[tuple[int, ...], tuple[int, ...]]
    opinions: tuple[Opinion, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Used:
    """A question: how often it was asked with a choice, how many options were ever chosen, and
    their effective number; what the panel says about it, if it was asked.
    """

    clause: str
    asked: int
    distinct: int
    effective: float
    opinions: int
    alike: Estimate | None
    chance: float
    usual: str
    usual_share: float


@dataclass(frozen=True, slots=True)
class Opening:
    """A number of decisions, and the share of pairs of games that are the same so far."""

    decisions: int
    same: Estimate


@dataclass(frozen=True, slots=True)
class Variety:
    """The measures over finished games; `panel` are the bots that were asked."""

    games: int
    broken: int
    panel: tuple[str, ...]
    openings: tuple[Opening, ...]
    choices: Estimate
    results: Estimate
    agreement: Estimate | None
    used: tuple[Used, ...]


def course(
    program: ir.Program,
    players: int,
    seed: int,
    number: int,
    bots: Sequence[str],
    panel: Sequence[str],
) -> Course:
    """Plays the game of a number, and asks the panel about some of its decisions."""
    watcher = _Watcher(keeping=bool(panel))
    record = play_game(program, players, seed, number, bots, watcher)
    if record.fault:
        return Course(number, (), ((), ()), fault=record.fault)
    own = combine(game_seed(seed, number), word_of("panel"))
    open_at = [at for at, _, _ in watcher.positions]
    picked = sorted(RngFactory(own).stream("variety").shuffled(range(len(open_at)))[:ASKED])
    opinions = []
    for each in picked:
        _, state, seat = watcher.positions[each]
        match = Match.from_state(program, state)
        options = match.asked(seat).options
        chosen = tuple(
            reply(bot(name, combine(own, each * len(panel) + at)), match, seat).text
            for at, name in enumerate(panel)
        )
        opinions.append(Opinion(match.asked(seat).clause.id, len(options), chosen))
    result = record.scores, record.winners
    return Course(number, tuple(watcher.replies), result, tuple(opinions))


class _Watcher(Watcher):
    def __init__(self, *, keeping: bool) -> None:
        self.keeping = keeping
        self.replies: list[tuple[str, str]] = []
        self.positions: list[tuple[int, State, int]] = []

    def asked(self, match: Match, decision: Decision, option: Option) -> None:
        if len(decision.options) < 2:
            return
        if self.keeping:
            assert decision.seat is not None
            self.positions.append((len(self.replies), match.state.copy(), decision.seat))
        self.replies.append((decision.clause.id, option.text))


class TooFew(ValueError):
    """The games say nothing about variety; the message says why."""


def variety(games: Sequence[Course], panel: Sequence[str]) -> Variety:
    """The measures of some games. Raises TooFew."""
    told = [each for each in games if not each.fault]
    if len(told) < FEWEST:
        raise TooFew(f"{len(told)} games came to their end; {FEWEST} at least are needed")
    longest = max(len(each.replies) for each in told)
    if not longest:
        raise TooFew("nobody ever has anything to choose")
    opinions = [each for game in told for each in game.opinions]
    agreement = None
    if opinions:
        agreement = _by_game(told, lambda each: each.alike, lambda _: True)
    return Variety(
        len(told),
        len(games) - len(told),
        tuple(panel),
        tuple(_openings(told, min(OPENING, longest))),
        _different(told),
        _pairs(told, lambda one, other: float(one.result == other.result)),
        agreement,
        tuple(_used(told)),
    )


def _openings(games: Sequence[Course], most: int) -> Iterator[Opening]:
    """The first decisions, until no two games are alike."""
    for count in range(1, most + 1):
        found = _opening(games, count)
        yield found
        if not found.same.value:
            return


def _opening(games: Sequence[Course], count: int) -> Opening:
    firsts = [each.replies[:count] for each in games]
    times = Counter(firsts)
    means = [(times[each] - 1) / (len(games) - 1) for each in firsts]
    return Opening(count, _u_statistic(means))


def _pairs(games: Sequence[Course], of: Callable[[Course, Course], float]) -> Estimate:
    sums = [0.0] * len(games)
    for (one, left), (other, right) in combinations(enumerate(games), 2):
        value = of(left, right)
        sums[one] += value
        sums[other] += value
    return _u_statistic([each / (len(games) - 1) for each in sums])


def _different(games: Sequence[Course]) -> Estimate:
    counts = {each.number: Counter(each.replies) for each in games}

    def distance(one: Course, other: Course) -> float:
        left, right = counts[one.number], counts[other.number]
        most = max(left.total(), right.total())
        return 1 - (left & right).total() / most if most else 0.0

    return _pairs(games, distance)


def _u_statistic(means: Sequence[float]) -> Estimate:
    """The mean over all pairs, by the mean over the pairs of each game.

    If no pair or every pair is alike, the interval is that of as many separate pairs.
    """
    count = len(means)
    value = sum(means) / count
    if max(means) - min(means) < 1e-12 and (value < 1e-12 or value > 1 - 1e-12):
        return share(round(value) * (count // 2), count // 2)
    spread = sum((each - value) ** 2 for each in means) / (count - 1)
    half = student(count - 1) * 2 * (spread / count) ** 0.5
    return Estimate(value, max(0.0, value - half), min(1.0, value + half))


def _by_game(
    games: Sequence[Course],
    part: Callable[[Opinion], bool],
    whole: Callable[[Opinion], bool],
) -> Estimate:
    """A share of opinions, with an interval by game."""
    import numpy as np

    wholes = [sum(whole(each) for each in game.opinions) for game in games]
    parts = [sum(whole(each) and part(each) for each in game.opinions) for game in games]
    if wholes == [1] * len(wholes):
        return fractions([float(each) for each in parts])
    one, other = (PARTS * np.array(each, np.int64) for each in (parts, wholes))
    return ratio(one, other).estimate()


def _used(games: Sequence[Course]) -> list[Used]:
    """Questions, those with the least variety first."""
    found = []
    for clause in sorted({clause for game in games for clause, _ in game.replies}):
        texts = Counter(text for game in games for own, text in game.replies if own == clause)
        asked = texts.total()
        usual, times = texts.most_common(1)[0]
        alike = sum(each * (each - 1) for each in texts.values()) / max(1, asked * (asked - 1))
        said = [each for game in games for each in game.opinions if each.clause == clause]
        chance = sum((1 / each.options) ** (len(each.chosen) - 1) for each in said)
        agreed = None
        if said:
            agreed = _by_game(games, lambda each: each.alike, _asks(clause))
        found.append(
            Used(
                clause,
                asked,
                len(texts),
                1 / alike if alike else float(asked),
                len(said),
                agreed,
                chance / len(said) if said else 0.0,
                usual,
                times / asked,
            )
        )
    return sorted(found, key=lambda each: (-(each.alike.value if each.alike else 0), each.clause))


def _asks(clause: str) -> Callable[[Opinion], bool]:
    return lambda each: each.clause == clause
