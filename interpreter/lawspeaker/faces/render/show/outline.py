"""Flattens the document to headings, paragraphs, tables and code, independent of format.

The terminal and Markdown renderers use it; the HTML page has its own structure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.base.counts import counts_in_sentence
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.faces.render.show.components import Place
from lawspeaker.faces.render.show.document import (
    Assumption,
    Change,
    Cite,
    Clause,
    Document,
    Guard,
    Variant,
    Window,
)
from lawspeaker.ir import Goal


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the game, 2 a part, 3 a section, 4 a clause (its id)."""

    level: int
    text: str
    under: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list with an optional label."""

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

WHY = ("assumed", "our_ruling", "silent")


def outline(document: Document) -> Iterator[Block]:
    yield Heading(1, document.title, by(document))
    if document.about:
        yield Paragraph(document.about)
    digest = document.digest[:12]
    told = document.phrase("name", players=players(document), name=document.name, digest=digest)
    yield Paragraph(told)
    for name, value in aims(document):
        what = document.phrase(f"fact.{name}")
        yield Paragraph(colon(what, value, document.language))
    for variant in document.variants:
        yield from _variant(document, variant)
    yield from _components(document)
    yield from _places(document)
    yield from _choices(document)
    yield Heading(2, document.phrase("part.rules"))
    for section in document.sections:
        yield Heading(3, section.title, section.heading)
        for clause in section.clauses:
            yield from _clause(document, clause)
    yield from _windows(document)
    if document.always:
        yield Heading(2, document.phrase("part.always"))
        for clause in document.always:
            yield from _clause(document, clause)
    yield from _assumptions(document)
    yield from _sources(document)
    if document.stale:
        yield Paragraph(document.stale)


def by(document: Document) -> str:
    """Names the author of the game, if known."""
    return phrase("web.by", document.language, name=document.by) if document.by else ""


def players(document: Document) -> str:
    names = ", ".join(document.players)
    counts = counts_in_sentence(document.counts, document.language)
    return document.phrase("players", players=counts, names=names)


def aims(document: Document) -> Iterator[tuple[str, str]]:
    """Yields facts by name: who wins, unless it is by most points, and the sides."""
    goal = Goal(document.goal)
    if goal is not Goal.MOST:
        yield "goal", phrase(f"goal.{goal.name.lower()}", document.language)
    if document.sides:
        sides = [" + ".join(side) for side in document.sides]
        if document.side_names:
            named = zip(document.side_names, sides, strict=True)
            sides = [f"{name} ({side})" for name, side in named]
        yield "sides", ", ".join(sides)


def section_of(document: Document, cite: Cite) -> str:
    """Formats a section in quotation marks; a citation of silence may have none."""
    if not cite.section:
        return ""
    return f", {phrase('cite.section', document.language, section=cite.section)}"


def _cite_text(document: Document, cite: Cite) -> str:
    note = f" ({cite.note})" if cite.note else ""
    book = f"{cite.title} [{cite.source}]{section_of(document, cite)}"
    return colon(book, f"{cite.words}{note}", document.language)


def contents_text(document: Document, place: Place) -> str:
    """Describes the contents of a place and their order."""
    thing = place.holds
    if place.room == 1:
        return document.phrase("holds.one", thing=thing)
    if place.room is not None:
        thing = document.phrase("holds.at_most", room=place.room, thing=thing)
    if place.arranged in ("pile", "row"):
        thing = document.phrase(f"holds.{place.arranged}", things=thing)
    return thing


def heads(document: Document, *keys: str) -> tuple[str, ...]:
    """Returns the headings of a table; one without a key is empty."""
    return tuple(document.phrase(f"head.{key}") if key else "" for key in keys)


def layer(document: Document, variant: Variant) -> str:
    return document.phrase(f"layer.{variant.layer.replace(' ', '_')}")


# ---------------------------------------------------------------- parts


def _variant(document: Document, variant: Variant) -> Iterator[Block]:
    title = document.phrase("with", title=variant.title)
    yield Heading(2, title, f"{variant.name}, {layer(document, variant)}")
    if variant.about:
        yield Paragraph(variant.about)
    telling, agreeing = listed(document, variant)
    if telling:
        yield Table(
            heads(document, "change", "what", "because"),
            tuple((each.action, each.target, each.because) for each in telling),
        )
    if agreeing:
        yield Paragraph(agreeing)


def listed(document: Document, variant: Variant) -> tuple[list[Change], str]:
    """Returns the changes with an effect or a reason, and a sentence that counts the others.

    The others are citations, which are shown beside each rule.
    """
    telling = [each for each in variant.changes if each.action != "cite" or each.because]
    others = len(variant.changes) - len(telling)
    key = f"cited.{'one' if others == 1 else 'many'}{'_further' if telling else ''}"
    return telling, document.phrase(key, count=others) if others else ""


def boxed(document: Document) -> list[tuple[str, str, str]]:
    """Lists the pieces, their numbers, and how they are divided."""
    rows = []
    for piece in document.pieces:
        told = ""
        if piece.per_player:
            told = document.phrase("of_each", count=piece.total // len(document.players))
        elif len(piece.kinds) > 1:
            told = document.phrase("kinds", count=len(piece.kinds))
        rows.append((piece.name, str(piece.total), told))
    return rows


def marked(document: Document) -> list[tuple[str, str, str]]:
    """Lists the markers, their types, and their initial values."""
    return [
        (
            document.phrase("marker_of_each", name=each.name) if each.per_player else each.name,
            each.shows,
            each.starts,
        )
        for each in document.markers
    ]


def _components(document: Document) -> Iterator[Block]:
    yield Heading(2, document.phrase("part.box"))
    yield Table(heads(document, "piece", "number", ""), tuple(boxed(document)))
    for piece in document.pieces:
        if len(piece.kinds) < 2 and not piece.assumed and not piece.changes:
            continue
        yield Heading(3, piece.name)
        if piece.assumed:
            yield Paragraph(document.phrase("assumed", text=piece.assumed))
        if len(piece.kinds) > 1:
            yield Table(
                (*heads(document, "kind", "number"), *piece.attributes),
                tuple((kind.name, str(kind.count), *kind.values) for kind in piece.kinds),
            )
        if piece.changes:
            yield Items(piece.changes, document.phrase("changes"))
    for words in document.words:
        if words.attributes:
            yield Heading(3, words.name)
            yield Table(("", *words.attributes), words.words)
        if words.written is not None:
            yield Heading(3, words.name)
            yield Paragraph(f"{words.written}.")


def _places(document: Document) -> Iterator[Block]:
    yield Heading(2, document.phrase("part.places"))
    yield Table(
        heads(document, "place", "how_many", "holds", "seen_by"),
        tuple(
            (each.name, each.number, contents_text(document, each), each.sight)
            for each in document.places
        ),
    )
    if document.markers:
        yield Table(heads(document, "marker", "shows", "starts_as"), tuple(marked(document)))


def _choices(document: Document) -> Iterator[Block]:
    if document.choices:
        yield Heading(2, document.phrase("part.choices"))
    for choice in document.choices:
        yield Heading(4, choice.clause.id, choice.value)
        yield from _said(document, choice.clause)
        if choice.alternatives:
            yield Items(choice.alternatives, document.phrase("one_of"))


def _windows(document: Document) -> Iterator[Block]:
    if document.windows:
        yield Heading(2, document.phrase("part.windows"))
    for window in document.windows:
        yield Heading(4, window.clause.id)
        yield from _said(document, window.clause)
        yield from _plays(document, window)


def _plays(document: Document, window: Window) -> Iterator[Block]:
    if window.plays:
        plays = tuple(f"{each.piece} ({each.clause}): {each.says}" for each in window.plays)
        yield Items(plays, document.phrase("can_be_played"))
    used = window.clause.used_by
    if used:
        yield Items(used, document.phrase("opened_by"))


def _said(document: Document, clause: Clause) -> Iterator[Block]:
    if clause.says:
        yield Paragraph(clause.says)
    if clause.assumed:
        yield Paragraph(document.phrase("assumed", text=clause.assumed))
    if clause.asks:
        yield Paragraph(document.phrase("asks", text=clause.asks))
    for change in clause.changes:
        because = f" ({change.because})" if change.because else ""
        told = f"{change.action} {change.target}{because}"
        yield Paragraph(document.phrase("changed_by", variant=change.variant, change=told))
    if clause.cites:
        yield Items(tuple(_cite_text(document, each) for each in clause.cites))


def _clause(document: Document, clause: Clause) -> Iterator[Block]:
    yield Heading(4, clause.id)
    yield from _said(document, clause)
    if clause.guards:
        guards = tuple(_guard(document, each) for each in clause.guards)
        yield Items(guards, document.phrase("conditions"))
    if clause.tells:
        yield Items(clause.tells, document.phrase("makes_known"))
    if clause.code:
        yield Code(clause.code)


def _guard(document: Document, guard: Guard) -> str:
    language = document.language
    books = (
        colon(f"{each.source}{section_of(document, each)}", each.words, language)
        for each in guard.cites
    )
    said = colon(guard.name, guard.says, language)
    return " ".join([said, *(f"[{each}]" for each in books)])


def grouped(document: Document) -> dict[str, list[Assumption]]:
    """Groups the assumptions by reason."""
    found: dict[str, list[Assumption]] = {}
    for each in document.assumptions:
        found.setdefault(each.why, []).append(each)
    return {why: found[why] for why in WHY if why in found}


def nothing_assumed(document: Document) -> str:
    """Explains why there are no assumptions: without a source none can be known."""
    return document.phrase("nothing_assumed" if document.sources else "no_source")


def _assumptions(document: Document) -> Iterator[Block]:
    yield Heading(2, document.phrase("part.assumed"))
    if not document.assumptions:
        yield Paragraph(nothing_assumed(document))
    for why, members in grouped(document).items():
        yield Heading(3, document.phrase(f"why.{why}"))
        texts = []
        for each in members:
            cite = each.cite
            where = f" [{cite.source}{section_of(document, cite)}]" if cite else ""
            note = f" {each.note}" if each.note else ""
            texts.append(colon(each.about, f"{each.says}{note}{where}", document.language))
        yield Items(tuple(texts))


def _sources(document: Document) -> Iterator[Block]:
    if not document.sources:
        return
    yield Heading(2, document.phrase("part.sources"))
    rows = []
    for each in document.sources:
        details = ", ".join(value for _, value in each.details)
        rows.append((each.id, each.title, details, each.language))
    yield Table(heads(document, "", "title", "", "language"), tuple(rows))
