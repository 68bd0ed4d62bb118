"""A server that starts at once in a forked process: this module has imported and compiled all."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.faces.cli.serve import listening
from lawspeaker.faces.web.app import Web, guarded
from lawspeaker.faces.web.catalogue import Catalogue
from lawspeaker.faces.web.running import run
from lawspeaker.faces.web.settings import Settings
from lawspeaker.outside.library import Library

GAMES = ("nim", "kuhn_poker", "tic_tac_toe")
CATALOGUE = Catalogue(Library())
for name in GAMES:
    CATALOGUE.game(name).start(2)


def serve(data: Path, port: int) -> None:
    web = Web(Settings(data, hurry=1e6, most_of_one=1000))
    web.registry.catalogue = CATALOGUE
    run(guarded(web), listening("127.0.0.1", port))
