"""Loads games by name: finds their files, reads and compiles them.

The only path from the disk into the compiler. Modules needed only for playing are imported
lazily, so that checking rules, the most frequent command, does not pay for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import NOWHERE, RuleFile, SourceFile, Span
from lawspeaker.meaning import check
from lawspeaker.meaning.compile import Opened, VariantFile, open_game
from lawspeaker.meaning.variant import EDITION, Variant, included, plain_name, read_variant
from lawspeaker.outside import programs
from lawspeaker.outside.library import (
    GAME_FILE,
    SCENARIOS,
    SIGN,
    SUFFIX,
    Library,
    LibraryError,
    answers_noted,
    data_folder,
)
from lawspeaker.outside.revisions import as_it_was, at_revision, without_revision
from lawspeaker.text import document
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.pictures.naming import is_picture
from lawspeaker.text.rulebook import Beside, own_language
from lawspeaker.text.schema import Schema
from lawspeaker.text.translation.files import Translation, translation_of
from lawspeaker.text.translation.naming import FOLDER, is_of

if TYPE_CHECKING:
    from lawspeaker.match.game import Game
    from lawspeaker.match.log import Log
    from lawspeaker.match.match import Match
    from lawspeaker.study.compare.ruleset import Ruleset
    from lawspeaker.study.scenario import Report, Scenario, ScenarioRun

_ARGUMENTS = re.compile(r"(.+?)\(([^()]*)\)\Z")


@lru_cache(maxsize=8)
def schema(name: str) -> Schema:
    """Returns a JSON Schema of the project by its short name."""
    text = data_folder("schema").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    return Schema(json.loads(text))


def compile_name(
    name: str,
    diagnostics: Diagnostics,
    library: Library | None = None,
    taken: list[RuleFile] | None = None,
) -> ir.Program | None:
    """Finds, reads and compiles a game, or takes it from the cache; reports into the diagnostics.

    The files that were read go into `taken`, named as the entry file names them.
    """
    library = library or Library()
    kept = None if SIGN in name else programs.cached(name, library)
    if kept is None:
        return _compiled(name, diagnostics, library, taken)
    diagnostics.extend(kept.verdict.warnings)
    if taken is not None:
        taken += kept.taken
    return None if diagnostics.has_errors else kept.program


def _compiled(
    name: str, diagnostics: Diagnostics, library: Library, taken: list[RuleFile] | None
) -> ir.Program | None:
    """Reads and checks a game, and caches the program if it has no errors."""
    own, read = Diagnostics(most=diagnostics.most), list[RuleFile]()
    with answers_noted() as answers:
        opened = open_name(name, own, library, read)
        book = None if opened is None else opened.laid(own)
        program = None if book is None else check.program(book, own)
    diagnostics.extend(own)
    if taken is not None:
        taken += read
    if program is not None and SIGN not in name and not own.left_out:
        verdict = programs.Verdict.of(program, tuple(own), answers)
        programs.store(name, library, programs.CachedProgram(verdict, program, tuple(read)))
    return None if diagnostics.has_errors else program


def open_name(
    name: str,
    diagnostics: Diagnostics,
    library: Library | None = None,
    taken: list[RuleFile] | None = None,
) -> Opened | None:
    """Finds and reads a game and its variants, without applying the variants."""
    library = library or Library()
    taken = [] if taken is None else taken
    try:
        game, variants = library.split_name(name)
        if (named := at_revision(game, library)) is not None:
            with as_it_was(named, library) as (old, then):
                return open_name("+".join((old, *variants)), diagnostics, then, taken)
        path = library.game(game)
        main = SourceFile(library.display(path), library.read(path))
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None
    laid: list[RuleFile] = []
    chosen = _variants(library, game, variants, laid, diagnostics)
    if chosen is None:
        return None
    folder = path.parent
    taken.append(RuleFile(path.name, main.text, shown=main.name))

    def read(file: str, span: Span) -> SourceFile | None:
        target = folder / file
        if not _inside(target, folder):
            diagnostics.error("not-found", f"{file} lies outside the game's folder", span)
            return None
        try:
            text = library.read(target)
        except LibraryError as error:
            diagnostics.error("not-found", str(error), span)
            return None
        found = SourceFile(library.display(target), text)
        taken.append(RuleFile(file, text, shown=found.name))
        return found

    def noted(find: Beside) -> Beside:
        """Wraps `find` to add the files it finds to `taken`."""

        def beside(name: str) -> SourceFile | None:
            found = find(name)
            if found is not None:
                file = RuleFile(name, found.text, shown=found.name)
                taken.extend([] if file in taken else [file])
            return found

        return beside

    told: list[RuleFile] = []
    translations = _translations(library, path, told, diagnostics)
    opened = open_game(
        main,
        read,
        schema("game"),
        diagnostics,
        [replace(each, beside=noted(each.beside)) for each in chosen],
        schema("variant"),
        translations,
        noted(partial(_beside, library, diagnostics, folder)),
    )
    taken += told + laid
    return opened


def _translations(
    library: Library, rules: Path, taken: list[RuleFile], diagnostics: Diagnostics
) -> tuple[Translation, ...]:
    """Reads the translations beside a rule file."""
    found: list[Translation] = []
    for path in library.translations(rules):
        try:
            file = SourceFile(library.display(path), library.read(path))
        except LibraryError as error:
            diagnostics.error("not-found", str(error), NOWHERE)
            continue
        taken.append(RuleFile(f"{FOLDER}/{path.name}", file.text, shown=file.name))
        found.append(translation_of(file, schema("translation"), diagnostics))
    return tuple(found)


def compiled_with_books(
    opened: Opened, diagnostics: Diagnostics
) -> tuple[ir.Program, ir.Program] | None:
    """Compiles an opened game with and without modules and house rules.

    Both programs are the same if there are none, or if the editions do not compile without them.
    """
    book = opened.laid(diagnostics)
    whole = None if book is None else check.program(book, diagnostics)
    if whole is None:
        return None
    told = Opened(opened.book, tuple(_editions(opened.variants)))
    if told.variants == opened.variants:
        return whole, whole
    own = Diagnostics()
    book = told.laid(own)
    return whole, (None if book is None else check.program(book, own)) or whole


def read_variants(
    game: str, diagnostics: Diagnostics, library: Library | None = None
) -> list[Variant]:
    """Reads all variants of a game, skipping those that cannot be read."""
    library = library or Library()
    found: list[Variant] = []
    for name in library.variants(game):
        try:
            variant = read_named(game, name, diagnostics, library)
        except LibraryError as error:
            diagnostics.error("not-found", str(error), NOWHERE)
            continue
        if variant is not None:
            found.append(variant)
    return found


def read_named(game: str, name: str, diagnostics: Diagnostics, library: Library) -> Variant | None:
    """Reads the variant of a name, without applying it; raises LibraryError."""
    path = library.variant(game, name)
    file = SourceFile(library.display(path), library.read(path))
    entry = library.game(game)
    head = document.load(SourceFile(entry.name, library.read(entry)), Diagnostics())
    language = own_language(head) if isinstance(head, MappingNode) else "en"
    translations = _translations(library, path, [], diagnostics)
    beside = partial(_beside, library, diagnostics, path.parent)
    return read_variant(file, (), schema("variant"), diagnostics, language, translations, beside)


def _editions(variants: Sequence[Variant]) -> Iterator[Variant]:
    """Filters variants to the editions and the modules that are part of them."""
    told = {each.name for each in variants if each.layer == EDITION}
    for _ in variants:
        for each in variants:
            if each.name in told:
                told.update(plain_name(part.value) for part in (*each.includes, *each.needs))
    return (each for each in variants if each.name in told)


def load_ruleset(
    name: str, diagnostics: Diagnostics, library: Library | None = None
) -> Ruleset | None:
    """Loads a ruleset for comparisons, with its rulebook; None if there are errors."""
    from lawspeaker.study.compare.ruleset import compiled_ruleset

    opened = open_name(name, diagnostics, library)
    return (
        None if opened is None else compiled_ruleset(name, opened, schema("variant"), diagnostics)
    )


def load_rulesets(
    names: Sequence[str],
    diagnostics: Diagnostics,
    library: Library | None = None,
    *,
    played: bool = True,
) -> list[Ruleset] | None:
    """Loads several rulesets; None if any of them has errors.

    The files of a game are read once. With `played` false, they are not checked for secrets.
    """
    from lawspeaker.study.compare.ruleset import compiled_ruleset

    library = library or Library()
    books: dict[Path, Opened] = {}
    found: list[Ruleset] = []
    for name in names:
        opened = _opened_again(name, books, diagnostics, library)
        if opened is None:
            continue
        each = compiled_ruleset(name, opened, schema("variant"), diagnostics, played=played)
        if each is not None:
            found.append(each)
    return found if len(found) == len(names) else None


def editions(
    name: str, played: Collection[str] = (), library: Library | None = None
) -> list[Ruleset]:
    """Loads each edition of a game on its own, except those in `played`.

    An edition with errors is left out; `check` reports them.
    """
    library = library or Library()
    game = without_revision(library.split_name(name)[0], library)
    known = (each for each in read_variants(game, Diagnostics(), library) if each.layer == EDITION)
    names = [f"{game}+{each.name}" for each in known if each.name not in played]
    return load_rulesets(names, Diagnostics(), library) or []


def _opened_again(
    name: str, books: dict[Path, Opened], diagnostics: Diagnostics, library: Library
) -> Opened | None:
    """Opens a game, reusing its own files if another ruleset has read them."""
    try:
        game, variants = library.split_name(name)
        if at_revision(game, library) is not None:
            return open_name(name, diagnostics, library)
        path = library.game(game)
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None
    if path not in books:
        opened = open_name(name, diagnostics, library)
        if opened is not None:
            books[path] = opened
        return opened
    chosen = _variants(library, game, variants, [], diagnostics)
    if chosen is None:
        return None
    book = books[path].book
    read = (
        read_variant(
            each.file,
            each.arguments,
            schema("variant"),
            diagnostics,
            book.language,
            each.translations,
            each.beside,
        )
        for each in chosen
    )
    return Opened(book, tuple(each for each in read if each is not None))


def _variants(
    library: Library,
    game: str,
    names: Sequence[str],
    taken: list[RuleFile],
    diagnostics: Diagnostics,
) -> list[VariantFile] | None:
    """Returns the files of the variants and of those they include, without duplicates."""
    chosen: dict[VariantFile, None] = {}
    waiting: list[tuple[str, Span]] = [(name, NOWHERE) for name in names]
    while waiting:
        name, span = waiting.pop(0)
        read: list[RuleFile] = []
        try:
            found = _variant(library, game, name, read, diagnostics)
        except LibraryError as error:
            diagnostics.error("not-found", str(error), span)
            return None
        if found not in chosen:
            chosen[found] = None
            taken += read
            waiting += [(each.value, each.span) for each in included(found.file)]
    return list(chosen)


def _variant(
    library: Library, game: str, name: str, taken: list[RuleFile], diagnostics: Diagnostics
) -> VariantFile:
    """Returns the file of a variant, which may have arguments: `shorter(2)`."""
    found = _ARGUMENTS.match(name)
    arguments: tuple[str, ...] = ()
    if found and library.find_variant(game, name) is None:
        name = found[1]
        arguments = tuple(each.strip() for each in found[2].split(","))
    path = library.variant(game, name)
    file = SourceFile(library.display(path), library.read(path))
    taken.append(RuleFile(path.name, file.text, arguments, file.name))
    called = name if path.name == f"{name}{SUFFIX}" else ""
    translations = _translations(library, path, taken, diagnostics)
    beside = partial(_beside, library, diagnostics, path.parent)
    return VariantFile(file, arguments, called, translations, beside)


def _beside(
    library: Library, diagnostics: Diagnostics, folder: Path, name: str
) -> SourceFile | None:
    """Reads an optional file in a folder, such as the lock of a book or a picture."""
    path = folder / name
    if not _inside(path, folder) or not library.holds(path):
        return None
    try:
        text = library.picture(path) if is_picture(name) else library.read(path)
        return SourceFile(library.display(path), text)
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None


def _inside(target: Path, folder: Path) -> bool:
    try:
        return target.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # invalid name, or a loop of links
        return False


def bundled(name: str, library: Library | None = None) -> tuple[RuleFile, ...]:
    """Returns the texts of all files of a game and its variants, the entry file first."""
    diagnostics = Diagnostics()
    taken: list[RuleFile] = []
    if open_name(name, diagnostics, library, taken) is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return tuple(taken)


def compile_bundle(
    bundle: Sequence[RuleFile], diagnostics: Diagnostics, within: str = ""
) -> ir.Program | None:
    """Compiles a game from texts; `within` is the name of the log that carries them.

    Without a log, texts are shown under the names of the files they were read from.
    """
    opened = open_bundle(bundle, diagnostics, within)
    book = None if opened is None else opened.laid(diagnostics)
    return None if book is None else check.program(book, diagnostics)


def open_bundle(
    bundle: Sequence[RuleFile], diagnostics: Diagnostics, within: str = ""
) -> Opened | None:
    """Reads a game and its variants from texts, without applying the variants."""
    sources = [SourceFile(_shown(each, within), each.text) for each in bundle]
    files = {
        each.name: source
        for source, each in zip(sources, bundle, strict=True)
        if each.given is None
    }

    def read(file: str, span: Span) -> SourceFile | None:
        if file not in files:
            carrier = f" of {within}" if within else ""
            diagnostics.error("not-found", f"there is no {file} among the rules{carrier}", span)
        return files.get(file)

    def translations(rules: RuleFile) -> tuple[Translation, ...]:
        return tuple(
            translation_of(source, schema("translation"), diagnostics)
            for name, source in files.items()
            if is_of(name, rules.name)
        )

    chosen = [
        VariantFile(source, each.given, "", translations(each), files.get)
        for source, each in zip(sources, bundle, strict=True)
        if each.given is not None
    ]
    return open_game(
        sources[0],
        read,
        schema("game"),
        diagnostics,
        chosen,
        schema("variant"),
        translations(bundle[0]),
        files.get,
    )


def _shown(file: RuleFile, within: str) -> str:
    return f"{within}/{file.name}" if within else file.shown or file.name


def game_of(
    log: Log, diagnostics: Diagnostics, library: Library | None = None
) -> tuple[Game, str] | None:
    """Returns the game that a log is to be replayed by, and where its rules come from.

    `installed`: those of that name, unchanged; `bundle`: those the log carries, because the
    installed ones have changed or are missing; `changed`: the installed ones although they have
    changed, because the log carries none. None if there are none; the diagnostics say why.
    """
    from lawspeaker.match.game import Game

    own = Diagnostics()
    taken: list[RuleFile] = []
    program = compile_name(log.rules, own, library, taken)
    if program is not None and program.digest == log.digest:
        return Game(program, log.rules, tuple(taken)), "installed"
    if log.bundle:
        within = log.span.file.name or "the log"
        bundled = compile_bundle(log.bundle, diagnostics, within)
        if bundled is not None and bundled.digest != log.digest:
            message = "the rules in the log are not those it says it was played by"
            diagnostics.error("bad-log", message, log.span, hint="take another copy of the log")
            return None
        return None if bundled is None else (Game(bundled, log.rules, log.bundle), "bundle")
    if program is None:
        diagnostics.extend(own)
        return None
    diagnostics.warning(
        "log-differs",
        f"the rules of {log.rules} have changed since, and the log does not carry those it was "
        "played by",
        log.span,
        hint="it is played by the rules of today, as far as it comes out the same",
    )
    return Game(program, log.rules, tuple(taken)), "changed"


def load(name: str | Path, library: Library | None = None) -> Game:
    """Loads the game of that name, or in that folder or file; raises RulesError with the
    diagnostics.
    """
    from lawspeaker.match.game import Game

    if isinstance(name, Path):  # a Path is never looked up as a name
        name = str((library or Library()).here / name)
    diagnostics = Diagnostics()
    taken: list[RuleFile] = []
    program = compile_name(name, diagnostics, library, taken)
    if program is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return Game(program, name, tuple(taken))


def run_scenarios(
    paths: Iterable[Path | str],
    library: Library | None = None,
    *,
    coverage: bool = False,
    under: str | None = None,
) -> Report:
    """Runs the scenarios in some files, and in all files of some folders.

    The game of a scenario is also searched for around the scenario's file, whatever the current
    folder. `coverage` records which rules they exercise; `under` names other rules to run them
    under.
    """
    from lawspeaker.study.scenario import run_all

    library = library or Library()
    found = scenario_files(paths, library)
    library = replace(library, path=(*library.path, *homes(found, library.here)))
    files: list[SourceFile] = []
    missing = Diagnostics()
    for path in found:
        try:
            files.append(SourceFile(library.display(path), library.read(path)))
        except LibraryError as error:
            missing.error("not-found", str(error), Span(SourceFile(str(path), ""), 0, 0))

    def find_game(name: str, diagnostics: Diagnostics) -> ir.Program | None:
        return compile_name(name, diagnostics, library)

    report = run_all(files, find_game, schema("scenario"), coverage=coverage, under=under)
    return report.with_missing(missing)


def course_of_scenario(
    path: Path, library: Library | None = None
) -> tuple[Scenario, ir.Program, ScenarioRun]:
    """Runs a scenario and returns it with the rules it names; raises RulesError if it does not
    hold.
    """
    from lawspeaker.study.scenario import course_of

    diagnostics = Diagnostics()
    scenario, program = _scenario(path, "", diagnostics, library)
    found = None
    if scenario is not None and program is not None:
        found = course_of(scenario, program, diagnostics)
    if scenario is None or program is None or found is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return scenario, program, found


def where_scenario_ends(path: Path, name: str, library: Library | None = None) -> Match:
    """Returns the match at the end of a scenario under some rules; raises RulesError on failure."""
    from lawspeaker.study.scenario import last_of

    diagnostics = Diagnostics()
    scenario, program = _scenario(path, name, diagnostics, library)
    found = None
    if scenario is not None and program is not None:
        found = last_of(scenario, program, diagnostics)
    if found is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return found


def _scenario(
    path: Path, name: str, diagnostics: Diagnostics, library: Library | None
) -> tuple[Scenario | None, ir.Program | None]:
    """Reads a scenario and the rules of a name, or those that the scenario names."""
    from lawspeaker.study.scenario import read

    library = library or Library()
    library = replace(library, path=(*library.path, *homes([path], library.here)))
    try:
        file = SourceFile(library.display(path), library.read(path))
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None, None
    scenario = read(file, schema("scenario"), diagnostics)
    if scenario is None:
        return None, None
    return scenario, compile_name(name or scenario.game, diagnostics, library)


def homes(paths: Iterable[Path], here: Path) -> tuple[Path, ...]:
    """The folders around these files that hold games or variants, innermost first."""
    homes = (
        folder.parent
        for path in paths
        for folder in (here / path).resolve().parents
        if folder.name == "variants" or (folder / GAME_FILE).is_file()
    )
    return tuple(dict.fromkeys(homes))


def scenario_files(paths: Iterable[Path | str], library: Library | None = None) -> list[Path]:
    """The scenario files among some files, and all in some folders."""
    return list(_scenario_files(paths, (library or Library()).here))


def _scenario_files(paths: Iterable[Path | str], here: Path) -> Iterator[Path]:
    """Expands folders to their YAML files; the folder of a game to those in its `scenarios`."""
    for path in map(Path, paths):
        folder = here / path
        if (folder / GAME_FILE).is_file():
            path, folder = path / SCENARIOS, folder / SCENARIOS
        yield from sorted(folder.rglob("*.yaml")) if folder.is_dir() else [path]
