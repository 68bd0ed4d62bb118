"""Writes moves and whole games: PGN, PDN and SGF.

A move is written by the template of its answer. `{start?}` is as much of a square as tells the move
from others of like pieces to the same square: nothing, its column, its row, or both. A capture is a
move after which fewer pieces lie on the board.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.reference.unforced import unforced_for
from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match
from lawspeaker.study.notation.squares import NoNotation, Squares, notation_of, squares_of, truth

UNKNOWN = "?"
WIDTH = 79
BRACES = re.compile(r"\{([a-z_][a-z0-9_]*)(\??)\}")


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of an answer, by name: type and value; of a path, all its steps."""

    label: str
    each: Mapping[str, tuple[ir.Type, Any]]

    @classmethod
    def of(cls, option: Option) -> _Parts:
        if option.alternative is None:
            return cls(option.label or "", {})
        named: dict[str, tuple[ir.Type, Any]] = {}
        for part, value in zip(option.alternative.parts, option.values, strict=True):
            name, of = part.set_name or part.binder.name, part.binder.type
            if name in named:  # the steps of a path have one name
                before = named[name][1]
                value = (*(before if isinstance(before, tuple) else (before,)), value)
            named[name] = of, value
        return cls(option.label or "", named)


def move_text(match: Match, option: Option) -> str:
    """Writes an option of the question that is asked; raises NoNotation."""
    squares = squares_of(match.machine.layout)
    if squares.notation.game is None:
        raise NoNotation(f"{match.program.name} does not say how a move is written")
    return _Move(match, option, squares, squares.notation.game).text()


class Answer:
    """An option with the signs of its parts."""

    def __init__(
        self, match: Match, option: Option, squares: Squares, game: ir.GameNotation
    ) -> None:
        self.match = match
        self.option = option
        self.squares = squares
        self.game = game
        self.parts = _Parts.of(option)

    @property
    def template(self) -> str | None:
        """How the answer is written; None if the notation does not say that."""
        return self.game.moves.get(self.parts.label)

    def sign(self, of: ir.Type, value: Any) -> str:
        """A part of the answer, or a step of a path."""
        if isinstance(of, ir.PlaceType) and of.index == self.squares.notation.family:
            sgf = self.game.format == "sgf"
            return self.squares.letters(value) if sgf else self.squares.name(value)
        text = self.squares.layout.text(of, value)
        return self.game.signs.get(text, text)

    def steps(self, name: str) -> list[str]:
        """The signs of a part: several of a path."""
        of, value = self.parts.each[name]
        one = of.of if isinstance(of, ir.SetType) else of
        return [self.sign(one, each) for each in (value if isinstance(value, tuple) else (value,))]

    def piece(self, parts: _Parts | None = None) -> str:
        """The sign of the kind that stands where a move begins."""
        place = self._start(parts or self.parts)
        held = () if place is None else self.match.state.contents.get(place, ())
        if not held:
            return ""
        layout = self.squares.layout
        kinds = self.match.program.pieces[layout.piece_type[held[-1]]].kinds
        name = kinds[layout.piece_kind[held[-1]]].name if kinds else ""
        return self.game.signs.get(name, "")

    def _start(self, parts: _Parts) -> int | None:
        """The first square among the parts of a move."""
        for of, value in parts.each.values():
            if isinstance(of, ir.PlaceType) and of.index == self.squares.notation.family:
                return None if isinstance(value, tuple) else int(value)
        return None


class _Move(Answer):
    """An answer and what comes of it."""

    def __init__(
        self, match: Match, option: Option, squares: Squares, game: ir.GameNotation
    ) -> None:
        super().__init__(match, option, squares, game)
        machine = unforced_for(match.program, match.players)
        self.after = Match.from_state(match.program, match.state, machine)
        self.after.choose(option.text, seat=option.seat)
        self.captures = self._men(self.after) < self._men(match)

    def text(self) -> str:
        if self.template is None:
            raise NoNotation(f"the notation does not say how `{self.parts.label}` is written")
        return BRACES.sub(self._filled, self.template) + self._check()

    def _filled(self, found: re.Match[str]) -> str:
        name, short = found[1], bool(found[2])
        sign = self.game.capture if self.captures else self.game.quiet
        if name == "capture":
            return sign
        if name == "piece":
            return self.piece()
        if name not in self.parts.each:
            raise NoNotation(f"`{self.parts.label}` has no part `{name}`")
        return self._short(name) if short else sign.join(self.steps(name))

    def _short(self, name: str) -> str:
        """As much of a square as is needed."""
        own = self.squares.name(self.parts.each[name][1])
        if self.squares.notation.numbered:
            return own
        column, row = own[0], own[1:]
        piece = self.piece()
        if not piece:
            return column if self.captures else ""
        others = [self.squares.name(other) for other in self._like(name, piece)]
        if not others:
            return ""
        if all(other[0] != column for other in others):
            return column
        return row if all(other[1:] != row for other in others) else own

    def _like(self, name: str, piece: str) -> list[int]:
        """The squares from which like pieces could do the same."""
        mine = {key: value for key, value in self.parts.each.items() if key != name}
        asked = self.match.asked(self.option.seat or 0)
        found: list[int] = []
        for option in asked.options:
            parts = _Parts.of(option)
            theirs = {key: value for key, value in parts.each.items() if key != name}
            if parts.label == self.parts.label and theirs == mine:
                place = int(parts.each[name][1])
                if place != self.parts.each[name][1] and self.piece(parts) == piece:
                    found.append(place)
        return found

    def _men(self, match: Match) -> int:
        return sum(len(match.state.contents.get(place, ())) for place in self.squares.places)

    def _check(self) -> str:
        if not self.game.check:
            return ""
        machine, state = self.after.machine, self.after.state.copy()
        seats = [seat for seat in range(self.match.players) if seat != self.option.seat]
        if not any(truth(machine, state, self.game.check, seat) for seat in seats):
            return ""
        return "#" if self.after.decision is None else "+"


