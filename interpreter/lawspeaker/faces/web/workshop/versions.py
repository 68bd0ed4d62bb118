"""Versions of a game as a page names them: rules by name, drafts by their files.

A visitor's files are only merged here. Workers parse them.
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
"""Default name of rules without one."""

P = ParamSpec("P")
T = TypeVar("T")


class Reader(Protocol):
    """Protocol for access to the catalogue."""

    catalogue: Catalogue

    async def reading(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a job on the catalogue, which may take a moment."""
        ...


async def original_of(reader: Reader, rules: str) -> Files:
    """Returns the base files of a draft from the catalogue; none if it has no base."""
    return (await reader.reading(reader.catalogue.game, rules)).files if rules else ()


async def whole(reader: Reader, own: Draft) -> Files:
    """Returns all files of a draft with its base files; raises Unknown or BadMessage."""
    return put_together(await original_of(reader, own.rules), own.files)


def put_together(original: Files, files: tuple[RuleFile, ...]) -> Files:
    """Merges the files of a draft into its base files; raises BadMessage."""
    found = bundle(original, files)
    if not found or found[0].given is not None:
        raise BadMessage("bad_message", NO_GAME)
    return found


async def versions(reader: Reader, names: Any) -> Tellings:
    """Resolves versions, each the name of rules or a draft, to names and files.

    Raises Unknown or BadMessage.
    """
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
