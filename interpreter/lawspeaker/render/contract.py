"""What a table has agreed on: one page of everything in which it does not play the base game.

The points come from a comparison of the base game with what is played, so that they say what holds
now and what held before. They stand under the variant that brings them: the edition, modules, then
house rules, each in a sentence and with the book that says it; where the variant cites none, it
is said whose rule it is, and which book says otherwise. Differences of words are only counted. At
the end is room for the players to sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import fill

from lawspeaker.compare.comparison import Comparison
from lawspeaker.compare.points import CALLED
from lawspeaker.compare.rows import Cell, Row
from lawspeaker.compare.telling import Telling
from lawspeaker.render.words import STANCES

OWN = {"module": "the module's own", "house rule": "the table's own"}
"""Whose a point is that no book states; who makes an edition tells what a book says."""
LAYERS = {"edition": "The edition", "module": "Module", "house rule": "House rule"}
WIDTH = 78
LINES = 2


@dataclass(frozen=True, slots=True)
class Point:
    """What holds (`says`), what held before, why, and what the books say."""

    id: str
    says: str
    before: str
    because: str
    cites: str


@dataclass(frozen=True, slots=True)
class Part:
    layer: str
    title: str
    about: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    title: str
    name: str
    game: str
    players: str
    digest: str
    parts: tuple[Part, ...]
    worded: int


def contract(comparison: Comparison, played: Telling) -> Contract:
    """The contract of a table, from a comparison of the base game with what it plays."""
    language = comparison.table.language
    program = played.program
    rows = [
        row
        for difference in comparison.differences
        if difference.changes_play
        for row in difference.rows
        if row.cells[1].kind and row.sort not in CALLED
    ]
    parts: list[Part] = []
    for note in program.variants:
        whose = OWN.get(note.layer, "")
        own = tuple(_point(row, whose) for row in rows if row.cells[1].variant == note.name)
        title = note.title.get(language) or next(iter(note.title.values()), note.name)
        about = note.about.get(language) or next(iter(note.about.values()), "")
        parts.append(Part(note.layer, title, about, own))
    counts = comparison.counts
    few, many = program.fewest, program.most
    return Contract(
        program.title.get(language) or next(iter(program.title.values()), program.name),
        played.name,
        program.name,
        f"{few} to {many}" if few != many else str(few),
        program.digest,
        tuple(parts),
        counts.silences + counts.words,
    )


def _point(row: Row, whose: str) -> Point:
    before, now = row.cells
    if not now.there:
        return Point(row.id, f"Left out: {before.text}", "", now.because, "")
    says, was = now.text, ""
    if row.sort == "choice" or not now.says:
        says = f"{row.title.rstrip('.')}: {now.text}"
        was = before.text if before.there else ""
    elif before.there and before.says != now.says:
        was = before.says
    return Point(row.id, says, was, _because(now), _sources(row, whose))


def _sources(row: Row, whose: str) -> str:
    """Where it stands: `Setup [en]; Turns [en], our ruling`.

    A variant that changes a rule and cites no book for it has made the rule itself; what was
    stated of the rule before is not said of it now.
    """
    cell = row.cells[1]
    told: dict[str, None] = {}
    cites = cell.cites
    if whose and not cell.cited:
        told[f"{whose} {'choice' if row.sort == 'choice' else 'rule'}"] = None
        cites = tuple(each for each in cites if each.stance == "says_otherwise")
    for cite in cites:
        where = f"{cite.section} [{cite.source}]" if cite.section else f"[{cite.source}]"
        stance = STANCES.get(cite.stance, cite.stance)
        told[where if cite.stance == "states" else f"{where}, {stance}"] = None
    return "; ".join(told)


def _because(cell: Cell) -> str:
    """The reason, unless what holds says it already."""
    return "" if cell.because in cell.text else cell.because


NOTHING = "Nothing was agreed on: this table plays the base game as it is."


def _closing(agreed: Contract) -> str:
    worded = {0: "", 1: "One more point is only worded otherwise. "}
    more = f"{agreed.worded} more points are only worded otherwise or not at all. "
    return (
        f"All else is as in {agreed.game}. {worded.get(agreed.worded, more)}"
        f"Name it {agreed.name} to play it; its fingerprint is {agreed.digest[:12]}."
    )


# ---------------------------------------------------------------- text


def text(agreed: Contract, width: int = WIDTH) -> str:
    """Plain text, ready to print."""
    return "\n".join(_text_lines(agreed, width)) + "\n"


def _text_lines(agreed: Contract, width: int) -> Iterator[str]:
    heading = f"{agreed.title}: what we play"
    yield from (heading, "=" * len(heading), "")
    yield fill(f"For {agreed.players} players. Rules: {agreed.name}.", width)
    if not agreed.parts:
        yield from ("", NOTHING)
    for part in agreed.parts:
        title = f"{LAYERS.get(part.layer, part.layer)}: {part.title}"
        yield from ("", title, "-" * len(title))
        if part.about:
            yield fill(part.about, width)
        for number, point in enumerate(part.points, 1):
            yield ""
            yield fill(
                point.says, width, initial_indent=f"{number:>3}. ", subsequent_indent=" " * 5
            )
            for line in _details(point):
                yield fill(line, width, initial_indent=" " * 5, subsequent_indent=" " * 7)
        if not part.points:
            yield from ("", "     It changes nothing in play.")
    yield from ("", fill(_closing(agreed), width), "")
    yield "Agreed on: ______________________________"
    for _ in range(LINES):
        yield from ("", "______________________________      ______________________________")


def _details(point: Point) -> Iterator[str]:
    if point.before:
        yield f"Before: {point.before}"
    if point.because:
        yield f"Why: {point.because}"
    if point.cites:
        yield f"Source: {point.cites}"


# ---------------------------------------------------------------- Markdown


def markdown(agreed: Contract) -> str:
    lines = [f"# {agreed.title}: what we play", ""]
    lines += [f"For {agreed.players} players. Rules: `{agreed.name}`.", ""]
    if not agreed.parts:
        lines += [NOTHING, ""]
    for part in agreed.parts:
        lines += [f"## {LAYERS.get(part.layer, part.layer)}: {part.title}", ""]
        if part.about:
            lines += [part.about, ""]
        for number, point in enumerate(part.points, 1):
            lines.append(f"{number}. **{point.says}**")
            lines += [f"   {line}  " for line in _details(point)]
        lines += [""] if part.points else ["It changes nothing in play.", ""]
    lines += [_closing(agreed), "", "Agreed on: ", "", "Signed: ", ""]
    return "\n".join(lines)


# ---------------------------------------------------------------- a page

STYLE = """
:root { color-scheme: light dark; --ink: #22201c; --soft: #655f55; --paper: #fbfaf6;
        --line: #d8d1c2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e4d8; --soft: #a9a191; --paper: #171614;
        --line: #3a372f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 42rem; padding: 2rem 1.25rem 3rem; background: var(--paper);
       color: var(--ink); font: 1rem/1.5 "Iowan Old Style", Palatino, Charter, Georgia, serif; }
