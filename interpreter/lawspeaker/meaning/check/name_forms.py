"""Checks grammatical forms: everything that can fill `{work | to}` should have the form `to`.

A thing without the form is shown by its bare name, so this is a warning: a word that a variant adds
cannot provide all that a translation asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawspeaker.base.braces import Brace
from lawspeaker.base.diagnostics import Label, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.ir.types import (
    KindType,
    MaybeType,
    PieceType,
    PlaceType,
    SetType,
    Type,
    WordType,
)
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Scalar

MOST_LISTED = 5


def complete(world: World, brace: Brace, type: Type, span: Span, language: str) -> None:
    """Reports things that lack the form a placeholder asks for, once per name; if nothing has it,
    but a similarly named form exists, the placeholder is wrong."""
    while isinstance(type, MaybeType | SetType):
        type = type.of
    if not isinstance(type, WordType | KindType | PieceType | PlaceType):
        world.diagnostics.error(
            "wrong-type",
            f"`{brace.name}` is {world.a(type)}, which has no forms",
            span,
            hint="words, pieces and places have them, as their names say",
        )
        return
    world.alone = False  # Depends on names, so the result cannot be cached.
    known = dict.fromkeys(
        each for id in _names(world, type) for each in _forms(world, id, language)
    )
    meant = None if brace.form in known else did_you_mean(brace.form, known)
    if meant is not None:
        world.diagnostics.warning(
            "missing-form",
            f"there is no form `{brace.form}` in `{language}` of what `{brace.name}` can be",
            span,
            hint=f"{meant} If not, add it to the names: `… | {brace.form} = …`",
        )
        return
    lacking = {
        id: at
        for id, at in _lacking(world, type, brace.form, language, span)
        if (language, brace.form, id) not in world.formless
    }
    if not lacking:
        return
    world.formless.update((language, brace.form, id) for id in lacking)
    listed = ", ".join(f"`{each}`" for each in [*lacking][:MOST_LISTED])
    more = len(lacking) - MOST_LISTED
    told = f"{listed} and {more} more have" if more > 0 else f"{listed} have"
    first, at = next(iter(lacking.items()))
    world.diagnostics.warning(
        "missing-form",
        f"{f'`{first}` has' if len(lacking) == 1 else told} no form `{brace.form}` in `{language}`",
        at,
        *((Label(span, "it is asked for here"),) if at is not span else ()),
        hint=f"add it to the name: `… | {brace.form} = …`",
    )


def _lacking(
    world: World, type: Type, form: str, language: str, asked: Span
) -> Iterator[tuple[str, Span]]:
    """The names without a form, with their spans. Things without a translation are left out; that
    is reported elsewhere."""
    names = world.book.section("names")
    for id in _names(world, type):
        text = names[id].get(language) if id in names else None
        if form in _forms(world, id, language):
            continue
        if isinstance(text, Scalar):
            yield id, text.span
        elif language == world.book.language:
            yield id, asked


def _forms(world: World, id: str, language: str) -> Mapping[str, Scalar]:
    return world.book.forms.get(id, {}).get(language, {})


def _names(world: World, type: Type) -> Iterator[str]:
    """The ids under `names` of the things of a type."""
    words: tuple[str, ...] = ()
    owner = ""
    match type:
        case WordType(name=owner, index=index):
            words = world.word_sets[index].words
        case KindType(index=index) | PieceType(index=index):
            piece = world.pieces[index]
            owner = piece.name
            kinds = tuple(kind.name for kind in piece.kinds)
            words = kinds if len(kinds) > 1 or isinstance(type, KindType) else (owner,)
        case PlaceType(index=index):
            owner, words = "place", (world.families[index].name,)
    names = world.book.section("names")
    yield from (each if f"{owner}.{each}" not in names else f"{owner}.{each}" for each in words)
