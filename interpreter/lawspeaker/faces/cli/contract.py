"""`lawspeaker show --contract`: the agreement of a table on one page."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli.common import say, show_and_leave
from lawspeaker.faces.render import contract as shown
from lawspeaker.outside.loading import editions, load_ruleset
from lawspeaker.outside.storage import write
from lawspeaker.study.compare import compare


def contract(name: str, language: str, markdown: bool, html: Path | None, width: int) -> None:
    """Prints the agreement, or writes it as a page."""
    diagnostics = Diagnostics()
    played = load_ruleset(name, diagnostics)
    base = None if played is None else played.base(diagnostics)
    if played is None or base is None:
        show_and_leave(diagnostics.sorted())
    beside = editions(name, {each.name for each in played.variants})
    agreed = shown.contract(compare([base, played, *beside], language), played)
    if html is not None:
        write(html, shown.page(agreed))
        say(f"{agreed.title}: {html}")
    elif markdown:
        say(shown.markdown(agreed).rstrip("\n"))
    else:
        say(shown.text(agreed, width).rstrip("\n"))
