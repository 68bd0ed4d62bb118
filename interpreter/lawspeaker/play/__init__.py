"""Playing at one screen, without the screen: see `session`."""

from lawspeaker.play.session import Session

__all__ = ["Session"]
