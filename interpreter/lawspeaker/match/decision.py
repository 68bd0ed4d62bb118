"""Decisions and their options: what a player or the RNG is asked, and the possible answers.

An `Option` is one answer. It has a canonical text: the label first, if the alternative has one,
then its parts separated by commas; a set is its members joined by ` + `, or `none`; declining is
`pass`. Options are equal if their texts are.

Texts are rendered lazily, but describe the situation in which the question was asked, which may
be long gone: a `Setting` keeps what they need of it.

A piece is identified by its text alone where all candidates lie in one place. Otherwise its place
is added (`pawn red in cell 2 7`), and in a row its position if others look like it. Where only
states distinguish pieces, changed states are added (`coin (face heads)`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.braces import Filling, Named, filled, in_braces, names_in
from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.position.layout import Layout, Value, filling, joined_with_counts, plain
from lawspeaker.position.state import PASS, Frame, Reply, State

if TYPE_CHECKING:
    from lawspeaker.machines.reference.machine import Machine


Table = tuple[
    Mapping[int, tuple[int, ...]], Mapping[int, tuple[Value, ...]], Sequence[tuple[Value] | None]
]
"""A seat's view of the table: contents of places, states of pieces, and markers."""


class Setting:
    """Context of a question: who is asked what, in which situation."""

    __slots__ = (
        "ask",
        "clause",
        "contents",
        "frame_clause",
        "kind",
        "known",
        "layout",
        "markers",
        "moment",
        "seat",
        "slots",
        "states",
        "type",
        "where",
    )

    def __init__(
        self,
        machine: Machine,
        state: State,
        seat: int | None,
        ask: ir.Ask | None,
        of: ir.Type | None,
    ) -> None:
        assert state.pending is not None
        frame: Frame = state.stack[-1]
        self.layout: Layout = machine.layout
        self.moment: object = None
        self.kind = state.pending[0]
        self.seat = seat
        self.ask = ask
        self.type = of
        self.frame_clause = frame.clause
        self.clause = frame.clause if ask is None else ask.clause
        self.slots: Sequence[Value] = frame.slots.copy()
        self.where: Sequence[int] | Mapping[int, int] = ()
        self.contents: Mapping[int, tuple[int, ...]] = {}
        self.states: Sequence[Value] | Mapping[int, Value] = ()
        self.markers: Sequence[Value] = ()
        self.known: Mapping[int, int] = {}
        if (ask is None and isinstance(of, ir.PieceType)) or self.needs_situation(machine):
            self.where = state.where.copy()
            self.contents = state.contents.copy()
            self.states = state.states.copy()
            self.markers = state.markers.copy()
            self.known = state.known.copy()

    @classmethod
    def seen(
        cls,
        machine: Machine,
        seat: int,
        kind: str,
        ask: ir.Ask,
        frame: tuple[int, int, Sequence[Value]],
        table: Table,
        moment: object,
    ) -> Setting:
        """Creates the setting of a question from a seat's view alone.

        Slots and table are as the seat sees them; `moment` identifies the time of the question.
        """
        setting = cls.__new__(cls)
        setting.moment = moment
        setting.layout, setting.kind, setting.seat = machine.layout, kind, seat
        setting.ask, setting.type, setting.clause = ask, None, ask.clause
        setting.frame_clause, _, setting.slots = frame
        setting.where, setting.contents, setting.states, setting.markers = (), {}, (), ()
        setting.known = {}
        if setting.needs_situation(machine):
            contents, states, markers = table
            at, types = machine.layout.state_at, machine.layout.piece_type
            setting.contents = contents
            setting.where = {piece: place for place, held in contents.items() for piece in held}
            setting.known = dict.fromkeys(setting.where, machine.layout.sight(seat))
            setting.states = {
                first + piece: value
                for piece, values in states.items()
                if piece >= 0
                for first, value in zip(at[types[piece]], values, strict=True)
            }
            setting.markers = [None if shown is None else shown[0] for shown in markers]
        return setting

    def needs_situation(self, machine: Machine) -> bool:
        """Whether texts of this question mention places or states of pieces."""
        known = machine.telling.get((self.frame_clause, id(self.ask)))
        if known is None:
            asks = machine.program.clauses[self.clause].asks
            known = any(map(in_braces, asks.values()))
            for alternative in self.ask.alternatives if self.ask is not None else ():
                for part in alternative.parts:
                    known = known or bool(distinguishing(self.layout, part))
                    known = known or differ_in_states(self.layout, part.binder.type)
            machine.telling[self.frame_clause, id(self.ask)] = known
        return known

    def part_text(
        self, part: ir.Part, value: Value, language: str | None = None, form: str = ""
    ) -> str:
        """The text (or, in a language, the name) of the value chosen for a part."""
        of = part.binder.type
        how = distinguishing(self.layout, part)
        members = value if part.several else (value,)
        alone = [self.thing(of, member, how, language, form) for member in members]
        if not part.several:
            return alone[0]
        texts = [self.thing(of, member, how, language) for member in members] if form else alone
        clause = self.layout.program.clauses[self.clause].id
        none = "none" if language is None else self.layout.called("none", clause, language)
        return joined_with_counts(texts, none, alone)

    def part(self, part: ir.Part, value: Value, language: str) -> Filling:
        """The same as a filling for braces."""
        return filling(
            ir.SetType(part.binder.type) if part.several else part.binder.type,
            value,
            lambda form: self.part_text(part, value, language, form),
        )

    def thing(
        self, of: ir.Type, value: Value, how: str, language: str | None, form: str = ""
    ) -> str:
        layout = self.layout
        if language is None:
            text = layout.text(of, value)
        else:
            text = layout.name(of, value, language, form)
        if how == "place":
            place = self.where[value]
            family = layout.place_family[place]
            where = ir.PlaceType(layout.program.families[family].name, family)
            if language is None:
                text += f" in {layout.text(where, place)}"
            else:
                text += f" ({layout.name(where, place, language)})"
        if how == "position" or (how == "place" and layout.row[self.where[value]]):
            return f"{text} at {self.contents[self.where[value]].index(value) + 1}"
        return text + self.changed(value, language) if differ_in_states(layout, of) else text

    def changed(self, piece: int, language: str | None) -> str:
        """A piece's changed states, in parentheses; for people, all states that distinguish it."""
        layout = self.layout
        number = layout.piece_type[piece]
        values = [self.states[at + piece] for at in layout.state_at[number]]
        if language is not None:
            return states_name(layout, number, values, language)
        told = [
            f"{state.text} {layout.text(state.type, value)}"
            for state, value in zip(layout.states[number], values, strict=True)
            if value != state.start
        ]
        return f" ({', '.join(told)})" if told else ""


