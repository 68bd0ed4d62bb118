"""Exports the pieces and boards of a game as images, and as a saved table for Tabletop Simulator.

The images are SVG files with a list as CSV, for any other program. Tabletop Simulator reads decks:
sheets of ten by seven cards as PNG, which Typst makes, and a JSON file that names them by address.
The pieces of one type are one deck or several; boards become boards.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from lawspeaker.base.typography import capital
from lawspeaker.faces.render.book.pictures import Pieces
from lawspeaker.faces.render.book.sheet import SCALE, boards_of, not_too_many
from lawspeaker.faces.render.book.tree import Picture
from lawspeaker.faces.render.book.typst import MAIN, NoTypst
from lawspeaker.match.game import Game
from lawspeaker.position.layout import layout_for

ACROSS, DOWN = 10, 7
"""Cards on a sheet, as many as Tabletop Simulator takes."""
LARGEST = 4096
"""Pixels along the longer side of a sheet or a board."""
DENSITY = 150
"""Pixels per inch, unless that makes it too large."""
INCH = 25.4
COLUMNS = ("file", "type", "name", "copies", "width_mm", "height_mm", "back")
SAVED = "table.json"


@dataclass(frozen=True, slots=True)
class Deck:
    """The pieces of one type: each different face with its number of copies, and the back, if they
    have one of their own."""

    piece: str
    title: str
    faces: tuple[tuple[Picture, int], ...]
    back: Picture | None


@dataclass(frozen=True, slots=True)
class Components:
    title: str
    decks: tuple[Deck, ...]
    boards: tuple[Picture, ...]


def components_of(game: Game, language: str) -> Components:
    """Draws all pieces and boards, for the maximum number of players; raises TooMany."""
    program = game.program
    layout = layout_for(program, program.most)
    not_too_many(game, layout)
    pieces = Pieces(layout, language)
    decks = []
    for number, piece in enumerate(program.pieces):
        faces = Counter(pieces.each(number))
        if faces:
            called = capital(layout.called(piece.name, "piece", language))
            back = pieces.back(number)
            decks.append(Deck(piece.name, called, tuple(faces.items()), back))
    boards = tuple(each.picture for each in boards_of(game, language))
    title = dict(program.title).get(language) or program.name
    return Components(title, tuple(decks), boards)


# -------------------------------------------------------------------- for any program


def images(found: Components) -> dict[str, bytes]:
    """Returns the images by file name, with `pieces.csv`, which lists them."""
    made: dict[str, bytes] = {}
    rows: list[tuple[object, ...]] = []

    def add(file: str, kind: str, each: Picture, copies: int, back: str) -> None:
        made[file] = each.svg.encode()
        size = (f"{each.width * SCALE:.1f}", f"{each.height * SCALE:.1f}")
        rows.append((file, kind, each.says, copies, *size, back))

    for deck in found.decks:
        back = "" if deck.back is None else f"{deck.piece}-back.svg"
        for at, (face, copies) in enumerate(deck.faces, 1):
            add(f"{deck.piece}-{at:03}-{_plain(face.says)}.svg", deck.piece, face, copies, back)
        if deck.back is not None:
            made[back] = deck.back.svg.encode()
    for at, board in enumerate(found.boards, 1):
        add(f"board-{at}.svg", "board", board, 1, "")
    sheet = io.StringIO()
    table = csv.writer(sheet, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows(rows)
    return made | {"pieces.csv": sheet.getvalue().encode()}


def _plain(name: str) -> str:
    """A name in small letters, digits and hyphens, as part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "piece"


# -------------------------------------------------------------------- Tabletop Simulator


def tabletop(found: Components, address: str) -> dict[str, bytes]:
    """Returns a saved table with the images that it names below an address; raises NoTypst."""
    made: dict[str, bytes] = {}
    objects: list[dict[str, Any]] = []
    number = 0
    for deck in found.decks:
        backs = deck.back or deck.faces[0][0]
        back = f"{deck.piece}-back.png"
        made[back] = _image([backs], 1)
        for first in range(0, len(deck.faces), ACROSS * DOWN - 1):  # the last card stays hidden
            number += 1
            faces = deck.faces[first : first + ACROSS * DOWN - 1]
            file = f"{deck.piece}-{number}.png"
            across = min(ACROSS, max(2, len(faces)))
            down = max(2, -(-(len(faces) + 1) // across))
            made[file] = _image([face for face, _ in faces], across, down)
            sheet = {
                "FaceURL": address + file,
                "BackURL": address + back,
                "NumWidth": across,
                "NumHeight": down,
                "BackIsHidden": True,
                "UniqueBack": False,
                "Type": 0,
            }
            objects.append(_deck(deck.title, number, sheet, faces, len(objects)))
    for at, board in enumerate(found.boards, 1):
        file = f"board-{at}.png"
        made[file] = _image([board], 1)
        image = {"ImageURL": address + file, "WidthScale": board.width / board.height}
        objects.append(_object("Custom_Board", found.title, len(objects), CustomImage=image))
    saved = {"SaveName": found.title, "GameMode": found.title, "ObjectStates": objects}
    made[SAVED] = json.dumps(saved, ensure_ascii=False, indent=1).encode()
    return made


def _deck(
    name: str, number: int, sheet: Any, faces: Iterable[tuple[Picture, int]], at: int
) -> dict[str, Any]:
    sheets = {str(number): sheet}
    cards = [
        _object("Card", face.says, 0, CardID=100 * number + place, CustomDeck=sheets)
        for place, (face, copies) in enumerate(faces)
        for _ in range(copies)
    ]
    if len(cards) == 1:  # a deck has at least two
        return {**cards[0], "Transform": _transform(at)}
    numbers = [each["CardID"] for each in cards]
    return _object("Deck", name, at, DeckIDs=numbers, CustomDeck=sheets, ContainedObjects=cards)


def _object(kind: str, name: str, at: int, **more: Any) -> dict[str, Any]:
    return {"Name": kind, "Nickname": name, "Transform": _transform(at), **more}


def _transform(at: int) -> dict[str, float]:
    """The place of an object: in rows of six, face down."""
    return {
        "posX": 4.0 * (at % 6) - 10.0, "posY": 1.5, "posZ": 5.0 - 5.0 * (at // 6),
        "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0,
    }  # fmt: skip


def _image(pictures: list[Picture], across: int, down: int = 1) -> bytes:
    """Renders pictures of one size as PNG, in rows."""
    try:
        import typst
    except ImportError:
        raise NoTypst from None
    width = max(each.width for each in pictures) * SCALE
    height = max(each.height for each in pictures) * SCALE
    names = [f"p{at}.svg" for at in range(len(pictures))]
    cells = "".join(f'image("{each}", width: 100%, height: 100%),' for each in names)
    main = (
        f"#set page(width: {across * width}mm, height: {down * height}mm, margin: 0mm)\n"
        f"#grid(columns: ({width}mm,) * {across}, rows: ({height}mm,) * {down}, {cells})\n"
    )
    files = {name: each.svg.encode() for name, each in zip(names, pictures, strict=True)}
    longer = max(across * width, down * height) / INCH
    read = cast("Any", {MAIN: main.encode(), **files})
    return typst.compile(
        read, format="png", ppi=min(DENSITY, LARGEST / longer), ignore_system_fonts=True
    )
