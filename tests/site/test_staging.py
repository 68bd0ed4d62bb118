"""What the pages have besides their Markdown: examples of rules open in the workshop, with all that
they need, and links lead to copies of files."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.web.messages import parsed
from lawspeaker.faces.web.workshop.drafts import draft
from lawspeaker.faces.web.workshop.versions import put_together
from lawspeaker.outside.loading import bundled, compile_bundle
from tests.docs.examples import blocks
from tests.site.staging import DOCS, copy_bytes, copy_name, page_source
from tests.tiers import sample

LANGUAGE = sorted((DOCS / "language").glob("*.md"))
OTHER = [DOCS / f"{name}.md" for name in ("recipes", "variants", "write-a-variant")]
_LINK = re.compile(r"workshop\.html#draft=([\w-]+)")


def unpack_draft(letters: str) -> dict[str, Any]:
    packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    return dict(json.loads(zlib.decompress(packed, -zlib.MAX_WBITS)))


def drafts(page: Path) -> list[dict[str, Any]]:
    """The drafts that the buttons of a page open."""
    return [unpack_draft(letters) for letters in _LINK.findall(page_source(page, set()))]


@pytest.mark.parametrize("page", sample([*LANGUAGE, *OTHER], test=8), ids=lambda page: page.stem)
def test_every_example_of_rules_can_be_tried(page: Path) -> None:
    shown = [each for each in blocks(page) if each.mark.startswith("yaml")]
    scenarios = [each for each in shown if "\nscenario: " in each.text]
    assert len(drafts(page)) == len(shown) - len(scenarios)


@pytest.mark.parametrize("name", ["language/boards", "language/guards", "variants"])
def test_what_is_tried_is_what_the_page_shows(name: str) -> None:
    """As the workshop reads it, good examples have no mistake, and bad ones do."""
    page = DOCS / f"{name}.md"
    shown = [each for each in blocks(page) if each.mark.startswith("yaml")]
    for block, data in zip(shown, drafts(page), strict=True):
        files = draft(parsed(json.dumps(data))).files
        assert block.text in {each.text for each in files}
        diagnostics = Diagnostics()
        program = compile_bundle(put_together((), files), diagnostics, "")
        assert (program is None) == block.bad, f"{block}: {list(diagnostics)}"


@pytest.mark.full
def test_a_house_rule_of_a_guide_opens_with_its_game() -> None:
    own = drafts(DOCS / "write-a-variant.md")
    assert {each["rules"] for each in own} == {"walhalla", "chess"}
    data = draft(parsed(json.dumps(next(each for each in own if each["rules"] == "chess"))))
    original = bundled(data.rules)
    assert compile_bundle(put_together(original, data.files), Diagnostics(), "") is not None


def test_links_lead_to_pages_and_to_copies() -> None:
    copies: set[str] = set()
    text = page_source(DOCS / "recipes.md", copies)
    assert "](language/index.md)" in text
    assert "rules/hearts/game.yaml" in copies
    for file in copies:
        assert f'<a href="{copy_name(file)}">' in text
        assert copy_bytes(file).decode("utf-8-sig")
