"""Walhalla (German base edition, three or four players), written by hand.

This engine knows nothing of the rules language. It is the yardstick for speed, and a second
opinion about which options are legal and what they score.

There is one set of rules, `Game`, and it never rolls a die or makes a choice itself: whatever
is left to luck or to a player it asks of a `Table`, and goes on with the answer. So the two
faces of the engine are two kinds of table:

* `RandomTable` answers everything at random; `play(players, seed)` is a game at such a table.
* A caller who wants to drive a game step by step brings a table of his own. While it is being
  asked it may read the game's attributes, which are always up to date.

Questions and options are plain values:

    "board"        a tuple of names of places aboard, in order: (), ("bow",), ("bow", "stern"), …
    "ride"         False or True, asked of the owner of the coloured place
    "send"         (fjord, "bow_first" or "stern_first"), the end named lying nearest the coast
    "land"         (peninsula, row)
    "attack"       False or True: play an Attack card?
    "defend"       "lose", "win" or "shield"
    "hunt"         False or True: play a Hunt card?
    "end_of_raid"  the cards laid down, as a tuple of (kind, how many), sorted by kind

Only real questions are asked: one whose single answer all can see to be forced is not. That is
why a defender who can only lose is still asked as long as he has cards, and at the end of a raid
a player with cards of which he may lay none: the others cannot know.

Seats count from 0, clockwise; peninsulas, fjords and rows count from 1, rows from the coast.
Inside, a field is an index into flat lists, peninsula after peninsula, and nobody is -1. Piles
are bags: their order does not exist until something is drawn.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import NamedTuple, Protocol, TypeVar

from benchmarks.speed import print_speed

T = TypeVar("T")

Terrain = tuple[str, int]  # its kind, and the points of a forest or the bonus of a village
Tile = tuple[Terrain, Terrain]
Lengths = tuple[int, int, int]
Boarding = tuple[str, ...]
Lay = tuple[tuple[str, int], ...]  # kinds of cards and how many
Laid = Mapping[int, Lay]  # by seat
Label = tuple[int, int]  # peninsula and row
Spot = tuple[tuple[int, ...], tuple[Label, ...]]  # the fields beside a place, and their labels

NOBODY = -1
VIKINGS = 14
RAIDS = 3
FJORDS = 4
PLACES = ("bow", "middle", "stern")
PLACE_INDEX = {place: index for index, place in enumerate(PLACES)}

# Dragon d has its coloured place at PLACES[d % 3]; its colour is that of seat d // 3.
DRAGONS = 12

TERRAINS = ("cult", "forest", "village", "wheat")
_ENDS: dict[str, Terrain] = {"c": ("cult", 0), "f2": ("forest", 2), "f3": ("forest", 3)}
_ENDS |= {"v1": ("village", 1), "v2": ("village", 2), "w": ("wheat", 0)}
# No source lists the tiles: these eighteen are assumed.
_TILES = "c-f2 c-f3 c-f2 c-v1 c-v2 c-v1 c-w c-w c-w f3-v2 f2-v1 f3-v2 f2-w f3-w f2-w v1-w v2-w v1-w"
TILES: tuple[Tile, ...] = tuple(
    (_ENDS[one], _ENDS[other]) for one, other in (tile.split("-") for tile in _TILES.split())
)

CAPES = {"cape_6": 6, "cape_7": 7, "cape_8": 8}
END_CARDS = ("cape_6", "cape_7", "cape_8", "cult", "forest", "heroes", "village", "wheat")
COPIES = dict.fromkeys(TERRAINS, 4) | dict.fromkeys(CAPES, 1) | {"heroes": 1}
COPIES |= {"attack": 4, "hunt": 4, "shield": 4}
DECK = tuple(kind for kind, copies in COPIES.items() for _ in range(copies))

MIDGARD = {3: 9, 4: 7}
SUPPLY = {3: (10, 9, 8), 4: (8, 7, 6, 5)}
HERO_PRIZES = (6, 5)
SOURCES = ("forest", "end_cards", "wheat", "peninsulas", "fields", "heroes")

NO_YES = (False, True)
# By whether he has a hero, then by whether he has a shield.
DEFENCES = ((("lose",), ("lose", "shield")), (("lose", "win"), ("lose", "win", "shield")))


def _boardings(coloured: str, own: bool, vikings: int) -> tuple[Boarding, ...]:
    places = [place for place in PLACES if own or place != coloured]
    sizes = range(min(vikings, len(places)) + 1)
    return tuple(some for size in sizes for some in combinations(places, size))


def _sendings(open_fjords: int, headings: Sequence[str]) -> tuple[tuple[int, str], ...]:
    fjords = [fjord for fjord in range(FJORDS) if open_fjords >> fjord & 1]
    return tuple((fjord + 1, heading) for fjord in fjords for heading in headings)


# By coloured place, then by whether it is the active player's own, then by vikings (up to 3).
BOARDINGS = [
    [[_boardings(coloured, own, vikings) for vikings in range(4)] for own in NO_YES]
    for coloured in PLACES
]
# By the set of open fjords (a bit each), then by whether the two ends differ.
SENDINGS = [
    (_sendings(fjords, ("bow_first",)), _sendings(fjords, ("bow_first", "stern_first")))
    for fjords in range(1 << FJORDS)
]


class Shore(NamedTuple):
    """What follows from the lengths of the peninsulas alone."""

    peninsula: tuple[int, ...]  # of each field, from 0
    berths: tuple[int, ...]  # of each fjord
    beside: tuple[tuple[Spot, ...], ...]  # each row of each fjord


@lru_cache
def shore(lengths: Lengths) -> Shore:
    """The fields along each fjord, given the tiles of each peninsula."""
    if sum(lengths) != len(TILES) or not all(5 <= length <= 8 for length in lengths):
        raise ValueError(f"peninsulas have 5 to 8 tiles, {len(TILES)} in all, not {lengths}")
    rows = [2 * length for length in lengths]
    first = [0, rows[0], rows[0] + rows[1]]
    berths, beside = [], []
    for fjord in range(FJORDS):
        banks = [bank for bank in (fjord - 1, fjord) if 0 <= bank < 3]
        berths.append(max(-(-rows[bank] // 3) for bank in banks))
        along = []
        for row in range(3 * berths[-1]):
            here = [bank for bank in banks if row < rows[bank]]
            fields = tuple(first[bank] + row for bank in here)
            along.append((fields, tuple((bank + 1, row + 1) for bank in here)))
        beside.append(tuple(along))
    peninsula = tuple(bank for bank in range(3) for _ in range(rows[bank]))
    return Shore(peninsula, tuple(berths), tuple(beside))


@lru_cache(maxsize=4096)
def lays(held: Lay) -> tuple[Lay, ...]:
    """Every choice of cards out of those held."""
    return tuple(
        tuple((kind, some) for (kind, _), some in zip(held, counts, strict=True) if some)
        for counts in product(*(range(count + 1) for _, count in held))
    )


class Table(Protocol):
    """Where luck and decisions come from. Answers are trusted to be among what is offered."""

    def lay_tiles(self, tiles: Sequence[Tile]) -> Sequence[Tile]:
        """All tiles by peninsula and from the coast outwards, the end nearer the coast first."""

    def lay_headlands(self, numbers: Sequence[int]) -> Sequence[int]:
        """The numbers in the order of the peninsulas; asked for 3, 4, 5 and then for 6, 7, 8."""

    def start_player(self, players: int) -> int:
        """The seat that begins the first raid."""

    def draw_card(self, seat: int, pile: Sequence[str]) -> str:
        """The kind of card this seat draws. The pile names each card in it, in no order."""

    def draw_dragon(self, pile: Sequence[int]) -> int:
        """The dragon drawn, out of those left."""

    def decide(self, seat: int, question: str, options: Sequence[T]) -> T:
        """One seat's choice."""

    def decide_together(self, question: str, options: Mapping[int, Sequence[Lay]]) -> Laid:
        """The choices of several seats, made in secret and shown at once."""


