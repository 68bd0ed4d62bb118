"""The machine that shows how things stand whenever a clause is begun."""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.machines.reference import machine_for
from lawspeaker.machines.reference.watching import WatchingMachine
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.position.state import State

GAME = """\
lawspeaker: 1
game: bells
title: Bells
players: {from: 2, to: 2, called: [ann, ben]}

rules:
  game:
    says: Bells are rung.
    rule: |
      repeat 2 times:
        do ringing
      do asking
      do ringing

  ringing:
    says: Everyone hears the bells twice.
    rule: |
      repeat 2 times:
        do hearing(ann)
      do hearing(ben)

  hearing:
    says: Who hears a bell scores a point.
    given: {player: player}
    rule: |
      player scores 1

  asking:
    says: Ann may shout.
    asks: Shout?
    rule: |
      ann may shout
        then: ann scores 10
      ben scores 1

table:
  down: [players: [{score: true}]]
"""


def test_every_clause_is_shown_as_it_is_begun() -> None:
    diagnostics = Diagnostics()
    program = compile_bundle((RuleFile("game.yaml", GAME, None),), diagnostics)
    assert program is not None, list(map(str, diagnostics))
    begun: list[tuple[str, list[int]]] = []

    ids = [clause.id for clause in program.clauses]

    def begins(state: State) -> None:
        begun.append((ids[state.stack[-1].clause], list(state.scores)))

    usual = machine_for(program, 2)
    match = Match.from_state(program, usual.blank(1), WatchingMachine(usual, begins))
    match.begin(program.clauses[program.main], ())
    round_of = [(0, 0), (0, 0), (1, 0), (2, 0)]
    names = ["ringing", "hearing", "hearing", "hearing"]
    expected = [
        (name, [ann + 2 * times, ben + times])
        for times in range(2)
        for name, (ann, ben) in zip(names, round_of, strict=True)
    ]
    assert begun == [*expected, ("asking", [4, 2])]
    begun.clear()
    match.choose("shout")
    assert begun[0] == ("ringing", [14, 3])
    assert len(begun) == 4
    same = Match(program, 2, 1)
    same.choose("shout")
    assert match.state == same.state
    assert match.events == same.events
