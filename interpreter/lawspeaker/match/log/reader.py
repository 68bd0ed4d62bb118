"""Parses a log from JSON, with precise error positions.

A log may have been truncated, edited by hand, or written by a later version. Each error is
reported with line and column and with what can be done. The standard library parses the JSON; a
second scan over valid text finds the positions of values.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import NOWHERE, RuleFile, SourceFile, Span
from lawspeaker.match.log.fingerprints import DIGITS
from lawspeaker.match.log.record import (
    CODES,
    VERSION,
    Log,
    LoggedFault,
    LoggedReply,
    Result,
)

Path = tuple[str | int, ...]
At = Callable[[Path], Span]

MOST_REPLIES = 1_000_000
DEEPEST = 3
_HEX = frozenset("0123456789abcdef")
_MISSING = object()
_KEYS: Mapping[str, frozenset[str]] = {
    "the log": frozenset(
        "lawspeaker_log rules digest players seats seed chance discretion opening replies result "
        "bundle luck fault".split()
    ),
    "a reply": frozenset("seat choice clause print".split()),
    "the fault": frozenset("seat choice clause code ended".split()),
    "the result": frozenset("scores winners position".split()),
    "a file of the bundle": frozenset("name given text".split()),
}
CUT_OFF = (
    "the file was cut off; if its last whole lines are replies, delete what follows them, "
    "the comma too, and write `]}` below to keep the game up to there"
)
BY_HAND = "a log is written by the program; take back what was changed by hand"


class BadLog(Exception):
    """An unreadable log: what is wrong, where, and what to do.

    The place is a path of keys; or, of invalid JSON, the offending word.
    """

    def __init__(self, message: str, path: Path = (), hint: str = BY_HAND, word: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.hint = hint
        self.word = word


def read(file: SourceFile, diagnostics: Diagnostics) -> Log | None:
    """Parses a log file; None if it is damaged, with diagnostics."""
    data = _parsed(file, diagnostics)
    if data is _MISSING:
        return None
    places = _places(file.text)
    try:
        return _log(data, lambda path: _span(file, places, path))
    except BadLog as bad:
        span = _span(file, places, bad.path)
        diagnostics.error("bad-log", bad.message, span, hint=bad.hint)
        return None


def from_json(data: object) -> Log:
    """Builds a log from plain data; raises BadLog."""
    return _log(data, lambda path: NOWHERE)


# ---------------------------------------------------------------- text to data


def _parsed(file: SourceFile, diagnostics: Diagnostics) -> Any:
    text = file.text
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        at = error.pos
        end = len(text.rstrip())
        if not text.strip():
            message, hint = "the log is empty", "nothing can be saved from it"
        elif at >= end or error.msg.startswith("Unterminated"):
            message, hint, at = "the log ends in the middle", CUT_OFF, max(end - 1, 0)
        else:
            message, hint = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}", BY_HAND
        diagnostics.error("bad-log", message, Span(file, at, min(at + 1, len(text))), hint=hint)
    except BadLog as bad:
        at = text.find(bad.word)
        again = text.find(bad.word, at + 1)
        at = max(at, again)
        diagnostics.error("bad-log", bad.message, Span(file, at, at + len(bad.word)), hint=bad.hint)
    except RecursionError:
        diagnostics.error("bad-log", "the log is nested too deeply", Span(file, 0, 0))
    except ValueError:
        diagnostics.error(
            "bad-log", "the log holds a number that is far too long", Span(file, 0, 0)
        )
    return _MISSING


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadLog(f"`{twice}` stands twice in one object", word=json.dumps(twice))
    return found


def _no_constant(word: str) -> Any:
    raise BadLog(f"{word} is no number of a log", word=word)


def _span(file: SourceFile, places: Mapping[Path, tuple[int, int]], path: Path) -> Span:
    """Span of a value, or of the innermost existing value around a missing one."""
    while path not in places:
        path = path[:-1]
    start, end = places[path]
    return Span(file, start, end if "\n" not in file.text[start:end] else start + 1)


def _places(text: str) -> dict[Path, tuple[int, int]]:
    """Start and end of each value in valid JSON, to the depth of a log."""
    found: dict[Path, tuple[int, int]] = {}
    scan = json.JSONDecoder().raw_decode

    def skip(at: int) -> int:
        while text[at] in " \t\r\n,:":
            at += 1
        return at

    def value(at: int, path: Path) -> int:
        start = at = skip(at)
        if text[at] in "[{" and len(path) < DEEPEST:
            at, number = skip(at + 1), 0
            while text[at] not in "]}":
                key: str | int = number
                if text[start] == "{":
                    key, at = scan(text, at)
                at = skip(value(at, (*path, key)))
                number += 1
            at += 1
        else:
            _, at = scan(text, at)
        found[path] = (start, at)
        return at

    value(0, ())
    return found


# ---------------------------------------------------------------- data to log


class _Reader:
    """Reads one object key by key, and reports errors by path."""

    def __init__(self, data: object, what: str, path: Path) -> None:
        if not isinstance(data, Mapping):
            raise BadLog(f"{what} must be an object", path)
        self.data = data
        self.what = what
        self.path = path
        for key in data:
            if key not in _KEYS[what]:
                raise BadLog(f"`{key}` is no part of {what}", (*path, key))

    def get(self, key: str) -> Any:
        if key not in self.data:
            raise BadLog(f"{self.what} has no `{key}`", self.path)
        return self.data[key]

    def bad(self, key: str, wanted: str) -> BadLog:
        return BadLog(f"`{key}` must be {wanted}", (*self.path, key))

    def text(self, key: str) -> str:
        found = self.get(key)
        if not isinstance(found, str) or not _sound(found):
            raise self.bad(key, "a text")
        return found

    def one_of(self, key: str, *words: str) -> str:
        found = self.get(key)
        if found not in words:
            raise self.bad(key, " or ".join(words))
        return str(found)

    def number(self, key: str) -> int:
        found = self.get(key)
        if not _whole(found):
            raise self.bad(key, "a whole number")
        return int(found)

    def digits(self, key: str, length: int = 0) -> str:
        """Hexadecimal digits: of this length, or a whole number of fingerprints."""
        found = self.text(key)
        fits = len(found) == length if length else len(found) % DIGITS == 0
        if not fits or not _HEX.issuperset(found):
            number = str(length) if length else f"a multiple of {DIGITS}"
            raise self.bad(key, f"{number} hexadecimal digits")
        return found

    def items(self, key: str) -> list[Any]:
        found = self.get(key)
        if not isinstance(found, list):
            raise self.bad(key, "a list")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        found = self.items(key)
        if not all(isinstance(each, str) and _sound(each) for each in found):
            raise self.bad(key, "a list of texts")
        return tuple(found)

    def numbers(self, key: str) -> tuple[int, ...]:
        found = self.items(key)
        if not all(map(_whole, found)):
            raise self.bad(key, "a list of whole numbers")
        return tuple(found)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _sound(text: str) -> bool:
    """Whether it can be encoded as UTF-8 (a lone surrogate cannot)."""
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def _log(data: object, at: At) -> Log:
    if isinstance(data, Mapping) and "lawspeaker_log" not in data:
        raise BadLog(
            "this is no log of a game: it has no `lawspeaker_log`", (), "name another file"
        )
    reader = _Reader(data, "the log", ())
    version = reader.number("lawspeaker_log")
    if version != VERSION:
        raise BadLog(
            f"this is a log of version {version}, and this program reads version {VERSION}",
            ("lawspeaker_log",),
            "open it with the version of Lawspeaker that wrote it",
        )
    players = reader.number("players")
    if not 1 <= players <= 64:
        raise reader.bad("players", "a number from 1 to 64")
    seats = reader.texts("seats")
    if seats and len(seats) != players:
        raise reader.bad("seats", f"a list of {players}, one for each seat, or empty")
    items = reader.items("replies")
    if len(items) > MOST_REPLIES:
        raise reader.bad("replies", f"a list of at most {MOST_REPLIES:,} replies")
    result = _result(reader.get("result"), players, at) if "result" in reader.data else None
    bundle: tuple[RuleFile, ...] = ()
    if "bundle" in reader.data:
        bundle = tuple(_file(each, n) for n, each in enumerate(reader.items("bundle")))
        if not bundle:
            raise reader.bad("bundle", "a list of files, or left out")
    return Log(
        reader.text("rules"),
        reader.digits("digest", 64),
        players,
        seats,
        reader.number("seed"),
        reader.one_of("chance", "seed", "ask"),
        reader.one_of("discretion", "quick", "discreet"),
        reader.digits("opening"),
        tuple(_reply(each, number, players, at) for number, each in enumerate(items)),
        result,
        bundle,
        _luck(reader.get("luck")) if "luck" in reader.data else {},
        _fault(reader.get("fault"), players, at) if "fault" in reader.data else None,
        at(("rules",)),
    )


def _luck(data: object) -> dict[str, list[str]]:
    """The lists of scripted outcomes; their keys are validated against the rules later."""
    if not isinstance(data, Mapping):
        raise BadLog("`luck` must be an object", ("luck",))
    for key, entries in data.items():
        if not isinstance(entries, list) or not all(isinstance(each, str) for each in entries):
            raise BadLog(f"`{key}` must be a list of texts", ("luck", key))
    return dict(data)


def _reply(data: object, number: int, players: int, at: At) -> LoggedReply:
    path: Path = ("replies", number)
    reader = _Reader(data, "a reply", path)
    seat = None if reader.get("seat") is None else reader.number("seat")
    if seat is not None and not 0 <= seat < players:
        raise reader.bad("seat", f"a number from 0 to {players - 1}, or null for luck")
    choice, clause = reader.text("choice"), reader.text("clause")
    return LoggedReply(seat, choice, clause, reader.digits("print"), at((*path, "choice")))


def _fault(data: object, players: int, at: At) -> LoggedFault:
    reader = _Reader(data, "the fault", ("fault",))
    seat = reader.number("seat")
    if not 0 <= seat < players:
        raise reader.bad("seat", f"a number from 0 to {players - 1}")
    ended = reader.get("ended")
    if not isinstance(ended, bool):
        raise reader.bad("ended", "true or false")
    choice, clause = reader.text("choice"), reader.text("clause")
    code = reader.one_of("code", *CODES)
    return LoggedFault(seat, choice, clause, code, ended, at(("fault", "choice")))


def _result(data: object, players: int, at: At) -> Result:
    reader = _Reader(data, "the result", ("result",))
    scores, winners = reader.numbers("scores"), reader.numbers("winners")
    if len(scores) != players:
        raise reader.bad("scores", f"a list of {players} numbers")
    if not all(0 <= seat < players for seat in winners) or len(set(winners)) < len(winners):
        raise reader.bad("winners", "a list of seats, each at most once")
    return Result(scores, winners, reader.digits("position", 4 * DIGITS), at(("result",)))


def _file(data: object, number: int) -> RuleFile:
    reader = _Reader(data, "a file of the bundle", ("bundle", number))
    name = reader.text("name")
    if not name:
        raise reader.bad("name", "the name of a file")
    given: tuple[str, ...] | None = None
    if "given" in reader.data:
        given = reader.texts("given")
        if not number:
            raise BadLog("the first file of the bundle must be the game's own", reader.path)
    return RuleFile(name, reader.text("text"), given)
