"""Which nodes, forms of the grammar and keys of declarations random rule files have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import yaml
from lark import Tree

from lawspeaker.ir.walk import code_of, everything
from lawspeaker.text.parse import grammar
from tests.repo.checkout import ROOT
from tests.secrets.generated.extended import EXTENSIONS, generated
from tests.secrets.generated.extension import with_lines
from tests.secrets.generated.files import TABLE, WINDOW
from tests.secrets.generated.playing import SECRETS, checked
from tests.secrets.leaking import overheard

STARTS = {"rule": "rule", "offers": "offers", "as": "value", "define": "header"}
"""What the code of a clause is, by its key."""
SECTIONS = ("words", "pieces", "places", "markers", "choices", "windows", "rules")


def nodes_of(seed: int) -> set[type]:
    """The nodes of the file of a seed, whatever it gives away."""
    file = generated(seed)
    text = file.text.replace("files: [table.yaml]\n", "")
    return {type(each) for each in everything(code_of(overheard(text + file.table)))}


def grammar_forms(seed: int) -> set[str]:
    """The forms of the grammar in the file of a seed."""
    found: set[str] = set()
    for clause in yaml.safe_load(generated(seed).text)["rules"].values():
        codes = [(start, clause[key]) for key, start in STARTS.items() if key in clause]
        codes += [("value", each) for each in clause.get("where", {}).values()]
        for start, code in codes:
            trees = grammar().parse(str(code), start=start).iter_subtrees()
            found |= {each.data for each in trees if isinstance(each, Tree)}
    return found


def can_be_written() -> set[str]:
    """All that there are; a rule that only passes on what is inside has no tree of its own."""
    rules = grammar().rules
    names = {each.alias or each.origin.name for each in rules if not each.options.expand1}
    names |= {each.alias for each in rules if each.alias}
    return {name for name in names if not name.startswith("_")}


def covering(wanted: Iterable[type], seeds: Iterable[int]) -> Iterator[int]:
    """Those seeds whose files have a node that none before has, until there is nothing left."""
    missing = set(wanted)
    for seed in seeds:
        well_typed = {each.code for each in checked(generated(seed)).errors} <= set(SECRETS)
        found = missing & nodes_of(seed) if well_typed else set[type]()
        missing -= found
        if found:
            yield seed
        if not missing:
            return


def declared(seeds: Iterable[int]) -> set[str]:
    """The sections and their keys that tables have, and the clauses of the files of some seeds."""
    table = TABLE
    for extension in EXTENSIONS:
        for section, lines in extension.table.items():
            table = with_lines(table, section, lines)
    texts = (table, WINDOW, *(generated(seed).text for seed in seeds))
    return {key for text in texts for key in _keys(yaml.safe_load(text))}


def can_be_declared() -> set[str]:
    """All that there are, by the schema."""
    schema = json.loads((ROOT / "schema" / "game.schema.json").read_text(encoding="utf-8"))
    sections: dict[str, Any] = schema["properties"]
    return set(sections) | {key for name in SECTIONS for key in _properties(sections[name])}


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inside in value.items():
            yield str(key)
            yield from _keys(inside)
    elif isinstance(value, list):
        for each in value:
            yield from _keys(each)


def _properties(schema: Any) -> Iterator[str]:
    for key, inside in schema.items() if isinstance(schema, dict) else ():
        if key == "properties":
            yield from inside
        yield from _properties(inside)
