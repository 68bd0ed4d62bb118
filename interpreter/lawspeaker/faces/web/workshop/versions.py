"""Versions of a game as a page names them: rules by their name, drafts by their files.

Files that a visitor has written are only put together here. They are read by the workers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar

from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.catalogue import Catalogue
from lawspeaker.faces.web.messages import LONGEST_TEXT, BadMessage
from lawspeaker.faces.web.workshop.drafts import Draft, bundle, called, draft
from lawspeaker.faces.web.workshop.trial_positions import Files, Tellings

MOST_TELLINGS = 4
NO_GAME = "there is no game among these files: game.yaml"
GAME = "game"
"""What rules are called that have no name."""

P = ParamSpec("P")
T = TypeVar("T")


class Reader(Protocol):
    """Where rules are found by their names."""

    catalogue: Catalogue

    async def reading(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does something with the catalogue, which may take a moment."""
        ...


async def original_of(reader: Reader, rules: str) -> Files:
    """The files of the catalogue that a draft starts from; none if from nothing."""
    return (await reader.reading(reader.catalogue.game, rules)).files if rules else ()


async def whole(reader: Reader, own: Draft) -> Files:
    """All files of a draft, with those it starts from; raises Unknown or BadMessage."""
    return put_together(await original_of(reader, own.rules), own.files)


def put_together(original: Files, files: tuple[RuleFile, ...]) -> Files:
    """The files of a draft over those it starts from; raises BadMessage."""
    found = bundle(original, files)
    if not found or found[0].given is not None:
        raise BadMessage("bad_message", NO_GAME)
    return found


async def versions(reader: Reader, names: Any) -> Tellings:
    """Versions by names and files: each the name of rules, or a draft; raises Unknown or
    BadMessage."""
    if not isinstance(names, list) or not 2 <= len(names) <= MOST_TELLINGS:
        raise BadMessage("bad_message", f"`names` are two to {MOST_TELLINGS} versions of a game")
    return tuple([await _version(reader, each) for each in names])


async def _version(reader: Reader, told: Any) -> tuple[str, Files]:
    if not isinstance(told, dict):
        catalogue = reader.catalogue
        game = await reader.reading(catalogue.game, str(told)[:LONGEST_TEXT])
        return game.name, game.files
    own = draft(told)
    original = await original_of(reader, own.rules)
    name = called(own, original, GAME) if own.files else own.rules
    return name, put_together(original, own.files)
