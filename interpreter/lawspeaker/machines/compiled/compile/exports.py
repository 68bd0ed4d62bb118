"""The exported functions of a module.

configure(free, apart, ask_chance, discreet, budget)   sets the mode of the following calls
begin(clause), resume(again)    run until a decision (1) or the end of the game (2)
simulate(seed, first, count)    plays whole games between random players, and records them or,
                                in a module for sums, adds them up
sum_up()                        adds up the game that was played, see `sums`
keep()                          takes a snapshot of the position
playouts(seed, first, count, reseed, again)   plays out from the snapshot, `count` times
explore(…), forget()            the same for each of several options, see `playouts`
learn(seed, first, count)       plays whole games, and learns from them, see `learning`
slice, turn, observe, option    of a module in turns, see `turns`
"""

from __future__ import annotations

from lawspeaker.machines.compiled.compile import running
from lawspeaker.machines.compiled.playouts import learning, observing, playouts
from lawspeaker.machines.compiled.runtime import standing, sums, turns
from lawspeaker.machines.compiled.runtime.rng import combined
from lawspeaker.machines.compiled.runtime.search_layout import SHARE
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Variable, long, long_at, not_, word
from lawspeaker.machines.sum_layout import can_sum
from lawspeaker.position.rng import word_of


def write(unit: Unit) -> None:
    """Generates all exported functions."""
    exports = unit.module.exports
    exports["configure"] = _configure(unit)
    exports["begin"] = running.begin(unit)
    exports["resume"] = running.resume(unit)
    exports["look"] = _look(unit)
    exports["rewind"] = _rewind(unit)
    exports["simulate"] = _add_up(unit) if unit.purpose.summing else _simulate(unit)
    if unit.plan.sizes.together and can_sum(unit.plan):
        exports["sum_up"] = sums.sum_up(unit)
    exports["keep"] = running.keep(unit)
    exports["playouts"] = _playouts(unit)
    if unit.purpose.searches:
        exports["forget"] = playouts.forget(unit)
        exports["explore"] = playouts.explore(unit)
        exports["imagine"] = playouts.imagine(unit)
    if unit.purpose.guided:
        exports["learn"] = _learn(unit)
    if unit.purpose.in_turns:
        exports["slice"] = _slice(unit)
        exports["turn"] = _turn(unit)
        exports["observe"] = observing.observe(unit)
        exports["option"] = observing.option(unit)


@routine("configure")
def _configure(
    unit: Unit,
    f: Body,
    free: Variable,
    apart: Variable,
    ask_chance: Variable,
    discreet: Variable,
    budget: Variable,
) -> None:
    f.set(unit.free, free)
    f.set(unit.apart, apart)
    f.set(unit.ask_chance, ask_chance)
    f.set(unit.discreet, discreet)
    f.set(unit.budget, budget)
    if unit.purpose.searches:
        f.set(unit.plan.tree.turns, 0)  # left over from a search that faulted


@routine("look", returns=(I32, I32, I32, I32))
def _look(unit: Unit, f: Body) -> None:
    """() -> end of the frames, end of the journal, number of decisions, number of options"""
    f.return_(unit.saved, unit.noted, unit.decisions, unit.options)


@routine("rewind")
def _rewind(unit: Unit, f: Body, saved: Variable) -> None:
    """(end of the frames): resets the journal and the counters"""
    running.forget_keys(unit, f)
    f.set(unit.saved, saved)
    f.set(unit.noted, unit.plan.journal)
    f.set(unit.decisions, 0)
    f.set(unit.options, 0)


@routine("simulate")
def _simulate(unit: Unit, f: Body, seed: Long, number: Variable, count: Variable) -> None:
    """(seed, first, count): plays games and stores a record for each, see `Instance.columns`"""
    out = f.let("out", unit.plan.records)
    with f.down_to_0(count):
        game = combined(unit, seed, word_of("game"), number.to_long())
        running.set_up(unit, f, f.let("own", game >> 1))
        f.do(running.begin(unit), unit.program.main)
        running.record(unit, f, out)
        f.add(number, 1)


