"""A pretty printer for long lines of code (Oppen, Wadler).

A line is a tree of groups with possible line breaks. A group stays flat if it fits and its author
did not break it. Otherwise all its breaks become line ends, except that filling breaks do so only
where a line is full. Outer groups are broken before inner ones. One addition: a comment ends its
line, whatever follows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Break:
    """A possible line break; `flat` is its text otherwise. With `filling` it breaks only if the
    next part does not fit."""

    flat: str = " "
    filling: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment inside code: `alone` on its line, or at the end of one."""

    text: str
    alone: bool


@dataclass(frozen=True)
class Group:
    """Parts that are laid out flat or broken together; `indent` applies to continuation lines."""

    parts: tuple[Doc, ...]
    indent: int = 0
    wanted: bool = False
    """Whether its author broke it."""

    @cached_property
    def must(self) -> bool:
        """Whether it cannot be flat."""
        return self.wanted or any(
            isinstance(part, Remark) or (isinstance(part, Group) and part.must)
            for part in self.parts
        )


_ENDLESS = 1_000_000

Doc: TypeAlias = str | Break | Remark | Group
_Waiting: TypeAlias = tuple[int, bool, Doc]


def laid_out(doc: Group, indent: int, width: int) -> str:
    """The layout of a line that begins in column `indent`, without the indentation of its first
    line."""
    page = _Page(indent)
    waiting: list[_Waiting] = [(indent, False, doc)]
    while waiting:
        indent, flat, part = waiting.pop()
        match part:
            case str():
                page.write(part, indent)
            case Remark():
                page.remark(part, indent)
            case Break():
                room = width - page.column - len(part.flat)
                stays = flat or (part.filling and _next_fits(waiting, room))
                if stays and not page.ended:
                    page.write(part.flat, indent)
                else:
                    page.new_line(indent)
            case Group():
                inner = indent + part.indent
                whole = not part.must and (flat or _fits(part, waiting, width - page.column))
                waiting.extend((inner, whole, each) for each in reversed(part.parts))
    return "".join(page.texts)


class _Page:
    """The output of the pretty printer, with its current column."""

    def __init__(self, column: int) -> None:
        self.texts: list[str] = []
        self.column = column
        self.ended = False
        self.fresh = True

    def write(self, text: str, indent: int) -> None:
        if self.ended:
            self.new_line(indent)
        if self.fresh:
            text = text.lstrip(" ")
        self.texts.append(text)
        self.column += len(text)
        self.fresh = self.fresh and not text

    def new_line(self, indent: int) -> None:
        self.texts.append("\n" + " " * indent)
        self.column = indent
        self.ended, self.fresh = False, True

    def remark(self, remark: Remark, indent: int) -> None:
        if remark.alone and not self.fresh:
            self.new_line(indent)
        self.write(remark.text if self.fresh else f"  {remark.text}", indent)
        self.ended = True


def _next_fits(waiting: list[_Waiting], room: int) -> bool:
    """Whether everything up to the next break fits."""
    for _, flat, part in reversed(waiting):
        if isinstance(part, Break) and not flat:
            break
        room -= _width(part)
    return room >= 0


def _width(doc: Doc) -> int:
    """The width of a document when flat; effectively infinite if it must break."""
    match doc:
        case str():
            return len(doc)
        case Break():
            return len(doc.flat)
        case Remark():
            return 0
        case Group():
            return _ENDLESS if doc.must else sum(map(_width, doc.parts))


def _fits(group: Group, waiting: list[_Waiting], room: int) -> bool:
    """Whether a group, and what follows it up to the next break, fit."""
    parts: list[tuple[bool, Doc]] = [(True, group)]
    ahead = reversed(waiting)
    while room >= 0:
        if not parts:
            following = next(ahead, None)
            if following is None:
                return True
            parts.append((following[1], following[2]))
        flat, part = parts.pop()
        match part:
            case str():
                room -= len(part)
            case Break():
                if not flat:
                    return True
                room -= len(part.flat)
            case Remark():
                return True
            case Group():
                inner = flat and not part.must
                parts.extend((inner, each) for each in reversed(part.parts))
    return False
