"""The doors of a module: what the host can call.

configure(free, apart, ask_chance, discreet, budget)   how it is to run from now on
begin(clause), resume(again)    run until somebody is asked (1) or the game is over (2)
simulate(seed, first, count)    plays whole games between random players, and records them
keep()                          remembers the situation
playouts(seed, first, count, reseed, again)   plays on from there, again and again
explore(…), forget()            the same for each of several options, see `playouts`
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lawspeaker.machines.compiled import playouts, random_players, ranking, standing, watching
from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.clause_facts import Shapes
from lawspeaker.machines.compiled.clauses import ENDS, clause_function
from lawspeaker.machines.compiled.flow import OVER, STOPPED
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.shuffling import combine
from lawspeaker.machines.compiled.tree import SHARE
from lawspeaker.machines.compiled.unit import NEVER, Unit
from lawspeaker.position.luck import word_of


def _long(b: Function, local: int) -> None:
    b.get(local)
    b.op("i64.extend_i32_u")


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
        if self.unit.searches:
            exports["forget"] = playouts.forget(self.unit)
            exports["explore"] = playouts.explore(self.unit, self._restart(), self._resume())
            exports["imagine"] = playouts.imagine(self.unit)

    def _configure(self) -> Function:
        unit = self.unit
        given = (unit.free, unit.apart, unit.ask_chance, unit.discreet, unit.budget)

        def write(b: Function) -> None:
            for number, variable in enumerate(given):
                b.get(number)
                b.set(variable)

        return unit.made(("configure",), len(given), 0, write)

    def _look(self) -> Function:
        """() -> end of the frames, end of the journal, decisions, options"""
        unit = self.unit

        def write(b: Function) -> None:
            for variable in (unit.saved, unit.noted, unit.decisions, unit.options):
                b.get(variable)

        return unit.made(("look",), 0, 4, write)

    def _rewind(self) -> Function:
        """(end of the frames): forgets the journal and the counts"""
        unit = self.unit

        def write(b: Function) -> None:
            self._forget_keys(b)
            b.get(0)
            b.set(unit.saved)
            b.const(self.plan.journal)
            b.set(unit.noted)
            for counter in (unit.decisions, unit.options):
                b.const(0)
                b.set(counter)

        return unit.made(("rewind",), 1, 0, write)

    # ------------------------------------------------------------ running

    def _enter(self) -> Function:
        """(clause, whether it is resumed) -> how it came back"""
        unit, clauses, shapes = self.unit, self.unit.program.clauses, self.shapes

        def call(b: Function, number: int, *, running: bool) -> None:
            waits = shapes.waits[number] and not running
            if not unit.lowered.due(number):
                b.get(1)
                b.op("i32.eqz")
                with b.if_():
                    small = Code(unit, b, number)
                    small.pay(unit.lowered.entry[number], clauses[number].span)
            if waits:
                b.get(1)
            for parameter in range(clauses[number].parameters):
                b.const(0)
                b.load(self.plan.reply + 4 * parameter)
            b.call(clause_function(unit, shapes, number, running=running))
            for _ in shapes.returned[number]:
                b.op("drop")
            if not (waits or shapes.ends[number]):
                b.const(0)
            b.op("return")

        def write(b: Function) -> None:
            # Nested blocks: each ends where the call for its clause begins.
            labels = [b.open_block() for _ in range(len(clauses) + 1)]
            labels.reverse()
            b.get(0)
            b.br_table(labels[:-1], labels[-1])
            for number in range(len(clauses)):
                b.close_block()
                if not unit.stepping and shapes.waits[number]:
                    b.get(1)
                    b.op("i32.eqz")
                    with b.if_():
                        call(b, number, running=True)
                call(b, number, running=False)
            b.close_block()
            b.op("unreachable")

        return unit.made(("enter",), 2, 1, write)

    def _forget_keys(self, b: Function) -> None:
        """What was worked out for draws holds for one seed and one situation only."""
        b.const(self.plan.keyed)
        b.const(0)
        b.const(self.plan.keyed_size)
        b.fill()

    def _run(self) -> Function:
        """(clause, whether it is resumed) -> 1 when somebody is asked, 2 when the game is over"""
        unit = self.unit

        def write(b: Function) -> None:
            status = b.local()
            random_players.refill(unit, b)
            b.const(self.plan.arena)
            b.set(unit.top)
            b.get(0)
            b.get(1)
            b.call(self._enter())
            b.tee(status)
            b.op("i32.eqz")
            with b.if_():
                b.get(0)
                b.const(unit.program.main)
                b.op("i32.eq")
                with b.if_():
                    b.call(standing.by_goal(unit))
                    b.get(0)
                    b.const(OVER)
                    b.call(ranking.end(unit))
                    b.else_()
                    b.const(self.plan.listing(()))
                    b.get(0)
                    b.const(STOPPED)
                    b.call(ranking.end(unit))
                b.const(ENDS)
                b.set(status)
            b.get(status)

        return unit.made(("run",), 2, 1, write)

    def _begin(self) -> Function:
        def write(b: Function) -> None:
            b.const(self.plan.frames)
            b.set(self.unit.saved)
            b.get(0)
            b.const(0)
            b.call(self._run())

        return self.unit.made(("begin",), 1, 1, write)

    def _resume(self) -> Function:
        """(whether what waits is to be worked out again) -> as `begin`"""
        unit = self.unit

        def write(b: Function) -> None:
            b.get(0)
            b.set(unit.again)
            # The outermost frame was saved last.
            b.get(unit.saved)
            b.get(unit.saved)
            b.const(4)
            b.op("i32.sub")
            b.load()
            b.op("i32.sub")
            b.load()
            b.const(1)
            b.call(self._run())

        return unit.made(("resume",), 1, 1, write)

    # ------------------------------------------------------------ whole games

    def _combined(self, b: Function, first: Callable[[], None], *more: Callable[[], None]) -> None:
        b.long(0)
        for push in (first, *more):
            push()
            b.call(combine(self.unit))

    def _simulate(self) -> Function:
        """(seed, first, count): a record for each game, see `Instance.columns`"""
        unit, plan = self.unit, self.plan

        def write(b: Function) -> None:
            out, own = b.local(), b.local(I64)
            b.const(plan.records)
            b.set(out)
            with b.block() as done, b.loop() as again:
                b.get(2)
                b.op("i32.eqz")
                b.br_if(done)
                self._combined(
                    b,
                    lambda: b.get(0),
                    lambda: b.long(word_of("game")),
                    lambda: _long(b, 1),
                )
                b.long(1)
                b.op("i64.shr_u")
                b.set(own)
                self._set_up(b, own)
                b.const(unit.program.main)
                b.call(self._begin())
                b.op("drop")
                self._record(b, out)
                for number, step in ((1, 1), (2, -1)):
                    b.get(number)
                    b.const(step)
                    b.op("i32.add")
                    b.set(number)
                b.br(again)

        return unit.made(("simulate",), (I64, I32, I32), (), write)

    def _set_up(self, b: Function, own: int) -> None:
        """A new game: everything as at the start, and all streams of luck."""
        unit, plan = self.unit, self.plan
        b.const(plan.state)
        b.const(plan.image)
        b.const(plan.state_end - plan.state)
        b.copy()
        self._forget_keys(b)
        b.const(0)
        b.get(own)
        b.store(plan.seed, "i64.store")
        for seat in range(unit.layout.players):
            b.const(seat)
            self._combined(
                b,
                partial(
                    self._combined,
                    b,
                    partial(b.get, own),
                    partial(b.long, word_of("bot")),
                    partial(b.long, seat),
                ),
                partial(b.long, word_of("random")),
            )
            b.call(random_players.give_luck(unit))
        b.const(plan.times)
        b.const(0)
        b.const(4 * plan.clause_count)
        b.fill()
        if unit.watching:
            watching.begin(unit, b)
        for variable, value in ((unit.decisions, 0), (unit.options, 0), (unit.free, NEVER)):
            b.const(value)
            b.set(variable)
        b.const(-1)
        b.set(unit.apart)

    def _record(self, b: Function, out: int) -> None:
        """Scores, who won, decisions, options, and how often each clause was done."""
        unit, plan, count = self.unit, self.plan, self.unit.layout.players

        def copy(source: int, words: int) -> None:
            b.get(out)
            b.const(source)
            b.const(4 * words)
            b.copy()
            b.get(out)
            b.const(4 * words)
            b.op("i32.add")
            b.set(out)

        copy(plan.scores, count)
        copy(plan.winner_count, count + 1)
        for variable in (unit.decisions, unit.options):
            self._put(b, out, partial(b.get, variable))
        copy(plan.times, plan.clause_count)
        if not unit.watching:
            return
        copy(plan.points, plan.clause_count * count)
        copy(plan.uses, plan.kind_count * count)
        watching.finish(unit, b)
        for variable in (unit.starter, unit.leads):
            self._put(b, out, partial(b.get, variable))
        for shift in (0, 32):
            self._put(b, out, partial(self._half, b, shift))

    @staticmethod
    def _put(b: Function, out: int, push: Callable[[], None]) -> None:
        """One more word of a record."""
        b.get(out)
        push()
        b.store()
        b.get(out)
        b.const(4)
        b.op("i32.add")
        b.set(out)

    def _half(self, b: Function, shift: int) -> None:
        b.get(self.unit.trail)
        b.long(shift)
        b.op("i64.shr_u", "i32.wrap_i64")

    # ------------------------------------------------------------ playing on

    def _keep(self) -> Function:
        """Remembers the situation and the frames."""
        unit, plan = self.unit, self.plan

        def write(b: Function) -> None:
            b.const(plan.snapshot)
            b.const(plan.state)
            b.get(unit.saved)
            b.const(plan.state)
            b.op("i32.sub")
            b.copy()
            b.const(0)
            b.get(unit.saved)
            b.store(plan.sums)

        return unit.made(("keep",), 0, 0, write)

    def _playouts(self) -> Function:
        """(seed, first, count, reseed, again): plays on from what was kept, so many times

        Playout number n has luck of its own, made of the seed and n: for the players, who share
        one stream, and with `reseed` for the game. With `again` the question that waits is chosen
        by luck, too; else the reply is that of the host. Scores and victories are added up.
        """
        unit, plan = self.unit, self.plan

        def write(b: Function) -> None:
            b.const(plan.sums + 8)
            b.const(0)
            b.const(16 * unit.layout.players)
            b.fill()
            b.const(0)
            b.set(unit.apart)
            with b.block() as done, b.loop() as following:
                b.get(2)
                b.op("i32.eqz")
                b.br_if(done)
                for given in (0, 1, 3):
                    b.get(given)
                b.call(self._restart())
                b.get(4)
                b.call(self._resume())
                b.op("drop")
                self._add_up(b)
                for number, step in ((1, 1), (2, -1)):
                    b.get(number)
                    b.const(step)
                    b.op("i32.add")
                    b.set(number)
                b.br(following)

        return unit.made(("playouts",), (I64, I32, I32, I32, I32), (), write)

    def _restart(self) -> Function:
        """(seed, number, reseed): everything as it was kept, with the luck of this playout"""
        unit, plan = self.unit, self.plan

        def write(b: Function) -> None:
            luck = b.local(I64)
            b.const(plan.state)
            b.const(plan.snapshot)
            b.const(0)
            b.load(plan.sums)
            b.const(plan.state)
            b.op("i32.sub")
            b.copy()
            self._forget_keys(b)
            b.const(0)
            b.load(plan.sums)
            b.set(unit.saved)
            self._combined(
                b,
                lambda: b.get(0),
                lambda: b.long(word_of("playout")),
                lambda: _long(b, 1),
            )
            b.set(luck)
            b.const(0)
            b.get(luck)
            b.call(random_players.give_luck(unit))
            b.get(2)
            with b.if_():
                b.const(0)
                self._combined(b, lambda: b.get(luck), lambda: b.long(word_of("game")))
                b.store(plan.seed, "i64.store")

        return unit.made(("restart",), (I64, I32, I32), (), write)

    def _add_up(self, b: Function) -> None:
        plan, count = self.plan, self.unit.layout.players
        at, part = b.local(), b.local(I64)
        for seat in range(count):
            b.const(0)
            b.const(0)
            b.load(plan.sums + 8 + 16 * seat, "i64.load")
            b.const(0)
            b.load(plan.scores + 4 * seat)
            b.op("i64.extend_i32_s", "i64.add")
            b.store(plan.sums + 8 + 16 * seat, "i64.store")
        b.const(0)
        b.load(plan.winner_count)
        with b.if_():
            b.long(SHARE)
            standing.victors(self.unit, b)
            b.op("i64.extend_i32_u", "i64.div_u")
            b.set(part)
            b.const(0)
            b.set(at)
            with b.loop() as again:
                winner = b.local()
                b.get(at)
                b.const(2)
                b.op("i32.shl")
                b.load(plan.winner_count + 4)
                b.const(4)
                b.op("i32.shl")
                b.tee(winner)
                b.get(winner)
                b.load(plan.sums + 16, "i64.load")
                b.get(part)
                b.op("i64.add")
                b.store(plan.sums + 16, "i64.store")
                b.get(at)
                b.const(1)
                b.op("i32.add")
                b.tee(at)
                b.const(0)
                b.load(plan.winner_count)
                b.op("i32.lt_s")
                b.br_if(again)
