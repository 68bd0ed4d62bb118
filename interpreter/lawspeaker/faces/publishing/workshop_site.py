"""Adds the workshop to a site: rules are edited, tried and shared without a server.

The page and its scripts are the server's; `workshop_worker` answers their requests in the page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lawspeaker.faces.publishing.archives import on_offer, to_write
from lawspeaker.faces.publishing.workshop_worker import offered
from lawspeaker.faces.web.workshop.editor_reference import reference
from lawspeaker.outside.library import Library


def shop(names: Sequence[str], library: Library) -> dict[str, bytes]:
    """Returns the workshop's files by path, except the page; `names` are the games on offer."""
    rules = on_offer(names, library)
    scripts = files("lawspeaker.faces.web").joinpath("static", "js", "workshop")
    return {
        "python/workshop.zip": to_write(rules),
        "workshop/games.json": as_bytes(_listing(rules)),
        "workshop/reference.json": as_bytes(reference()),
        **{f"static/js/workshop/{each.name}": each.read_bytes() for each in scripts.iterdir()},
    }


def _listing(rules: dict[str, bytes]) -> dict[str, Any]:
    """Builds the listing from the very files that are published."""
    with TemporaryDirectory() as name:
        for path, content in rules.items():
            file = Path(name, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        listing = offered(Path(name)).listing()
    # Bots learned on this computer are not published.
    games = [{**each, "learned": {}} for each in listing["games"]]
    return {**listing, "games": games}


def as_bytes(data: Any) -> bytes:
    """Encodes data as compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
