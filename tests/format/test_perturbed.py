"""However a file is spaced, indented and broken up: its canonical layout is the same; and wherever
remarks stand in it, they are kept."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.format.texts import neat
from tests.repo.checkout import ROOT
from tests.tiers import sample

FILES = [
    "rules/nim/game.yaml",
    "rules/othello/game.yaml",
    "rules/voluspa/scoring.yaml",
    "rules/walhalla/components.yaml",
    "rules/walhalla/landing.yaml",
    "rules/walhalla/names.yaml",
    "variants/voluspa/drakkar.yaml",
    "variants/walhalla/card_selling.yaml",
]
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=4, deadline=None, database=None)


@cache
def formatted(name: str) -> str:
    """A file as `lawspeaker format` writes it."""
    return neat((ROOT / name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Line:
    indent: int
    text: str
    sort: str
    """Code, text (whose spaces count), or frame."""


def lines(text: str) -> Iterator[Line]:
    sort, within = "frame", -1
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if line and indent <= within:
            sort = "frame"
        yield Line(indent, line.strip(" ") if sort != "text" else line[indent:], sort)
        if sort == "frame" and (opened := re.search(r"([|]|>-?)$", line)):
            item = re.match(r" *- ", line)
            within = indent + (2 if item and ":" in line else 0)
            drawing = re.match(r" *sign:", line)
            sort = "code" if opened[1] == "|" and not drawing else "text"


def in_braces(line: Line) -> bool:
    """Whether something in braces begins here; braces inside a text are part of it."""
    begins = re.search(r"^(- )?([^ ]+: )*[{\[]", line.text)
    return line.sort == "frame" and bool(begins) and '"' not in line.text


@pytest.mark.parametrize("name", sample(FILES, test=4))
@FEW
@given(seed=SEEDS)
def test_spaces_and_indentation_make_no_difference(name: str, seed: int) -> None:
    choose = random.Random(seed)
    step = choose.randint(1, 3)
    found: list[str] = []
    for line in lines(formatted(name)):
        text = line.text
        wild = choose.random() < 0.3
        if wild and line.sort == "code" and "#" not in text:
            text = re.sub(r" ", lambda _: " " * choose.randint(1, 4), text)
            text = re.sub(r"(?<=[(\[])|(?=[)\],])", " " * choose.randint(0, 2), text)
            text += " " * choose.randint(0, 3)
        elif wild and in_braces(line):
            text = re.sub(r", ?", lambda _: " " * choose.randint(0, 1) + ",  ", text)
            text = re.sub(r"(?<!\w)([{\[])", r"\1 ", text)  # In a word they are part of it.
        if line.sort == "frame" and text.startswith("- "):
            text = "-" + " " * (2 * step - 1) + text[2:]
        found.append(" " * (line.indent * step) + text if text else "")
        if wild and not text and line.sort == "frame":
            found.append("  ")
    assert neat("\n".join(found) + "\n\n") == formatted(name)


@pytest.mark.parametrize("name", sample(FILES, test=4))
@FEW
@given(seed=SEEDS)
@pytest.mark.full
def test_remarks_are_kept_wherever_they_stand(name: str, seed: int) -> None:
    choose = random.Random(seed)
    found: list[str] = []
    count = 0
    for line in lines(formatted(name)):
        spaces = " " * line.indent
        above = line.text and line.sort != "text" and choose.random() < 0.2
        if above and not re.match(r"[a-z]+: (.*,)?$", found[-1].strip() if found else ""):
            count += 1
            found.append(f"{spaces}# remark {count}")
        beside = line.text and "#" not in line.text and choose.random() < 0.2
        if beside and line.sort != "text" and not line.text.endswith((",", "]", ")")):
            count += 1
            found.append(f"{spaces}{line.text} # remark {count}")
        else:
            found.append(spaces + line.text)
    tidy = neat("\n".join(found) + "\n")
    assert len(re.findall(r"# remark \d+", tidy)) == count
    assert neat(tidy) == tidy


@pytest.mark.parametrize("name", sample(FILES, test=4))
@FEW
@given(seed=SEEDS)
def test_blank_lines_and_broken_conditions_settle_at_once(name: str, seed: int) -> None:
    choose = random.Random(seed)
    found: list[str] = []
    for line in lines(formatted(name)):
        text = line.text
        if line.sort == "code" and "#" not in text and choose.random() < 0.3:
            further = "\n" + " " * (line.indent + choose.randint(0, 6))
            text = re.sub(r" (?=(and|or|[+]) )", further, text)
        if line.sort != "text" and choose.random() < 0.2:
            found += [""] * choose.randint(1, 3)
        found.append(" " * line.indent + text if text else "")
    tidy = neat("\n".join(found) + "\n")
    assert neat(tidy) == tidy
    assert "\n\n\n" not in tidy
