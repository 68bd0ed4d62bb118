"""The table as a picture: see `table`."""

from lawspeaker.faces.web.drawing.whole_table import draw

__all__ = ["draw"]
