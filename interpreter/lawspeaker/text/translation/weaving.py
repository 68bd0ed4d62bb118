"""Weaves translations into the rules: afterwards every text has its languages.

Rules are written in one language. This pass turns each text into the form it would have in
multilingual rules: a mapping by language, the own one first. Later stages know no other form. A
language that a text already has is kept.

A stale translation is used, with a mark, since it is mostly right; a diagnostic reports it. Unnamed
things go by their ids, so translations can name them, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from lawspeaker.base.braces import BAR, names_in, unpaired
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics, nearest
from lawspeaker.base.remembering import Itself, Remembered, ReportingCache
from lawspeaker.base.source import Span
from lawspeaker.base.typography import STALE
from lawspeaker.text.document import MOST_KNOWN, Mapping, Node, Scalar, scalar_at
from lawspeaker.text.translation.files import (
    TranslatedText,
    Translation,
    command,
    fingerprint,
    plain,
    short,
)
from lawspeaker.text.translation.matching import Matched, MatchedText, Original, matched
from lawspeaker.text.translation.places import (
    SHARED,
    Address,
    is_phrase,
    is_sign,
    name_of,
    rewritten,
    translated,
)

MOST_LISTED = 5


Same: TypeAlias = MappingType[tuple[str, str], Scalar | None]
"""By language and text: the span of a declaration that it is the same there; None if the rules have
the text. It may be the id of an unnamed thing."""


@dataclass(frozen=True, slots=True)
class Woven:
    """The result. `named` are the names that only translations give, and `doubts` the diagnostics
    about them if things of these ids exist. `lacking` are the missing texts by language."""

    roots: tuple[Mapping, ...]
    named: tuple[tuple[Scalar, Mapping], ...]
    same: Same
    lacking: MappingType[str, Lacking]
    doubts: MappingType[str, Sequence[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Lacking:
    """The texts that are missing in a language, by address; and its file, if there is one."""

    addresses: tuple[Address, ...]
    translation: Translation | None

    def tell(self, language: str, own: str, at: Span, diagnostics: Diagnostics) -> None:
        """Reports all missing texts in one warning; at `at`, if there is no file."""
        texts = [_shown(each) for each in self.addresses]
        if not texts:
            return
        some = ", ".join(f"`{each}`" for each in texts[:MOST_LISTED])
        more = " …" if len(texts) > MOST_LISTED else ""
        count = "1 text is" if len(texts) == 1 else f"{len(texts)} texts are"
        file = self.translation
        begun = set() if file is None else {each.address for each in file.said}
        if begun.issuperset(self.addresses):
            hint = "their keys stand in this file already: write the texts behind them"
        else:
            told = command(at.file.name, language) if file is None else file.command
            hint = f"{told} puts them into its file, to be written"
        diagnostics.warning(
            "missing-translation",
            f"{count} missing in `{language}`, and shown in `{own}`: {some}{more}",
            at if file is None else file.span,
            hint=hint,
        )


def woven(
    roots: Sequence[Mapping],
    texts: Sequence[Original],
    translations: Sequence[Translation],
    own: str,
    diagnostics: Diagnostics,
    promised: Sequence[str] = (),
) -> Woven:
    """Weaves the files of a game, or the file of a variant. `texts` are theirs, in order.
    Translations into promised languages should be complete."""
    called, told = name_of(roots[0]), tuple(translations)
    lines = _lined_up.at(
        (tuple(texts), tuple(map(Itself, told)), own, called, tuple(promised)),
        sum(len(text) for _, text in texts),
        diagnostics,
        lambda said: _Lines(texts, told, own, called, promised, said),
    )
    found, named = lines.found, lines.named
    lacking: dict[str, dict[tuple[bool, str], Address]] = {each: {} for each in lines.lacking}
    whole: list[Mapping] = []
    for root in roots:
        made, missing = _woven_before.at(
            (Itself(root), lines.said_for(root)),
            root.span.end - root.span.start,
            diagnostics,
            partial(_weave, root, lines),
        )
        whole.append(made)
        for language, said, address in missing:
            lacking[language].setdefault((is_phrase(address), said), address)
    files = {each.language: each for each in translations}
    left_out = {
        language: Lacking(tuple(some.values()), files.get(language))
        for language, some in lacking.items()
    }
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
        text = scalar_at(original[1], key)
        body = lines.beside(original[0], text, diagnostics)[0]
        assert isinstance(body, Mapping)
        entries.append((scalar_at(original[0][1], key), body))
    return Woven(tuple(whole), tuple(entries), {**same, **left}, left_out, lines.doubts)


Missing = tuple[str, str, Address]
"""A language in which a text is missing, the text, and its address."""


class _Lines:
    """The matched lines of some translations for the texts of some rules."""

    def __init__(
        self,
        texts: Sequence[Original],
        translations: Sequence[Translation],
        own: str,
        called: str,
        promised: Sequence[str],
        diagnostics: Diagnostics,
    ) -> None:
        self.own = own
        self.translations = tuple(map(Itself, translations))
        self.named = _named(texts, translations)
        self.found: list[tuple[str, Matched]] = []
        self.doubts: dict[str, list[Diagnostic]] = {}
        self.meant: set[tuple[str, Address]] = set()
        self.lacking = tuple(
            language
            for language in promised
            if language != own
            and not any(each.faulty for each in translations if each.language == language)
        )
        every = [*texts, *self.named]
        for translation in translations:
            if translation.faulty:
                continue
            if translation.language == own:
                diagnostics.error(
                    "bad-value",
                    f"the rules are written in `{own}` themselves",
                    translation.span,
                    hint="change the sentences where they stand, and delete this file",
                )
                continue
            if translation.rules != called:
                at = None if translation.root is None else translation.root.get("translates")
                diagnostics.error(
                    "bad-value",
                    f"this is a translation of `{translation.rules}`, but lies beside `{called}`",
                    translation.span if at is None else at.span,
                    hint=f"write `translates: {called}`, or put the file where it belongs",
                )
            self.line_up(every, translation, diagnostics)

    def line_up(
        self, every: Sequence[Original], translation: Translation, diagnostics: Diagnostics
    ) -> None:
        result = matched(every, translation)
        self.found.append((translation.language, result))
        for original, doubt in _stale(result, translation):
            if original in self.named:
                self.doubts.setdefault(original[0][1], []).append(doubt)
            else:
                diagnostics.add(doubt)
        _without_placeholders(result, diagnostics)
        near = _unfit(result, translation, every, diagnostics)
        self.meant.update((translation.language, each) for each in near)

    def said_for(self, root: Mapping) -> Hashable:
        """A cache key: all that the woven file depends on. Translations are identified by the `id`
        of their nodes, as long as the translation files are the same."""
        found = [result.found for _, result in self.found]
        lines = [each.get(text) for text in _originals(root, self.own) for each in found]
        said = tuple(line and (id(line.text), line.stale, id(line.line)) for line in lines)
        return self.own, self.lacking, self.translations, frozenset(self.meant), said

    def beside(
        self, address: Address, node: Node, diagnostics: Diagnostics
    ) -> tuple[Node, list[Missing]]:
        """A text with its translations, and the languages in which it is missing."""
        entries: list[tuple[Scalar, Node]]
        text: Node | None
        if isinstance(node, Scalar) and node.kind != "nothing" and node.value.strip():
            text, entries = node, [(scalar_at(self.own, node), node)]
        elif isinstance(node, Mapping):
            text, entries = node.get(self.own), list(node.entries)
        else:
            return node, []
        if not isinstance(text, Scalar):
            return node, []
        said, own = translated(address, text.value), {key.value for key, _ in entries}
        for language, result in self.found:
            line = result.found.get((address, said))
            if line is None:
                continue
            if language not in own:
                entries.append(_entry(language, line))
            elif line.line is not None and line.line.address == address:
                diagnostics.error(
                    "duplicate-name",
                    "this text stands in the rules themselves already",
                    line.line.key.span,
                    hint="take it out in one of the two places",
                )
        given = {key.value for key, _ in entries}
        missing = [
            (language, plain(said), address)
            for language in self.lacking
            if language not in given
            and not is_sign(address)
            and (language, address) not in self.meant
        ]
        if SHARED in own:
            entries.sort(key=lambda pair: pair[0].value == SHARED)
        return Mapping(tuple(entries), node.span), missing


def _weave(
    root: Mapping, lines: _Lines, diagnostics: Diagnostics
) -> tuple[Mapping, tuple[Missing, ...]]:
    """A file with all its languages, and the missing texts."""
    missing: list[Missing] = []

    def weave(address: Address, node: Node) -> Node:
        woven, lacking = lines.beside(address, node, diagnostics)
        missing.extend(lacking)
        return woven

    return rewritten(root, weave), tuple(missing)


_lined_up: ReportingCache[Hashable, _Lines] = ReportingCache(MOST_KNOWN)
_woven_before: ReportingCache[Hashable, tuple[Mapping, tuple[Missing, ...]]] = ReportingCache(
    MOST_KNOWN
)
_texts_before: Remembered[Hashable, tuple[Original, ...]] = Remembered(MOST_KNOWN)


def originals(roots: Iterable[Mapping], own: str) -> list[Original]:
    """All texts of some files in their own language, in order."""
    return [each for root in roots for each in _originals(root, own)]


def _originals(root: Mapping, own: str) -> tuple[Original, ...]:
    key = (Itself(root), own)
    known = _texts_before.get(key)
    if known is not None:
        return known
    found: list[Original] = []

    def note(address: Address, node: Node) -> Node:
        text = node.get(own) if isinstance(node, Mapping) else node
        if isinstance(text, Scalar) and text.value.strip():
            found.append((address, translated(address, text.value)))
        return node

    rewritten(root, note)
    _texts_before.keep(key, tuple(found), root.span.end - root.span.start)
    return tuple(found)


def default_name(id: str) -> str:
    """The default name of a thing: its id, in words."""
    return id.rsplit(".", 1)[-1].replace("_", " ")


def _named(
    texts: Iterable[Original], translations: Iterable[Translation]
) -> dict[Original, Scalar]:
    """The things that are named in a translation only, with the key of that name. Ids without
    letters, as while one is being typed, are skipped."""
    known = {address for address, _ in texts}
    found: dict[Original, Scalar] = {}
    for translation in translations:
        for line in translation.said:
            if len(line.address) == 2 and line.address[0] == "names" and line.address not in known:
                words = default_name(line.address[1])
                if words.strip():
                    found.setdefault((line.address, words), line.key)
    return found


def _entry(language: str, found: MatchedText) -> tuple[Scalar, Scalar]:
    text, key = found.text, found.text if found.line is None else found.line.key
    if found.stale:
        forms = [each.rstrip() for each in BAR.split(text.value)]
        text = replace(text, value=f"{STALE} |".join(forms) + STALE)
    return scalar_at(language, key), text


def _stale(result: Matched, translation: Translation) -> Iterator[tuple[Original, Diagnostic]]:
    """The translations whose originals have changed since."""
    for original, line, stale in _lines(result):
        if stale:
            yield (
                original,
                Diagnostic(
                    "stale-translation",
                    f"what `{_shown(line.address)}` says has changed since this was written",
                    line.key.span,
                    hint="mend it if need be, and take the ? out"
                    if line.unsure and line.print == fingerprint(original[1])
                    else f"{translation.command} puts the text of today above it",
                    severity="warning",
                ),
            )


def _without_placeholders(result: Matched, diagnostics: Diagnostics) -> None:
    for original, line, stale in _lines(result):
        if stale or "{" not in original[1]:
            continue
        assert line.text is not None
        if unpaired(line.text.value) is not None:
            continue  # Reported at the brace itself.
        gone = names_in(original[1]) - names_in(line.text.value)
        if gone:
            diagnostics.error(
                "missing-placeholder",
                f"`{{{min(gone)}}}` is missing here: it stands in the text that is translated",
                line.text.span,
                hint="put it where the value belongs in this language",
            )


def _lines(result: Matched) -> Iterator[tuple[Original, TranslatedText, bool]]:
    """Each matched line, with the first text that takes it, and whether it is stale."""
    seen: set[int] = set()
    for original, found in result.found.items():
        if found.line is not None and id(found.line) not in seen:
            seen.add(id(found.line))
            yield original, found.line, found.stale


def _unfit(
    result: Matched, translation: Translation, texts: Iterable[Original], diagnostics: Diagnostics
) -> Iterator[Address]:
    """Reports lines that match no text; returns the addresses that were probably meant."""
    addresses = {_shown(address): address for address, _ in texts} if result.unfit else {}
    for line in result.unfit:
        name = _shown(line.address)
        near = nearest(name, addresses)
        diagnostics.error(
            "unknown-text",
            f"the rules have no text `{name}`" + _besides(line, addresses),
            line.key.span,
            hint=f"{translation.command} brings this file up to date"
            if near is None
            else f"did you mean '{near}'?",
        )
        if near is not None:
            yield addresses[near]


def _besides(line: TranslatedText, addresses: Iterable[str]) -> str:
    return " besides those that are translated" if _shown(line.address) in addresses else ""


def _shown(address: Address) -> str:
    return ".".join(short(address))
