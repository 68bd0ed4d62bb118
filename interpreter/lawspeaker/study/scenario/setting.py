"""Sets up the situation in which a scenario begins.

A mentioned place holds exactly what is listed. Pieces are allocated from the box: first to
phrases with a kind, then to those with a count only, then to `all other PIECES`. The rest stays
where it is; if that is a place that was said to hold something else, the scenario must say where
the others are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

from lawspeaker.base.source import Span
from lawspeaker.position.layout import plain
from lawspeaker.position.state import State
from lawspeaker.study.notation.positions import situation as read_position
from lawspeaker.study.notation.squares import NoNotation
from lawspeaker.study.scenario.references import Pieces, Texts
from lawspeaker.text.document import Mapping, Node, Scalar, entries_of, scalars_of, text_of

SCORES = "scores"
SHUFFLE = "shuffle"
ALL_OTHER = "all other "
KNOWN = "known"
NOTATION = "notation"
SPECTATOR = "spectator"


@dataclass(slots=True)
class _Plan:
    """The wanted contents of one place."""

    key: Scalar
    wanted: list[Pieces]
    held: list[list[int]] = field(default_factory=list)


class Setting:
    """Builds one situation in a state."""

    def __init__(self, texts: Texts, state: State) -> None:
        self.texts = texts
        self.layout = texts.layout
        self.state = state
        self.plans: dict[int, _Plan] = {}
        self.free = set(range(len(self.layout.piece_type)))
        self.rest: dict[int, tuple[Scalar, Node]] = {}
        self.shuffled: tuple[Scalar, ...] = ()
        self.known: Node | None = None

    def set_up(self, situation: Mapping | None) -> None:
        if situation is None:
            return
        situation = self._written_out(situation)
        # More specific keys come last and override.
        for key, node in sorted(situation.entries, key=lambda each: len(each[0].value.split())):
            self._entry(key, node)
        if self.texts.diagnostics.has_errors:
            return
        self._hand_out()
        where = self._where()
        if not self.texts.diagnostics.has_errors:
            self._lay(where)
            self._shuffle()
            self._know()

    # ------------------------------------------------------------ what is said

    def _written_out(self, situation: Mapping) -> Mapping:
        """Replaces a position in the game's notation by what it says, where nothing else is
        said."""
        written = situation.get(NOTATION)
        if written is None:
            return situation
        try:
            found = read_position(self.layout, text_of(written), written.span)
        except NoNotation as error:
            self.texts.complain(str(error), written.span)
            return situation
        own = [each for each in situation.entries if each[0].value != NOTATION]
        said = {plain(key.value) for key, _ in own}
        more = [each for each in found.entries if plain(each[0].value) not in said]
        return Mapping((*more, *own), situation.span)

    def _entry(self, key: Scalar, node: Node) -> None:
        if key.value == SCORES:
            self._scores(node)
        elif key.value == SHUFFLE:
            self.shuffled = scalars_of(node)
        elif key.value == KNOWN:
            self.known = node
        elif key.value.startswith(ALL_OTHER):
            self._all_other(key, node)
        elif (marker := self.texts.marker(key.value)) is not None:
            of = self.layout.markers[marker].type
            shown = self.texts.value(of, text_of(node), node.span)
            if shown is not None:
                self.state.markers[marker] = shown[0]
        elif places := self.texts.places(key.value):
            for place in places:
                wanted = self.texts.contents(node, place)
                if wanted is None:
                    break
                self._check_room(place, sum(each.count for each in wanted), node.span)
                self.plans[place] = _Plan(key, wanted, [[] for _ in wanted])
        elif key.value != NOTATION:  # one that cannot be read is reported already
            self.texts.unknown_key(key, (SCORES, SHUFFLE, KNOWN, NOTATION))

    def _check_room(self, place: int, count: int, span: Span) -> None:
        room = self.layout.place_room[place]
        if room is not None and count > room:
            name = self.texts.place_text(place)
            self.texts.complain(f"{name} has room for {room}, and here are {count}", span)

    def _scores(self, node: Node) -> None:
        given: dict[int, int] = {}
        for key, points in entries_of(node):
            seat = self.texts.holder(key)
            if seat is None:
                continue
            self.state.scores[seat] = int(text_of(points))
            if given.setdefault(seat, self.state.scores[seat]) != self.state.scores[seat]:
                message = f"the side of {key.value} has one score, and that is {given[seat]} above"
                self.texts.complain(message, key.span, "give the points of a side once")

    def _all_other(self, key: Scalar, node: Node) -> None:
        name = plain(key.value.removeprefix(ALL_OTHER))
        for number, piece in enumerate(self.layout.program.pieces):
            if name in (piece.name, piece.plural):
                self.rest[number] = (key, node)
                return
        plurals = [piece.plural for piece in self.layout.program.pieces]
        self.texts.complain(
            f"there are no pieces '{name}'", key.span, f"pieces: {', '.join(plurals)}"
        )

    # ------------------------------------------------------------ who gets which piece

    def _hand_out(self) -> None:
        for any_kind in (False, True):
            for plan in self.plans.values():
                for wanted, held in zip(plan.wanted, plan.held, strict=True):
                    if (wanted.kind is None) == any_kind:
                        held += self._take(wanted)

    def _take(self, wanted: Pieces) -> list[int]:
        layout = self.layout
        piece = layout.program.pieces[wanted.type]
        if piece.per_player and wanted.owner is None:
            hint = f"write for instance: {wanted.text} {layout.program.player_names[0]}"
            self.texts.complain(f"whose {piece.name} is this?", wanted.span, hint)
            return []
        own = layout.pieces_of[wanted.type]
        found = [p for p in own if p in self.free and wanted.fits(layout, p)]
        if len(found) < wanted.count:
            exist = sum(wanted.fits(layout, p) for p in own)
            self.texts.complain(
                f"there are not so many: {wanted.text} (of {exist} in all, {len(found)} are left)",
                wanted.span,
            )
        taken = found[: wanted.count]
        self.free.difference_update(taken)
        for number, value in wanted.states:
            for each in taken:
                self.state.states[layout.state_at[wanted.type][number] + each] = value
        return taken

    def _where(self) -> dict[int, list[int]]:
        """The contents of each place; pieces that stay lie under those that are added."""
        laid = {place: list(chain(*plan.held)) for place, plan in self.plans.items()}
        strays: dict[int, list[int]] = {}
        coming: list[tuple[int, int]] = []
        for piece in chain(*self.state.contents.values()):
            number, place = self.layout.piece_type[piece], self.state.where[piece]
            if piece not in self.free:
                continue
            if number in self.rest:
                other = self._other_place(piece, *self.rest[number])
                if other is None:
                    del self.rest[number]
                    continue
                if other != place:
                    coming.append((piece, other))
                    continue
            elif place in self.plans:
                strays.setdefault(place, []).append(piece)
            laid.setdefault(place, []).append(piece)
        for piece, place in sorted(coming):
            laid.setdefault(place, []).append(piece)
        for place in sorted({place for _, place in coming}):
            node = self.rest[self.layout.piece_type[laid[place][-1]]][1]
            self._check_room(place, len(laid[place]), node.span)
        for place, pieces in strays.items():
            plural = self.layout.program.pieces[self.layout.piece_type[pieces[0]]].plural
            name, key = self.texts.place_text(place), self.plans[place].key
            self.texts.complain(
                f"{name} holds what is listed here, but {len(pieces)} more {plural} start there",
                key.span,
                f"say where they are: `{ALL_OTHER}{plural}: …`, or list more of them",
            )
        return laid

    def _other_place(self, piece: int, key: Scalar, node: Node) -> int | None:
        """The place of an unmentioned piece: of several, that of its owner."""
        owner = self.layout.piece_owner[piece]
        places = [
            place
            for place in self.texts.places(text_of(node))
            if self._holds(place) == self.layout.piece_type[piece]
        ]
        if len(places) > 1:
            places = [place for place in places if self.layout.place_owner[place] == owner]
        if len(places) == 1:
            return places[0]
        plural = self.layout.program.pieces[self.layout.piece_type[piece]].plural
        self.texts.complain(f"'{text_of(node)}' is no place for all other {plural}", node.span)
        return None

    def _holds(self, place: int) -> int:
        return self.layout.program.families[self.layout.place_family[place]].holds

    # ------------------------------------------------------------ laying it down

    def _lay(self, where: dict[int, list[int]]) -> None:
        state = self.state
        before, state.contents = state.contents, {}
        where_before = state.where.copy()
        for place, pieces in where.items():
            if pieces:
                pieces = sorted(pieces) if self.layout.heap[place] else pieces
                state.contents[place] = tuple(pieces)
                for piece in pieces:
                    state.where[piece] = place
        state.loose = {
            place: found
            for place, parts in state.loose.items()
            if (found := self._loose(place, parts, before[place])) is not None
        }
        state.known = {
            piece: seats
            for piece, seats in state.known.items()
            if piece in self.free and state.where[piece] == where_before[piece]
        }

    def _loose(
        self, place: int, parts: tuple[int, int], before: tuple[int, ...]
    ) -> tuple[int, int] | None:
        """The rest of a shuffled part after pieces were removed."""
        if place in self.plans:
            return None
        under, count = parts
        stays = [piece in self.state.contents.get(place, ()) for piece in before]
        loose = sum(stays[under : under + count])
        return (sum(stays[:under]), loose) if loose else None

    def _shuffle(self) -> None:
        state = self.state
        for node in self.shuffled:
            places = self.texts.places(node.value)
            if not places:
                self.texts.unknown_key(node)
            for place in places:
                held = state.contents.get(place, ())
                for piece in held:
                    state.known.pop(piece, None)
                if held and not self.layout.heap[place]:
                    state.contents[place] = tuple(sorted(held))
                    state.loose[place] = (0, len(held))

    # ------------------------------------------------------------ who knows what

    def _know(self) -> None:
        """Marks pieces as known to viewers who do not see them now."""
        for key, table in entries_of(self.known):
            seat = None if key.value == SPECTATOR else self.texts.seat(key)
            if seat is None and key.value != SPECTATOR:
                continue
            for name, node in entries_of(table):
                places = self.texts.places(name.value)
                if not places:
                    self.texts.unknown_key(name)
                for place in places:
                    self._knows(seat, place, name, node)

    def _knows(self, seat: int | None, place: int, name: Scalar, node: Node) -> None:
        layout, state = self.layout, self.state
        sight = layout.sight(seat)
        wanted = self.texts.contents(node, place)
        if wanted is None:
            return
        if layout.seen[place] & sight or not layout.count_seen[place] & sight:
            can = "is seen anyway" if layout.seen[place] & sight else "cannot even be counted"
            self.texts.complain(f"what lies in {name.value} {can}", name.span)
            return
        if place in state.loose:
            self.texts.complain(f"{name.value} is shuffled, so nobody knows it", name.span)
            return
        here = list(state.contents.get(place, ()))
        for each in wanted:
            found = [piece for piece in here if each.fits(layout, piece)][: each.count]
            if len(found) < each.count:
                self.texts.complain(f"there is no such thing in {name.value}", each.span)
            for piece in found:
                here.remove(piece)
                state.known[piece] = state.known.get(piece, 0) | sight
