"""Renders a comparison for the terminal: headline, differences, and terms of the books.

It is readable at 80 columns and without colours: how an edition differs is always said in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.base.typography import NO_BREAK, colon, joined, quotation, quoted_inside
from lawspeaker.faces.render.blocks import Prose
from lawspeaker.faces.render.words import books, figure, kind_name, stance_name, without_silence
from lawspeaker.ir.texts import RULING
from lawspeaker.study.compare.comparison import MATTERS, Comparison
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.evidence import BOX, SEEN, TEXT, Evidence
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.compare.kinds import GROUPS, IN_PART, PARTLY, SAME_PLAY, UNREAD
from lawspeaker.study.compare.merging import gathered
from lawspeaker.study.compare.points import CALLED, CLAUSE_SORTS
from lawspeaker.study.compare.rows import Cell, Row, RulesetColumn
from lawspeaker.study.compare.where import STANCES, Condition
from lawspeaker.study.sources.quoting import BookTexts, Pieces, Quote

WIDEST_NAME = 20
LEGEND = (
    "states",
    "implies",
    "in_part",
    "unread",
    "silent",
    "our_ruling",
    "says_otherwise",
    "contradicts_itself",
)
"""The stances of a book, in the order of the legend."""
SIGNS = {
    "≠": "otherwise",
    "≈": "no_game",
    "~": "alike",
    "○": "open",
    "◐": "in_part",
    "?": "not_read",
    "=": "same",
}
"""Signs for how an edition relates to the first, with the phrases that explain them."""


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """Options for rendering a comparison.

    They are the order, whether rule ids are shown, the books to quote, the search words, the
    conditions on books, and whether differences are numbered: numbers are valid within one
    comparison. `counted` has the hits of each single word when all of them together find nothing.
    """

    by: str = MATTERS
    ids: bool = False
    shelf: BookTexts | None = None
    find: str = ""
    where: tuple[Condition, ...] = ()
    numbers: bool = True
    counted: Mapping[str, int] = field(default_factory=dict)


def headline(counts: Counter[str], language: str, *, short: bool = False, by: str = TEXT) -> str:
    """Summarizes the comparison: how many differences there are, how many change play, on what
    evidence.

    The evidence is named if it is the same for all. Unless `short`, the subjects of the other
    differences follow.
    """
    if not counts:
        return phrase("compare.none", language)
    every, play = counts.total(), counts["play"]
    found = [(group, counts[group]) for group in GROUPS if group != "play"]
    about = joined((_many(group, count, language) for group, count in found if count), language)
    told = _many(f"play_{by}" if by and play else "play", play, language)
    if play and about:
        told += f", {_many('alike', every - play, language)}"
    told += f" ({about})" if about and not short else ""
    return colon(_many("all", every, language), f"{told}.", language)


def evidence_of(differences: Iterable[Difference], column: int | None = None) -> str:
    """Returns the common evidence that differences change play: the text of the rules, or games.

    Empty if it is mixed. Differences in components count as seen in games.
    """
    found = {
        each.by
        for difference in differences
        for at, each in difference.evidence.items()
        if each.shows and column in (None, at)
    }
    words = {SEEN if each == BOX else each for each in found}
    return words.pop() if len(words) == 1 else TEXT if not words else ""


def evidence_text(evidence: Evidence, language: str) -> str:
    """Describes the evidence for whether play is changed."""
    figures = {"seen": evidence.seen, "games": evidence.games}
    told = {key: figure(each, ",", language) for key, each in figures.items()}
    return phrase(f"compare.evidence.{evidence.by}", language, **told)


def evidence_lines(difference: Difference, names: Sequence[str], language: str) -> list[str]:
    """Describes what games have shown of a difference: one line if it is the same for all
    editions."""
    if not difference.found:
        return []
    told: dict[str, list[str]] = {}
    for at, each in difference.evidence.items():
        group = SAME_PLAY if not each.shows else "play"
        line = colon(
            phrase(f"compare.page.{group}", language), evidence_text(each, language), language
        )
        told.setdefault(line, []).append(names[at])
    if len(told) == 1:
        return [f"{line}." for line in told]
    return [colon(joined(own, language), f"{line}.", language) for line, own in told.items()]


def has_books(columns: Sequence[RulesetColumn]) -> bool:
    """Whether any of the editions follows a book."""
    return any(column.sources for column in columns)


def _many(what: str, count: int, language: str) -> str:
    how_many = {0: "none", 1: "one"}.get(count, "many")
    return phrase(f"compare.{what}.{how_many}", language, count=count)


def short_names(columns: Sequence[RulesetColumn]) -> list[str]:
    """Returns the names without their common part: `italian` for GAME+italian."""
    names: list[str] = []
    for column in columns:
        game, *variants = column.name.split("+")
        pieces = [PurePath(each).stem if "/" in each else each for each in variants]
        names.append("+".join(pieces) or PurePath(game).name)
    return names if len(set(names)) == len(names) else [column.name for column in columns]


def titles(columns: Sequence[RulesetColumn]) -> list[str]:
    """Returns the titles of the editions, or their short names where titles are ambiguous."""
    found = [column.title for column in columns]
    return found if len(set(found)) == len(found) else short_names(columns)


def names_of(columns: Sequence[RulesetColumn], view: CompareOptions) -> list[str]:
    """Returns the names of the editions for rows: titles, or short names if ids are shown."""
    return short_names(columns) if view.ids else titles(columns)


def mark_of(cell: Cell, at: int) -> str:
    """Returns the sign for how an edition relates to the first.

    A book that leaves a point open agrees with nobody. Where neither has a rule, nothing is open.
    """
    if cell.plays_otherwise or not at:
        return ("≈" if cell.unseen else "≠") if at else ""
    if cell.there and not cell.shared:
        if cell.open:
            return "○"
        if cell.unread:
            return "?"
    if cell.kind == PARTLY and cell.standing == IN_PART:
        return "◐"
    return "~" if cell.kind else "="


def stances_text(cell: Cell, language: str, columns: Sequence[RulesetColumn]) -> str:
    """Describes the stances of an edition's books on a rule, with sections.

    Only the sections are given if the cell's text includes the stance already; nothing is missing
    where there are no books.
    """
    if not has_books(columns):
        return ""
    if cell.point is None and cell.there and not cell.cites:
        return ""  # a fact about the game that needs no source
    if cell.cites and not _stances_said(cell, language):
        return _sections(cell)
    if cell.cites or cell.point is None:
        return books(cell.cites, language) or ", ".join(
            stance_name(each, language) for each in cell.stances
        )
    if cell.unread:
        said_here = cell.text.startswith(brief(cell, language))
        return "" if said_here else stance_name(UNREAD, language)
    return phrase("compare.uncited", language) if cell.point.sort in CLAUSE_SORTS else ""


def _stances_said(cell: Cell, language: str) -> tuple[str, ...]:
    """Returns the stances to name beside a cell.

    There are none where the cell's text includes it, or where there is no such rule, since the
    books then concern the rules to be changed. A ruling is always named.
    """
    if not cell.there and cell.cites:
        return ()
    plain = len(cell.stances) == 1 and cell.standing != RULING
    return () if plain and cell.text.startswith(brief(cell, language)) else cell.stances


def _sections(cell: Cell) -> str:
    return ", ".join(dict.fromkeys(each.section for each in cell.cites if each.section))


def brief(cell: Cell, language: str) -> str:
    """Returns the overall stance of an edition's books, as the cell's text begins."""
    return phrase(f"compare.brief.{cell.standing}", language) if cell.standing else "\0"


def kinds_of(groups: Iterable[str]) -> tuple[str, ...]:
    """Returns the kinds of differences in some groups (play, silences, words …)."""
    return tuple(kind for group in groups for kind in GROUPS[group])


def remark_of(row: Row, at: int, language: str) -> str:
    """Returns the remark on a cell, or that it is the same as that on the first."""
    remark = row.cells[at].remark
    if at and remark and remark == row.cells[0].remark:
        return phrase("compare.as_in_the_first", language)
    return remark


def text(
    comparison: Comparison,
    findings: Findings | None = None,
    width: int = 80,
    view: CompareOptions | None = None,
) -> Group:
    """Renders the whole comparison."""
    findings, view = findings or Findings(), view or CompareOptions()
    parts: list[RenderableType] = [head(comparison, view)]
    columns, language = comparison.table.columns, comparison.table.language
    names = names_of(columns, view)
    if view.find and not comparison.table.rows and not comparison.table.terms.each:
        parts += [Prose(), Prose(not_found(comparison, view))]
    for each in comparison.in_order(view.by):
        if isinstance(each, Row):
            parts.append(alone(each, columns, language, view))
            continue
        parts.append(block(each, columns, language, view))
        if findings.of(each.number):
            from lawspeaker.faces.render.findings import about

            shown = about(each.number, findings, names, language, width - 5, view.ids)
            parts.append(Padding(shown, (0, 0, 0, 5)))
    if any(findings.together):
        from lawspeaker.faces.render.findings import together

        parts += [Prose(), together(findings, names, language)]
    if comparison.table.terms.each and several_books(comparison):
        parts += [Prose(), words(comparison, width)]
    return Group(*parts)


def not_found(comparison: Comparison, view: CompareOptions) -> str:
    """Explains that nothing was found: where was searched, hits of single words, and where else to
    search."""
    language = comparison.table.language
    told = [phrase("compare.not_found", language, word=view.find)]
    for word, count in view.counted.items():
        many = {0: "none", 1: "one"}.get(count, "many")
        told.append(phrase(f"asked.alone.{many}", language, word=word, count=count))
    told.append(phrase("asked.searched", language))
    if view.shelf is None and has_books(comparison.table.columns):
        told.append(phrase("compare.texts.not_searched", language))
    return " ".join(told)


def asked_of_books(comparison: Comparison, view: CompareOptions) -> str:
    """Describes the conditions on books, and how many differences match."""
    language = comparison.table.language
    names = titles(comparison.table.columns)
    told = (colon(names[each.column], does(each.word, language), language) for each in view.where)
    shown, every = len(comparison.differences), len(comparison.every)
    books = joined(told, language)
    return phrase("asked.where", language, shown=shown, all=every, books=books)


def does(word: str, language: str) -> str:
    """Describes a stance, given the word that a user types for it."""
    if word in STANCES:
        return stance_name(STANCES[word], language)
    return phrase(f"asked.{word}", language)


def several_books(comparison: Comparison) -> bool:
    """Whether the editions follow different books, so that stances must be told apart."""
    return len({column.sources for column in comparison.table.columns}) > 1


def head(comparison: Comparison, view: CompareOptions) -> RenderableType:
    """Renders the headline and the list of editions."""
    columns, language = comparison.table.columns, comparison.table.language
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(max_width=WIDEST_NAME)
    grid.add_column()
    for at, (title, column) in enumerate(zip(titles(columns), columns, strict=True)):
        lines = [column.name]
        if column.sources:
            told = joined((title for _, title in column.sources), language)
            lines.append(phrase("compare.after", language, books=told))
        lines += [column.note] if column.note else []
        if at == 0:
            lines.append(phrase("compare.the_first", language))
        elif len(columns) > 2:
            lines.append(difference_counts(comparison, at))
        grid.add_row(Prose(title, style="bold"), Prose(joined(lines, language)))
    parts: list[RenderableType] = [
        Prose(headline(comparison.counts, language, by=evidence_of(comparison.every)), style="bold")
    ]
    if len(columns) > 2 and comparison.every:
        parts.append(Prose(phrase("compare.each_once", language)))
    if view.where:
        parts.append(Prose(asked_of_books(comparison, view), style="bold"))
    parts += [Prose(), grid]
    rows = rows_shown(comparison)
    if rows:
        used = (f"{sign}{NO_BREAK}{meaning}" for sign, meaning in signs(rows, language))
        parts += [Prose(), Prose(f"{joined(used, language)}.", style="dim")]
    if rows and (told := stances_legend(comparison, rows)):
        parts.append(Prose(told, style="dim"))
    if view.shelf is not None:
        starred = any_marked(rows, columns, view.shelf)
        told = " ".join(about_texts(view.shelf, language, "quoted", "starred" if starred else ""))
        parts.append(Prose(told, style="dim"))
    return Group(*parts)


def difference_counts(comparison: Comparison, at: int) -> str:
    """Summarizes how an edition differs from the first.

    Points that its books leave open just as those of the first do are marked, but are no
    difference; they are counted separately.
    """
    language = comparison.table.language
    by = evidence_of(comparison.every, at)
    told = headline(comparison.counts_of(at), language, by=by)
    alike = [
        each
        for each in comparison.every
        if at not in each.columns and mark_of(gathered(each).cells[at], at) == "○"
    ]
    return f"{told} {_many('open_alike', len(alike), language)}" if alike else told


def rows_shown(comparison: Comparison) -> list[Row]:
    """Returns the rows of a comparison as they are shown."""
    found = comparison.in_order(MATTERS)
    return [each if isinstance(each, Row) else gathered(each) for each in found]


def signs(rows: Sequence[Row], language: str) -> list[tuple[str, str]]:
    """Returns the signs used in some rows, with their meanings."""
    used = {mark_of(cell, at) for row in rows for at, cell in enumerate(row.cells)}
    return [
        (sign, phrase(f"compare.page.{key}", language))
        for sign, key in SIGNS.items()
        if sign in used
    ]


def stances_legend(comparison: Comparison, rows: Sequence[Row]) -> str:
    """Explains the stances used in some rows; empty unless the editions follow different books."""
    if not several_books(comparison):
        return ""
    columns, language = comparison.table.columns, comparison.table.language
    words = _words_said(rows, columns, language)
    meant = (f"{word} ({meaning})" for _, word, meaning in legend(words, language))
    return colon(phrase("compare.legend", language), f"{joined(meant, language)}.", language)


def legend(words: Collection[str], language: str) -> list[tuple[str, str, str]]:
    """Returns the stances used, with the words for them and their meanings.

    A word is given by the key of its phrase: `brief.states` in a cell, `stance.states` beside it.
    """
    found: list[tuple[str, str, str]] = []
    for each in (*LEGEND, "missing", "uncited"):
        keys = [key for key in (f"brief.{each}", f"stance.{each}", each) if key in words]
        told = dict.fromkeys(phrase(_PHRASES.get(key, f"compare.{key}"), language) for key in keys)
        if told:
            found.append((each, " / ".join(told), phrase(f"compare.means.{each}", language)))
    return found


_PHRASES = {"missing": "web.comparing.missing_rule"}


def words_in(rows: Sequence[Row], language: str) -> set[str]:
    """Returns the phrase keys of stances used in cells."""
    found: set[str] = set()
    for cell in (cell for row in rows for cell in row.cells):
        if cell.standing and cell.text.startswith(brief(cell, language)):
            found.add(f"brief.{cell.standing}")
        if not cell.there and cell.text == phrase(_PHRASES["missing"], language):
            found.add("missing")
    return found


def _words_said(rows: Sequence[Row], columns: Sequence[RulesetColumn], language: str) -> set[str]:
    """Returns the phrase keys of stances used in cells or beside them."""
    found = words_in(rows, language)
    for cell in (cell for row in rows for cell in row.cells if not cell.shared):
        told = stances_text(cell, language, columns)
        if told == phrase("compare.uncited", language):
            found.add("uncited")
        elif told:
            stances = {*_stances_said(cell, language)}
            found.update(f"stance.{each}" for each in without_silence(stances))
    return found


def any_marked(
    rows: Sequence[Row], columns: Sequence[RulesetColumn], shelf: BookTexts | None
) -> bool:
    """Whether words are marked in which two books differ."""
    cells = (cell for row in rows for cell in quotes(row, columns, shelf))
    return any(unlike for cell in cells for _, pieces in cell for _, unlike in pieces)


def about_texts(shelf: BookTexts | None, language: str, how: str, marks: str) -> list[str]:
    """Returns notes on quoted sentences and missing books.

    `how` says how quotes are shown (quoted, barred), `marks` how differing words are marked
    (starred, highlighted), if any are.
    """
    if shelf is None:
        return [phrase("compare.texts.none", language)]
    about = [each for each in (how, marks) if each and shelf.texts]
    told = [phrase(f"compare.texts.{each}", language) for each in about]
    for file in dict.fromkeys(shelf.missing.values()):
        told.append(phrase("compare.texts.missing", language, file=file))
    return told


def block(
    difference: Difference, columns: Sequence[RulesetColumn], language: str, view: CompareOptions
) -> RenderableType:
    """Renders one difference: its number, subject, kind, and lines for each edition."""
    row = difference.row
    lines: list[RenderableType] = [
        Prose(),
        _heading(row, f"{difference.number:>3}" if view.numbers else "", language, view),
    ]
    if row.says:
        lines.append(Padding(Prose(shortened(row.says)), (0, 0, 0, 5)))
    whole = gathered(difference)
    lines.append(Padding(cells(whole, columns, language, view), (0, 0, 0, 3)))
    for told in evidence_lines(difference, names_of(columns, view), language):
        lines.append(Padding(Prose(told), (0, 0, 0, 5)))
    others = [each for each in difference.rows if each is not row]
    playing = [each for each in others if each.changes_play]
    if playing:
        lines += [
            Padding(Prose(phrase("compare.together_with", language), style="dim"), (0, 0, 0, 5)),
            Padding(besides(playing, names_of(columns, view), language, view), (0, 0, 0, 7)),
        ]
    if told := also_for(difference, language, view):
        lines.append(Padding(Prose(told, style="dim"), (0, 0, 0, 5)))
    if difference.see and view.numbers:
        told = phrase("compare.see", language, numbers=", ".join(map(str, difference.see)))
        lines.append(Padding(Prose(told, style="dim"), (0, 0, 0, 5)))
    return Group(*lines)


def also_for(difference: Difference, language: str, view: CompareOptions) -> str:
    """Names the other points to which a difference applies; empty if there are none.

    Names and drawings are implied by a difference of a rule or a thing, and listed only with ids.
    """
    row = difference.row
    others = [each for each in difference.rows if each is not row and not each.changes_play]
    if row.sort not in CALLED and not view.ids:
        others = [each for each in others if each.sort not in CALLED]
    return also([_name(each, view) for each in others], language)


def also(points: Sequence[str], language: str) -> str:
    """Formats that something holds of other points as well."""
    told = joined(points, language)
    return phrase("compare.also", language, points=told) if points else ""


def _name(row: Row, view: CompareOptions) -> str:
    return row.id if view.ids else row.title.rstrip(".")


def _heading(row: Row, number: str, language: str, view: CompareOptions) -> Grid:
    kind = kind_name(row.kind, language) if row.kind else ""
    if not row.kind and len(row.cells) > 1:
        kind = phrase("compare.same_everywhere", language)
    return headed(number, row.title, kind, row.id if view.ids else "")


def headed(number: str, about: str, kind: str, id: str) -> Grid:
    """Renders the head of a point: number, subject, kind, and optionally the rule's id."""
    title = Prose(about, style="bold")
    title.append(f"  {kind}" if kind else "", style="not bold italic")
    title.append(f"  {id}" if id else "", style="not bold dim")
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=3)
    grid.add_column()
    grid.add_row(Prose(number), title)
    return grid


