"""What a module is made for. All play the same rules; what is noted and who decides differs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Purpose:
    """`stepping`: to be played question by question. The module notes what happens in a journal,
    and waits for luck where luck is asked. Without, it is for playing many games: it notes nothing,
    and luck is always settled by the seed. `watching`: what is of interest about a whole game is
    counted on the way (see `watching.py`). `guided`: seats can play by a learned policy (see
    `policy.py`). `in_turns`: notes nothing either, but a game can be left at any question and taken
    up again (see `turns.py`). `summing`: what is watched is added up over games, and not recorded
    for each (see `sums.py`). `flat`: where options are tried out (see `playouts.py`), everyone
    takes any option; there is no code for anything else."""

    stepping: bool = False
    watching: bool = False
    guided: bool = False
    in_turns: bool = False
    flat: bool = False
    summing: bool = False

    @property
    def waits(self) -> bool:
        """Whether a game can be left at a question, and be taken up again there."""
        return self.stepping or self.in_turns

    @property
    def searches(self) -> bool:
        """Whether options can be tried out inside: only where no other use is made of a module."""
        return not (self.waits or self.watching)

    def __str__(self) -> str:
        """A name, which no other purpose has."""
        words = (name for name in self.__slots__ if getattr(self, name))
        return "-".join(words) or "playing"


STEPPING = Purpose(stepping=True)
PLAYING = Purpose()
WATCHING = Purpose(watching=True)
SUMMING = Purpose(watching=True, summing=True)
GUIDED = Purpose(guided=True)
