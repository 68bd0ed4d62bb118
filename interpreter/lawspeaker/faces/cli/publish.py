"""`lawspeaker publish`: writes a static site that plays games without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.faces.cli.common import fail, say
from lawspeaker.faces.cli.common import game as load_game


def publish(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to write into.", metavar="FOLDER")
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Games: names, folders or files.", metavar="[NAME...]"),
    ] = None,
    workshop: Annotated[
        bool,
        typer.Option("--workshop", help="Publish the workshop, too: to change rules and try them."),
    ] = False,
    puzzles: Annotated[
        list[Path] | None,
        typer.Option(
            "--puzzle", help="A scenario of one of the games, to be guessed.", metavar="FILE"
        ),
    ] = None,
    docs: Annotated[
        Path | None,
        typer.Option(
            "--docs", help="Finished pages to put into the folder docs.", metavar="FOLDER"
        ),
    ] = None,
    runtime: Annotated[
        Path | None,
        typer.Option(
            "--runtime",
            help="The unpacked npm package pyodide, instead of having npm fetch it.",
            metavar="FOLDER",
        ),
    ] = None,
) -> None:
    """Write a folder that plays games in any browser, without a server.

    It can be put on any host of plain files, and plays without a network once it was opened. Each
    game is played by the rules that are named, with its variants if it has any: GAME+VARIANT.
    Bots think in the browser, by the compiled game. People sit at one screen, and hand it over.

    Example: lawspeaker publish GAME GAME+VARIANT -o site

    With --workshop there is a page, too, on which the rules of these games and all their variants
    can be changed, tried, played and shared by link. If no game is named, it has all there are.

    With --puzzle FILE, which may be said more than once, the page of a game also offers a scenario
    of it as a puzzle.

    With --docs the front page links to pages of your own, such as built documentation; their
    index.html is opened first.

    Python for the browser is the npm package pyodide, which npm fetches once; it is kept in the
    user's cache folder.

    Exit code 0: the folder is written. 1: rules have faults, or an example of the rulebook or a
    puzzle does not hold. 2: wrong call, or there is no runtime.
    """
    from lawspeaker.faces.publishing import site
    from lawspeaker.faces.publishing.puzzle import puzzle
    from lawspeaker.faces.publishing.runtime import runtime as found_runtime
    from lawspeaker.outside.library import Library

    names = names or []
    if not names and not workshop:
        raise typer.BadParameter("name a game, or say --workshop")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise typer.BadParameter(f"named twice: {', '.join(sorted(twice))}")
    if output.exists() and not _is_a_site(output):
        fail(f"{output} holds something else; name a new folder, or an empty one", 2)
    if docs is not None and not (docs / "index.html").is_file():
        fail(f"{docs} has no index.html", 2)
    games = [load_game(name) for name in names]
    python = found_runtime(runtime)
    asked = {each.stem: puzzle(each) for each in puzzles or ()}
    changed = (names or Library().games()) if workshop else None
    pages = None if docs is None else _files(docs)
    made = site.site(games, python, say, puzzles=asked, workshop=changed, docs=pages)
    try:
        site.write(made, output)
    except OSError as error:
        fail(f"{output}: {error.strerror}", 2)
    size = sum(map(len, made.values()))
    say(f"{output}: {len(made)} files, {size / 1e6:.1f} MB")


def _files(folder: Path) -> dict[str, bytes]:
    """All files of a folder by path, without hidden ones."""
    found = (each for each in sorted(folder.rglob("*")) if each.is_file())
    paths = ((each.relative_to(folder), each) for each in found)
    return {
        path.as_posix(): each.read_bytes()
        for path, each in paths
        if not any(part.startswith(".") for part in path.parts)
    }


def _is_a_site(folder: Path) -> bool:
    """Whether a folder may be overwritten: it is empty, or a site written by this command."""
    return folder.is_dir() and (not any(folder.iterdir()) or (folder / "service.js").is_file())
