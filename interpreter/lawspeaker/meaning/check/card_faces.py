"""Checks the faces of cards: what is on them, and where.

A face belongs to a type of piece or to one of its kinds, whose attributes it can show.
"""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.braces import names_in
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.own_pictures import OwnPictures
from lawspeaker.meaning.check.values import texts
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, entries_of, text_of
from lawspeaker.text.pictures.naming import is_own
from lawspeaker.text.rulebook import Entry

CUT = ("card", "tile")
"""The shapes that have room for a face."""
SHOWN = ("show", "write", "icon")
FULL = "full"


class Faces:
    """Reads the faces of a game, one by one."""

    def __init__(self, world: World, pictures: OwnPictures) -> None:
        self.world = world
        self.pictures = pictures

    def parts(self, entry: Entry) -> tuple[ir.FacePart, ...]:
        """The parts of the face that a symbol declares."""
        node = entry.get("face")
        if not isinstance(node, Sequence):
            return ()
        span = next(key.span for key, _ in entries_of(entry.body) if key.value == "face")
        piece = self._piece(entry.id)
        if piece is None:
            self._error(
                "unused",
                f"`{entry.id}` is no piece, and has no face",
                span,
                "a face belongs to a piece or to one of its kinds",
            )
            return ()
        shape = entry.text("shape") or self._shape_of(piece)
        if shape not in (*CUT, None):
            self._error(
                "unused",
                f"a {shape} has no room for a face",
                span,
                "write `shape: card` or `shape: tile`, or leave out the face",
            )
            return ()
        found = (self._part(each, piece) for each in node.items if isinstance(each, Mapping))
        return tuple(each for each in found if each is not None)

    def _piece(self, id: str) -> ir.Piece | None:
        of, _, name = id.rpartition(".")
        for piece in self.world.pieces:
            kinds = [kind.name for kind in piece.kinds]
            if of == piece.name and name in kinds:
                return piece
            if not of and (name == piece.name or name in kinds):
                return piece
        return None

    def _shape_of(self, piece: ir.Piece) -> str | None:
        entry = self.world.book.section("symbols").get(piece.name)
        return None if entry is None else entry.text("shape")

    def _part(self, node: Mapping, piece: ir.Piece) -> ir.FacePart | None:
        given = [key for key, _ in node.entries if key.value in SHOWN]
        if len(given) != 1:
            said = "nothing is shown here" if not given else "this shows two things in one place"
            hint = "write one of `show:` (name, text, picture), `write:` a text, or `icon:`"
            self._error(
                "missing-key" if not given else "unused",
                said,
                node.span if not given else given[1].span,
                hint
                if not given
                else "make two parts of it; those at the same place stand in a column",
            )
            return None
        show = text_of(node.get("show")) or None
        size = text_of(node.get("size")) or "medium"
        if size == FULL and show != "picture":
            self._misplaced(node, "size", "only a picture fills the face", "write `size: large`")
            size = "large"
        if size == FULL:
            for key in ("at", "behind"):
                said = "a picture that fills the face is everywhere, behind all else"
                self._misplaced(node, key, said, "delete it")
        icon, attribute = self._icon(node.get("icon"), piece)
        times = self._times(node, piece)
        return ir.FacePart(
            show,
            self._written(node.get("write"), piece),
            icon,
            attribute,
            times,
            text_of(node.get("at")) or "middle",
            size,
            text_of(node.get("behind")) or None,
        )

    def _misplaced(self, node: Mapping, key: str, said: str, hint: str) -> None:
        """Reports a key that changes nothing, if it is there."""
        given = node.get(key)
        if given is not None:
            self._error("unused", said, given.span, hint)

    def _written(self, node: Node | None, piece: ir.Piece) -> ir.Texts:
        if node is None:
            return {}
        plain = isinstance(node, Scalar)
        found = {self.world.book.language: text_of(node).strip()} if plain else texts(node)
        names = {name for text in found.values() for name in names_in(text)}
        for name in sorted(names):
            self._attribute(name, piece, node.span)
        return found

    def _attribute(self, name: str, piece: ir.Piece, span: Span) -> None:
        known = [each.name for each in _attributes(piece)]
        if name not in known:
            said = f"`{piece.name}` has no attribute `{name}`"
            self._error("unknown-name", said, span, self._near(name, known))

    def _icon(
        self, node: Node | None, piece: ir.Piece
    ) -> tuple[str | ir.Picture | None, str | None]:
        """The picture of an icon, or the attribute whose values have one."""
        if node is None:
            return None, None
        name = text_of(node)
        if is_own(name):
            return self.pictures.named(name, node.span), None
        columns = {each.name: each for each in _attributes(piece)}
        column = columns.get(name)
        if column is None and name in _stock(self.world):
            return name, None
        if column is None:
            known = (*columns, *_stock(self.world))
            said = f"`{piece.name}` has no attribute `{name}`, and there is no picture `{name}`"
            self._error("unknown-name", said, node.span, self._near(name, known))
            return None, None
        if self._pictured(column):
            return None, name
        if name in _stock(self.world):
            return name, None
        self._error(
            "wrong-type",
            f"the values of `{name}` have no pictures",
            node.span,
            f'write it: `write: "{{{name}}}"`, or draw a picture so often: '
            f"`icon: coin, times: {name}`",
        )
        return None, None

    @staticmethod
    def _pictured(column: ir.Column | ir.State) -> bool:
        """Whether the values of an attribute can have pictures: words, kinds, players; or there is
        a number for each of those."""
        type = column.type.of if isinstance(column.type, ir.MaybeType) else column.type
        own = isinstance(type, ir.WordType | ir.KindType) or type == ir.PLAYER
        if not column.indices:
            return own
        return len(column.indices) == 1 and isinstance(type, ir.NumberType)

    def _times(self, node: Mapping, piece: ir.Piece) -> str | None:
        given = node.get("times")
        if given is None:
            return None
        name = text_of(given)
        if node.get("icon") is None:
            self._error("unused", "only an icon is drawn several times", given.span, "delete it")
            return None
        numbers = [
            each.name
            for each in _attributes(piece)
            if isinstance(each.type, ir.NumberType) and not each.indices
        ]
        if name not in numbers:
            said = f"`{piece.name}` has no number `{name}`"
            self._error("unknown-name", said, given.span, self._near(name, numbers))
            return None
        return name

    def _near(self, name: str, known: Iterable[str]) -> str | None:
        return self.world.suggest(name, tuple(known))

    def _error(self, code: str, said: str, span: Span, hint: str | None) -> None:
        self.world.diagnostics.error(code, said, span, hint=hint)


def _attributes(piece: ir.Piece) -> tuple[ir.Column | ir.State, ...]:
    return (*piece.columns, *piece.states)


def _stock(world: World) -> tuple[str, ...]:
    """The names of the stock of pictures, as the schema lists them."""
    return tuple(world.book.form["$defs"]["picture"]["else"]["enum"])
