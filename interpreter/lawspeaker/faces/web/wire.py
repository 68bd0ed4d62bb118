"""Decodes JSON responses of child processes, checked against declared types.

A child process runs a visitor's rules. If such rules ever took over their process, an attacker
would choose the bytes it sends. So the server parses them as JSON, which can only yield data, never
with pickle, which can call any function. A response must have the declared return type of the
requested function; everything else raises `Malformed`.

The other direction is not affected: a child trusts the server that has started it.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import lru_cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from lawspeaker.base.lettering import lone_surrogate
from lawspeaker.faces.web.drawing.blocks import Picture
from lawspeaker.match import log

LARGEST = 16 * 1024 * 1024
"""Maximum size of a response in bytes."""
LONGEST_TRACE = 20_000
"""Maximum number of characters of a child's message that are logged."""
LARGEST_NUMBER = (1 << 63) - 1


class Malformed(Exception):
    """Raised for bytes of a child process that are no valid response."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Declares in `Annotated[dict[str, Any], Keys(...)]` the keys that the server itself reads.

    These are checked against their types. Other keys may have any value; they are passed on.
    """

    required: Mapping[str, Any]
    optional: Mapping[str, Any] = field(default_factory=dict)


def encoded(kind: str, value: object = None) -> bytes:
    """Encodes a message of a child: its kind, and its data."""
    text = json.dumps([kind, value], default=_plain, ensure_ascii=False, allow_nan=False)
    return text.encode()


def _plain(value: object) -> object:
    """Converts an object to JSON data; the inverse of `fit`."""
    to_json = getattr(value, "to_json", None)
    if to_json is not None:
        return to_json()
    if isinstance(value, Picture):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no data")


def decoded(content: bytes) -> tuple[str, Any]:
    """Decodes a message of a child; raises Malformed. Its data must still be checked with `fit`."""
    try:
        message = json.loads(content.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Malformed("no JSON") from None
    if b"\\u" in content and lone_surrogate(message):
        raise Malformed("half a character")
    if type(message) is not list or len(message) != 2 or type(message[0]) is not str:
        raise Malformed("no message")
    return message[0], message[1]


def for_log(text: str) -> str:
    """Formats a child's error for the log, truncated and indented so that no line can be forged."""
    lines = text[:LONGEST_TRACE].splitlines()
    shown = ("".join(sign if sign.isprintable() else " " for sign in line) for line in lines)
    return "".join(f"\n    {line}" for line in shown)


def _no_constant(word: str) -> Any:
    raise ValueError(word)


@lru_cache(maxsize=256)
def returned(function: Callable[..., Any]) -> Any:
    """Returns the declared return type of a function."""
    return get_type_hints(function, include_extras=True)["return"]


@lru_cache(maxsize=256)
def yielded(generator: Callable[..., Iterator[Any]]) -> Any:
    """Returns the declared element type of a generator."""
    (found,) = get_args(returned(generator))
    return found


def fit(value: Any, kind: Any) -> Any:
    """Converts JSON data to a value of a type; raises Malformed if they do not match.

    Tuples, mappings with integer keys and dataclasses are restored.
    """
    if kind is Any:
        return value
    if kind in (str, bool, None, type(None)):
        return _exactly(value, type(None) if kind is None else kind)
    if kind is int:
        if abs(_exactly(value, int)) > LARGEST_NUMBER:
            raise Malformed("a number that is too large")
        return value
    if kind is float:
        return value if type(value) is float else float(fit(value, int))
    if kind is log.Log:
        return _log(value)
    if isinstance(kind, type) and hasattr(kind, "from_json"):
        return kind.from_json(value)
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass(value, kind)
    return _generic(value, get_origin(kind), get_args(kind))


def _generic(value: Any, origin: Any, args: tuple[Any, ...]) -> Any:
    if origin in (Union, types.UnionType):
        return _either(value, args)
    if origin is Annotated:
        return _annotated(fit(value, args[0]), args[1])
    if origin is tuple:
        items = _exactly(value, list)
        kinds = [args[0]] * len(items) if args[1:] == (...,) else args
        if len(kinds) != len(items):
            raise Malformed("a list of another length")
        return tuple(fit(each, kind) for each, kind in zip(items, kinds, strict=True))
    if origin in (list, Sequence):
        return [fit(each, args[0]) for each in _exactly(value, list)]
    if origin in (dict, Mapping):
        return {
            _key(key, args[0]): fit(each, args[1]) for key, each in _exactly(value, dict).items()
        }
    raise TypeError(f"no answer can have the type {origin}")


def _exactly(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise Malformed(f"{kind.__name__} expected")
    return value


def _either(value: Any, kinds: tuple[Any, ...]) -> Any:
    for kind in kinds:
        try:
            return fit(value, kind)
        except Malformed:
            continue
    raise Malformed("none of the types that can be")


def _key(key: str, kind: Any) -> Any:
    """Converts a key of a mapping: JSON has only string keys."""
    if kind is str:
        return key
    if not (key.isascii() and key.isdecimal() and len(key) < 19):
        raise Malformed("a number expected")
    return int(key)


def _dataclass(value: Any, kind: type) -> Any:
    data, kinds = _exactly(value, dict), get_type_hints(kind, include_extras=True)
    known = {each.name: each for each in fields(kind)}
    lacking = [
        name
        for name, each in known.items()
        if name not in data and each.default is MISSING and each.default_factory is MISSING
    ]
    if lacking or not data.keys() <= known.keys():
        raise Malformed(f"no {kind.__name__}")
    return kind(**{name: fit(each, kinds[name]) for name, each in data.items()})


def _annotated(value: Any, keys: Keys) -> Any:
    """Checks the keys that the server reads, without converting their values."""
    for name, kind in keys.required.items():
        if name not in value:
            raise Malformed(f"{name} expected")
        fit(value[name], kind)
    for name, kind in keys.optional.items():
        if name in value:
            fit(value[name], kind)
    return value


def _log(value: Any) -> log.Log:
    try:
        return log.from_json(value)
    except log.BadLog as bad:
        raise Malformed(str(bad)) from None
