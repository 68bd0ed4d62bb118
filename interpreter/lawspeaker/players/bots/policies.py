"""Learned policies and solved plans, and their file format.

A policy file has a header line, a line of JSON about the rules and the training games, and the
compressed weights, or the plan of a solved game. Features are hashes of names in the rules, so a
policy is a starting point for variants: what has the same name keeps its weight. A plan is valid
only for exactly the same rules.

The storage is injected by the I/O layer (`keep_learned_on`).
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
from lawspeaker.base.cache import LruCache
from lawspeaker.machines.compiled.runtime.policy_layout import POINT, WEIGHTS
from lawspeaker.machines.compiled.runtime.search_layout import HABITS, LEAF, SCORED
from lawspeaker.match.view import View
from lawspeaker.players.bots.names import is_learned, parts_of, split_digest, with_digest
from lawspeaker.players.solving.knowledge import Plan, information_set_hash
from lawspeaker.position.fault import NothingLearned

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[np.float64]]

HEADING = b"lawspeaker learned 7\n"
"""Magic line; changes with the set of features, which makes older weights useless."""
FASTEST, SLOWEST = 1000.0, 1e6
LARGEST = WEIGHTS * 4 + HABITS * 8
LARGEST_PLAN = 1 << 24
PLAY, SOLVED_OPEN, SOLVED_HIDDEN = "play", "solved, all open", "solved"
"""Methods of learning: self-play, exact solution with open information, equilibrium."""
FAMILIAR = 200.0
"""Upper limit on the visit count of a trained habit."""
_LAID = [("often", "<i8"), ("better", "<f8")]
VICTORY, POINTS = "victory", "points"
"""Training objectives."""


@dataclass(frozen=True, slots=True)
class Manner:
    """The use of a policy in search.

    `guided`: players in playouts follow the policy; else they use habits. `turns`: cut a playout
    off at the seat's n-th own turn and use the value estimate (0: never; `SCORED`: at the first
    turn after points were made; `LEAF`: at anyone's first turn below the tree). `deep`: grow a
    search tree. `trust`: weight of the policy's prior; with 0 the policy is not evaluated, and
    only trained habits are used. `lead`: weight of the final lead beside the victory, as a lead
    has less variance. `blank`: use nothing learned.
    """

    guided: bool = False
    turns: int = 0
    deep: bool = False
    trust: float = 1.0
    lead: float = 1.0
    blank: bool = False


LEAST_TRYING = 0.5
"""Minimum part of the effort that goes into playouts for manners without a prior, despite
start-up.
"""
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
"""Candidate manners; the plain one equals `mc`.

They are few and diverse: selecting among many takes more games than there is time for.
"""


@dataclass(frozen=True, slots=True)
class About:
    """Header of a policy file.

    The rules and number of players, the number of training games, whether the best option is
    taken or one is sampled, the objective, the method, and the manner of search with its cost:
    `pace` playouts take the time of one of `mc`, and start-up takes the time of `start` more
    playouts than `mc` needs. `before` counts the games of the policy that training started from.
    """

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
        """Training games, including those of the starting policy."""
        return self.games + self.before

    def tries(self, playouts: int) -> int:
        """Playouts in this manner that take the time of so many of `mc`, including start-up.

        With no time for any, the option with the best prior is taken.
        """
        left = playouts - self.start
        if not MANNERS[self.manner].trust:
            left = max(left, LEAST_TRYING * playouts)
        return max(1, round(left * self.pace))


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """A learned policy or a solved plan."""

    about: About
    weights: bytes = field(default=b"", repr=False)
    """Weights in the memory layout of a module: each with its sum of squared changes, here 0."""
    habits: bytes = field(default=b"", repr=False)
    """Trained habits in memory layout; empty if from other rules, where numbers of replies
    differ.
    """
    plan: Plan = field(default_factory=dict, repr=False)
    """The plan of a solved game, in place of weights."""
    mark: str = ""
    """Digest of the file."""

    @property
    def best(self) -> bool:
        return self.about.best

    @property
    def manner(self) -> Manner:
        return MANNERS[self.about.manner]

    @property
    def point(self) -> float:
        """Learned value of a lead of one point."""
        return float(unpack_from("<d", self.weights, POINT)[0])

    def fits(self, program: ir.Program, players: int) -> bool:
        """Whether it can be used; a plan only for its own rules."""
        return self.is_of(program, players) or not self.about.solved

    def is_of(self, program: ir.Program, players: int) -> bool:
        """Whether it was learned by exactly these rules for as many players."""
        return self.about.digest == program.digest and self.about.players == players

    def chances(self, view: View) -> dict[str, float]:
        """The plan's option probabilities for a view, by text; empty for unknown information
        sets.
        """
        return self.plan.get(information_set_hash(view, all_open=self.about.way == SOLVED_OPEN), {})


@dataclass(frozen=True, slots=True)
class Lesson:
    """Identity of a bot's policy: digest and header, and playouts per choice, if fixed."""

    mark: str
    about: About
    tries: int | None = None

    @property
    def hasty(self) -> bool:
        """Whether there are too few playouts to compare options, so that search adds nothing."""
        return self.tries is not None and self.tries < 4 and MANNERS[self.about.manner].trust > 0


