"""Parses translation files: the texts of some rules in another language.

    lawspeaker: 1
    translates: pebbles
    language: de
    same: [Ann, Ben]
    rules:
      game @3cc4c2: Die Spieler nehmen Kiesel, bis der Haufen weg ist.
      turn:
        says @4c684a: Wer am Zug ist, nimmt einen Kiesel oder mehr.
        asks @b5a6b3?: Wie viele Kiesel nimmst du?
        guards:
          enough @d67022: Nur was da liegt, kann man nehmen.

The structure follows the rules. After the `@` is the fingerprint of the original text, so that a
stale translation can be recognised. A `?` marks a translation to be reviewed; a key without a text
is still to be translated. A key without a fingerprint matches whatever the text is now; `lawspeaker
translate` adds it. Texts that are equal in both languages are listed once, under `same`.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.remembering import Itself, ReportingCache
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text import document, schema
from lawspeaker.text.document import Mapping, Node, Scalar, entries_of, scalars_of, text_of
from lawspeaker.text.schema import Schema
from lawspeaker.text.translation.naming import SUFFIX, language_of, rules_of
from lawspeaker.text.translation.places import CLAUSES, Address

COMMAND = "lawspeaker translate"
HEAD = ("lawspeaker", "translates", "language", "same")
_PRINT_LENGTH = 6
_KEY = re.compile(r"(?P<name>.*?)(?: @(?P<print>[0-9a-f]{6})(?P<unsure>\??))?")
_PRINT = re.compile(r"[0-9a-f]{6}\??")


@lru_cache(maxsize=10_000)
def fingerprint(text: str) -> str:
    """The fingerprint of a text: six hexadecimal digits, independent of line breaks."""
    return hashlib.sha256(plain(text).encode()).hexdigest()[:_PRINT_LENGTH]


@lru_cache(maxsize=10_000)
def plain(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A line of a translation file: the translation of the text at an address. `print` is the
    fingerprint of the original, if given; `text` is None if it is not translated yet."""

    address: Address
    print: str | None
    unsure: bool
    text: Scalar | None
    key: Scalar = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Translation:
    """A parsed translation file. `same` are the texts that need no translation. A file that cannot
    be parsed is `faulty`, and has no lines."""

    file: SourceFile
    rules: str
    language: str
    said: tuple[TranslatedText, ...]
    same: tuple[Scalar, ...] = ()
    root: Mapping | None = field(default=None, compare=False, repr=False)
    faulty: bool = False

    @property
    def command(self) -> str:
        """The command that updates the file."""
        return command(rules_of(self.file.name), self.language)

    @property
    def span(self) -> Span:
        key = None if self.root is None else self.root.key("language")
        return Span(self.file, 0, 0) if key is None else key.span


def command(rules: str, language: str) -> str:
    """The command that creates or updates a translation of some rules, named by their file."""
    return f"`{COMMAND} {shlex.quote(rules)} --lang {language}`"


def translation_of(file: SourceFile, form: Schema, diagnostics: Diagnostics) -> Translation:
    """A parsed translation file. A faulty one is returned, too, so that its texts are not reported
    as missing."""

    def look(own: Diagnostics) -> Translation:
        found = read_translation(file, form, own)
        return found or Translation(file, "", language_of(file.name), (), faulty=True)

    return _known.at((file, Itself(form)), len(file.text), diagnostics, look)


_known: ReportingCache[tuple[SourceFile, Itself], Translation] = ReportingCache(document.MOST_KNOWN)


def read_translation(
    file: SourceFile, form: Schema, diagnostics: Diagnostics
) -> Translation | None:
    """Parses a translation file; None if that fails, and then there are errors."""
    root = document.load(file, diagnostics)
    if root is None:
        return None
    if _no_prints(root, diagnostics):
        return None
    before = len(diagnostics)
    schema.validate(root, form, diagnostics, "translation")
    if len(diagnostics) > before or not isinstance(root, Mapping):
        return None
    language = root.get("language")
    assert isinstance(language, Scalar), "the schema demands it"
    stem = file.name.removesuffix(SUFFIX)
    if not re.search(rf"(^|[./]){language.value}$", stem):
        diagnostics.error(
            "bad-name",
            f"this is a translation into `{language.value}`, but its file is called otherwise",
            language.span,
            hint=f"call it {_renamed(stem, language.value)}{SUFFIX}, or say which language it is",
        )
        return None
    said = (
        each for key, node in root.entries if key.value not in HEAD for each in _said(key, node, ())
    )
    return Translation(
        file,
        text_of(root.get("translates")),
        language.value,
        tuple(said),
        scalars_of(root.get("same")),
        root,
    )


def _renamed(stem: str, language: str) -> str:
    """The name of a file, without its folders, for another language."""
    return re.sub("(?<![a-z])[a-z]{2}$", "", stem.rsplit("/", 1)[-1]) + language


def _no_prints(node: Node, diagnostics: Diagnostics) -> bool:
    """Whether a key has an invalid fingerprint; reports it."""
    found = False
    for key, value in entries_of(node):
        _, at, mark = key.value.rpartition(" @")
        if at and not _PRINT.fullmatch(mark):
            diagnostics.error(
                "bad-value",
                f"`{mark}` is no print: that is six digits and letters from a to f",
                key.span,
                hint="leave it out with its @; `lawspeaker translate` puts the right one in",
            )
            found = True
        found = _no_prints(value, diagnostics) or found
    return found


def _said(key: Scalar, node: Node, at: Address) -> Iterator[TranslatedText]:
    found = _KEY.fullmatch(key.value)
    assert found is not None
    address = (*at, found["name"])
    if isinstance(node, Mapping):
        for inner, value in node.entries:
            yield from _said(inner, value, address)
    elif isinstance(node, Scalar):
        text = None if node.kind == "nothing" or not node.value.strip() else node
        yield TranslatedText(whole(address), found["print"], bool(found["unsure"]), text, key)


def whole(address: Address) -> Address:
    """The full address of a text, with the default last key that may be omitted."""
    last = _left_out(address)
    return address if last is None else (*address, last)


def short(address: Address) -> Address:
    """The address without a last key that may be omitted."""
    return address[:-1] if _left_out(address[:-1]) == address[-1] else address


def _left_out(address: Address) -> str | None:
    if len(address) > 1 and address[-2] == "guards":
        return "says"
    if len(address) != 2:
        return None
    if address[0] == "changes":
        return "to"
    return "says" if address[0] in CLAUSES else "sign" if address[0] == "symbols" else None
