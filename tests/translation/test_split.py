"""`lawspeaker format --split`: the same game, in one language with translations beside it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping as AnyMapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli import app
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, schema
from lawspeaker.outside.units import UnitFiles, units
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, plain
from lawspeaker.text.splitting import own_of, split
from lawspeaker.text.translation.files import read_translation
from lawspeaker.text.translation.naming import FOLDER
from lawspeaker.text.translation.weaving import originals, woven
from tests.repo.checkout import ROOT
from tests.tiers import sample
from tests.translation.same_program import assert_same

LIBRARY = Library(ROOT, ())
KEPT = {each.unit.called: each for name in ("rules", "variants") for each in units(name, LIBRARY)}
NEEDED = {"voluspa+no_late_hel": "voluspa+hel+no_late_hel"}

ONE_FILE = """\
# A game that says everything in one place.
lawspeaker: 1
game: pebbles
title: {en: Pebbles, de: Kiesel}
players: {from: 2, to: 2, called: [ann, ben]}
languages: [en, de]

numbers:
  amount: 1..4

pieces:
  pebble: {count: 9, starts in: heap}

places:
  heap: {holds: pebble, seen by: everyone}  # in the middle
  bag:  {of each: player, holds: pebble, seen by: everyone}

rules:
  # How it runs.
  game:
    says: {en: Everyone takes a pebble., de: Jeder nimmt einen Kiesel.}
    rule: |
      for each player:
        do turn(player)

  turn:
    says:
      en: Who takes a pebble may keep it.
      de: Wer einen Kiesel nimmt, behält ihn.
    asks: {en: "Which pebble, {player}?", de: "Welchen Kiesel, {player}?"}
    guards:
      small:
        says: {en: It is a small one., de: Er ist klein.}
    given: {player: player}
    rule: |
      player must take: amount
        where small: amount < 3
        otherwise: cannot happen
      repeat amount times:
        move a pebble in heap to bag of player

names:
  # players
  ann: {en: Ann, de: Ann}
  ben: {en: Ben, de: Ben}
  # things
  pebble: {en: pebble, de: Kiesel}
  heap:   {en: heap, de: Haufen}
  bag:    {en: bag, de: Beutel}
  take:   {en: "take {amount}", de: "{amount} nehmen"}
"""
RULES = """\
# A game that says everything in one place.
lawspeaker: 1
game: pebbles
title: Pebbles
players: {from: 2, to: 2, called: [ann, ben]}
language: en
languages: [en, de]

numbers:
  amount: 1..4

pieces:
  pebble: {count: 9, starts in: heap}

places:
  heap: {holds: pebble, seen by: everyone}  # in the middle
  bag:  {of each: player, holds: pebble, seen by: everyone}

rules:
  # How it runs.
  game:
    says: Everyone takes a pebble.
    rule: |
      for each player:
        do turn(player)

  turn:
    says: Who takes a pebble may keep it.
    asks: Which pebble, {player}?
    guards:
      small: It is a small one.
    given: {player: player}
    rule: |
      player must take: amount
        where small: amount < 3
        otherwise: cannot happen
      repeat amount times:
        move a pebble in heap to bag of player

names:
  # players
  ann: Ann
  ben: Ben
  # things
  take: take {amount}
