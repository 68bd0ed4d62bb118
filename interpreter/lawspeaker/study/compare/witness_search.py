"""Looks for a witness: a position of a game and a play in which two tellings part.

Whole games are played in step, with the same seed and the same replies, by players of every manner
and for every number of players. Each is then told from as late on as can be (see `shortening`), and
the best is taken: where that is possible one in which the other telling as a whole does what is
shown, at a rule of which the books of both leave nothing open; then the one with the fewest replies
and the least on the table.

Tellings with not the same pieces part as soon as luck brings one that the other has not got, and
such a game shows luck, not rules. There what is in the box is the witness; where new pieces come
with rules of their own, both are given the pieces first (see `contrast`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from lawspeaker.position.luck import Stream, combine, word_of
from lawspeaker.study.compare.coming_up import rules_with
from lawspeaker.study.compare.lockstep import SETUP, Divergence, Manner, Side, play_apart
from lawspeaker.study.compare.position_setup import Stage, in_the_box
from lawspeaker.study.compare.shortening import Shortening
from lawspeaker.study.compare.witness import Rulebooks, Search, Witness, in_step
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.scenario.running import NOTHING

GAMES = 400
MANNERS = tuple(Manner)
ENOUGH = 12
"""So many games that part in one way are shortened; the smallest play is shown."""
MORE = 60
"""So many games that part are looked at while there is none yet in which the whole telling does
what is shown, and the books leave nothing open."""
LATER = 6
"""In so many of them, as long as there is no such one, it is looked whether it shows later, too."""
FURTHER = 200
"""In so many games for each number of players it is looked whether a difference without a witness
comes up at all."""


def search(rules: Rulebooks, clauses: Sequence[str], *, positions: int, seed: int = 1) -> Search:
    """Looks for a witness; `clauses` are the ids of those in which the difference is."""
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
    """How many games between random players were played by both, for all numbers of players, and
    in how many of them one of the rules takes effect in which the difference can show."""
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
    """What is in the box of each, if that is not the same."""
    one, alone, other = (in_the_box(each) for each in (rules.one, rules.alone, rules.other))
    differing = [key for key in one | alone if one[key] != alone[key]]
    if not differing or not rules.players:
        return None
    whole = all(alone[key] == other[key] for key in differing)
    stage = Stage(rules.players[0], seed, {}, NOTHING)
    return Witness(stage, (), Divergence(SETUP, Side((), ()), Side((), ())), whole)


class _Games:
    """Games in which the difference shows, once for each way in which it does; how many were
    played, in how many of them it was seen, and how many positions were."""

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
            stage = Stage(players, self.seed + self.games, {})
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
