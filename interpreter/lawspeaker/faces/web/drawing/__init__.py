"""Draws the table as an SVG picture: see `whole_table`."""

from lawspeaker.faces.web.drawing.whole_table import assembled, draw

__all__ = ["assembled", "draw"]
