"""Narrates events to a viewer, briefly, in a language.

The journal has an event for every piece that moves. A story omits the obvious and groups what
belongs together:

- A choice is one line; that the chosen piece moves, or that something goes to the chosen place, is
  then omitted, and what that discloses is added to the line. What moves as a consequence is kept as
  an optional line (see `StoryLine.implied`).
- That a player had no other choice is said the first time for each question.
- Consecutive moves and points by one clause are grouped: `3 × pawn, board → box`; what may follow
  from a move, such as refilling a row, is still told after it.
- A random event is omitted if the next event shows its outcome.
- A marker set to the value it had is omitted, unless by chance, and the rules exclude some markers.

Rules can supply phrases (see `sentences`). The context of a question is added to its answer (see
`circumstances`), the reasons to points (see `reasons`). Whoever sees only the back of a card is
told of a card. Names come from the rule files, those of players from the table (see
`Layout.named`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from lawspeaker import ir
from lawspeaker.base.braces import Filling, Named, Truth, filled
from lawspeaker.base.braces import names_in as names_in_braces
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, enumerated, signed
from lawspeaker.ir.walk import names_in
from lawspeaker.machines.reference import Machine
from lawspeaker.match.decision import Option, distinguishing, states_name, worded
from lawspeaker.match.events import Event, Faces, Viewer, informed_seats, seen_by, tell_statement
from lawspeaker.position.entries import Entry
from lawspeaker.position.layout import Layout, Value, filling, joined_with_counts
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.holders import holders, outcome_together
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.sentences import Sentences, is_open, leads_to

_UNKNOWN = object()
REMEMBERED = 24
"""How many chosen or moved things are remembered, not to be told again."""
VERBS = ("scores", "loses", "shows")
"""Phrases that continue from the name of a player."""
SPOKEN = 6
"""Names mentioned in so many previous lines are not repeated."""
MOST_NAMED = 6
"""More different pieces that move at once are told by number."""
MOST_ABOUT = 3
"""A context of more things than this is omitted."""


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One thing that happened. `seat` is the actor or the person affected, not named in the text.
    `kind` is the kind of the event; a `marker` line starts a new paragraph. `verb`: name and text
    form a sentence. `clause` is the rule, `at` the last event covered. A `trifle` is not needed to
    follow the game; what is `implied` follows from the line before it, and is shown on request
    only."""

    text: str
    seat: int | None = None
    kind: str = "move"
    verb: bool = False
    clause: int | None = field(default=None, compare=False)
    at: int = field(default=-1, compare=False)
    trifle: bool = field(default=False, compare=False)
    implied: bool = field(default=False, compare=False)

    def said(self, layout: Layout, language: str) -> str:
        """The text with the name of the player, if there is one."""
        if self.seat is None:
            return self.text
        name = layout.name(ir.PLAYER, self.seat, language)
        return f"{name} {self.text}" if self.verb else colon(name, self.text, language)


def brief(lines: Iterable[StoryLine]) -> tuple[StoryLine, ...]:
    """The lines without implied ones."""
    return tuple(line for line in lines if not line.implied)


