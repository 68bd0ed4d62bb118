"""Builds SVG elements as text.

Only attributes are used, never styles or scripts, so that a picture works in a page whose policy
allows neither.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

Attribute = str | int | float | None

SERIF = "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua',Georgia,serif"
SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"


TOKEN = "\0"
"""A character that never occurs in a picture; delimits placeholders during layout."""
DRAWN = 8192
"""Cache size for small elements; most recur in successive pictures."""


def el(name: str, /, *children: str, **attributes: Attribute) -> str:
    """Returns an element.

    `class_` becomes class, other underscores become hyphens, None is omitted.
    """
    written = "".join(
        [
            f' {_attribute(key)}="{_value(value)}"'
            for key, value in attributes.items()
            if value is not None
        ]
    )
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def _escaped(words: str, *, quote: bool) -> str:
    return escape(words, quote=quote).replace(TOKEN, "")


@lru_cache(maxsize=256)
def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


@lru_cache(maxsize=8192)
def _value(value: str | int | float) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return _escaped(value, quote=True) if isinstance(value, str) else str(value)


@lru_cache(maxsize=DRAWN)
def rect(
    x: float, y: float, width: float, height: float, radius: float = 0, **more: Attribute
) -> str:
    return el(
        "rect",
        x=float(x),
        y=float(y),
        width=float(width),
        height=float(height),
        rx=float(radius) if radius else None,
        **more,
    )


@lru_cache(maxsize=DRAWN)
def circle(x: float, y: float, radius: float, **more: Attribute) -> str:
    return el("circle", cx=float(x), cy=float(y), r=float(radius), **more)


def path(d: str, **more: Attribute) -> str:
    return el("path", d=d, **more)


def moved(x: float, y: float, *children: str) -> str:
    """Translates elements in a group."""
    if not x and not y:
        return "".join(children)
    inner = "".join(children)
    return f'<g transform="translate({_value(float(x))} {_value(float(y))})">{inner}</g>'


@lru_cache(maxsize=DRAWN)
def text(
    words: str,
    x: float,
    y: float,
    size: float,
    *,
    fill: str = "#2a2420",
    anchor: str = "start",
    weight: int | None = None,
    serif: bool = False,
    **more: Attribute,
) -> str:
    """Returns a line of text; `y` is its baseline."""
    return el(
        "text",
        _escaped(words, quote=False),
        x=float(x),
        y=float(y),
        font_size=float(size),
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        font_weight=weight,
        font_family=SERIF if serif else None,
        **more,
    )


def titled(words: str) -> str:
    """Returns a tooltip."""
    return el("title", _escaped(words, quote=False))


NARROW = frozenset("iIjl.,;:'’!|·()[]{} ftr-")
BROAD = frozenset("mwMW@—%&")


@lru_cache(maxsize=DRAWN)
def text_width(words: str, size: float) -> float:
    """Estimates the width of a line; there is no font to measure it with."""
    wide = 0.0
    for sign in words:
        if sign in NARROW:
            wide += 0.34
        elif sign in BROAD:
            wide += 0.88
        elif sign.isupper():
            wide += 0.68
        else:
            wide += 0.56
    return wide * size


def wrapped(words: str, size: float, width: float, most: int) -> list[str]:
    """Wraps a text to a width; beyond `most` lines it is cut off with an ellipsis."""
    lines: list[str] = []
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if len(lines) > most:
        lines = lines[:most]
        lines[-1] = f"{lines[-1].rstrip('.,;: ')} …"
    return lines


def shortened(words: str, size: float, width: float) -> str:
    """Truncates a text to one line with an ellipsis."""
    if text_width(words, size) <= width:
        return words
    kept = words
    while kept and text_width(kept + "…", size) > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def fitting(words: str, size: float, width: float, smallest: float) -> float:
    """Returns the largest font size, at most `size`, at which a line fits a width."""
    wide = text_width(words, size)
    return size if wide <= width else max(smallest, size * width / wide)