class PolicyStore(Protocol):
    """Protocol for the storage of policies.

    `found` yields policies of a game, those for the same rules first; `read` loads a file;
    `marked` finds one by digest, including replaced ones. None if missing.
    """

    def found(self, program: ir.Program, players: int) -> Iterable[bytes]: ...

    def read(self, file: str) -> bytes | None: ...

    def marked(self, program: ir.Program, mark: str) -> bytes | None: ...


_shelf: PolicyStore | None = None
_KEPT = 8
_policies: LruCache[Policy] = LruCache(_KEPT)
_lent: dict[str, Policy] = {}


def keep_learned_on(shelf: PolicyStore | None) -> None:
    """Sets the storage of policies."""
    global _shelf, _policies
    _shelf, _policies = shelf, LruCache(_KEPT)


def has_shelf() -> bool:
    """Whether a storage of policies is set."""
    return _shelf is not None


@contextmanager
def lent(policy: Policy) -> Iterator[str]:
    """Registers a policy in memory under a name that bots can use in place of a file."""
    name = "(being learned)"
    _lent[name] = policy
    try:
        yield name
    finally:
        del _lent[name]


def policy_for(program: ir.Program, players: int, file: str) -> Policy:
    """Returns the policy for a game from storage, or from a file, which must be for these rules.

    Raises NothingLearned.
    """
    if file in _lent:
        return _lent[file]
    return _policies.get((program.digest, players, file), lambda: _opened(program, players, file))


def borrowed(program: ir.Program, players: int, file: str) -> str:
    """Describes a mismatch if the policy is for other rules or another number of players.

    Raises NothingLearned.
    """
    about = policy_for(program, players, file).about
    if about.digest != program.digest:
        return f"plays by what was learned by other rules of {about.game}"
    if about.players != players:
        return f"plays by what was learned of {about.game} for {about.players} players"
    return ""


def lesson(name: str, program: ir.Program, players: int) -> Lesson | None:
    """The identity of a bot's policy, None for bots without. Raises NothingLearned."""
    if not is_learned(name):
        return None
    policy = policy_for(program, players, parts_of(name)[0])
    about, effort = policy.about, parts_of(name)[1].partition(":")[2]
    counts = effort.isdecimal() and not about.solved and not policy.manner.blank
    return Lesson(policy.mark, about, about.tries(int(effort)) if counts else None)


def pinned(name: str, programs: Iterable[ir.Program], players: int) -> str:
    """The name of a bot with its policy's digest; unchanged if these rules have different
    policies.

    Raises NothingLearned.
    """
    marks = {
        found.mark for each in programs if (found := lesson(name, each, players)) and found.mark
    }
    return with_digest(name, *marks) if len(marks) == 1 else name


def mark_of(content: bytes) -> str:
    """Digest of a policy file."""
    return sha256(content).hexdigest()[:8]


def _opened(program: ir.Program, players: int, file: str) -> Policy:
    file, mark = split_digest(file)
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
    """The command that trains a policy for these rules, by the name of the game, not its
    location.
    """
    name = "+".join([program.name, *(each.name for each in program.variants)])
    return shlex.join(["lawspeaker", "train", name, *more])


def best_of(contents: Iterable[bytes], program: ir.Program, players: int) -> Policy | None:
    """The first policy that can be read and used."""
    for content in contents:
        with suppress(NothingLearned):
            policy = unpacked(content, "it")
            if policy.fits(program, players):
                return policy
    return None


def packed_plan(about: About, plan: Plan) -> bytes:
    """Serialises the plan of a solved game."""
    told = json.dumps(asdict(about), sort_keys=True).encode()
    content = json.dumps(plan, sort_keys=True, ensure_ascii=False).encode()
    return HEADING + told + b"\n" + zlib.compress(content, 9)


def packed(about: About, weights: Numbers, habits: Numbers) -> bytes:
    """Serialises a policy; `habits` has totals of count and advantage."""
    told = json.dumps(asdict(about), sort_keys=True).encode()
    content = weights.astype("<f4").tobytes() + habits.astype("<f4").tobytes()
    return HEADING + told + b"\n" + zlib.compress(content, 9)


def unpacked(content: bytes, name: str) -> Policy:
    """Deserialises a policy file. Raises NothingLearned, which says what is wrong with it."""
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
    # Imported lazily; bots without a policy need no NumPy.
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
    """Caps visit counts, so that statistics of the current match count, too."""
    import numpy as np

    return habits * np.minimum(1.0, FAMILIAR / np.maximum(1.0, habits[:, :1]))


def habits_in_memory(habits: Numbers) -> bytes:
    """Converts habits (totals of count and advantage) to the memory layout of a module."""
    import numpy as np

    laid = np.zeros(HABITS, _LAID)
    laid["often"], laid["better"] = np.ceil(habits[:, 0]), habits[:, 1]
    return laid.tobytes()


def habits_of(memory: bytes) -> Numbers:
    """Converts habits from memory layout."""
    import numpy as np

    laid = np.frombuffer(memory, _LAID)
    return np.stack([laid["often"], laid["better"]], axis=1).astype(float)


def _plan(data: Any) -> Plan:
    """Validates a plan; wrong data raise whatever conversion raises."""
    return {
        str(situation): {str(text): float(chance) for text, chance in chances.items()}
        for situation, chances in data.items()
    }
