"""The tasks of the workers of a server: each reads rules in a folder and yields an answer as text.

They are generators, as all jobs of the worker pool are. Each runs with all files hidden but those
of the folder and of the package, whatever names the rules bring (`only_below`).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console, RenderableType

from lawspeaker.base import codes
from lawspeaker.base.diagnostics import Diagnostics, RulesError, did_you_mean, with_noun
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render import (
    compare_markdown,
    drama,
    ladder,
    review,
    sheet,
    simulation,
    variety,
    worth,
)
from lawspeaker.faces.render import diagnostics as shown
from lawspeaker.faces.render import scenario as scenarios
from lawspeaker.faces.render.clause import explainable, explained
from lawspeaker.faces.render.proof import sentences
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.match.events import known_to
from lawspeaker.match.match import IllegalChoice, Match
from lawspeaker.outside.affected_rules import rules_of
from lawspeaker.outside.checking import checked as checked_name
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments import reviewing, simulating
from lawspeaker.outside.experiments.dramas import dramas
from lawspeaker.outside.experiments.ladders import laddered
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.requests import (
    NotPossible,
    Setting,
    as_text,
    pinned,
    player_count,
    seat_bots,
)
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.experiments.varieties import varieties
from lawspeaker.outside.experiments.worth_by_intervention import worths
from lawspeaker.outside.library import Library, LibraryError, data_folder, only_below
from lawspeaker.outside.loading import load, load_rulesets, run_scenarios
from lawspeaker.outside.rules import Rules, program_of
from lawspeaker.players.bots import RANDOM
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.compare import OtherGame
from lawspeaker.study.compare import compare as compare_tellings
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.lab.variety import PANEL
from lawspeaker.telling.story import Story, brief
from lawspeaker.text.format import FormatMistake, formatted

WIDTH = 100
POSITIONS = 1_000
"""Number of positions that are searched for an example of a difference."""
MOST_LINES = 30
"""Maximum number of lines of a story, the latest ones."""
MOST_OPTIONS = 200
RUNGS = ("random", "greedy", "mc:50", "mc:200")
"""The ladder of bots that is played."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a client: a text, and whether it is what was asked for.

    `files` are new texts of files, by path in the folder.
    """

    text: str
    good: bool = True
    files: Mapping[str, str] = field(default_factory=dict)


def _answered(folder: str, answer: Callable[[Library], Answer]) -> Answer:
    """Calls a function with the library of a folder; errors of rules become answers."""
    here = Path(folder)
    package = [data_folder(kind) for kind in ("rules", "variants", "schema", "docs")]
    with only_below(here, *package):
        try:
            return answer(Library(here, ()))
        except RulesError as error:
            return Answer(shown.text(error.diagnostics, left_out=error.left_out), good=False)
        except (LibraryError, NotPossible, OtherGame, RuleFault) as error:
            return Answer(str(error), good=False)


def _plain(thing: RenderableType) -> str:
    """Renders something for the terminal as plain text."""
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, no_color=True, force_terminal=False)
    console.print(thing, crop=False)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


# ---------------------------------------------------------------- rules


def listed(folder: str) -> Iterator[Answer]:
    """Yields the games and variants that can be named, those of the package apart."""

    def answer(library: Library) -> Answer:
        built_in = set(Library(library.built_in, ()).games())
        own = [each for each in library.games() if library.game(each).is_relative_to(library.here)]
        lines = [f"- {name}{_variants(name, library)}" for name in own]
        lines = lines or ["(none: write NAME/game.yaml)"]
        also = ", ".join(sorted(built_in - set(own)))
        return Answer(
            "\n".join(["Games of this folder:", *lines, "", f"Games of the package: {also}"])
        )

    yield _answered(folder, answer)


def _variants(game: str, library: Library) -> str:
    found = library.variants(game)
    return f", with variants {', '.join(found)}" if found else ""


def checked(folder: str, name: str) -> Iterator[Answer]:
    """Yields what is wrong with rules: those of a name, of a file or of all in a folder."""

    def answer(library: Library) -> Answer:
        found, lines = Diagnostics(), []
        for each in rules_of([name], library):
            own = Diagnostics()
            verdict = checked_name(each.name, own, each.library)
            found.extend(own)
            if verdict is not None and not own.has_errors:
                lines.append(f"{each.shown}: {verdict}")
        told = shown.text(found, width=WIDTH)
        return Answer("\n".join([*([told] if told else []), *lines]), not found.has_errors)

    yield _answered(folder, answer)


def tidied(folder: str, paths: Sequence[str]) -> Iterator[Answer]:
    """Yields the canonical layout of files that are laid out otherwise."""

    def answer(library: Library) -> Answer:
        found, new = Diagnostics(), dict[str, str]()
        for path in paths:
            text = library.read(Path(path))
            try:
                result = formatted(SourceFile(path, text), found)
            except FormatMistake as mistake:
                return Answer(f"{path}: {mistake}; please report it", good=False)
            if result is not None and result != text:
                new[path] = result
        told = shown.text(found, width=WIDTH)
        return Answer(told, not found.has_errors, new)

    yield _answered(folder, answer)


def explained_there(folder: str, what: str, game: str) -> Iterator[Answer]:
    """Yields the explanation of a code of the checker, or of a clause or guard of a game."""

    def answer(library: Library) -> Answer:
        if not game:
            if what in codes.CODES:
                return Answer(codes.explain(what))
            return Answer(_no_such(what, "code", codes.CODES), good=False)
        program = load(game, library).program
        told = explained(program, what)
        if told is None:
            return Answer(_no_such(what, "clause or guard", explainable(program)), good=False)
        return Answer(told)

    yield _answered(folder, answer)


def _no_such(what: str, sort: str, known: Iterator[str] | Mapping[str, object]) -> str:
    hint = did_you_mean(what, known)
    return f"there is no {sort} {what!r}" + (f"; {hint}" if hint else "")


def run(folder: str, path: str) -> Iterator[Answer]:
    """Yields the results of the scenarios in a file or folder, or beside a game."""

    def answer(library: Library) -> Answer:
        report = run_scenarios([path], library)
        if not report.outcomes:
            return Answer(f"there are no scenarios in {path!r}", good=False)
        return Answer(scenarios.text(report), report.passed)

    yield _answered(folder, answer)


# ---------------------------------------------------------------- play


def played(
    folder: str, name: str, players: int, seed: int, replies: Sequence[str], why_not: str
) -> Iterator[Answer]:
    """Yields the position after some replies: the table, the story, the question and its options.

    It is seen by the seat that is asked, at the end by everybody. `why_not` is a choice to explain.
    """

    def answer(library: Library) -> Answer:
        game = load(name, library)
        match = game.start(player_count(game, players or game.players[0]), seed)
        refused = ""
        for number, reply in enumerate(replies, 1):
            try:
                match.choose(reply)
            except IllegalChoice as error:
                refused = f"Reply {number}, {reply!r}, is not allowed: {error}\n\n"
                break
        if why_not and not refused and match.decision is not None:
            refused = f"{why_not!r}: {match.why_not(why_not).message}\n\n"
        return Answer(refused + _position(match), not refused or bool(why_not))

    yield _answered(folder, answer)


def _position(match: Match) -> str:
    decision, language = match.decision, match.program.languages[0]
    viewer = None if decision is None else decision.seat
    view = match.view(viewer)
    table = "\n".join(line.plain.rstrip() for line in table_block(view, language, WIDTH).lines)
    story = Story(match.machine, viewer, language, past=match.events)
    events = known_to(match.machine, match.events, viewer)
    lines = [each.said(match.machine.layout, language) for each in brief(story.lines(events))]
    names = match.program.player_names
    scores = ", ".join(f"{names[seat]} {score}" for seat, score in enumerate(match.scores))
    parts = [table, "Latest events:\n" + "\n".join(lines[-MOST_LINES:]), f"Points: {scores}"]
    if decision is None:
        won = ", ".join(names[seat] for seat in match.winners) or "nobody"
        return "\n\n".join([*parts, f"The game is over. Winners: {won}"])
    asked = "chance" if decision.seat is None else names[decision.seat]
    others = [names[each] for each in match.seats_asked if each != decision.seat]
    if others:
        asked += f" (at the same time as {', '.join(others)})"
    options = [each.text for each in decision.options]
    told = [f"- {text}" for text in options[:MOST_OPTIONS]]
    if len(options) > MOST_OPTIONS:
        told.append(f"(and {len(options) - MOST_OPTIONS} more)")
    question = f"Asked: {asked}, by {decision.clause.id}: {decision.prompt}"
    return "\n\n".join([*parts, "\n".join([question, *told])])


# ---------------------------------------------------------------- games by the thousand


def _setting(
    name: str, players: int, bots: str, games: int, seed: int, library: Library
) -> Setting:
    game = load(name, library)
    wanted = seat_bots(bots, player_count(game, players or None), best=True)
    seats = pinned(wanted, [game.program])
    return Setting(Rules.of_game(game, name), seats, seed, games, Crew())


def simulated(
    folder: str, name: str, players: int, bots: str, games: int, seed: int
) -> Iterator[Answer]:
    """Yields a summary of games between bots."""

    def answer(library: Library) -> Answer:
        setting = _setting(name, players, bots, games, seed, library)
        proofs = finished(prove(setting.rules, [setting.bots], seed, setting.games, setting.crew))
        tally = finished(simulating.simulate(setting)).tally
        broken = [f"{each.games} games stop on a fault: {each.fault}" for each in tally.broke.holes]
        if not tally.games:
            return Answer("\n".join(broken), good=False)
        game = load(name, library)
        summary = tally.summary(game.program, setting.bots)
        told = f"{with_noun(summary.games, 'game')}, {setting.players} players, seed {seed}"
        parts = [told, *sentences(proofs), *broken, "", _plain(simulation.tables(summary))]
        return Answer("\n".join(parts), not broken)

    yield _answered(folder, answer)


def reviewed(
    folder: str, name: str, players: int, bots: str, games: int, thinking: int, seed: int
) -> Iterator[Answer]:
    """Yields the likely flaws of a game, with their evidence."""

    def answer(library: Library) -> Answer:
        setting = _setting(name, players, bots, games, seed, library)
        found = finished(reviewing.review(setting, thinking, Crew()))
        return Answer(_plain(review.text(found, {})))

    yield _answered(folder, answer)


def weighed(
    folder: str, name: str, players: int, bots: str, games: int, seed: int, seat: str
) -> Iterator[Answer]:
    """Yields what cards, places, options and rules are worth to a seat."""

    def answer(library: Library) -> Answer:
        setting = _setting(name, players, bots, games, seed, library)
        names = program_of(setting.rules).player_names[: setting.players]
        if seat and seat not in names:
            hint = did_you_mean(seat, names) or ", ".join(names)
            raise NotPossible(f"nobody is called `{seat}`; {hint}")
        at = names.index(seat) if seat else 0
        found = finished(worths(setting.rules, [setting.table], [games], at, Crew()))
        return Answer(_plain(worth.text(found, name, names[at], seed)))

    yield _answered(folder, answer)


def dramatic(
    folder: str, name: str, players: int, bots: str, games: int, seed: int
) -> Iterator[Answer]:
    """Yields when games are decided."""

    def answer(library: Library) -> Answer:
        setting = _setting(name, players, bots, games, seed, library)
        found = finished(dramas(setting))
        told = drama.sheet(found, as_text(setting.bots), setting.players, seed)
        return Answer(_plain(sheet.text(told)))

    yield _answered(folder, answer)


def varied(
    folder: str, name: str, players: int, bots: str, games: int, seed: int
) -> Iterator[Answer]:
    """Yields how different games are, with the bot of the first seat as the panel."""

    def answer(library: Library) -> Answer:
        setting = _setting(name, players, bots, games, seed, library)
        found = finished(varieties(setting, [setting.bots[0]] * PANEL))
        told = variety.sheet(found, as_text(setting.bots), setting.players, seed)
        return Answer(_plain(sheet.text(told)))

    yield _answered(folder, answer)


def climbed(folder: str, name: str, players: int, deals: int, seed: int) -> Iterator[Answer]:
    """Yields what better play wins."""

    def answer(library: Library) -> Answer:
        setting = _setting(name, players, RANDOM, deals, seed, library)
        rules, count = setting.rules, setting.players
        found = finished(laddered(rules, count, RUNGS, seed, deals, Crew()))
        return Answer(_plain(sheet.text(ladder.sheet(found, seed))))

    yield _answered(folder, answer)


def compared(
    folder: str, names: Sequence[str], witness: bool, games: int, players: int, seed: int
) -> Iterator[Answer]:
    """Yields a comparison of rules in Markdown, on request with positions and measured effects."""

    def answer(library: Library) -> Answer:
        diagnostics = Diagnostics()
        found = load_rulesets(names, diagnostics, library, played=bool(witness or games))
        if found is None:
            raise RulesError(diagnostics)
        comparison = compare_tellings(found, found[0].program.languages[0])
        findings = Findings()
        if witness or games:
            from lawspeaker.faces.cli.finding import Asking, find_out

            shared = set.intersection(*(set(each.program.counts) for each in found))
            if not shared or (players and players not in shared):
                raise NotPossible("no such number of players fits all these versions")
            asked = (players or max(shared),)
            asking = Asking(witness, POSITIONS, games, asked, "random", seed, Crew())
            findings = find_out(found, comparison, asking)
            comparison = comparison.with_evidence(findings.evidence)
        return Answer(compare_markdown.markdown(comparison, findings))

    yield _answered(folder, answer)
