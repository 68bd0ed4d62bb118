"""Language service: answers an editor's queries about positions in rule files.

`editing` computes the answers; the workspace finds the rules that a file belongs to, and their
other files, variants and scenarios. Meanings and declarations come from the last analysis, with
positions shifted to the current text: so they are immediate, and available while the text is
broken. A rename is refused if the rules would have new errors afterwards.
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
from lawspeaker.outside.workspace import OpenRules, Workspace
from lawspeaker.study.scenario import ScenarioResult, read, run
from lawspeaker.text import document
from lawspeaker.text.document import Node, child, scalars_of
from lawspeaker.text.format import FormatMistake, formatted
from lawspeaker.text.schema import Schema
from lawspeaker.text.spreadsheet import is_spreadsheet

Place = tuple[Path, Span]


@dataclass(frozen=True, slots=True)
class Problems:
    """Diagnostics by file; a file without any has an empty list."""

    found: dict[Path, list[Diagnostic]]


class LanguageService:
    """Answers an editor's queries about the files of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    # ------------------------------------------------------------ looking

    def unit(self, path: Path) -> OpenRules | None:
        return self.workspace.unit(path)

    def look(
        self, path: Path, *, played: bool = False, unless_changed: bool = False
    ) -> Analysis | None:
        """Analyses the rules that a file belongs to, as they are now.

        `played` and `unless_changed` are as for `Workspace.analysis`.
        """
        unit = self.unit(path)
        if unit is None:
            return None
        return self.workspace.analysis(
            unit.name, path, played=played, unless_changed=unless_changed
        )

    def root(self, path: Path) -> Node | None:
        """The syntax tree of a file as it is now."""
        return document.load(self.workspace.source(path), Diagnostics())

    def form(self, path: Path) -> Schema:
        unit = self.unit(path)
        kind = "game" if unit is None else unit.kind
        return schema(kind)

    def occurrences(self, path: Path) -> tuple[Analysis, Occurrences] | None:
        """The occurrences of names in a file, with the analysis they come from."""
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
        """The occurrence at an offset."""
        found = self.occurrences(path)
        named = None if found is None else found[1].at(self.workspace.shown(path), offset)
        return None if found is None or named is None else (found[0], named)

    def known_at(self, path: Path, offset: int) -> tuple[Analysis, Occurrence] | None:
        """The occurrence at an offset, from the last analysis if that can tell."""
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
        """The occurrences in a file. With `at_once` from the last analysis, without what is new
        since.
        """
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
        """The names bound by `let` in a file, with their types; `at_once` as above."""
        last = self._last(path) if at_once else None
        if last is None:
            analysis = self.look(path)
            return [] if analysis is None else list(let_types(analysis, self.workspace.shown(path)))
        known, shift = last
        then = let_types(known, self.workspace.shown(path))
        return [(now, said) for span, said in then if (now := shift.forth(span)) is not None]

    def _last(self, path: Path) -> tuple[Analysis, Shift] | None:
        """The last analysis of a file's rules, with the shift to its current text.

        None for scenarios, which are no part of the rules, and without a usable analysis.
        """
        unit = self.unit(path)
        if unit is None or unit.kind == "scenario":
            return None
        known = self.workspace.last_good(unit.name)
        shift = None if known is None else self._shift(known, path)
        return None if known is None or shift is None else (known, shift)

    def _shift(self, known: Analysis, path: Path) -> Shift | None:
        """Maps positions between the analysed and the current text of a file."""
        then = known.file(self.workspace.shown(path))
        return None if then is None else Shift(then, self.workspace.source(path))

    # ------------------------------------------------------------ what is wrong

    def problems(
        self, path: Path, *, played: bool = False, unless_changed: bool = False
    ) -> Problems:
        """Diagnostics of the rules that a file belongs to, by file; options as for `look`."""
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

    def scenario(self, path: Path) -> ScenarioResult:
        """Runs the scenario in a file."""
        file, own = self.workspace.source(path), Diagnostics()
        found = read(file, schema("scenario"), own)
        if found is None:
            return ScenarioResult(file.name, "", "", 0, 0, tuple(own.sorted()))
        analysis = self.look(path, played=True)
        if analysis is None or analysis.program is None:
            missing = Diagnostics()
            missing.error(
                "bad-scenario",
                f"the rules of {found.game} cannot be used",
                found.span("game"),
                hint="mend them first; `lawspeaker check` tells what is wrong with them",
            )
            return ScenarioResult(file.name, found.title, found.game, 0, 0, tuple(missing))
        return run(found, analysis.program)

    def fixes(self, path: Path, told: Diagnostic) -> list[Fix]:
        return list(fixes.fixes(told, self.root(path)))

    def citation(self, path: Path, offset: int) -> Fix | None:
        """Fix that inserts a citation of the first book into the clause at an offset."""
        analysis = self.look(path)
        sources = list(analysis.world.sources) if analysis and analysis.world else []
        return fixes.citation(self.root(path), offset, sources[0]) if sources else None

    def translations(self, path: Path) -> list[tuple[Path, Edit]]:
        """Edits that update all translations of a file's rules, and begin missing ones."""
        unit = self.unit(path)
        return [] if unit is None else self.workspace.translations(unit, path)

    def formatted(self, path: Path) -> Edit | None:
        """Edit that formats a file; None if it cannot be parsed or is formatted already."""
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
            return found[1].span, hovering.symbol_markdown(found[0], found[1].meaning)
        return hovering.of_language(self.workspace.source(path), self.root(path), offset, manual())

    def complete(self, path: Path, offset: int) -> tuple[tuple[int, int], list[completion.Item]]:
        """Completions at an offset, by the last good analysis."""
        unit, file = self.unit(path), self.workspace.source(path)
        known = None if unit is None else self.workspace.last_good(unit.name)
        if unit is not None and known is None:
            known = self.look(path)
        if is_spreadsheet(path.name):
            return (offset, offset), []
        return completion.completions(known, file, offset, self.form(path))

    def definition(self, path: Path, offset: int) -> Place | None:
        for find in (self.known_at, self.at):
            found = find(path, offset)
            if found is None:
                return self._file_named(path, offset)
            place = self._declared(*found)
            if place is not None:
                return place  # the declaration's text is unchanged
        return None

    def _declared(self, analysis: Analysis, named: Occurrence) -> Place | None:
        meaning = named.meaning
        if meaning.sort == "local":
            return self._place(meaning.declared, analysis)
        thing = None if analysis.lexicon is None else analysis.lexicon.find(meaning)
        return None if thing is None else self._place(thing.span, analysis)

    def declaration(self, path: Path, id: str) -> Place | None:
        """The place where a clause, choice or guard is declared, by its id."""
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
        """Translates a span to the current text; `known` is the analysis it comes from."""
        path = self.workspace.path_of(span.file.name) if span.known else None
        if path is None:
            return None
        shift = None if known is None else self._shift(known, path)
        now = span if shift is None else shift.forth(span)
        return None if now is None else (path, now)

    def _file_named(self, path: Path, offset: int) -> Place | None:
        """The file that an entry of `files` names at an offset."""
        root = self.root(path)
        for each in scalars_of(child(root, "files")):
            if each.span.start <= offset <= each.span.end:
                target = self.workspace.listed(path, each.value)
                return None if target is None else (target, Span(SourceFile(each.value, ""), 0, 0))
        return None

    # ------------------------------------------------------------ everywhere

    def everywhere(self, path: Path) -> Iterator[tuple[Lexicon, Occurrences]]:
        """Yields the lexicon and occurrences of a game, its variants and its scenarios."""
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
        """Edits that rename a declared thing; raises CannotRename."""
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
        """Raises CannotRename if the edits introduce errors."""
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
    """Applies edits and returns the new text of each file."""
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
