"""Applies variants to a rulebook: afterwards there is a single rulebook again.

Changes are applied layer by layer: editions, modules, house rules; a higher layer overrides lower
ones. The order in which variants are named is irrelevant. Two variants of one layer that change the
same clause conflict, unless their changes are equal or one declares itself `after` the other.

Nodes from a variant keep their spans in its file, so that diagnostics point there. Guards are
inside code and are changed by name (`amend: moving.not_blocked`): the checker looks such amendments
up when it checks the guard. Some changes commute, so several variants may make them to one target:
exceptions and further conditions of a guard, additions to a defined value, rules done before, after
or instead of another, alternatives that join a question. A change with `with: [other]` applies only
if the other variant is present, and after the other's own changes, so it may refer to them.

Citations are updated to stay true. A variant that cites a book replaces the citations from that
book, unless it amends the rule: then both remain. Where a variant sets another value or rule, books
that it does not cite now differ (`says_otherwise`), or are `silent` where they were our ruling. A
source declared as a reprint of another is cited wherever that one is.

Nodes from variants are validated against the schema of game files.
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
"""The maximal number of changes that all variants together may make."""
MOST_AMENDED = 40
"""The maximal number of amendments to one guard, defined value or rule."""


def overlay(book: Rulebook, variants: Sequence[Variant], diagnostics: Diagnostics) -> Rulebook:
    """The rulebook with all variants applied."""
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
    """The pictures of the game and its variants; reports different pictures of one name."""
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
    """Bounds the amendments per clause: each one wraps the expression in another level."""
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
    """All changed entries as one mapping, to be validated against the game schema."""
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
