"""The page that `compare --html` writes, in a browser: searching, filters, orders, ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.render.compare_page import page
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.findings import Findings
from tests.compare import dairy

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("width", [1366, 820, 390])
def test_rows_are_found_and_put_in_order(chromium: Any, tmp_path: Path, width: int) -> None:
    library = Library(dairy.set_up(tmp_path), ())
    found = load_rulesets(["dairy", "dairy+new"], Diagnostics(), library)
    assert found is not None
    file = tmp_path / "page.html"
    file.write_text(page(compare(found, "en"), Findings()), encoding="utf-8")
    context = chromium.new_context(viewport={"width": width, "height": 800})
    try:
        shown = context.new_page()
        errors: list[str] = []
        shown.on("pageerror", lambda error: errors.append(str(error)))
        shown.goto(file.as_uri())

        def rows() -> list[str]:
            ids = "each => each.filter(one => !one.hidden).map(one => one.id)"
            return list(shown.locator("tbody.difference").evaluate_all(ids))

        assert rows() == ["helping", "ending", "taking"]
        first = "document.querySelector('tbody.difference').getBoundingClientRect().top"
        assert shown.evaluate(first) < 480
        box = shown.locator("[name=find]").bounding_box()
        assert box is not None
        assert box["width"] > 180  # what stands in it is not cut
        shown.click(".further summary")
        shown.select_option("[name=where][data-telling='1']", "open")
        assert rows() == ["ending"]
        shown.select_option("[name=where][data-telling='1']", "")
        shown.select_option("[name=by]", "book")
        assert rows() == ["helping", "taking", "ending"]
        shown.fill("[name=find]", "EGALITÉ")
        assert rows() == ["taking"]
        shown.fill("[name=find]", "fromages deux")
        assert rows() == ["helping"]
        shown.fill("[name=find]", "no such word")
        assert rows() == []
        assert shown.locator("#none").is_visible()
        shown.fill("[name=find]", "")
        shown.click("button[value=play]")
        assert rows() == ["helping"]
        assert not shown.locator("#helping th code.id").is_visible()
        shown.click("button[name=ids]")
        assert shown.locator("#helping th code.id").is_visible()
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not errors
    finally:
        context.close()
