"""What the house of blackjack gets, against figures published for a single deck.

The rules' own terms say when the house draws and what its cards count; here all orders in which
cards can come are weighed. Figures are those for a house that has no blackjack: of totals from 17
to 21 and of going bust, by the card that the house shows (wizardofodds.com, blackjack, appendix 2;
where it hits soft 17, blackjackinfo.com, dealer outcome probabilities).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

import pytest

from tests.library import game
from tests.tiers import sample

STANDS = {
    1: (0.183786, 0.190890, 0.188680, 0.191692, 0.075137, 0.169815),
    2: (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0.352973),
    3: (0.130313, 0.130946, 0.123761, 0.123345, 0.116047, 0.375588),
    4: (0.130973, 0.114163, 0.120679, 0.116286, 0.115096, 0.402803),
    5: (0.119687, 0.123483, 0.116909, 0.104694, 0.106321, 0.428905),
    6: (0.166948, 0.106454, 0.107192, 0.100705, 0.097879, 0.420823),
    7: (0.372345, 0.138583, 0.077334, 0.078897, 0.072987, 0.259854),
    8: (0.130857, 0.362989, 0.129445, 0.068290, 0.069791, 0.238627),
    9: (0.121886, 0.103921, 0.357391, 0.122250, 0.061109, 0.233442),
    10: (0.124156, 0.122486, 0.124421, 0.356869, 0.039570, 0.232499),
}
HITS = {
    1: (0.0818, 0.2054, 0.2062, 0.2095, 0.0926, 0.2046),
    6: (0.1161, 0.1138, 0.1161, 0.1096, 0.1067, 0.4378),
}
CASES = [("blackjack", shown, known, 1e-6) for shown, known in STANDS.items()] + [
    ("blackjack+soft_seventeen", shown, known, 5.1e-5) for shown, known in HITS.items()
]


@pytest.mark.parametrize("name, shown, known, tolerance", sample(CASES, test=4, full=2))
def test_the_house_comes_to_its_totals_as_often_as_published(
    name: str, shown: int, known: tuple[float, ...], tolerance: float
) -> None:
    found = chances(name, shown)
    blackjack = found.pop(0, 0)
    none = 1 - blackjack
    totals = (*range(17, 22), 22)
    assert [found[each] / none for each in totals] == pytest.approx(known, abs=tolerance)
    assert set(found) == set(totals)
    assert blackjack == pytest.approx({1: 16 / 51, 10: 4 / 51}.get(shown, 0))


def chances(name: str, shown: int) -> dict[int, float]:
    """How likely each total is, with 22 for going bust and 0 for a blackjack."""
    match = game(name).start(players=1, seed=1)
    program = match.program
    terms = {program.clauses[each.clause].id: n for n, each in enumerate(program.functions)}
    ranks = [min(1 + piece % 13, 10) for piece in range(52)]
    by_pips = {pips: [n for n, each in enumerate(ranks) if each == pips] for pips in range(1, 11)}

    def term(clause: str, cards: tuple[int, ...]) -> int:
        return int(match.machine.worth(match.state, terms[clause], (cards,)))

    @cache
    def after(drawn: tuple[int, ...]) -> dict[int, float]:
        """The chances once cards with so many pips have been drawn, in ascending order."""
        having = Counter(drawn)
        cards = tuple(sorted(card for pips in having for card in by_pips[pips][: having[pips]]))
        if len(cards) > 1 and not term("house_goes_on", cards):
            return {0 if term("all_in_two", cards) else min(term("total", cards), 22): 1.0}
        found: dict[int, float] = defaultdict(float)
        for pips, all_of_them in by_pips.items():
            if left := len(all_of_them) - having[pips]:
                for total, chance in after(tuple(sorted((*drawn, pips)))).items():
                    found[total] += chance * left / (52 - len(cards))
        return found

    assert [term("total", (card,)) for card in range(52)] == [
        11 if pips == 1 else pips for pips in ranks
    ], "cards are numbered by suit, from the ace on"
    return after((shown,))
