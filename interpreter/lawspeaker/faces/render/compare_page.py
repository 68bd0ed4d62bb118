"""Renders a comparison as a self-contained HTML page.

It has a headline, the list of editions, and a matrix: a row for each difference, a column for each
edition, with quoted sentences if texts are available. Rows can be searched in any language,
filtered and sorted. Each expands to citations, the rule on both sides, a witness position, and
measured effects. A table of terms follows. On a phone the rows are stacked; in print the
differences in play are expanded. Without scripts only searching and filters are missing.
Differences are marked by signs and words, never by colour alone.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, TypeAlias

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.faces.render.compare import (
    SIGNS,
    CompareOptions,
    about_texts,
    also_for,
    any_marked,
    asked_of_books,
    difference_counts,
    does,
    evidence_lines,
    evidence_of,
    headline,
    legend,
    mark_of,
    one_word_for_several,
    quotes,
    remark_of,
    rows_shown,
    several_books,
    signs,
    stances_text,
    titles,
    words_in,
)
from lawspeaker.faces.render.compare_json import picture
from lawspeaker.faces.render.findings import (
    by,
    chance_alone,
    how_measured,
    measures,
    not_found,
    paired,
    ranked_cells,
    same_play,
    undetected,
    without_effect,
)
from lawspeaker.faces.render.page_frame import button, citations, search_box, searchable, stance
from lawspeaker.faces.render.words import kind_name, without_silence
from lawspeaker.study.compare.comparison import ORDERS, Comparison
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.findings import Finding, Findings
from lawspeaker.study.compare.kinds import GROUPS, KINDS
from lawspeaker.study.compare.merging import gathered
from lawspeaker.study.compare.rows import Cell, Row
from lawspeaker.study.compare.searching import words_of
from lawspeaker.study.compare.where import WORDS
from lawspeaker.study.compare.where import words_of as words_for
from lawspeaker.study.sources.quoting import Pieces, Quote
from lawspeaker.text.books.fingerprint import folded

if TYPE_CHECKING:
    from lawspeaker.study.compare.effect import Effect
    from lawspeaker.study.compare.explaining import Account, Explained, Why
    from lawspeaker.study.lab.statistics import Estimate

WIDE, NARROW = 76, 44
CLASSES = {
    "≠": "other",
    "≈": "said",
    "~": "said",
    "○": "left-open",
    "◐": "left-open",
    "?": "left-open",
    "=": "equal",
    "": "first",
}
"""CSS classes of cells, by their sign."""
NARROWEST = "52rem"
"""Breakpoint below which rows are stacked, as in the style sheet."""
_HERE = "\0"
"""Placeholder for links in a phrase that is escaped first."""

Draw: TypeAlias = "Callable[[Explained, str, str], str]"
"""Draws the position of a witness as an SVG, in a language and a shape: wide or tall."""


def page(
    comparison: Comparison,
    findings: Findings,
    view: CompareOptions | None = None,
    draw: Draw | None = None,
) -> str:
    """Renders the page. Without `draw`, positions are drawn as text."""
    return _Page(comparison, findings, view or CompareOptions(), draw).html()


class _Page:
    def __init__(
        self, comparison: Comparison, findings: Findings, view: CompareOptions, draw: Draw | None
    ) -> None:
        self.comparison = comparison
        self.table = comparison.table
        self.findings = findings
        self.view = view
        self.draw = draw
        self.names = titles(self.table.columns)
        self.rows = rows_shown(comparison)
        self.language = self.table.language

    def phrase(self, key: str, **values: object) -> str:
        """Returns an escaped phrase."""
        return escape(phrase(f"compare.{key}", self.language, **values))

    def html(self) -> str:
        tellings = colon(self.table.game, joined(self.names, self.language), self.language)
        title = self.phrase("page.title", tellings=tellings)
        body = f"""<header>
