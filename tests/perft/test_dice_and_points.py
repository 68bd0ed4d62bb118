"""What may be played in backgammon, against a plain reckoning that knows nothing of its rule file.

The reckoning goes through all ways to play the dice and keeps the longest; of ways with a single
die, those with the larger one. `own[25]` are a player's checkers on the bar, `own[0]` those borne
off.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import lawspeaker
from lawspeaker.match.match import Match
from tests.tiers import NIGHTLY, sample

Counts = tuple[int, ...]
Step = tuple[int, int]
"""From which point, as the player counts, and by which die."""

BAR, HOME = 25, 6


def steps_with(own: Counts, other: Counts, die: int) -> Iterator[tuple[Step, Counts, Counts]]:
    """Every way to play one die: the step, and both players' checkers after it."""
    for start in (BAR,) if own[BAR] else range(24, 0, -1):
        target = start - die
        if not own[start] or (target > 0 and other[BAR - target] > 1):
            continue
        if target <= 0 and (any(own[HOME + 1 :]) or (target < 0 and any(own[start + 1 :]))):
            continue
        mine, theirs = list(own), list(other)
        mine[start] -= 1
        mine[max(target, 0)] += 1
        if target > 0 and theirs[BAR - target]:
            theirs[BAR - target] = 0
            theirs[BAR] += 1
        yield (start, die), tuple(mine), tuple(theirs)


def ways(own: Counts, other: Counts, dice: Counts) -> Iterator[tuple[tuple[Step, ...], Counts]]:
    """Every way to play dice until none can be played, and the player's checkers after it."""
    ended = True
    for die in sorted(set(dice)):
        left = list(dice)
        left.remove(die)
        for step, mine, theirs in steps_with(own, other, die):
            ended = False
            for rest, final in ways(mine, theirs, tuple(left)):
                yield (step, *rest), final
    if ended:
        yield (), own


def allowed(own: Counts, other: Counts, dice: Counts) -> list[tuple[tuple[Step, ...], Counts]]:
    found = list(ways(own, other, dice))
    longest = max(len(steps) for steps, _ in found)
    found = [way for way in found if len(way[0]) == longest]
    if longest == 1:
        largest = max(steps[0][1] for steps, _ in found)
        found = [way for way in found if way[0][0][1] == largest]
    return found


def standing(match: Match, player: str) -> Counts:
    """The checkers of a player by the points as he counts them."""
    places = match.table()["places"]
    counts = [0] * (BAR + 1)
    for number in range(1, 25):
        held = places.get(f"point {number}", {"pieces": []})["pieces"]
        own = number if player == "white" else BAR - number
        counts[own] = held.count(f"checker {player}")
    counts[BAR] = places.get(f"bar {player}", {"count": 0})["count"]
    counts[0] = places.get(f"tray {player}", {"count": 0})["count"]
    return tuple(counts)


def dice_left(match: Match) -> Counts:
    rolled = match.table()["places"].get("rolled", {"states": []})
    return tuple(int(die["face"]) for die in rolled["states"])


def step(text: str, player: str) -> Step:
    """An answer such as `go point 13, 5` or `enter 3`."""
    *start, die = text.replace("go point", "").replace("enter", "").replace(",", " ").split()
    if not start:
        return BAR, int(die)
    number = int(start[0])
    return number if player == "white" else BAR - number, int(die)


def check(match: Match) -> None:
    """What is offered begins a way that is allowed, and all that begins one is offered."""
    assert match.decision is not None
    seat = match.decision.seat
    player, other = ("white", "black") if seat == 0 else ("black", "white")
    own, theirs = standing(match, player), standing(match, other)
    expected = {steps[0] for steps, _ in allowed(own, theirs, dice_left(match))}
    offered = {step(option.text, player) for option in match.decision.options}
    assert offered == expected, (own, theirs, dice_left(match))


@pytest.mark.full
@pytest.mark.parametrize("seed", sample(range(20 if NIGHTLY else 2), test=2))
def test_what_is_offered_is_what_may_be_played(seed: int) -> None:
    """Through whole games, from the opening to the last checkers that are borne off."""
    match = lawspeaker.load("backgammon").start(2, seed=seed, machine="wasm")
    luck = random.Random(seed)
    while match.decision is not None:
        check(match)
        match.choose(luck.choice(match.decision.options))
    assert sorted(match.scores) in ([0, 1], [0, 2], [0, 3])


def after_opening(match: Match) -> set[Counts]:
    """All ways in which the checkers of white can stand after his first turn."""
    assert match.decision is not None
    if match.decision.seat == 1:
        return {standing(match, "white")}
    found: set[Counts] = set()
    for option in match.decision.options:
        after = match.copy()
        after.choose(option)
        found |= after_opening(after)
    return found


@pytest.mark.full
def test_the_first_turn_can_be_played_in_so_many_ways() -> None:
    game = lawspeaker.load("backgammon")
    start = game.start(2, luck={"opening": [6, 1]}, chance="seed")
    white, black = standing(start, "white"), standing(start, "black")
    for larger in range(2, 7):
        for smaller in range(1, larger):
            dice = [larger, smaller]
            match = game.start(2, seed=1, machine="wasm", luck={"opening": dice})
            reckoned = {final for _, final in allowed(white, black, (larger, smaller))}
            assert after_opening(match) == reckoned, dice
