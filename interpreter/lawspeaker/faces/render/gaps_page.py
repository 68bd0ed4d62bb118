"""Renders the gaps of a book as an HTML page: how each is played, what the book says, the
ruling."""

from __future__ import annotations

from html import escape

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.faces.render.compare import also
from lawspeaker.faces.render.gaps import decided, headline, variant_names
from lawspeaker.faces.render.page_frame import button, search_box, searchable, stance
from lawspeaker.study.compare.gaps import STANDINGS, Gap, Gaps

COLUMNS = ("played", "book", "ruling")


def page(found: Gaps, ids: bool = False) -> str:
    """Renders the page; with `ids`, the ids of rules are visible initially."""
    language = found.language
    title = escape(phrase("gaps.page.title", language, version=found.column.title))
    books = escape(joined((title for _, title in found.column.sources), language))
    heads = "".join(f'<th scope="col">{_word(each, language)}</th>' for each in COLUMNS)
    rule = escape(phrase("compare.page.rule", language))
    rows = "\n".join(_row(number, each, language) for number, each in enumerate(found.each, 1))
    table = f"""<table class="differences">
<thead><tr><th scope="col">{rule}</th>{heads}</tr></thead>
{rows}
</table>"""
    none = escape(phrase("gaps.page.none_left", language))
    body = f"""<header>
<p class="game">{escape(found.title)}</p>
<h1>{escape(headline(found))}</h1>
<ol class="tellings"><li><b class="name">{escape(found.column.title)}</b>
<code>{escape(found.column.name)}</code><span class="book">{books}</span></li></ol>
</header>
{_filters(found, ids)}
<main>
{table if found.each else ""}
<p id="none" hidden>{none}</p>
</main>"""
    return searchable(title, language, body, ids)


def _word(key: str, language: str) -> str:
    return escape(phrase(f"gaps.page.{key}", language))


def _filters(found: Gaps, ids: bool) -> str:
    language, counts = found.language, found.counts
    every = escape(phrase("compare.page.all", language))
    groups = button("group", "", f"{every} <b>{len(found.each)}</b>", pressed=True)
    for each in STANDINGS:
        if counts[each]:
            told = escape(phrase(f"gaps.standing.{each}", language))
            groups += button("group", each, f"{told} <b>{counts[each]}</b>")
    filters = escape(phrase("compare.page.filters", language))
    shown = escape(phrase("compare.page.shown", language))
    label = escape(phrase("compare.page.ids", language))
    return f"""<form class="filters" aria-label="{filters}" hidden>
{search_box(found.terms, language)}
<div class="groups">{groups}</div>
<button type="button" name="ids" aria-pressed="{str(ids).lower()}">{label}</button>
<output aria-live="polite" data-shown="{shown}"></output>
</form>"""


def _row(number: int, gap: Gap, language: str) -> str:
    cells = zip(COLUMNS, (_played(gap, language), _book(gap, language), _ruled(gap)), strict=True)
    told = "".join(f'<td data-name="{_word(key, language)}">{text}</td>' for key, text in cells)
    standing = escape(phrase(f"gaps.standing.{gap.standing}", language))
    id = escape(gap.id)
    others = f'<p class="says">{escape(also(gap.also, language))}</p>' if gap.also else ""
    return (
        f'<tbody class="difference" id="{id}" data-group="{gap.standing}" '
        f'data-number="{number}" data-words="{escape(" ".join(gap.words))}">'
        f'<tr><th scope="row"><span class="number">{number}</span> '
        f'<a class="title" href="#{id}">{escape(gap.title)}</a> '
        f'<span class="kind">{standing}</span> <code class="id">{id}</code>{others}</th>'
        f"{told}</tr></tbody>"
    )


def _played(gap: Gap, language: str) -> str:
    played = f'<p class="does">{escape(gap.played)}</p>'
    told = decided(gap, language)
    if gap.otherwise:
        told.append(phrase("gaps.otherwise", language, variants=variant_names(gap)))
    return played + "".join(f'<p class="stances">{escape(each)}</p>' for each in told)


def _book(gap: Gap, language: str) -> str:
    """Renders the book's stances with sections and remarks."""
    sections: dict[str, dict[str, None]] = {}
    for cite in gap.cites:
        sections.setdefault(cite.stance, {})[cite.section] = None
    lines = []
    for each, named in sections.items():
        where = escape(", ".join(section for section in named if section))
        told = stance(each, language)
        lines.append(colon(told, where, language) if where else told)
    notes = "".join(f'<p class="remark">{escape(each)}</p>' for each in gap.said)
    return f'<p class="stances">{"<br>".join(lines)}</p>{notes}'


def _ruled(gap: Gap) -> str:
    return "".join(f'<p class="does">{escape(each)}</p>' for each in gap.ruled)
