"""Brings the translations of some rules up to date, by name.

I/O module: it reads rules and translations, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics, Failure, RulesError
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning import check
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import open_name, schema
from lawspeaker.outside.units import UnitFiles, units
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, scalars_of
from lawspeaker.text.splitting import RuleTexts, own_of
from lawspeaker.text.translation.files import Translation, read_translation
from lawspeaker.text.translation.naming import file_name, is_of, language_of
from lawspeaker.text.translation.updating import Ids, Updated, updated
from lawspeaker.text.translation.weaving import originals


class NotTranslated(Failure):
    """Translation is impossible; the message is for the user."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Translated:
    """A translation file before and after the update.

    `offered` is whether the game declares this language.
    """

    path: Path
    before: str
    result: Updated
    offered: bool

    @property
    def needed(self) -> bool:
        """Whether there is something to translate, or a file to update."""
        return bool(self.before or self.result.missing)


def translated(name: str, language: str, library: Library) -> list[Translated]:
    """Updates the translations of a game, or of the variants that are named with it.

    Raises LibraryError, RulesError if something cannot be read, and NotTranslated.
    """
    return [_one(each, language, library) for each in _chosen(name, library)]


def languages(name: str, library: Library) -> list[str]:
    """The languages that some rules are translated into; raises LibraryError."""
    found = (own for each in _chosen(name, library) for own in languages_of(each.unit))
    return list(dict.fromkeys(found))


def _chosen(name: str, library: Library) -> list[UnitFiles]:
    kept = list(units(name, library))
    return [each for each in kept if "+" in each.unit.called] or kept


def languages_of(unit: RuleTexts) -> list[str]:
    """The languages of a unit: those the game declares, and those that have a file."""
    first = next(iter(unit.rules))
    there = (language_of(name) for name in unit.beside if is_of(name, first))
    root = document.load(SourceFile(first, unit.rules[first]), Diagnostics())
    own = own_of(root, unit.language) if isinstance(root, Mapping) else unit.language
    return [each for each in dict.fromkeys((*unit.languages, *there)) if each != own]


def _one(kept: UnitFiles, language: str, library: Library) -> Translated:
    def shown(name: str) -> str:
        return library.display(kept.folder / name)

    beside, result, offered = of_unit(kept.unit, language, lambda: _ids(kept, library), shown)
    before = kept.unit.beside.get(beside, "")
    return Translated(kept.folder / beside, before, result, offered)


def of_unit(
    unit: RuleTexts, language: str, ids: Callable[[], Ids], shown: Callable[[str], str]
) -> tuple[str, Updated, bool]:
    """Updates a translation: returns its file name, the result, and whether the game declares
    the language.

    `ids` returns the names in a game, `shown` the display name of a file. Raises RulesError and
    NotTranslated.
    """
    diagnostics = Diagnostics()
    roots = [
        document.load(SourceFile(shown(name), text), diagnostics)
        for name, text in unit.rules.items()
    ]
    trees = [root for root in roots if isinstance(root, Mapping)]
    if len(trees) < len(roots):
        raise RulesError(tuple(diagnostics.sorted()))
    own = own_of(trees[0], unit.language)
    if language == own:
        raise NotTranslated(f"{unit.called} is written in `{own}` itself")
    beside = file_name(next(iter(unit.rules)), language)
    file = SourceFile(shown(beside), unit.beside.get(beside, ""))
    old: Translation | None = Translation(file, unit.called, language, ())
    if file.text:
        old = read_translation(file, schema("translation"), diagnostics)
    if old is None:
        raise RulesError(tuple(diagnostics.sorted()))
    named = Ids() if "+" in unit.called else ids()
    result = updated(originals(trees, own), named, old, own)
    return beside, result, _offers(trees[0], language)


def _ids(kept: UnitFiles, library: Library) -> Ids:
    """The names that a game can have translated, and those it must."""
    diagnostics = Diagnostics()
    entry = kept.folder / next(iter(kept.unit.rules))
    opened = open_name(str(entry), diagnostics, library)
    if opened is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return Ids(*check.named(opened.book))


def _offers(root: Mapping, language: str) -> bool:
    offered = (each.value for each in scalars_of(root.get("languages")))
    return root.get("variant") is not None or language in offered
