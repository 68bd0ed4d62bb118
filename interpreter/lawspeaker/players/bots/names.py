"""Parses names of bots with a policy: `learned`, `learned:FILE`, `learned+mc:200`.

A file may change. `learned@1f2e3d4c` is the policy with this digest, whatever file has it, and
`learned:FILE@1f2e3d4c` is FILE as long as it has this digest: so published results are
reproducible or fail with a message.
"""

from __future__ import annotations

import re

LEARNED = "learned"


def is_learned(name: str) -> bool:
    """Whether a bot uses a policy, alone or in playouts."""
    return re.match(rf"{LEARNED}([:@+]|$)", name) is not None


def parts_of(name: str) -> tuple[str, str]:
    """Splits a name into the policy file, possibly with a digest, and the search, if any.

    Examples: `learned:x+mc:9`, `learned@1f2e3d4c`.
    """
    own, _, thinker = name.partition("+")
    return own.removeprefix(LEARNED).removeprefix(":"), thinker


def alone(name: str) -> str:
    """The same bot without search."""
    return name.partition("+")[0]


def with_digest(name: str, mark: str) -> str:
    """The name of a bot with the digest of its policy."""
    file, thinker = parts_of(name)
    path, _ = split_digest(file)
    ahead = f"+{thinker}" if thinker else ""
    return f"{LEARNED}{':' if path else ''}{path}@{mark}{ahead}"


def split_digest(file: str) -> tuple[str, str]:
    """Splits a file name from the digest it must have, if one is given."""
    found = re.fullmatch(r"(.*)@([0-9a-f]{8})", file)
    return (found[1], found[2]) if found else (file, "")


def is_policy(name: str) -> bool:
    """Whether a bot plays a policy without search."""
    return is_learned(name) and not parts_of(name)[1]