class Story:
    """Narrates events to a viewer. `labels`, if given, adds what is written on places; `past`, all
    events of a game from its start, provides what a piece shows when it is turned up."""

    def __init__(
        self,
        machine: Machine,
        viewer: Viewer,
        language: str,
        labels: Labels | None = None,
        past: Sequence[Event] = (),
        *,
        layout: Layout | None = None,
        circumstances: Circumstances | None = None,
    ) -> None:
        """`layout`: one with other names of players; `circumstances`: the contexts of questions."""
        self.machine = machine
        self.layout = layout or machine.layout
        self.circumstances = circumstances
        self.program = machine.program
        self.sentences = Sentences(machine.program, language)
        self.viewer = viewer
        self.language = language
        self.labels = labels
        self.faces = Faces(machine.layout, past)
        self.markers = _Markers(machine.layout, past)
        self.past = past
        self.followed = 0
        self.forced: dict[int, int] = {}
        """By clause: the number of the first known event at which it had a single answer."""
        self.chosen: list[tuple[str, Value]] = []
        self.mentioned: list[tuple[int, int]] = []
        """Mentioned pieces, by their looks and their place, which distinguishes identical ones."""
        self.asked: Event | None = None
        """The latest choice."""
        self.lucky = False
        """Whether there was a random event since the last choice."""
        self.spoken: list[str] = []
        """The texts of the last lines."""
        self.said: list[str] = []
        """The parts of the last choice, as text, which need not be named again."""
        self.moved: list[str] = []
        """The name of the single piece in the last line about a move."""
        self.told: list[StoryLine] = []
        """The lines for the current events, so far."""
        self.untold: list[Event] = []
        """Events of markers that are omitted, but may use up the memory of a choice."""
        self.unchosen: set[int] = set()
        """Numbers of events after a random one, which do not follow from the choice."""

    def lines(self, events: Iterable[Event]) -> list[StoryLine]:
        self.unchosen.intersection_update([event.number for event in self.untold])
        seen = (seen_by(self.machine, event, self.viewer) for event in events)
        known = _without_luck(self._news([event for event in seen if event is not None]))
        told = self.told = []
        for (kind, clause), group in groupby(known, lambda event: (event.kind, event.clause)):
            events = list(group)
            if kind in ("choose", "forced"):
                self.said, self.moved = [], []
                if self.asked is None:
                    self._forget_values()
            while self.untold and self.untold[0].number < events[0].number:
                self._implied_marker(self.untold.pop(0))
            last = events[-1].number
            for line in self._told(kind, events):
                trifle = line.trifle or kind == "shuffle"
                told.append(replace(line, clause=clause, at=last, trifle=trifle))
                self.spoken = [*self.spoken, line.text][-SPOKEN:]
            self.asked = events[-1] if kind in ("choose", "forced") else None
        return told

    def _news(self, events: list[Event]) -> list[Event]:
        """The events without markers that keep their value, and without excluded ones."""
        kept: list[Event] = []
        luck = False
        for event in events:
            if event.kind in ("choose", "forced", "chance"):
                self.lucky = event.kind == "chance"
            elif self.lucky:
                self.unchosen.add(event.number)
            if event.kind == "marker":
                same = (
                    self.markers.stays(event)
                    and not luck
                    and not self._is_statement_of_clause(event)
                )
                quiet = not self.program.markers[event.data[0]].told
                if quiet:
                    self.untold.append(event)
                if same or quiet:
                    continue
            if event.kind == "move" and not self._is_told(event.data[2]):
                continue
            kept.append(event)
            luck = event.kind == "chance"
        return kept

    def _is_statement_of_clause(self, event: Event) -> bool:
        """Whether the rules have a phrase for this clause setting this marker."""
        marker = self.program.markers[event.data[0]].name
        return self.sentences.is_statement(marker, self.program.clauses[event.clause].id)

    def _is_told(self, place: int) -> bool:
        """Whether arrivals at a place are told."""
        return self.program.families[self.layout.place_family[place]].told

    def _told(self, kind: str, events: list[Event]) -> list[StoryLine]:
        match kind:
            case "choose":
                found = [self._choice(event) for event in events]
                return [line for line in found if line is not None]
            case "forced":
                told = [(event, self._choice(event)) for event in events if _chose_something(event)]
                return [self._without_choice(event, line) for event, line in told if line]
            case "move":
                return self._moves(events)
            case "score":
                return self._scores(events)
            case "marker":
                return [self._marker(each) for each in events if not self._implied_marker(each)]
            case "state":
                return self._states([each for each in events if not self._implied_state(each)])
            case "chance":
                return self._luck(events)
            case "shuffle":
                shuffled = [event for event in events if event.data]
                return [self._line("shuffled", place=self.place(e.data[0])) for e in shuffled]
            case "cannot":
                names = [self.clause_name(event.clause) for event in events]
                return [self._line("cannot", kind="tell", name=name) for name in names]
            case "tell":
                lines = [self._shown(event) or self._tell(event) for event in events if event.known]
                return [line for line in lines if line.text]
            case "end":
                return [self._end(event) for event in events]
        raise AssertionError(f"unknown event {kind}")

    def _line(
        self, key: str, seat: int | None = None, kind: str = "", **values: object
    ) -> StoryLine:
        text = phrase(f"story.{key}", self.language, **values)
        return StoryLine(text, seat, kind or key, verb=key in VERBS)

    # ------------------------------------------------------------ choices

    def _choice(self, event: Event) -> StoryLine | None:
        clause, at, number, values = event.data
        if number is None:
            return None
        others: Mapping[str, Filling]
        ask = self.machine.codes[clause].questions[at].ask
        asking = self.program.clauses[event.clause].id
        if number < 0:
            passes, others = self._statement(event, "pass", ())
            passes = passes or self._passes(asking)
            what = passes or self.layout.called("pass", asking, self.language)
            told = filled(what, others.get, self.language)
            return StoryLine(told, event.seat, "choose", verb=passes is not None)
        alternative = ask.alternatives[number]
        nothing = self.sentences.of_nothing(asking) if _chose_nothing(event) else None
        if nothing is not None:
            return StoryLine(nothing, event.seat, "choose", verb=True)
        texts: list[Filling] = []
        for part, value in zip(alternative.parts, values, strict=True):
            self._remember(part.binder.type, value if part.several else (value,))
            if part.several:
                none = self.layout.called("none", asking, self.language)
                texts.append(self._things(part.binder.type, value, none))
            else:
                texts.append(self._filling(part.binder.type, value))
        label = statement = alternative.label
        others = {}
        if label is not None:
            parts = [part.set_name or part.binder.name for part in alternative.parts]
            statement, others = self._statement(event, label, parts)
            label = statement or self.layout.called(label, asking, self.language)
        self.said = [str(text) for text in (*texts, *others.values())]
        what = worded(label, alternative, texts, self.language, others)
        return StoryLine(self._about(event, what), event.seat, "choose", verb=statement is not None)

    def _statement(
        self, event: Event, label: str, parts: Iterable[str]
    ) -> tuple[str | None, Mapping[str, Filling]]:
        """The phrase for a choice, and the values of its placeholders; None if one is unknown."""
        sentence = self.sentences.of_choice(label, self.program.clauses[event.clause].id)
        names = names_in_braces(sentence or "").difference(parts)
        if not names:
            return sentence, {}
        known = self._open_to_all(event)
        if self.circumstances is not None and event.kind == "choose":
            asked = self.circumstances.names(event)
            known |= {name: self._filling(*value) for name, value in asked.items()}
        if not names <= known.keys():
            return None, {}
        return sentence, {name: known[name] for name in sorted(names)}

    def _passes(self, clause: str) -> str | None:
        """The same for passing, if the rules have no word of their own for it."""
        own = {f"{clause}.pass", "pass"} & self.program.names.keys()
        return None if own else phrase("story.passes", self.language)

    def _about(self, event: Event, what: str) -> str:
        """A choice with the context of its question, as far as it was not mentioned."""
        if self.circumstances is None or event.kind != "choose":
            return what
        names: list[str] = []
        for of, value in self.circumstances.of(event):
            if isinstance(of, ir.PieceType):
                own = self.layout.piece_owner[value] == event.seat
                known = own or ("piece", value) in self.chosen
            else:
                known = of == ir.PLAYER and value == event.seat
            name = self.thing(of, value)
            if not known and name not in names and not self._was_said(name):
                names.append(name)
        if not names or len(names) > MOST_ABOUT:
            return what
        return phrase("story.about", self.language, what=what, about=", ".join(names))

    def _was_said(self, name: str) -> bool:
        """Whether a name was mentioned in this line or just before."""
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return name in self.said or any(map(whole.search, self.spoken))

    def _chose_a_piece(self, event: Event) -> bool:
        """Whether a piece was chosen; if the choice is hidden, whether one may have been."""
        clause, question, number, _ = event.data
        ask = self.machine.codes[clause].questions[question].ask
        made = [each for at, each in enumerate(ask.alternatives) if number in (None, at)]
        return any(
            isinstance(part.binder.type, ir.PieceType) for each in made for part in each.parts
        )

    def _without_choice(self, event: Event, line: StoryLine) -> StoryLine:
        """A choice without alternatives, which is told once for each question."""
        for each in self.past[self.followed : event.number]:
            if each.kind == "forced" and each.clause not in self.forced:
                seen = seen_by(self.machine, each, self.viewer)
                if seen is not None and _chose_something(seen):
                    self.forced[each.clause] = each.number
        self.followed = max(self.followed, event.number)
        line = replace(line, kind="forced")
        if self.forced.setdefault(event.clause, event.number) != event.number:
            return line
        return replace(line, text=phrase("story.forced", self.language, what=line.text))

    def _remember(self, of: ir.Type, members: Sequence[Value]) -> None:
        """Remembers what was chosen, so that its move need not be told."""
        what = {ir.PieceType: "piece", ir.PlaceType: "place"}.get(type(of), str(of))
        self.chosen += [(what, member) for member in members]
        del self.chosen[:-REMEMBERED]

    def _forget_values(self) -> None:
        """Forgets chosen numbers and words, which do not explain later events."""
        self.chosen = [each for each in self.chosen if each[0] in ("piece", "place")]

    def _implied(self, what: str, value: Value) -> bool:
        if (what, value) not in self.chosen:
            return False
        self.chosen.remove((what, value))
        return True

    def _implied_state(self, event: Event) -> bool:
        piece, number, _, value = event.data
        of = str(self.layout.states[piece][number].type)
        return event.number not in self.unchosen and self._implied(of, value)

    def _implied_marker(self, event: Event) -> bool:
        """Whether a marker shows what was just chosen; whose turn it is, is always told."""
        number, _, value = event.data
        of = self.program.markers[number].type
        if of == ir.PLAYER or value is None or event.number in self.unchosen:
            return False
        return self._implied(str(of), value)

    # ------------------------------------------------------------ moves

    def _moves(self, events: list[Event]) -> list[StoryLine]:
        groups: list[tuple[tuple[int | None, int, int], list[Event]]] = []
        latest: dict[tuple[int | None, int, int], list[Event]] = {}
        for number, event in enumerate(events):
            piece, origin, to, *_ = event.data
            follows, known = self._follows(piece, origin, to)
            if follows and (known or self._add_to_choice(event)):
                continue
            _, owner = self._piece(piece, to)
            seat = owner if owner is not None else self._owner(to, origin)
            key = (seat, self.layout.place_family[origin], to)
            if key in latest and not _waits(events, number, latest[key][-1]):
                latest[key].append(event)
            else:
                latest[key] = [event]
                groups.append((key, latest[key]))
        piece, _, to, *_ = events[0].data
        self.moved = [self._piece(piece, to)[0]] if len(events) == 1 else []
        lines = []
        for (seat, family, to), moved in groups:
            unseen = not self.layout.sees(self.layout.seen[to], self.viewer)
            implied = self._is_statement(seat, moved, to)
            line = self._moved(seat, family, to, moved)
            lines.append(replace(line, trifle=unseen or implied, implied=implied))
        return sorted(lines, key=lambda line: not line.implied)

    def _moved(self, seat: int | None, family: int, to: int, events: Sequence[Event]) -> StoryLine:
        """Pieces that move to one place from places of one family."""
        come = self._come(to, events)
        if self.layout.place_owner[to] in (None, seat):
            place = self.program.families[self.layout.place_family[to]].name
            clause = self.program.clauses[events[0].clause].id
            sentence = self.sentences.of_place(place, clause, come, len(events))
            if sentence is not None:
                line = StoryLine(sentence, seat, "move", verb=seat is not None)
                said = self.sentences.names_come(place, clause) or not self._is_one_of(events)
                return line if said else self._for(line, str(come))
        what = ", ".join(_together(self._names(to, events)))
        origins = {each.data[1] for each in events}
        origin = self._bare(events[0].data[1], seat)
        if len(origins) > 1:
            origin = self.layout.family_name(family, self.language)
        return self._line("move", seat, "move", what=what, origin=origin, to=self._bare(to, seat))

    def _names(self, to: int, events: Sequence[Event], form: str = "") -> list[str]:
        """The pieces that come to a place, with what they show; many different ones by a common
        name."""
        names = [self._piece(each.data[0], to, form)[0] + self._shown_by(each) for each in events]
        if len(set(names)) > MOST_NAMED:
            return [self._piece(None, to, form)[0]] * len(events)
        return names

    def _come(self, to: int, events: Sequence[Event]) -> Named:
        """Arrivals as a placeholder value; dice by what they show alone."""
        faces = [self._face(each) for each in events]
        shown = [face for face in faces if face is not None]
        if len(shown) == len(faces):
            return Named(lambda _: enumerated(shown, self.language))
        bare = self._names(to, events)
        return Named(
            lambda form: enumerated(_together(bare, self._names(to, events, form)), self.language)
        )

    def _is_one_of(self, events: Sequence[Event]) -> bool:
        """Whether the pieces are known and of types with several kinds, so that names matter."""
        pieces = [event.data[0] for event in events]
        kinds = [self.layout.piece_type[piece] for piece in pieces if piece is not None]
        return bool(kinds) and any(len(self.program.pieces[each].kinds) > 1 for each in kinds)

    def _face(self, event: Event) -> str | None:
        """The single value disclosed by turning up a piece without kinds: what a die shows."""
        faces = self.faces.shown_by(event, self.viewer)
        if len(faces) != 1 or faces[0] is None:
            return None
        number = self.layout.piece_type[event.data[0]]
        if len(self.program.pieces[number].kinds) > 1:
            return None
        return self.thing(self.layout.states[number][0].type, faces[0])

    def _add_to_choice(self, event: Event) -> bool:
        """Adds the piece that goes to a chosen place to the line of the choice; False if there is
        no such line. Between the two it may be told what went before, such as a captured man, if
        the piece was seen where it came from."""
        piece, _, to, *_ = event.data
        what = self._piece(piece, to)[0] + self._shown_by(event)
        first = len(self.told) - 1
        if not self._is_revealed(event):
            while first >= 0 and self.told[first].kind == "move":
                first -= 1
        if first < 0 or self.told[first].kind not in ("choose", "forced"):
            return False
        line = self.told[first]
        text = phrase("story.about", self.language, what=line.text, about=what)
        last = event.number if first == len(self.told) - 1 else line.at
        self.told[first] = replace(line, text=text, at=last)
        return True

    def _is_statement(self, seat: int | None, events: Sequence[Event], to: int) -> bool:
        """Whether a move is the one that the phrase for a choice already tells."""
        asked = self.asked
        if asked is None or seat not in (None, asked.seat) or asked.data[2] is None:
            return False
        clause, at, number, _ = asked.data
        if not self.told or not self.told[-1].verb or number < 0:
            return False
        if any(self._is_revealed(event) for event in events):
            return False
        there = (events[0].clause, self.layout.place_family[to])
        return there in leads_to(self.machine, clause, at, number)

    def _is_revealed(self, event: Event) -> bool:
        """Whether the identity of the moved piece was unknown before."""
        piece, origin, *_ = event.data
        if piece is None or self._shown_by(event):
            return True
        alike = len(self.program.pieces[self.layout.piece_type[piece]].kinds) == 1
        return not alike and not self.layout.sees(self.layout.seen[origin], self.viewer)

    def _shown_by(self, event: Event) -> str:
        """The side that a piece shows when a move turns it up."""
        faces = self.faces.shown_by(event, self.viewer)
        if not faces:
            return ""
        number = self.layout.piece_type[event.data[0]]
        return states_name(self.layout, number, faces, self.language)

    def _follows(self, piece: int | None, origin: int, to: int) -> tuple[bool, bool]:
        """Whether a move follows from a choice, and whether the moved piece is known."""
        chosen = piece is not None and self._implied("piece", piece)
        there = self._implied("place", to)
        # An identical piece that came to this hidden place earlier does not tell which of them
        # moves.
        seen = self.layout.sees(self.layout.seen[origin], self.viewer)
        known = piece is None or (seen and (piece, origin) in self.mentioned)
        if there and ("place", origin) in self.chosen:
            known = piece is None  # two places were chosen: what went between them is named
        if piece is not None:
            known = known or len(self.program.pieces[self.layout.piece_type[piece]].kinds) == 1
            if (piece, origin) in self.mentioned:
                self.mentioned.remove((piece, origin))
            self.mentioned.append((piece, to))
            del self.mentioned[:-REMEMBERED]
        return chosen or there, chosen or known

    def _piece(self, piece: int | None, to: int, form: str = "") -> tuple[str, int | None]:
        """The name of a piece without its owner, and its owner."""
        layout = self.layout
        if piece is None:
            held = self.program.families[layout.place_family[to]].holds
            return layout.called(self.program.pieces[held].name, "", self.language, form), None
        declared = self.program.pieces[layout.piece_type[piece]]
        kind = declared.kinds[layout.piece_kind[piece]].name
        word = kind if len(declared.kinds) > 1 else declared.name
        called = layout.called(word, declared.name, self.language, form)
        return called, layout.piece_owner[piece]

    def _owner(self, to: int, origin: int) -> int | None:
        owner = self.layout.place_owner[to]
        return self.layout.place_owner[origin] if owner is None else owner

    def _bare(self, place: int, seat: int | None) -> str:
        """A place, without the name of its owner if that was said."""
        owner = self.layout.place_owner[place]
        if owner is None or owner != seat:
            return self.place(place)
        of, name = ir.PlaceType("", self.layout.place_family[place]), self.layout.bare_name
        return labelled(self.labels, name(place, self.language), of, place, self.language)

    # ------------------------------------------------------------ points

    def _scores(self, events: list[Event]) -> list[StoryLine]:
        """Consecutive points by a clause: for each reason the players, or, if no reason is shared,
        for each player the reasons. Reasons that were just mentioned are omitted."""
        totals: dict[str, dict[int, int]] = {}
        why = [[name for name in self._reasons(each) if name not in self.said] for each in events]
        if all(name in self.moved for names in why for name in names):
            why = [[] for _ in events]
        for event, names in zip(events, why, strict=True):
            seat, points, *_ = event.data
            reason = ", ".join(names)
            own = totals.setdefault(reason, {})
            own[seat] = own.get(seat, 0) + points
        clause = events[0].clause
        if all(len(own) == 1 for own in totals.values()):
            seats = dict.fromkeys(seat for own in totals.values() for seat in own)
            return [line for seat in seats for line in self._scored_by(seat, clause, totals)]
        found = (self._scored(clause, reason, own) for reason, own in totals.items())
        return [line for lines in found for line in lines]

    def _scored_by(
        self, seat: int, clause: int, totals: Mapping[str, Mapping[int, int]]
    ) -> list[StoryLine]:
        """The points of one player, for one reason or several."""
        own = {reason: each[seat] for reason, each in totals.items() if each.get(seat)}
        total = sum(own.values())
        if not total:
            return []
        differ = len(set(own.values())) > 1
        told = [f"{why} {signed(points)}" if differ else why for why, points in own.items() if why]
        about = ", ".join(told)
        sentence = self.sentences.of_points(self.program.clauses[clause].id, total)
        if sentence is not None:
            if about:
                sentence = phrase("story.about", self.language, what=sentence, about=about)
            return [self._of_side(StoryLine(sentence, seat, "score", verb=True), seat)]
        rule = self._named(clause)
        reason = colon(rule, about, self.language) if rule and about else rule or about
        key = "scores" if total > 0 else "loses"
        if self._several(seat):
            who = self.layout.holder_name(seat, self.language)
            line = self._line(f"together_{key}", kind="score", who=who, points=abs(total))
        else:
            line = self._of_side(self._line(key, seat, "score", points=abs(total)), seat)
        return [self._for(line, reason)]

    def _several(self, seat: int) -> bool:
        """Whether a score belongs to several players without a common name."""
        layout = self.layout
        alone = len(layout.players_of[layout.side_of[seat]]) == 1
        return not alone and layout.named_side(seat) is None

    def _of_side(self, line: StoryLine, seat: int) -> StoryLine:
        """A line about points, with the name of the side in place of the player's."""
        if self.layout.named_side(seat) is None and not self._several(seat):
            return line
        name = self.layout.holder_name(seat, self.language)
        told = colon(name, line.text, self.language)
        text = told if self._several(seat) else f"{name} {line.text}"
        return replace(line, text=text, seat=None, verb=False)

    def _for(self, line: StoryLine, reason: str) -> StoryLine:
        """A line with the reason for points, if that has a name."""
        if not reason:
            return line
        return replace(
            line, text=phrase("story.about", self.language, what=line.text, about=reason)
        )

    def _scored(self, clause: int, reason: str, own: Mapping[int, int]) -> list[StoryLine]:
        """The points of several for one reason; equal ones grouped, unless there is a phrase."""
        same: dict[int, list[int]] = {}
        for seat, points in own.items():
            if points:
                same.setdefault(points, []).append(seat)
        why = ", ".join(filter(None, (self._named(clause), reason)))
        lines: list[StoryLine] = []
        for points, seats in same.items():
            told = self.sentences.of_points(self.program.clauses[clause].id, points)
            if len(seats) == 1 or told is not None or any(map(self._several, seats)):
                for seat in seats:
                    lines += self._scored_by(seat, clause, {reason: own})
                continue
            names = [self.layout.holder_name(seat, self.language) for seat in seats]
            who = enumerated(names, self.language)
            key = "each_scores" if points > 0 else "each_loses"
            line = self._line(key, kind="score", who=who, points=abs(points))
            lines.append(self._for(line, why))
        return lines

    def _reasons(self, event: Event) -> list[str]:
        """The public reasons for points: things and words. A piece without kinds is named by its
        place."""
        names: dict[str, None] = {}
        for of, value, place in reasons(self.machine, event):
            if of == ir.PLAYER or isinstance(of, ir.NumberType):
                continue
            alike = isinstance(of, ir.PieceType) and len(self.program.pieces[of.index].kinds) == 1
            names[self.place(place) if alike and place is not None else self.thing(of, value)] = (
                None
            )
        return list(names)

    def clause_name(self, clause: int) -> str:
        """A short name of a clause: from `names`, or its title, or its id."""
        last = self.program.clauses[clause].id.rsplit(".", 1)[-1]
        return self._named(clause) or self.layout.called(last, "", self.language)

    def _named(self, clause: int) -> str:
        """The name of a clause in this language, or ""."""
        done = self.program.clauses[clause]
        last = done.id.rsplit(".", 1)[-1]
        for texts in (self.program.names.get(done.id), self.program.names.get(last), done.title):
            if texts and self.language in texts:
                return texts[self.language]
        return ""

    # ------------------------------------------------------------ the rest

    def _marker(self, event: Event) -> StoryLine:
        number, which, value = event.data
        entry = self.layout.markers[self.layout.marker_at[number] + (which or 0)]
        name = self.layout.entry_name(entry, self.language)
        shown = self.thing(entry.type, value)
        marker, clause = entry.declared.name, self.program.clauses[event.clause].id
        own, others = self._filling(entry.type, value), partial(self._open_to_all, event)
        which_one = self._which(entry)
        told = self.sentences.of_told(marker, clause, own, lambda: others() | which_one)
        if told is not None:
            return StoryLine(told, entry.owner, "state", verb=entry.owner is not None)
        line = self._line("marker", entry.owner, name=name, value=shown)
        return replace(line, trifle=entry.type not in (ir.PLAYER, ir.MaybeType(ir.PLAYER)))

    def _which(self, entry: Entry) -> dict[str, Filling]:
        """The indices of an entry, except for its owner."""
        indices = zip(entry.declared.indices, entry.indices, strict=True)
        return {i.name: self._filling(i.type, at) for i, at in indices if not i.owns}

    def _states(self, events: list[Event]) -> list[StoryLine]:
        """Changed attributes of pieces; grouped by owner, and booleans by value. What only some may
        see matters to them: a roll under a cup."""
        shown: dict[tuple[int, int, int | None, str, bool, bool | None], list[str]] = {}
        for event in events:
            number, which, piece, value = event.data
            if piece is None:
                name, owner = self.program.pieces[number].name, None
                what = self.layout.called(name, "", self.language)
            else:
                what, owner = self._piece(piece, 0)
            entry = self.layout.states[number][which]
            matters = entry.seen_by != "everyone" or event.number in self.unchosen
            so = bool(value) if isinstance(entry.type, ir.TruthType) else None
            key = (number, which, owner, what, matters, so)
            shown.setdefault(key, []).append(self.thing(entry.type, value))
        return [self._state(*key, values) for key, values in shown.items()]

    def _state(
        self,
        number: int,
        which: int,
        owner: int | None,
        what: str,
        matters: bool,
        so: bool | None,
        values: Sequence[str],
    ) -> StoryLine:
        entry, piece = self.layout.states[number][which], self.program.pieces[number].name
        told = enumerated(values, self.language)
        shown: Filling = told if so is None else Truth(so, values[0])
        sentence = self.sentences.of_shown(entry.declared.name, piece, shown, self._which(entry))
        if sentence is not None:
            return StoryLine(sentence, owner, "state", verb=owner is not None, trifle=not matters)
        name = self.layout.entry_name(entry, self.language)
        what = _times(len(values), what)
        if len(set(values)) == 1:
            told = values[0]
        line = self._line("marker", owner, "state", name=f"{what}, {name}", value=told)
        return replace(line, trifle=not matters)

    def _luck(self, events: list[Event]) -> list[StoryLine]:
        lines = []
        for event in events:
            clause, at, _, value = event.data
            of = self.machine.codes[clause].luck[at].type
            if not isinstance(of, ir.PieceType):
                lines.append(self._line("luck", kind="chance", value=self.thing(of, value)))
        return lines

    def _shown(self, event: Event) -> StoryLine | None:
        """A piece shown to everyone by the player who chose it; None if the choice said so."""
        of, asked = tell_statement(self.machine, event).what.type, self.asked
        if asked is None or event.known != self.layout.everyone or not isinstance(of, ir.PieceType):
            return None
        if not self._chose_a_piece(asked):
            return None
        self.asked = None
        line = self._line("shows", asked.seat, "tell", what=self.thing(of, event.data[1]))
        said = self._implied("piece", event.data[1])
        opened = self.program.clauses[asked.clause].role == "window"
        return replace(line, text="") if said and opened else line

    def _tell(self, event: Event) -> StoryLine:
        """The announcement, for those who heard it; for others, only to whom something was told."""
        seats = informed_seats(self.layout, event)
        names = [self.layout.name(ir.PLAYER, seat, self.language) for seat in seats]
        who = enumerated(names, self.language)
        statement = tell_statement(self.machine, event)
        done = "shown" if statement.shows else "told"
        key = f"{done}_one" if len(seats) == 1 else f"{done}_several"
        if not self.layout.sees(event.known, self.viewer):
            return self._line(f"{key}_something", kind="tell", who=who)
        if event.known == self.layout.everyone:
            key = f"{done}_everyone"
        of, value = statement.what.type, self.thing(statement.what.type, event.data[1])
        name = self.layout.called(statement.name, "", self.language)
        sentence = self._told_sentence(event, statement)
        if sentence is not None and event.known == self.layout.everyone:
            return sentence
        if sentence is not None:
            return self._line(
                key, kind="tell", who=who, what=sentence.said(self.layout, self.language)
            )
        if not statement.name:
            form, name = "told_value", self.clause_name(event.clause)
        else:
            form = "told_value" if isinstance(of, ir.SetType | ir.TruthType) else "told_name"
        what = phrase(f"story.{form}", self.language, name=name, value=value)
        return self._line(key, kind="tell", who=who, what=what)

    def _told_sentence(self, event: Event, statement: ir.Tell) -> StoryLine | None:
        """The announcement by the rules' phrase: for a player, continuing from his name."""
        if not statement.name:
            return None
        of = statement.what.type
        own, others = self._filling(of, event.data[1]), partial(self._open_to_all, event)
        clause = self.program.clauses[event.clause].id
        text = self.sentences.of_told(statement.name, clause, own, others)
        if text is None:
            return None
        seat = event.data[1] if statement.what.type == ir.PLAYER else None
        return StoryLine(text, seat, "tell", verb=seat is not None)

    def _open_to_all(self, event: Event) -> dict[str, Filling]:
        """The values of public markers and of choices, for placeholders."""
        texts: dict[str, Filling] = {}
        for number, marker in enumerate(self.program.markers):
            shown = self.markers.shown(number, event.number) if is_open(marker) else None
            if shown is not None:
                texts[marker.name] = self._filling(marker.type, shown[0])
        for number, choice in enumerate(self.program.choices):
            if isinstance(choice.type, ir.NumberType | ir.TruthType):
                texts.setdefault(choice.id, self._filling(choice.type, self.layout.choice(number)))
        return texts

    def _end(self, event: Event) -> StoryLine:
        end = self._line("end", kind="end")
        if len(self.layout.sides) == 1 and self.layout.players > 1:
            told = outcome_together(self.program, bool(event.data), self.language)
            return replace(end, text=f"{end.text} {told}") if told else end
        names = holders(self.layout, event.data, self.language)
        if not names:
            return end
        key = "won" if len(names) == 1 else "won_together"
        return self._line(key, kind="end", names=enumerated(names, self.language))

    # ------------------------------------------------------------ names

    def place(self, place: int) -> str:
        """A place by its name, with its label."""
        return self.thing(ir.PlaceType("", self.layout.place_family[place]), place)

    def _filling(self, of: ir.Type, value: Value) -> Filling:
        return filling(of, value, partial(self.thing, of, value))

    def _things(self, of: ir.Type, members: Sequence[Value], none: str) -> Filling:
        """Several things; a single one in any form."""

        def told(form: str) -> str:
            names = [self.thing(of, member) for member in members]
            alone = [self.thing(of, member, form) for member in members]
            return enumerated(_together(names, alone) or [none], self.language)

        return Named(told, not members)

    def thing(self, of: ir.Type, value: Value, form: str = "") -> str:
        name = self.layout.name(of, value, self.language, form)
        return labelled(self.labels, name, of, value, self.language)


