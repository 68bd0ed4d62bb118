"""Further forms of the language, each group with a table of its own.

An `Extension` is what it adds to the table, what is done with that at first, and productions: more
templates for values, by their type, and more statements, parts of choices and questions. Half of
the files use two of them; the other half stay as they are when one is added. So to add a form of
the language: write it as a template of an extension, or write an extension and list it in
`EXTENSIONS`. `test_coverage.py` names what is nowhere.

`{mole}` in a template stands for a production of this module, or for one of `values.py`; a new type
needs a letter in `PREFIX`, a placeholder in `NAMES` and a method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import pytest

from lawspeaker.ir import cost
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.meaning.secrets import deeds, ranges, seeing
from tests.secrets.generated.files import Line, RuleFile
from tests.secrets.generated.grammar import Code, Rules
from tests.secrets.generated.texts import TEXTS, Writing
from tests.secrets.generated.values import (
    CARD,
    CARDS,
    DEEPEST,
    MAYBE,
    NAMES,
    NUMBER,
    PLAYER,
    PREFIX,
    SOME_PLAYERS,
    TRUTH,
    Template,
)

MOLE, BURROW, DEN, WAY, COLOUR, LINE = "mole", "burrow", "den", "way", "colour", "line"
BURROWS, DENS, NUMBERS, GATE = "burrows", "dens", "numbers", "gate"
PREFIX |= dict(
    zip(
        (MOLE, BURROW, DEN, WAY, COLOUR, LINE, BURROWS, DENS, NUMBERS, GATE),
        "obgwlihjqe",
        strict=True,
    )
)
NAMES |= {
    "a_mole": MOLE,
    "a_burrow": BURROW,
    "a_den": DEN,
    "a_way": WAY,
    "a_colour": COLOUR,
    "a_gate": GATE,
    "some_burrows": BURROWS,
    "some_dens": DENS,
    "some_numbers": NUMBERS,
}


@dataclass(frozen=True, slots=True)
class Extension:
    """`table` are lines for sections of the table, `values` templates by type, `lines` statements
    of a line, `blocks` names of methods that make several (with a depth), `parts` and `questions`
    of methods that make those."""

    name: str
    table: Mapping[str, str] = field(default_factory=dict)
    dealt: tuple[str, ...] = ()
    values: Mapping[str, Sequence[Template]] = field(default_factory=dict)
    lines: Sequence[Template] = ()
    loud: Sequence[Template] = ()
    """Lines that cannot be supposed."""
    blocks: Sequence[str] = ()
    parts: Sequence[str] = ()
    questions: Sequence[str] = ()


BOARD = Extension(
    "board",
    {
        "words": """\
  way:
    has: {across: number, down: number}
    are: {north: {down: -1}, east: {across: 1}, south: {down: 1}}
""",
        "pieces": """\
  mole:
    has: {bite: number}
    changes: {awake: truth}
    starts in: nest
    kinds: {young: {count: 4, bite: 1}, old: {count: 4, bite: 3}}
""",
        "places": """\
  nest:   {holds: mole, seen by: nobody}
  burrow: {grid: 3 by 2, holds: mole, room: 1, seen by: nobody}
  den:    {grid: 2 by 2, holds: mole, seen by: nobody, count seen by: nobody}
  meadow: {grid: 2 by 2, holds: mole, seen by: everyone}
