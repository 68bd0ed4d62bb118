"""Pictures of a game's own: what of an SVG or a PNG is kept, and that nothing else is."""

from __future__ import annotations

import base64
import struct
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawspeaker.text.pictures import CleanPicture, NoPicture, sanitised
from lawspeaker.text.pictures.naming import LARGEST, as_bytes, is_picture

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" xmlns:xlink="http://www.w3.org/1999/xlink">'
SHAPE = '<path d="M1 1h9v9z"/>'
DRAWN = {
    *("g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs"),
    *("clipPath", "linearGradient", "radialGradient", "stop"),
}


def clean_picture(inside: str, head: str = HEAD) -> CleanPicture:
    return sanitised("a.svg", f"{head}{inside}</svg>")


def test_shapes_colours_and_gradients_are_kept() -> None:
    found = clean_picture(
        '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>'
        '<linearGradient id="b" xlink:href="#a" x2="24" gradientUnits="userSpaceOnUse"/></defs>'
        '<g transform="translate(1, 2) scale(.5)"><rect x="1" width="50%" height="4" rx="1" '
        'style="fill:url(#b);stroke:none;-inkscape-stroke:x" fill="blue"/></g>'
        '<circle r="3" fill="currentColor"/>'
    )
    root = ET.fromstring(found.body)
    (one, two) = root.iter("linearGradient")
    assert two.get("href") == f"#{one.get('id')}"
    rect = next(root.iter("rect"))
    assert rect.get("fill") == f"url(#{two.get('id')})", "a style is stronger than an attribute"
    assert rect.get("stroke") == "none"
    assert next(root.iter("circle")).get("fill") == "currentColor"
    assert (found.view_box, found.left_out) == ("0 0 24 24", ())


def test_two_drawings_never_mean_different_things_by_one_name() -> None:
    one, two = (
        clean_picture(f'<linearGradient id="a"/><path fill="url(#a)" d="M0 {at}"/>')
        for at in (1, 2)
    )
    ids = {next(ET.fromstring(each.body).iter("linearGradient")).get("id") for each in (one, two)}
    assert len(ids) == 2


@pytest.mark.parametrize(
    'inside, left_out',
    [
        ("<script>alert(1)</script>", "<script>"),
        ("<style>* { fill: red }</style>", "<style>"),
        ('<foreignObject><b xmlns="urn:x">x</b></foreignObject>', "<foreignObject>"),
        ('<a xlink:href="https://example.org"><path d="M0 0"/></a>', "<a>"),
        ('<image href="https://example.org/x.png"/>', "<image>"),
        ('<use href="#x"/>', "<use>"),
        ("<text>x</text>", "<text>"),
        ('<path d="M0 0" onload="alert(1)"/>', "onload"),
        ('<path d="M0 0" fill="url(https://example.org/x)"/>', "fill"),
        ('<path d="M0 0" style="fill:url(data:x)"/>', "fill"),
        ('<path d="M0 0&quot; onload=&quot;x"/>', "d"),
        ('<path d="M0 0" filter="url(#f)"/>', "filter"),
        ('<path d="M0 0" transform="translate(expression(1))"/>', "transform"),
        ('<linearGradient href="https://example.org/x#a"/>', "href"),
        ('<path d="M0 0h99" stroke-dasharray=".0001"/>', "stroke-dasharray"),
        ('<svg><path d="M0 0"/></svg>', "<svg>"),
    ],
)  # fmt: skip
def test_what_does_more_than_draw_is_left_out_and_named(inside: str, left_out: str) -> None:
    found = clean_picture(inside + SHAPE)
    assert found.left_out == (left_out,)
    assert is_harmless(found.body)


def test_notes_of_drawing_programs_are_passed_over_in_silence() -> None:
    found = clean_picture(
        '<title>A boat</title><metadata><x xmlns="urn:x">who</x></metadata>'
        '<path xmlns:i="urn:i" i:label="sail" id="p1" class="c" d="M0 0" style="line-height:1"/>'
    )
    assert found.left_out == ()
    assert "who" not in found.body
    assert "sail" not in found.body
    assert "boat" not in found.body


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "no element found"),
        ("<svg", "unclosed token"),
        ("<html/>", "does not begin with"),
        ('<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + HEAD + SHAPE + "</svg>", "document type"),
        (f"{HEAD}&a;{SHAPE}</svg>", "undefined entity"),
        (f'<svg xmlns="http://www.w3.org/2000/svg">{SHAPE}</svg>', "how large it is"),
        (f'<svg viewBox="0 0 0 9">{SHAPE}</svg>', "how large it is"),
        (f'<svg viewBox="0 0 nan 9">{SHAPE}</svg>', "how large it is"),
        (f"{HEAD}<text>only letters</text></svg>", "nothing is drawn"),
        (HEAD + "<g>" * 60 + SHAPE + "</g>" * 60 + "</svg>", "too intricate"),
        (HEAD + "<g/>" * 2500 + SHAPE + "</svg>", "too intricate"),
        (HEAD + SHAPE + " " * LARGEST + "</svg>", "more than"),
    ],
    ids=range(12),
)
def test_what_is_no_drawing_says_why(text: str, told: str) -> None:
    with pytest.raises(NoPicture, match=told):
        sanitised("a.svg", text)


