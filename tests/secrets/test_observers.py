"""The tables of docs/secrets.md on what others see of a rule, held against language and cases."""

from __future__ import annotations

import re

import pytest

from lawspeaker import ir
from lawspeaker.meaning.secrets.expression_labels import Looking
from lawspeaker.meaning.secrets.ranges import Ranges
from tests.repo.checkout import ROOT
from tests.repo.test_node_tables import EXPRESSIONS, STATEMENTS, cases
from tests.secrets.test_cases import ALL

PAGE = (ROOT / "docs" / "secrets.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## What others see of a rule\n")[2].partition("\n## ")[0]
CASES = {f"{each.file}: {each.name}": each for each in ALL}
SAFE_ITSELF = {ir.And, ir.Or, ir.Conditional, ir.Compare, ir.Count, ir.Exists, ir.IsEmpty}
"""Expressions that are looked at in a way of their own, and are no fault themselves."""


def rows(first: str) -> list[dict[str, str]]:
    """The rows of the table with this first column."""
    table = re.search(rf"^\| {first} .*\n\|[-|]+\n((?:\|.*\n)+)", SECTION, re.MULTILINE)
    assert table is not None
    head, *_ = table.group().splitlines()
    names = [cell.strip() for cell in head.strip("|").split("|")]
    lines = (line.strip("|").split("|") for line in table[1].splitlines())
    return [dict(zip(names, (cell.strip() for cell in line), strict=True)) for line in lines]


def nodes(row: dict[str, str]) -> set[str]:
    return set(re.findall(r"[A-Z]\w+", row["node"]))


def test_every_statement_has_a_row() -> None:
    found = [name for row in rows("statement") for name in nodes(row)]
    assert sorted(found) == sorted(each.__name__ for each in STATEMENTS)


def test_every_expression_that_can_be_a_fault_is_in_the_table() -> None:
    """Those that the checker asks for, and no others."""
    told = set().union(*map(nodes, rows("fault"))) - {each.__name__ for each in STATEMENTS}
    can_fail = cases(Ranges.can_fail) & EXPRESSIONS
    assert {each.__name__ for each in can_fail} | {"CallFunction"} == told
    assert not can_fail & SAFE_ITSELF
    assert ir.CallFunction in cases(Looking._looks)


@pytest.mark.parametrize("row", [*rows("statement"), *rows("fault")], ids=lambda row: row["case"])
def test_a_row_names_a_case_that_is_refused(row: dict[str, str]) -> None:
    """Or, of a deed that tells, one that is not."""
    codes = {code for _, code in CASES[row["case"]].expected}
    if "fault" in row:
        assert "fault-reveals" in codes
    else:
        assert codes or row["others see"].startswith("told")
