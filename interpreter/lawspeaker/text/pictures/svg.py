"""Rebuilds an SVG from an allow-list of elements that only draw.

The parser rejects document types, so there are no entities, and nothing external is loaded.
Elements and attributes are copied only if they are in the lists here, and each value matches its
pattern. Metadata of drawing programs is dropped silently; what would have been visible is dropped
and reported: text, scripts, style sheets, filters, other files.

A style on an element becomes attributes. Ids are prefixed with a hash of the drawing, so that two
drawings on one page do not clash. `currentColor` stays: it is the colour of the thing that has the
picture.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from xml.parsers import expat

from lawspeaker.text.pictures.naming import LARGEST
from lawspeaker.text.pictures.taken import CleanPicture, NoPicture

MOST_ELEMENTS = 2_000
DEEPEST = 40
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_AGAIN = "save it as plain SVG"

_HERE_TO = r"url\(\s*[\"']?#(?P<id>[\w.-]{1,80})[\"']?\s*\)"
_LENGTH = re.compile(
    r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?(?:px|pt|pc|mm|cm|in|%)?\Z", re.ASCII
)
_NUMBERS = re.compile(r"[\d\s,.eE+-]*\Z", re.ASCII)
_OUTLINE = re.compile(r"[MmZzLlHhVvCcSsQqTtAaEe\d\s,.+-]*\Z", re.ASCII)
_MOVES = re.compile(
    r"[\s,]*(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s,.eE+-]*\)[\s,]*)*\Z",
    re.ASCII,
)
_PAINT = re.compile(
    r"(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24}|(?:rgb|hsl)a?\([\d\s,.%/-]*\)"
    rf"|{_HERE_TO}(?:\s+(?:none|#[0-9a-fA-F]{{3,8}}))?)\Z",
    re.ASCII,
)
_HERE = re.compile(rf"{_HERE_TO}\Z", re.ASCII)
_WORD = re.compile(r"[a-zA-Z-]{1,24}\Z")
_ID = re.compile(r"[\w.-]{1,80}\Z", re.ASCII)

_LOOK: Mapping[str, re.Pattern[str]] = {
    "fill": _PAINT,
    "stroke": _PAINT,
    "color": _PAINT,
    "stop-color": _PAINT,
    "fill-opacity": _LENGTH,
    "stroke-opacity": _LENGTH,
    "stop-opacity": _LENGTH,
    "opacity": _LENGTH,
    "stroke-width": _LENGTH,
    "stroke-miterlimit": _LENGTH,
    "fill-rule": _WORD,
    "clip-rule": _WORD,
    "stroke-linecap": _WORD,
    "stroke-linejoin": _WORD,
    "display": _WORD,
    "visibility": _WORD,
    "clip-path": _HERE,
}
"""Presentation attributes, or declarations of a style. Dashes are excluded: a short dash along a
long line keeps a renderer busy for hours."""

_SHAPES: Mapping[str, tuple[str, ...]] = {
    "g": (),
    "path": ("d",),
    "rect": ("x", "y", "width", "height", "rx", "ry"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
    "polyline": ("points",),
    "polygon": ("points",),
    "defs": (),
    "clipPath": ("clipPathUnits",),
    "linearGradient": ("x1", "y1", "x2", "y2"),
    "radialGradient": ("cx", "cy", "r", "fx", "fy"),
    "stop": ("offset",),
}
_GRADIENTS = ("linearGradient", "radialGradient")
_OF_GRADIENTS: Mapping[str, re.Pattern[str]] = {
    "gradientUnits": _WORD,
    "spreadMethod": _WORD,
    "gradientTransform": _MOVES,
}
_FORMS: Mapping[str, re.Pattern[str]] = {"d": _OUTLINE, "points": _NUMBERS, "clipPathUnits": _WORD}
_DRAWN = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")
_SILENT = ("title", "desc", "metadata")
_SEEN = ("filter", "mask", "marker", "marker-start", "marker-mid", "marker-end", "stroke-dasharray")
"""Visible attributes that are dropped and reported; others are dropped silently."""


def drawing(text: str) -> CleanPicture:
    """Sanitises an SVG; raises NoPicture."""
    if len(text.encode()) > LARGEST:
        raise NoPicture(f"this drawing has more than {LARGEST:,} bytes", "simplify it")
    builder = _Builder(f"o{hashlib.sha256(text.encode()).hexdigest()[:12]}")
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.StartDoctypeDeclHandler = _refused
    try:
        parser.Parse(text.lstrip("\ufeff \n\r\t"), True)
    except expat.ExpatError as error:
        told = f"this is no SVG: {expat.ErrorString(error.code)} in line {error.lineno}"
        raise NoPicture(told, _AGAIN) from None
    if not builder.shapes:
        raise NoPicture("nothing is drawn in this SVG that can be kept", "draw with plain shapes")
    return CleanPicture(builder.view_box, "".join(builder.written), tuple(sorted(builder.left_out)))


def _refused(*_: object) -> None:
    raise NoPicture("this SVG has a document type (`<!DOCTYPE …>`)", f"delete it, or {_AGAIN}")


@dataclass(slots=True)
class _Builder:
    """The output so far. `passing` is the nesting depth inside a dropped element."""

    print: str
    view_box: str = ""
    shapes: int = 0
    elements: int = 0
    passing: int = 0
    open: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, plain = name.rpartition(" ")
        self.elements += 1
        if self.elements > MOST_ELEMENTS or len(self.open) + self.passing > DEEPEST:
            told = f"it may have {MOST_ELEMENTS:,} elements, {DEEPEST} inside each other"
            raise NoPicture(f"this drawing is too intricate: {told}", "simplify it")
        if self.passing:
            self.passing += 1
        elif not self.open:
            if plain != "svg" or space not in (_SVG, ""):
                raise NoPicture("this is no SVG: it does not begin with `<svg>`", _AGAIN)
            self.view_box = _view_box(attributes)
            self.open.append("g")
            self.write("g", self.looks(attributes))
        elif space not in (_SVG, "") or plain not in _SHAPES:
            self.passing = 1
            if space in (_SVG, "") and plain not in _SILENT:
                self.left_out.add(f"<{plain[:40]}>")
        else:
            self.open.append(plain)
            self.shapes += plain in _DRAWN
            self.write(plain, {**self.measures(plain, attributes), **self.looks(attributes)})

    def end(self, name: str) -> None:
        if self.passing:
            self.passing -= 1
        else:
            self.written.append(f"</{self.open.pop()}>")

    def write(self, name: str, attributes: Mapping[str, str]) -> None:
        said = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
        self.written.append(f"<{name}{said}>")

    def measures(self, name: str, attributes: Mapping[str, str]) -> dict[str, str]:
        """The geometry attributes of an element, and its id."""
        found: dict[str, str] = {}
        if _ID.match(attributes.get("id", "")):
            found["id"] = self.own(attributes["id"])
        forms = {key: _FORMS.get(key, _LENGTH) for key in _SHAPES[name]}
        forms["transform"] = _MOVES
        if name in _GRADIENTS:
            forms |= _OF_GRADIENTS
            other = attributes.get("href", attributes.get(f"{_XLINK} href", ""))
            if other.startswith("#") and _ID.match(other[1:]):
                found["href"] = f"#{self.own(other[1:])}"
        for key, form in forms.items():
            value = attributes.get(key, "").strip()
            if value and form.match(value):
                found[key] = value
            elif value:
                self.left_out.add(key)
        return found

    def looks(self, attributes: Mapping[str, str]) -> dict[str, str]:
        """The presentation attributes; a style overrides an attribute."""
        found: dict[str, str] = {}
        for key, said in (*attributes.items(), *_declared(attributes.get("style", ""))):
            value, form = said.strip(), _LOOK.get(key)
            if form is None:
                if key.startswith("on") or (key in _SEEN and value != "none"):
                    self.left_out.add(key[:40])
                elif key.split(" ")[-1] == "href" and not value.startswith("#"):
                    self.left_out.add("href")
            elif value in ("", "inherit") or (key == "clip-path" and value == "none"):
                continue
            elif known := form.match(value):
                if "id" in form.groupindex and known["id"]:
                    value = f"url(#{self.own(known['id'])})"
                found[key] = value
            else:
                self.left_out.add(key)
        return found

    def own(self, id: str) -> str:
        return f"{self.print}-{id}"


def _declared(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        key, colon, value = declaration.partition(":")
        if colon:
            yield key.strip(), value.replace("!important", "")


def _view_box(attributes: Mapping[str, str]) -> str:
    """The visible region: as declared, or the size of the drawing."""
    said = attributes.get("viewBox")
    if said is None:
        sides = [attributes.get(key, "").strip().removesuffix("px") for key in ("width", "height")]
        said = f"0 0 {' '.join(sides)}"
    try:
        numbers = [float(each) for each in said.replace(",", " ").split()]
    except ValueError:
        numbers = []
    fits = len(numbers) == 4 and all(math.isfinite(each) and abs(each) <= 1e6 for each in numbers)
    if not fits or min(numbers[2:]) <= 0:
        raise NoPicture(
            "this SVG does not say how large it is",
            'say `viewBox="0 0 24 24"` on its first element, with the size of your sheet',
        )
    return " ".join(f"{each:g}" for each in numbers)
