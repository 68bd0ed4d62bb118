"""Runs bots of tables in worker processes.

A bot may think for a while, and the server must stay responsive meanwhile. So a worker gets the
rules, the seed and the replies, replays the game, takes its seat's view and sends back the number
of an option. The worker caches the last few games, so that it mostly has only a few replies to
replay.

A bot is created anew for each reply, with an RNG seeded from the game's seed, the seat and the
number of replies. So a server that was stopped while a bot was thinking computes the same reply
after a restart.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.match.log import RuleFile
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.players.bots.names import is_learned
from lawspeaker.position.rng import combine, word_of

if TYPE_CHECKING:
    from lawspeaker.players.bots.montecarlo import MonteCarloBot
    from lawspeaker.study.lab.statistics import Estimate

MOST_GAMES = 32
HINT = "hint"
"""The bot name of the adviser behind hints; it never sits at a table."""
HINT_PLAYOUTS, HINT_SECONDS = 1000, 2.0
MOST_ADVISED = 3
MOST_PROGRAMS = 8


@dataclass(frozen=True, slots=True)
class Position:
    """A game up to a question, as needed to replay it. `replies` are pairs (seat, option)."""

    table: int
    digest: str
    files: tuple[RuleFile, ...]
    players: int
    seed: int
    discretion: str
    replies: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A request to a bot: its name, its seat and the question (see `Table.ask`)."""

    seat: int
    bot: str
    ask: int
    position: Position


def think(turn: Turn) -> int:
    """Returns the number of the option that a bot takes; runs in a worker."""
    match = _caught_up(turn.position)
    return chosen(match, turn)


def chosen(match: Match, turn: Turn) -> int:
    """Returns the number of the option that a bot takes in a match that has reached its
    question."""
    seed = combine(seat_seed(turn.position.seed, turn.seat), len(turn.position.replies))
    if is_learned(turn.bot):
        _open_shelf()
    option = reply(bot(turn.bot, seed), match, turn.seat)
    # The view holds copies of the options, so they are compared by their texts, in which members
    # of a set may stand in another order.
    decision = match.shown(turn.seat)
    found = decision.option(option.text)
    if found is None:
        raise ValueError(f"{option.text!r} is not offered")
    return decision.options.index(found)


def think_of_advice(turn: Turn) -> dict[str, Any]:
    """Computes a hint for a seat; runs in a worker."""
    return advice(_caught_up(turn.position), turn)


def advice(match: Match, turn: Turn) -> dict[str, Any]:
    """Computes a hint in a match that has reached the seat's question.

    It uses the seat's view alone. Its RNG does, too: the game's own seed would reveal hidden
    things. Where a learned policy exists for these very rules, the playouts use it.
    """
    # A page without a server has no native machine for that.
    from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot

    seed = combine(word_of("hint"), turn.seat, len(turn.position.replies))
    effort = Effort(HINT_PLAYOUTS, HINT_SECONDS, time.monotonic)
    view = match.view(turn.seat)
    return advised(view, MonteCarloBot("mc", seed, effort, _learned_file(view)))


def advised(view: View, thinker: MonteCarloBot) -> dict[str, Any]:
    """Ranks the options of a view by playouts.

    Returns the best few, each with its number of playouts, the share of wins with its interval, and
    the mean lead.
    """
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
    """Returns the learned file for exactly these rules:

    "" for the default location, None for none.
    """
    try:
        from lawspeaker.outside.learned import LearnedShelf
    except ImportError:  # a published page ships nothing learned
        return None
    if view.layout.players not in LearnedShelf().counts(view.program.digest):
        return None
    _open_shelf()
    return ""


def _open_shelf() -> None:
    """Registers the shelf of learned files, unless one is registered already."""
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
    """Whether a position extends an earlier one of the same game, with nothing taken back."""
    same = (now.digest, now.players, now.seed, now.discretion)
    if same != (before.digest, before.players, before.seed, before.discretion):
        return False
    return now.replies[: len(before.replies)] == before.replies


def program_of(digest: str, files: tuple[RuleFile, ...]) -> ir.Program:
    """Compiles a program from its rule files; each process caches the last few."""
    found = _programs.pop(digest, None)
    if found is None:
        # Imported here: a published game is compiled already and ships no compiler.
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
    "Position",
    "Turn",
    "advice",
    "advised",
    "chosen",
    "program_of",
    "think",
    "think_of_advice",
]
