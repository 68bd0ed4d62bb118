"""Renders the agreement of a table: everything in which it differs from the base game, to be
signed.

The points come from a comparison of the base game with what is played: one for each difference,
with the rule now, the former one, and everything else it affects. They are listed under the variant
that brings them: the edition, modules, then house rules; those that affect most rules come first.
The rules that apply otherwise are named before them. Each point cites its book; if the variant
cites none, it is called the table's own, with the books that say otherwise. Where the game has
several editions, the point lists what each of them plays and what its book says. A table's reason
is given as such; an edition's remark on its own reading is a remark, also where a table has adopted
the reading. Differences of an adopted edition that this table did not adopt are listed by title.
Differences of wording are only counted.

Where a book literally says otherwise, or leaves a point open, the remark and the ruling are given
with the point: that is what was decided. Rulings on all other points, which all versions share, are
listed below, so that the signers know them. At the end is space for signatures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import PurePath
from textwrap import fill

from lawspeaker import ir
from lawspeaker.base.counts import counts_in_sentence
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.faces.render.compare import brief
from lawspeaker.faces.render.mix import untaken
from lawspeaker.faces.render.page_frame import framed
from lawspeaker.faces.render.words import books, stance_name
from lawspeaker.meaning.variant import EDITION
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.gaps import Gap, gaps
from lawspeaker.study.compare.kinds import LETTER
from lawspeaker.study.compare.points import CALLED, CLAUSE_SORTS
from lawspeaker.study.compare.rows import Cell, Row
from lawspeaker.study.compare.ruleset import Ruleset

OWN = ("module", "house rule")
"""Layers whose points are their own unless a book states them; an edition follows a book."""
RULING = ("our_ruling",)
WIDTH = 78
LINES = 2
Line = tuple[str, str]
"""A labelled line beside a point: `Before` and `2`."""


@dataclass(frozen=True, slots=True)
class AgreedPoint:
    """One difference: title, the rule now (`says`) and before, what else it affects, and the
    reason.

    `remark` is that of the edition it is taken from, `letter` the remark where a book literally
    says otherwise, `ruling` the decision, and `books` what each edition plays and its book says,
    where editions are compared.
    """

    title: str
    says: str
    before: str
    also: tuple[str, ...]
    because: str
    remark: str
    cites: str
    letter: str
    ruling: str
    books: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class AgreedPart:
    layer: str
    title: str
    about: str
    points: tuple[AgreedPoint, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """An agreement in one language.

    `title` is that of the game, `base` that of its first book, `called` the title of the rules that
    are played, `name` what one types for them. `further` lists what adopted editions play otherwise
    and this table does not: a sentence, and each point.
    """

    language: str
    title: str
    base: str
    called: str
    name: str
    players: str
    digest: str
    parts: tuple[AgreedPart, ...]
    rulings: tuple[Line, ...]
    worded: int
    further: tuple[str, ...] = ()

    def phrase(self, key: str, **values: object) -> str:
        return phrase(f"contract.{key}", self.language, **values)

    def colon(self, what: str, text: str) -> str:
        """Joins a label and a text; in French a space precedes the colon."""
        return colon(what, text, self.language)

    @property
    def heading(self) -> str:
        return self.phrase("title", game=self.title)

    @property
    def opening(self) -> str:
        """The opening: number of players, the rules, and what applies otherwise."""
        players = self.phrase("players", players=self.players)
        told = f"{players} {self.phrase('rules', name=self.called)}."
        return f"{told} {self.phrase('all_else', game=self.base)}" if self.parts else told

    def layer(self, part: AgreedPart) -> str:
        return self.phrase(part.layer.replace(" ", "_"))


def contract(comparison: Comparison, played: Ruleset) -> Contract:
    """Builds the agreement of a table.

    The comparison has the base game, what is played, and perhaps other editions after these.
    """
    table, program = comparison.table, played.program
    language = table.language
    playing = [each for each in comparison.differences if each.plays_otherwise(1)]
    parts: list[AgreedPart] = []
    for note in program.variants:
        found = sorted((_rows(each, note.name) for each in playing), key=_weight)
        own = tuple(_point(rows, note.layer, comparison) for rows in found if rows)
        title = ir.in_language(note.title, language, note.name)
        about = ir.in_language(note.about, language)
        parts.append(AgreedPart(note.layer, title, about, own))
    told = {row.id for each in playing for row in each.rows if row.cells[1].kind}
    counts = comparison.counts_of(1)
    taken_from = _taken_from(comparison, played)
    left = [each for each in comparison.differences if not each.plays_otherwise(1)]
    called = [table.title] if not parts else [table.title, played.title(language)]
    return Contract(
        language,
        table.title,
        table.columns[0].title,
        " + ".join(called),
        _typed(played.name),
        counts_in_sentence(program.counts, language),
        program.digest,
        tuple(parts),
        tuple(_ruling(each) for each in gaps(played, language).each if not _within(told, each.id)),
        sum(count for group, count in counts.items() if group not in ("play", "box")),
        tuple(untaken(left, taken_from, [each.title for each in table.columns], language)),
    )


def _taken_from(comparison: Comparison, played: Ruleset) -> list[int]:
    """Returns the editions beside the base game whose books are cited for agreed points."""
    known = {source.id for source in played.program.sources}
    own = {id for id, _ in comparison.table.columns[0].sources}
    columns = [*enumerate(comparison.table.columns)][2:]
    return [at for at, each in columns if {id for id, _ in each.sources} & known - own]


def changes(comparison: Comparison) -> tuple[tuple[Difference, AgreedPoint], ...]:
    """Returns all differences in play of the second edition, whoever caused them.

    It is for a draft, which may have changed the files of the game themselves.
    """
    playing = [(each, _rows(each)) for each in comparison.differences if each.plays_otherwise(1)]
    found = sorted(playing, key=lambda pair: _weight(pair[1]))
    return tuple((each, _point(rows, OWN[-1], comparison)) for each, rows in found if rows)


def _rows(difference: Difference, variant: str | None = None) -> list[Row]:
    """Returns the rows of a difference that a variant caused, the main row first."""
    rows = [
        row
        for row in (difference.row, *difference.rows)
        if row.cells[1].kind and row.sort not in CALLED and variant in (None, row.cells[1].variant)
    ]
    return list({row.id: row for row in rows}.values())


def _weight(rows: Sequence[Row]) -> tuple[int, bool]:
    """Sort key: points that affect more come first, and rules before numbers of things."""
    return -len(rows), bool(rows) and rows[0].sort not in CLAUSE_SORTS


def _typed(name: str) -> str:
    """Returns the name to type for the rules, without the folders of files."""
    pieces = (f"./{PurePath(each).name}" if "/" in each else each for each in name.split("+"))
    return "+".join(pieces)


def _point(rows: Sequence[Row], layer: str, comparison: Comparison) -> AgreedPoint:
    language = comparison.table.language
    main, *others = rows
    before, now = main.cells[:2]
    sentence = main.sort != "choice" and bool(now.says or not now.there)
    says, was = _says(main, language)
    cells = [row.cells[1] for row in rows]
    own = layer in OWN and not any(cell.cited for cell in cells)
    # A variant that changes a rule and cites no book for it owns the rule; stances on the former
    # rule no longer apply.
    cites = tuple(
        dict.fromkeys(
            cite
            for cell in cells
            if cell.there
            for cite in cell.cites
            if cell.cited or layer not in OWN or cite.stance == "says_otherwise"
        )
    )
    whose = ""
    if own and now.there:
        what = "own_choice" if main.sort == "choice" else "own_rule"
        whose = phrase(f"contract.{what}.{layer.replace(' ', '_')}", language)
    reasons = dict.fromkeys(cell.because for cell in cells if cell.because not in says)
    remarked = {cell.because for row in rows for cell in row.cells[2:]}
    remarks = [each for each in reasons if each and (layer == EDITION or each in remarked)]
    return AgreedPoint(
        "" if sentence and main.title in (before.says, now.says) else main.title.rstrip("."),
        says,
        was,
        tuple(_besides(row, language) for row in others),
        " ".join(each for each in reasons if each and each not in remarks),
        " ".join(remarks),
        _sources(cites, whose, language),
        _notes(cites, LETTER, language),
        _notes(cites, RULING, language),
        _books(rows, cites, comparison),
    )


def _says(row: Row, language: str) -> tuple[str, str]:
    """Returns the rule now and before."""
    before, now = row.cells[:2]
    if not now.there:
        return phrase("contract.left_out", language, text=before.does), ""
    if row.sort == "choice" or not now.says:
        return now.does, before.does if before.there else ""
    return now.does, before.says if before.there and before.says != now.says else ""


def _besides(row: Row, language: str) -> str:
    """Formats another row of a point, with its former value."""
    says, was = _says(row, language)
    if row.sort == "choice" or not row.cells[1].says:
        says = colon(row.title.rstrip("."), says, language)
    return phrase("changelog.now_before", language, now=says, before=was) if was else says


def _sources(cites: Sequence[ir.Citation], whose: str, language: str) -> str:
    """Formats owner and citations, each section once: `Setup, Turns [en]`.

    A stance is named only where the book does not state the rule.
    """
    stances: dict[tuple[str, str], list[str]] = {}
    for cite in cites:
        stances.setdefault((cite.source, cite.section), []).append(cite.stance)
    told: dict[tuple[str, str], list[str]] = {}
    for (source, section), found in stances.items():
        names = dict.fromkeys(stance_name(each, language) for each in found)
        stance = "" if "states" in found else ", ".join(names)
        told.setdefault((source, stance), []).append(section)
    lines = [whose] if whose else []
    for (source, stance), sections in told.items():
        named = ", ".join(each for each in sections if each)
        where = f"{named} [{source}]" if named else f"[{source}]"
        lines.append(f"{where}, {stance}" if stance else where)
    return joined(lines, language)


def _notes(cites: Iterable[ir.Citation], stances: Sequence[str], language: str) -> str:
    """Joins the remarks on citations of some stances, without duplicates."""
    found = (each.note_in(language) for each in cites if each.stance in stances)
    return " ".join(dict.fromkeys(each for each in found if each))


def _books(
    rows: Sequence[Row], told: Sequence[ir.Citation], comparison: Comparison
) -> tuple[Line, ...]:
    """Returns what the base game and each edition play, with their books; equal ones share a line.

    Citations of the point itself are not repeated.
    """
    language, columns = comparison.table.language, comparison.table.columns
    if len(columns) == 2:
        return ()
    found: dict[str, list[str]] = {}
    for at, column in enumerate(columns):
        if at != 1:
            plays, about = _plays(rows, at, told, language)
            cites = dict.fromkeys(cite for row in about for cite in row.cells[at].cites)
            said = books((cite for cite in cites if cite not in told), language)
            found.setdefault(f"{plays} [{said}]" if said else plays, []).append(column.title)
    return tuple((joined(titles, language), text) for text, titles in found.items())


def _plays(
    rows: Sequence[Row], at: int, told: Sequence[ir.Citation], language: str
) -> tuple[str, Sequence[Row]]:
    """Returns what an edition plays on a point (as agreed, as before, or its own), with the rows
    concerned.

    The letter of the edition whose reading was adopted is omitted, since the point tells it.
    """
    main = rows[0]
    if all(_plays_as(row.cells[at], row.cells[1]) for row in rows):
        cells = [row.cells[at] for row in rows]
        if all(cite in told for cell in cells for cite in cell.cites):
            return phrase("contract.so", language), rows
        return _so(
            next((each for each in cells if each.standing in LETTER), cells[0]), language
        ), rows
    if main.cells[0].there and all(_plays_as(row.cells[at], row.cells[0]) for row in rows):
        return phrase("contract.as_before", language), rows
    own = [row for row in rows if not _plays_as(row.cells[at], row.cells[1])]
    first = main if main in own else own[0]
    return shortened(first.cells[at].does), [first]


def _so(cell: Cell, language: str) -> str:
    """Formats that an edition plays as agreed, with the letter of its book if that differs."""
    ruled = "our_ruling" in cell.stances
    if cell.standing not in LETTER:
        return phrase("contract.so", language)
    played = phrase("contract.ruled" if ruled else "contract.so", language)
    return phrase("compare.played", language, book=brief(cell, language), played=played)


def _plays_as(one: Cell, other: Cell) -> bool:
    if one.point is None or other.point is None:
        return one.point is other.point
    return bool(one.point.in_play == other.point.in_play) and one.says == other.says


def _within(told: Iterable[str], id: str) -> bool:
    """Whether a point, or one that contains it, is told already."""
    return any(f"{each}.".startswith(f"{id}.") for each in told)


def _ruling(gap: Gap) -> Line:
    """Returns what is played where the book leaves a point open, with the ruling."""
    ruled = " ".join(gap.ruled)
    if gap.value and ruled:
        return gap.title.rstrip("."), f"{gap.played} ({ruled.rstrip('.')})"
    return gap.title.rstrip("."), " ".join(each for each in (gap.played, ruled) if each)


def _closing(agreed: Contract) -> str:
    told = []
    if agreed.worded == 1:
        told.append(agreed.phrase("worded_one"))
    elif agreed.worded:
        told.append(agreed.phrase("worded_many", count=agreed.worded))
    told.append(agreed.phrase("name_it", name=agreed.name, print=agreed.digest[:12]))
    return " ".join(told)


def _told(agreed: Contract, point: AgreedPoint) -> Iterator[Line]:
    """Yields the labelled lines beside a point."""
    told = [("before", point.before), *(("also", each) for each in point.also)]
    told += [("why", point.because), ("remark", point.remark), ("source", point.cites)]
    told += [("letter", point.letter), ("ruling", point.ruling)]
    yield from ((agreed.phrase(key), text) for key, text in told if text)
    yield from point.books


# ---------------------------------------------------------------- text


def text(agreed: Contract, width: int = WIDTH) -> str:
    """Renders plain text for printing."""
    return "\n".join(_text_lines(agreed, width)) + "\n"


def _text_lines(agreed: Contract, width: int) -> Iterator[str]:
    yield from (agreed.heading, "=" * len(agreed.heading), "", fill(agreed.opening, width))
    if not agreed.parts:
        yield from ("", agreed.phrase("nothing"))
    for part in agreed.parts:
        yield from _headed(agreed.colon(agreed.layer(part), part.title))
        if part.about:
            yield fill(part.about, width)
        for number, point in enumerate(part.points, 1):
            says = agreed.colon(point.title, point.says) if _apart(point) else point.says
            yield ""
            yield fill(says, width, initial_indent=f"{number:>3}. ", subsequent_indent=" " * 5)
            for label, line in _told(agreed, point):
                line = agreed.colon(label, line)
                yield fill(line, width, initial_indent=" " * 5, subsequent_indent=" " * 7)
        if not part.points:
            yield from ("", f"     {agreed.phrase('no_change')}")
    if agreed.rulings:
        yield from _headed(agreed.phrase("rulings"))
        for title, ruled in agreed.rulings:
            yield fill(f"- {_line(agreed, title, ruled)}", width, subsequent_indent="  ")
    if agreed.further:
        sentence, *points = agreed.further
        yield from ("", fill(sentence, width))
        yield from (fill(each, width, subsequent_indent="  ") for each in points)
    yield from ("", fill(_closing(agreed), width), "")
    yield agreed.colon(agreed.phrase("agreed"), "______________________________")
    for _ in range(LINES):
        yield from ("", "______________________________      ______________________________")


def _headed(title: str) -> Iterator[str]:
    yield from ("", title, "-" * len(title))


def _apart(point: AgreedPoint) -> bool:
    """Whether the title says something that the sentence does not."""
    return point.title not in point.says


def _line(agreed: Contract, title: str, ruled: str) -> str:
    return ruled if ruled.rstrip(".") == title else agreed.colon(title, ruled)


# ---------------------------------------------------------------- Markdown


def markdown(agreed: Contract) -> str:
    lines = [f"# {agreed.heading}", "", agreed.opening, ""]
    if not agreed.parts:
        lines += [agreed.phrase("nothing"), ""]
    for part in agreed.parts:
        lines += [f"## {agreed.colon(agreed.layer(part), part.title)}", ""]
        if part.about:
            lines += [part.about, ""]
        for number, point in enumerate(part.points, 1):
            title = f"**{point.title}** " if _apart(point) else ""
            lines.append(f"{number}. {title}{point.says}  ")
            lines += [f"   {agreed.colon(*line)}  " for line in _told(agreed, point)]
        lines += [""] if part.points else [agreed.phrase("no_change"), ""]
    if agreed.rulings:
        lines += [f"## {agreed.phrase('rulings')}", ""]
        lines += [*(f"- {_line(agreed, *each)}" for each in agreed.rulings), ""]
    if agreed.further:
        sentence, *points = agreed.further
        lines += [sentence, "", *points, ""]
    signed = (agreed.colon(agreed.phrase(key), "") for key in ("agreed", "signed"))
    lines += [_closing(agreed), "", *(each for line in signed for each in (line, ""))]
    return "\n".join(lines)


# ---------------------------------------------------------------- HTML


def page(agreed: Contract) -> str:
    """Renders a self-contained, printable HTML page."""
    parts = "".join(_part(agreed, part) for part in agreed.parts)
    parts = parts or f"<p>{escape(agreed.phrase('nothing'))}</p>"
    signs = f"<span>{agreed.phrase('signed')}</span>" * (2 * LINES)
    style = files(__package__).joinpath("contract.css").read_text(encoding="utf-8")
    body = f"""<h1>{escape(agreed.heading)}</h1>
