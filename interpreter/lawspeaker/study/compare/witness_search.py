"""Searches a witness: a position of a game and a play in which two rulesets diverge.

Whole games are played in lockstep, with the same seed and replies, in every playing style and for
every number of players. Each divergence is shortened (see `shortening`), and the best is taken:
preferably one that the other ruleset as a whole reproduces, at a rule on which the books of both
leave nothing open; then the one with the fewest replies and the smallest position.

Rulesets with different pieces diverge as soon as a new piece is drawn, which shows chance, not
rules. There the contents of the box are the witness; if new pieces have rules of their own, both
rulesets get the pieces first (see `contrast`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from lawspeaker.position.rng import Stream, combine, word_of
from lawspeaker.study.compare.lockstep import SETUP, Divergence, Manner, Side, play_apart
from lawspeaker.study.compare.position_setup import PlayStart, in_the_box
from lawspeaker.study.compare.shortening import Shortening
from lawspeaker.study.compare.triggers import rules_with
from lawspeaker.study.compare.witness import Rulebooks, Search, Witness, in_step
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.scenario.running import NOTHING

GAMES = 400
MANNERS = tuple(Manner)
ENOUGH = 12
"""Number of games that are shortened per kind of divergence."""
MORE = 60
"""Number of diverging games that are examined while no witness is good."""
LATER = 6
"""Number of these that are also searched for later occurrences."""
FURTHER = 200
"""Number of random games per number of players that count whether a difference comes up at all."""


def search(rules: Rulebooks, clauses: Sequence[str], *, positions: int, seed: int = 1) -> Search:
    """Searches a witness; `clauses` are the ids of those with the difference."""
    boxes = _other_pieces(rules, seed)
    if boxes is not None:
        return Search(boxes, 0, 0)
    shortening = Shortening(rules, clauses)
    playing = _Games(rules, seed, positions)
    found: list[Witness] = []
    small: list[Witness] = []
    ways: Counter[object] = Counter()
    for each in playing:
        found.append(each)
        ways[each.divergence.signature] += 1
        if ways[each.divergence.signature] <= ENOUGH:
            small += shortening.shortened(each)
        if len(found) <= LATER and not any(witness.good for witness in small):
            small += shortening.later(each)
        enough = ENOUGH if any(witness.good for witness in small) else MORE
        if len(found) >= enough:
            break
    whole = [] if small else [shortening.as_a_game(each) for each in found]
    witness = min(small or whole, key=lambda each: each.weight, default=None)
    if witness is None:
        witness = _other_pieces(rules.with_their_boxes(), seed)
    further = came_up = 0
    if witness is None:
        further, came_up = _coming_up(rules, clauses, seed)
    return Search(witness, playing.games, playing.positions, further, came_up, playing.shown)


def _coming_up(rules: Rulebooks, clauses: Sequence[str], seed: int) -> tuple[int, int]:
    """Number of random games by both, over all numbers of players, and of those that exercise
    the difference.
    """
    both = (rules.one, rules.alone)
    ids = {id for each in clauses for id in rules_with(both, each)}
    came_up = 0
    for players in rules.players:
        done = np.zeros(FURTHER, dtype=np.bool_)
        for program in both:
            numbers = [clause.index for clause in program.clauses if clause.id in ids]
            games = play_games(program, players, seed, range(FURTHER), ["random"] * players)
            done |= games.clauses[:, numbers].any(axis=1)
        came_up += int(np.count_nonzero(done))
    return FURTHER * len(rules.players), came_up


def _other_pieces(rules: Rulebooks, seed: int) -> Witness | None:
    """The witness of different boxes, if they differ."""
    one, alone, other = (in_the_box(each) for each in (rules.one, rules.alone, rules.other))
    differing = [key for key in one | alone if one[key] != alone[key]]
    if not differing or not rules.players:
        return None
    whole = all(alone[key] == other[key] for key in differing)
    stage = PlayStart(rules.players[0], seed, {}, NOTHING)
    return Witness(stage, (), Divergence(SETUP, Side((), ()), Side((), ())), whole)


class _Games:
    """Iterates diverging games, once for each kind of divergence; counts games and positions."""

    def __init__(self, rules: Rulebooks, seed: int, most: int) -> None:
        self.rules = rules
        self.seed = seed
        self.most = most
        self.games = 0
        self.positions = 0
        self.shown = 0

    def __iter__(self) -> Iterator[Witness]:
        counts = self.rules.players
        while counts and self.positions < self.most and self.games < GAMES:
            players = counts[self.games % len(counts)]
            manner = MANNERS[self.games // len(counts) % len(MANNERS)]
            stage = PlayStart(players, self.seed + self.games, {})
            pair = in_step(self.rules.one, self.rules.alone, stage)
            self.games += 1
            if pair is None:
                self.positions += 1
                continue
            luck = Stream(combine(stage.seed, word_of("witness")))
            ways: set[object] = set()
            for divergence in play_apart(pair, luck, self.most, manner):
                self.positions += 1
                if divergence is not None and divergence.signature not in ways:
                    self.shown += not ways
                    ways.add(divergence.signature)
                    yield Witness(stage, tuple(pair.replies), divergence)
