"""Measures of a game, one number each, for sweeps and tuning.

score            the mean score of the players
spread           from the lowest to the highest score
margin           from the second to the first, by the goal of the game
length           number of decisions
start            the share of victory of the seat first asked alone, minus the fair one
ties             1 when a victory is shared
draws            1 when nobody wins
leads            number of changes of the sole lead
breaks           1 when the game aborts; all other measures are of games that do not
ahead:SEAT       the share of victory of a seat, minus the fair one
points:CLAUSE    the points that a clause gives, per player
part:CLAUSE      its part of all points given in all games together, whether won or lost
fires:CLAUSE     how often it changes something
chosen:OPTION    how often it is chosen; `chosen:QUESTION:OPTION` to disambiguate
skill:BOT        victories of a searching bot against random players beyond a fair share, as a part
                 of the maximum; in games of their own, see `skill`

The rules may define further ones (see `own_measures`). A player without a team is a side alone;
the points of a side are added, and its members have its share of a victory. A measure is an
integer in a unit that depends on the number of players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.study.lab.choice_names import OPEN, things, told
from lawspeaker.study.lab.exact_sums import Numbers, mean, ratio, ratio_change
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.paired_changes import MeasuredChange, change
from lawspeaker.study.lab.statistics import Estimate, Mean, Ratio, RatioChange, share, times

SKILL = "skill"
PART = "part"


class NoMeasure(Exception):
    """No such measure; the message lists those that exist."""


def score(games: Games) -> Numbers:
    """Sum of scores; the unit is one point per player."""
    return np.asarray(games.scores.sum(axis=1))


def spread(games: Games) -> Numbers:
    return np.asarray(np.ptp(games.scores, axis=1))


def margin(games: Games) -> Numbers:
    """Difference of the two best by the goal; 0 for a single side."""
    ranked = np.sort(games.worths(), axis=1)
    return np.asarray(np.ptp(ranked[:, -2:], axis=1))


def length(games: Games) -> Numbers:
    return games.decisions


def start(games: Games) -> Numbers:
    """In units of a victory per side; 0 for draws and where nobody is asked alone."""
    won = games.victories()[np.arange(len(games)), games.starter]
    return np.asarray(_above_fair(games, won) * (games.starter >= 0))


def ties(games: Games) -> Numbers:
    return np.asarray(games.victors > 1, np.int64)


def draws(games: Games) -> Numbers:
    return np.asarray(games.victors == 0, np.int64)


def leads(games: Games) -> Numbers:
    return games.leads


def breaks(games: Games) -> Numbers:
    return np.asarray(~games.ended, np.int64)


def ahead(games: Games, seat: int) -> Numbers:
    """Excess of a seat's share of victory over the fair one."""
    return _above_fair(games, games.victories()[:, seat])


def _above_fair(games: Games, won: Numbers) -> Numbers:
    """Excess over the fair part of a victory, in units per side."""
    whole = victory(games.players) * (games.victors > 0)
    return np.asarray(len(games.sides) * won - whole)


def points(games: Games, clause: int) -> Numbers:
    return np.asarray(games.points[:, clause].sum(axis=1, dtype=np.int64))


def given(games: Games) -> Numbers:
    """Absolute points that each clause gives in a game."""
    return np.asarray(np.abs(games.points.sum(axis=2, dtype=np.int64)))


def part(games: Games, clause: int) -> tuple[Numbers, Numbers]:
    """Points of a clause and of all clauses by game, for a ratio of sums, not a mean of ratios."""
    points = given(games)
    return points[:, clause], np.asarray(points.sum(axis=1))


def fires(games: Games, clause: int) -> Numbers:
    return games.clauses[:, clause]


def chosen(games: Games, thing: int) -> Numbers:
    return np.asarray(games.uses[:, thing].sum(axis=1, dtype=np.int64))


def own(games: Games, number: int) -> Numbers:
    return games.measures[:, number]


