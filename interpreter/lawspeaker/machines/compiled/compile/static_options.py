"""Questions whose options are all known at compile time: one bit per option.

The bit says whether the option is offered, so the number of options is a population count. Tables
give the n-th set bit, and the parts of each option, so no list is written.
"""

from __future__ import annotations

from struct import pack

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.middle.forms import Expr, const
from lawspeaker.position.layout import Value


class Beforehand:
    """The options of a question known at compile time; a `Mark` sets the bit of one."""

    def __init__(self, c: Code, ask: ir.Ask, stride: int) -> None:
        self.c = c
        self.ask = ask
        self._chosen = c.local()
        self.options: list[tuple[int, ...]] = []
        self._stride = stride
        self.offered = c.f.let("offered", 0)

    def members(self, part: ir.Part) -> tuple[Value, ...]:
        """Returns the candidates of a part."""
        known = self.c.folder.constant(self.c.meant(part.binder.source))
        assert known is not None
        members: tuple[Value, ...] = known[0]
        return members

    def number(self, alternative: int, parts: tuple[ir.Part, ...]) -> int:
        """Numbers the option under construction, whose parts are bound to constants."""
        words = []
        for part in parts:
            meaning = self.c.meanings[part.binder.slot]
            assert isinstance(meaning, ir.Const)
            words.append(self.c.word(meaning.value, part.binder.type))
        self.options.append((alternative, *words))
        return len(self.options) - 1

    def count(self) -> Expr:
        """Returns the number of options offered."""
        return self.offered.count_bits()

    def take(self, number: Expr) -> None:
        """Chooses the option with this number. The number after the last one stands for none."""
        size, lines = len(self.options), []
        for offered in range(1 << size):
            line = [at for at in range(size) if offered >> at & 1]
            lines += [*line, *[size] * (size + 1 - len(line))]
        at = self.offered * (size + 1) + number
        self.c.f.set(self._chosen, self.c.plan.table(lines)[at])

    def alternative(self) -> Expr:
        """Returns the number of the chosen alternative, -1 for none."""
        numbers = [*(option[0] for option in self.options), -1]
        return self.c.plan.table(numbers)[self._chosen]

    def part(self, alternative: int, at: int) -> Expr:
        """Returns a part of the chosen option, which belongs to this alternative."""
        own = [number for number, option in enumerate(self.options) if option[0] == alternative]
        words = [self.options[number][1 + at] for number in own]
        return self.c.plan.table(words).from_number(own[0])[self._chosen]

    def entry(self) -> Expr:
        """Returns the address of the chosen option."""
        return self._chosen * self._stride + self._written()

    def _written(self) -> int:
        """Returns the address of the constant table of options; the last entry stands for none."""
        words = self._stride // 4
        content = b"".join(
            pack(f"<{words}i", *option, *[0] * (words - len(option)))
            for option in (*self.options, (-1,))
        )
        return self.c.plan.constant(content)


class Mark:
    """Sets the bit of one option."""

    def __init__(self, all_of_them: Beforehand, number: int, alternative: ir.Alternative) -> None:
        self.all = all_of_them
        self.number = number
        self.alternative = alternative

    def __call__(self) -> None:
        self.counting(const(1))

    def counting(self, holds: Expr) -> None:
        """Sets the bit to `holds`."""
        f, offered = self.all.c.f, self.all.offered
        number = self.all.number(self.number, self.alternative.parts)
        f.set(offered, offered | holds << number)
