"""Bots that sit at tables, in processes of their own.

A bot may think for a while, and while it does the server must hear everybody else. So it gets the
rules, the seed and the replies, plays the game again in another process, looks at its seat's view
there, and sends back the number of an option. The process remembers the last few games, so that
most of the time it has only a few replies to catch up with.

A bot is made anew for each reply, its luck from the seed, the seat and the number of replies: so
a server that was stopped in the middle of a thought comes to the same reply.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.faces.web.processes import come_and_go
from lawspeaker.match.log import RuleFile
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.players.bots.names import is_learned
from lawspeaker.position.luck import combine, word_of

if TYPE_CHECKING:
    from lawspeaker.players.bots.montecarlo import MonteCarloBot
    from lawspeaker.study.lab.statistics import Estimate

MOST_GAMES = 32
HINT = "hint"
"""Who thinks about what somebody could do: no bot that sits anywhere."""
HINT_PLAYOUTS, HINT_SECONDS = 1000, 2.0
MOST_ADVISED = 3
MOST_PROGRAMS = 8

log = logging.getLogger("lawspeaker.web")


@dataclass(frozen=True, slots=True)
class Position:
    """A game up to a question: all that is needed to play it again. Replies are (seat, option)."""

    table: int
    digest: str
    files: tuple[RuleFile, ...]
    players: int
    seed: int
    discretion: str
    replies: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A bot is asked: which one, in which seat, and by which question (see `Table.ask`)."""

    seat: int
    bot: str
    ask: int
    position: Position


class Thinkers:
    """Processes in which bots think; none are started before they are needed."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._stopping = False

    def pool(self) -> Executor:
        """Where to think; raises TimeoutError once the server is being stopped."""
        if self._stopping:
            raise TimeoutError
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes, mp_context=get_context("spawn"), initializer=come_and_go
            )
        return self._pool

    def broke(self, pool: Executor) -> None:
        """A process has died, and all its fellows with it: the next bot gets new ones."""
        if pool is self._pool:
            log.warning("a process in which bots think has died; starting others")
            self.close()

    def stop(self) -> None:
        """Ends all processes at once, whatever they think about: the same thought can be had again
        after the next start. Python would wait for the end of each thought else."""
        self._stopping = True
        for process in tuple((self._pool._processes or {}).values()) if self._pool else ():
            process.kill()
        self.close()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def think(turn: Turn) -> int:
    """The number of the option a bot takes."""
    match = _caught_up(turn.position)
    return chosen(match, turn)


def chosen(match: Match, turn: Turn) -> int:
    """What a bot chooses in a match that stands at its question."""
    seed = combine(seat_seed(turn.position.seed, turn.seat), len(turn.position.replies))
    if is_learned(turn.bot):
        _open_shelf()
    option = reply(bot(turn.bot, seed), match, turn.seat)
    # The view has its own copies of the options, so they are compared by what they say.
    texts = [each.text for each in match.shown(turn.seat).options]
    return texts.index(option.text)


def think_of_advice(turn: Turn) -> dict[str, Any]:
    """What a bot would do in a seat, and why."""
    return advice(_caught_up(turn.position), turn)


def advice(match: Match, turn: Turn) -> dict[str, Any]:
    """The same in a match that stands at the seat's question.

    All of it comes from the seat's view. Its luck, too: that of the game would tell of what is
    hidden. Where something was learned by these very rules, the players of the imagined games play
    by it.
    """
    # A page without a server has no machine for that.
    from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot

    seed = combine(word_of("hint"), turn.seat, len(turn.position.replies))
    effort = Effort(HINT_PLAYOUTS, HINT_SECONDS, time.monotonic)
    view = match.view(turn.seat)
    return advised(view, MonteCarloBot("mc", seed, effort, _learned_file(view)))


def advised(view: View, thinker: MonteCarloBot) -> dict[str, Any]:
    """What a bot that plays imagined games thinks of the options of a view: the best few, each with
    how many games it was tried in, the share of victories with its interval, and how far ahead."""
    from lawspeaker.study.lab.statistics import share

    best = thinker.weighed(view)[:MOST_ADVISED]
    return {
        "options": [
            {
                "number": each.option,
                "games": each.playouts,
                "wins": _rounded(share(each.wins, each.playouts, len(best))),
                "ahead": round(each.ahead / max(1, each.playouts), 1),
            }
            for each in best
        ]
    }


def _rounded(found: Estimate) -> list[float]:
    return [round(each, 3) for each in (found.value, found.low, found.high)]


def _learned_file(view: View) -> str | None:
    """Where it stands what was learned by the very rules of a game: the usual place, or nowhere."""
    try:
        from lawspeaker.outside.learned import LearnedShelf
    except ImportError:  # a published page brings nothing learned along
        return None
    if view.layout.players not in LearnedShelf().counts(view.program.digest):
        return None
    _open_shelf()
    return ""


def _open_shelf() -> None:
    """What was learned is looked for from now on, unless it is already."""
    from lawspeaker.outside.learned import LearnedShelf
    from lawspeaker.players.bots.policies import has_shelf, keep_learned_on

    if not has_shelf():
        keep_learned_on(LearnedShelf())


_games: OrderedDict[int, tuple[Position, Match]] = OrderedDict()
_programs: OrderedDict[str, ir.Program] = OrderedDict()


def _caught_up(position: Position) -> Match:
    known = _games.pop(position.table, None)
    if known is None or not _continues(position, known[0]):
        program = program_of(position.digest, position.files)
        match = Match(program, position.players, position.seed, "seed", position.discretion)
        given = 0
    else:
        match, given = known[1], len(known[0].replies)
    for seat, option in position.replies[given:]:
        match.choose(option, seat=seat)
    _games[position.table] = position, match
    while len(_games) > MOST_GAMES:
        _games.popitem(last=False)
    return match


def _continues(now: Position, before: Position) -> bool:
    """Whether a game has gone on from where it was, and nothing was taken back."""
    same = (now.digest, now.players, now.seed, now.discretion)
    if same != (before.digest, before.players, before.seed, before.discretion):
        return False
    return now.replies[: len(before.replies)] == before.replies


def program_of(digest: str, files: tuple[RuleFile, ...]) -> ir.Program:
    """The program of some rules; a process remembers the last few."""
    found = _programs.pop(digest, None)
    if found is None:
        # Here and not above: a published game is compiled already, and has no compiler.
        from lawspeaker.outside.loading import compile_bundle

        diagnostics = Diagnostics()
        found = compile_bundle(files, diagnostics, "table")
        if found is None:
            raise RulesError(diagnostics)
    _programs[digest] = found
    while len(_programs) > MOST_PROGRAMS:
        _programs.popitem(last=False)
    return found


__all__ = [
    "BrokenProcessPool",
    "Position",
    "Thinkers",
    "Turn",
    "advice",
    "advised",
    "chosen",
    "program_of",
    "think",
    "think_of_advice",
]
