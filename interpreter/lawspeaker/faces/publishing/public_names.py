"""What games are called where they are published."""

from __future__ import annotations

import re
from pathlib import Path


def stem(name: str) -> str:
    """What the files of a game are called."""
    return re.sub(r"[^a-z0-9_]+", "-", public_name(name).lower()).strip("-")


def public_name(name: str) -> str:
    """The name of some rules without the folders in which they lie at home."""
    parts = [Path(each.strip().rstrip("/")) for each in name.split("+")]
    return "+".join(
        each.parent.name if each.name == "game.yaml" else each.name.removesuffix(".yaml")
        for each in parts
    )
