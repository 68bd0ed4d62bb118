"""Scaffolds new games and house rules that check and play before a word is changed.

A game is copied from the folder `templates`, which holds a complete small game with its
scenarios; only its name is substituted. A house rule is generated for its game: it sets a value
to what it is already, as something to edit, and lists further changes as comments that name
clauses and guards of that game.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, Failure
from lawspeaker.base.source import SourceFile
from lawspeaker.editing import numbers
from lawspeaker.outside.library import SUFFIX, Library
from lawspeaker.outside.storage import NotSaved, write
from lawspeaker.text.document import Mapping, Node, Scalar, child, plain
from lawspeaker.text.format import formatted
from lawspeaker.text.rulebook import Entry, Rulebook

TEMPLATES = Path(__file__).resolve().parent / "templates"
TEMPLATE = "my_game"
"""Name of the template game; its title is derived as for any other."""
_NAME = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null)\Z)[a-z][a-z0-9_]*\Z")
"""Valid names by the schemas, without words that YAML parsers read as truths or null."""
_SCORES = re.compile(r"\bscores?\b(?! of\b)")
_DONE = re.compile(r"^\s*do ([a-z_][a-z0-9_.]*)\s*$", re.MULTILINE)


Loaded = tuple[Rulebook, ir.Program]
"""The rulebook of a game, and its program."""


class NotMade(Failure):
    """Nothing was written; the message is for the user."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """The files written; `name` is the name to play it by."""

    name: str
    files: tuple[Path, ...]


def check_name(name: str) -> None:
    """Rejects invalid names of games and variants, with a suggestion."""
    if _NAME.match(name):
        return
    near = _likely(name)
    hint = f"how about {near}?" if _NAME.match(near) else "how about my_own?"
    raise NotMade(
        f"{name!r} cannot be a name: names are made of small letters (a to z), digits and _, and "
        f"begin with a letter; {hint}"
    )


def _likely(name: str) -> str:
    """The closest valid name, or nothing; leading digits move to the end."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    parts = re.findall(r"[a-z]+[0-9]*|[0-9]+", bare)
    words = [part for part in parts if part[0].isalpha()]
    figures = [part for part in parts if part[0].isdigit()]
    return "_".join(words + figures if parts[:1] != words[:1] else parts) if words else ""


def title_of(name: str) -> str:
    return name.replace("_", " ").capitalize()


# -------------------------------------------------------------------- games


def new_game(name: str, folder: Path, library: Library) -> WrittenFiles:
    """Writes a small game into a new folder of its name; raises NotMade."""
    target = new_folder(name, folder, library)
    played = by_path(target)
    texts = {target / file: text for file, text in game_texts(name, played).items()}
    return WrittenFiles(played, written(texts))


def new_folder(name: str, folder: Path, library: Library) -> Path:
    """The folder for a new game of this name; raises NotMade."""
    check_name(name)
    target = folder / name
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise NotMade(f"{target} is there already, and stays as it is; choose another name")
    if library.find_game(name) is not None:
        raise NotMade(
            f"there is a game called {name!r} already; choose another name, such as {name}_2"
        )
    return target


def game_texts(name: str, played: str) -> dict[Path, str]:
    """The files of a small game, by relative path; `played` is the name to play it by."""
    texts: dict[Path, str] = {}
    for source in sorted((TEMPLATES / "game").rglob(f"*{SUFFIX}")):
        text = source.read_text(encoding="utf-8").replace(f"./{TEMPLATE}", played)
        text = text.replace(TEMPLATE, name).replace(title_of(TEMPLATE), title_of(name))
        texts[source.relative_to(TEMPLATES / "game")] = text
    return texts


def by_path(target: Path) -> str:
    """Spells a path with a leading ./ so that it is not taken for the name of another game."""
    return str(target) if target.is_absolute() else f"./{target.as_posix()}"


def written(texts: dict[Path, str]) -> tuple[Path, ...]:
    """Writes files and returns their paths; raises NotMade."""
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotMade(f"cannot write {error.filename!r}: {reason.lower()}") from None
    except NotSaved as error:
        raise NotMade(str(error)) from None
    return tuple(texts)


# -------------------------------------------------------------------- variants


def new_variant(
    name: str, game: str, book: Rulebook, folder: Path, library: Library
) -> WrittenFiles:
    """Writes a house rule of a game to where the library finds it; raises NotMade.

    `game` is the name or path that was asked for, and `book` its parsed rules.
    """
    target, played = new_file(name, game, folder, library)
    return WrittenFiles(played, written({target: variant_text(name, game, played, book)}))


