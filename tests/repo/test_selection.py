"""Selective runs leave out no test that a change can affect.

The graph is compared with the modules that tests load when they run, and the table with the files
of the checkout.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from lawspeaker.base.phrases import WORDS
from tests import selection
from tests.reach import DYNAMIC, RUNNING, Reach, read_code
from tests.repo.checkout import PACKAGE, ROOT, files
from tests.repo.checkout import text_of as read_file
from tests.selection import (
    READ_AS_TEXT,
    TABLE,
    Affected,
    Row,
    Selection,
    affected,
    all_tests,
    changed_since,
    fnmatched,
    in_package,
)
from tests.tiers import pick, sample

PHRASES = "*/base/phrases/*"
pytestmark = [pytest.mark.full, pytest.mark.xdist_group("selection")]

ON_PURPOSE = ["pyproject.toml"]
"""Files that affect every test file."""


@cache
def reach() -> Reach:
    return Reach()


def selected(*changed: str) -> Affected:
    return affected(changed, reach())


# ---------------------------------------------------------------- the graph against what is loaded

RECORDED = """
    log/test_replay_command commands/test_new compare/test_commands docs/test_readme lab/test_render
    match/test_faults native/test_call_graph players/test_bots publish/test_replay_page
    repo/test_startup show/test_show secrets/test_lines terminal/test_terminal
    translation/test_docs editing/test_service web/test_home web/test_resuming web/test_sandbox
"""
RECORDER = """
import os, sys

def note(event, details):
    if event == "import" and details[0].startswith(("lawspeaker", "tests.")):
        with open(os.environ["LOADED"], "a") as file:
            file.write(details[0] + "\\n")

