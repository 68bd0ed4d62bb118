"""Which browser the tests drive, and how it is started."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from typing import Any

BROWSERS = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable"),
)
"""The first one there is. The headless shell has no windows around its pages, and takes about half
the CPU time."""
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


def found_browser() -> str | None:
    """Where Chromium is, if it is anywhere."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@cache
def driver() -> Any:
    """What drives browsers: one for a process, since a second one would not start beside it."""
    from playwright.sync_api import sync_playwright

    started = sync_playwright().start()
    atexit.register(started.stop)
    return started
