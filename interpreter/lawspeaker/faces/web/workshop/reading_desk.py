"""The reading desk for a page: the books of a draft beside its rules.

The texts of the books come with every message, from the server's folder or from a file of the
visitor's. The desk is stateless. `act` is an action to perform first: cite, uncite, or mark
sentences as no rule. The response has the changed files and the new state.
"""

from __future__ import annotations

import zipfile
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any

from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.messages import BadMessage
from lawspeaker.faces.web.wire import Keys
from lawspeaker.faces.web.workshop.drafts import bundle
from lawspeaker.faces.web.workshop.fields import Data
from lawspeaker.faces.web.workshop.packing import DATE, folder_of
from lawspeaker.faces.web.workshop.trial_positions import Files
from lawspeaker.study.desk.aligned import Link, links, suggested
from lawspeaker.study.desk.citing import (
    LONGEST_NOTE,
    CannotCite,
    Changed,
    RequestedCitation,
    cited,
    marked,
    uncited,
)
from lawspeaker.study.desk.reading import MOST_BOOKS, Desk, DeskBook, DeskLine
from lawspeaker.text.books.lock import REASONS
from lawspeaker.text.books.outline import called

LARGEST_TEXTS = 250_000
"""Maximum number of characters of all texts on a desk."""
MOST_LINKS = 6_000
MOST_PLACES = 100
LONGEST_NAME = 200
KINDS = ("cite", "uncite", "mark")

Texts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Act:
    """An action: `kind` is one of KINDS, or empty; `reason` is why a sentence is no rule."""

    kind: str
    wish: RequestedCitation
    reason: str


def texts_in(data: Data) -> Texts:
    """Parses the texts of books in a message, by file name; raises BadMessage."""
    sent = data.get("texts", {})
    if not isinstance(sent, dict) or len(sent) > MOST_BOOKS:
        raise BadMessage("bad_message", f"`texts` are those of at most {MOST_BOOKS} books")
    named = all(len(name) <= LONGEST_NAME and isinstance(text, str) for name, text in sent.items())
    if not named or sum(map(len, sent.values())) > LARGEST_TEXTS:
        raise BadMessage("too_large", f"texts may have {LARGEST_TEXTS:,} characters")
    return tuple(sent.items())


def act_in(data: Data) -> Act | None:
    """Parses the action in a message; raises BadMessage."""
    sent = data.get("act")
    if sent is None:
        return None
    words = ("kind", "point", "book", "stance", "note", "reason")
    if not isinstance(sent, dict) or not all(isinstance(sent.get(each, ""), str) for each in words):
        raise BadMessage("bad_message", "`act` has texts: " + ", ".join(words))
    kind, prints = sent.get("kind", ""), sent.get("prints", [])
    longest = max(len(sent.get(each, "")) for each in words)
    known = isinstance(prints, list) and all(isinstance(each, str) for each in prints)
    if kind not in KINDS or not known or len(prints) > MOST_PLACES or longest > LONGEST_NOTE:
        raise BadMessage("bad_message", f"`act.kind` is one of {', '.join(KINDS)}")
    stance = sent.get("stance") or "states"
    note = " ".join(sent.get("note", "").split())
    wish = RequestedCitation(
        sent.get("point", ""), sent.get("book", ""), tuple(prints), stance, note
    )
    return Act(kind, wish, sent.get("reason", ""))


def links_in(data: Data) -> tuple[Link, ...]:
    """Parses the alignment of sentences that the page received earlier; raises BadMessage."""
    sent = data.get("links", [])
    if not isinstance(sent, list) or len(sent) > MOST_LINKS:
        raise BadMessage("bad_message", f"`links` are at most {MOST_LINKS:,}")
    return tuple(_link(each) for each in sent)


def _link(sent: Any) -> Link:
    try:
        (one, other), (here, there), confidence = sent
        sound = isinstance(one, str) and isinstance(other, str)
        numbers = [*here, *there]
        sound = sound and len(numbers) <= MOST_PLACES
        if not sound or not all(
            type(each) is int and 0 <= each < LARGEST_TEXTS for each in numbers
        ):
            raise ValueError
        return Link((one, other), (tuple(here), tuple(there)), float(confidence))
    except (TypeError, ValueError):
        raise BadMessage("bad_message", "a link has two books, places in both, a number") from None


