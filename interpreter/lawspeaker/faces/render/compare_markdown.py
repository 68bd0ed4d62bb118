"""Renders a comparison as Markdown, for comments on pull requests.

Differences are a table: a line for each point, with a column for each edition. Measured effects and
positions follow; positions are folded. Every text of rules is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.faces.render import compare as shown
from lawspeaker.faces.render.compare import CompareOptions
from lawspeaker.faces.render.compare_json import picture
from lawspeaker.faces.render.show.markdown import escaped
from lawspeaker.faces.render.words import kind_name
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.findings import Finding, Findings
from lawspeaker.study.compare.merging import gathered
from lawspeaker.study.compare.rows import Row

_BREAK = "<br>"


def markdown(
    comparison: Comparison, findings: Findings | None = None, view: CompareOptions | None = None
) -> str:
    """Renders the whole comparison."""
    findings, view = findings or Findings(), view or CompareOptions()
    blocks = [
        *_head(comparison, view),
        _differences(comparison, view),
        *_legend(comparison, view),
        *_positions(comparison, findings, view),
        *_effects(comparison, findings, view),
        *_terms(comparison),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(comparison: Comparison, view: CompareOptions) -> Iterator[str]:
    columns, language = comparison.table.columns, comparison.table.language
    by = shown.evidence_of(comparison.every)
    yield f"**{escaped(shown.headline(comparison.counts, language, by=by))}**"
    if len(columns) > 2 and comparison.every:
        yield escaped(phrase("compare.each_once", language))
    if view.where:
        yield escaped(shown.asked_of_books(comparison, view))
    lines = []
    for at, (title, column) in enumerate(zip(shown.titles(columns), columns, strict=True)):
        told = [f"`{column.name}`"]
        if column.sources:
            books = joined((title for _, title in column.sources), language)
            told.append(escaped(phrase("compare.after", language, books=books)))
        told += [escaped(column.note)] if column.note else []
        if at == 0:
            told.append(escaped(phrase("compare.the_first", language)))
        elif len(columns) > 2:
            told.append(escaped(shown.difference_counts(comparison, at)))
        lines.append(f"- {colon(f'**{escaped(title)}**', joined(told, language), language)}")
    yield "\n".join(lines)
    if view.find and not comparison.table.rows and not comparison.table.terms.each:
        yield escaped(shown.not_found(comparison, view))


# ---------------------------------------------------------------- differences


def _differences(comparison: Comparison, view: CompareOptions) -> str:
    table = comparison.table
    found = comparison.in_order(view.by)
    if not found:
        return ""
    language = table.language
    heads = [phrase(f"compare.page.{key}", language) for key in ("rule", "kind")]
    lines = [line for each in found for line in _lines(each, comparison, view)]
    return _table(["", *heads, *map(escaped, shown.names_of(table.columns, view))], lines)


def _lines(
    each: Difference | Row, comparison: Comparison, view: CompareOptions
) -> Iterator[list[str]]:
    """Yields the lines of a difference, or of a point that is the same everywhere."""
    table = comparison.table
    language, names = table.language, shown.names_of(table.columns, view)
    if isinstance(each, Row):
        same = phrase("compare.same_everywhere", language)
        yield ["", _point(each, view), same, *_cells(each, comparison, view)]
        return
    row = each.row
    notes = shown.evidence_lines(each, names, language)
    notes += [told] if (told := shown.also_for(each, language, view)) else []
    if each.see and view.numbers:
        numbers = ", ".join(map(str, each.see))
        notes.append(phrase("compare.see", language, numbers=numbers))
    point = _BREAK.join([_point(row, view), *map(_small, notes)])
    kind = kind_name(row.kind, language) if row.kind else ""
    number = str(each.number) if view.numbers else ""
    yield [number, point, kind, *_cells(gathered(each), comparison, view)]
    for other in each.rows:
        if other is not row and other.changes_play:
            kind = kind_name(other.kind, language) if other.kind else ""
            yield ["", f"↳ {_point(other, view)}", kind, *_cells(other, comparison, view)]


def _point(row: Row, view: CompareOptions) -> str:
    title = f"**{escaped(row.title)}**" + (f" `{row.id}`" if view.ids else "")
    return f"{title}{_BREAK}{escaped(shortened(row.says))}" if row.says else title


def _cells(row: Row, comparison: Comparison, view: CompareOptions) -> Iterator[str]:
    """Yields what each edition does, what its books say of it, and their sentences."""
    columns, language = comparison.table.columns, comparison.table.language
    quoted = shown.quotes(row, columns, view.shelf)
    for at, cell in enumerate(row.cells):
        told = [f"{shown.mark_of(cell, at)} {escaped(shortened(cell.text))}".strip()]
        if not cell.shared and (stances := shown.stances_text(cell, language, columns)):
            told.append(_small(f"[{stances}]"))
        if remark := shown.remark_of(row, at, language):
            told.append(f"*{escaped(remark)}*")
        told += [escaped(shown.quote_line(*each, language).plain) for each in quoted[at]]
        yield _BREAK.join(told)


def _legend(comparison: Comparison, view: CompareOptions) -> Iterator[str]:
    language = comparison.table.language
    rows = shown.rows_shown(comparison)
    if used := shown.signs(rows, language):
        told = "; ".join(f"{sign} {meaning}" for sign, meaning in used)
        yield _small(f"{told}.")
    if rows and (words := shown.stances_legend(comparison, rows)):
        yield _small(words)
    if view.shelf is not None:
        starred = shown.any_marked(rows, comparison.table.columns, view.shelf)
        notes = shown.about_texts(view.shelf, language, "quoted", "starred" if starred else "")
        yield _small(" ".join(notes))


# ---------------------------------------------------------------- positions and effects


def _positions(comparison: Comparison, findings: Findings, view: CompareOptions) -> Iterator[str]:
    """Yields a folded block for each position found, and a line where none was found."""
    from lawspeaker.faces.render.findings import not_found, same_play

    language, names = comparison.table.language, shown.names_of(comparison.table.columns, view)
    for difference in comparison.differences:
        found = findings.of(difference.number)
        about = f"{difference.number} {escaped(difference.row.title.rstrip('.'))}"
        for each in found:
            name = names[each.column]
            if each.alone.problem:
                told = phrase("compare.not_alone", language, problem=each.alone.problem)
                yield _remark(about, name, told, language)
            if each.alone.along:
                others = ", ".join(map(str, each.alone.along))
                told = phrase("compare.along", language, others=others)
                yield _remark(about, name, told, language)
            if each.search is not None and each.search.witness is None:
                yield _remark(about, name, not_found(each.search, language), language)
        for group in same_play(found):
            yield _position(about, group, names, language, view)


def _remark(about: str, name: str, told: str, language: str) -> str:
    return colon(f"**{about}**", escaped(colon(name, told, language)), language)


def _position(
    about: str, group: Sequence[Finding], names: Sequence[str], language: str, view: CompareOptions
) -> str:
    from lawspeaker.faces.render.findings import why_line

    first = group[0].explained
    assert first is not None
    where = phrase("compare.page.where", language)
    lines = [f"<details><summary>{colon(about, where, language)}</summary>", ""]
    lines += [escaped(first.begins), ""]
    if drawn := picture(first, language):
        fence = "`" * max(3, 1 + max((len(run) for run in _runs(drawn)), default=0))
        lines += [fence, drawn, fence, ""]
    lines += [*(f"- → {escaped(reply)}" for reply in first.replies), ""]
    sides = [(names[0], first.one)]
    sides += [(names[each.column], each.explained.other) for each in group if each.explained]
    for name, side in sides:
        told = _BREAK.join(map(escaped, side.lines))
        lines.append(f"- {colon(f'**{escaped(name)}**', told, language)}")
        lines += [f"  - {_small(why_line(why, language, view.ids))}" for why in side.why]
    return "\n".join([*lines, "", "</details>"])


def _runs(text: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in text).split() if run]


def _effects(comparison: Comparison, findings: Findings, view: CompareOptions) -> Iterator[str]:
    """Yields a table of all measured effects, and how they were measured."""
    if not any(findings.together):
        return
    from lawspeaker.faces.render import findings as told

    language, names = comparison.table.language, shown.names_of(comparison.table.columns, view)
    keys = ("effect", "players", "wins", "score", "comes_up")
    heads = [phrase(f"compare.page.{key}", language) for key in keys]
    whole = phrase("compare.all_together", language)
    lines: list[list[str]] = []
    for title, effects in told.alike(findings.ranked, names, language):
        lines += [
            [title, str(each.players), *told.ranked_cells(each, language)] for each in effects
        ]
    for name, together in zip(names[1:], findings.together, strict=False):
        about = colon(whole, name, language)
        lines += [
            [about, str(each.players), *told.ranked_cells(each, language)] for each in together
        ]
    yield _table(heads, [list(map(escaped, line)) for line in lines])
    yield escaped(told.without_effect(findings, names, language))
    notes = [*told.chance_alone(findings, language), *told.how_measured(findings, language)]
    yield _small(" ".join(notes))


def _terms(comparison: Comparison) -> Iterator[str]:
    table, language = comparison.table, comparison.table.language
    if not table.terms.each or not shown.several_books(comparison):
        return
    none = phrase("compare.terms.none", language)
    heads = [phrase("compare.terms.thing", language), *shown.titles(table.columns)]
    rows = [
        [term.name, *(", ".join(own) or none for own in term.words)] for term in table.terms.each
    ]
    yield f"**{escaped(phrase('compare.terms.title', language))}**"
    yield _table(map(escaped, heads), [list(map(escaped, row)) for row in rows])
    yield " ".join(map(escaped, shown.one_word_for_several(comparison)))


# ---------------------------------------------------------------- Markdown


def _table(heads: Iterable[str], rows: Sequence[Sequence[str]]) -> str:
    head = list(heads)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _small(words: str) -> str:
    return f"<sub>{escaped(words)}</sub>"