""",
        "markers": "  mouth: {shows: burrow}\n  exit: {shows: burrow, seen by: nobody}\n",
    },
    (
        "for each burrow where column of burrow < 3:",
        "  pick a random mole in nest",
        "  move mole to burrow",
        "for each den where row of den = 1:",
        "  pick a random mole in nest",
        "  move mole to den",
    ),
    {
        NUMBER: (
            (0.7, "(count of moles in {mole_hide})"),
            (0.7, "{column|row} of {burrow}"),
            (0.7, "bite of {a_mole}"),
            (0.7, "(count of {burrows})"),
            (0.5, "(count of {dens})"),
            (0.4, "across of {way}"),
            (0.7, "{bites}"),
        ),
        TRUTH: (
            "({mole_hide} is {empty|not empty})",
            "(there is a {a_mole_somewhere})",
            (0.7, "(neighbour of {burrow} along {way} is nothing)"),
            (0.7, "({burrow} is in {burrows})"),
            (0.7, "({burrows} is empty)"),
            (0.7, "(burrow of {a_mole} is {burrow})"),
            (0.5, "({mouth|exit} is nothing)"),
            (0.5, "awake of {a_mole}"),
            (0.5, "({a_mole} is young)"),
            (0.4, "(for every {a_burrow_somewhere}, {truth})"),
        ),
    },
    (
        (0.7, "{let_burrow}"),
        (0.7, "{let_burrows}"),
        "mouth becomes {burrow}",
        (0.5, "exit becomes {burrow}"),
        "awake of {a_mole} becomes {truth}",
        "move {a_mole} to {mole_home}",
        "move up to 1 {moles_somewhere} to {mole_place}",
        (0.5, "move a {a_mole_somewhere} to {mole_place}"),
        "move all {moles_somewhere} to {mole_home}",
    ),
    (
        (0.5, "tell {everyone|ann} {some_burrows}"),
        (0.5, "tell {everyone|ann} {a_mole}"),
        (0.5, "tell {everyone|ann} {a_burrow}"),
        (0.3, "show {a_mole} to {everyone|ann}"),
        (0.5, "pick a random {a_burrow_here}"),
        (0.5, "pick a random {a_mole_here}"),
    ),
    ("for_each_on_board", "for_each_on_board", "mole_of_a_burrow"),
    ("burrow_part",),
    ("path_question",),
)
WALKS = Extension(
    "walks",
    BOARD.table,
    BOARD.dealt,
    {
        NUMBER: ("(count of {reached})", (0.5, "(count of {reached_cards})")),
        TRUTH: (
            "({reached} is empty)",
            "({burrow} is in {reached})",
            "(supposing {a_mole} moves to {burrow}, {truth})",
        ),
        CARDS: ((0.5, "{reached_cards}"),),
        SOME_PLAYERS: ((0.7, "{reached_players}"),),
        BURROWS: ("{reached}",),
    },
    ("{let_burrows}", "mouth becomes {first|last} of {reached}"),
    blocks=("for_each_on_board", "mole_of_a_burrow"),
)
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
            "(kind of {a_card} is {low|kind of {a_card}})",
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
PLAYS = Extension(
    "plays",
    lines=("{let_maybe}",),
    loud=(),
    blocks=("plays_a_card",),
    questions=("guarded_together", "offer_with_then"),
)
HEAVY = Extension(
    "heavy",
    values={NUMBER: ((2, "{long_count}"),)},
    blocks=("long_loop", "long_loop", "long_loop"),
)
ROADS = Extension(
    "roads",
    {
        "places": """\
  gate: {at: column, lines: [[1, 2, 3], [2, 4]], holds: stone, seen by: nobody}
  comb: {hexes: 2 by 2, holds: stone, seen by: nobody, count seen by: nobody}
