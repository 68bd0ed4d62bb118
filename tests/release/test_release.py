"""A release: what it refuses, what its notes say, and whether two builds are equal."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

import lawspeaker
from tests.release.notes import INTENDED, LONGEST, STABLE, disagreements, items, notes, released
from tests.release.preparing import NotPrepared, prepare
from tests.release.releasing import built_twice, git
from tests.release.releasing import main as release
from tests.release.trying import ALONE, EXTRAS, wheel_faults
from tests.repo.checkout import ROOT

CHANGELOG = """\
# Changelog

## Unreleased

## 1.2.0 - 2030-01-31

### Security

- A secret is kept. It was not.

### Added

- `one` is new,
  and says `a. b`.
- Two is {longer}

## 1.1.0 - 2029-12-24

### Added

- Old news.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout of which all agrees with version 1.2.0."""
    for name in ("docs", "editors/vscode"):
        (tmp_path / name).mkdir(parents=True)
    write_file(tmp_path, "CHANGELOG.md", CHANGELOG.format(longer="new."))
    write_file(tmp_path, "docs/stability.md", "# Stability\n")
    write_file(tmp_path, "README.md", "pip install lawspeaker==1.2.0\n")
    for name in ("package.json", "package-lock.json"):
        write_file(tmp_path, f"editors/vscode/{name}", json.dumps({"version": "1.2.0"}))
    write_file(tmp_path, "pyproject.toml", f'[project]\nclassifiers = ["{STABLE}"]\n')
    return tmp_path


def write_file(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text, encoding="utf-8")


def test_what_agrees_is_released(root: Path) -> None:
    assert disagreements(root, "1.2.0") == []


PREPARED = (
    "interpreter/lawspeaker/__init__.py",
    "editors/vscode/package.json",
    "editors/vscode/package-lock.json",
    "CHANGELOG.md",
    "docs/stability.md",
    "pyproject.toml",
)


def test_a_version_is_written_into_all_files(tmp_path: Path) -> None:
    """As they are today; nothing is left to say before 1.0.0 is released but long items."""
    for name in (*PREPARED, "README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    with pytest.raises(NotPrepared, match="like 1.0.0"):
        prepare(tmp_path, "one", "2030-01-31")
    prepare(tmp_path, "9.0.0", "2030-01-31")
    assert disagreements(tmp_path, "9.0.0") == []
    for name in ("interpreter/lawspeaker/__init__.py", "CHANGELOG.md"):
        assert "9.0.0" in (tmp_path / name).read_text(encoding="utf-8")
    lock = json.loads((tmp_path / "editors/vscode/package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["version"] == "9.0.0"
    told = (tmp_path / "docs/stability.md").read_text(encoding="utf-8")
    assert "what becomes of old files. The [changelog]" in " ".join(told.split())
    write_file(tmp_path, "editors/vscode/package.json", "{}")
    with pytest.raises(NotPrepared, match=r"package\.json: there is no place"):
        prepare(tmp_path, "9.0.1", "2030-01-31")
    assert "9.0.1" not in (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name, text, said",
    [
        ("CHANGELOG.md", CHANGELOG.replace("1.2.0", "1.1.9"), "CHANGELOG.md: `## Unreleased`"),
        ("CHANGELOG.md", CHANGELOG.replace("ed\n", "ed\n\n- New.\n", 1), "CHANGELOG.md: `## Un"),
        ("CHANGELOG.md", CHANGELOG.replace("A secret", "s" * LONGEST), "CHANGELOG.md:9: the item"),
        ("docs/stability.md", f"{INTENDED}, wait.\n", "docs/stability.md: still says"),
        ("docs/new.md", "x\nlawspeaker 1.0.0\n", "docs/new.md:2: names version 1.0.0"),
        ("editors/vscode/package.json", '{"version": "0.1.0"}', "editors/vscode/package.json: has"),
        ("editors/vscode/package-lock.json", '{"version": "0.1"}', "editors/vscode/package-lock."),
        ("pyproject.toml", "[project]\nclassifiers = []\n", "pyproject.toml: lacks the classifier"),
    ],
)
def test_what_disagrees_is_named(root: Path, name: str, text: str, said: str) -> None:
    write_file(root, name, text)
    found = disagreements(root, "1.2.0")
    assert [each[: len(said)] for each in found] == ([said] if said else [])


def test_notes_are_the_items_of_the_section() -> None:
    found = released(CHANGELOG.format(longer="new."), "1.2.0")
    assert found is not None
    section, day = found
    assert day == "2030-01-31"
    assert [(line, kind) for line, kind, _ in items(section)] == [
        (9, "Security"),
        (13, "Added"),
        (15, "Added"),
    ]
    assert notes(section, "1.2.0") == (
        "# Lawspeaker 1.2.0\n\n## Security\n\n- A secret is kept. It was not.\n\n"
        "## Added\n\n- `one` is new, and says `a. b`.\n- Two is new.\n"
    )


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a release is made of a commit")
def test_without_npm_there_is_no_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is built: a release has the extension for VS Code."""
    monkeypatch.setattr("tests.release.releasing.shutil.which", lambda name: None)
    with pytest.raises(SystemExit, match="npm is not installed"):
        release(tmp_path / "dist")
    assert not (tmp_path / "dist").exists()


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    place = ROOT / project["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{lawspeaker.__version__}"\n' in place.read_text(encoding="utf-8")


def test_every_extra_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # The one is for developers, the other needs a GPU.
    assert EXTRAS.keys() == project["optional-dependencies"].keys() - {"test", "gpu"}


@pytest.mark.nightly
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a release is made of a commit")
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_two_builds_are_equal_and_work_everywhere(tmp_path: Path) -> None:
    files = built_twice(git("archive", "HEAD"), "2030-01-31")
    assert sorted(Path(name).suffix for name in files) == [".gz", ".whl"]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel_faults(wheel, commands=ALONE) == []
    assert [wrong for extra in EXTRAS for wrong in wheel_faults(wheel, extra)] == []
