"""Names of bots that play by something learned: `learned`, `learned:FILE`, `learned+mc:200`.

What stands in a file may be another thing tomorrow. `learned@1f2e3d4c` is the one with this print,
whichever file has it now, and `learned:FILE@1f2e3d4c` is FILE as long as it has this print: so
figures are told, and whoever repeats them gets the same, or is told that it is gone.
"""

from __future__ import annotations

import re

LEARNED = "learned"


def is_learned(name: str) -> bool:
    """Whether a bot plays by something learned, alone or with playouts."""
    return re.match(rf"{LEARNED}([:@+]|$)", name) is not None


def parts_of(name: str) -> tuple[str, str]:
    """The file that a learned bot plays by, perhaps with its print, and how it thinks, if it does:
    `learned:x+mc:9`, `learned@1f2e3d4c`."""
    own, _, thinker = name.partition("+")
    return own.removeprefix(LEARNED).removeprefix(":"), thinker


def alone(name: str) -> str:
    """The same bot, if it did not think ahead."""
    return name.partition("+")[0]


def with_print(name: str, mark: str) -> str:
    """A learned bot, named with the print of what it plays by."""
    file, thinker = parts_of(name)
    path, _ = print_of(file)
    ahead = f"+{thinker}" if thinker else ""
    return f"{LEARNED}{':' if path else ''}{path}@{mark}{ahead}"


def print_of(file: str) -> tuple[str, str]:
    """A file and the print that it is to have, if one is named."""
    found = re.fullmatch(r"(.*)@([0-9a-f]{8})", file)
    return (found[1], found[2]) if found else (file, "")


def is_policy(name: str) -> bool:
    """Whether a bot plays by something learned, and by nothing else."""
    return is_learned(name) and not parts_of(name)[1]
