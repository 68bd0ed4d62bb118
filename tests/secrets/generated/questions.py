"""Windows, and questions to several: the first who acts, one for each receiver, interruptions."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Clause, Line
from tests.secrets.generated.grammar import Code
from tests.secrets.generated.values import CARD, CARDS, MAYBE, NUMBER, PLAYER, Scope

PLAYS = Extension(
    "plays",
    lines=("{let_maybe}",),
    loud=(),
    blocks=("plays_a_card",),
    questions=("guarded_together", "offer_with_then"),
)
FIRST_OF_SEVERAL = Extension(
    "first of several", questions=("any_player", "any_player", "window_for_any")
)
RECEIVERS = Extension("receivers", questions=("for_each_receiver", "for_each_receiver"))
INTERRUPTS = Extension("interrupts", clauses=("interrupting",), questions=("any_player",))


class Questions(Wide):
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

    # ------------------------------------------------------------ the first of several

    def several(self) -> tuple[str, str]:
        """A binder of players who are asked together, and the name of one of them."""
        name = self.fresh(PLAYER)
        with self.secretly(0.15):
            text = f"player as {name}" + self.say(
                *((3, ""), " in {some_players}", (2, " from {player}"), " except {player}"),
                " from left_neighbour of {player} except {player}",
            )
            if self.chance(0.15):
                with self.inside({name: PLAYER}):
                    text += f" where {self.truth()}"
        return name, text

    def any_player(self) -> Code:
        """Several are asked, and the first acts who does not pass."""
        who, binder = self.several()
        several = self.chance(0.4)
        with self.inside({who: PLAYER}):
            if several:
                below: Code = ()
                for label in ("take_it", "leave_it")[: self.pick(1, 2)]:
                    below += (self.alternative(label, who),)
                if self.chance(0.4):
                    below += (Line("call", (Line("then:", self.nested(1)),)),)
                head = f"any {binder} may choose one of"
            else:
                name, type, part = self.part(who)
                then = Line("then:", self.after_acting(name, type, who))
                below = (*self.guards(name, type), then)
                head = f"any {binder} may take: {part}"
        if self.chance(0.4):
            below += (Line("otherwise:", self.nested(1)),)
        return (Line(head, below),)

    def alternative(self, label: str, who: str) -> Line:
        name, type, part = self.part(who)
        then = Line("then:", self.after_acting(name, type, who))
        return Line(f"{label}: {part}", (*self.guards(name, type), then))

    def after_acting(self, name: str, type: str, who: str) -> Code:
        """What follows an act: often it shows what was chosen, or goes by it."""
        code: Code = ()
        if type == CARD and self.chance(0.5):
            code += self.line(f"move {name} to {{discard|aside|shelf}}", f"tell everyone {name}")
        return code + self.nested(1, {name: type})

    def window_for_any(self) -> Code:
        if {"points", "card"} & self.scope.names.keys() or self.scope.alone:
            return self.any_player()
        self.window = True
        self.scope.text = ""
        value = self.number()
        _, binder = self.several()
        self.new(NUMBER, "points")
        if self.chance(0.4):
            offer = Line(f"let {self.new(MAYBE)} be offer moment to any {binder}")
        else:
            below = (Line("then:", self.nested(1)), Line("otherwise:", self.nested(1)))
            offer = Line(f"offer moment to any {binder}", below)
        return (Line(f"let points be {value}"), offer)

    # ------------------------------------------------------------ receivers

    def for_each_receiver(self) -> Code:
        """Something is chosen for each of several, by one player or by all in secret."""
        who, secretly = self.asked(), self.chance(0.5)
        if secretly:
            who, binder = self.binder(PLAYER, 0.1, plural=False)
        receiver = self.fresh(PLAYER)
        kind = self.pick(CARD, CARD, CARD, NUMBER)
        name = self.fresh(kind)
        place = self.say((6, f"hand of {who}"), "hoard of {player}", "discard", "hand of {player}")
        part = f"card as {name} in {place}"
        if kind == NUMBER:
            part = f"number as {name} in 0..{self.pick(1, 2)}"
        part += f" for each player as {receiver}" + self.say(
            *((3, f" except {who}"), (1, ""), (0.3, " except {player}")),
            (0.3, " in {some_players}"),
        )
        names = {name: kind, receiver: PLAYER}
        if secretly:
            names[who] = PLAYER
        below: Code = ()
        with self.inside(names):
            while self.chance(0.4):
                self.count += 1
                guard = self.say("{truth}", f"({receiver} is not ann or {{truth}})")
                below += (Line(f"where guard_{self.count}: {guard}"),)
        then: Code = ()
        if kind == CARD and self.chance(0.7):
            then = self.line(
                *((3, f"move {name} to hand of {receiver}"), f"tell {receiver} {name}"),
                *(f"move {name} to vault of {receiver}", f"show {name} to {receiver}"),
            )
        more = self.nested(1, {**names, f"{name}s": CARDS} if kind == CARD else names)
        below += (Line("then:", (*then, *more)),)
        must = self.pick("must", "must", "may")
        if must == "must" or self.chance(0.3):
            below += (Line("otherwise:", self.nested(2)),)
        asked = f"each {binder} secretly" if secretly else who
        return (Line(f"{asked} {must} pass_on: {part}", below),)

    # ------------------------------------------------------------ interruptions

    def interrupting(self) -> None:
        """A clause that is done after each answer, and asks whoever could step in."""
        before = self.scope, self.secret, self.depth
        self.scope, self.secret, self.depth = Scope(asks=True), 0.5, 0
        code = self.block(self.pick(0, 0, 1), 1, leaves=False) if self.chance(0.5) else ()
        self.scope.asks = False
        code += self.any_player() if self.chance(0.7) else self.question()
        if self.chance(0.4):
            code += self.statement(2)
        if self.chance(0.25):
            code = (Line(self.say("repeat up to 2 times, until {truth}:"), code),)
        during = self.pick("looking", "looking", "game", "[looking, game]")
        if self.asking_test:
            during = self.pick("test", during, "[test, looking]")
        head = (f"interrupts: {during}", *self.head())
        self.clauses.append(Clause(f"stop_{len(self.clauses)}", code, head))
        self.scope, self.secret, self.depth = before
