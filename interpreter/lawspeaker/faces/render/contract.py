"""What a table has agreed on: one page of everything in which it does not play the base game.

The points come from a comparison of the base game with what is played, so that they say what holds
now and what held before. They stand under the variant that brings them: the edition, modules, then
house rules, each in a sentence and with the book that says it; where the variant cites none, it
is said whose rule it is, and which book says otherwise. Where the game has several editions, what
the book of each says stands beside the point. Differences of words are only counted. At the end is
room for the players to sign.

Where a book says otherwise by its letter, or leaves a point open, the remark on that and the ruling
stand with the point: that is what was decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from textwrap import fill

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.faces.render.compare import brief
from lawspeaker.faces.render.page_frame import framed
from lawspeaker.faces.render.words import books, stance_name
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.kinds import LETTER
from lawspeaker.study.compare.points import CALLED
from lawspeaker.study.compare.rows import Cell, Row
from lawspeaker.study.compare.telling import Telling

OWN = ("module", "house rule")
"""Layers whose own a point is that no book states; an edition tells what a book says."""
RULING = ("our_ruling",)
WIDTH = 78
LINES = 2


@dataclass(frozen=True, slots=True)
class Point:
    """What holds (`says`), what held before, why, where it is from, what is remarked where a book's
    letter is another, what was ruled, and what each edition plays and its book says, where editions
    are compared."""

    id: str
    says: str
    before: str
    because: str
    cites: str
    letter: str = ""
    ruling: str = ""
    books: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    layer: str
    title: str
    about: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """`title` is that of the game; all is told in `language`."""

    language: str
    title: str
    name: str
    game: str
    players: str
    digest: str
    parts: tuple[Part, ...]
    worded: int

    def phrase(self, key: str, **values: object) -> str:
        return phrase(f"contract.{key}", self.language, **values)

    def colon(self, what: str, text: str) -> str:
        """Something and what is said of it; in French a space stands before the colon."""
        return colon(what, text, self.language)

    @property
    def heading(self) -> str:
        return self.phrase("title", game=self.title)

    def layer(self, part: Part) -> str:
        return self.phrase(part.layer.replace(" ", "_"))


def contract(comparison: Comparison, played: Telling) -> Contract:
    """The contract of a table, from a comparison of the base game with what it plays, and perhaps
    with other editions, which come after these."""
    language = comparison.table.language
    program = played.program
    rows = [
        row
        for difference in comparison.differences
        if difference.plays_otherwise(1)
        for row in difference.rows
        if row.cells[1].kind and row.sort not in CALLED
    ]
    parts: list[Part] = []
    for note in program.variants:
        mine = [row for row in rows if row.cells[1].variant == note.name]
        own = tuple(
            replace(_point(row, note.layer, language), books=_books(row, comparison))
            for row in mine
        )
        title = note.title.get(language) or next(iter(note.title.values()), note.name)
        about = note.about.get(language) or next(iter(note.about.values()), "")
        parts.append(Part(note.layer, title, about, own))
    counts = comparison.counts_of(1)
    few, many = program.fewest, program.most
    return Contract(
        language,
        program.title.get(language) or next(iter(program.title.values()), program.name),
        played.name,
        program.name,
        phrase("contract.from_to", language, few=few, many=many) if few != many else str(few),
        program.digest,
        tuple(parts),
        counts.silences + counts.words + counts.contradictions,
    )


def _point(row: Row, layer: str, language: str) -> Point:
    before, now = row.cells[:2]
    if not now.there:
        left_out = phrase("contract.left_out", language, text=before.does)
        return Point(row.id, left_out, "", now.because, "")
    says, was = now.does, ""
    if row.sort == "choice" or not now.says:
        says = colon(row.title.rstrip("."), now.does, language)
        was = before.does if before.there else ""
    elif before.there and before.says != now.says:
        was = before.says
    own = layer in OWN and not now.cited
    # A variant that changes a rule and cites no book for it has made the rule itself; what was
    # stated of the rule before is not said of it now.
    cites = tuple(each for each in now.cites if not own or each.stance == "says_otherwise")
    whose = ""
    if own:
        what = "own_choice" if row.sort == "choice" else "own_rule"
        whose = phrase(f"contract.{what}.{layer.replace(' ', '_')}", language)
    return Point(
        row.id,
        says,
        was,
        _because(now),
        _sources(cites, whose, language),
        _notes(cites, LETTER, language),
        _notes(cites, RULING, language),
    )


def _sources(cites: Sequence[ir.Citation], whose: str, language: str) -> str:
    """Whose it is, and where it stands: `Setup [en]; Turns [en], our ruling`."""
    told = dict.fromkeys([whose] if whose else [])
    for cite in cites:
        where = f"{cite.section} [{cite.source}]" if cite.section else f"[{cite.source}]"
        stance = stance_name(cite.stance, language)
        told[where if cite.stance == "states" else f"{where}, {stance}"] = None
    return joined(told, language)


def _notes(cites: Sequence[ir.Citation], stances: Sequence[str], language: str) -> str:
    """The remarks on citations of some stances, each once."""
    found = (each.note_in(language) for each in cites if each.stance in stances)
    return " ".join(dict.fromkeys(each for each in found if each))


def _books(row: Row, comparison: Comparison) -> tuple[str, ...]:
    """What is played in the base game and in each edition, and what its book says of it; those that
    do and say the same in one line."""
    language, columns = comparison.table.language, comparison.table.columns
    if len(columns) == 2:
        return ()
    before, now = row.cells[:2]
    found: dict[str, list[str]] = {}
    for at, (column, cell) in enumerate(zip(columns, row.cells, strict=True)):
        if at == 1:
            continue
        plays = shortened(cell.does)
        if _plays_as(cell, now):
            plays = _so(cell, language)
        elif _plays_as(cell, before):
            plays = phrase("contract.as_before", language) if before.there else before.does
        said = books(cell.cites, language)
        found.setdefault(f"{plays} [{said}]" if said else plays, []).append(column.title)
    return tuple(colon(joined(titles, language), told, language) for told, titles in found.items())


def _so(cell: Cell, language: str) -> str:
    """That an edition plays as agreed; where its book has another letter, after that."""
    ruled = "our_ruling" in cell.stances
    if cell.standing not in LETTER:
        return phrase("contract.so", language)
    played = phrase("contract.ruled" if ruled else "contract.so", language)
    return phrase("compare.played", language, book=brief(cell, language), played=played)


def _plays_as(one: Cell, other: Cell) -> bool:
    if one.point is None or other.point is None:
        return one.point is other.point
    return bool(one.point.deeds == other.point.deeds) and one.says == other.says


def _because(cell: Cell) -> str:
    """The reason, unless what holds says it already."""
    return "" if cell.because in cell.does else cell.because


def _closing(agreed: Contract) -> str:
    told = [agreed.phrase("all_else", game=agreed.game)]
    if agreed.worded == 1:
        told.append(agreed.phrase("worded_one"))
    elif agreed.worded:
        told.append(agreed.phrase("worded_many", count=agreed.worded))
    told.append(agreed.phrase("name_it", name=agreed.name, print=agreed.digest[:12]))
    return " ".join(told)


# ---------------------------------------------------------------- text


def text(agreed: Contract, width: int = WIDTH) -> str:
    """Plain text, ready to print."""
    return "\n".join(_text_lines(agreed, width)) + "\n"


def _text_lines(agreed: Contract, width: int) -> Iterator[str]:
    yield from (agreed.heading, "=" * len(agreed.heading), "")
    players = agreed.phrase("players", players=agreed.players)
    yield fill(f"{players} {agreed.phrase('rules', name=agreed.name)}.", width)
    if not agreed.parts:
        yield from ("", agreed.phrase("nothing"))
    for part in agreed.parts:
        title = agreed.colon(agreed.layer(part), part.title)
        yield from ("", title, "-" * len(title))
        if part.about:
            yield fill(part.about, width)
        for number, point in enumerate(part.points, 1):
            yield ""
            yield fill(
                point.says, width, initial_indent=f"{number:>3}. ", subsequent_indent=" " * 5
            )
            for line in _details(agreed, point):
                yield fill(line, width, initial_indent=" " * 5, subsequent_indent=" " * 7)
        if not part.points:
            yield from ("", f"     {agreed.phrase('no_change')}")
    yield from ("", fill(_closing(agreed), width), "")
    yield agreed.colon(agreed.phrase("agreed"), "______________________________")
    for _ in range(LINES):
        yield from ("", "______________________________      ______________________________")


def _details(agreed: Contract, point: Point) -> Iterator[str]:
    return (agreed.colon(agreed.phrase(key), text) for key, text in _told(point))


def _told(point: Point) -> Iterator[tuple[str, str]]:
    """What is told beside a point, each by its key among the phrases."""
    told = [("before", point.before), ("why", point.because), ("source", point.cites)]
    told += [("letter", point.letter), ("ruling", point.ruling)]
    told += (("book", each) for each in point.books)
    return ((key, text) for key, text in told if text)


# ---------------------------------------------------------------- Markdown


def markdown(agreed: Contract) -> str:
    players = agreed.phrase("players", players=agreed.players)
    lines = [f"# {agreed.heading}", ""]
    lines += [f"{players} {agreed.phrase('rules', name=f'`{agreed.name}`')}.", ""]
    if not agreed.parts:
        lines += [agreed.phrase("nothing"), ""]
    for part in agreed.parts:
        lines += [f"## {agreed.colon(agreed.layer(part), part.title)}", ""]
        if part.about:
            lines += [part.about, ""]
        for number, point in enumerate(part.points, 1):
            lines.append(f"{number}. **{point.says}**")
            lines += [f"   {line}  " for line in _details(agreed, point)]
        lines += [""] if part.points else [agreed.phrase("no_change"), ""]
    signed = (agreed.colon(agreed.phrase(key), "") for key in ("agreed", "signed"))
    lines += [_closing(agreed), "", *(each for line in signed for each in (line, ""))]
    return "\n".join(lines)


# ---------------------------------------------------------------- a page


def page(agreed: Contract) -> str:
    """One page of HTML that needs nothing else and can be printed."""
    parts = "".join(_part(agreed, part) for part in agreed.parts)
    parts = parts or f"<p>{escape(agreed.phrase('nothing'))}</p>"
    signs = f"<span>{agreed.phrase('signed').lower()}</span>" * (2 * LINES)
    rules = agreed.phrase("rules", name=f"<code>{escape(agreed.name)}</code>")
    style = files(__package__).joinpath("contract.css").read_text(encoding="utf-8")
    body = f"""<h1>{escape(agreed.heading)}</h1>
<p>{agreed.phrase("players", players=agreed.players)} {rules}</p>
{parts}
<p class="closing">{escape(_closing(agreed))}</p>
<div class="sign"><span>{agreed.phrase("agreed").lower()}</span><span></span>{signs}</div>"""
    return framed(escape(agreed.heading), agreed.language, body, style)


def _part(agreed: Contract, part: Part) -> str:
    points = "".join(
        f'<li><p class="says">{escape(point.says)}</p>{_page_details(agreed, point)}</li>'
        for point in part.points
    )
    listed = f"<ol>{points}</ol>" if points else f"<p>{agreed.phrase('no_change')}</p>"
    about = f'<p class="about">{escape(part.about)}</p>' if part.about else ""
    title = f"<h2><small>{agreed.layer(part)}</small>{escape(part.title)}</h2>"
    return f"{title}{about}{listed}"


def _page_details(agreed: Contract, point: Point) -> str:
    lines = "".join(
        f"<div><dt>{agreed.phrase(key).lower()}</dt><dd>{escape(text)}</dd></div>"
        for key, text in _told(point)
    )
    return f"<dl>{lines}</dl>" if lines else ""
