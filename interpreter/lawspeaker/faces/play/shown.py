"""The output of a session as data; rendering is up to the caller."""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.match.view import View
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import StoryLine


@dataclass(frozen=True, slots=True)
class Shown:
    """Base class of what a session shows or requests."""


@dataclass(frozen=True, slots=True)
class ShownNote(Shown):
    """A sentence. `tone` is plain, quiet, bad or strong."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class ShownTable(Shown):
    """The table as a seat sees it."""

    view: View
    labels: Labels


@dataclass(frozen=True, slots=True)
class StoryLines(Shown):
    """Events as lines of a story; `apart` is False for the next piece of a longer story."""

    lines: tuple[StoryLine, ...]
    apart: bool = True


@dataclass(frozen=True, slots=True)
class ShownQuestion(Shown):
    """A question to a seat and its numbered choices."""

    seat: int
    heading: str
    prompt: str
    choices: tuple[str, ...]
    hint: str


@dataclass(frozen=True, slots=True)
class Listing(Shown):
    """Some of the choices, with their numbers."""

    choices: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Rule(Shown):
    """A clause: its sentence, its sources, and its guards.

    `lead` introduces the sentence as an answer, `heading` the guards; `title` is the clause's
    title, if it has one. If the sentence is that of a guard, `rule` is the sentence of its clause.
    """

    id: str
    sentence: str
    sources: tuple[str, ...]
    guards: tuple[tuple[str, str], ...] = ()
    heading: str = ""
    lead: str = ""
    title: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Pairs(Shown):
    """Rows of two columns, such as commands and their descriptions."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a score: a seat or a side, and its name."""

    seats: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Sum(Shown):
    """Points by clause: total, name, terms, and the sentence of the clause."""

    holder: Holder
    total: int
    rows: tuple[tuple[int, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownResult(Shown):
    """The result: players or sides in order, with the sources of their points.

    In a game without points, `why` tells how it ended.
    """

    title: str
    scores: tuple[tuple[Holder, int, str], ...]
    winners: tuple[int, ...]
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Curtain(Shown):
    """Hides everything until this seat's player is alone with the screen."""

    seat: int
    text: str
    prompt: str


@dataclass(frozen=True, slots=True)
class SaveRequest(Shown):
    """Requests that the changed game is saved, to its own file or to this one."""

    file: str | None = None
