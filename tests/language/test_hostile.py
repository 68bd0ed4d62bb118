"""Files that mean no good are refused, in little memory, and with a message.

Every text here is larger, deeper or stranger than any game. No clock is looked at: a test of a file
that is not refused soon does not end. Games that are no good, but nothing is wrong with, are in
`hostile.py`.
"""

from __future__ import annotations

import os
import socket
import sys
import tracemalloc
from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli import main
from lawspeaker.faces.render import diagnostics as render
from lawspeaker.meaning.compile import VariantFile, compile_game
from lawspeaker.meaning.overlay import MOST_AMENDED, MOST_CHANGES
from lawspeaker.outside.folder import _is_scenario
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, schema
from lawspeaker.text.parse import grammar
from tests.compiled.side_by_side import SideBySide
from tests.tiers import sample

MEGABYTES = 120
HEAD = "lawspeaker: 1\ngame: hostile\nplayers: {from: 2, to: 2}\n"
RUNS = "rules:\n  game: {says: It runs., rule: skip}\n"


def game(code: str, sections: str = "") -> str:
    lines = "".join(f"      {line}\n" for line in code.split("\n"))
    return f"{HEAD}{sections}rules:\n  game:\n    says: It runs.\n    rule: |\n{lines}"


def clauses(count: int, clause: str, first: str = "do c0") -> str:
    """Many clauses; `{i}` is the number of each, `{next}` that of the next, in a circle."""
    each = (clause.format(i=i, next=(i + 1) % count) for i in range(count))
    return f"{HEAD}rules:\n  game: {{says: It runs., rule: {first}}}\n" + "\n".join(each)


def numbered_lines(count: int, line: str) -> str:
    """Many lines; `{i}` is the number of each."""
    return "".join(line.format(i=i) + "\n" for i in range(count))


BOX = "pieces:\n  card: {count: 1, starts in: box}\nplaces:\n  box: {holds: card}\n"
MANY_CARDS = BOX.replace("count: 1", "count: 9999")
DOUBLING = """\
pieces:
  card: {of each: player, starts in: hand, kinds: {ace: 2}}
places:
  hand: {of each: player, holds: card, seen by: owner}
rules:
  game:
    says: It runs.
    asks: Whom?
    guards: {weak: Only the weak.}
    rule: |
      for each player:
        player may choose player as victim
          where weak: v0 of victim > 1
  last:
    says: It looks into hands.
    define: v60 of player
    as: count of cards in hand of player where card is ace
"""

