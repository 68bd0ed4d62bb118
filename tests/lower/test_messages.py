"""A fault is said in the same words by both machines, since neither has words of its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lawspeaker.machines import compiled, reference

MAKERS = {"fault", "fault_if"}


@pytest.mark.full
def test_no_machine_has_words_of_its_own() -> None:
    files = [
        file
        for machine in (reference, compiled)
        for file in Path(str(machine.__file__)).parent.rglob("*.py")
    ]
    said = [
        f"{file.name}: {ast.unparse(node.args[0])}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MAKERS
        and node.args
        and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
    ]
    assert len(files) > 50
    assert said == []
