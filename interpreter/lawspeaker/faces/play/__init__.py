"""Playing at one screen, without the screen: see `session`."""

from lawspeaker.faces.play.session import Session

__all__ = ["Session"]
