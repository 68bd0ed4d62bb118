"""Statements that tell the same again: in later rounds of a loop, in clauses done twice."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Line
from tests.secrets.generated.grammar import Code, Helper
from tests.secrets.generated.values import NUMBER, PLAYER

AGAIN = Extension("again", blocks=("told_in_rounds", "told_by_callers") * 8)


class Rounds(Wide):
    def told_in_rounds(self, depth: int) -> Code:
        """A loop that may tell the same in each round, and what is kept of that."""
        last, count, player = self.new(NUMBER), self.new(NUMBER), self.fresh(PLAYER)
        head, condition, mine = self.pick(
            (f"for each player as {player}:", self.worth(player), (f"number of {player}", player)),
            ("repeat {2|3} times:", self.sharp(), (count, "cy")),
        )
        one, who = mine
        told = self.told_alike(who)
        then = told + self.pick(
            (Line(f"{last} becomes {self.pick(one, one, '1')}"),),
            (Line(f"price becomes {self.pick(one, count, '3')}"),),
            (self.signal(),),
        )
        rising = (Line(f"{count} becomes {count} + 1"),)
        body: Code = (*rising, Line(f"if {condition}:", then))
        if self.chance(0.3):
            body += (Line(f"if {last} > 0:", (self.signal(),)),)
        if self.chance(0.2):
            body += (self.signal(),)
        beginning = (Line(f"let {last} be 0"), Line(f"let {count} be 0"))
        loop = Line(self.say(head), body)
        return (*beginning, loop, Line(f"price becomes {self.pick(last, last, last, count)}"))

    def told_by_callers(self, depth: int) -> Code:
        """A clause that may tell something, and others that tell the same before or after it."""
        if not self.room() or self.scope.alone or self.scope.quiet:
            return self.told_in_rounds(depth)
        telling = self.clause((PLAYER,), lambda: self.told_alike(self.names(PLAYER)[0]))

        def body() -> Code:
            who = self.names(PLAYER)[0]
            then = (self.does(telling, who), *(self.signal() for _ in range(self.pick(0, 1, 1))))
            beside: Code = ()
            if self.chance(0.3):
                beside = (Line("else:", (self.does(telling, who), self.signal())),)
            if self.chance(0.2):
                then += (Line("finish"),)
            more = (self.signal(),) if self.chance(0.2) else ()
            return (Line(f"if {self.worth(who)}:", then, beside), *more)

        perhaps = self.clause((PLAYER,), body)
        player = self.fresh(PLAYER)
        return self.pick(
            (self.does(perhaps, "ann"), self.does(perhaps, "ben")),
            (self.does(perhaps, "ann"), self.does(telling, "ann"), self.signal()),
            (Line(f"for each player as {player}:", (self.does(perhaps, player),)),),
            (Line("repeat 2 times:", (self.does(perhaps, "ben"),)),),
        )

    def told_alike(self, who: str) -> Code:
        return self.line(
            (5, "cy scores 1"),
            (2, f"{who} scores 1"),
            (1, "tell everyone price"),
            (1, f"move up to 1 cards as {self.fresh(PLAYER)} in hand of {who} to discard"),
        )

    def does(self, helper: Helper, who: str) -> Line:
        return Line(f"do {helper.name}({self.pick(who, who, 'cy')})")

    def worth(self, who: str) -> str:
        return f"worth of {who} > {self.pick(2, 4, 4, 6)}"
