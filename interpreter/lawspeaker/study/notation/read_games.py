"""Reads games that other programs have written: PGN, PDN and SGF.

A file is taken apart into games with tags and moves; comments and variations are passed over. A
move is looked for among the answers of the question: the template of each answer becomes a pattern
that also fits what programs write differently, such as a whole square, or a jump without the
squares between. So only legal moves are ever found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.match import Match
from lawspeaker.study.notation.positions import position_text
from lawspeaker.study.notation.squares import NoNotation, Squares, notation_of, squares_of
from lawspeaker.study.notation.written_games import (
    BRACES,
    Answer,
    asked_throughout,
    move_text,
)

LONGEST = 5_000_000
MOST_MOVES = 5_000
LISTED = 12
PASS_UP_TO = 19
"""On boards of so many columns, `tt` is an older sign of SGF for passing."""
_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
_PDN_RESULTS = _RESULTS | {"2-0", "0-2", "1-1", "0-0"}
_MARKS = re.compile(r"[+#!?]*\Z")
_WRITTEN = re.compile(
    r"""
    (?P<skip> \s+ | ;[^\n]* | ^%[^\n]* | \{[^}]*\} | \$\d+ | \d+\.+ | \.+ )
    | \[ \s* (?P<tag>\w+) \s+ "(?P<value>(?:[^"\\\n]|\\.)*)" \s* \]
    | (?P<open>\() | (?P<close>\))
    | (?P<word>[^\s(){}\[\];$]+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_PROPERTY = re.compile(r"([A-Za-z]+)((?:\s*\[(?:[^\]\\]|\\.)*\])+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


class BadGame(Exception):
    """A game that cannot be read: why, and the offset in the text."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """A move as it is written; in SGF also the letter of whoever makes it."""

    text: str
    at: int
    whose: str = ""


@dataclass(slots=True)
class WrittenGame:
    """A game in a file: its tags, its moves, its result, and where it begins."""

    at: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[WrittenMove] = field(default_factory=list)
    result: str = ""

    def add(self, move: WrittenMove) -> None:
        if len(self.moves) >= MOST_MOVES:
            raise BadGame(f"a game has at most {MOST_MOVES:,} moves", move.at)
        self.moves.append(move)


def games_in(text: str, program: ir.Program) -> list[WrittenGame]:
    """Takes a file apart in the format of a game; raises BadGame, or NoNotation."""
    form = game_notation(program).format
    if len(text) > LONGEST:
        raise BadGame(f"a file of games has at most {LONGEST:,} characters", 0)
    found = list(_sgf(text) if form == "sgf" else _pgn(text, form))
    if not found:
        raise BadGame(f"there is no game in {form.upper()} here", 0)
    return found


def game_notation(program: ir.Program) -> ir.GameNotation:
    """How games are written; raises NoNotation."""
    game = notation_of(program).game
    if game is None:
        raise NoNotation(f"{program.name} does not say how a game is written")
    return game


# ---------------------------------------------------------------- PGN and PDN


def _pgn(text: str, form: str) -> Iterator[WrittenGame]:
    results = _PDN_RESULTS if form == "pdn" else _RESULTS
    game: WrittenGame | None = None
    at, variations = 0, list[int]()
    while at < len(text):
        found = _WRITTEN.match(text, at)
        if found is None:
            raise BadGame(_unexpected(text[at]), at)
        begun, at = at, found.end()
        if found["skip"] is not None:
            continue
        if found["open"]:
            variations.append(begun)
        elif found["close"]:
            if not variations:
                raise BadGame("`)` ends no variation", begun)
            variations.pop()
        elif variations:
            continue
        elif found["tag"]:
            if game is not None and game.moves:
                yield game
                game = None
            game = game or WrittenGame(begun)
            game.tags[found["tag"]] = re.sub(r"\\(.)", r"\1", found["value"])
        elif found["word"] in results:
            game = game or WrittenGame(begun)
            game.result = found["word"]
            yield game
            game = None
        elif not found["word"].isdecimal():  # the number of a move, without a point
            game = game or WrittenGame(begun)
            game.add(WrittenMove(found["word"], begun))
    if variations:
        raise BadGame("this variation never ends: `)` is missing", variations[0])
    if game is not None:
        yield game


def _unexpected(sign: str) -> str:
    if sign == "{":
        return "this comment never ends: `}` is missing"
    if sign == "[":
        return 'a tag is written like [White "Ann"]'
    return f"{sign!r} is not expected here"


# ---------------------------------------------------------------- SGF


def _sgf(text: str) -> Iterator[WrittenGame]:
    """Reads each tree along its first branches."""
    game: WrittenGame | None = None
    branches: list[int] = []  # how many each open tree has
    left = 0  # the depth of the tree that is passed over
    at = max(text.find("("), 0)
    while at < len(text):
        sign, begun = text[at], at
        at += 1
        if sign == "(":
            if branches:
                branches[-1] += 1
                left = left or (len(branches) + 1 if branches[-1] > 1 else 0)
            else:
                game = WrittenGame(begun)
            branches.append(0)
        elif sign == ")" and branches:
            left = 0 if len(branches) == left else left
            branches.pop()
            if not branches and game is not None:
                yield game
                game = None
        elif sign.isspace() or (sign == ";" and branches) or not branches:
            continue
        else:
            found = _PROPERTY.match(text, begun)
            if found is None or game is None:
                raise BadGame(f"{sign!r} is not expected here, but a property like B[dd]", begun)
            at = found.end()
            if not left:
                _property(game, found, begun)
    if branches:
        raise BadGame("this game never ends: `)` is missing", len(text.rstrip()))


def _property(game: WrittenGame, found: re.Match[str], at: int) -> None:
    name = "".join(each for each in found[1] if each.isupper())
    value = re.sub(r"\\(.)", r"\1", _VALUE.findall(found[2])[0], flags=re.DOTALL).strip()
    if len(name) == 1 and name in "BW":
        game.add(WrittenMove(value, at, name))
    elif name in ("AB", "AW", "AE"):
        raise BadGame(f"{name} lays stones: a log begins at the start of a game", at)
    else:
        game.tags.setdefault(name, value)


# ---------------------------------------------------------------- playing


def names_in(program: ir.Program, game: WrittenGame) -> list[str]:
    """Who sat where, if the tags say that; otherwise nothing."""
    sgf = game_notation(program).format == "sgf"
    seats = program.player_names[: program.fewest]
    keys = [f"P{name[0].upper()}" if sgf else name.capitalize() for name in seats]
    found = [game.tags.get(key, "") for key in keys]
    return [name or "?" for name in found] if any(found) else []


def play(match: Match, game: WrittenGame, variants: Sequence[str] = ()) -> None:
    """Plays the moves of a game in a match that has just begun; raises BadGame.

    `variants` are the variants of the game, one of which a tag may name.
    """
    _check_tags(match, game, variants)
    again = asked_throughout(match)
    done = 0
    for move in game.moves:
        decision = again.decision
        if decision is None or decision.seat is None:
            raise BadGame(f"the game is over before {move.text!r}", move.at)
        option = _found(again, decision, move)
        again.choose(option)
        done = _followed(match, option, done)


def _followed(match: Match, option: Option, done: int) -> int:
    """Gives an answer unless it was forced; returns how many events are dealt with."""

    def answers() -> list[int]:
        events = enumerate(match.events)
        return [at for at, each in events if at >= done and each.kind in ("choose", "forced")]

    if not answers():
        match.choose(option.text, seat=option.seat)
    return answers()[0] + 1


def _check_tags(match: Match, game: WrittenGame, variants: Sequence[str]) -> None:
    program, rules = match.program, match.rules
    position = game.tags.get("FEN")
    if position and game.tags.get("SetUp") != "0":
        start = position_text(match.machine.layout, match.state).split()
        if position.split()[:2] != start[:2]:
            message = "this game begins in a position: a log begins at the start of a game"
            raise BadGame(message, game.at)
    told = game.tags.get("Variant", "")
    if told and _plain(told) not in _plain(rules):
        name = next((each for each in variants if _plain(each) == _plain(told)), "")
        if name:
            base = rules.partition("+")[0]
            raise BadGame(f"this game is {told!r}, so it is one of {base}+{name}", game.at)
    if "+" not in rules:
        for tag, value in game_notation(program).tags.items():
            other = game.tags.get(tag, value).partition(",")[0].strip()
            if other != value:
                raise BadGame(f"its {tag} is {other}, and that of {rules} is {value}", game.at)
    size = game.tags.get("SZ")
    squares = squares_of(match.machine.layout)
    own = {str(len(squares.columns)), f"{len(squares.columns)}:{len(squares.rows)}"}
    if size and size not in own:
        message = f"its board has the size {size}, and that of {rules} has {min(own, key=len)}"
        raise BadGame(message, game.at)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _found(match: Match, decision: Decision, move: WrittenMove) -> Option:
    """The answer that a move means."""
    squares = squares_of(match.machine.layout)
    game = game_notation(match.program)
    name = match.program.player_names[decision.seat or 0]
    if move.whose and move.whose != name[0].upper():
        raise BadGame(f"it is the turn of {name}", move.at)
    told = {_MARKS.sub("", move.text)}
    if game.format == "sgf":
        if move.text == "tt" and len(squares.columns) <= PASS_UP_TO:
            told.add("")
    else:
        told |= {each.replace("0", "O") for each in told if re.fullmatch(r"0(-0)+", each)}
    answers = [Answer(match, option, squares, game) for option in decision.options]
    fitting = [
        answer.option
        for answer in answers
        if (pattern := _pattern(answer)) and any(pattern.fullmatch(each) for each in told)
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        exact = [each for each in fitting if _MARKS.sub("", move_text(match, each)) in told]
        if len(exact) == 1:
            return exact[0]
        both = " or ".join(move_text(match, each) for each in fitting[:LISTED])
        raise BadGame(f"{move.text!r} can be {both}", move.at)
    raise BadGame(_no_such(match, decision, name, move.text), move.at)


def _pattern(answer: Answer) -> re.Pattern[str] | None:
    """All ways to write an answer."""
    if answer.template is None:
        return None
    signs = {"x", "-", ":", answer.game.capture, answer.game.quiet} - {""}
    between = f"(?:{'|'.join(map(re.escape, sorted(signs)))})"
    whole, last = "", 0
    for found in BRACES.finditer(answer.template):
        whole += _literal(answer.template[last : found.start()], between, answer.game.capture)
        last = found.end()
        if found[1] == "capture":
            whole += f"{between}?"
        elif found[1] == "piece":
            whole += re.escape(answer.piece())
        elif found[1] not in answer.parts.each:
            return None
        else:
            whole += _part(answer, found[1], bool(found[2]), between)
    whole += _literal(answer.template[last:], between, answer.game.capture)
    return re.compile(whole)


def _literal(text: str, between: str, capture: str) -> str:
    if text and text == capture:
        return between
    return re.escape(text).replace("=", "=?")


def _part(answer: Answer, name: str, short: bool, between: str) -> str:
    *before, last = map(re.escape, answer.steps(name))
    if short:
        square: Squares = answer.squares
        own = square.name(answer.parts.each[name][1])
        return f"(?:{own}|{own[0]}|{own[1:]})?"
    return "".join(f"(?:{each}{between})?" for each in before) + last


def _no_such(match: Match, decision: Decision, name: str, told: str) -> str:
    moves = [move_text(match, option) for option in decision.options]
    hint = did_you_mean(told, moves)
    listed = ", ".join(each or "pass" for each in moves[:LISTED])
    more = ", …" if len(moves) > LISTED else ""
    found = f"{name} cannot play {told!r} here"
    return f"{found}; {hint}" if hint else f"{found}; there are {listed}{more}"
