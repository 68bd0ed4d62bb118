"""Catalogue of the games on offer, and a cache of compiled programs by digest.

A visitor names a game and variants. Only names that the library lists are accepted: elsewhere a
name may also be a path, but no input of a visitor ever becomes a path here.

Programs are compiled once and cached by digest. The files of a game are checked whenever a table is
set up, so a changed rule applies to new tables at once; tables in play keep their texts (see
`store`).

Compiling takes up to a second, so all of this runs in a thread of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics, Failure, RulesError, did_you_mean
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.web.scene import players
from lawspeaker.faces.web.strengths import ladder, learned, usual
from lawspeaker.ir.secrecy import can_be_discreet, is_interrupted, keeps_secrets
from lawspeaker.match.game import Game
from lawspeaker.match.log import RuleFile
from lawspeaker.meaning.check.values import texts
from lawspeaker.meaning.variant import plain_name
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.loading import compile_bundle, load, load_ruleset, read_named
from lawspeaker.players.bots import BOTS
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare import compare
from lawspeaker.text.document import Scalar, child, entries_of
from lawspeaker.text.pictures.naming import FOLDER as PICTURES

MOST_PROGRAMS = 48
MOST_VARIANTS = 40
MOST_AGREED = 128
_NAME = re.compile(r"[a-z][a-z0-9_]*(\((-?\d{1,9})(, ?-?\d{1,9}){0,7}\))?\Z")

Stamp = tuple[tuple[str, int, int], ...]


class Unknown(Failure):
    """Raised when a game or variant is not on offer; the message is for people."""


class Stopping(Exception):
    """Raised when rules are requested while the server is stopping."""


@dataclass(frozen=True, slots=True)
class DraftFacts:
    """The facts about a draft that the server needs to set up a table for it."""

    name: str
    counts: tuple[int, ...]
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableRules:
    """Rules of a table: name, digest, texts, player counts and languages."""

    name: str
    digest: str
    files: tuple[RuleFile, ...]
    counts: tuple[int, ...]
    languages: tuple[str, ...]

    @classmethod
    def of(cls, game: Game) -> TableRules:
        program = game.program
        return cls(game.name, program.digest, game.files, program.counts, program.languages)

    @classmethod
    def of_draft(cls, found: DraftFacts, files: Sequence[RuleFile]) -> TableRules:
        """Makes the rules of a visitor's draft, which another process has compiled.

        The digest is that of the texts, computed here, so that a draft never replaces other rules.
        """
        texts = json.dumps([each.to_json() for each in files], ensure_ascii=False)
        digest = f"draft-{hashlib.sha256(texts.encode()).hexdigest()}"
        return cls(found.name, digest, tuple(files), found.counts, found.languages)


class Catalogue:
    """The games of a library, compiled on first use."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._named: dict[str, tuple[Stamp, Game]] = {}
        self._programs: OrderedDict[str, Game] = OrderedDict()
        self._listed: dict[str, tuple[Stamp, dict[str, Any]]] = {}
        self._agreed: OrderedDict[tuple[str, str], tuple[Stamp, dict[str, Any]]] = OrderedDict()
        self._stopping = False

    def stop(self) -> None:
        """Stops reading rules: later requests raise Stopping.

        Reading all games takes much longer than a server may take to stop.
        """
        self._stopping = True

    def _read_on(self) -> None:
        if self._stopping:
            raise Stopping("the server is being stopped")

    # ------------------------------------------------------------ programs

    def game(self, name: str) -> Game:
        """Returns a game by name, recompiled if its files changed; raises Unknown or RulesError."""
        known = self.checked(name)
        stamp = self.stamp(known)
        found = self._named.get(known)
        if found is None or found[0] != stamp:
            self._read_on()
            found = stamp, load(known, self.library)
            while len(self._named) >= MOST_PROGRAMS:
                del self._named[next(iter(self._named))]
            self._named[known] = found
            self._remember(found[1])
        return found[1]

    def opened(self, digest: str, name: str, files: Sequence[RuleFile]) -> Game:
        """Returns the game compiled from these texts, cached by digest; raises RulesError."""
        found = self._programs.get(digest)
        if found is None:
            self._read_on()
            diagnostics = Diagnostics()
            program = compile_bundle(files, diagnostics, name)
            if program is None:
                raise RulesError(diagnostics)
            found = Game(program, name, tuple(files))
        self._remember(found)
        return found if found.name == name else Game(found.program, name, found.files)

    def _remember(self, game: Game) -> None:
        digest = game.program.digest
        self._programs.setdefault(digest, game)
        self._programs.move_to_end(digest)
        while len(self._programs) > MOST_PROGRAMS:
            self._programs.popitem(last=False)

    def checked(self, name: str) -> str:
        """Returns the normalized name if its game and variants are on offer; raises Unknown."""
        game, *variants = (part.strip() for part in name.split("+"))
        _among(game, self.library.games(), "game")
        if len(variants) > MOST_VARIANTS:
            raise Unknown(f"at most {MOST_VARIANTS} variants can be chosen")
        known = self.library.variants(game)
        for each in variants:
            _among(plain_name(each), known, "variant")
            if not _NAME.match(each):
                raise Unknown(f"“{each}” is not written like a variant: name or name(1, 2)")
        return "+".join((game, *variants))

    def stamp(self, name: str) -> Stamp:
        """Returns the files of a game and its variants with their times and sizes, as a cache
        key."""
        game = name.partition("+")[0]
        entry = self.library.game(game)
        files = set(entry.parent.rglob("*.yaml")) if entry.name == "game.yaml" else {entry}
        for each in self.library.variants(game):
            files.add(self.library.variant(game, each))
        for file in tuple(files):
            files.update(self.library.translations(file))
        for folder in {file.parent / PICTURES for file in files}:
            files.update(folder.glob("*.*"))
        return tuple(sorted(_look(file) for file in files))

    # ------------------------------------------------------------ listings

    def listing(self) -> dict[str, Any]:
        """Lists all games with their variants, the bots and the languages."""
        games = (self._entry(name) for name in self.library.games())
        return {
            "games": [each for each in games if each is not None],
            "bots": list(BOTS),
            "languages": list(LANGUAGES),
        }

    def title(self, rules: str, language: str) -> str:
        """Returns the title of the game of some rules; empty if it is no longer on offer."""
        name = rules.partition("+")[0]
        found = self._entry(name) if name in self.library.games() else None
        titles: dict[str, str] = {} if found is None else found["title"]
        return ir.in_language(titles, language)

    def _entry(self, name: str) -> dict[str, Any] | None:
        if not _NAME.match(name):
            return None
        stamp = self.stamp(name)
        found = self._listed.get(name)
        if found is None or found[0] != stamp:
            try:
                program = self.game(name).program
            except (RulesError, LibraryError):
                return None  # an unfinished game is not on offer
            levels = ladder(name, self.library)
            bots = {"levels": levels, "usual": usual(program, levels)}
            entry = {**_about(name, program), **bots, "variants": self._variants(name)}
            found = self._listed[name] = stamp, entry
        return _with_learned(found[1])

    def _variants(self, game: str) -> list[dict[str, Any]]:
        return [
            entry
            for name in self.library.variants(game)
            if _NAME.match(name) and (entry := self._variant(game, name)) is not None
        ]

    def _variant(self, game: str, name: str) -> dict[str, Any] | None:
        self._read_on()
        found = read_named(game, name, Diagnostics(), self.library)
        if found is None:
            return None
        entries = entries_of(found.root.get("takes"))
        return {
            "name": name,
            "layer": found.layer,
            "title": dict(texts(found.root.get("title"))) or {"en": name.replace("_", " ")},
            "about": dict(texts(found.root.get("about"))),
            "includes": [plain_name(each.value) for each in found.includes],
            "needs": [plain_name(each.value) for each in found.needs],
            "conflicts": [plain_name(each.value) for each in found.conflicts],
            "parameters": [
                {
                    "name": key.value,
                    "default": value.value,
                    "called": dict(texts(child(found.root.get("called"), key.value))),
                }
                for key, value in entries
                if isinstance(value, Scalar)
            ],
        }

    def agreed(self, name: str, language: str) -> dict[str, Any]:
        """Returns the agreement of a table under these rules in words, or their errors; cached."""
        known = self.checked(name)
        stamp = self.stamp(known)
        found = self._agreed.pop((known, language), None)
        if found is None or found[0] != stamp:
            self._read_on()
            found = stamp, agreed(known, language, self.library)
        self._agreed[known, language] = found
        while len(self._agreed) > MOST_AGREED:
            self._agreed.popitem(last=False)
        return _with_learned(found[1])