<p class="game">{escape(self.table.title)}</p>
<h1>{escape(self.headline(short=True))}</h1>
{self.about_tellings()}
</header>
{self.filters()}
<main>
<table class="differences">
<caption>{self.legend()}</caption>
<thead><tr><th scope="col">{self.phrase("page.rule")}</th>{self.column_heads()}</tr></thead>
{self.bodies()}
</table>
<p id="none" hidden>{self.phrase("page.none_left")}</p>
{self.terms()}
{self.effects()}
</main>"""
        return searchable(title, self.language, body, self.view.ids)

    # ------------------------------------------------------------ head

    def headline(self, *, short: bool = False) -> str:
        by = evidence_of(self.comparison.every)
        return headline(self.comparison.counts, self.language, short=short, by=by)

    def about_tellings(self) -> str:
        """Renders the list of editions, with the full headline and their sources in a fold."""
        asked = ""
        if self.view.where:
            asked = f'<p class="asked">{escape(asked_of_books(self.comparison, self.view))}</p>'
        whole = escape(self.headline())
        if len(self.names) > 2 and self.comparison.every:
            whole += f" {self.phrase('each_once')}"
        return f"""<details class="about">
<summary>{" · ".join(map(escape, self.names))}</summary>
<p class="whole">{whole}</p>
{self.tellings()}
{self.texts()}
</details>{asked}"""

    def tellings(self) -> str:
        found: list[str] = []
        for at, (name, column) in enumerate(zip(self.names, self.table.columns, strict=True)):
            told = (*(title for _, title in column.sources), column.note)
            books = joined((each for each in told if each), self.language)
            told_of = ""
            if at == 0:
                told_of = self.phrase("the_first")
            elif len(self.names) > 2:
                told_of = escape(difference_counts(self.comparison, at))
            found.append(
                f'<li><b class="name">{escape(name)}</b> <code>{escape(column.name)}</code>'
                f'<span class="book">{escape(books)}</span>'
                f'<span class="count">{told_of}</span></li>'
            )
        return f'<ol class="tellings">{"".join(found)}</ol>'

    def texts(self) -> str:
        """Tells whose sentences are quoted, or why none are."""
        if not several_books(self.comparison):
            return ""
        marked = any_marked(self.rows, self.table.columns, self.view.shelf)
        marks = "highlighted" if marked else ""
        told = about_texts(self.view.shelf, self.language, "barred", marks)
        return f'<p class="about-texts">{escape(" ".join(told))}</p>' if told else ""

    def legend(self) -> str:
        """Renders the legend of the signs and stances that occur."""
        marks = "".join(
            f'<li><span class="mark">{sign}</span> {escape(meaning)}</li>'
            for sign, meaning in signs(self.rows, self.language)
        )
        cells = [cell for row in self.rows for cell in row.cells]
        words = words_in(self.rows, self.language)
        said_of = (without_silence(cell.stances) for cell in cells if not cell.shared)
        words |= {f"stance.{each}" for own in said_of for each in own}
        stances = "".join(
            f'<li><span class="stance {each}">{escape(word)}</span> {escape(meaning)}</li>'
            for each, word, meaning in legend(words, self.language)
            if several_books(self.comparison)
        )
        told = f'<ul class="legend">{marks}</ul><ul class="legend">{stances}</ul>'
        return f"<details><summary>{self.phrase('page.signs')}</summary>{told}</details>"

    def column_heads(self) -> str:
        return "".join(f'<th scope="col">{escape(name)}</th>' for name in self.names)

    def filters(self) -> str:
        kinds = [each.kind for each in self.comparison.differences]
        counted = Counter(each.group() for each in self.comparison.differences)
        groups = "".join(
            button("group", group, f"{self.phrase(f'page.{group}')} <b>{count}</b>")
            for group in GROUPS
            if (count := counted[group])
        )
        single = "".join(
            f'<option value="{escape(kind)}">{escape(kind_name(kind, self.language))} '
            f"({kinds.count(kind)})</option>"
            for kind in KINDS
            if kind in kinds
        )
        tellings = "".join(
            f'<option value="{at}">{escape(name)}</option>'
            for at, name in enumerate(self.names)
            if at
        )
        orders = "".join(
            f'<option value="{each}"{" selected" if each == self.view.by else ""}>'
            f"{self.phrase(f'page.by_{each}')}</option>"
            for each in ORDERS
        )
        either = f'<option value="">{self.phrase("page.any")}</option>'
        every = button("group", "", f"{self.phrase('page.all')} <b>{len(kinds)}</b>", pressed=True)
        opened, closed = self.phrase("page.open_all"), self.phrase("page.close_all")
        ids = self.phrase("page.ids")
        return f"""<form class="filters" aria-label="{self.phrase("page.filters")}" hidden>
{search_box(self.table.terms, self.language)}
<div class="groups">{every}{groups}</div>
<details class="further"><summary>{self.phrase("page.filters")} <b></b></summary><div>
<label>{self.phrase("page.order")} <select name="by">{orders}</select></label>
<label>{self.phrase("page.kind")} <select name="kind">{either}{single}</select></label>
<label>{self.phrase("page.differs_in")} <select name="telling">{either}{tellings}</select></label>
{self.asked_of_books(either)}
<button type="button" name="open" aria-pressed="false" data-close="{closed}">{opened}</button>
<button type="button" name="ids" aria-pressed="{str(self.view.ids).lower()}">{ids}</button>
</div></details>
<output aria-live="polite" data-shown="{self.phrase("page.shown")}"></output>
</form>"""

    def asked_of_books(self, either: str) -> str:
        """Renders filters by stance for each edition; nothing if all follow the same books."""
        if not several_books(self.comparison):
            return ""
        words = "".join(
            f'<option value="{word}">{escape(does(word, self.language))}</option>' for word in WORDS
        )
        return "".join(
            f'<label>{escape(name)} <select name="where" data-telling="{at}">{either}{words}'
            "</select></label>\n"
            for at, name in enumerate(self.names)
        )

    # ------------------------------------------------------------ the table

    def bodies(self) -> str:
        return "\n".join(
            self.same(each) if isinstance(each, Row) else self.difference(each)
            for each in self.comparison.in_order(self.view.by)
        )

    def words(self, rows: Iterable[Row]) -> str:
        """Returns all words by which rows are found."""
        found = (words_of(row, self.table.terms, self.view.shelf) for row in rows)
        return " ".join(dict.fromkeys(word for words in found for word in words))

    @staticmethod
    def does(rows: Iterable[Row]) -> str:
        """Returns the stances of each edition's books, row by row, for the filter."""
        return ";".join("|".join(" ".join(words_for(cell)) for cell in row.cells) for row in rows)

    def same(self, row: Row) -> str:
        """Renders a point that is played alike everywhere, with the stances of the books."""
        cells = "".join(self.cell(row, at) for at in range(len(row.cells)))
        return (
            f'<tbody class="same" data-words="{escape(self.words([row]))}" '
            f'data-does="{self.does([row])}"><tr><th scope="row">'
            f'<b class="title">{escape(row.title)}</b> '
            f'<span class="kind">{self.phrase("same_everywhere")}</span>'
            f"{self.about(row)}</th>{cells}</tr></tbody>"
        )

    def about(self, row: Row) -> str:
        """Renders the sentence of a rule and its id."""
        says = f'<p class="says">{escape(row.says)}</p>' if row.says else ""
        return f'{says}<code class="id">{escape(row.id)}</code>'

    def difference(self, difference: Difference) -> str:
        row = difference.row
        group = difference.group()
        differing = " ".join(map(str, difference.columns))
        whole = gathered(difference)
        cells = "".join(self.cell(whole, at) for at in range(len(row.cells)))
        words = escape(self.words(difference.rows))
        return (
            f'<tbody class="difference {group}" id="{escape(row.id)}" data-group="{group}" '
            f'data-kind="{escape(difference.kind)}" data-tellings="{differing}" '
            f'data-number="{difference.number}" data-does="{self.does(difference.rows)}" '
            f'data-words="{words}">\n'
            f'<tr><th scope="row"><span class="number">{difference.number}</span> '
            f'<a class="title" href="#{escape(row.id)}">{escape(row.title)}</a> '
            f'<span class="kind">{escape(kind_name(difference.kind, self.language))}</span>'
            f"{self.about(row)}{self.evidence(difference)}{self.also(difference)}{self.see(difference)}</th>{cells}</tr>\n"
            f'<tr class="more"><td colspan="{len(self.names) + 1}">{self.details(difference)}'
            f"</td></tr></tbody>"
        )

    def evidence(self, difference: Difference) -> str:
        """Renders the evidence that play is changed, if games were played."""
        lines = evidence_lines(difference, self.names, self.language)
        return "".join(f'<p class="see">{escape(each)}</p>' for each in lines)

    def also(self, difference: Difference) -> str:
        """Renders the other points to which a difference applies."""
        told = also_for(difference, self.language, self.view)
        return f'<p class="see">{escape(told)}</p>' if told else ""

    def see(self, difference: Difference) -> str:
        """Renders links to other differences that rest on the same sentences."""
        if not difference.see:
            return ""
        ids = {each.number: each.id for each in self.comparison.every}
        links = ", ".join(
            f'<a href="#{escape(ids[number])}">{number}</a>' for number in difference.see
        )
        told = self.phrase("see", numbers=_HERE).replace(_HERE, links)
        return f'<p class="see">{told}</p>'

    def cell(self, row: Row, at: int) -> str:
        cell, quoted = row.cells[at], quotes(row, self.table.columns, self.view.shelf)[at]
        mark = mark_of(cell, at)
        css = CLASSES[mark]
        told = self.phrase(f"page.{SIGNS[mark]}") if mark else ""
        sign = f'<span class="mark" title="{told}">{mark}</span> ' if mark else ""
        parts = [f'<p class="does">{sign}{escape(cell.text)}</p>']
        if remark := remark_of(row, at, self.language):
            parts.append(f'<p class="remark">{escape(remark)}</p>')
        if not cell.shared:
            parts.append(self.stances(cell))
        parts += (self.quoted(quote, pieces, at) for quote, pieces in quoted)
        return f'<td class="{css}" data-name="{escape(self.names[at])}">{"".join(parts)}</td>'

    def quoted(self, quote: Quote, pieces: Pieces, at: int) -> str:
        """Renders a quoted sentence, with whether it has changed since it was cited."""
        said = "".join(
            f"<mark>{escape(text)}</mark>" if unlike else escape(text) for text, unlike in pieces
        )
        since = ""
        if quote.since:
            since = f' <em class="since">{self.phrase(f"texts.{quote.since}")}</em>'
        language = escape(self.table.columns[at].language)
        words = f'<q lang="{language}">{said}</q>' if said else ""
        return (
            f'<blockquote class="{escape(quote.stance)}">{words} '
            f"<cite>{escape(quote.where)}</cite>{since}</blockquote>"
        )

    # ------------------------------------------------------------ expanded rows

    def details(self, difference: Difference) -> str:
        found = self.findings.of(difference.number)
        parts = [self.sides(row) for row in self.in_order(difference)]
        inside = ["sources", "rule_text"]
        shown = [self.witness(group) for group in same_play(found)]
        shown += [self.problem(each) for each in found]
        shown = [each for each in shown if each]
        if shown:
            inside.append("position")
            where = self.phrase("page.where")
            parts.append(f"<section><h3>{where}</h3>{''.join(shown)}</section>")
        effects = [self.effect(effect, each.column) for each in found for effect in each.effects]
        if effects:
            inside.append("effect")
            parts.append(
                f'<section><h3>{self.phrase("page.how_much")}</h3><div class="effects">'
                f"{''.join(effects)}</div></section>"
            )
        summary = ", ".join(self.phrase(f"page.{each}") for each in inside)
        return f"<details><summary>{summary}</summary>{''.join(parts)}</details>"

    @staticmethod
    def in_order(difference: Difference) -> list[Row]:
        return [difference.row, *(row for row in difference.rows if row is not difference.row)]

    def sides(self, row: Row) -> str:
        """Renders the rule as each edition has it, with its citations."""
        sides: list[str] = []
        groups: list[tuple[list[str], Cell]] = []
        for name, cell in zip(self.names, row.cells, strict=True):
            for names, other in groups:
                if _rule(cell) == _rule(other):
                    names.append(name)
                    break
            else:
                groups.append(([name], cell))
        for names, cell in groups:
            body = f'<p class="none">{escape(cell.text)}</p>'
            if cell.there:
                # Additions of variants to a rule follow its sentence.
                whole = cell.text.startswith(cell.says)
                says = f'<p class="says">{escape(cell.text if whole else cell.says)}</p>'
                code = f"<pre><code>{escape(cell.code)}</code></pre>" if cell.code else ""
                place = f'<p class="place">{escape(cell.place)}</p>' if cell.place else ""
                body = f"{says}{code}{citations(cell.cites, self.language)}{place}"
            named = escape(joined(names, self.language))
            sides.append(f"<div><h4>{named}</h4>{body}</div>")
        kind = escape(kind_name(row.kind, self.language))
        return (
            f'<section class="sides"><h3>{escape(row.title)} '
            f'<code class="id">{escape(row.id)}</code> <span class="kind">{kind}</span></h3>'
            f'<div class="beside">{"".join(sides)}</div></section>'
        )

    def problem(self, found: Finding) -> str:
        name = escape(self.names[found.column])
        if found.alone.problem:
            problem = self.phrase("not_alone", problem=found.alone.problem)
            return f"<p>{colon(name, problem, self.language)}</p>"
        if found.search is not None and found.search.witness is None:
            told = escape(not_found(found.search, self.language))
            return f"<p>{colon(name, told, self.language)}.</p>"
        return ""

    def witness(self, group: Sequence[Finding]) -> str:
        told = group[0].explained
        assert told is not None
        language = self.table.language
        drawn = ""
        if told.match is not None and self.draw is not None:
            drawn = self.drawn(told, self.draw)
        elif told.match is not None:
            wide, narrow = (picture(told, language, width) for width in (WIDE, NARROW))
            drawn = (
                f'<pre class="picture wide" aria-label="{self.phrase("page.table")}">'
                f"{escape(wide)}</pre>"
                f'<pre class="picture narrow" aria-hidden="true">{escape(narrow)}</pre>'
            )
        replies = "".join(f"<li>{escape(reply)}</li>" for reply in told.replies)
        sides = [_told(self.names[0], told.one, language)]
        for each in group:
            if each.explained is not None:
                sides.append(_told(self.names[each.column], each.explained.other, language))
        answered = f'<ol class="replies">{replies}</ol>' if replies else ""
        return (
            f'<div class="witness"><p class="begins">{escape(told.begins)}</p>{drawn}{answered}'
            f'<div class="beside">{"".join(sides)}</div></div>'
        )

    def drawn(self, told: Explained, draw: Draw) -> str:
        """Renders a position as images.

        They are separate documents, so that their ids cannot clash.
        """
        wide, tall = (_inline(draw(told, self.language, shape)) for shape in ("wide", "tall"))
        return (
            f'<picture><source media="(max-width: {NARROWEST})" srcset="{tall}">'
            f'<img class="drawn" src="{wide}" alt="{self.phrase("page.table")}" loading="lazy">'
            "</picture>"
        )

    def effect(self, effect: Effect, column: int) -> str:
        told = escape(f"{self.names[column]}, {paired(effect, self.findings, self.language)}")
        if not effect.detected and not effect.broken:
            found = escape(undetected(effect, self.language))
            return f"<div><h4>{told}</h4><p>{found}</p></div>"
        bars = {"differs": effect.differs, "outcome": effect.outcome, "winner": effect.winner}
        lines = "".join(
            f"<div><dt>{self.phrase(measure)}</dt>"
            f"<dd>{_bar(bars.get(measure))}{escape(value)}</dd></div>"
            for measure, value in measures(effect, self.findings.seats, self.language)
        )
        return f"<div><h4>{told}</h4><dl>{lines}</dl></div>"

    # ------------------------------------------------------------ terms

    def terms(self) -> str:
        """Renders the table of terms in each book, and ambiguous terms."""
        terms = self.table.terms
        if not terms.each or not several_books(self.comparison):
            return ""
        shared = [terms.shared(at) for at in range(len(self.names))]
        rows: list[str] = []
        for term in terms.each:
            cells: list[str] = []
            for at, own in enumerate(term.words):
                words = [
                    f'<span class="shared">{escape(word)}</span>'
                    if any(word.casefold() == each.casefold() for each in shared[at])
                    else escape(word)
                    for word in own
                ]
                language = escape(self.table.columns[at].language)
                none = f'<span class="no-word">{self.phrase("terms.none")}</span>'
                cell = ", ".join(words) or none
                cells.append(
                    f'<td data-name="{escape(self.names[at])}" lang="{language}">{cell}</td>'
                )
            found = escape(" ".join(map(folded, terms.said_of(term.thing))))
            rows.append(
                f'<tr data-words="{found}"><th scope="row">{escape(term.name)}</th>'
                f"{''.join(cells)}</tr>"
            )
        told = one_word_for_several(self.comparison)
        several = "".join(f"<li>{escape(each)}</li>" for each in told)
        several = f'<ul class="several">{several}</ul>' if several else ""
        return (
            f'<section class="terms"><h2>{self.phrase("terms.title")}</h2>{several}'
            f'<div class="scroll"><table><thead><tr><th scope="col">{self.phrase("terms.thing")}'
            f"</th>{self.column_heads()}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
            "</section>"
        )

    # ------------------------------------------------------------ effects

    def effects(self) -> str:
        """Renders the ranked table of measured effects, with the effect of chance alone."""
        shown = {each.number: each.row for each in self.comparison.differences}
        rows = [
            (_link(each.number, shown[each.number]), each.column, effect)
            for each in self.findings.ranked
            for effect in each.effects
        ]
        rows += [
            (f"<b>{self.phrase('page.together')}</b>", at, effect)
            for at, effects in enumerate(self.findings.together, 1)
            for effect in effects
        ]
        if not rows:
            return ""
        lines = "".join(
            f'<tr><th scope="row">{name}</th><td>{escape(self.names[at])}</td>'
            f"<td>{effect.players}</td>"
            + "".join(f"<td>{each}</td>" for each in self.measured(effect))
            + "</tr>"
            for name, at, effect in rows
        )
        heads = "".join(
            f'<th scope="col">{self.phrase(each) if each else ""}</th>'
            for each in ("", "page.in", "page.players", "page.wins", "page.score", "page.comes_up")
        )
        none = without_effect(self.findings, self.names, self.language)
        notes = (
            *([none] if none else []),
            *chance_alone(self.findings, self.language),
            *how_measured(self.findings, self.language),
        )
        return (
            f'<section class="all-effects"><h2>{self.phrase("ranked")}</h2>'
            f'<div class="scroll"><table>'
            f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
            + "".join(f'<p class="note">{escape(each)}</p>' for each in notes)
            + "</section>"
        )

    def measured(self, effect: Effect) -> list[str]:
        cells = [escape(each) for each in ranked_cells(effect, self.language)]
        beyond = effect.beyond
        bar = _bar(beyond) if beyond is not None and beyond.clear else ""
        return [f"{bar}{cells[0]}", *cells[1:]]

    def stances(self, cell: Cell) -> str:
        """Renders a word for each stance of the books, then the sections."""
        told = escape(stances_text(cell, self.language, self.table.columns))
        if not cell.stances or (not told and not cell.cites):
            return f'<p class="stances"><span class="stance">{told}</span></p>' if told else ""
        sections = dict.fromkeys(cite.section for cite in cell.cites if cite.section)
        words = " ".join(stance(each, self.language) for each in without_silence(cell.stances))
        named = joined(sections, self.language)
        where = f' <span class="sections">{escape(named)}</span>' if sections else ""
        return f'<p class="stances">{words}{where}</p>'


