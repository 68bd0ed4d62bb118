"""Files of a draft come and go: begun, called otherwise, taken out, saved together."""

from __future__ import annotations

import io
import zipfile
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile, SourceFile
from lawspeaker.faces.web.workshop import filing, heads, jobs
from lawspeaker.faces.web.workshop.starting import house_rule, new_game
from lawspeaker.faces.web.workshop.trial_positions import compiled
from lawspeaker.text import document
from lawspeaker.text.document import Mapping
from tests.web.conftest import CATALOGUE

Found = dict[str, Any]


class Folder:
    """The files of a draft, as a page keeps them."""

    def __init__(self, *files: RuleFile) -> None:
        self.files = {each.name: each for each in files}

    @property
    def all(self) -> tuple[RuleFile, ...]:
        return tuple(self.files.values())

    def do(self, job: Callable[..., Iterator[Found]], *args: str) -> str:
        """Makes the changes that are told; gives why there are none."""
        (found,) = job(self.all, self.all, *args)
        for each in sorted(found["edits"], key=lambda each: -each["from"]):
            file = self.files[each["file"]]
            text = file.text[: each["from"]] + each["text"] + file.text[each["to"] :]
            self.files[file.name] = RuleFile(file.name, text, file.given)
        for name in found["gone"]:
            del self.files[name]
        for each in found["files"]:
            given = None if each["given"] is None else tuple(each["given"])
            self.files[each["name"]] = RuleFile(each["name"], each["text"], given)
        return str(found["why"])

    @property
    def wrong(self) -> list[str]:
        return [each.code for each in compiled(self.all)[1].sorted()]


@pytest.fixture
def folder() -> Folder:
    return Folder(*new_game().files)


def test_a_further_file_of_the_rules_is_named_where_it_is_read(folder: Folder) -> None:
    before = folder.files["game.yaml"].text
    assert folder.do(filing.begun, "game.yaml", "part", "scoring") == ""
    assert folder.do(filing.begun, "game.yaml", "part", "more") == ""
    assert "files: [scoring.yaml, more.yaml]\n" in folder.files["game.yaml"].text
    assert folder.wrong == []
    assert folder.do(filing.moved, "scoring.yaml", "points") == ""
    assert [*folder.files] == ["game.yaml", "more.yaml", "points.yaml"]
    assert folder.wrong == []
    for name in ("points.yaml", "more.yaml"):
        assert folder.do(filing.removed, name) == ""
        assert folder.wrong == []
    assert folder.files["game.yaml"].text == before


def test_a_translation_is_begun_and_the_game_says_that_it_has_it(folder: Folder) -> None:
    assert folder.do(filing.begun, "game.yaml", "variant", "ours") == ""
    assert folder.do(filing.begun, "ours.yaml", "translation", "fr") == "not_offered"
    assert folder.do(filing.begun, "game.yaml", "translation", "fr") == ""
    assert "language: en\nlanguages: [en, fr]\n" in folder.files["game.yaml"].text
    assert folder.do(filing.begun, "game.yaml", "translation", "es") == ""
    assert "languages: [en, fr, es]\n" in folder.files["game.yaml"].text
    assert folder.do(filing.begun, "ours.yaml", "translation", "fr") == ""
    assert "translates: my_game+ours\n" in folder.files["languages/ours.fr.yaml"].text
    assert set(folder.wrong) == {"missing-translation"}


def test_a_house_rule_takes_its_translations_along(folder: Folder) -> None:
    folder.do(filing.begun, "game.yaml", "variant", "ours")
    folder.do(filing.begun, "game.yaml", "translation", "fr")
    folder.do(filing.begun, "ours.yaml", "translation", "fr")
    assert folder.do(filing.moved, "ours.yaml", "theirs") == ""
    assert {"theirs.yaml", "languages/theirs.fr.yaml"} <= {*folder.files}
    assert not {"ours.yaml", "languages/ours.fr.yaml"} & {*folder.files}
    assert "variant: theirs\n" in folder.files["theirs.yaml"].text
    assert "lawspeaker play my_game+./theirs.yaml\n" in folder.files["theirs.yaml"].text
    assert "ours" not in folder.files["languages/theirs.fr.yaml"].text
    assert "translates: my_game+theirs\n" in folder.files["languages/theirs.fr.yaml"].text
    assert set(folder.wrong) == {"missing-translation"}
    assert folder.do(filing.removed, "theirs.yaml") == ""
    assert [*folder.files] == ["game.yaml", "languages/fr.yaml"]


