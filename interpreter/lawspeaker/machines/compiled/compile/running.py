"""Main loop of a module: runs a game until a decision or the end, and records games."""

from __future__ import annotations

from lawspeaker.machines.compiled.compile import ranking
from lawspeaker.machines.compiled.compile.clauses import ENDS, clause_function
from lawspeaker.machines.compiled.compile.flow import OVER, STOPPED
from lawspeaker.machines.compiled.runtime import random_players, standing, watching
from lawspeaker.machines.compiled.runtime.rng import combined
from lawspeaker.machines.compiled.runtime.unit import NEVER, Long, Unit, routine
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Expr, Variable, long_at, word
from lawspeaker.position.rng import word_of


def forget_keys(unit: Unit, f: Body) -> None:
    """Invalidates the keys computed for draws, which hold for one seed and one position only."""
    f.clear(unit.plan.keyed, unit.plan.keyed_size)


@routine("enter", returns=I32)
def _enter(unit: Unit, f: Body, clause: Variable, resumed: Variable) -> None:
    """(clause, whether it is resumed) -> its status"""
    for number in range(len(unit.program.clauses)):
        with f.if_(clause == number):
            if not unit.purpose.waits and unit.facts.waits[number]:
                with f.if_(resumed == 0):
                    _call(unit, f, resumed, number, running=True)
            _call(unit, f, resumed, number, running=False)
    f.stop()


def _call(unit: Unit, f: Body, resumed: Variable, number: int, *, running: bool) -> None:
    """Calls the function of a clause with the host's arguments, and returns."""
    clause, facts = unit.program.clauses[number], unit.facts
    waits = facts.waits[number] and not running
    if not unit.lowered.due(number):
        with f.if_(resumed == 0):
            entry = unit.lowered.entry[number]
            f.add(unit.left, -entry)
            told = messages.too_long(entry, clause.span)
            unit.fault_when(f, number, unit.left < 0, told, clause.span)
    given = [word(unit.plan.reply, 4 * at) for at in range(clause.parameters)]
    function = clause_function(unit, number, running=running)
    back = f.all_of(function, *([resumed] if waits else []), *given)
    f.return_(back[0] if waits or facts.ends[number] else 0)


@routine("run", returns=I32)
def _run(unit: Unit, f: Body, clause: Variable, resumed: Variable) -> None:
    """(clause, whether it is resumed) -> 1 at a decision, 2 when the game is over"""
    random_players.refill(unit, f)
    f.set(unit.top, unit.plan.arena)
    f.set(unit.log, 0)
    status = f.let("status", _enter(unit)(clause, resumed))
    with f.if_(status == 0):
        end = ranking.end(unit)
        with f.if_(clause == unit.program.main):
            f.do(end, standing.by_goal(unit)(), clause, OVER)
        with f.else_():
            f.do(end, unit.plan.listing(()), clause, STOPPED)
        f.set(status, ENDS)
    f.return_(status)


@routine("begin", returns=I32)
def begin(unit: Unit, f: Body, clause: Variable) -> None:
    f.set(unit.saved, unit.plan.frames)
    f.return_(_run(unit)(clause, 0))


@routine("resume", returns=I32)
def resume(unit: Unit, f: Body, again: Variable) -> None:
    """(whether the pending question is evaluated again) -> as `begin`"""
    f.set(unit.again, again)
    # The outermost frame was saved last, and its size behind it.
    size = word(unit.saved - 4)
    f.return_(_run(unit)(word(unit.saved - size), 1))


# ---------------------------------------------------------------- whole games


@routine("start", returns=I32)
def start(unit: Unit, f: Body, seed: Long, number: Variable, choices: Variable) -> None:
    """(seed, number, choices) -> as `begin`, for one of the games that `simulate` plays"""
    game = combined(unit, seed, word_of("game"), number.to_long())
    set_up(unit, f, f.let("own", game >> 1))
    f.set(unit.free, choices)
    f.return_(begin(unit)(unit.program.main))


@routine("record")
def record_one(unit: Unit, f: Body) -> None:
    """(): stores the record of the finished game in the first record slot"""
    record(unit, f, f.let("out", unit.plan.records))


def set_up(unit: Unit, f: Body, seed: Variable) -> None:
    """Resets the state to the start of a game, and seeds all RNG streams."""
    plan = unit.plan
    f.copy(plan.state, plan.image, plan.state_end - plan.state)
    forget_keys(unit, f)
    f.set(long_at(plan.seed), seed)
    for seat in range(unit.layout.players):
        bot = combined(unit, seed, word_of("bot"), seat)
        f.do(random_players.give_luck(unit), seat, combined(unit, bot, word_of("random")))
    if unit.purpose.watching:
        watching.begin(unit, f)
    f.set(unit.decisions, 0)
    f.set(unit.options, 0)
    f.set(unit.free, NEVER)
    f.set(unit.reach, NEVER)
    f.set(unit.apart, -1)


def record(unit: Unit, f: Body, out: Variable) -> None:
    """Stores scores, winners, numbers of decisions and options, and the watched statistics."""
    plan, players = unit.plan, unit.layout.players

    def copy(source: int, words: int) -> None:
        f.copy(out, source, 4 * words)
        f.add(out, 4 * words)

    def put(*values: Expr) -> None:
        for value in values:
            f.set(word(out), value)
            f.add(out, 4)

    copy(plan.scores, players)
    copy(plan.winner_count, players + 1)
    put(unit.decisions, unit.options)
    if unit.purpose.watching:
        counted = plan.counters_end - plan.times
        if plan.counters == plan.records:
            f.add(out, counted)  # the counters are in the record already
        else:
            copy(plan.times, counted // 4)
        watching.finish(unit, f)
        put(unit.starter, unit.leads, unit.trail.to_word(), (unit.trail >> 32).to_word())
        put(*(measure() for measure in watching.measures(unit)))


# ---------------------------------------------------------------- snapshots


@routine("keep")
def keep(unit: Unit, f: Body) -> None:
    """(): takes a snapshot of the state and the frames"""
    plan = unit.plan
    f.copy(plan.snapshot, plan.state, unit.saved - plan.state)
    f.set(word(plan.sums), unit.saved)


@routine("restart")
def restart(unit: Unit, f: Body, seed: Long, number: Variable, reseed: Variable) -> None:
    """(seed, number, reseed): restores the snapshot, with the RNG of this playout"""
    plan = unit.plan
    f.copy(plan.state, plan.snapshot, word(plan.sums) - plan.state)
    forget_keys(unit, f)
    f.set(unit.saved, word(plan.sums))
    f.set(unit.reach, NEVER)
    luck = f.let("luck", combined(unit, seed, word_of("playout"), number.to_long()))
    f.do(random_players.give_luck(unit), 0, luck)
    with f.if_(reseed):
        f.set(long_at(plan.seed), combined(unit, luck, word_of("game")))
