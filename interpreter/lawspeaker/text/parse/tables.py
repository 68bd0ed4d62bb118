"""The parser's tables as text, so that the grammar need not be analysed at every start.

Analysing the grammar costs more than reading a whole game. grammar.json holds what comes of it, in
the form in which lark writes it down, together with a key: the version of lark and a hash of the
grammar and of what lark was asked for. Where the key is not the one of today (another lark, a
grammar that was just changed) the tables count for nothing and the grammar is analysed as ever.

`pytest --accept tests/language/test_tables.py` writes the file anew.
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
"""What lark is given that is code of ours."""


def key(grammar: str, options: Mapping[str, Any]) -> str:
    """What tables must have been made from to be of use."""
    asked = json.dumps(_plain(options), sort_keys=True)
    digest = hashlib.sha256(f"{asked}\n{grammar}".encode()).hexdigest()
    return f"lark {lark.__version__}, grammar {digest}"


def written(parser: Lark, made_from: str) -> str:
    """The tables of a parser as text."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = _plain(data["options"])
    return json.dumps({"key": made_from, "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def read(text: str, made_from: str, options: Mapping[str, Any]) -> Lark | None:
    """The parser whose tables these are; None when they were made from something else."""
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
    """What lark was asked for, without what is code of ours."""
    return {name: value for name, value in options.items() if name not in _OURS}


def _numbered(held: Mapping[str, Any]) -> dict[int, Any]:
    """JSON has only texts for keys, where lark has numbers."""
    return {int(number): value for number, value in held.items()}
