"""Determinization: samples complete states that agree with a seat's view.

`unseen` turns a view into a state with gaps; `determinized` fills them: unseen pieces are dealt at
random to the tokens of their type, loose places stay loose, the RNG gets a new seed, hidden
markers and states are sampled from their domains, and secret replies of others are asked for
again. The pending question is then computed anew; deals in which others, or something else, would
be asked are rejected and resampled.
"""

from __future__ import annotations

from itertools import accumulate

from lawspeaker.ir.types import NumberType, SetType, Type
from lawspeaker.machines.reference.machine import blank_state
from lawspeaker.machines.reference.slot_pieces import Exchange
from lawspeaker.match.numbering import marker_shapes
from lawspeaker.match.view import View
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.rng import RngFactory, Stream
from lawspeaker.position.state import Frame, State
from lawspeaker.position.unseen import SPOKEN, MarkerGap, Pool, SlotGap, StateGap, Unseen

DEALS = 1000
"""Maximum samples until a deal agrees with the pending question."""
NUMBERS = 10
"""Values that are considered for a hidden number without bounds."""


def determinized(view: View, seed: int, deals: int = DEALS) -> State:
    """Samples a state that agrees with the view; everything unseen is drawn from the seed.

    After so many `deals` that do not agree, the last one is returned.
    """
    machine, gaps = view._machine, unseen(view)
    luck = RngFactory(seed).stream("imagine")
    state: State | None = None
    fault: RuleFault | None = None
    for _ in range(deals):
        deal = dealt(view, gaps, luck)
        deal.seed = seed
        try:
            if deal.stack:
                machine.run(deal)
        except RuleFault as found:
            fault = found
            continue
        state = deal
        if _agrees(view, state):
            break
    if state is None:
        assert fault is not None
        raise fault
    asked = () if state.pending is None else state.pending[1]
    if view.reply is not None and view.seat is not None and view.seat in asked:
        machine.answer(state, view.seat, view.reply)
    state.journal = []
    return state


def _agrees(view: View, state: State) -> bool:
    """Whether the same seats are asked the same question in the sampled state.

    Also rejects states that ask once more after an answer that the deal left out. Chance
    questions are not compared, since the sampled state does not ask for chance.
    """
    if view.pending is None or view.pending[0] == "chance":
        return True
    asked_by = [(frame.clause, frame.pc) for frame in state.stack]
    if state.pending != view.pending or asked_by != [frame[:2] for frame in view.stack]:
        return False
    shapes = view._machine.shapes
    return all(
        value is None or slot in shapes[clause] or frame.slots[slot] == value
        for frame, (clause, _, values) in zip(state.stack, view.stack, strict=True)
        for slot, value in enumerate(values)
    )


# ---------------------------------------------------------------- finding gaps


def unseen(view: View) -> Unseen:
    """Extracts a state with gaps from a view."""
    layout = view.layout
    state = blank_state(layout)
    state.discreet = view.discreet
    state.contents = {}
    state.loose = dict(view.loose)
    state.scores = list(view.scores)
    state.past = list(view.past)
    state.shuffles = dict(view.shuffles)
    state.picks = dict(view.picks)
    state.ended, state.winners = view.ended, view.winners
    tokens: dict[int, list[tuple[int, int]]] = {}
    partly: dict[int, tuple[int, ...]] = {}
    for place, held in sorted(view.contents.items()):
        backs = sum(1 for piece in held if piece < 0)
        if backs:
            number = layout.program.families[layout.place_family[place]].holds
            tokens.setdefault(number, []).append((place, backs))
        if backs < len(held):
            state.contents[place] = held
        if 0 < backs < len(held):
            partly[place] = held
        for piece in held:
            if piece >= 0:
                state.where[piece] = place
        state.known |= _known(view, place, held)
    for piece, values in view.states.items():
        if piece >= 0:
            _set_states(layout, state, piece, values)
    pools, order = _pools(view, state, tokens)
    gaps = _state_gaps(view, state, pools, order), _marker_gaps(view, state), _slot_gaps(view)
    spoken = _keep_spoken(view, state, order)
    return Unseen(state, pools, *gaps, spoken, _has_uncounted(view), partly)


def _known(view: View, place: int, held: tuple[int, ...]) -> dict[int, int]:
    """The seat's knowledge bit for each piece that it knows without seeing it."""
    layout = view.layout
    sight = layout.sight(view.seat)
    if layout.seen[place] & sight:
        return {}
    top = held[-1] if layout.top_seen[place] & sight else None
    kept = view.program.families[layout.place_family[place]].stays_known
    return {piece: sight for piece in held if piece >= 0 and (piece != top or kept)}


