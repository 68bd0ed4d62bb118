"""`lawspeaker serve`: the table in the browser."""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
import webbrowser
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from lawspeaker.faces.cli.common import complain, fail, say
from lawspeaker.outside.library import GAME_FILE, Library, search_path
from lawspeaker.outside.storage import state_folder

if TYPE_CHECKING:
    from lawspeaker.faces.web.mailing import MailServer

LOCAL = "127.0.0.1"
PORT = 8642
LARGEST_PORT = 65_535


class LogAs(StrEnum):
    """Values of `--log`."""

    TEXT = "text"
    JSON = "json"


class Publish(StrEnum):
    """Values of `--publish`: which drafts of visitors the library shows."""

    NOTHING = "nothing"
    APPROVED = "approved"
    ALL = "all"


def serve(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Folders of your own: of a game, or with games in them.",
            metavar="[PATH]...",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets other machines in.")
    ] = LOCAL,
    port: Annotated[
        int,
        typer.Option(
            help="The port; 0: any free one. Unless said, 8642 if it is free.",
            min=-1,
            max=65535,
            show_default=False,
        ),
    ] = -1,
    data: Annotated[
        str | None,
        typer.Option(
            help="The folder in which tables are kept, or a PostgreSQL database: postgresql://…",
            show_default=False,
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(help="In how many processes tables are played.", min=1, max=256)
    ] = 1,
    inside: Annotated[
        str | None,
        typer.Option(
            help="The address at which other servers with the same database reach this machine.",
            show_default=LOCAL,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name this machine is reached by; can be given several times."),
    ] = None,
    pace: Annotated[
        float, typer.Option(help="How many seconds a bot waits before it replies.", min=0, max=10)
    ] = 0.6,
    keep_days: Annotated[
        int | None,
        typer.Option(
            help="Delete games that are over when nobody has looked at them for so many days.",
            min=1,
            show_default="never",
        ),
    ] = None,
    keep_running_days: Annotated[
        int | None,
        typer.Option(
            help="Delete games that are not over in the same way.", min=1, show_default="never"
        ),
    ] = None,
    publish: Annotated[
        Publish,
        typer.Option(
            help="What visitors may show in the library: nothing, what you have approved, or all."
        ),
    ] = Publish.NOTHING,
    embed: Annotated[
        list[str] | None,
        typer.Option(
            help="Let pages of this origin show those of the library, like https://example.org;"
            " can be given several times."
        ),
    ] = None,
    open_tables: Annotated[
        bool,
        typer.Option(
            "--open-tables",
            help="Let hosts list tables on the front page, where any visitor can ask for a seat.",
        ),
    ] = False,
    times: Annotated[
        bool,
        typer.Option(
            "--times",
            help="Add up how long people take to reply, by kind of question and without names, to"
            " say how many minutes a game takes.",
        ),
    ] = False,
    mail: Annotated[
        str | None,
        typer.Option(
            help="The mail server that tells players of their turn, if they wish: smtp://HOST:PORT"
            " or smtps://HOST:PORT; user and password are in LAWSPEAKER_MAIL_USER and"
            " LAWSPEAKER_MAIL_PASSWORD.",
            show_default=False,
        ),
    ] = None,
    mail_from: Annotated[
        str | None,
        typer.Option(help="The address from which these mails come.", show_default=False),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            help="The address of this server for links in mails, like https://games.example.org.",
            show_default=False,
        ),
    ] = None,
    push: Annotated[
        bool,
        typer.Option(
            "--push",
            help="Tell players of their turn with the page closed, if they wish, by the push"
            " services of their browsers; needs --url.",
        ),
    ] = False,
    texts: Annotated[
        Path | None,
        typer.Option(
            help="The folder with the books' texts: comparisons and the reading desk show them, on"
            " this machine alone.",
            show_default=False,
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            help="Tell what the server counts at this address, /metrics, for Prometheus.",
            metavar="[ADDRESS:]PORT",
            show_default=False,
        ),
    ] = None,
    log: Annotated[LogAs, typer.Option(help="How lines of the log are written.")] = LogAs.TEXT,
    open_page: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="A line for each request.")
    ] = False,
) -> None:
    """Play in the browser, alone against bots or together.

    It listens to this machine only, unless --host says otherwise. Tables are kept reply by reply
    in a database and go on where they were, however the server ended.

    Example: lawspeaker serve --open

    Example: lawspeaker serve ~/games --open

    Example: lawspeaker serve --host 0.0.0.0 --port 8000 --data tables --processes 4

    Exit code 0: it was stopped. 1: the tables cannot be kept. 2: the command was called wrongly.
    """
    try:
        from lawspeaker.faces.web.app import make_app
        from lawspeaker.faces.web.databases import place
        from lawspeaker.faces.web.metrics import expose
        from lawspeaker.faces.web.running import log_to_terminal, run
        from lawspeaker.faces.web.security import LOCAL as HERE
        from lawspeaker.faces.web.settings import Settings
        from lawspeaker.faces.web.several import run_several
    except ModuleNotFoundError as missing:
        fail(f"this needs {missing.name}: pip install 'lawspeaker[web]'", 2)
    level = logging.INFO if verbose else logging.WARNING
    log_as = level, log is LogAs.JSON
    log_to_terminal(*log_as)
    where = place(str(data)) if data else state_folder() / "tables"
    if inside is not None and isinstance(where, Path):
        fail("a folder belongs to one server: --inside is for a database that servers share", 2)
    if texts is not None and (host not in HERE or name):
        fail(
            "the books' texts are for this machine alone: leave out --texts, or --host and --name",
            2,
        )
    if texts is not None and not texts.is_dir():
        fail(f"there is no folder {texts}", 2)
    for each in embed or ():
        if not re.fullmatch(r"https?://[a-z0-9.-]+(:\d{1,5})?", each):
            fail(f"an origin is written like https://example.org, not {each}", 2)
    roots = tuple(_root(each) for each in paths or ())
    bound = listening(host, port)
    told = None if metrics is None else _told(metrics)
    address = _address(host, bound)
    settings = Settings(
        where,
        library=Library(path=(*roots, *search_path())),
        inside="" if isinstance(where, Path) else inside or LOCAL,
        host=host,
        names=tuple(name or ()),
        pace=pace,
        keep_finished=keep_days,
        keep_running=keep_running_days,
        publish=publish.value,
        embed=tuple(embed or ()),
        texts=texts,
        open_tables=open_tables,
        times=times,
        mail=_mail(mail, mail_from, url),
        push=_contact(url) if push else "",
        warm=open_page,
    )
    app = make_app(settings) if processes == 1 else None
    say(f"The table is set: {address}")
    say("Ctrl-C ends it; every game can be continued.")
    if publish is not Publish.NOTHING:
        say(f"What visitors hand in, you decide on here: {address}library#{_owner_key(where)}")
    if host not in HERE:
        complain("Other machines can reach it, too; see docs/serving.md about https.")
    if open_page and _has_screen():
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    if app is None:
        run_several(settings, bound, processes, log_as, told)
    else:
        if told is not None and (counted := app.metrics) is not None:
            expose(told, lambda: [counted.snapshot()])
        run(app, bound)


