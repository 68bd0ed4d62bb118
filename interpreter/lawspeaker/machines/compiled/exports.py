"""The doors of a module: what the host can call.

configure(free, apart, ask_chance, discreet, budget)   how it is to run from now on
begin(clause), resume(again)    run until somebody is asked (1) or the game is over (2)
simulate(seed, first, count)    plays whole games between random players, and records them
keep()                          remembers the situation
playouts(seed, first, count, reseed, again)   plays on from there, again and again
explore(…), forget()            the same for each of several options, see `playouts`
learn(seed, first, count)       plays whole games, and learns from them, see `learning`
slice, turn, observe, option    of a module in turns, see `turns`
"""

from __future__ import annotations

from lawspeaker.machines.compiled import (
    learning,
    observing,
    playouts,
    random_players,
    ranking,
    standing,
    turns,
    watching,
)
from lawspeaker.machines.compiled.clause_facts import Shapes
from lawspeaker.machines.compiled.clauses import ENDS, clause_function
from lawspeaker.machines.compiled.flow import OVER, STOPPED
from lawspeaker.machines.compiled.luck import combined
from lawspeaker.machines.compiled.tree import SHARE
from lawspeaker.machines.compiled.unit import NEVER, Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, I64, Expr, Function, Variable, long, long_at, word
from lawspeaker.position.luck import word_of


