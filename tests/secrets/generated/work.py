"""Long computations, played with a small step budget."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Line
from tests.secrets.generated.grammar import Code
from tests.secrets.generated.values import NUMBER

HEAVY = Extension(
    "heavy",
    values={NUMBER: ((2, "{long_count}"),)},
    blocks=("long_loop", "long_loop", "long_loop"),
)
BUDGET = 40_000
"""So many steps there are in `heavy` files between two questions."""
MANY = 12_000
"""So many rounds take longer."""


class Work(Wide):
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
