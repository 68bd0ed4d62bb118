"""Checks sides (teams): their declaration, and expressions about them.

The head of a game declares sides in one of three ways: as names that take turns around the table,
as lists of players by name of the side, or as bare lists of players, which become `side_1`,
`side_2` and so on. The sides are a set of words, `side`, so all expressions for words apply to
them. A side has a single score, kept with its first player: points of a player count for his side.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label, did_you_mean, with_noun
from lawspeaker.base.source import Span
from lawspeaker.base.typography import enumerated
from lawspeaker.meaning.check.checker import CodeChecker
from lawspeaker.meaning.check.fitting import bare
from lawspeaker.meaning.check.world import World
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, child, items_of, text_of

SIDE, SIDES = "side", "sides"
WORDS = (SIDE, "partner", "partners", "players")
"""Accessors that are available in a game with sides."""
Seats = tuple[int, ...]


class Declared:
    """Reads the `sides` of a game's head into its world."""

    def __init__(
        self, world: World, players: Node | None, new_name: Callable[[str, Span], bool]
    ) -> None:
        self.world, self.diagnostics, self.new_name = world, world.diagnostics, new_name
        self.node = child(players, SIDES)
        self.seated: dict[str, Span] = {}

    def read(self) -> None:
        node, names = self.node, self.world.player_names
        sides: list[tuple[str, Seats, Span]] = []
        if isinstance(node, Mapping):
            for key, listed in node.entries:
                sides.append((self.named(key), self.seats(listed), key.span))
            missing = [name for name in names if name not in self.seated]
            if missing:
                self.alone(missing, node.span)
        elif isinstance(node, Sequence) and all(isinstance(each, Scalar) for each in node.items):
            turns = len(node.items)
            for at, each in enumerate(node.items):
                assert isinstance(each, Scalar)
                sides.append((self.named(each), tuple(range(at, len(names), turns)), each.span))
        elif isinstance(node, Sequence):
            for listed in node.items:
                sides.append((f"{SIDE}_{len(sides) + 1}", self.seats(listed), listed.span))
            for seat, name in enumerate(names):
                if name not in self.seated:
                    sides.append((f"{SIDE}_{len(sides) + 1}", (seat,), node.span))
        if not sides or node is None:
            return
        self.world.sides = tuple(seats for _, seats, _ in sides)
        self.all_play(sides)
        self.words(node, sides)

    def named(self, key: Scalar) -> str:
        self.new_name(key.value, key.span)
        if key.value in self.world.player_names:
            self.diagnostics.error(
                "duplicate-name",
                f"a side and a player are called `{key.value}`",
                key.span,
                hint="`sides: {red: [ann, cy], blue: [ben, di]}` gives each side a name of its own",
            )
        return key.value

    def seats(self, side: Node) -> Seats:
        """The seats of named players; every player is on at most one side."""
        world, seats = self.world, []
        for each in items_of(side):
            name = text_of(each)
            if name not in world.player_names:
                self.diagnostics.error(
                    "unknown-name",
                    f"nobody is called `{name}`",
                    each.span,
                    hint=did_you_mean(name, world.player_names)
                    or f"the players are {', '.join(world.player_names)}",
                )
            elif name in self.seated:
                self.diagnostics.error(
                    "duplicate-name",
                    f"`{name}` cannot play on two sides",
                    each.span,
                    Label(self.seated[name], "here first"),
                )
            else:
                seats.append(world.player_names.index(name))
            self.seated.setdefault(name, each.span)
        return tuple(sorted(seats))

    def alone(self, missing: list[str], span: Span) -> None:
        self.diagnostics.error(
            "bad-value",
            f"{enumerated((f'`{name}`' for name in missing), 'en')} "
            f"{'is' if len(missing) == 1 else 'are'} on no side",
            span,
            hint=f"who plays alone is a side, too: `{missing[0]}_alone: [{missing[0]}]`",
        )

    def all_play(self, sides: list[tuple[str, Seats, Span]]) -> None:
        """Checks that each side has a player at every number of players."""
        fewest = self.world.counts[0]
        if self.diagnostics.has_errors:
            return
        for name, seats, span in sides:
            if not seats or seats[0] >= fewest:
                self.diagnostics.error(
                    "bad-value",
                    f"with {with_noun(fewest, 'player')} nobody is on side `{name}`",
                    span,
                    hint="the last seats stay empty when fewer play; raise `from`, or seat the "
                    "sides in turn: `sides: [red, blue]`",
                )

    def words(self, node: Node, sides: list[tuple[str, Seats, Span]]) -> None:
        """Declares the set of words whose words are the sides."""
        world = self.world
        world.side = type = ir.WordType(SIDE, len(world.word_sets))
        world.declared[SIDE] = world.declared[SIDES] = node.span
        world.types[SIDE] = type
        world.plurals[SIDES] = SIDE
        words: list[str] = []
        for name, _, span in sides:
            if name in words:
                self.diagnostics.error("duplicate-name", f"two sides are called `{name}`", span)
                continue
            world.words.setdefault(name, []).append((type, len(words)))
            words.append(name)
            if name != f"{SIDE}_{len(words)}":
                world.side_names += (name,)
        world.word_sets.append(ir.WordSet(SIDE, tuple(words), (), ()))