# ---------------------------------------------------------------- jobs


def at_desk(
    files: Files, texts: Texts, pairs: tuple[Link, ...], act: Act | None
) -> Iterator[Annotated[dict[str, Any], Keys({"why": str})]]:
    """Performs an action, and yields the changed files and the new state of the desk."""
    desk = Desk(files, dict(texts))
    changed: Changed = {}
    why = ""
    try:
        if act is not None:
            changed = _done(desk, act)
    except CannotCite as error:
        why = str(error)
    given = {each.name: each.given for each in files}
    new = [RuleFile(name, text, given.get(name)) for name, text in changed.items()]
    if new:
        kept = [each for each in files if each.name not in changed]
        desk = Desk(bundle((*kept, *new), ()), dict(texts))
    shown = [{"name": each.name, "text": each.text, "given": _given(each)} for each in new]
    yield {"why": why, "files": shown, **told(desk, pairs)}


def _done(desk: Desk, act: Act) -> Changed:
    if act.kind == "mark":
        return marked(desk, act.wish.book, act.wish.prints, act.reason)
    return (cited if act.kind == "cite" else uncited)(desk, act.wish)


def _given(file: RuleFile) -> list[str] | None:
    return None if file.given is None else list(file.given)


def aligned_here(
    files: Files, texts: Texts, first: str, second: str, known: tuple[tuple[str, str], ...]
) -> Iterator[dict[str, Any]]:
    """Aligns the sentences of two books."""
    desk = Desk(files, dict(texts))
    one, other = desk.book(first), desk.book(second)
    found = [] if one is None or other is None else links(one, other, known)
    yield {"links": [[list(each.books), each.places, each.confidence] for each in found]}


def taken_home(name: str, files: Files, beside: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Packs files as a ZIP archive: those of a game in its folder, variants in theirs.

    The locks listed in `beside` go with the variants.
    """
    game = folder_of(name.partition("+")[0])
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for each in files:
            of_variant = each.given is not None or each.name in beside
            folder = f"variants/{game}" if of_variant else game
            made.writestr(zipfile.ZipInfo(f"{folder}/{each.name}", DATE), each.text)
    yield {"name": f"{game}.zip", "content": b64encode(archive.getvalue()).decode()}


# ---------------------------------------------------------------- JSON


def told(desk: Desk, pairs: tuple[Link, ...]) -> dict[str, Any]:
    """Converts a desk to JSON."""
    of_point: dict[str, list[dict[str, Any]]] = {}
    for point, each in desk.cited:
        of_point.setdefault(point, []).append(
            {
                "book": each.book,
                "section": each.section,
                "numbers": each.numbers,
                "prints": each.prints,
                "stance": each.stance,
                "note": each.note,
            }
        )
    return {
        "faults": desk.faults,
        "reasons": list(REASONS),
        "books": [_book(each) for each in desk.books[:MOST_BOOKS]],
        "points": [
            {
                "id": each.id,
                "says": each.says,
                "file": each.file,
                "cites": of_point.get(each.id, []),
            }
            for each in desk.points
        ],
        "suggestions": [
            {
                "point": each.point,
                "book": each.book,
                "places": each.places,
                "partner": each.partner,
                "confidence": each.confidence,
            }
            for each in suggested(desk, pairs)
        ],
    }


def _book(book: DeskBook) -> dict[str, Any]:
    return {
        "id": book.id,
        "title": book.title,
        "language": book.language,
        "file": book.file,
        "variant": book.variant,
        "there": book.text is not None,
        "stale": book.stale,
        "decided": book.decided,
        "lines": [_line(each, book) for each in book.lines],
    }


def _line(line: DeskLine, book: DeskBook) -> dict[str, Any]:
    headings = line.sentence.headings
    return {
        "text": line.sentence.text,
        "where": line.where,
        "heading": called(headings[-1], book.marks.misread) if headings else "",
        "print": line.sentence.print,
        "reason": line.reason,
        "cited": line.cited,
    }
