"""Builds the extension for VS Code as a `.vsix`, which `code --install-extension` takes.

    python -m tests.release.vsix dist

A `.vsix` is a ZIP archive with the extension, a manifest and the types of its files. npm bundles
the code, in a copy of the folder; the archive is made here, the same bytes each time. Tests hold
what the archive must have against what `package.json` names.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import escape, quoteattr

ROOT = Path(__file__).resolve().parents[2]
VSCODE = Path("editors", "vscode")
BUILT = "package-lock.json tsconfig.json src node_modules .gitignore".split()
"""What is needed for building only."""
TYPES = {
    ".json": "application/json",
    ".js": "application/javascript",
    ".txt": "text/plain",
    ".vsixmanifest": "text/xml",
}
_OLDEST = (1980, 1, 1, 0, 0, 0)


def bundled(root: Path, folder: Path) -> Path:
    """Copies the extension into a folder and bundles its code there; returns its folder."""
    target = folder / VSCODE
    shutil.copytree(
        root / VSCODE, target, ignore=shutil.ignore_patterns("node_modules", "out", "schema")
    )
    shutil.copytree(root / "schema", folder / "schema")
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed to bundle the extension for VS Code")
    for arguments in (("ci", "--no-audit", "--no-fund"), ("run", "types"), ("run", "build")):
        call = [npm, *arguments]
        done = subprocess.run(call, cwd=target, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"npm {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return target


def contents(extension: Path, licence: str) -> dict[str, bytes]:
    """The files of the archive by name."""
    package = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    found = {
        f"extension/{path.relative_to(extension).as_posix()}": path.read_bytes()
        for path in sorted(extension.rglob("*"))
        if path.is_file() and path.relative_to(extension).parts[0] not in BUILT
    }
    found["extension/LICENSE.txt"] = licence.encode()
    return {
        "[Content_Types].xml": _types(found).encode(),
        "extension.vsixmanifest": manifest(package).encode(),
        **found,
    }


def named_by(package: Mapping[str, Any]) -> list[str]:
    """The files that a `package.json` names, which the archive must have."""
    contributes = package["contributes"]
    named = [package["main"]]
    named += [each["path"] for each in contributes.get("grammars", ())]
    named += [each["url"] for each in contributes.get("yamlValidation", ())]
    return [f"extension/{each.removeprefix('./')}" for each in named]


def manifest(package: Mapping[str, Any]) -> str:
    """The manifest that VS Code reads first."""

    def attribute(name: str) -> str:
        return quoteattr(str(package[name]))

    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={attribute("name")} Version={attribute("version")} \
Publisher={attribute("publisher")}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" \
Value={quoteattr(package["engines"]["vscode"])}/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" \
Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" \
Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def _types(files: Mapping[str, bytes]) -> str:
    """The types of all files by their suffixes; an unknown suffix is a mistake here."""
    suffixes = {".vsixmanifest", *(Path(each).suffix for each in files)}
    told = "".join(
        f'  <Default Extension="{each}" ContentType="{TYPES[each]}"/>\n'
        for each in sorted(suffixes)
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\n'
        f"{told}</Types>\n"
    )


def packed(files: Mapping[str, bytes]) -> bytes:
    """The archive, without times, so that equal files give equal bytes."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _OLDEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return into.getvalue()


def built(root: Path) -> dict[str, bytes]:
    """The archive of a checkout, by its file name."""
    package = json.loads((root / VSCODE / "package.json").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        extension = bundled(root, Path(folder))
        made = contents(extension, (root / "LICENSE").read_text(encoding="utf-8"))
    return {f"{package['name']}-{package['version']}.vsix": packed(made)}


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for file, content in built(ROOT).items():
        (target / file).write_bytes(content)
        print(target / file)
