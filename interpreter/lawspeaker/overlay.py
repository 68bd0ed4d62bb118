"""Variants laid over a rulebook: after this there is one rulebook again.

Changes are applied layer by layer: editions, then modules, then house rules; a higher layer has
the last word. The order in which variants are named means nothing. Two variants of one layer that
touch the same clause clash, unless they say the same or one says that it comes `after` the other.

What a change puts in keeps its place in the variant's file, so that whatever is wrong with it is
shown there. Guards stand inside code and are changed by name (`amend: sending.reaches_land`): the
checker asks the rulebook for such changes when it comes to the guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lawspeaker.diagnostics import Diagnostics, Label, did_you_mean
from lawspeaker.document import Mapping, Node, Scalar
from lawspeaker.rulebook import SECTIONS, Entry, GuardChange, Rulebook
from lawspeaker.variant import ACTIONS, Change, Variant

CLAUSES = ("choices", "windows", "rules", "always")
_ABOUT = ("because", "kind", "accepts", "cites", "to", "before", "after", *ACTIONS)


def overlay(book: Rulebook, variants: Sequence[Variant], diagnostics: Diagnostics) -> Rulebook:
    """The rulebook with all variants laid over it."""
    ordered = _in_order(variants, diagnostics)
    _fits_together(book, ordered, diagnostics)
    _clashes(ordered, diagnostics)
    if diagnostics.has_errors:
        return book
    laid = replace(
        book,
        files=(*book.files, *(each.file for each in ordered)),
        sections={name: dict(section) for name, section in book.sections.items()},
        variants=tuple(ordered),
    )
    for variant in ordered:
        _Laying(laid, diagnostics).variant(variant)
    return laid


# ---------------------------------------------------------------- which, and in which order


def _in_order(variants: Iterable[Variant], diagnostics: Diagnostics) -> list[Variant]:
    """By layer, then after those they say they come after, then by name."""
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


def _fits_together(book: Rulebook, variants: list[Variant], diagnostics: Diagnostics) -> None:
    present = {each.name: each for each in variants}
    for each in variants:
        if each.of != book.name:
            of = each.root.get("of")
            diagnostics.error(
                "wrong-game",
                f"{each.name} is a variant of {each.of}, not of {book.name}",
                of.span if of is not None else each.span,
            )
        for need in each.needs:
            if need.value not in present:
                diagnostics.error(
                    "missing-variant",
                    f"{each.name} needs {need.value}",
                    need.span,
                    hint=f"play it with `+{need.value}`",
                )
        for rival in each.conflicts:
            if rival.value in present:
                diagnostics.error(
                    "variants-clash",
                    f"{each.name} cannot be played with {rival.value}",
                    rival.span,
                    Label(present[rival.value].span, "the other one"),
                )


def _clashes(variants: list[Variant], diagnostics: Diagnostics) -> None:
    """Two of one layer that touch one clause, and do not say the same."""
    touched: dict[tuple[str, str], Change] = {}
    for variant in variants:
        for change in variant.changes:
            if change.action == "cite":
                continue
            key = (variant.layer, change.target)
            other = touched.setdefault(key, change)
            if other.variant is variant or _same(other, change):
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


# ---------------------------------------------------------------- laying over


class _Laying:
    def __init__(self, book: Rulebook, diagnostics: Diagnostics) -> None:
        self.book = book
        self.diagnostics = diagnostics

    def variant(self, variant: Variant) -> None:
        self.head(variant)
        for change in variant.changes:
            action = {
                "set": self.set,
                "replace": self.replace,
                "amend": self.amend,
                "add": self.add,
                "remove": self.remove,
                "cite": self.cite,
            }[change.action]
            action(change)

    def head(self, variant: Variant) -> None:
        """A variant may bring sources of its own."""
        sources = variant.root.get("sources")
        if isinstance(sources, Mapping):
            head = self.book.head
            old = head.get("sources")
            entries = old.entries if isinstance(old, Mapping) else ()
            known = {key.value for key, _ in entries}
            new = tuple(pair for pair in sources.entries if pair[0].value not in known)
            self.book.head = put(head, ("sources",), Mapping((*entries, *new), sources.span))

    def note(self, id: str, change: Change) -> None:
        self.book.history.setdefault(id, []).append(change)
        accepted = change.get("accepts")
        if isinstance(accepted, Scalar):
            self.book.accepts.add((accepted.value, id))

    # ------------------------------------------------------------ finding the target

    def clause(self, id: str) -> tuple[str, Entry] | None:
        for section in CLAUSES:
            entry = self.book.sections.get(section, {}).get(id)
            if entry is not None:
                return section, entry
        return None

    def path(self, target: str) -> tuple[str, str, tuple[str, ...]] | None:
        """`pieces.card.kinds.spy.count`: section, entry, and the keys inside it."""
        section, _, rest = target.partition(".")
        entries = self.book.sections.get(section, {})
        words = rest.split(".")
        for length in range(len(words), 0, -1):
            id = ".".join(words[:length])
            if id in entries:
                return section, id, tuple(words[length:])
        return None

    def unknown(self, change: Change) -> None:
        ids = [id for section in CLAUSES for id in self.book.sections.get(section, {})]
        paths = [f"{section}.{id}" for section in SECTIONS for id in self.book.section(section)]
        self.diagnostics.error(
            "unknown-target",
            f"there is no `{change.target}` to {change.action}",
            change.span,
            hint=did_you_mean(change.target, [*ids, *paths]),
        )

    # ------------------------------------------------------------ the six actions

    def set(self, change: Change) -> None:
        value = change.get("to")
        if value is None:
            self.diagnostics.error("bad-change", "say to what: `to: …`", change.span)
            return
        choice = self.book.sections.get("choices", {}).get(change.target)
        if choice is not None:
            self.store("choices", self.with_cites(self.changed(choice, ("is",), value), change))
            self.note(change.target, change)
            return
        found = self.path(change.target)
        if found is None:
            self.unknown(change)
            return
        section, id, keys = found
        entry = self.book.sections[section][id]
        if isinstance(entry.body, Scalar) and not keys:
            self.store(section, replace(entry, body=value))
        elif inside(entry.body, keys) is None:
            self.unknown(change)
        else:
            self.store(section, self.changed(entry, keys, value))
        self.note(f"{section}.{id}", change)

    def replace(self, change: Change) -> None:
        found = self.clause(change.target)
        if found is None:
            self.unknown(change)
            return
        section, entry = found
        for key, value in change.node.entries:
            if key.value not in _ABOUT:
                entry = self.changed(entry, (key.value,), value, key)
        self.store(section, self.with_cites(entry, change))
        self.note(change.target, change)

    def amend(self, change: Change) -> None:
        id, _, guard = change.target.rpartition(".")
        found = self.clause(id)
        node = found[1].get("guards") if found is not None else None
        if found is None or not isinstance(node, Mapping) or node.get(guard) is None:
            if self.clause(change.target) is not None:
                self.diagnostics.error(
                    "bad-change",
                    f"`{change.target}` is a clause; a guard is amended",
                    change.span,
                    hint="`replace` a clause, or name one of its guards",
                )
            else:
                self.unknown(change)
            return
        modes = [each for each in ("where", "unless", "also") if change.get(each) is not None]
        if len(modes) != 1:
            self.diagnostics.error(
                "bad-change", "amend a guard with one of `where`, `unless`, `also`", change.span
            )
            return
        code = change.get(modes[0])
        earlier = self.book.amendments.get(change.target, ())
        new = GuardChange(modes[0], code if isinstance(code, Scalar) else None, change.span)
        self.book.amendments[change.target] = (*earlier, new)
        if change.get("says") is not None:
            entry = self.changed(found[1], ("guards", guard), _said(change))
            self.store(found[0], entry)
        self.note(change.target, change)

    def add(self, change: Change) -> None:
        entries = tuple(pair for pair in change.node.entries if pair[0].value not in _ABOUT)
        cites, value = change.get("cites"), change.get("to")
        section, _, rest = change.target.partition(".")
        if value is not None and section in SECTIONS:
            self.add_value(change, section, rest, value)
            return
        if self.clause(change.target) is not None:
            self.diagnostics.error(
                "duplicate-name", f"there is already a clause `{change.target}`", change.span
            )
            return
        keys = {key.value for key, _ in entries}
        kind = "choices" if "is" in keys else "always" if "holds" in keys else "rules"
        key = next(value for name, value in change.node.entries if name.value == "add")
        assert isinstance(key, Scalar)
        if cites is not None:
            name = change.node.key("cites")
            assert name is not None
            entries = (*entries, (name, cites))
        entry = Entry(change.target, key, Mapping(entries, change.node.span))
        self.insert(kind, entry)
        self.note(change.target, change)
        for when in ("before", "after"):
            target = change.get(when)
            if isinstance(target, Scalar):
                self.hang(change, when, target)

    def hang(self, change: Change, when: str, target: Scalar) -> None:
        """An added rule is done before or after another, whenever that one is done."""
        if target.value not in self.book.sections.get("rules", {}):
            self.diagnostics.error(
                "unknown-target",
                f"there is no rule `{target.value}`",
                target.span,
                hint=did_you_mean(target.value, self.book.section("rules")),
            )
            return
        around = self.book.before if when == "before" else self.book.after
        around.setdefault(target.value, []).append(change.target)

    def add_value(self, change: Change, section: str, rest: str, value: Node) -> None:
        """`add: pieces.card.kinds.spy`, or a whole entry `add: places.market`."""
        id, _, last = rest.rpartition(".")
        target = self.path(f"{section}.{id}") if id else None
        key = next(node for name, node in change.node.entries if name.value == "add")
        assert isinstance(key, Scalar)
        if target is not None and target[1] in self.book.sections[section]:
            _, entry_id, keys = target
            entry = self.book.sections[section][entry_id]
            if inside(entry.body, keys) is None or inside(entry.body, (*keys, last)) is not None:
                self.unknown(change)
                return
            name = Scalar(last, key.span, key.content)
            self.store(section, self.changed(entry, (*keys, last), value, name))
            self.note(f"{section}.{entry_id}", change)
            return
        if rest in self.book.section(section):
            self.diagnostics.error(
                "duplicate-name", f"there is already `{change.target}`", change.span
            )
            return
        name = Scalar(rest, key.span, key.content)
        self.insert(section, Entry(rest, name, value))
        self.note(change.target, change)

    def remove(self, change: Change) -> None:
        found = self.clause(change.target)
        if found is not None:
            section, entry = found
            del self.book.sections[section][change.target]
            self.book.removed[change.target] = change.span
            self.note(change.target, change)
            del entry
            return
        id, _, guard = change.target.rpartition(".")
        owner = self.clause(id)
        node = owner[1].get("guards") if owner is not None else None
        if owner is not None and isinstance(node, Mapping) and node.get(guard) is not None:
            earlier = self.book.amendments.get(change.target, ())
            new = GuardChange("remove", None, change.span)
            self.book.amendments[change.target] = (*earlier, new)
            self.note(change.target, change)
            return
        path = self.path(change.target)
        if path is None:
            self.unknown(change)
            return
        section, entry_id, keys = path
        if not keys:
            del self.book.sections[section][entry_id]
        elif inside(self.book.sections[section][entry_id].body, keys) is None:
            self.unknown(change)
            return
        else:
            entry = self.book.sections[section][entry_id]
            self.store(section, replace(entry, body=without(entry.body, keys)))
        self.note(f"{section}.{entry_id}", change)

    def cite(self, change: Change) -> None:
        found = self.clause(change.target)
        if found is None:
            self.unknown(change)
            return
        section, entry = found
        self.store(section, self.with_cites(entry, change))
        self.note(change.target, change)

    # ------------------------------------------------------------ storing

    def store(self, section: str, entry: Entry) -> None:
        self.book.sections[section][entry.id] = entry

    def insert(self, section: str, entry: Entry) -> None:
        self.book.sections.setdefault(section, {})[entry.id] = entry

    def changed(
        self, entry: Entry, keys: tuple[str, ...], value: Node, key: Scalar | None = None
    ) -> Entry:
        body = entry.body if isinstance(entry.body, Mapping) else Mapping((), entry.body.span)
        return replace(entry, body=put(body, keys, value, key))

    def with_cites(self, entry: Entry, change: Change) -> Entry:
        """The citations of the change beside those that are there already."""
        new = change.get("cites")
        if not isinstance(new, Mapping):
            return entry
        old = entry.get("cites")
        entries = list(old.entries) if isinstance(old, Mapping) else []
        own = {key.value for key, _ in new.entries}
        kept = [pair for pair in entries if pair[0].value not in own]
        return self.changed(entry, ("cites",), Mapping((*kept, *new.entries), new.span))


def _said(change: Change) -> Node:
    """The sentence of an amended guard, in the shape it has under `guards:`."""
    keys = ("says", "cites")
    entries = tuple(pair for pair in change.node.entries if pair[0].value in keys)
    return Mapping(entries, change.node.span)


# ---------------------------------------------------------------- trees


def inside(node: Node, keys: tuple[str, ...]) -> Node | None:
    """What stands at the end of a path of keys."""
    for key in keys:
        found = node.get(key) if isinstance(node, Mapping) else None
        if found is None:
            return None
        node = found
    return node


def put(node: Mapping, keys: tuple[str, ...], value: Node, key: Scalar | None = None) -> Mapping:
    """The mapping with a value at the end of a path; the rest stays as it is."""
    first, *rest = keys
    old = node.get(first)
    if rest:
        inner = old if isinstance(old, Mapping) else Mapping((), value.span)
        value = put(inner, tuple(rest), value, key)
        key = None
    if old is None:
        name = key or Scalar(first, value.span, value.span)
        return Mapping((*node.entries, (name, value)), node.span)
    entries = tuple((each, value if each.value == first else held) for each, held in node.entries)
    return Mapping(entries, node.span)


def without(node: Node, keys: tuple[str, ...]) -> Node:
    """The node with what stands at the end of a path taken out."""
    if not isinstance(node, Mapping):
        return node
    first, *rest = keys
    entries = tuple(
        (key, without(value, tuple(rest)) if rest and key.value == first else value)
        for key, value in node.entries
        if rest or key.value != first
    )
    return Mapping(entries, node.span)