def new_numbers(
    name: str, game: str, values: Sequence[str], loaded: Loaded, folder: Path, library: Library
) -> WrittenFiles:
    """Writes a house rule that sets numbers of a game, each as `TARGET=VALUE`; raises NotMade."""
    target, played = new_file(name, game, folder, library)
    book, program = loaded
    known = numbers.settings(book, program)
    wanted: dict[str, tuple[numbers.Part, ...]] = {}
    try:
        for each in values:
            named, equals, value = each.partition("=")
            if not equals or not value.strip():
                raise NotMade(f"`{each}` is not of the form NAME=VALUE")
            setting = numbers.named(known, named.strip())
            wanted[setting.target] = numbers.read(setting, value)
    except numbers.CannotSet as error:
        raise NotMade(str(error)) from None
    changes = numbers.with_box(book, known, wanted)
    if not any(each.differs for each in changes.values()):
        raise NotMade("these are the values of the game already, so there is nothing to change")
    text = numbers.house_rule(name, book.name, title_of(name), changes)
    return WrittenFiles(played, written({target: text}))


def new_file(name: str, game: str, folder: Path, library: Library) -> tuple[Path, str]:
    """The file for a new variant, and the name to play it by; raises NotMade."""
    check_name(name)
    if library.find_variant(game, name) is not None:
        raise NotMade(
            f"{game} has a variant called {name!r} already; choose another name, such as {name}_2"
        )
    target = folder / "variants" / library.short_name(game) / f"{name}{SUFFIX}"
    if target.exists():
        raise NotMade(f"{target} is there already, and stays as it is; choose another name")
    here = (library.here / folder).resolve() == library.here.resolve()
    return target, f"{game}+{name if here else by_path(target)}"


def variant_text(name: str, game: str, played: str, book: Rulebook) -> str:
    """The text of a house rule of a game; `played` is the name to play it by."""
    text = "\n".join(_house_rule(name, game, played, book))
    tidy = formatted(SourceFile(f"{name}{SUFFIX}", text), Diagnostics())
    assert tidy is not None, "what is written here can be read"
    return tidy


def _house_rule(name: str, game: str, played: str, book: Rulebook) -> Iterator[str]:
    yield f"# A house rule to start from. Play with it:  lawspeaker play {played}"
    yield f"# What it changes, rule by rule:  lawspeaker compare {game} {played}"
    if book.language != "en":
        yield f"# Its sentences are English; write yours in `{book.language}`, as the game does."
    yield "lawspeaker: 1"
    yield f"variant: {name}"
    yield f"of: {book.name}"
    yield "layer: house rule"
    yield f"title: {title_of(name)}"
    yield "about: Say in a sentence what is different at your table."
    yield "changes:"
    choices = sorted(book.section("choices").values(), key=lambda each: not _is_number(each))
    if choices:
        yield f"  # {_said(choices[0], book)}"
        yield "  # This is the value it has in the game. Put yours in its place."
        yield f"  - set: {choices[0].id}"
        yield f"    to: {_flow(choices[0].get('is'))}"
        yield "    because: Say why."
    else:
        yield "  # This is the sentence it has in the game. Put yours in its place."
        yield "  - replace: game"
        said = json.dumps(_said(book.section("rules")["game"], book), ensure_ascii=False)
        yield f"    says: {said}"
        yield "    because: Say why."
    yield ""
    yield "  # Other changes look like these. Take away the # and change them."
    yield from (f"  # {line}" for line in _further(name, book, choices[1:2]))
    yield ""


def _further(name: str, book: Rulebook, choices: list[Entry]) -> Iterator[str]:
    """Yields examples of other changes that are valid in this game."""
    for choice in choices:
        yield f"- set: {choice.id}"
        yield f"  to: {_flow(choice.get('is'))}"
    for clause, guard in _guards(book):
        yield f"- amend: {clause.id}.{guard}"
        yield "  unless: player_count = 2"
        break
    done = _DONE.search(book.section("rules")["game"].text("rule") or "")
    if done and _has_points(book):
        yield f"- add: {name}.bonus"
        yield f"  after: {done[1]}"
        yield "  says: Everyone gets a point."
        yield "  rule: |"
        yield "    players score 1"


def _has_points(book: Rulebook) -> bool:
    """Whether any rule gives points: elsewhere a bonus would decide nothing."""
    codes = (entry.text("rule") or "" for entry in book.section("rules").values())
    return any(_SCORES.search(code) for code in codes)


def _guards(book: Rulebook) -> Iterator[tuple[Entry, str]]:
    for clause in book.section("rules").values():
        guards = clause.get("guards")
        if isinstance(guards, Mapping) and clause.get("when") is None:
            yield from ((clause, guard.value) for guard, _ in guards.entries)


def _is_number(choice: Entry) -> bool:
    value = choice.get("is")
    return isinstance(value, Scalar) and value.value.isdecimal()


def _flow(node: Node | None) -> str:
    """A value on one line: as written, or as JSON, which is valid YAML."""
    assert node is not None, "the schema demands it"
    written = node.span.text
    if not isinstance(node, Scalar) or "\n" in written or node.style != "plain":
        return json.dumps(plain(node), ensure_ascii=False)
    return written


def _said(entry: Entry, book: Rulebook) -> str:
    """The sentence of a clause in the language of the rules."""
    text = child(entry.get("says"), book.language)
    return " ".join(text.value.split()) if isinstance(text, Scalar) else ""
