"""The language reference is true: its examples run, its mistakes are answered as it says, and
nothing of the language is left out of it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from lark import Tree

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.game import Game
from lawspeaker.meaning.check import chains, names
from lawspeaker.meaning.check.values import STANCES
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.text import parse
from lawspeaker.text.format.renewing import RENEWED
from tests.docs.claims import check_end, check_first_question, play
from tests.docs.examples import (
    REFERENCE,
    Block,
    Example,
    accept,
    anchor,
    bad_examples,
    blocks,
    complaints_text,
    examples,
    good_examples,
    reference,
    stages,
    told_in_play,
)
from tests.repo.checkout import ROOT

SEEDS = range(4)
CODE = {"rule": "rule", "as": "value", "define": "header", "offers": "offers"}
TABLES: tuple[dict[str, Any], ...] = ({}, {"discretion": "discreet"}, {"chance": "ask"})


# ---------------------------------------------------------------- examples


def test_there_are_examples() -> None:
    assert len(good_examples()) > 40
    assert len(bad_examples()) > 15


@pytest.mark.parametrize("block", stages(), ids=str)
def test_a_game_without_a_main_clause_has_parts(block: Block) -> None:
    assert any(example.base is block for example in examples())


@pytest.mark.parametrize("example", good_examples(), ids=str)
def test_good_example(example: Example) -> None:
    program, diagnostics = example.program()
    assert complaints_text(diagnostics) == ""
    assert program is not None
    game = Game(program, program.name)
    for table in TABLES:
        for seed in SEEDS:
            for players in game.players:
                match = game.start(players, seed, **table)
                if not table:
                    check_first_question(match, example)
                play(match, random.Random(seed))
                check_end(match, example)


def test_the_first_page_says_why_not() -> None:
    program, _ = examples()[0].program()
    assert program is not None
    match = Game(program, program.name).start(seed=0)
    for reply in ("take 3", "take 3", "take 1"):
        match.choose(reply)
    decision = match.decision
    assert decision is not None
    assert [option.text for option in decision.options] == ["take 1", "take 2"]
    assert match.why_not("take 3").message in " ".join(reference().split())


@pytest.mark.xdist_group("language reference")
@pytest.mark.parametrize("example", bad_examples(), ids=str)
def test_bad_example(example: Example, request: pytest.FixtureRequest) -> None:
    program, diagnostics = example.program()
    above = example.block.above
    said = complaints_text(diagnostics, above)
    if program is not None and not said:
        with pytest.raises(RuleFault) as caught:
            play(Game(program, program.name).start(seed=0), random.Random(0))
        said = told_in_play(caught.value, above)
    if said != example.said and request.config.getoption("--accept"):
        accept(example, said)
        return
    assert said == example.said, "read it, then accept it: pytest --accept"


def test_the_lines_of_a_first_game_make_a_game() -> None:
    """What the table of the first chapter says stands in a game, word for word."""
    text = (Path(__file__).parent / "first_lines.yaml").read_text(encoding="utf-8")
    page = (REFERENCE / "first-game.md").read_text(encoding="utf-8")
    table = page.split("\n## Your first game\n", 1)[1].split("\n## ", 1)[0]
    rows = [row for row in table.splitlines() if row.startswith("| ")]
    assert len(rows) > 10
    assert [line for row in rows for line in ticked(row) if line not in text] == []
    diagnostics = Diagnostics()
    program = compile_game(
        SourceFile("first_lines.yaml", text), lambda name, span: None, schema("game"), diagnostics
    )
    assert complaints_text(diagnostics) == ""
    assert program is not None
    game = Game(program, program.name)
    for players in game.players:
        play(game.start(players, seed=players), random.Random(players))


# ---------------------------------------------------------------- nothing is left out


def words_of_the_grammar() -> set[str]:
    parse = ROOT / "interpreter" / "lawspeaker" / "text" / "parse"
    text = (parse / "grammar.lark").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("//", "_NL", "_CONT", "%"))]
    words = set(re.findall(r'"([a-z]+)"', "\n".join(lines)))
    for group in re.findall(r"/\(([a-z|]+)\)\\b/", "\n".join(lines)):
        words |= set(group.split("|"))
    for pair in re.findall(r"/([a-z]+)\[ \\t\]\+([a-z]+)\\b/", "\n".join(lines)):
        words |= set(pair)
    words |= set(re.findall(r"/([a-z]+)\(\?=", "\n".join(lines)))
    assert len(words) > 60
    return words


def test_every_word_of_the_grammar_is_in_the_table_of_words() -> None:
    words = words_of_the_grammar()
    never, also = words_in_table("Words that cannot be names"), words_in_table("Words that may be")
    assert never == set(parse.reserved_words())
    assert never | also == words


def words_in_table(heading: str) -> set[str]:
    """The words in the first column of the table below a heading."""
    below = reference().split(f"\n## {heading}", 1)[1].split("\n#", 1)[0]
    return {word for row in re.findall(r"^\| (`.*?) \|", below, re.M) for word in ticked(row)}


def ticked(text: str) -> list[str]:
    """What stands between backquotes, outside of blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def test_every_form_of_the_grammar_is_in_an_example() -> None:
    """But for old ones, which are only read."""
    grammar = parse.grammar()
    forms = {
        str(rule.alias or rule.origin.name)
        for rule in grammar.rules
        if rule.alias or not (rule.options.expand1 or rule.origin.name.startswith("_"))
    }
    found: set[str] = set()
    for start, code in codes():
        found |= {str(node.data) for node in grammar.parse(code, start=start).iter_subtrees()}
    assert forms - found == set(RENEWED)


