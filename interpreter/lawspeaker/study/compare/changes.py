"""Computes the changes that turn one ruleset into another, as data of a variant file.

Rules are changed clause by clause. A guard that differs only in its condition is amended; if
guards are added or removed, the code of the rule is replaced while unaffected guards are kept. A
clause that cannot be converted (a rule that becomes a value, or is inserted elsewhere) is removed
and added again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from lawspeaker.study.compare.clause_trees import CodeTree, WrittenGuard, amended, written_guards
from lawspeaker.study.compare.kinds import HOW_MANY, SAID
from lawspeaker.study.compare.plain_data import cites_of, data_of, without_cites
from lawspeaker.study.compare.points import (
    CLAUSE_SORTS,
    CLAUSES,
    Point,
    Points,
    added_guards,
    hung,
    value_changes,
)
from lawspeaker.study.compare.rows import Row
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.table_parts import TABLE, neighbour, table_parts
from lawspeaker.text.document import Mapping, Node, Scalar, child, entries_of, text_of
from lawspeaker.text.rulebook import MOST_ENTRIES, PLAYERS, SECTIONS, Entry, Rulebook

Data = dict[str, Any]
_REPLACED = (
    *(
        "title",
        "says",
        "asks",
        "guards",
        "given",
        "rule",
        "define",
        "as",
        "plays",
        "shows",
        "when",
        "where",
        "is",
    ),
    *("one of", "beyond", "holds", "assumed", "joins", "interrupts", "offers", "exempt from"),
)
"""Keys that a `replace` of a clause can set; others are set by path."""


class Changes:
    """Changes that turn one ruleset into another, for all or chosen rows."""

    def __init__(
        self,
        one: Ruleset,
        other: Ruleset,
        rows: Iterable[Row],
        column: int,
        chosen: Collection[str] | None,
        cited: bool,
    ) -> None:
        self.one, self.other, self.other_telling = one.book, other.book, other
        self.column = column
        self.whole = chosen is None
        self.cited = cited
        self.rows = {row.id: row for row in rows}
        self.chosen = [
            id
            for id, row in self.rows.items()
            if (chosen is None and self.differs(row)) or (chosen is not None and id in chosen)
        ]
        self.accepts = dict.fromkeys(sorted(self.other.accepts))

    def differs(self, row: Row) -> bool:
        """Whether anything about a row differs, including citations."""
        if row.id == HOW_MANY:
            return bool(row.cells[self.column].kind)
        here, there = row.cells[0].point, row.cells[self.column].point
        if here is None or there is None:
            return here is not there
        return bool(row.cells[self.column].kind) or here.cites != there.cites

    def changes(self) -> list[Data]:
        """All changes; additions are in the other ruleset's order, which determines the order of
        options.
        """
        return sorted(self.unordered(), key=self.rank)

    def rank(self, change: Data) -> tuple[int, int]:
        """Sort key: removals, then whole additions, then all else."""
        if "remove" in change:
            return 0, 0
        added = change.get("add", "")
        for number, section in enumerate(SECTIONS):
            ids = list(self.other.section(section))
            path = added.removeprefix(f"{section}.")
            if path in ids and (path != added or section in CLAUSES):
                return 1, number * MOST_ENTRIES + ids.index(path)
        return 2, 0

    def unordered(self) -> Iterator[Data]:
        done: set[str] = set()
        for id in self.chosen:
            row = self.rows[id]
            if id == HOW_MANY:
                players = self.other.head.get(PLAYERS)
                assert players is not None
                yield {"set": PLAYERS, "to": data_of(players)}
            elif row.sort in CLAUSE_SORTS:
                clause = id.rpartition(".")[0] if row.sort == "guard" else id
                if clause not in done:
                    done.add(clause)
                    yield from self.clause(clause)
            else:
                yield from self.declared(row)
        if self.whole:
            yield from self.words_besides()

    def words_besides(self) -> Iterator[Data]:
        """Citations and kinds for wording that differs beside a difference in play."""
        for id in self.chosen:
            cell = self.rows[id].cells[self.column]
            kind = _said_kind(cell.point)
            if cell.point is None or cell.point.sort not in CLAUSE_SORTS:
                continue
            if cell.plays_otherwise and kind is not None:
                yield {"cite": id, **_words(cell.point, kind), "cites": cites_of(cell.point.cites)}
        points = Points(self.other_telling)
        for entry in self.other.section("pieces").values():
            id = f"pieces.{entry.id}"
            inside = [each for each in self.chosen if each.startswith(f"{id}.")]
            if inside and entry.id in self.one.section("pieces"):
                point = points.declared("pieces", entry, (), entry.body)
                yield {"cite": id, **_words(point), "cites": cites_of(point.cites)}

    # ------------------------------------------------------------ clauses

    def clause(self, id: str) -> Iterator[Data]:
        here, there = _find(self.one, id), _find(self.other, id)
        if there is None:
            yield {"remove": id, **self.about(id)}
            return
        section, entry = there
        old = None if here is None else here[1]
        if here is not None and self.made_anew(here, there):
            yield {"remove": id}
            old = None
        if old is None:
            yield self.added(id, section, entry)
        else:
            yield from self.replaced(id, section, old, entry)
        yield from self.amended(id, old, entry)
        yield from self.guards(id, old, entry)

    def made_anew(self, here: tuple[str, Entry], there: tuple[str, Entry]) -> bool:
        """Whether a clause must be removed and added instead of replaced."""
        (section, old), (other, new) = here, there
        if section != other or hung(self.one, old.id) != hung(self.other, new.id):
            return True
        if any((old.get(key) is None) != (new.get(key) is None) for key in ("define", "joins")):
            return True
        before, after = value_changes(self.one, old), value_changes(self.other, new)
        return old.id in self.chosen and before != after[: len(before)]

    def added(self, id: str, section: str, entry: Entry) -> Data:
        about = self.about(id)
        body = entries_of(entry.body)
        keys = {key.value: self.data(value) for key, value in body if key.value != "cites"}
        if section == "windows":
            cites = {"cites": about.pop("cites")} if "cites" in about else {}
            return {"add": f"windows.{id}", "to": {**keys, **cites}, **about}
        guards = keys.get("guards", {})
        for each in added_guards(self.other, entry):
            guards.pop(each.name, None)
        if not guards:
            keys.pop("guards", None)
        around = hung(self.other, id)
        told = {key: one.text if isinstance(one, CodeTree) else one for key, one in around.items()}
        return {"add": id, **about, **keys, **told}

    def amended(self, id: str, here: Entry | None, there: Entry) -> Iterator[Data]:
        """Amendments by variants of a defined value."""
        if id not in self.chosen:
            return
        known = 0 if here is None else len(value_changes(self.one, here))
        for mode, code in value_changes(self.other, there)[known:]:
            yield {"amend": id, mode: code.text, **self.about(id)}

    def replaced(self, id: str, section: str, here: Entry, there: Entry) -> Iterator[Data]:
        old = _keys(here)
        new = _keys(there)
        code = any(self.needs_code(id, here, there, guard) for guard in self.chosen)
        wanted = new if id in self.chosen else {}
        if code:
            keys = ("rule", "offers", "guards")
            wanted = {**wanted, **{key: new[key] for key in keys if key in new}}
        changed = {key: self.data(value) for key, value in wanted.items() if old.get(key) != value}
        gone = [key for key in old if key not in new] if id in self.chosen else []
        about = self.about(id) if id in self.chosen else {}
        if section == "choices" and set(changed) == {"is"} and not gone:
            yield {"set": id, "to": changed["is"], **about}
            return
        if "guards" in changed:
            changed["guards"] = self.sentences(here, there, changed["guards"])
        unsaid = [key for key in changed if section == "windows" or key not in _REPLACED]
        for key in unsaid:
            action = "set" if key in old else "add"
            yield {action: f"{section}.{id}.{key}", "to": changed.pop(key)}
        for key in gone:
            yield {"remove": f"{section}.{id}.{key}"}
        if changed:
            yield {"replace": id, **about, **changed}
        elif about:
            yield {"cite": id, **about}

    def sentences(self, here: Entry, there: Entry, guards: Data) -> Data:
        """Sentences of guards; those of guards that variants added are kept."""
        old = here.get("guards")
        own = self.data(old) if isinstance(old, Mapping) else {}
        added = {each.name for each in added_guards(self.other, there)}
        kept = {each.name for each in added_guards(self.one, here)}
        found = {name: said for name, said in guards.items() if name not in added - kept}
        return {**{name: own[name] for name in own if name in kept}, **found}

    def data(self, node: Node) -> Any:
        return data_of(node) if self.cited else without_cites(data_of(node))

    def needs_code(self, id: str, here: Entry, there: Entry, guard: str) -> bool:
        """Whether a chosen guard is in the code of only one ruleset."""
        clause, _, name = guard.rpartition(".")
        row = self.rows.get(guard)
        if clause != id or row is None or row.sort != "guard":
            return False
        pairs = ((self.one, here), (self.other, there))
        if any(each.name == name for book, entry in pairs for each in added_guards(book, entry)):
            return False
        return (name in _written(here)) != (name in _written(there))

    # ------------------------------------------------------------ guards

    def guards(self, id: str, here: Entry | None, there: Entry) -> Iterator[Data]:
        """Remaining changes to guards after the code is replaced."""
        code = (
            here is None
            or id in self.chosen
            or any(self.needs_code(id, here, there, guard) for guard in self.chosen)
        )
        result = dict(_written(there if code or here is None else here))
        if here is not None:
            result.update({each.name: each.condition for each in added_guards(self.one, here)})
        own = {} if here is None else self.conditions(self.one, here)
        wanted = self.conditions(self.other, there)
        for each in added_guards(self.other, there):
            if each.name not in result and (here is None or f"{id}.{each.name}" in self.chosen):
                yield self.added_guard(f"{id}.{each.name}", there, each)
                result[each.name] = each.condition
                own.setdefault(each.name, each.condition)
        for name, condition in result.items():
            guard = f"{id}.{name}"
            changes = () if here is None else self.one.amendments.get(guard, ())
            meant = guard in self.chosen or here is None or (code and name not in own)
            aim = (wanted if meant else own).get(name)
            is_now = amended(condition, changes)
            about = self.about(guard) if guard in self.chosen else {}
            if here is None and guard not in self.rows and is_now != aim:
                about = self.unseen(guard, there)
            if aim is None and is_now is not None:
                yield {"remove": guard, **about}
            elif aim is not None and (is_now is None or _other_code(is_now, aim)):
                says = self.says(there, name) if meant else None
                said = {} if says is None else {"says": says}
                yield {"amend": guard, **said, "where": aim, **about}
            elif about and aim is not None:
                yield from self.reworded(id, guard, here, there, about)

    def added_guard(self, guard: str, entry: Entry, added: WrittenGuard) -> Data:
        labels = added.at.split()[1:]
        about = self.about(guard) if guard in self.rows else self.unseen(guard, entry)
        says = self.says(entry, added.name)
        to = {"to": labels} if labels else {}
        return {"add": guard, "says": says, "where": added.condition, **to, **about}

    def unseen(self, guard: str, entry: Entry) -> Data:
        """Citations of a guard in an added rule, which has no row."""
        if not self.cited:
            return {}
        points = Points(self.other_telling).guards(entry)
        return {"cites": cites_of(next((each.cites for each in points if each.id == guard), ()))}

    def reworded(
        self, id: str, guard: str, here: Entry | None, there: Entry, about: Data
    ) -> Iterator[Data]:
        """Changes to a guard that differs only in sentence or citations."""
        name = guard.rpartition(".")[2]
        says = [_said(entry, name) for entry in (here, there)]
        if says[0] != says[1] and id not in self.chosen and says[1] is not None:
            said = {"says": data_of(says[1])}
            yield {"set": f"rules.{id}.guards.{name}", "to": {**said, "cites": about["cites"]}}
        yield {"cite": guard, **about}

    def conditions(self, book: Rulebook, entry: Entry) -> dict[str, str | None]:
        """The effective conditions of a clause's guards."""
        written = _written(entry)
        written.update({each.name: each.condition for each in added_guards(book, entry)})
        return {
            name: amended(condition, book.amendments.get(f"{entry.id}.{name}", ()))
            for name, condition in written.items()
        }

    def says(self, entry: Entry, guard: str) -> Any:
        said = _said(entry, guard)
        return None if said is None else data_of(said)

    # ------------------------------------------------------------ what is declared

    def declared(self, row: Row) -> Iterator[Data]:
        here, there = row.cells[0].point, row.cells[self.column].point
        about = self.about(row.id)
        if there is None:
            yield {"remove": row.id, **about}
        elif here is None and row.sort == TABLE:
            name = there.entry.id
            yield {"add": row.id, "to": data_of(there.node), **self.beside(name), **about}
        elif here is None:
            yield {"add": row.id, "to": data_of(there.node), **about}
        elif (here.in_play, here.words) != (there.in_play, there.words):
            yield {"set": row.id, "to": data_of(there.node), **about}
        elif row.sort == "pieces":
            yield {"cite": row.id, **about}

    def beside(self, name: str) -> Data:
        """Position of an added table part, relative to an existing one."""
        there = list(table_parts(self.other))
        earlier = {each for each in there[: there.index(name)] if f"{TABLE}.{each}" in self.chosen}
        return {**neighbour(self.other, name, {*table_parts(self.one)} | earlier)}

    # ------------------------------------------------------------ what is said about a change

    def about(self, id: str) -> Data:
        """Kind, reason and citations, as in the other ruleset."""
        cell = self.rows[id].cells[self.column]
        point = cell.point
        found: Data = {}
        word = _said_kind(point)
        if not self.cited:
            return self.accepted(id)
        if cell.kind not in (*SAID, ""):
            found["kind"] = cell.kind
        elif word is not None and point is not None:
            found.update(_words(point, word))
        change = None if point is None else point.change
        because = None if change is None else change.get("because")
        told = change is not None and (found.get("kind") != word or change.action == "cite")
        if because is not None and "because" not in found and told:
            found["because"] = data_of(because)
        found["cites"] = cites_of(() if point is None else point.cites)
        return {**found, **self.accepted(id)}

    def accepted(self, id: str) -> Data:
        """A diagnostic that the other ruleset suppresses here."""
        for code, target in list(self.accepts):
            if id == target or id.startswith(f"{target}."):
                del self.accepts[code, target]
                return {"accepts": code}
        return {}


