"""Context words for the table, which a policy crosses with option features.

They cover the seat, points, markers, and the pieces in the places of small families, those of the
seat first; equal and hidden pieces are counted. Boards are left out: they show in the options. The
array has a fixed size, and later words are dropped.
"""

from __future__ import annotations

from itertools import pairwise

from lawspeaker.ir.types import (
    KindType,
    NumberType,
    PieceType,
    PlaceType,
    PlayerType,
    TruthType,
    Type,
    WordType,
    plain,
)
from lawspeaker.machines.compiled.playouts import feature_words
from lawspeaker.machines.compiled.playouts.feature_words import (
    count_word,
    counts,
    is_in,
    joined,
    looks,
    mark,
    number_word,
    or_none,
    relative,
    sees,
    spot_of,
)
from lawspeaker.machines.compiled.runtime.journal_code import viewers
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory
from lawspeaker.machines.compiled.runtime.policy_layout import CONTEXT
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Variable,
    const,
    long,
    not_,
    select,
    word,
)

_FEW_PLACES = 8
"""Families with at most so many places for each player are included; larger ones are boards."""
_PIECES = 12
"""The most pieces of a place that are used."""


@routine("table words")
def write_down(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat): stores the words for the table as the seat sees it"""
    room, layout = unit.plan.policy, unit.layout
    out = f.let("out", room.context)
    _put(unit, f, out, joined(mark("seat"), seat + 1))
    _scores(unit, f, out, seat)
    _markers(unit, f, out, seat)
    families = [each for each in enumerate(unit.plan.families) if _is_small(unit, each[1])]
    # Places for single pieces come first: they were put there to be seen.
    for alone in (True, False):
        some = [each for each in families if (each[1].of.room == 1) is alone]
        for distance in range(layout.players):
            owner = f.let("owner", (seat + distance) % layout.players)
            for number, family in some:
                each = family.size // layout.players
                for at in range(each if family.of.per_player else 0):
                    own = owner * each + (family.first + at)
                    f.set(out, _pieces(unit, number)(own, seat, out))
        for number, family in some:
            for place in () if family.of.per_player else family.places:
                f.set(out, _pieces(unit, number)(place, seat, out))
    f.set(word(room.context), (out - room.context) >> 2)


def _is_small(unit: Unit, family: PlaceMemory) -> bool:
    owners = unit.layout.players if family.of.per_player else 1
    return 0 < family.size <= _FEW_PLACES * owners


def _put(unit: Unit, f: Body, out: Variable, said: Expr) -> None:
    """Appends a word, if there is room for it."""
    with f.if_(out.below(unit.plan.policy.context + 4 * CONTEXT)):
        f.add(out, 4)
        f.set(word(out), said)


def _scores(unit: Unit, f: Body, out: Variable, seat: Variable) -> None:
    """Adds the seat's points, and its lead over the best of the others."""
    own = word(seat << 2, unit.plan.scores)
    _put(unit, f, out, joined(mark("points"), number_word(unit)(own)))
    _put(unit, f, out, ahead(unit)(seat))


