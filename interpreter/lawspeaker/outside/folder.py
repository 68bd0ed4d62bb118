"""Workspace on disk: files of a folder, overridden by texts open in an editor.

A file belongs to rules that are named as everywhere: a game, or a game with the variant that the
file is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import RuleFile, SourceFile, Span
from lawspeaker.editing.fixes import Edit
from lawspeaker.meaning.variant import plain_name
from lawspeaker.outside.library import GAME_FILE, LARGEST, SUFFIX, Library, LibraryError
from lawspeaker.outside.loading import homes, open_name, read_named
from lawspeaker.outside.translating import NotTranslated, languages, translated
from lawspeaker.outside.workspace import OpenRules, Reading, Workspace, reading
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, child, text_of
from lawspeaker.text.translation.naming import FOLDER

MOST_FILES = 5_000
"""Maximum number of files of a folder that are searched for scenarios."""
_NOT_OURS = frozenset({"node_modules", ".venv", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Open(Library):
    """Library in which texts open in an editor override files on disk.

    `shown` maps display names to the files that were read. `places` caches the display name and
    resolved path of each requested path until files are created or deleted.
    """

    texts: dict[Path, str] = field(default_factory=dict)
    shown: dict[str, Path] = field(default_factory=dict)
    places: dict[tuple[tuple[Path, ...], Path], tuple[str, Path]] = field(default_factory=dict)

    def place(self, path: Path) -> tuple[str, Path]:
        found = self.places.get((self.path, path))
        if found is None:
            # Called on the class, because `super()` does not work in dataclasses with slots.
            found = Library.display(self, path), (self.here / path).resolve()
            self.places[self.path, path] = found
        return found

    def display(self, path: Path) -> str:
        return self.place(path)[0]

    def read(self, path: Path, largest: int = LARGEST) -> str:
        shown, whole = self.place(path)
        self.shown[shown] = whole
        if whole in self.texts:
            return self.texts[whole]
        return Library.read(self, path, largest)


class FolderWorkspace(Workspace):
    """Workspace rooted at `root`, or at the current directory."""

    def __init__(self, root: Path | None = None) -> None:
        super().__init__()
        self.root = (root or Path.cwd()).resolve()
        self.texts: dict[Path, str] = {}
        self._units: dict[str, tuple[int, list[str]]] = {}
        self._told: dict[str, tuple[int, list[tuple[Path, Mapping]]]] = {}
        self._scenarios: list[Path] | None = None
        self._libraries: dict[Path, Open] = {}

    # ------------------------------------------------------------ texts

    def open(self, path: Path, text: str) -> None:
        self.texts[path.resolve()] = text.replace("\r\n", "\n").replace("\r", "\n")
        self.version += 1

    def close(self, path: Path) -> None:
        self.texts.pop(path.resolve(), None)
        self.version += 1

    def changed_outside(self) -> None:
        """Invalidates caches after files on disk have changed."""
        self.version += 1
        self._scenarios = None
        self._libraries.clear()

    def changed(self, texts: dict[Path, str]) -> FolderWorkspace:
        after = FolderWorkspace(self.root)
        after.texts.update(self.texts)
        for path, text in texts.items():
            after.open(path, text)
        return after

    def source(self, path: Path) -> SourceFile:
        library = self.library(path)
        return SourceFile(library.display(path.resolve()), library.read(path.resolve()))

    def shown(self, path: Path) -> str:
        return self.library(path).display(path.resolve())

    def listed(self, path: Path, name: str) -> Path | None:
        target = path.resolve().parent / name
        return target if target.is_file() else None

    def library(self, path: Path) -> Open:
        """The library as seen from a file: the file's own folders come first."""
        folder = path.parent
        if folder not in self._libraries:
            here = replace(Library(), here=self.root)
            around = homes([path], self.root)
            self._libraries[folder] = Open(
                self.root, (*around, *here.path), here.built_in, texts=self.texts, shown=self.paths
            )
        return self._libraries[folder]

    # ------------------------------------------------------------ whose a file is

    def unit(self, path: Path) -> OpenRules | None:
        path = path.resolve()
        if path.suffix != SUFFIX:
            return None
        try:
            root = document.load(self.source(path), Diagnostics())
        except LibraryError:
            return None
        library = self.library(path)
        if isinstance(root, Mapping):
            keys = ("variant", "of", "scenario", "translates")
            said = {key: text_of(root.get(key)) for key in keys}
            if said["scenario"] and text_of(root.get("game")):
                return OpenRules("scenario", *self._named(text_of(root.get("game")), library))
            if said["translates"]:
                beside = self._translated(path, said["translates"], library)
                return OpenRules("translation", *beside)
            if said["variant"] and said["of"]:
                return OpenRules("variant", *self._variant(path, said["of"], library))
        elif path.parent.parent.name == "variants":
            # The file cannot be parsed now; its location tells its kind.
            return OpenRules("variant", *self._variant(path, path.parent.name, library))
        entry = path.parent / GAME_FILE
        if entry.is_file() or entry in self.texts:
            return OpenRules("game", str(entry), str(entry))
        if text_of(child(root, "game")):
            return OpenRules("game", str(path), str(path))
        return None

    def _named(self, name: str, library: Open) -> tuple[str, str]:
        """Resolves the name of some rules: with the game's file in place of its name, and that
        file.
        """
        try:
            game, variants = library.split_name(name)
        except LibraryError:
            return name, name
        entry = library.find_game(game)
        known = game if entry is None else str(entry.resolve())
        return "+".join((known, *variants)), known

    def _variant(self, path: Path, game: str, library: Open) -> tuple[str, str]:
        """Returns the full name of a variant, with its game and all variants it needs, and the
        game.
        """
        known = library.find_game(game)
        base = game if known is None else str(known.resolve())
        found = library.find_variant(base, path.stem)
        own = path.stem if found is not None and found.resolve() == path else str(path)
        return "+".join((base, *self._needs(base, own, library), own)), base

    def _needs(self, game: str, variant: str, library: Open) -> tuple[str, ...]:
        try:
            read = read_named(game, variant, Diagnostics(), library)
        except LibraryError:
            return ()
        return () if read is None else tuple(plain_name(each.value) for each in read.needs)

    def _translated(self, path: Path, said: str, library: Open) -> tuple[str, str]:
        """Finds the unit that a translation belongs to, which lies beside it."""
        folder = path.parent.parent if path.parent.name == FOLDER else path.parent
        game, *variants = said.split("+")
        if variants:
            return self._variant(folder / f"{variants[-1]}{SUFFIX}", game, library)
        entry = folder / GAME_FILE
        known = entry if entry.is_file() else library.find_game(game)
        name = game if known is None else str(known)
        return name, name

    def units(self, unit: OpenRules, path: Path) -> list[str]:
        known = self._units.get(unit.game)
        if known is None or known[0] != self.version:
            known = self.version, list(dict.fromkeys(self._all_units(unit.game, path)))
            self._units[unit.game] = known
        return known[1]

    def _all_units(self, game: str, path: Path) -> Iterator[str]:
        library = self.library(path)
        yield game
        for name in library.variants(game):
            found = library.find_variant(game, name)
            if found is None:
                continue
            whole, _ = self._variant(found.resolve(), game, library)
            yield whole
            read = read_named(game, name, Diagnostics(), library)
            for change in () if read is None else read.changes:
                if change.together_with:
                    yield "+".join((whole, *change.together_with))

    # ------------------------------------------------------------ reading them

    def read(self, name: str, path: Path, diagnostics: Diagnostics) -> Reading:
        taken: list[RuleFile] = []
        opened = open_name(name, diagnostics, self.library(path), taken)
        return reading(opened, [(each.name, SourceFile(each.shown, each.text)) for each in taken])

    def translations(self, unit: OpenRules, path: Path) -> list[tuple[Path, Edit]]:
        library = self.library(path)
        edits: list[tuple[Path, Edit]] = []
        for language in languages(unit.name, library):
            try:
                made = translated(unit.name, language, library)
            except (LibraryError, RulesError, NotTranslated):
                continue  # errors are reported elsewhere
            for each in made:
                wanted = each.before or (each.needed and "+" not in unit.name)
                if wanted and each.before != each.result.text:
                    file = SourceFile(library.display(each.path), each.before)
                    edit = Edit(Span(file, 0, len(each.before)), each.result.text)
                    edits.append((each.path.resolve(), edit))
        return edits

    # ------------------------------------------------------------ scenarios

    def scenarios(self, game: str, path: Path) -> list[tuple[Path, Mapping]]:
        known = self._told.get(game)
        if known is None or known[0] != self.version:
            known = self.version, list(self._about(game, path))
            self._told[game] = known
        return known[1]

    def _about(self, game: str, path: Path) -> Iterator[tuple[Path, Mapping]]:
        library = self.library(path)
        entry = library.find_game(game)
        for each in self._all_scenarios():
            try:
                root = document.load(self.source(each), Diagnostics())
            except LibraryError:
                continue
            name = text_of(child(root, "game"))
            if isinstance(root, Mapping) and name and root.get("scenario") is not None:
                found = self.library(each).find_game(name.partition("+")[0])
                if found is not None and entry is not None and found.samefile(entry):
                    yield each, root

    def _all_scenarios(self) -> list[Path]:
        if self._scenarios is None:
            files = self.root.rglob(f"*{SUFFIX}")
            ours = (each for each in files if not _NOT_OURS.intersection(each.parts))
            some = [each for each, _ in zip(ours, range(MOST_FILES), strict=False)]
            self._scenarios = [each for each in some if _is_scenario(each)]
        opened = [each for each, text in self.texts.items() if _begins_as_scenario(text)]
        return list(dict.fromkeys((*self._scenarios, *opened)))


def _is_scenario(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open(encoding="utf-8") as file:
            return _begins_as_scenario(file.read(2_000))
    except (OSError, UnicodeDecodeError):
        return False


def _begins_as_scenario(text: str) -> bool:
    return text.startswith("scenario:") or "\nscenario:" in text