def _said_kind(point: Point | None) -> str | None:
    """The kind of difference in wording that a variant declares for a point."""
    for change in reversed(() if point is None else point.changes):
        kind = change.get("kind")
        if isinstance(kind, Scalar) and kind.value in SAID:
            return kind.value
    return None


def _words(point: Point, kind: str | None = None) -> Data:
    kind = kind or _said_kind(point)
    if kind is None:
        return {}
    told = [each for each in point.changes if text_of(each.get("kind")) == kind]
    because = told[-1].get("because") if told else None
    return {"kind": kind, **({} if because is None else {"because": data_of(because)})}


def _find(book: Rulebook, id: str) -> tuple[str, Entry] | None:
    for section in CLAUSES:
        entry = book.section(section).get(id)
        if entry is not None:
            return section, entry
    return None


def _keys(entry: Entry) -> dict[str, Node]:
    return {key.value: value for key, value in entries_of(entry.body) if key.value != "cites"}


def _written(entry: Entry) -> dict[str, str]:
    return {guard.name: guard.condition for guard in written_guards(entry)}


def _said(entry: Entry | None, guard: str) -> Node | None:
    guards = None if entry is None else entry.get("guards")
    node = child(guards, guard)
    return node.get("says") if isinstance(node, Mapping) else node


def _other_code(one: str, other: str) -> bool:
    return CodeTree("value", one) != CodeTree("value", other)