class RandomTable:
    """Fair luck, and players who take any option with the same chance."""

    __slots__ = ("random",)

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def lay_tiles(self, tiles: Sequence[Tile]) -> Sequence[Tile]:
        random = self.random
        order = sorted(tiles, key=lambda _: random())
        return [(near, far) if random() < 0.5 else (far, near) for near, far in order]

    def lay_headlands(self, numbers: Sequence[int]) -> Sequence[int]:
        return sorted(numbers, key=lambda _: self.random())

    def start_player(self, players: int) -> int:
        return int(self.random() * players)

    def draw_card(self, seat: int, pile: Sequence[str]) -> str:
        return pile[int(self.random() * len(pile))]

    def draw_dragon(self, pile: Sequence[int]) -> int:
        return pile[int(self.random() * len(pile))]

    def decide(self, seat: int, question: str, options: Sequence[T]) -> T:
        return options[int(self.random() * len(options))]

    def decide_together(self, question: str, options: Mapping[int, Sequence[Lay]]) -> Laid:
        return {seat: lays[int(self.random() * len(lays))] for seat, lays in options.items()}


class Game:
    """One game: `Game(players, table).run()` plays it to the end and returns the scores.

    Attributes a table may read: by seat `midgard`, `asgard`, `walhalla`, `hand` (kind: count)
    and, for each of SOURCES, `points`; by field `who` stands there, its `kind` and its `value`;
    by place `aboard`, the seats whose vikings are in the dragon; by peninsula `inner` and
    `outer`; by fjord `docked`, the number of dragons; and `pile`, `discards`, `dragons`,
    `starter`, `active` and `raid`.
    """

    def __init__(self, players: int, table: Table, lengths: Lengths = (6, 6, 6)) -> None:
        self.players = players
        self.table = table
        self.decide = table.decide
        self.shore = shore(lengths)
        self.midgard = [MIDGARD[players]] * players
        self.walhalla = [1] * players
        self.asgard = [VIKINGS - 1 - MIDGARD[players]] * players
        self.hand = [dict.fromkeys(COPIES, 0) for _ in range(players)]
        self.points = {source: [0] * players for source in SOURCES}
        self.pile = list(DECK)
        self.discards: list[str] = []
        self.who = [NOBODY] * len(self.shore.peninsula)
        self.aboard = [NOBODY] * 3
        self.docked = [0] * FJORDS
        self.dragons: list[int] = []
        self.raid = self.starter = self.active = 0
        self.kind: Sequence[str] = ()
        self.value: Sequence[int] = ()
        self.inner: Sequence[int] = ()
        self.outer: Sequence[int] = ()

    def run(self) -> list[int]:
        """Set up, and play the three raids."""
        table = self.table
        terrains = [terrain for tile in table.lay_tiles(TILES) for terrain in tile]
        self.kind, self.value = zip(*terrains, strict=True)
        self.inner = table.lay_headlands((3, 4, 5))
        self.outer = table.lay_headlands((6, 7, 8))
        for seat in range(self.players):
            self._draw_card(seat)
        self.starter = table.start_player(self.players)
        for self.raid in range(1, RAIDS + 1):
            self._sail()
            heroes = self._score_raid()
            if self.raid < RAIDS:
                self._prepare(heroes)
            else:
                share(heroes, *HERO_PRIZES, self.points["heroes"])
        return self.scores()

    def scores(self) -> list[int]:
        """The points so far, by seat."""
        return [sum(gains) for gains in zip(*self.points.values(), strict=True)]

    def _sail(self) -> None:
        """All turns of a raid."""
        players, midgard, aboard, docked = self.players, self.midgard, self.aboard, self.docked
        _, berths, beside = self.shore
        decide, draw_dragon, land = self.decide, self.table.draw_dragon, self._land
        docked[:] = [0] * FJORDS
        open_fjords = (1 << FJORDS) - 1
        dragons = self.dragons = list(range(DRAGONS))
        active = self.active = self.starter
        while True:
            dragon = draw_dragon(dragons)
            dragons.remove(dragon)
            colour, coloured = divmod(dragon, 3)

            vikings = midgard[active]
            if vikings:
                boardings = BOARDINGS[coloured][colour == active][vikings if vikings < 3 else 3]
                for place in decide(active, "board", boardings):
                    aboard[PLACE_INDEX[place]] = active
                    midgard[active] -= 1
            may_ride = colour != active and colour < players and midgard[colour]
            if may_ride and decide(colour, "ride", NO_YES):
                aboard[coloured] = colour
                midgard[colour] -= 1

            sendings = SENDINGS[open_fjords][aboard[0] != aboard[2]]
            label, heading = decide(active, "send", sendings) if len(sendings) > 1 else sendings[0]
            fjord = label - 1
            berth = docked[fjord]
            docked[fjord] = berth + 1
            if berth + 1 == berths[fjord]:
                open_fjords ^= 1 << fjord

            row = 3 * berth
            for place_index in (0, 1, 2) if heading == "bow_first" else (2, 1, 0):
                owner = aboard[place_index]
                if owner >= 0:
                    land(owner, place_index, beside[fjord][row])
                row += 1

            if not dragons or not any(midgard):
                return
            active = self.active = (active + 1) % players

    def _land(self, owner: int, place: int, spot: Spot) -> None:
        """Bring one viking ashore on one of the fields beside him."""
        (fields, labels), who = spot, self.who
        targets = [field for field in fields if who[field] != owner]
        if not targets:
            self.aboard[place] = NOBODY
            self.midgard[owner] += 1
            return
        field = targets[0]
        if len(targets) == 2 and self.decide(owner, "land", labels) == labels[1]:
            field = targets[1]
        lands = who[field] == NOBODY or self._attack(owner, who[field])
        self.aboard[place] = NOBODY
        if not lands:
            return
        who[field] = owner
        kind = self.kind[field]
        if kind == "cult":
            self._draw_card(owner)
        elif kind == "forest":
            value = self.value[field]
            if self.hand[owner]["hunt"] and self.decide(owner, "hunt", NO_YES):
                self._play_card(owner, "hunt")
                value *= 2
            self.points["forest"][owner] += value

    def _attack(self, attacker: int, defender: int) -> bool:
        """Fight for a field; the fallen go to Walhalla. Whether the attacker takes the field."""
        walhalla, hand = self.walhalla, self.hand[defender]
        if self.hand[attacker]["attack"] and self.decide(attacker, "attack", NO_YES):
            self._play_card(attacker, "attack")
            defence = "lose"
        else:
            options = DEFENCES[walhalla[defender] > 0][hand["shield"] > 0]
            seen_to_be_forced = len(options) == 1 and not any(hand.values())
            defence = "lose" if seen_to_be_forced else self.decide(defender, "defend", options)
        if defence == "lose":
            walhalla[defender] += 1
            return True
        walhalla[attacker] += 1
        if defence == "shield":
            self._play_card(defender, "shield")
        else:
            walhalla[defender] -= 1
            self.asgard[defender] += 1
        return False

    def _draw_card(self, seat: int) -> None:
        if not self.pile:
            self.pile, self.discards = self.discards, []
        if self.pile:
            card = self.table.draw_card(seat, self.pile)
            self.pile.remove(card)
            self.hand[seat][card] += 1

    def _play_card(self, seat: int, kind: str) -> None:
        self.hand[seat][kind] -= 1
        self.discards.append(kind)

    def _lay_cards(self) -> Laid:
        """Let all who have cards lay down those that are for the end of a raid."""
        options = {}
        for seat, hand in enumerate(self.hand):
            if any(hand.values()):
                held = tuple([(kind, hand[kind]) for kind in END_CARDS if hand[kind]])
                options[seat] = lays(held)
        return self.table.decide_together("end_of_raid", options) if options else {}

    def _score_raid(self) -> list[int]:
        """Score what a raid has won. Returns each player's strength in Walhalla."""
        players, points = self.players, self.points
        laid = self._lay_cards()
        standing = {kind: [0] * players for kind in TERRAINS}
        strength = [[0] * players for _ in range(3)]
        for owner, kind, value, peninsula in zip(
            self.who, self.kind, self.value, self.shore.peninsula, strict=True
        ):
            if owner >= 0:
                standing[kind][owner] += 1
                strength[peninsula][owner] += 1 + value if kind == "village" else 1

        heroes = self.walhalla.copy()
        for seat, lay in laid.items():
            for kind, count in lay:
                self.hand[seat][kind] -= count
                self.discards += [kind] * count
                if kind in standing:
                    points["end_cards"][seat] += count * standing[kind][seat]
                elif kind in CAPES:
                    strength[self.outer.index(CAPES[kind])][seat] += 2
                else:
                    heroes[seat] += 2

        for seat, wheat_fields in enumerate(standing["wheat"]):
            points["wheat"][seat] += self.raid * wheat_fields
        for strengths, outer, inner in zip(strength, self.outer, self.inner, strict=True):
            share(strengths, outer, inner, points["peninsulas"])
        if self.raid == RAIDS:
            points["fields"] = [sum(fields) for fields in zip(*standing.values(), strict=True)]
        return heroes

    def _prepare(self, heroes: Sequence[int]) -> None:
        """Clear the land, call vikings up for the next raid, and let heroes leave Walhalla."""
        who, midgard, asgard, walhalla = self.who, self.midgard, self.asgard, self.walhalla
        for field, owner in enumerate(who):
            if owner >= 0 and self.kind[field] != "wheat":
                who[field] = NOBODY
                asgard[owner] += 1
        ranking = sorted(set(heroes), reverse=True)
        leaving = min(walhalla)
        for seat in range(self.players):
            called = min(SUPPLY[self.players][ranking.index(heroes[seat])], asgard[seat])
            midgard[seat] += called
            walhalla[seat] -= leaving
            asgard[seat] += leaving - called
        self.starter = (self.starter + 1) % self.players


def share(strengths: Sequence[int], first: int, second: int, points: list[int]) -> None:
    """Add the prizes for the highest and the second highest strength above zero."""
    best = max(strengths)
    winners = strengths.count(best)
    if winners > 1:
        first, second = -(-(first + second) // winners), 0
    next_best = max([strength for strength in strengths if strength < best], default=0)
    if next_best:
        second = -(-second // strengths.count(next_best))
    for seat, strength in enumerate(strengths):
        if strength == best > 0:
            points[seat] += first
        elif strength == next_best > 0:
            points[seat] += second


def play(players: int, seed: int, lengths: Lengths = (6, 6, 6)) -> list[int]:
    """The scores of a game between random players."""
    return Game(players, RandomTable(seed), lengths).run()


if __name__ == "__main__":
    print_speed(play, MIDGARD, games=500)
