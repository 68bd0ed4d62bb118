"""Comparison pages of editions, and played games checked against other rules.

The page is the one `lawspeaker compare --html` writes. It has inline styles and scripts, which the
policy of the other pages would forbid. So it has a content security policy of its own that allows
exactly these texts by their hashes.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.play.answers import source
from lawspeaker.faces.render.compare import CompareOptions
from lawspeaker.faces.render.compare_page import page
from lawspeaker.faces.render.page_frame import csp_hash
from lawspeaker.faces.render.replay_under import to_json
from lawspeaker.faces.web.bots_at_table import program_of
from lawspeaker.faces.web.catalogue import Catalogue, Stamp, Unknown
from lawspeaker.match.log import Log, RuleFile
from lawspeaker.outside.books import shelf
from lawspeaker.outside.library import LibraryError
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import OtherGame, Ruleset, compare
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.compare.replay_under import replayed_under
from lawspeaker.study.sources.quoting import BookTexts

MOST_PAGES = 16
MOST_TELLINGS = 6


@dataclass(frozen=True, slots=True)
class Page:
    """An HTML page, and the content security policy for it."""

    html: str
    policy: str


class Comparisons:
    """Comparison pages, cached by the files they come from; those that quote books are never
    cached."""

    def __init__(self, catalogue: Catalogue, texts: Path | None = None) -> None:
        self.catalogue = catalogue
        self.texts = texts
        self._pages: OrderedDict[tuple[tuple[str, ...], str], tuple[Stamp, Page]] = OrderedDict()

    def page(self, names: Sequence[str], language: str) -> Page:
        """Returns the comparison of editions as a page; raises Unknown."""
        if not 2 <= len(names) <= MOST_TELLINGS:
            raise Unknown(f"name two to {MOST_TELLINGS} tellings of a game")
        known = tuple(self.catalogue.checked(name) for name in names)
        if self.texts is not None:
            return self._made(known, language)
        stamp = self.catalogue.stamp(known[0])
        found = self._pages.pop((known, language), None)
        if found is None or found[0] != stamp:
            found = stamp, self._made(known, language)
        self._pages[known, language] = found
        while len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        return found[1]

    def shelf(self, found: Sequence[Ruleset]) -> BookTexts | None:
        """Returns the books whose texts are in the server's folder; None without such a folder."""
        if self.texts is None:
            return None
        try:
            return shelf(found, self.texts, self.catalogue.library)
        except LibraryError as error:
            raise Unknown(str(error)) from None

    def _made(self, names: Sequence[str], language: str) -> Page:
        diagnostics = Diagnostics()
        found = load_rulesets(names, diagnostics, self.catalogue.library)
        if found is None:
            raise Unknown("; ".join(each.message for each in diagnostics.sorted()[:3]))
        languages = found[0].program.languages
        spoken = language if language in languages else languages[0]
        try:
            view = CompareOptions(shelf=self.shelf(found))
            html = page(compare(found, spoken), Findings(), view)
        except OtherGame as error:
            raise Unknown(str(error)) from None
        return Page(html, policy_for(html))


def policy_for(html: str) -> str:
    """Returns a content security policy that allows a page's inline styles and scripts by hash."""
    styles = [csp_hash(text) for text in re.findall(r"<style>(.*?)</style>", html, re.S)]
    scripts = [csp_hash(text) for text in re.findall(r"<script>(.*?)</script>", html, re.S)]
    on_things = sorted({csp_hash(unescape(each)) for each in re.findall(r' style="([^"]*)"', html)})
    allowed = " ".join([*styles, "'unsafe-hashes'", *on_things]) if on_things else " ".join(styles)
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {allowed}",
            f"script-src {' '.join(scripts)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def held_against(
    log: Log, files: tuple[RuleFile, ...], digest: str, name: str, language: str
) -> dict[str, Any]:
    """Reports where a game would first have diverged under other rules, and how far it can go
    on."""
    own, other = program_of(log.digest, log.bundle), program_of(digest, files)
    spoken = language if language in own.languages else own.languages[0]
    found = replayed_under(log, own, other, spoken)
    told = to_json(found, log, name)
    if found.first is not None:
        told["first"]["citations"] = [source(other, each, spoken) for each in found.first.cites]
    return told
