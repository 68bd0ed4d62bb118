"""Checks a scenario's assertions against a match.

Only what is mentioned is checked. In ordered places (a pile, a row), pieces are compared in
order; otherwise, and in shuffled places, each phrase is matched to fitting pieces, the most
specific phrase first. Assertions about a player use that player's view: an unidentified piece is
only a back of its type, which matches only a phrase without a kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lawspeaker.base.diagnostics import Diagnostic, Label
from lawspeaker.base.source import Span
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.events import Event, tell_statement
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.position.layout import joined_with_counts
from lawspeaker.study.notation.positions import position_text
from lawspeaker.study.notation.squares import NoNotation
from lawspeaker.study.scenario.references import EMPTY, TRUTHS, Pieces, Texts
from lawspeaker.study.scenario.setting import ALL_OTHER, KNOWN, NOTATION, SCORES, SHUFFLE, SPECTATOR
from lawspeaker.text.document import Mapping, Node, Scalar, entries_of, scalars_of

FAILED = "scenario-failed"
UNKNOWN = "unknown"

Fail = Callable[[Diagnostic], None]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A piece as a viewer sees it; `piece` is None if only the back is visible."""

    piece: int | None
    states: tuple[object, ...]
    text: str


class Expecting:
    """Checks assertions against the current state of a match."""

    def __init__(self, texts: Texts, match: Match, fail: Fail) -> None:
        self.texts = texts
        self.layout = texts.layout
        self.match = match
        self._fail = fail

    def fail(self, expected: str, found: str, span: Span, *labels: Label) -> None:
        self._fail(Diagnostic(FAILED, f"expected {expected}, found {found}", span, labels))

    def check(self, node: Mapping, since: int, outcomes: Sequence[tuple[int, object]]) -> None:
        """Checks all assertions among the keys of a step or a scenario.

        `since` is the number of the first event of the step, `outcomes` are the return values of
        clauses in it.
        """
        if (then := node.get("then")) is not None:
            self.table(then, None)
        if (points := node.get("points")) is not None:
            self.points(points)
        if (values := node.get("values")) is not None:
            self.values(values)
        if (seen := node.get("seen")) is not None:
            self.seen(seen)
        if (told := node.get("told")) is not None:
            self.told(told, since)
        if (comes_to := node.get("outcomes")) is not None:
            self.outcomes(comes_to, outcomes)
        for key in ("happened", "did not happen"):
            self.happened(scalars_of(node.get(key)), since, key == "happened")
        if (winners := node.get("winners")) is not None:
            self.winners(winners)

    # ------------------------------------------------------------ places, markers, scores

    def table(self, node: Node, view: View | None) -> None:
        """Checks places and markers, in the true state or in a view."""
        meant = self._meant(node)
        for key, wanted in entries_of(node):
            if key.value == SCORES:
                self._scores(wanted)
            elif key.value == SHUFFLE:
                self._shuffled(scalars_of(wanted))
            elif key.value == KNOWN:
                hint = "say what somebody is shown under `seen:`"
                self.texts.complain(f"'{key.value}' belongs to a situation", key.span, hint)
            elif key.value == NOTATION:
                self._position(wanted)
            elif key.value.startswith(ALL_OTHER):
                hint = "this belongs to a situation; here say what lies in each place"
                self.texts.complain(f"'{key.value}' cannot be expected", key.span, hint)
            elif (marker := self.texts.marker(key.value)) is not None:
                self._marker(marker, key, wanted, view)
            elif places := self.texts.places(key.value):
                for place in places:
                    if meant[place] is key:
                        self._place(place, wanted, view)
            else:
                self.texts.unknown_key(key, (SCORES,))

    def _meant(self, node: Node) -> dict[int, Scalar]:
        """By place, the most specific key that matches it."""
        keys = [key for key, _ in entries_of(node)]
        keys.sort(key=lambda key: len(key.value.split()))
        return {place: key for key in keys for place in self.texts.places(key.value)}

    def _scores(self, node: Node) -> None:
        for key, points in entries_of(node):
            seat = self.texts.holder(key)
            if seat is None or not isinstance(points, Scalar):
                continue
            found = self.match.scores[seat]
            if found != int(points.value):
                self.fail(f"a score of {points.value} for {key.value}", str(found), points.span)

    def _shuffled(self, nodes: Iterable[Scalar]) -> None:
        state = self.match.state
        for node in nodes:
            places = self.texts.places(node.value)
            if not places:
                self.texts.unknown_key(node)
            for place in places:
                held = len(state.contents.get(place, ()))
                if held and not self.layout.heap[place] and state.loose.get(place) != (0, held):
                    self.fail(f"{node.value} to be shuffled", "that its order is known", node.span)

    def _marker(self, at: int, key: Scalar, node: Node, view: View | None) -> None:
        of = self.layout.markers[at].type
        shown = self.match.state.markers[at]
        if view is not None:
            known = view.markers[at]
            if known is None:
                if not _says(node, UNKNOWN):
                    self.fail(f"{key.value} to be seen", "that it is hidden", node.span)
                return
            (shown,) = known
        if not isinstance(node, Scalar):
            self.texts.complain("a marker shows one thing", node.span)
            return
        wanted = self.texts.value(of, node.value, node.span)
        if wanted is not None and wanted[0] != shown:
            found = self.layout.text(of, shown)
            self.fail(f"{key.value} to show {node.value}", found, node.span)

    def _place(self, place: int, node: Node, view: View | None) -> None:
        found = self._visible(place, view)
        name = self.texts.place_text(place)
        if found is None or _says(node, UNKNOWN):
            if found is not None or not _says(node, UNKNOWN):
                what = "it can be seen" if found is not None else "it cannot be seen"
                self.fail(f"{_told(node)} in {name}", f"that {what}", node.span)
            return
        wanted = self.texts.contents(node, place)
        if wanted is None:
            return
        loose = place in self.match.state.loose
        ordered = not self.layout.heap[place] and not loose
        if not (self._in_order if ordered else self._in_any_order)(wanted, found):
            shown = [self._told(each, any(w.states for w in wanted)) for each in found]
            self.fail(f"{_told(node)} in {name}", self._listed(shown, place, ordered), node.span)

    def _visible(self, place: int, view: View | None) -> list[_Seen] | None:
        """The visible contents of a place; None if even their number is hidden."""
        layout, state = self.layout, self.match.state
        number = layout.program.families[layout.place_family[place]].holds
        if view is None:
            held: Sequence[int] = state.contents.get(place, ())
        elif layout.sees(layout.count_seen[place], view.seat):
            held = view.contents.get(place, ())
        else:
            return None
        found = []
        for piece in held:
            if piece < 0:
                name = layout.program.pieces[number].name
                found.append(_Seen(None, (), name))
            else:
                states = tuple(state.states[at + piece] for at in layout.state_at[number])
                if view is not None:
                    states = view.states.get(piece, states)
                found.append(_Seen(piece, states, layout.text(PieceType("", number), piece)))
        return found

    def _told(self, seen: _Seen, with_states: bool) -> str:
        if not with_states or seen.piece is None:
            return seen.text
        declared = self.layout.states[self.layout.piece_type[seen.piece]]
        states = [
            f"{each.text} {self.layout.text(each.type, value)}"
            for each, value in zip(declared, seen.states, strict=True)
        ]
        return f"{seen.text} with {' and '.join(states)}"

    def _listed(self, shown: list[str], place: int, ordered: bool) -> str:
        """Describes the contents of a place; backs are only counted."""
        piece = self.layout.program.pieces[
            self.layout.program.families[self.layout.place_family[place]].holds
        ]
        if not shown:
            return EMPTY
        if len(shown) > 1 and set(shown) == {piece.name}:
            return f"{len(shown)} {piece.plural}"
        return ", ".join(shown) if ordered else joined_with_counts(shown)

    # ------------------------------------------------------------ comparing pieces

    def _fits(self, wanted: Pieces, seen: _Seen) -> bool:
        if seen.piece is None:
            return wanted.kind is None or len(self._kinds(wanted)) == 1
        return wanted.fits(self.layout, seen.piece) and all(
            seen.states[number] == value for number, value in wanted.states
        )

    def _kinds(self, wanted: Pieces) -> Sequence[object]:
        return self.layout.program.pieces[wanted.type].kinds

    def _in_order(self, wanted: Iterable[Pieces], found: Sequence[_Seen]) -> bool:
        single = [each for each in wanted for _ in range(each.count)]
        return len(single) == len(found) and all(map(self._fits, single, found))

    def _in_any_order(self, wanted: Iterable[Pieces], found: Sequence[_Seen]) -> bool:
        left = list(found)
        particular = sorted(wanted, key=lambda w: (not w.states, w.kind is None, w.owner is None))
        for each in particular:
            for _ in range(each.count):
                fitting = next((seen for seen in left if self._fits(each, seen)), None)
                if fitting is None:
                    return False
                left.remove(fitting)
        return not left

    # ------------------------------------------------------------ what is seen

    def seen(self, node: Node) -> None:
        for key, table in entries_of(node):
            seat = None if key.value == SPECTATOR else self.texts.seat(key)
            if seat is None and key.value != SPECTATOR:
                continue
            view = self.match.view(seat)
            self.table(table, view)
            self._only_backs(table, view)

    def _only_backs(self, node: Node, view: View) -> None:
        """Fails if `2 cards`, which asserts backs, matches identified pieces."""
        meant = self._meant(node)
        for key, wanted in entries_of(node):
            for place in self.texts.places(key.value):
                if meant[place] is not key:
                    continue
                found = self._visible(place, view) or []
                pieces = [] if _says(wanted, UNKNOWN) else self.texts.contents(wanted, place) or []
                known = [seen.text for seen in found if seen.piece is not None]
                backs = sum(each.count for each in pieces if each.kind is None)
                if known and backs > len(found) - len(known):
                    self.fail(
                        _told(wanted),
                        f"that it can be seen: {joined_with_counts(known)}",
                        wanted.span,
                    )

    def told(self, node: Node, since: int) -> None:
        """Checks everything that players were told and shown; set members in any order."""
        for key, wanted in entries_of(node):
            seat = None if key.value == SPECTATOR else self.texts.seat(key)
            if seat is None and key.value != SPECTATOR:
                continue
            found: list[str] = []
            for event in self.match.events[since:]:
                if event.kind == "tell" and self.layout.sees(event.known, seat):
                    of = tell_statement(self.match.machine, event).what.type
                    found += self.texts.value_texts(of, event.data[1])
            expected = [TRUTHS.get(each.value, each.value) for each in scalars_of(wanted)]
            if sorted(expected) != sorted(found):
                what = f"{key.value} to be told {_told(wanted)}"
                self.fail(what, ", ".join(found) or "nothing", wanted.span)

    def outcomes(self, node: Node, heard: Sequence[tuple[int, object]]) -> None:
        """Checks the return values of clauses, in order of execution."""
        for key, wanted in entries_of(node):
            clause = self.texts.clause(key)
            if clause is None:
                continue
            if clause.outcome is None:
                hint = "an outcome is said by a line `the outcome is …`"
                self.texts.complain(f"{clause.id} comes to no outcome", key.span, hint)
                continue
            of = clause.slots[clause.outcome].type
            found = [
                ", ".join(self.texts.value_texts(of, value)) or "nothing"
                for number, value in heard
                if number == clause.index
            ]
            expected = [TRUTHS.get(each.value, each.value) for each in scalars_of(wanted)]
            if expected != found:
                self.fail(
                    f"{key.value} to come to {_told(wanted)}",
                    " and then ".join(found) or "that it has not come to anything",
                    wanted.span,
                    Label(clause.span, "the clause"),
                )

    def _position(self, wanted: Node) -> None:
        """Compares the whole position with one in the game's notation; parts may be left out at
        its end."""
        expected = wanted.value.split() if isinstance(wanted, Scalar) else []
        try:
            found = position_text(self.texts.layout, self.match.state).split()
        except NoNotation as error:
            self.texts.complain(str(error), wanted.span)
            return
        if expected != found[: len(expected)]:
            self.fail(f"the position {' '.join(expected)}", " ".join(found), wanted.span)

    # ------------------------------------------------------------ points, values, events, the end

    def points(self, node: Node) -> None:
        for key, wanted in entries_of(node):
            seat = self.texts.holder(key)
            if seat is None or not isinstance(wanted, Mapping):
                continue
            given: dict[str, int] = {}
            for row in self.match.why_points(seat):
                if row.clause is not None:
                    given[row.clause.id] = given.get(row.clause.id, 0) + row.total
            for clause_key, points in wanted.entries:
                clause = self.texts.clause(clause_key)
                if clause is None or not isinstance(points, Scalar):
                    continue
                found = given.pop(clause.id, 0)
                if found != int(points.value):
                    noun = "point" if points.value == "1" else "points"
                    expected = f"{points.value} {noun} for {key.value} by {clause.id}"
                    self.fail(expected, str(found), points.span, Label(clause.span, "the clause"))
            for clause_id, found in given.items():
                if found:
                    self.fail(
                        f"no other points for {key.value}", f"{found} by {clause_id}", key.span
                    )

    def values(self, node: Node) -> None:
        for key, wanted in entries_of(node):
            call = self.texts.call(key.value, key.span)
            if call is None:
                continue
            clause, texts = call
            number = next(
                (n for n, f in enumerate(self.texts.program.functions) if f.clause == clause.index),
                None,
            )
            if number is None:
                self.texts.complain(f"{clause.id} is no defined value", key.span)
                continue
            function = self.texts.program.functions[number]
            arguments = self.texts.arguments(
                clause,
                texts,
                self.match.state.where,
                key.span,
                function.slots[: function.parameters],
            )
            if arguments is None:
                continue
            try:
                value = self.match.machine.worth(self.match.state, number, arguments)
            except RuleFault as fault:
                label = Label(fault.span, "here")
                self.fail(f"{key.value} to have a value", fault.message, key.span, label)
                continue
            found = self.texts.value_texts(function.result.type, value)
            expected = [TRUTHS.get(each.value, each.value) for each in scalars_of(wanted)]
            if sorted(expected) != sorted(found):  # sets are unordered
                self.fail(
                    f"{key.value} to be {_told(wanted)}",
                    ", ".join(found) or "none",
                    wanted.span,
                    Label(clause.span, "the clause"),
                )

    def happened(self, nodes: Iterable[Scalar], since: int, wanted: bool) -> None:
        events = [event for event in self.match.events[since:] if not self._is_stop(event)]
        acted = {self._id(event.clause) for event in events}
        for node in nodes:
            clause = self.texts.clause(node)
            if clause is None or (clause.id in acted) == wanted:
                continue
            if wanted:
                others = ", ".join(dict.fromkeys(self._id(event.clause) for event in events))
                self.fail(f"{clause.id} to do something", others or "nothing", node.span)
            else:
                what = next(e for e in events if self._id(e.clause) == clause.id)
                told = self.match.tell(what)
                self.fail(f"{clause.id} to do nothing", told, node.span)

    def _is_stop(self, event: Event) -> bool:
        """Whether this is only the end of the scenario's clause, or a forced answer, whose
        effects are events of their own.
        """
        stopped = event.kind == "end" and self.match.state.ended != "over"
        return stopped or event.kind == "forced"

    def _id(self, clause: int) -> str:
        return self.texts.program.clauses[clause].id

    def winners(self, node: Node) -> None:
        seats: list[int | None] = []
        for each in scalars_of(node):
            seats += self.texts.side(each) or (self.texts.seat(each),)
        if None in seats:
            return
        names = self.texts.program.player_names
        expected = " and ".join(each.value for each in scalars_of(node)) or "nobody"
        if self.match.state.ended != "over":
            self.fail(f"{expected} to have won", "that the game is not over", node.span)
        elif sorted(self.match.winners) != sorted(seat for seat in seats if seat is not None):
            found = " and ".join(names[seat] for seat in self.match.winners) or "nobody"
            self.fail(f"{expected} to have won", found, node.span)


def _says(node: Node, word: str) -> bool:
    return isinstance(node, Scalar) and node.value == word


def _told(node: Node) -> str:
    """The expected value, as written."""
    texts = [each.value for each in scalars_of(node)]
    return ", ".join(texts) or "nothing"
