"""What was learned of a game, pinned to the rules it was learned by: the weights of a policy, or a
plan for all that a seat can know, where the game is so small that it was solved.

It is a small file: a line that says what it is, a line of JSON about the rules and the games it was
learned from, and the weights or the plan, packed. Features are known by words that are made of
names in the rules, so what was learned for a game is where a variant of it can start: what is still
called the same keeps its weight. A plan is good for its very rules and no others.

Where files are, only the edges know: they put up a shelf (`keep_learned_on`).
"""

from __future__ import annotations

import json
import shlex
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from struct import unpack_from
from typing import TYPE_CHECKING, Any, Protocol

from lawspeaker import ir
from lawspeaker.base.cache import Kept
from lawspeaker.machines.compiled.runtime.policy_room import POINT, WEIGHTS
from lawspeaker.machines.compiled.runtime.tree import HABITS, LEAF, SCORED
from lawspeaker.match.view import View
from lawspeaker.players.bots.names import is_learned, parts_of, print_of, with_print
from lawspeaker.players.solving.knowledge import Plan, known
from lawspeaker.position.fault import NothingLearned

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[np.float64]]

HEADING = b"lawspeaker learned 7\n"
"""Changes with the features that there are: older weights are of no use then."""
FASTEST, SLOWEST = 1000.0, 1e6
LARGEST = WEIGHTS * 4 + HABITS * 8
LARGEST_PLAN = 1 << 24
PLAY, SOLVED_OPEN, SOLVED_HIDDEN = "play", "solved, all open", "solved"
"""How something was learned."""
FAMILIAR = 200.0
"""A habit counts as if it had been followed no more often than this."""
_LAID = [("often", "<i8"), ("better", "<f8")]
VICTORY, POINTS = "victory", "points"
"""For what it is played."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How one who has learned something thinks ahead: whether players in imagined matches go by
    the policy, or have habits; at the how manyeth turn of one's own a match breaks off, for what is
    expected then (0: never; `SCORED`: at the first one after points were made; `LEAF`: at anyone's
    first turn behind the tree); and whether a tree of replies grows. `trust`: so many times it
    counts what the policy likes; with 0 it is not asked, and only the habits are of use that were
    got in training. `lead`: so many times it counts, beside the victory, how far one is ahead when
    a match is over: that hangs less on luck. `blank`: nothing was learned."""

    guided: bool = False
    turns: int = 0
    deep: bool = False
    trust: float = 1.0
    lead: float = 1.0
    blank: bool = False


LEAST_TRYING = 0.5
"""Who does not ask the policy has only his tries to go by: they have at least this part of the
effort, however long it takes before the first one."""
PLAIN, TRUSTING, LEADING = "plain", 8.0, 4.0
MANNERS = {
    PLAIN: Manner(trust=0.0, blank=True),
    "habits": Manner(trust=0.0, lead=LEADING),
    "liked": Manner(),
    "guided 4": Manner(guided=True, turns=4, trust=TRUSTING),
    "tree": Manner(turns=LEAF, deep=True, trust=TRUSTING),
    "scored": Manner(turns=SCORED),
    "guided": Manner(guided=True),
}
"""Those that there are; the plain one is what `mc` does. They are few, and differ much: to find the
best of many takes more games than there is time for."""