def besides(rows: Sequence[Row], names: Sequence[str], language: str, view: CompareOptions) -> Grid:
    """Renders the other points of a difference, each with what is played."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(max_width=WIDEST_NAME + 10)
    grid.add_column()
    for row in rows:
        told: dict[str, list[str]] = {}
        for name, cell in zip(names[1:], row.cells[1:], strict=True):
            if cell.kind:
                told.setdefault(_instead(cell, row.cells[0], language), []).append(name)
        alone = len(names) == 2
        texts = [
            text if alone else colon(joined(tellers, language), text, language)
            for text, tellers in told.items()
        ]
        grid.add_row(Prose(_name(row, view)), Prose("\n".join(texts)))
    return grid


def _instead(cell: Cell, first: Cell, language: str) -> str:
    """Formats what an edition does instead of the first."""
    text = shortened(cell.does)
    if not first.there or first.does in cell.does:
        return text
    rest = shortened(first.does)
    return phrase("compare.in_the_first", language, text=text.removesuffix("."), first=rest)


def cells(row: Row, columns: Sequence[RulesetColumn], language: str, view: CompareOptions) -> Grid:
    """Renders what each edition does, the stances of its books, and quoted sentences."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(max_width=WIDEST_NAME)
    grid.add_column()
    quoted = quotes(row, columns, view.shelf)
    for at, (name, cell) in enumerate(zip(names_of(columns, view), row.cells, strict=True)):
        line = Prose(shortened(cell.text), style="" if cell.kind or not at else "dim")
        if not cell.shared and (told := stances_text(cell, language, columns)):
            line.append(f"  [{told}]", style="dim")
        if remark := remark_of(row, at, language):
            line.append(f"\n{remark}", style="italic")
        for quote, pieces in quoted[at]:
            line.append("\n")
            line.append_text(quote_line(quote, pieces, language))
        grid.add_row(Prose(mark_of(cell, at) or " "), Prose(name), line)
    return grid