# ---------------------------------------------------------------- games


@dataclass(frozen=True, slots=True)
class _Written:
    """A game in moves: who moved, and how it is written."""

    moves: Sequence[tuple[int, str]]
    result: str
    winners: tuple[int, ...]
    over: bool


def game_text(match: Match, names: Sequence[str] = (), rules: str = "", version: str = "") -> str:
    """Writes a whole game in the format of its notation; raises NoNotation.

    `names` are those of the people in the seats, `rules` the name of the rules.
    """
    program = match.program
    game = notation_of(program).game
    if game is None:
        raise NoNotation(f"{program.name} does not say how a game is written")
    people = list(names) or [UNKNOWN] * match.players
    written = _written(match)
    if game.format == "sgf":
        return _sgf(match, game, people, written, version)
    return _pgn(match, game, people, written, rules)


def _written(match: Match) -> _Written:
    """Plays a game again, writing each move before it is made, forced ones too."""
    again = _from_the_start(match)
    replies = iter(match.replies)
    moves: list[tuple[int, str]] = []
    for event in match.events:
        if event.kind not in ("choose", "forced") or (decision := again.decision) is None:
            continue
        option: Option | None = decision.options[0]
        if event.kind == "choose":
            option = decision.option(next(replies).text)
        if option is None or option.seat is None:
            raise NoNotation("this game cannot be written: its questions are not asked in turn")
        moves.append((option.seat, move_text(again, option)))
        again.choose(option)
    over = match.decision is None
    winners = match.winners if over else ()
    return _Written(moves, _result(match, winners, over), winners, over)


def _from_the_start(match: Match) -> Match:
    if not match.from_start:
        raise NoNotation("a game is written from its start, and this one began in the middle")
    return asked_throughout(match)


def asked_throughout(match: Match) -> Match:
    """A match as this one began, in which every answer is asked for."""
    machine = unforced_for(match.program, match.players)
    state = machine.blank(match.state.seed, discreet=match.state.discreet)
    again = Match.from_state(match.program, state, machine)
    again.begin(match.program.clauses[match.program.main], ())
    return again


def _result(match: Match, winners: tuple[int, ...], over: bool) -> str:
    """The result as in PGN: of white, and of the other."""
    if not over or match.players != 2:
        return "*"
    if len(winners) != 1:
        return "1/2-1/2"
    return "1-0" if winners[0] == _white(match.program) else "0-1"


def _white(program: ir.Program) -> int:
    names = program.player_names
    return names.index("white") if "white" in names else 0


def _pgn(
    match: Match,
    game: ir.GameNotation,
    people: Sequence[str],
    written: _Written,
    rules: str,
) -> str:
    tags = {"Event": UNKNOWN, "Site": UNKNOWN, "Date": "????.??.??", "Round": UNKNOWN}
    seats = match.program.player_names[: match.players]
    tags |= {name.capitalize(): person for name, person in zip(seats, people, strict=False)}
    tags["Result"] = written.result
    # The tags tell programs which game it is, and a variant is another one.
    tags |= {"Variant": rules.partition("+")[2]} if "+" in rules else game.tags
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    words, number = list[str](), 0
    first = written.moves[0][0] if written.moves else 0
    for at, (seat, move) in enumerate(written.moves):
        if seat == first or at == 0:
            number += 1
            words.append(f"{number}.")
        words.append(move)
    words.append(written.result)
    body = textwrap.wrap(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *body]) + "\n"


def _quoted(value: str) -> str:
    plain = "".join(sign if sign.isprintable() else " " for sign in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _sgf(
    match: Match, game: ir.GameNotation, people: Sequence[str], written: _Written, version: str
) -> str:
    squares = squares_of(match.machine.layout)
    across, down = len(squares.columns), len(squares.rows)
    size = str(across) if across == down else f"{across}:{down}"
    seats = match.program.player_names[: match.players]
    head = {"FF": "4", "CA": "UTF-8", "AP": f"Lawspeaker:{version}" if version else "Lawspeaker"}
    head |= {**game.tags, "SZ": size}
    head |= {f"P{name[0].upper()}": person for name, person in zip(seats, people, strict=False)}
    if written.over:
        won = [seats[seat][0].upper() for seat in written.winners]
        head["RE"] = f"{won[0]}+" if len(won) == 1 else "0"
    lines = [";" + "".join(f"{name}[{_in_sgf(value)}]" for name, value in head.items())]
    moves = [f";{seats[seat][0].upper()}[{move}]" for seat, move in written.moves]
    lines += ["".join(moves[at : at + 10]) for at in range(0, len(moves), 10)]
    return "(" + "\n".join(lines) + ")\n"


def _in_sgf(value: str) -> str:
    plain = "".join(sign if sign.isprintable() else " " for sign in value)
    return re.sub(r"([\\\]])", r"\\\1", plain)
