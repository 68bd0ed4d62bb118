"""Validates requests for experiments: rules, players, measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.counts import not_for
from lawspeaker.base.diagnostics import Failure
from lawspeaker.match.game import Game
from lawspeaker.outside.crew import Crew, cores
from lawspeaker.outside.machines import WASM, on_card
from lawspeaker.outside.rules import MatchSetup, Rules, has_learned, program_of
from lawspeaker.players.bots import RANDOM, name_error
from lawspeaker.players.bots.names import is_learned
from lawspeaker.study.lab.measures import MEASURES, SKILL, Measures, NoMeasure, measures_of
from lawspeaker.study.lab.varying import CannotVary, own_measure

if TYPE_CHECKING:
    from lawspeaker.outside.strongest import Challenge

FEW_RANDOM_GAMES = 3000
"""Number of random games that finish before other processes have started."""
BEST = "best"
"""Placeholder for the bot that was measured to be strongest."""
LEARNED, THINKER = "learned", "mc:100"
"""Bots whose skill is measured by default: a learned policy, else this search."""


class NotPossible(Failure, ValueError):
    """The request is invalid; the message says why."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Setting:
    """Setup of an experiment: rules, bots, seed, number of games, and crew.

    `machine` is the back end for games between random players.
    """

    rules: Rules
    bots: tuple[str, ...]
    seed: int
    games: int
    crew: Crew
    machine: str = WASM

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def table(self) -> MatchSetup:
        return MatchSetup(self.bots, self.seed, self.machine)

    @property
    def numbers(self) -> range:
        return range(self.games)


def player_count(game: Game, wanted: int | None) -> int:
    """The wanted number of players, by default the most."""
    count = wanted if wanted is not None else game.players[-1]
    if count not in game.players:
        raise NotPossible(not_for(game.name, game.players, count))
    return count


def seat_bots(text: str, count: int, *, best: bool = False) -> tuple[str, ...]:
    """Parses `greedy,random,random` or one name for all seats; `best` admits the placeholder."""
    names = [each.strip() for each in text.split(",")]
    for each in names:
        if not (best and each == BEST) and (wrong := name_error(each)):
            raise NotPossible(wrong)
    if len(names) == 1:
        names *= count
    if len(names) != count:
        raise NotPossible(f"{len(names)} bots are named for {count} seats")
    return tuple(names)


def as_text(bots: Sequence[str]) -> str:
    """Inverse of `seat_bots`."""
    return bots[0] if len(set(bots)) == 1 else ",".join(bots)


def pinned(
    bots: Sequence[str],
    programs: Sequence[ir.Program],
    tell: Callable[[Challenge], object] = lambda _: None,
) -> tuple[str, ...]:
    """The same bots, with policies pinned by digest, so that results can be repeated.

    A name is unchanged where the policies of these rules differ. `best` is replaced by the
    strongest bot of the first of these rules. Raises NothingLearned.
    """
    if BEST in bots:
        from lawspeaker.outside.ladder import strongest

        found = strongest(programs[0], len(bots), tell).bot
        bots = [found if each == BEST else each for each in bots]
    if not any(map(is_learned, bots)):
        return tuple(bots)
    # Imported lazily; only these bots need it.
    from lawspeaker.outside.back_ends import equip
    from lawspeaker.players.bots import policies

    equip()
    return tuple(policies.pinned(each, programs, len(bots)) for each in bots)


def crew_for(
    games: int, bots: Sequence[str], workers: int | None, cluster: str = "", machine: str = WASM
) -> Crew:
    """The crew for so many games: as the user says, else all cores, if that pays off.

    A GPU is driven by one process.
    """
    if on_card(machine):
        return Crew(1, cluster)
    few = FEW_RANDOM_GAMES if set(bots) == {RANDOM} else 1
    return Crew(workers or (1 if games <= few else cores()), cluster)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Additional measures: by `names`, the user's `own` expressions, and skill of `thinkers`."""

    names: tuple[str, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)
    thinkers: tuple[str, ...] = ()


def wanted_measures(setting: Setting, texts: Sequence[str]) -> Wanted:
    """Parses `part:CLAUSE`, `NAME=EXPRESSION`, `skill` and the like."""
    names: list[str] = []
    own: dict[str, str] = {}
    thinkers: list[str] = []
    for text in texts:
        try:
            expression = own_measure(text)
        except CannotVary as error:
            raise NotPossible(str(error)) from None
        what, _, bot = text.partition(":")
        if expression is not None:
            name = expression[0]
            if name in own or name in (*MEASURES, SKILL):
                raise NotPossible(f"there is a measure `{name}` already; give yours another name")
            own[name] = expression[1]
        elif what == SKILL:
            thinkers.append(thinker(setting, bot))
        else:
            names.append(text)
    return Wanted(tuple(names), own, tuple(dict.fromkeys(thinkers)))


def thinker(setting: Setting, bot: str = "") -> str:
    """The bot whose skill is measured: as named, the first searching bot at the table, or the
    default.
    """
    if bot:
        if wrong := name_error(bot):
            raise NotPossible(wrong)
        if bot == RANDOM:
            raise NotPossible("skill is that of a bot that thinks, as in skill:mc:100")
        return bot
    for each in setting.bots:
        if each != RANDOM:
            return each
    return LEARNED if has_learned(setting.rules) else THINKER


def checked_measures(rules: Rules, players: int, names: Sequence[str]) -> Measures:
    """The measures under some rules. Raises `RulesError` if they cannot be read."""
    program = program_of(rules)
    try:
        found = measures_of(program, players, names)
    except NoMeasure as error:
        raise NotPossible(str(error)) from None
    for name, function in program.measures.items():
        if not isinstance(function.result.type, (ir.NumberType, ir.TruthType)):
            sort = function.result.type
            raise NotPossible(f"the measure `{name}` is a {sort}, not a number or yes or no")
    return found