class Exports:
    def __init__(self, unit: Unit, shapes: Shapes) -> None:
        self.unit = unit
        self.shapes = shapes
        self.plan = unit.plan

    def write(self) -> None:
        exports = self.unit.module.exports
        exports["configure"] = self._configure()
        exports["begin"] = self._begin()
        exports["resume"] = self._resume()
        exports["look"] = self._look()
        exports["rewind"] = self._rewind()
        exports["simulate"] = self._simulate()
        exports["keep"] = self._keep()
        exports["playouts"] = self._playouts()
        if self.unit.purpose.searches:
            exports["forget"] = playouts.forget(self.unit)
            exports["explore"] = playouts.explore(self.unit, self._restart(), self._resume())
            exports["imagine"] = playouts.imagine(self.unit)
        if self.unit.purpose.guided:
            exports["learn"] = self._learn()
        if self.unit.purpose.in_turns:
            given = (self.unit, self._start(), self._resume(), self._record_one())
            exports["slice"] = turns.slice_(*given)
            exports["turn"] = turns.turn(*given)
            exports["observe"] = observing.observe(self.unit)
            exports["option"] = observing.option(self.unit)

    def _configure(self) -> Function:
        unit = self.unit

        def build(
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
                f.set(self.plan.tree.turns, 0)  # of a search before that a fault has ended

        return unit.built(("configure",), 5, 0, build)

    def _look(self) -> Function:
        """() -> end of the frames, end of the journal, decisions, options"""
        unit = self.unit

        def build(f: Body) -> None:
            f.return_(unit.saved, unit.noted, unit.decisions, unit.options)

        return unit.built(("look",), 0, 4, build)

    def _rewind(self) -> Function:
        """(end of the frames): forgets the journal and the counts"""
        unit = self.unit

        def build(f: Body, saved: Variable) -> None:
            self._forget_keys(f)
            f.set(unit.saved, saved)
            f.set(unit.noted, self.plan.journal)
            f.set(unit.decisions, 0)
            f.set(unit.options, 0)

        return unit.built(("rewind",), 1, 0, build)

    # ------------------------------------------------------------ running

    def _enter(self) -> Function:
        """(clause, whether it is resumed) -> how it came back"""
        unit, clauses, shapes = self.unit, self.unit.program.clauses, self.shapes

        def call(f: Body, resumed: Variable, number: int, *, running: bool) -> None:
            waits = shapes.waits[number] and not running
            if not unit.lowered.due(number):
                with f.if_(resumed == 0):
                    f.add(unit.left, -unit.lowered.entry[number])
                    spent, span = unit.left < 0, clauses[number].span
                    unit.fault_when(f, number, spent, messages.TOO_LONG, span)
            given = [word(self.plan.reply, 4 * at) for at in range(clauses[number].parameters)]
            function = clause_function(unit, shapes, number, running=running)
            back = f.all_of(function, *([resumed] if waits else []), *given)
            f.return_(back[0] if waits or shapes.ends[number] else 0)

        def build(f: Body, clause: Variable, resumed: Variable) -> None:
            for number in range(len(clauses)):
                with f.if_(clause == number):
                    if not unit.purpose.waits and shapes.waits[number]:
                        with f.if_(resumed == 0):
                            call(f, resumed, number, running=True)
                    call(f, resumed, number, running=False)
            f.stop()

        return unit.built(("enter",), 2, 1, build)

    def _forget_keys(self, f: Body) -> None:
        """What was worked out for draws holds for one seed and one situation only."""
        f.clear(self.plan.keyed, self.plan.keyed_size)

    def _run(self) -> Function:
        """(clause, whether it is resumed) -> 1 when somebody is asked, 2 when the game is over"""
        unit = self.unit

        def build(f: Body, clause: Variable, resumed: Variable) -> None:
            random_players.refill(unit, f)
            f.set(unit.top, self.plan.arena)
            status = f.let("status", self._enter()(clause, resumed))
            with f.if_(status == 0):
                end = ranking.end(unit)
                with f.if_(clause == unit.program.main):
                    f.do(end, standing.by_goal(unit)(), clause, OVER)
                with f.else_():
                    f.do(end, self.plan.listing(()), clause, STOPPED)
                f.set(status, ENDS)
            f.return_(status)

        return unit.built(("run",), 2, 1, build)

    def _begin(self) -> Function:
        def build(f: Body, clause: Variable) -> None:
            f.set(self.unit.saved, self.plan.frames)
            f.return_(self._run()(clause, 0))

        return self.unit.built(("begin",), 1, 1, build)

    def _resume(self) -> Function:
        """(whether what waits is to be worked out again) -> as `begin`"""
        unit = self.unit

        def build(f: Body, again: Variable) -> None:
            f.set(unit.again, again)
            # The outermost frame was saved last, and its size behind it.
            size = word(unit.saved - 4)
            f.return_(self._run()(word(unit.saved - size), 1))

        return unit.built(("resume",), 1, 1, build)

    # ------------------------------------------------------------ whole games

    def _simulate(self) -> Function:
        """(seed, first, count): a record for each game, see `Instance.columns`"""
        unit = self.unit

        def build(f: Body, seed: Variable, number: Variable, count: Variable) -> None:
            out = f.let("out", self.plan.records)
            with f.down_to_0(count):
                game = combined(unit, seed, word_of("game"), number.to_long())
                self._set_up(f, f.let("own", game >> 1))
                f.do(self._begin(), unit.program.main)
                self._record(f, out)
                f.add(number, 1)

        return unit.built(("simulate",), (I64, I32, I32), (), build)

    def _start(self) -> Function:
        """(seed, number, choices) -> as `begin`, of one of the games that `simulate` plays"""
        unit = self.unit

        def build(f: Body, seed: Variable, number: Variable, choices: Variable) -> None:
            game = combined(unit, seed, word_of("game"), number.to_long())
            self._set_up(f, f.let("own", game >> 1))
            f.set(unit.free, choices)
            f.return_(self._begin()(unit.program.main))

        return unit.built(("start",), (I64, I32, I32), 1, build)

    def _record_one(self) -> Function:
        """(): the record of the game that is over, where the first one lies"""

        def build(f: Body) -> None:
            self._record(f, f.let("out", self.plan.records))

        return self.unit.built(("record",), 0, 0, build)

    def _learn(self) -> Function:
        """(seed, first, count): as `simulate`, and learns from each game instead of recording it"""
        unit = self.unit

        def build(f: Body, seed: Variable, number: Variable, count: Variable) -> None:
            with f.down_to_0(count):
                f.set(unit.plan.tree.current, number)
                game = combined(unit, seed, word_of("game"), number.to_long())
                self._set_up(f, f.let("own", game >> 1))
                learning.begin(unit, f)
                f.do(self._begin(), unit.program.main)
                f.do(learning.settle(unit))
                f.add(number, 1)

        return unit.built(("learn",), (I64, I32, I32), (), build)

    def _set_up(self, f: Body, seed: Variable) -> None:
        """A new game: everything as at the start, and all streams of luck."""
        unit, plan = self.unit, self.plan
        f.copy(plan.state, plan.image, plan.state_end - plan.state)
        self._forget_keys(f)
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

    def _record(self, f: Body, out: Variable) -> None:
        """Scores, who won, decisions and options, and what was watched."""
        unit, plan, players = self.unit, self.plan, self.unit.layout.players

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
            if plan.sizes.together:
                f.add(out, counted)  # it is there already
            else:
                copy(plan.times, counted // 4)
            watching.finish(unit, f)
            put(unit.starter, unit.leads, unit.trail.to_word(), (unit.trail >> 32).to_word())
            put(*(measure() for measure in watching.measures(unit)))

    # ------------------------------------------------------------ playing on

    def _keep(self) -> Function:
        """Remembers the situation and the frames."""
        unit, plan = self.unit, self.plan

        def build(f: Body) -> None:
            f.copy(plan.snapshot, plan.state, unit.saved - plan.state)
            f.set(word(plan.sums), unit.saved)

        return unit.built(("keep",), 0, 0, build)

    def _playouts(self) -> Function:
        """(seed, first, count, reseed, again): plays on from what was kept, so many times

        Playout number n has luck of its own, made of the seed and n: for the players, who share
        one stream, and with `reseed` for the game. With `again` the question that waits is chosen
        by luck, too; else the reply is that of the host. Scores and victories are added up.
        """
        unit, plan = self.unit, self.plan

        def build(
            f: Body,
            seed: Variable,
            number: Variable,
            count: Variable,
            reseed: Variable,
            again: Variable,
        ) -> None:
            f.clear(plan.sums + 8, 16 * unit.layout.players)
            f.set(unit.apart, 0)
            with f.down_to_0(count):
                f.do(self._restart(), seed, number, reseed)
                f.do(self._resume(), again)
                self._add_up(f)
                f.add(number, 1)

        return unit.built(("playouts",), (I64, I32, I32, I32, I32), (), build)

    def _restart(self) -> Function:
        """(seed, number, reseed): everything as it was kept, with the luck of this playout"""
        unit, plan = self.unit, self.plan

        def build(f: Body, seed: Variable, number: Variable, reseed: Variable) -> None:
            f.copy(plan.state, plan.snapshot, word(plan.sums) - plan.state)
            self._forget_keys(f)
            f.set(unit.saved, word(plan.sums))
            f.set(unit.reach, NEVER)
            luck = f.let("luck", combined(unit, seed, word_of("playout"), number.to_long()))
            f.do(random_players.give_luck(unit), 0, luck)
            with f.if_(reseed):
                f.set(long_at(plan.seed), combined(unit, luck, word_of("game")))

        return unit.built(("restart",), (I64, I32, I32), (), build)

    def _add_up(self, f: Body) -> None:
        plan = self.plan
        for seat in range(self.unit.layout.players):
            score = word(plan.scores + 4 * seat)
            f.add(long_at(plan.sums + 8 + 16 * seat), score.to_long(signed=True))
        with f.if_(word(plan.winner_count)):
            part = f.let("part", long(SHARE) // standing.victors(self.unit).to_long())
            with f.each_listed("winner", standing.winners(self.unit)) as winner:
                f.add(long_at(winner << 4, plan.sums + 16), part)
