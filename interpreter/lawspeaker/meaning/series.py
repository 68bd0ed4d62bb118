"""Expands series of kinds: one entry for all kinds that differ only in some attribute values.

    kinds:
      "{suit}_{rank}": {for each: {suit: suit, rank: 2..6}}

This pass runs after the variant overlay. It replaces such an entry by one kind for each combination
of suit and rank, in this order, with these values, named after the words and numbers. No later
stage knows of series. An explicit entry for a kind of the series overrides the series key by key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from lawspeaker.base.braces import bare, filled, names_in
from lawspeaker.base.diagnostics import Diagnostics, Label, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.values import NAME, RANGE
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    entries_of,
    mapping_at,
    scalars_of,
)
from lawspeaker.text.rulebook import Entry, Rulebook, promised
from lawspeaker.text.translation.weaving import default_name

FOR_EACH = "for each"
MOST_KINDS = 1_000
"""The maximal number of kinds in all series of a game."""
_LANGUAGE = re.compile(r"[a-z]{2}")


def spelled_out(book: Rulebook, diagnostics: Diagnostics) -> Rulebook:
    """The rulebook with each series expanded into its kinds, and their names."""
    pieces, names = dict(book.section("pieces")), dict(book.section("names"))
    series = _Series(book, names, diagnostics)
    for id, entry in pieces.items():
        kinds = entry.get("kinds")
        if isinstance(kinds, Mapping) and any(map(_for_each, (body for _, body in kinds.entries))):
            assert isinstance(entry.body, Mapping)
            whole = tuple(
                (key, series.kinds(kinds) if node is kinds else node)
                for key, node in entry.body.entries
            )
            pieces[id] = replace(entry, body=Mapping(whole, entry.body.span))
    if not series.found:
        return book
    return replace(book, sections={**book.sections, "pieces": pieces, "names": names})


def _for_each(body: Node) -> Mapping | None:
    found = child(body, FOR_EACH)
    return found if isinstance(found, Mapping) else None


@dataclass(slots=True)
class _Series:
    """Expands the series of one rulebook."""

    book: Rulebook
    names: dict[str, Entry]
    diagnostics: Diagnostics
    found: bool = False
    count: int = 0
    """The number of kinds in series so far."""

    def kinds(self, kinds: Mapping) -> Mapping:
        """The kinds of a piece, with each series expanded in place."""
        self.found = True
        own = {key.value: (key, body) for key, body in kinds.entries}
        spelled: dict[str, tuple[Scalar, Node]] = {}
        for key, body in kinds.entries:
            over = _for_each(body)
            if over is None:
                spelled.setdefault(key.value, (key, body))
                continue
            for name, made in self._members(key, body, over):
                earlier = spelled.get(name.value)
                if name.value in own:
                    name, also = own[name.value]
                    made = _laid_over(made, also)
                elif earlier is not None:
                    self.diagnostics.error(
                        "duplicate-name",
                        f"`{name.value}` is in a series twice",
                        name.span,
                        Label(earlier[0].span, "it is made here first"),
                        hint="a series names each value once; two of them need different names",
                    )
                    break
                spelled[name.value] = name, made
        return Mapping(tuple(spelled.values()), kinds.span)

    def _members(self, key: Scalar, body: Node, over: Mapping) -> Iterator[tuple[Scalar, Mapping]]:
        assert isinstance(body, Mapping)
        values = [self._values(each) for _, each in over.entries]
        if not self._is_told_apart(key, over) or not all(values):
            return
        many = prod(map(len, values))
        if self.count + many > MOST_KINDS:
            self.diagnostics.error(
                "too-large", f"there are more than {MOST_KINDS:,} kinds in series", key.span
            )
            return
        self.count += many
        attributes = [each for each, _ in over.entries]
        rest = [(each, node) for each, node in body.entries if each.value != FOR_EACH]
        called = self._called(key.value, key.span, [each.value for each in attributes])
        for chosen in product(*values):
            given = {each.value: value for each, value in zip(attributes, chosen, strict=True)}
            name = _filled(key.value, {each: value.value for each, value in given.items()})
            if not NAME.match(name):
                self.diagnostics.error(
                    "bad-name",
                    f"`{name}` cannot be the name of a kind",
                    key.span,
                    hint="names are small letters, digits and `_`, and begin with a letter",
                )
                return
            if name not in self.names:
                self.names[name] = self._named(name, key, called, given)
            made = Mapping((*zip(attributes, chosen, strict=True), *rest), body.span)
            yield replace(key, value=name), made

    def _is_told_apart(self, key: Scalar, over: Mapping) -> bool:
        """Whether the name pattern distinguishes all kinds; reports an error if not."""
        names, braces = [each.value for each, _ in over.entries], names_in(key.value)
        for brace in sorted(braces.difference(names)):
            self.diagnostics.error(
                "bad-name",
                f"there is no `{brace}` in `for each`",
                key.span,
                hint=did_you_mean(brace, names) or f"it goes through {', '.join(names)}",
            )
            return False
        lacking = [each for each in names if each not in braces]
        if lacking:
            all_of_them = "_".join(f"{{{each}}}" for each in names)
            self.diagnostics.error(
                "bad-name",
                f"kinds of this series would have the same name: it lacks `{{{lacking[0]}}}`",
                key.span,
                hint=f'call it `"{all_of_them}"`, so that each kind is called by its values',
            )
        return not lacking

    def _called(self, id: str, span: Span, known: list[str]) -> Entry | None:
        """The name pattern of a series, with placeholders for its parameters."""
        called = self.names.pop(id, None)
        words = default_name(_filled(id, dict.fromkeys(known, ""))).strip()
        if called is None and words and len(promised(self.book.head)) > 1:
            shown = f'"{id}": "{default_name(id)}"'
            self.diagnostics.warning(
                "missing-translation",
                f"this series is called by “{words}” in every language",
                span,
                hint=f"say `{shown}` under `names:`, and translate that",
            )
        for text in _texts(called):
            for name in sorted(names_in(text.value).difference(known)):
                self.diagnostics.error(
                    "unknown-name",
                    f"`{{{name}}}` stands for nothing in the name of this series",
                    text.span,
                    hint=did_you_mean(name, known) or f"it goes through {', '.join(known)}",
                )
                return None
        return called

    def _values(self, node: Node) -> list[Scalar]:
        """The values a parameter ranges over: words, numbers, named players, or a list."""
        if isinstance(node, Sequence):
            return [*scalars_of(node)]
        if not isinstance(node, Scalar):
            return []
        words = self.book.section("words").get(node.value)
        if words is not None:
            listed = words.get("are") if isinstance(words.body, Mapping) else words.body
            if isinstance(listed, Mapping):
                return [replace(node, value=key.value, kind="text") for key, _ in listed.entries]
            if isinstance(listed, Sequence):
                return [replace(node, value=each.value) for each in scalars_of(listed)]
        called = child(self.book.head.get("players"), "called")
        if node.value == "player" and isinstance(called, Sequence):
            return [replace(node, value=each.value) for each in scalars_of(called)]
        numbers = self.book.section("numbers").get(node.value)
        text = numbers.body.value if numbers and isinstance(numbers.body, Scalar) else node.value
        if found := RANGE.match(text):
            low, high = int(found[1]), int(found[2])
            if low > high:
                self.diagnostics.error(
                    "bad-value", "a range begins with its smaller number", node.span
                )
            many = range(low, min(high, low + MOST_KINDS) + 1)
            return [replace(node, value=str(each), kind="number") for each in many]
        known = [*self.book.section("words"), *self.book.section("numbers")]
        self.diagnostics.error(
            "unknown-type",
            f"a series cannot go through `{node.value}`",
            node.span,
            hint=did_you_mean(node.value, known)
            or "name a set of words, or write numbers (`2..6`) or a list (`[red, blue]`)",
        )
        return []

    def _named(self, id: str, key: Scalar, called: Entry | None, given: dict[str, Scalar]) -> Entry:
        """The name of a kind in every language in which its values have names."""
        own = self.book.language
        words = [self.names.get(each.value) for each in given.values() if each.kind == "text"]
        languages = {own, *promised(self.book.head)}.union(
            *(_languages(each) for each in (called, *words))
        )
        texts = []
        for language in sorted(languages):
            told = {name: self._told(value.value, language) for name, value in given.items()}
            pattern = _text(called, language, own) or default_name(key.value)
            texts.append(
                (replace(key, value=language), _made(_filled(pattern, told, language), key))
            )
        return Entry(id, replace(key, value=id), Mapping(tuple(texts), key.span))

    def _told(self, value: str, language: str) -> str:
        named, own = self.names.get(value), self.book.language
        told = _text(named, language, own) or _text(named, own, own)
        return bare(told) if told else default_name(value)


def _laid_over(made: Mapping, also: Node) -> Mapping:
    """Merges an explicit kind with the one made from its series; explicit keys win."""
    if not isinstance(also, Mapping):
        also = mapping_at({"count": also}, also)
    own = {key.value for key, _ in also.entries}
    rest = tuple((key, node) for key, node in made.entries if key.value not in own)
    return Mapping((*rest, *also.entries), also.span)


def _filled(pattern: str, values: dict[str, str], language: str = "") -> str:
    return filled(pattern, values.get, language)


def _made(text: str, key: Scalar) -> Scalar:
    """A synthesised scalar, with the span of an existing one."""
    start = key.span.start
    return Scalar(text, key.span, replace(key.span, end=start))


def _languages(entry: Entry | None) -> set[str]:
    body = None if entry is None else entry.body
    return {key.value for key, _ in entries_of(body) if _LANGUAGE.fullmatch(key.value)}


def _texts(entry: Entry | None) -> Iterator[Scalar]:
    body = None if entry is None else entry.body
    nodes = [node for _, node in body.entries] if isinstance(body, Mapping) else [body]
    yield from (each for each in nodes if isinstance(each, Scalar))


def _text(entry: Entry | None, language: str, own: str) -> str | None:
    """A name in a language; a bare text is in the language of the rules."""
    if entry is None:
        return None
    alone = entry.body if language == own else None
    found = entry.get(language) if isinstance(entry.body, Mapping) else alone
    return found.value if isinstance(found, Scalar) else None
