"""Serialised parser tables, so that the grammar need not be analysed at every start.

Analysing the grammar takes longer than reading a whole game. grammar.json has the result as lark
serialises it, with a key: the version of lark and a hash of the grammar and the options. If the key
does not match (another lark, a changed grammar), the tables are ignored and the grammar is
analysed.

`pytest --accept tests/language/test_tables.py` regenerates the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

_OURS = ("postlex", "_plugins")
"""Options of lark whose values are code of ours."""


def key(grammar: str, options: Mapping[str, Any]) -> str:
    """The key of tables for a grammar and options."""
    asked = json.dumps(_plain(options), sort_keys=True)
    digest = hashlib.sha256(f"{asked}\n{grammar}".encode()).hexdigest()
    return f"lark {lark.__version__}, grammar {digest}"


def written(parser: Lark, made_from: str) -> str:
    """Serialises the tables of a parser."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = _plain(data["options"])
    return json.dumps({"key": made_from, "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def read(text: str, made_from: str, options: Mapping[str, Any]) -> Lark | None:
    """Loads a parser from its tables; None if their key differs."""
    if not text.startswith(f'{{"key":{json.dumps(made_from)},'):
        return None
    held = json.loads(text)
    tables = held["data"]["parser"]["parser"]
    tables["tokens"] = _numbered(tables["tokens"])
    tables["states"] = {
        int(state): _numbered(actions) for state, actions in tables["states"].items()
    }
    memo = _numbered(held["memo"])
    parser: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
        held["data"], memo, **{name: options[name] for name in _OURS}
    )
    return parser


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that can be serialised."""
    return {name: value for name, value in options.items() if name not in _OURS}


def _numbered(held: Mapping[str, Any]) -> dict[int, Any]:
    """Converts JSON's string keys back to numbers."""
    return {int(number): value for number, value in held.items()}