def states_name(layout: Layout, number: int, values: Sequence[Value], language: str) -> str:
    """Names the known states of a piece in parentheses: ` (face 4)`.

    Initial values are omitted, unless pieces of the type differ in states only: then a die shows
    its one as well as its six.
    """
    alike = len(layout.program.pieces[number].kinds) == 1
    told = [
        f"{layout.entry_name(state, language)} {layout.name(state.type, value, language)}"
        for state, value in zip(layout.states[number], values, strict=False)
        if value is not None and (value != state.start or (alike and state.type != ir.TRUTH))
    ]
    return f" ({', '.join(told)})" if told else ""


def changed_states(
    layout: Layout, number: int, values: Sequence[Value], language: str
) -> list[tuple[str, str]]:
    """Pairs of name and value for the known changed states of a piece.

    A true state has an empty value; false ones are omitted.
    """
    found = []
    for state, value in zip(layout.states[number], values, strict=False):
        if value is None or value == state.start or value is False:
            continue
        name = layout.entry_name(state, language)
        told = "" if state.type == ir.TRUTH else layout.name(state.type, value, language)
        found.append((name, told))
    return found


def differ_in_states(layout: Layout, of: ir.Type) -> bool:
    """Whether pieces of a type may differ in states only."""
    if not isinstance(of, ir.PieceType) or not layout.program.pieces[of.index].states:
        return False
    pieces = layout.pieces_of[of.index]
    return len({layout.alike[piece] for piece in pieces}) < len(pieces)


def distinguishing(layout: Layout, part: ir.Part) -> str:
    """The properties that distinguish the candidates of a part besides their text: `place`,
    `position` or nothing."""
    of, source = part.binder.type, part.binder.source
    if not isinstance(of, ir.PieceType):
        return ""
    if not isinstance(source, ir.Contents):
        return "place"
    place = source.place.type
    if isinstance(place, ir.PlaceType) and layout.program.families[place.index].arranged == "row":
        pieces = layout.pieces_of[of.index]
        if len({layout.alike[piece] for piece in pieces}) < len(pieces):
            return "position"
    return ""


