"""Names of bots that play by something learned: `learned`, `learned:FILE`, `learned+mc:200`."""

from __future__ import annotations

LEARNED = "learned"


def is_learned(name: str) -> bool:
    """Whether a bot plays by something learned, alone or with playouts."""
    return name.partition("+")[0].partition(":")[0] == LEARNED


def parts_of(name: str) -> tuple[str, str]:
    """The file that a learned bot plays by, and how it thinks, if it does: `learned:x+mc:9`."""
    own, _, thinker = name.partition("+")
    return own.partition(":")[2], thinker


def is_policy(name: str) -> bool:
    """Whether a bot plays by something learned, and by nothing else."""
    return is_learned(name) and not parts_of(name)[1]
