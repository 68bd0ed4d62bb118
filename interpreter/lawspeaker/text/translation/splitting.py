"""Extracts translation files from multilingual rules.

Every text in several languages keeps the language of the rules; the others become lines of
translation files. A guard that has only a sentence becomes that sentence, and names equal to their
ids are dropped. A comment above or behind the line of another language moves with it; all other
comments and the order are kept.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from collections.abc import Sequence as SequenceType
from dataclasses import dataclass, replace

from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import SourceFile
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, child, scalar_at
from lawspeaker.text.format.remarks import find
from lawspeaker.text.translation.files import TranslatedText, Translation, fingerprint, plain
from lawspeaker.text.translation.places import SHARED, Address, kind_of, rewritten, translated
from lawspeaker.text.translation.updating import Ids, address_text, updated
from lawspeaker.text.translation.weaving import default_name, originals


def split_texts(
    roots: SequenceType[Mapping], own: str
) -> tuple[list[Mapping], dict[str, list[TranslatedText]]]:
    """The files of a game or a variant in one language, and the lines of the others."""
    lines: dict[str, list[TranslatedText]] = {}

    def keep(address: Address, node: Node) -> Node:
        if not isinstance(node, Mapping):
            return node
        text = node.get(own)
        if not isinstance(text, Scalar):
            return node
        for key, other in node.entries:
            if key.value not in (own, SHARED) and isinstance(other, Scalar):
                said = TranslatedText(
                    address, fingerprint(translated(address, text.value)), False, other, key
                )
                lines.setdefault(key.value, []).append(said)
        shared = node.key(SHARED)
        if shared is None:
            return text
        kept = tuple(pair for pair in node.entries if pair[0].value in (own, SHARED))
        return Mapping(kept, node.span)

    split = [_plainly(rewritten(root, keep)) for root in roots]
    return split, lines


@dataclass(frozen=True, slots=True)
class TranslationNote:
    """A comment on the translation at an address; `at` is its offset in the file."""

    language: str
    address: Address
    text: str
    at: int


def notes(file: SourceFile, root: Mapping, own: str) -> list[TranslationNote]:
    """The comments that move with translations: above a language on its own line, and behind it."""
    remarks = find(file, root)
    found: list[TranslationNote] = []

    def look(address: Address, node: Node) -> Node:
        text = child(node, own)
        if not isinstance(node, Mapping) or not isinstance(text, Scalar):
            return node
        lines = [file.position(key.span.start)[0] for key, _ in node.entries]
        above = node.span.start
        for key, other in node.entries:
            block = isinstance(other, Scalar) and other.style in ("literal", "folded")
            line = file.position(other.span.start if block else other.span.end)[0]
            if key.value not in (own, SHARED) and len(set(lines)) == len(lines) > 1:
                found.extend(
                    TranslationNote(key.value, address, each.text, each.start)
                    for each in remarks
                    if (each.alone and above < each.start < key.span.start)
                    or (not each.alone and each.line == line)
                )
            above = other.span.end
        return node

    rewritten(root, look)
    return found


def contradicted(
    roots: SequenceType[Mapping],
    lines: MappingType[str, SequenceType[TranslatedText]],
    there: MappingType[str, Translation],
    own: str,
    diagnostics: Diagnostics,
) -> bool:
    """Whether a translation file disagrees with the rules on a text; reports it."""
    prints: dict[Address, set[str | None]] = {}
    for address, text in originals(roots, own):
        prints.setdefault(address, set()).add(fingerprint(text))
    before = len(diagnostics)
    for language, said in lines.items():
        for new in said:
            for old in there[language].said if language in there else ():
                other = old.print != new.print and old.print in prints.get(new.address, ())
                if old.address == new.address and not other and _differ(old, new):
                    assert new.text is not None, "it comes from the rules"
                    diagnostics.error(
                        "duplicate-name",
                        f"`{address_text(new.address)}` is something else in the translation file",
                        new.text.span,
                        Label(old.key.span, "said otherwise here"),
                        hint="take it out in one of the two places; nothing is split until then",
                    )
    return len(diagnostics) > before


def _differ(old: TranslatedText, new: TranslatedText) -> bool:
    texts = [plain(each.text.value) for each in (old, new) if each.text is not None]
    return len(texts) == 2 and texts[0] != texts[1]


def written_lines(
    roots: SequenceType[Mapping],
    lines: MappingType[str, SequenceType[TranslatedText]],
    moved: SequenceType[TranslationNote],
    there: MappingType[str, Translation],
    rules: str,
    own: str,
) -> dict[str, str]:
    """The text of the translation file for each language, with the comments that move there;
    `there` are the existing files."""
    texts = originals(roots, own)
    known = {address for address, _ in texts}
    found: dict[str, str] = {}
    for language, said in lines.items():
        old = there.get(language, Translation(SourceFile("", ""), rules, language, ()))
        new = replace(old, said=(*old.said, *said))
        ids = tuple(each.address[1] for each in new.said if _is_name(each, known))
        own_notes: dict[Address, list[str]] = {}
        for note in moved:
            if note.language == language:
                own_notes.setdefault(note.address, []).append(note.text)
        found[language] = updated(texts, Ids(ids, frozenset(ids)), new, own, own_notes).text
    return found


def _is_name(line: TranslatedText, known: set[Address]) -> bool:
    return line.address[0] == "names" and line.address not in known


def _plainly(root: Mapping) -> Mapping:
    """Reduces guards to bare sentences where possible, and drops redundant names."""
    entries: list[tuple[Scalar, Node]] = []
    for key, node in root.entries:
        if key.value == "names" and isinstance(node, Mapping) and kind_of(root) == "game":
            node = _named(node)
            if not node.entries and len(root.entries) > 1:
                continue
        elif key.value == "rules" and isinstance(node, Mapping):
            clauses = ((id, _without_says(clause)) for id, clause in node.entries)
            node = Mapping(tuple(clauses), node.span)
        elif key.value == "changes" and isinstance(node, Sequence):
            node = Sequence(tuple(_without_says(each) for each in node.items), node.span)
        entries.append((key, node))
    return Mapping(tuple(entries), root.span)


def _named(names: Mapping) -> Mapping:
    """The names that differ from the ids of their things."""
    entries = tuple(
        (key, name)
        for key, name in names.entries
        if not isinstance(name, Scalar) or "." in key.value or name.value != default_name(key.value)
    )
    return Mapping(entries, names.span)


def _without_says(clause: Node) -> Node:
    guards = child(clause, "guards")
    if not isinstance(clause, Mapping) or not isinstance(guards, Mapping):
        return clause
    sentences = tuple((name, _sentence(guard)) for name, guard in guards.entries)
    short = Mapping(sentences, guards.span)
    entries = ((key, short if key.value == "guards" else node) for key, node in clause.entries)
    return Mapping(tuple(entries), clause.span)


def _sentence(guard: Node) -> Node:
    says = child(guard, "says")
    if isinstance(guard, Mapping) and isinstance(says, Scalar) and len(guard.entries) == 1:
        return says
    return guard


def with_language(head: Mapping, own: str) -> Mapping:
    """The entry file with its language declared, before the other languages."""
    languages = head.key("languages")
    if head.get("language") is not None or languages is None:
        return head
    entries: list[tuple[Scalar, Node]] = []
    for key, node in head.entries:
        if key is languages:
            name = scalar_at("language", key)
            entries.append((name, scalar_at(own, key)))
        entries.append((key, node))
    return Mapping(tuple(entries), head.span)
