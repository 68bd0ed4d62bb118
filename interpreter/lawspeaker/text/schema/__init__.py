"""Checks of a tree against a JSON Schema.

`form` is a schema that is ready to be asked, `check` finds violations and their places,
`alternatives` decides which of several shapes an author meant, and `violations` says it.
"""

from lawspeaker.text.schema.check import validate
from lawspeaker.text.schema.form import Schema

__all__ = ["Schema", "validate"]
