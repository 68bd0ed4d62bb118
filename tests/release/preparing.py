"""Writes a version into all files that state it: `make version VERSION=1.0.0`, or

    python -m tests.release.preparing 1.0.0

What is written is one commit; `make release` then compares it all again.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.release.notes import INTENDED, STABLE, disagreements
from tests.repo.checkout import ROOT

_VERSION = re.compile(r"\d+\.\d+\.\d+\Z")
_LOCKED = re.compile(
    r'("version": ")[^"]+(.*?"packages": \{\s*"": \{.*?"version": ")[^"]+', re.DOTALL
)
"""The version of the extension stands in its lock file twice."""
_STATUS = re.compile(r'"Development Status :: [^"]+"')
_SENTENCE = re.compile(rf"{INTENDED}[^.;]*[.;]\s+(\S)", re.DOTALL)


class NotPrepared(Exception):
    """A file has nothing where the version belongs; the message names it."""


def prepare(root: Path, version: str, day: str) -> None:
    """Writes a version and its day into the files; raises NotPrepared before any is changed."""
    if not _VERSION.match(version):
        raise NotPrepared(f"a version is written like 1.0.0, not {version!r}")
    places: list[tuple[str, str | re.Pattern[str], str]] = [
        ("interpreter/lawspeaker/__init__.py", r'(?m)^(__version__ = ")[^"]+', rf"\g<1>{version}"),
        ("editors/vscode/package.json", r'("version": ")[^"]+', rf"\g<1>{version}"),
        ("editors/vscode/package-lock.json", _LOCKED, rf"\g<1>{version}\g<2>{version}"),
        ("CHANGELOG.md", r"(?m)^## Unreleased\n", f"## Unreleased\n\n## {version} - {day}\n"),
    ]
    texts = {name: _changed(root, name, found, new) for name, found, new in places}
    if not version.startswith("0."):
        name = "docs/stability.md"
        text = (root / name).read_text(encoding="utf-8")
        texts[name] = _SENTENCE.sub(lambda found: found[1].upper(), text)
        texts["pyproject.toml"] = _changed(root, "pyproject.toml", _STATUS, f'"{STABLE}"')
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")


def _changed(root: Path, name: str, found: str | re.Pattern[str], new: str) -> str:
    text, count = re.subn(found, new, (root / name).read_text(encoding="utf-8"), count=1)
    if not count:
        raise NotPrepared(f"{name}: there is no place for the version")
    return text


def main(version: str) -> None:
    try:
        prepare(ROOT, version, datetime.now(UTC).date().isoformat())
    except NotPrepared as error:
        sys.exit(str(error))
    left = disagreements(ROOT, version)
    sys.exit("\n".join(left) or None)


if __name__ == "__main__":
    main(sys.argv[1])
