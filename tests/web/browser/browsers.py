"""Which browser the tests drive, and how it is started."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


def found_browser() -> str | None:
    """Where Chromium is, if it is anywhere."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)
