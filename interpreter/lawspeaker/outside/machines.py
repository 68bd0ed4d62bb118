"""Selects the back end that plays games between random players.

    wasm     the compiled machine
    native   the same module as machine code of this computer's C compiler
    gpu      the same module on a GPU
    auto     a GPU, if there is one that can play the game and there are games enough for it to
             be worth while; else the compiled machine

Bots that start every playout from scratch (`flat`) use a GPU for playouts as well, with equal
results. `auto` does so for bots that make enough playouts per choice.

A back end that is named explicitly is used, or an error says what is missing before anything is
played. `auto` falls back silently: games that a GPU cannot play, or on which it fails, are played
by the compiled machine. Records are equal on all back ends, so results do not depend on the
choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.base.diagnostics import Failure
from lawspeaker.machines.purpose import SUMMING, WATCHING
from lawspeaker.position.fault import NoCompiledMachine, NoMachine
from lawspeaker.study.lab.games import Recorder, Recorders, play_games
from lawspeaker.study.lab.tally import Tally, tally

if TYPE_CHECKING:
    from lawspeaker.machines.sum_host import AddsUp
    from lawspeaker.outside.gpu_games import CardGames
    from lawspeaker.outside.modules import ModuleFolder
    from lawspeaker.players.bots.trials import Explorer

AUTO, WASM, NATIVE, GPU = "auto", "wasm", "native", "gpu"
MACHINES = (AUTO, WASM, NATIVE, GPU)
MANY_GAMES = 1_000_000
"""Number of games from which a GPU is worth its start-up time."""
MANY_TRIALS = 10_000
"""The same for a bot's playouts per choice."""

_AT_ONCE = 20_000
Wanted = tuple[ir.Program, int]
"""A program and its number of players."""

_given_up: list[str] = []
"""Why `auto` stopped using the GPU in this process; empty while it is in use."""
_worth_a_card = MANY_TRIALS
"""Minimum playouts per choice for a bot to use the GPU."""
_slow: list[ir.Program] = []
"""Programs whose playouts do not run on the GPU."""


class WrongMachine(Failure, ValueError):
    """No such back end, or not for these players; the message says so."""

    exit_code = 2


def machine_for(name: str, games: int, bots: Sequence[str], wanted: Sequence[Wanted]) -> str:
    """Resolves a back end by name and prepares it for the wanted programs.

    Raises `WrongMachine`, and `NoMachine` if it is not available. Returns `auto` where a GPU is
    used without being asked for.
    """
    if name not in MACHINES:
        raise WrongMachine(f"there is no machine called {name}; there are {', '.join(MACHINES)}")
    random = set(bots) == {"random"}
    if name == GPU and not random and all(map(_can_be_on_card, bots)):
        think_on_card(wanted)
        return GPU
    if name in (NATIVE, GPU) and not random:
        who = "random players and flat:N" if name == GPU else "random players"
        raise WrongMachine(f"only {who} play on the machine {name}; leave --bots out, or --machine")
    if name == WASM or (name == AUTO and (games < MANY_GAMES or not random)):
        return WASM
    try:
        make = recorders(GPU if name == AUTO else name)
        assert make is not None
        for program, players in wanted:
            make(program, players)
    except NoMachine:
        if name != AUTO:
            raise
        return WASM
    return name


def _can_be_on_card(bot: str) -> bool:
    return bot == "random" or bot.startswith("flat:")


def think_on_card(wanted: Sequence[Wanted]) -> None:
    """Makes bots that can use the GPU do so for any number of playouts. Raises `NoMachine`."""
    from lawspeaker.outside.gpu_playouts import card_trials

    global _worth_a_card  # noqa: PLW0603
    for program, players in wanted:
        card_trials(program, players)
    _worth_a_card = 1


def explorer(program: ir.Program, players: int, playouts: int) -> Explorer | None:
    """Returns GPU playouts for a bot, if they pay off for so many and a GPU can run them."""
    if playouts < _worth_a_card or _given_up or any(each is program for each in _slow):
        return None
    from lawspeaker.outside.gpu_games import gpu
    from lawspeaker.outside.gpu_playouts import card_trials

    try:
        gpu()
    except NoMachine as error:
        _given_up.append(str(error))
        return None
    try:
        return card_trials(program, players)
    except NoMachine:
        _slow.append(program)
        return None


