"""Compilation modes of a module: the same rules with different records and decision makers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Purpose:
    """Flags that select the code of a module.

    `stepping`: played question by question. The module writes a journal, and returns to the host at
    chance nodes if asked to. Otherwise it plays many games, writes no journal, and resolves chance
    from the seed. `watching`: counts statistics of whole games (see `watching.py`). `guided`: seats
    can play by a learned policy (see `policy.py`). `in_turns`: no journal, but a game can be
    suspended at any question and resumed (see `turns.py`). `summing`: adds statistics up over games
    instead of recording each game (see `sums.py`). `flat`: in playouts (see `playouts.py`) every
    player chooses uniformly; there is no code for anything else.
    """

    stepping: bool = False
    watching: bool = False
    guided: bool = False
    in_turns: bool = False
    flat: bool = False
    summing: bool = False

    @property
    def waits(self) -> bool:
        """Whether a game can be suspended at a question and resumed."""
        return self.stepping or self.in_turns

    @property
    def searches(self) -> bool:
        """Whether the module has playouts and tree search: only if it is used for nothing else."""
        return not (self.waits or self.watching)

    def __str__(self) -> str:
        """Returns a name that is unique among purposes."""
        words = (name for name in self.__slots__ if getattr(self, name))
        return "-".join(words) or "playing"


STEPPING = Purpose(stepping=True)
PLAYING = Purpose()
WATCHING = Purpose(watching=True)
SUMMING = Purpose(watching=True, summing=True)
GUIDED = Purpose(guided=True)
