"""Players that are programs. They see what their seat sees, and nothing else.

    random     takes any option
    greedy     tries each option in 16 imagined matches and looks a little ahead
    mc:200     plays 200 imagined matches to their end for every choice (any number), in which
               everyone rather takes what did well so far
    flat:200   the same number, in which everyone takes any option
    tree:200   the same number, in which a tree of replies grows
    mc:250ms   as many as there is time for; not the same on every machine (tree:250ms as well)
    learned    plays by what `lawspeaker train` has learned of the game; learned:FILE, as it stands
               in a file; learned@1f2e3d4c, the one with this print
    learned+mc:200   thinks for as long as mc:200, with what was learned, in the manner that did
                     best when it was learned (learned+tree:200 and learned:FILE+mc:200 as well)

A bot has luck of its own: what it does never shifts the luck of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.players.bots.names import alone, is_learned, is_policy, parts_of
from lawspeaker.players.bots.simple import Bot, RandomBot
from lawspeaker.position.luck import combine, word_of

if TYPE_CHECKING:
    from lawspeaker.match.decision import Option
    from lawspeaker.match.match import Match
    from lawspeaker.players.bots.policies import Lesson

BOTS = ("random", "greedy", "mc:100", "mc:1000", "tree:3000")
"""Those to offer; `mc`, `flat` and `tree` can be given any effort."""
LEARNED_BOTS = ("learned", "learned+mc:1000")
"""Those to offer as well where something was learned of a game."""

RANDOM = "random"
MOST_PLAYOUTS = 1_000_000

__all__ = [
    "BOTS",
    "LEARNED_BOTS",
    "RANDOM",
    "Bot",
    "UnknownBot",
    "bot",
    "known",
    "reply",
    "seat_seed",
    "weaker",
]


class UnknownBot(ValueError):
    """There is no such bot; the message says which there are."""


def bot(name: str, seed: int, clock: Callable[[], float] | None = None) -> Bot:
    """A bot by its name, with a seed of its own. `clock` counts seconds, for those who need it."""
    if is_learned(name):
        return _learned(name, seed, clock)
    kind = name.partition(":")[0]
    if kind in ("flat", "mc", "tree"):
        return _monte_carlo(name, seed, clock)
    if name == RANDOM:
        return RandomBot(seed)
    if name == "greedy":
        # Only who plays with it needs the compiled machine, which takes a moment to be loaded.
        from lawspeaker.players.bots.greedy import GreedyBot

        return GreedyBot(seed)
    every = (*BOTS, *LEARNED_BOTS)
    hint = did_you_mean(name, every) or f"there are {', '.join(every)}"
    raise UnknownBot(f"there is no bot `{name}`; {hint}")


def known(name: str, *, timed: bool = False) -> str:
    """What is wrong with the name of a bot; nothing, if there is one. `timed`: those who think
    for so long a time will do, too."""
    try:
        bot(name, 0, (lambda: 0.0) if timed else None)
    except UnknownBot as error:
        return str(error)
    return ""


def weaker(name: str) -> tuple[str, ...]:
    """The bots that one ought to beat: random players, and the next one below it; with the same
    effort, if it has one. Who thinks by what was learned ought to beat who thinks without, and who
    plays by the same without thinking: else it is not worth the time."""
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
    """Whether a bot has learned to get as many points as it can, whoever wins."""
    if not is_policy(name):
        return False
    from lawspeaker.players.bots.policies import POINTS, policy_for

    return policy_for(program, players, parts_of(name)[0]).about.aim == POINTS


def lesson_of(name: str, program: ir.Program, players: int) -> Lesson | None:
    """What a bot plays by, if that was learned."""
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
    # Here and not above for the same reason.
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
    """What a bot answers for a seat. Who takes any option need not be shown the table."""
    if isinstance(player, RandomBot):
        return player.pick(match.asked(seat).options)
    return player.choose(match.view(seat))


def seat_seed(seed: int, seat: int) -> int:
    """The seed of the bot in a seat: not the game's, and another for each seat."""
    return combine(seed, word_of("bot"), seat)