HOSTILE: dict[str, tuple[str, str]] = {
    # nesting
    "lists in YAML": ("too-deep", "a: " + "[" * 100_000),
    "lists in YAML, closed": ("too-deep", "a: " + "[" * 5_000 + "]" * 5_000),
    "keys in YAML": ("too-deep", "\n".join(" " * i + "a:" for i in range(1_000))),
    "a table in a table": ("too-deep", HEAD + RUNS + "table: " + "{down: [" * 60 + "]}" * 60),
    "brackets": ("too-deep", game("players score " + "(" * 9_000 + "1" + ")" * 9_000)),
    "brackets, open": ("syntax", game("players score " + "(" * 19_000)),
    "lists": ("too-deep", game("let x be " + "[" * 9_000 + "]" * 9_000)),
    "not not": ("too-deep", game("if " + "not " * 4_000 + "yes: skip")),
    "minus minus": ("too-deep", game("players score " + "-" * 9_000 + "1")),
    "if then else if": ("too-deep", game("players score " + "if yes then 1 else " * 900 + "1")),
    "of of of": ("too-deep", game("players score " + "left_neighbour of " * 1_000 + "player")),
    "else if": (
        "too-deep",
        game("if yes: skip\n" + "else if yes: skip\n" * 90),
    ),
    "else if in else if": (
        "too-deep",
        game(
            "if yes: skip\n"
            + "else if yes: skip\n" * 40
            + "else:\n  if yes: skip\n"
            + "  else if yes: skip\n" * 40
        ),
    ),
    "blocks": (
        "too-deep",
        game("\n".join(" " * i + "if yes:" for i in range(100)) + "\n" + " " * 100 + "skip"),
    ),
    "values on values": (
        "too-deep",
        f"{HEAD}rules:\n  game: {{says: It runs., rule: players score v899}}\n"
        "  first: {says: s., define: v, as: 1}\n  c: {says: s., define: v0, as: v + 1}\n"
        + "".join(f"  c{i}: {{says: s., define: v{i}, as: v{i - 1} + 1}}\n" for i in range(1, 900)),
    ),
    # repetition
    "a sum": ("too-large", game("players score " + "1+" * 100_000 + "1")),
    "a sum in a clause": ("too-deep", game("players score " + "1+" * 9_000 + "1")),
    "a line": ("too-large", game("players score 1 # " + "x" * 900_000)),
    "a name": ("unknown-name", game("x" * 15_000 + " scores 1")),
    "dots": ("syntax", game("players score " + "a." * 8_000)),
    "empty lines": ("syntax", game("\n" * 2_800 + "+ 1")),
    "spaces": ("syntax", game("players score" + " " * 19_000 + "1 )")),
    "words": ("syntax", game("players score " + "a_" * 4_000 + "!")),
    "comments": ("unknown-name", game("nobody_here scores 1\n" + "#\n" * 2_000 + "+ 1")),
    "unclosed brackets": ("syntax", game("\n".join(["players score (1"] * 700))),
    "mistakes": ("unknown-name", game(numbered_lines(700, "x{i} becomes y{i}"))),
    "slips": ("syntax", game(numbered_lines(1_000, "set x to 3"))),
    "clauses": ("too-large", clauses(5_000, "  c{i}: {{says: s., rule: do c{next}}}")),
    "code altogether": (
        "too-large",
        clauses(900, "  c{i}:\n    says: s.\n    rule: |\n" + "      players score 12\n" * 4),
    ),
    "parts of the table": (
        "too-large",
        f"{HEAD}markers: {{m: {{shows: 0..9}}}}\n{RUNS}table:\n  down:\n"
        + "    - {marker: m}\n" * 700,
    ),
    "values": ("too-large", HEAD + RUNS + "about: [" + "1, " * 20_000 + "]\n"),
    "a circle of clauses": ("recursion", clauses(900, "  c{i}: {{says: s., rule: do c{next}}}")),
    "a circle of values": (
        "recursion",
        clauses(900, "  c{i}: {{says: s., define: v{i}, as: v{next} + 1}}", "players score v0"),
    ),
    "circles": (
        "recursion",
        clauses(60, "  c{i}:\n    says: s.\n    rule: |\n" + numbered_lines(60, "      do c{i}")),
    ),
    "unknown names": (
        "unknown-name",
        clauses(900, "  c{i}: {{says: s., rule: x{i} becomes y{i}}}"),
    ),
    "meanings of a word": (
        "too-large",
        f"{HEAD}words:\n{numbered_lines(900, '  w{i}: [a{i}]')}"
        "rules:\n  game: {says: s., rule: players score v of a0}\n"
        + numbered_lines(900, "  c{i}: {{says: s., define: v of w{i}, as: 1}}"),
    ),
    "values that double": (
        "hidden-from-chooser",
        HEAD
        + DOUBLING
        + "".join(
            f"  c{i}: {{says: s., define: v{i} of player, "
            f"as: v{i + 1} of player + v{i + 1} of left_neighbour of player}}\n"
            for i in range(60)
        ),
    ),
    "definitions that double": (
        "too-much-work",
        f"{HEAD}rules:\n  game: {{says: It runs., rule: players scores v0 of player_1}}\n"
        + "".join(
            f"  c{i}: {{says: s., define: v{i} of player, "
            f"as: v{i + 1} of player + v{i + 1} of player}}\n"
            for i in range(60)
        )
        + "  c60: {says: s., define: v60 of player, as: score of player}\n",
    ),
    # sizes
    "places": (
        "too-large",
        game("skip", f"numbers: {{p: 1..99999}}\n{BOX}  x: {{at: p, holds: card}}\n")
        .replace("{p: 1..99999}", "{p: 1..99999, q: 1..99999, r: 1..100}")
        .replace("at: p", "at: [p, q, r]"),
    ),
    "families of places": (
        "too-large",
        game(
            "skip",
            "numbers: {p: 1..9999}\n" + BOX + numbered_lines(900, "  x{i}: {{at: p, holds: card}}"),
        ),
    ),
    "a grid": ("too-large", game("skip", f"{MANY_CARDS}  cell: {{grid: grows, holds: card}}\n")),
    "a count": ("bad-value", game("skip", BOX.replace("count: 1", "count: 99999999999999"))),
    "counts": (
        "too-large",
        game(
            "skip",
            f"pieces:\n{numbered_lines(900, '  card{i}: {{count: 10000, starts in: box{i}}}')}"
            f"places:\n{numbered_lines(900, '  box{i}: {{holds: card{i}}}')}",
        ),
    ),
    "kinds": (
        "too-large",
        game("skip", BOX.replace("count: 1, ", "").replace("}\np", ", kinds: {KINDS}}\np")).replace(
            "KINDS", ", ".join(f"k{i}: 1" for i in range(11_000))
        ),
    ),
    "times": ("too-large", game("repeat 2000000000 times: skip")),
    "a range in code": ("too-large", game("for each number in 0..2000000000: skip")),
    "a range": ("bad-value", game("skip", "numbers: {p: 1.." + "9" * 1_000 + "}\n")),
    "a number": ("out-of-range", game("players score " + "9" * 15_000)),
    "players": ("bad-value", HEAD.replace("to: 2", "to: 999999999999") + RUNS),
    "a list": (
        "too-large",
        HEAD.replace("to: 2", "to: 64")
        + f"choices:\n  a: {{says: s., is: [{'1, ' * 20_000}1]}}\n"
        + RUNS.replace("skip", "players score a at 1"),
    ),
    "names": ("too-large", HEAD + RUNS + "names:\n" + numbered_lines(9_000, "  n{i}: {{en: x}}")),
    # strange text
    "references": (
        "yaml-anchor",
        "x0: &x0 [a, a]\n"
        + "".join(f"x{i + 1}: &x{i + 1} [*x{i}, *x{i}, *x{i}]\n" for i in range(30)),
    ),
    "keys": ("duplicate-key", HEAD + "rules: {}\n" * 9_000),
    "colons": ("yaml-syntax", HEAD + "a: " + ": " * 50_000),
    "backslashes": ("yaml-syntax", HEAD + 'a: "' + "\\" * 100_000),
    "dashes": ("yaml-syntax", HEAD + "- " * 100_000),
    "tabs": ("yaml-tab", HEAD + "\t" * 100_000),
    "control characters": ("yaml-character", HEAD + "\x01" * 100_000),
    "half a character": ("yaml-character", HEAD + "a: \ud800"),
    "zeros": ("yaml-character", "\0" * 1_000),
    "marks": ("yaml-character", "\ufeff" * 1_000),
    "signs": ("syntax", game("players score " + "👩‍👩‍👧‍👦" * 1_000)),
    "placeholders": (
        "unknown-name",
        game("player_1 may wait").replace("rule:", f"asks: '{'{x}' * 9_000}'\n    rule:"),
    ),
    "a text without an end": ("too-large", "a" * 2_000_000),
}