@pytest.mark.parametrize(
    "kind, called, why",
    [
        ("variant", "My rule", "name"),
        ("variant", "../rule", "name"),
        ("variant", "x" * 70, "name"),
        ("part", "game", "taken"),
        ("translation", "french", "language"),
        ("translation", "en", "own_language"),
    ],
)
def test_what_cannot_be_begun_is_refused(folder: Folder, kind: str, called: str, why: str) -> None:
    before = folder.all
    assert folder.do(filing.begun, "game.yaml", kind, called) == why
    assert folder.all == before


def test_rules_that_cannot_be_read_are_mended_first() -> None:
    folder = Folder(RuleFile("game.yaml", "game: [\n"))
    for kind, called in (("variant", "ours"), ("part", "more"), ("translation", "fr")):
        assert folder.do(filing.begun, "game.yaml", kind, called) == "mend_first"


def test_the_file_that_rules_begin_with_stays(folder: Folder) -> None:
    assert folder.do(filing.removed, "game.yaml") == "stays"
    assert folder.do(filing.moved, "game.yaml", "other") == "stays"
    folder.do(filing.begun, "game.yaml", "translation", "fr")
    assert folder.do(filing.moved, "languages/fr.yaml", "it") == "stays"


HEAD = "game: fair\nfiles:\n  - one.yaml  # the first\n  - two.yaml\n\nrules: {}\n"


@pytest.mark.parametrize(
    "text, name, without",
    [
        (HEAD, "two.yaml", "game: fair\nfiles:\n  - one.yaml  # the first\n\nrules: {}\n"),
        (HEAD, "one.yaml", "game: fair\nfiles:\n  - two.yaml\n\nrules: {}\n"),
        (HEAD, "three.yaml", HEAD),
        ("files: [a.yaml, b.yaml]\n", "a.yaml", "files: [b.yaml]\n"),
        ("files: [a.yaml, b.yaml]\n", "b.yaml", "files: [a.yaml]\n"),
        ("game: x\nfiles:\n  - a.yaml", "a.yaml", "game: x\n"),
    ],
)
def test_a_list_in_the_head_loses_a_name(text: str, name: str, without: str) -> None:
    for each in heads.take_out(root_of(text), "files", name):
        text = text[: each.span.start] + each.text + text[each.span.end :]
    assert text == without


def test_a_list_in_the_head_gets_a_name() -> None:
    edit = heads.put_in(root_of(HEAD), "files", "three.yaml")
    text = HEAD[: edit.span.start] + edit.text + HEAD[edit.span.end :]
    assert text == HEAD.replace("  - two.yaml\n", "  - two.yaml\n  - three.yaml\n")


def root_of(text: str) -> Mapping:
    root = document.load(SourceFile("game.yaml", text), Diagnostics())
    assert isinstance(root, Mapping)
    return root


# -------------------------------------------------------------------- saving


def test_a_house_rule_is_saved_with_its_translations() -> None:
    draft = house_rule(CATALOGUE, "nim")
    original = CATALOGUE.game("nim").files
    folder = Folder(*original, *draft.files)
    assert folder.do(filing.begun, "my_rule.yaml", "translation", "fr") == ""
    (found,) = jobs.patched(original, folder.all, "other")
    assert found["name"] == "my_rule.zip"
    assert found["plays"] == ["./my_rule/my_rule.yaml"]
    with zipfile.ZipFile(io.BytesIO(b64decode(found["text"]))) as saved:
        names = saved.namelist()
        text = saved.read("my_rule/my_rule.yaml").decode()
    assert names == ["my_rule/my_rule.yaml", "my_rule/languages/my_rule.fr.yaml"]
    assert text == draft.files[0].text


def test_a_game_of_ones_own_is_saved_whole(folder: Folder) -> None:
    (alone,) = jobs.gathered(folder.all)
    assert (alone["name"], alone["plays"]) == ("game.yaml", ["./game.yaml"])
    folder.do(filing.begun, "game.yaml", "part", "scoring")
    folder.do(filing.begun, "game.yaml", "variant", "ours")
    (found,) = jobs.gathered(folder.all)
    assert found["name"] == "my_game.zip"
    assert found["plays"] == ["./my_game", "./my_game/ours.yaml"]
