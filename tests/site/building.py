"""Builds the documentation as a folder of searchable pages: `make site`, or

python -m tests.site.building FOLDER

The folder is meant to lie beside published games and the workshop, to which its pages link.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import build_main

from tests.repo.checkout import ROOT
from tests.site.staging import copy_bytes, copy_name, stage_pages

SETTINGS = ROOT / "docs" / "site"
ICON = ROOT / "interpreter" / "lawspeaker" / "faces" / "web" / "static" / "icon.svg"


def build(into: Path) -> None:
    """Builds all pages; a warning of Sphinx ends it."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        source, settings = folder / "source", folder / "settings"
        source.mkdir()
        copies = stage_pages(source)
        shutil.copytree(SETTINGS, settings)
        shutil.copy(ICON, settings / "static")
        made = folder / "made"
        options = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / "read")]
        if build_main([*options, "-c", str(settings), str(source), str(made)]):
            sys.exit("the pages were not built")
        for file in copies:
            target = made / copy_name(file)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(copy_bytes(file))
        (made / ".buildinfo").unlink()
        shutil.rmtree(into, ignore_errors=True)
        into.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, into)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
