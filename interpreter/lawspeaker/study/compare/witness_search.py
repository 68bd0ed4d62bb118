"""Looks for a witness: a position and a play in which two tellings part, as small as can be found.

Whole games are played in step, with the same seed and the same replies, by players who do anything
and by players who do something rather than nothing, for every number of players. What parts the
tellings is then shortened (see `shortening`), and the best is taken: where that is possible one in
which the other telling as a whole does what is shown, at a rule of which the books of both leave
nothing open; then the shortest.

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
from lawspeaker.study.compare.lockstep import SETUP, Divergence, Side, play_apart
from lawspeaker.study.compare.position_setup import Stage, in_the_box
from lawspeaker.study.compare.shortening import Shortening
from lawspeaker.study.compare.witness import Rulebooks, Search, Witness, in_step
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.scenario.running import NOTHING

GAMES = 400
ENOUGH = 6
"""So many games that part in one way are shortened; the smallest play is shown."""
MORE = 18
"""So many games that part are looked at while there is none yet in which the whole telling does
what is shown, and the books leave nothing open."""
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
            small += shortening.lifted(each)
        enough = ENOUGH if any(witness.good for witness in small) else MORE
        if len(found) >= enough:
            break
    best = [shortening.thinned(each) for each in _diverse(small or found)]
    witness = min(best, key=lambda each: each.weight, default=None)
    if witness is None:
        witness = _other_pieces(rules.with_their_boxes(), seed)
    further = came_up = 0
    if witness is None:
        further, came_up = _coming_up(rules, clauses, seed)
    return Search(witness, playing.games, playing.positions, further, came_up)


def _coming_up(rules: Rulebooks, clauses: Sequence[str], seed: int) -> tuple[int, int]:
    """How many games between random players were played by both, for all numbers of players, and
    in how many of them one of the rules is done in which the difference can show."""
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


def _diverse(found: Sequence[Witness]) -> list[Witness]:
    """The best of each way in which tellings part and of each clause at which it begins; then the
    next best."""
    ordered = sorted(found, key=lambda each: each.weight)
    first: dict[object, Witness] = {}
    for each in ordered:
        first.setdefault(((each.stage.do or "").partition("(")[0], each.divergence.signature), each)
    chosen = list(first.values())
    return [*chosen, *(each for each in ordered if each not in chosen)][:ENOUGH]


class _Games:
    """Games in which the difference shows, how many were played, and how many positions seen."""

    def __init__(self, rules: Rulebooks, seed: int, most: int) -> None:
        self.rules = rules
        self.seed = seed
        self.most = most
        self.games = 0
        self.positions = 0

    def __iter__(self) -> Iterator[Witness]:
        counts = self.rules.players
        while counts and self.positions < self.most and self.games < GAMES:
            players = counts[self.games % len(counts)]
            eager = self.games // len(counts) % 2 == 1
            stage = Stage(players, self.seed + self.games, {})
            pair = in_step(self.rules.one, self.rules.alone, stage)
            self.games += 1
            if pair is None:
                self.positions += 1
                continue
            luck = Stream(combine(stage.seed, word_of("witness")))
            for divergence in play_apart(pair, luck, self.most, eager):
                self.positions += 1
                if divergence is not None:
                    yield Witness(stage, tuple(pair.replies), divergence)