class _Markers:
    """The values of markers, followed event by event; complete if `past` is. Whose turn it is at
    first is always news."""

    def __init__(self, layout: Layout, past: Sequence[Event]) -> None:
        self.layout = layout
        self.past = past
        self.at = 0
        self.now: dict[tuple[Value, Value], Value] = {}

    def stays(self, event: Event) -> bool:
        """Whether an event sets a marker to the value it was known to have."""
        if self.past:
            self._follow(event.number)
            event = self.past[event.number]
        number, which, value = event.data
        first: object = _UNKNOWN
        if self.past and self.layout.program.markers[number].type != ir.PLAYER:
            first = self._first(number, which)
        before = self.now.get((number, which), first)
        self.now[number, which] = value
        return bool(before == value)

    def shown(self, number: int, at: int) -> tuple[Value] | None:
        """The value of a single marker at an event, if it is known."""
        if not self.past:
            return None
        self._follow(at)
        return (self.now.get((number, None), self._first(number, None)),)

    def _first(self, number: int, which: int | None) -> Value:
        return self.layout.first_markers[self.layout.marker_at[number] + (which or 0)]

    def _follow(self, number: int) -> None:
        """Advances (or rewinds) to just before an event."""
        if number < self.at:
            self.at = 0
            self.now.clear()
        for each in self.past[self.at : number]:
            if each.kind == "marker":
                self.now[each.data[0], each.data[1]] = each.data[2]
        self.at = number


