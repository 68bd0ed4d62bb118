"""Applies the changes of one variant to a rulebook, one by one."""

from __future__ import annotations

from dataclasses import replace

from lawspeaker.base.counts import counts_in
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.meaning.overlay.citations import (
    also_cited,
    amended,
    as_guard,
    cited,
    joined,
    otherwise,
    uncited,
)
from lawspeaker.meaning.overlay.layout_patches import Arranging, speaks_of_table
from lawspeaker.meaning.overlay.trees import inside, with_value, without
from lawspeaker.meaning.series import spelled_out
from lawspeaker.meaning.variant import EDITION, Change, Variant
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    entries_of,
    scalar_at,
    scalars_of,
)
from lawspeaker.text.rulebook import (
    PLAYERS,
    SECTIONS,
    WINS,
    AddedGuard,
    Entry,
    GuardChange,
    Instead,
    Rulebook,
)
from lawspeaker.text.translation.places import ACTIONS

CLAUSES = ("choices", "windows", "rules", "always")
CITED = (*CLAUSES, "pieces")
_ABOUT = (
    *("because", "kind", "accepts", "cites", "to", "with", "before", "after", "instead of"),
    *ACTIONS,
)
_IN_HEAD = {WINS: ("who wins", "fewest points"), PLAYERS: ("how many can play", "2 or 4")}
GUARD_MODES = ("where", "unless", "also")
VALUE_MODES = ("plus", "or", "and")