_PLAIN: Mapping[str, Callable[[Games], Numbers]] = {
    each.__name__: each
    for each in (score, spread, margin, length, start, ties, draws, leads, breaks)
}
_OF: Mapping[str, Callable[[Games, int], Numbers]] = {
    each.__name__: each for each in (ahead, points, fires, chosen, own)
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure; `of` is the index of its argument, `share` marks fractions shown in percent."""

    name: str
    what: str
    of: int = -1
    share: bool = False

    def numbers(self, games: Games) -> Numbers:
        if self.what in _PLAIN:
            return _PLAIN[self.what](games)
        return _OF[self.what](games, self.of)

    def unit(self, games: Games) -> int:
        """Number of units of 1."""
        sides = len(games.sides) * victory(games.players)
        parts = {"score": games.players, "start": sides, "ahead": sides}
        return {**parts, "points": games.players}.get(self.what, 1)

    @property
    def whole(self) -> bool:
        """Whether it is a boolean per game."""
        return self.share and self.what in ("ties", "draws", "breaks", "own")

    @property
    def counts(self) -> bool:
        """Whether it counts occurrences."""
        return self.what in ("leads", "fires", "chosen")

    @property
    def most_change(self) -> int | None:
        """Bound on its change in one game, where games come close to it."""
        if self.whole or self.what in ("start", "ahead"):
            return 1
        return 2 if self.what == SKILL else None


USUAL = tuple(
    Measure(name, name, share=name in ("start", "ties", "draws", "breaks")) for name in _PLAIN
)
"""Default measures."""
MEASURES = tuple(each.name for each in USUAL)


# ---------------------------------------------------------------- measures by their names


def own_measures(program: ir.Program) -> tuple[Measure, ...]:
    """Measures that the rules define: the values `measure.NAME`."""
    return tuple(
        Measure(name, "own", number, isinstance(function.result.type, ir.TruthType))
        for number, (name, function) in enumerate(program.measures.items())
    )


def measure(name: str, program: ir.Program, players: int) -> Measure:
    """Looks up a measure by name."""
    found = {each.name: each for each in (*USUAL, *own_measures(program))}
    if name in found:
        return found[name]
    what, colon, of = (each.strip() for each in name.partition(":"))
    if not colon or what not in (*_OF, PART) or what == "own":
        forms = [*found, "ahead:SEAT", *(f"{each}:CLAUSE" for each in ("points", PART, "fires"))]
        forms += ["chosen:OPTION", SKILL]
        hint = did_you_mean(name, (*found, SKILL)) or f"there are {', '.join(forms)}"
        raise NoMeasure(f"there is no measure `{name}`; {hint}")
    if what == "chosen":
        return Measure(name, what, _thing(of, program, players))
    named = {each.id: each.index for each in program.clauses}
    if what == "ahead":
        named = {each: seat for seat, each in enumerate(program.player_names[:players])}
    if of not in named:
        hint = did_you_mean(of, named) or f"there are {', '.join(named)}"
        sort = "seat" if what == "ahead" else "clause"
        raise NoMeasure(f"`{name}`: there is no {sort} `{of}`; {hint}")
    return Measure(name, what, named[of], share=what in ("ahead", PART))


def _thing(text: str, program: ir.Program, players: int) -> int:
    """Index of a choosable thing by text: `dock bow_first` or `sending:dock bow_first`."""
    choosable = things(program, players)
    by_text: dict[str, list[tuple[str, int]]] = {}
    for number, thing in enumerate(choosable.things):
        option = plain(told(choosable.layout, thing))
        question = program.clauses[thing.clause].id
        by_text.setdefault(option, []).append((question, number))
        by_text.setdefault(f"{question}:{option}", []).append((question, number))
    question, colon, option = text.rpartition(":")
    found = by_text.get(f"{question}{colon}{plain(option)}", [])
    if not found:
        hint = did_you_mean(text, by_text) or "`simulate` tells what can be chosen"
        raise NoMeasure(f"`chosen:{text}`: nothing of that name can be chosen; {hint}")
    if len(found) > 1:
        which = ", ".join(f"chosen:{question}:{text}" for question, _ in found)
        raise NoMeasure(f"`chosen:{text}` can be chosen in several questions; say which: {which}")
    return found[0][1]


def plain(option: str) -> str:
    """Text of a choosable thing without placeholders, for typing."""
    return " ".join(option.replace(OPEN, " ").replace(",", " ").split())


def measures_of(program: ir.Program, players: int, names: Sequence[str] = ()) -> Measures:
    """The default measures, those of the rules, and those of these names."""
    usual = (*USUAL, *own_measures(program))
    more = (measure(name, program, players) for name in names)
    return tuple(dict.fromkeys((*usual, *more)))


# ---------------------------------------------------------------- measuring

Measures = tuple[Measure, ...]
"""Measures, the default ones first."""
Means = tuple[Mean | Ratio | RatioChange, ...]
"""Sums for each measure over some games, or for its change: a mean or a ratio."""
Measured = Mapping[str, Estimate]


def measured(games: Games, measures: Measures = USUAL) -> Means:
    """Measures over some games; aborted ones count only as broken."""
    ended = games[games.ended]

    def over(each: Measure) -> Mean | Ratio:
        if each.what == PART:
            return ratio(*part(ended, each.of))
        rows = games if each.what == "breaks" else ended
        return mean(each.numbers(rows), each.unit(rows))

    return tuple(over(each) for each in measures)


def changed(before: Games, after: Games, one: Measures = USUAL, other: Measures = USUAL) -> Means:
    """Changes of measures between paired games.

    The same measure may have another index in other rules.
    """
    assert np.array_equal(before.numbers, after.numbers)
    both = before.ended & after.ended
    rows = before[both], after[both]

    def over(was: Measure, becomes: Measure) -> Mean | RatioChange:
        if was.what == PART:
            return ratio_change(part(rows[0], was.of), part(rows[1], becomes.of))
        left, right = (before, after) if was.what == "breaks" else rows
        return mean(becomes.numbers(right) - was.numbers(left), was.unit(left))

    return tuple(over(*pair) for pair in zip(one, other, strict=True))


def differing(before: Games, after: Games, measures: Measures = USUAL) -> tuple[int, ...]:
    """Number of finished pairs in which each measure differs."""
    both = before.ended & after.ended
    rows = before[both], after[both]

    def over(each: Measure) -> int:
        left, right = (before, after) if each.what == "breaks" else rows
        return int(np.count_nonzero(each.numbers(left) != each.numbers(right)))

    return tuple(over(each) for each in measures)


def clearly_changed(
    sums: Means, differing: Sequence[int], among: int, measures: Measures = USUAL
) -> dict[str, MeasuredChange]:
    """Estimates of changes with their significance among so many hypotheses."""
    return {
        each.name: change(total, among, pairs, each.most_change if total.squares else None)
        for each, total, pairs in zip(measures, sums, differing, strict=True)
        if isinstance(total, Mean)
    }


def changes(sums: Means, measures: Measures = USUAL, among: float = 1) -> Measured:
    """Estimates of changes, bounded where a measure is, corrected for so many comparisons."""
    return {
        each.name: total.estimate(among, within=each.most_change if total.squares else None)
        if isinstance(total, Mean)
        else total.estimate(among)
        for each, total in zip(measures, sums, strict=True)
    }


def shares(sums: Means, sides: int, measures: Measures = USUAL, among: float = 1) -> Measured:
    """Estimates of measures; fractions get the interval of a proportion.

    Intervals are those of so many comparisons.
    """
    pairs = list(zip(measures, sums, strict=True))
    found = {each.name: total.estimate(among) for each, total in pairs}
    means = [(each, total) for each, total in pairs if isinstance(total, Mean)]
    for each, total in means:
        if each.whole:
            found[each.name] = share(total.total, total.count, among)
        elif each.counts:
            found[each.name] = times(total, among)
    fair = (1 - found["draws"].value) / sides
    for each, total in means:
        if each.what == SKILL:
            found[each.name] = _skill(total, sides, among)
        if each.what in ("start", "ahead"):
            won = share((total.value + fair) * total.count, total.count, among)
            found[each.name] = Estimate(won.value - fair, won.low - fair, won.high - fair)
    return found


def _skill(total: Mean, sides: int, among: float) -> Estimate:
    """Skill with the interval of the share of victories over all games.

    Student's interval would be degenerate for a bot that always wins.
    """
    fair, games = 1 / sides, total.count * sides
    won = share((fair + total.value * (1 - fair)) * games, games, among)
    value, low, high = (
        (each - fair) / ((1 - fair) or 1) for each in (won.value, won.low, won.high)
    )
    return Estimate(value, low, high)
