"""Edits rule files and locks: adds and removes citations, and marks sentences as no rule.

    cited(desk, Wish("landing", "de", prints, "states", ""))   ->  {"landing.yaml": new text}

Files are edited in place: the value of one `cites` is rewritten, everything else stays, including
comments. A file in canonical layout stays so. If a rule is the same in the book of a variant,
that is marked in the book's lock; any other stance is a `cite` change of the variant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import NOWHERE, SourceFile
from lawspeaker.study.desk.reading import CitingPoint, Desk, DeskBook, DeskVariant, said
from lawspeaker.text.books.citing import CitableBooks, Citing, citations
from lawspeaker.text.books.lock import REASONS, Agreement, Lock, Marks, written
from lawspeaker.text.books.reference import Reference
from lawspeaker.text.books.shortening import in_short
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    items_of,
    mapping_at,
    scalar_at,
    text_of,
)
from lawspeaker.text.format import FormatMistake, formatted
from lawspeaker.text.format.scalars import quoted
from lawspeaker.text.rulebook import lock_name

STANCES = ("states", "implies", "silent", "says_otherwise", "contradicts_itself", "our_ruling")
LONGEST_NOTE = 2_000
_COMMENT = re.compile(r"(?:^|\s)#")


class CannotCite(Exception):
    """The edit is impossible; the message is the suffix of a phrase key (`desk.not_…`)."""


@dataclass(frozen=True, slots=True)
class RequestedCitation:
    """A requested citation: sentences by fingerprint (none for a silent book), stance and note."""

    point: str
    book: str
    prints: tuple[str, ...]
    stance: str = "states"
    note: str = ""


Changed = dict[str, str]
"""New texts of files, by name."""
Change = Callable[[Mapping], Mapping]
"""Transforms citations in full form."""


def cited(desk: Desk, wish: RequestedCitation) -> Changed:
    """Adds a citation; returns the changed files; raises CannotCite."""
    book, point = _book(desk, wish.book), _point(desk, wish.point)
    if wish.stance not in STANCES or len(wish.note) > LONGEST_NOTE:
        raise CannotCite("stance")
    lines = {each.sentence.print: each for each in book.lines}
    if any(each not in lines for each in wish.prints):
        raise CannotCite("sentence")
    if any(lines[each].reason for each in wish.prints):
        raise CannotCite("no_rule")
    if not wish.prints and wish.stance in ("states", "contradicts_itself"):
        raise CannotCite("no_sentence")
    if not book.variant:
        return _in_point(desk, point, desk.own, lambda full: _added(desk, full, wish, book))
    variant = desk.variants[book.variant]
    change = _change(variant, point.id)
    plain = wish.stance == "states" and not wish.note
    if plain and change is None:
        return _agreeing(desk, book, variant, wish)
    if change is None:
        return _new_change(desk, variant, wish, book)
    return _in_body(desk, variant.file, change, variant.own, lambda f: _added(desk, f, wish, book))


def uncited(desk: Desk, wish: RequestedCitation) -> Changed:
    """Removes citations of some sentences, or without sentences, those of the book that have
    none.

    Raises CannotCite.
    """
    book, point = _book(desk, wish.book), _point(desk, wish.point)

    def less(full: Mapping) -> Mapping:
        return _less(desk, full, wish)

    if not book.variant:
        return _in_point(desk, point, desk.own, less)
    variant = desk.variants[book.variant]
    changed = _disagreeing(desk, book, point.id, wish.prints)
    change = _change(variant, point.id)
    if change is not None:
        changed |= _in_body(desk, variant.file, change, variant.own, less, drop=True)
    return changed


def marked(desk: Desk, id: str, prints: tuple[str, ...], reason: str) -> Changed:
    """Marks sentences as no rule with a reason, or removes the mark if it is empty.

    Raises CannotCite.
    """
    book = _book(desk, id)
    lines = {each.sentence.print: each for each in book.lines}
    if reason and reason not in REASONS:
        raise CannotCite("stance")
    if any(each not in lines for each in prints):
        raise CannotCite("sentence")
    if reason and any(lines[each].cited for each in prints):
        raise CannotCite("cited")
    kept = {mark: why for mark, why in book.marks.reasons.items() if mark not in prints}
    more = dict.fromkeys(prints, reason) if reason else {}
    return _locked(book, replace(book.marks, reasons={**kept, **more}))


# ---------------------------------------------------------------- what is meant


def _book(desk: Desk, id: str) -> DeskBook:
    found = desk.book(id)
    if found is None or found.text is None:
        raise CannotCite("text")
    if found.stale or desk.locks[id].damaged:
        raise CannotCite("lock")
    return found


def _point(desk: Desk, id: str) -> CitingPoint:
    if id not in desk.by_id:
        raise CannotCite("point")
    return desk.by_id[id]


def _change(variant: DeskVariant, target: str) -> Mapping | None:
    """The change of a variant that targets something and can have citations."""
    listed = variant.root.get("changes")
    found = None
    for each in items_of(listed):
        if isinstance(each, Mapping) and any(
            isinstance(value, Scalar) and value.value == target
            for key, value in each.entries
            if key.value in ("cite", "replace", "amend")
        ):
            found = each if found is None or each.get("cites") is not None else found
    return found


# ---------------------------------------------------------------- citations in full


def _added(desk: Desk, full: Mapping, wish: RequestedCitation, book: DeskBook) -> Mapping:
    """Adds the sentences of a wish by section, merging with citations of the same stance and
    note.
    """
    told = [(name, each) for name, each in citations(full)]
    for section, prints in _by_section(book, wish.prints):
        at = next(
            (
                place
                for place, (name, each) in enumerate(told)
                if name == wish.book and _alike(each, section, wish)
            ),
            None,
        )
        if at is None:
            told.append((wish.book, _citation(full, section, prints, wish)))
            continue
        known = tuple(text_of(child(told[at][1], "print")).split())
        order = {each.sentence.print: place for place, each in enumerate(book.lines)}
        every = sorted({*known, *prints}, key=lambda mark: order.get(mark, -1))
        told[at] = (wish.book, _citation(full, section, tuple(every), wish))
    if not wish.prints:
        told.append((wish.book, _citation(full, "", (), wish)))
    return _together(full, told)


def _less(desk: Desk, full: Mapping, wish: RequestedCitation) -> Mapping:
    kept: list[tuple[str, Node]] = []
    for name, each in citations(full):
        known = tuple(text_of(child(each, "print")).split())
        left = tuple(mark for mark in known if mark not in wish.prints)
        stance = text_of(child(each, "stance")) or "states"
        meant = (
            name == wish.book and stance == wish.stance and said(child(each, "note")) == wish.note
        )
        if not meant or (left == known and (known or wish.prints)):
            kept.append((name, each))
        elif left and isinstance(each, Mapping):
            entries = [
                (key, scalar_at(" ".join(left), full) if key.value == "print" else value)
                for key, value in each.entries
            ]
            kept.append((name, Mapping(tuple(entries), each.span)))
    return _together(full, kept)


def _by_section(book: DeskBook, prints: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Groups sentences by the heading they are cited under, in the order of the book."""
    wanted, found = {*prints}, dict[str, list[str]]()
    for line in book.lines:
        if line.sentence.print in wanted:
            section = line.where.rpartition(" §")[0] if line.sentence.headings else ""
            found.setdefault(section, []).append(line.sentence.print)
    return [(section, tuple(dict.fromkeys(marks))) for section, marks in found.items()]


