"""The examples of a page as drafts that the workshop opens.

An example comes with all that it needs: the game that it is a part of, the game that it changes, or
all files that a guide has written up to there.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from itertools import chain
from pathlib import Path
from typing import Any

from tests.docs.examples import REFERENCE, Example, blocks, examples
from tests.docs.guide import MENTIONED, Box, Walk, chapters, commands, in_guide_folder, run
from tests.repo.checkout import ROOT

Draft = dict[str, Any]
RECIPES = ROOT / "docs" / "recipes.md"
_VARIANT = re.compile(r"^variant: (\w+)$", re.M)
_OF = re.compile(r"^of: ([\w+]+)$", re.M)
_RULES = re.compile(r"^(game|variant): ", re.M)
_SCENARIO = re.compile(r"^scenario: ", re.M)
_MAKES_FILES = ("lawspeaker new ", "lawspeaker books add ", "mkdir ", "cd ", "rm -r ")
_PART = re.compile(r"# part of: \w+ \((\S+)\)\n")


def letters(draft: Draft) -> str:
    """A draft as the workshop reads it behind `#draft=` (`compression.js`)."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    text = json.dumps(draft, ensure_ascii=False, separators=(",", ":"))
    pressed = packer.compress(text.encode()) + packer.flush()
    return urlsafe_b64encode(pressed).decode().rstrip("=")


def drafts(page: Path, folder: Path) -> dict[int, Draft]:
    """The drafts of a page, by the line of the fence; `folder` is an empty one to work in."""
    if page.parent == REFERENCE or page == RECIPES:
        return _of_reference(page)
    text = page.read_text(encoding="utf-8")
    if re.search(r"^```yaml\n# \S+\.yaml", text, re.M):
        return _of_guide(page, folder)
    return _of_page(page)


# -------------------------------------------------------------------- the reference, recipes


def _of_reference(page: Path) -> dict[int, Draft]:
    own = {example.block.line: example for example in examples(page)}
    found: dict[int, Draft] = {}
    for block in blocks(page):
        if block.stage:
            known = chain(own.values(), examples(REFERENCE))
            part = next(each for each in known if each.base == block and not each.block.bad)
            found[block.line] = _draft(part)
        elif block.line in own:
            found[block.line] = _draft(own[block.line])
    return found


def _draft(example: Example) -> Draft:
    block, base = example.block, example.base
    if base is None:
        return _game({"game.yaml": block.text})
    named = _PART.match(block.text)
    name = named[1] if named else "part.yaml"
    main = base.text if "\nfiles:" in base.text else f"{base.text}files: [{name}]\n"
    return _game({"game.yaml": main, name: block.text})


def _game(files: dict[str, str]) -> Draft:
    return {"rules": "", "files": [_file(name, text, None) for name, text in files.items()]}


def _file(name: str, text: str, given: list[str] | None) -> dict[str, Any]:
    return {"name": name, "text": text, "given": given}


# -------------------------------------------------------------------- other pages


def _of_page(page: Path) -> dict[int, Draft]:
    """Whole games, and variants of a game on the same page or of one in the library."""
    games = {block.game: block.text for block in blocks(page) if block.game}
    found: dict[int, Draft] = {}
    for block in blocks(page):
        if not block.mark.startswith("yaml") or not block.text.startswith("lawspeaker: 1\n"):
            continue
        if not _RULES.search(block.text) or _SCENARIO.search(block.text):
            continue
        name, of = _VARIANT.search(block.text), _OF.search(block.text)
        if not name or not of:
            found[block.line] = _game({"game.yaml": block.text})
        elif of[1] in games:
            draft = _game({"game.yaml": games[of[1]]})
            draft["files"].append(_file(f"{name[1]}.yaml", block.text, []))
            found[block.line] = draft
        else:
            assert (ROOT / "rules" / of[1]).is_dir(), f"{block}: which game is {of[1]}?"
            files = [_file(f"{name[1]}.yaml", block.text, [])]
            found[block.line] = {"rules": of[1], "files": files}
    return found


# -------------------------------------------------------------------- guides


class _Writing(Walk):
    """Goes through a guide, but does only what makes files."""

    def console(self, box: Box) -> str:
        for command in commands(box.text):
            if command.text.startswith(_MAKES_FILES):
                run(command)
        for path, text in self.undo.items():
            path.write_text(text, encoding="utf-8")
        self.undo = {}
        return box.text


def _of_guide(page: Path, folder: Path) -> dict[int, Draft]:
    found: dict[int, Draft] = {}
    with in_guide_folder(folder, COLUMNS="80", NO_COLOR="1", LAWSPEAKER_PATH=""):
        walk = _Writing(folder)
        for chapter in chapters(page):
            for box in chapter.boxes:
                walk.box(box)
                named = MENTIONED.match(box.text) if box.mark == "yaml" else None
                draft = _written(folder, folder / named[1]) if named else None
                if draft is not None:
                    found[box.line] = draft
    return found


def _written(folder: Path, file: Path) -> Draft | None:
    """The draft that a file of a guide belongs to, as it is now; nothing for a scenario."""
    if "scenarios" in file.parts:
        return None
    text = file.read_text(encoding="utf-8")
    own = file.parent.parent if file.parent.name == "languages" else file.parent
    files = [each for each in sorted(own.rglob("*.yaml")) if "scenarios" not in each.parts]
    if own.parent == folder / "variants":
        of = _OF.search(text)
        if of is None:
            return None
        return {"rules": of[1], "files": [_file(file.name, text, [])]}
    if own / "game.yaml" not in files:
        return None
    texts = {each.relative_to(own).as_posix(): each.read_text(encoding="utf-8") for each in files}
    return _game(texts)
