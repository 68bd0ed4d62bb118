"""A small network learns a game by playing against itself, thousands of games in one step.

    python -m benchmarks.training connect_four --seconds 150 --out learned.pt
    python -m benchmarks.training connect_four --measure learned.pt --against mc:100 --games 400
    python -m benchmarks.training kuhn_poker --seconds 40 --points --exploit

An example of `lawspeaker.vector_env` with PyTorch, which takes the arrays over as they are: on a
GPU nothing ever leaves it. Nothing here knows the game. It sees rows of numbers, and
options in words.

A network is given who is asked, the first words of a row, each as one of a few values, and where
pieces lie. It says how good the position is for who is asked, and how much it likes each option, of
all that were offered in some games at random. What came of a game, less what was expected, says by
how much whatever was chosen is to become more or less probable, but never by much at once (PPO).
Doubt is rewarded, less and less, so that it does not settle too early. Where bluffing pays, whoever
learns from himself runs in circles around what is right: small steps (`--steps`, `--rate`), and in
the end the mean of the second half (`--mean`), lead there.

`--measure` lets it take the option that it likes most, against a bot at the other seats, at each
seat in turn. `--exploit` lets it choose as probably as it likes, against whoever knows how: every
fixed way to play the other seat is tried, which is possible where there are few situations.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path
from typing import Any

import torch

CLIP, KNOWN = 10, 64
"""Values of a word and options that are told apart."""
BATCH, PASSES = 1 << 15, 2
"""From how many decisions it learns at once, and how often."""
NEAR, VALUE = 0.2, 0.5
SITUATIONS = 8
"""For so many situations of a seat all fixed ways to play are tried."""


def taken(array: Any) -> Any:
    """An array of the environment as one of PyTorch, without copying."""
    return torch.from_dlpack(array)


class Player:
    """A network for one game, and what it is given."""

    def __init__(self, env: Any, hidden: int, saved: Any = None) -> None:
        made = env.loaded.made
        self.env, self.words, self.seats = env, made.pieces_at, env.players
        seen = env.reset(seed=0)
        self.on = taken(seen.seats).device
        self.like = torch.tensor(made.like, device=self.on)
        self.looks = torch.tensor(made.looks, dtype=torch.long, device=self.on)
        self.kinds, self.places = len(made.like[0]), made.places
        luck = torch.Generator().manual_seed(0)
        factors = torch.randint(1, 1 << 30, (env.width,), generator=luck)
        self.factors = (2 * factors + 1).to(self.on)
        self.keys = self._looked_for(seen) if saved is None else saved["keys"].to(self.on)
        inputs = self.seats + (CLIP + 2) * self.words + self.kinds * (self.places + 1)
        torch.manual_seed(1)
        layers: list[Any] = []
        for wide in (inputs, hidden, hidden):
            layers += [torch.nn.Linear(wide, hidden), torch.nn.ReLU()]
        layers.append(torch.nn.Linear(hidden, len(self.keys) + 1))
        self.network = torch.nn.Sequential(*layers).to(self.on)
        if saved is None:
            layers[-1].weight.data *= 0.1
        else:
            self.network.load_state_dict(saved["network"])

    def save(self, file: Path) -> None:
        torch.save({"keys": self.keys.cpu(), "network": self.network.state_dict()}, file)

    def _looked_for(self, seen: Any) -> Any:
        """The options that are offered in some games at random."""
        found = torch.zeros(0, dtype=torch.long, device=self.on)
        for _ in range(60):
            keys, there = self._keys(seen)
            found = torch.unique(torch.cat([found, keys[there]]))
            seen = self.env.step(any_of(taken(seen.offered)))
        return found[:KNOWN]

    def _keys(self, seen: Any) -> tuple[Any, Any]:
        options, offered = taken(seen.options), taken(seen.offered)
        there = torch.arange(options.shape[1], device=self.on) < offered[:, None]
        return (options.long() * self.factors).sum(2), there

    def asked(self, seen: Any) -> tuple[Any, Any, Any, Any]:
        """What is learned from: who is asked, the row, by option its number, and which there
        are."""
        keys, there = self._keys(seen)
        numbers = torch.searchsorted(self.keys, keys).clamp(max=len(self.keys) - 1)
        return taken(seen.seats).long(), taken(seen.observations), numbers, there

    def _features(self, seats: Any, rows: Any) -> Any:
        many = len(seats)
        words = (rows[:, : self.words].clamp(-1, CLIP) + 1).long()
        told = torch.nn.functional.one_hot(words, CLIP + 2).reshape(many, -1)
        lies = rows[:, self.words : self.words + len(self.looks)].long()
        at = self.like[seats][:, self.looks] * (self.places + 1) + lies
        planes = torch.zeros(many, self.kinds * (self.places + 1), device=self.on)
        planes.scatter_(1, at, 1.0)
        head = torch.nn.functional.one_hot(seats, self.seats)
        return torch.cat([head.float(), told.float(), planes], 1)

    def judged(self, seats: Any, rows: Any, numbers: Any, there: Any) -> tuple[Any, Any]:
        """By option the logarithm of how probable it is, and what the position is worth."""
        out = self.network(self._features(seats, rows))
        liking = out[:, :-1].gather(1, numbers).masked_fill(~there, -1e9)
        return torch.log_softmax(liking, 1), out[:, -1]

    def chosen(self, seen: Any, *, best: bool) -> Any:
        """An option of each game: the one it likes most, or one as probable as it likes it."""
        with torch.no_grad():
            logs, _ = self.judged(*self.asked(seen))
        return logs.argmax(1) if best else torch.multinomial(logs.exp(), 1)[:, 0]


def any_of(offered: Any) -> Any:
    """Any option of each game."""
    part = torch.rand(len(offered), device=offered.device)
    return torch.minimum((part * offered).long(), (offered - 1).clamp(min=0))


def worth_of(env: Any, seen: Any, points: bool) -> Any:
    """What came of games that are over, by seat, between -1 and 1 or so: points above the mean, or
    twice what was won above what lots would give."""
    if not points:
        return 2 * taken(seen.rewards)
    scores = taken(seen.scores).float()
    return (scores - scores.mean(1, keepdim=True)) / 2


class Course:
    """Plays and learns for so many seconds."""

    def __init__(self, player: Player, seconds: float, points: bool, how: Any) -> None:
        self.player, self.seconds, self.points = player, seconds, points
        self.steps, self.doubt, self.rate = how.steps, how.doubt, how.rate
        self.spent, self.decisions = 0.0, 0
        self.changed = torch.optim.Adam(player.network.parameters(), self.rate, eps=1e-5)
        self.mean = torch.optim.swa_utils.AveragedModel(player.network)
        self.seen = player.env.reset(seed=1)

    def round(self) -> None:
        """Some steps of all games, and what is learned from those that came to their end."""
        began = time.monotonic()
        told, ends = [], []
        env, player = self.player.env, self.player
        for _ in range(self.steps):
            asked = player.asked(self.seen)
            with torch.no_grad():
                logs, value = player.judged(*asked)
                chosen = torch.multinomial(logs.exp(), 1)[:, 0]
            self.seen = env.step(chosen)
            told.append((*asked, chosen, logs.gather(1, chosen[:, None])[:, 0], value))
            over = taken(self.seen.ended), taken(self.seen.cut)
            ends.append((*over, worth_of(env, self.seen, self.points)))
            self.decisions += env.games
        worth = torch.zeros(env.games, env.players, device=player.on)
        known = torch.zeros(env.games, dtype=torch.bool, device=player.on)
        counted: list[Any] = []
        for row, (ended, cut, came) in zip(reversed(told), reversed(ends), strict=True):
            worth = torch.where(ended[:, None], came, worth)
            known = (known | ended) & ~cut
            own = worth.gather(1, row[0][:, None])[:, 0]
            counted.append([each[known] for each in (*row, own)])
        self._learn([torch.cat(each) for each in zip(*counted, strict=True)])
        if self.spent > self.seconds / 2:
            self.mean.update_parameters(player.network)
        if player.on.type == "cuda":
            torch.cuda.synchronize()
        self.spent += time.monotonic() - began

    def _learn(self, told: list[Any]) -> None:
        left = max(0.0, 1 - self.spent / self.seconds)
        doubt = self.doubt[1] + (self.doubt[0] - self.doubt[1]) * left
        for group in self.changed.param_groups:
            group["lr"] = self.rate * (0.02 + 0.98 * left)
        for _ in range(PASSES):
            order = torch.randperm(len(told[0]), device=self.player.on)
            for some in order.split(BATCH):
                seats, rows, numbers, there, chosen, before, expected, own = (
                    each[some] for each in told
                )
                logs, value = self.player.judged(seats, rows, numbers, there)
                more = (logs.gather(1, chosen[:, None])[:, 0] - before).exp()
                ahead = own - expected
                ahead = ahead / (ahead.std() + 1e-6)
                gain = torch.minimum(more * ahead, more.clamp(1 - NEAR, 1 + NEAR) * ahead).mean()
                unsure = -(logs.exp() * logs.clamp(min=-20)).sum(1).mean()
                loss = VALUE * (value - own).square().mean() - gain - doubt * unsure
                self.changed.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.player.network.parameters(), 1.0)
                self.changed.step()


def against(env: Any, own: Any, other: Any, points: bool, steps: int = 130) -> tuple[float, float]:
    """What one player gets against another at all other seats, at each seat in turn: the share of
    victories, a draw by halves, or points; and half of the interval of 95 %."""
    seen = env.reset(seed=99)
    seat = torch.arange(env.games, device=taken(seen.seats).device) % env.players
    found: list[Any] = []
    for _ in range(steps):
        mine = taken(seen.seats) == seat
        seen = env.step(torch.where(mine, own(seen), other(seen)))
        came = worth_of(env, seen, points).gather(1, seat[:, None])[:, 0]
        ended = taken(seen.ended)
        found.append(came[ended] * 2 if points else came[ended] / 2 + 1 / env.players)
    all_games = torch.cat(found)
    off = 1.96 * all_games.std() / len(all_games) ** 0.5
    return float(all_games.mean()), float(off)


def train(env: Any, given: Any, reports: int = 10) -> tuple[Player, list[Any]]:
    """Learns for so long, and tells from time to time how well it plays against random players."""
    player, seconds, points = Player(env, given.hidden), given.seconds, given.points
    course, curve = Course(player, seconds, points, given), []
    for report in range(reports + 1):
        while course.spent < seconds * report / reports:
            course.round()
        share, off = against(
            env,
            lambda seen: player.chosen(seen, best=not points),
            lambda seen: any_of(taken(seen.offered)),
            points,
        )
        course.seen = env.reset(seed=2 + report)
        curve.append((round(course.spent, 1), course.decisions, round(share, 4), round(off, 4)))
        what = "points a game" if points else "of victories"
        told = "{:8.1f} s {:15,} decisions {:9.4f} ± {:.4f} " + what + " against random players"
        print(told.format(*curve[-1]), flush=True)
    if given.mean:
        player.network.load_state_dict(course.mean.module.state_dict())
    return player, curve


def exploited(player: Player) -> list[tuple[float, float]]:
    """For each seat what the best of all fixed ways to play it gets against the player, points a
    game, in games other than those by which it was found to be the best."""
    env, found = player.env, []
    for seat in range(env.players):
        seen = env.reset(seed=0)
        rows = torch.zeros(0, env.length, dtype=torch.int32, device=player.on)
        for _ in range(30):
            mine = taken(seen.seats) == seat
            rows = torch.unique(torch.cat([rows, taken(seen.observations)[mine]]), dim=0)
            seen = env.step(any_of(taken(seen.offered)))
        if len(rows) > SITUATIONS:
            raise ValueError(f"there are {len(rows)} situations, too many to try everything")
        ways = [torch.tensor(each) for each in itertools.product((0, 1), repeat=len(rows))]
        tried = [_fixed(player, seat, rows, way, seed=11)[0] for way in ways]
        best = max(range(len(ways)), key=tried.__getitem__)
        found.append(_fixed(player, seat, rows, ways[best], seed=12, steps=120))
    return found


def _fixed(
    player: Player, seat: int, rows: Any, way: Any, seed: int, steps: int = 12
) -> tuple[float, float]:
    env, found = player.env, []
    seen, answers = env.reset(seed=seed), way.to(player.on)
    for _ in range(steps):
        same = (taken(seen.observations)[:, None, :] == rows[None]).all(2)
        fixed = answers[same.long().argmax(1)]
        fixed = torch.minimum(fixed, taken(seen.offered).long() - 1)
        mine = taken(seen.seats) == seat
        seen = env.step(torch.where(mine, fixed, player.chosen(seen, best=False)))
        found.append(2 * worth_of(env, seen, True)[taken(seen.ended), seat])
    all_games = torch.cat(found)
    return float(all_games.mean()), float(1.96 * all_games.std() / len(all_games) ** 0.5)


def measure(player: Player, name: str, bot_name: str) -> tuple[float, float]:
    """The share of victories against a bot, and half of the interval of 95 %. Matches with the same
    luck are played beside the environment, so that the bot has its view."""
    import lawspeaker
    from lawspeaker.players.bots import bot
    from lawspeaker.study.lab.record import game_seed

    env, game, seed = player.env, lawspeaker.load(name), 5
    players = env.players
    seen = env.reset(seed=seed)
    matches = [game.start(players, game_seed(seed, at)) for at in range(env.games)]
    bots = [bot(bot_name, at) for at in range(env.games)]
    won: list[float | None] = [None] * env.games
    while None in won:
        answers = player.chosen(seen, best=True).tolist()
        for at, match in enumerate(matches):
            decision = match.decision
            if won[at] is not None or decision is None or decision.seat is None:
                continue
            seat = decision.seat
            options = match.shown(seat).options
            if seat != at % players:
                answers[at] = options.index(bots[at].choose(match.view(seat)))
            match.choose(options[answers[at]], seat=seat)
            if match.finished:
                victors = match.winners
                won[at] = (at % players in victors) / len(victors) if victors else 1 / players
        seen = env.step(torch.tensor(answers, device=player.on))
    shares = torch.tensor([each for each in won if each is not None])
    return float(shares.mean()), float(1.96 * shares.std() / len(shares) ** 0.5)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tables", type=int, default=16_384, help="games at once")
    parser.add_argument("--hidden", type=int, default=512, help="numbers in a layer")
    parser.add_argument("--steps", type=int, default=64, help="learned from together")
    parser.add_argument("--rate", type=float, default=1e-3, help="how far at once")
    parser.add_argument("--mean", action="store_true", help="keep the mean of the second half")
    parser.add_argument("--doubt", type=float, nargs=2, default=(0.05, 0.003))
    parser.add_argument("--machine", default="auto")
    parser.add_argument("--points", action="store_true", help="points count, not victories")
    parser.add_argument("--exploit", action="store_true", help="what the best reply gets")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--measure", type=Path, help="a network to be measured instead")
    parser.add_argument("--against", default="mc:100")
    parser.add_argument("--games", type=int, default=200)
    given = parser.parse_args()
    import lawspeaker

    torch.set_float32_matmul_precision("high")
    tables = given.games if given.measure is not None else given.tables
    env = lawspeaker.vector_env(given.game, given.players, tables, given.machine, options=8)
    if given.measure is not None:
        player = Player(env, given.hidden, torch.load(given.measure))
        share, off = measure(player, given.game, given.against)
        print(f"{share:.3f} ± {off:.3f} of victories over {given.against}, {given.games} games")
        return
    player, curve = train(env, given)
    if given.out is not None:
        player.save(given.out)
        given.out.with_suffix(".json").write_text(json.dumps(curve))
    if given.exploit:
        for seat, (points, off) in enumerate(exploited(player)):
            print(f"the best fixed player at seat {seat} gets {points:.4f} ± {off:.4f} points")


if __name__ == "__main__":
    main()
