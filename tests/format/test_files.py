"""The files of the repository: those that are read are in canonical layout, and all others can be
brought into it without any change to the program they make."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.text.pictures.naming import FOLDER, as_text
from tests.docs.examples import Block, blocks
from tests.format.texts import GOOD, canonical_files, neat
from tests.language.games import Game, games
from tests.repo.checkout import ROOT
from tests.tiers import sample

EXAMPLES = [block for block in blocks() if block.mark == "yaml"]


@pytest.mark.full
def test_rules_variants_and_scenarios_are_in_canonical_layout() -> None:
    wrong = []
    for file in canonical_files():
        name = file.relative_to(ROOT).as_posix()
        if file.read_bytes().decode() != neat(file.read_text(encoding="utf-8"), name):
            wrong.append(name)
    assert not wrong, f"run: lawspeaker format {' '.join(wrong)}"


@pytest.mark.parametrize("game", sample(games(GOOD), test=8, full=4), ids=lambda game: game.name)
def test_a_game_is_the_same_program_when_formatted(game: Game) -> None:
    folder = game.entry.parent
    texts = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in game.files
    }
    tidy = {name: neat(text, name) for name, text in texts.items()}
    assert {name: neat(text, name) for name, text in tidy.items()} == tidy
    assert _program(game.entry, texts) == _program(game.entry, tidy)


def _program(entry: Path, texts: dict[str, str]) -> ir.Program:
    others = [RuleFile(name, text) for name, text in texts.items() if name != entry.name]
    diagnostics = Diagnostics()
    beside = [
        RuleFile(f"{FOLDER}/{file.name}", as_text(file.name, file.read_bytes()))
        for file in (entry.parent / FOLDER).glob("*.*")
    ]
    bundle = (RuleFile(entry.name, texts[entry.name]), *others, *beside)
    program = compile_bundle(bundle, diagnostics)
    assert program is not None, [str(each) for each in diagnostics]
    return replace(program, digest="that of the texts")


@pytest.mark.parametrize("block", EXAMPLES, ids=str)
def test_an_example_of_the_reference_can_be_formatted(block: Block) -> None:
    tidy = neat(block.text)
    assert neat(tidy) == tidy
