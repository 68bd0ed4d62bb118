"""Small cases of secrets, kept and given away: each is checked as a whole game.

The files in cases/ hold games on one table (cases/table.yaml), each as the clauses of its rules.
What gives a secret away is marked on its line, as in tests/language/bad: `# error: CODE`. A case
without a mark has to be clean. Of the first message, `way` are the words of the steps it shows, and
`says` is part of what it says. `always` stands after the rules, and
`players` is the number of players from which on it is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
import yaml

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.tiers import sample

CASES = Path(__file__).parent / "cases"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TABLE = (CASES / "table.yaml").read_text(encoding="utf-8")
WINDOW = """\
windows:
  moment:
    says: A card may be played.
    asks: Do you play a card?
    given: {points: number}
    may change: [points]
"""
WORTH = """\
worth:
  define: worth of player
  as: sum of value of card for each card in hand of player
"""
GOLDEN = """\
golden:
  define: player is golden
  as: there is a card in hand of player where card is gold
"""
POSITION = """\
  position: {remembers: [tray, bag, active]}
"""
_MARK = re.compile(r"# error: (.*)")
_HEAD = re.compile(r"^([a-z_.]+):$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    file: str
    name: str
    text: str
    way: tuple[str, ...]
    says: str

    @property
    def expected(self) -> list[tuple[int, str]]:
        return sorted(
            (number, code)
            for number, line in enumerate(self.text.split("\n"), start=1)
            for mark in _MARK.findall(line)
            for code in re.split(r",\s*", mark)
        )

    def found(self) -> list[Diagnostic]:
        diagnostics = Diagnostics()
        file = SourceFile("case.yaml", self.text)
        compile_game(file, lambda name, span: None, schema("game"), diagnostics)
        return [each for each in diagnostics.sorted() if each.severity == "error"]


def cases() -> Iterator[Case]:
    for file in sorted(CASES.glob("*.yaml")):
        if file.name != "table.yaml":
            for each in yaml.load(file.read_text(encoding="utf-8"), LOADER):
                yield case(file.stem, each)


def case(file: str, each: dict[str, Any]) -> Case:
    rules = each["rules"]
    if not rules.startswith("game:"):
        rules = "game:\n  rule: |\n" + _indented(rules, 4)
    rules += WORTH if "worth of" in rules else ""
    rules += GOLDEN if "is golden" in rules else ""
    rules = _HEAD.sub(r"\1:\n  says: So it is.", rules)
    window = each.get("window", WINDOW if "when: moment" in rules else "")
    position = POSITION if "remember position" in rules else ""
    table = TABLE.replace("from: 3", f"from: {each.get('players', 3)}")
    text = f"{table}{position}{window}rules:\n{_indented(rules, 2)}{each.get('always', '')}"
    return Case(file, each["case"], text, tuple(each.get("way", ())), each.get("says", ""))


def _indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.rstrip().split("\n"))


ALL = list(cases())


@pytest.mark.parametrize(
    "case", sample(ALL, test=4, full=2), ids=lambda case: f"{case.file}: {case.name}"
)
def test_the_checker_reports_what_a_case_expects(case: Case) -> None:
    found = case.found()
    told = "\n".join(f"{each}: {each.span.text}" for each in found)
    assert sorted((each.span.line, each.code) for each in found) == case.expected, told
    if case.way:
        assert tuple(label.text for label in found[0].labels) == case.way
    if case.says:
        assert case.says in found[0].message
    marked = [span.text for each in found for span in _marked(each)]
    assert not [text for text in marked if "\n" in text or "#" in text]


def _marked(one: Diagnostic) -> Iterator[Span]:
    """What a message marks: a line each, without what stands below it or comments on it."""
    yield one.span
    yield from (label.span for label in one.labels)


def test_there_are_as_many_good_ones_as_bad_ones() -> None:
    bad = [each for each in ALL if each.expected]
    assert len(bad) >= 100
    assert len(ALL) - len(bad) >= 100


def test_no_two_cases_have_one_name() -> None:
    names = [(each.file, each.name) for each in ALL]
    assert len(set(names)) == len(names)


ON_AND_ON = """\
game:
  rule: |
    let one be top of discard
    if one is not nothing:
      do shifting
      if vault of ann is not empty:
        pick a random card as other in vault of ann
        move other to hand of ben
        move one to hand of cy
shifting:
  rule: |
    draw card from heap to vault of ann
      otherwise: skip
    let next be top of discard
    if next is not nothing:
      move next to heap
"""
THERE_AND_BACK = (
    "    move all stones in bag to sack of ann",
    "    move all stones in sack of ann to bag",
)


@pytest.mark.full
@pytest.mark.parametrize("more, expected", [(198, []), (199, ["tells-a-secret"])])
def test_the_order_of_so_many_moves_is_kept(more: int, expected: list[str]) -> None:
    """Of more than 200 nobody knows any longer which came first."""
    rules = ON_AND_ON + "\n".join(islice(cycle(THERE_AND_BACK), more))
    found = case("moves", {"case": "on and on", "rules": rules}).found()
    assert [each.code for each in found] == expected