def quotes(
    row: Row, columns: Sequence[RulesetColumn], shelf: BookTexts | None
) -> list[list[tuple[Quote, Pieces]]]:
    """Returns the cited sentences of each edition, marking words in which two books of a language
    differ."""
    if shelf is None:
        return [[] for _ in row.cells]
    found = [shelf.quotes(cell.cites) for cell in row.cells]
    marked_up: list[list[tuple[Quote, Pieces]]] = []
    for at, own in enumerate(found):
        others = (
            theirs
            for other, theirs in enumerate(found)
            if other != at and theirs and columns[other].language == columns[at].language
        )
        beside = next(others, ())
        marked_up.append([(each, shelf.marked(each, beside)) for each in own])
    return marked_up


def quote_line(quote: Quote, pieces: Pieces, language: str) -> Text:
    before, behind = quotation(language)
    line = Prose(before, style="dim")
    texts = quoted_inside((text for text, _ in pieces), language)
    for text, (_, unlike) in zip(texts, pieces, strict=True):
        line.append(f"*{text}*" if unlike else text, style="not dim underline" if unlike else "")
    line.append(behind)
    since = phrase(f"compare.texts.{quote.since}", language) if quote.since else ""
    line.append(f" ({quote.where}" + (f"; {since}" if since else "") + ")")
    return line


