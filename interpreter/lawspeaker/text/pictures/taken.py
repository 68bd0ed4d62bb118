"""What is kept of a picture, or why it is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture as elements of a drawing: the part of the plane that it shows (`x y width height`),
    what is drawn there, and the names of what was left out, each once."""

    view_box: str
    body: str
    left_out: tuple[str, ...] = ()


class NoPicture(Exception):
    """It cannot be taken; the message says why, the hint what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
