"""Validates a tree against a JSON Schema.

`form` is a compiled schema, `check` maps violations to spans, `alternatives` decides which of
several shapes an author meant, and `violations` words the messages.
"""

from lawspeaker.text.schema.check import validate
from lawspeaker.text.schema.form import Schema

__all__ = ["Schema", "validate"]