def words(comparison: Comparison, width: int) -> RenderableType:
    """Renders the table of terms in each book, and ambiguous terms."""
    table, language = comparison.table, comparison.table.language
    heads = [phrase("compare.terms.thing", language), *titles(table.columns)]
    none = phrase("compare.terms.none", language)
    rows = [
        [term.name, *(", ".join(own) or none for own in term.words)] for term in table.terms.each
    ]
    parts: list[RenderableType] = [Prose(phrase("compare.terms.title", language), style="bold")]
    columns = [*zip(heads, *rows, strict=True)]
    gap = next((gap for gap in (2, 1) if _fits(columns, gap, width)), 0)
    if gap:
        grid = Grid(box=None, pad_edge=False, padding=(0, gap, 0, 0))
        room = width - gap * (len(columns) - 1)
        for head, own in zip(heads, _widths(columns, room), strict=True):
            grid.add_column(head, width=own)
        for row in rows:
            grid.add_row(*map(Prose, row))
        parts.append(grid)
    else:
        parts += (_stacked(heads[1:], row, language) for row in rows)
    parts += (Prose(each) for each in one_word_for_several(comparison))
    return Group(*parts)


def _longest(texts: Iterable[str]) -> int:
    """Returns the minimum width of a column that breaks no word."""
    return max(cell_len(word) for text in texts for word in text.split(" "))


