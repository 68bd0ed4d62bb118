"""`lawspeaker sources`: checks the rules against the books they cite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli.common import as_json, complain, fail, for_authors, say, show_diagnostics
from lawspeaker.faces.cli.options import AsJson
from lawspeaker.faces.render import source_check as shown
from lawspeaker.faces.render.matrix import BookColumn, matrix_json, matrix_text
from lawspeaker.ir.walk import guards_of
from lawspeaker.meaning.compile import Opened
from lawspeaker.meaning.overlay.citations import in_full
from lawspeaker.outside.books import SourceBook, books, citing, lock_up
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.loading import compiled_with_books, open_name, read_variants, schema
from lawspeaker.outside.storage import NotSaved
from lawspeaker.study.compare.ruleset import compiled_ruleset
from lawspeaker.study.sources.changes import cited_by
from lawspeaker.study.sources.coverage import (
    CoverageResult,
    Reference,
    check_coverage,
    cited_in,
    references,
)
from lawspeaker.study.sources.marking import BadMark, Marking
from lawspeaker.study.sources.readings import Reading, Review, readings, review
from lawspeaker.study.sources.second_reading import SecondReading, second_reading
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.lock import READER
from lawspeaker.text.books.outline import Text


def sources(
    names: Annotated[list[str], typer.Argument(help="Games, with the editions to look at.")],
    texts: Annotated[
        Path | None, typer.Option("--texts", help="The folder with the books' texts.")
    ] = None,
    only: Annotated[str, typer.Option("--source", help="Look at this source alone.")] = "",
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Name the sentences without a rule, to be marked.")
    ] = False,
    mark: Annotated[
        list[str] | None,
        typer.Option("--mark", help="Say of a sentence what it is: 'Foreword § 1-3 = flavour'."),
    ] = None,
    marks: Annotated[
        Path | None, typer.Option("--marks", help="A file of such marks, one a line.")
    ] = None,
    reader: Annotated[
        str, typer.Option("--reader", help="Who marks after the first reader: a short name.")
    ] = "",
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Show what each book says of every point.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Write the locks of the books, with all marks.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Hold the rules against the books they cite.

    A source that names a `file:` is looked up in the folder of texts. Every section that is cited
    must be a heading there, and every sentence one that stands under it. Every sentence must be
    cited, or be marked as no rule. A thing that a rule is about must be called there as the rules
    call it. Of every rule it must be said what the book does about it, if only that it is silent;
    with --matrix all of that is shown, for several editions side by side. Without texts the locks
    of the books tell what they know.

    With --reader the marks are those of somebody who reads the book after the first: they are
    stored beside the others, and where they disagree is told.

    With --write the lock of each book is written, books/SOURCE.lock beside the game or variant that
    declares it; where sentences have moved, the numbers in citations follow.

    Example: lawspeaker sources GAME --texts books

    Exit code 0: all is in order. 1: something does not hold or is left open. 2: wrong call.
    """
    lines = [*(mark or ()), *_lines(marks)]
    if write and texts is None:
        fail("a lock is written from the text of its book: name the folder with --texts", 2)
    if lines and not write:
        fail("marks go into the lock of a book: add --write", 2)
    if reader and not READER.fullmatch(reader):
        fail(
            f"{reader!r} is no name of a reader: small letters, digits and _, as in --reader kb", 2
        )
    if reader and not lines:
        fail("--reader says whose marks these are: give them with --mark or --marks", 2)
    found: list[tuple[str, CoverageResult, Review | None, SecondReading]] = []
    columns: list[BookColumn] = []
    failed = False
    for name in names:
        try:
            game = _Told.of(name, only)
            if write and texts is not None:
                game.write(texts, lines, reader)
                game = _Told.of(name, only)
            held = game.held(texts)
            reviews = {each.source: game.review(each.source) for each in held}
            seconds = {each.source: game.second(each) for each in held}
        except (LibraryError, NotSaved) as error:
            complain(str(error))
            failed = True
            continue
        columns += game.columns()
        found += [(name, each, reviews[each.source], seconds[each.source]) for each in held]
        failed = failed or game.failed or not all(each.sound for each in held)
        failed = failed or any(each.faults for each in reviews.values() if each is not None)
    if matrix:
        say(as_json(matrix_json(columns)) if json else matrix_text(columns))
    elif json:
        told_all = (
            {"game": name, **shown.to_json(each, reviewed, second)}
            for name, each, reviewed, second in found
        )
        say(as_json(list(told_all)))
    else:
        for name, each, reviewed, second in found:
            if len(names) > 1:
                say(f"# {name}:" if suggest else f"{name}:")
            if suggest:
                say(shown.suggestion(each, reviewed))
            else:
                say(shown.text(each, texts is not None, reviewed, second))
    if failed:
        raise typer.Exit(1)


