"""Parses the fields of a visitor's message; raises BadMessage for invalid ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker.faces.web.messages import LONGEST_TEXT, BadMessage
from lawspeaker.faces.web.workshop.trial_positions import Files

FAST_BOTS = ("random", "greedy")
MOST_TEXTS = 12
"""Maximum number of choices, measures or targets in one request."""

Data = dict[str, Any]


def number(data: Data, name: str, most: int) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise BadMessage("bad_message", f"`{name}` must be a whole number from 0 to {most:,}")
    return value


def text(data: Data, name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise BadMessage("bad_message", f"`{name}` must be a text, {LONGEST_TEXT} at most")
    return value


def texts(data: Data, name: str, most: int = MOST_TEXTS) -> tuple[str, ...]:
    """Parses short texts: one, or a list of them; empty ones are left out."""
    value = data.get(name, [])
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadMessage("bad_message", f"`{name}` is a list of texts")
    if len(found) > most or any(len(each) > LONGEST_TEXT for each in found):
        raise BadMessage("bad_message", f"`{name}` has at most {most} short texts")
    return tuple(each for each in found if each.strip())


def file(data: Data, files: Files) -> str:
    """Parses the name of a file of the draft."""
    name = text(data, "file")
    if all(each.name != name for each in files):
        raise BadMessage("bad_message", f"there is no {name} among these files")
    return name


def bot(data: Data) -> str:
    """Parses the bot that plays many games."""
    name = str(data.get("bot", "random"))
    if name not in FAST_BOTS:
        raise BadMessage("bad_message", f"`bot` is one of {', '.join(FAST_BOTS)}")
    return name


def telling(data: Data, named: Sequence[object]) -> int:
    """Parses which of the named versions is compared with the first."""
    found = number(data, "telling", len(named) - 1)
    if found == 0:
        raise BadMessage("bad_message", "`telling` is held against the first, so it is another")
    return found