def worded(
    label: str | None,
    alternative: ir.Alternative,
    texts: Sequence[Filling],
    language: str,
    others: Mapping[str, Filling] = MappingProxyType({}),
) -> str:
    """Renders a choice from its label and parts; `others` are further names for braces.

    A part goes where the label has braces for it (`{card}`), the others are appended. The steps
    of a path share a name, and go together.
    """
    told = set() if label is None else names_in(label)
    pairs = zip(alternative.parts, texts, strict=True)
    others = {**{part.binder.name: text for part, text in pairs if part.untold}, **others}
    texts = with_receivers(alternative, texts, "→")
    if not told:
        return f"{label or ''} {', '.join(map(str, texts))}".strip()
    parts: dict[str, list[Filling]] = {}
    chosen = [part for part in alternative.parts if not part.receives and not part.untold]
    for part, text in zip(chosen, texts, strict=True):
        parts.setdefault(part.set_name or part.binder.name, []).append(text)
    joined = {name: each[0] if len(each) == 1 else _steps(each) for name, each in parts.items()}
    left = [str(text) for name, text in joined.items() if name not in told]
    return ", ".join([filled(label or "", {**others, **joined}.get, language), *left])


def with_receivers(
    alternative: ir.Alternative, texts: Sequence[Filling], to: str
) -> Sequence[Filling]:
    """Joins each part with its receiver: `seven to ben`. Untold parts are omitted."""
    found: list[Filling] = []
    receiver: Filling | None = None
    for part, text in zip(alternative.parts, texts, strict=True):
        if part.untold:
            continue
        if part.receives:
            receiver = text
        elif receiver is None:
            found.append(text)
        else:
            found.append(f"{text} {to} {receiver}")
            receiver = None
    return found


def _steps(steps: Sequence[Filling]) -> Named:
    """Joins the steps of a path, each inflected."""
    return Named(
        lambda form: ", ".join(
            each.told(form) if isinstance(each, Named) else str(each) for each in steps
        )
    )


class Option:
    """One answer. `values` are those of the parts, in order; `weight` is the odds of a chance
    outcome.
    """

    __slots__ = ("reply", "setting", "weight")

    def __init__(self, setting: Setting, reply: Reply, weight: int = 1) -> None:
        self.setting = setting
        self.reply = reply
        self.weight = weight

    @property
    def seat(self) -> int | None:
        """The seat it is offered to; None for chance."""
        return self.setting.seat

    @property
    def clause(self) -> ir.Clause:
        """The clause that asks."""
        return self.setting.layout.program.clauses[self.setting.clause]

    @property
    def alternative(self) -> ir.Alternative | None:
        ask = self.setting.ask
        return None if ask is None or self.reply[0] < 0 else ask.alternatives[self.reply[0]]

    @property
    def label(self) -> str | None:
        if self.setting.kind == "chance":
            return None
        return "pass" if self.alternative is None else self.alternative.label

    @property
    def values(self) -> tuple[Value, ...]:
        return self.reply[1]

    @property
    def text(self) -> str:
        return self._told(None)

    def name(self, language: str) -> str:
        """Display name of the option in a language."""
        return self._told(language)

    def said_by(self, text: str) -> bool:
        """Whether a text equals that of the option up to the order of set members or receivers."""
        parts = () if self.alternative is None else self.alternative.parts
        several = any(part.several or part.receives for part in parts)
        if not several or not text.lower().startswith(self.label or ""):
            return False
        said, own = self._members(text), self._members(self.text)
        return said == own or (
            all(part.receives for part in parts[::2]) and sorted(said) == sorted(own)
        )

    def _members(self, text: str) -> list[list[str]]:
        parts = text[len(self.label or "") :].split(",")
        return [sorted(plain(member) for member in part.split("+")) for part in parts]

    def _told(self, language: str | None) -> str:
        setting, alternative = self.setting, self.alternative
        if setting.kind == "chance":
            assert setting.type is not None
            return setting.thing(setting.type, self.reply[1][0], "", language)
        label = self.label
        if label is not None and language is not None:
            clause = setting.layout.program.clauses[setting.clause].id
            label = setting.layout.called(label, clause, language)
        if alternative is None:
            return label or "pass"
        pairs = zip(alternative.parts, self.reply[1], strict=True)
        if language is None:
            canonical = [setting.part_text(part, value) for part, value in pairs]
            told = with_receivers(alternative, canonical, "to")
            return f"{label or ''} {', '.join(map(str, told))}".strip()
        texts = [setting.part(part, value, language) for part, value in pairs]
        return worded(label, alternative, texts, language)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Option):
            return NotImplemented
        return self is other or (
            self.setting.clause == other.setting.clause and self.text == other.text
        )

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<Option {self.text}>"


