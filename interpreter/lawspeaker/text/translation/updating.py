"""Synchronises a translation file with the rules.

It is rewritten in the order of the rules. Translations are kept. A missing one is a key without a
text, and a stale one has a `?` after its fingerprint; above both is the current text as a comment,
`# en: …`. Unfit lines are dropped; but one without a fingerprint, which somebody has just written
and perhaps misspelt, becomes a comment at the end. Other comments stay above their keys.

Equal texts are translated once, at the first occurrence, unless a line elsewhere translates it
differently. Signs need no translation, so missing ones are not requested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lawspeaker.base.source import NOWHERE
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Node, Scalar, entries_of
from lawspeaker.text.format import scalars
from lawspeaker.text.format.remarks import find
from lawspeaker.text.translation.files import (
    COMMAND,
    HEAD,
    TranslatedText,
    Translation,
    fingerprint,
    plain,
    short,
    whole,
)
from lawspeaker.text.translation.matching import MatchedText, Original, matched
from lawspeaker.text.translation.places import Address, is_phrase, is_sign
from lawspeaker.text.translation.weaving import default_name

_STEP = "  "
_NO_NOTES: Mapping[Address, Sequence[str]] = {}


@dataclass(frozen=True, slots=True)
class Updated:
    """The new text of a translation file, and what to report about it."""

    text: str
    missing: tuple[Address, ...]
    stale: tuple[Address, ...]
    dropped: tuple[TranslatedText, ...]
    kept: tuple[TranslatedText, ...]
    """Unfit lines that never matched a text: they are kept as comments."""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    original: str
    state: str


@dataclass(slots=True)
class _Branch:
    """The contents of a key: branches by their keys, or texts by their originals."""

    below: dict[str, _Branch] = field(default_factory=dict)
    lines: list[_Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ids:
    """The things of a game that need a name, in order, and all that may have one."""

    needed: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()


def updated(
    originals: Sequence[Original],
    ids: Ids,
    translation: Translation,
    own: str,
    notes: Mapping[Address, Sequence[str]] = _NO_NOTES,
) -> Updated:
    """The updated translation of these texts, and of things named by their ids; `notes` are
    comments to insert."""
    known = {address for address, _ in originals}
    named = [each for each in _by_id(translation, ids) if each[0] not in known]
    every = list(dict.fromkeys((*originals, *named)))
    result = matched(every, translation)
    rows, same = _rows(every, result.found, {address for address, _ in named})
    before = dict.fromkeys(plain(each.value) for each in translation.same)
    same = [
        *(each for each in before if each in same),
        *(each for each in same if each not in before),
    ]
    missing = tuple(address for address, line in rows if line.state == "missing")
    stale = tuple(address for address, line in rows if line.state == "stale")
    kept = tuple(each for each in result.unfit if each.print is None and each.text is not None)
    dropped = tuple(each for each in result.unfit if each not in kept)
    text = "\n".join((*_written(rows, same, translation, own, notes), *map(_aside, kept))) + "\n"
    return Updated(text, missing, stale, dropped, kept)


def _by_id(translation: Translation, ids: Ids) -> Iterator[Original]:
    """Things by their ids: those in the file that exist, and then the others."""
    given = (line.address[1] for line in translation.said if line.address[0] == "names")
    there = (id for id in given if id in ids.known or id.rpartition(".")[2] in ids.known)
    for id in dict.fromkeys((*there, *ids.needed)):
        yield ("names", id), default_name(id)


def _rows(
    every: Sequence[Original], found: Mapping[Original, MatchedText], ids: set[Address]
) -> tuple[list[tuple[Address, _Line]], list[str]]:
    """The line for each text, unless it was translated before; and the texts that stay the same."""
    rows: list[tuple[Address, _Line]] = []
    unchanged = [
        each for each in every if not is_phrase(each[0]) and _is_same(each, found.get(each))
    ]
    same = dict.fromkeys(plain(text) for address, text in unchanged if not is_sign(address))
    before: dict[tuple[bool, str], str] = {}
    written: set[tuple[bool, str]] = set()
    for original in every:
        address, text = original
        line = found.get(original)
        if original in unchanged or (line is None and is_sign(address)):
            continue
        said = "" if line is None else line.text.value
        state = "missing" if line is None else "stale" if line.stale else ""
        alone = is_sign(address) or state == "stale" or address in ids
        key = (is_phrase(address), text)
        once = is_phrase(address) or plain(text) not in same
        if not alone and once and before.setdefault(key, said) == said:
            if key in written:
                continue
            written.add(key)
        rows.append((address, _Line(said, text, state)))
    return rows, [*same]


def _is_same(original: Original, found: MatchedText | None) -> bool:
    return found is not None and not found.stale and plain(found.text.value) == plain(original[1])


# ---------------------------------------------------------------- writing


def _written(
    rows: Sequence[tuple[Address, _Line]],
    same: list[str],
    old: Translation,
    own: str,
    notes: Mapping[Address, Sequence[str]],
) -> Iterator[str]:
    remarks = _remarks(old, own)
    told = {address for address, _ in rows}
    for address, comments in notes.items():
        remarks.setdefault(address if address in told else _END, []).extend(comments)
    root = _Branch()
    for address, line in rows:
        branch = root
        for key in address:
            branch = branch.below.setdefault(key, _Branch())
        branch.lines.append(line)
    yield from remarks.pop((), ()) if old.root is not None else _introduction()
    yield "lawspeaker: 1"
    yield f"translates: {old.rules}"
    yield f"language: {old.language}"
    yield from remarks.pop(("same",), ())
    if same:
        yield from _flow("same", same)
    for key, branch in root.below.items():
        if branch.below:
            yield ""
        yield from _branch((key,), branch, remarks, own)
    yield from remarks.pop(_END, ())


_END: Address = ("",)


def _introduction() -> Iterator[str]:
    text = (
        f"`{COMMAND}` keeps this file in order. A key without a text is still to be translated. "
        "The six letters and digits behind an @ are a mark of the text that was translated, and "
        "need no care. Where a ? stands behind them, that text has changed since: mend the "
        "translation, and take the ? out."
    )
    yield from (f"# {line}" for line in scalars.filled(text, scalars.WIDTH - len("# ")))


def _flow(key: str, items: list[str]) -> Iterator[str]:
    """A list in flow style, or in block style if it is too long."""
    shown = [scalars.one_line(_scalar(each), brackets=True) for each in items]
    line = f"{key}: [{', '.join(shown)}]"
    if len(line) <= scalars.WIDTH:
        yield line
    else:
        yield f"{key}:"
        yield from (f"{_STEP}- {scalars.one_line(_scalar(each))}" for each in items)


def _branch(
    address: Address, branch: _Branch, remarks: dict[Address, list[str]], own: str
) -> Iterator[str]:
    indent = _STEP * (len(address) - 1)
    yield from (f"{indent}{each}" for each in remarks.pop(address, ()))
    for line in branch.lines:
        yield from _line(address[-1], line, indent, own)
    if not branch.below:
        return
    [last, *others] = branch.below
    only = branch.below[last]
    if not others and whole(address) == (*address, last) and len(only.lines) == 1:
        yield from (f"{indent}{each}" for each in remarks.pop((*address, last), ()))
        yield from _line(address[-1], only.lines[0], indent, own)
        return
    yield f"{indent}{scalars.one_line(_scalar(address[-1]))}:"
    for key, inner in branch.below.items():
        yield from _branch((*address, key), inner, remarks, own)


def _line(key: str, line: _Line, indent: str, own: str) -> Iterator[str]:
    if line.state:
        yield from _shown(line.original, indent, own)
    unsure = "?" if line.state == "stale" else ""
    head = scalars.one_line(_scalar(f"{key} @{fingerprint(line.original)}{unsure}"))
    if line.state == "missing":
        yield f"{indent}{head}:"
        return
    value = _scalar(line.text)
    room = scalars.WIDTH - len(indent) - len(head) - len(": ")
    below = scalars.below(value, len(indent) + len(_STEP), room)
    if below is None:
        yield f"{indent}{head}: {scalars.one_line(value)}"
        return
    yield f"{indent}{head}: {below[0]}"
    yield from (f"{indent}{_STEP}{each}" if each else "" for each in below[1])


def _aside(line: TranslatedText) -> str:
    """An unfit line, as a comment."""
    assert line.text is not None, "what says nothing is not kept"
    return f"# dropped: {address_text(line.address)}: {plain(line.text.value)}"


def _shown(text: str, indent: str, own: str) -> Iterator[str]:
    """The current text as a comment."""
    first = f"# {own}: "
    width = scalars.WIDTH - len(indent) - len(first)
    lines = scalars.filled(plain(text), width)
    yield f"{indent}{first}{lines[0]}"
    yield from (f"{indent}{'#'.ljust(len(first))}{each}" for each in lines[1:])


def _scalar(text: str) -> Scalar:
    """A text as a scalar that keeps its quotes if it looks like a number or a boolean."""
    return Scalar(text, NOWHERE, NOWHERE, "literal" if "\n" in text else "double")


# ---------------------------------------------------------------- comments


def _remarks(old: Translation, own: str) -> dict[Address, list[str]]:
    """The comments of a file, by the key below them, without those generated here."""
    if old.root is None:
        return {}
    keys = sorted(_keys(old.root, ()), key=lambda each: each[0])
    found: dict[Address, list[str]] = {}
    ours = False
    last = -1
    for remark in find(old.file, old.root):
        goes_on = ours and remark.line == last + 1 and remark.text.startswith("#  ")
        ours = goes_on or remark.text.startswith(f"# {own}: ")
        last = remark.line
        if not ours:
            below = next((at for start, at in keys if start > remark.start), _END)
            found.setdefault(below, []).append(remark.text)
    return found


def _keys(node: Node, at: Address) -> Iterator[tuple[int, Address]]:
    for key, value in entries_of(node):
        name = key.value.partition(" @")[0]
        address = () if not at and name in HEAD and name != "same" else (*at, name)
        yield key.span.start, address if isinstance(value, MappingNode) else whole(address)
        yield from _keys(value, address)


def address_text(address: Address) -> str:
    """An address as text."""
    return ".".join(short(address))
