"""Citations in full and in short say the same, in every game and variant, there and back again.

Every citation of a copy of all rules is written out in full, with its prints, and what the locks
say of agreement is put into the variants. That must load as the rules themselves do; and
`lawspeaker format --split` must make of it what it was, to the last sign.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.ir.walk import guards_of
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, schema
from lawspeaker.outside.units import units
from lawspeaker.text import document, splitting
from lawspeaker.text.books.citing import CitableBooks, Citing, cites_in
from lawspeaker.text.books.lock import Lock, read_lock
from lawspeaker.text.document import Mapping, plain
from lawspeaker.text.rulebook import sources_of
from tests import library as built_in
from tests.repo.checkout import ROOT
from tests.tiers import sample

GAMES = built_in.names()


def cited(name: str, library: Library) -> dict[str, Any] | None:
    """All citations of a game, by what cites; None if it is only played with others."""
    program = compile_name(name, Diagnostics(), library)
    if program is None:
        return None
    return {
        **{clause.id: clause.cites for clause in program.clauses},
        **{f"guard {id}": guard.cites for id, guard in guards_of(program).items()},
        **{f"pieces.{piece.name}": piece.cites for piece in program.pieces},
        "changes": sorted(map(change, program.changes)),
    }


def change(note: ir.ChangeNote) -> str:
    return repr((note.variant, note.action, note.target, note.kind, note.cites))


def lengthened(file: SourceFile, own: tuple[str, ...], locks: dict[str, Lock]) -> str:
    """A file of rules with its citations in full."""
    root = document.load(file, Diagnostics())
    assert isinstance(root, Mapping)
    citing = Citing(CitableBooks(own, locks), Diagnostics())
    text = file.text
    nodes = [node for _, node in cites_in(root)]
    for node in sorted(nodes, key=lambda each: each.span.start, reverse=True):
        full = json.dumps(plain(citing.cites(node)), ensure_ascii=False)
        text = text[: node.span.start] + full + text[node.span.end :]
    agrees: dict[str, dict[str, dict[str, str]]] = {}
    for source in sources_of(root):
        for each in locks[source].marks.agrees if source in locks else ():
            if each.variant == plain(root.get("variant") or root):
                rules = agrees.setdefault(source, {}).setdefault(each.where.section, {})
                rules[each.id] = " ".join(locks[source].prints(each.where))
    return text + (f"\nagrees: {json.dumps(agrees, ensure_ascii=False)}\n" if agrees else "")


@pytest.mark.full
@pytest.mark.parametrize("game", sample(GAMES, full=6))
def test_there_and_back_again(game: str, tmp_path: Path) -> None:
    library = Library(here=tmp_path, path=())
    for part in ("rules", "variants"):
        if (ROOT / part / game).is_dir():
            shutil.copytree(ROOT / part / game, tmp_path / part / game)
    files = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.*") if path.is_file()}
    names = [game, *(f"{game}+{each}" for each in library.variants(game))]
    before = {name: cited(name, library) for name in names}
    for each in list(units(".", library)):
        locks = {source: read_lock(file, Diagnostics()) for source, file in each.unit.locks.items()}
        main = document.load(SourceFile("", next(iter(each.unit.rules.values()))), Diagnostics())
        assert isinstance(main, Mapping)
        own = sources_of(main) or each.unit.sources
        for name, text in each.unit.rules.items():
            file = SourceFile(name, text)
            (each.folder / name).write_text(lengthened(file, own, locks), encoding="utf-8")
    for path in tmp_path.rglob("*.lock"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith("agrees ")]
        path.write_text("".join(kept), encoding="utf-8")
    assert {name: cited(name, library) for name in names} == before
    for each in units(".", library):
        found = splitting.books(each.unit, schema, Diagnostics())
        assert found is not None
        for name, text in {**found.rules, **found.beside}.items():
            (each.folder / name).write_text(text, encoding="utf-8")
    assert {path: path.read_text("utf-8") for path in files} == files
