"""How bots did against weaker ones, in words and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.words import figure, percent
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.proving import Proof


def sentences(proofs: Iterable[Proof], language: str = "en") -> list[str]:
    """A line for each, first of all what casts doubt on all that follows."""
    told = sorted(proofs, key=lambda each: not doubtful(each))
    return [_sentence(each, language) for each in told]


def doubtful(proof: Proof) -> bool:
    """Whether the bot is not shown to beat random players."""
    return proof.bout.rival == RANDOM and not proof.beats


def doubts(proofs: Iterable[Proof], language: str) -> list[str]:
    """Only what casts doubt."""
    return sentences(filter(doubtful, proofs), language)


def seated(bots: Sequence[str], proofs: Iterable[Proof] = ()) -> str:
    """Who plays, for a title: each bot once where all are the same, with a word of doubt where
    that is due."""
    names = ", ".join(bots if len(set(bots)) > 1 else bots[:1])
    in_doubt = dict.fromkeys(each.bout.bot for each in proofs if doubtful(each))
    return f"{names}; not shown to beat random: {', '.join(in_doubt)}" if in_doubt else names


def _sentence(proof: Proof, language: str) -> str:
    bout = proof.bout
    verdict = "beats" if proof.beats else "loses" if proof.loses else "open"
    told = phrase(
        f"proof.{verdict}",
        language,
        bot=bout.bot,
        rival=phrase("proof.random", language) if bout.rival == RANDOM else bout.rival,
        players=bout.players,
        games=figure(proof.games, ",", language),
        wins=percent(proof.wins.value, language, ".0f"),
        low=figure(100 * proof.wins.low, ".0f", language),
        high=figure(100 * proof.wins.high, ".0f", language),
        fair=percent(proof.fair, language, ".0f"),
    )
    return f"{told} {phrase('proof.doubt', language)}" if doubtful(proof) else told


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
            "beats": each.beats,
        }
        for each in proofs
    ]
