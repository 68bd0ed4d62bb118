"""Scripted chance outcomes: draws from places and picks of clauses, in order.

    {"deck": ["queen", "jack"], "roll": [6, 1, "..."]}

A place has a list of the pieces drawn from it; a clause, a list of its random picks. Entries are
texts of chance options. A list must last for the whole game: at its end the game cannot continue,
unless the last entry is `...`, which leaves the rest to the seed, like all chance without a list.
Unused entries are ignored.

The position in each list follows from the journal, so no state is stored beside the game. Forced
outcomes, such as the last card or one of several that look the same, are checked against the
list, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.ir.walk import everything
from lawspeaker.machines.reference import Machine
from lawspeaker.machines.reference.chance import Draw
from lawspeaker.match.decision import chance_decision
from lawspeaker.position.layout import Layout, Value, plain
from lawspeaker.position.state import Note, State

Told = Mapping[str, Sequence[str | int]]
Source = tuple[str, int]
"""Origin of a chance event: ("place", its number) or ("clause", its number)."""
REST = "..."
_NAMED = 12


class ImpossibleLuck(ValueError):
    """A scripted outcome is impossible; the match is unchanged.

    `key` names the list, `entry` counts from 0 in it; None if it is not about one entry.
    """

    def __init__(self, message: str, key: str, entry: int | None = None, hint: str = "") -> None:
        super().__init__(f"{message}; {hint}" if hint else message)
        self.message = message
        self.key = key
        self.entry = entry
        self.hint = hint


class ScriptedChance:
    """The scripted lists for a program and a number of players.

    Raises ImpossibleLuck for entries that can never occur. `asks`: chance without a list is asked
    as a question instead of taken from the seed.
    """

    def __init__(self, layout: Layout, told: Told, *, asks: bool = False) -> None:
        self.layout = layout
        self.told = {key: [_as_text(each) for each in entries] for key, entries in told.items()}
        self.asks = asks
        self._lists: dict[Source, str] = {}
        known = _sources(layout)
        for key, entries in self.told.items():
            found = known.get(plain(key))
            if found is None:
                raise self._nothing_like(key, known)
            self._lists |= dict.fromkeys(found, key)
            for number in range(len(entries) - (entries[-1:] == [REST])):
                self._check(key, number, [of for types in found.values() for of in types])

    def _nothing_like(self, key: str, known: Mapping[str, object]) -> ImpossibleLuck:
        message = f"there is no place and no clause `{key}`"
        if plain(key) in self.layout.places_by_text():
            message = f"nothing is ever drawn from `{key}`"
        elif any(clause.id == key for clause in self.layout.program.clauses):
            message = f"`{key}` picks nothing at random"
        hint = did_you_mean(key, known) or f"luck decides in: {_listed(list(known))}"
        return ImpossibleLuck(message, key, None, hint)

    def _check(self, key: str, number: int, types: Sequence[ir.Type]) -> None:
        layout, text = self.layout, self.told[key][number]
        if any(layout.read(of, _without_states(text)) for of in types):
            return
        what = " or ".join(dict.fromkeys(map(str, types)))
        near = [
            layout.text(of, each)
            for of in types
            if not isinstance(of, ir.NumberType)
            for each in layout.domain(of)
        ]
        message = f"`{key}`, entry {number + 1}: there is no {what} `{text}`"
        raise ImpossibleLuck(message, key, number, did_you_mean(text, near) or "")

    # ------------------------------------------------------------ settling

    def settle(self, machine: Machine, state: State, past: Sequence[Note], *, asks: bool) -> None:
        """Resolves chance events until a player is asked or, with `asks`, one without a list.

        `past` are the notes before those in the state's journal.
        """
        used = Counter(self._list_of(_decided(note)) for note in past)
        compared = 0
        while True:
            for note in state.journal[compared:]:
                key = self._list_of(_decided(note))
                if key is not None:
                    self._compare(key, used[key], _came(machine, note))
                    used[key] += 1
            compared = len(state.journal)
            if state.pending is None or state.pending[0] != "chance":
                return
            source = _asked_for(machine, state)
            key = self._list_of(source)
            if key is not None and not self._is_rest(key, used[key]):
                value = self._chosen(machine, state, key, used[key])
                _go_on(machine, state, source, value)
            elif asks:
                return
            else:
                _go_on(machine, state, source, machine.by_seed(state))

    def _list_of(self, source: Source | None) -> str | None:
        return None if source is None else self._lists.get(source)

    def _is_rest(self, key: str, number: int) -> bool:
        entries = self.told[key]
        return number >= len(entries) - 1 and entries[-1:] == [REST]

    def _entry(self, key: str, number: int) -> str:
        entries = self.told[key]
        if number < len(entries):
            return entries[number]
        message = f"`{key}` ends after entry {len(entries)}, and the game needs one more"
        hint = f"`{REST}` as the last entry leaves what follows to the seed"
        raise ImpossibleLuck(message, key, None, hint)

    def _chosen(self, machine: Machine, state: State, key: str, number: int) -> Value:
        text = self._entry(key, number)
        options = chance_decision(machine, state).options
        for option in options:
            if plain(option.text) == plain(text):
                return option.values[0]
        raise self._cannot(key, number, [option.text for option in options])

    def _compare(self, key: str, number: int, came: str) -> None:
        """Checks an outcome against the list, also if it was forced."""
        if not self._is_rest(key, number):
            text = self._entry(key, number)
            if plain(_without_states(text)) != plain(came):
                raise self._cannot(key, number, [came])

    def _cannot(self, key: str, number: int, can: Sequence[str]) -> ImpossibleLuck:
        message = f"`{key}`, entry {number + 1}: `{self.told[key][number]}` cannot come here"
        return ImpossibleLuck(message, key, number, f"what can come: {_listed(can)}")


def _as_text(entry: str | int) -> str:
    return ("no", "yes")[entry] if isinstance(entry, bool) else str(entry)


def _without_states(text: str) -> str:
    """Strips the states from a piece's text: `coin` for `coin (face heads)`."""
    return text.partition(" (")[0]


