"""Checks the notation of a game: every name in it is one of the game's.

Definitions and clauses stay names; `study/notation` looks them up in the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.values import constant
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    entries_of,
    items_of,
    text_of,
)

BOARD, EVERYONE = "board", "everyone"
PASS = "pass"
OWN = ("piece", "capture")
"""Names in a move besides its parts."""
_BRACES = re.compile(r"\{([a-z_][a-z0-9_]*)\??\}")


def notation(world: World) -> ir.Notation | None:
    """The notation of the game, if it declares one."""
    node = world.book.notation
    return _Notation(world).checked(node) if isinstance(node, Mapping) else None


class _Notation:
    def __init__(self, world: World) -> None:
        self.world = world

    def unknown(self, said: str, name: str, span: Span, known: Iterable[str]) -> None:
        self.world.diagnostics.error(
            "unknown-name", said, span, hint=self.world.suggest(name, known)
        )

    def wrong(self, said: str, span: Span, hint: str | None = None) -> None:
        self.world.diagnostics.error("bad-value", said, span, hint=hint)

    def checked(self, node: Mapping) -> ir.Notation | None:
        board = self._board(node.get("board"))
        layout: ir.Layout = "lists" if text_of(node.get("layout")) == "lists" else "rows"
        pieces = tuple(self._signs(node.get("pieces"), layout))
        fields = tuple(self._fields(node.get("position")))
        numbers = child(node.get("squares"), "numbers")
        clause = node.get("continues with")
        if clause is not None and text_of(clause) not in self.world.procedures:
            said = f"there is no clause `{text_of(clause)}` that can be done"
            self.unknown(said, text_of(clause), clause.span, self.world.procedures)
        elif clause is not None and self.world.procedures[text_of(clause)].names:
            self.wrong(f"`{text_of(clause)}` is given something; name one that is not", clause.span)
        game = node.get("game")
        if board is None:
            return None
        return ir.Notation(
            board.index,
            pieces,
            self._defined(numbers, board),
            layout,
            fields,
            text_of(clause),
            self._game(game) if isinstance(game, Mapping) else None,
        )

    def _board(self, node: Node | None) -> ir.PlaceType | None:
        if node is None:
            return None
        name = text_of(node)
        found = self.world.family_types.get(name)
        if found is None:
            self.unknown(f"there is no place `{name}`", name, node.span, self.world.family_types)
        elif self.world.families[found.index].grid != "fixed":
            self.wrong(f"`{name}` is no grid with columns and rows", node.span)
            return None
        elif self.world.families[found.index].seen_by != EVERYONE:
            self.wrong(f"not everyone sees `{name}`, so nobody can write it down", node.span)
        return found

    def _defined(self, node: Node | None, of: ir.Type) -> str:
        """The name of a predicate of one thing."""
        if node is None:
            return ""
        name = text_of(node)
        signatures = self.world.signatures.get(name, [])
        if not signatures:
            known = self.world.signatures
            self.unknown(f"nothing is defined as `{name}`", name, node.span, known)
        found = [each for each in signatures if each.types == (of,)]
        if signatures and not found:
            self.wrong(f"`{name}` is not defined for {self.world.a(of)} alone", node.span)
        self.world.used.called.update(each.function for each in found)
        return name

    # ------------------------------------------------------------ pieces

    def _signs(self, node: Node | None, layout: ir.Layout) -> Iterable[ir.Sign]:
        for key, value in entries_of(node):
            if layout == "rows" and (len(key.value) > 1 or key.value.isdigit() or key.value == "/"):
                self.wrong(
                    f"`{key.value}`: in rows, a sign is one letter, no digit and no /", key.span
                )
            if layout == "lists" and any(sign in ":,-" or sign.isdigit() for sign in key.value):
                self.wrong(
                    f"`{key.value}`: in lists, a sign has no digits and none of : , -", key.span
                )
            found = self._sign(key.value, text_of(value), value.span)
            if found is not None:
                yield found

    def _sign(self, sign: str, text: str, span: Span) -> ir.Sign | None:
        """Resolves a description of a piece: NAME [OWNER] [with STATE VALUE and …]."""
        named, _, states = text.partition(" with ")
        name, _, owner = named.strip().partition(" ")
        world = self.world
        of = world.types.get(name)
        kinds = world.kinds.get(name, [])
        kind: int | None = None
        if isinstance(of, ir.PieceType):
            number = of.index
        elif len(kinds) == 1:
            number, kind = kinds[0][0].index, kinds[0][1]
        else:
            said = f"there is no piece and no kind `{name}`"
            known = [each.name for each in world.pieces]
            self.unknown(said, name, span, [*known, *world.kinds])
            return None
        seat = None
        if owner.strip():
            if owner.strip() not in world.player_names:
                said = f"there is no player `{owner.strip()}`"
                self.unknown(said, owner.strip(), span, world.player_names)
                return None
            seat = world.player_names.index(owner.strip())
        elif world.pieces[number].per_player:
            example = f"{name} {world.player_names[0]}"
            self.wrong(f"whose `{name}` is this?", span, f"write for instance `{example}`")
            return None
        found = [self._state(number, each.strip(), span) for each in states.split(" and ") if each]
        return ir.Sign(
            sign, text, number, kind, seat, tuple(each for each in found if each is not None)
        )

    def _state(self, piece: int, text: str, span: Span) -> tuple[int, object] | None:
        name, _, value = text.partition(" ")
        states = self.world.pieces[piece].states
        for at, each in enumerate(states):
            if each.name == name and not each.indices:
                number = isinstance(each.type, ir.NumberType)
                node = Scalar(value.strip(), span, span, kind="number" if number else "text")
                return at, constant(self.world, node, each.type)
        known = [each.name for each in states]
        self.unknown(f"a piece like this has no `{name}` that changes", name, span, known)
        return None

    # ------------------------------------------------------------ positions

    def _fields(self, node: Node | None) -> Iterable[ir.Field]:
        boards = 0
        for item in items_of(node):
            if not isinstance(item, Mapping):
                boards += 1
                yield ir.Field(board=True)
                continue
            if (text := item.get("text")) is not None:
                yield ir.Field(text=text_of(text))
                continue
            name = text_of(item.get("marker"))
            index = self.world.marker_index.get(name)
            if index is None:
                said = f"there is no marker `{name}`"
                self.unknown(said, name, item.span, self.world.marker_index)
                continue
            if self.world.markers[index].seen_by != EVERYONE:
                self.wrong(f"not everyone sees `{name}`, so nobody can write it down", item.span)
            flags = _texts(item.get("flags"))
            of = self.world.markers[index].type
            signs = item.get("signs")
            for key, _ in entries_of(signs):
                plain = of.of if isinstance(of, ir.MaybeType) else of
                if key.value != "nothing" or plain == of:
                    constant(self.world, key, plain)
            if flags and of != ir.TRUTH:
                self.wrong(f"`{name}` is neither true nor false, so it has no flags", item.span)
            yield ir.Field(marker=index, name=name, signs=_texts(signs), flags=flags)
        if isinstance(node, Sequence) and boards != 1:
            self.wrong("a position has the board once", node.span, f"add `{BOARD}`")

    # ------------------------------------------------------------ games

    def _game(self, node: Mapping) -> ir.GameNotation:
        moves = node.get("moves")
        asks = [each for _, each in self.world.code if isinstance(each, ir.Ask)]
        parts: dict[str, set[str]] = {PASS: set()}
        for alternative in (each for ask in asks for each in ask.alternatives):
            named = {part.set_name or part.binder.name for part in alternative.parts}
            parts.setdefault(alternative.label or "", set()).update(named)
        for key, value in entries_of(moves):
            if key.value not in parts:
                said = f"no answer begins with `{key.value}`"
                self.unknown(said, key.value, key.span, filter(None, parts))
                continue
            for name in _BRACES.findall(text_of(value)):
                if name not in parts[key.value] and name not in OWN:
                    said = f"`{key.value}` has no part `{name}`"
                    self.unknown(said, name, value.span, [*parts[key.value], *OWN])
        form = text_of(node.get("format"))
        return ir.GameNotation(
            "sgf" if form == "sgf" else "pdn" if form == "pdn" else "pgn",
            _texts(moves),
            _texts(node.get("signs")),
            text_of(node.get("capture")),
            text_of(node.get("quiet")),
            self._defined(node.get("check"), ir.PLAYER),
            _texts(node.get("tags")),
        )


def _texts(node: Node | None) -> dict[str, str]:
    return {key.value: text_of(value) for key, value in entries_of(node)}
