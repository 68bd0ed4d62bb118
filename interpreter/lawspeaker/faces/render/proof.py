"""Renders bots' results against weaker ones, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.simulation import json_value
from lawspeaker.faces.render.words import figure, percent
from lawspeaker.players.bots import RANDOM
from lawspeaker.players.bots.names import alone, is_policy, with_digest
from lawspeaker.study.lab.proving import Proof
from lawspeaker.study.lab.statistics import Estimate

if TYPE_CHECKING:
    from lawspeaker.players.bots.policies import Lesson


def sentences(proofs: Iterable[Proof], language: str = "en") -> list[str]:
    """Returns a line for each proof, doubtful ones first, then a line for each learned policy."""
    told = sorted(proofs, key=lambda each: not doubtful(each))
    return [*(_sentence(each, language) for each in told), *_lessons(told, language)]


def doubtful(proof: Proof) -> bool:
    """Whether the bot is not shown to beat random players."""
    return proof.bout.rival == RANDOM and not proof.beats


def doubts(proofs: Iterable[Proof], language: str) -> list[str]:
    """Returns the lines of doubtful proofs only."""
    return [_sentence(each, language) for each in proofs if doubtful(each)]


def _lessons(proofs: Iterable[Proof], language: str) -> list[str]:
    """Describes each learned policy once: from how many games it was learned, and how it
    searches."""
    found: dict[str, None] = {}
    for each in proofs:
        if each.learned is None:
            continue
        named, about = each.bout.bot, each.learned.about
        # names alone do not identify it, since it differs by rules and players
        if each.learned.mark not in named:
            named = with_digest(named, each.learned.mark)
        if about.solved:
            found[phrase("proof.solved", language, bot=named)] = None
            continue
        games = figure(about.every_game, ",", language)
        facts = {"bot": named, "games": games, "manner": about.manner, "alone": alone(named)}
        hasty = "hasty" if each.learned.hasty else "learned_ahead"
        told = "learned" if is_policy(named) else hasty
        found[phrase(f"proof.{told}", language, **facts)] = None
    return list(found)


def behind(bots: Sequence[str], proofs: Iterable[Proof], games: str, seed: int) -> str:
    """Describes the setting of figures: players, a note on doubtful bots, number of games, and
    seed."""
    names = ", ".join(bots if len(set(bots)) > 1 else bots[:1])
    in_doubt = dict.fromkeys(each.bout.bot for each in proofs if doubtful(each))
    if in_doubt:
        names += f"; not shown to beat random: {', '.join(in_doubt)}"
    players = "1 player" if len(bots) == 1 else f"{len(bots)} players"
    return f"{players} ({names}), {games}, seed {seed}"


def _sentence(proof: Proof, language: str) -> str:
    bout = proof.bout
    verdict = "beats" if proof.beats else "loses" if proof.loses else "open"
    rival = phrase("proof.random", language) if bout.rival == RANDOM else bout.rival
    if proof.gain is not None:
        result = _team(proof, rival, language)
    elif proof.ahead is None:
        result = _won(proof, language)
    else:
        result = _ahead(proof, proof.ahead, language)
    told = phrase(f"proof.{verdict}", language, bot=bout.bot, rival=rival, result=result)
    return f"{told} {phrase('proof.doubt', language)}" if doubtful(proof) else told


def _won(proof: Proof, language: str) -> str:
    return phrase(
        "proof.won",
        language,
        players=proof.bout.players,
        games=figure(proof.games, ",", language),
        wins=percent(proof.wins.value, language, ".0f"),
        low=figure(100 * proof.wins.low, ".0f", language),
        high=figure(100 * proof.wins.high, ".0f", language),
        fair=percent(proof.fair, language, ".0f"),
    )


def _team(proof: Proof, rival: str, language: str) -> str:
    """Formats a team's wins and points, beside those of the rival's team with the same deals."""
    ahead, known = proof.ahead, proof.games > 1
    told = phrase(
        "proof.team",
        language,
        players=proof.bout.players,
        games=figure(proof.games, ",", language),
        wins=percent(proof.wins.value, language, ".0f"),
        rival=rival,
        theirs=percent(proof.fair, language, ".0f"),
    )
    if ahead is None:
        return told
    return phrase(
        "proof.team_points",
        language,
        team=told,
        value=figure(ahead.value, "+.2f", language),
        low=figure(ahead.low, "+.2f", language) if known else "?",
        high=figure(ahead.high, "+.2f", language) if known else "?",
    )


def _ahead(proof: Proof, ahead: Estimate, language: str) -> str:
    """Formats the mean lead in points, for bots that play for points rather than wins."""
    spans = {"value": ahead.value, "low": ahead.low, "high": ahead.high}
    return phrase(
        "proof.ahead",
        language,
        players=proof.bout.players,
        games=figure(proof.games, ",", language),
        **{name: figure(each, "+.2f", language) for name, each in spans.items()},
    )


def to_json(proofs: Iterable[Proof]) -> list[dict[str, Any]]:
    return [
        {
            "bot": each.bout.bot,
            "against": each.bout.rival,
            "players": each.bout.players,
            "games": each.games,
            "wins": {
                "value": round(each.wins.value, 6),
                "low": round(each.wins.low, 6),
                "high": round(each.wins.high, 6),
            },
            "fair": round(each.fair, 6),
            "ahead": None if each.ahead is None else json_value(asdict(each.ahead)),
            "gain": None if each.gain is None else json_value(asdict(each.gain)),
            "beats": each.beats,
            "learned": None if each.learned is None else _lesson_json(each.learned),
        }
        for each in proofs
    ]


def _lesson_json(learned: Lesson) -> dict[str, Any]:
    about = learned.about
    return {
        "print": learned.mark,
        "rules": about.digest,
        "players": about.players,
        "games": about.every_game,
        "solved": about.solved,
        "manner": about.manner,
        "tries": learned.tries,
    }
