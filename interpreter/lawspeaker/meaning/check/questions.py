"""Checks questions: who is asked, the alternatives, their guards, and the visibility of each.

In a question without `one of`, the names of the answer stay in scope for the lines after it, if
something was certainly chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeAlias

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.ir.bounds import ANY
from lawspeaker.ir.walk import is_broken, slots_read
from lawspeaker.meaning.check.bounds import DeclaredBounds
from lawspeaker.meaning.check.enough import Exchange, without_untold
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.meaning.check.paths import PATH
from lawspeaker.meaning.check.receivers import ForReceivers
from lawspeaker.meaning.check.sayings import filled
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.statements import ends, is_impossible
from lawspeaker.meaning.check.values import citations, has_lets, texts
from lawspeaker.meaning.check.world import Procedure, World
from lawspeaker.text import parse
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Mapping, Scalar, child, entries_of, scalars_of
from lawspeaker.text.rulebook import Entry

Common: TypeAlias = tuple[s.Guard | s.GuardByCase, ...]


class ClauseChecks(Protocol):
    """Checks the code of clauses, each once."""

    def check(self, procedure: Procedure) -> bool: ...
    def joined(self, procedure: Procedure, then: s.Block) -> None: ...


class Questions(ForReceivers):
    """Checks the question of one clause."""

    entry: Entry
    guard_names: dict[str, Span]
    rules: ClauseChecks | None = None

    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        super().__init__(world, functions, scope, clause)
        self.explained: set[str] = set()
        self.conditions: dict[str, s.Expr | s.Enough] = {}
        """By name: the condition of each guard, as first written."""
        self.choosable: list[str] = []
        """The names of all that can be chosen in the question."""
        self.can_be_joined = False
        """Whether there is a question at all."""
        self.joined_by: list[Entry] = []
        """The clauses whose joined alternatives have been parsed."""
        self.asked_name = ""
        """The name of one of several players asked at once."""
        self.bounds = DeclaredBounds()
        self.exchange: Exchange | None = None
        """The exchange of the `… is enough` guard that is being checked."""
        self.untold: set[int] = set()
        """The parts of the alternative that have a `… is enough` guard."""

    def check_first(self, procedure: Procedure) -> bool:
        self.world.alone = False
        return self.rules is not None and self.rules.check(procedure)

    def question(self, each: s.Statement) -> list[ir.Statement]:
        match each:
            case s.Ask():
                return [self.ask(each)]
        raise AssertionError(f"unknown statement {type(each).__name__}")

    def ask(self, each: s.Ask) -> ir.Ask:
        self.only_question(each.span)
        if each.each is not None:
            otherwise = None
            if each.first:
                self.first_of(each.must, each.span)
                otherwise = self.otherwise(each)
            with self.scope.block():
                players, who = self.several_asked(each.each)
                return self.asked(
                    each, who, players, otherwise if each.first else self.otherwise(each)
                )
        assert each.who is not None
        return self.asked(each, self.player(each.who), None, self.otherwise(each))

    def several_asked(self, each: s.Binder) -> tuple[ir.Binder, ir.Local]:
        """The binder of the players asked at once, and the name of one of them."""
        players, variable = self.binder(each, keep=True)
        if variable.type not in (ir.PLAYER, ir.BROKEN):
            self.diagnostics.error(
                "wrong-type",
                f"these are {self.world.many(variable.type)}, and only players are asked",
                each.noun.span,
            )
        self.asked_name = variable.name
        return players, ir.Local(ir.PLAYER, variable.slot, variable.name)

    def first_of(self, must: bool, span: Span) -> None:
        """Reports `must` in a question to several of whom the first answer counts."""
        if must:
            self.diagnostics.error(
                "cannot-do",
                "of several players nobody must be the first",
                span.head,
                hint="say `may`; what follows if nobody does stands below `otherwise:`",
            )

    def otherwise(self, each: s.Ask) -> ir.Block | None:
        return self.block(each.otherwise) if each.otherwise is not None else None

    def only_question(self, span: Span) -> None:
        if self.questions:
            self.diagnostics.error(
                "two-questions",
                "a clause asks one question",
                span.head,
                Label(self.questions[0].head, "the first is here"),
                hint="put the second into a clause of its own and `do` it",
            )
        self.questions.append(span)

    def asked(
        self,
        each: s.Ask,
        who: ir.Expr,
        players: ir.Binder | None,
        otherwise: ir.Block | None,
    ) -> ir.Ask:
        impossible = each.otherwise is not None and is_impossible(each.otherwise)
        if impossible:
            otherwise = None
        stays = each.open and players is None and each.must
        stays = stays and (otherwise is None or ends(otherwise))
        joining = self.world.joining.get(self.entry.id, ())
        if stays and joining:
            stays = False
            names = [name for one in each.alternatives for name in self.given_by(one)]
            self.scope.perhaps |= dict.fromkeys(names, joining[0])
        stays = stays and not any(part.receivers for one in each.alternatives for part in one.parts)
        alternatives: list[ir.Alternative] = []
        labelled: dict[str, list[tuple[s.Name, ir.Alternative]]] = {}
        offers = list(self.offered(each))
        if not offers:
            self.nothing_offered(each)
        if len(offers) == 1 and not offers[0][0].parts:
            self.noun_alone(each, offers[0][0].label)
        self.cases(each.common, [one.label.text for one, _ in offers if one.label is not None])
        parts = [part for alternative, _ in offers for part in alternative.parts]
        self.choosable = list(dict.fromkeys(name for part in parts for name in self.named(part)))
        for alternative, entry in offers:
            if stays:
                alternatives += self.alternatives(alternative, entry, each.common)
            else:
                with self.scope.block():
                    alternatives += self.alternatives(alternative, entry, each.common)
                for part in alternatives[-1].parts:
                    if part.several:
                        self.scope.unsure[part.set_name] = part.binder.span
            self.told_apart(alternative.label, alternatives, labelled)
        surely = any(self.surely(alternative) for alternative in alternatives)
        offered = [(one.parts, one.guards, one.member_guards) for one in alternatives]
        surely = surely or not offers or any(is_broken(one) for one in offered)
        if each.must and each.otherwise is None and not surely:
            self.diagnostics.error(
                "maybe-empty",
                "it is not sure that there is anything to choose",
                each.span.head,
                hint="add `otherwise:` and what happens then, or `otherwise: cannot happen`",
            )
        replies = index = -1
        if players is not None:
            replies, index = self.scope.hidden("replies"), self.scope.hidden()
        return ir.Ask(
            None if players is not None else who,
            players,
            each.must,
            tuple(alternatives),
            otherwise,
            (),
            self.clause,
            replies,
            index,
            each.first,
            span=each.span,
        )

    def told_apart(
        self,
        label: s.Name | None,
        alternatives: list[ir.Alternative],
        labelled: dict[str, list[tuple[s.Name, ir.Alternative]]],
    ) -> None:
        """Reports an alternative that may offer the same as another of equal label."""
        if label is None:
            return
        new, known = alternatives[-1], labelled.setdefault(label.text, [])
        for name, other in known:
            if not self.possible_kinds.told_apart(new, other) and not is_broken((new, other)):
                self.diagnostics.error(
                    "duplicate-name",
                    f"`{label.text}` is offered twice",
                    label.span,
                    Label(name.span, "here first"),
                    hint="one label will do for pieces of different kinds, "
                    f"as `{label.text}: card in hand of player where card is …`",
                )
                break
        known.append((label, new))

    def noun_alone(self, each: s.Ask, label: s.Name | None) -> None:
        """Reports `player must amount`: a label that is a noun, where a choice of it is meant."""
        if label is None or label.text not in self.world.types:
            return
        modal = "must" if each.must else "may"
        self.diagnostics.error(
            "which-one",
            f"nothing is chosen here: `{label.text}` is the only label, and says not what is done",
            label.span,
            hint=f"to let somebody choose one, write `{modal} choose {label.text}`",
        )

    def nothing_offered(self, each: s.Ask) -> None:
        """Reports a question without alternatives, neither its own nor joined ones."""
        joining = self.world.joining.get(self.entry.id, ())
        if any(entry.get("offers") is not None for entry in joining):
            return
        self.diagnostics.error(
            "maybe-empty",
            "there is nothing to choose from",
            each.span.head,
            hint="what can be chosen follows on indented lines, one on each; or other clauses "
            f"offer it, with `joins: {self.entry.id}`",
        )

    # ------------------------------------------------------------ parts

    def offered(self, each: s.Ask) -> Iterator[tuple[s.Alternative, Entry]]:
        """The alternatives of the clause, and those that other clauses join to it."""
        self.can_be_joined = True
        for alternative in each.alternatives:
            yield alternative, self.entry
        for entry in self.world.joining.get(self.entry.id, ()):
            code = entry.get("offers")
            found = parse.offers(code, self.diagnostics) if isinstance(code, Scalar) else None
            if found is not None:
                self.joined_by.append(entry)
                yield found, entry

    def alternatives(
        self, each: s.Alternative, entry: Entry, common: Common
    ) -> list[ir.Alternative]:
        """The lowered alternatives: one; for a path, one per length; for receivers, one per number
        of them."""
        self.path = self.receivers = None
        whole = self.alternative(each, entry, common)
        if self.receivers is not None:
            return self.receivers.alternatives(whole)
        return [whole] if self.path is None else self.path.alternatives(whole)

    def alternative(self, each: s.Alternative, entry: Entry, common: Common) -> ir.Alternative:
        with self.scope.block():
            parts = tuple(self.part(part) for part in each.parts)
            guards, member_guards, ready = self.guards(each, entry, common, parts)
            known = dict(self.scope.blocks[-1])
        self.possible_kinds.chosen(parts, guards, member_guards)
        parts = tuple(without_untold(parts, self.untold, each.label is not None))
        for name in self.chosen_names(parts):
            self.scope.bring(known[name])
        if entry is not self.entry:
            body = self.joined(each, entry, parts)
        else:
            body = self.block(each.then) if each.then is not None else ()
        label = each.label.text if each.label is not None else None
        by = None if entry is self.entry else self.world.clause_ids[entry.id]
        return ir.Alternative(label, parts, guards, member_guards, ready, body, by)

    def joined(self, each: s.Alternative, entry: Entry, parts: tuple[ir.Part, ...]) -> ir.Block:
        """Calls the clause that offers a joined alternative, with the names in scope."""
        names = list(self.world.procedures[self.entry.id].names)
        names += [self.asked_name] if self.asked_name else []
        names += self.chosen_names(parts)
        known = [found for name in names if (found := self.scope.find(name)) is not None]
        index, span = self.world.clause_ids[entry.id], each.span
        arguments = tuple(ir.Local(one.type, one.slot, one.name, span=span) for one in known)
        if self.rules is not None:
            given = tuple(one.name for one in known), tuple(one.type for one in known)
            self.rules.joined(Procedure(index, *given, entry), each.then or ())
        self.calls.append((index, span))
        clause = self.world.clauses[index]
        if clause.outcome is None:
            return (ir.Do(index, arguments, span=span),)
        slot = self.slot_of_outcome(clause.slots[clause.outcome].type, span)
        done = ir.Do(index, arguments, ((clause.outcome, slot),), span=span)
        return (done, ir.Finish(span=span))

    def chosen_names(self, parts: tuple[ir.Part, ...]) -> list[str]:
        """The names in scope after an answer: for sets and paths only that of the whole."""
        path = None if self.path is None else self.path.step.slot
        names = [
            PATH if part.binder.slot == path else part.set_name or part.binder.name
            for part in parts
        ]
        return names if self.receivers is None else [*names, self.receivers.receiver.name]

    def part(self, each: s.Part) -> ir.Part:
        if self.path is not None:
            self.diagnostics.error(
                "cannot-do",
                "nothing can be chosen after a path",
                each.span,
                hint="let the path be the last part",
            )
        if self.receivers is not None:
            self.diagnostics.error(
                "cannot-do",
                "nothing can be chosen after what is chosen for each of several",
                each.span,
                hint="let that be the last part",
            )
        if each.quantity == "path":
            return self.path_part(each)
        if each.quantity == "each":
            return self.part_for_each(each, self.named(each)[1])
        taken, variable = self.binder(each.binder, keep=True)
        if each.quantity == "one":
            return ir.Part(taken)
        if self.is_article(each.number):
            return ir.Part(taken)
        number = self.how_many(each.number) if each.number is not None else None
        zero = ir.Const(ir.NUMBER, 0, span=each.span)
        low, high = {
            "any": (zero, None),
            "up_to": (zero, number),
            "at_least": (number, None),
            "exactly": (number, number),
        }[each.quantity]
        name = self.set_name(each, variable.name)
        several = self.scope.declare(name, ir.SetType(taken.type), each.span, variable.name)
        if low is not None and self.bounds.number(low)[0] > 0:
            self.scope.filled.add(several.slot)
        return ir.Part(taken, True, low, high, several.slot, name)

    def named(self, each: s.Part) -> tuple[str, ...]:
        """The names that a part binds: of one member, and of the whole."""
        alias, noun = each.binder.alias, each.binder.noun.text
        one = self.world.singular(noun) if alias is None else alias.text
        if each.quantity == "path":
            return (one, PATH)
        if each.receivers is not None:
            alias, noun = each.receivers.alias, each.receivers.noun.text
            receiver = self.world.singular(noun) if alias is None else alias.text
            return (one, self.set_name(each, one), receiver)
        return (one,) if each.quantity == "one" else (one, self.set_name(each, one))

    def given_by(self, alternative: s.Alternative) -> list[str]:
        """The names in scope after an alternative was chosen."""
        return [name for part in alternative.parts for name in self.named(part)[-1:]]

    def is_article(self, number: s.Expr | None) -> bool:
        """Whether a part is written with an article, as in prose; reports an error if so."""
        match number:
            case s.Word(s.Name("a" | "an" | "the" | "one" as text, span)):
                self.diagnostics.error(
                    "unknown-name",
                    f"`{text}` is no number of things",
                    span,
                    hint=f"one thing is chosen by its noun alone: leave out `{text}`",
                )
                return True
        return False

    def set_name(self, each: s.Part, member: str) -> str:
        """The name of a chosen set: `seats`, if a member is `seat`."""
        noun = each.binder.noun.text
        if each.binder.alias is not None:
            return member + "s"
        if noun != member:
            return noun
        plurals = [plural for plural, one in self.world.plurals.items() if one == noun]
        return plurals[0] if plurals else noun + "s"

    # ------------------------------------------------------------ guards

    def guards(
        self,
        each: s.Alternative,
        entry: Entry,
        common: Common,
        parts: tuple[ir.Part, ...],
    ) -> tuple[tuple[ir.Guard, ...], tuple[tuple[ir.Guard, ...], ...], tuple[int, ...]]:
        """The guards of an alternative: its own, then those of the whole question."""
        whole: list[ir.Guard] = []
        ready: list[int] = []
        members: list[list[ir.Guard]] = [[] for _ in parts]
        asked = [(guard, entry) for guard in each.guards]
        asked += [(guard, self.entry) for guard in self.asked_of_all(each, entry, common)]
        asked += [(guard, self.entry) for guard in self.added(each)]
        asked.sort(key=lambda one: isinstance(one[0].condition, s.Enough))
        own: set[str] = set()
        self.untold = set()
        for guard, of in asked:
            if isinstance(guard.condition, s.Enough):
                self.exchange = self.exchanged(guard.condition, parts, whole, members)
            if guard.name.text not in own and of is self.entry:
                self.said_again(guard)
            own.add(guard.name.text)
            found = self.guard(guard, of)
            if found is None:
                continue
            used = set(slots_read(found.condition))
            about = [
                at for at, part in enumerate(parts) if part.several and part.binder.slot in used
            ]
            sets = [at for at, part in enumerate(parts) if part.several and part.set_slot in used]
            if about and (sets or len(about) > 1 or self.later_than(about[0], parts, used)):
                self.diagnostics.error(
                    "mixed-guard",
                    "a guard is about one member of the set or about the whole choice, not both",
                    guard.span,
                    hint="make two guards of it",
                )
            elif about:
                members[about[0]].append(found)
            else:
                whole.append(found)
                needed = [
                    at + 1
                    for at, part in enumerate(parts)
                    if (part.set_slot if part.several else part.binder.slot) in used
                ]
                ready.append(max(needed, default=0))
        return tuple(whole), tuple(tuple(each) for each in members), tuple(ready)

    def asked_of_all(self, each: s.Alternative, entry: Entry, common: Common) -> Iterator[s.Guard]:
        """The guards of the whole question that apply to an alternative: all of them, unless it is
        exempt. Reports guards that mention what it does not choose."""
        exempt = {node.value: node for node in scalars_of(entry.get("exempt from"))}
        names = [guard.name.text for guard in common]
        for name, node in exempt.items():
            if name not in names:
                self.diagnostics.error(
                    "unknown-name",
                    f"the whole question has no guard `{name}`",
                    node.span,
                    hint=self.world.suggest(name, names),
                )
        for guard in common:
            if guard.name.text in exempt:
                continue
            if isinstance(guard, s.GuardByCase):
                yield from self.asked_in_this_case(guard, each, entry)
                continue
            missing = [
                name
                for name in self.choosable
                if name in _words(guard.condition) and self.scope.find(name, use=False) is None
            ]
            if not missing:
                yield guard
                continue
            name, label = guard.name.text, each.label.text if each.label is not None else "this"
            joins = entry is not self.entry
            self.diagnostics.error(
                "which-one",
                f"`{name}` is asked of the whole question, and of the {missing[0]} that is chosen; "
                f"`{label}` chooses none",
                each.label.span if each.label is not None else each.span,
                Label(guard.span, "the guard"),
                hint=f"choose one, or add `exempt from: {name}`"
                if joins
                else "put the guard under the alternatives that it is about",
            )
            self.mention(guard.condition.span)

    def asked_in_this_case(
        self, guard: s.GuardByCase, each: s.Alternative, entry: Entry
    ) -> Iterator[s.Guard]:
        """The case of a guard that applies to an alternative; reports a missing case."""
        assert each.label is not None
        label, name = each.label.text, guard.name.text
        for case in guard.cases:
            if not case.labels or label in [one.text for one in case.labels]:
                yield s.Guard(guard.name, case.condition, span=case.span)
                return
        hint = f"add a line `{label}: …`, or `otherwise: …` for all that it does not name"
        if entry is not self.entry:
            hint = f"add `exempt from: {name}`, or let it say `otherwise: …`"
        self.diagnostics.error(
            "which-one",
            f"`{name}` says nothing about `{label}`",
            each.label.span,
            Label(guard.name.span, "the guard"),
            hint=hint,
        )

    def cases(self, common: Common, labels: list[str]) -> None:
        """Reports cases of a guard for no alternative, or for one twice."""
        for guard in common:
            if not isinstance(guard, s.GuardByCase):
                continue
            said: dict[str, s.Name] = {}
            for label in (label for case in guard.cases for label in case.labels):
                if label.text not in labels:
                    self.diagnostics.error(
                        "unknown-name",
                        f"the question does not offer `{label.text}`",
                        label.span,
                        hint=self.world.suggest(label.text, labels),
                    )
                if label.text in said:
                    self.diagnostics.error(
                        "duplicate-name",
                        f"`{guard.name.text}` speaks of `{label.text}` twice",
                        label.span,
                        Label(said[label.text].span, "here first"),
                    )
                said.setdefault(label.text, label)
            for case in guard.cases:
                if not {label.text for label in case.labels} & {*labels}:
                    self.mention(case.condition.span)

    def said_again(self, guard: s.Guard) -> None:
        """Lets several alternatives have the same guard, if its condition is the same."""
        name = guard.name.text
        if self.conditions.setdefault(name, guard.condition) == guard.condition:
            self.guard_names[name] = guard.name.span

    @staticmethod
    def later_than(at: int, parts: tuple[ir.Part, ...], used: set[int]) -> bool:
        return any(part.binder.slot in used for part in parts[at + 1 :])

    def added(self, each: s.Alternative) -> Iterator[s.Guard]:
        """The guards that variants have added to the question."""
        label = each.label.text if each.label is not None else ""
        for added in self.world.book.added.get(self.entry.id, ()):
            if added.labels and label not in added.labels:
                self.guard_names.setdefault(added.name.value, added.name.span)
                continue
            tree = parse.value(added.code, self.diagnostics)
            if tree is not None and not has_lets(tree, self.diagnostics):
                name = s.Name(added.name.value, added.name.span)
                yield s.Guard(name, tree.result, span=added.code.span)

    def guard(self, each: s.Guard, entry: Entry) -> ir.Guard | None:
        """A guard with the amendments of variants; None if it was removed."""
        self.world.meanings.note(each.name.span, Meaning("guard", each.name.text, entry.id))
        id = f"{entry.id}.{each.name.text}"
        changes = self.world.book.amendments.get(id, ())
        # The last `where` or `remove` replaces all amendments before it.
        last = max(
            (at for at, one in enumerate(changes) if one.mode in ("where", "remove")), default=-1
        )
        condition = None if last >= 0 else self.demanded(each.condition)
        if last >= 0:
            self.mention(each.condition.span)
        for change in changes[: max(last, 0)]:
            if change.code is not None:
                self.mention(change.code.content)
        # Exceptions are applied before further conditions, in any order of declaration.
        for change in sorted(changes[max(last, 0) :], key=lambda one: one.mode == "also"):
            if change.code is None:
                continue
            tree = parse.value(change.code, self.diagnostics)
            if tree is None or (condition is None and change.mode != "where"):
                continue
            other = self.truth(tree.result)
            span = change.code.span
            if change.mode == "where" or condition is None:
                condition = other
            elif change.mode == "unless":
                condition = ir.Or(ir.TRUTH, condition, other, span=span)
            else:
                condition = ir.And(ir.TRUTH, condition, other, span=span)
        if changes:
            self.untold.clear()
        if condition is None:
            self.guard_names[each.name.text] = each.name.span
            return None
        clause = self.world.clause_ids[entry.id]
        return self.named_guard(entry, clause, each.name, condition, each.span)

    def demanded(self, condition: s.Expr | s.Enough) -> ir.Expr:
        """The condition of a guard."""
        if not isinstance(condition, s.Enough):
            return self.truth(condition)
        with self.scope.block():
            same = [self.expr(each) for each in condition.same]
        if self.exchange is None or is_broken(same):
            return ir.Const(ir.BROKEN, True, span=condition.span)
        if not same:
            self.untold.add(self.exchange.at)
        return self.exchange.condition(same)

    def exchanged(
        self,
        enough: s.Enough,
        parts: tuple[ir.Part, ...],
        whole: list[ir.Guard],
        members: list[list[ir.Guard]],
    ) -> Exchange | None:
        """The exchange for `one … is enough`, with the other conditions on the answer."""
        single = [at for at, part in enumerate(parts) if not part.several]
        names = [parts[at].binder.name for at in single]
        name = enough.part.text
        if self.path is not None or self.receivers is not None or name not in names:
            self.diagnostics.error(
                "unknown-name",
                f"no `{name}` is chosen here by itself, so one of several cannot be enough",
                enough.part.span,
                hint=self.world.suggest(name, names)
                or "name a part of the choice of which one thing is chosen",
            )
            return None
        at = single[names.index(name)]
        found = Exchange(parts, at, whole, members, self.scope.new_slot, enough.span)
        other = found.dependent()
        if other is None:
            return found
        self.diagnostics.error(
            "cannot-do",
            f"what can be chosen as `{other.set_name or other.binder.name}` is taken from what "
            f"belongs to the `{name}`, so another one is never the same",
            enough.part.span,
            hint="say what suits with `where`, and take from a place that is the same for all",
        )
        return None

    def named_guard(
        self, entry: Entry, clause: int, name: s.Name, condition: ir.Expr, span: Span
    ) -> ir.Guard:
        """A guard with its sentence from `guards:` of the clause."""
        world = self.world
        if self.guard_names.get(name.text, name.span) != name.span:
            self.diagnostics.error(
                "duplicate-name",
                f"there are two guards `{name.text}`",
                name.span,
                Label(self.guard_names[name.text], "the first is here"),
                hint="under several alternatives a guard says the same; what differs stands below "
                f"`in each case where {name.text}:`, or has a name of its own",
            )
        self.guard_names[name.text] = name.span
        node = entry.get("guards")
        said = child(node, name.text)
        if said is None:
            keys = [key.value for key, _ in entries_of(node)]
            near = world.near(name.text, [key for key in keys if key not in self.guard_names])
            self.explained.add(near or "")
            self.diagnostics.error(
                "missing-sentence",
                f"the guard `{name.text}` has no sentence",
                name.span,
                hint=f"under `guards:` stands `{near}`: did you mean that?"
                if near
                else f'add `guards: {{{name.text}: …}}` to the clause: it answers "why not?"',
            )
        says = said.get("says") if isinstance(said, Mapping) else said
        own = child(said, "cites")
        cites = world.clauses[clause].cites if own is None else citations(world, own)
        title = texts(said.get("title")) if isinstance(said, Mapping) else {}
        return ir.Guard(name.text, clause, condition, filled(world, says), cites, title, span=span)

    def unknown_guards(self) -> None:
        for entry in (self.entry, *self.joined_by):
            self.unknown_guards_of(entry)
        joining = self.world.joining.get(self.entry.id, ())
        if joining and not self.can_be_joined:
            self.diagnostics.error(
                "cannot-do",
                f"`{self.entry.id}` asks nothing that could be joined",
                joining[0].key_span("joins"),
                hint="name the clause that has the question",
            )

    def unknown_guards_of(self, entry: Entry) -> None:
        for key, said in entries_of(entry.get("guards")):
            empty = isinstance(said, Scalar) and said.kind == "nothing"
            known = key.value in self.guard_names or key.value in self.explained
            if not known and not empty:
                self.diagnostics.error(
                    "unknown-name",
                    f"the clause has no guard `{key.value}`",
                    key.span,
                    hint=self.world.suggest(key.value, self.guard_names)
                    or "a guard stands below a question: `where name: condition`",
                )

    # ------------------------------------------------------------ certain answers

    def surely(self, each: ir.Alternative) -> bool:
        """Whether an alternative can always be chosen."""
        for part in each.parts:
            if part.several:
                least = self.bounds.number(part.least) if part.least is not None else ANY
                if least[1] > 0 or part.most is part.least:
                    return False
            elif not self.never_empty(part.binder):
                return False
        empty = {part.set_slot for part in each.parts if part.several}
        return all(self.holds_for_none(guard.condition, empty) for guard in each.guards)

    def holds_for_none(self, condition: ir.Expr, empty: set[int]) -> bool:
        """Whether a condition certainly holds when the chosen sets are empty."""
        match condition:
            case ir.Or(left=left, right=right):
                return self.holds_for_none(left, empty) or self.holds_for_none(right, empty)
            case ir.And(left=left, right=right):
                return self.holds_for_none(left, empty) and self.holds_for_none(right, empty)
            case ir.Compare(
                operator="<=" | "<" as operator,
                left=ir.Count(binder=ir.Binder(source=ir.Local(slot=slot))),
                right=right,
            ) if slot in empty:
                return self.bounds.number(right)[0] >= (0 if operator == "<=" else 1)
            case _:
                return False


def _words(condition: s.Expr | s.Enough) -> set[str]:
    """The free names of a condition."""
    inside = list(s.WALKER.everything(condition))
    bound = {
        name.text
        for each in inside
        if isinstance(each, s.Binder)
        for name in (each.noun, each.alias)
        if name is not None
    }
    return {each.name.text for each in inside if isinstance(each, s.Word)} - bound