def _pools(
    view: View, state: State, tokens: dict[int, list[tuple[int, int]]]
) -> tuple[tuple[Pool, ...], dict[int, int]]:
    """The pools, and for each token its index among all dealt pieces."""
    layout = view.layout
    seen = {piece for held in state.contents.values() for piece in held if piece >= 0}
    pools: list[Pool] = []
    order: dict[int, int] = {}
    before = 0
    for number in sorted({*tokens, *view.floating}):
        places = tuple(tokens.get(number, ()))
        pieces = tuple([piece for piece in layout.pieces_of[number] if piece not in seen])
        held = [token for place, _ in places for token in view.contents[place] if token < 0]
        last = sum(count for some in tokens.values() for _, count in some)
        held += [-last - at - 1 for at, of in enumerate(view.floating) if of == number]
        order.update(zip(held, range(before, before + len(pieces)), strict=False))
        settled = _is_settled(view, places, pieces)
        if settled:
            ((place, _),) = places
            state.contents[place] = pieces
            for piece in pieces:
                state.where[piece] = place
        pools.append(Pool(pieces, places, settled))
        before += len(pieces)
    return tuple(pools), order


def _is_settled(view: View, places: tuple[tuple[int, int], ...], pieces: tuple[int, ...]) -> bool:
    """Whether all pieces lie in one unordered place, indistinguishable as tokens."""
    if len(places) != 1:
        return False
    ((place, count),) = places
    loose = view.layout.heap[place] or view.loose.get(place) == (0, count)
    all_of_them = count == len(pieces) == len(view.contents[place])
    return loose and all_of_them and _known_of_all(view, places) is not None


def _known_of_all(view: View, places: tuple[tuple[int, int], ...]) -> tuple[Value, ...] | None:
    """The states common to all tokens in some places, if known and equal."""
    layout = view.layout
    tokens = [token for place, _ in places for token in view.contents[place] if token < 0]
    told = {view.states.get(token, ()) for token in tokens}
    number = layout.program.families[layout.place_family[places[0][0]]].holds
    hidden = any(each.seen_by != "everyone" for each in layout.states[number])
    return None if hidden or len(told) != 1 else told.pop()


def _state_gaps(
    view: View, state: State, pools: tuple[Pool, ...], order: dict[int, int]
) -> tuple[StateGap, ...]:
    """Gaps for the states of tokens, in order; states common to all go into the state instead."""
    layout = view.layout
    alike: set[int] = set()
    for pool in pools:
        everywhere = sum(count for _, count in pool.places) == len(pool.pieces)
        known = _known_of_all(view, pool.places) if everywhere else None
        if known is not None:
            alike.add(layout.piece_type[pool.pieces[0]])
            for piece in pool.pieces:
                _set_states(layout, state, piece, known)
    gaps: list[StateGap] = []
    ends = list(accumulate(len(pool.pieces) for pool in pools))
    for token in sorted(token for token in view.states if token < 0):
        at = order[token]
        pool = next(pool for pool, end in zip(pools, ends, strict=True) if at < end)
        number = layout.piece_type[pool.pieces[0]]
        if number in alike:
            continue
        entries = zip(layout.states[number], view.states[token], strict=True)
        for which, (each, value) in enumerate(entries):
            if each.seen_by == "everyone":
                gaps.append(StateGap(at, number, which, (value,), hidden=False))
                continue
            values = _anything(layout, each.type, each.start)
            gaps.append(StateGap(at, number, which, values, hidden=True))
    return tuple(gaps)


def _set_states(layout: Layout, state: State, piece: int, values: tuple[Value, ...]) -> None:
    for at, value in zip(layout.state_at[layout.piece_type[piece]], values, strict=False):
        state.states[at + piece] = value


def _marker_gaps(view: View, state: State) -> tuple[MarkerGap, ...]:
    layout = view.layout
    gaps: list[MarkerGap] = []
    for at, (entry, found) in enumerate(zip(layout.markers, view.markers, strict=True)):
        if found is not None:
            (state.markers[at],) = found
        else:
            gaps.append(MarkerGap(at, _anything(layout, entry.type, state.markers[at])))
    return tuple(gaps)


def _slot_gaps(view: View) -> tuple[SlotGap, ...]:
    """Gaps for private slots; seats that are asked have none."""
    gaps: list[SlotGap] = []
    for at, (clause, _, values) in enumerate(view.stack):
        slots = view.program.clauses[clause].slots
        for slot in sorted(view._machine.private[clause]):
            if values[slot] is not None or view.seat in view.asked:
                continue
            of = slots[slot].type
            start = 0 if isinstance(of, NumberType) else () if isinstance(of, SetType) else None
            gaps.append(SlotGap(at, slot, _anything(view.layout, of, start)))
    return tuple(gaps)