def _bar(estimate: Estimate | None) -> str:
    """Renders a share as a bar with its interval and a tick at its value."""
    if estimate is None:
        return ""
    found = (estimate.low, estimate.high, estimate.value)
    low, high, value = (f"{100 * each:.1f}" for each in found)
    return (
        f'<span class="bar" style="--low:{low}%;--high:{high}%;--value:{value}%" '
        'aria-hidden="true"></span>'
    )


def _rule(cell: Cell) -> tuple[object, ...]:
    return cell.there, cell.says or cell.text, cell.code, cell.cites


def _link(number: int, row: Row) -> str:
    return f'<a href="#{escape(row.id)}">{number} {escape(row.title)}</a>'


def _inline(svg: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def _told(name: str, side: Account, language: str) -> str:
    lines = "".join(
        f"<li{' class=lead' if line.endswith(':') or len(side.lines) == 1 else ''}>"
        f"{escape(line)}</li>"
        for line in side.lines
    )
    whys = "".join(
        f'<p class="why">{_by(why, language)}</p>{citations(why.cites, language)}'
        for why in side.why
    )
    return f'<div><h4>{escape(name)}</h4><ul class="lines">{lines}</ul>{whys}</div>'


def _by(why: Why, language: str) -> str:
    return f'{escape(by(why, language))} <code class="id">{escape(why.id)}</code>'
