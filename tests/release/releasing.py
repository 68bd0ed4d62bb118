"""Makes a release: `make release`, or

    python -m tests.release.releasing dist

Refuses if version, changelog and docs disagree, or if something is not committed. Builds the source
archive and the wheel twice, in two copies of the commit, and compares all bytes. Tries the wheel
alone and with each extra in fresh environments. Builds the extension for VS Code, with npm. Writes
them, the bill of materials, the release notes and the hashes of all into a folder. It publishes
nothing.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from datetime import UTC, datetime
from importlib.metadata import version as installed
from pathlib import Path
from tempfile import TemporaryDirectory

from lawspeaker import __version__
from tests.dependencies import sbom
from tests.release import vsix
from tests.release.notes import disagreements, notes, released
from tests.release.trying import EXTRAS, wheel_faults

ROOT = Path(__file__).resolve().parents[2]


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def built(archive: bytes, folder: Path, day: str) -> dict[str, bytes]:
    """The files that a build of a commit makes, by name."""
    checkout, into = folder / "checkout", folder / "dist"
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(checkout, filter="data")
    epoch = int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(into), str(checkout)],
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return {each.name: each.read_bytes() for each in sorted(into.iterdir())}


def built_twice(archive: bytes, day: str) -> dict[str, bytes]:
    """The same, after two builds in different folders; exits if they differ in a byte."""
    with TemporaryDirectory() as one, TemporaryDirectory(prefix="another") as other:
        first, second = built(archive, Path(one), day), built(archive, Path(other), day)
    different = [
        name for name in first.keys() | second.keys() if first.get(name) != second.get(name)
    ]
    if different:
        sys.exit(f"two builds of one commit differ in {', '.join(sorted(different))}")
    return first


def main(into: Path) -> None:
    wrong = disagreements(ROOT, __version__)
    if installed("lawspeaker") != __version__:
        wrong.append(f"{installed('lawspeaker')} is installed here: remove .venv, and begin again")
    if shutil.which("npm") is None:
        wrong.append(
            "npm is not installed, and bundles the extension for VS Code: https://nodejs.org"
        )
    if changed := git("status", "--porcelain").decode().split("\n", 1)[0]:
        wrong.append(f"not everything is committed: {changed}")
    if wrong:
        sys.exit("\n".join((*wrong, f"Version {__version__} is not released.")))
    found = released((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), __version__)
    assert found is not None
    section, day = found
    files = built_twice(git("archive", "HEAD"), day)
    into.mkdir(exist_ok=True)
    for name, content in files.items():
        (into / name).write_bytes(content)
    for name, content in vsix.built(ROOT).items():
        (into / name).write_bytes(content)
    (wheel,) = (into / name for name in files if name.endswith(".whl"))
    for extra in ("", *EXTRAS):
        print(f"trying {extra or 'the wheel alone'}", flush=True)
        wrong += wheel_faults(wheel, extra)
    if wrong:
        sys.exit("\n".join(wrong))
    (into / f"NOTES-{__version__}.md").write_text(notes(section, __version__), encoding="utf-8")
    sbom.main(into)
    made = sorted(each for each in into.iterdir() if __version__ in each.name)
    hashes = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}" for each in made]
    (into / "SHA256SUMS").write_text("\n".join((*hashes, "")), encoding="utf-8")
    print("\n".join(hashes))
    print(f"Tag the commit: git tag v{__version__}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
