"""Every game in good/ is read without a single message, and plays to its end whatever is chosen."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import yaml

from lawspeaker.match.game import Game as Playable
from lawspeaker.text import parse
from tests.language.games import GOOD, Game, compiled, games
from tests.tiers import sample

GAMES = games(GOOD)
SEEDS = range(5)
MOST_REPLIES = 500
STARTS = {"rule": "rule", "as": "value", "define": "header", "offers": "offers"}


@pytest.mark.parametrize("game", sample(GAMES, test=2), ids=lambda game: game.name)
def test_good_games_compile_without_messages(game: Game) -> None:
    program, diagnostics = compiled(game.entry, GOOD)
    assert [str(each) for each in diagnostics] == []
    assert program is not None


@pytest.mark.parametrize("game", sample(GAMES, test=4), ids=lambda game: game.name)
def test_it_plays_to_its_end(game: Game) -> None:
    program, _ = compiled(game.entry, GOOD)
    assert program is not None
    playable = Playable(program, game.name)
    for seed in SEEDS:
        choose = random.Random(seed)
        for players in playable.players:
            match = playable.start(players=players, seed=seed)
            replies = 0
            while decision := match.decision:
                assert decision.options
                match.choose(choose.choice(decision.options))
                replies += 1
                assert replies < MOST_REPLIES
            assert len(match.scores) == players


@pytest.mark.full
def test_every_form_of_the_grammar_is_in_a_good_game() -> None:
    """But for one that is read with a warning: it is in bad/silent_where.yaml."""
    grammar = parse.grammar()
    forms = {
        str(rule.alias or rule.origin.name)
        for rule in grammar.rules
        if rule.alias or not (rule.options.expand1 or rule.origin.name.startswith("_"))
    }
    for start, code in codes():
        tree = grammar.parse(code, start=start)
        forms -= {str(node.data) for node in tree.iter_subtrees()}
    assert forms == {"silently_common"}


def codes() -> Iterator[tuple[str, str]]:
    """All code in good games, with the kind of code it is."""
    rules = (file for game in GAMES for file in game.files if file.parent.name != "languages")
    for file in rules:
        sections = yaml.safe_load(file.read_text(encoding="utf-8"))
        for clause in sections.get("rules", {}).values():
            for key, start in STARTS.items():
                if key in clause:
                    yield start, str(clause[key])
            for condition in clause.get("where", {}).values():
                yield "value", str(condition)
        for always in sections.get("always", {}).values():
            yield "value", str(always["holds"])
