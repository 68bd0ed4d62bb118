"""The referee in docs/protocol.md runs, agrees with the game, and finds a rule that is broken."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import pytest

import lawspeaker
from tests.repo.checkout import ROOT

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def run(code: str) -> tuple[list[str], dict[str, Any]]:
    names: dict[str, Any] = {}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "docs/protocol.md", "exec"), names)
    return out.getvalue().splitlines(), names


def example() -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert isinstance(code, str)
    return code


def test_the_referee_agrees_and_prints_what_it_says() -> None:
    code = example()
    told, _ = run(code)
    assert told == re.findall(r"^print\(.*\)\s+# (.+)$", code, re.M)


def test_the_referee_notices_another_rule() -> None:
    _, names = run(example())
    judge, payment = names["judge"], names["payment"]
    assert judge(names["CARDS"], []) == 5
    names["payment"] = lambda deck, replies: payment(deck, replies) + (replies[-1] == "call")
    with pytest.raises(AssertionError):
        judge(names["CARDS"], [])


def test_every_call_of_the_table_is_there() -> None:
    calls = re.findall(r"^\| `match\.(\w+)\(", PAGE, re.M)
    assert calls
    assert all(callable(getattr(lawspeaker.Match, call)) for call in calls)
