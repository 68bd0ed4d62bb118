"""Random values of each type, from the names that are in scope and the table of `files.py`.

A production is a template. `{number}` stands for a value of that type, by the method of that name,
`{a_card}` for a name in scope that means a card, and `{red|blue}` for one of these words. A
template with a name of which there is none in scope is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

PLAYERS = ("ann", "ben", "cy")
NUMBER, TRUTH, PLAYER, CARD, DIE = "number", "truth", "player", "card", "die"
MAYBE, CARDS, SOME_PLAYERS, TAKEN = "maybe a card", "cards", "players", "taken"
PREFIX = dict(
    zip((NUMBER, TRUTH, PLAYER, CARD, DIE, MAYBE, CARDS, SOME_PLAYERS), "ntpcdmks", strict=True)
)
"""The first letter of names, by their type."""
NAMES = {
    "a_number": NUMBER,
    "a_truth": TRUTH,
    "a_player": PLAYER,
    "a_card": CARD,
    "a_die": DIE,
    "a_maybe": MAYBE,
    "some_cards": CARDS,
    "some_players": SOME_PLAYERS,
}
"""Placeholders for names in scope, and their types."""
DEEPEST = 3
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
NAMED = re.compile(r"\bas ([a-z]+\d+)\b")

Value = TypeVar("Value")
Template = str | tuple[float, str]
"""A template, perhaps with a weight."""


@dataclass(slots=True)
class Scope:
    """What can be said in a clause, or in a definition (`pure`). `asks`: it may still ask a
    question; `quiet`: it asks nobody, tells nobody anything and leaves nothing to chance; `alone`:
    it does no other clause. `conditions` were written before, and may be written again."""

    names: dict[str, str] = field(default_factory=dict)
    asks: bool = False
    quiet: bool = False
    pure: bool = False
    alone: bool = False
    outcome: str | None = None
    loops: int = 0
    conditions: list[str] = field(default_factory=list)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition: how it is written, with a place for each operand, and the types of these."""

    form: str
    type: str
    given: tuple[str, ...]