def reasons(machine: Machine, event: Event) -> list[tuple[ir.Type, Value, int | None]]:
    """The operands that points were computed from, as far as the event discloses them: types,
    values, and places of pieces."""
    _, _, _, *source = event.data
    if not source:
        return []
    at, values = source
    names = names_in(machine.codes[event.clause].operations[at].statement)
    found: list[tuple[ir.Type, Value, int | None]] = []
    for each, value in zip(names, values, strict=True):
        if isinstance(each.type, ir.PieceType):
            found.append((each.type, *value))
        elif value is not None:
            found.append((each.type, value, value if isinstance(each.type, ir.PlaceType) else None))
    return found


def _chose_nothing(event: Event) -> bool:
    """Whether all chosen sets are empty."""
    *_, values = event.data
    return bool(values) and all(value == () for value in values)


def _chose_something(event: Event) -> bool:
    """Whether the choice is known and not empty."""
    return event.data[2] is not None and not _chose_nothing(event)


def _waits(events: Sequence[Event], number: int, last: Event) -> bool:
    """Whether a move depends on one after `last`, and so cannot be grouped with earlier ones: a
    piece came to where it starts from, or left where it goes."""
    _, origin, to, *_ = events[number].data
    while events[number := number - 1] is not last:
        _, left, entered, *_ = events[number].data
        if entered == origin or left == to:
            return True
    return False


