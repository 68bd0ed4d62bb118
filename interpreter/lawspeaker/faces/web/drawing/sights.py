"""What of a view is seen in a part of the table, as a key: where it is equal, so is the drawing.

Of a table most parts look the same to all seats, and stay as they are from one moment to the next.
So for each part of the layout it is worked out once what of a view its drawing can depend on; of a
view then only that is looked at. Parts in which it matters who looks are not shared by seats.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout
from lawspeaker.telling.arrangement import chosen
from lawspeaker.telling.labels import Labels, everything
from lawspeaker.telling.unset import unset


@dataclass(frozen=True, slots=True)
class Reads:
    """What of any view the drawing of a part depends on: families of places, entries of markers,
    what is written on places; `seat`, who looks, `scores`, how all stand and who is asked."""

    families: tuple[int, ...]
    entries: tuple[int, ...]
    written: tuple[ir.Show, ...]
    seat: bool
    scores: bool


def reads_of(layout: Layout, shown: ir.Show) -> Reads:
    parts = everything(shown)
    families = {part.family for part in parts if part.family is not None}
    families |= {carried for family in families if (carried := _carried_in(layout.program, family))}
    apart = any(not _alike_to_all(layout, family) for family in families)
    people = any(part.shape == "players" for part in parts)
    return Reads(
        tuple(sorted(families)),
        tuple(
            at for part in parts if part.marker is not None for at, _ in layout.entries(part.marker)
        ),
        tuple(
            part
            for part in parts
            if part.family is not None and (part.label is not None or part.only is not None)
        ),
        apart or people or any(part.own for part in parts),
        people or any(part.shape == "score" for part in parts),
    )


def _carried_in(program: ir.Program, family: int) -> int | None:
    """The family that is drawn on what lies in another one, if there is one."""
    symbol = program.symbols.get(program.pieces[program.families[family].holds].name)
    return None if symbol is None else symbol.carries


def _alike_to_all(layout: Layout, family: int) -> bool:
    """Whether everybody sees, or nobody, what lies in a family, and how much."""
    same = (0, layout.everyone)
    return all(
        layout.seen[place] in same and layout.count_seen[place] in same
        for place in layout.places_of[family]
    )


class Sight:
    """Something that was seen; how it is found again is worked out once."""

    __slots__ = ("_hash", "_seen")

    def __init__(self, seen: Hashable) -> None:
        self._seen = seen
        self._hash = hash(seen)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sight) and self._seen == other._seen


class Sights:
    """What is seen of one view; `aboard` are the pieces on which places are drawn, `known` is what
    parts of the layout depend on, by their ids."""

    def __init__(
        self, view: View, labels: Labels, aboard: Mapping[int, list[int]], known: dict[int, Reads]
    ) -> None:
        self._view = view
        self._labels = labels
        self._known = known
        self._aboard = aboard
        self._carrying = tuple(sorted(view.layout.piece_type[piece] for piece in aboard))
        self.places = self._seen()
        """By place in which something lies, all that makes it look as it does."""
        self._families = self._by_family()
        self._written: dict[int, Sight] = {}
        self.unset = unset(view)
        """The entries of markers that mean nothing yet."""

    def reads(self, shown: ir.Show) -> Reads:
        found = self._known.get(id(shown))
        if found is None:
            found = self._known[id(shown)] = reads_of(self._view.layout, shown)
        return found

    def of(self, shown: ir.Show) -> Hashable:
        """All that a part of the layout is drawn from."""
        reads, view = self.reads(shown), self._view
        return (
            id(shown),
            self._carrying,
            tuple([self._families.get(family) for family in reads.families]),
            tuple([(view.markers[at], at in self.unset) for at in reads.entries]),
            tuple([self._on(part) for part in reads.written]),
            view.seat if reads.seat else None,
            (view.scores, view.asked) if reads.scores else None,
        )

    def _seen(self) -> dict[int, Hashable]:
        view, alike = self._view, self._view.layout.alike
        states, aboard = view.states, self._aboard
        return {
            place: (
                place,
                place in view.loose,
                *[
                    (alike[piece] if piece >= 0 else -1, states.get(piece, ()), piece in aboard)
                    for piece in held
                ],
            )
            for place, held in view.contents.items()
        }

    def _by_family(self) -> dict[int, Sight]:
        """By family, what lies in its places."""
        family = self._view.layout.place_family
        found: dict[int, list[Hashable]] = {}
        for place, seen in self.places.items():
            found.setdefault(family[place], []).append(seen)
        return {family: Sight(tuple(seen)) for family, seen in found.items()}

    def _on(self, shown: ir.Show) -> Sight:
        if id(shown) not in self._written:
            self._written[id(shown)] = Sight(self._worked_out(shown))
        return self._written[id(shown)]

    def _worked_out(self, shown: ir.Show) -> Hashable:
        """The places that are drawn, with what is written on them."""
        places, label = chosen(self._view, self._labels, shown), shown.label
        if label is None:
            return tuple(places)
        return tuple([(place, self._labels.value(label, place)) for place in places])