def _mail(server: str | None, sender: str | None, url: str | None) -> MailServer | None:
    """Returns the mail server that the options name, if any."""
    from lawspeaker.faces.web.mailing import MailServer, address_of

    if server is None:
        return None
    found = re.fullmatch(r"(smtps?)://([a-z0-9.-]+)(?::(\d{1,5}))?/?", server)
    if found is None or int(found[3] or 1) > LARGEST_PORT:
        fail(f"a mail server is written like smtp://mail.example.org:587, not {server}", 2)
    if sender is None or address_of(sender) is None:
        fail("--mail needs --mail-from with an address, like games@example.org", 2)
    if url is None or not re.fullmatch(r"https?://[a-z0-9.-]+(:\d{1,5})?/?", url):
        fail("--mail needs --url with the address of this server: https://games.example.org", 2)
    tls = found[1] == "smtps"
    port = int(found[3] or (465 if tls else 25))
    user = os.environ.get("LAWSPEAKER_MAIL_USER", "")
    password = os.environ.get("LAWSPEAKER_MAIL_PASSWORD", "")
    return MailServer(found[2], port, sender, url.rstrip("/"), tls, user, password)


def _contact(url: str | None) -> str:
    """Returns the address by which push services know this server."""
    found = re.fullmatch(r"(https://[a-z0-9-]+(\.[a-z0-9-]+)+)(:\d{1,5})?/?", url or "")
    if found is None:
        fail("--push needs --url with the https address of this server, as browsers do", 2)
    if find_spec("pywebpush") is None:
        fail("this needs pywebpush: pip install 'lawspeaker[push]'", 2)
    return found[1]


def _owner_key(where: Path | str) -> str:
    from lawspeaker.faces.web.workshop.draft_store import Drafts

    drafts = Drafts(where)
    try:
        return drafts.owner_key()
    finally:
        drafts.close()


def _root(path: Path) -> Path:
    """Returns the library root for a path: the folder itself, or the parent of a game's folder."""
    if not path.is_dir():
        fail(f"there is no folder {path}", 2)
    whole = path.resolve()
    return whole.parent if (whole / GAME_FILE).is_file() else whole


def _has_screen() -> bool:
    """Whether a browser can open a window. Without a display it would take over the terminal."""
    named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or bool(named)


def listening(host: str, port: int, option: str = "--port") -> socket.socket:
    """Returns a listening socket, which already accepts connections when the page is opened.

    `option` is what to change if that cannot be.
    """
    try:
        try:
            return _bound(host, PORT if port < 0 else port)
        except OSError:
            if port >= 0:
                raise
            return _bound(host, 0)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        fail(f"cannot listen at {host}, port {port}: {reason}; choose another with {option}", 2)


def _bound(host: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(128)
    except OSError:
        found.close()
        raise
    return found


def _told(where: str) -> socket.socket:
    """Returns the listening socket that `--metrics` names."""
    host, _, port = where.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or LOCAL
    if not port.isdecimal() or int(port) > LARGEST_PORT:
        fail(f"a port or an address with a port is wanted, like 9100 or {LOCAL}:9100: {where}", 2)
    return listening(host, int(port), "--metrics")


def _address(host: str, bound: socket.socket) -> str:
    port = bound.getsockname()[1]
    everywhere = {"0.0.0.0": "localhost", "::": "localhost", LOCAL: "localhost"}
    shown = everywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"
