"""Answers of several parts, guards of whole questions, clauses that join one, and rarer forms."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Clause, Line
from tests.secrets.generated.grammar import Code
from tests.secrets.generated.values import CARD, CARDS, NUMBER, PLAYER, TRUTH, Scope

ANSWERS = Extension(
    "answers",
    questions=(
        *("several_parts", "several_parts", "one_is_enough", "one_is_enough"),
        *("for_each_case", "for_each_case", "yes_or_no", "offer_that_must_be_taken"),
    ),
    blocks=("asked_in_a_clause",) * 6,
    clauses=("joining", "joining"),
)
PHRASES = Extension(
    "phrases",
    values={
        NUMBER: ((3, "{of_all}"), (0.7, "{of_some}")),
        TRUTH: ((0.3, "{yes|no}"), (1, "({player} is not in {players})")),
    },
    lines=(
        (2, "{player} loses {number} for each {a_card_somewhere}"),
        (2, "{players} {score|lose} {number} for each {a_card_somewhere}"),
        (0.7, "{ready of ann|ready of ben} becomes {yes|no}"),
    ),
    blocks=("draws_some", "draws_some", "repeats_until", "plays_again", "ranked_by_three"),
)


class Answers(Wide):
    # ------------------------------------------------------------ answers

    def asked_in_a_clause(self, depth: int) -> Code:
        """One of these questions in a clause of its own, so that there are many of them."""
        if not self.room() or self.scope.alone or self.scope.quiet:
            return self.let()

        def body() -> Code:
            self.scope.asks = False
            return (*getattr(self, self.pick(*ANSWERS.questions))(), self.signal())

        helper = self.clause(self.pick((), (PLAYER,), (NUMBER, PLAYER)), body)
        with self.secretly(0.4):
            return (Line(f"do {self.applied(helper)}"),)

    def several_parts(self) -> Code:
        """Two or three things are chosen at once; guards go by one of them, or by all."""
        who, made = self.asked(), []
        names: dict[str, str] = {}
        for _ in range(self.pick(2, 2, 3)):
            with self.inside(names):
                name, type, part = self.part(who)
            if type == CARDS and CARDS in names.values():
                continue
            names[name] = type
            made.append(part)
        with self.inside(names):
            guards = self.guarded(names)
        then = Line("then:", self.nested(1, names))
        head = f"{who} {self.pick('must', 'must', 'may')} put: {', '.join(made)}"
        return (Line(head, (*guards, then, Line("otherwise:", self.nested(2)))),)

    def guarded(self, names: dict[str, str]) -> Code:
        found: Code = ()
        while self.chance(0.5):
            self.count += 1
            some = [f"{{{word}}}" for word in ("truth", "truth", "sharp")]
            cards = [name for name, type in names.items() if type == CARD]
            numbers = [name for name, type in names.items() if type == NUMBER]
            if cards and numbers:
                some += [f"(value of {cards[0]} {{=|>|is not}} {numbers[0]})"] * 3
            guard = self.say(*some)
            found += (Line(f"where guard_{self.count}: {guard}"),)
        return found

    def one_is_enough(self) -> Code:
        """Answers that differ in one thing alone, of which only the first is offered."""
        who, number, card = self.asked(), self.fresh(NUMBER), self.fresh(CARD)
        place = self.say((4, f"hand of {who}"), "{discard|shelf}", "{brow|hand} of {player}")
        names = {number: NUMBER, card: CARD}
        part = self.pick(number, number, card)
        self.count += 2
        with self.inside(names):
            kept = self.say(
                f"({card} is gold or value of {card} = {number})",
                f"(worth of {{ann|ben}} >= {number} + value of {card})",
                "{truth}",
            )
            each = self.say((2, ""), f" for each {number}", " for each {number}")
        guards = self.line(f"where guard_{self.count}: {kept}")
        guards += self.line(f"where guard_{self.count - 1}: one {part} is enough{each}")
        left = {name: type for name, type in names.items() if name != part}
        then = (Line("then:", self.nested(1, left)), Line("otherwise:", self.nested(2)))
        parts = f"number as {number} in 1..{self.pick(2, 3)}, card as {card} in {place}"
        return (Line(f"{who} must pay: {parts}", (*guards, *then)),)

    def for_each_case(self) -> Code:
        """A guard that means something else for each alternative."""
        who = self.asked()
        alternatives, cases = [], []
        for label in ("take_it", "leave_it", "wait_here")[: self.pick(2, 2, 3)]:
            name, type, part = self.part(who)
            with self.inside({name: type}):
                cases.append(Line(f"{label}: {self.truth()}"))
            below = (*self.guards(name, type), Line("then:", self.nested(1, {name: type})))
            alternatives.append(Line(f"{label}: {part}", below))
        if self.chance(0.5):
            cases[-1] = Line(f"otherwise: {self.truth()}")
        self.count += 1
        head = f"in each case where guard_{self.count}:"
        common = Line(head, tuple(cases))
        if self.chance(0.3):
            common = Line(f"{head} {self.truth()}")
        last = Line("otherwise:", self.nested(2))
        if self.chance(0.2):
            last = Line("otherwise: cannot happen")
        return (Line(f"{who} must choose one of", (*alternatives, common, last)),)

    def yes_or_no(self) -> Code:
        who = self.asked()
        below = (Line("then:", self.nested(1)), Line("otherwise:", self.nested(1)))
        guards: Code = ()
        if self.chance(0.6):
            self.count += 1
            guards = (Line(f"where guard_{self.count}: {self.truth()}"),)
        return (Line(f"{who} {self.pick('may', 'may', 'must')} dance", (*guards, *below)),)

    def offer_that_must_be_taken(self) -> Code:
        if {"points", "card"} & self.scope.names.keys() or self.scope.alone:
            return self.yes_or_no()
        self.window = True
        self.scope.text = ""
        value, who = self.number(), self.asked()
        self.new(NUMBER, "points")
        head = f"offer moment to {who}, who must play"
        then, otherwise = Line("then:", self.nested(1)), Line("otherwise:", self.nested(1))
        below = self.pick((then, otherwise), (otherwise,))
        return (Line(f"let points be {value}"), Line(head, below))

    def joining(self) -> None:
        """A clause that adds an alternative to the question that is asked between the tests."""
        before = self.scope, self.secret, self.depth
        self.scope, self.secret, self.depth = Scope(), 0.5, 0
        name, type, part = self.part("ann")
        guards = self.guards(name, type)
        offer = Line(f"join_{self.count}: {part}", (*guards, self.after_joining(name, type)))
        head = ("joins: looking",)
        number = sum(each.name.startswith("join") for each in self.clauses)
        self.clauses.append(Clause(f"joined_{number}", (offer,), head, key="offers"))
        self.scope, self.secret, self.depth = before

    def after_joining(self, name: str, type: str) -> Line:
        return Line("then:", self.nested(1, {name: type}))

    # ------------------------------------------------------------ rarer forms

    def of_all(self) -> str:
        """The highest of something that is never empty, so that nothing else is said."""
        name = self.fresh(PLAYER)
        with self.inside({name: PLAYER}):
            value = self.say((2, f"{{worth|plan|doom}} of {name}"), "{number}")
        return f"({self.pick('highest', 'lowest')} of {value} for each player as {name})"

    def of_some(self) -> str:
        """The highest of something that may be empty; then the rules fault."""
        name, binder = self.binder(CARD, 0.4)
        how = self.pick("highest", "lowest")
        return f"({how} of value of {name} for each {binder} otherwise {self.secret_number()})"

    def draws_some(self, depth: int) -> Code:
        """Several cards are drawn, and have a name, if they were all there."""
        if self.scope.quiet:
            return self.let()
        name = self.fresh(CARD)
        source = self.say("{deck|deck|aside|heap|discard}", "hand of {player}")
        draw = Line(f"draw {self.amount()} cards as {name} from {source} to {self.to()}")
        if self.chance(0.6):
            draw = Line(draw.text, (Line("otherwise:", self.nested(2)),))
        return (draw, *self.statement(3))

    def repeats_until(self, depth: int) -> Code:
        """A loop that ends by what it does in each round."""
        number, condition = self.new(NUMBER), self.sharp()
        rising = Line(f"{number} becomes {number} + 1")
        until = self.pick(f"{number} > 3", f"{number} > 2 or {condition}")
        body = (rising, *self.nested(depth, loops=True))
        return (
            Line(f"let {number} be 0"),
            Line(f"repeat until {until}, at most 9 times:", body),
            Line(f"{self.pick('price', 'fate')} becomes {number}"),
        )

    def plays_again(self, depth: int) -> Code:
        if self.scope.quiet or self.scope.alone or {"points", "card"} & self.scope.names.keys():
            return self.let()
        self.window = True
        with self.secretly(0.3):
            card = self.say("{a_card}") if self.names(CARD) else self.card()
            points = self.number()
        self.new(NUMBER, "points")
        plays = Line(f"{self.player()} plays {card} as moment{self.pick(' again', ' again', '')}")
        return (Line(f"let points be {points}"), plays)

    def ranked_by_three(self, depth: int) -> Code:
        if "tied" in self.scope.names:
            return self.let()
        name, binder = self.binder(PLAYER, 0.2)
        with self.inside({name: PLAYER}):
            keys = ", then by ".join(self.number() for _ in range(3))
        names = {"tied": "players", "place": NUMBER, "tier": NUMBER}
        head = f"rank {binder} by {keys}, {self.pick('highest', 'lowest')} first:"
        return (Line(head, self.nested(depth, names, loops=True)),)
