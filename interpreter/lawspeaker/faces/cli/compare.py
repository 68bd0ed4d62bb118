"""`lawspeaker compare`: compares editions and measures what their differences do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from lawspeaker.base.counts import not_for
from lawspeaker.faces.cli.common import (
    as_json,
    complain,
    fail,
    how_many,
    say,
    variant_name,
)
from lawspeaker.faces.cli.editions import NARROWEST, groups_in, opened, shelf_of
from lawspeaker.faces.cli.options import (
    AsJson,
    Cluster,
    Html,
    Lang,
    Machine,
    Markdown,
    Parquet,
    Texts,
    Workers,
    spoken,
)
from lawspeaker.faces.render import compare as shown
from lawspeaker.study.compare import Comparison, Ruleset
from lawspeaker.study.compare import compare as compared
from lawspeaker.study.compare.comparison import MATTERS, ORDERS
from lawspeaker.study.compare.findings import POSITIONS, Findings

if TYPE_CHECKING:
    from lawspeaker.faces.cli.finding import Asking
    from lawspeaker.study.compare.explaining import Explained
    from lawspeaker.study.compare.where import Condition

BOTS, AUTO = "random", "auto"
STOPPED = 130


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def compare(
    names: Annotated[
        list[str],
        typer.Argument(help="Versions of one game; the first is the reference."),
    ],
    everything: Annotated[
        bool, typer.Option("--all", help="Show what is the same everywhere, too.")
    ] = False,
    only: Annotated[
        str,
        typer.Option(
            "--only", help="Only some: play, contradictions, silences, partly, unread, words, box."
        ),
    ] = "",
    where: Annotated[
        str,
        typer.Option(
            "--where", help="Only where books do this: VARIANT=open,GAME=decides; or states, …"
        ),
    ] = "",
    find: Annotated[
        str, typer.Option("--find", help="Only what words of any language or book are about.")
    ] = "",
    by: Annotated[
        str, typer.Option("--by", help="The order: what matters, the book, or the kind.")
    ] = MATTERS,
    ids: Annotated[bool, typer.Option("--ids", help="Show the ids of rules, too.")] = False,
    texts: Texts = None,
    witness: Annotated[
        bool, typer.Option("--witness", help="Show for each a position in which it shows.")
    ] = False,
    save_to: Annotated[
        Path | None,
        typer.Option("--save", help="Save the witnesses as scenarios in this folder."),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=1, help="How many positions to search for a witness.")
    ] = POSITIONS,
    effect: Annotated[
        int,
        how_many("--effect", least=0, help="Play so many paired games for each."),
    ] = 0,
    precision: Annotated[
        float | None,
        typer.Option(min=0.1, help="Play until changes of victories are known to so many percent."),
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="How many players, for effects; every number, if left out.")
    ] = None,
    bots: Annotated[str, typer.Option(help="A bot for each seat, or one for all.")] = BOTS,
    seed: Annotated[int, typer.Option(help="The seed of witnesses and effects.")] = 1,
    workers: Workers = None,
    cluster: Cluster = "",
    machine: Machine = AUTO,
    markdown: Markdown = False,
    json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write a line for each effect to this file.")
    ] = None,
    parquet: Parquet = None,
    html: Html = None,
    patch_to: Annotated[
        Path | None,
        typer.Option("--patch", help="Write a variant that turns the first into the second."),
    ] = None,
    as_changelog: Annotated[bool, typer.Option("--changelog", hidden=True)] = False,
    form: Annotated[Format, typer.Option("--format", hidden=True)] = Format.TEXT,
    lang: Lang = "",
) -> None:
    """Compare editions and house rules, point by point.

    Each difference has a number, a title, a kind, and for every version what is played, what its
    books say about it, and where; what changes play comes first. With --texts the sentences of the
    books stand beside each other.

    Example: lawspeaker compare GAME+VARIANT GAME

    With --witness, each difference that changes play comes with a small position in which it
    shows; with --effect 200, with how much it matters in 200 paired games; with --precision 2
    besides, in as many as it takes until each change of victories is known to two percent either
    way, at most 200.

    With --where, only that is shown of which books do what is asked: states, implies, silent,
    ruling (left open, and we decided), otherwise (by its letter), contradicts; decides stands for
    the first two, open for silent and ruling, unsettled for all but the first two.

    Example: lawspeaker compare GAME GAME+VARIANT --where GAME=open,VARIANT=decides

    NAME@REVISION is a game as git has it in that revision: compare mygame@v1 mygame.

    Ctrl-C while games are played shows what is known by then.

    Exit code 0: they were compared. 1: the rules have a fault, or a file cannot be written. 2:
    wrong call. 130: stopped early.
    """
    if form is not Format.TEXT:
        complain(f"(--format {form} is --{form} now)")
        json, markdown = json or form is Format.JSON, markdown or form is Format.MARKDOWN
    if json and markdown:
        raise typer.BadParameter("choose one of --markdown and --json")
    shows = witness or save_to is not None
    plays = bool(shows or effect or bots != BOTS or players is not None or machine != AUTO)
    found = opened(names, plays)
    language = spoken(lang, found[0].program.languages, "this game")
    wanted = groups_in(only)
    if by not in ORDERS:
        raise typer.BadParameter(f"there are {', '.join(ORDERS)}, not {by}", param_hint="--by")
    needing_two = {
        "--all": everything,
        "--texts": texts,
        "--witness": witness,
        "--save": save_to,
        "--effect": effect,
        "--players": players,
        "--bots": bots != BOTS,
        "--machine": machine != AUTO,
        "--patch": patch_to,
        "--csv": csv,
        "--parquet": parquet,
    }
    if len(found) == 1:
        _refuse(
            "needs at least two versions of a game",
            {
                **needing_two,
                "--markdown": markdown,
                "--changelog": as_changelog,
                "--only": only,
                "--where": where,
                "--by": by != MATTERS,
            },
        )
        complain(f"(what one book leaves open is told by `lawspeaker gaps {names[0]}`)")
        from lawspeaker.faces.cli.gaps import show_gaps

        show_gaps(found[0], language, find, ids, json, html)
        return
    if as_changelog:
        _refuse(
            "does not go with --changelog, which is told in words, with --only and --lang",
            {
                **needing_two,
                "--where": where,
                "--find": find,
                "--ids": ids,
                "--html": html,
                "--json": json,
                "--markdown": markdown,
                "--by": by != MATTERS,
            },
        )
        complain(f"(this is `lawspeaker changelog {' '.join(names)}` now)")
        from lawspeaker.faces.cli.changelog import show_changelog

        show_changelog(found, language, wanted)
        return
    if precision is not None and not effect:
        fail("--precision is for effects: say how many pairs at most, as in --effect 20000", 2)
    if (csv or parquet) and not effect:
        fail("--csv and --parquet have effects in them: say how many pairs, as in --effect 200", 2)
    comparison = compared(found, language, everything=everything)
    if wanted:
        comparison = comparison.only(shown.kinds_of(wanted))
    asked = _asked(where, comparison)
    view = shown.CompareOptions(
        by, ids, None if texts is None else shelf_of(found, texts), find, asked
    )
    if asked:
        from lawspeaker.study.compare.where import where as only_where

        comparison = only_where(asked, comparison)
    if find:
        view, comparison = searched(view, comparison)
    if patch_to is not None:
        _write_patch(found, patch_to)
    findings = Findings()
    if plays:
        from lawspeaker.faces.cli.keeping import Tables

        Tables(csv=csv, parquet=parquet).check(html)
        counts = _players(found, players, bots)
        asking = _asking(shows, positions, effect, counts, bots, seed, workers, cluster)
        if effect:
            asking = _on_machine(machine, asking, found)
            wanted_half = None if precision is None else precision / 100
            asking = replace(asking, precision=wanted_half)
        findings = _find_out(found, comparison, asking)
        comparison = comparison.with_evidence(findings.evidence)
    if save_to is not None:
        _save(found, comparison, findings, save_to)
    if html is not None:
        from lawspeaker.faces.cli.keeping import keep
        from lawspeaker.faces.render.compare_page import page

        keep(html, page(comparison, findings, view, _drawn))
    if csv or parquet:
        _keep_effects(comparison, findings, csv, parquet)
    if json:
        from lawspeaker.faces.render.compare_json import to_json

        say(as_json(to_json(comparison, findings, view)))
    elif markdown:
        from lawspeaker.faces.render.compare_markdown import markdown as in_markdown

        say(in_markdown(comparison, findings, view).rstrip("\n"))
    elif html is None and patch_to is None:
        if findings.proofs:
            from lawspeaker.faces.render.proof import doubts

            for line in doubts(findings.proofs, comparison.table.language):
                say(line)
        console = Console()
        width = max(console.width, NARROWEST)
        console.print(shown.text(comparison, findings, width, view))
    if findings.stopped:
        complain(_how_far(findings))
        raise typer.Exit(STOPPED)


def searched(
    view: shown.CompareOptions, comparison: Comparison
) -> tuple[shown.CompareOptions, Comparison]:
    """Filters a comparison by search words; if nothing is found, counts the hits of each word."""
    from lawspeaker.study.compare.searching import found_by, hits_by_word

    found = found_by(view.find, comparison, view.shelf)
    if not found.table.rows and not found.table.terms.each:
        view = replace(view, counted=hits_by_word(view.find, comparison, view.shelf))
    return view, found


def _asked(where: str, comparison: Comparison) -> tuple[Condition, ...]:
    """Parses the conditions on books; exits with the known ones for an unknown one."""
    from lawspeaker.study.compare.where import NoSuchCondition, conditions

    try:
        return conditions(where, comparison.table.columns)
    except NoSuchCondition as error:
        raise typer.BadParameter(str(error), param_hint="--where") from None


def _refuse(why: str, given: Mapping[str, object]) -> None:
    """Exits with a message if an option was given that would have no effect."""
    for option, value in given.items():
        if value:
            fail(f"{option} {why}", 2)


# Modules for playing are imported on demand: importing them takes longer than comparing.


def _asking(
    shows: bool,
    positions: int,
    games: int,
    players: tuple[int, ...],
    bots: str,
    seed: int,
    workers: int | None,
    cluster: str,
) -> Asking:
    from lawspeaker.faces.cli.finding import Asking
    from lawspeaker.faces.cli.lab import seat_bots
    from lawspeaker.outside.crew import Crew, cores

    for count in players:
        seat_bots(bots, count)
    crew = Crew(workers or cores(), cluster)
    return Asking(shows, positions, games, players, bots, seed, crew)


def _on_machine(name: str, asking: Asking, found: Sequence[Ruleset]) -> Asking:
    """Prepares the machine that plays the pairs, for all editions."""
    from lawspeaker.faces.cli.lab import seat_bots
    from lawspeaker.faces.cli.learned import pinned, tell_learned_of
    from lawspeaker.outside.crew import Crew
    from lawspeaker.outside.experiments.requests import BEST, as_text
    from lawspeaker.outside.machines import machine_for, on_card

    bots = seat_bots(asking.bots, asking.players[0])
    games = asking.games * len(found) * len(asking.players)
    wanted = [(each.program, players) for each in found for players in asking.players]
    for players in asking.players:
        tell_learned_of(
            {each.name: each.program for each in found}, seat_bots(asking.bots, players)
        )
    machine = machine_for(name, games, bots, wanted)
    crew = Crew(1, asking.crew.cluster) if on_card(machine) else asking.crew
    programs = [each.program for each in found]
    named = {as_text(pinned(seat_bots(asking.bots, each), *programs)) for each in asking.players}
    # Bots that resolve differently by number of players are named in the proof only.
    exactly = named.pop() if len(named) == 1 else asking.bots
    if BEST in exactly.split(","):
        fail("which bot is best hangs on how many play: say --players", 2)
    return replace(asking, bots=exactly, machine=machine, crew=crew)


def _find_out(found: Sequence[Ruleset], comparison: Comparison, asking: Asking) -> Findings:
    from lawspeaker.faces.cli.finding import find_out

    try:
        return find_out(found, comparison, asking) if asking.anything else Findings()
    except KeyboardInterrupt:
        fail("stopped", STOPPED)


def _keep_effects(
    comparison: Comparison, findings: Findings, csv: Path | None, parquet: Path | None
) -> None:
    from lawspeaker.faces.cli.keeping import Tables
    from lawspeaker.faces.render import data
    from lawspeaker.faces.render.compare_json import effects_table

    about = {"game": comparison.table.columns[0].name, "seed": findings.seed}
    effects = data.behind(data.table(effects_table(comparison, findings)), about)
    told = {**about, "bots": findings.bots}
    Tables(csv=csv, parquet=parquet).keep_table(effects, told)


def _save(
    found: Sequence[Ruleset], comparison: Comparison, findings: Findings, folder: Path
) -> None:
    from lawspeaker.faces.cli.finding import save
    from lawspeaker.outside.storage import write_error

    try:
        for line in save(found, comparison, findings, folder):
            complain(line)
    except OSError as error:
        fail(write_error(error))


def _players(found: Sequence[Ruleset], wanted: int | None, bots: str) -> tuple[int, ...]:
    """Returns the numbers of players to measure: the requested one, that of the named bots, or
    all."""
    counts = tuple(sorted(set.intersection(*(set(each.program.counts) for each in found))))
    if not counts:
        fail("there is no number of players that all these versions are for", 2)
    named = bots.count(",") + 1
    if wanted is None and named > 1:
        wanted = named
    if wanted is not None and wanted not in counts:
        every = found[0].name if len(found) == 1 else "what these versions have in common"
        fail(not_for(every, counts, wanted), 2)
    return counts if wanted is None else (wanted,)


def _how_far(findings: Findings) -> str:
    """Describes how many pairs were played; effects may differ in that."""
    counts = [effect.games for each in findings.each for effect in each.effects]
    least, most = min(counts, default=0), max(counts, default=0)
    played = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"stopped after {played} of {findings.wanted:,} pairs; this is what is known so far"


def _write_patch(found: Sequence[Ruleset], file: Path) -> None:
    from lawspeaker.outside.storage import write
    from lawspeaker.study.compare.patch import patch

    if len(found) != 2:
        fail("--patch needs just two versions", 2)
    text = patch(found[0], found[1], variant_name(file, "patch"))
    write(file, text)
    complain(f"wrote {file}: {found[0].name}+{file} plays as {found[1].name}")


def _drawn(told: Explained, language: str, shape: str) -> str:
    """Draws a position as SVG."""
    from lawspeaker.faces.web.drawing import draw

    assert told.match is not None
    return draw(told.match.view(told.viewer), language, shape)
