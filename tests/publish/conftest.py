"""A browser without a network."""

from __future__ import annotations

from tests.web.browser.conftest import chromium

__all__ = ["chromium"]