def codes() -> Iterator[tuple[str, str]]:
    """All code in good examples, with the kind of code it is."""
    for example in good_examples():
        file = {} if example.block.spreadsheet else yaml.safe_load(example.block.text)
        for clause in file.get("rules", {}).values():
            for key, start in CODE.items():
                if key in clause:
                    yield start, str(clause[key])
            for condition in clause.get("where", {}).values():
                yield "value", str(condition)
        for always in file.get("always", {}).values():
            yield "value", str(always["holds"])


def test_every_word_of_the_grammar_is_in_an_example() -> None:
    used = {word for _, code in codes() for word in re.findall(r"[a-z_]+", code)}
    assert words_of_the_grammar() - used == set()


def test_trees_are_looked_into() -> None:
    tree: Tree[Any] = parse.grammar().parse("ann scores 1 + 2\n", start="rule")
    assert {"rule", "scores", "add"} <= {str(node.data) for node in tree.iter_subtrees()}


def test_every_key_of_the_schema_is_in_an_example() -> None:
    schema = json.loads((ROOT / "schema" / "game.schema.json").read_text(encoding="utf-8"))
    used = {
        key
        for block in blocks()
        if block.mark == "yaml"
        for key in keys(yaml.safe_load(block.text))
    }
    assert {key for key, _ in described(schema)} - used == set()


def test_every_value_of_the_schema_is_named() -> None:
    schema = json.loads((ROOT / "schema" / "game.schema.json").read_text(encoding="utf-8"))
    named = set(ticked(reference()))
    values = {value for _, about in described(schema) for value in about.get("enum", ())}
    values |= {value for about in schema["$defs"].values() for value in about.get("enum", ())}
    assert values - named == set()


def described(schema: Any) -> Iterator[tuple[str, Any]]:
    """All keys that a schema knows, with what it says about them."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for inner in schema.values():
            yield from described(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from described(inner)


def keys(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from keys(value)
    elif isinstance(node, list):
        for value in node:
            yield from keys(value)


def test_everything_built_in_is_named() -> None:
    named = set(ticked(reference()))
    assert {*names.BUILT_IN_PREDICATES, "player_count", *STANCES} - named == set()
    forms = [f"{name} of" for name in chains.BUILT_IN] + [f"{name}(" for name in chains.CALLS]
    assert [form for form in forms if not any(each.startswith(form) for each in named)] == []


# ---------------------------------------------------------------- the index of the docs


def test_links_lead_somewhere() -> None:
    """To a file that is there, and to a heading of it."""
    docs = ROOT / "docs"
    broken = []
    for page in (*docs.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        links = re.findall(r"\]\(([\w./-]*)(?:#([^)]+))?\)", prose(page))
        for target, heading in links:
            file = page.parent / target if target else page
            found = file.exists() and (not heading or heading in anchors(file))
            broken += [] if found else [f"{page.relative_to(ROOT)}: {target}#{heading}"]
    assert broken == []


@cache
def prose(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


@cache
def anchors(page: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.+)$", prose(page), re.M)}


@pytest.mark.parametrize("folder", ["docs", "docs/language"])
def test_the_index_names_every_page(folder: str) -> None:
    index = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / folder).glob("*.md")} - {"README.md"}
    assert pages - set(re.findall(r"\]\(([^)#:]+)\)", index)) == set()
