"""What a session wants shown or done, as data: how it looks is for the edge to say."""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.match.view import View
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Line


@dataclass(frozen=True, slots=True)
class Shown:
    """Something to show or to do; subclasses say what."""


@dataclass(frozen=True, slots=True)
class Note(Shown):
    """A sentence. `tone` is plain, quiet, bad or strong."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class Table(Shown):
    """The table as a seat sees it."""

    view: View
    labels: Labels


@dataclass(frozen=True, slots=True)
class Told(Shown):
    """What happened, as somebody knows it; `apart`: not just the next piece of a long story."""

    lines: tuple[Line, ...]
    apart: bool = True


@dataclass(frozen=True, slots=True)
class Question(Shown):
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
    """A clause: its sentence, where the books say it, and what its guards say. `lead` comes before
    the sentence where it answers a question, `heading` before the guards; `title` is what it is
    called, if it has a title. Where the sentence is that of a guard, `rule` is that of its
    clause."""

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
    """Lines of two columns, such as commands and what they do."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a score: the seats of a side, or one alone, and what they are called together."""

    seats: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Sum(Shown):
    """Points by clause: total, what for, how often how many, and the sentence of the clause."""

    holder: Holder
    total: int
    rows: tuple[tuple[int, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Result(Shown):
    """The end: players or sides from the best to the last, with where the points came from; in a
    game without points, `why` it is over."""

    title: str
    scores: tuple[tuple[Holder, int, str], ...]
    winners: tuple[int, ...]
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Curtain(Shown):
    """Hides all that was shown, until this seat's player is alone with the screen."""

    seat: int
    text: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Keep(Shown):
    """The game has changed and wants to be saved, in a file of its own or in this one."""

    file: str | None = None
