"""Random rules that are well-typed by construction, on the table of `files.py`.

`Rules(seed).file(seed)` makes a clause `test`, and the clauses and definitions that it mentions.
Values are made by `values.py`, which knows the names in scope with their types, so nearly every
file passes the parser and the type checker. `more.py` adds further forms of the language to half of
the files.

Whether a file keeps its secrets is left to chance. About half of the values look at something
hidden, names are few and used often. Some sequences of statements (`idiom`) are made often, because
an analysis of information flow tends to get them wrong: a value is copied, changed and told; points
go to a set that may be empty; something is told before a branch, in it, or on one of two ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.secrets.generated.files import ASKS, FIRST, HEAD, TABLE, WORTH, Clause, Line, RuleFile
from tests.secrets.generated.values import (
    CARD,
    CARDS,
    DIE,
    MAYBE,
    NUMBER,
    PLAYER,
    PLAYERS,
    SOME_PLAYERS,
    TRUTH,
    Defined,
    Scope,
    Values,
    bound,
)

Code = tuple[Line, ...]
GIVEN = (NUMBER, NUMBER, PLAYER, PLAYER, CARD)
MOST_CLAUSES = 3
MOST_DEFINED = 2
SKIP = (Line("otherwise: skip"),)
WORTH_OF = Clause(
    WORTH,
    (Line("sum of value of card for each card in hand of player"),),
    ("define: worth of player",),
    key="as",
)


@dataclass(frozen=True, slots=True)
class Helper:
    """A clause that others can do. `outcome` is the type it returns, `opens` whether it begins with
    its question, `quiet` whether it can be supposed."""

    name: str
    given: tuple[str, ...]
    outcome: str | None = None
    opens: bool = False
    quiet: bool = False


class Rules(Values):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.clauses: list[Clause] = []
        self.helpers: list[Helper] = []
        self.made = 0
        self.window = self.asking_test = False
        self.table = TABLE
        self.beginning = HEAD
        self.dealt: tuple[str, ...] = ()

    def file(self, seed: int) -> RuleFile:
        for number in range(self.luck.randrange(MOST_DEFINED + 1)):
            self.define(f"value_{number}")
        self.scope = Scope(asks=self.chance(0.5))
        code = self.block(self.luck.randint(2, 5), 0)
        test = Clause(FIRST, code, self.head())
        self.asking_test = asks_somebody(code)
        self.more_clauses()
        if self.window:
            self.cards_to_play()
        clauses = (test, *self.clauses, WORTH_OF)
        return RuleFile(seed, clauses, self.table, self.dealt, self.beginning)

    def more_clauses(self) -> None:
        """Further ones that no other clause mentions, in files that use more of the language."""

    def one(self, *choices: tuple[float, Callable[[], Code]]) -> Code:
        """One of several productions, by their weights."""
        (found,) = self.luck.choices([each for _, each in choices], [each for each, _ in choices])
        return found()

    def line(self, *templates: str | tuple[float, str]) -> Code:
        return (Line(self.say(*templates)),)

    # ------------------------------------------------------------ other clauses

    def define(self, name: str) -> None:
        """A definition, which may mention those before it."""
        self.scope = Scope(pure=True)
        self.new(self.pick(PLAYER, PLAYER, NUMBER))
        form, type = self.pick(
            (f"{name} of {{}}", NUMBER), (f"{{}} is {name}", TRUTH), (f"{name}({{}}, {{}})", NUMBER)
        )
        if "," in form:
            self.new(NUMBER)
        given = dict(self.scope.names)
        code: Code = ()
        if self.chance(0.3):
            value = self.number()
            code = (Line(f"let {self.new(NUMBER)} be {value}"),)
        code += (Line(self.value(type)),)
        head = (f"define: {form.format(*given)}", _given(given))
        self.clauses.append(Clause(name, code, head, key="as"))
        self.defined.append(Defined(form, type, tuple(given.values())))

    def room(self) -> bool:
        return self.made < MOST_CLAUSES

    def clause(
        self,
        given: tuple[str, ...],
        body: Callable[[], Code],
        outcome: str | None = None,
        opens: bool = False,
        quiet: bool = False,
    ) -> Helper:
        """A new clause. It is not there for others before it is finished, so none does itself."""
        self.made += 1
        name = f"part_{self.made}"
        outer, secret, depth = self.scope, self.secret, self.depth
        self.secret, self.depth = 0.5, 0
        self.scope = Scope(asks=opens or self.chance(0.35), quiet=quiet, outcome=outcome)
        for each in given:
            self.new(each)
        names = dict(self.scope.names)
        code = body()
        if outcome is not None:
            code += (Line(f"the outcome is {self.value(outcome)}"),)
        self.clauses.append(Clause(name, code, (*self.head(), *([_given(names)] if names else []))))
        self.helpers.append(Helper(name, given, outcome, opens, quiet))
        self.scope, self.secret, self.depth = outer, secret, depth
        return self.helpers[-1]

    def helper(
        self, outcome: str | None = None, opens: bool = False, quiet: bool = False
    ) -> Helper | None:
        """Another clause, new unless there is one; None if there are too many."""
        there = [
            each
            for each in self.helpers
            if each.outcome == outcome and each.opens >= opens and each.quiet >= quiet
        ]
        if there and (not self.room() or self.chance(0.5)):
            return self.luck.choice(there)
        if not self.room():
            return None
        given = tuple(self.pick(*GIVEN) for _ in range(self.pick(0, 1, 1, 2, 2)))

        def body() -> Code:
            code = self.question(opens=True) if opens else ()
            return code + self.block(self.luck.randint(1, 3), 1, leaves=False)

        return self.clause(given, body, outcome, opens, quiet)

    def applied(self, helper: Helper) -> str:
        values = ", ".join(map(self.value, helper.given))
        return f"{helper.name}({values})" if values else helper.name

    def supposed(self) -> str:
        helper = self.helper(quiet=True)
        return f"(supposing {self.applied(helper)}, {self.truth()})" if helper else self.truth()

    def possible(self) -> str:
        helper = self.helper(opens=True)
        return f"({self.applied(helper)} is possible)" if helper else self.truth()

    def head(self) -> tuple[str, ...]:
        return (f'asks: "{self.scope.text}"',) if self.scope.text else ()

    def cards_to_play(self) -> None:
        """What cards do that are played in the window."""
        for kind in self.pick(("low",), ("gold",), ("low", "gold")):
            self.scope = Scope({"points": NUMBER, "player": PLAYER, "card": CARD}, alone=True)
            head = [f"plays: {kind}", "when: moment"]
            if self.chance(0.3):
                head += ["guards:", "  guard_0: So it must be."]
                head += ["where:", f"  guard_0: {self.truth()}"]
            code = self.block(self.luck.randint(1, 2), 1)
            if self.chance(0.6):
                code += self.line("points becomes {number}")
            self.clauses.append(Clause(f"card.{kind}", code, tuple(head)))

    # ------------------------------------------------------------ statements

    def block(self, size: int, depth: int, leaves: bool = True) -> Code:
        found: Code = ()
        while len(found) < size:
            found += self.statement(depth)
        if leaves and depth and self.chance(0.08) and not self.scope.quiet:
            found += self.leaving()
        return found

    def nested(self, depth: int, names: dict[str, str] | None = None, loops: bool = False) -> Code:
        """What is indented below a line."""
        with self.inside(names, loops):
            return self.block(1 if depth > 1 else self.pick(1, 1, 2, 3), depth + 1)

    def leaving(self) -> Code:
        if self.scope.outcome is not None:
            return (Line(f"the outcome is {self.value(self.scope.outcome)}"),)
        return self.line("{finish|finish|end the game}")

    def statement(self, depth: int) -> Code:
        flat = depth < 3
        noisy = not self.scope.quiet
        others = noisy and not self.scope.alone
        asks = self.scope.asks and not self.scope.loops and noisy
        return self.one(
            (4, self.let),
            (5, self.set_marker),
            (1.5, self.change),
            (2.5, self.move),
            (1.2, self.scores),
            (1.5 * noisy, self.draw),
            (2 * noisy, self.tell),
            (0.5 * noisy, self.pick_random),
            (0.3 * noisy, lambda: self.line("shuffle {deck|aside}")),
            (3 * flat, lambda: self.branch(depth)),
            (1 * flat, lambda: self.for_each(depth)),
            (0.7 * flat, lambda: self.repeat(depth)),
            (0.5 * flat, lambda: self.rank(depth)),
            (1 * others, self.do),
            (0.8 * others, self.do_for_an_outcome),
            (4 * asks, self.question),
            (9 * flat, lambda: self.idiom(depth)),
            *self.more_statements(depth),
        )

    def more_statements(self, depth: int) -> Sequence[tuple[float, Callable[[], Code]]]:
        """Further ones, in files that use more of the language."""
        return ()

    def let(self, type: str = "", secret: float = 0.7) -> Code:
        type = type or self.pick(*(NUMBER,) * 3, TRUTH, PLAYER, SOME_PLAYERS, CARDS, MAYBE)
        with self.secretly(secret):
            value = self.value(type)
        return (Line(f"let {self.new(type)} be {value}"),)

    def change(self) -> Code:
        """A name, or an attribute of a piece, changes."""
        return self.line(
            (0.1, "skip"),
            (2, "{a_number} becomes {number}"),
            "{a_number} {increases|decreases} by {number}",
            "{a_player} becomes {player}",
            "{a_truth} becomes {truth}",
            (2, "marked of {a_card} becomes {truth}"),
            (2, "boost of {a_card} becomes {number}"),
            (2, "face of {a_die} becomes {number}"),
            "chipped of {a_die} becomes {truth}",
        )

    def set_marker(self) -> Code:
        if self.chance(0.6):
            return (self.open_marker(),)
        with self.secretly(0.8):
            return self.line(
                (4, "{fate|note} becomes {number}"),
                (4, "{plan|rumour|doom} of {player} becomes {number}"),
                "mood becomes {column}",
                (0.3, "omen becomes nothing"),
                "omen becomes {card}",
            )

    def open_marker(self) -> Line:
        """Something that everyone sees becomes something else."""
        with self.secretly(0.3):
            (found,) = self.line(
                (5, "price becomes {number}"),
                (2, "active becomes {player}"),
                (0.7, "tint becomes {red|blue}"),
                (1.5, "ready of {player} becomes {truth}"),
                "prize becomes {a_card}",
                (0.2, "prize becomes nothing"),
                (0.5, "tint becomes colour of {a_card}"),
                (0.5, "price increases by {number}"),
            )
        return found

    def move(self) -> Code:
        return self.line(
            (4, "move {a_card} to {to}"),
            (2, "move {some_cards} to {to}"),
            "move a {a_card_somewhere} to {to}",
            "move up to {amount} {cards_somewhere} to {to}",
            (0.5, "move {amount} {cards_somewhere} to {to}"),
            "move all {cards_somewhere} to {to}",
            "move up to {amount} stones in {stones} to {stones}",
            (0.4, "move {amount} stones in {stones} to {stones}"),
            (0.7, "move all stones in {stones} to {stones}"),
            (0.7, "move a {a_die_somewhere} to {dice}"),
        )

    def draw(self) -> Code:
        source = self.say("{deck|deck|deck|aside|heap|discard}", (0.2, "hand of {player}"))
        otherwise = () if self.chance(0.2) else SKIP
        if self.chance(0.3):
            return (Line(self.say(f"draw {{amount}} cards from {source} to {{to}}"), otherwise),)
        to = self.to()
        name = self.new(MAYBE if otherwise else CARD)
        return (Line(f"draw card as {name} from {source} to {to}", otherwise),)

    def scores(self) -> Code:
        return self.line(
            (2, "{player} {scores|loses} {number}"),
            (2, "{players} {score|lose} {number}"),
            (0.5, "players score {number}"),
            (0.3, "{player} scores {number} for each {a_card_somewhere}"),
        )

    def tell(self) -> Code:
        who = self.say((4, "everyone"), (1.5, "{player}"), (0.7, "{players}"))
        if self.chance(0.3):
            condition = self.truth()
            self.scope.conditions.append(condition)
            return (Line(f"tell {who} whether {condition}"),)
        more: Code = ()
        if self.chance(0.3):
            more = self.let(self.pick(NUMBER, NUMBER, PLAYER, CARDS))
        return more + self.line(
            (2, f"tell {who} {{a_number}}"),
            f"tell {who} {{a_player}}",
            f"tell {who} {{a_card}}",
            f"tell {who} {{some_cards}}",
            f"tell {who} {{some_players}}",
            (0.5, f"tell {who} {{secret_value}}"),
            (0.3, f"show {{a_card}} to {who}"),
            (0.3, f"show {{some_cards}} to {who}"),
        )

    def secret_value(self) -> str:
        return self.say("{worth|plan|rumour|doom} of {player}", "{fate|note}")

    def pick_random(self) -> Code:
        sort = self.pick(CARD, PLAYER, NUMBER)
        if sort == NUMBER:
            return (Line(f"pick a random column as {self.new(NUMBER)}"),)
        name, binder = self.binder(sort, 0.3, plural=False)
        self.new(sort, name)
        return (Line(f"pick a random {binder}"),)

    def branch(self, depth: int) -> Code:
        """An `if`; what its condition finds has a name below it."""
        with self.secretly(0.7):
            kind = self.pick("condition", "condition", "there is", "not nothing")
            if kind == "not nothing" and self.names(MAYBE):
                name = self.say("{a_maybe}")
                head, found = f"{name} is not nothing", {name: CARD}
            elif kind == "there is":
                sort = self.pick(CARD, CARD, PLAYER)
                name, binder = self.binder(sort, 0.7, plural=False)
                head, found = f"there is a {binder}", {name: sort}
            else:
                head = self.pick(self.truth, self.sharp)()
                found = bound(head)
                self.scope.conditions.append(head)
        then = self.nested(depth, found)
        beside: Code = ()
        if self.chance(0.1):
            condition = self.truth()
            beside += (Line(f"else if {condition}:", self.nested(depth, bound(condition))),)
        if self.chance(0.4):
            beside += (Line("else:", self.nested(depth)),)
        return (Line(f"if {head}:", then, beside),)

    def for_each(self, depth: int) -> Code:
        sort = self.pick(CARD, CARD, PLAYER, PLAYER, DIE, NUMBER, NUMBER)
        if sort == NUMBER:
            name = self.fresh(NUMBER)
            binder = f"number as {name} in 1..{self.number()}"
        else:
            name, binder = self.binder(sort, 0.4, plural=False)
        return (Line(f"for each {binder}:", self.nested(depth, {name: sort}, loops=True)),)

    def repeat(self, depth: int) -> Code:
        head = self.say(
            (2, "repeat {amount} times:"),
            "repeat until {truth}, at most {2|3|20} times:",
            "repeat up to {2|3} times, {until|while} {truth}:",
        )
        return (Line(head, self.nested(depth, loops=True)),)

    def rank(self, depth: int) -> Code:
        if "tied" in self.scope.names:
            return self.let()
        sort = self.pick(PLAYER, PLAYER, CARD)
        name, binder = self.binder(sort, 0.2)
        with self.inside({name: sort}):
            key = self.number()
        names = {"tied": CARDS if sort == CARD else SOME_PLAYERS, "place": NUMBER, "tier": NUMBER}
        head = f"rank {binder} by {key}, {self.pick('highest', 'lowest')} first:"
        return (Line(head, self.nested(depth, names, loops=True)),)

    def do(self) -> Code:
        helper = self.helper()
        return self.let() if helper is None else (Line(f"do {self.applied(helper)}"),)

    def do_for_an_outcome(self) -> Code:
        type = self.pick(NUMBER, TRUTH, PLAYER)
        helper = self.helper(type)
        if helper is None:
            return self.let()
        value = self.applied(helper)
        if self.chance(0.2) and type == NUMBER:
            return (Line(f"{self.pick('price', 'fate')} becomes {value}"),)
        return (Line(f"let {self.new(type)} be {value}"),)

    # ------------------------------------------------------------ idioms

    def idiom(self, depth: int) -> Code:
        """A few statements that are likely to be misjudged together."""
        noisy = not self.scope.quiet
        others = noisy and not self.scope.alone and self.room()
        return self.one(
            (1.5 * noisy, self.copied_and_told),
            (0.7 * noisy, self.told_and_used),
            (1 * noisy, lambda: self.whether_then_if(depth)),
            (4, self.ways_that_differ),
            (1, self.set_on_one_way),
            (1, self.found_out_inside),
            (0.7 * noisy, self.turned_up),
            (1, self.guarded_division),
            (1.5 * others, self.two_players),
            (1 * others, self.copied_in_a_clause),
            (1 * others, self.asked_about),
        )

    def signal(self) -> Line:
        """Something that everyone sees, and that is seldom the same twice."""
        if self.chance(0.2):
            return self.open_marker()
        (found,) = self.line(
            (4, "price becomes {5|6|7|8}"),
            "active becomes {ann|ben|cy}",
            "move up to 1 stones in bag to field({1|2|3})",
            "ready of {ann|ben|cy} becomes {yes|not ready of ann}",
        )
        return found

    def seems_to_tell(self) -> Code:
        """Something that tells, or only seems to: since it is done for nobody, or with nothing."""
        noisy = not self.scope.quiet
        maybe_none = "{slot(4)|slot(1)|sleeve of ann|hand of cy|discard|hand of ann}"
        hidden = "{hand of ben|vault of ann|aside|heap|deck|hand of cy}"
        to = "{discard|slot(2)|hand of ann|heap|vault of ben}"
        cards = f"cards as {self.fresh(CARD)} in"
        wraps = [self.say((1, f"for each card as {self.fresh(CARD)} in {maybe_none}:"))]
        wraps += [self.say("repeat {0|1} times:", "repeat {secret_number} times:")]
        wraps += [self.say("if {truth}:")]
        if self.chance(0.15):
            return (Line(self.pick(*wraps), self.seems_to_tell()),)
        if noisy and self.chance(0.15):
            draw = self.say(f"draw {{0|1}} cards from {hidden} to {to}")
            return (Line(draw, SKIP),)
        return self.line(
            (3, "{nobody} score {0|1}"),
            "{ann|ben|cy} scores {0|1}",
            (1.5, f"move all {cards} {maybe_none} to {to}"),
            f"move up to {{0|1}} {cards} {hidden} to {to}",
            (0.7, f"move {{0|1}} {cards} {hidden} to {to}"),
            (1 * noisy, "tell {everyone|ann|ben|cy|[ann, ben]} {price|fate|worth of ben}"),
            (0.5 * noisy, "tell {nobody} {price|fate|worth of ben}"),
            (0.5, "move {a_card} to {to}"),
        )

    def ways_that_differ(self) -> Code:
        """Each way may begin with something that tells which way it is."""
        condition = self.sharp()
        with self.inside(bound(condition)):
            then = (*(self.seems_to_tell() if self.chance(0.8) else ()), self.signal())
            other = (*(self.seems_to_tell() if self.chance(0.3) else ()), self.signal())
        beside = (Line("else:", other),) if self.chance(0.6) else ()
        return (Line(f"if {condition}:", then, beside),)

    def set_on_one_way(self) -> Code:
        """A name that is another on one way, or after some rounds."""
        type, one, two, shown = self.pick((NUMBER, 0, 7, "price"), (PLAYER, "ann", "cy", "active"))
        condition, often = self.sharp(), self.secret_number()
        first = self.new(type)
        change = (Line(f"{first} becomes {two}"),)
        way = self.pick(
            Line(f"if {condition}:", change),
            Line(f"if {condition}:", (Line("skip"),), (Line("else:", change),)),
            Line(f"repeat {often} times:", change),
            Line(f"repeat up to 2 times, until {condition}:", change),
        )
        more = self.statement(3) if self.chance(0.3) else ()
        return (Line(f"let {first} be {one}"), way, *more, Line(f"{shown} becomes {first}"))

    def copied_and_told(self, first: str = "") -> Code:
        """A name is changed after it was copied, and one of the two is told."""
        code: Code = ()
        if not first:
            code = self.let(NUMBER, 0.9)
            first = self.names(NUMBER)[-1]
        copy = self.new(NUMBER)
        code += self.line(f"let {copy} be {first}", f"let {copy} be {first} + 1")
        if self.chance(0.7):
            code += self.line(
                f"{first} becomes {{0|{first} / 9 rounded down|{first} + 1|smaller({first}, 1)}}"
            )
        who = self.pick("everyone", "everyone", "everyone", "ann", "ben")
        shown = self.pick("price", "price", "price", "plan of ann", "rumour of ben")
        code += (Line(f"tell {who} {self.pick(first, first, copy)}"),)
        return (*code, Line(f"{shown} becomes {self.pick(first, copy, copy)}"))

    def copied_in_a_clause(self) -> Code:
        """The same with a value that a clause is given."""

        def body() -> Code:
            code = self.copied_and_told(self.names(NUMBER)[0])
            return code + self.statement(3) if self.chance(0.4) else code

        helper = self.clause((NUMBER,), body)
        with self.secretly(0.9):
            return (Line(f"do {self.applied(helper)}"),)

    def told_and_used(self) -> Code:
        code = self.let(NUMBER, 0.9)
        name = self.names(NUMBER)[-1]
        return (*code, Line(f"tell everyone {name}"), self.open_marker())

    def whether_then_if(self, depth: int) -> Code:
        """What was told is used, perhaps after it has changed."""
        condition = self.sharp()
        code: Code = (Line(f"tell everyone whether {condition}"),)
        if self.chance(0.5):
            code += self.statement(3)
        self.scope.conditions.append(condition)
        again = self.again(condition)
        with self.inside(bound(again)):
            then = (self.signal(), *self.nested(depth))
        return (*code, Line(f"if {again}:", then))

    def found_out_inside(self) -> Code:
        """A condition inside of a value, which does not hold outside of it."""
        one, other = self.player(), self.player()
        cards = f"cards as {self.fresh(CARD)} in discard"
        inner = self.pick(f"{one} is not {other}", f"{one} is not {other}", "price > 0")
        counted = self.say(f"{{fate|price}} becomes (count of {cards} where {inner})")
        return (Line(counted), *self.about_another(one, other))

    def about_another(self, one: str, other: str) -> Code:
        """Something that one of two players may know of the other, if they are two."""
        card = self.fresh(CARD)
        brow = f"(sum of value of {card} for each card as {card} in brow of {other})"
        return self.line(
            (2, f"plan of {one} becomes {brow}"),
            f"plan of {one} becomes {{rumour|worth}} of {other}",
            (0.5, f"rumour of {other} becomes worth of {one}"),
            (1 * (not self.scope.quiet), f"tell {one} {{rumour|plan|worth}} of {other}"),
        )

    def two_players(self) -> Code:
        """A clause that is given two players, who may be one, and speaks of one of them to the
        other."""

        def body() -> Code:
            one, other = self.names(PLAYER)
            condition = f"{one} is {self.pick('not ', 'not ', '')}{other}"
            then = self.about_another(one, other)
            signal = (self.signal(),)
            each = f"for each player as {self.fresh(PLAYER)} where {condition}:"
            cards = f"cards as {self.fresh(CARD)} in discard"
            return self.pick(
                (*self.found_out_inside(), *then),
                (Line(f"if {condition}:", then),),
                (Line(f"if {condition}:", signal), *then),
                (Line(each, signal), *then),
                (Line(f"{other} becomes {self.player()}"), *then),
                (Line(f"price becomes (count of {cards} where {condition})"), *then),
            )

        helper = self.clause((PLAYER, PLAYER), body)
        first, second = (self.pick("ann", "ben", "ben", *self.names(PLAYER)) for _ in range(2))
        return (Line(f"do {helper.name}({first}, {second})"),)

    def asked_about(self) -> Code:
        """A clause that asks about something that it is given, or has found out."""

        def body() -> Code:
            (who,), (what,) = self.names(PLAYER), self.names(NUMBER)
            self.scope.asks = False
            found = self.new(NUMBER)
            let = self.say(f"let {found} be {{{what}|worth of {who}|worth of ben|fate}}")
            label = self.pick("hear", "hear", f"hear: number as {self.fresh(NUMBER)} in 1..3")
            guards: Code = ()
            if self.chance(0.5):
                self.count += 1
                guard = self.say(f"({{{what}|{found}}} > {{1|2}})")
                guards = (Line(f"where guard_{self.count}: {guard}"),)
            ask = Line(f"{who} must choose one of", (Line(label, guards), Line("listen")))
            self.scope.text = self.pick("What?", f"What of {{{what}}}?", f"What of {{{found}}}?")
            after = (self.signal(), *self.line(f"fate becomes {{{what}|{found}}}"))
            return (Line(let), ask, *after[: self.pick(0, 1, 2)])

        helper = self.clause((PLAYER, NUMBER), body, opens=True)
        with self.secretly(0.7):
            return (Line(f"do {helper.name}({self.pick(*PLAYERS)}, {self.number()})"),)

    def turned_up(self) -> Code:
        source = self.say("{deck|heap|aside}", (0.5, "hand of {player}"))
        to = self.place()
        line = Line(f"draw card as {self.new(CARD)} from {source} to {to}")
        return (line, self.open_marker())

    def guarded_division(self) -> Code:
        code = self.let(NUMBER, 0.9)
        name = self.names(NUMBER)[-1]
        inside = self.line(f"{{fate|price}} becomes {{6|price}} / {name} rounded down")
        return (*code, Line(self.say(f"if {name} {{> 0|is not 0|>= 0|= 0}}:"), inside))

    # ------------------------------------------------------------ questions

    def question(self, opens: bool = False) -> Code:
        """The question of a clause, with a text that may mention names."""
        self.scope.asks = False
        lets = self.let() if self.chance(0.4) else ()
        names = self.names(NUMBER, PLAYER, CARD)
        if names and self.chance(0.3):
            self.scope.text = f"What of {{{self.luck.choice(names)}}}?"
        return lets + self.one(
            (3, self.must_choose),
            (2, self.one_of),
            (1.5, self.may_choose),
            (1.2 * (not opens), self.secret_question),
            (1 * (not opens), self.offer),
            *self.more_questions(opens),
        )

    def more_questions(self, opens: bool) -> Sequence[tuple[float, Callable[[], Code]]]:
        return ()

    def asked(self) -> str:
        with self.secretly(0.1):
            return self.player()

    def part(self, who: str) -> tuple[str, str, str]:
        """A part of a choice: the name that it gives, its type, and the code."""
        found = self.more_parts(who)
        if found is not None:
            return found
        sort = self.pick(NUMBER, NUMBER, CARD, CARD, CARD, PLAYER, CARDS)
        if sort == NUMBER:
            name = self.fresh(NUMBER)
            return name, sort, self.say(f"number as {name} in {{0|1}}..{{most}}")
        if sort == PLAYER:
            name, binder = self.binder(PLAYER, 0.2, plural=False)
            return name, sort, binder
        own = self.pick("hand", "hand", "hand", "hand", "hoard")
        place = self.say((5, f"{own} of {who}"), "{discard|shelf}", "{brow|hand} of {player}")
        name, binder = self.binder(CARD, 0.2, plural=sort == CARDS, place=place)
        if sort == CARD:
            return name, sort, binder
        many = self.say("{any number of|up to 2|at least 1|2}", (0.5, "up to {number}"))
        return f"{name}s", sort, f"{many} {binder}"

    def more_parts(self, who: str) -> tuple[str, str, str] | None:
        return None

    def most(self) -> str:
        return self.say((2, "{2|3}"), "{number}")

    def guards(self, name: str, type: str) -> Code:
        found: Code = ()
        with self.inside({name: type}):
            while self.chance(0.4):
                self.count += 1
                found += (Line(f"where guard_{self.count}: {self.truth()}"),)
        return found

    def must_choose(self) -> Code:
        who = self.asked()
        name, type, part = self.part(who)
        below = self.guards(name, type)
        head = f"{who} must {self.pick('choose ', 'take: ')}{part}"
        if self.chance(0.8) or not _is_sure(part) or below:
            below += (Line("otherwise:", self.leaving()),)
        self.new(type, name)
        return (Line(head, below),)

    def one_of(self) -> Code:
        who = self.asked()
        waits = (Line("then:", self.nested(2)),) if self.chance(0.5) else ()
        below = [Line("wait_here", waits)]
        for label in ("take_it", "leave_it")[: self.pick(1, 2)]:
            name, type, part = self.part(who)
            guards = self.guards(name, type)
            then = Line("then:", self.nested(1, {name: type}))
            below.append(Line(f"{label}: {part}", (*guards, then)))
        return (Line(f"{who} must choose one of", tuple(below)),)

    def may_choose(self) -> Code:
        who = self.asked()
        below, part = self.chosen(who, self.chance(0.4))
        return (Line(f"{who} may take: {part}", below),)

    def secret_question(self) -> Code:
        who, binder = self.binder(PLAYER, 0.1, plural=False)
        must = self.chance(0.7)
        with self.inside({who: PLAYER}):
            below, part = self.chosen(who, self.chance(0.2), must)
        return (Line(f"each {binder} secretly {'must' if must else 'may'} bid: {part}", below),)

    def chosen(self, who: str, otherwise: bool, must: bool = False) -> tuple[Code, str]:
        """What is written below a choice, and the choice."""
        name, type, part = self.part(who)
        guards = self.guards(name, type)
        below = (*guards, Line("then:", self.nested(1, {name: type})))
        if otherwise or (must and (guards or not _is_sure(part))):
            below += (Line("otherwise:", self.nested(2)),)
        return below, part

    def offer(self) -> Code:
        if {"points", "card"} & self.scope.names.keys():
            return self.one_of()
        self.window = True
        self.scope.text = ""
        value = self.number()
        self.new(NUMBER, "points")
        return (Line(f"let points be {value}"), Line(f"offer moment to {self.asked()}"))


def asks_somebody(code: Code) -> bool:
    """Whether there is a question in some lines."""
    return any(ASKS.search(each.text) or asks_somebody(each.parts) for each in code)


def _given(names: dict[str, str]) -> str:
    return f"given: {{{', '.join(f'{name}: {type}' for name, type in names.items())}}}"


def _is_sure(part: str) -> bool:
    """Whether there is surely something to choose."""
    return part.endswith(("..2", "..3"))
