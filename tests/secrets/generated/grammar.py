"""Random rules that are well-typed by construction, on the table of `files.py`.

`generated(seed)` makes a clause `test`, and the clauses and definitions that it mentions. The
grammar has a method for each type of value and for each statement. A method knows the names in
scope with their types, so nearly every file passes the parser and the type checker.

Whether a file keeps its secrets is left to chance. About half of the values look at something
hidden, names are few and used often, and some sequences of statements are more likely than others,
because checkers of information flow tend to get them wrong: a value is copied, changed and told;
points go to a set that may be empty; a condition is told, and stands again in an `if`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from tests.secrets.generated.files import FIRST, WORTH, Clause, Line, RuleFile

Value = TypeVar("Value")
Code = Callable[[], str]
PLAYERS = ("ann", "ben", "cy")
KINDS = ("low", "high", "gold")
NUMBER, TRUTH, PLAYER, CARD, DIE = "number", "truth", "player", "card", "die"
MAYBE, CARDS, SOME_PLAYERS = "maybe card", "cards", "players"
GIVEN = (NUMBER, NUMBER, PLAYER, PLAYER, CARD)
PREFIX = {
    NUMBER: "n", TRUTH: "t", PLAYER: "p", CARD: "c", DIE: "d",
    MAYBE: "m", CARDS: "cs", SOME_PLAYERS: "ps",
}  # fmt: skip
MOST_CLAUSES = 3
MOST_DEFINED = 2
_NAMED = re.compile(r"\bas ([a-z]+\d+)\b")
WORTH_OF = Clause(
    WORTH,
    (Line("sum of value of card for each card in hand of player"),),
    ("define: worth of player",),
    defines=True,
)


@dataclass(frozen=True, slots=True)
class Helper:
    """A clause that others can do. `outcome` is the type it returns, `opens` whether it begins with
    its question, `quiet` whether it can be supposed."""

    name: str
    given: tuple[str, ...]
    outcome: str | None
    opens: bool
    quiet: bool


@dataclass(slots=True)
class Scope:
    """What can be said in a clause. `asks`: it may still ask a question; `quiet`: it asks nobody,
    tells nobody anything and leaves nothing to chance; `pure`: it is a definition; `alone`:
    it does no other clause."""

    names: list[tuple[str, str]] = field(default_factory=list)
    asks: bool = False
    quiet: bool = False
    pure: bool = False
    alone: bool = False
    outcome: str | None = None
    looped: int = 0
    conditions: list[str] = field(default_factory=list)
    """Conditions that were written before, to be written again."""
    text: str = ""


def generated(seed: int) -> RuleFile:
    return _Maker(seed).file()


class _Maker:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.luck = Random(seed)
        self.count = 0
        self.clauses: list[Clause] = []
        self.helpers: list[Helper] = []
        self.made = 0
        self.defined: list[tuple[str, str, tuple[str, ...]]] = []
        """The form of a definition, the type of its value, and the types of its operands."""
        self.scope = Scope()
        self.secret = 0.5
        self.window = False

    def file(self) -> RuleFile:
        for _ in range(self.luck.randrange(MOST_DEFINED + 1)):
            self._define()
        self.scope = Scope(asks=self.chance(0.5))
        code = self.block(self.luck.randint(2, 5), 0)
        test = Clause(FIRST, code, self._head())
        if self.window:
            self._cards()
        return RuleFile(self.seed, (test, *self.clauses, WORTH_OF))

    # ------------------------------------------------------------ chance and names

    def chance(self, probability: float) -> bool:
        return self.luck.random() < probability

    def one(self, *choices: tuple[float, Callable[[], Value]]) -> Value:
        """One of several productions, by their weights."""
        weights = [max(0.0, weight) for weight, _ in choices]
        (at,) = self.luck.choices(range(len(choices)), weights)
        return choices[at][1]()

    def pick(self, *choices: Value) -> Value:
        return self.luck.choice(choices)

    def fresh(self, type: str) -> str:
        self.count += 1
        return f"{PREFIX[type]}{self.count}"

    def named(self, name: str, type: str) -> str:
        self.scope.names.append((name, type))
        return name

    def new(self, type: str) -> str:
        """A new name in scope."""
        return self.named(self.fresh(type), type)

    def names(self, *types: str) -> list[str]:
        held = dict(self.scope.names)
        return [name for name, type in held.items() if type in types]

    @contextmanager
    def inside(self, *names: tuple[str, str], looped: bool = False) -> Iterator[None]:
        """Meanwhile these names hold, too; then none that were given in between."""
        before, told = len(self.scope.names), len(self.scope.conditions)
        self.scope.names += names
        self.scope.looped += looped
        yield
        self.scope.looped -= looped
        del self.scope.names[before:]
        del self.scope.conditions[told:]

    @contextmanager
    def secretly(self, probability: float) -> Iterator[None]:
        """Meanwhile so many of the values look at something hidden."""
        before, self.secret = self.secret, probability
        yield
        self.secret = before

    def hidden(self) -> bool:
        return self.chance(self.secret)

    # ------------------------------------------------------------ values

    def number(self, depth: int = 0) -> str:
        names = self.names(NUMBER)
        if names and self.chance(0.35):
            return self.luck.choice(names)
        if depth > 2:
            return self.small()
        deeper = depth + 1
        return self.one(
            (2, self.small),
            (5, self.secret_number if self.hidden() else self.open_number),
            (1.2, lambda: f"({self.number(deeper)} {self.pick('+', '-')} {self.number(deeper)})"),
            (0.3, lambda: f"({self.number(deeper)} * {self.pick(0, 2, -1)})"),
            (0.8, lambda: self.divided(deeper)),
            (0.5, lambda: f"{self.pick('smaller', 'larger')}({self.number(deeper)}, {self.small()})"),
            (0.6, lambda: self.conditional(self.number, deeper)),
            (0.7, lambda: self.counted(deeper)),
            (0.7 if self.of_type(NUMBER) else 0, lambda: self.call(NUMBER, deeper)),
        )

    def small(self) -> str:
        return str(self.pick(0, 1, 1, 2, 2, 3, 4))

    def secret_number(self) -> str:
        cards = self.names(CARD)
        dice = self.names(DIE)
        return self.one(
            (5, lambda: f"worth of {self.player(2)}"),
            (1.5, lambda: self.pick("fate", "fate", "mood", "note")),
            (1.5, lambda: f"{self.pick('plan', 'rumour', 'doom')} of {self.player(2)}"),
            (0.5, lambda: "(count of cards in aside)"),
            (0.6, lambda: f"(count of stones in purse of {self.player(2)})"),
            (2 if cards else 0, lambda: f"{self.pick('value', 'boost')} of {self.luck.choice(cards)}"),
            (2 if dice else 0, lambda: f"face of {self.luck.choice(dice)}"),
        )

    def open_number(self) -> str:
        return self.one(
            (3, lambda: "price"),
            (1, lambda: f"score of {self.player(2)}"),
            (1, lambda: f"(count of cards in {self.place(2)})"),
            (0.7, lambda: f"number of {self.player(2)}"),
            (0.5, lambda: "(count of stones in bag)"),
            (0.4, lambda: "player_count"),
        )

    def divided(self, depth: int) -> str:
        by = self.one((3, lambda: str(self.pick(1, 2, 3))), (1, lambda: self.number(depth)))
        if self.chance(0.4):
            return f"remainder({self.number(depth)}, {by})"
        return f"({self.number(depth)} / {by} rounded {self.pick('down', 'up')})"

    def counted(self, depth: int) -> str:
        sort = self.pick(CARD, CARD, PLAYER, DIE)
        name, binder = self.binder(sort, depth, self.pick(0.3, 0.9))
        with self.inside((name, sort)):
            value = self.number(2)
        otherwise = "" if sort == PLAYER and "where" not in binder else f" otherwise {self.small()}"
        return self.one(
            (2, lambda: f"(count of {binder})"),
            (1, lambda: f"(sum of {value} for each {binder})"),
            (0.7, lambda: f"({self.pick('highest', 'lowest')} of {value} for each {binder}{otherwise})"),
        )

    def conditional(self, of: Callable[[int], str], depth: int) -> str:
        return f"(if {self.truth(depth)} then {of(depth)} else {of(depth)})"

    def truth(self, depth: int = 0) -> str:
        names = self.names(TRUTH)
        if names and self.chance(0.3):
            return self.luck.choice(names)
        again = self.scope.conditions
        if again and self.chance(0.25):
            return self.again(self.luck.choice(again))
        if depth > 2:
            return self.compared()
        deeper = depth + 1
        card, maybe = self.names(CARD), self.names(MAYBE)
        some, several = self.names(SOME_PLAYERS), self.names(CARDS)
        rules = not self.scope.pure
        others = rules and not self.scope.alone
        return self.one(
            (4, self.compared),
            (1, lambda: f"({self.truth(deeper)} {self.pick('and', 'or')} {self.truth(deeper)})"),
            (0.5, lambda: f"(not {self.truth(deeper)})"),
            (1.5, lambda: self.exists(deeper)),
            (0.5, lambda: self.every(deeper)),
            (1, lambda: f"({self.player(deeper)} is {self.pick('', 'not ')}{self.player(deeper)})"),
            (0.5, lambda: f"ready of {self.player(deeper)}"),
            (0.7, lambda: f"({self.place(deeper)} is {self.pick('', 'not ')}empty)"),
            (2.5 if card else 0, lambda: self.about_card(card)),
            (1.5 if maybe else 0, lambda: f"({self.luck.choice(maybe)} is nothing)"),
            (1 if some else 0, lambda: self.about_players(some)),
            (1 if several else 0, lambda: f"({self.luck.choice(several)} is empty)"),
            (0.3, lambda: f"(tint is {self.pick('red', 'blue')})"),
            (0.7 if self.of_type(TRUTH) else 0, lambda: self.call(TRUTH, deeper)),
            (0.4 if card and rules else 0, lambda: self.supposing_move(card, deeper)),
            (0.5 if others and self.room() else 0, lambda: self.supposing(deeper)),
            (0.5 if others and self.room() else 0, lambda: self.possible(deeper)),
        )

    def compared(self) -> str:
        sign = self.pick("<", ">", "=", ">=", "<=")
        return f"({self.number(2)} {sign} {self.number(2)})"

    def again(self, condition: str) -> str:
        """A condition once more; names that it gives must not hold yet."""
        held = {name for name, _ in self.scope.names}
        for name in set(_NAMED.findall(condition)) & held:
            condition = re.sub(rf"\b{name}\b", self.fresh(CARD), condition)
        return condition

    def exists(self, depth: int) -> str:
        _, binder = self.binder(self.pick(CARD, CARD, PLAYER, DIE), depth, 0.8, plural=False)
        return f"({self.pick('there is a', 'there is no')} {binder})"

    def every(self, depth: int) -> str:
        sort = self.pick(CARD, PLAYER)
        name, binder = self.binder(sort, depth, 0.2, plural=False)
        with self.inside((name, sort)):
            return f"(for every {binder}, {self.truth(depth + 1)})"

    def about_card(self, cards: Sequence[str]) -> str:
        card = self.luck.choice(cards)
        return self.one(
            (2, lambda: f"({card} is {self.pick('', 'not ')}{self.pick(*KINDS)})"),
            (1, lambda: f"marked of {card}"),
            (1, lambda: f"(colour of {card} is {self.pick('red', 'blue', 'tint')})"),
            (1, lambda: f"({card} is in {self.place(2)})"),
            (1, lambda: f"(value of {card} > {self.number(2)})"),
            (0.6, lambda: f"({card} is {self.luck.choice([*cards, 'prize', 'omen'])})"),
        )

    def about_players(self, some: Sequence[str]) -> str:
        group = self.luck.choice(some)
        return self.one(
            (1, lambda: f"({group} is empty)"),
            (1, lambda: f"({self.player(2)} is in {group})"),
            (1, lambda: f"(count of {group} > {self.small()})"),
        )

    def supposing_move(self, cards: Sequence[str], depth: int) -> str:
        to = self.place(depth)
        return f"(supposing {self.luck.choice(cards)} moves to {to}, {self.truth(depth)})"

    def supposing(self, depth: int) -> str:
        helper = self.helper(quiet=True)
        return f"(supposing {self.applied(helper, depth)}, {self.truth(depth)})"

    def possible(self, depth: int) -> str:
        helper = self.helper(opens=True)
        return f"({self.applied(helper, depth)} is possible)"

    def player(self, depth: int = 0) -> str:
        names = self.names(PLAYER)
        if names and self.chance(0.5):
            return self.luck.choice(names)
        if depth > 2:
            return self.pick(*PLAYERS)
        dice = self.names(DIE)
        return self.one(
            (6, lambda: self.pick(*PLAYERS)),
            (1, lambda: "active"),
            (1, lambda: f"{self.pick('left', 'right')}_neighbour of {self.player(depth + 1)}"),
            (0.5, lambda: self.conditional(self.player, depth + 1)),
            (1 if dice else 0, lambda: f"owner of {self.luck.choice(dice)}"),
            (0.2, lambda: f"(the {self.binder(PLAYER, depth + 1, 0.9, plural=False)[1]})"),
        )

    def players(self, depth: int = 0) -> str:
        """Several players, perhaps none."""
        names = self.names(SOME_PLAYERS)
        if names and self.chance(0.5):
            return self.luck.choice(names)
        return self.one(
            (3, lambda: f"(all {self.binder(PLAYER, depth, 1)[1]})"),
            (1, lambda: f"[{self.pick('ann, ben', 'ben, cy', 'cy')}]"),
            (0.5, lambda: f"[{self.player(2)}]"),
        )

    def cards(self, depth: int = 0) -> str:
        names = self.names(CARDS)
        if names and self.chance(0.4):
            return self.luck.choice(names)
        return f"(all {self.binder(CARD, depth, 0.6)[1]})"

    def place(self, depth: int = 0) -> str:
        """A place that holds cards."""
        if self.hidden():
            whose = self.pick("hand", "hand", "hand", "vault", "brow", "hoard", "sleeve", "")
            if whose:
                return f"{whose} of {self.player(max(depth, 1))}"
            return self.pick("aside", "heap", "heap", "shelf", "deck")
        if self.chance(0.6):
            return "discard"
        return f"slot({self.column()})"

    def column(self) -> str:
        return self.one(
            (4, lambda: str(self.pick(1, 2, 3, 4))),
            (1, lambda: f"smaller(4, larger(1, {self.number(2)}))"),
            (0.5, lambda: self.number(2)),
        )

    def binder(
        self, sort: str, depth: int, where: float, plural: bool = True, inside: str | None = None
    ) -> tuple[str, str]:
        """Things of a sort, with a name that is not in scope yet."""
        name = self.fresh(sort)
        noun = {CARD: "card", PLAYER: "player", DIE: "die"}[sort]
        nouns = {CARD: "cards", PLAYER: "players", DIE: "dice"}[sort] if plural else noun
        text = f"{nouns} as {name}"
        if sort == CARD:
            sets = self.names(CARDS)
            text += f" in {inside or (self.pick(*sets) if sets and self.chance(0.3) else self.place(depth + 1))}"
        elif sort == DIE:
            text += f" in {inside or self.dice()}"
        elif self.names(SOME_PLAYERS) and self.chance(0.3):
            text += f" in {self.pick(*self.names(SOME_PLAYERS))}"
        elif self.chance(0.2):
            text += f" except {self.player(2)}"
        if self.chance(where):
            with self.inside((name, sort)):
                text += f" where {self.truth(min(depth + 1, 3))}"
        return name, text

    def dice(self) -> str:
        return self.one((3, lambda: f"cup of {self.player(2)}"), (1, lambda: "tray"))

    def value(self, type: str, depth: int = 0) -> str:
        cards = self.names(CARD)
        of: dict[str, Callable[[], str]] = {
            NUMBER: lambda: self.number(depth),
            TRUTH: lambda: self.truth(depth),
            PLAYER: lambda: self.player(depth),
            SOME_PLAYERS: lambda: self.players(depth),
            CARDS: lambda: self.cards(depth),
            MAYBE: self.maybe,
            CARD: lambda: (
                self.luck.choice(cards)
                if cards and self.chance(0.9)
                else f"(the {self.binder(CARD, 1, 0.3, plural=False)[1]})"
            ),
        }
        return of[type]()

    def maybe(self) -> str:
        """A card, or nothing."""
        pile = self.pick("discard", "heap", "heap", f"hoard of {self.player(2)}", f"brow of {self.player(2)}")
        return self.one(
            (3, lambda: f"top of {pile}"),
            (1, lambda: self.pick("prize", "omen")),
            (1, lambda: f"{self.pick('first', 'last')} of {self.cards(1)}"),
        )

    # ------------------------------------------------------------ definitions and other clauses

    def of_type(self, type: str) -> list[tuple[str, tuple[str, ...]]]:
        return [(form, given) for form, of, given in self.defined if of == type]

    def call(self, type: str, depth: int) -> str:
        form, given = self.luck.choice(self.of_type(type))
        values = [self.value(each, depth) for each in given]
        return "(" + form.format(*values) + ")"

    def _define(self) -> None:
        """A definition, which may mention those before it."""
        name = f"value_{len(self.defined) + 1}"
        kind = self.pick("of", "is", "brackets")
        outer, self.scope = self.scope, Scope(pure=True)
        operand = self.new(self.pick(PLAYER, PLAYER, NUMBER))
        of = self.scope.names[0][1]
        head = f"given: {{{operand}: {of}}}"
        lets = []
        if self.chance(0.3):
            part = self.number(1)
            lets.append(Line(f"let {self.new(NUMBER)} be {part}"))
        operands, given, form, type = [operand], (of,), f"{name} of {{}}", NUMBER
        if kind == "is":
            form, type = f"{{}} is {name}", TRUTH
        elif kind == "brackets":
            second = self.new(NUMBER)
            head = f"given: {{{operand}: {of}, {second}: number}}"
            operands, given, form = [operand, second], (of, NUMBER), f"{name}({{}}, {{}})"
        value = self.truth(0) if type == TRUTH else self.number(0)
        self.scope = outer
        define = f"define: {form.format(*operands)}"
        code = (*lets, Line(value))
        self.clauses.append(Clause(name, code, (define, head), defines=True))
        self.defined.append((form, type, given))

    def room(self) -> bool:
        return self.made < MOST_CLAUSES

    def helper(
        self, outcome: str | None = None, opens: bool = False, quiet: bool = False
    ) -> Helper:
        """Another clause, new unless there is one. Clauses that are being made are not yet there,
        so none does itself."""
        there = [
            each
            for each in self.helpers
            if (each.opens or not opens)
            and (each.quiet or not quiet)
            and each.outcome == outcome
        ]
        if there and (not self.room() or self.chance(0.5)):
            return self.luck.choice(there)
        self.made += 1
        name = f"part_{self.made}"
        outer, secret, self.secret = self.scope, self.secret, 0.5
        asks = opens or (not quiet and self.chance(0.35))
        self.scope = Scope(asks=asks, quiet=quiet, outcome=outcome)
        for _ in range(self.pick(0, 1, 1, 2, 2)):
            self.new(self.pick(*GIVEN))
        given = tuple(self.scope.names)
        code: tuple[Line, ...] = ()
        if opens:
            code = self.question(opens=True)
        code += self.block(self.luck.randint(1, 3), 1, last=False)
        if outcome is not None:
            code += (Line(f"the outcome is {self.value(outcome, 1)}"),)
        head = self._head()
        if given:
            words = ", ".join(f"{name}: {type}" for name, type in given)
            head = (*head, f"given: {{{words}}}")
        self.clauses.append(Clause(name, code, head))
        made = Helper(name, tuple(type for _, type in given), outcome, opens, quiet)
        self.helpers.append(made)
        self.scope, self.secret = outer, secret
        return made

    def applied(self, helper: Helper, depth: int = 0) -> str:
        if not helper.given:
            return helper.name
        return f"{helper.name}({', '.join(self.value(each, depth + 1) for each in helper.given)})"

    def _head(self) -> tuple[str, ...]:
        return (f'asks: "{self.scope.text}"',) if self.scope.text else ()

    def _cards(self) -> None:
        """What cards do that are played in the window."""
        for kind in (("low",), ("gold",), ("low", "gold"))[self.luck.randrange(3)]:
            self.scope = Scope(
                [("points", NUMBER), ("player", PLAYER), ("card", CARD)], alone=True
            )
            head = [f"plays: {kind}", "when: moment"]
            if self.chance(0.3):
                head += ["guards:", "  guard_0: So it must be.", "where:", f"  guard_0: {self.truth(1)}"]
            code = self.block(self.luck.randint(1, 2), 1)
            if self.chance(0.6):
                code += (Line(f"points becomes {self.number(1)}"),)
            self.clauses.append(Clause(f"card.{kind}", code, tuple(head)))

    # ------------------------------------------------------------ statements

    def block(self, size: int, depth: int, last: bool = True) -> tuple[Line, ...]:
        found: list[Line] = []
        while len(found) < size:
            found += self.statement(depth)
        if last and depth and self.chance(0.08) and not self.scope.quiet:
            found.append(self.leaving())
        return tuple(found)

    def nested(self, depth: int, *names: tuple[str, str], looped: bool = False) -> tuple[Line, ...]:
        """What is indented below a line."""
        with self.inside(*names, looped=looped):
            size = 1 if depth > 1 else self.pick(1, 1, 2, 3)
            return self.block(size, depth + 1)

    def leaving(self) -> Line:
        if self.scope.outcome is not None:
            return Line(f"the outcome is {self.value(self.scope.outcome, 1)}")
        return Line(self.pick("finish", "finish", "end the game"))

    def statement(self, depth: int) -> tuple[Line, ...]:
        quiet, flat = self.scope.quiet, depth < 3
        noisy = 0 if quiet else 1
        asks = self.scope.asks and not self.scope.looped and noisy
        return self.one(
            (4, self.let),
            (1.5 if self.names(NUMBER, PLAYER, TRUTH) else 0, self.change),
            (5, self.set_marker),
            (1.2 if self.names(CARD, DIE) else 0, self.set_state),
            (2.5, self.move),
            (1.5 * noisy, self.draw),
            (1.2, self.scores),
            (2 * noisy, self.tell),
            (0.5 * noisy, self.pick_random),
            (0.3 * noisy, lambda: (Line(f"shuffle {self.pick('deck', 'aside')}"),)),
            (3 if flat else 0, lambda: self.branch(depth)),
            (1 if flat else 0, lambda: self.for_each(depth)),
            (0.7 if flat else 0, lambda: self.repeat(depth)),
            (0.5 if flat else 0, lambda: self.rank(depth)),
            (0 if self.scope.alone else noisy, self.do),
            (0 if self.scope.alone else 0.8 * noisy, self.outcome),
            (4 if asks else 0, self.question),
            (9 if flat else 0, lambda: self.idiom(depth)),
        )

    def let(self) -> tuple[Line, ...]:
        type = self.pick(NUMBER, NUMBER, NUMBER, TRUTH, PLAYER, SOME_PLAYERS, CARDS, MAYBE)
        with self.secretly(0.7):
            value = self.value(type)
        return (Line(f"let {self.new(type)} be {value}"),)

    def change(self) -> tuple[Line, ...]:
        name, type = self.luck.choice(
            [each for each in self.scope.names if each[1] in (NUMBER, PLAYER, TRUTH)]
        )
        if type == NUMBER and self.chance(0.3):
            return (Line(f"{name} {self.pick('increases', 'decreases')} by {self.number(1)}"),)
        return (Line(f"{name} becomes {self.value(type, 1)}"),)

    def set_marker(self) -> tuple[Line, ...]:
        if self.chance(0.4):
            with self.secretly(0.8):
                target = self.pick("fate", "note", f"plan of {self.player(1)}", f"rumour of {self.player(1)}", f"doom of {self.player(1)}", "mood", "omen")
                value = self.column() if target == "mood" else self.number(0)
                if target == "omen":
                    value = self.one((1, lambda: "nothing"), (3, lambda: self.value(CARD)))
                return (Line(f"{target} becomes {value}"),)
        return (self.open_marker(),)

    def open_marker(self) -> Line:
        with self.secretly(0.3):
            cards = self.names(CARD)
            return Line(
                self.one(
                    (5, lambda: f"price becomes {self.number(0)}"),
                    (2, lambda: f"active becomes {self.player(0)}"),
                    (0.7, lambda: f"tint becomes {self.pick('red', 'blue')}"),
                    (1.5, lambda: f"ready of {self.player(1)} becomes {self.truth(1)}"),
                    (1 if cards else 0, lambda: f"prize becomes {self.luck.choice([*cards, 'nothing'])}"),
                    (0.5 if cards else 0, lambda: f"tint becomes colour of {self.luck.choice(cards)}"),
                    (0.5, lambda: f"price increases by {self.number(1)}"),
                )
            )

    def set_state(self) -> tuple[Line, ...]:
        cards, dice = self.names(CARD), self.names(DIE)
        return (
            Line(
                self.one(
                    (2 if cards else 0, lambda: f"marked of {self.luck.choice(cards)} becomes {self.truth(1)}"),
                    (2 if cards else 0, lambda: f"boost of {self.luck.choice(cards)} becomes {self.number(1)}"),
                    (2 if dice else 0, lambda: f"face of {self.luck.choice(dice)} becomes {self.number(1)}"),
                    (1 if dice else 0, lambda: f"chipped of {self.luck.choice(dice)} becomes {self.truth(1)}"),
                )
            ),
        )

    def to(self) -> str:
        with self.secretly(0.6):
            place = self.place()
        piles = ("deck", "aside", "heap", "hoard", "discard", "slot")
        bottom = place.startswith(piles) and self.chance(0.1)
        return f"bottom of {place}" if bottom else place

    def amount(self) -> str:
        return self.one((3, lambda: str(self.pick(0, 1, 1, 2))), (1, lambda: self.number(1)))

    def move(self) -> tuple[Line, ...]:
        cards, sets = self.names(CARD), self.names(CARDS)
        return (
            Line(
                self.one(
                    (4 if cards else 0, lambda: f"move {self.luck.choice(cards)} to {self.to()}"),
                    (2 if sets else 0, lambda: f"move {self.luck.choice(sets)} to {self.to()}"),
                    (1, lambda: f"move a {self.binder(CARD, 0, 0.5, plural=False)[1]} to {self.to()}"),
                    (1, lambda: f"move up to {self.amount()} {self.binder(CARD, 0, 0.5)[1]} to {self.to()}"),
                    (0.5, lambda: f"move {self.amount()} {self.binder(CARD, 0, 0.3)[1]} to {self.to()}"),
                    (1, lambda: f"move all {self.binder(CARD, 0, 0.5)[1]} to {self.to()}"),
                    (2, self.move_stones),
                    (0.7, lambda: f"move a {self.binder(DIE, 0, 0.4, plural=False)[1]} to {self.dice()}"),
                )
            ),
        )

    def move_stones(self) -> str:
        goes = self.one(
            (1, lambda: "a stone"),
            (2, lambda: f"up to {self.amount()} stones"),
            (0.7, lambda: f"{self.amount()} stones"),
            (0.7, lambda: "all stones"),
        )
        return f"move {goes} in {self.stones()} to {self.stones()}"

    def stones(self) -> str:
        return self.one(
            (2, lambda: "bag"),
            (1.5, lambda: f"field({self.column()})"),
            (1.5, lambda: f"purse of {self.player(1)}"),
            (1, lambda: f"sack of {self.player(1)}"),
        )

    def draw(self) -> tuple[Line, ...]:
        source = self.pick("deck", "deck", "deck", "aside", "heap", f"hand of {self.player(1)}", "discard")
        otherwise = () if self.chance(0.2) else (Line("otherwise: skip"),)
        if self.chance(0.3):
            return (Line(f"draw {self.amount()} cards from {source} to {self.to()}", otherwise),)
        to = self.to()
        name = self.new(MAYBE if otherwise else CARD)
        return (Line(f"draw card as {name} from {source} to {to}", otherwise),)

    def scores(self) -> tuple[Line, ...]:
        who = self.one(
            (2, lambda: self.player(0)), (2, lambda: self.players(0)), (0.5, lambda: "players")
        )
        each = f" for each {self.binder(CARD, 1, 0.5)[1]}" if self.chance(0.1) else ""
        return (Line(f"{who} {self.pick('score', 'lose')}{'s' if self.chance(0.5) else ''} {self.number(0)}{each}"),)

    def tell(self) -> tuple[Line, ...]:
        who = self.one(
            (4, lambda: "everyone"), (1.5, lambda: self.player(0)), (0.7, lambda: self.players(0))
        )
        cards = self.names(CARD, CARDS)
        if cards and self.chance(0.15):
            return (Line(f"show {self.luck.choice(cards)} to {who}"),)
        names = self.names(NUMBER, PLAYER, CARD, CARDS, SOME_PLAYERS)
        if names and self.chance(0.7):
            return (Line(f"tell {who} {self.luck.choice(names)}"),)
        if self.chance(0.5):
            condition = self.truth(0)
            self.scope.conditions.append(condition)
            return (Line(f"tell {who} whether {condition}"),)
        type = self.pick(NUMBER, NUMBER, PLAYER, CARDS)
        value = self.value(type)
        if value.startswith(("worth", "rumour", "plan", "doom", "fate", "price")):
            return (Line(f"tell {who} {value}"),)
        name = self.new(type)
        return (Line(f"let {name} be {value}"), Line(f"tell {who} {name}"))

    def pick_random(self) -> tuple[Line, ...]:
        sort = self.pick(CARD, PLAYER, NUMBER)
        if sort == NUMBER:
            name = self.fresh(NUMBER)
            line = Line(f"pick a random column as {name}")
        else:
            name, binder = self.binder(sort, 1, 0.3, plural=False)
            line = Line(f"pick a random {binder}")
        self.named(name, sort)
        return (line,)

    def branch(self, depth: int) -> tuple[Line, ...]:
        """An `if`; what its condition finds has a name below it."""
        with self.secretly(0.7):
            maybe = self.names(MAYBE)
            if maybe and self.chance(0.4):
                name = self.luck.choice(maybe)
                # The same name, now surely a card.
                head, found = f"if {name} is not nothing:", [(name, CARD)]
            elif self.chance(0.3):
                sort = self.pick(CARD, CARD, PLAYER)
                name, binder = self.binder(sort, 1, 0.7, plural=False)
                head, found = f"if there is a {binder}:", [(name, sort)]
            else:
                condition = self.truth(0)
                self.scope.conditions.append(condition)
                head, found = f"if {condition}:", _bound(condition)
        then = self.nested(depth, *found)
        beside: tuple[Line, ...] = ()
        if self.chance(0.1):
            condition = self.truth(1)
            beside += (Line(f"else if {condition}:", self.nested(depth)),)
        if self.chance(0.4):
            beside += (Line("else:", self.nested(depth)),)
        return (Line(head, then, beside),)

    def for_each(self, depth: int) -> tuple[Line, ...]:
        if self.chance(0.25):
            name = self.fresh(NUMBER)
            head = f"for each number as {name} in 1..{self.number(2)}:"
            return (Line(head, self.nested(depth, (name, NUMBER), looped=True)),)
        sort = self.pick(CARD, CARD, PLAYER, PLAYER, DIE)
        name, binder = self.binder(sort, 1, 0.4, plural=False)
        return (Line(f"for each {binder}:", self.nested(depth, (name, sort), looped=True)),)

    def repeat(self, depth: int) -> tuple[Line, ...]:
        with self.secretly(0.5):
            head = self.one(
                (2, lambda: f"repeat {self.amount()} times:"),
                (1, lambda: f"repeat until {self.truth(1)}, at most {self.pick(2, 3, 20)} times:"),
                (1, lambda: f"repeat up to {self.pick(2, 3)} times, {self.pick('until', 'while')} {self.truth(1)}:"),
            )
        return (Line(head, self.nested(depth, looped=True)),)

    def rank(self, depth: int) -> tuple[Line, ...]:
        if "tied" in dict(self.scope.names):
            return self.let()
        sort = self.pick(PLAYER, PLAYER, CARD)
        name, binder = self.binder(sort, 1, 0.2)
        with self.inside((name, sort)):
            key = self.number(1)
        tied = CARDS if sort == CARD else SOME_PLAYERS
        head = f"rank {binder} by {key}, {self.pick('highest', 'lowest')} first:"
        names = (("tied", tied), ("place", NUMBER), ("tier", NUMBER))
        return (Line(head, self.nested(depth, *names, looped=True)),)

    def do(self) -> tuple[Line, ...]:
        there = [each for each in self.helpers if each.outcome is None]
        if not there and not self.room():
            return self.let()
        return (Line(f"do {self.applied(self.helper())}"),)

    def outcome(self) -> tuple[Line, ...]:
        type = self.pick(NUMBER, TRUTH, PLAYER)
        if not self.room() and not any(each.outcome == type for each in self.helpers):
            return self.let()
        value = self.applied(self.helper(type))
        if self.chance(0.2) and type == NUMBER:
            return (Line(f"{self.pick('price', 'fate')} becomes {value}"),)
        return (Line(f"let {self.new(type)} be {value}"),)

    def idiom(self, depth: int) -> tuple[Line, ...]:
        """A few statements that are likely to be misjudged together."""
        noisy = 0 if self.scope.quiet else 1
        others = 0 if self.scope.alone or not self.room() else noisy
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

    def sharp(self) -> str:
        """A condition about something hidden that often holds, and often does not."""
        self.count += 1
        card, who = f"c{self.count}", self.pick(*PLAYERS, "ben", "ben", *self.names(PLAYER))
        place = self.pick(f"hand of {who}", "hand of ben", "brow of ben", "hoard of ben", "aside", "shelf")
        return self.one(
            (3, lambda: f"(worth of {who} > {self.pick(1, 2, 3, 4)})"),
            (3, lambda: f"(there is a card as {card} in {place} where ({card} is {self.pick(*KINDS)}))"),
            (2, lambda: f"({self.pick('fate', 'plan of ben', 'fate', f'worth of {who}')} {self.pick('>', '=')} {self.pick(1, 2, 3)})"),
            (1, lambda: f"(worth of {who} > worth of {self.pick(*PLAYERS)})"),
            (1, lambda: self.truth(1)),
        )

    def signal(self) -> Line:
        """Something that everyone sees, and that is seldom the same twice."""
        return self.one(
            (4, lambda: Line(f"price becomes {self.pick(5, 6, 7, 8)}")),
            (1, lambda: Line(f"active becomes {self.pick(*PLAYERS)}")),
            (1, lambda: Line(f"move up to 1 stones in bag to field({self.pick(1, 2, 3)})")),
            (1, lambda: Line(f"ready of {self.pick(*PLAYERS)} becomes {self.pick('yes', 'not ready of ann')}")),
            (1, self.open_marker),
        )

    def empty(self) -> str:
        """A set of players in which often there is nobody."""
        name = self.fresh(PLAYER)
        return f"(all players as {name} where {self.pick(f'(number of {name} > 3)', f'(score of {name} > 20)', self.sharp(), f'(worth of {name} > 5)')})"

    def seems_to_tell(self) -> tuple[Line, ...]:
        """Something that tells, or only seems to: since it is done for nobody, or with nothing."""
        noisy = 0 if self.scope.quiet else 1
        card = self.fresh(CARD)
        none = self.pick("slot(4)", "sleeve of ann", "hand of cy", "discard", "slot(1)", "hand of ann")
        to = self.pick("discard", "slot(2)", "hand of ann", "heap", "vault of ben")
        hidden = self.pick("hand of ben", "vault of ann", "aside", "heap", "deck", none)
        who = self.pick(*PLAYERS)
        return self.one(
            (3, lambda: (Line(f"{self.empty()} score {self.pick(0, 1)}"),)),
            (1, lambda: (Line(f"{who} scores {self.pick(0, 1)}"),)),
            (1.5, lambda: (Line(f"move all cards as {card} in {none} to {to}"),)),
            (1, lambda: (Line(f"move up to {self.pick(0, 1)} cards as {card} in {hidden} to {to}"),)),
            (0.7, lambda: (Line(f"move {self.pick(0, 1)} cards as {card} in {hidden} to {to}"),)),
            (1 * noisy, lambda: (Line(f"draw {self.pick(0, 1)} cards from {hidden} to {to}", (Line("otherwise: skip"),)),)),
            (1 * noisy, lambda: (Line(f"tell {self.pick('everyone', who, '[ann, ben]', self.empty())} {self.pick('price', 'fate', 'worth of ben', 'plan of ben')}"),)),
            (1, lambda: (Line(f"for each card as {card} in {none}:", self.seems_to_tell()),)),
            (0.5, lambda: (Line(f"repeat {self.pick('0', '1', self.secret_number())} times:", self.seems_to_tell()),)),
            (0.5, lambda: (Line(f"if {self.truth(2)}:", self.seems_to_tell()),)),
            (0.5, self.move),
            (0.5, lambda: self.tell() if noisy else self.scores()),
            (0.5 * noisy, lambda: self.pick_random()),
        )

    def ways_that_differ(self) -> tuple[Line, ...]:
        """Each way may begin with something that tells which way it is."""
        condition = self.sharp()
        with self.inside(*_bound(condition)):
            then = (*(self.seems_to_tell() if self.chance(0.8) else ()), self.signal())
        with self.inside():
            other = (*(self.seems_to_tell() if self.chance(0.3) else ()), self.signal())
        beside = (Line("else:", other),) if self.chance(0.6) else ()
        return (Line(f"if {condition}:", then, beside),)

    def set_on_one_way(self) -> tuple[Line, ...]:
        """A name that is another on one way, or after some rounds."""
        first = self.new(self.pick(NUMBER, NUMBER, PLAYER))
        number = first.startswith("n")
        one, two = ("0", "7") if number else ("ann", "cy")
        condition = self.sharp()
        change = Line(f"{first} becomes {two}")
        way = self.one(
            (2, lambda: Line(f"if {condition}:", (change,))),
            (1, lambda: Line(f"if {condition}:", (Line("skip"),), (Line("else:", (change,)),))),
            (1, lambda: Line(f"repeat {self.secret_number()} times:", (change,))),
            (1, lambda: Line(f"repeat up to 2 times, until {condition}:", (change,))),
        )
        use = Line(f"price becomes {first}" if number else f"active becomes {first}")
        more = self.statement(3) if self.chance(0.3) else ()
        return (Line(f"let {first} be {one}"), way, *more, use)

    def copied_and_told(self, first: str = "") -> tuple[Line, ...]:
        """A name is changed after it was copied, and one of the two is told."""
        there = self.names(NUMBER)
        lines = []
        if not first and there and self.chance(0.3):
            first = self.luck.choice(there)
        elif not first:
            with self.secretly(0.9):
                value = self.number(1)
            first = self.new(NUMBER)
            lines.append(Line(f"let {first} be {value}"))
        copy = self.new(NUMBER)
        lines.append(Line(f"let {copy} be {self.pick(first, f'{first} + 1')}"))
        if self.chance(0.7):
            changed = self.pick("0", f"{first} / 9 rounded down", f"{first} + 1", f"smaller({first}, 1)")
            lines.append(Line(f"{first} becomes {changed}"))
        who = self.pick("everyone", "everyone", "everyone", "ann", "ben")
        lines.append(Line(f"tell {who} {self.pick(first, first, copy)}"))
        shown = self.pick("price", "price", "price", "plan of ann", "rumour of ben")
        lines.append(Line(f"{shown} becomes {self.pick(first, copy, copy)}"))
        return tuple(lines)

    def told_and_used(self) -> tuple[Line, ...]:
        with self.secretly(0.9):
            value = self.number(1)
        name = self.new(NUMBER)
        tell = Line(f"tell everyone {name}")
        return (Line(f"let {name} be {value}"), tell, self.open_marker())

    def whether_then_if(self, depth: int) -> tuple[Line, ...]:
        """What was told is used, perhaps after it has changed."""
        condition = self.sharp()
        lines = [Line(f"tell everyone whether {condition}")]
        if self.chance(0.5):
            lines += self.statement(3)
        self.scope.conditions.append(condition)
        again = self.again(condition)
        then = (self.signal(), *self.nested(depth, *_bound(again)))
        return (*lines, Line(f"if {again}:", then))

    def found_out_inside(self) -> tuple[Line, ...]:
        """A condition inside of a value, which does not hold outside of it."""
        _, binder = self.binder(CARD, 1, 0, inside="discard")
        one, other = self.player(0), self.player(0)
        inner = self.pick(f"{one} is not {other}", f"({self.number(2)} > 0)")
        return (
            Line(f"{self.pick('fate', 'price')} becomes (count of {binder} where {inner})"),
            self.about_another(one, other),
        )

    def about_another(self, one: str, other: str) -> Line:
        """Something that one of two players may know of the other, if they are two."""
        card = self.fresh(CARD)
        brow = f"(sum of value of {card} for each card as {card} in brow of {other})"
        noisy = 0 if self.scope.quiet else 1
        return self.one(
            (2, lambda: Line(f"plan of {one} becomes {brow}")),
            (1, lambda: Line(f"plan of {one} becomes rumour of {other}")),
            (1, lambda: Line(f"plan of {one} becomes worth of {other}")),
            (0.5, lambda: Line(f"rumour of {other} becomes worth of {one}")),
            (1 * noisy, lambda: Line(f"tell {one} {self.pick('rumour', 'plan', 'worth')} of {other}")),
        )

    def two_players(self) -> tuple[Line, ...]:
        """A clause that is given two players, who may be one, and speaks of one of them to the
        other."""
        self.made += 1
        name = f"part_{self.made}"
        outer, self.scope = self.scope, Scope()
        one, other = self.new(PLAYER), self.new(PLAYER)
        condition = f"{one} is {self.pick('not ', 'not ', '')}{other}"
        found = self.about_another(one, other)
        code: tuple[Line, ...] = self.one(
            (2, lambda: (*self.found_out_inside(), found)),
            (1, lambda: (Line(f"if {condition}:", (found,)),)),
            (1, lambda: (Line(f"if {condition}:", (self.signal(),)), found)),
            (1, lambda: (Line(f"for each player as {self.fresh(PLAYER)} where {condition}:", (self.signal(),)), found)),
            (1, lambda: (Line(f"{other} becomes {self.player(1)}"), found)),
        )
        binder = f"cards as {self.fresh(CARD)} in discard"
        if self.chance(0.4):
            code = (Line(f"price becomes (count of {binder} where {condition})"), *code)
        given = f"given: {{{one}: player, {other}: player}}"
        self.clauses.append(Clause(name, code, (given,)))
        self.scope = outer
        self.helpers.append(Helper(name, (PLAYER, PLAYER), None, False, False))
        first, second = (self.pick("ann", "ben", "ben", *self.names(PLAYER)) for _ in range(2))
        return (Line(f"do {name}({first}, {second})"),)

    def copied_in_a_clause(self) -> tuple[Line, ...]:
        """The same with a value that a clause is given."""
        self.made += 1
        name = f"part_{self.made}"
        outer, self.scope = self.scope, Scope()
        amount = self.new(NUMBER)
        code = self.copied_and_told(amount)
        if self.chance(0.4):
            code += self.statement(3)
        self.clauses.append(Clause(name, code, (f"given: {{{amount}: number}}",)))
        self.scope = outer
        self.helpers.append(Helper(name, (NUMBER,), None, False, False))
        with self.secretly(0.9):
            return (Line(f"do {name}({self.number(1)})"),)

    def asked_about(self) -> tuple[Line, ...]:
        """A clause that asks about something that it is given, or has found out."""
        self.made += 1
        name = f"part_{self.made}"
        outer, self.scope = self.scope, Scope()
        who, what = self.new(PLAYER), self.new(NUMBER)
        found = self.new(NUMBER)
        let = Line(f"let {found} be {self.pick(what, f'worth of {who}', 'worth of ben', 'fate')}")
        label = self.pick("hear", "hear", f"hear: number as {self.fresh(NUMBER)} in 1..3")
        guards: tuple[Line, ...] = ()
        if self.chance(0.5):
            self.count += 1
            guards = (Line(f"where guard_{self.count}: ({self.pick(what, found)} > {self.pick(1, 2)})"),)
        ask = Line(f"{who} must choose one of", (Line(label, guards), Line("listen")))
        text = self.pick("What?", f"What of {{{what}}}?", f"What of {{{found}}}?")
        after = (self.signal(), Line(f"fate becomes {self.pick(found, what)}"))[: self.pick(0, 1, 2)]
        code = (let, ask, *after)
        head = (f'asks: "{text}"', f"given: {{{who}: player, {what}: number}}")
        self.clauses.append(Clause(name, code, head))
        self.scope = outer
        self.helpers.append(Helper(name, (PLAYER, NUMBER), None, not after, False))
        with self.secretly(0.7):
            value = self.number(1)
        return (Line(f"do {name}({self.pick(*PLAYERS)}, {value})"),)

    def turned_up(self) -> tuple[Line, ...]:
        to = self.place()
        source = self.pick("deck", "heap", "aside", f"hand of {self.player(1)}")
        name = self.new(CARD)
        line = Line(f"draw card as {name} from {source} to {to}")
        return (line, self.open_marker())

    def guarded_division(self) -> tuple[Line, ...]:
        with self.secretly(0.9):
            value = self.number(1)
        name = self.new(NUMBER)
        inside = Line(f"{self.pick('fate', 'price')} becomes {self.pick(6, 'price')} / {name} rounded down")
        sign = self.pick("> 0", "is not 0", ">= 0", "= 0")
        return (Line(f"let {name} be {value}"), Line(f"if {name} {sign}:", (inside,)))

    # ------------------------------------------------------------ questions

    def question(self, opens: bool = False) -> tuple[Line, ...]:
        """The question of a clause, with a text that may mention names."""
        self.scope.asks = False
        lets: tuple[Line, ...] = ()
        if self.chance(0.4):
            lets += self.let()
        names = self.names(NUMBER, PLAYER, CARD)
        if names and self.chance(0.3):
            self.scope.text = f"What of {{{self.luck.choice(names)}}}?"
        return lets + self.one(
            (3, self.must_choose),
            (2, self.one_of),
            (1.5, self.may_choose),
            (0 if opens else 1.2, self.secret_question),
            (0 if opens else 1, self.offer),
        )

    def asked(self) -> str:
        with self.secretly(0.1):
            return self.player(1)

    def part(self, who: str) -> tuple[str, str, str]:
        """A part of a choice: the name that it gives, its type, and the code."""
        kind = self.one(
            (2, lambda: NUMBER), (3, lambda: CARD), (1, lambda: PLAYER), (1, lambda: CARDS)
        )
        if kind == NUMBER:
            name = self.fresh(NUMBER)
            most = self.one((2, lambda: str(self.pick(2, 3))), (1, lambda: self.number(2)))
            return name, NUMBER, f"number as {name} in {self.pick(0, 1)}..{most}"
        if kind == PLAYER:
            name, binder = self.binder(PLAYER, 1, 0.2, plural=False)
            return name, PLAYER, binder
        places = (f"hand of {who}",) * 5 + (f"hoard of {who}", "discard", f"brow of {self.player(2)}", f"hand of {self.player(2)}", "shelf")
        name, binder = self.binder(CARD, 1, 0.2, plural=kind == CARDS, inside=self.luck.choice(places))
        if kind == CARD:
            return name, CARD, binder
        many = self.pick("any number of", "up to 2", f"up to {self.number(2)}", "at least 1", "2")
        return f"{name}s", CARDS, f"{many} {binder}"

    def guards(self, name: str, type: str) -> tuple[Line, ...]:
        found = []
        with self.inside((name, type)):
            while self.chance(0.4):
                self.count += 1
                found.append(Line(f"where guard_{self.count}: {self.truth(1)}"))
        return tuple(found)

    def must_choose(self) -> tuple[Line, ...]:
        who = self.asked()
        name, type, part = self.part(who)
        guards = self.guards(name, type)
        leaves = self.leaving() if self.chance(0.8) else None
        with self.inside():
            other = (leaves,) if leaves else self.block(1, 3)
        label = f"{who} must {self.pick('choose ', 'take: ')}{part}"
        if leaves or type == NUMBER:
            self.named(name, type)
            then: tuple[Line, ...] = ()
        else:
            then = (Line("then:", self.nested(1, (name, type))),)
        if leaves is None and type == NUMBER:
            self.scope.names.pop()
        sure = _is_sure(part) and not guards and leaves is None
        otherwise = () if sure else (Line("otherwise:", other),)
        return (Line(label, (*guards, *then, *otherwise)),)

    def one_of(self) -> tuple[Line, ...]:
        who = self.asked()
        below = [Line("wait_here", (Line("then:", self.nested(2)),) if self.chance(0.5) else ())]
        for label in ("take_it", "leave_it")[: self.pick(1, 2)]:
            name, type, part = self.part(who)
            guards = self.guards(name, type)
            then = Line("then:", self.nested(1, (name, type)))
            below.append(Line(f"{label}: {part}", (*guards, then)))
        return (Line(f"{who} must choose one of", tuple(below)),)

    def may_choose(self) -> tuple[Line, ...]:
        who = self.asked()
        name, type, part = self.part(who)
        guards = self.guards(name, type)
        below = [*guards, Line("then:", self.nested(1, (name, type)))]
        if self.chance(0.4):
            below.append(Line("otherwise:", self.nested(2)))
        return (Line(f"{who} may take: {part}", tuple(below)),)

    def secret_question(self) -> tuple[Line, ...]:
        who, binder = self.binder(PLAYER, 1, 0.1, plural=False)
        must = self.chance(0.7)
        with self.inside((who, PLAYER)):
            name, type, part = self.part(who)
            guards = self.guards(name, type)
            below = [*guards, Line("then:", self.nested(1, (name, type)))]
            if must and (guards or not _is_sure(part) or self.chance(0.2)):
                below.append(Line("otherwise:", self.nested(2)))
        asked = "must" if must else "may"
        return (Line(f"each {binder} secretly {asked} bid: {part}", tuple(below)),)

    def offer(self) -> tuple[Line, ...]:
        if "points" in self.names(NUMBER) or "card" in self.names(CARD):
            return self.one_of()
        self.window = True
        self.scope.text = ""
        value = self.number(1)
        self.named("points", NUMBER)
        return (Line(f"let points be {value}"), Line(f"offer moment to {self.asked()}"))


def _bound(condition: str) -> list[tuple[str, str]]:
    """The names that a condition may give, which cannot be given again below it."""
    return [(name, "taken") for name in _NAMED.findall(condition)]


def _is_sure(part: str) -> bool:
    """Whether there is surely something to choose."""
    return part.endswith(("..2", "..3"))

