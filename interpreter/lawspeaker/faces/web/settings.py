"""The options of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from lawspeaker.faces.web.database import Place
from lawspeaker.faces.web.mailing import MailServer
from lawspeaker.outside.library import Library


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of a server, from the command line.

    `data` is the folder of the database, or the URL of a PostgreSQL server that several machines
    share. `inside` is the host at which other processes with the same tables reach this one, empty
    if there are none, and `process` its id among them. `names` are additional host names.

    `pace` is the pause in seconds between replies of bots, so that people can follow. `thinkers` is
    the number of processes for bots; with 0 they run in the game thread, which is for tests.
    `hurry` scales all rate limits.
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
    """Maximum number of connections to one table."""
    most_of_one: int = 48
    """Maximum number of connections from one address."""
    most_sandboxed: int = 8
    """Maximum number of open games by visitors' rules, each in a process of its own."""
    seconds_sandboxed: float = 10.0
    """Processor time in seconds that such a game may take for a reply or a picture."""
    keep_finished: int | None = None
    """Days after the last visit for which a finished table is kept; None for always."""
    keep_running: int | None = None
    """Days after the last visit for which an unfinished table is kept; None for always."""
    most_keys: int = 20_000
    """Maximum number of keys whose tables and drafts are stored."""
    publish: str = "nothing"
    """Drafts of visitors in the library: `nothing`, what the owner has `approved`, or `all`."""
    embed: tuple[str, ...] = ()
    """Origins that may embed pages of the library; by default none."""
    texts: Path | None = None
    """A folder with texts of books that comparisons quote; for private use."""
    open_tables: bool = False
    """Whether hosts may list tables in the lobby, where any visitor can ask for a seat."""
    times: bool = False
    """Whether the time of replies is added up by kind of question, without names."""
    mail: MailServer | None = None
    """Where to send mails to players for whom a game waits; by default none are sent."""
    push: str = ""
    """The https address of this server, if browsers are told by Web Push; by default none are."""
    warm: bool = False
    """Whether all games are compiled at the start, so that the first visitor need not wait."""