def _lines(marks: Path | None) -> list[str]:
    if marks is None:
        return []
    try:
        return Library().read(marks).splitlines()
    except LibraryError as error:
        fail(str(error), 2)


@dataclass(slots=True)
class _Told:
    """A compiled game with its books; `failed` is set once something could not be read."""

    name: str
    library: Library
    opened: Opened
    program: ir.Program
    by_the_books: ir.Program
    books: list[SourceBook]
    others: list[Reference]
    own: tuple[str, ...]
    points: Mapping[str, Reading]
    failed: bool

    @classmethod
    def of(cls, name: str, only: str) -> _Told:
        """Compiles a game; prints the errors and exits if it is invalid. Raises LibraryError."""
        library = Library()
        problems = Diagnostics()
        opened = open_name(name, problems, library)
        both = None if opened is None else compiled_with_books(opened, problems)
        if opened is None or both is None:
            show_diagnostics(problems.sorted())
            raise typer.Exit(1)
        unread = Diagnostics()
        variants = read_variants(library.split_name(name)[0], unread, library)
        others = [one for each in in_full(variants, opened.book, unread) for one in cited_by(each)]
        found = [
            each for each in books(name, opened, library, unread) if not only or each.id == only
        ]
        unread.extend(each for each in problems if each.code == "bad-lock")
        unread = for_authors(unread)
        if len(unread):
            show_diagnostics(unread.sorted())
        if not found:
            named = f" as {only}" if only else ""
            complain(f"{name} cites no book whose text has a file{named}")
        failed = unread.has_errors or not found
        ruleset = compiled_ruleset(name, opened, schema("variant"), Diagnostics())
        own = () if ruleset is None else ruleset.own
        points = {} if ruleset is None else readings(ruleset)
        return cls(name, library, opened, *both, found, others, own, points, failed)

    def review(self, source: str) -> Review | None:
        """Returns the review of a book, if the edition follows it."""
        marks = next(each.marks for each in self.books if each.id == source)
        elsewhere = {each.id for each in self.others}
        return review(self.points, marks, elsewhere) if source in self.own else None

    def second(self, held: CoverageResult) -> SecondReading:
        """Returns the marks of further readers of a book."""
        marks = next(each.marks for each in self.books if each.id == held.source)
        about = (*references(self.program), *self.others)
        points = self.points if held.source in self.own else {}
        return second_reading(held.source, held.text, marks, about, points)

    def columns(self) -> list[BookColumn]:
        return [
            BookColumn(each.id, self.points, each.marks, each.lock)
            for each in self.books
            if each.id in self.own
        ]

    def text(self, book: SourceBook, texts: Path | None) -> Text | None:
        """Returns the text of a book, or what its lock stores of it; None if there is neither."""
        if texts is not None:
            return split(SourceFile(book.file, self.library.read(texts / book.file)))
        if book.lock is None:
            complain(f"{book.id} has no lock yet: name the folder of its text with --texts")
        return None if book.lock is None else book.lock.text

    def held(self, texts: Path | None) -> list[CoverageResult]:
        found: list[CoverageResult] = []
        for book in self.books:
            if book.lock is not None and book.lock.damaged:
                continue  # a damaged lock, reported earlier, makes its citations meaningless
            try:
                text = self.text(book, texts)
            except LibraryError as error:
                complain(f"{book.id}: {error}")
                text = None
            if text is None:
                self.failed = True
                continue
            found.append(
                check_coverage(
                    self.program,
                    book.id,
                    text,
                    book.marks,
                    self.by_the_books,
                    self.others,
                    book.lock,
                    book.id in self.own,
                )
            )
        return found

    def write(self, texts: Path, lines: list[str], reader: str = "") -> None:
        """Writes the locks, with marks of the first reader or another; raises LibraryError and
        NotSaved."""
        if lines and len(self.books) > 1:
            names = ", ".join(each.id for each in self.books)
            fail(f"say which book is marked with --source: {names}", 2)
        rules = {clause.id for clause in self.program.clauses} | guards_of(self.program).keys()
        rules |= {f"pieces.{piece.name}" for piece in self.program.pieces}
        files = citing(self.name, self.opened, self.library)
        for book in self.books:
            if not self.library.holds(texts / book.file):
                continue  # a missing text is reported when the rules are checked against it
            text = self.text(book, texts)
            assert text is not None
            marks = book.marks
            about = (*references(self.program), *self.others)
            cited = cited_in(text, book.id, about, marks)
            points = self.points if book.id in self.own else {}
            marking = Marking(text, book.variant, rules, cited, points)
            bad: list[str] = []
            for line in lines:
                try:
                    if reader:
                        marks = marking.marked_by(reader, marks, line)
                    else:
                        marks = marking.marked(marks, line)
                except BadMark as error:
                    bad.append(str(error))
            if bad:
                fail("\n".join(bad), 2)
            for line in lock_up(book, text, marks, files, self.library):
                say(line)
