"""In-memory workspace of a draft: all files of a game and its variants as texts.

They form one unit, whichever file is asked about. Nothing is read from or written to disk.
`earlier` is a previous version of the same rules, which answers where this one cannot be merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import RuleFile, SourceFile, Span
from lawspeaker.editing.analysis import Analysis
from lawspeaker.editing.fixes import Edit
from lawspeaker.meaning import check
from lawspeaker.outside.library import LibraryError
from lawspeaker.outside.loading import open_bundle
from lawspeaker.outside.translating import NotTranslated, languages_of, of_unit
from lawspeaker.outside.workspace import FileKind, OpenRules, Reading, Workspace, reading
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, Scalar
from lawspeaker.text.rulebook import is_beside, is_lock, own_language, promised
from lawspeaker.text.splitting import RuleTexts as Texts
from lawspeaker.text.spreadsheet import is_spreadsheet
from lawspeaker.text.translation.naming import FOLDER
from lawspeaker.text.translation.updating import Ids, Updated

NAME = "draft"
"""Name of these rules, and the folder under which their files are shown."""


class Bundle(Workspace):
    """Workspace of a draft in memory."""

    def __init__(self, files: Iterable[RuleFile], earlier: Bundle | None = None) -> None:
        super().__init__()
        self.files = {Path(NAME, each.name): each for each in files}
        self.earlier = earlier
        # Locks and pictures are never edited, so no span in them can be a target of navigation or
        # edits.
        edited = (path for path, each in self.files.items() if not is_beside(each.name))
        self.paths = {str(path): path for path in edited}

    def source(self, path: Path) -> SourceFile:
        file = self.files.get(path)
        if file is None:
            raise LibraryError(f"there is no {path.name} among these rules")
        return SourceFile(str(path), file.text)

    def shown(self, path: Path) -> str:
        return str(path)

    def listed(self, path: Path, name: str) -> Path | None:
        target = Path(NAME, name)
        return target if target in self.files else None

    def unit(self, path: Path) -> OpenRules | None:
        file = self.files.get(path)
        if file is None or is_beside(file.name):
            return None
        kind: FileKind = "game" if file.given is None else "variant"
        if file.name.startswith(f"{FOLDER}/"):
            kind = "translation"
        return OpenRules(kind, NAME, NAME)

    def units(self, unit: OpenRules, path: Path) -> list[str]:
        return [NAME]

    def scenarios(self, game: str, path: Path) -> list[tuple[Path, Mapping]]:
        return []

    def translations(self, unit: OpenRules, path: Path) -> list[tuple[Path, Edit]]:
        edits: list[tuple[Path, Edit]] = []
        for rules in self.rules():
            for language in languages_of(rules):
                try:
                    name, made = self.translation(rules, language)
                except (RulesError, NotTranslated):
                    continue  # errors are reported elsewhere
                before = rules.beside.get(name, "")
                wanted = before or (made.missing and "+" not in rules.called)
                if wanted and made.text != before:
                    file = SourceFile(_shown(name), before)
                    edit = Edit(Span(file, 0, len(before)), made.text)
                    edits.append((Path(NAME, name), edit))
        return edits

    def translation(self, rules: Texts, language: str) -> tuple[str, Updated]:
        """Returns the file name and the updated (or new) translation of the game or a variant.

        Raises RulesError and NotTranslated.
        """
        name, made, _ = of_unit(rules, language, self._ids, _shown)
        return name, made

    def rules(self) -> Iterator[Texts]:
        """Yields the game and each of its variants, with the files beside them."""
        own = [
            each
            for each in self.files.values()
            if not is_lock(each.name)
            and not is_spreadsheet(each.name)
            and not each.name.startswith(f"{FOLDER}/")
        ]
        beside = {each.name: each.text for each in self.files.values() if each not in own}
        game = {each.name: each.text for each in own if each.given is None}
        if not game:
            return
        entry, text = next(iter(game.items()))
        root = document.load(SourceFile(entry, text), Diagnostics())
        if not isinstance(root, Mapping):
            return
        called, language, offered = _value(root, "game"), own_language(root), promised(root)
        yield Texts(called, language, game, beside, languages=offered)
        for each in own:
            variant = document.load(SourceFile(each.name, each.text), Diagnostics())
            if each.given is not None and isinstance(variant, Mapping):
                name = f"{called}+{_value(variant, 'variant')}"
                rules = {each.name: each.text}
                yield Texts(name, language, rules, beside, languages=offered)

    def _ids(self) -> Ids:
        diagnostics = Diagnostics()
        opened = open_bundle(tuple(self.files.values()), diagnostics, NAME)
        if opened is None:
            raise RulesError(tuple(diagnostics.sorted()))
        return Ids(*check.named(opened.book))

    def changed(self, texts: dict[Path, str]) -> Bundle:
        return Bundle(
            replace(file, text=texts.get(path, file.text)) for path, file in self.files.items()
        )

    def read(self, name: str, path: Path, diagnostics: Diagnostics) -> Reading:
        opened = open_bundle(tuple(self.files.values()), diagnostics, NAME)
        files = [(each.name, SourceFile(str(at), each.text)) for at, each in self.files.items()]
        return reading(opened, files)

    def last_good(self, name: str) -> Analysis | None:
        """Returns the last analysis that merged; falls back to that of the `earlier` rules."""
        good = super().last_good(name)
        if good is None and self.earlier is not None:
            found = self.earlier.analysis(name, next(iter(self.earlier.files)))
            good = found if found.world is not None else None
        return good


def _shown(name: str) -> str:
    return str(Path(NAME, name))


def _value(root: Mapping, key: str) -> str:
    found = root.get(key)
    return found.value if isinstance(found, Scalar) else NAME