def on_card(machine: str) -> bool:
    """Whether a resolved back end is a GPU, so that one process does all the work."""
    return machine in (GPU, AUTO)


def back_ends_used(machine: str) -> str:
    """Names the back ends that actually played, after the games."""
    if machine != AUTO:
        return machine
    return f"{GPU}, {WASM}" if _given_up else GPU


def tallies(
    machine: str,
    program: ir.Program,
    players: int,
    seed: int,
    numbers: range,
    threads: int = 1,
    folder: ModuleFolder | None = None,
) -> Iterator[Tally] | None:
    """Yields tallies of these games, summed where they are played; None if that is not possible.

    Raises `NoMachine` on the way. `folder` is the module cache.
    """
    if not on_card(machine) or _given_up:
        return _added_up(machine, program, players, seed, numbers, threads, folder)
    from lawspeaker.outside.gpu_games import card_games

    games = card_games(program, players)
    if not games.sums_up:
        return None
    return _relieved(machine, games, seed, numbers)


def _added_up(
    machine: str,
    program: ir.Program,
    players: int,
    seed: int,
    numbers: range,
    threads: int,
    folder: ModuleFolder | None,
) -> Iterator[Tally] | None:
    """The same on CPUs."""
    # Imported lazily: naming a back end needs none.
    from lawspeaker.machines.sum_layout import MOST_PLAYERS
    from lawspeaker.outside.summing import added_up

    if players > MOST_PLAYERS:
        return None
    try:
        if machine == NATIVE:
            from lawspeaker.outside.native import native_games

            inside: AddsUp = native_games(program, players, SUMMING)
        else:
            inside = _sums.get((id(program), players), lambda: _summing(program, players, folder))
    except NoCompiledMachine:
        return None
    return added_up(program, inside, seed, numbers, threads)


_sums: LruCache[AddsUp] = LruCache(8)


def _summing(program: ir.Program, players: int, folder: ModuleFolder | None) -> AddsUp:
    """Returns a module that sums games up, from the cache or compiled now."""
    from lawspeaker.machines import sum_cache

    found = None if folder is None else sum_cache.kept(program, players, folder)
    if found is not None:
        return found
    from lawspeaker.machines.adapter import playing_instance

    made = playing_instance(program, players, SUMMING)
    if folder is not None:
        sum_cache.keep(program, made.sum_places, made.native, folder)
        folder.forget_others()
    return made


def _relieved(machine: str, games: CardGames, seed: int, numbers: range) -> Iterator[Tally]:
    done = 0
    try:
        for each in games.tallies(seed, numbers.start, len(numbers)):
            yield each
            done += each.games + each.broke.games
    except NoMachine as error:
        if machine != AUTO:
            raise
        _given_up.append(str(error))
    bots = ("random",) * games.layout.players
    for at in range(done, len(numbers), _AT_ONCE):
        some = numbers[at : at + _AT_ONCE]
        yield tally(play_games(games.program, len(bots), seed, some, bots))


def recorders(machine: str) -> Recorders | None:
    """Returns the player factory of a resolved back end; None means the compiled machine."""
    if machine == NATIVE:
        from lawspeaker.outside.native import native_games

        return native_games
    if machine == GPU:
        from lawspeaker.outside.gpu_games import card_games

        return card_games
    return _card_or_compiled if machine == AUTO else None


def _card_or_compiled(program: ir.Program, players: int) -> Recorder:
    return _Relieved(program, players)


class _Relieved:
    """Plays on the GPU until it fails, then on the compiled machine."""

    def __init__(self, program: ir.Program, players: int) -> None:
        # Imported lazily: naming a back end needs none.
        from lawspeaker.machines.adapter import playing_instance

        self._compiled: Recorder = playing_instance(program, players, WATCHING)
        self._card: Recorder | None = None
        if not _given_up:
            from lawspeaker.outside.gpu_games import card_games

            try:
                self._card = card_games(program, players)
            except NoMachine as error:
                _given_up.append(str(error))

    @property
    def columns(self) -> dict[str, slice]:
        return self._compiled.columns

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        """Yields records of games between random players, as `Instance.records`."""
        end, size = first + count, 4 * max(each.stop for each in self.columns.values())
        if self._card is not None:
            try:
                for content in self._card.records(seed, first, count):
                    yield content
                    first += len(content) // size
            except NoMachine as error:
                _given_up.append(str(error))
                self._card = None
        if first < end:
            yield from self._compiled.records(seed, first, end - first)
