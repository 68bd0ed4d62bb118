"""How the rules themselves say that something is told: what stands under `names` as `told.…`.

    told.bid          what somebody does who chooses `bid`; his name goes before it
    told.found        what everyone learns by `tell everyone found`
    told.turn.none    what he does who chooses none of what he could there
    told.points       that somebody gets points, {points} of them; `told.loss`: that he loses some
    told.face         that the attribute `face` of pieces is another now, or a marker `face`: {face}
    told.bust.pot     that the clause `bust` sets the marker `pot`, even to what it showed
    told.hand         that something comes to a place `hand`: {hand}, or {hand | card | cards}

Of what belongs to a player, or comes from him, his name goes before it.

Before the word may stand whose it is, and then it is for that alone: a clause (`told.turn.bid`,
`told.harvest.points`, `told.dealing.hand`), or for an attribute the piece (`told.die.face`). What
everyone learns, and what a marker shows, can be told together with what other open markers show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.base.braces import Filling, filled, in_braces, names_in
from lawspeaker.base.typography import numeral
from lawspeaker.ir.types import PlaceType
from lawspeaker.ir.walk import everything, slots_read
from lawspeaker.machines.reference import Machine

POINTS, LOSS, NONE = "points", "loss", "none"


class Sentences:
    """The sentences of a game in a language. Each is None where the rules have none for it."""

    def __init__(self, program: ir.Program, language: str) -> None:
        self.names = program.names
        self.language = language

    def of_choice(self, label: str, clause: str) -> str | None:
        """What somebody does who chooses something, its parts still in braces. Where it is called
        otherwise in one clause, it is told otherwise there, too."""
        for key in (f"{clause}.{label}", label):
            if f"told.{key}" in self.names:
                return self.names[f"told.{key}"].get(self.language)
            if key in self.names:
                return None
        return None

    def of_nothing(self, clause: str) -> str | None:
        """What somebody does who chooses none of what he could."""
        return self._found(NONE, clause)

    def of_told(
        self, name: str, clause: str, own: Filling, others: Callable[[], Mapping[str, Filling]]
    ) -> str | None:
        """What is told by a name, or that a marker of this name is set. `own`: what that stands
        for; `others`: what else does, of which all must be known that is spoken of."""
        sentence = self._found(name, clause)
        if sentence is None:
            return None
        texts, spoken_of = {name: own}, names_in(sentence)
        if not texts.keys() >= spoken_of:
            texts = {**others(), **texts}
        return filled(sentence, texts.get, self.language) if texts.keys() >= spoken_of else None

    def of_points(self, clause: str, points: int) -> str | None:
        """That somebody got points by a clause, or lost some."""
        word = POINTS if points > 0 else LOSS
        sentence = self._found(word, clause)
        texts = {word: numeral(abs(points))}
        return None if sentence is None else filled(sentence, texts.get, self.language)

    def is_deed(self, marker: str, clause: str) -> bool:
        """Whether it is a deed of its own that a clause sets a marker, whatever it showed."""
        return f"told.{clause}.{marker}" in self.names

    def of_shown(
        self, name: str, piece: str, shown: Filling, which: Mapping[str, Filling]
    ) -> str | None:
        """What pieces show now; `which` tells it from other entries."""
        sentence, texts = self._found(name, piece), {**which, name: shown}
        return None if sentence is None else filled(sentence, texts.get, self.language)

    def of_place(self, name: str, clause: str, come: Filling, count: int) -> str | None:
        """What comes to a place by a clause: by name, or, where the sentence has words for
        it, by number."""
        sentence = self._found(name, clause)
        if sentence is None:
            return None
        texts = {name: come if self.names_come(name, clause) else str(count)}
        return filled(sentence, texts.get, self.language)

    def names_come(self, name: str, clause: str) -> bool:
        """Whether a sentence for what comes to a place tells it by name."""
        braces = in_braces(self._found(name, clause) or "")
        return any(each.name == name and len(each.words) < 2 for each in braces)

    def _found(self, word: str, owner: str) -> str | None:
        for key in (f"told.{owner}.{word}", f"told.{word}"):
            if key in self.names:
                return self.names[key].get(self.language)
        return None


def is_open(marker: ir.Marker) -> bool:
    """Whether a sentence can speak of what a marker shows: there is one, and all see it."""
    return not marker.indices and marker.seen_by == "everyone"


@lru_cache(maxsize=1024)
def leads_to(machine: Machine, clause: int, at: int, number: int) -> set[tuple[int, int]]:
    """To where something moves by what was chosen in a clause, by its question there and the number
    of the alternative: what moves, or the place, is worked out from a part of the choice, perhaps
    by way of names, there or in a clause that is done with it. Clauses, each with the family of
    places to which it moves."""
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
                        assert isinstance(to.type, PlaceType)
                        found.add((number, to.type.index))
                case ir.Do(clause=done, arguments=arguments):
                    given = [slots.intersection(slots_read(each)) for each in arguments]
                    if any(given):
                        waiting.append((done, frozenset(at for at, own in enumerate(given) if own)))
    return found
