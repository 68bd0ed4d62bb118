"""The result of sanitising a picture, or the reason for rejecting it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CleanPicture:
    """A sanitised picture: its view box (`x y width height`), its elements, and the names of what
    was dropped, each once."""

    view_box: str
    body: str
    left_out: tuple[str, ...] = ()


class NoPicture(Exception):
    """A picture was rejected; the message says why, the hint what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
