"""How a server is run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from lawspeaker.faces.web.database import Place
from lawspeaker.outside.library import Library


@dataclass(frozen=True, slots=True)
class Settings:
    """`data` is the folder of the database, or the address of a PostgreSQL server that several
    machines share; `inside` is the host at which other processes that have the same tables reach
    this one, empty if there are none, and `process` its
    name among them; `names` are hosts the server goes by, besides its own.

    `pace` is how many seconds lie between the replies of bots, so that people can follow them.
    `thinkers` is in how many processes bots think; with none they think in the game thread, which
    is for tests. `hurry` multiplies how often anybody may ask for something.
    """

    data: Place
    inside: str = ""
    process: str = ""
    host: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    library: Library = field(default_factory=Library)
    pace: float = 0.6
    thinkers: int = field(default_factory=lambda: max(1, min((os.cpu_count() or 2) - 1, 8)))
    hurry: float = 1.0
    most_tables: int = 100_000
    most_open: int = 128
    most_sockets: int = 64
    """The most that may be connected to one table."""
    most_of_one: int = 48
    """The most that may be connected from one address."""
    most_sandboxed: int = 8
    """So many games by visitors' rules are open at the same time, each in a process of its own."""
    seconds_sandboxed: float = 10.0
    """So many seconds of processor time such a game may take for a reply, or for a picture."""
    keep_finished: int | None = None
    """For how many days after the last visit a table is kept whose game is over; None: always."""
    keep_running: int | None = None
    """The same for a table whose game is not."""
    most_keys: int = 20_000
    """So many browsers may have their tables and drafts gathered here, each under its key."""
    publish: str = "nothing"
    """What visitors may show in the library: `nothing`, what the owner has `approved`, or `all`."""
    embed: tuple[str, ...] = ()
    """Origins whose pages may show pages of the library inside them; none, unless said."""
    texts: Path | None = None
    """A folder with the texts of books, which comparisons quote then; for one's own use."""
    warm: bool = False
    """Whether all games are read at the start, so that the first visitor need not wait."""
