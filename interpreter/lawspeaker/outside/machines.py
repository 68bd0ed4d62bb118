"""Which machine plays games between random players: chosen here, and nowhere else. An edge.

    wasm      the compiled machine
    native    the same module as machine code of this computer's C compiler
    gpu       the same module on a graphics card
    auto      a card, if there is one that can play the game and there are games enough for it to
              be worth while; else the compiled machine

Bots that take any option in their playouts (`flat`) think on a card as well, and do the same there.
With `auto` that is tried for whoever makes enough playouts for a choice.

Whoever names a machine gets that one or is told what is missing, before anything is played. With
`auto` nobody is told: what a card cannot play, or gives up on the way, the compiled machine plays.
Records are the same on all of them, so nothing that is found out depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.cache import Kept
from lawspeaker.machines.purpose import SUMMING, WATCHING
from lawspeaker.position.fault import NoCompiledMachine, NoMachine
from lawspeaker.study.lab.games import Recorder, Recorders, play_games
from lawspeaker.study.lab.tally import Tally, tally

if TYPE_CHECKING:
    from lawspeaker.machines.adding import AddsUp
    from lawspeaker.outside.cards import CardGames
    from lawspeaker.outside.modules import Folder
    from lawspeaker.players.bots.trials import Explorer

AUTO, WASM, NATIVE, GPU = "auto", "wasm", "native", "gpu"
MACHINES = (AUTO, WASM, NATIVE, GPU)
MANY_GAMES = 1_000_000
"""From so many games on, a card is worth the moment in which it is got ready."""
MANY_TRIALS = 10_000
"""The same for playouts of a bot."""

_AT_ONCE = 20_000
Wanted = tuple[ir.Program, int]
"""Rules, and how many play by them."""

_given_up: list[str] = []
"""Why cards that nobody asked for by name were given up in this process."""
_worth_a_card = MANY_TRIALS
"""How many playouts a bot has to make for it to think on a card."""
_slow: list[ir.Program] = []
"""Games that a card cannot try options out in."""


class WrongMachine(ValueError):
    """There is no such machine, or not for these players; the message says so."""


def chosen(name: str, games: int, bots: Sequence[str], wanted: Sequence[Wanted]) -> str:
    """The machine of that name, got ready for all that it is wanted for. Raises `WrongMachine`, and
    `NoMachine` where it cannot be had. `auto` comes back where a card is tried without anybody
    having asked for it."""
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
    """Bots that can think on a card do so from here on, however little. Raises `NoMachine`."""
    from lawspeaker.outside.card_trials import card_trials

    global _worth_a_card  # noqa: PLW0603
    for program, players in wanted:
        card_trials(program, players)
    _worth_a_card = 1


def explorer(program: ir.Program, players: int, playouts: int) -> Explorer | None:
    """A card for so many playouts of a bot, if they are worth it and there is one that can."""
    if playouts < _worth_a_card or _given_up or any(each is program for each in _slow):
        return None
    from lawspeaker.outside.card_trials import card_trials
    from lawspeaker.outside.cards import card

    try:
        card()
    except NoMachine as error:
        _given_up.append(str(error))
        return None
    try:
        return card_trials(program, players)
    except NoMachine:
        _slow.append(program)
        return None


def on_card(machine: str) -> bool:
    """Whether a machine that was chosen is a card: then one process does it all."""
    return machine in (GPU, AUTO)


def told(machine: str) -> str:
    """Who has really played, after the games, on a machine that was chosen."""
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
    folder: Folder | None = None,
) -> Iterator[Tally] | None:
    """The games of these numbers, added up where they are played; None where that cannot be done.
    Raises `NoMachine` on the way. `folder`: where modules are kept."""
    if not on_card(machine) or _given_up:
        return _added_up(machine, program, players, seed, numbers, threads, folder)
    from lawspeaker.outside.cards import card_games

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
    folder: Folder | None,
) -> Iterator[Tally] | None:
    """The same on processors."""
    # Here and not above: whoever only names machines needs none.
    from lawspeaker.machines.sum_room import MOST_PLAYERS
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


_sums: Kept[AddsUp] = Kept(8)


def _summing(program: ir.Program, players: int, folder: Folder | None) -> AddsUp:
    """A module that adds games up: from the folder if it is there, else made now and put there."""
    from lawspeaker.machines import kept_sums

    found = None if folder is None else kept_sums.kept(program, players, folder)
    if found is not None:
        return found
    from lawspeaker.machines.adapter import playing_instance

    made = playing_instance(program, players, SUMMING)
    if folder is not None:
        kept_sums.keep(program, made.sum_places, made.native, folder)
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
    """Who plays on a machine that was chosen; nobody in particular: the compiled machine."""
    if machine == NATIVE:
        from lawspeaker.outside.native import native_games

        return native_games
    if machine == GPU:
        from lawspeaker.outside.cards import card_games

        return card_games
    return _card_or_compiled if machine == AUTO else None


def _card_or_compiled(program: ir.Program, players: int) -> Recorder:
    return _Relieved(program, players)


class _Relieved:
    """Games on a card, as far as it goes on; the compiled machine plays the rest."""

    def __init__(self, program: ir.Program, players: int) -> None:
        # Here and not above: whoever only names machines needs none.
        from lawspeaker.machines.adapter import playing_instance

        self._compiled: Recorder = playing_instance(program, players, WATCHING)
        self._card: Recorder | None = None
        if not _given_up:
            from lawspeaker.outside.cards import card_games

            try:
                self._card = card_games(program, players)
            except NoMachine as error:
                _given_up.append(str(error))

    @property
    def columns(self) -> dict[str, slice]:
        return self._compiled.columns

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        """As `Instance.records`."""
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
