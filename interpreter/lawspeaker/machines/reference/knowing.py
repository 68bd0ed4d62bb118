"""What seats know of pieces that they do not see, told from what was noted.

A rule can show a piece to somebody (`show`), and a place can be one of which it stays known what
came there in sight. Then the piece bears a bit for each seat that knows it (`State.known`), and a
view shows it though it lies hidden. Rules cannot ask who knows what, so a machine need not care:
`Knowing` goes through the notes of a run once it is over, and so it is the same for all machines.

Whoever knows a piece knows it as long as he can follow it:

- In a pile or a row he sees from where a piece is taken. Out of a heap he does not, unless he sees
  the piece where it goes: so he knows nothing more of those he knew there. If he does see it, and
  it looks like one that he knows, it may be that one.
- What is shuffled is known to nobody; nor is a piece in a place whose pieces he cannot count.
- A piece that he sees needs no bit. When it is hidden he has to keep it in mind himself, unless the
  place it goes to is one of which that stays known.
- If he is shown a piece in a heap, and knows one there that looks the same, it may be that one.

A note of a move is for those as well who know the piece, or see it on top of a pile.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.ir.types import SetType
from lawspeaker.ir.walk import everything
from lawspeaker.machines.reference.assembler import Code
from lawspeaker.machines.reference.moving import lay, lift
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import Note, State, Value


class Knowing:
    """Follows what becomes known in the games of a machine. `needed`: there is anything to follow;
    otherwise whoever sees a piece sees the place, and that is all."""

    def __init__(self, layout: Layout, codes: Sequence[Code]) -> None:
        program = layout.program
        self.layout = layout
        self.codes = codes
        self.stays_known = [program.families[each].stays_known for each in layout.place_family]
        deeds = (deed for clause in program.clauses for deed in everything(clause.body))
        self.needed = (
            any(self.stays_known)
            or any(layout.top_seen)
            or any(isinstance(deed, ir.Tell) and deed.shows for deed in deeds)
        )

    def follow(self, before: State, state: State, first: int) -> None:
        """Brings what is known up to date: `before` is the state as it was at the first of the new
        notes, and is changed on the way."""
        journal = state.journal
        for at, note in enumerate(journal[first:], first):
            if note[0] in ("move", "shuffle", "tell"):
                journal[at] = self.done(before, note)
        state.known = before.known

    def done(self, s: State, note: Note) -> Note:
        """Does in a state what a note says of pieces: where they go, and who knows them then. Gives
        the note with all who know it."""
        kind, clause, seat, data, known = note
        match kind:
            case "move":
                known |= self._moved(s, *data)
            case "shuffle":
                self._shuffled(s, *data)
            case "tell":
                deed = self.codes[clause].operations[data[0]].deed
                assert isinstance(deed, ir.Tell)
                if deed.shows:
                    self._shown(s, deed, data[1], known)
        return kind, clause, seat, data, known

    def _moved(self, s: State, piece: int, origin: int, to: int, under: bool, drawn: bool) -> int:
        """A piece goes from one place to another; those who know which it is."""
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
        """A piece has gone out of a heap: who does not see it cannot tell which of them it was; who
        sees it takes it for one that he knew there and that looks the same."""
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

    def _shown(self, s: State, deed: ir.Tell, value: Value, known: int) -> None:
        """Pieces are shown to some. In the loose part of a shuffled pile none can be kept apart."""
        several = isinstance(deed.what.type, SetType)
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
        """Of pieces in a heap those that were known before may be the same that are shown now, if
        they look the same."""
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
        """Some know a piece: those of them who do not see it, and can count where it lies."""
        place = s.where[piece]
        known &= self.layout.count_seen[place] & ~self.layout.seen[place]
        if not self.stays_known[place]:
            known &= ~self._top_seen(s, piece)
        if known:
            s.known[piece] = known
        else:
            s.known.pop(piece, None)

    def _uncover(self, s: State, place: int) -> None:
        """Something has come off a place or upon it: its top is seen."""
        top_seen = self.layout.top_seen[place]
        if top_seen and place in s.contents:
            piece = s.contents[place][-1]
            known = s.known.get(piece, 0)
            self._know(s, piece, known | top_seen if self.stays_known[place] else known)

    def _top_seen(self, s: State, piece: int) -> int:
        """Who sees a piece since it lies on top."""
        place = s.where[piece]
        return self.layout.top_seen[place] if s.contents[place][-1] == piece else 0
