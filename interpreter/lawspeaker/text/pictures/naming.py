"""File names and size limits of a game's own pictures."""

from __future__ import annotations

import base64
import re

FOLDER = "pictures"
IMAGE = ".png"
LARGEST = 100_000
"""The maximal size of a file in bytes."""
MOST = 60
"""The maximal number of pictures in a game with its variants."""
MOST_TOGETHER = 300_000
"""The maximal total of characters of sanitised pictures, since pages of a table carry them."""
_PLAIN = re.compile(r"[a-z0-9_]{1,40}\.(svg|png)\Z")


def is_own(name: str) -> bool:
    """Whether a symbol names a file rather than a stock picture."""
    return _PLAIN.match(name) is not None


def is_image(name: str) -> bool:
    return name.endswith(IMAGE)


def file_of(picture: str) -> str:
    """The file of a picture, beside the rules that name it."""
    return f"{FOLDER}/{picture}"


def is_picture(file: str) -> bool:
    """Whether a file of a game is a picture."""
    folder, _, name = file.rpartition("/")
    return folder == FOLDER and is_own(name)


def as_text(name: str, content: bytes) -> str:
    """A picture as transmitted with rules: a PNG in base64."""
    if is_image(name):
        return base64.b64encode(content).decode()
    return content.decode("utf-8-sig", errors="replace")


def as_bytes(name: str, text: str) -> bytes:
    """The inverse of `as_text`; empty if the text is invalid."""
    try:
        return base64.b64decode(text, validate=True) if is_image(name) else text.encode()
    except ValueError:
        return b""
