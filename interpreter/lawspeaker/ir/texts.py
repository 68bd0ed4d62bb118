"""Sentences, sources and citations: what every clause carries for its readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Texts = Mapping[str, str]
"""A text by language code."""


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    title: str
    language: str
    details: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Citation:
    source: str
    section: str
    stance: str
    note: str | None = None
    print: str | None = None
