"""The named colours of games, each as a small set of shades.

Colour never carries information alone: a letter, a picture or a pattern repeats it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shades:
    """Shades of one colour.

    `main` is for bodies, `dark` for edges, `light` for lit sides, `pale` for backgrounds, and `ink`
    for text on `main`.
    """

    main: str
    dark: str
    light: str
    pale: str
    ink: str
    paint: str = ""
    """Replaces `main` in pictures on a pale background, where `main` would be invisible."""

    def tone(self, name: str) -> str:
        return (self.paint or self.main) if name == "main" else str(getattr(self, name))


SHADES = {
    "black": Shades("#3a3a44", "#17171d", "#6d6d7c", "#c9c8d2", "#ffffff"),
    "blue": Shades("#2f6db3", "#173e70", "#79abe0", "#c3daf1", "#ffffff"),
    "brown": Shades("#8f5d36", "#55331a", "#c0906a", "#e6d2bd", "#ffffff"),
    "cyan": Shades("#2f97a6", "#14535d", "#81cbd5", "#c9e9ed", "#ffffff"),
    "green": Shades("#3e8148", "#1d4a27", "#86bd83", "#bcd9ae", "#ffffff"),
    "grey": Shades("#85898f", "#45494f", "#b7babf", "#dcdee0", "#ffffff"),
    "magenta": Shades("#9c4186", "#571d4a", "#cf8bbe", "#e4cfe2", "#ffffff"),
    "orange": Shades("#d97a2b", "#853f0b", "#f2b47d", "#f8dcc0", "#241300"),
    "pink": Shades("#d9809f", "#8a3b58", "#f0b9cb", "#f8dfe8", "#2c0a17"),
    "purple": Shades("#7450a3", "#402763", "#ac91d0", "#dcd0ec", "#ffffff"),
    "red": Shades("#bd3a2e", "#701812", "#e58377", "#efc9bb", "#ffffff"),
    "white": Shades("#f1ecdf", "#8d8470", "#fffdf6", "#faf7ee", "#2a2420", "#a79c82"),
    "yellow": Shades("#e2aa2a", "#86600a", "#f7d77f", "#f3dd9d", "#2c2000"),
}
NEUTRAL = Shades("#b79b72", "#6d5634", "#d9c6a5", "#ece0c8", "#2a2014")
"""The shades of things without a colour."""
SEATS = ("blue", "red", "yellow", "green", "purple", "orange", "cyan", "black")
"""Default colours of players, by seat."""
KINDS = ("green", "red", "blue", "yellow", "purple", "cyan", "orange", "brown", "pink", "grey")
"""Default colours of kinds, in order."""

INK = "#2a2420"
FAINT_INK = "#6b5f50"
LINE = "#bfae8e"
PAPER = "#f7f0df"


def shades(colour: str | None) -> Shades:
    return SHADES.get(colour or "", NEUTRAL)
