"""Decides which variants apply to a game, in which order, and whether they are compatible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.meaning.variant import Change, Variant, plain_name
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import Rulebook

_OPEN = ("unless", "also", "plus", "or", "and")


def applying(variants: Iterable[Variant]) -> list[Variant]:
    """The variants without the changes whose `with` names a variant that is absent."""
    variants = list(variants)
    names = {each.name for each in variants}
    return [
        replace(
            each, changes=tuple(one for one in each.changes if names.issuperset(one.together_with))
        )
        for each in variants
    ]


def in_order(variants: Iterable[Variant], diagnostics: Diagnostics) -> list[Variant]:
    """Sorts by layer, then by the declared `after`, then by name."""
    waiting = sorted(variants, key=lambda each: each.rank)
    names = {each.name for each in waiting}
    ordered: list[Variant] = []
    while waiting:
        done = {each.name for each in ordered}
        for each in waiting:
            if all(name.value in done or name.value not in names for name in each.after):
                break
        else:
            each = waiting[0]
            diagnostics.error(
                "variants-clash",
                f"{each.name} comes after others that come after it",
                each.span,
            )
        waiting.remove(each)
        ordered.append(each)
    return sorted(ordered, key=lambda each: each.rank[0])


def fits_together(book: Rulebook, variants: list[Variant], diagnostics: Diagnostics) -> None:
    """Reports missing variants, and variants that conflict."""
    present = {each.name: each for each in variants}
    for each in variants:
        twin = present[each.name]
        if twin is not each:
            diagnostics.error(
                "variants-clash",
                f"two variants are called {each.name}",
                each.span,
                Label(twin.span, "the other one"),
                hint="say another name after `variant:` in one of them",
            )
        if each.of != book.name:
            of = each.root.get("of")
            diagnostics.error(
                "wrong-game",
                f"{each.name} is a variant of {each.of}, not of {book.name}",
                of.span if of is not None else each.span,
            )
        for need in (*each.needs, *each.includes):
            if plain_name(need.value) not in present:
                diagnostics.error(
                    "missing-variant",
                    f"{each.name} needs {need.value}",
                    need.span,
                    hint=f"play it with `+{need.value}`",
                )
        for rival in each.conflicts:
            other = present.get(rival.value)
            if other is None or (other.rank < each.rank and each.name in _named(other.conflicts)):
                continue  # absent, or it reports the conflict itself
            by = [
                f"{one.name} includes {name}" for one in variants for name in _named(one.includes)
            ]
            about = [text for text in by if text.endswith((f" {each.name}", f" {other.name}"))]
            diagnostics.error(
                "variants-clash",
                f"{each.name} cannot be played with {other.name}",
                rival.span,
                Label(other.span, "the other one"),
                hint=", and ".join(about) or "leave one of them out",
            )


def _named(names: Iterable[Scalar]) -> list[str]:
    return [plain_name(each.value) for each in names]


def clashes(variants: list[Variant], diagnostics: Diagnostics) -> None:
    """Reports two variants of one layer that change one clause in different ways."""
    touched: dict[tuple[str, str], Change] = {}
    for variant in variants:
        for change in variant.changes:
            if change.action == "cite":
                continue
            key = (variant.layer, change.target)
            other = touched.setdefault(key, change)
            if _same(other, change):
                continue
            if other.variant.name == variant.name:
                if _twice(other, change):
                    diagnostics.error(
                        "bad-change",
                        f"`{change.target}` is set a second time",
                        change.span,
                        Label(other.span, "set here first"),
                        hint="leave one of them out",
                    )
                continue
            if _both_open(other, change):
                continue
            if _rivals(other.variant, variant) or _speaks_of(other, change):
                continue
            if any(name.value == other.variant.name for name in variant.after):
                touched[key] = change
                continue
            diagnostics.error(
                "variants-clash",
                f"{other.variant.name} and {variant.name} both change `{change.target}`",
                change.span,
                Label(other.span, f"changed by {other.variant.name}"),
                hint=f"leave one out, or say `after: [{other.variant.name}]` in {variant.name}",
            )


def _same(one: Change, two: Change) -> bool:
    words = ("because", "cites", "kind")
    left = [(key.value, value) for key, value in one.node.entries if key.value not in words]
    right = [(key.value, value) for key, value in two.node.entries if key.value not in words]
    return sorted(left, key=lambda each: each[0]) == sorted(right, key=lambda each: each[0])


def _twice(one: Change, two: Change) -> bool:
    """Whether one file sets one target twice, unconditionally."""
    both = one.action == two.action == "set" and one.span.file == two.span.file
    return both and not (one.together_with or two.together_with)


def _speaks_of(one: Change, two: Change) -> bool:
    """Whether one change requires the variant of the other, and so is applied after it."""
    return one.variant.name in two.together_with or two.variant.name in one.together_with


def _rivals(one: Variant, two: Variant) -> bool:
    """Whether they declare each other incompatible, which is reported elsewhere."""
    return two.name in _named(one.conflicts) or one.name in _named(two.conflicts)


def _both_open(one: Change, two: Change) -> bool:
    """Whether two amendments commute: they only extend a guard or a value."""
    if one.action != "amend" or two.action != "amend":
        return False
    return all(any(each.get(mode) is not None for mode in _OPEN) for each in (one, two))
