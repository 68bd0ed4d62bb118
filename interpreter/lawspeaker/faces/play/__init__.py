"""Playing at one screen, without I/O: see `session`."""

from lawspeaker.faces.play.session import Session

__all__ = ["Session"]
