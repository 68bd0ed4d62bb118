"""Lines of the terminal break at spaces, and never at no-break spaces."""

from __future__ import annotations

import io

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lawspeaker.base.typography import NARROW, NO_BREAK
from lawspeaker.faces.render.blocks import Prose, wrapped

SAID = f"Il reste trois cartes{NARROW}; on joue{NO_BREAK}: une."


def test_a_line_breaks_before_the_word_whose_sign_would_be_left_alone() -> None:
    lines = [line.plain.rstrip() for line in wrapped(Text(SAID, style="bold"), 21)]
    assert lines == ["Il reste trois", f"cartes{NARROW}; on joue{NO_BREAK}:", "une."]
    alone = [line.plain for line in Text(SAID).wrap(Console(), 21)]
    assert alone[0].endswith("cartes"), "rich by itself leaves the sign to the next line"


def test_so_it_does_inside_tables_with_its_styles() -> None:
    grid = Table.grid()
    text = Prose("Il reste ")
    text.append(f"trois cartes{NARROW}; rien.", style="bold")
    grid.add_column(width=21)
    grid.add_row(text)
    out = io.StringIO()
    Console(file=out, width=40, force_terminal=True, color_system="standard").print(grid)
    first, second = out.getvalue().splitlines()
    assert first.startswith("Il reste \x1b[1mtrois")
    assert f"\x1b[1mcartes{NARROW}; rien.\x1b[0m" in second
