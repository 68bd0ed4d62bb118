"""The public names of published games."""

from __future__ import annotations

import re
from pathlib import Path


def stem(name: str) -> str:
    """Returns the base name of a game's files."""
    return re.sub(r"[^a-z0-9_]+", "-", public_name(name).lower()).strip("-")


def public_name(name: str) -> str:
    """Returns the name of some rules without local folders."""
    parts = [Path(each.strip().rstrip("/")) for each in name.split("+")]
    return "+".join(
        each.parent.name if each.name == "game.yaml" else each.name.removesuffix(".yaml")
        for each in parts
    )