def _fits(columns: Sequence[Sequence[str]], gap: int, width: int) -> bool:
    return sum(map(_longest, columns)) + gap * (len(columns) - 1) <= width


def _widths(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """Distributes the width over columns: the minimum each, the rest where it saves most
    wrapping."""
    widths = [_longest(each) for each in columns]
    wanted = [max(map(cell_len, each)) for each in columns]
    for _ in range(room - sum(widths)):
        lacking = [want - width for want, width in zip(wanted, widths, strict=True)]
        if max(lacking) > 0:
            widths[lacking.index(max(lacking))] += 1
    return widths


def _stacked(books: Sequence[str], row: Sequence[str], language: str) -> RenderableType:
    """Renders a thing with its terms, grouped by equal ones."""
    said: dict[str, list[str]] = {}
    for book, own in zip(books, row[1:], strict=True):
        said.setdefault(own, []).append(book)
    lines = [colon(joined(tellers, language), own, language) for own, tellers in said.items()]
    return Group(Prose(row[0]), *(Padding(Prose(line), (0, 0, 0, 2)) for line in lines))


def one_word_for_several(comparison: Comparison) -> list[str]:
    """Describes the terms that a book uses for several things.

    The things are told apart by terms of books in the reader's language, else of others, whose
    language is named.
    """
    table, language = comparison.table, comparison.table.language
    tongues = [column.language for column in table.columns]
    tellings = sorted(range(len(tongues)), key=lambda at: tongues[at] != language)

    def other(at: int, word: str) -> str:
        if tongues[at] == language or tongues[at] not in LANGUAGES:
            return word
        return colon(phrase(f"compare.language.{tongues[at]}", language), word, language)

    told: list[str] = []
    for at, name in enumerate(titles(table.columns)):
        words = [
            phrase("compare.terms.stands_for", language, word=word, things=", ".join(things))
            for word, own in table.terms.shared(at).items()
            for things in (table.terms.apart(word, own, tellings, other),)
        ]
        if words:
            every = joined(words, language)
            told.append(phrase("compare.terms.shared", language, book=name, words=every))
    return told


def alone(
    row: Row, columns: Sequence[RulesetColumn], language: str, view: CompareOptions
) -> RenderableType:
    """Renders a point that is played alike, whether or not books state it."""
    lines: list[RenderableType] = [Prose(), _heading(row, "   ", language, view)]
    if row.says:
        lines.append(Padding(Prose(shortened(row.says)), (0, 0, 0, 5)))
    return Group(*lines, Padding(cells(row, columns, language, view), (0, 0, 0, 3)))
