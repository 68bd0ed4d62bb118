"""Windows of all shapes, and what can be wrong with a table in one of them, measured in boxes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WINDOWS = (
    (1920, 1080),
    (1366, 650),
    (1280, 800),
    (1024, 768),
    (820, 1180),
    (844, 390),
    (390, 844),
)
SMALL = WINDOWS[-3:]

HERE = Path(__file__).parent
SETTLED = (HERE / "settled.js").read_text(encoding="utf-8")
TROUBLES = (HERE / "troubles.js").read_text(encoding="utf-8")


def settle(page: Any) -> None:
    page.evaluate(SETTLED)
    page.wait_for_selector("body:not([data-redrawing])")
    page.evaluate(SETTLED)


def troubles(page: Any, size: tuple[int, int]) -> list[str]:
    """What is wrong with the table in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settle(page)
    found: list[str] = page.evaluate(TROUBLES)
    return [f"{size[0]}×{size[1]}: {each}" for each in found]
