"""Reference data for the editor in the browser: the manual, and the catalogue of diagnostic
codes."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from lawspeaker.base.codes import CODES
from lawspeaker.outside.manual import manual


@lru_cache(maxsize=1)
def reference() -> dict[str, Any]:
    """Returns words with their chapters, forms and keys with their meanings, and codes."""
    return {**asdict(manual()), "codes": {code: asdict(each) for code, each in CODES.items()}}
