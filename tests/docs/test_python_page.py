"""The Python of docs/python.md runs from top to bottom and prints what it says."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import lawspeaker
from lawspeaker.match.decision import Decision, Option
from tests.repo.checkout import ROOT

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
CALL = re.compile(r"`(match|option|question)\.(\w+)[`(]")
KINDS = {"match": lawspeaker.Match, "option": Option, "question": Decision}


def test_the_examples_run_and_print_what_they_say() -> None:
    names: dict[str, Any] = {"__name__": "page"}
    boxes = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert boxes
    for code in boxes:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert out.getvalue().splitlines() == re.findall(r"^ *print\(.*\)  # (.+)$", code, re.M)


def test_every_attribute_that_is_named_is_there() -> None:
    named = set(CALL.findall(PAGE))
    assert {("match", "rewind"), ("question", "prompt_in")} <= named
    assert [each for each in named if not hasattr(KINDS[each[0]], each[1])] == []
