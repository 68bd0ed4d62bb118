"""Variants laid over a rulebook: after this there is one rulebook again.

Changes are applied layer by layer: editions, then modules, then house rules; a higher layer has
the last word. The order in which variants are named means nothing. Two variants of one layer that
touch the same clause clash, unless they say the same or one says that it comes `after` the other.

What a change puts in keeps its place in the variant's file, so that whatever is wrong with it is
shown there. Guards stand inside code and are changed by name (`amend: moving.not_blocked`): the
checker asks the rulebook for such changes when it comes to the guard. Several variants may add to
an open set without a clash: exceptions to a guard and further demands, what is added to a defined
value, rules done before, after or instead of another, alternatives that join a question. A change
that says `with: [other]` is made only if the other variant is there too, and after the other's own
changes, which it may speak of.

Citations stay true to what they say about a rule. A variant that cites a book replaces what was
cited from that book, unless it amends the rule: then both stand. Where it sets another value or
another rule, the books it does not cite say otherwise now, or leave open what we had decided for
them. A source that is a reprint of another is cited wherever that one is.

What a variant puts in must have the form that the files of a game have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import NOWHERE, SourceFile
from lawspeaker.meaning.overlay.citations import in_full
from lawspeaker.meaning.overlay.order import applying, clashes, fits_together, in_order
from lawspeaker.meaning.overlay.patching import Laying
from lawspeaker.meaning.variant import LAYERS, Variant
from lawspeaker.text import schema
from lawspeaker.text.document import Mapping, Node, Scalar
from lawspeaker.text.rulebook import PLAYERS, WINS, Rulebook

MOST_CHANGES = 500
"""So many changes are laid over a game at the most, by all its variants."""
MOST_AMENDED = 40
"""So many times one guard, defined value or rule is amended at the most."""


def overlay(book: Rulebook, variants: Sequence[Variant], diagnostics: Diagnostics) -> Rulebook:
    """The rulebook with all variants laid over it."""
    if _are_too_many(variants, diagnostics):
        return book
    ordered = in_full(in_order(applying(variants), diagnostics), book, diagnostics)
    fits_together(book, ordered, diagnostics)
    clashes(ordered, diagnostics)
    if diagnostics.has_errors:
        return book
    laid = replace(
        book,
        files=(*book.files, *(each.file for each in ordered)),
        sections={name: dict(section) for name, section in book.sections.items()},
        variants=tuple(ordered),
        amendments=dict(book.amendments),
        before={id: list(added) for id, added in book.before.items()},
        after={id: list(added) for id, added in book.after.items()},
        instead={id: list(added) for id, added in book.instead.items()},
        added={id: list(guards) for id, guards in book.added.items()},
        removed=dict(book.removed),
        history={id: list(changes) for id, changes in book.history.items()},
        given=dict(book.given),
        accepts=set(book.accepts),
        pictures=_pictures(book, ordered, diagnostics),
    )
    for layer in LAYERS:
        for together in (False, True):
            for variant in ordered:
                if variant.layer == layer:
                    Laying(laid, diagnostics).variant(variant, together)
    _not_too_often(laid, diagnostics)
    schema.validate(_put_in(book, laid), laid.form.part, diagnostics, "variant")
    return laid


def _pictures(
    book: Rulebook, variants: Sequence[Variant], diagnostics: Diagnostics
) -> dict[str, SourceFile]:
    """The pictures of all of them: by one name there is only one."""
    found = dict(book.pictures)
    for variant in variants:
        for name, file in variant.pictures.items():
            if found.setdefault(name, file).text != file.text:
                diagnostics.error(
                    "duplicate-name",
                    f"there is another picture {name}: {found[name].name}",
                    variant.span,
                    hint="give the one of this variant a name of its own",
                )
    return found


def _are_too_many(variants: Sequence[Variant], diagnostics: Diagnostics) -> bool:
    changes = [change for variant in variants for change in variant.changes]
    if len(changes) > MOST_CHANGES:
        diagnostics.error(
            "too-large",
            f"there are {len(changes):,} changes; at most {MOST_CHANGES:,} are laid over a game",
            changes[MOST_CHANGES].span,
        )
    return len(changes) > MOST_CHANGES


def _not_too_often(laid: Rulebook, diagnostics: Diagnostics) -> None:
    """Each amendment goes around what was there before, so there cannot be any number of them."""
    places = {id: [each.span for each in changes] for id, changes in laid.amendments.items()}
    for id, others in laid.instead.items():
        places.setdefault(id, []).extend(other.when.span for other in others)
    for id, spans in places.items():
        if len(spans) > MOST_AMENDED:
            diagnostics.error(
                "too-deep",
                f"`{id}` is amended {len(spans)} times; at most {MOST_AMENDED} times are possible",
                spans[MOST_AMENDED],
                hint="say it in one change, with a defined value of its own",
            )


def _put_in(book: Rulebook, laid: Rulebook) -> Mapping:
    """What is no longer as the files of the game have it: it must have the form of a game, too."""
    sections = [
        (name, [each for each in section.values() if book.section(name).get(each.id) is not each])
        for name, section in laid.sections.items()
    ]
    changed: list[tuple[Scalar, Node]] = [
        (_key(name), Mapping(tuple((each.key, each.body) for each in entries), book.head.span))
        for name, entries in sections
        if entries
    ]
    for name in (WINS, PLAYERS):
        value = laid.head.get(name)
        if value is not None and value is not book.head.get(name):
            changed.append((_key(name), value))
    if laid.table is not None and laid.table is not book.table:
        changed.append((_key("table"), laid.table))
    return Mapping(tuple(changed), book.head.span)


def _key(name: str) -> Scalar:
    return Scalar(name, NOWHERE, NOWHERE)
