"""The language service: questions about places in files, answered for an editor.

`editing` knows what to answer; the workspace finds the rules that a file belongs to, and their
other files, variants and scenarios. What a word means, and where it is declared, is answered by the
last look at the rules, moved to where the word stands now: so that comes at once, and while the
text is broken, too. A name is changed only if the rules are afterwards what they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing import completion, fixes, hovering, renaming
from lawspeaker.editing.analysis import Analysis
from lawspeaker.editing.fixes import Edit, Fix
from lawspeaker.editing.hints import let_types
from lawspeaker.editing.lexicon import Lexicon
from lawspeaker.editing.occurrences import DONE, Occurrence, Occurrences, in_scenario
from lawspeaker.editing.renaming import CannotRename
from lawspeaker.editing.shifting import Shift
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.outside.loading import schema
from lawspeaker.outside.manual import manual
from lawspeaker.outside.workspace import Unit, Workspace
from lawspeaker.study.scenario import Outcome, read, run
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence
from lawspeaker.text.format import FormatMistake, formatted
from lawspeaker.text.schema import Schema

Place = tuple[Path, Span]


@dataclass(frozen=True, slots=True)
class Problems:
    """What is wrong in some files, by their paths; a file in which nothing is has none."""

    found: dict[Path, list[Diagnostic]]


class LanguageService:
    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    # ------------------------------------------------------------ looking

    def unit(self, path: Path) -> Unit | None:
        return self.workspace.unit(path)

    def look(
        self, path: Path, *, played: bool = False, unless_changed: bool = False
    ) -> Analysis | None:
        """The rules that a file belongs to, as they are now. `played` and `unless_changed` are as
        for `Workspace.analysis`."""
        unit = self.unit(path)
        if unit is None:
            return None
        return self.workspace.analysis(
            unit.name, path, played=played, unless_changed=unless_changed
        )

    def root(self, path: Path) -> Node | None:
        """The tree of a file as it is now."""
        return document.load(self.workspace.source(path), Diagnostics())

    def form(self, path: Path) -> Schema:
        unit = self.unit(path)
        kind = "game" if unit is None else unit.kind
        return schema(kind)

    def occurrences(self, path: Path) -> tuple[Analysis, Occurrences] | None:
        """Where things are named in a file, and the rules that say so."""
        unit, analysis = self.unit(path), self.look(path)
        if unit is None or analysis is None:
            return None
        if unit.kind != "scenario":
            return analysis, analysis.occurrences
        root = self.root(path)
        if analysis.lexicon is None or root is None:
            return None
        return analysis, in_scenario(analysis.lexicon, root)

    def at(self, path: Path, offset: int) -> tuple[Analysis, Occurrence] | None:
        """What is named at a place."""
        found = self.occurrences(path)
        named = None if found is None else found[1].at(self.workspace.shown(path), offset)
        return None if found is None or named is None else (found[0], named)

    def known_at(self, path: Path, offset: int) -> tuple[Analysis, Occurrence] | None:
        """What is named at a place, by the last look at the rules wherever that can say it."""
        last = self._last(path)
        if last is not None:
            known, shift = last
            then = shift.back(offset)
            if then is not None:
                named = known.occurrences.at(self.workspace.shown(path), then)
                now = None if named is None else shift.forth(named.span)
                if named is None:
                    return None
                if now is not None:
                    return known, replace(named, span=now)
        return self.at(path, offset)

    def named_in(self, path: Path, *, at_once: bool = False) -> list[Occurrence]:
        """What a file names. Who wants it `at_once` is told by the last look at the rules: what is
        new since then is not among it."""
        last = self._last(path) if at_once else None
        if last is None:
            found = self.occurrences(path)
            return [] if found is None else found[1].in_file(self.workspace.shown(path))
        known, shift = last
        then = known.occurrences.in_file(self.workspace.shown(path))
        return [
            replace(each, span=now) for each in then if (now := shift.forth(each.span)) is not None
        ]

    def let_types(self, path: Path, *, at_once: bool = False) -> list[tuple[Span, str]]:
        """The names that a file gives with `let`, and what they are; `at_once` as above."""
        last = self._last(path) if at_once else None
        if last is None:
            analysis = self.look(path)
            return [] if analysis is None else list(let_types(analysis, self.workspace.shown(path)))
        known, shift = last
        then = let_types(known, self.workspace.shown(path))
        return [(now, said) for span, said in then if (now := shift.forth(span)) is not None]

    def _last(self, path: Path) -> tuple[Analysis, Shift] | None:
        """The last look at the rules of a file, and how that has changed since. None where a
        question is answered otherwise: scenarios are no part of the rules."""
        unit = self.unit(path)
        if unit is None or unit.kind == "scenario":
            return None
        known = self.workspace.last_good(unit.name)
        shift = None if known is None else self._shift(known, path)
        return None if known is None or shift is None else (known, shift)

    def _shift(self, known: Analysis, path: Path) -> Shift | None:
        """The way from a file as it was looked at to what it is now."""
        then = known.file(self.workspace.shown(path))
        return None if then is None else Shift(then, self.workspace.source(path))

    # ------------------------------------------------------------ what is wrong

    def problems(
        self, path: Path, *, played: bool = False, unless_changed: bool = False
    ) -> Problems:
        """What is wrong with the rules that a file belongs to, file by file; as for `look`."""
        unit = self.unit(path)
        analysis = self.look(path, played=played, unless_changed=unless_changed)
        if unit is None or analysis is None:
            return Problems({path.resolve(): []})
        told = list(analysis.diagnostics.sorted())
        found: dict[Path, list[Diagnostic]] = {path.resolve(): []}
        if unit.kind == "scenario":
            told = list(self.scenario(path).diagnostics)
        else:
            for file in analysis.files:
                where = self.workspace.path_of(file.name)
                if where is not None:
                    found[where] = []
        for each in told:
            where = self.workspace.path_of(each.span.file.name) if each.span.known else None
            found.setdefault(where or path.resolve(), []).append(each)
        return Problems(found)

    def scenario(self, path: Path) -> Outcome:
        """Runs the scenario in a file."""
        file, own = self.workspace.source(path), Diagnostics()
        found = read(file, schema("scenario"), own)
        if found is None:
            return Outcome(file.name, "", "", 0, 0, tuple(own.sorted()))
        analysis = self.look(path, played=True)
        if analysis is None or analysis.program is None:
            missing = Diagnostics()
            missing.error(
                "bad-scenario",
                f"the rules of {found.game} cannot be used",
                found.span("game"),
                hint="mend them first; `lawspeaker check` tells what is wrong with them",
            )
            return Outcome(file.name, found.title, found.game, 0, 0, tuple(missing))
        return run(found, analysis.program)

    def fixes(self, path: Path, told: Diagnostic) -> list[Fix]:
        return list(fixes.fixes(told, self.root(path)))

    def citation(self, path: Path, offset: int) -> Fix | None:
        """A place for a citation in the clause at a place, of the first book there is."""
        analysis = self.look(path)
        sources = list(analysis.world.sources) if analysis and analysis.world else []
        return fixes.citation(self.root(path), offset, sources[0]) if sources else None

    def translations(self, path: Path) -> list[tuple[Path, Edit]]:
        """All translations of the rules that a file belongs to, brought up to date; one that has no
        file yet is begun."""
        unit = self.unit(path)
        return [] if unit is None else self.workspace.translations(unit, path)

    def formatted(self, path: Path) -> Edit | None:
        """A file in canonical layout; None if it cannot be read, or is in order."""
        file = self.workspace.source(path)
        try:
            text = formatted(file, Diagnostics())
        except FormatMistake:
            return None
        return Edit(Span(file, 0, len(file.text)), text) if text not in (None, file.text) else None

    # ------------------------------------------------------------ what there is

    def hover(self, path: Path, offset: int) -> tuple[Span, str] | None:
        found = self.known_at(path, offset)
        if found is not None:
            return found[1].span, hovering.told_of(found[0], found[1].meaning)
        return hovering.of_language(self.workspace.source(path), self.root(path), offset, manual())

    def complete(self, path: Path, offset: int) -> tuple[tuple[int, int], list[completion.Item]]:
        """What could be written at a place, by the rules as they last could be read."""
        unit, file = self.unit(path), self.workspace.source(path)
        known = None if unit is None else self.workspace.last_good(unit.name)
        if unit is not None and known is None:
            known = self.look(path)
        return completion.completions(known, file, offset, self.form(path))

    def definition(self, path: Path, offset: int) -> Place | None:
        for find in (self.known_at, self.at):
            found = find(path, offset)
            if found is None:
                return self._file_named(path, offset)
            place = self._declared(*found)
            if place is not None:
                return place  # where it was declared then, nobody has typed since
        return None

    def _declared(self, analysis: Analysis, named: Occurrence) -> Place | None:
        meaning = named.meaning
        if meaning.sort == "local":
            return self._place(meaning.declared, analysis)
        thing = None if analysis.lexicon is None else analysis.lexicon.find(meaning)
        return None if thing is None else self._place(thing.span, analysis)

    def declaration(self, path: Path, id: str) -> Place | None:
        """Where a clause, a choice or a guard of a clause stands, by its name."""
        unit = self.unit(path)
        known = None if unit is None else self.workspace.last_good(unit.name)
        known = known or self.look(path)
        lexicon = None if known is None else known.lexicon
        if lexicon is None:
            return None
        clause, _, guard = id.rpartition(".")
        thing = lexicon.called(id, *DONE) or lexicon.find(Meaning("guard", guard, clause))
        return None if thing is None else self._place(thing.span, known)

    def _place(self, span: Span, known: Analysis | None = None) -> Place | None:
        """Where a place is, as files are now; `known` is the look at the rules that has it."""
        path = self.workspace.path_of(span.file.name) if span.known else None
        if path is None:
            return None
        shift = None if known is None else self._shift(known, path)
        now = span if shift is None else shift.forth(span)
        return None if now is None else (path, now)

    def _file_named(self, path: Path, offset: int) -> Place | None:
        """The file that the entry file of a game names at a place."""
        root = self.root(path)
        files = root.get("files") if isinstance(root, Mapping) else None
        for each in files.items if isinstance(files, Sequence) else ():
            if isinstance(each, Scalar) and each.span.start <= offset <= each.span.end:
                target = self.workspace.listed(path, each.value)
                return None if target is None else (target, Span(SourceFile(each.value, ""), 0, 0))
        return None

    # ------------------------------------------------------------ everywhere

    def everywhere(self, path: Path) -> Iterator[tuple[Lexicon, Occurrences]]:
        """Where things are named in a game, its variants and its scenarios."""
        unit = self.unit(path)
        if unit is None:
            return
        for name in self.workspace.units(unit, path):
            analysis = self.workspace.analysis(name, path)
            if analysis.lexicon is not None:
                yield analysis.lexicon, analysis.occurrences
        for where, root in self.workspace.scenarios(unit.game, path):
            rules = self.look(where)
            if rules is not None and rules.lexicon is not None:
                yield rules.lexicon, in_scenario(rules.lexicon, root)

    def references(self, path: Path, offset: int) -> list[Place]:
        found = self.at(path, offset)
        if found is None:
            return []
        spans: dict[tuple[str, int], Span] = {}
        for _, occurrences in self.everywhere(path):
            for each in occurrences.of(found[1].meaning):
                spans.setdefault((each.span.file.name, each.span.start), each.span)
        return [place for span in spans.values() if (place := self._place(span)) is not None]

    def rename(self, path: Path, offset: int, new: str) -> list[tuple[Path, Edit]]:
        """The changes that give a thing another name; raises CannotRename."""
        found = self.at(path, offset)
        if found is None or not renaming.can_be_renamed(found[1]):
            raise CannotRename("nothing that the rules have named stands here")
        analysis, named = found
        assert analysis.lexicon is not None
        renaming.check_name(named.meaning, new, analysis.lexicon)
        around = [occurrences for _, occurrences in self.everywhere(path)]
        edits = renaming.renamed(named.meaning, new, analysis.lexicon, around)
        placed = [
            (where, each)
            for each in edits
            if (where := self.workspace.path_of(each.span.file.name)) is not None
        ]
        self._stays_sound(path, placed, named.meaning)
        return placed

    def _stays_sound(self, path: Path, edits: list[tuple[Path, Edit]], meaning: Meaning) -> None:
        """Raises CannotRename if something would be wrong afterwards that is not wrong now."""
        after = self.workspace.changed(edited(edits))
        unit = self.unit(path)
        assert unit is not None
        inside = meaning.sort == "local"
        for name in [unit.name] if inside else self.workspace.units(unit, path):
            before = self.workspace.analysis(name, path).diagnostics
            now = after.analysis(name, path).diagnostics
            if now.has_errors and not before.has_errors:
                wrong = next(each for each in now.sorted() if each.severity == "error")
                raise CannotRename(f"then {wrong.span} would be wrong: {wrong.message}")


def edited(edits: Iterable[tuple[Path, Edit]]) -> dict[Path, str]:
    """The texts of files after some changes."""
    by_file: dict[Path, list[Edit]] = {}
    for path, edit in edits:
        by_file.setdefault(path, []).append(edit)
    texts: dict[Path, str] = {}
    for path, some in by_file.items():
        text = some[0].span.file.text
        for each in sorted(some, key=lambda one: one.span.start, reverse=True):
            text = text[: each.span.start] + each.text + text[each.span.end :]
        texts[path] = text
    return texts
