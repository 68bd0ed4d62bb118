"""The extension for VS Code: that it fits the server, and that it can be built."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from lawspeaker.text.parse import grammar
from tests.release import vsix
from tests.repo.checkout import ROOT

VSCODE = ROOT / "editors" / "vscode"
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH", "ENOTCACHED")


def test_the_grammar_colours_words_of_the_language() -> None:
    told = json.loads((VSCODE / "syntaxes" / "rules.tmLanguage.json").read_text(encoding="utf-8"))
    patterns = [each["match"] for each in told["repository"]["code"]["patterns"]]
    listed = (re.match(r"\\b\(([a-z |]+)\)\\b", each) for each in patterns)
    words = {word for each in listed if each for word in re.findall("[a-z]+", each[1])}
    known = {
        word
        for terminal in grammar().terminals
        for word in re.findall(r"(?<!\\)[a-z]+", terminal.pattern.value)
    }
    assert words
    assert words <= known


def test_the_archive_has_what_its_package_names(tmp_path: Path) -> None:
    extension = tmp_path / "vscode"
    shutil.copytree(VSCODE, extension, ignore=shutil.ignore_patterns("node_modules", "out"))
    shutil.copytree(ROOT / "schema", extension / "schema", dirs_exist_ok=True)
    (extension / "out").mkdir()
    (extension / "out" / "extension.js").write_text("exports.activate = () => {};")
    (extension / "node_modules").mkdir()
    (extension / "node_modules" / "left.js").write_text("")
    files = vsix.contents(extension, "The licence.")
    assert vsix.packed(files) == vsix.packed(vsix.contents(extension, "The licence."))
    with zipfile.ZipFile(io.BytesIO(vsix.packed(files))) as archive:
        names = archive.namelist()
        package = json.loads(archive.read("extension/package.json"))
        manifest = ET.fromstring(archive.read("extension.vsixmanifest"))
        types = ET.fromstring(archive.read("[Content_Types].xml"))
    assert {*vsix.named_by(package)} <= {*names}
    assert not [name for name in names if "node_modules" in name or "/src/" in name]
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    identity = manifest.find("v:Metadata/v:Identity", space)
    assert identity is not None
    told = [identity.get(each) for each in ("Id", "Version", "Publisher")]
    assert told == [package[each] for each in ("name", "version", "publisher")]
    assets = [each.get("Path") for each in manifest.findall("v:Assets/v:Asset", space)]
    assert {*assets} <= {*names}
    engine = manifest.find("v:Metadata/v:Properties/v:Property", space)
    assert engine is not None
    assert engine.get("Value") == package["engines"]["vscode"]
    suffixes = {Path(name).suffix for name in names if name != "[Content_Types].xml"}
    assert suffixes == {each.get("Extension") for each in types}


@pytest.mark.nightly
def test_the_extension_can_be_built(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    copied = tmp_path / "editors" / "vscode"
    shutil.copytree(VSCODE, copied, ignore=shutil.ignore_patterns("node_modules", "out", "schema"))
    shutil.copytree(ROOT / "schema", tmp_path / "schema")
    fetched = _npm(npm, copied, "ci", "--no-audit", "--no-fund", "--prefer-offline")
    if fetched.returncode and any(each in fetched.stderr for each in UNREACHABLE):
        pytest.skip("what it is built with cannot be fetched from here")
    assert fetched.returncode == 0, fetched.stderr
    for script in ("types", "build"):
        made = _npm(npm, copied, "run", script)
        assert made.returncode == 0, made.stdout + made.stderr
    assert (copied / "out" / "extension.js").is_file()


def _npm(npm: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [npm, *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
