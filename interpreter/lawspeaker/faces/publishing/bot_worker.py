"""Runs bots in a worker of the browser, using the compiled modules shipped with the game.

Modules are looked up by name, as elsewhere (`compiled/host/module_cache`). One that is missing or
does not fit is compiled here, which takes longer; `made` counts these.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

from lawspeaker.faces.web import bots_at_table
from lawspeaker.faces.web.bots_at_table import Position, Turn
from lawspeaker.match.game import Game


class PublishedModules:
    """The published modules by name."""

    def __init__(self, modules: Mapping[str, bytes]) -> None:
        self._modules = dict(modules)
        self.taken = 0
        self.made = 0

    def get(self, name: str) -> bytes | None:
        code = self._modules.get(name)
        if code is None:
            return None
        self.taken += 1
        return hashlib.sha256(code).digest() + code

    def put(self, name: str, content: bytes) -> None:
        self._modules[name] = content[32:]
        self.made += 1


class Thinker:
    def __init__(self, game: Game, modules: Mapping[str, bytes]) -> None:
        from lawspeaker.machines.adapter import keep_at_most, keep_modules_in

        self.game = game
        self.shelf = PublishedModules(modules)
        keep_modules_in(self.shelf)
        keep_at_most(2)
        bots_at_table._programs[game.program.digest] = game.program

    def think(self, text: str) -> str:
        """Computes a bot's reply or a hint, and counts calls of modules; or returns the error."""
        data = json.loads(text)
        before = _calls()
        position = Position(
            1,
            self.game.program.digest,
            (),
            data["players"],
            int(data["seed"]),
            data["discretion"],
            tuple((seat, option) for seat, option in data["replies"]),
        )
        turn = Turn(data["seat"], data["bot"], data["ask"], position)
        found: dict[str, Any]
        try:
            if turn.bot == bots_at_table.HINT:
                found = {"advice": bots_at_table.think_of_advice(turn)}
            else:
                found = {"number": bots_at_table.think(turn)}
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})
        told = {"calls": _calls() - before, "taken": self.shelf.taken, "made": self.shelf.made}
        return json.dumps({**found, **told})


def _calls() -> int:
    """Returns the number of calls of modules so far, as counted by `browser/wasmtime`."""
    return getattr(sys.modules.get("wasmtime"), "calls", 0)
