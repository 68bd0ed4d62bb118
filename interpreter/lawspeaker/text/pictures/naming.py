"""Which files are pictures of a game, and how large they may be."""

from __future__ import annotations

import base64
import re

FOLDER = "pictures"
IMAGE = ".png"
LARGEST = 100_000
"""The most bytes a file may have."""
MOST = 60
"""So many pictures a game may have with its variants."""
MOST_TOGETHER = 300_000
"""So many characters they may come to together, as they are drawn: pages of a table carry them."""
_PLAIN = re.compile(r"[a-z0-9_]{1,40}\.(svg|png)\Z")


def is_own(name: str) -> bool:
    """Whether what a symbol names is a file, not a picture of the stock."""
    return _PLAIN.match(name) is not None


def is_image(name: str) -> bool:
    return name.endswith(IMAGE)


def file_of(picture: str) -> str:
    """The file of a picture, beside the rules that name it."""
    return f"{FOLDER}/{picture}"


def is_picture(file: str) -> bool:
    """Whether a file of rules is a picture."""
    folder, _, name = file.rpartition("/")
    return folder == FOLDER and is_own(name)


def as_text(name: str, content: bytes) -> str:
    """A picture as it travels with rules."""
    if is_image(name):
        return base64.b64encode(content).decode()
    return content.decode("utf-8-sig", errors="replace")


def as_bytes(name: str, text: str) -> bytes:
    """And as a file again; what is no image after all comes out empty."""
    try:
        return base64.b64decode(text, validate=True) if is_image(name) else text.encode()
    except ValueError:
        return b""
