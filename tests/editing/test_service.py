"""The language service over a folder of its own: a small game with a variant, a translation and a
scenario."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.editing import lenses
from lawspeaker.editing.colours import colours
from lawspeaker.editing.fixes import fixes
from lawspeaker.editing.outline import foldings, outline
from lawspeaker.editing.renaming import CannotRename
from lawspeaker.faces.lsp import commands, translate
from lawspeaker.outside import folder as disk
from lawspeaker.outside.language_service import LanguageService, edited
from tests.language.games import BAD, compiled

ORCHARD = Path(__file__).parent / "orchard"


class Folder:
    """A copy of the game, and questions about places in it: the | in a text."""

    def __init__(self, root: Path) -> None:
        shutil.copytree(ORCHARD, root)
        self.root = root
        self.rules = root / "rules" / "orchard"
        self.picking = self.rules / "picking.yaml"
        self.scenario = self.rules / "scenarios" / "green.yaml"
        self.greedy = root / "variants" / "orchard" / "greedy.yaml"
        self.workspace = disk.FolderWorkspace(root)
        self.service = LanguageService(self.workspace)

    def at(self, path: Path, marked: str) -> int:
        text = self.service.workspace.source(path).text
        plain = marked.replace("|", "")
        assert text.count(plain) == 1, plain
        return text.index(plain) + marked.index("|")

    def write(self, path: Path, old: str, new: str) -> int:
        """Changes an open text; gives the place of the | in what is new."""
        text = self.service.workspace.source(path).text
        assert text.count(old) == 1, old
        self.workspace.open(path, text.replace(old, new.replace("|", "")))
        return text.index(old) + max(new.find("|"), 0)

    def offered(self, old: str, new: str, path: Path | None = None) -> list[str]:
        """What is offered at the | when that is written, the best first."""
        path = path or self.picking
        self.service.look(path)
        offset = self.write(path, old, new)
        _, items = self.service.complete(path, offset)
        return [each.text for each in items]

    def problems(self, path: Path) -> list[Diagnostic]:
        return self.service.problems(path, played=True).found[path.resolve()]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "orchard")


# ---------------------------------------------------------------- messages and fixes


def test_rules_in_order_have_no_errors(folder: Folder) -> None:
    assert not folder.problems(folder.picking)
    assert not folder.problems(folder.greedy)
    assert not folder.problems(folder.scenario)


def test_what_is_open_counts_and_not_what_is_on_the_disk(folder: Folder) -> None:
    folder.write(folder.picking, "basket of picker", "baskte of picker")
    (found,) = folder.problems(folder.picking)
    assert found.code == "unknown-name"
    folder.workspace.close(folder.picking)
    assert not folder.problems(folder.picking)


def test_a_misspelt_name_is_mended(folder: Folder) -> None:
    folder.write(folder.picking, "basket of picker", "baskte of picker")
    (found,) = folder.problems(folder.picking)
    (fix,) = folder.service.fixes(folder.picking, found)
    assert fix.title == "Change to `basket`"
    texts = edited([(folder.picking, each) for each in fix.edits])
    assert "move plum to basket of picker" in texts[folder.picking]


def test_a_misspelt_form_is_mended_in_its_sentence() -> None:
    _, diagnostics = compiled(BAD / "missing_form.yaml", BAD)
    (fix,) = (fix for found in diagnostics for fix in fixes(found, None))
    assert [(each.span.text, each.text) for each in fix.edits] == [("too", "to")]


def test_a_sign_of_other_languages_is_mended(folder: Folder) -> None:
    folder.write(folder.picking, "ripeness of plum is ripe:", "ripeness of plum != green:")
    (found,) = folder.problems(folder.picking)
    (fix,) = folder.service.fixes(folder.picking, found)
    texts = edited([(folder.picking, each) for each in fix.edits])
    assert "ripeness of plum is not green:" in texts[folder.picking]


@pytest.mark.parametrize(
    "said",
    ["score of active > 10 then", "score of active > 10 then:", "active has score > 10 then"],
)
def test_a_condition_in_prose_is_mended_at_once(folder: Folder, said: str) -> None:
    folder.write(folder.picking, "active becomes ann", f"if {said} active becomes ann")
    (found,) = folder.problems(folder.picking)
    (fix,) = folder.service.fixes(folder.picking, found)
    mended = edited([(folder.picking, each) for each in fix.edits])[folder.picking]
    assert "if score of active > 10: active becomes ann" in mended
    folder.workspace.open(folder.picking, mended)
    assert "syntax" not in {each.code for each in folder.problems(folder.picking)}


def test_a_misspelt_target_of_a_change_is_mended(folder: Folder) -> None:
    folder.write(folder.greedy, "picking.sweet_first", "picking.swet_first")
    (found,) = folder.problems(folder.greedy)
    (fix,) = folder.service.fixes(folder.greedy, found)
    assert "amend: picking.sweet_first" in edited([(folder.greedy, fix.edits[0])])[folder.greedy]


def test_a_sentence_is_added_for_a_guard(folder: Folder) -> None:
    folder.write(
        folder.picking, "otherwise: cannot", "where cheap: worth < 9\n        otherwise: cannot"
    )
    (found,) = folder.problems(folder.picking)
    (fix,) = folder.service.fixes(folder.picking, found)
    folder.workspace.open(
        folder.picking, edited([(folder.picking, each) for each in fix.edits])[folder.picking]
    )
    assert not folder.problems(folder.picking)


def test_translations_are_brought_up_to_date(folder: Folder) -> None:
    ((path, edit),) = folder.service.translations(folder.picking)
    assert path == folder.rules / "languages" / "de.yaml"
    assert "What a ripe plum is worth." in edit.text
    assert "Pflaume" in edit.text


def test_a_translation_that_has_no_file_yet_is_begun(folder: Folder) -> None:
    game = folder.rules / "game.yaml"
    folder.write(game, "languages: [en, de]", "languages: [en, de, it]")
    missing = [each for each in folder.problems(game) if each.code == "missing-translation"]
    assert missing
    _, (path, edit) = sorted(folder.service.translations(game))
    assert path == folder.rules / "languages" / "it.yaml"
    assert edit.span.file.text == ""
    assert "language: it\n" in edit.text
    made = translate.workspace_edit([(path, edit)], [path]).document_changes
    assert made is not None
    assert [type(each) for each in made] == [lsp.CreateFile, lsp.TextDocumentEdit]
    path.write_text(edit.text, encoding="utf-8")
    folder.workspace.changed_outside()
    assert [each for each, _ in folder.service.translations(game)] == [
        folder.rules / "languages" / "de.yaml"
    ], "as it ought to be: nothing is written into it again"


@pytest.mark.parametrize("id", ["plum.", "told.", ".", "_"])
def test_a_name_of_which_only_the_beginning_is_written_is_told(folder: Folder, id: str) -> None:
    german = folder.rules / "languages" / "de.yaml"
    folder.write(german, "plum: Pflaume", f"plum: Pflaume\n  {id}: x")
    (found,) = (each for each in folder.problems(german) if each.code == "unknown-text")
    assert found.span.text == id


def test_a_scenario_that_does_not_hold_is_told_at_its_place(folder: Folder) -> None:
    folder.write(folder.scenario, "basket ann: soft", "basket ann: hard")
    (found,) = folder.problems(folder.scenario)
    assert found.code == "scenario-failed"
    assert found.span.text == "hard"


def test_a_file_is_brought_into_layout(folder: Folder) -> None:
    assert folder.service.formatted(folder.picking) is None
    folder.write(folder.picking, "    says: What", "    says:    What")
    edit = folder.service.formatted(folder.picking)
    assert edit is not None
    assert "    says: What a ripe" in edit.text


# ---------------------------------------------------------------- completion


@pytest.mark.parametrize(
    "old, new, first",
    [
        ("move plum to basket of picker", "move |", "left"),
        ("move plum to basket of picker", "move plum to |", "left"),
        ("plum is soft or", "plum is | or", "hard"),
        ("ripeness of plum is ripe:", "ripeness of plum is |", "green"),
        ("ripeness of plum is ripe:", "| of plum is ripe:", "basket"),
        ("do picking(active)", "do pi|", "game"),
        ("picker scores worth", "picker scores |", "ripe_plums"),
        ("count of plums in tree where", "count of plums in | where", "basket"),
    ],
)
def test_what_fits_is_offered_first(folder: Folder, old: str, new: str, first: str) -> None:
    assert folder.offered(old, new)[0] == first


def test_a_clause_is_offered_with_what_it_is_given(folder: Folder) -> None:
    assert "picking(picker)" in folder.offered("do picking(active)", "do |")


def test_words_of_the_language_are_offered_where_they_can_stand(folder: Folder) -> None:
    offered = folder.offered("move plum to basket of picker", "mov|")
    assert {"move", "do", "if", "for each"} <= set(offered)
    assert "becomes" not in offered


def test_names_of_a_clause_are_offered_in_a_change_of_it(folder: Folder) -> None:
    offered = folder.offered("unless: picker is ben", "unless: | is ben", folder.greedy)
    assert {"picker", "plum"} <= set(offered)


def test_targets_of_changes_are_offered(folder: Folder) -> None:
    offered = folder.offered("amend: picking.sweet_first", "amend: |", folder.greedy)
    assert {"picking", "picking.sweet_first", "worth", "pieces.plum"} <= set(offered)


def test_keys_are_offered_that_are_not_there_yet(folder: Folder) -> None:
    offered = folder.offered("    asks: Which plum do you take?\n", "    |\n")
    assert "asks" in offered
    assert "title" not in offered


def test_completion_needs_no_sound_rules(folder: Folder) -> None:
    folder.service.look(folder.picking)
    folder.write(folder.picking, "picker scores worth", "picker scores worht +")
    assert "basket" in folder.offered("move plum to basket of picker", "move plum to |")


# ---------------------------------------------------------------- words and where they stand


@pytest.mark.parametrize(
    "marked, told",
    [
        ("do pi|cking(active)", ("**picking(picker)**", "Who is on turn takes a plum.")),
        ("where sweet|_first: plum", ("guard of `picking`", "nobody takes a green one")),
        ("let le|ft be", ("**left**", "a tree")),
        ("scores wo|rth", ("choice", "What a ripe plum is worth.")),
        ("or ripe_pl|ums = 0", ("value", "How many ripe plums")),
        ("rep|eat until tree", ("repeat",)),
    ],
)
def test_a_word_is_explained(folder: Folder, marked: str, told: tuple[str, ...]) -> None:
    found = folder.service.hover(folder.picking, folder.at(folder.picking, marked))
    assert found is not None
    for each in told:
        assert each in found[1]


@pytest.mark.parametrize(
    "marked, file, line",
    [
        ("do pi|cking(active)", "picking.yaml", 15),
        ("to bas|ket of", "game.yaml", 25),
        ("is so|ft or", "game.yaml", 20),
        ("to basket of pic|ker", "picking.yaml", 21),
        ("or ripe_pl|ums = 0", "picking.yaml", 33),
    ],
)
def test_a_word_leads_to_its_declaration(folder: Folder, marked: str, file: str, line: int) -> None:
    found = folder.service.definition(folder.picking, folder.at(folder.picking, marked))
    assert found is not None
    assert (found[0].name, found[1].line) == (file, line)


def test_a_guard_is_found_in_variants_scenarios_and_translations(folder: Folder) -> None:
    offset = folder.at(folder.picking, "where sweet|_first: plum")
    found = folder.service.references(folder.picking, offset)
    assert {path.name for path, _ in found} == {
        "picking.yaml",
        "greedy.yaml",
        "green.yaml",
        "de.yaml",
    }
    assert {span.text for _, span in found} == {"sweet_first"}


# ---------------------------------------------------------------- renaming


def renamed(folder: Folder, marked: str, new: str) -> dict[str, str]:
    offset = folder.at(folder.picking, marked)
    texts = edited(folder.service.rename(folder.picking, offset, new))
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    folder.workspace.changed_outside()
    return {path.name: text for path, text in texts.items()}


@pytest.mark.parametrize(
    "marked, new, where",
    [
        ("pl|um is soft", "cherry", {"game.yaml", "picking.yaml", "green.yaml", "de.yaml"}),
        ("pi|cking(active)", "harvest", {"picking.yaml", "greedy.yaml", "green.yaml", "de.yaml"}),
        ("sweet|_first: plum", "best", {"picking.yaml", "greedy.yaml", "green.yaml", "de.yaml"}),
        ("is so|ft or", "tender", {"game.yaml", "picking.yaml", "green.yaml"}),
        ("scores wo|rth", "value_of_ripe", {"picking.yaml", "greedy.yaml"}),
        ("or ripe_pl|ums = 0", "sweet_plums", {"picking.yaml"}),
        ("let le|ft be", "crown", {"picking.yaml"}),
        ("basket of pic|ker", "taker", {"picking.yaml", "greedy.yaml"}),
    ],
)
def test_a_new_name_goes_wherever_the_thing_is_named(
    folder: Folder, marked: str, new: str, where: set[str]
) -> None:
    assert set(renamed(folder, marked, new)) == where
    for path in (folder.picking, folder.greedy, folder.scenario):
        assert not [each for each in folder.problems(path) if each.severity == "error"]
    assert folder.service.scenario(folder.scenario).passed


def test_a_plural_follows(folder: Folder) -> None:
    texts = renamed(folder, "pl|um is soft", "cherry")
    assert "count of cherrys in tree where ripeness of cherry is ripe" in texts["picking.yaml"]


@pytest.mark.parametrize(
    "marked, new, why",
    [
        ("pl|um is soft", "Plum Tree", "no name"),
        ("pl|um is soft", "move", "word of the language"),
        ("is so|ft or", "hard", "already a kind"),
        ("let le|ft be", "picker", "would be wrong"),
        ("rep|eat until tree", "again", "nothing that the rules have named"),
    ],
)
def test_a_name_that_would_break_something_is_refused(
    folder: Folder, marked: str, new: str, why: str
) -> None:
    with pytest.raises(CannotRename, match=why):
        folder.service.rename(folder.picking, folder.at(folder.picking, marked), new)


# ---------------------------------------------------------------- what is shown beside


def test_the_outline_has_clauses_with_their_guards(folder: Folder) -> None:
    found = outline(folder.service.root(folder.picking))
    assert [each.name for each in found] == ["choices", "rules"]
    picking = found[1].below[1]
    assert (picking.name, picking.detail) == ("picking", "Picking a plum")
    assert [each.name for each in picking.below] == ["sweet_first"]


def test_clauses_can_be_folded(folder: Folder) -> None:
    assert (15, 29) in set(foldings(folder.service.root(folder.picking)))


def test_code_has_colours_by_what_its_words_are(folder: Folder) -> None:
    named = folder.service.named_in(folder.picking)
    found = colours(folder.service.root(folder.picking), named)
    sorts = {span.text: sort for span, sort in found}
    assert sorts["basket"] == "place"
    assert sorts["soft"] == "kind"
    assert sorts["worth"] == "choice"
    assert sorts["move"] == "keyword"
    assert sorts["6"] == "number"


def test_a_word_is_told_while_the_text_is_broken(folder: Folder) -> None:
    folder.service.look(folder.picking)
    folder.write(folder.picking, "move plum to basket of picker", "move plum to basket of picker (")
    looks = folder.workspace.version
    found = folder.service.hover(folder.picking, folder.at(folder.picking, "plum to bask|et of"))
    assert found is not None
    assert "**basket** · place" in found[1]
    assert found[0].text == "basket"
    assert found[0].file.text == folder.workspace.source(folder.picking).text
    assert folder.workspace.version == looks


def test_a_declaration_is_gone_to_where_it_stands_now(folder: Folder) -> None:
    folder.service.look(folder.picking)
    entry = folder.rules / "game.yaml"
    folder.workspace.open(entry, "# above\n" + folder.workspace.source(entry).text)
    place = folder.at(folder.picking, "move plum to bask|et of picker")
    found = folder.service.definition(folder.picking, place)
    assert found is not None
    assert (found[0], found[1].text) == (entry, "basket")
    assert found[1].file.text.startswith("# above")


def test_a_word_that_has_grown_is_another(folder: Folder) -> None:
    folder.service.look(folder.picking)
    place = folder.write(folder.picking, "to basket of picker", "to bask|etry of picker")
    assert folder.service.hover(folder.picking, place) is None


def test_let_shows_what_a_name_is(folder: Folder) -> None:
    assert [said for _, said in folder.service.let_types(folder.picking)] == ["a tree"]


def test_a_scenario_says_whether_it_holds(folder: Folder) -> None:
    root = folder.service.root(folder.scenario)
    first, *_ = lenses.of_scenario(root, folder.service.scenario(folder.scenario))
    assert first.title == "Run this scenario: ✓ holds, 1 step"
    folder.write(folder.scenario, "basket ann: soft", "basket ann: hard")
    first, *more = lenses.of_scenario(root, folder.service.scenario(folder.scenario))
    assert "✗" in first.title
    assert not more


def test_a_variant_says_what_it_changes(folder: Folder) -> None:
    root = folder.service.root(folder.greedy)
    (lens,) = lenses.of_variant(root)
    assert lens.title == "What does this variant change? 2 changes"
    before, after = folder.service.look(folder.picking), folder.service.look(folder.greedy)
    assert before is not None
    assert before.lexicon is not None
    assert after is not None
    assert after.lexicon is not None
    told = lenses.changes(root, before.lexicon, after.lexicon)
    assert "**set** `worth`: 3" in told


def test_broken_yaml_breaks_nothing(folder: Folder) -> None:
    folder.service.look(folder.picking)
    offset = folder.write(folder.picking, "  picking:\n    title:", "  picking: [|\n    title:")
    assert folder.problems(folder.picking)
    assert folder.service.hover(folder.picking, offset) is None
    assert not folder.service.references(folder.picking, offset)
    assert outline(folder.service.root(folder.picking)) == []
    folder.service.complete(folder.picking, offset)
    assert folder.service.formatted(folder.picking) is None


def test_how_often_rules_fire_is_measured_when_somebody_asks(folder: Folder) -> None:
    before = commands.lenses(folder.service, folder.picking)
    assert [each.command for each in before] == ["fires"]
    assert "200 games of 2 `random` bots, seed 1" in before[0].title
    found = commands.fires(folder.service, folder.picking)
    assert found is not None
    assert found.clauses["picking"].times > 1
    assert found.clauses["picking"].games == 1
    titles = [each.title for each in commands.lenses(folder.service, folder.picking)]
    assert any(each.startswith("fires ") and each.endswith("in 100% of games") for each in titles)
    assert commands.fires(folder.service, folder.picking) is found
    # Other rules have other figures.
    folder.write(folder.picking, "is worth", "counts")
    assert "Play 200" in commands.lenses(folder.service, folder.picking)[0].title
