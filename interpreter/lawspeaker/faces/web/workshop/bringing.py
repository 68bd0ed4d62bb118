"""Imports games and variants that a visitor uploads: files of a folder, or a ZIP archive.

An upload is text and becomes a draft like any other: nothing in it is used as a path for writing,
and it is compiled only in sandboxes. An archive is the most hostile kind of input, so limits are
enforced while reading: the number of entries, the real size of each regardless of its header, and
the total size. Names that lead out of the folder, links and encrypted entries are refused; files
that are neither rules nor pictures are ignored and reported.

    game.yaml, perhaps in a folder, with the files beside it, in `languages`
    and in `pictures`                                                                a game
    one file with `game:`                                                            a game
    files with `variant:` and `of:`, and pictures                                    variants of it

A picture is a text here as everywhere (`text/pictures`): an image in base64.
"""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile, SourceFile
from lawspeaker.faces.web.messages import BadMessage, clean
from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT, MAIN, MOST_FILES, Draft, draft
from lawspeaker.text.document import load
from lawspeaker.text.pictures.naming import FOLDER as PICTURES
from lawspeaker.text.pictures.naming import LARGEST, as_text, file_of, is_own
from lawspeaker.text.rulebook import is_beside, is_lock, lock_name
from lawspeaker.text.spreadsheet import is_spreadsheet
from lawspeaker.text.translation.naming import FOLDER

MOST_ENTRIES = 300
"""Maximum number of entries of an archive or folder."""
LARGEST_BROUGHT = 4 * LARGEST_DRAFT
"""Maximum number of bytes of uploaded rules; the limit of a draft, in characters, is lower."""
LONGEST_READ = 20_000
"""Number of characters up to which a file is parsed to find a YAML error."""
MOST_NAMED = 20
_KIND = re.compile(r"^(game|variant):[ ]+[\"']?([a-z][a-z0-9_]*)", re.M)
_OF = re.compile(r"^of:[ ]+[\"']?([a-z][a-z0-9_]*)", re.M)
_DRAWN = (".svg", ".png")
_AWAY = ("__MACOSX", ".DS_Store", ".git")


@dataclass(frozen=True, slots=True)
class Brought:
    """An imported draft, its name, and the names of ignored files."""

    name: str
    draft: Draft
    left_out: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, **self.draft.to_json(), "left_out": list(self.left_out)}


def unpacked(archive: bytes) -> list[tuple[str, str | None]]:
    """Reads the texts in a ZIP archive by path, None for files that are not rules; raises
    BadMessage."""
    try:
        with zipfile.ZipFile(BytesIO(archive)) as opened:
            entries = opened.infolist()
            if len(entries) > MOST_ENTRIES:
                raise BadMessage("too_large", f"an archive may have {MOST_ENTRIES} entries")
            left = LARGEST_BROUGHT
            found: list[tuple[str, str | None]] = []
            for entry in entries:
                if entry.is_dir():
                    continue
                _check(entry)
                if not _is_taken(entry.filename):
                    found.append((entry.filename, None))
                    continue
                picture = PurePosixPath(entry.filename).suffix in _DRAWN
                with opened.open(entry) as reading:
                    content = reading.read(min(left, LARGEST if picture else left) + 1)
                if picture and len(content) > LARGEST:
                    found.append((entry.filename, None))
                    continue
                left -= len(content)
                if left < 0:
                    told = f"an archive may hold {LARGEST_BROUGHT:,} bytes of rules"
                    raise BadMessage("too_large", told)
                found.append((entry.filename, _decoded(entry.filename, content)))
            return found
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError) as error:
        raise BadMessage("bad_archive", "this zip cannot be read; is it whole?") from error
    except (RuntimeError, ValueError) as error:
        raise BadMessage("bad_archive", "this zip cannot be read") from error


def _check(entry: zipfile.ZipInfo) -> None:
    name = clean(entry.filename[:80])
    if entry.flag_bits & 1:
        raise BadMessage("bad_archive", f"“{name}” is locked with a password")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise BadMessage("bad_archive", f"“{name}” is a link; bring the file itself")


def listed(files: Any) -> list[tuple[str, str | None]]:
    """Reads the files in a message; raises BadMessage."""
    if not isinstance(files, list) or not 1 <= len(files) <= MOST_ENTRIES:
        raise BadMessage("bad_message", f"`files` must be a list of 1 to {MOST_ENTRIES} files")
    found: list[tuple[str, str | None]] = []
    for each in files:
        if not isinstance(each, dict) or not isinstance(each.get("path"), str):
            raise BadMessage("bad_message", "a file has a `path` and a `text`")
        path, text = each["path"], each.get("text")
        if not isinstance(text, str | None):
            raise BadMessage("bad_message", "the text of a file is a text")
        found.append((path, text if _is_taken(path) else None))
    return found


def brought(files: Iterable[tuple[str, str | None]], known: Iterable[str]) -> Brought:
    """Makes a draft of some files; `known` are the games on offer. Raises BadMessage."""
    paths = [(_path(name), text) for name, text in files]
    rules = [(path, text) for path, text in paths if text is not None and path.suffix == ".yaml"]
    # They come before the rules: the last rule file is shown first.
    beside = [(path, text) for path, text in paths if text is not None and path.suffix != ".yaml"]
    left_out = [str(path) for path, text in paths if text is None and path.name not in _AWAY]
    if not rules:
        raise BadMessage("no_rules", "there is no rule file in it: they end in .yaml")
    mains = [path for path, _ in rules if path.name == MAIN]
    if mains:
        return _game(min(mains, key=lambda path: len(path.parts)), beside + rules, left_out)
    return _by_kind(rules, beside, left_out, tuple(known))