def _alike(each: Node, section: str, wish: RequestedCitation) -> bool:
    """Whether a citation has the stance and note of a wish."""
    if not isinstance(each, Mapping) or not text_of(each.get("print")):
        return False
    stance = text_of(each.get("stance")) or "states"
    note = each.get("note")
    same_note = note is None if not wish.note else text_of(note) == wish.note
    return text_of(each.get("section")) == section and stance == wish.stance and same_note


def _citation(
    beside: Node, section: str, prints: tuple[str, ...], wish: RequestedCitation
) -> Mapping:
    parts = {"section": section, "stance": wish.stance, "note": wish.note}
    parts["print"] = " ".join(prints)
    told = {
        key: scalar_at(value, beside)
        for key, value in parts.items()
        if value and (key, value) != ("stance", "states")
    }
    return mapping_at(told, beside)


def _together(beside: Node, told: list[tuple[str, Node]]) -> Mapping:
    books: dict[str, list[Node]] = {}
    for name, each in told:
        books.setdefault(name, []).append(each)
    cites = {
        name: each[0] if len(each) == 1 else Sequence(tuple(each), beside.span)
        for name, each in books.items()
    }
    return mapping_at(cites, beside)


# ---------------------------------------------------------------- in files


def _in_point(desk: Desk, point: CitingPoint, own: tuple[str, ...], change: Change) -> Changed:
    if isinstance(point.body, Mapping):
        return _in_body(desk, point.file, point.body, own, change)
    # A guard in short form is expanded.
    told = _short(desk, change(Mapping((), point.body.span)), own)
    if not told or not isinstance(point.body, Scalar):
        return {}
    says = quoted(" ".join(point.body.value.split()))
    new = f"{{says: {says}, cites: {told}}}"
    return _edited(desk, point.file, point.body.span.start, point.body.span.end, new)