class Decision:
    """A pending question.

    `kind` is choice (one seat), together (one of several asked at once) or chance (no seat).
    """

    __slots__ = ("options", "setting")

    def __init__(self, setting: Setting, options: tuple[Option, ...]) -> None:
        self.setting = setting
        self.options = options

    @property
    def seat(self) -> int | None:
        return self.setting.seat

    @property
    def kind(self) -> str:
        return self.setting.kind

    @property
    def clause(self) -> ir.Clause:
        return self.setting.layout.program.clauses[self.setting.clause]

    def option(self, text: str) -> Option | None:
        """Finds the option with a text."""
        wanted = plain(text)
        same = (each for each in self.options if plain(each.text) == wanted)
        turned = (each for each in self.options if each.said_by(text))
        return next(chain(same, turned), None)

    @property
    def must(self) -> bool:
        return self.setting.ask is None or self.setting.ask.must

    @property
    def may(self) -> bool:
        return not self.must

    @property
    def prompt(self) -> str:
        return self.prompt_in(self.setting.layout.program.languages[0])

    def prompt_in(self, language: str) -> str:
        """The question in a language; names in braces are replaced by what the seat may know."""
        clause = self.clause
        texts = clause.asks or clause.says
        text = ir.in_language(texts, language, clause.id)
        return filled(text, lambda name: self._filled(name, language), language)

    def _filled(self, name: str, language: str) -> Filling:
        setting = self.setting
        layout = setting.layout
        slots = layout.program.clauses[setting.frame_clause].slots
        for slot, value in reversed(list(zip(slots, setting.slots, strict=True))):
            if slot.name == name and value is not None:
                return filling(slot.type, value, partial(self._known, slot.type, value, language))
        for number, marker in enumerate(layout.program.markers):
            if marker.name == name and not marker.indices and setting.markers:
                shown = setting.markers[layout.marker_at[number]]
                told = partial(self._known, marker.type, shown, language)
                return filling(marker.type, shown, told)
        return name

    def _known(self, of: ir.Type, value: Value, language: str, form: str = "") -> str:
        setting = self.setting
        layout = setting.layout
        if isinstance(of, ir.SetType):
            texts = [self._known(of.of, member, language) for member in value]
            alone = [self._known(of.of, member, language, form) for member in value]
            return joined_with_counts(texts, alone=alone)
        if isinstance(of, ir.PieceType) and value is not None and value >= 0:
            known = layout.seen[setting.where[value]] | setting.known.get(value, 0)
            if setting.seat is not None and not layout.sees(known, setting.seat):
                return layout.called(layout.program.pieces[of.index].name, "piece", language, form)
        return layout.name(of, value, language, form)

    def __repr__(self) -> str:
        who = "luck" if self.seat is None else f"seat {self.seat}"
        many = len(self.options)
        return f"<Decision {self.clause.id}: {who} has {many} option{'s' if many != 1 else ''}>"


def decision(machine: Machine, state: State, seat: int) -> Decision:
    """The question to a seat."""
    question = machine.question(state)
    assert question is not None
    setting = Setting(machine, state, seat, question.ask, None)
    return decided(setting, machine.offers(state)[seat])


def decided(setting: Setting, replies: Sequence[Reply]) -> Decision:
    """Builds a decision from replies; with `may`, pass is the last option."""
    options = [Option(setting, reply) for reply in replies]
    if setting.ask is not None and not setting.ask.must:
        options.append(Option(setting, PASS))
    return Decision(setting, tuple(options))


def chance_decision(machine: Machine, state: State) -> Decision:
    """The pending chance event as a decision."""
    frame = state.stack[-1]
    stroke = machine.codes[frame.clause].luck[frame.pc]
    setting = Setting(machine, state, None, None, stroke.type)
    outcomes = machine.outcomes(state)
    return Decision(
        setting, tuple([Option(setting, (0, (value,)), weight) for weight, value in outcomes])
    )


class IllegalChoice(Exception):
    """Rejects a reply that is not allowed; the match is unchanged. Names the guard, if known."""

    def __init__(
        self,
        message: str,
        clause: ir.Clause,
        guard: ir.Guard | None = None,
        span: Span = NOWHERE,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.clause = clause
        self.guard = guard
        self.span = span

    @property
    def sentence(self) -> str:
        """The guard's sentence in its first language, or the message."""
        says = self.guard.says if self.guard is not None else {}
        return next(iter(says.values()), self.message)

    @property
    def citations(self) -> tuple[ir.Citation, ...]:
        return self.clause.cites if self.guard is None else self.guard.cites
