"""Writes plain data as human-readable YAML that parses back to the same data.

Multi-line code becomes a block scalar (`|`); short lists and mappings are in flow style;
ambiguous scalars are quoted. The rest of the layout is that of `format`.
"""

from __future__ import annotations

import re
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text.format import formatted

WIDTH = 98
_PLAIN = re.compile(r"[A-Za-z_À-ž][^\n#:{}\[\],&*!|>'\"%@`]*")
_OTHER = re.compile(r"(?i)(yes|no|on|off|true|false|null|nan|inf|y|n|~)")


def document(data: dict[str, Any]) -> str:
    """A whole file in block style."""
    text = "\n".join(_entry(key, value, 0) for key, value in data.items()) + "\n"
    return formatted(SourceFile("document", text), Diagnostics()) or text


def _entry(key: str, value: Any, indent: int, dash: bool = False) -> str:
    pad = " " * (indent - 2) + "- " if dash else " " * indent
    flat = None if not indent and _listed(value) else _flat(value)
    if flat is not None and len(pad) + len(key) + 2 + len(flat) <= WIDTH:
        return f"{pad}{text(key)}: {flat}"
    if isinstance(value, str):
        if "\n" in value.rstrip("\n"):
            return f"{pad}{text(key)}: {_block(value, indent + 2)}"
        return f"{pad}{text(key)}: {text(value.rstrip(chr(10)))}"
    return f"{pad}{text(key)}:\n{_nested(value, indent + 2)}"


def _nested(value: Any, indent: int) -> str:
    if isinstance(value, dict):
        return "\n".join(_entry(key, each, indent) for key, each in value.items())
    return "\n".join(_item(each, indent) for each in value)


def _item(value: Any, indent: int) -> str:
    flat = _flat(value)
    # Changes are easier to read in block style.
    if flat is not None and len(flat) + indent + 2 <= WIDTH and not _long(value):
        return f"{' ' * indent}- {flat}"
    if isinstance(value, dict):
        pairs = list(value.items())
        first = _entry(*pairs[0], indent + 2, dash=True)
        rest = [_entry(key, each, indent + 2) for key, each in pairs[1:]]
        return "\n".join([first, *rest])
    if isinstance(value, str):
        return f"{' ' * indent}- {_block(value, indent + 2)}"
    return f"{' ' * indent}-\n{_nested(value, indent + 2)}"


def _listed(value: Any) -> bool:
    """Whether it is a list of changes, each of which starts a line."""
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _long(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(each, dict | list) for each in value.values())


def _flat(value: Any) -> str | None:
    """The value in flow style, if possible."""
    if isinstance(value, str):
        return None if "\n" in value.rstrip("\n") else text(value.rstrip("\n"))
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        parts = [(text(key), _flat(each)) for key, each in value.items()]
        if any(part is None for _, part in parts):
            return None
        return "{" + ", ".join(f"{key}: {part}" for key, part in parts) + "}"
    items = [_flat(each) for each in value]
    return None if None in items else f"[{', '.join(each for each in items if each is not None)}]"


def _block(value: str, indent: int) -> str:
    lines = value.rstrip("\n").split("\n")
    body = "\n".join(f"{' ' * indent}{line}".rstrip() for line in lines)
    return f"{'|' if value.endswith(chr(10)) else '|-'}\n{body}"


def text(value: str) -> str:
    """A scalar, plain if possible, else quoted."""
    if _PLAIN.fullmatch(value) and value == value.strip() and not _OTHER.fullmatch(value):
        return value
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return "'" + value.replace("'", "''") + "'"