class Values:
    def __init__(self, seed: int) -> None:
        self.luck = Random(seed)
        self.count = 0
        self.depth = 0
        self.secret = 0.5
        """So many of the values look at something hidden."""
        self.scope = Scope()
        self.defined: list[Defined] = []

    # ------------------------------------------------------------ templates

    def more(self, what: str) -> Sequence[Template]:
        """Further templates, in files that use more of the language."""
        return ()

    def chance(self, probability: float) -> bool:
        return self.luck.random() < probability

    def pick(self, *choices: Value) -> Value:
        return self.luck.choice(choices)

    def say(self, *templates: Template) -> str:
        """One of several templates, filled in."""
        weighed = [each if isinstance(each, tuple) else (1.0, each) for each in templates]
        possible = [each for each in weighed if each[0] and self.can_say(each[1])]
        (found,) = self.luck.choices(possible, [weight for weight, _ in possible])
        return _PLACEHOLDER.sub(self._filled, found[1])

    def can_say(self, template: str) -> bool:
        wanted = (NAMES.get(each) for each in _PLACEHOLDER.findall(template))
        return all(type is None or self.names(type) for type in wanted)

    def _filled(self, found: re.Match[str]) -> str:
        word: str = found[1]
        if "|" in word:
            return self.pick(*word.split("|"))
        if word in NAMES:
            return self.pick(*self.names(NAMES[word]))
        made: Callable[[], str] = getattr(self, word)
        return made()

    # ------------------------------------------------------------ names

    def fresh(self, type: str) -> str:
        self.count += 1
        return f"{PREFIX[type]}{self.count}"

    def new(self, type: str, name: str = "") -> str:
        """A name that is in scope from now on."""
        name = name or self.fresh(type)
        self.scope.names[name] = type
        return name

    def names(self, *types: str) -> list[str]:
        return [name for name, type in self.scope.names.items() if type in types]

    @contextmanager
    def inside(self, names: dict[str, str] | None = None, loops: bool = False) -> Iterator[None]:
        """Meanwhile these names hold, too; then none that were given in between."""
        scope = self.scope
        before, told = dict(scope.names), list(scope.conditions)
        scope.names |= names or {}
        scope.loops += loops
        yield
        scope.loops -= loops
        scope.names, scope.conditions = before, told

    @contextmanager
    def secretly(self, probability: float) -> Iterator[None]:
        before, self.secret = self.secret, probability
        yield
        self.secret = before

    @contextmanager
    def _deeper(self) -> Iterator[bool]:
        """Meanwhile values are parts of others; whether these may have parts again."""
        self.depth += 1
        yield self.depth < DEEPEST
        self.depth -= 1

    # ------------------------------------------------------------ numbers

    def number(self) -> str:
        if self.names(NUMBER) and self.chance(0.35):
            return self.say("{a_number}")
        with self._deeper() as deeper:
            if not deeper:
                return self.say((1, "{small}"), (1, self._number()))
            return self.say(
                (2, "{small}"),
                (5, self._number()),
                (1.2, "({number} {+|-} {number})"),
                (0.3, "({number} * {0|2|-1})"),
                (0.7, "({number} / {1|2|3} rounded {down|up})"),
                (0.3, "({number} / {number} rounded down)"),
                (0.3, "remainder({number}, {2|3|price})"),
                (0.5, "{smaller|larger|difference}({number}, {small})"),
                (0.6, "(if {truth} then {number} else {number})"),
                (0.8, "(count of {cards_somewhere})"),
                (0.3, "(count of {all_players})"),
                (0.5, "{summed}"),
                (0.7 * self.has(NUMBER), "{number_defined}"),
                *self.more(NUMBER),
            )

    def _number(self) -> str:
        return "{secret_number}" if self.chance(self.secret) else "{open_number}"

    def small(self) -> str:
        return self.say("{0|1|1|2|2|3|4}")

    def secret_number(self) -> str:
        return self.say(
            (5, "worth of {player}"),
            (1.5, "{fate|fate|mood|note}"),
            (1.5, "{plan|rumour|doom} of {player}"),
            (0.5, "(count of cards in aside)"),
            (0.6, "(count of stones in purse of {player})"),
            (2, "{value|boost} of {a_card}"),
            (2, "face of {a_die}"),
        )

    def open_number(self) -> str:
        return self.say(
            (3, "price"),
            "score of {player}",
            "(count of cards in {place})",
            (0.7, "number of {player}"),
            (0.5, "(count of stones in bag)"),
            (0.4, "player_count"),
        )

    def summed(self) -> str:
        """Values of several things, put together."""
        sort = self.pick(CARD, CARD, PLAYER, DIE)
        name, binder = self.binder(sort, 0.4)
        with self.inside({name: sort}):
            value = self.number()
        how = self.pick("sum of", "sum of", "highest of", "lowest of")
        otherwise = "" if how == "sum of" else f" otherwise {self.small()}"
        return f"({how} {value} for each {binder}{otherwise})"

    def column(self) -> str:
        return self.say((4, "{1|2|3|4}"), "smaller(4, larger(1, {number}))", (0.5, "{number}"))

    def amount(self) -> str:
        return self.say((3, "{0|1|1|2}"), "{number}")

    # ------------------------------------------------------------ conditions

    def truth(self) -> str:
        if self.names(TRUTH) and self.chance(0.3):
            return self.say("{a_truth}")
        if self.scope.conditions and self.chance(0.25):
            return self.again(self.luck.choice(self.scope.conditions))
        others = not (self.scope.pure or self.scope.alone)
        with self._deeper() as deeper:
            if not deeper:
                return self.say("({number} {<|>|=|>=|<=} {number})")
            return self.say(
                (4, "({number} {<|>|=|>=|<=} {number})"),
                "({truth} {and|or} {truth})",
                (0.5, "(not {truth})"),
                "({there is a|there is no} {a_card_somewhere})",
                (0.4, "(there is a {another_player})"),
                (0.6, "{every}"),
                "({player} is {player})",
                (0.7, "({player} is not {player})"),
                (0.5, "ready of {player}"),
                (0.4, "({place} is empty)"),
                (0.4, "({place} is not empty)"),
                (1.5, "({a_maybe} is nothing)"),
                (0.4, "({some_players} is empty)"),
                (0.4, "({player} is in {some_players})"),
                (0.4, "(count of {some_players} > {small})"),
                (0.7, "({some_cards} is empty)"),
                (0.3, "(tint is {red|blue})"),
                (0.7, "({a_card} is {low|high|gold|not gold})"),
                (0.4, "marked of {a_card}"),
                (0.4, "(colour of {a_card} is {red|blue|tint})"),
                (0.4, "({a_card} is in {place})"),
                (0.4, "(value of {a_card} > {number})"),
                (0.2, "({a_card} is {a_card})"),
                (0.2, "({a_card} is {prize|omen})"),
                (0.7 * self.has(TRUTH), "{truth_defined}"),
                (0 if self.scope.pure else 0.4, "(supposing {a_card} moves to {place}, {truth})"),
                (0.5 * others, "{supposed}"),
                (0.5 * others, "{possible}"),
                *self.more(TRUTH),
            )

    def again(self, condition: str) -> str:
        """A condition once more; names that it gives must not hold yet."""
        for name in NAMED.findall(condition):
            if name in self.scope.names:
                condition = re.sub(rf"\b{name}\b", self.fresh(CARD), condition)
        return condition

    def every(self) -> str:
        sort = self.pick(CARD, PLAYER)
        name, binder = self.binder(sort, 0.2, plural=False)
        with self.inside({name: sort}):
            return f"(for every {binder}, {self.truth()})"

    def sharp(self) -> str:
        """A condition about something hidden that often holds, and often does not."""
        card = self.fresh(CARD)
        place = "{hand of ben|hand of ann|brow of ben|hoard of ben|aside|shelf}"
        return self.say(
            (3, "(worth of {ann|ben|ben|cy} > {1|2|3|4})"),
            (3, f"(there is a card as {card} in {place} where ({card} is {{low|high|gold}}))"),
            (2, "({fate|plan of ben|worth of ben} {>|=} {1|2|3})"),
            "(worth of {ann|ben} > worth of {player})",
            "{truth}",
        )

    # ------------------------------------------------------------ players, pieces, places

    def player(self) -> str:
        if self.names(PLAYER) and self.chance(0.5):
            return self.say("{a_player}")
        with self._deeper() as deeper:
            if not deeper:
                return self.say("{ann|ben|cy}")
            return self.say(
                (6, "{ann|ben|cy}"),
                "active",
                "{left|right}_neighbour of {player}",
                (0.5, "(if {truth} then {player} else {player})"),
                "owner of {a_die}",
                (0.2, "(the {another_player})"),
                *self.more(PLAYER),
            )

    def players(self) -> str:
        """Several players, perhaps none."""
        if self.names(SOME_PLAYERS) and self.chance(0.5):
            return self.say("{some_players}")
        return self.say(
            (3, "(all {all_players})"),
            "[{ann, ben|ben, cy|cy}]",
            (0.5, "[{player}]"),
            *self.more(SOME_PLAYERS),
        )

    def nobody(self) -> str:
        """A set of players in which often there is nobody."""
        name = self.fresh(PLAYER)
        where = self.say(f"{{number|score|worth}} of {name} > {{3|5}}", "{sharp}")
        return f"(all players as {name} where ({where}))"

    def cards(self) -> str:
        if self.names(CARDS) and self.chance(0.4):
            return self.say("{some_cards}")
        return self.say("(all {cards_somewhere})", *self.more(CARDS))

    def maybe(self) -> str:
        """A card, or nothing."""
        return self.say(
            "top of {discard|heap|heap}",
            "top of {hoard|brow} of {player}",
            (0.7, "{prize|omen}"),
            (0.7, "{first|last} of {cards}"),
            *self.more(MAYBE),
        )

    def card(self) -> str:
        if self.names(CARD) and self.chance(0.9):
            return self.say("{a_card}")
        return self.say("(the {a_card_somewhere})", *self.more(CARD))

    def place(self) -> str:
        """A place that holds cards."""
        if self.chance(self.secret):
            return self.say(
                (7, "{hand|hand|hand|vault|brow|hoard|sleeve} of {player}"),
                "{aside|heap|heap|shelf|deck}",
            )
        return self.say((2, "discard"), "slot({column})")

    def to(self) -> str:
        """Where cards go."""
        with self.secretly(0.6):
            place = self.place()
        piles = ("deck", "aside", "heap", "hoard", "discard", "slot")
        return f"bottom of {place}" if place.startswith(piles) and self.chance(0.1) else place

    def stones(self) -> str:
        return self.say(
            (2, "bag"), (1.5, "field({column})"), (2.5, "{purse|purse|sack} of {player}")
        )

    def dice(self) -> str:
        return self.say((3, "cup of {player}"), "tray")

    def value(self, type: str) -> str:
        made = {TRUTH: self.truth, PLAYER: self.player, SOME_PLAYERS: self.players}
        more = {NUMBER: self.number, CARDS: self.cards, MAYBE: self.maybe, CARD: self.card}
        return (made | more)[type]()

    # ------------------------------------------------------------ binders

    def binder(
        self, sort: str, where: float, plural: bool = True, place: str = ""
    ) -> tuple[str, str]:
        """Things of a sort, and a name for one of them that is not in scope yet."""
        name = self.fresh(sort)
        noun = {CARD: "cards", PLAYER: "players", DIE: "dice"}[sort] if plural else sort
        text = f"{noun} as {name}"
        if place or sort == DIE:
            text += f" in {place or self.dice()}"
        elif sort == CARD:
            text += self.say((2, " in {place}"), " in {some_cards}")
        else:
            text += self.say((5, ""), (2, " in {some_players}"), " except {player}")
        if self.chance(where):
            with self.inside({name: sort}):
                text += f" where {self.truth()}"
        return name, text

    def cards_somewhere(self) -> str:
        return self.binder(CARD, 0.5)[1]

    def a_card_somewhere(self) -> str:
        return self.binder(CARD, 0.5, plural=False)[1]

    def all_players(self) -> str:
        return self.binder(PLAYER, 0.9)[1]

    def another_player(self) -> str:
        return self.binder(PLAYER, 0.8, plural=False)[1]

    def a_die_somewhere(self) -> str:
        return self.binder(DIE, 0.4, plural=False)[1]

    # ------------------------------------------------------------ definitions

    def has(self, type: str) -> bool:
        return any(each.type == type for each in self.defined)

    def _call(self, type: str) -> str:
        chosen = self.luck.choice([each for each in self.defined if each.type == type])
        return f"({chosen.form.format(*map(self.value, chosen.given))})"

    def number_defined(self) -> str:
        return self._call(NUMBER)

    def truth_defined(self) -> str:
        return self._call(TRUTH)


def bound(condition: str) -> dict[str, str]:
    """The names that a condition may give, which cannot be given again below it."""
    return dict.fromkeys(NAMED.findall(condition), TAKEN)