<p>{escape(agreed.opening)}</p>
{parts}
{_rulings(agreed)}
{_further(agreed)}
<p class="closing">{escape(_closing(agreed))}</p>
<div class="sign"><span>{agreed.phrase("agreed")}</span><span></span>{signs}</div>"""
    return framed(escape(agreed.heading), agreed.language, body, style)


def _part(agreed: Contract, part: AgreedPart) -> str:
    points = "".join(
        f"<li>{_page_says(point)}{_page_details(agreed, point)}</li>" for point in part.points
    )
    listed = f"<ol>{points}</ol>" if points else f"<p>{agreed.phrase('no_change')}</p>"
    about = f'<p class="about">{escape(part.about)}</p>' if part.about else ""
    title = f"<h2><small>{agreed.layer(part)}</small>{escape(part.title)}</h2>"
    return f"{title}{about}{listed}"


def _page_says(point: AgreedPoint) -> str:
    title = f"<b>{escape(point.title)}</b> " if _apart(point) else ""
    return f'<p class="says">{title}{escape(point.says)}</p>'


def _page_details(agreed: Contract, point: AgreedPoint) -> str:
    lines = ""
    before = ""
    for label, text in _told(agreed, point):
        lines += f"<dt>{escape(label) if label != before else ''}</dt><dd>{escape(text)}</dd>"
        before = label
    return f"<dl>{lines}</dl>" if lines else ""


def _rulings(agreed: Contract) -> str:
    if not agreed.rulings:
        return ""
    lines = "".join(f"<li>{escape(_line(agreed, *each))}</li>" for each in agreed.rulings)
    return f'<h2>{escape(agreed.phrase("rulings"))}</h2><ul class="rulings">{lines}</ul>'


def _further(agreed: Contract) -> str:
    if not agreed.further:
        return ""
    sentence, *points = agreed.further
    lines = "".join(f"<li>{escape(each.removeprefix('- '))}</li>" for each in points)
    return f'<p>{escape(sentence)}</p><ul class="rulings">{lines}</ul>'
