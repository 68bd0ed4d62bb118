"""What was learned of a game: the weights of a policy, pinned to the rules they were learned by.

It is a small file: a line that says what it is, a line of JSON about the rules and the games it was
learned from, and the weights, packed. Features are known by words that are made of names in the
rules, so what was learned for a game is where a variant of it can start: what is still called the
same keeps its weight.

Where files are, only the edges know: they put up a shelf (`keep_learned_on`).
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

from lawspeaker import ir
from lawspeaker.base.cache import Kept
from lawspeaker.machines.compiled.policy_room import WEIGHTS
from lawspeaker.position.fault import NothingLearned

HEADING = b"lawspeaker learned 1\n"
"""Changes with the features that there are: older weights are of no use then."""
LARGEST = WEIGHTS * 4


@dataclass(frozen=True, slots=True)
class About:
    """The rules and the number of players something was learned for, from how many games, whether
    the best option is taken or any by its probability, and for what it was played: victory or
    points."""

    game: str
    digest: str
    players: int
    games: int = 0
    best: bool = False
    aim: str = "victory"


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    about: About
    weights: bytes = field(repr=False)
    """As they lie in the memory of a module: each with the squares of its changes, here none."""

    @property
    def best(self) -> bool:
        return self.about.best


class Shelf(Protocol):
    """Where files are. `found`: what was learned for these very rules, or else for the same game;
    `read`: a file of this name. None, if there is none."""

    def found(self, program: ir.Program, players: int) -> bytes | None: ...

    def read(self, file: str) -> bytes | None: ...


_shelf: Shelf | None = None
_KEPT = 8
_policies: Kept[Policy] = Kept(_KEPT)


def keep_learned_on(shelf: Shelf | None) -> None:
    """Where what was learned is looked for."""
    global _shelf, _policies
    _shelf, _policies = shelf, Kept(_KEPT)


def policy_for(program: ir.Program, players: int, file: str) -> Policy:
    """What was learned for a game; with `file`, what stands there, which has to be for these rules.
    Raises NothingLearned."""
    return _policies.get((program.digest, players, file), lambda: _opened(program, players, file))


def _opened(program: ir.Program, players: int, file: str) -> Policy:
    if not file:
        kept = None if _shelf is None else _shelf.found(program, players)
        if kept is None:
            raise NothingLearned(
                f"nothing was learned of {program.name} yet: lawspeaker train {program.name}"
            )
        return unpacked(kept, f"what was learned of {program.name}")
    content = None if _shelf is None else _shelf.read(file)
    if content is None:
        raise NothingLearned(f"there is no file `{file}` with something learned")
    policy = unpacked(content, f"`{file}`")
    if policy.about.digest != program.digest:
        raise NothingLearned(
            f"`{file}` was learned by other rules (of {policy.about.game}); "
            f"lawspeaker train {program.name} --start {file} goes on from there"
        )
    return policy


def packed(about: About, weights: np.ndarray[Any, np.dtype[np.float64]]) -> bytes:
    """What was learned, as it stands in a file."""
    told = json.dumps(asdict(about), sort_keys=True).encode()
    return HEADING + told + b"\n" + zlib.compress(weights.astype("<f4").tobytes(), 9)


def unpacked(content: bytes, name: str) -> Policy:
    """What stands in a file. Raises NothingLearned, which says what is wrong with it."""
    wrong = NothingLearned(f"{name} is not something learned that this version can read")
    if not content.startswith(HEADING):
        raise wrong
    told, _, rest = content.removeprefix(HEADING).partition(b"\n")
    try:
        about = About(**json.loads(told))
        opened = zlib.decompressobj().decompress(rest, LARGEST + 1)
    except (ValueError, TypeError, zlib.error):
        raise wrong from None
    if len(opened) != LARGEST:
        raise wrong
    weights = np.frombuffer(opened, "<f4").astype("<f8")
    return Policy(about, np.stack([weights, np.zeros(WEIGHTS)], axis=1).tobytes())
