"""Fingerprints of sentences: short hashes that identify a sentence without quoting it.

The words of a sentence are normalised, and the first ten hexadecimal digits of their SHA-256 are
the fingerprint:

1. Unicode form NFKC, lower case;
2. letters and digits are kept, and everything between them becomes a single space;
3. no space at either end.

So it does not depend on emphasis, quotation marks, hyphens, line breaks or the number of blanks; a
changed, missing or misspelt word changes it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

LENGTH = 10
PRINT = re.compile(rf"[0-9a-f]{{{LENGTH}}}")
_WORDS = re.compile(r"[^\W_]+")
_NUMBERING = re.compile(r"^\d{1,2} ")


def normalised(text: str) -> str:
    """The words of a text in lower case, with single spaces between them."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return " ".join(_WORDS.findall(plain))


def folded(text: str) -> str:
    """The same without accents, for searching."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return normalised("".join(sign for sign in apart if not unicodedata.combining(sign)))


def fingerprint(text: str) -> str:
    """The fingerprint of a sentence."""
    return hashlib.sha256(normalised(text).encode()).hexdigest()[:LENGTH]


def heading_key(text: str) -> str:
    """A key that is equal for headings that differ only in numbering, case and punctuation."""
    return _NUMBERING.sub("", normalised(text))
