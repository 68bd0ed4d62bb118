"""Lowers windows and played pieces to questions and statements.

A window is a question with one alternative for each kind that can be played in it. The code that
opens it does not know the kinds; each kind has its own clause, with the window's arguments, the
player and the piece as parameters. A rule can also play a piece itself: then the clause of its kind
is called by dynamic dispatch. The possible kinds are narrowed by how the piece was chosen, so that
a card which plays others does not cause recursion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.meanings import Hole, Meaning
from lawspeaker.meaning.check.questions import Questions
from lawspeaker.meaning.check.scope import Variable
from lawspeaker.meaning.check.statements import is_impossible
from lawspeaker.meaning.check.values import has_lets
from lawspeaker.meaning.check.world import Play, Window
from lawspeaker.text import parse
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Scalar, entries_of

MOST_PLAYS = 1_000
"""The maximal number of alternatives and dispatch targets for all windows and plays."""


class Windows(Questions):
    """Checks windows and plays in one clause."""

    def question(self, each: s.Statement) -> list[ir.Statement]:
        match each:
            case s.Offer():
                return self.offer(each)
            case s.Plays():
                return self.plays(each)
        return super().question(each)

    # ------------------------------------------------------------ opening windows

    def offer(self, each: s.Offer) -> list[ir.Statement]:
        named: list[ir.Statement] = []
        who: ir.Local | None = None
        if each.to is not None:
            named, who = self.once(self.player(each.to), "player", each.to.span)
        else:
            self.first_of(each.must, each.span)
        window = self.window_called(each.window)
        arguments = None if window is None else self.given_to(window, each.window.span)
        if window is None or arguments is None:
            self.mention(each.span)
            self.named_by(each, ir.BROKEN)
            return []
        impossible = each.otherwise is not None and is_impossible(each.otherwise)
        if each.must and each.otherwise is None and each.let is None:
            self.diagnostics.error(
                "maybe-empty",
                "it is not sure that there is anything to play",
                each.span.head,
                hint="add `otherwise:` and what happens then, or `otherwise: cannot happen`",
            )
        if self.too_many(len(window.plays), each.span):
            return []
        players = None
        with self.scope.block():
            if each.any is not None:
                players, who = self.several_asked(each.any)
            assert who is not None
            bodies = [
                self.playing(window, play, who, arguments, each.span) for play in window.plays
            ]
        otherwise = None if each.otherwise is None or impossible else self.block(each.otherwise)
        if each.let is None and each.then is None:
            return [*named, *self.opened(each, window, who, bodies, otherwise, players)]
        note = self.note(each, window)
        then = self.when_played(each, note)
        self.named_by(
            each, ir.MaybeType(note.type) if note.type is not None else ir.BROKEN, note.slot
        )
        bodies = [replace(one, body=(*one.body, note.played(one))) for one in bodies]
        none = None if impossible or not each.must else ()
        asked = [note.unset, *self.opened(each, window, who, bodies, none, players)]
        if each.let is not None:
            return [*named, *asked]
        if each.must and impossible:
            return [*named, *asked, *then]
        return [*named, *asked, ir.If(note.was_played, then, otherwise or (), span=each.span)]

    def opened(
        self,
        each: s.Offer,
        window: Window,
        who: ir.Local,
        plays: list[ir.Alternative],
        otherwise: ir.Block | None,
        players: ir.Binder | None,
    ) -> ir.Block:
        """The question of a window; without anything to play, what happens then."""
        if not plays:
            return otherwise or ()
        replies = index = -1
        if players is not None:
            replies, index = self.scope.hidden("replies"), self.scope.hidden()
        ask = ir.Ask(
            who if players is None else None,
            players,
            each.must,
            tuple(plays),
            otherwise,
            (),
            window.clause,
            replies,
            index,
            players is not None,
            span=each.span,
        )
        return (ask,)

    def note(self, each: s.Offer, window: Window) -> _Note:
        """The slot for what was played: the piece, if only one type of pieces can be."""
        types = {play.piece: self.piece_type(play.piece) for play in window.plays}
        only = next(iter(types.values())) if len(types) == 1 else None
        if each.let is not None and only is None:
            self.diagnostics.error(
                "wrong-type",
                f"pieces of several types can be played in `{window.name}`"
                if types
                else f"nothing can be played in `{window.name}`",
                each.window.span,
                Label(window.entry.span, "the window"),
                hint="say what follows below it: `then:` and `otherwise:`"
                if types
                else f"a clause with `plays: …` and `when: {window.name}` says what can",
            )
        if only is None:
            return _Note(self.scope.hidden("played", ir.TRUTH), None, each.span)
        name = only.name if each.let is None else each.let.text
        return _Note(self.scope.new_slot(name, ir.MaybeType(only)), only, each.span)

    def when_played(self, each: s.Offer, note: _Note) -> ir.Block:
        """The block after something was played, named by its noun if that is free."""
        with self.scope.block():
            if note.type is not None and self.scope.find(note.type.name, use=False) is None:
                self.scope.bring(Variable(note.type.name, note.slot, note.type, each.span))
            return self.statements(each.then or ())

    def named_by(self, each: s.Offer, type: ir.Type, slot: int | None = None) -> None:
        if each.let is not None:
            self.scope.declare(each.let.text, type, each.let.span, let=True, slot=slot)

    def window_called(self, name: s.Name) -> Window | None:
        window = self.world.windows.get(name.text)
        if self.is_hole(name, Hole("window")):
            return None
        if window is None:
            self.diagnostics.error(
                "unknown-name",
                f"there is no window `{name.text}`",
                name.span,
                hint=self.world.suggest(name.text, self.world.windows),
            )
            return None
        self.world.used.offered.add(name.text)
        self.world.meanings.note(name.span, Meaning("window", name.text))
        return window

    def given_to(self, window: Window, span: Span) -> list[ir.Local] | None:
        """The arguments of a window: names in scope where it is opened."""
        arguments: list[ir.Local] = []
        for given, type in zip(window.names, window.types, strict=True):
            variable = self.scope.find(given)
            if variable is None:
                self.diagnostics.error(
                    "wrong-operands",
                    f"the window `{window.name}` needs `{given}`",
                    span,
                    hint=f"say `let {given} be …` before it",
                )
                return None
            argument = ir.Local(variable.type, variable.slot, given, span=span)
            self.must_fit(argument, type)
            if given in window.changes:
                self.may_change(given, span)
            arguments.append(argument)
        return arguments

    def too_many(self, plays: int, span: Span) -> bool:
        """Whether the limit of plays is exceeded; reports it once."""
        self.world.alone = False
        before = self.world.plays
        self.world.plays += plays
        if before <= MOST_PLAYS < self.world.plays:
            self.diagnostics.error(
                "too-large",
                f"more than {MOST_PLAYS:,} kinds can be played at all moments together",
                span.head,
                hint="let fewer lines play, or offer, what so many kinds can be played as",
            )
        return self.world.plays > MOST_PLAYS

    def once(self, value: ir.Expr, name: str, span: Span) -> tuple[list[ir.Statement], ir.Local]:
        """Evaluates a value once, into a named slot."""
        if isinstance(value, ir.Local):
            return [], value
        slot = self.scope.hidden(name, value.type)
        known = ir.Local(value.type, slot, name, span=span)
        return [ir.SetLocal(slot, name, value, span=span)], known

    # ------------------------------------------------------------ alternatives

    def playing(
        self,
        window: Window,
        play: Play,
        who: ir.Local,
        arguments: list[ir.Local],
        span: Span,
    ) -> ir.Alternative:
        """The alternative for one kind of piece, played from its player's own place."""
        type = self.piece_type(play.piece)
        card = ir.Local(type, self.scope.new_slot(type.name, type), type.name, span=span)
        hand = self.place_of_player(self.world.played[play.piece][0], who)
        contents = ir.Contents(ir.SetType(type), hand, span=span)
        of_kind = self.is_of_kind(card, play)
        part = ir.Part(ir.Binder(card.slot, type.name, type, contents, of_kind, span=span))
        guards = self.window_guards(window, play, who, arguments, card)
        shown = self.laid_down(card, who, span) if not play.stays else self.told(card, span)
        body = (shown, *self.effect(window, play, who, arguments, card, span))
        label = "show" if play.stays else "play"
        ready = tuple(1 for _ in guards)
        return ir.Alternative(label, (part,), guards, ((),), ready, body, play.clause)

    def is_of_kind(self, card: ir.Local, play: Play) -> ir.Expr:
        kind = ir.KindType(self.world.pieces[play.piece].name, play.piece)
        known, wanted = ir.KindOf(kind, card), ir.Const(kind, play.kind)
        return ir.Compare(ir.TRUTH, "=", known, wanted, span=card.span)

    def laid_down(self, card: ir.Local, who: ir.Local, span: Span) -> ir.Statement:
        assert isinstance(card.type, ir.PieceType)
        pile = self.place_of_player(self.world.played[card.type.index][1], who)
        return ir.Move(card, pile, False, span=span)

    def told(self, card: ir.Local, span: Span) -> ir.Statement:
        """Shows the played card; it stays known where it lies, unless it has hidden states."""
        assert isinstance(card.type, ir.PieceType)
        states = self.world.pieces[card.type.index].states
        stays = all(each.seen_by == "everyone" for each in states)
        return ir.Tell(None, card, str(card.type), stays, span=span)

    def effect(
        self,
        window: Window,
        play: Play,
        who: ir.Local,
        arguments: list[ir.Local],
        card: ir.Local,
        span: Span,
    ) -> list[ir.Statement]:
        """Calls the clause of a played piece, with its hooks."""
        returns = tuple(
            (at, argument.slot)
            for at, argument in enumerate(arguments)
            if window.names[at] in window.changes
        )
        given = (*arguments, who, card)
        self.calls_for(play.clause, span)
        done = ir.Do(play.clause, given, returns, span=span)
        names = (*window.names, "player", str(card.type))
        return self.with_others(play.entry.id, dict(zip(names, given, strict=True)), done)

    def piece_type(self, piece: int) -> ir.PieceType:
        return ir.PieceType(self.world.pieces[piece].name, piece)

    def place_of_player(self, family: int, who: ir.Expr) -> ir.Expr:
        known = self.world.families[family]
        type = self.world.family_types[known.name]
        return ir.PlaceAt(type, family, (who,) if known.per_player else ())

    def window_guards(
        self,
        window: Window,
        play: Play,
        who: ir.Local,
        arguments: list[ir.Local],
        card: ir.Local,
    ) -> tuple[ir.Guard, ...]:
        """The conditions under `where:` of the clause for a kind."""
        node = play.entry.get("where")
        found: list[ir.Guard] = []
        for key, code in entries_of(node):
            if not isinstance(code, Scalar):
                continue
            tree = parse.value(code, self.diagnostics)
            if tree is None or has_lets(tree, self.diagnostics):
                self.mention(code.content)
                continue
            outer, self.scope.blocks = self.scope.blocks, [{}]
            own, self.guard_names = self.guard_names, {}
            for name, argument in zip(window.names, arguments, strict=True):
                self.scope.bring(_variable(name, argument))
            self.scope.bring(_variable("player", who))
            self.scope.bring(_variable(card.name, card))
            condition = self.truth(tree.result)
            named = s.Name(key.value, key.span)
            found.append(self.named_guard(play.entry, play.clause, named, condition, key.span))
            self.scope.blocks, self.guard_names = outer, own
        return tuple(found)

    # ------------------------------------------------------------ played by a rule

    def plays(self, each: s.Plays) -> list[ir.Statement]:
        """`active plays card`: moves it and calls its clause; with `again`, only the latter."""
        match each.what:
            # In `plays the card in play as action`, `action` is a window, not a name for the card.
            case s.The(s.Binder(alias=s.Name(text) as name) as binder) if (
                text in self.world.windows
            ):
                taken = s.The(replace(binder, alias=None), span=each.what.span)
                each = replace(each, what=taken, window=name)
        who, what = self.player(each.who), self.expr(each.what)
        if what.type is ir.BROKEN or not self.is_piece(what):
            self.mention(each.span)
            return []
        assert isinstance(what.type, ir.PieceType)
        window = self.window_meant(each, what.type)
        arguments = None if window is None else self.given_to(window, each.span)
        if window is None or arguments is None:
            return []
        named, player = self.once(who, "player", each.who.span)
        named_too, card = self.once(what, what.type.name, each.what.span)
        named += named_too
        known = [play for play in window.plays if play.piece == what.type.index]
        plays = [
            play for play in known if self.possible_kinds.may_be(card.slot, play.piece, play.kind)
        ]
        if len(plays) < len(known):
            self.possible_kinds.relied_on.add(card.slot)
        if self.too_many(len(plays), each.span):
            return []
        self.world.used.played_at.add(each.span)
        stays, goes = list[ir.If](), list[ir.Statement]()
        for play in plays:
            effect = self.effect(window, play, player, arguments, card, each.span)
            if play.stays and not each.again:
                effect.insert(0, self.told(card, each.span))
            done = ir.If(self.is_of_kind(card, play), tuple(effect), (), span=each.span)
            (stays if play.stays else goes).append(done)
        if not each.again:
            goes.insert(0, self.laid_down(card, player, each.span))
        for done in stays:
            goes = [replace(done, otherwise=tuple(goes))]
        return [*named, *goes]

    def is_piece(self, what: ir.Expr) -> bool:
        played = [self.piece_type(piece) for piece in self.world.played]
        if what.type in played:
            return True
        bare = what.type.of if isinstance(what.type, ir.MaybeType) else what.type
        if bare in played:
            self.must_fit(what, bare)
            return False
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(what.type)}, and is not played",
            what.span,
            hint=f"say in the piece `{bare.name}` where it is `played from:` and `played to:`"
            if isinstance(bare, ir.PieceType)
            else "a piece is played, such as `active plays card`",
        )
        return False

    def window_meant(self, each: s.Plays, type: ir.PieceType) -> Window | None:
        """The window in which a piece is played: as stated, that of the clause itself, or the only
        one for its type."""
        if each.window is not None:
            return self.window_called(each.window)
        windows = self.world.windows
        known = [
            window
            for window in windows.values()
            if any(play.piece == type.index for play in window.plays)
        ]
        own = windows.get(self.entry.text("when") or "")
        if own in known:
            known = [own]
        if len(known) == 1:
            self.world.used.offered.add(known[0].name)
            return known[0]
        listed = ", ".join(f"`{window.name}`" for window in known)
        self.diagnostics.error(
            "which-one" if known else "cannot-do",
            f"it is not said as what it is played: {listed}"
            if known
            else f"no clause says what a {type.name} does that is played",
            each.what.span,
            hint=f"write `… plays {each.what.span.text} as {known[0].name}`"
            if known
            else "a clause with `plays: …` and `when: …` does",
        )
        return None