@dataclass(frozen=True, slots=True)
class About:
    """The rules and the number of players something was learned for, from how many games, whether
    the best option is taken or any by its probability, for what it was played (victory or points),
    how it was found, and in which manner one who has learned it thinks ahead: that makes so many
    tries (`pace`) in the time of one playout of `mc`, but before the first one it takes as long as
    so many of these (`start`) more than `mc` does. `before`: from how many games that was learned
    from which it went on."""

    game: str
    digest: str
    players: int
    games: int = 0
    best: bool = False
    aim: str = VICTORY
    way: str = PLAY
    manner: str = "guided"
    pace: float = 1.0
    start: float = 0.0
    before: int = 0

    @property
    def solved(self) -> bool:
        return self.way != PLAY

    @property
    def every_game(self) -> int:
        """From how many games it was learned, with those before."""
        return self.games + self.before

    def tries(self, playouts: int) -> int:
        """How many tries take the time of so many playouts of `mc`, with what it takes to start.
        Where there is no time for any, what the policy likes best is done."""
        left = playouts - self.start
        if not MANNERS[self.manner].trust:
            left = max(left, LEAST_TRYING * playouts)
        return max(1, round(left * self.pace))


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    about: About
    weights: bytes = field(default=b"", repr=False)
    """As they lie in the memory of a module: each with the squares of its changes, here none."""
    habits: bytes = field(default=b"", repr=False)
    """Those that players have before the first playout, as they lie in memory; none, where they
    are of other rules: replies are known by numbers, which differ there."""
    plan: Plan = field(default_factory=dict, repr=False)
    """For a game that is solved, what to do; then there are no weights."""
    mark: str = ""
    """The print of the file."""

    @property
    def best(self) -> bool:
        return self.about.best

    @property
    def manner(self) -> Manner:
        return MANNERS[self.about.manner]

    @property
    def point(self) -> float:
        """What a point counts that one is ahead."""
        return float(unpack_from("<d", self.weights, POINT)[0])

    def fits(self, program: ir.Program, players: int) -> bool:
        """Whether it can be played by: a plan only by its own rules."""
        return self.is_of(program, players) or not self.about.solved

    def is_of(self, program: ir.Program, players: int) -> bool:
        """Whether it was learned by these very rules, for as many players."""
        return self.about.digest == program.digest and self.about.players == players

    def chances(self, view: View) -> dict[str, float]:
        """By the plan, with which probability each option of a question is taken; nothing, if it
        does not know the situation."""
        return self.plan.get(known(view, all_open=self.about.way == SOLVED_OPEN), {})


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a bot plays by: the print of its file, and what it was learned from; and how many tries
    it makes for a choice, where it makes some and their number is known."""

    mark: str
    about: About
    tries: int | None = None

    @property
    def hasty(self) -> bool:
        """Whether there is no time to try more than one option: so it does not think ahead."""
        return self.tries is not None and self.tries < 4 and MANNERS[self.about.manner].trust > 0


class Shelf(Protocol):
    """Where files are. `found`: what was learned of a game, first for these very rules and players;
    `read`: a file of this name; `marked`: the one of a game that has this print, also one that was
    replaced since. None, if there is none."""

    def found(self, program: ir.Program, players: int) -> Iterable[bytes]: ...

    def read(self, file: str) -> bytes | None: ...

    def marked(self, program: ir.Program, mark: str) -> bytes | None: ...


_shelf: Shelf | None = None
_KEPT = 8
_policies: Kept[Policy] = Kept(_KEPT)
_lent: dict[str, Policy] = {}


def keep_learned_on(shelf: Shelf | None) -> None:
    """Where what was learned is looked for."""
    global _shelf, _policies
    _shelf, _policies = shelf, Kept(_KEPT)


def has_shelf() -> bool:
    return _shelf is not None


@contextmanager
def lent(policy: Policy) -> Iterator[str]:
    """A name in place of a file, by which bots find a policy that is still being learned."""
    name = "(being learned)"
    _lent[name] = policy
    try:
        yield name
    finally:
        del _lent[name]


def policy_for(program: ir.Program, players: int, file: str) -> Policy:
    """What was learned for a game; with `file`, what stands there, which has to be for these rules.
    Raises NothingLearned."""
    if file in _lent:
        return _lent[file]
    return _policies.get((program.digest, players, file), lambda: _opened(program, players, file))


def borrowed(program: ir.Program, players: int, file: str) -> str:
    """Where something was learned by other rules of the game, or for another number of players, a
    sentence that says so. Raises NothingLearned."""
    about = policy_for(program, players, file).about
    if about.digest != program.digest:
        return f"plays by what was learned by other rules of {about.game}"
    if about.players != players:
        return f"plays by what was learned of {about.game} for {about.players} players"
    return ""


def lesson(name: str, program: ir.Program, players: int) -> Lesson | None:
    """What a bot has learned, if it plays by something learned. Raises NothingLearned."""
    if not is_learned(name):
        return None
    policy = policy_for(program, players, parts_of(name)[0])
    about, effort = policy.about, parts_of(name)[1].partition(":")[2]
    counts = effort.isdecimal() and not about.solved and not policy.manner.blank
    return Lesson(policy.mark, about, about.tries(int(effort)) if counts else None)


def pinned(name: str, programs: Iterable[ir.Program], players: int) -> str:
    """A learned bot, named with the print of what it plays by; as it is, where that is not the same
    for all of these rules. Raises NothingLearned."""
    marks = {
        found.mark for each in programs if (found := lesson(name, each, players)) and found.mark
    }
    return with_print(name, *marks) if len(marks) == 1 else name


def mark_of(content: bytes) -> str:
    """The print of a file with something learned."""
    return sha256(content).hexdigest()[:8]


def _opened(program: ir.Program, players: int, file: str) -> Policy:
    file, mark = print_of(file)
    if not file and mark:
        content = None if _shelf is None else _shelf.marked(program, mark)
        if content is None:
            raise NothingLearned(
                f"what was learned of {program.name} with the print {mark} is not here (any more); "
                "if you have it in a file, name that: learned:FILE"
            )
        policy = unpacked(content, f"learned@{mark}")
        if not policy.fits(program, players):
            raise NothingLearned(
                f"learned@{mark} is the solution of other rules, or for more or fewer players"
            )
        return policy
    if not file:
        found = best_of(() if _shelf is None else _shelf.found(program, players), program, players)
        if found is None:
            raise NothingLearned(f"nothing was learned of {program.name} yet: {_training(program)}")
        return found
    content = None if _shelf is None else _shelf.read(file)
    if content is None:
        raise NothingLearned(f"there is no file `{file}` with something learned")
    policy = unpacked(content, f"`{file}`")
    if mark and policy.mark != mark:
        raise NothingLearned(f"`{file}` is another one by now: its print is {policy.mark}")
    if policy.about.solved and not policy.fits(program, players):
        raise NothingLearned(
            f"`{file}` is the solution of other rules, or for more or fewer players"
        )
    if policy.about.digest != program.digest:
        raise NothingLearned(
            f"`{file}` was learned by other rules (of {policy.about.game}); "
            f"{_training(program, '--start', file)} goes on from there"
        )
    return policy


def _training(program: ir.Program, *more: str) -> str:
    """The command that learns these rules. Where the game lies, only who has named it knows."""
    name = "+".join([program.name, *(each.name for each in program.variants)])
    return shlex.join(["lawspeaker", "train", name, *more])


def best_of(contents: Iterable[bytes], program: ir.Program, players: int) -> Policy | None:
    """The first that can be read, and played by."""
    for content in contents:
        with suppress(NothingLearned):
            policy = unpacked(content, "it")
            if policy.fits(program, players):
                return policy
    return None


def packed_plan(about: About, plan: Plan) -> bytes:
    """A game that is solved, as it stands in a file."""
    told = json.dumps(asdict(about), sort_keys=True).encode()
    content = json.dumps(plan, sort_keys=True, ensure_ascii=False).encode()
    return HEADING + told + b"\n" + zlib.compress(content, 9)


def packed(about: About, weights: Numbers, habits: Numbers) -> bytes:
    """What was learned, as it stands in a file. `habits`: of each how often it was followed, and
    how much better that did than is usual, in all."""
    told = json.dumps(asdict(about), sort_keys=True).encode()
    content = weights.astype("<f4").tobytes() + habits.astype("<f4").tobytes()
    return HEADING + told + b"\n" + zlib.compress(content, 9)


def unpacked(content: bytes, name: str) -> Policy:
    """What stands in a file. Raises NothingLearned, which says what is wrong with it."""
    wrong = NothingLearned(f"{name} is not something learned that this version can read")
    if not content.startswith(HEADING):
        raise wrong
    told, _, rest = content.removeprefix(HEADING).partition(b"\n")
    try:
        about = About(**json.loads(told))
        paced = 0.0 < about.pace <= FASTEST and abs(about.start) <= SLOWEST
        if about.manner not in MANNERS or not paced:
            raise wrong
        largest = LARGEST_PLAN if about.solved else LARGEST
        opened = zlib.decompressobj().decompress(rest, largest + 1)
        if about.solved:
            return Policy(about, plan=_plan(json.loads(opened)), mark=mark_of(content))
    except (ValueError, TypeError, AttributeError, zlib.error):
        raise wrong from None
    if len(opened) != LARGEST:
        raise wrong
    # Here and not above: who plays without anything learned need not have it.
    import numpy as np

    numbers = np.frombuffer(opened, "<f4").astype("<f8")
    weights, habits = numbers[:WEIGHTS], numbers[WEIGHTS:].reshape(HABITS, 2)
    if not np.isfinite(numbers).all():
        raise wrong
    return Policy(
        about,
        np.stack([weights, np.zeros(WEIGHTS)], axis=1).tobytes(),
        habits_in_memory(_familiar(habits)),
        mark=mark_of(content),
    )


def _familiar(habits: Numbers) -> Numbers:
    """What was seen very often counts as if it had been seen less often: what is seen in the match
    at hand is to count, too."""
    import numpy as np

    return habits * np.minimum(1.0, FAMILIAR / np.maximum(1.0, habits[:, :1]))


def habits_in_memory(habits: Numbers) -> bytes:
    """Habits as they lie in the memory of a module: of each how often it was followed, and how
    much better that did than is usual, in all."""
    import numpy as np

    laid = np.zeros(HABITS, _LAID)
    laid["often"], laid["better"] = np.ceil(habits[:, 0]), habits[:, 1]
    return laid.tobytes()


def habits_of(memory: bytes) -> Numbers:
    """The same, read from memory."""
    import numpy as np

    laid = np.frombuffer(memory, _LAID)
    return np.stack([laid["often"], laid["better"]], axis=1).astype(float)


def _plan(data: Any) -> Plan:
    """Raises what comes of wrong data."""
    return {
        str(situation): {str(text): float(chance) for text, chance in chances.items()}
        for situation, chances in data.items()
    }
