"""Resolves the names of games and variants to files, and reads the files.

The library searches the current folder, then each folder named in LAWSPEAKER_PATH, then the games
that come with the package. Each of these is a *root*, and all roots have the same layout:

    ROOT/rules/NAME/game.yaml             a game
    ROOT/NAME/game.yaml                   a game, without the folder for all games around it
    ROOT/NAME.yaml                        a game in a single file
    ROOT/variants/GAME/NAME.yaml          a variant of a game
    ROOT/rules/GAME/books/NAME.lock       the lock of a source; also beside variants
    ROOT/rules/GAME/pictures/NAME.svg     a picture of its symbols, or .png; also beside variants

Translations lie in a folder `languages` beside what they translate: `languages/de.yaml` beside
game.yaml, and `languages/NAME.de.yaml` beside NAME.yaml.

The first root that has the name wins, so a user's game shadows a built-in one. A game or a
variant may be given as a path instead. A folder's name may differ from the name in its game file
(`game: NAME`): such a copy has the variants of that game, too. The built-in root is the top of a
checkout, or the folder `data` inside the installed package.

I/O module: it reads the disk so that the stages of the interpreter need not.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from stat import S_ISREG
from typing import Literal, TypeVar

from lawspeaker.base.diagnostics import Failure, nearest
from lawspeaker.text.pictures import naming as pictures
from lawspeaker.text.translation.naming import FOLDER, is_of

Kind = Literal["rules", "variants", "schema", "docs"]
Answer = TypeVar("Answer")

SEARCH_PATH = "LAWSPEAKER_PATH"
DATA = "data"
GAME_FILE = "game.yaml"
SUFFIX = ".yaml"
SIGN = "@"
"""Separates the name of a game from a revision."""
SCENARIOS = "scenarios"
"""The folder beside a game, or beside its variants, that holds its scenarios."""
SAID = re.compile(r"""^game:[ ]+(["']?)(?P<name>[a-z][a-z0-9_]*)\1[ ]*(?:#.*)?$""", re.M)
VARIANT = re.compile("^variant:", re.M)
LARGEST = 1024 * 1024
"""Maximum size of a rule file in bytes."""
MOST_NAMED = 12
MOST_VARIANTS = 60
"""An error message without a close match lists all known variants up to this number."""


class LibraryError(Failure):
    """Something is not in the library, or cannot be read; the message is for the user."""


class NotFound(LibraryError):
    """No game, variant or file has this name; `nearest` are similar names that exist."""

    def __init__(
        self,
        what: str,
        name: str,
        known: Iterable[str] = (),
        most: int = MOST_NAMED,
        otherwise: str = "",
    ) -> None:
        known = tuple(known)
        self.name = name
        self.nearest = _nearest(name, known)
        hint = otherwise
        if self.nearest:
            hint = f"; did you mean {_listed(self.nearest, 'or')}?"
        elif 0 < len(known) <= most:
            hint = f"; known: {_listed(known, 'and')}{otherwise}"
        super().__init__(f"there is no {what} {name!r}{hint}")


class Unreadable(LibraryError):
    """The file exists but is not readable text; `reason` says why."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"cannot read {name!r}: {reason}")


def built_in() -> Path:
    """The root that comes with the package: inside it, or the top of the checkout around it."""
    package = Path(__file__).resolve().parent.parent
    data = package / DATA
    return data if data.is_dir() else package.parent.parent


def data_folder(kind: Kind) -> Path:
    """The built-in folder of this kind, in a checkout and in an installed package alike."""
    return built_in() / kind


def search_path() -> tuple[Path, ...]:
    """The folders named in LAWSPEAKER_PATH."""
    entries = os.environ.get(SEARCH_PATH, "").split(os.pathsep)
    return tuple(Path(entry).expanduser() for entry in entries if entry)


Answers = dict[tuple[str, str, int], object]
"""File system queries with their results: (kind, path, size limit) to result."""
_answers: ContextVar[Answers | None] = ContextVar("answers", default=None)


@contextmanager
def answers_noted() -> Iterator[Answers]:
    """Records all file system queries of its block with their results."""
    noted: Answers = {}
    token = _answers.set(noted)
    try:
        yield noted
    finally:
        _answers.reset(token)


_allowed: ContextVar[tuple[Path, ...] | None] = ContextVar("allowed", default=None)
"""The folders that may be read, resolved; None for all."""


@contextmanager
def only_below(*folders: Path) -> Iterator[None]:
    """Hides all files outside of these folders within its block, wherever links or names lead."""
    token = _allowed.set(tuple(folder.resolve() for folder in folders))
    try:
        yield
    finally:
        _allowed.reset(token)


def is_restricted() -> bool:
    """Whether some files are hidden."""
    return _allowed.get() is not None


def _is_hidden(path: Path) -> bool:
    allowed = _allowed.get()
    if allowed is None:
        return False
    try:
        whole = path.resolve()
    except (OSError, RuntimeError, ValueError):
        return True
    return not any(whole.is_relative_to(folder) for folder in allowed)


@dataclass(frozen=True, slots=True)
class Library:
    """Finds games and variants as seen from one folder."""

    here: Path = field(default_factory=Path.cwd)
    path: tuple[Path, ...] = field(default_factory=search_path)
    built_in: Path = field(default_factory=built_in)

    @property
    def roots(self) -> tuple[Path, ...]:
        """The search path, in order, without duplicates."""
        places = (self.here, *(self.here / entry for entry in self.path), self.built_in)
        return tuple(dict.fromkeys(places))

    # Names

    def split_name(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Splits GAME+VARIANT+VARIANT into the game and its variants.

        A `+` may also be part of a file's name, so each part is the longest run of pieces that
        exists under that name, and otherwise the piece up to the next `+`.
        """
        pieces = name.split("+")
        game, rest = _longest(pieces, lambda piece: self.find_game(piece) is not None)
        variants: list[str] = []
        while rest:
            variant, rest = _longest(rest, lambda piece: self.find_variant(game, piece) is not None)
            variants.append(variant)
        if not all((game, *variants)):
            known = self.variants(game) if game else []
            there = f"; known: {_listed(tuple(known), 'and')}" if known else ""
            message = f"{name!r} has an empty name beside a '+'; write GAME+VARIANT"
            raise LibraryError(message + there)
        return game, tuple(variants)

    def display(self, path: Path) -> str:
        """Short name of a file for messages, by which it can also be found.

        It is relative to the current folder, or else to the root that the file is in. A file
        inside the installed package is always named relative to its root.
        """
        roots = self.roots
        if self.built_in.name == DATA and path.is_relative_to(self.built_in):
            roots = (self.built_in,)
        for whole in (self.here / path, (self.here / path).resolve()):
            for root in roots:
                for folder in (root, root.resolve()):
                    if whole.is_relative_to(folder) and whole != folder:
                        return whole.relative_to(folder).as_posix()
        return str(path)

    # Games

    def games(self) -> list[str]:
        """Names of all games that have a folder, sorted."""
        folders = (
            folder
            for root in self.roots
            for parent in (root / "rules", root)
            for folder in _entries(parent)
        )
        return sorted({folder.name for folder in folders if _is_file(folder / GAME_FILE)})

    def find_game(self, name: str) -> Path | None:
        """The entry file of a game, by its name or by the path of its folder or file."""
        return _first(
            place
            for root in self._roots_of(name)
            for place in (
                root / "rules" / name / GAME_FILE,
                root / name / GAME_FILE,
                root / f"{name}{SUFFIX}",
                *_given(root, name),
            )
        )

    def game(self, name: str) -> Path:
        """As find_game, but raises NotFound with the nearest names."""
        found = self.find_game(name)
        if found is None:
            raise NotFound("game", name, self.games())
        return found

    def short_name(self, game: str) -> str:
        """The name under which a game's variants are filed: that of its folder or file."""
        return _short_name(self.game(game))

    # Variants

    def variants(self, game: str) -> list[str]:
        """Names of all variants of a game, sorted."""
        files = (file for folder in self._variant_folders(game) for file in _entries(folder))
        return sorted({file.stem for file in files if file.suffix == SUFFIX and _is_file(file)})

    def find_variant(self, game: str, name: str) -> Path | None:
        """The file of a variant of a game, by its name or by its path."""
        named = (
            folder / f"{name}{SUFFIX}" for folder in self._variant_folders(game) if _is_plain(name)
        )
        given = (place for root in self._roots_of(name) for place in _given(root, name))
        return _first((*named, *given, *self._beside(game, name)))

    def _beside(self, game: str, name: str) -> Iterator[Path]:
        """The variant of this name in the same folder as a single-file game, if there is one."""
        entry = self.find_game(game)
        if entry is None or entry.name == GAME_FILE or not _is_plain(name):
            return
        file = entry.parent / f"{name}{SUFFIX}"
        # Unreadable files are skipped here; naming one by its path reports the reason.
        with suppress(LibraryError):
            if VARIANT.search(self.read(file)):
                yield file

    def variant(self, game: str, name: str) -> Path:
        """As find_variant, but raises NotFound with the nearest names."""
        found = self.find_variant(game, name)
        if found is None:
            shown = self.display(Path(game)) if Path(game).is_absolute() else game
            others = [each for each in self.games() if name in self.variants(each)]
            if others:
                of = _listed(tuple(others), "and")
                raise LibraryError(f"{name!r} is a variant of {of}, not of {shown!r}")
            known = self.variants(game)
            raise NotFound(
                f"variant of {shown!r} named",
                name,
                known,
                most=MOST_VARIANTS,
                otherwise="; a file that lies elsewhere is named by its path: GAME+PATH/TO/IT.yaml",
            )
        return found

    def find_texts(self, game: str, source: str) -> Path | None:
        """The older list of non-rule sentences of a source without a lock: texts/SOURCE.yaml,
        beside the game or beside its variants.
        """
        found = self.find_game(game)
        folders = (() if found is None else (found.parent,)) + self._variant_folders(game)
        if not _is_plain(source):
            return None
        return _first(folder / "texts" / f"{source}{SUFFIX}" for folder in folders)

    def translations(self, rules: Path) -> list[Path]:
        """The translation files beside the entry file of a game or the file of a variant."""
        beside = _entries(rules.parent / FOLDER)
        return [file for file in beside if is_of(f"{FOLDER}/{file.name}", rules.name)]

    def scenarios(self, game: str) -> list[Path]:
        """The scenario files beside a game and beside its variants, sorted per folder."""
        folders = (self.game(game).parent, *self._variant_folders(game))
        files = (file for folder in dict.fromkeys(folders) for file in _entries(folder / SCENARIOS))
        return [file for file in files if file.suffix == SUFFIX and _is_file(file)]

    # Files

    def holds(self, path: Path) -> bool:
        """Whether this file exists."""
        return _is_file(self.here / path)

    def read(self, path: Path, largest: int = LARGEST) -> str:
        r"""Reads a text file, with line ends as `\n` and without a byte-order mark.

        Any failure raises an error with the file's short name and a plain reason. At most one
        byte more than `largest` is read.
        """
        name, content = self.display(path), self._content(path, largest)
        if len(content) > largest:
            raise Unreadable(name, f"it is larger than {largest // 1024} KiB")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            byte = content[error.start]
            reason = f"it is not UTF-8 text (byte 0x{byte:02X} in line {line}); save it as UTF-8"
            raise Unreadable(name, reason) from None
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def picture(self, path: Path) -> str:
        """Reads a picture as text, in base64 if it is a bitmap.

        One over the size limit keeps one byte too many, so that the check of pictures reports it.
        """
        return pictures.as_text(path.name, self._content(path, pictures.LARGEST))

    def answers_are(self, answers: Answers) -> bool:
        """Whether all recorded file system queries still have the same results."""
        return all(self._answer(*asked) == answer for asked, answer in answers.items())

    def _answer(self, what: str, path: str, largest: int) -> object:
        match what:
            case "file":
                return _is_file(Path(path))
            case "folder":
                return _is_folder(Path(path))
            case "entries":
                return [entry.name for entry in _entries(Path(path))]
        try:
            return self._read_as(Path(path), self._content(Path(path), largest))
        except LibraryError:
            return None

    def _read_as(self, path: Path, content: bytes) -> tuple[str, str]:
        """Display name of a file and the SHA-256 of its content."""
        return self.display(path), hashlib.sha256(content).hexdigest()

    def _no_file(self, path: Path) -> NotFound:
        """Builds the NotFound error for a file; suggests a similar name of the same type in its
        folder.
        """
        beside = _entries((self.here / path).parent)
        stems = {each.stem: self.display(each) for each in beside if each.suffix == path.suffix}
        near = nearest(path.stem, stems)
        return NotFound("file", self.display(path), () if near is None else (stems[near],))

    def _content(self, path: Path, largest: int) -> bytes:
        """Reads the bytes of a file, up to one more than `largest`, and records the query."""
        _note("content", path, None, largest)
        content = self._opened(path, largest)
        if _answers.get() is not None:
            _note("content", path, self._read_as(path, content), largest)
        return content

    def _opened(self, path: Path, largest: int) -> bytes:
        name = self.display(path)
        if _is_hidden(self.here / path):
            raise Unreadable(name, "it lies outside of the folder")
        try:
            with open(self.here / path, "rb", opener=_without_waiting) as file:
                if not S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise Unreadable(name, "it is not a regular file")
                return file.read(largest + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise self._no_file(path) from None
        except IsADirectoryError:
            raise Unreadable(name, "it is a folder, not a file") from None
        except PermissionError:
            # Some systems raise PermissionError for a folder, too.
            folder = _is_folder(self.here / path)
            reason = "it is a folder, not a file" if folder else "permission denied"
            raise Unreadable(name, reason) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise Unreadable(name, reason) from None

    def _roots_of(self, name: str) -> tuple[Path, ...]:
        """The roots to search for a name: only the current folder for absolute paths and those
        with `..`.
        """
        if not name.strip() or "\0" in name:
            return ()
        path = Path(name)
        return (self.here,) if path.is_absolute() or ".." in path.parts else self.roots

    def _variant_folders(self, game: str) -> tuple[Path, ...]:
        """The folders that may hold variants of a game; those beside a game given by path come
        first.
        """
        found = self.find_game(game)
        if found is None:
            if not _is_plain(game):
                return ()
            return tuple(root / "variants" / game for root in self.roots)
        keys = dict.fromkeys((_short_name(found), *self._said_name(found)))
        root = found.parent.parent if found.name == GAME_FILE else found.parent
        if root.name == "rules":
            root = root.parent
        roots = self.roots if root in self.roots else (root, *self.roots)
        return tuple(root / "variants" / key for root in roots for key in keys)

    def _said_name(self, entry: Path) -> Iterator[str]:
        """The name that a game file declares, if it has one."""
        # Unreadable files are reported when the game is loaded; here only a name is wanted.
        with suppress(LibraryError):
            said = SAID.search(self.read(entry))
            if said is not None:
                yield said["name"]


def _longest(pieces: list[str], exists: Callable[[str], bool]) -> tuple[str, list[str]]:
    """Splits off the longest run of leading pieces that exists, or else the first piece."""
    for length in range(len(pieces), 1, -1):
        joined = "+".join(pieces[:length])
        if exists(joined):
            return joined, pieces[length:]
    return pieces[0], pieces[1:]


def _short_name(entry: Path) -> str:
    return entry.parent.name if entry.name == GAME_FILE else entry.stem


def _is_plain(name: str) -> bool:
    """Whether it is a name without a path."""
    return bool(name.strip()) and Path(name).name == name


def _given(root: Path, name: str) -> Iterator[Path]:
    """The file itself, if the name has a path or the extension of a rule file."""
    if not _is_plain(name) or name.endswith((SUFFIX, ".yml")):
        yield root / name


def _first(places: Iterable[Path]) -> Path | None:
    return next((place for place in places if _is_file(place)), None)


def _is_file(path: Path) -> bool:
    """Whether something readable is there; what cannot be accessed counts as absent."""
    try:
        found = path.exists() and not path.is_dir() and not _is_hidden(path)
    except (OSError, ValueError):
        found = False
    return _note("file", path, found)


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file without blocking on a pipe that has no writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _is_folder(path: Path) -> bool:
    try:
        found = path.is_dir() and not _is_hidden(path)
    except (OSError, ValueError):
        found = False
    return _note("folder", path, found)


def _entries(folder: Path) -> Iterator[Path]:
    """The visible entries of a folder, sorted; none if it cannot be listed."""
    try:
        shown = () if _is_hidden(folder) else sorted(folder.iterdir())
        found = [entry for entry in shown if entry.name[:1] != "."]
    except OSError:
        found = []
    _note("entries", folder, [entry.name for entry in found])
    yield from found


def _note(what: str, path: Path, answer: Answer, largest: int = 0) -> Answer:
    """Records a file system query with its result, if recording is on."""
    answers = _answers.get()
    if answers is not None:
        answers[what, str(path), largest] = answer
    return answer


def _nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three close matches, best first, ignoring case."""
    plain = {other.casefold(): other for other in known}
    return tuple(plain[near] for near in get_close_matches(name.casefold(), plain))


def _listed(names: tuple[str, ...], word: str) -> str:
    """Joins quoted names, with this word before the last."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"
