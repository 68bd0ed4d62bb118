"""Checks of a tree against a JSON Schema.

`check` finds violations and their places, `alternatives` decides which of several shapes an author
meant, and `words` says it.
"""

from lawspeaker.text.schema.check import validate

__all__ = ["validate"]
