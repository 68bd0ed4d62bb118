"""The compiler driver: from the text of rules to a typed program, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning import check
from lawspeaker.meaning.name_forms import forms_apart
from lawspeaker.meaning.overlay import overlay
from lawspeaker.meaning.series import spelled_out
from lawspeaker.meaning.variant import Variant, read_variant
from lawspeaker.text import rulebook
from lawspeaker.text.rulebook import Beside, Read, Rulebook, nothing_beside
from lawspeaker.text.schema import Schema
from lawspeaker.text.translation.files import Translation


@dataclass(frozen=True, slots=True)
class VariantFile:
    """The file of a variant and its arguments, as in `shorter(2)`. `called` is the name by which
    the file was found; empty for a file given by its path. `beside` finds files next to it."""

    file: SourceFile
    arguments: tuple[str, ...] = ()
    called: str = field(default="", compare=False)
    translations: tuple[Translation, ...] = field(default=(), compare=False)
    beside: Beside = field(default=nothing_beside, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Opened:
    """The parsed files of a game, and the variants to overlay on it."""

    book: Rulebook
    variants: tuple[Variant, ...] = ()

    def laid(self, diagnostics: Diagnostics, more: Sequence[Variant] = ()) -> Rulebook | None:
        """Overlays the variants and `more` on the rulebook; None if they are incompatible. Also
        expands series of kinds and separates the forms of names."""
        book = self.book
        if self.variants or more:
            book = overlay(book, [*self.variants, *more], diagnostics)
            if diagnostics.has_errors:
                return None
        return forms_apart(spelled_out(book, diagnostics), diagnostics)


def open_game(
    main: SourceFile,
    read: Read,
    game_schema: Schema,
    diagnostics: Diagnostics,
    variants: Sequence[VariantFile] = (),
    variant_schema: Schema | None = None,
    translations: Sequence[Translation] = (),
    beside: Beside = nothing_beside,
) -> Opened | None:
    """Reads the game with this entry file, and its variants; None if that fails."""
    book = rulebook.gather(main, read, game_schema, diagnostics, translations, beside)
    if book is None:
        return None
    schema = variant_schema or Schema()
    found = [_read_variant(each, schema, book, diagnostics) for each in variants]
    return Opened(book, tuple(each for each in found if each is not None))


def _read_variant(
    chosen: VariantFile, variant_schema: Schema, book: Rulebook, diagnostics: Diagnostics
) -> Variant | None:
    """Reads a variant file, and checks that the variant declares the name by which the file was
    found: players use the file's name, other variants the declared one."""
    variant = read_variant(
        chosen.file,
        chosen.arguments,
        variant_schema,
        diagnostics,
        book.language,
        chosen.translations,
        chosen.beside,
        rulebook.promised(book.head),
    )
    if variant is not None and chosen.called not in ("", variant.name):
        diagnostics.warning(
            "bad-name",
            f"this variant is found as `{chosen.called}`, but calls itself `{variant.name}`",
            variant.span,
            hint=f"call it `{chosen.called}` here, or call its file {variant.name}.yaml",
        )
    return variant


def compile_game(
    main: SourceFile,
    read: Read,
    game_schema: Schema,
    diagnostics: Diagnostics,
    variants: Sequence[VariantFile] = (),
    variant_schema: Schema | None = None,
    translations: Sequence[Translation] = (),
    beside: Beside = nothing_beside,
) -> ir.Program | None:
    """Compiles the game with this entry file to a program; None if there are errors."""
    opened = open_game(
        main, read, game_schema, diagnostics, variants, variant_schema, translations, beside
    )
    book = None if opened is None else opened.laid(diagnostics)
    return None if book is None else check.program(book, diagnostics)