def compiled(text: str) -> tuple[ir.Program | None, Diagnostics]:
    diagnostics = Diagnostics()
    file = SourceFile("hostile.yaml", text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    return program, diagnostics


@pytest.mark.parametrize("name", sample(HOSTILE, test=3, full=2))
def test_hostile_text_is_refused_with_its_code(name: str) -> None:
    code, text = HOSTILE[name]
    program, diagnostics = compiled(text)
    shown = render.text(diagnostics)
    assert program is None
    assert code in {each.code for each in diagnostics if each.severity == "error"}, shown[:2_000]
    assert len(shown) < 100_000


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    sample(
        [
            "values that double",
            "lists in YAML",
            "brackets",
            "references",
            "places",
            "counts",
        ],
        full=3,
    ),
)
def test_it_takes_little_memory(name: str) -> None:
    grammar()
    tracemalloc.start()
    try:
        compiled(HOSTILE[name][1])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEGABYTES * 2**20


# ---------------------------------------------------------------- variants

AMENDED = (
    f"{HEAD}rules:\n  game:\n    says: It runs.\n    asks: What?\n    guards: {{g: G.}}\n"
    "    rule: |\n      player_1 may take: number in 1..3\n        where g: v > 0\n"
    "  c: {says: s., define: v, as: score of player_1}\n"
)
ADD = "{{add: x{i}, says: s., after: game, rule: skip}}"
AMEND = "{{amend: game.g, also: v > {i}, says: s.}}"


