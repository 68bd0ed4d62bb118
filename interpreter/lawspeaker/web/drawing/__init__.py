"""The table as a picture: see `table`."""

from lawspeaker.web.drawing.table import draw

__all__ = ["draw"]