def _in_body(
    desk: Desk,
    name: str,
    body: Mapping,
    own: tuple[str, ...],
    change: Change,
    drop: bool = False,
) -> Changed:
    """Rewrites the `cites` of a body; with `drop`, removes a change that only cites, if none are
    left.
    """
    key, node = body.key("cites"), body.get("cites")
    if key is None or node is None:
        told = _short(desk, change(Mapping((), body.span)), own)
        return _begun(desk, name, body, told) if told else {}
    if _COMMENT.search(node.span.text):
        raise CannotCite("remark")
    shelf = desk.shelf(own)
    full = Citing(shelf, Diagnostics()).cites(node)
    told = _short(desk, change(full if isinstance(full, Mapping) else Mapping((), node.span)), own)
    if told:
        tail = "\n" if node.span.text.endswith("\n") else ""
        return _edited(desk, name, key.span.end, node.span.end, f": {told}{tail}")
    if drop and body.get("cite") is not None:
        start = desk.files[name].text.rfind("\n", 0, body.span.start) + 1
        end = max(value.span.end for _, value in body.entries)
        return _edited(desk, name, start, _line_end(desk.files[name].text, end), "")
    return _without(desk, name, body, key, node)


def _short(desk: Desk, full: Mapping, own: tuple[str, ...]) -> str:
    if not full.entries:
        return ""
    return in_short(Mapping(full.entries, NOWHERE), CitableBooks(own, desk.locks)) or ""


def _begun(desk: Desk, name: str, body: Mapping, told: str) -> Changed:
    """Inserts `cites` after the sentence, or at the start."""
    text = body.span.file.text
    if not body.entries:
        raise CannotCite("point")
    if text[body.span.start] == "{":
        end = max(value.span.end for _, value in body.entries)
        return _edited(desk, name, end, end, f", cites: {told}")
    indent = " " * (body.entries[0][0].span.column - 1)
    first = body.key("says") or body.key("cite") or body.key("replace") or body.key("amend")
    later = [each for each, _ in body.entries if first and each.span.start > first.span.start]
    if first is None:
        at = body.entries[0][0].span.start
        return _edited(desk, name, at, at, f"cites: {told}\n{indent}")
    value = body.get(first.value)
    assert value is not None
    end = value.span.end
    if text[:end].endswith("\n"):
        return _edited(desk, name, end, end, f"{indent}cites: {told}\n")
    at = _line_end(text, end) if later or "\n" in text[end:] else len(text)
    before = "" if text[:at].endswith("\n") else "\n"
    return _edited(desk, name, at, at, f"{before}{indent}cites: {told}\n")


def _without(desk: Desk, name: str, body: Mapping, key: Scalar, node: Node) -> Changed:
    text = body.span.file.text
    if text[body.span.start] == "{":
        at = [each.value for each, _ in body.entries].index("cites")
        if at:
            before = body.entries[at - 1][1].span.end
            return _edited(desk, name, before, node.span.end, "")
        end = body.entries[1][0].span.start if len(body.entries) > 1 else node.span.end
        return _edited(desk, name, key.span.start, end, "")
    start = text.rfind("\n", 0, key.span.start) + 1
    if text[start : key.span.start].strip():
        raise CannotCite("remark")
    return _edited(desk, name, start, _line_end(text, node.span.end), "")


