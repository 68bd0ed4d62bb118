"""Lists, choices, rankings, notes with several values, what is shown, and combinations."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Line
from tests.secrets.generated.grammar import Code
from tests.secrets.generated.values import (
    CARD,
    CARDS,
    MAYBE,
    NAMES,
    NUMBER,
    PLAYER,
    PREFIX,
    SOME_PLAYERS,
    TRUTH,
)

COLOUR, NUMBERS = "colour", "numbers"
PREFIX |= {COLOUR: "l", NUMBERS: "q"}
NAMES |= {"a_colour": COLOUR, "some_numbers": NUMBERS}
LISTS = Extension(
    "lists",
    {
        "choices": """\
  prizes: {says: What there is to win., is: [4, 2, 1], beyond: 0}
  short:  {says: A short game., is: true}
  stake:  {says: What is paid., is: 2}
""",
    },
    ("if short: price becomes stake + prizes at 1",),
    {
        NUMBER: (
            "prizes at {number}",
            (0.5, "stake"),
            (0.7, "item of {some_numbers} at {amount}"),
            "(count of ({list_of_numbers}))",
            "(sum of {list_item} for each number as {list_item} in {list_of_numbers})",
            "value of kind of {a_card}",
            "number of {colour}",
            "(-{number})",
            (0.5, "number of cards in {place}"),
        ),
        TRUTH: (
            (0.4, "short"),
            "({number} is in {list_of_numbers})",
            "({number} is not in {list_of_numbers})",
            "({small} <= {number} <= {small})",
            "({colour} is {red|blue})",
            "({player} is playing)",
            "({a_player} is {ann or ben|ann or cy})",
            "(kind of {a_card} is low)",
            "(kind of {a_card} is kind of {a_card})",
            "(no {a_card_somewhere})",
            "({truth} for every {a_colour_here})",
        ),
        CARDS: ("({cards} {+|-} {cards})",),
        SOME_PLAYERS: (
            "({players} {+|-} {players})",
            (3, "(all players {from|starting with} {player})"),
            "(collect different {player} for each {a_card_somewhere})",
        ),
        CARD: ((0.7, "item of {place} at {amount}"),),
        MAYBE: ((0.5, "{first|last} of ({cards} {+|-} {cards})"),),
        PLAYER: ((0.3, "owner of hand of {player}"),),
    },
    (
        "{let_numbers}",
        "{let_colour}",
        "{some_numbers} becomes {list_of_numbers}",
        "tint becomes {colour}",
        "note becomes {number}",
    ),
    (
        (2, "tell {everyone|ann|ben} {some_numbers}"),
        (0.5, "{players} {win|wins}"),
        (0.2, "nobody wins"),
        (1, "pick a random {a_colour_here}"),
    ),
    ("for_each_of_a_list", "ranked_twice", "repeat_while"),
)
NOTES = Extension(
    "notes",
    {
        "markers": """\
  position: {remembers: [discard, slot, active, price]}
  toll: {of each: colour, shows: number}
  levy: {of each: player, in each: colour, shows: number, seen by: owner}
  hunch: {on each: 1..3, shows: number, seen by: nobody}
""",
    },
    ("if position is new: remember position",),
    {
        NUMBER: (
            (2, "appearances of position"),
            "toll of {colour}",
            (2, "levy of {player} in {colour}"),
            "hunch on {1|2|3}",
        ),
        TRUTH: ((2, "(position is new)"),),
    },
    (
        "toll of {colour} becomes {number}",
        (2, "levy of {player} in {colour} becomes {number}"),
        "levy of {player} in {colour} increases by {number}",
        (2, "hunch on {1|2|3} becomes {number}"),
    ),
    ((3, "remember position"),),
    ("remembered_on_one_way",),
)
SHOWS = Extension(
    "shows",
    {
        "places": """\
  chest: {holds: card, arranged: pile, seen by: nobody, stays known: true}
  fan:   {of each: player, holds: card, arranged: row, seen by: owner, count seen by: everyone}