@dataclass(frozen=True, slots=True)
class _Note:
    """A slot for the played piece; without a type, for whether something was played."""

    slot: int
    type: ir.PieceType | None
    span: Span

    @property
    def unset(self) -> ir.Statement:
        nothing = ir.Const(ir.NOTHING, None) if self.type is not None else ir.Const(ir.TRUTH, False)
        return ir.SetLocal(self.slot, self.name, nothing, span=self.span)

    def played(self, one: ir.Alternative) -> ir.Statement:
        value: ir.Expr = ir.Const(ir.TRUTH, True)
        if self.type is not None:
            value = ir.Local(self.type, one.parts[0].binder.slot, self.name, span=self.span)
        return ir.SetLocal(self.slot, self.name, value, span=self.span)

    @property
    def was_played(self) -> ir.Expr:
        if self.type is None:
            return ir.Local(ir.TRUTH, self.slot, self.name, span=self.span)
        noted = ir.Local(ir.MaybeType(self.type), self.slot, self.name, span=self.span)
        none = ir.Compare(ir.TRUTH, "=", noted, ir.Const(ir.NOTHING, None), span=self.span)
        return ir.Not(ir.TRUTH, none, span=self.span)

    @property
    def name(self) -> str:
        return self.type.name if self.type is not None else "played"


def _variable(name: str, local: ir.Local) -> Variable:
    return Variable(name, local.slot, local.type, local.span)
