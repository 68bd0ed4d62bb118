"""Boards with hidden contents: grids, lines, hexes, tables that grow, walks and regions."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Line
from tests.secrets.generated.grammar import Code
from tests.secrets.generated.values import (
    CARD,
    CARDS,
    NAMES,
    NUMBER,
    PLAYER,
    PREFIX,
    SOME_PLAYERS,
    TRUTH,
)

MOLE, BURROW, DEN, WAY, LINE = "mole", "burrow", "den", "way", "line"
BURROWS, DENS, GATE, TILE, MOOR, FEN = "burrows", "dens", "gate", "tile", "moor", "fen"
PREFIX |= {
    MOLE: "o",
    BURROW: "b",
    DEN: "g",
    WAY: "w",
    LINE: "i",
    BURROWS: "h",
    DENS: "j",
    GATE: "e",
    TILE: "ti",
    MOOR: "mo",
    FEN: "fe",
}
NAMES |= {
    "a_mole": MOLE,
    "a_burrow": BURROW,
    "a_den": DEN,
    "a_way": WAY,
    "a_gate": GATE,
    "some_burrows": BURROWS,
    "some_dens": DENS,
    "a_tile": TILE,
    "a_moor": MOOR,
    "a_named_fen": FEN,
}
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
LINES = Extension(
    "lines",
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
GROWING = Extension(
    "growing",
    {
        "pieces": """\
  tile:
    has: {edge: number}
    changes: {turned: truth}
    starts in: box
    kinds: {plain: {count: 4, edge: 1}, rough: {count: 4, edge: 2}}
""",
        "places": """\
  box:  {holds: tile, seen by: nobody}
  moor: {hexes: grows, holds: tile, room: 1, seen by: everyone}
  fen:  {hexes: grows, holds: tile, room: 1, seen by: nobody}
  yard: {grid: grows, holds: tile, room: 1, seen by: everyone}
  rack: {of each: player, holds: tile, seen by: owner}
