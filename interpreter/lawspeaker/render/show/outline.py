"""The document as a row of headings, paragraphs, tables and code, without any look.

The terminal and Markdown both follow it; the page has a shape of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.render.show.components import Place
from lawspeaker.render.show.document import (
    Assumption,
    Change,
    Cite,
    Clause,
    Document,
    Guard,
    Variant,
    Window,
)


@dataclass(frozen=True, slots=True)
class Heading:
    """Levels: 1 the game, 2 a part, 3 a section, 4 a clause (its id)."""

    level: int
    text: str
    under: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list; what stands in front of it, if anything, names it."""

    items: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    text: str


Block = Heading | Paragraph | Items | Table | Code

WHY = {
    "assumed": "Assumed: no source tells it",
    "our_ruling": "Our rulings: the books leave it open",
    "silent": "Silent: the books do not speak of it",
}


def outline(document: Document) -> Iterator[Block]:
    yield Heading(1, document.title, f"by {document.by}" if document.by else "")
    if document.about:
        yield Paragraph(document.about)
    yield Paragraph(f"{players(document)}. Rules: {document.name}, {document.digest[:12]}.")
    for variant in document.variants:
        yield from _variant(variant)
    yield from _components(document)
    yield from _places(document)
    yield from _choices(document)
    yield Heading(2, "The rules")
    for section in document.sections:
        yield Heading(3, section.title, section.heading)
        for clause in section.clauses:
            yield from _clause(clause)
    yield from _windows(document)
    if document.always:
        yield Heading(2, "What always holds")
        for clause in document.always:
            yield from _clause(clause)
    yield from _assumptions(document)
    yield from _sources(document)


def players(document: Document) -> str:
    few, many = document.fewest, document.most
    number = f"{few} to {many} players" if few != many else f"{few} player{'s' * (few > 1)}"
    return f"For {number}: {', '.join(document.players)}"


def _section(cite: Cite) -> str:
    """A book that is silent may name no section."""
    return f", “{cite.section}”" if cite.section else ""


def cite_text(cite: Cite) -> str:
    note = f" ({cite.note})" if cite.note else ""
    return f"{cite.title} [{cite.source}]{_section(cite)}: {cite.words}{note}"


def holds(place: Place) -> str:
    """What is in a place, and in what order."""
    if place.room == 1:
        return f"one {place.holds}"
    at_most = "" if place.room is None else f"at most {place.room} "
    order = {"pile": ", in a pile", "row": ", in a row"}.get(place.arranged, "")
    return f"{at_most}{place.holds}{order}"


# ---------------------------------------------------------------- parts


def _variant(variant: Variant) -> Iterator[Block]:
    yield Heading(2, f"With {variant.title}", f"{variant.name}, {variant.layer}")
    if variant.about:
        yield Paragraph(variant.about)
    telling, agreeing = listed(variant)
    if telling:
        yield Table(
            ("change", "what", "because"),
            tuple((each.action, each.target, each.because) for each in telling),
        )
    if agreeing:
        yield Paragraph(agreeing)


def listed(variant: Variant) -> tuple[list[Change], str]:
    """The changes that change something or say why, and a sentence about the others: places in a
    book, which stand beside each rule anyway."""
    telling = [each for each in variant.changes if each.action != "cite" or each.because]
    others = len(variant.changes) - len(telling)
    rules = "rule is" if others == 1 else "rules are"
    agrees = f"{others} {'further ' if telling else ''}{rules} only cited from its book."
    return telling, agrees if others else ""


def _components(document: Document) -> Iterator[Block]:
    yield Heading(2, "What is in the box")
    rows = []
    for piece in document.pieces:
        each = f"{piece.total // len(document.players)} of each player" if piece.per_player else ""
        kinds = f"{len(piece.kinds)} kinds" if len(piece.kinds) > 1 else ""
        rows.append((piece.name, str(piece.total), each or kinds))
    yield Table(("piece", "number", ""), tuple(rows))
    for piece in document.pieces:
        if len(piece.kinds) < 2 and not piece.assumed and not piece.changes:
            continue
        yield Heading(3, piece.name)
        if piece.assumed:
            yield Paragraph(f"Assumed: {piece.assumed}")
        if len(piece.kinds) > 1:
            yield Table(
                ("kind", "number", *piece.attributes),
                tuple((kind.name, str(kind.count), *kind.values) for kind in piece.kinds),
            )
        if piece.changes:
            yield Items(piece.changes, "Changes in play")
    for words in document.words:
        if words.attributes:
            yield Heading(3, words.name)
            yield Table(("", *words.attributes), words.words)


