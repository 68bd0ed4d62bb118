"""Renders the alignment of two books as an HTML page, in the order of the first."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import typeset
from lawspeaker.faces.render.alignment import SURE, flagged, nearest, summary
from lawspeaker.faces.render.page_frame import framed
from lawspeaker.study.alignment.aligning import Alignment, Pairing
from lawspeaker.study.alignment.flags import Flag
from lawspeaker.text.books.outline import Heading, Sentence, cited_as

Row = tuple[tuple[int, ...], tuple[int, ...], Pairing | None]


def page(found: Alignment, language: str) -> str:
    """Renders the page; its phrases are in `language`, the books in their own."""
    style = files(__package__).joinpath("alignment_page.css").read_text(encoding="utf-8")
    names = [escape(each.text.name) for each in found.books]
    spoken = [escape(each.language) for each in found.books]
    heads = "".join(
        f'<th scope="col">{name} <span class="lang">{lang}</span></th>'
        for name, lang in zip(names, spoken, strict=True)
    )
    note = escape(phrase("align.page.note", language))
    open_only = escape(phrase("align.page.open", language))
    confidence = escape(phrase("align.page.confidence", language))
    rows = "\n".join(_rows(found, language))
    body = f"""<header>
<h1>{names[0]} · {names[1]}</h1>
<p>{escape(summary(found, language))}</p>
<p class="note">{note}</p>
</header>
<input type="checkbox" id="open"><label for="open">{open_only}</label>
<main>
<table>
<thead><tr>{heads}<th scope="col">{confidence}</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</main>"""
    title = f"{names[0]} · {names[1]}"
    return framed(title, language, body, style)


def rows(found: Alignment) -> list[Row]:
    """Returns the pairs in the order of the first book.

    A sentence that only the second book has comes after its predecessor there.
    """
    after: dict[int, list[Row]] = {}
    by_second = {at: each for each in found.pairs for at in each.second}
    for at in found.alone[1]:
        before = next((by_second[one] for one in range(at - 1, -1, -1) if one in by_second), None)
        anchor = -1 if before is None else before.first[-1]
        after.setdefault(anchor, []).append(((), (at,), None))
    by_first = {each.first[0]: each for each in found.pairs}
    alone = {*found.alone[0]}
    told = [*after.get(-1, ())]
    for at in range(len(found.books[0].text.sentences)):
        if at in by_first:
            told.append((by_first[at].first, by_first[at].second, by_first[at]))
        elif at in alone:
            told.append(((at,), (), None))
        told += after.get(at, ())
    return told


def _rows(found: Alignment, language: str) -> Iterator[str]:
    section: tuple[Heading, ...] = ()
    wrong: dict[tuple[int, int], list[Flag]] = {}
    for side, at, flag in found.wrong:
        wrong.setdefault((side, at), []).append(flag)
    sentences = found.books[0].text.sentences
    for first, second, pair in rows(found):
        if first and sentences[first[0]].headings != section:
            section = sentences[first[0]].headings
            title = escape(section[-1].text) if section else ""
            lang = escape(found.books[0].language)
            head = f'<th colspan="3" scope="colgroup" lang="{lang}">{title}</th>'
            yield f'<tr class="section">{head}</tr>'
        flags = [*(pair.flags if pair is not None else ())]
        for side, members in enumerate((first, second)):
            flags += [flag for at in members for flag in wrong.get((side, at), ())]
        yield _row(found, first, second, pair, flags, language)


def _row(
    found: Alignment,
    first: tuple[int, ...],
    second: tuple[int, ...],
    pair: Pairing | None,
    flags: list[Flag],
    language: str,
) -> str:
    cells = _cell(found, 0, first, not second, language)
    cells += _cell(found, 1, second, not first, language)
    kinds = ["alone"] if pair is None else ["unsure"] if pair.confidence < SURE else []
    kinds += ["flagged"] if flags else []
    listed = "".join(f"<li>{escape(flagged(each, language))}</li>" for each in flags)
    notes = f'<ul class="flags">{listed}</ul>' if flags else ""
    sure = "" if pair is None else f"{pair.confidence:.2f}"
    mark = f'<td class="sure" data-name="{escape(phrase("align.page.confidence", language))}">'
    return f'<tr class="{" ".join(kinds)}">{cells}{mark}{sure}{notes}</td></tr>'


def _cell(found: Alignment, side: int, members: tuple[int, ...], alone: bool, language: str) -> str:
    book = found.books[side]
    lang = escape(book.language)
    if not members:
        none = escape(phrase("align.page.none", language))
        return f'<td class="none"><span>{none}</span></td>'
    told = "".join(_sentence(book.text.sentences[at], found, side) for at in members)
    if alone:
        told += f'<p class="note">{escape(nearest(found, side, members[0], language))}</p>'
    return f'<td lang="{lang}">{told}</td>'


def _sentence(sentence: Sentence, found: Alignment, side: int) -> str:
    cited = escape(typeset(cited_as(found.books[side].text, sentence), ""))
    return f"<p>{escape(sentence.text)} <cite>{cited}</cite></p>"
