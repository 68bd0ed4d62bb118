"""Registry of bots. A bot gets the view of its seat and nothing else.

    random      chooses uniformly among the options
    greedy      runs short playouts of each option in 16 determinizations
    mc:200      runs 200 playouts per choice (any number) to the end of the game, in which
                everyone tends to repeat replies that did well so far
    flat:200    the same number, with uniformly random playouts
    tree:200    the same number, guided by a search tree of replies
    mc:250ms    as many as fit into the time; not reproducible across machines (tree:250ms as well)
    learned     plays the policy that `lawspeaker train` stored for the game; learned:FILE, the
                one in a file; learned@1f2e3d4c, the one with this digest
    learned+mc:200   thinks for as long as mc:200, using the policy in the manner that tested best
                in training (learned+tree:200 and learned:FILE+mc:200 as well)

A bot has its own RNG streams: its choices never change the randomness of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.players.bots.names import alone, is_learned, is_policy, parts_of
from lawspeaker.players.bots.simple import Bot, RandomBot
from lawspeaker.position.rng import combine, word_of

if TYPE_CHECKING:
    from lawspeaker.match.decision import Option
    from lawspeaker.match.match import Match
    from lawspeaker.players.bots.policies import Lesson

BOTS = ("random", "greedy", "mc:100", "mc:1000", "tree:3000")
"""Bots to offer; `mc`, `flat` and `tree` take any effort."""
LEARNED_BOTS = ("learned", "learned+mc:1000")
"""Bots to offer in addition where a policy was learned for a game."""

RANDOM = "random"
MOST_PLAYOUTS = 1_000_000

__all__ = [
    "BOTS",
    "LEARNED_BOTS",
    "RANDOM",
    "Bot",
    "UnknownBot",
    "bot",
    "name_error",
    "reply",
    "seat_seed",
    "weaker",
]


class UnknownBot(ValueError):
    """No such bot; the message lists those that exist."""


def bot(name: str, seed: int, clock: Callable[[], float] | None = None) -> Bot:
    """Creates a bot by name, with its own seed; `clock` returns seconds, for bots with a time
    limit.
    """
    if is_learned(name):
        return _learned(name, seed, clock)
    kind = name.partition(":")[0]
    if kind in ("flat", "mc", "tree"):
        return _monte_carlo(name, seed, clock)
    if name == RANDOM:
        return RandomBot(seed)
    if name == "greedy":
        # Imported lazily, since it loads the compiled machine.
        from lawspeaker.players.bots.greedy import GreedyBot

        return GreedyBot(seed)
    every = (*BOTS, *LEARNED_BOTS)
    hint = did_you_mean(name, every) or f"there are {', '.join(every)}"
    raise UnknownBot(f"there is no bot `{name}`; {hint}")


def name_error(name: str, *, timed: bool = False) -> str:
    """Validates the name of a bot: returns an error message, empty if the name is valid.

    `timed` admits bots with a time limit.
    """
    try:
        bot(name, 0, (lambda: 0.0) if timed else None)
    except UnknownBot as error:
        return str(error)
    return ""


def weaker(name: str) -> tuple[str, ...]:
    """The baselines that a bot ought to beat: random, and the next weaker kind, with the same
    effort.

    For a bot that thinks with a policy these are the same search without the policy, and the
    policy without search: otherwise its time is wasted.
    """
    if is_policy(name):
        return RANDOM, "greedy"
    if is_learned(name):
        return RANDOM, parts_of(name)[1], alone(name)
    kind, _, effort = name.partition(":")
    if kind == RANDOM:
        return ()
    below = {"flat": ("greedy",), "mc": ("greedy",), "tree": (f"mc:{effort}",)}
    return (RANDOM, *below.get(kind, ()))


def plays_for_points(name: str, program: ir.Program, players: int) -> bool:
    """Whether a bot's policy was trained to maximise points, whoever wins."""
    if not is_policy(name):
        return False
    from lawspeaker.players.bots.policies import POINTS, policy_for

    return policy_for(program, players, parts_of(name)[0]).about.aim == POINTS


def lesson_of(name: str, program: ir.Program, players: int) -> Lesson | None:
    """The policy a bot plays by, if any."""
    if not is_learned(name):
        return None
    from lawspeaker.players.bots.policies import lesson

    return lesson(name, program, players)


def _learned(name: str, seed: int, clock: Callable[[], float] | None) -> Bot:
    from lawspeaker.players.bots.learned import LearnedBot

    file, thinker = parts_of(name)
    if not thinker:
        return LearnedBot(seed, file)
    if thinker.partition(":")[0] not in ("mc", "tree"):
        raise UnknownBot(f"`{name}` is not of the form learned+mc:200 or learned+tree:200")
    return _monte_carlo(thinker, seed, clock, file)


def _monte_carlo(
    name: str, seed: int, clock: Callable[[], float] | None, file: str | None = None
) -> Bot:
    # Imported lazily for the same reason.
    from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot

    kind, _, text = name.partition(":")
    number = text.removesuffix("ms")
    if not number.isdecimal() or not 0 < int(number) <= MOST_PLAYOUTS:
        raise UnknownBot(f"`{name}` is not of the form {kind}:200 (playouts) or {kind}:250ms")
    if number == text:
        effort = Effort(int(number))
    elif clock is not None:
        effort = Effort(MOST_PLAYOUTS, int(number) / 1000, clock)
    else:
        message = f"plays otherwise on another machine; here it has to be {kind}:200"
        raise UnknownBot(f"`{name}` {message}")
    return MonteCarloBot(kind, seed, effort, file)


def reply(player: Bot, match: Match, seat: int) -> Option:
    """Asks a bot for its choice at a seat. A random bot gets the options only, without a view."""
    if isinstance(player, RandomBot):
        return player.pick(match.asked(seat).options)
    return player.choose(match.view(seat))


def seat_seed(seed: int, seat: int) -> int:
    """Seed of the bot in a seat: independent of the game's, and different for each seat."""
    return combine(seed, word_of("bot"), seat)