def compile_variant(change: str, count: int) -> tuple[ir.Program | None, Diagnostics]:
    """A game with a variant that makes so many changes."""
    head = "lawspeaker: 1\nvariant: v\nof: hostile\nlayer: house rule\ntitle: T\nchanges:\n"
    file = SourceFile("v.yaml", head + numbered_lines(count, f"  - {change}"))
    diagnostics = Diagnostics()
    program = compile_game(
        SourceFile("hostile.yaml", AMENDED),
        lambda name, span: None,
        schema("game"),
        diagnostics,
        [VariantFile(file)],
        schema("variant"),
    )
    return program, diagnostics


@pytest.mark.parametrize(
    "change, most, code", [(ADD, MOST_CHANGES, "too-large"), (AMEND, MOST_AMENDED, "too-deep")]
)
def test_changes_are_refused_from_the_first_that_is_too_many(
    change: str, most: int, code: str
) -> None:
    program, diagnostics = compile_variant(change, most + 5)
    assert program is None
    assert [(each.code, each.span.line) for each in diagnostics] == [(code, 7 + most)]


def test_a_guard_can_be_amended_as_often_as_may_be() -> None:
    program, _ = compile_variant(AMEND, MOST_AMENDED)
    assert program is not None
    SideBySide(program, 2).play(1)


# ---------------------------------------------------------------- files


def in_folder(folder: Path, head: str) -> list[str]:
    """The codes of what is said about a game in a folder, as it is found on the disk."""
    (folder / "game.yaml").write_text(head, encoding="utf-8")
    diagnostics = Diagnostics()
    assert compile_name("./game.yaml", diagnostics, Library(here=folder, path=())) is None
    return [each.code for each in diagnostics]


@pytest.mark.parametrize(
    "name",
    [
        "../../../../../../../../etc/passwd",
        "/etc/passwd",
        "..",
        ".",
        "a/../../b.yaml",
        "nul\\0byte.yaml",
        "x" * 5_000,
        "~/rules.yaml",
        "$HOME",
        "file:///etc/passwd",
        "con.yaml",
    ],
)
def test_no_file_outside_is_read(name: str, tmp_path: Path) -> None:
    head = f'{HEAD}files: ["{name}"]\n{RUNS}'
    assert set(in_folder(tmp_path, head)) <= {"not-found", "yaml-character"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside.yaml", tmp_path / "game"
    outside.write_text("rules: {}\n", encoding="utf-8")
    inside.mkdir()
    (inside / "linked.yaml").symlink_to(outside)
    assert in_folder(inside, f"{HEAD}files: [linked.yaml]\n{RUNS}") == ["not-found"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_what_is_no_regular_file_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe that nobody writes to would be waited for without end."""
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.yaml")
        for name in ("pipe", "folder", "socket"):
            head = f"{HEAD}files: [{name}.yaml]\n{RUNS}"
            assert in_folder(tmp_path, head) == ["not-found"], name
    assert not _is_scenario(tmp_path / "pipe.yaml")


FAULTS = f"""{HEAD}
pieces:
  card: {{count: 4, starts in: deck}}
places:
  deck: {{holds: card, arranged: pile, seen by: nobody}}
rules:
  game: {{says: It runs., rule: players score 1 / score of player_1 rounded down}}
"""


@pytest.mark.parametrize(
    "command", [("secrets", "--games", "1"), ("simulate", "--games", "1"), ("perft",), ("play",)]
)
def test_a_game_that_faults_at_its_start_is_told(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(FAULTS, encoding="utf-8")
    name, *others = command
    monkeypatch.setattr(sys, "argv", ["lawspeaker", name, str(file), *others])
    with pytest.raises(SystemExit) as left:
        main()
    told = "".join(capsys.readouterr()) + str(left.value.code)
    assert left.value.code != 0
    assert "division by zero" in told


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"f{number}.yaml").write_text("rules: {}\n", encoding="utf-8")
    head = f"{HEAD}files: [{', '.join(f'f{number}.yaml' for number in range(150))}]\n{RUNS}"
    assert in_folder(tmp_path, head) == ["too-large"]


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "picture.yaml").write_bytes(bytes(range(256)) * 100)
    assert in_folder(tmp_path, f"{HEAD}files: [picture.yaml]\n{RUNS}") == ["not-found"]


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_bytes(b"# " + b"x" * 3_000_000)
    assert in_folder(tmp_path, f"{HEAD}files: [large.yaml]\n{RUNS}") == ["not-found"]