"""


def program(name: str, library: Library) -> ir.Program:
    diagnostics = Diagnostics()
    found = compile_name(name, diagnostics, library)
    assert found is not None, [str(each) for each in diagnostics]
    return found


class _Lines(yaml.SafeDumper):
    """Writes texts of several lines as code has to be written."""


_Lines.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    ),
)


def told_beside(kept: UnitFiles, *, languages: bool) -> dict[str, str]:
    """What lies beside some rules: their translations, or whatever else there is."""
    return {
        name: text
        for name, text in kept.unit.beside.items()
        if name.startswith(f"{FOLDER}/") is languages
    }


def joined(kept: UnitFiles) -> dict[str, str]:
    """The files of some rules with everything in one place, as if nobody had ever split them."""
    diagnostics = Diagnostics()
    roots = [document.load(SourceFile(*each), diagnostics) for each in kept.unit.rules.items()]
    trees = [root for root in roots if isinstance(root, Mapping)]
    files = (SourceFile(*each) for each in told_beside(kept, languages=True).items())
    found = [read_translation(each, schema("translation"), diagnostics) for each in files]
    own = own_of(trees[0], "en")
    told = woven(
        trees,
        originals(trees, own),
        [each for each in found if each is not None],
        own,
        diagnostics,
    )
    assert not list(diagnostics)
    texts: dict[str, str] = {}
    for name, root in zip(kept.unit.rules, told.roots, strict=True):
        data = plain(root)
        assert isinstance(data, dict)
        if root.get("game") is not None:
            del data["language"]
            names = data.setdefault("names", {})
            names.update({key.value: plain(body) for key, body in told.named})
            # What has no name, and is called by its id in every language.
            for text in (text for (_, text), at in told.same.items() if at is not None):
                names.setdefault(text, dict.fromkeys(data["languages"], text))
        texts[name] = yaml.dump(
            data, Dumper=_Lines, allow_unicode=True, sort_keys=False, width=10_000
        )
    return texts


def trees(texts: AnyMapping[str, str]) -> dict[str, object]:
    return {
        name: document.load(SourceFile(name, text), Diagnostics()) for name, text in texts.items()
    }


@pytest.mark.parametrize("name", sample(KEPT, test=8, full=5))
def test_what_is_put_together_is_split_again(name: str) -> None:
    kept = KEPT[name]
    others = told_beside(kept, languages=False)
    found = split(replace(kept.unit, rules=joined(kept), beside=others), schema, Diagnostics())
    assert found is not None
    assert trees(found.rules) == trees(kept.unit.rules)
    translations = told_beside(kept, languages=True)
    assert trees(found.beside) == trees({**found.beside, **translations})
    assert set(translations) <= set(found.beside)


@pytest.mark.full
@pytest.mark.parametrize("name", sample(KEPT, test=9, full=12))
def test_split_or_not_it_is_the_same_game_in_every_language(name: str, tmp_path: Path) -> None:
    kept, played = KEPT[name], NEEDED.get(name, name)
    folder = tmp_path / kept.folder.relative_to(ROOT)
    if (kept.folder / "pictures").exists():
        shutil.copytree(kept.folder / "pictures", folder / "pictures")
    for file, text in (joined(kept) | told_beside(kept, languages=False)).items():
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    assert_same(program(played, LIBRARY), program(played, Library(tmp_path, (ROOT,))))


def test_comments_and_order_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pebbles.yaml").write_text(ONE_FILE, encoding="utf-8")
    before = program("pebbles", Library())
    answer = CliRunner().invoke(app, ["format", "--split", "--check", "pebbles"])
    assert (answer.exit_code, Path("languages").exists()) == (1, False)
    answer = CliRunner().invoke(app, ["format", "--split", "pebbles"])
    assert answer.stdout == (
        "formatted: pebbles.yaml\nformatted: languages/pebbles.de.yaml\n"
        "2 files formatted, 0 in order\n"
    )
    assert Path("pebbles.yaml").read_text(encoding="utf-8") == RULES
    assert "  pebble @c2b2e5: Kiesel\n" in Path("languages/pebbles.de.yaml").read_text("utf-8")
    assert_same(before, program("pebbles", Library()))
    again = CliRunner().invoke(app, ["format", "--split", "pebbles"])
    assert again.stdout == "0 files formatted, 2 in order\n"


@pytest.mark.parametrize(
    "name, said",
    [
        ("nowhere", "there is no game 'nowhere'"),
        ("empty", "there is no game and no variant in 'empty'"),
        ("list.yaml", "'list.yaml' is neither a game nor a variant"),
    ],
)
def test_a_wrong_call_is_answered(
    name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("list.yaml").write_text("- 1\n", encoding="utf-8")
    answer = CliRunner().invoke(app, ["format", "--split", name])
    assert (answer.exit_code, said in answer.stderr) == (2, True)


def test_what_a_translation_says_otherwise_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pebbles.yaml").write_text(ONE_FILE, encoding="utf-8")
    Path(FOLDER).mkdir()
    german = "lawspeaker: 1\ntranslates: pebbles\nlanguage: de\ntitle: Steinchen\n"
    Path(FOLDER, "pebbles.de.yaml").write_text(german, encoding="utf-8")
    answer = CliRunner().invoke(app, ["format", "--split", "pebbles.yaml"])
    assert answer.exit_code == 1
    for told in ("pebbles.yaml:4:26", "languages/pebbles.de.yaml:4:1", "`title` is something else"):
        assert told in answer.output
    assert Path("pebbles.yaml").read_text(encoding="utf-8") == ONE_FILE
    assert Path(FOLDER, "pebbles.de.yaml").read_text(encoding="utf-8") == german
    Path(FOLDER, "pebbles.de.yaml").write_text(german.replace("Steinchen", "Kiesel"), "utf-8")
    assert CliRunner().invoke(app, ["format", "--split", "pebbles.yaml"]).exit_code == 0


def test_a_comment_on_a_translation_goes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = """\
    says:
      # of the English
      en: Who takes a pebble may keep it.  # behind it
      # of the German
      de: >-
        Wer einen Kiesel nimmt, behält ihn.
    # of the question
    asks:  # all of it
      en: Which pebble, {player}?
      de: Welchen Kiesel, {player}?  # or Stein?
"""
    start = ONE_FILE.index("    says:\n      en: Who")
    end = ONE_FILE.index("    guards:")
    Path("pebbles.yaml").write_text(ONE_FILE[:start] + told + ONE_FILE[end:], encoding="utf-8")
    assert CliRunner().invoke(app, ["format", "--split", "pebbles.yaml"]).exit_code == 0
    rules = Path("pebbles.yaml").read_text(encoding="utf-8")
    german = Path(FOLDER, "pebbles.de.yaml").read_text(encoding="utf-8")
    assert "    # of the English\n    says: Who takes a pebble may keep it.  # behind it\n" in rules
    assert "    # of the German\n    says @" in german
    assert "    # or Stein?\n    asks @" in german
    for comment in ("# of the English", "# behind it", "# of the question", "# all of it"):
        assert comment in rules
        assert comment not in german
    for comment in ("# of the German", "# or Stein?"):
        assert comment not in rules