h1 { font-size: clamp(1.7rem, 6vw, 2.4rem); line-height: 1.15; margin: 0 0 .4rem; }
h2 { font-size: 1.2rem; margin: 1.8rem 0 .3rem; padding-top: .7rem;
     border-top: 2px solid var(--ink); break-after: avoid; }
h2 small { font: .75rem/1.4 system-ui, sans-serif; letter-spacing: .06em; text-transform: uppercase;
           color: var(--soft); display: block; }
p { margin: .3rem 0; } code { font-size: .9em; overflow-wrap: anywhere; }
.about, .closing { color: var(--soft); }
ol { margin: .6rem 0; padding-left: 1.6rem; } li { margin: .55rem 0; break-inside: avoid; }
.says { font-weight: 600; }
dl { margin: .1rem 0; font: .87rem/1.5 system-ui, sans-serif; color: var(--soft); }
dl div { display: flex; gap: .5rem; } dt { flex: 0 0 4rem; } dd { margin: 0; }
.closing { border-top: 1px solid var(--line); padding-top: .8rem; margin-top: 1.6rem; }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 2.2rem 2rem; margin-top: 2.4rem; }
.sign span { border-top: 1px solid var(--ink); font: .8rem/1.6 system-ui, sans-serif;
             color: var(--soft); }
@media print { :root { --paper: #fff; --ink: #000; --soft: #333; --line: #999; }
  @page { margin: 18mm; } html { font-size: 82%; } body { padding: 0; max-width: none; } }
"""


def page(agreed: Contract) -> str:
    """One page of HTML that needs nothing else and can be printed."""
    parts = "".join(_part(part) for part in agreed.parts) or f"<p>{NOTHING}</p>"
    signs = "".join("<span>signed</span>" for _ in range(2 * LINES))
    title = f"{agreed.title}: what we play"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>For {agreed.players} players. Rules: <code>{escape(agreed.name)}</code></p>
{parts}
<p class="closing">{escape(_closing(agreed))}</p>
<div class="sign"><span>agreed on</span><span></span>{signs}</div>
</body>
</html>
"""


def _part(part: Part) -> str:
    points = "".join(
        f'<li><p class="says">{escape(point.says)}</p>{_page_details(point)}</li>'
        for point in part.points
    )
    listed = f"<ol>{points}</ol>" if points else "<p>It changes nothing in play.</p>"
    about = f'<p class="about">{escape(part.about)}</p>' if part.about else ""
    layer = escape(LAYERS.get(part.layer, part.layer))
    return f"<h2><small>{layer}</small>{escape(part.title)}</h2>{about}{listed}"


def _page_details(point: Point) -> str:
    lines = "".join(
        f"<div><dt>{name}</dt><dd>{escape(text)}</dd></div>"
        for name, text in (
            ("before", point.before),
            ("why", point.because),
            ("source", point.cites),
        )
        if text
    )
    return f"<dl>{lines}</dl>" if lines else ""
