"""Text to program, in steps a reader can follow by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lawspeaker import check, ir, rulebook
from lawspeaker.diagnostics import Diagnostics
from lawspeaker.overlay import overlay
from lawspeaker.rulebook import Read
from lawspeaker.source import SourceFile
from lawspeaker.variant import read_variant

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class VariantFile:
    """The file of a variant, and the values it is given: `long_peninsulas(5, 6, 7)`."""

    file: SourceFile
    arguments: tuple[str, ...] = ()


def compile_game(
    main: SourceFile,
    read: Read,
    game_schema: Schema,
    diagnostics: Diagnostics,
    variants: Sequence[VariantFile] = (),
    variant_schema: Schema | None = None,
) -> ir.Program | None:
    """The program of the game whose entry file this is; None when there are errors."""
    book = rulebook.gather(main, read, game_schema, diagnostics)
    if book is None:
        return None
    if variants:
        found = [
            read_variant(each.file, each.arguments, variant_schema or {}, diagnostics)
            for each in variants
        ]
        book = overlay(book, [each for each in found if each is not None], diagnostics)
        if diagnostics.has_errors:
            return None
    return check.program(book, diagnostics)
