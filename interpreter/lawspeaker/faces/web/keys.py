"""What a browser's key is, and how links are sealed with it.

A key stands for a person without an account: 192 random bits that a browser keeps, and that can be
taken to another device as a link or a file. It has the form of a link's token, and the server
stores it no more than those: what belongs to a key is kept under the key's fingerprint.

A home must give back the links it has gathered, which the database must not know. So they are
sealed: hidden under a mask that HMAC makes of the key and of a number that is used once. Whoever
has the database alone can open no link; whoever has a key can open its own. A wrong mask is
noticed, since the fingerprint of what comes out is another one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode

from lawspeaker.faces.web.seats import BYTES

ONCE = 16
"""So many bytes has the number that is used once."""


def sealed(key: str, token: str) -> bytes:
    """A token that only the key can open."""
    once = secrets.token_bytes(ONCE)
    return once + _masked(key, once, urlsafe_b64decode(token))


def opened(key: str, seal: bytes) -> str:
    """The token in a seal; with another key, some other text. Raises ValueError."""
    if not isinstance(seal, bytes) or len(seal) != ONCE + BYTES:
        raise ValueError("this is no seal")
    return urlsafe_b64encode(_masked(key, seal[:ONCE], seal[ONCE:])).decode()


def _masked(key: str, once: bytes, content: bytes) -> bytes:
    mask = hmac.new(key.encode(), b"link" + once, hashlib.sha256).digest()
    return bytes(one ^ other for one, other in zip(content, mask, strict=False))