""",
    },
    (
        "draw 2 cards from deck to chest",
        "draw 3 cards from deck to fan of ann",
        "draw 2 cards from deck to fan of ben",
    ),
    {
        CARD: ("item of fan of {player} at {1|2|3}", "the card in chest"),
        MAYBE: ("top of {chest|fan of ann|fan of ben}",),
        CARDS: ("(all cards in {card_store})",),
        NUMBER: ("(count of cards in {card_store})",),
    },
    (
        "move {a_card} to {card_store}",
        "move up to 1 cards in {chest|fan of ann|hand of ben} to {chest|fan of ben|hand of ann}",
    ),
    (
        (2, "show {a_card} to {everyone|ann|ben}"),
        (2, "show {some_cards} to {everyone|ann|ben}"),
        (2, "show {hand|fan} of {player} to {player}"),
        "show chest to {player}",
        "shuffle chest",
    ),
    ("shown_and_used", "shown_and_used"),
    ("shown_part",),
    ("after_showing",),
)
SETS = Extension(
    "sets",
    values={
        NUMBER: (
            (2, "(count of {combinations})"),
            (3, "{over_combinations}"),
            (2, "{multiplied}"),
            (2, "(count of {largest})"),
        ),
        TRUTH: (
            (2, "(there is {a|no} {a_combination})"),
            "(for every {a_combination}, {truth})",
            (0.5, "(for every {numbered}, {number} > {small})"),
        ),
        CARDS: ((1.5, "{largest}"), (0.7, "(the {combinations})")),
        SOME_PLAYERS: ((0.7, "{largest_of_players}"),),
    },
    lines=(
        (2, "{let_largest}"),
        "{player} scores {number} for each {combinations}",
        "move {largest} to {to}",
    ),
    blocks=("if_there_is_one", "if_there_is_one", "largest_moved"),
    questions=("shows_a_set",),
)


class Lists(Wide):
    def colour(self) -> str:
        return self.say((2, "{a_colour}"), "{red|blue}", "colour of {a_card}", (0.5, "tint"))

    def let_numbers(self) -> str:
        return self.named(NUMBERS, self.list_of_numbers())

    def let_colour(self) -> str:
        return self.named(COLOUR, self.colour())

    def list_of_numbers(self) -> str:
        if self.names(NUMBERS) and self.chance(0.4):
            return self.say("{some_numbers}")
        with self._deeper() as deeper:
            if not deeper:
                return self.say("prizes", "[{1, 2|2|3, 4}]")
            return self.say(
                "prizes",
                "[{number}, {number}]",
                "(collect {number} for each {a_card_somewhere})",
                "(collect {different|} {number} for each {another_player})",
                "(prizes {+|-} {number})",
            )

    def list_item(self) -> str:
        self.item = getattr(self, "item", "") or self.fresh(NUMBER)
        name, self.item = self.item, "" if self.count_items() else self.item
        return name

    def count_items(self) -> bool:
        self.items = not getattr(self, "items", True)
        return self.items

    def a_colour_here(self) -> str:
        return f"colour as {self.fresh(COLOUR)}"

    def for_each_of_a_list(self, depth: int) -> Code:
        if self.chance(0.4):
            name = self.fresh(COLOUR)
            return (Line(f"for each colour as {name}:", self.nested(depth, {name: COLOUR}, True)),)
        name = self.fresh(NUMBER)
        head = f"for each number as {name} in {self.list_of_numbers()}:"
        return (Line(head, self.nested(depth, {name: NUMBER}, loops=True)),)

    def ranked_twice(self, depth: int) -> Code:
        if "tied" in self.scope.names:
            return self.let()
        name, binder = self.binder(PLAYER, 0.2)
        with self.inside({name: PLAYER}):
            one, two = self.number(), self.number()
        names = {"tied": SOME_PLAYERS, "place": NUMBER, "tier": NUMBER}
        head = f"rank {binder} by {one}, then by {two}, highest first:"
        return (Line(head, self.nested(depth, names, loops=True)),)

    def repeat_while(self, depth: int) -> Code:
        head = self.say("repeat while {truth}, at most {2|3|20} times:")
        return (Line(head, self.nested(depth, loops=True)),)

    # ------------------------------------------------------------ notes, shows

    def remembered_on_one_way(self, depth: int) -> Code:
        condition = self.sharp()
        if self.scope.quiet:
            return (Line(f"if {condition}:", (self.signal(),)),)
        return (
            Line(f"if {condition}:", self.seems_to_tell()),
            *self.line("remember position", "price becomes appearances of position"),
        )

    def card_store(self) -> str:
        return self.say("chest", "fan of {player}")

    def shown_and_used(self, depth: int) -> Code:
        """Something is shown to somebody, and then used for his eyes or for those of others."""
        if self.scope.quiet:
            return self.let()
        who, place = self.pick("ann", "ben"), self.place()
        cards = f"all cards as {self.fresh(CARD)} in {place}"
        card = self.fresh(CARD)
        value = f"(sum of value of {card} for each card as {card} in {place})"
        more = self.statement(3) if self.chance(0.4) else ()
        return (
            Line(self.pick(f"show {place} to {who}", f"show {cards} to {who}")),
            *more,
            *self.line(
                f"plan of {self.pick(who, who, 'cy')} becomes {value}",
                f"tell {{ann|ben|everyone}} {self.pick('price', 'fate')}",
                f"rumour of ben becomes {value}",
            ),
        )

    def shown_part(self, who: str) -> tuple[str, str, str]:
        name, text = self.binder(
            CARD, 0.2, plural=False, place=self.say("{chest|fan of ann|hand of ben}")
        )
        return name, CARD, text

    def after_showing(self) -> Code:
        who, place = self.pick("ann", "ben"), self.pick("hand of ben", "chest", "fan of ann")
        name = self.fresh(CARD)
        more = self.statement(3) if self.chance(0.3) else ()
        below = (Line("then:", self.nested(2, {name: CARD})), Line("otherwise:", (Line("skip"),)))
        return (
            Line(f"show {place} to {who}"),
            *more,
            Line(f"{who} must take: card as {name} in {place}", below),
        )

    # ------------------------------------------------------------ combinations

    def combination(self, noun: str = "combination of", where: float = 0.7) -> tuple[str, str]:
        """Sets of cards, or of players, and the name of one of them."""
        cards = self.chance(0.85)
        type = CARDS if cards else SOME_PLAYERS
        name = self.fresh(type)
        size = self.say((2, "2 "), "up to 2 ", "at least 2 ", "1 ", "", "({number}) ")
        things = "cards" if cards else "players"
        text = f"{noun} {size}{things} as {name}"
        if cards:
            place = "{place}" if "2" in size or "1" in size else "hand of {player}"
            text += self.say((2, " in hand of {player}"), f" in {place}", " in {some_cards}")
        if self.chance(where):
            with self.inside({name: type}):
                text += f" where {self.about_set(name, type)}"
        return name, text

    def about_set(self, name: str, type: str) -> str:
        """A condition on a set that has a name."""
        if type != CARDS:
            return self.truth()
        card = self.fresh(CARD)
        colours = f"collect different colour of {card} for each card as {card} in {name}"
        total = f"(sum of value of {card} for each card as {card} in {name})"
        return self.say(
            f"({total} {{=|>|<}} {{2|3|5}})",
            f"({total} {{=|>}} {{number}})",
            f"(for every card as {card} in {name}, {card} is {{low|high|gold}})",
            f"(count of ({colours}) = 1)",
            "{truth}",
        )

    def combinations(self) -> str:
        return self.combination("combinations of")[1]

    def a_combination(self) -> str:
        return self.combination()[1]

    def largest(self) -> str:
        name = self.fresh(CARDS)
        size = self.say((2, ""), "up to 2 ", "at least 2 ", "2 ")
        source = self.say((3, "hand of {player}"), "{some_cards}", "discard", "shelf")
        condition = self.about_set(name, CARDS)
        return f"(the largest combination of {size}cards as {name} in {source} where {condition})"

    def largest_of_players(self) -> str:
        name = self.fresh(SOME_PLAYERS)
        with self.inside({name: SOME_PLAYERS}):
            condition = self.truth()
        return f"(the largest combination of players as {name} where {condition})"

    def numbered(self) -> str:
        name = self.fresh(NUMBERS)
        return f"combination of {self.pick('2', 'up to 2')} numbers as {name} in 1..3"

    def over_combinations(self) -> str:
        """A number worked out for each combination, put together."""
        name, binder = self.combination(where=0.4)
        type = CARDS if " cards as" in binder else SOME_PLAYERS
        card = self.fresh(CARD)
        with self.inside({name: type}):
            value = self.number()
        if type == CARDS and self.chance(0.6):
            how = self.pick("product", "sum")
            value = f"({how} of value of {card} for each card as {card} in {name})"
        how = self.pick("sum of", "product of", "highest of", "lowest of")
        otherwise = "" if how in ("sum of", "product of") else f" otherwise {self.small()}"
        return f"({how} {value} for each {binder}{otherwise})"

    def multiplied(self) -> str:
        name, binder = self.binder(CARD, 0.4)
        with self.inside({name: CARD}):
            value = self.say((3, f"value of {name}"), "{number}", f"(9999 * value of {name})")
        return f"(product of {value} for each {binder})"

    def let_largest(self) -> str:
        return self.named(CARDS, self.say("{largest}", "{largest}", "(the {combinations})"))

    def if_there_is_one(self, depth: int) -> Code:
        """It is asked for, and then taken."""
        _, binder = self.combination()
        head, found = f"if there is a {binder}:", self.again(binder)
        if " players as" in binder:
            return (Line(head, self.nested(depth)),)
        name = self.fresh(CARDS)
        taken = self.pick(f"the {binder}", f"the {found}", f"the largest {binder}")
        with self.inside({name: CARDS}):
            more = self.nested(depth)
        return (Line(head, (Line(f"let {name} be ({taken})"), *more)),)

    def largest_moved(self, depth: int) -> Code:
        name, who = self.fresh(CARDS), self.player()
        cards = self.fresh(CARDS)
        condition = self.about_set(cards, CARDS)
        let = f"let {name} be the largest combination of cards as {cards} in hand of {who}"
        with self.inside({name: CARDS}):
            more = self.nested(depth)
        move = self.line(
            (3, f"move {name} to {{discard|aside|shelf|vault of ben}}"),
            (1 * (not self.scope.quiet), f"tell {{everyone|ann|ben}} {name}"),
        )
        return (Line(f"{let} where {condition}"), *move, *more)

    def shows_a_set(self) -> Code:
        """Cards are laid that are as good as the best there are."""
        who = self.asked()
        name, card = self.fresh(CARD), self.fresh(CARD)
        chosen, best = f"{name}s", self.fresh(CARDS)
        self.count += 1
        many = f"(count of {chosen})"
        most = self.say("hand of {ann|ben}", f"hand of {who}", "discard", "{place}")
        condition = self.about_set(best, CARDS)
        largest = f"(the largest combination of cards as {best} in {most} where {condition})"
        value = f"(sum of value of {card} for each card as {card} in {chosen})"
        guard = self.pick(f"{many} = (count of {largest})", f"{value} = 3", f"{value} > 2")
        head = f"{who} must lay: {self.pick('2', 'at least 2', 'any number of')} cards as {name}"
        below = (Line(f"where guard_{self.count}: {guard}"), Line("otherwise: skip"))
        then = (Line("then:", self.nested(1, {chosen: CARDS})),)
        return (Line(f"{head} in hand of {who}", (below[0], *then, below[1])),)