sys.addaudithook(note)
"""


@pytest.mark.parametrize("name", sample(RECORDED.split(), full=18))
def test_a_test_loads_only_modules_that_it_reaches(name: str, tmp_path: Path) -> None:
    """In its own process, and in all processes that it starts."""
    file = f"tests/{name}.py"
    (tmp_path / "sitecustomize.py").write_text(RECORDER, encoding="utf-8")
    paths = (tmp_path, ROOT / "interpreter", ROOT)
    loaded = tmp_path / "loaded"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", file],
        cwd=ROOT,
        env={
            **os.environ,
            "LOADED": str(loaded),
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "LAWSPEAKER_TIER": pick("test", "test", "nightly"),
        },
        capture_output=True,
        check=True,
    )
    found = reach().code.keys() & loaded.read_text(encoding="utf-8").split()
    assert "lawspeaker" in found
    assert sorted(found - reach().of(f"tests.{name.replace('/', '.')}")) == []


# ---------------------------------------------------------------- rules of the graph


def test_an_import_in_a_function_counts_where_the_function_is_used(tmp_path: Path) -> None:
    written = {
        "interpreter/lawspeaker/__init__.py": "",
        "interpreter/lawspeaker/one.py": "def early(): ...\n\ndef late():\n"
        "    from lawspeaker import two\n\ndef caller():\n    late()\n",
        "interpreter/lawspeaker/two.py": "",
        "tests/a/test_early.py": "from lawspeaker.one import early\n",
        "tests/a/test_late.py": "from lawspeaker.one import late\n",
        "tests/a/test_caller.py": "from lawspeaker import one\none.caller()\n",
        "tests/a/test_handed.py": "from lawspeaker import one\nprint(one)\n",
    }
    for name, text in written.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    graph = Reach({"lawspeaker": tmp_path / "interpreter", "tests": tmp_path}, tmp_path / "kept")
    assert all("lawspeaker.one" in graph.of(test) for test in graph.tests())
    two = [test.rpartition("_")[2] for test in graph.tests() if "lawspeaker.two" in graph.of(test)]
    assert two == ["caller", "handed", "late"]


@pytest.mark.parametrize(
    "text, name",
    [
        ("import lawspeaker.study.lab", "lawspeaker.study.lab"),
        ("from . import games", "tests.lab.games"),
        ("from ..match import playing", "tests.match.playing"),
        ("@fixture\ndef given():\n    from lawspeaker import ir", "lawspeaker.ir"),
        ("class A:\n    def b(self):\n        from lawspeaker import ir", "lawspeaker.ir"),
        ("run('lawspeaker.faces.lsp.server')", "lawspeaker.faces.lsp.server"),
        ("S = 'import sys\\nfrom lawspeaker.match import view, game'", "lawspeaker.match.game"),
        ("run(['python', '-m', 'lawspeaker', *words])", "lawspeaker.__main__"),
        ("run(['python', '-m', 'lawspeaker', 'serve'])", "lawspeaker.faces.cli.serve.*"),
        ("run('python -m lawspeaker play')", "lawspeaker.__main__"),
    ],
)
def test_a_reference_is_seen(text: str, name: str) -> None:
    assert name in read_code("tests.lab.test_it", text, "tests.lab").top


@pytest.mark.parametrize(
    "text",
    [
        '"""See lawspeaker.ir."""',
        "if TYPE_CHECKING:\n    from lawspeaker import ir",
        "from lawspeakers import ir",
        "def __getattr__(name):\n    from lawspeaker import ir",
    ],
)
def test_what_is_not_loaded_is_no_reference(text: str) -> None:
    assert not [
        each for each in read_code("tests.lab.test_it", text, "tests.lab").top if "ir" in each
    ]


def test_a_package_hands_names_on() -> None:
    """With `lawspeaker.load` comes the module that it stands in, and not with another name."""
    assert "lawspeaker.outside.loading" in reach().of("tests.undo.test_undo")
    assert "lawspeaker.outside.loading" not in reach().of("tests.base.test_source")


def test_only_the_program_itself_calls_commands() -> None:
    """Which commands a test calls is seen in its strings, so nobody else may call one by name but
    those in `DYNAMIC`."""
    found = {
        name
        for name, code in reach().code.items()
        if name.startswith("lawspeaker") and name not in DYNAMIC and RUNNING & code.refers()
    }
    assert found == {"lawspeaker.__main__"}


def test_the_modules_of_dynamic_imports_are_there() -> None:
    for module, patterns in DYNAMIC.items():
        assert module in reach().code
        for pattern in patterns.split():
            assert any(fnmatched(reach().code, [pattern])), pattern


def test_kept_code_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    file = tmp_path / "tests" / "test_it.py"
    kept = tmp_path / "kept"

    def refers() -> set[str]:
        return Reach({"tests": tmp_path}, kept).code["tests.test_it"].top

    file.write_text("from lawspeaker import ir", encoding="utf-8")
    kept.write_bytes(b"damaged")
    assert refers() == refers() == {"lawspeaker.ir"}
    file.write_text("from lawspeaker import text", encoding="utf-8")
    assert refers() == {"lawspeaker.text"}


# ---------------------------------------------------------------- the table against the checkout


def test_every_file_is_known() -> None:
    changed = [file.as_posix() for file in files()]
    assert list(selected(*changed).everything) == ON_PURPOSE
    assert len(selected(*ON_PURPOSE).files) == len(reach().tests())
    assert selected("nowhere/new.txt").everything == ["nowhere/new.txt"]


@pytest.mark.parametrize("row", [*READ_AS_TEXT, *TABLE], ids=lambda row: row.files)
def test_a_row_names_what_is_there(row: Row) -> None:
    tracked = [file.as_posix() for file in files()]
    tests = all_tests(reach())
    for pattern in row.files.split():
        found = [*fnmatched(tracked, [pattern])]
        assert found, pattern
        asked = row.of(found[0])
        for each in asked.tests.split():
            assert any(fnmatched([test.file for test in tests], [each])), each
        for each in asked.readers.split():
            assert any(fnmatched(reach().nodes, [each])), each
        for each in asked.words.split():
            assert any(each in words for test in tests for words in test.words), each


def test_phrases_are_used_where_the_table_says() -> None:
    play = PACKAGE / "base" / "phrases" / "en" / "play.toml"
    assert set(WORDS) <= set(tomllib.loads(play.read_text(encoding="utf-8"))["word"])
    known = {*fnmatched(reach().code, (row.readers for row in TABLE if row.files == PHRASES))}
    using = {
        name
        for name, code in reach().code.items()
        if name.startswith("lawspeaker.") and "lawspeaker.base.phrases.phrase" in code.refers()
    }
    assert using
    assert using <= known


# ---------------------------------------------------------------- what a change selects


@pytest.mark.parametrize("module", ["base.source", "text.document", "match.match", "study.compare"])
def test_a_module_selects_all_that_import_it(module: str) -> None:
    file = reach().files[f"lawspeaker.{module}"]
    found = selected(selection.path(file)).files
    importing = [
        test.as_posix()
        for test in files()
        if test.match("tests/**/test_*.py")
        and f"from lawspeaker.{module} import" in (read_file(test) or "")
    ]
    assert importing
    assert set(importing) <= found


def test_a_change_at_the_edge_selects_little() -> None:
    found = selected("interpreter/lawspeaker/faces/lsp/server.py").files
    assert "tests/editing/test_neovim.py" in found
    assert "tests/repo/test_style.py" in found
    assert len(found) < len(reach().tests()) / 5


@pytest.mark.parametrize(
    "changed, test",
    [
        ("tests/conftest.py", "tests/base/test_source.py"),
        ("tests/web/conftest.py", "tests/web/browser/test_home.py"),
        ("tests/language/games.py", "tests/language/test_bad.py"),
        ("tests/language/good/telling.yaml", "tests/match/test_telling.py"),
        ("tests/scenarios/hex/new.yaml", "tests/format/test_files.py"),
        ("rules/hex/game.yaml", "tests/playthroughs/test_playthroughs.py"),
        ("rules/hex/game.yaml", "tests/scenarios/test_scenarios.py"),
        ("rules/new_game/game.yaml", "tests/repo/test_tongues.py"),
        ("docs/comparing.md", "tests/compare/test_docs.py"),
        ("docs/language/guards.md", "tests/web/test_workshop.py"),
        ("docs/language/guards.md", "tests/properties/test_examples.py"),
        ("schema/game.schema.json", "tests/language/test_bad.py"),
        ("interpreter/lawspeaker/text/parse/grammar.lark", "tests/language/test_tables.py"),
        ("interpreter/lawspeaker/faces/web/static/css/table.css", "tests/book/test_book.py"),
        ("interpreter/lawspeaker/faces/cli/lsp.py", "tests/editing/test_neovim.py"),
        ("interpreter/lawspeaker/faces/cli/play.py", "tests/terminal/test_terminal.py"),
    ],
)
def test_a_change_selects_a_test(changed: str, test: str) -> None:
    assert test in selected(changed).files


def test_a_removed_test_affects_no_other_and_a_removed_module_all() -> None:
    assert not selected("tests/web/test_that_was_here.py").everything
    assert selected("interpreter/lawspeaker/that_was_here.py").everything


def test_the_report_names_what_changed() -> None:
    found = Affected(frozenset({"a"}), 9, ["interpreter/lawspeaker/ir/program.py", *"bcd"], [])
    assert str(found) == "selected 1 of 9 test files: ir/program.py, b, c and 1 more changed"
    found = Affected(frozenset({"a"}), 1, ["x", "y"], ["y"])
    assert str(found) == "selected 1 of 1 test files: y may affect everything"
    found = Affected(frozenset(), 1, [], [])
    assert str(found) == "selected 0 of 1 test files: nothing changed"


# ---------------------------------------------------------------- packages and revisions


@pytest.mark.parametrize(
    "name", ["study/compare", "study.compare", "lawspeaker.study.compare", "study/compare/"]
)
def test_a_package_is_found_by_its_name(name: str) -> None:
    assert "interpreter/lawspeaker/study/compare/rows.py" in in_package(name)


@pytest.mark.parametrize("name", ["match/perft.py", "match.perft", "match/perft"])
def test_a_module_is_found_by_its_name(name: str) -> None:
    assert in_package(name) == ["interpreter/lawspeaker/match/perft.py"]


def test_a_folder_outside_the_package_is_found_by_its_path() -> None:
    assert "rules/nim/game.yaml" in in_package("rules/nim")


@pytest.mark.parametrize("name, hint", [("studdy", "study"), ("stduy.compare", "study/compare")])
def test_an_unknown_package_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(pytest.UsageError, match=f"no package {name}; did you mean {hint}\\?"):
        in_package(name)
    with pytest.raises(pytest.UsageError, match="no package"):
        in_package(".")


def test_changes_since_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "ROOT", tmp_path)
    with pytest.raises(pytest.UsageError, match="needs git and a checkout"):
        changed_since("first")

    def git(*words: str) -> None:
        who = ("-c", "user.name=any", "-c", "user.email=any")
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    for name in ("changed", "committed", "removed", "same"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    git("add", ".")
    git("commit", "-m", "first")
    git("tag", "first")
    (tmp_path / "committed").write_text("new", encoding="utf-8")
    git("commit", "-a", "-m", "second")
    (tmp_path / "changed").write_text("new", encoding="utf-8")
    (tmp_path / "removed").unlink()
    (tmp_path / "folder").mkdir()
    for name in ("folder/new", "notes"):
        (tmp_path / name).touch()
    assert changed_since("first") == ["changed", "committed", "folder/new", "removed"]
    assert changed_since("HEAD") == ["changed", "folder/new", "removed"]
    with pytest.raises(pytest.UsageError, match="no revision frist; did you mean first\\?"):
        changed_since("frist")
    with pytest.raises(pytest.UsageError, match="no revision --output=notes"):
        changed_since("--output=notes")


# ---------------------------------------------------------------- the plugin


def test_files_and_folders_are_left_out() -> None:
    plugin = Selection(["tests/web/test_home.py"], "")
    kept = ("tests", "tests/web", "tests/web/test_home.py")
    assert [plugin.pytest_ignore_collect(ROOT / each) for each in kept] == [None] * 3
    left_out = ("tests/lab", "tests/web/browser", "tests/web/test_scene.py")
    assert [plugin.pytest_ignore_collect(ROOT / each) for each in left_out] == [True] * 3


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_wrong_name_is_a_usage_error() -> None:
    done = run("--package", "studdy")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "there is no package studdy; did you mean study?" in done.stderr


def test_a_run_collects_only_what_is_selected() -> None:
    done = run("--package", "faces/lsp", "-n", "1")
    assert done.returncode == pytest.ExitCode.OK
    assert f" of {len(reach().tests())} test files: faces/lsp/__init__.py, " in done.stdout
