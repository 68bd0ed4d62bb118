"""Where something hidden leaks and may be meant to, `check` names the line to write. Written there,
it makes the leak public: that error goes, and none comes at this line."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.editing.fixes import Fix, fixes
from lawspeaker.outside.migrating import applied
from tests.language.games import BAD, compiled

FILES = (
    "tells_a_secret",
    "tells_a_secret_by_index",
    "tells_a_secret_of_a_side",
    "tells_a_secret_top",
    "asking_reveals",
    "hidden_from_chooser_changed",
)


def telling(diagnostics: Diagnostics) -> list[tuple[Diagnostic, Fix]]:
    pairs = ((each, fix) for each in diagnostics for fix in fixes(each, None))
    return [(each, fix) for each, fix in pairs if "tell " in fix.title]


@pytest.mark.parametrize("name", FILES)
def test_the_line_that_is_named_helps(name: str, tmp_path: Path) -> None:
    entry = BAD / f"{name}.yaml"
    found = telling(compiled(entry, BAD)[1])
    assert found
    for diagnostic, fix in found:
        assert fix.title.split("`")[1] in (diagnostic.hint or "")
        line = diagnostic.span.line
        written = fix.edits[0].text.count("\n")
        first = fix.edits[0].span.line
        text = applied(entry.read_text(encoding="utf-8"), list(fix.edits))
        changed = tmp_path / "changed.yaml"
        changed.write_text(text, encoding="utf-8")
        lines = (*range(first, first + written), line + written)
        errors = [str(each) for each in compiled(changed, tmp_path)[1] if each.span.line in lines]
        assert not errors, fix.title