def _anything(layout: Layout, of: Type, start: Value) -> tuple[Value, ...]:
    """Possible values of a type: its domain, a few for unbounded numbers, else only the start
    value.
    """
    if isinstance(of, NumberType) and not of.listed:
        return tuple(range(start, start + NUMBERS))
    try:
        return layout.domain(of)
    except ValueError:
        return (start,)


def _keep_spoken(view: View, state: State, order: dict[int, int]) -> bool:
    """Copies a view's stack into a state; returns whether the stack or a marker refers to
    tokens.
    """
    shapes = view._machine.shapes
    spoken = False

    def mark(piece: int) -> int:
        nonlocal spoken
        if piece >= 0:
            return piece
        spoken = True
        return SPOKEN + order[piece]

    for clause, pc, slots in view.stack:
        values = list(slots)
        for slot, shape in shapes[clause].items():
            values[slot] = shape(values[slot], mark)
        state.stack.append(Frame(clause, pc, values))
    for at, found in enumerate(marker_shapes(view.layout)):
        if found is not None and view.markers[at] is not None:
            state.markers[at] = found(state.markers[at], mark)
    return spoken


def _has_uncounted(view: View) -> bool:
    """Whether pieces are in places whose counts the seat does not know."""
    counted = sum(map(len, view.contents.values()))
    return counted < len(view.layout.piece_type)


# ---------------------------------------------------------------- filling them


def dealt(view: View, gaps: Unseen, luck: Stream) -> State:
    """Fills the gaps; the pending question is not computed yet."""
    layout = view.layout
    state = gaps.known.copy()
    pieces: list[int] = []
    for pool in gaps.pools:
        if pool.settled:
            luck.skip(len(pool.pieces) - 1)
            pieces += pool.pieces
            continue
        shuffled = luck.shuffled(pool.pieces)
        pieces += shuffled
        for place, count in pool.places:
            some, shuffled = shuffled[:count], shuffled[count:]
            backs = iter(some)
            held = gaps.partly.get(place, (-1,) * count)
            _put(layout, state, place, [next(backs) if each < 0 else each for each in held])
    if gaps.uncounted:
        _deal_the_rest(view, luck, state)
    for gap in gaps.states:
        value = luck.choose(gap.values) if gap.hidden else gap.values[0]
        state.states[layout.state_at[gap.type][gap.state] + pieces[gap.dealt]] = value
    for marker in gaps.markers:
        state.markers[marker.marker] = luck.choose(marker.values)
    for name in gaps.slots:
        state.stack[name.frame].slots[name.slot] = luck.choose(name.values)
    if gaps.spoken:
        _speak_of(view, state, lambda at: pieces[at - SPOKEN] if at >= SPOKEN else at)
    return state


def _speak_of(view: View, state: State, dealt: Exchange) -> None:
    """Replaces placeholders in the stack and in markers by the dealt pieces."""
    shapes = view._machine.shapes
    for frame in state.stack:
        for slot, shape in shapes[frame.clause].items():
            frame.slots[slot] = shape(frame.slots[slot], dealt)
    for number, found in enumerate(marker_shapes(view.layout)):
        if found is not None:
            state.markers[number] = found(state.markers[number], dealt)


def _put(layout: Layout, state: State, place: int, pieces: list[int]) -> None:
    """Puts pieces into a place, in canonical order."""
    if layout.heap[place]:
        pieces.sort()
    elif place in state.loose:
        under, middle = state.loose[place]
        pieces[under : under + middle] = sorted(pieces[under : under + middle])
    state.contents[place] = tuple(pieces)
    for piece in pieces:
        state.where[piece] = place


def _deal_the_rest(view: View, luck: Stream, state: State) -> None:
    """Deals pieces in no counted place to uncounted places that may hold them."""
    layout = view.layout
    placed = {piece for held in state.contents.values() for piece in held}
    rest = [piece for piece in range(len(layout.piece_type)) if piece not in placed]
    for piece in luck.shuffled(rest):
        number = layout.piece_type[piece]
        open_places = [
            place
            for place, family in enumerate(layout.place_family)
            if not layout.sees(layout.count_seen[place], view.seat)
            and not layout.sees(layout.seen[place], view.seat)
            and layout.program.families[family].holds == number
            and _has_room(layout, state, place)
        ]
        place = luck.choose(open_places)
        _put(layout, state, place, [*state.contents.get(place, ()), piece])


def _has_room(layout: Layout, state: State, place: int) -> bool:
    room = layout.place_room[place]
    return room is None or len(state.contents.get(place, ())) < room
