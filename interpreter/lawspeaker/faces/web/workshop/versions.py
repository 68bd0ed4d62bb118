"""Versions of a game as a page names them: rules by their name, drafts by their files.

Files that a visitor has written are only put together here. They are read by the workers.
"""

from __future__ import annotations

from typing import Any

from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.messages import LONGEST_TEXT, BadMessage
from lawspeaker.faces.web.table_registry import TableRegistry
from lawspeaker.faces.web.workshop.differing import Tellings
from lawspeaker.faces.web.workshop.drafts import Draft, bundle, called, draft
from lawspeaker.faces.web.workshop.trial_positions import Files

MOST_TELLINGS = 4
NO_GAME = "there is no game among these files: game.yaml"
GAME = "game"
"""What rules are called that have no name."""


async def original_of(registry: TableRegistry, rules: str) -> Files:
    """The files of the catalogue that a draft starts from; none if from nothing."""
    return (await registry.reading(registry.catalogue.game, rules)).files if rules else ()


async def whole(registry: TableRegistry, own: Draft) -> Files:
    """All files of a draft, with those it starts from; raises Unknown or BadMessage."""
    return put_together(await original_of(registry, own.rules), own.files)


def put_together(original: Files, files: tuple[RuleFile, ...]) -> Files:
    """The files of a draft over those it starts from; raises BadMessage."""
    found = bundle(original, files)
    if not found or found[0].given is not None:
        raise BadMessage("bad_message", NO_GAME)
    return found


async def versions(registry: TableRegistry, names: Any) -> Tellings:
    """Versions by names and files: each the name of rules, or a draft; raises Unknown or
    BadMessage."""
    if not isinstance(names, list) or not 2 <= len(names) <= MOST_TELLINGS:
        raise BadMessage("bad_message", f"`names` are two to {MOST_TELLINGS} versions of a game")
    return tuple([await _version(registry, each) for each in names])


async def _version(registry: TableRegistry, told: Any) -> tuple[str, Files]:
    if not isinstance(told, dict):
        catalogue = registry.catalogue
        game = await registry.reading(catalogue.game, str(told)[:LONGEST_TEXT])
        return game.name, game.files
    own = draft(told)
    original = await original_of(registry, own.rules)
    name = called(own, original, GAME) if own.files else own.rules
    return name, put_together(original, own.files)
