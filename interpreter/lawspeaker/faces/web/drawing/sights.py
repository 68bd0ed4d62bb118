"""Cache keys for the parts of a picture: what the drawing of each part depends on in a view.

Most parts of a table look the same to all seats and stay the same over many replies. So each part's
dependencies are computed once from the layout; a key then reads only these from a view. A part
whose drawing depends on the viewer is not shared between seats.
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

MOST_SEEN = 20_000
"""Number of entries after which a cache is cleared."""


@dataclass(frozen=True, slots=True)
class Reads:
    """The parts of any view that a drawing depends on.

    These are families of places, entries of markers, and labels of places; `seat` adds the viewer,
    `scores` the scores and the players to move.
    """

    families: tuple[int, ...]
    entries: tuple[int, ...]
    written: tuple[ir.Show, ...]
    seat: bool
    scores: bool


def reads_of(layout: Layout, shown: ir.Show) -> Reads:
    parts = everything(shown)
    families = {
        family
        for part in parts
        for family in (part.family, part.joined, *part.others)
        if family is not None
    }
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
            if part.family is not None and (part.labels or part.only is not None)
        ),
        apart or people or any(part.own or _of_players(layout, part) for part in parts),
        people or any(part.shape == "score" for part in parts),
    )


def _of_players(layout: Layout, shown: ir.Show) -> bool:
    """Whether each player has a board in this part: the viewer's own is drawn first."""
    if shown.family is None or shown.style not in ("grid", "board"):
        return False
    indices = layout.program.families[shown.family].indices
    return len(indices) > 1 and any(column.type == ir.PLAYER for column in indices)


def _carried_in(program: ir.Program, family: int) -> int | None:
    """Returns the family that is drawn on the pieces of another one, if there is one."""
    symbol = program.symbols.get(program.pieces[program.families[family].holds].name)
    return None if symbol is None else symbol.carries


def _alike_to_all(layout: Layout, family: int) -> bool:
    """Whether the contents and counts of a family are visible to everybody or to nobody."""
    same = (0, layout.everyone)
    return all(
        layout.seen[place] in same and layout.count_seen[place] in same
        for place in layout.places_of[family]
    )


class Sight:
    """A key with its hash computed once."""

    __slots__ = ("_hash", "_seen")

    def __init__(self, seen: Hashable) -> None:
        self._seen = seen
        self._hash = hash(seen)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sight) and self._seen == other._seen


class DrawingCache:
    """Caches for one game: dependencies and labels by part of the layout, and contents of places.

    A part is identified by its `id`, since the layout lives as long.
    """

    def __init__(self, layout: Layout) -> None:
        self.reads: dict[int, Reads] = {}
        self.written: dict[Hashable, Sight] = {}
        self.places: dict[Hashable, Sight] = {}
        self.plain = [not layout.state_at[family.holds] for family in layout.program.families]
        """By family, whether the pieces in its places have no states."""

    def tidy(self) -> None:
        """Clears caches that have grown too large."""
        for seen in (self.written, self.places):
            if len(seen) > MOST_SEEN:
                seen.clear()


class Sights:
    """The cache keys of one view; `aboard` maps the pieces on which places are drawn."""

    def __init__(
        self, view: View, labels: Labels, aboard: Mapping[int, list[int]], known: DrawingCache
    ) -> None:
        self._view = view
        self._labels = labels
        self._known = known
        self._aboard = aboard
        self._carrying = tuple(sorted(view.layout.piece_type[piece] for piece in aboard))
        self.places = self._seen()
        """By occupied place, a key for the appearance of its contents."""
        self._families = self._by_family()
        self.unset = unset(view)
        """The entries of markers without a meaningful value so far."""

    def reads(self, shown: ir.Show) -> Reads:
        found = self._known.reads.get(id(shown))
        if found is None:
            found = self._known.reads[id(shown)] = reads_of(self._view.layout, shown)
        return found

    def of(self, shown: ir.Show) -> Hashable:
        """Returns the cache key of a part of the layout."""
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
        view, aboard, known = self._view, self._aboard, self._known
        family = view.layout.place_family
        found: dict[int, Hashable] = {}
        for place, held in view.contents.items():
            loose = place in view.loose
            if known.plain[family[place]] and aboard.keys().isdisjoint(held):
                key = (place, held, loose)
                seen = known.places.get(key)
                if seen is None:
                    seen = known.places[key] = Sight(self._at(place, held, loose))
                found[place] = seen
            else:
                found[place] = Sight(self._at(place, held, loose))
        return found

    def _at(self, place: int, held: tuple[int, ...], loose: bool) -> Hashable:
        alike, states, aboard = self._view.layout.alike, self._view.states, self._aboard
        return (
            place,
            loose,
            *[
                (alike[piece] if piece >= 0 else -1, states.get(piece, ()), piece in aboard)
                for piece in held
            ],
        )

    def _by_family(self) -> dict[int, Sight]:
        """Returns, by family, a key for the contents of its places."""
        family = self._view.layout.place_family
        found: dict[int, list[Hashable]] = {}
        for place, seen in self.places.items():
            found.setdefault(family[place], []).append(seen)
        return {family: Sight(tuple(seen)) for family, seen in found.items()}

    def _on(self, shown: ir.Show) -> Sight:
        """Returns a key for the places of a part and their labels, cached if all viewers share
        it."""
        functions = [each for each in (*shown.labels, shown.only) if each is not None]
        shared = [self._labels.shared(each) for each in functions]
        assert shown.family is not None
        grows = self._view.program.families[shown.family].grows
        if None in shared or shown.own or grows:
            return self._worked_out(shown)
        key = (id(shown), *shared)
        found = self._known.written.get(key)
        if found is None:
            found = self._known.written[key] = self._worked_out(shown)
        return found

    def _worked_out(self, shown: ir.Show) -> Sight:
        value, labels = self._labels.value, shown.labels
        return Sight(
            tuple(
                (place, *[value(label, place) for label in labels])
                for place in chosen(self._view, self._labels, shown)
            )
        )
