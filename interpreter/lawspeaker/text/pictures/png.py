"""Rebuilds a PNG from its pixels.

Chunks are parsed one by one. The pixel data is decompressed to no more than the size that the
header implies, so it cannot grow beyond the limits; then the file is written again with only the
chunks that define the pixels, without all others: texts, locations, profiles, further frames.
"""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator

from lawspeaker.text.pictures.naming import LARGEST
from lawspeaker.text.pictures.taken import CleanPicture, NoPicture

WIDEST = 1024
"""The maximal width and height in pixels."""
_BEGINS = b"\x89PNG\r\n\x1a\n"
_PARTS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""The number of channels, by colour type."""
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PASSES = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
"""The seven passes of an interlaced image (Adam7): first column and row, and steps."""
_AGAIN = "save it again as PNG"


def image(text: str) -> CleanPicture:
    """Sanitises a PNG in base64; raises NoPicture."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoPicture("this is no PNG", _AGAIN) from None
    if len(content) > LARGEST:
        raise NoPicture(f"this image has more than {LARGEST:,} bytes", "save it smaller")
    if not content.startswith(_BEGINS):
        raise NoPicture("this is no PNG, whatever its name says", _AGAIN)
    chunks = list(_chunks(content))
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        raise NoPicture("this PNG has no head", _AGAIN)
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    if not (0 < width <= WIDEST and 0 < height <= WIDEST):
        raise NoPicture(
            f"this image is {width:,} by {height:,} points; {WIDEST:,} each way are possible",
            "save it smaller: on a table it is drawn no larger than a card",
        )
    packing, filters, interlaced = rest
    if depth not in _DEPTHS.get(colour, ()) or packing or filters or interlaced > 1:
        raise NoPicture("this PNG is of a kind that nobody knows", _AGAIN)
    points = b"".join(data for kind, data in chunks if kind == b"IDAT")
    _unpacked(points, _room(width, height, depth * _PARTS[colour], bool(interlaced)))
    looks = [(kind, data) for kind, data in chunks[1:] if kind in (b"PLTE", b"tRNS")]
    if colour == 3 and not any(kind == b"PLTE" for kind, _ in looks):
        raise NoPicture("this PNG has no palette, though it needs one", _AGAIN)
    again = b"".join(
        _chunk(kind, data) for kind, data in (chunks[0], *looks, (b"IDAT", points), (b"IEND", b""))
    )
    written = base64.b64encode(_BEGINS + again).decode()
    body = f'<image width="{width}" height="{height}" href="data:image/png;base64,{written}"/>'
    return CleanPicture(f"0 0 {width} {height}", body)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_BEGINS)
    while at + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        end = at + 12 + length
        if end > len(content) or content[end - 4 : end] != _sum(kind, data):
            break
        yield kind, data
        if kind == b"IEND":
            return
        at = end
    raise NoPicture("this PNG is damaged", _AGAIN)


def _room(width: int, height: int, bits: int, interlaced: bool) -> int:
    """The size of the decompressed pixel data: each row begins with its filter type."""
    passes = _PASSES if interlaced else ((0, 0, 1, 1),)
    room = 0
    for left, top, across, down in passes:
        wide, high = -(-(width - left) // across), -(-(height - top) // down)
        if wide > 0 and high > 0:
            room += high * (1 + -(-wide * bits // 8))
    return room


def _unpacked(points: bytes, room: int) -> None:
    reading = zlib.decompressobj()
    try:
        whole = len(reading.decompress(points, room + 1))
    except zlib.error:
        raise NoPicture("the points of this PNG cannot be read", _AGAIN) from None
    if whole != room:
        raise NoPicture("this PNG has not as many points as it says", _AGAIN)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + _sum(kind, data)


def _sum(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", zlib.crc32(kind + data))
