"""Shared parts of self-contained HTML pages, with a search and filter bar for pages about books."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.words import stance_name
from lawspeaker.study.compare.searching import ENDINGS, alike
from lawspeaker.study.compare.terms import Terms


def framed(
    title: str, language: str, body: str, style: str, script: str = "", classes: str = ""
) -> str:
    """Wraps a body in a page; all texts must be escaped already."""
    shown = f' class="{classes}"' if classes else ""
    done = f"<script>\n{script}</script>\n" if script else ""
    return f"""<!doctype html>
<html lang="{escape(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body{shown}>
{body}
{done}</body>
</html>
"""


def searchable(title: str, language: str, body: str, ids: bool) -> str:
    """Wraps a body in a page with a search and filter bar."""
    style, script = (
        files(__package__).joinpath(name).read_text(encoding="utf-8")
        for name in ("compare_page.css", "compare_page.js")
    )
    return framed(title, language, body, style, script, "with-ids" if ids else "")


def search_box(terms: Terms, language: str) -> str:
    """Renders a search field with the synonyms that the search uses."""
    label = escape(phrase("compare.page.find", language))
    same = [[" ".join(each) for each in own] for own in alike(terms)]
    return (
        f'<input type="search" name="find" placeholder="{label}" aria-label="{label}" '
        f'autocomplete="off" spellcheck="false" data-endings="{escape(ENDINGS)}" '
        f'data-alike="{escape(json.dumps(same, separators=(",", ":")))}">'
    )


def button(name: str, value: str, label: str, pressed: bool = False) -> str:
    state = "true" if pressed else "false"
    return (
        f'<button type="button" name="{name}" value="{value}" aria-pressed="{state}">'
        f"{label}</button>"
    )


def stance(stance: str, language: str) -> str:
    words = escape(stance_name(stance, language))
    return f'<span class="stance {escape(stance)}">{words}</span>'


def citations(cites: Iterable[ir.Citation], language: str) -> str:
    """Renders citations: stance, book, section and remark."""
    lines = []
    for cite in cites:
        noted = escape(cite.note_in(language))
        note = f' <span class="note">{noted}</span>' if noted else ""
        lines.append(
            f"<li>{stance(cite.stance, language)} "
            f"<b>{escape(cite.source)}</b> {escape(cite.section)}{note}</li>"
        )
    return f'<ul class="cites">{"".join(lines)}</ul>' if lines else ""


def csp_hash(text: str) -> str:
    """Returns the source expression that allows an inline style or script by its content."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