def _times(count: int, text: str) -> str:
    return text if count == 1 else f"{count} × {text}"


def _together(names: Sequence[str], alone: Sequence[str] = ()) -> list[str]:
    """Names with their multiplicity, each once; single ones as in `alone`."""
    single = dict(zip(names, alone or names, strict=True))
    return [
        single[name] if count == 1 else _times(count, name)
        for name, count in Counter(names).items()
    ]


def labelled(labels: Labels | None, name: str, of: ir.Type, value: Value, language: str) -> str:
    """The name of a value; of a place, with its label on the table."""
    label = None
    if labels is not None and isinstance(of, ir.PlaceType) and value is not None:
        label = labels.name(value, language, with_tints=False)
    return name if label is None or label == name else f"{name} ({label})"


def option_name(option: Option, labels: Labels | None, language: str) -> str:
    """The name of an option, with the labels of the places it mentions."""
    alternative, setting = option.alternative, option.setting
    if alternative is None or not any(_on_places(part) for part in alternative.parts):
        return option.name(language)
    clause = setting.layout.program.clauses[setting.clause].id
    none = setting.layout.called("none", clause, language)

    def places(part: ir.Part, value: Value, form: str) -> str:
        of, how = part.binder.type, distinguishing(setting.layout, part)

        def names(form: str) -> list[str]:
            members = value if part.several else (value,)
            told = [setting.thing(of, member, how, language, form) for member in members]
            pairs = zip(told, members, strict=True)
            return [labelled(labels, name, of, member, language) for name, member in pairs]

        return joined_with_counts(names(""), none, names(form))

    texts = [
        Named(partial(places, part, value))
        if _on_places(part)
        else setting.part(part, value, language)
        for part, value in zip(alternative.parts, option.values, strict=True)
    ]
    label = alternative.label
    return worded(
        None if label is None else setting.layout.called(label, clause, language),
        alternative,
        texts,
        language,
    )


def _on_places(part: ir.Part) -> bool:
    return isinstance(part.binder.type, ir.PlaceType)


def _without_luck(events: list[Event]) -> list[Event]:
    """The events without random ones whose outcome the next event shows."""
    kept: list[Event] = []
    shown = False
    for event in reversed(events):
        if event.kind != "chance":
            shown = event.kind in ("marker", "state", "move")
        if event.kind != "chance" or not shown:
            kept.append(event)
    return kept[::-1]
