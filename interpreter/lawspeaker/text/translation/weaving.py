"""Translations woven into the rules: after this, every text has its languages beside it.

Rules are written in one language, their own. Here each text becomes what it would be in a game that
says everything in one file: a text for each language, the own one first. Whatever comes later knows
no other form. A text that says itself what it is in some language is left as it is there.

A stale translation is shown all the same, with a mark behind it, since it is mostly right; and the
diagnostics name it. Things that the rules give no name are called by their ids, so a translation
can name them, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, replace
from typing import TypeAlias

from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.text.document import Mapping, Node, Scalar
from lawspeaker.text.translation.files import Said, Translation, plain, short
from lawspeaker.text.translation.matching import Found, Matched, Original, matched
from lawspeaker.text.translation.places import SHARED, Address, rewritten

STALE = "°"
"""What stands behind a translation of something that has changed since."""
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


Same: TypeAlias = MappingType[tuple[str, str], Scalar | None]
"""By language and text, what is the same in it; and where that is said, if the rules have no such
text. It may be the id of something that has no name."""


@dataclass(frozen=True, slots=True)
class Woven:
    """`named` are the names that only translations give."""

    roots: tuple[Mapping, ...]
    named: tuple[tuple[Scalar, Mapping], ...]
    same: Same


def woven(
    roots: Sequence[Mapping],
    translations: Sequence[Translation],
    own: str,
    diagnostics: Diagnostics,
) -> Woven:
    """The files of a game, or the file of a variant, with all their languages."""
    texts = originals(roots, own)
    named = _named(texts, translations)
    every = [*texts, *named]
    found: list[tuple[str, Matched]] = []
    for translation in translations:
        if translation.language == own:
            diagnostics.error(
                "bad-value",
                f"the rules are written in `{own}` themselves",
                translation.span,
                hint="change the sentences where they stand, and delete this file",
            )
            continue
        result = matched(every, translation)
        _told(result, translation, every, diagnostics)
        found.append((translation.language, result))

    def weave(address: Address, node: Node) -> Node:
        if isinstance(node, Scalar) and node.kind != "nothing" and node.value.strip():
            node = Mapping(((Scalar(own, node.span, node.span), node),), node.span)
        text = node.get(own) if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping) or not isinstance(text, Scalar):
            return node
        entries = list(node.entries)
        for language, result in found:
            line = result.found.get((address, text.value))
            if line is None:
                continue
            if node.get(language) is None:
                entries.append(_entry(language, line))
            elif line.line is not None and line.line.address == address:
                diagnostics.error(
                    "duplicate-name",
                    "this text stands in the rules themselves already",
                    line.line.key.span,
                    hint="take it out in one of the two places",
                )
        shared = [pair for pair in entries if pair[0].value == SHARED]
        others = [pair for pair in entries if pair[0].value != SHARED]
        return Mapping((*others, *shared), node.span)

    whole = tuple(rewritten(root, weave) for root in roots)
    same = {
        (translation.language, plain(each.value)): None
        for translation in translations
        for each in translation.same
    }
    left = {
        (language, plain(each.value)): each
        for language, result in found
        for each in result.needless
    }
    entries: list[tuple[Scalar, Mapping]] = []
    for original, key in named.items():
        text = Scalar(original[1], key.span, key.span)
        body = weave(original[0], text)
        assert isinstance(body, Mapping)
        entries.append((Scalar(original[0][1], key.span, key.span), body))
    return Woven(whole, tuple(entries), {**same, **left})


def originals(roots: Iterable[Mapping], own: str) -> list[Original]:
    """All texts of some files in their own language, in order."""
    found: list[Original] = []

    def note(address: Address, node: Node) -> Node:
        text = node.get(own) if isinstance(node, Mapping) else node
        if isinstance(text, Scalar) and text.value.strip():
            found.append((address, text.value))
        return node

    for root in roots:
        rewritten(root, note)
    return found


def spelled(id: str) -> str:
    """What a thing is called that has no name: its id, in words."""
    return id.rsplit(".", 1)[-1].replace("_", " ")


def _named(
    texts: Iterable[Original], translations: Iterable[Translation]
) -> dict[Original, Scalar]:
    """The things that have a name in a translation only, with the key that gives it."""
    known = {address for address, _ in texts}
    found: dict[Original, Scalar] = {}
    for translation in translations:
        for line in translation.said:
            if len(line.address) == 2 and line.address[0] == "names" and line.address not in known:
                found.setdefault((line.address, spelled(line.address[1])), line.key)
    return found


def _entry(language: str, found: Found) -> tuple[Scalar, Scalar]:
    text, key = found.text, found.text if found.line is None else found.line.key
    if found.stale:
        text = replace(text, value=text.value.rstrip() + STALE)
    return Scalar(language, key.span, key.span), text


def _told(
    result: Matched,
    translation: Translation,
    texts: Iterable[Original],
    diagnostics: Diagnostics,
) -> None:
    """What is wrong with a translation."""
    lines: dict[int, tuple[Original, Found]] = {}
    for original, found in result.found.items():
        if found.line is not None:
            lines.setdefault(id(found.line), (original, found))
    for original, found in lines.values():
        line = found.line
        assert line is not None
        assert line.text is not None
        gone = set(_PLACEHOLDER.findall(original[1])) - set(_PLACEHOLDER.findall(line.text.value))
        if found.stale:
            diagnostics.warning(
                "stale-translation",
                f"what `{_shown(line.address)}` says has changed since this was written",
                line.key.span,
                hint=f"{translation.command} puts the text of today above it",
            )
        elif gone:
            diagnostics.error(
                "missing-placeholder",
                f"`{{{min(gone)}}}` is missing here: it stands in the text that is translated",
                line.text.span,
                hint="put it where the value belongs in this language",
            )
    addresses = dict.fromkeys(_shown(address) for address, _ in texts)
    for line in result.unfit:
        diagnostics.error(
            "unknown-text",
            f"the rules have no text `{_shown(line.address)}`" + _besides(line, addresses),
            line.key.span,
            hint=did_you_mean(_shown(line.address), addresses)
            or f"{translation.command} brings this file up to date",
        )


def _besides(line: Said, addresses: Iterable[str]) -> str:
    return " besides those that are translated" if _shown(line.address) in addresses else ""


def _shown(address: Address) -> str:
    return ".".join(short(address))
