"""Runs a bot's playouts on the GPU, thousands per launch.

For bots that start every playout from scratch (`flat`): a playout's number determines its seed
and its determinization, so it does not matter which machine runs it. The sums equal those of the
compiled machine, so a bot chooses the same on both. Bots that learn from one playout for the next
(`mc`, `tree`) have to run them in sequence and stay on the CPU.

Playouts that stop on the GPU are run again on the CPU, as in `gpu_games`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled import Instance, formed
from lawspeaker.machines.compiled.host import hidden_information
from lawspeaker.machines.compiled.host.frames import Frames
from lawspeaker.machines.compiled.host.instance import Tried
from lawspeaker.machines.compiled.runtime.plan import Sizes
from lawspeaker.machines.compiled.runtime.search_layout import ORDER, SHARE, TRIAL
from lawspeaker.machines.native.cuda import kernel
from lawspeaker.machines.native.kernel import NONE, SUMMED, TRIALS
from lawspeaker.machines.purpose import WATCHING, Purpose
from lawspeaker.outside.gpu_driver import SECONDS, Device, NoGpu, fetched, stopped_games
from lawspeaker.outside.gpu_games import LARGEST, LONG, gpu, larger, needed_in_turns, seconds_for
from lawspeaker.position.layout import layout_for
from lawspeaker.position.unseen import Unseen

_FIRST, _FASTER = 4096, 8
_TOO_MANY = 50
"""If more than one playout in this many stops, the memory regions are enlarged."""
_MOST = 1 << 30
_KEPT = 8


class CardTrials:
    """GPU playouts for the options of one game."""

    def __init__(
        self, program: ir.Program, players: int, device: Device, budget: int = MOST_STEPS
    ) -> None:
        self.program, self.layout, self.budget = program, layout_for(program, players), budget
        self._device = device
        if seconds_for(playing_instance(program, players, WATCHING)) > LONG:
            raise NoGpu("its games take too long for one thread of a card to play one to its end")
        self._load(replace(needed_in_turns(self.layout), records=ORDER + TRIAL))

    def _load(self, sizes: Sizes) -> None:
        self._sizes = sizes
        compiled, module = formed(self.layout, Purpose(flat=True), sizes)
        try:
            made = kernel(compiled, module, TRIALS)
        except RecursionError:
            raise NoGpu("the rules are nested too deep for a card") from None
        if made.own > LARGEST:
            raise NoGpu(f"a playout needs {made.own:,} bytes of memory, too many for a card")
        self._plan, self._frames = compiled.plan, Frames(compiled.facts)
        self._made, self._loaded = made, self._device.load(made)
        self._pace = _FIRST
        self._unseen: tuple[Unseen, tuple[int, ...]] | None = None

    def lay_out(self, unseen: Unseen, seats: tuple[int, ...]) -> None:
        """Loads the position to determinize, as `Instance.lay_out`. Raises `images.CannotHold`
        and `NoCard`.
        """
        told = hidden_information.written(self._plan, self._frames, unseen, seats)
        for at, content in zip(self._made.told, told, strict=True):
            self._loaded.tell(at, content)
        self._unseen = unseen, seats

    def explore(
        self,
        instance: Instance,
        options: Sequence[int],
        seat: int,
        seed: int,
        rounds: int,
        *,
        reach: int,
        deals: int,
        discreet: bool,
    ) -> list[Tried]:
        """Runs playouts as `Instance.explore` does for bots without memory. Raises `NoCard`.

        `instance` must hold the same position; it repeats playouts that stopped on the GPU.
        """
        xp, last = self._loaded.xp, rounds * len(options)
        tried = xp.asarray(np.array(options, np.uint32))
        found = xp.zeros((len(options), SUMMED), xp.uint64)
        first, stopped = 0, list[int]()
        while first < last:
            count = min(self._pace, last - first)
            block = self._made.block
            threads = min(self._loaded.threads, -(-count // block) * block)
            following, playing = xp.zeros(1, xp.uint32), xp.full(threads, NONE, xp.uint32)
            seconds = self._loaded.call(
                threads,
                np.uint64(seed & (1 << 64) - 1),
                *map(np.uint32, (len(options), first, count, seat, reach, deals, discreet)),
                *(np.uint32(self.budget), tried, following, playing, found, np.uint32(threads)),
            )
            begun = min(count, int(following[0]))
            stopped += [first + number for number in stopped_games(fetched(playing))]
            first += begun
            wanted = begun * SECONDS / max(seconds, 1e-6)
            self._pace = max(_FIRST, int(min(wanted, _FASTER * self._pace, _MOST)))
        sums = [_tried(*each) for each in zip(options, fetched(found).view(np.int64), strict=True)]
        for number in stopped:
            which = number % len(options)
            (again,) = instance.explore(
                [options[which]],
                seat,
                seed,
                1,
                first=number // len(options),
                reach=reach,
                deals=deals,
                discreet=discreet,
            )
            sums[which] = _both(sums[which], again)
        if len(stopped) * _TOO_MANY > last:
            self._grow()
        return sums

    def _grow(self) -> None:
        laid_out = self._unseen
        self._load(larger(self._sizes))
        if laid_out is not None:
            self.lay_out(*laid_out)


def _tried(option: int, words: Sequence[int]) -> Tried:
    playouts, ended, wins, own, total, size = map(int, words)
    return Tried(option, playouts, ended, wins / SHARE, own, total, size)


def _both(one: Tried, other: Tried) -> Tried:
    return Tried(
        one.option,
        one.playouts + other.playouts,
        one.ended + other.ended,
        (round(one.wins * SHARE) + round(other.wins * SHARE)) / SHARE,
        one.own + other.own,
        one.total + other.total,
        one.size + other.size,
    )


_trials: LruCache[CardTrials] = LruCache(_KEPT)


def card_trials(program: ir.Program, players: int) -> CardTrials:
    """Returns the cached GPU playouts of a game on this computer's GPU. Raises `NoCard`."""
    device = gpu()
    return _trials.get((id(program), players), lambda: CardTrials(program, players, device))
