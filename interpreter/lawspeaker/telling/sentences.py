"""The rules' own phrases for events: the texts under `names` with ids `told.…`.

    told.bid          somebody chooses `bid`; his name precedes it
    told.found        what everyone learns by `tell everyone found`
    told.turn.none    somebody chooses none of the options there
    told.points       somebody scores {points}; `told.loss`: he loses some
    told.face         the attribute `face` of pieces, or a marker `face`, changes: {face}
    told.bust.pot     the clause `bust` sets the marker `pot`, even to the same value
    told.hand         something comes to a place `hand`: {hand}, or {hand | card | cards}

If the thing belongs to a player, or comes from him, his name precedes the phrase.

A qualifier before the word restricts it: to a clause (`told.turn.bid`, `told.harvest.points`,
`told.dealing.hand`), or an attribute to a piece (`told.die.face`). Phrases for what everyone learns
and for markers can mention other public markers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.base.braces import Filling, filled, in_braces, names_in
from lawspeaker.base.typography import numeral
from lawspeaker.ir.walk import everything, slots_read
from lawspeaker.machines.reference import Machine

POINTS, LOSS, NONE = "points", "loss", "none"


class Sentences:
    """The phrases of a game in a language. Each lookup returns None if there is none."""

    def __init__(self, program: ir.Program, language: str) -> None:
        self.names = program.names
        self.language = language

    def of_choice(self, label: str, clause: str) -> str | None:
        """The phrase for a choice, with placeholders for its parts. A name of its own in one clause
        shadows the general phrase there."""
        for key in (f"{clause}.{label}", label):
            if f"told.{key}" in self.names:
                return self.names[f"told.{key}"].get(self.language)
            if key in self.names:
                return None
        return None

    def of_nothing(self, clause: str) -> str | None:
        """The phrase for choosing none of the options."""
        return self._found(NONE, clause)

    def of_told(
        self, name: str, clause: str, own: Filling, others: Callable[[], Mapping[str, Filling]]
    ) -> str | None:
        """The phrase for telling a name, or for setting a marker of this name. `own` is its value,
        `others` the values of other placeholders, all of which must be known."""
        sentence = self._found(name, clause)
        if sentence is None:
            return None
        texts, spoken_of = {name: own}, names_in(sentence)
        if not texts.keys() >= spoken_of:
            texts = {**others(), **texts}
        return filled(sentence, texts.get, self.language) if texts.keys() >= spoken_of else None

    def of_points(self, clause: str, points: int) -> str | None:
        """The phrase for gaining points by a clause, or losing some."""
        word = POINTS if points > 0 else LOSS
        sentence = self._found(word, clause)
        texts = {word: numeral(abs(points))}
        return None if sentence is None else filled(sentence, texts.get, self.language)

    def is_statement(self, marker: str, clause: str) -> bool:
        """Whether setting a marker in a clause has a phrase of its own, whatever its value was."""
        return f"told.{clause}.{marker}" in self.names

    def of_shown(
        self, name: str, piece: str, shown: Filling, which: Mapping[str, Filling]
    ) -> str | None:
        """The phrase for a new value of pieces; `which` has the indices of the entry."""
        sentence, texts = self._found(name, piece), {**which, name: shown}
        return None if sentence is None else filled(sentence, texts.get, self.language)

    def of_place(self, name: str, clause: str, come: Filling, count: int) -> str | None:
        """The phrase for arrivals at a place: by name, or by number if it has plural words."""
        sentence = self._found(name, clause)
        if sentence is None:
            return None
        texts = {name: come if self.names_come(name, clause) else str(count)}
        return filled(sentence, texts.get, self.language)

    def names_come(self, name: str, clause: str) -> bool:
        """Whether the phrase for arrivals at a place names them."""
        braces = in_braces(self._found(name, clause) or "")
        return any(each.name == name and len(each.words) < 2 for each in braces)

    def _found(self, word: str, owner: str) -> str | None:
        for key in (f"told.{owner}.{word}", f"told.{word}"):
            if key in self.names:
                return self.names[key].get(self.language)
        return None


def is_open(marker: ir.Marker) -> bool:
    """Whether phrases can mention a marker: it is single and public."""
    return not marker.indices and marker.seen_by == "everyone"


@lru_cache(maxsize=1024)
def leads_to(machine: Machine, clause: int, at: int, number: int) -> set[tuple[int, int]]:
    """The moves that follow from a choice: clause and family of places, for each move
    whose piece or place is computed from a part of the choice, in that clause or its callees."""
    program = machine.program
    alternative = machine.codes[clause].questions[at].ask.alternatives[number]
    parts = (part.set_slot if part.several else part.binder.slot for part in alternative.parts)
    waiting, seen = [(clause, frozenset(parts))], set[tuple[int, frozenset[int]]]()
    found: set[tuple[int, int]] = set()
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        number, slots = here[0], set(here[1])
        for node in everything(program.clauses[number].body):
            match node:
                case ir.SetLocal(slot=slot, value=value) if slots.intersection(slots_read(value)):
                    slots.add(slot)
                case ir.Move(what=what, to=to) | ir.MoveSome(binder=what, to=to):
                    if slots.intersection(slots_read((what, to))):
                        assert isinstance(to.type, ir.PlaceType)
                        found.add((number, to.type.index))
                case ir.Do(clause=done, arguments=arguments):
                    given = [slots.intersection(slots_read(each)) for each in arguments]
                    if any(given):
                        waiting.append((done, frozenset(at for at, own in enumerate(given) if own)))
    return found
