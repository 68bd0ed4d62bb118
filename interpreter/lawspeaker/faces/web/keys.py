"""Keys of browsers, and encryption of links with them.

A key stands for a person without an account: 192 random bits that a browser stores and that can be
moved to another device as a link or a file. It has the form of a link token and is not stored by
the server either: data is stored under the key's hash.

A home must return the links it has gathered, which the database must not reveal. So each is
encrypted by XOR with an HMAC of a nonce under the key. The database alone opens no link; a key
opens its own. A wrong key is detected, since the hash of the decrypted token differs.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode

from lawspeaker.faces.web.seats import BYTES

ONCE = 16
"""Length of the nonce in bytes."""


def sealed(key: str, token: str) -> bytes:
    """Encrypts a token so that only the key can decrypt it."""
    once = secrets.token_bytes(ONCE)
    return once + _masked(key, once, urlsafe_b64decode(token))


def opened(key: str, seal: bytes) -> str:
    """Decrypts a token; a wrong key yields some other text. Raises ValueError."""
    if not isinstance(seal, bytes) or len(seal) != ONCE + BYTES:
        raise ValueError("this is no seal")
    return urlsafe_b64encode(_masked(key, seal[:ONCE], seal[ONCE:])).decode()


def _masked(key: str, once: bytes, content: bytes) -> bytes:
    mask = hmac.new(key.encode(), b"link" + once, hashlib.sha256).digest()
    return bytes(one ^ other for one, other in zip(content, mask, strict=False))
