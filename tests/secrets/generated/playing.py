"""Generated files that the checker accepts, played as twins; and what to print of one that leaks.

Most files are refused at first. `accepted` drops the lines that the checker complains of until the
rest is clean. So it plays files that the checker just about accepts, which is where its mistakes
are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.faces.seat_output import ALL_CHANNELS
from lawspeaker.study.secrets.api_output import CHANNELS, OutputChannel
from lawspeaker.study.secrets.trial import FAULT, Leak, LeakSearch, SecretFindings, TrialTable
from tests.secrets.generated.extended import budget_of, generated
from tests.secrets.generated.files import Checked, Path, RuleFile, check_text

SECRETS = (
    *("tells-a-secret", "asking-reveals", "hidden-from-chooser", "secret-kept"),
    *("fault-reveals", "too-large"),
)
"""The codes of files that give something away, or of which nobody can tell."""
QUICK = {"question": 1, "numbers": 1, "view": 3, "events": 3, "story": 2}
"""Channels on which every file is played, each compared at every so manieth look."""
QUICKLY = tuple(replace(each, every=QUICK[each.name]) for each in CHANNELS if each.name in QUICK)
SLOW = tuple(each for each in ALL_CHANNELS if each.name not in QUICK)
GROUPS = 5
"""The others are in so many groups. Each file is played on one group, too, in turn: on all of them
it would take four times as long."""
STARTS_EVERY = 6
"""Of so many files one is played with twins from the start of a game, too."""
MOMENTS = 8
MOST_REPAIRS = 6
AGAIN = "python -m tests.secrets.generated"


def checked(file: RuleFile) -> Checked:
    with budget_of(file.seed):
        return check_text(file.text, file.table)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A file that is clean, and its program."""

    file: RuleFile
    program: ir.Program


def accepted(file: RuleFile, first: Checked | None = None) -> Accepted | None:
    """The file without all lines that the checker complains of; None if that does not help."""
    for _ in range(MOST_REPAIRS):
        found = first or checked(file)
        first = None
        if found.program is not None:
            return Accepted(file, found.program)
        lines, offset = file.lines, file.before.count("\n") + 1
        numbers = {each.span.line - offset for each in found.errors}
        paths = {lines[number][1] for number in numbers if 0 <= number < len(lines)}
        paths = {path for path in paths if len(path) > 1}
        if not paths:
            return None
        for path in sorted(_outermost(paths), reverse=True):
            file = file.without(path)
    return None


def _outermost(paths: set[Path]) -> Iterator[Path]:
    """Those that do not stand below others."""
    for path in paths:
        if not any(path[:depth] in paths for depth in range(1, len(path))):
            yield path


def channels_for(seed: int, *, whole: bool = True) -> Sequence[OutputChannel]:
    """The channels of a file: with the whole group of slow ones, or with one of the group."""
    group = SLOW[seed % GROUPS :: GROUPS]
    return (*QUICKLY, *(group if whole else (group[seed // GROUPS % len(group)],)))


def play_twins(
    program: ir.Program, seed: int, games: int = 1, channels: Sequence[OutputChannel] | None = None
) -> SecretFindings:
    """Twins of some games, at a quick or a discreet table."""
    with budget_of(seed):
        players = len(program.player_names)
        trial = LeakSearch(program, players, channels_for(seed) if channels is None else channels)
        for at in range(games):
            starts = (seed + at) % STARTS_EVERY == 0
            trial.game(TrialTable(players, seed + at, ("reference",)), MOMENTS, starts)
    return trial.findings


# ---------------------------------------------------------------- a file that leaks


def shrunk(file: RuleFile, leaks: Callable[[RuleFile], bool]) -> RuleFile:
    """Leaves out lines, and parts of them, as long as the file still leaks."""
    found: RuleFile | None = file
    while found is not None:
        file = found
        found = next(filter(leaks, _smaller(file)), None)
    return file


def _smaller(file: RuleFile) -> Iterator[RuleFile]:
    """The same file without a line, without what stands around a block, or with a simpler value."""
    paths = sorted({path for _, path in file.lines if len(path) > 1})
    yield from (file.without(path) for path in paths)
    yield from (file.without(path, unwrapped=True) for path in paths if file.at(path).below)
    for path in paths:
        for text in _simpler(file.at(path).text):
            yield file.changed(path, text)


def _simpler(text: str) -> Iterator[str]:
    """A line with something in brackets replaced by a part of it, or by a literal."""
    for start, end in _brackets(text):
        within = [text[one:two] for one, two in _brackets(text) if start < one and two < end]
        for instead in (*within, "1", "yes", "ann"):
            if len(instead) < end - start:
                yield text[:start] + instead + text[end:]


def _brackets(text: str) -> list[tuple[int, int]]:
    """Where pairs of brackets stand, but for those of a call."""
    opened: list[int] = []
    found = []
    for at, sign in enumerate(text):
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            start = opened.pop()
            if not start or text[start - 1] in " (":
                found.append((start, at + 1))
    return sorted(found)


def leaks_clean(games: int, channels: Sequence[OutputChannel]) -> Callable[[RuleFile], bool]:
    """Whether a file is clean and gives something away."""

    def leaks(file: RuleFile) -> bool:
        program = checked(file).program
        return program is not None and bool(play_twins(program, file.seed, games, channels).leaks)

    return leaks


def report(file: RuleFile, leak: Leak) -> str:
    """All that is needed to see a leak again."""
    rules = "\n".join(text for text, _ in file.lines)
    found = leak.difference
    seat = "a spectator" if leak.seat is None else ("ann", "ben", "cy", "di")[leak.seat]
    return (
        f"The checker accepts this file, and {seat} can tell twins apart in `{leak.clause}` "
        f"({found.channel}):\n{rules}\n\n"
        f"one game: {found.one}\nthe other: {found.two}\n"
        f"answers: {leak.before}, then {leak.since}\n"
        f"seed {file.seed}; again: {AGAIN} {file.seed}"
    )


def first_leak(seed: int, *, whole: bool = True) -> str | None:
    """Generates a file and plays it; if it leaks, a report of a smaller one."""
    found = accepted(generated(seed))
    if found is None:
        return None
    try:
        findings = play_twins(found.program, seed, channels=channels_for(seed, whole=whole))
    except Exception as error:
        error.add_note(f"seed {seed}; again: {AGAIN} {seed}")
        raise
    if not findings.leaks:
        return None
    quick = findings.leaks[0].difference.channel in (*QUICK, FAULT)
    channels = QUICKLY if quick else ALL_CHANNELS
    few = shrunk(found.file, leaks_clean(4, channels))
    program = checked(few).program
    assert program is not None
    again = play_twins(program, seed, 4, channels)
    return report(few, (again.leaks or findings.leaks)[0])
