"""Text to program, in steps a reader can follow by name."""

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
    """The file of a variant, and the values it is given: `shorter(2)`.

    `called` is the name by which the file was found; a file that was given by its path has none.
    `beside` finds what lies beside it.
    """

    file: SourceFile
    arguments: tuple[str, ...] = ()
    called: str = field(default="", compare=False)
    translations: tuple[Translation, ...] = field(default=(), compare=False)
    beside: Beside = field(default=nothing_beside, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Opened:
    """What the files of a game say, and the variants that are to be laid over it."""

    book: Rulebook
    variants: tuple[Variant, ...] = ()

    def laid(self, diagnostics: Diagnostics, more: Sequence[Variant] = ()) -> Rulebook | None:
        """One rulebook; None when the variants do not go together. `more` are laid over too."""
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
    """Reads a game whose entry file this is, and its variants; None when that cannot be done."""
    book = rulebook.gather(main, read, game_schema, diagnostics, translations, beside)
    if book is None:
        return None
    schema = variant_schema or Schema()
    found = [_read_variant(each, schema, book, diagnostics) for each in variants]
    return Opened(book, tuple(each for each in found if each is not None))


def _read_variant(
    chosen: VariantFile, variant_schema: Schema, book: Rulebook, diagnostics: Diagnostics
) -> Variant | None:
    """A variant as its file has it. It ought to have the name by which it was found, since that is
    how players name it, while other variants name it as it calls itself."""
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
    """The program of the game whose entry file this is; None when there are errors."""
    opened = open_game(
        main, read, game_schema, diagnostics, variants, variant_schema, translations, beside
    )
    book = None if opened is None else opened.laid(diagnostics)
    return None if book is None else check.program(book, diagnostics)
