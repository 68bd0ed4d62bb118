"""A browser without a network, and Python for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lawspeaker.faces.publishing.runtime import NoRuntime, runtime
from tests.publish.hosts import PATIENCE, UNTAUGHT
from tests.web.browser.conftest import chromium

__all__ = ["chromium"]


@pytest.fixture(scope="session")
def python() -> dict[str, bytes]:
    try:
        return runtime()
    except NoRuntime as missing:
        pytest.skip(str(missing))


@pytest.fixture
def screen(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(
        viewport={"width": 1280, "height": 860}, reduced_motion="reduce", accept_downloads=True
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(UNTAUGHT)
    page = context.new_page()
    errors: list[str] = []
    page.on(
        "console",
        lambda message: errors.extend(
            [f"{message.text} {message.location}"] * (message.type == "error")
        ),
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, "\n".join(errors)
