"""Selective runs: only the test files that a change can affect.

    pytest --package study           a change anywhere in lawspeaker/study
    pytest --package study/compare   a folder or a module of it; several with commas between them
    pytest --since main              all that differs from a revision of git, new files too

A Python module affects the test files that reach it (tests/reach.py). Another file affects the test
files that TABLE names for it. A file that is in neither affects every test file. A test file that
is left out is not even imported. Of the selected test files the tests of the tier run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.reach import ROOT, Reach

PACKAGE = ROOT / "interpreter" / "lawspeaker"
NAMED_IN_REPORT = 3


@dataclass(frozen=True, slots=True)
class Row:
    """Files, and the test files that depend on them. A row with no such test files is right, too.

    There are blanks between patterns. A * stands for anything, slashes too, {0} and {1} for the
    first two parts of the path of the changed file.
    """

    files: str
    tests: str = ""
    """Patterns of test files."""
    readers: str = ""
    """Patterns of the modules that read the files: all test files that reach one of them."""
    words: str = ""
    """All test files with such a word in a string, or that reach a module of tests with one: a
    word, a whole string (in quotes), a part of a path (with a slash), a method that is called, or
    an imported name (with dots)."""

    def matches(self, file: str) -> bool:
        return any(fnmatchcase(file, each) for each in self.files.split())

    def of(self, file: str) -> Row:
        """The row for one of the files."""
        parts = [*file.split("/"), ""]
        return Row("", *(each.format(*parts) for each in (self.tests, self.readers, self.words)))


@dataclass(frozen=True, slots=True)
class Test:
    """A test file, the nodes that it reaches, and the words of each module of tests among them."""

    file: str
    reached: set[str]
    words: list[set[str]]


CHECKOUT = "tests.repo.checkout"
LIBRARY = "lawspeaker.outside.library"
PHRASES = "lawspeaker.base.phrases"

READ_AS_TEXT = (
    Row("*", words=f"{CHECKOUT}.files {CHECKOUT}.python_files"),
    Row("*.py", "tests/repo/test_style.py tests/repo/test_selection.py tests/mutants/test_*.py"),
    Row("interpreter/*.py", words=f"{CHECKOUT}.PACKAGE"),
    Row("interpreter/lawspeaker/machines/*.py", "tests/lower/test_messages.py"),
)
"""Test files that read files as text, Python modules among them."""

TABLE = (
    Row("pyproject.toml", "*"),
    Row("Makefile .ci/*", "tests/repo/test_makefile.py"),
    Row("locks/*", "tests/dependencies/*"),
    Row("LICENSE CHANGELOG.md benchmarks/README.md .editorconfig .git*"),
    Row("CONTRIBUTING.md", "tests/docs/test_modules_named.py tests/docs/test_language.py"),
    Row("README.md docs/*", "tests/docs/*", words='docs/ "README.md"'),
    Row("docs/* CONTRIBUTING.md CHANGELOG.md", "tests/site/*"),
    Row("docs/*.ipynb", "tests/repo/test_style.py"),
    Row(".pre-commit-hooks.yaml docs/workflows/*", "tests/commands/*"),
    Row("docs/language/*", readers="lawspeaker.outside.manual"),
    Row("deploy/*", "tests/web/test_deploying.py"),
    Row("editors/*", "tests/editing/test_vscode.py", words="editors/"),
    # A game is used by its name, which scenarios have in their own files. Some tests, commands and
    # pages go through all games. Each command chooses one as an example, which only its help shows.
    Row("rules/* variants/*", "tests/scenarios/* tests/web/* tests/publish/*"),
    Row("rules/* variants/*", words="{1} {0}/ .games()"),
    Row("rules/* variants/*", words=f'{LIBRARY}.data_folder bench explain publish "--help"'),
    Row("schema/*", readers="lawspeaker.outside.loading:schema", words="schema/"),
    # Resources of the package.
    # Only play.toml has words of all games. The other files are for those who call `phrase`.
    Row("*/base/phrases/*/play.toml", readers=f"{PHRASES}:phrases_of"),
    Row("*/base/phrases/*", "tests/repo/test_tongues.py tests/repo/test_plurals.py"),
    Row("*/base/phrases/*", readers="lawspeaker.telling.* lawspeaker.study.compare.*"),
    Row("*/base/phrases/*", readers="lawspeaker.editing.* lawspeaker.faces.*"),
    Row("*/base/phrases/*", readers="lawspeaker.study.drafting.*"),
    Row("*/base/phrases/*", readers="lawspeaker.match.writing lawspeaker.base.counts"),
    Row("*/base/phrases/*", words=f"{PHRASES}.phrase {PHRASES}.phrases"),
    Row("*/text/parse/grammar.*", readers="lawspeaker.text.parse.language"),
    Row("*/outside/templates/*", readers="lawspeaker.outside.scaffold"),
    Row("*/outside/templates/*", words="templates/"),
    Row("*/faces/render/book/*", readers="lawspeaker.faces.render.book.*"),
    Row("*/faces/render/show/*", readers="lawspeaker.faces.render.show.*"),
    Row("*/faces/render/*.css", readers="lawspeaker.faces.render.page_frame"),
    Row("*/faces/render/*.js", readers="lawspeaker.faces.render.page_frame"),
    Row("*/faces/web/drawing/*", readers="lawspeaker.faces.web.drawing.*"),
    Row("*/faces/*/static/*", readers="lawspeaker.faces.publishing.*"),
    Row("*/faces/web/static/*", readers="lawspeaker.faces.web.app"),
    Row("*/faces/web/static/*", words="static/"),
    Row("*/machines/native/sources/*", readers="lawspeaker.machines.native.*"),
    Row("*/py.typed", "tests/repo/test_library.py"),
    # Golden files and data of the tests.
    Row("tests/*/*", readers="tests.{1}.*", words="{1}/"),
    Row("tests/sources/pairs/*", readers="benchmarks.aligning"),
)
"""Files that are no Python modules. All rows that match a file count."""


@dataclass(frozen=True, slots=True)
class Affected:
    """The test files that changes can affect."""

    files: frozenset[str]
    of: int
    """How many test files there are."""
    changed: Sequence[str]
    everything: Sequence[str]
    """Those of the changed files that affect every test file."""

    def __str__(self) -> str:
        named = self.everything or self.changed
        short = [each.removeprefix("interpreter/lawspeaker/") for each in named[:NAMED_IN_REPORT]]
        more = f" and {len(named) - len(short)} more" if len(named) > len(short) else ""
        return f"selected {len(self.files)} of {self.of} test files: " + (
            f"{', '.join(short)}{more} {'may affect everything' if self.everything else 'changed'}"
            if named
            else "nothing changed"
        )


def affected(changed: Sequence[str], reach: Reach) -> Affected:
    """The test files that changed files can affect."""
    modules = {path(file): name for name, file in reach.files.items()}
    everything = []
    rows = set()
    for file in changed:
        found = [row for row in READ_AS_TEXT if row.matches(file)]
        if file not in modules and not _is_removed_test(file):
            known = [row for row in TABLE if row.matches(file)]
            if not known or any(row.tests == "*" for row in known):
                everything.append(file)
            found += known
        rows |= {row.of(file) for row in found}
    tests = all_tests(reach)
    words = {each for row in rows for each in row.words.split()}
    nodes = {modules[file] for file in changed if file in modules}
    nodes.update(fnmatched(reach.nodes, (row.readers for row in rows)))
    files = {*fnmatched([test.file for test in tests], (row.tests for row in rows))}
    selected = frozenset(
        test.file
        for test in tests
        if everything
        or test.file in files
        or not test.reached.isdisjoint(nodes)
        or any(not each.isdisjoint(words) for each in test.words)
    )
    return Affected(selected, len(tests), changed, everything)


def fnmatched(names: Iterable[str], patterns: Iterable[str]) -> Iterator[str]:
    """The names that match one of the patterns, which have blanks between them."""
    for pattern in {each for some in patterns for each in some.split()}:
        yield from (name for name in names if fnmatchcase(name, pattern))


@cache
def all_tests(reach: Reach) -> list[Test]:
    """All test files, with what the table asks about them."""
    found = []
    for name in reach.tests():
        reached = reach.of(name)
        own = [reach.code[each] for each in reached if each[:6] == "tests." and ":" not in each]
        words = [each for code in own for each in (code.words, code.refers())]
        found.append(Test(path(reach.files[name]), reached, words))
    return found


def path(file: Path) -> str:
    """The path of a file from the root."""
    return file.relative_to(ROOT).as_posix()


def _is_removed_test(file: str) -> bool:
    return fnmatchcase(file, "tests/*/test_*.py") and not (ROOT / file).exists()


def in_package(name: str) -> list[str]:
    """The files of a package, a folder or a module. Raises `UsageError` where there is none."""
    name = name.strip("./ ")
    dotted = name.removesuffix(".py").replace(".", "/")
    for folder in (PACKAGE, PACKAGE.parent, ROOT):
        for place in (folder / name, folder / dotted, folder / f"{dotted}.py") if name else ():
            if place.is_file():
                return [path(place)]
            if place.is_dir():
                files = (each for each in place.rglob("*") if each.is_file())
                return sorted(path(each) for each in files if each.suffix != ".pyc")
    places = [each.relative_to(PACKAGE) for each in PACKAGE.rglob("*")]
    names = {place.with_suffix("").as_posix() for place in places if place.suffix in ("", ".py")}
    raise pytest.UsageError(f"there is no package {name}{_meant(dotted, names)}")


def changed_since(revision: str) -> list[str]:
    """The files that differ from a revision, and new ones. Raises `UsageError` where it is unknown.

    A new file at the very top does not count: notes and logs of the day are put there.
    """
    try:
        _git("rev-parse", "--git-dir")
    except (OSError, subprocess.CalledProcessError):
        raise pytest.UsageError("--since needs git and a checkout") from None
    try:
        _git("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    except subprocess.CalledProcessError:
        names = _git("for-each-ref", "--format=%(refname:short)").split()
        message = f"git knows no revision {revision}{_meant(revision, names)}"
        raise pytest.UsageError(message) from None
    differ = _git("diff", "--name-only", "--no-renames", "--relative", "-z", revision, "--")
    new = _git("ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return sorted({*differ.split("\0"), *(file for file in new if "/" in file)} - {""})


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    return done.stdout


def _meant(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(names), n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


class Selection:
    """A plugin that leaves test files out. Processes that test side by side get the list from the
    one that started them."""

    def __init__(self, files: Iterable[str], report: str) -> None:
        self.files = frozenset(files)
        self.folders = {folder for file in files for folder in (ROOT / file).parents}
        self.report = report

    def pytest_report_header(self) -> str:
        return self.report

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        if collection_path.is_dir():
            left_out = collection_path not in self.folders
        else:
            left_out = path(collection_path) not in self.files
        return left_out or None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["selected"] = sorted(self.files)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self.files and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("selection")
    group.addoption(
        "--package",
        metavar="NAME",
        action="append",
        default=[],
        help="run the test files that a change in a package can affect: study, study/compare, …",
    )
    group.addoption(
        "--since", metavar="REV", help="run the test files that the changes since REV can affect"
    )


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        if "selected" in config.workerinput:
            config.pluginmanager.register(Selection(config.workerinput["selected"], ""))
        return
    names = ",".join(config.getoption("--package")).split(",")
    since = config.getoption("--since")
    if any(names) or since:
        changed = {file for name in names if name for file in in_package(name)}
        changed |= {*changed_since(since)} if since else set()
        try:
            found = affected(sorted(changed), Reach())
        except SyntaxError as error:
            message = f"{error.filename}:{error.lineno}: {error.msg}"
            raise pytest.UsageError(message) from None
        config.pluginmanager.register(Selection(found.files, str(found)))