def _listed(texts: Sequence[str]) -> str:
    more = ["…"] if len(texts) > _NAMED else []
    return ", ".join([*texts[:_NAMED], *more])


# ---------------------------------------------------------------- where luck decides


def _sources(layout: Layout) -> dict[str, dict[Source, list[ir.Type]]]:
    """All chance sources with their types, by place text or clause id."""
    program = layout.program
    found: dict[str, dict[Source, list[ir.Type]]] = {}
    drawn: set[ir.PlaceType] = set()
    for clause in program.clauses:
        for statement in everything(clause.body):
            if isinstance(statement, ir.Pick):
                types = found.setdefault(clause.id, {}).setdefault(("clause", clause.index), [])
                types.append(statement.binder.type)
            elif isinstance(statement, ir.Draw):
                source = ir.plain(statement.source.type)
                assert isinstance(source, ir.PlaceType)
                drawn.add(source)
    for family in drawn:
        number = program.families[family.index].holds
        held = ir.PieceType(program.pieces[number].name, number)
        for place in layout.places_of[family.index]:
            text = plain(layout.text(family, place))
            found.setdefault(text, {})["place", place] = [held]
    return found


def _decided(note: Note) -> Source | None:
    """The chance source of a journal entry, if any."""
    kind, _, _, data, _ = note
    if kind == "chance":
        return "clause", data[0]
    return ("place", data[1]) if kind == "move" and data[4] else None


def _came(machine: Machine, note: Note) -> str:
    """The text of a chance outcome."""
    kind, _, _, data, _ = note
    layout = machine.layout
    if kind == "chance":
        return layout.text(machine.codes[data[0]].luck[data[1]].type, data[3])
    return layout.text(ir.PieceType("", layout.piece_type[data[0]]), data[0])


def _asked_for(machine: Machine, state: State) -> Source:
    """The source of the pending chance event."""
    frame = state.stack[-1]
    stroke = machine.codes[frame.clause].luck[frame.pc]
    if isinstance(stroke, Draw):
        return "place", stroke.source(state, frame.slots.copy())
    return "clause", frame.clause


def _go_on(machine: Machine, state: State, source: Source, value: Value) -> None:
    """Applies a chance outcome; a draw from a heap counts as a shuffle, as with the seed."""
    kind, number = source
    if kind == "place" and machine.layout.heap[number]:
        state.shuffles[number] = state.shuffles.get(number, 0) + 1
    machine.answer(state, None, (0, (value,)))