def _line_end(text: str, at: int) -> int:
    """The start of the next line."""
    if text[:at].endswith("\n"):
        return at
    return text.find("\n", at) + 1 or len(text)


def _edited(desk: Desk, name: str, start: int, end: int, new: str) -> Changed:
    old = desk.files[name].text
    text = old[:start] + new + old[end:]
    return {name: _laid_out(name, text) if _laid_out(name, old) == old else text}


def _laid_out(name: str, text: str) -> str:
    """A file in canonical layout; unchanged if it cannot be parsed."""
    try:
        return formatted(SourceFile(name, text), Diagnostics()) or text
    except FormatMistake:
        return text


# ---------------------------------------------------------------- books of variants


def _new_change(
    desk: Desk, variant: DeskVariant, wish: RequestedCitation, book: DeskBook
) -> Changed:
    """Appends a `cite` change.

    It absorbs agreements in the lock: a rule either agrees, or is cited by a change.
    """
    full = Mapping((), variant.root.span)
    taken: tuple[str, ...] = ()
    for each in book.marks.agrees:
        if each.id == wish.point:
            taken += desk.locks[book.id].prints(each.where)
    locked: Changed = {}
    if taken:
        locked = _disagreeing(desk, book, wish.point, taken)
        full = _added(desk, full, RequestedCitation(wish.point, wish.book, taken), book)
    told = _short(desk, _added(desk, full, wish, book), variant.own)
    return locked | _behind(desk, variant, wish.point, told)


def _behind(desk: Desk, variant: DeskVariant, point: str, told: str) -> Changed:
    text = desk.files[variant.file].text
    listed = variant.root.get("changes")
    if not isinstance(listed, Sequence):
        raise CannotCite("remark")
    if not listed.items:
        start = len(text[: listed.span.start].rstrip(" "))
        new = f"\n  - cite: {point}\n    cites: {told}"
        return _edited(desk, variant.file, start, listed.span.end, new)
    if text[listed.span.start] == "[":
        raise CannotCite("remark")
    last = listed.items[-1]
    indent = " " * (text.rfind("-", 0, last.span.start) - text.rfind("\n", 0, last.span.start) - 1)
    at = _line_end(text, last.span.end)
    gap = "" if text[:at].endswith("\n") else "\n"
    new = f"{gap}{indent}- cite: {point}\n{indent}  cites: {told}\n"
    return _edited(desk, variant.file, at, at, new)


def _agreeing(desk: Desk, book: DeskBook, variant: DeskVariant, wish: RequestedCitation) -> Changed:
    """Marks in the lock that sentences of an edition's book state a rule as the game has it."""
    lock, agrees = desk.locks[book.id], [*book.marks.agrees]
    for section, prints in _by_section(book, wish.prints):
        numbers = lock.numbers(section, prints)
        if not section or numbers is None:
            raise CannotCite("sentence")
        same = (variant.name, wish.point, section)
        old = [each for each in agrees if (each.variant, each.id, each.where.section) == same]
        every = {*numbers, *(number for each in old for number in each.where.numbers)}
        agrees = [each for each in agrees if each not in old]
        agrees.append(Agreement(variant.name, wish.point, Reference(section, tuple(sorted(every)))))
    return _locked(book, replace(book.marks, agrees=tuple(agrees)))


def _disagreeing(desk: Desk, book: DeskBook, point: str, prints: tuple[str, ...]) -> Changed:
    lock: Lock = desk.locks[book.id]
    agrees: list[Agreement] = []
    for each in book.marks.agrees:
        marks = lock.prints(each.where)
        left = tuple(
            number
            for number, mark in zip(each.where.numbers, marks, strict=False)
            if each.id != point or mark not in prints
        )
        if left:
            agrees.append(replace(each, where=Reference(each.where.section, left)))
    if tuple(agrees) == book.marks.agrees:
        return {}
    return _locked(book, replace(book.marks, agrees=tuple(agrees)))


def _locked(book: DeskBook, marks: Marks) -> Changed:
    assert book.text is not None
    return {lock_name(book.id): written(replace(book.text, name=book.file), marks)}
