"""Tracks what seats know of pieces that they do not see, from the journal of a run.

A rule can show a piece to somebody (`show`), and some places keep known what came there in sight.
Then the piece has a bit for each seat that knows it (`State.known`), and a view shows it though it
is hidden. Rules cannot query knowledge, so back ends ignore it: `Knowing` processes the journal of
a run afterwards, and is the same for all back ends.

A seat knows a piece as long as it can track it:

- In a pile or a row it sees from which position a piece is taken. Out of a heap it does not, unless
  it sees the piece at its destination: so it forgets those it knew there. If it does see it, and it
  looks like one that it knows, it may be that one.
- A shuffled piece is known to nobody; nor is a piece in a place whose pieces the seat cannot count.
- A piece that the seat sees needs no bit. When it is hidden the player has to remember it himself,
  unless it goes to a place that keeps it known.
- If the seat is shown a piece in a heap, and knows one there that looks the same, it may be that
  one.

A journal entry of a move is also visible to those who know the piece, or see it on top of a pile.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.reference.assembler import ClauseClosures
from lawspeaker.machines.reference.moving import lay, lift
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import Note, State, Value


class Knowing:
    """Tracks knowledge in the games of a machine. `needed`: there is anything to track; otherwise
    seeing a piece only depends on seeing its place."""

    def __init__(self, layout: Layout, codes: Sequence[ClauseClosures]) -> None:
        program = layout.program
        self.layout = layout
        self.codes = codes
        self.stays_known = [program.families[each].stays_known for each in layout.place_family]
        statements = (
            statement for clause in program.clauses for statement in everything(clause.body)
        )
        self.needed = (
            any(self.stays_known)
            or any(layout.top_seen)
            or any(isinstance(statement, ir.Tell) and statement.shows for statement in statements)
        )

    def follow(self, before: State, state: State, first: int) -> None:
        """Updates knowledge: `before` is the state as it was at the first of the new entries, and
        is replayed."""
        journal = state.journal
        for at, note in enumerate(journal[first:], first):
            if note[0] in ("move", "shuffle", "tell"):
                journal[at] = self.done(before, note)
        state.known = before.known

    def done(self, s: State, note: Note) -> Note:
        """Replays a journal entry on a state: moves pieces, and updates who knows them. Returns the
        entry with all its viewers."""
        kind, clause, seat, data, known = note
        match kind:
            case "move":
                known |= self._moved(s, *data)
            case "shuffle":
                self._shuffled(s, *data)
            case "tell":
                statement = self.codes[clause].operations[data[0]].statement
                assert isinstance(statement, ir.Tell)
                if statement.shows:
                    self._shown(s, statement, data[1], known)
        return kind, clause, seat, data, known

    def _moved(self, s: State, piece: int, origin: int, to: int, under: bool, drawn: bool) -> int:
        """Moves a piece; returns those who know which it is."""
        layout = self.layout
        left = [each for each in s.contents[origin] if each != piece]
        sees = layout.seen[origin] | self._top_seen(s, piece)
        lift(s, piece)
        lay(layout, s, piece, to, under)
        sees |= layout.seen[to] | self._top_seen(s, piece)
        if layout.heap[origin] and left:
            self._lose_sight(s, piece, left, sees)
        known = s.known.get(piece, 0)
        self._know(s, piece, known | sees if self.stays_known[to] else known)
        self._uncover(s, origin)
        self._uncover(s, to)
        return sees | known

    def _lose_sight(self, s: State, piece: int, left: list[int], sees: int) -> None:
        """Updates knowledge of a heap that a piece has left: seats that do not see it cannot tell
        which piece it was; seats that see it take it for one that they knew there and that looks
        the same."""
        looks = self.layout.looks
        unknown = sees & ~s.known.get(piece, 0)
        for each in left:
            known = s.known.get(each, 0)
            taken = known & unknown if looks[each] == looks[piece] else 0
            unknown &= ~taken
            self._know(s, each, known & sees & ~taken)
        self._know(s, piece, s.known.get(piece, 0) & sees)

    def _shuffled(self, s: State, place: int) -> None:
        held = s.contents.get(place, ())
        for piece in held:
            s.known.pop(piece, None)
        if held and not self.layout.heap[place]:
            s.contents[place] = tuple(sorted(held))
            s.loose[place] = (0, len(held))

    def _shown(self, s: State, statement: ir.Tell, value: Value, known: int) -> None:
        """Shows pieces to some seats. In the loose part of a shuffled pile none can be told
        apart."""
        several = isinstance(statement.what.type, ir.SetType)
        pieces = [each for each in (value if several else (value,)) if each is not None]
        for place in dict.fromkeys(s.where[piece] for piece in pieces):
            here = [piece for piece in pieces if s.where[piece] == place]
            if self.layout.heap[place]:
                self._recognize(s, place, here, known)
            under, loose = s.loose.get(place, (0, 0))
            apart = {*here}.difference(s.contents[place][under : under + loose])
            for piece in apart:
                self._know(s, piece, s.known.get(piece, 0) | known)

    def _recognize(self, s: State, place: int, shown: list[int], known: int) -> None:
        """Merges pieces in a heap that were known before with those shown now, if they look the
        same."""
        looks = self.layout.looks
        for look in {looks[piece] for piece in shown}:
            now = sum(looks[piece] == look for piece in shown)
            for seat in range(self.layout.players + 1):
                alike = [piece for piece in s.contents[place] if looks[piece] == look]
                before = [piece for piece in alike if s.known.get(piece, 0) & known & 1 << seat]
                others = [piece for piece in before if piece not in shown]
                for piece in others[: len(others) + now - max(len(before), now)]:
                    self._know(s, piece, s.known[piece] & ~(1 << seat))

    # ------------------------------------------------------------ bits

    def _know(self, s: State, piece: int, known: int) -> None:
        """Sets who knows a piece: only seats that do not see it, and can count the pieces of its
        place."""
        place = s.where[piece]
        known &= self.layout.count_seen[place] & ~self.layout.seen[place]
        if not self.stays_known[place]:
            known &= ~self._top_seen(s, piece)
        if known:
            s.known[piece] = known
        else:
            s.known.pop(piece, None)

    def _uncover(self, s: State, place: int) -> None:
        """Shows the new top of a place."""
        top_seen = self.layout.top_seen[place]
        if top_seen and place in s.contents:
            piece = s.contents[place][-1]
            known = s.known.get(piece, 0)
            self._know(s, piece, known | top_seen if self.stays_known[place] else known)

    def _top_seen(self, s: State, piece: int) -> int:
        """Returns who sees a piece because it is on top."""
        place = s.where[piece]
        return self.layout.top_seen[place] if s.contents[place][-1] == piece else 0
