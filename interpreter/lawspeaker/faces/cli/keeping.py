"""Writes results to files: pages, plots, and tables as CSV or Parquet.

If a file is not writable, commands exit with code 1 before they play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawspeaker.faces.cli.common import complain, fail
from lawspeaker.faces.cli.options import AsJson, Csv, Html, Parquet, Plot
from lawspeaker.faces.render.data import DataTable, about

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lawspeaker.match.game import Game


def log_file(game: Game, kind: str, bots: Sequence[str], *more: object, under: str = "") -> Path:
    """Returns the file for the log of a game between some bots, `under` values of the rules.

    The name contains a hash of rules, values and bots, so that a command printed earlier keeps
    opening the same game.
    """
    from lawspeaker.outside.storage import state_folder

    digest = sha256("\n".join((game.program.digest, under, *bots)).encode()).hexdigest()[:12]
    words = "".join(each if each.isalnum() else "_" for each in f"{game.name} {under or bots[0]}")
    named = "-".join(str(each) for each in (words, len(bots), *more, digest))
    return state_folder() / kind / f"{named}.json"


def keep(file: Path, content: str | bytes) -> None:
    """Writes a result to a file atomically."""
    from lawspeaker.outside.storage import write

    write(file, content)
    complain(f"wrote {file}")


@dataclass(frozen=True, slots=True)
class Tables:
    """Options for a result: JSON on the terminal, and its table as files."""

    json: AsJson = False
    csv: Csv = None
    parquet: Parquet = None

    def check(self, *more: Path | None) -> None:
        """Exits before any game is played if a file, or one of `more`, is not writable, or a
        library for Parquet is missing."""
        from lawspeaker.outside.storage import try_to_write

        for each in (*more, self.csv, self.parquet):
            if each is not None:
                try_to_write(each)
        if self.parquet is not None:
            DataTable({}).parquet()

    def keep_table(self, table: DataTable, result: Mapping[str, Any]) -> None:
        """Writes a table of a result in the requested formats."""
        if self.csv is not None:
            keep(self.csv, table.csv())
        if self.parquet is not None:
            keep(self.parquet, table.parquet(about(result)))


@dataclass(frozen=True, slots=True)
class Files(Tables):
    """These options, a plot and a page."""

    plot: Plot = None
    html: Html = None

    def check(self, *more: Path | None) -> None:
        if self.plot is not None:
            picture_of(self.plot)
        super(Files, self).check(self.plot, self.html, *more)

    def draw(self, plot: Callable[[], Figure], page: Callable[[], str]) -> None:
        """Writes the plot and the page, if they are wanted."""
        if self.plot is not None:
            keep_plot(self.plot, plot())
        if self.html is not None:
            keep(self.html, page())


def keep_plot(file: Path, plot: Figure) -> None:
    """Writes a plot in the format of the file's suffix."""
    from lawspeaker.faces.render import plots

    keep(file, plots.drawn(plot, picture_of(file)))


def picture_of(file: Path) -> str:
    """Returns the format of a plot by the file's suffix."""
    from lawspeaker.faces.render import plots

    kind = file.suffix.removeprefix(".").lower()
    if kind not in plots.KINDS:
        fail(f"a plot is one of {', '.join(plots.KINDS)}, not `{file.name}`", 2)
    return kind
