"""Reads and writes positions: row by row as in FEN, or as lists of squares as in PDN.

    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    B:W21,22,K5:B1-4

A text becomes the situation of a scenario, so a position is set up as any other: a piece too many
is refused, and what is not mentioned lies where it starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.position.layout import Layout, Value, plain
from lawspeaker.position.state import State
from lawspeaker.study.notation.squares import NoNotation, Squares, squares_of
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Node, Scalar

NONE = "-"
LONGEST = 20_000
_RUN = re.compile(r"\d+|.")
_RANGE = re.compile(r"(\d+)-(\d+)")


# ---------------------------------------------------------------- reading


def situation(layout: Layout, text: str, span: Span) -> MappingNode:
    """The situation that a position describes; raises NoNotation."""
    entries = _entries(squares_of(layout), text)
    return MappingNode(
        tuple((_scalar(key, span), _node(each, span)) for key, each in entries), span
    )


def _scalar(value: str, span: Span) -> Scalar:
    return Scalar(value, span, span)


def _node(value: str, span: Span) -> Node:
    return _scalar(value, span)


def _entries(squares: Squares, text: str) -> Iterator[tuple[str, str]]:
    """Yields keys and values of the situation."""
    if len(text) > LONGEST:
        raise NoNotation(f"a position has at most {LONGEST:,} characters")
    notation = squares.notation
    if not notation.fields:
        raise NoNotation(f"{squares.layout.program.name} does not say how a position is written")
    if notation.layout == "lists":
        parts = text.strip().rstrip(".").split(":")
        before = sum(not field.board for field in notation.fields)
        parts = [*parts[:before], *([":".join(parts[before:])] if parts[before:] else [])]
    else:
        parts = text.split()
    if len(parts) > len(notation.fields):
        raise NoNotation(
            f"a position has {len(notation.fields)} parts, and here are {len(parts)}: {text!r}"
        )
    if not any(field.board for field in notation.fields[: len(parts)]):
        raise NoNotation(f"the board is missing: {text!r}")
    for field, part in zip(notation.fields, parts, strict=False):
        if field.board:
            lists = notation.layout == "lists"
            yield from (_lists if lists else _rows)(squares, part.strip())
        elif field.marker is not None:
            yield from _marker(squares, field, part.strip())


def _rows(squares: Squares, text: str) -> Iterator[tuple[str, str]]:
    signs = {each.sign: each for each in squares.notation.pieces}
    rows = text.split("/")
    if len(rows) != len(squares.rows):
        raise NoNotation(f"the board has {len(squares.rows)} rows, and here are {len(rows)}")
    for at, (row, told) in enumerate(zip(squares.rows, rows, strict=True), 1):
        found: list[ir.Sign | None] = []
        for run in _RUN.findall(told):
            if run.isdigit():
                found += [None] * min(int(run), len(squares.columns) + 1)
            elif run in signs:
                found.append(signs[run])
            else:
                raise NoNotation(_no_sign(run, signs))
        if len(found) != len(squares.columns):
            columns = len(squares.columns)
            raise NoNotation(f"row {at}, {told!r}, has {len(found)} squares instead of {columns}")
        for column, each in zip(squares.columns, found, strict=True):
            place = squares.layout.place_text[squares.at(column, row)]
            yield place, "empty" if each is None else each.text


def _no_sign(sign: str, known: Iterable[str]) -> str:
    listed = ", ".join(known)
    hint = did_you_mean(sign, known)
    return f"{sign!r} stands for no piece; there are {listed}" + (f"; {hint}" if hint else "")


def _lists(squares: Squares, text: str) -> Iterator[tuple[str, str]]:
    """Yields squares by sign: `W21,K22` are W on 21, and WK on 22."""
    signs = {each.sign: each for each in squares.notation.pieces}
    laid: dict[int, ir.Sign] = {}
    for part in filter(None, (each.strip() for each in text.split(":"))):
        whose = part[0]
        for item in filter(None, (each.strip() for each in part[1:].split(","))):
            prefix = item.rstrip("0123456789-")
            sign, names = whose + prefix, item[len(prefix) :]
            if sign not in signs:
                raise NoNotation(_no_sign(sign, signs))
            for name in _named(names):
                place = squares.place(name)
                if place in laid:
                    raise NoNotation(f"two pieces stand on square {name}")
                laid[place] = signs[sign]
    for place in squares.places:
        each = laid.get(place)
        yield squares.layout.place_text[place], "empty" if each is None else each.text


def _named(names: str) -> list[str]:
    """The squares of an item: one, or a range of numbers."""
    found = _RANGE.fullmatch(names)
    if found is None:
        return [names]
    first, last = int(found[1][:6]), int(found[2][:6])
    if not first <= last <= first + LONGEST:
        raise NoNotation(f"{names!r} is no range of squares")
    return [str(number) for number in range(first, last + 1)]


def _marker(squares: Squares, field: ir.Field, text: str) -> Iterator[tuple[str, str]]:
    of = squares.layout.program.markers[field.marker or 0].type
    if field.flags:
        yield from _flags(field, text)
    elif field.signs:
        meant = {sign: value for value, sign in field.signs.items()}
        if text not in meant:
            raise NoNotation(f"{field.name} is one of {', '.join(meant)}, not {text!r}")
        yield field.name, meant[text]
    elif text == NONE:
        yield field.name, "nothing"
    elif _is_square(squares, of):
        yield field.name, squares.layout.place_text[squares.place(text)]
    else:
        yield field.name, text


def _flags(field: ir.Field, text: str) -> Iterator[tuple[str, str]]:
    left = "" if text == NONE else text
    signs = sorted(field.flags.items(), key=lambda each: -len(each[1]))
    set_ = set[str]()
    while left:
        entry = next((entry for entry, sign in signs if left.startswith(sign)), None)
        if entry is None or entry in set_:
            listed = "".join(field.flags.values())
            raise NoNotation(f"{field.name} is {NONE} or some of {listed}, not {text!r}")
        set_.add(entry)
        left = left[len(field.flags[entry]) :]
    for entry in field.flags:
        yield f"{field.name} {entry}", "true" if entry in set_ else "false"


def _is_square(squares: Squares, of: ir.Type) -> bool:
    plain = of.of if isinstance(of, ir.MaybeType) else of
    return isinstance(plain, ir.PlaceType) and plain.index == squares.notation.family


# ---------------------------------------------------------------- writing


def position_text(layout: Layout, state: State) -> str:
    """Writes a position; raises NoNotation."""
    squares = squares_of(layout)
    notation = squares.notation
    if not notation.fields:
        raise NoNotation(f"{layout.program.name} does not say how a position is written")
    parts = [_field(squares, state, field) for field in notation.fields]
    return (":" if notation.layout == "lists" else " ").join(parts)


def _field(squares: Squares, state: State, field: ir.Field) -> str:
    if field.board:
        lists = squares.notation.layout == "lists"
        return (_as_lists if lists else _as_rows)(squares, state)
    if field.marker is None:
        return field.text
    if field.flags:
        told = (
            sign
            for entry, sign in field.flags.items()
            if _shown(squares.layout, state, f"{field.name} {entry}")[1]
        )
        return "".join(told) or NONE
    of, value = _shown(squares.layout, state, field.name)
    if value is None:
        return field.signs.get("nothing", NONE)
    if _is_square(squares, of):
        return squares.name(value)
    text = squares.layout.text(of, value)
    return field.signs.get(text, text)


def _shown(layout: Layout, state: State, name: str) -> tuple[ir.Type, Value]:
    for at, entry in enumerate(layout.markers):
        if plain(name) in (plain(entry.text), plain(entry.said)):
            return entry.type, state.markers[at]
    raise NoNotation(f"there is no marker `{name}`")


def sign_on(squares: Squares, state: State, place: int) -> str:
    """The sign of the piece on a place; empty without one. Raises NoNotation."""
    held = state.contents.get(place, ())
    if not held:
        return ""
    piece, layout = held[-1], squares.layout
    for sign in squares.notation.pieces:
        if fits(sign, layout, state, piece):
            return sign.sign
    raise NoNotation(f"there is no sign for what lies on {layout.place_text[place]}")


def fits(sign: ir.Sign, layout: Layout, state: State, piece: int) -> bool:
    """Whether a sign stands for a piece as it is now."""
    number = layout.piece_type[piece]
    return (
        number == sign.type
        and sign.kind in (None, layout.piece_kind[piece])
        and sign.owner in (None, layout.piece_owner[piece])
        and all(
            state.states[layout.state_at[number][at] + piece] == value for at, value in sign.states
        )
    )


def _as_rows(squares: Squares, state: State) -> str:
    rows = []
    for row in squares.rows:
        told, free = "", 0
        for column in squares.columns:
            sign = sign_on(squares, state, squares.at(column, row))
            if not sign:
                free += 1
                continue
            told += (str(free) if free else "") + sign
            free = 0
        rows.append(told + (str(free) if free else ""))
    return "/".join(rows)


def _as_lists(squares: Squares, state: State) -> str:
    found: dict[str, list[str]] = {each.sign[0]: [] for each in squares.notation.pieces}
    for place in squares.names:
        sign = sign_on(squares, state, place)
        if sign:
            found[sign[0]].append(sign[1:] + squares.name(place))
    return ":".join(whose + ",".join(each) for whose, each in found.items())
