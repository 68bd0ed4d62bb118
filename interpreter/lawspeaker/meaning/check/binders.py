"""Checks binders, `card in hand of player where …`: source set, bound name and condition."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.meaning.check.fitting import bare, fits
from lawspeaker.meaning.check.meanings import Hole
from lawspeaker.meaning.check.mentions import must_mention
from lawspeaker.meaning.check.names import Names, nearly_plural
from lawspeaker.meaning.check.scope import Variable
from lawspeaker.text import syntax as s


class Binders(Names):
    # ------------------------------------------------------------ binders

    """Checks the binders of one clause."""

    def binder(
        self, binder: s.Binder, keep: bool = False, sets: bool = False
    ) -> tuple[ir.Binder, Variable]:
        """Checks a binder. Its name is in scope in `where`; with `keep` also afterwards, in the
        block that the caller has opened. With `sets` it may range over combinations."""
        source, type, singular = self.source(binder)
        one = None
        if binder.size is not None and not sets:
            self.diagnostics.error(
                "wrong-type",
                "combinations are looked through inside of values only",
                binder.span,
                hint="write `player scores … for each combination of …`, `count of`, `highest of … "
                "for each` or `there is a`; `let NAME be the combination of …` keeps one",
            )
        elif binder.size is not None:
            one = singular
            source, type, singular = self.combinations(binder, binder.size, source, type)
        name = binder.alias or s.Name(singular, binder.noun.span)
        taken = self.scope.find(name.text, use=False) is not None
        limited = binder.where is not None or binder.without is not None
        if taken and binder.alias is None and not limited and not keep:
            slot = self.scope.new_slot(name.text, type)
            variable = Variable(name.text, slot, type, name.span)
            return ir.Binder(slot, name.text, type, source, None, span=binder.span), variable
        if keep:
            variable = self.scope.declare(name.text, type, name.span, one)
            where = self.limits(binder, variable)
        else:
            with self.scope.block():
                variable = self.scope.declare(name.text, type, name.span, one)
                where = self.limits(binder, variable)
        found = ir.Binder(variable.slot, name.text, type, source, where, span=binder.span)
        return found, variable

    def combinations(
        self, binder: s.Binder, size: s.Size, source: ir.Expr, type: ir.Type
    ) -> tuple[ir.Expr, ir.Type, str]:
        """The set of combinations of a binder's source, the type of one combination, and its name:
        the plural of its elements, as for a chosen set."""
        if binder.without is not None:
            self.diagnostics.error(
                "wrong-type",
                "`except` leaves out single things, and these are combinations",
                binder.without.span,
                hint="take them out of what the combinations are made of: `in (hand - card)`",
            )
        number = None if size.number is None else self.number(size.number)
        least = number if size.quantity in ("at_least", "exactly") else None
        most = number if size.quantity in ("up_to", "exactly") else None
        several = ir.SetType(type)
        called = binder.noun.text if type == ir.BROKEN else self.world.many(type)
        found = ir.Subsets(
            ir.SetType(several), least, most, source, size.largest_first, span=binder.span
        )
        return found, several, called

    def limits(self, binder: s.Binder, variable: Variable) -> ir.Expr | None:
        """The condition on the bound thing: not among the exceptions, and `where`."""
        where = None
        if binder.where is not None:
            self.binders.append(binder)
            where = self.truth(binder.where)
            self.binders.pop()
            must_mention(self, where, variable, where.span)
        if binder.without is None:
            return where
        if isinstance(variable.type, ir.SetType):
            return where
        other = self.other_than(binder.without, variable)
        return other if where is None else ir.And(ir.TRUTH, other, where, span=binder.span)

    def other_than(self, exceptions: s.Expr, variable: Variable) -> ir.Expr:
        """The condition of `except …`: not that thing, not of that kind, not in that set."""
        span = exceptions.span
        thing = s.Word(s.Name(variable.name, span), span=span)
        if isinstance(exceptions, s.ListOf):
            return self.is_in(exceptions, thing, exceptions, negated=True)
        if isinstance(exceptions, s.Word) and self.type_of(exceptions.name) is None:
            return self.is_(s.Is(thing, exceptions, True, span=span))
        found, item = self.expr(exceptions, variable.type), self.word(thing.name, None)
        if isinstance(found.type, ir.PlaceType) and isinstance(variable.type, ir.PieceType):
            found = self.as_set(found)
        several = isinstance(found.type, ir.SetType)
        equal = self.among(item, found, span) if several else self.sameness(item, found, span)
        return ir.Not(ir.TRUTH, equal, span=span)

    def source(self, binder: s.Binder) -> tuple[ir.Expr, ir.Type, str]:
        """The set a binder ranges over, the type of its members, and the name of one."""
        noun, world = binder.noun, self.world
        if self.is_hole(noun, Hole("noun")):
            world.lose(noun.text)
        type = world.type_named(noun.text)
        self.meant(noun, type)
        singular = world.singular(noun.text)
        if binder.start is not None and (type != ir.PLAYER or binder.source is not None):
            start = self.expr(binder.start)
            self.diagnostics.error(
                "wrong-type",
                "`from` says with which player to begin",
                binder.start.span,
                hint="what is taken out of a place or a set stands after `in`: `card in pile`",
            )
            members = (
                self.world.held(start.type.index)
                if isinstance(start.type, ir.PlaceType)
                else ir.BROKEN
            )
            return ir.Const(ir.SetType(members), None, span=noun.span), members, singular
        if binder.start is not None:
            start = self.player(binder.start)
            return ir.PlayersFrom(ir.SetType(ir.PLAYER), start, span=noun.span), ir.PLAYER, singular
        if binder.source is not None:
            self.binders.append(binder)
            source = self.set(binder.source)
            self.binders.pop()
            members = source.type.of if isinstance(source.type, ir.SetType) else ir.BROKEN
            if type is None and isinstance(members, (ir.PieceType, ir.PlaceType, ir.WordType)):
                many = world.many(members)
                near = world.near(noun.text, [str(members), many])
                self.diagnostics.error(
                    "unknown-name",
                    f"there is nothing called `{noun.text}`; these are {many}",
                    noun.span,
                    hint=self.nearest_noun(noun.text, near)
                    if near
                    else f"to give one of them a name, say `{members} as {noun.text}`",
                )
                singular = str(members) if near else singular
            elif type is not None and not fits(bare(members), type):
                self.diagnostics.error(
                    "wrong-type",
                    f"these are {world.many(members)}, not {world.many(type)}",
                    noun.span,
                    hint=f"call them what nothing else is called: `number as {singular}_number`"
                    if isinstance(members, ir.NumberType)
                    else self.lying_in_one_of(members, type),
                )
                if isinstance(members, ir.NumberType):
                    return source, ir.BROKEN, singular
                return ir.Const(ir.SetType(type), None, span=noun.span), type, singular
            return source, members, singular
        variable = self.scope.find(noun.text)
        if variable is not None and isinstance(variable.type, ir.SetType):
            self.meant(noun, variable)
            local = ir.Local(variable.type, variable.slot, noun.text, span=noun.span)
            return local, variable.type.of, variable.members or f"one of {noun.text}"
        if type is None and variable is None:
            thing = self.thing(noun)
            if thing is not None and isinstance(thing.type, ir.SetType):
                self.meant(noun, thing)
                return thing, thing.type.of, str(thing.type.of)
        if (
            type is None
            or (isinstance(type, ir.NumberType) and not type.listed)
            or type == ir.TRUTH
        ):
            meant = self.no_such(noun, type, variable)
            type = self.world.type_named(meant) if meant is not None else None
            if type is None:
                return ir.Const(ir.SetType(ir.BROKEN), None, span=noun.span), ir.BROKEN, singular
            singular = world.singular(meant or "")
        self.means_all(noun.text, noun.span)
        return ir.Domain(ir.SetType(type), type, span=noun.span), type, singular

    def lying_in_one_of(self, members: ir.Type, type: ir.Type) -> str | None:
        """A hint: how to range over the pieces in several places, not the places."""
        if not isinstance(bare(members), ir.PlaceType) or not isinstance(type, ir.PieceType):
            return None
        return (
            f"those that lie in one of them: "
            f"`{self.world.many(type)} where {members} of {type} is not nothing`"
        )

    def no_such(self, noun: s.Name, type: ir.Type | None, variable: Variable | None) -> str | None:
        """Reports that nothing can be taken by this noun; returns the closest noun, if any."""
        text, world = noun.text, self.world
        broken = (ir.BROKEN, ir.SetType(ir.BROKEN), ir.MaybeType(ir.BROKEN))
        if world.is_lost(text) or (variable is not None and variable.type in broken):
            return None
        if type is not None:
            self.diagnostics.error(
                "wrong-type",
                f"{world.many(type)} cannot be listed one by one",
                noun.span,
                hint="say from where: `number in 1..6`",
            )
        elif variable is not None or text in world.family_types or text in world.marker_index:
            what = world.a(variable.type) if variable is not None else "one thing"
            self.diagnostics.error(
                "wrong-type",
                f"`{text}` is {what}, and nothing to take things from",
                noun.span,
                hint=None
                if variable is not None and not isinstance(bare(variable.type), ir.PlaceType)
                else f"say what is taken: `card in {text}`",
            )
        else:
            nouns = [*world.types, *world.plurals, *self.scope.names()]
            kinds = [str(each) for each, _ in world.kinds.get(text, ())]
            near = None if kinds else world.near(text, nouns)
            hint = "a piece, a place, a word set or `player` is named here"
            if kinds:
                hint = f"say `{kinds[0]} where {kinds[0]} is {text}`"
            elif near is not None:
                hint = self.nearest_noun(text, near)
            self.diagnostics.error(
                "unknown-name", f"there is nothing called `{text}`", noun.span, hint=hint
            )
            world.lose(text)
            return near
        return None

    def nearest_noun(self, noun: str, near: str) -> str:
        """A hint with the intended noun; explains declarations made in the plural."""
        meant = f"did you mean '{near}'?"
        if nearly_plural(noun, near) and near in self.world.types:
            meant += (
                f" Things are declared in the singular: call it `{noun}`, and its plural is made"
            )
        return meant

    def never_empty(self, binder: ir.Binder) -> bool:
        """Whether a binder certainly finds something: all of a non-empty type."""
        if binder.where is not None:
            return False
        match binder.source:
            case ir.Domain(of=ir.PieceType(index=index)):
                return any(kind.count for kind in self.world.pieces[index].kinds)
            case ir.Domain(of=ir.WordType(index=index)):
                return bool(self.world.word_sets[index].words)
            case ir.Domain() | ir.PlayersFrom():
                return True
            case ir.ListOf(items=items):
                return bool(items)
            case ir.Range(low=ir.Const(value=int(low)), high=ir.Const(value=int(high))):
                return low <= high
            case _:
                return False