class Laying:
    """Applies changes to a rulebook, which is modified in place."""

    def __init__(self, book: Rulebook, diagnostics: Diagnostics) -> None:
        self.book = book
        self.diagnostics = diagnostics

    def variant(self, variant: Variant, together: bool) -> None:
        """Applies the unconditional changes; with `together`, those that have a `with`."""
        if not together:
            self.head(variant)
        for change in variant.changes:
            if bool(change.together_with) != together:
                continue
            if speaks_of_table(change):
                if Arranging(self.book, self.diagnostics).apply(change):
                    self.note(change.target, change)
                continue
            if change.target in (WINS, PLAYERS):
                self.head_value(change)
                continue
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
        """Adds the sources that a variant declares."""
        sources = variant.root.get("sources")
        if isinstance(sources, Mapping):
            head = self.book.head
            entries = entries_of(head.get("sources"))
            known = {key.value for key, _ in entries}
            new = tuple(pair for pair in sources.entries if pair[0].value not in known)
            self.book.head = with_value(head, ("sources",), Mapping((*entries, *new), sources.span))
            for name, body in new:
                original = child(body, "reprint of")
                if isinstance(original, Scalar):
                    self.reprint(name, original, known)

    def reprint(self, name: Scalar, original: Scalar, known: set[str]) -> None:
        """Copies every citation of the original to the reprint."""
        if original.value not in known:
            self.diagnostics.error(
                "unknown-source",
                f"no source `{original.value}` is declared",
                original.span,
                hint=did_you_mean(original.value, known),
            )
        for section in CITED:
            for entry in list(self.book.section(section).values()):
                self.store(section, replace(entry, body=also_cited(entry.body, name, original)))

    def note(self, id: str, change: Change) -> None:
        self.book.history.setdefault(id, []).append(change)
        accepted = change.get("accepts")
        if isinstance(accepted, Scalar):
            self.book.accepts.add((accepted.value, id))

    def head_value(self, change: Change) -> None:
        """Sets who wins or the number of players; a game must have both."""
        value, target = change.get("to"), change.target
        if change.action != "set" or value is None:
            what, example = _IN_HEAD[target]
            self.diagnostics.error(
                "bad-change",
                f"{what} can only be set to something else",
                change.span,
                hint=f"write `set: {target}`, and below it `to: {example}`",
            )
            return
        if target == PLAYERS:
            value = self.seated(value)
        self.book.head = with_value(self.book.head, (target,), value)
        self.note(target, change)

    def seated(self, value: Node) -> Node:
        """A bare number of players keeps the names and the sides of the seats."""
        old = self.book.head.get(PLAYERS)
        if not isinstance(value, Scalar) or not isinstance(old, Mapping):
            return value
        entries: list[tuple[Scalar, Node]] = []
        for key, node in old.entries:
            if key.value == "called" and isinstance(node, Sequence):
                most = max(counts_in(value.value, len(node.items)), default=len(node.items))
                entries.append((key, replace(node, items=node.items[:most])))
            elif key.value == "sides":
                entries.append((key, node))
        number = scalar_at("number", value)
        return Mapping(((number, value), *entries), value.span)

    # ------------------------------------------------------------ finding the target

    def clause(self, id: str) -> tuple[str, Entry] | None:
        for section in CLAUSES:
            entry = self.book.sections.get(section, {}).get(id)
            if entry is not None:
                return section, entry
        return None

    def path(self, target: str) -> tuple[str, str, tuple[str, ...]] | None:
        """Resolves `pieces.card.kinds.spy.count` to section, entry and the keys inside it."""
        section, _, rest = target.partition(".")
        entries = self.book.sections.get(section, {})
        words = rest.split(".")
        for length in range(len(words), 0, -1):
            id = ".".join(words[:length])
            if id in entries:
                return section, id, tuple(words[length:])
        return None

    def unknown(self, change: Change) -> None:
        ids = [id for section in CLAUSES for id in self.book.section(section)]
        for id, entry in self.book.section("rules").items():
            guards = entry.get("guards")
            if isinstance(guards, Mapping):
                ids += [f"{id}.{guard.value}" for guard, _ in guards.entries]
        paths = [f"{section}.{id}" for section in SECTIONS for id in self.book.section(section)]
        self.diagnostics.error(
            "unknown-target",
            f"there is no `{change.target}` to {change.action}",
            change.span,
            hint=self.other_way(change, ids)
            or did_you_mean(change.target, [*ids, *paths, *_IN_HEAD]),
        )

    def other_way(self, change: Change, ids: list[str]) -> str | None:
        """A hint for a target that exists, but not for this kind of change."""
        if change.target in self.book.section("rules"):
            return "it is a clause: `replace` it, or `amend` one of its guards"
        found = self.path(change.target)
        if found is not None and found[2]:
            section, id, (*around, last) = found
            there = inside(self.book.sections[section][id].body, tuple(around))
            if isinstance(there, Scalar):
                return (
                    f"`{change.target.removesuffix(f'.{last}')}` is one value: set the whole of it"
                )
            if isinstance(there, Mapping) and there.get(last) is None and change.action == "set":
                keys = [key.value for key, _ in there.entries]
                return did_you_mean(last, keys) or "it is left out there: `add` it"
        if change.target not in ids:
            return None
        return "it is a guard: `amend` it with `unless:` or `also:`, or `remove` it"

    # ------------------------------------------------------------ the six actions

    def set(self, change: Change) -> None:
        value = change.get("to")
        if value is None:
            self.diagnostics.error("bad-change", "say to what: `to: …`", change.span)
            return
        choice = self.book.sections.get("choices", {}).get(change.target)
        if choice is not None:
            self.book.given.setdefault(choice.id, choice.get("is") or value)
            if choice.get("is") != value:
                choice = self.otherwise(choice, change)
            self.store("choices", self.with_cites(self.changed(choice, ("is",), value), change))
            self.note(change.target, change)
            return
        found = self.path(change.target)
        if found is None:
            self.unknown(change)
            return
        section, id, keys = found
        entry = self.book.sections[section][id]
        if not keys:
            self.store(section, replace(entry, body=value))
        elif inside(entry.body, keys) is None and not self.is_in_series(section, id, keys):
            self.unknown(change)
        else:
            self.store(section, self.changed(entry, keys, value))
        self.note(f"{section}.{id}", change)

    def is_in_series(self, section: str, id: str, keys: tuple[str, ...]) -> bool:
        """Whether a path leads into a kind of a series. Setting it creates an explicit entry, which
        inherits all else from its series."""
        if section != "pieces" or keys[0] != "kinds" or len(keys) < 2:
            return False
        spelled = spelled_out(self.book, Diagnostics()).section("pieces")[id].body
        return inside(spelled, keys) is not None or (
            keys[2:] == ("count",) and inside(spelled, keys[:2]) is not None
        )

    def replace(self, change: Change) -> None:
        found = self.clause(change.target)
        if found is None:
            self.unknown(change)
            return
        section, entry = found
        if change.get("rule") is not None or change.get("as") is not None:
            entry = self.otherwise(entry, change)
        for key, value in change.node.entries:
            if key.value not in _ABOUT:
                entry = self.changed(entry, (key.value,), value, key)
        self.store(section, self.with_cites(entry, change))
        self.note(change.target, change)

    def amend(self, change: Change) -> None:
        whole = self.book.section("rules").get(change.target)
        if whole is not None and whole.get("define") is not None:
            self.amend_value(change, whole)
            return
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
        modes = [each for each in GUARD_MODES if change.get(each) is not None]
        if len(modes) != 1:
            self.diagnostics.error(
                "bad-change", "amend a guard with one of `where`, `unless`, `also`", change.span
            )
            return
        code = change.get(modes[0])
        earlier = self.book.amendments.get(change.target, ())
        new = GuardChange(modes[0], code if isinstance(code, Scalar) else None, change.span)
        self.book.amendments[change.target] = (*earlier, new)
        old = node.get(guard)
        assert old is not None
        said = amended(old, found[1].get("cites"), change)
        self.store(found[0], self.changed(found[1], ("guards", guard), said))
        self.note(change.target, change)

    def amend_value(self, change: Change, entry: Entry) -> None:
        """Amends a defined value: `plus` a number or a set, `or` or `and` a condition."""
        modes = [each for each in VALUE_MODES if change.get(each) is not None]
        if len(modes) != 1:
            self.diagnostics.error(
                "bad-change", "amend a value with one of `plus`, `or`, `and`", change.span
            )
            return
        code = change.get(modes[0])
        new = GuardChange(modes[0], code if isinstance(code, Scalar) else None, change.span)
        earlier = self.book.amendments.get(change.target, ())
        self.book.amendments[change.target] = (*earlier, new)
        cites = change.get("cites")
        if isinstance(cites, Mapping):
            entry = self.changed(entry, ("cites",), joined(entry.get("cites"), cites))
        self.store("rules", entry)
        self.note(change.target, change)

    def add_guard(self, change: Change, entry: Entry, name: str, code: Scalar) -> None:
        """`add: placing.not_alone` with `where` and `says`: adds a guard to a question."""
        to, says = change.get("to"), change.get("says")
        guards = entry.get("guards")
        if isinstance(guards, Mapping) and guards.get(name) is not None:
            self.diagnostics.error(
                "duplicate-name", f"there is already a guard `{change.target}`", change.span
            )
            return
        if says is None:
            self.diagnostics.error(
                "missing-sentence",
                f"the guard `{name}` has no sentence",
                change.span,
                hint='add `says:`, which answers "why not?"',
            )
            return
        target = change.node.get("add")
        assert isinstance(target, Scalar)
        key = Scalar(name, target.span, target.content)
        kept = ("title", "says", "cites")
        said = Mapping(
            tuple(pair for pair in change.node.entries if pair[0].value in kept), change.node.span
        )
        if change.variant.layer != EDITION and said.get("cites") is None:
            said = uncited(said)
        self.store("rules", self.changed(entry, ("guards", name), said, key))
        names = tuple(each.value for each in scalars_of(to))
        self.book.added.setdefault(entry.id, []).append(AddedGuard(key, code, names))
        self.note(change.target, change)

    def add(self, change: Change) -> None:
        id, _, guard = change.target.rpartition(".")
        owner, condition = self.book.section("rules").get(id), change.get("where")
        if owner is not None and isinstance(condition, Scalar):
            self.add_guard(change, owner, guard, condition)
            return
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
        around = change.get("instead of")
        if around is not None:
            entries = tuple(pair for pair in entries if pair[0].value != "when")
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
        for when in ("before", "after", "instead of"):
            target = change.get(when)
            if isinstance(target, Scalar):
                self.hang(change, when, target)

    def hang(self, change: Change, when: str, target: Scalar) -> None:
        """Registers an added rule to be done before, after or instead of another."""
        if target.value not in self.book.sections.get("rules", {}):
            self.diagnostics.error(
                "unknown-target",
                f"there is no rule `{target.value}`",
                target.span,
                hint=did_you_mean(target.value, self.book.section("rules")),
            )
            return
        if when == "instead of":
            condition = change.get("when")
            if not isinstance(condition, Scalar):
                self.diagnostics.error(
                    "bad-change",
                    f"it is not said when `{change.target}` is done instead",
                    target.span,
                    hint="add `when:` and a condition about what the rule is given",
                )
                return
            self.book.instead.setdefault(target.value, []).append(Instead(change.target, condition))
            return
        around = self.book.before if when == "before" else self.book.after
        around.setdefault(target.value, []).append(change.target)

    def add_value(self, change: Change, section: str, rest: str, value: Node) -> None:
        """`add: pieces.card.kinds.spy`, or a whole entry `add: places.market`."""
        id, _, last = rest.rpartition(".")
        # Ids of names contain dots; a mapping by language is one whole entry.
        whole = section == "names" and isinstance(value, Mapping)
        target = self.path(f"{section}.{id}") if id and not whole else None
        key = next(node for name, node in change.node.entries if name.value == "add")
        assert isinstance(key, Scalar)
        if target is not None and target[1] in self.book.sections[section]:
            _, entry_id, keys = target
            entry = self.book.sections[section][entry_id]
            around = inside(entry.body, keys)
            outer = inside(entry.body, keys[:-1])
            missing = around is None and isinstance(outer, Mapping)  # created with its first entry
            if not missing and (not isinstance(around, Mapping) or around.get(last) is not None):
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
            del self.book.sections[found[0]][change.target]
            self.book.removed[change.target] = change.span
            self.forget(change.target)
            self.note(change.target, change)
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

    def forget(self, id: str) -> None:
        """Removes all that variants attached to a removed clause: hooks and guards."""
        book = self.book
        for added in (*book.before.values(), *book.after.values()):
            if id in added:
                added.remove(id)
        for others in book.instead.values():
            others[:] = [each for each in others if each.id != id]
        book.added.pop(id, None)
        guards = self.book.section("rules").keys()
        for changed in list(book.amendments):
            if changed == id or (changed.startswith(f"{id}.") and changed not in guards):
                del book.amendments[changed]

    def cite(self, change: Change) -> None:
        """Adds a citation to a clause, a guard or a piece that another book states as well."""
        new = change.get("cites")
        found = self.clause(change.target)
        path = self.path(change.target)
        id, _, guard = change.target.rpartition(".")
        owner = self.clause(id)
        guards = owner[1].get("guards") if owner is not None else None
        if not isinstance(new, Mapping):
            self.diagnostics.error("bad-change", "say where it stands: `cites: …`", change.span)
        elif found is not None:
            self.store(found[0], self.with_cites(found[1], change))
            self.note(change.target, change)
        elif owner is not None and isinstance(guards, Mapping) and guards.get(guard) is not None:
            old = guards.get(guard)
            assert old is not None
            said = as_guard(old)
            body = with_value(said, ("cites",), cited(said.get("cites"), new))
            self.store(owner[0], self.changed(owner[1], ("guards", guard), body))
            self.note(change.target, change)
        elif path is not None and path[0] in CITED and not path[2]:
            entry = self.book.sections[path[0]][path[1]]
            self.store(path[0], self.with_cites(entry, change))
            self.note(change.target, change)
        else:
            self.unknown(change)

    # ------------------------------------------------------------ storing

    def store(self, section: str, entry: Entry) -> None:
        self.book.sections[section][entry.id] = entry

    def insert(self, section: str, entry: Entry) -> None:
        self.book.sections.setdefault(section, {})[entry.id] = entry

    def changed(
        self, entry: Entry, keys: tuple[str, ...], value: Node, key: Scalar | None = None
    ) -> Entry:
        body = entry.body if isinstance(entry.body, Mapping) else Mapping((), entry.body.span)
        return replace(entry, body=with_value(body, keys, value, key))

    def with_cites(self, entry: Entry, change: Change) -> Entry:
        """The entry with the citations of the change merged in."""
        new = change.get("cites")
        if not isinstance(new, Mapping):
            return entry
        return self.changed(entry, ("cites",), cited(entry.get("cites"), new))

    def otherwise(self, entry: Entry, change: Change) -> Entry:
        """Marks the citations of a changed rule as `says_otherwise`, unless the change cites the
        book. A reprint follows the book that it reprints."""
        cites, new = entry.get("cites"), change.get("cites")
        if not isinstance(cites, Mapping):
            return entry
        own = {key.value for key, _ in entries_of(new)}
        changed = tuple(
            (source, said if self.original(source.value) in own else otherwise(said))
            for source, said in cites.entries
        )
        return self.changed(entry, ("cites",), Mapping(changed, cites.span))

    def original(self, source: str) -> str:
        """The source that this one is a reprint of, or the source itself."""
        found = inside(self.book.head, ("sources", source, "reprint of"))
        return found.value if isinstance(found, Scalar) else source