@routine("add up")
def _add_up(unit: Unit, f: Body, seed: Long, number: Variable, count: Variable) -> None:
    """(seed, first, count): as `simulate`, but adds up each game, or lists it as not fitting"""
    plan, odd = unit.plan, unit.plan.game_sums.odd
    f.set(word(odd), 0)
    with f.down_to_0(count):
        f.set(plan.tree.current, number)
        game = combined(unit, seed, word_of("game"), number.to_long())
        running.set_up(unit, f, f.let("own", game >> 1))
        f.do(running.begin(unit), unit.program.main)
        f.do(running.record_one(unit))
        with f.if_(not_(sums.sum_up(unit)())):
            f.add(word(odd), 1)
            f.set(word(word(odd) << 2, odd), number)
        f.add(number, 1)


@routine("learn")
def _learn(unit: Unit, f: Body, seed: Long, number: Variable, count: Variable) -> None:
    """(seed, first, count): as `simulate`, but learns from each game instead of recording it"""
    with f.down_to_0(count):
        f.set(unit.plan.tree.current, number)
        game = combined(unit, seed, word_of("game"), number.to_long())
        running.set_up(unit, f, f.let("own", game >> 1))
        learning.begin(unit, f)
        f.do(running.begin(unit), unit.program.main)
        f.do(learning.settle(unit))
        f.add(number, 1)


@routine("playouts")
def _playouts(
    unit: Unit,
    f: Body,
    seed: Long,
    number: Variable,
    count: Variable,
    reseed: Variable,
    again: Variable,
) -> None:
    """(seed, first, count, reseed, again): plays out `count` times from the snapshot

    Playout number n has an RNG of its own, seeded by the seed and n: for the players, who share one
    stream, and with `reseed` for the game. With `again` the pending question is also answered by
    the RNG; otherwise by the host's reply. Scores and victories are added up.
    """
    plan = unit.plan
    f.clear(plan.sums + 8, 16 * unit.layout.players)
    f.set(unit.apart, 0)
    with f.down_to_0(count):
        f.do(running.restart(unit), seed, number, reseed)
        f.do(running.resume(unit), again)
        _add_points(unit, f)
        f.add(number, 1)


def _add_points(unit: Unit, f: Body) -> None:
    plan = unit.plan
    for seat in range(unit.layout.players):
        score = word(plan.scores + 4 * seat)
        f.add(long_at(plan.sums + 8 + 16 * seat), score.to_long(signed=True))
    with f.if_(word(plan.winner_count)):
        part = f.let("part", long(SHARE) // standing.victors(unit).to_long())
        with f.each_listed("winner", standing.winners(unit)) as winner:
            f.add(long_at(winner << 4, plan.sums + 16), part)


# ---------------------------------------------------------------- games in turns


@routine("slice", returns=I32)
def _slice(
    unit: Unit, f: Body, seed: Long, number: Variable, fresh: Variable, choices: Variable
) -> None:
    """(seed, number, fresh, choices) -> 1 at a question, 2 when the game is over"""
    status = f.let("status", 0)
    with f.if_(fresh):
        f.set(status, running.start(unit)(seed, number, choices))
    with f.else_():
        f.set(unit.free, choices)
        f.set(status, running.resume(unit)(1))
    with f.if_(status == turns.OVER):
        f.do(running.record_one(unit))
    f.return_(status)


@routine("turn", returns=I32)
def _turn(
    unit: Unit, f: Body, seed: Long, number: Variable, fresh: Variable, answer: Variable
) -> None:
    """(seed, number, fresh, answer) -> as `slice`"""
    plan = unit.plan
    room = plan.turns
    status = f.let("status", 1)
    with f.if_(fresh):
        f.set(status, running.start(unit)(seed, number, 0))
    with f.else_():
        f.set(word(word(turns.who(unit)) << 2, room.answers), answer)
        f.add(word(room.at), 1)
        with f.if_(word(room.at) >= word(plan.asked_count)):
            f.set(unit.given, 1)
            f.set(unit.free, 0)
            f.set(status, running.resume(unit)(1))
            f.set(unit.given, 0)
    with f.if_(status == turns.OVER):
        f.do(running.record_one(unit))
    f.return_(status)
