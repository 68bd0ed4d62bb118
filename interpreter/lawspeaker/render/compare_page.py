"""A comparison as one page."""

from __future__ import annotations

from lawspeaker.compare.comparison import Comparison
from lawspeaker.compare.findings import Findings


def page(comparison: Comparison, findings: Findings) -> str:
    return ""