@routine("table words", "ahead", returns=I32)
def ahead(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat) -> a word for its lead over the best of the others"""
    scores = unit.plan.scores
    most = f.let("most", -1 << 30)
    for other in range(unit.layout.players):
        score = word(scores + 4 * other)
        f.set(most, select((seat != other) & (score > most), score, most))
    own = word(seat << 2, scores)
    f.return_(joined(mark("ahead"), number_word(unit)(own - most)))


def _markers(unit: Unit, f: Body, out: Variable, seat: Variable) -> None:
    layout, plan = unit.layout, unit.plan
    for at, marker in enumerate(unit.program.markers):
        entries = list(layout.entries(at))
        if len(entries) > _FEW_PLACES * max(1, layout.players):
            continue
        for place, entry in entries:
            value = f.let("value", word(plan.markers + 4 * place))
            said = _marker_value(unit, plain(marker.type), value, seat)
            if said is None:
                continue
            texts = [
                layout.text(index.type, told)
                for index, told in zip(marker.indices, entry.indices, strict=True)
                if not index.owns
            ]
            owner = relative(unit, const(or_none(entry.owner)), seat)
            known = long(viewers(layout.viewers(entry.seen_by, entry.owner)))
            with f.if_(is_in(known, seat)):
                _put(unit, f, out, joined(mark(" ".join([marker.name, *texts])), owner, said))


def _marker_value(unit: Unit, of: Type, value: Variable, seat: Variable) -> Expr | None:
    """Returns a word for the value of a marker; None for types that are not distinguished."""
    match of:
        case PlayerType():
            return relative(unit, value, seat)
        case NumberType():
            return number_word(unit)(value)
        case PieceType():
            return looks(unit, of.index)(value, seat)
        case PlaceType():
            return spot_of(unit)(value, seat)
        case WordType() | KindType() | TruthType():
            return value + 2
    return None


@routine("pieces to", returns=I32)
def _pieces(
    unit: Unit, number: int, f: Body, place: Variable, seat: Variable, out: Variable
) -> None:
    """(place of a family, seat, output address) -> the end of the words for the pieces there"""
    family = unit.plan.families[number]
    spot = f.let("spot", spot_of(unit)(place, seat))
    with f.if_(not_(sees(unit, place, seat))):
        with f.if_(counts(unit, place, seat)):
            _put(unit, f, out, joined(spot, count_word(unit, family, place, seat)))
        f.return_(out)
    if _sorts(unit, family):
        f.set(out, _counted(unit, number)(place, seat, out))
        f.return_(out)
        return
    left = f.let("left", _PIECES)
    if not _in_order(unit, family):
        with feature_words.lying(unit, f, family, place) as piece:
            with f.if_(left == 0):
                f.return_(out)
            f.add(left, -1)
            _put(unit, f, out, joined(spot, looks(unit, family.of.holds)(piece, seat)))
        f.return_(out)
        return
    last, alike = f.let("last", 0), f.let("alike", 0)
    with feature_words.lying(unit, f, family, place) as piece:
        shown = f.let("shown", looks(unit, family.of.holds)(piece, seat))
        with f.if_((shown != last) & (alike != 0)):
            _put(unit, f, out, joined(spot, last, alike))
            f.set(alike, 0)
            f.add(left, -1)
            with f.if_(left == 0):
                f.return_(out)
        f.set(last, shown)
        f.add(alike, 1)
    with f.if_(alike):
        _put(unit, f, out, joined(spot, last, alike))
    f.return_(out)


def _sorts(unit: Unit, family: PlaceMemory) -> dict[int, int]:
    """Returns one piece of each sort, if pieces of few sorts come unordered and must be counted."""
    layout, of = unit.layout, family.of.holds
    if _in_order(unit, family) or unit.program.pieces[of].states:
        return {}
    found: dict[int, int] = {}
    for piece in layout.pieces_of[of]:
        found.setdefault(layout.alike[piece], piece)
    return found if len(found) <= _PIECES else {}


@routine("sorts to", returns=I32)
def _counted(
    unit: Unit, number: int, f: Body, place: Variable, seat: Variable, out: Variable
) -> None:
    """(place of a family that the seat sees, seat, output address) -> the end of the words for how
    many of each sort are there"""
    family, sums = unit.plan.families[number], unit.plan.policy.sorts
    sorts = _sorts(unit, family)
    first = min(sorts)
    f.clear(sums, 4 * (max(sorts) - first + 1))
    spot = f.let("spot", spot_of(unit)(place, seat))
    with feature_words.lying(unit, f, family, place) as piece:
        number_of = unit.plan.table(unit.layout.alike)[piece] - first
        f.add(word(number_of << 2, sums), 1)
    for sort, alike in sorts.items():
        count = f.let("count", word(sums + 4 * (sort - first)))
        with f.if_(count):
            shown = feature_words.face(unit, family.of.holds)(alike, seat)
            _put(unit, f, out, joined(spot, shown, number_word(unit)(count)))
    f.return_(out)


def _in_order(unit: Unit, family: PlaceMemory) -> bool:
    """Returns whether pieces that look the same are adjacent in iteration order: then runs are
    counted, else each piece has its word."""
    layout, of = unit.layout, family.of.holds
    if not family.masked or unit.program.pieces[of].states:
        return False
    kinds = [(layout.piece_kind[each], layout.piece_owner[each]) for each in layout.pieces_of[of]]
    changes = sum(one != other for one, other in pairwise(kinds))
    return changes == len(set(kinds)) - 1
