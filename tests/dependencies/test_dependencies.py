"""Lock files, the audit of what is in them, and the bill of materials."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.dependencies import audit, sbom
from tests.dependencies.locking import EXTRAS, LOCKS, ROOT, build_requirements

PACKAGE = re.compile(r"^([a-z0-9._-]+)==(\S+)((?: ; [^\\]+)?) \\\n((?:    --hash=.*\n?)+)", re.M)


def locked(name: str) -> dict[str, set[str]]:
    """The versions of each package in a lock file; different systems may have different ones."""
    found: dict[str, set[str]] = {}
    for package, version, *_ in PACKAGE.findall(text(name)):
        found.setdefault(package, set()).add(version)
    return found


def text(name: str) -> str:
    return (LOCKS / f"{name}.txt").read_text(encoding="utf-8")


def declared_requirements(extras: tuple[str, ...]) -> list[Requirement]:
    """What pyproject.toml asks for, with some extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found, waiting = list(project["dependencies"]), list(extras)
    while waiting:
        for each in project["optional-dependencies"][waiting.pop()]:
            own = Requirement(each)
            if own.name == project["name"]:
                waiting += own.extras
            else:
                found.append(each)
    return [Requirement(each) for each in (*found, *build_requirements())]


@pytest.mark.parametrize("name", EXTRAS)
def test_every_package_of_a_lock_has_hashes(name: str) -> None:
    lines = text(name).splitlines()
    packages = PACKAGE.findall(text(name))
    assert len(packages) == sum("==" in line and "--hash" not in line for line in lines) > 30
    for *_, hashes in packages:
        assert re.fullmatch(r"(    --hash=sha256:[0-9a-f]{64}( \\)?\n?)+", hashes)


@pytest.mark.parametrize("name", EXTRAS)
def test_a_lock_names_no_server_and_no_folder(name: str) -> None:
    written = re.sub(r"sha256:\w+|^#.*", "", text(name), flags=re.M)
    assert not re.findall(r"://|(?<!\\)/|^-", written, re.M)


@pytest.mark.parametrize("name, extras", EXTRAS.items())
def test_a_lock_has_all_that_is_asked_for(name: str, extras: tuple[str, ...]) -> None:
    """Who changes pyproject.toml says `make lock`."""
    found = locked(name)
    for each in declared_requirements(extras):
        versions = found.get(canonicalize_name(each.name), set())
        limits: SpecifierSet = each.specifier
        assert versions, f"locks/{name}.txt has no {each.name}: run `make lock`"
        assert all(limits.contains(version) for version in versions), f"{each}: run `make lock`"


def test_a_server_has_the_versions_that_were_tested() -> None:
    tested = locked("test")
    for name, versions in locked("serve").items():
        assert versions <= tested[name], name


REPORT = {
    "dependencies": [
        {"name": "sound", "version": "1", "vulns": []},
        {
            "name": "weak",
            "version": "2",
            "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}, {"id": "CVE-2"}],
        },
        {"name": "unknown", "skip_reason": "not found"},
    ]
}


@pytest.mark.parametrize(
    "kept, code, said",
    [
        ([0], 0, ["1 packages: no known vulnerability."]),
        ([0, 1], 1, ["weak 2: CVE-1, cured by 2.1", "weak 2: CVE-2, cured by no version yet"]),
        ([0, 2], 2, ["1 packages: no known vulnerability.", "Not checked, since the database"]),
        ([2], 2, ["Nothing was checked: the advisory database cannot be reached."]),
        ([], 2, ["Nothing was checked: the advisory database cannot be reached."]),
    ],
)
def test_an_audit_says_what_it_has_not_checked(kept: list[int], code: int, said: list[str]) -> None:
    report = {"dependencies": [REPORT["dependencies"][each] for each in kept]}
    found, lines = audit.verdict(audit.parse_report(json.dumps(report)))
    assert found == code
    assert all(line.startswith(start) for line, start in zip(lines, said, strict=True))


@pytest.mark.parametrize("told", ["", "Traceback", "[]", "{}"])
def test_an_audit_that_ends_without_a_report_has_checked_nothing(told: str) -> None:
    assert audit.verdict(audit.parse_report(told)) == (2, [audit.NOT_REACHED])


@pytest.mark.full
def test_the_bill_has_what_is_needed_and_no_more(tmp_path: Path) -> None:
    sbom.main(tmp_path)
    (file,) = tmp_path.iterdir()
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    scopes = {each["name"]: each["scope"] for each in found["components"]}
    assert scopes["lark"] == scopes["numpy"] == "required"
    assert scopes["starlette"] == scopes["h11"] == "optional"
    assert not scopes.keys() & {"pytest", "ruff", "mypy", "hypothesis", "lawspeaker"}
    refs = {each["bom-ref"] for each in (*found["components"], found["metadata"]["component"])}
    assert {each["ref"] for each in found["dependencies"]} == refs
    assert all(set(each["dependsOn"]) <= refs for each in found["dependencies"])
    ours = next(each for each in found["dependencies"] if "/lawspeaker@" in each["ref"])
    direct = {canonicalize_name(each.name) for each in declared_requirements(("web", "postgres"))}
    direct -= {canonicalize_name(Requirement(each).name) for each in build_requirements()}
    assert direct <= {
        each.removeprefix("pkg:pypi/").partition("@")[0] for each in ours["dependsOn"]
    }
    assert sbom.bill() == found, "the same packages give the same bill"


ROW = re.compile(r"^\| (?:`([a-z]+)` \| )?`([\w-]+)` \| [a-zA-Z]", re.M)


def test_the_docs_say_what_each_package_is_for() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {"": told["dependencies"], **told["optional-dependencies"]}
    declared = {
        (extra, Requirement(each).name)
        for extra, packages in asked.items()
        for each in packages
        if Requirement(each).name != told["name"]
    }
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    tests = page.index("## For developers")
    written = [
        (each[1] or ("test" if each.start() > tests else ""), each[2])
        for each in ROW.finditer(page)
    ]
    assert sorted(written) == sorted(declared)