TAGS = st.sampled_from(
    [*sorted(DRAWN), "script", "a", "use", "image", "style", "svg", "x:y", "text"]
)
KEYS = st.sampled_from(
    [
        "d",
        "id",
        "fill",
        "style",
        "href",
        "xlink:href",
        "onclick",
        "x",
        "transform",
        "clip-path",
        "class",
    ]
)
VALUES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["url(#a)", "javascript:x", "url(//a)", "#a", "M0 0", "fill:red;stroke:url(x)"]
    ),
)


@st.composite
def elements(draw: st.DrawFn, deep: int = 3) -> ET.Element:
    made = ET.Element(draw(TAGS).replace("x:y", "{urn:x}y"))
    for key in draw(st.lists(KEYS, max_size=4, unique=True)):
        value = "".join(each for each in draw(VALUES) if each.isprintable())
        made.set(key.replace("xlink:", "{http://www.w3.org/1999/xlink}"), value)
    if deep:
        made.extend(draw(st.lists(elements(deep - 1), max_size=3)))
    return made


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(st.lists(elements(), max_size=4))
def test_whatever_is_in_a_drawing_only_shapes_come_out(inside: list[ET.Element]) -> None:
    root = ET.Element("svg", viewBox="0 0 9 9")
    root.extend([*inside, ET.Element("path", d="M0 0")])
    found = sanitised("a.svg", ET.tostring(root, encoding="unicode"))
    assert is_harmless(found.body)


def is_harmless(body: str) -> bool:
    for element in ET.fromstring(body).iter():
        assert element.tag in DRAWN
        assert not (element.text or "").strip()
        for key, value in element.attrib.items():
            assert not key.startswith("on")
            assert key not in ("style", "class")
            assert key != "href" or value.startswith("#o")
            assert "url(" not in value or value.startswith("url(#o")
            assert ":" not in value
    return True


# ---------------------------------------------------------------- images


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(
    width: int = 3,
    height: int = 2,
    rows: bytes | None = None,
    *more: bytes,
    colour: int = 2,
    interlaced: int = 0,
) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, interlaced)
    points = rows if rows is not None else (b"\0" + b"\x10\x20\x30" * width) * height
    chunks = (chunk(b"IHDR", head), *more, chunk(b"IDAT", zlib.compress(points)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + chunk(b"IEND", b"")


def kinds(content: bytes) -> Iterator[bytes]:
    at = 8
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        yield content[at + 4 : at + 8]
        at += 12 + length


def image(content: bytes) -> CleanPicture:
    return sanitised("a.png", base64.b64encode(content).decode())


def test_an_image_is_kept_without_all_that_is_no_point_of_it() -> None:
    found = image(png(3, 2, None, chunk(b"tEXt", b"by\0somebody"), chunk(b"eXIf", b"where")))
    element = ET.fromstring(found.body)
    written = element.attrib["href"].removeprefix("data:image/png;base64,")
    assert list(kinds(base64.b64decode(written))) == [b"IHDR", b"IDAT", b"IEND"]
    assert (found.view_box, element.get("width"), element.get("height")) == ("0 0 3 2", "3", "2")


def test_an_interlaced_image_has_the_points_it_says() -> None:
    # 3 by 2: passes of 1x1, none, 1x1 (from column 2), 1x1, and 3x1.
    rows = b"\0\1\1\1" * 1 + b"\0\1\1\1" * 1 + b"\0\1\1\1" * 1 + b"\0" + b"\1\1\1" * 3
    assert image(png(3, 2, rows, interlaced=1)).view_box == "0 0 3 2"


@pytest.mark.parametrize(
    "content, told",
    [
        (b"", "no PNG"),
        (b"GIF89a", "no PNG"),
        (png()[:-20], "damaged"),
        (png().replace(b"IDAT", b"IDAR"), "damaged"),
        (png(rows=b""), "not as many points"),
        (png(rows=bytes(10_000_000)), "not as many points"),
        (png(2000, 2), "2,000 by 2 points"),
        (png(0, 2), "0 by 2"),
        (png(colour=7), "nobody knows"),
        (png(colour=3, rows=b"\0\0\0\0" * 2), "no palette"),
        (png() + bytes(LARGEST), "more than"),
    ],
    ids=range(11),
)
def test_what_is_no_image_says_why(content: bytes, told: str) -> None:
    with pytest.raises(NoPicture, match=told):
        image(content)


def test_a_text_that_is_no_base64_is_no_image() -> None:
    with pytest.raises(NoPicture):
        sanitised("a.png", "<svg/>")
    assert as_bytes("a.png", "<svg/>") == b""


def test_only_plain_names_in_their_folder_are_pictures() -> None:
    assert is_picture("pictures/boat_2.svg")
    assert is_picture("pictures/b.png")
    for name in (
        "boat.svg",
        "pictures/../boat.svg",
        "pictures/a/b.svg",
        "pictures/B.svg",
        "pictures/.svg",
    ):
        assert not is_picture(name)
