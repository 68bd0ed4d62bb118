"""What a group of further forms of the language is, and files that use some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from tests.secrets.generated.files import HEAD
from tests.secrets.generated.grammar import Code, Rules
from tests.secrets.generated.values import DEEPEST, MAYBE, Template


@dataclass(frozen=True, slots=True)
class Extension:
    """`table` are lines for sections of the table, `values` templates by type, `lines` statements
    of a line, `blocks` names of methods that make several (with a depth), `parts` and `questions`
    of methods that make those, `clauses` of methods that add clauses which nothing else mentions.
    `players` is who plays, if it is not as usual."""

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
    clauses: Sequence[str] = ()
    players: str = ""


class Wide(Rules):
    """Rules that use some extensions; their methods are in the classes that inherit from it."""

    def __init__(self, seed: int, extensions: Sequence[Extension]) -> None:
        super().__init__(seed)
        self.used = tuple(self.luck.sample(extensions, 2))
        for each in self.used:
            for section, lines in each.table.items():
                self.table = with_lines(self.table, section, lines)
            if each.players:
                self.beginning = HEAD.replace(PLAYERS_LINE, each.players)
        for dealt in dict.fromkeys(each.dealt for each in self.used):
            self.dealt += dealt

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

    def more_clauses(self) -> None:
        for each in self.used:
            for name in each.clauses:
                getattr(self, name)()

    def cards(self) -> str:
        with self._deeper():
            return super().cards()

    def players(self) -> str:
        with self._deeper():
            return super().players()

    def named(self, type: str, value: str) -> str:
        return f"let {self.new(type)} be {value}"

    def let_maybe(self) -> str:
        return self.named(MAYBE, self.maybe())

    def of(self, noun: str, type: str, source: str, where: float = 0.4) -> tuple[str, str]:
        """A binder of things of the board, and the name that it gives."""
        name = self.fresh(type)
        text = f"{noun} as {name}" + (f" in {self.say(source)}" if source else "")
        if self.chance(where):
            with self.inside({name: type}):
                text += f" where {self.truth()}"
        return name, text


PLAYERS_LINE = "players: {from: 3, to: 3, called: [ann, ben, cy]}"


def with_lines(table: str, section: str, lines: str) -> str:
    """The table with more lines in a section, each once."""
    if lines in table:
        return table
    head = f"{section}:\n"
    if not table.startswith(head) and f"\n{head}" not in table:
        return table + head + lines
    return table.replace(head, head + lines, 1)
