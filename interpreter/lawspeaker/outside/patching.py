"""Compiles rules from texts, with a patch applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import RuleFile, SourceFile
from lawspeaker.meaning import check
from lawspeaker.meaning.compile import Opened
from lawspeaker.meaning.overlay.trees import inside
from lawspeaker.meaning.variant import Variant, read_variant
from lawspeaker.outside.loading import open_bundle, schema
from lawspeaker.text.document import Scalar

NO_FILE = ""
"""File name of a patch; empty, so that no message points into it."""


def compiled(files: tuple[RuleFile, ...], patch: str) -> ir.Program:
    """Compiles the files of a game with a patch, if any. Raises RulesError."""
    opened, diagnostics = _opened(files), Diagnostics()
    more: list[Variant | None] = []
    if patch:
        file, language = SourceFile(NO_FILE, patch), opened.book.language
        more.append(read_variant(file, (), schema("variant"), diagnostics, language))
    laid = [_with_the_last_word(each, opened.variants) for each in more if each is not None]
    book = None if len(laid) < len(more) else opened.laid(diagnostics, laid)
    program = None if book is None else check.program(book, diagnostics)
    if program is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return program


def _with_the_last_word(patch: Variant, variants: Sequence[Variant]) -> Variant:
    """Orders a patch after all variants of its layer, so that it may override what they set."""
    names = (each.root.get("variant") for each in variants if each.layer == patch.layer)
    last = tuple(each for each in names if isinstance(each, Scalar))
    return replace(patch, after=(*patch.after, *last))


def written_at(files: tuple[RuleFile, ...], path: str) -> str | None:
    """The value at a path of the rules, such as `pieces.card.kinds.hunt.count`, on one line.

    None if the path does not exist.
    """
    book = _opened(files).laid(Diagnostics())
    section, _, rest = path.partition(".")
    id, *keys = rest.split(".")
    entry = None if book is None else book.sections.get(section, {}).get(id)
    there = None if entry is None else inside(entry.body, tuple(keys))
    if there is None:
        return None
    return there.value if isinstance(there, Scalar) else "…"


@lru_cache(maxsize=4)
def _opened(files: tuple[RuleFile, ...]) -> Opened:
    """Parses the files; cached, since several patches are applied to the same files."""
    diagnostics = Diagnostics()
    opened = open_bundle(files, diagnostics)
    if opened is None or diagnostics.has_errors:
        raise RulesError(tuple(diagnostics.sorted()))
    return opened