""",
    },
    ("move 2 stones in bag to gate(1)", "move 1 stones in bag to comb(2, 1)"),
    {
        NUMBER: (
            "(count of stones in {stone_hide})",
            "(count of lines of gate({1|2|3}))",
            "(count of neighbours of {stone_hide})",
            "(sum of (count of stones in {a_gate}) for each line in lines of {a_gate})",
        ),
        TRUTH: (
            (2, "({stone_hide} is empty)"),
            "(there is a line in lines of gate(1) where {truth})",
        ),
    },
    (
        "move up to 1 stones in {stone_hide} to {stone_hide}",
        "move up to 1 stones in bag to {stone_hide}",
    ),
    blocks=("along_lines", "along_lines"),
)
EXTENSIONS = (BOARD, WALKS, LISTS, NOTES, SHOWS, PLAYS, HEAVY, ROADS, Extension(**TEXTS))
BUDGET = 40_000
"""So many steps there are in `heavy` files between two questions."""
MANY = 12_000
"""So many rounds take longer."""


def generated(seed: int) -> RuleFile:
    """The file of a seed; half of all use two extensions."""
    return Wide(seed).file(seed) if seed % 4 in (0, 3) else Rules(seed).file(seed)


@contextmanager
def budget_of(seed: int) -> Iterator[None]:
    """Meanwhile there are as many steps as the file of a seed is meant to be played with."""
    if HEAVY not in extensions_of(seed):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        for module in (cost, deeds, seeing, ranges):
            patch.setattr(module, "MOST_STEPS", BUDGET)
        for module in (deeds, seeing):
            patch.setattr(module, "SECRET_WORK", BUDGET // 10)
        patch.setattr(Machine.__init__, "__defaults__", (BUDGET,))
        yield


def extensions_of(seed: int) -> tuple[Extension, ...]:
    """Which ones the file of a seed uses."""
    return Wide(seed).used if seed % 4 in (0, 3) else ()


class Wide(Writing):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.used = tuple(self.luck.sample(EXTENSIONS, 2))
        for each in self.used:
            for section, lines in each.table.items():
                self.table = added(self.table, section, lines)
            self.dealt += tuple(line for line in each.dealt if line not in self.dealt)

    def more(self, what: str) -> Sequence[Template]:
        if self.depth >= DEEPEST:
            return ()
        return [
            template
            for each in self.used
            for template in each.values.get(what, ())
            if not self.scope.pure or "supposing" not in str(template)
        ]

    def more_statements(self, depth: int) -> Sequence[tuple[float, Callable[[], Code]]]:
        found: list[tuple[float, Callable[[], Code]]] = []
        for used in self.used:
            lines = [*used.lines, *(() if self.scope.quiet else used.loud)]
            if any(self.possible_line(each) for each in lines):
                found.append((8, partial(self.line, *lines)))
            if depth < 3:
                found += [(1.5, partial(getattr(self, name), depth)) for name in used.blocks]
        return found

    def possible_line(self, template: Template) -> bool:
        return self.can_say(template if isinstance(template, str) else template[1])

    def more_questions(self, opens: bool) -> Sequence[tuple[float, Callable[[], Code]]]:
        names = [] if opens else [name for each in self.used for name in each.questions]
        return [(2, getattr(self, name)) for name in names]

    def more_parts(self, who: str) -> tuple[str, str, str] | None:
        names = [name for each in self.used for name in each.parts]
        if not names or self.chance(0.6):
            return None
        made: Callable[[str], tuple[str, str, str]] = getattr(self, self.pick(*names))
        return made(who)

    def cards(self) -> str:
        with self._deeper():
            return super().cards()

    def players(self) -> str:
        with self._deeper():
            return super().players()

    # ------------------------------------------------------------ the board

    def burrow(self) -> str:
        if self.names(BURROW) and self.chance(0.6):
            return self.say("{a_burrow}")
        return self.say(
            (3, "burrow({1|2|3}, {1|2})"), (0.5, "burrow(larger(1, smaller(3, {number})), 1)")
        )

    def den(self) -> str:
        return self.say((1, "{a_den}"), "den({1|2}, {1|2})")

    def meadow(self) -> str:
        return self.say("meadow({1|2}, {1|2})")

    def way(self) -> str:
        return self.say((2, "{a_way}"), "{north|east|south}")

    def colour(self) -> str:
        return self.say((2, "{a_colour}"), "{red|blue}", "colour of {a_card}", (0.5, "tint"))

    def burrows(self) -> str:
        if self.names(BURROWS) and self.chance(0.4):
            return self.say("{some_burrows}")
        with self._deeper() as deeper:
            if not deeper:
                return self.say("neighbours of {burrow}", "occupied_burrows", "open_burrows")
            return self.say(
                "{neighbours|surroundings} of {burrow}",
                (0.5, "neighbours of {burrows}"),
                "occupied_burrows",
                (0.5, "open_burrows"),
                (2, "(all {burrows_somewhere})"),
                *self.more(BURROWS),
            )

    def dens(self) -> str:
        return self.say("occupied_dens", "(neighbours of {den})", "(all {dens_somewhere})")

    def bites(self) -> str:
        name, binder = self.of("moles", MOLE, "{mole_place}")
        return f"(sum of bite of {name} for each {binder})"

    def of(self, noun: str, type: str, source: str, where: float = 0.4) -> tuple[str, str]:
        """A binder of things of the board, and the name that it gives."""
        name = self.fresh(type)
        text = f"{noun} as {name}" + (f" in {self.say(source)}" if source else "")
        if self.chance(where):
            with self.inside({name: type}):
                text += f" where {self.truth()}"
        return name, text

    def moles_somewhere(self) -> str:
        return self.of("moles", MOLE, "{mole_place}")[1]

    def a_mole_somewhere(self) -> str:
        return self.of("mole", MOLE, "{mole_place}")[1]

    def a_mole_here(self) -> str:
        name, text = self.of("mole", MOLE, "{mole_hide}")
        self.new(MOLE, name)
        return text

    def burrows_somewhere(self) -> str:
        return self.of("burrows", BURROW, "", 0.9)[1]

    def a_burrow_somewhere(self) -> str:
        return self.of("burrow", BURROW, self.say((1, ""), "{burrows}"))[1]

    def a_burrow_here(self) -> str:
        name, text = self.of("burrow", BURROW, "{burrows}")
        self.new(BURROW, name)
        return text

    def dens_somewhere(self) -> str:
        return self.of("dens", DEN, "", 0.9)[1]

    def mole_hide(self) -> str:
        return self.say((3, "{burrow}"), (1.5, "{den}"), (0.7, "nest"))

    def mole_home(self) -> str:
        return self.say("{den}", "nest", "{meadow}")

    def mole_place(self) -> str:
        return self.say((3, "{mole_hide}"), "{meadow}")

    def let_burrow(self) -> str:
        return self.named(BURROW, self.burrow())

    def let_burrows(self) -> str:
        return self.named(BURROWS, self.burrows())

    def let_numbers(self) -> str:
        return self.named(NUMBERS, self.list_of_numbers())

    def let_colour(self) -> str:
        return self.named(COLOUR, self.colour())

    def let_maybe(self) -> str:
        return self.named(MAYBE, self.maybe())

    def named(self, type: str, value: str) -> str:
        return f"let {self.new(type)} be {value}"

    def card_store(self) -> str:
        return self.say("chest", "fan of {player}")

    def reached(self) -> str:
        """Burrows that are come to step by step, past something hidden."""
        name = self.fresh(BURROW)
        start = self.burrow()
        mole = self.fresh(MOLE)
        with self.inside({name: BURROW}):
            condition = self.say(
                f"({name} is {{empty|not empty}})",
                f"(there is a mole as {mole} in {name} where ({mole} is old))",
                "{truth}",
            )
        to = f"to each burrow as {name} while {condition}"
        return self.say(
            f"(walk from {start} along {{way}} {to})",
            f"(region from {start} {to})",
            f"(region from {start} by {{neighbours|surroundings}} of {name} {to})",
        )

    def reached_players(self) -> str:
        name = self.fresh(PLAYER)
        start = self.player()
        with self.inside({name: PLAYER}):
            condition = self.truth()
        to = f"to each player as {name} while {condition}"
        return f"(region from {start} by [left_neighbour of {name}] {to})"

    def reached_cards(self) -> str:
        name, other = self.fresh(CARD), self.fresh(CARD)
        start = self.card()
        with self.inside({name: CARD}):
            place, condition = self.place(), self.truth()
        by = f"(all cards as {other} in {place} where value of {other} > value of {name})"
        return f"(region from {start} by {by} to each card as {name} while {condition})"

    def for_each_on_board(self, depth: int) -> Code:
        name, text = self.pick(
            self.of("mole", MOLE, "{mole_place}"),
            self.of("burrow", BURROW, "{burrows}"),
            self.of("den", DEN, "{dens}"),
            self.of("way", WAY, "", 0.1),
        )
        types = {PREFIX[type]: type for type in (MOLE, BURROW, DEN, WAY)}
        found = {name: types[name[0]]}
        return (Line(f"for each {text}:", self.nested(depth, found, loops=True)),)

    def mole_of_a_burrow(self, depth: int) -> Code:
        name, text = self.of("mole", MOLE, "{mole_hide}")
        return (Line(f"if there is a {text}:", self.nested(depth, {name: MOLE})),)

    def burrow_part(self, who: str) -> tuple[str, str, str]:
        name, text = self.of("burrow", BURROW, self.say((2, ""), "{burrows}"), 0.3)
        return name, BURROW, text

    def path_question(self) -> Code:
        name = self.fresh(BURROW)
        self.count += 1
        with self.inside({name: BURROW, "here": BURROW}):
            guard = self.say(f"({name} is in neighbours of here)", "{truth}")
        head = f"{self.asked()} must walk: path of up to 2 burrows as {name} in open_burrows"
        below = (Line(f"where guard_{self.count}: {guard}"), Line("otherwise: finish"))
        return (Line(f"{head} from burrow(1, 1)", below), *self.line("price becomes count of path"))

    def stone_hide(self) -> str:
        return self.say("{a_gate}", "gate({1|2|3|4})", "comb({1|2}, {1|2})")

    def along_lines(self, depth: int) -> Code:
        line, gate = self.fresh(LINE), self.fresh(GATE)
        head = f"for each gate as {gate} in gates of {line}:"
        inside = (Line(head, self.nested(depth + 1, {gate: GATE}, loops=True)),)
        return (Line(f"for each line as {line} in lines of gate({self.pick(1, 2, 3)}):", inside),)

    # ------------------------------------------------------------ lists

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

    # ------------------------------------------------------------ notes, shows, cards, long work

    def remembered_on_one_way(self, depth: int) -> Code:
        condition = self.sharp()
        if self.scope.quiet:
            return (Line(f"if {condition}:", (self.signal(),)),)
        return (
            Line(f"if {condition}:", self.seems_to_tell()),
            *self.line("remember position", "price becomes appearances of position"),
        )

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

    def plays_a_card(self, depth: int) -> Code:
        if self.scope.quiet or self.scope.alone or {"points", "card"} & self.scope.names.keys():
            return self.let()
        self.window = True
        with self.secretly(0.3):
            card = self.say("{a_card}") if self.names(CARD) else self.card()
            points = self.number()
        self.new(NUMBER, "points")
        return (Line(f"let points be {points}"), Line(f"{self.player()} plays {card} as moment"))

    def guarded_together(self) -> Code:
        """A guard of all alternatives, and a player who cannot choose."""
        who = self.asked()
        found = []
        for label in ("take_it", "leave_it"):
            name, type, part = self.part(who)
            found.append(Line(f"{label}: {part}", (Line("then:", self.nested(1, {name: type})),)))
        self.count += 1
        common = Line(f"in each case where guard_{self.count}: {self.truth()}")
        return (
            Line(f"{who} must choose one of", (*found, common, Line("otherwise: cannot happen"))),
        )

    def offer_with_then(self) -> Code:
        if {"points", "card"} & self.scope.names.keys() or self.scope.alone:
            return self.one_of()
        self.window = True
        self.scope.text = ""
        value = self.number()
        who = self.asked()
        self.new(NUMBER, "points")
        if self.chance(0.4):
            offer = Line(f"let {self.new(MAYBE)} be offer moment to {who}")
        else:
            below = (Line("then:", self.nested(1)), Line("otherwise:", self.nested(1)))
            must = self.pick("", ", who must play")
            offer = Line(f"offer moment to {who}{must}", below)
        return (Line(f"let points be {value}"), offer)

    def long_count(self) -> str:
        """A number that takes long to work out."""
        one = self.fresh(NUMBER)
        most = self.pick(40, 400, MANY)
        return f"(count of numbers as {one} in 1..{most} where {one} > {self.small()})"

    def long_loop(self, depth: int) -> Code:
        """Work that takes long if something hidden is so, at once or by many rounds."""
        condition, number = self.sharp(), self.new(NUMBER)
        often, rounds = self.pick((1, MANY), (150, 150), (3, 400), (2, 40))
        inside = (Line(f"{number} becomes {number} + 1"),)
        long = Line(f"repeat {often} times:", inside)
        found = self.pick(
            Line(f"if {condition}:", (Line(f"repeat {often * rounds} times:", inside),)),
            Line(f"repeat {rounds} times:", (Line(f"if {condition}:", (long,)),)),
            Line(
                f"for each number as {self.fresh(NUMBER)} in 1..{rounds}:",
                (Line(f"if {condition}:", (long,)),),
            ),
            Line(f"repeat {self.secret_number()} times:", (long,)),
            Line(f"repeat up to {rounds} times, until {condition}:", (long,)),
        )
        return (Line(f"let {number} be 0"), found)


def added(table: str, section: str, lines: str) -> str:
    """The table with more lines in a section, each once."""
    if lines in table:
        return table
    head = f"{section}:\n"
    if not table.startswith(head) and f"\n{head}" not in table:
        return table + head + lines
    return table.replace(head, head + lines, 1)
