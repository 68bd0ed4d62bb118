"""Draws the table as an SVG picture: see `whole_table`."""

from lawspeaker.faces.web.drawing.whole_table import assembled, draw, draw_boards

__all__ = ["assembled", "draw", "draw_boards"]