def agreed(name: str, language: str, library: Library) -> dict[str, Any]:
    """Returns the agreement of a table under some rules in words, or their errors."""
    return agreement(name, library)(language)


def agreement(name: str, library: Library) -> Callable[[str], dict[str, Any]]:
    """Compiles rules once and returns a function that renders their agreement in a language."""
    # Imported here: it also writes for terminals, with a library that a published page lacks.
    from lawspeaker.faces.render.contract import contract

    diagnostics = Diagnostics()
    played = load_ruleset(name, diagnostics, library)
    base = None if played is None else played.base(diagnostics)
    if played is None or base is None:
        problems = [_problem(each) for each in diagnostics.sorted() if each.severity == "error"]
        return lambda _: {"ok": False, "name": name, "problems": problems}
    program, both = played.program, [base, played]

    def said(language: str) -> dict[str, Any]:
        spoken = program.spoken(language)
        about = contract(compare(both, spoken), played)
        return {
            "ok": True,
            **_about(name, program),
            "seats": players(Layout(program, program.most), spoken),
            "parts": [asdict(each) for each in about.parts],
            "worded": about.worded,
        }

    return said


def _about(name: str, program: ir.Program) -> dict[str, Any]:
    return {
        "name": name,
        "digest": program.digest,
        "title": dict(program.title) or {"en": program.name},
        "about": dict(program.about),
        "by": program.by,
        "players": list(program.counts),
        "names": list(program.player_names),
        "called": [dict(program.names.get(each, {})) for each in program.player_names],
        "languages": list(program.languages),
        "secrets": keeps_secrets(program),
        "discretion": can_be_discreet(program),
        "interrupted": is_interrupted(program),
    }


def _with_learned(entry: dict[str, Any]) -> dict[str, Any]:
    """Adds the learned bots that exist for these rules."""
    digest = entry.get("digest")
    return entry if digest is None else {**entry, "learned": learned(digest)}


def _among(name: str, known: Sequence[str], what: str) -> None:
    if name not in known:
        hint = did_you_mean(name, known)
        raise Unknown(f"there is no {what} “{name}”" + (f"; {hint}" if hint else ""))


def _look(file: Path) -> tuple[str, int, int]:
    try:
        found = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), found.st_mtime_ns, found.st_size


def _problem(found: Diagnostic) -> dict[str, Any]:
    return {"code": found.code, "message": found.message, "hint": found.hint or ""}