# ---------------------------------------------------------------- expressions


def of_player(code: CodeChecker, name: str, player: ir.Expr, span: Span) -> ir.Expr | None:
    """`side of PLAYER`, `partner of PLAYER`, `partners of PLAYER`."""
    side = code.world.side
    if side is None:
        return None
    if name == SIDE:
        return ir.SideOf(side, player, span=span)
    partners = ir.PartnersOf(ir.SetType(ir.PLAYER), player, span=span)
    if name == "partners":
        return partners
    if name == "partner":
        _has_one(code, span)
        return ir.EndOf(ir.PLAYER, partners, False, span=span)
    return None


def of_side(code: CodeChecker, name: str, side: ir.Expr, span: Span) -> ir.Expr | None:
    """`score of SIDE`, `players of SIDE`, and a place of each side."""
    if name == "score":
        return score(code, side, span)
    if name == "players":
        return ir.PlayersOf(ir.SetType(ir.PLAYER), side, span=span)
    place = code.world.family_types.get(name)
    if place is not None:
        indices = code.world.families[place.index].indices
        if len(indices) == 1 and indices[0].type == bare(side.type):
            return ir.PlaceAt(place, place.index, (side,), span=span)
    return None


def score(code: CodeChecker, of: ir.Expr, span: Span) -> ir.Expr:
    """The score of a player or of a side."""
    return ir.ScoreOf(ir.NUMBER, keeper(code, of), span=span)


def keeper(code: CodeChecker, of: ir.Expr) -> ir.Expr:
    """The player with whom the points of a player or a side are kept: the first of the side."""
    side = code.world.side
    if side is None or isinstance(of.type, ir.BrokenType):
        return of
    if bare(of.type) != side:
        of = ir.SideOf(side, of, span=of.span)
    players = ir.PlayersOf(ir.SetType(ir.PLAYER), of, span=of.span)
    return ir.EndOf(ir.PLAYER, players, False, span=of.span)


def keepers(code: CodeChecker, of: ir.Expr) -> ir.Expr:
    """The same for one or several players or sides."""
    if code.world.side is None or not isinstance(of.type, ir.SetType):
        return keeper(code, of)
    slot = code.scope.new_slot("(member)", of.type.of)
    member = ir.Binder(slot, "(member)", of.type.of, of, None, span=of.span)
    each = ir.Local(of.type.of, slot, "(member)", span=of.span)
    return ir.Collect(ir.SetType(ir.PLAYER), member, keeper(code, each), span=of.span)


def everyone(code: CodeChecker, of: ir.Expr) -> ir.Expr:
    """The players denoted by players or sides: of a side, the player who keeps its points."""
    single = of.type.of if isinstance(of.type, ir.SetType) else bare(of.type)
    return keepers(code, of) if code.world.side == single else of


def is_side(code: CodeChecker, who: s.Expr) -> bool:
    """Whether a word names a side, and is neither a player nor in scope."""
    if not isinstance(who, s.Word):
        return False
    name, world = who.name.text, code.world
    taken = name in world.player_names or code.scope.find(name, use=False) is not None
    return not taken and any(type == world.side for type, _ in world.words.get(name, ()))


def _has_one(code: CodeChecker, span: Span) -> None:
    """Checks that each player has exactly one partner at every number of players."""
    world = code.world
    for players in world.counts:
        for at, seats in enumerate(world.sides):
            several = sum(seat < players for seat in seats)
            if several != 2:
                assert world.side is not None
                name = world.word_sets[world.side.index].words[at]
                code.diagnostics.error(
                    "wrong-type",
                    f"with {with_noun(players, 'player')} there {_are(several)} on side `{name}`, "
                    "but only one of two has one partner",
                    span,
                    hint="write `partners of …`: all others of the side",
                )
                return


def _are(players: int) -> str:
    return (
        f"{'is' if players < 2 else 'are'} {with_noun(players, 'player') if players else 'nobody'}"
    )