def _places(document: Document) -> Iterator[Block]:
    yield Heading(2, "Where things are, and who sees them")
    yield Table(
        ("place", "how many", "holds", "seen by"),
        tuple((each.name, each.number, holds(each), each.sight) for each in document.places),
    )
    if document.markers:
        yield Table(
            ("marker", "shows", "starts as"),
            tuple(
                (
                    f"{each.name} (of each player)" if each.per_player else each.name,
                    each.shows,
                    each.starts,
                )
                for each in document.markers
            ),
        )


def _choices(document: Document) -> Iterator[Block]:
    if document.choices:
        yield Heading(2, "What editions may choose")
    for choice in document.choices:
        yield Heading(4, choice.clause.id, choice.value)
        yield from _said(choice.clause)
        if choice.alternatives:
            yield Items(choice.alternatives, "One of")


def _windows(document: Document) -> Iterator[Block]:
    if document.windows:
        yield Heading(2, "When something may be played")
    for window in document.windows:
        yield Heading(4, window.clause.id)
        yield from _said(window.clause)
        yield from _plays(window)


def _plays(window: Window) -> Iterator[Block]:
    if window.plays:
        plays = tuple(f"{each.piece} ({each.clause}): {each.says}" for each in window.plays)
        yield Items(plays, "Can be played")
    used = window.clause.used_by
    if used:
        yield Items(used, "Opened by")


def _said(clause: Clause) -> Iterator[Block]:
    if clause.says:
        yield Paragraph(clause.says)
    if clause.assumed:
        yield Paragraph(f"Assumed: {clause.assumed}")
    if clause.asks:
        yield Paragraph(f"Asks: {clause.asks}")
    for change in clause.changes:
        because = f" ({change.because})" if change.because else ""
        yield Paragraph(f"Changed by {change.variant}: {change.action} {change.target}{because}")
    if clause.cites:
        yield Items(tuple(cite_text(each) for each in clause.cites))


def _clause(clause: Clause) -> Iterator[Block]:
    yield Heading(4, clause.id)
    yield from _said(clause)
    if clause.guards:
        yield Items(tuple(_guard(each) for each in clause.guards), "Conditions")
    if clause.code:
        yield Code(clause.code)


def _guard(guard: Guard) -> str:
    books = (f"{each.source}{_section(each)}: {each.words}" for each in guard.cites)
    return " ".join([f"{guard.name}: {guard.says}", *(f"[{each}]" for each in books)])


def grouped(document: Document) -> dict[str, list[Assumption]]:
    """The assumptions by why they were made."""
    found: dict[str, list[Assumption]] = {}
    for each in document.assumptions:
        found.setdefault(each.why, []).append(each)
    return {why: found[why] for why in WHY if why in found}


def _assumptions(document: Document) -> Iterator[Block]:
    yield Heading(2, "What is assumed")
    if not document.assumptions:
        yield Paragraph("Nothing: every clause follows a source.")
    for why, members in grouped(document).items():
        yield Heading(3, WHY[why])
        texts = []
        for each in members:
            where = f" [{each.cite.source}{_section(each.cite)}]" if each.cite else ""
            note = f" {each.note}" if each.note else ""
            texts.append(f"{each.about}: {each.says}{note}{where}")
        yield Items(tuple(texts))


def _sources(document: Document) -> Iterator[Block]:
    if not document.sources:
        return
    yield Heading(2, "Sources")
    rows = []
    for each in document.sources:
        details = ", ".join(value for _, value in each.details)
        rows.append((each.id, each.title, details, each.language))
    yield Table(("", "title", "", "language"), tuple(rows))