""",
        "markers": "  spot: {shows: moor}\n  trap: {shows: fen, seen by: nobody}\n",
    },
    (
        "pick a random tile in box",
        "move tile to moor(0, 0)",
        "pick a random tile as second_tile in box",
        "move second_tile to fen(0, 0)",
        "for each player:",
        "  pick a random tile as dealt_tile in box",
        "  move dealt_tile to rack of player",
    ),
    {
        NUMBER: (
            (0.7, "(count of {moors})"),
            (2, "edge of {a_tile}"),
            "{edges}",
            (0.7, "(count of neighbours of {growing_place})"),
            (0.5, "{column|row} of {moor}"),
            (0.5, "(count of {occupied|open}_fens)"),
        ),
        TRUTH: (
            "({growing_place} is {empty|not empty})",
            "({moor} is in {moors})",
            "(there is a {a_tile_somewhere})",
            "({a_tile} is {plain|rough})",
            (0.5, "turned of {a_tile}"),
            (0.5, "(moor of {a_tile} is {moor})"),
            (
                0.5,
                "({moor} is in (region from moor(0, 0) to each moor))",
            ),
            (0.4, "(supposing {a_tile} moves to {moor}, {truth})"),
        ),
    },
    (
        "spot becomes {moor}",
        (0.5, "trap becomes {a_fen}"),
        "turned of {a_tile} becomes {truth}",
        "move {a_tile} to {tile_home}",
        "move {a_tile} to {growing_place}",
        "move up to 1 {tiles_somewhere} to {tile_home}",
        (0.5, "move all {tiles_somewhere} to {tile_home}"),
    ),
    (
        (0.5, "tell {everyone|ann} {a_tile}"),
        (0.5, "pick a random {a_tile_here}"),
    ),
    ("for_each_tile", "laid_beside", "laid_beside"),
    ("tile_part", "moor_part"),
    ("laying_question",),
)


class Boards(Wide):
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

    # ------------------------------------------------------------ tables that grow

    def moor(self) -> str:
        if self.names(MOOR) and self.chance(0.6):
            return self.say("{a_moor}")
        return self.say(
            (3, "moor({0|1|-1}, {0|1})"), (0.3, "moor(smaller(1, larger(0, {number})), 0)")
        )

    def a_fen(self) -> str:
        return self.say((2, "{a_named_fen}"), "fen({0|1|-1}, {0|1})")

    def moors(self) -> str:
        return self.say(
            "occupied_moors", "open_moors", "neighbours of {moor}", "(all {moors_somewhere})"
        )

    def moors_somewhere(self) -> str:
        return self.of("moors", MOOR, "{occupied|open}_moors", 0.9)[1]

    def growing_place(self) -> str:
        return self.say("{moor}", "{a_fen}", "yard({0|1}, {0|1})")

    def tile_home(self) -> str:
        return self.say("box", "rack of {player}")

    def tile_place(self) -> str:
        return self.say((2, "rack of {player}"), "box", "{growing_place}")

    def tiles_somewhere(self) -> str:
        return self.of("tiles", TILE, "{tile_place}")[1]

    def a_tile_somewhere(self) -> str:
        return self.of("tile", TILE, "{tile_place}")[1]

    def a_tile_here(self) -> str:
        name, text = self.of("tile", TILE, "{tile_place}")
        self.new(TILE, name)
        return text

    def edges(self) -> str:
        name, binder = self.of("tiles", TILE, "{tile_place}")
        return f"(sum of edge of {name} for each {binder})"

    def for_each_tile(self, depth: int) -> Code:
        name, text = self.of("tile", TILE, "{tile_place}")
        types, head = {name: TILE}, "for each"
        if self.chance(0.5):
            head = "if there is a"
        elif self.chance(0.4):
            name, text = self.of("moor", MOOR, "{occupied|open}_moors")
            types = {name: MOOR}
        return (Line(f"{head} {text}:", self.nested(depth, types, loops=head == "for each")),)

    def laid_beside(self, depth: int) -> Code:
        """A tile goes where luck or the rules find an open place."""
        where, kind = self.pick(("moor", MOOR), ("moor", MOOR), ("fen", FEN))
        place, source = self.fresh(kind), self.say("rack of {player}", "box")
        tile, text = self.of("tile", TILE, source)
        end = self.pick("first", "last")
        inside = (Line(f"move {tile} to {place}"), *self.nested(depth, {place: kind, tile: TILE}))
        found = Line(f"if {place} is not nothing:", (Line(f"if there is a {text}:", inside),))
        return (Line(f"let {place} be {end} of open_{where}s"), found)

    def tile_part(self, who: str) -> tuple[str, str, str]:
        name, text = self.of("tile", TILE, self.say((3, f"rack of {who}"), "{tile_place}"), 0.3)
        return name, TILE, text

    def moor_part(self, who: str) -> tuple[str, str, str]:
        name, text = self.of("moor", MOOR, self.say((3, "open_moors"), "{moors}"), 0.3)
        return name, MOOR, text

    def laying_question(self) -> Code:
        """A tile of one's own is laid where it fits."""
        who = self.asked()
        tile, part = self.of("tile", TILE, f"rack of {who}", 0.2)
        moor = self.fresh(MOOR)
        below = self.guards(tile, TILE)
        with self.inside({tile: TILE, moor: MOOR}):
            self.count += 1
            other = f"moors as {self.fresh(MOOR)} in neighbours of {moor}"
            near = f"(count of {other} where {self.truth()})"
            below += (
                Line(f"where guard_{self.count}: {near} {self.pick('>', '<')} {self.small()}"),
            )
            then = (Line(f"move {tile} to {moor}"), *self.nested(1))
        below += (Line("then:", then), Line("otherwise: skip"))
        return (Line(f"{who} must lay: {part}, moor as {moor} in open_moors", below),)