def _game(
    main: PurePosixPath, rules: list[tuple[PurePosixPath, str]], left_out: list[str]
) -> Brought:
    """Imports a folder with a game.yaml."""
    taken: list[RuleFile] = []
    for path, text in rules:
        inside = path.is_relative_to(main.parent)
        own = path.relative_to(main.parent).as_posix() if inside else ""
        plain = inside and (own.count("/") == 0 or own.startswith(f"{FOLDER}/"))
        if is_beside(own):
            taken.append(RuleFile(own, text))
            continue
        if is_spreadsheet(own) and plain:
            taken.append(RuleFile(own, text))
            continue
        if path.suffix != ".yaml" or not plain or own.count("/") > 1:
            left_out.append(str(path))
            continue
        kind = _KIND.search(text)
        variant = kind is not None and kind[1] == "variant"
        taken.append(RuleFile(own, text, () if variant else None))
    kind = _KIND.search(next(text for path, text in rules if path == main))
    name = kind[2] if kind else main.parent.name or "game"
    return _made(name, "", taken, left_out)


def _by_kind(
    rules: list[tuple[PurePosixPath, str]],
    beside: list[tuple[PurePosixPath, str]],
    left_out: list[str],
    known: tuple[str, ...],
) -> Brought:
    """Imports single files: a game in one file, or variants of a game on offer."""
    pictures = [
        RuleFile(file_of(path.name), text)
        for path, text in beside
        if path.suffix in _DRAWN and path.parent.name in ("", PICTURES) and is_own(path.name)
    ]
    locks = [
        RuleFile(lock_name(path.stem), text)
        for path, text in beside
        if is_lock("/".join(path.parts[-2:]))
    ]
    known_here = _names([*pictures, *locks])
    for path, _ in beside:
        name = lock_name(path.stem) if path.suffix not in _DRAWN else file_of(path.name)
        left_out += [] if name in known_here else [str(path)]
    kinds = [(path, text, _KIND.search(text)) for path, text in rules]
    games = [(path, text, kind) for path, text, kind in kinds if kind and kind[1] == "game"]
    variants = [(path, text, kind) for path, text, kind in kinds if kind and kind[1] == "variant"]
    if len(games) > 1:
        raise BadMessage("no_rules", "there are several games in it: bring one at a time")
    if games:
        path, text, said = games[0]
        left_out += [str(each) for each, _, _ in kinds if each != path]
        assert said is not None
        return _made(said[2], "", [*pictures, *locks, RuleFile(MAIN, text)], left_out)
    if not variants:
        for path, text, _ in kinds:
            _check_readable(path, text)
        told = "there is neither a game (`game:`) nor a variant (`variant:`) in it"
        raise BadMessage("no_rules", told)
    bases = {found[1] for _, text, _ in variants if (found := _OF.search(text))}
    if len(bases) != 1:
        raise BadMessage("no_rules", "bring variants of one game at a time: `of:` says which")
    (base,) = bases
    if base not in known:
        told = f"this is a variant of “{base}”, which is not on offer here: bring that game as well"
        raise BadMessage("no_rules", told)
    taken = [*pictures, *locks, *(RuleFile(path.name, text, ()) for path, text, _ in variants)]
    names = {path.stem for path, _, _ in variants}
    for path, text, kind in kinds:
        if kind is None and path.parent.name == FOLDER and path.name.split(".")[0] in names:
            taken.append(RuleFile(f"{FOLDER}/{path.name}", text))
        elif kind is None:
            left_out.append(str(path))
    first = variants[0][2]
    assert first is not None
    return _made(first[2], base, taken, left_out)


def _check_readable(path: PurePosixPath, text: str) -> None:
    """Raises BadMessage with the line of the first YAML error, if the file is short enough to parse
    here."""
    if len(text) > LONGEST_READ:
        return
    diagnostics = Diagnostics()
    load(SourceFile(path.name, text), diagnostics)
    found = next((each for each in diagnostics.sorted() if each.severity == "error"), None)
    if found is not None:
        line = f"{clean(path.name[:80])}, line {found.span.line}"
        raise BadMessage("no_rules", f"{line} cannot be read: {clean(found.message)}")


def _made(name: str, rules: str, files: list[RuleFile], left_out: list[str]) -> Brought:
    """Makes a draft within the limits; raises BadMessage."""
    if len(files) > MOST_FILES:
        raise BadMessage("too_large", f"a draft may have {MOST_FILES} files")
    whole = Draft(rules, tuple(files))
    checked = draft(whole.to_json())
    named = tuple(clean(each[:120]) for each in sorted(left_out)[:MOST_NAMED])
    return Brought(clean(name).replace("_", " "), checked, named)


def _path(name: str) -> PurePosixPath:
    """Parses a relative path; raises BadMessage if it leads out of the folder."""
    path = PurePosixPath(name)
    odd = "\\" in name or "\0" in name or ":" in name or path.is_absolute()
    if odd or ".." in path.parts or not path.parts or len(name) > 300:
        raise BadMessage("bad_archive", f"“{clean(name[:80])}” leads out of the folder")
    return path


def _names(files: list[RuleFile]) -> set[str]:
    return {each.name for each in files}


def _is_taken(name: str) -> bool:
    """Whether a name is that of a rule file, a spreadsheet, a lock of a book, or a picture."""
    path = PurePosixPath(name)
    return path.suffix in (".yaml", ".csv", ".lock", *_DRAWN) and not any(
        part in _AWAY or part.startswith(".") for part in path.parts
    )


def _decoded(name: str, content: bytes) -> str:
    if PurePosixPath(name).suffix in _DRAWN:
        return as_text(name, content)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadMessage("bad_archive", f"“{clean(name[:80])}” is no text in UTF-8") from None
