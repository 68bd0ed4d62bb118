"""Hostile rule files: each kind is larger, deeper or wider in one way than any game, in any size.

The language allows all of them, or nearly so: they are not malformed, they cost too much. A kind
is a function from a size to the text of a game; `hostile_games` draws kinds and sizes at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

HEAD = "lawspeaker: 1\ngame: hostile\nplayers: {from: 2, to: PLAYERS}\n"
MARKER = "markers:\n  m: {shows: 0..9}\n"
NUMBERS = "numbers: {p: 1..1000}\n"
BOARD = (
    "pieces:\n  card: {count: 9, starts in: box}\n"
    "places:\n  box: {holds: card}\n  cell: {grid: 8 by 8, holds: card}\n"
)
CARDS = (
    "pieces:\n"
    "  card: {starts in: deck, played from: hand, played to: deck, kinds: {KINDS}}\n"
    "places:\n"
    "  deck: {holds: card, arranged: pile, seen by: nobody}\n"
    "  hand: {of each: player, holds: card, seen by: owner}\n"
)

Kind = Callable[[int], str]


def game(
    code: str, sections: str = "", more: str = "", *, asks: bool = False, most: int = 2
) -> str:
    """A game whose only clause has this code, and further clauses."""
    lines = "".join(f"      {line}\n" for line in code.split("\n"))
    question = "    asks: What?\n" if asks else ""
    head = HEAD.replace("PLAYERS", str(most))
    return (
        f"{head}{sections}rules:\n  game:\n    says: It runs.\n{question}    rule: |\n{lines}{more}"
    )


def numbered_lines(count: int, line: str) -> str:
    """Many lines; `{i}` is the number of each, `{n}` that of the next."""
    return "".join(line.format(i=i, n=i + 1) + "\n" for i in range(count))


def values(count: int, value: str, last: str) -> str:
    """Values that build on each other: `v0` on `v1` and so on."""
    each = f"  c{{i}}: {{{{says: s., define: v{{i}}, as: {value}}}}}"
    return numbered_lines(count, each) + f"  last: {{says: s., define: v{count}, as: {last}}}\n"


def words(count: int) -> str:
    return f"words:\n  w: [{', '.join(f'a{i}' for i in range(count))}]\n"


def guards(count: int) -> str:
    return f"    guards: {{{', '.join(f'g{i}: G.' for i in range(count))}}}\n"


def guarded(text: str, count: int) -> str:
    return text.replace("    asks: What?\n", "    asks: What?\n" + guards(count), 1)


# ---------------------------------------------------------------- values that grow


def sums_that_double(size: int) -> str:
    return game("players score v0", MARKER, values(size, "v{n} + v{n}", "m"))


def numbers_that_double(size: int) -> str:
    return game("players score v0", "", values(size, "v{n} + v{n}", "1"))


def arguments_that_double(size: int) -> str:
    """Each value needs another of two numbers that nobody has asked for before."""
    head = "{{says: s., define: v{i}(x), given: {{x: number}}, as: "
    each = f"  c{{i}}: {head}v{{n}}(x + x) + v{{n}}(x + x + 1)}}}}"
    last = f"  last: {head}x}}}}\n".format(i=size)
    return game("players score v0(1)", "", numbered_lines(size, each) + last)


def truths_that_double(size: int) -> str:
    return game("if v0: players score 1", MARKER, values(size, "v{n} and v{n}", "m = 1"))


def counts_that_double(size: int) -> str:
    return game("players score v0", MARKER, values(size, "count of players where v{n} > 0", "m"))


def choices_that_double(size: int) -> str:
    return game("players score v0", MARKER, values(size, "if v{n} > 1 then v{n} else 2", "m"))


def clauses_that_double(size: int) -> str:
    each = "  c{i}:\n    says: s.\n    rule: |\n      do c{n}\n      do c{n}"
    last = f"  c{size}: {{says: s., rule: players score 1}}\n"
    return game("do c0", "", numbered_lines(size, each) + last)


def values_of_values(size: int) -> str:
    """Three storeys, each as wide as the code of a value may be."""
    wide = min(size, 60)
    storeys = ""
    for own, inner in (("a", "b"), ("b", "d"), ("d", "")):
        for i in range(1 if own == "a" else wide):
            terms = " + ".join(f"{inner}{j}" if inner else "m" for j in range(wide))
            storeys += f"  {own}{i}: {{says: s., define: {own}{i}, as: {terms}}}\n"
    return game("players score a0", MARKER, storeys)


# ---------------------------------------------------------------- code


def there_is_in_there_is(size: int) -> str:
    depth = min(size, 12)
    found = "".join(f"there is a p as a{i} where " for i in range(depth))
    return game(f"if {found}a{depth - 1} > 999: players score 1", NUMBERS)


def a_long_is_in(size: int) -> str:
    listed = ", ".join(str(i) for i in range(min(20 * size, 4_000)))
    return game(f"if m is in [{listed}]: players score 1", MARKER)


def a_list_that_is_worked_out(size: int) -> str:
    listed = ", ".join(f"m + {i}" for i in range(min(10 * size, 1_500)))
    return game(f"if m is in [{listed}]: players score 1", MARKER)


def names_for_names(size: int) -> str:
    chain = "".join(f"let x{i + 1} be x{i} + x{i}\n" for i in range(min(8 * size, 800)))
    return game(f"let x0 be m\n{chain}players score 1", MARKER)


def else_if(size: int) -> str:
    branches = "".join(f"else if m = {i}:\n  players score 1\n" for i in range(4 * size))
    return game(f"if m = 0:\n  players score 1\n{branches}", MARKER)


def then_by(size: int) -> str:
    keys = ", then by m" * min(10 * size, 900)
    return game(f"rank players by m{keys}, highest first: tied scores 1", MARKER)


def blocks(size: int) -> str:
    deep = min(size, 90)
    opened = "\n".join("  " * i + "if m = 1:" for i in range(deep))
    return game(f"{opened}\n{'  ' * deep}players score 1", MARKER)


def deeds(size: int) -> str:
    return game("players score m\n" * min(10 * size, 1_200), MARKER)


def loops(size: int) -> str:
    deep = min(size, 30)
    opened = "\n".join("  " * i + f"for each player as x{i}:" for i in range(deep))
    ranked = f"{'  ' * deep}rank players by score of player, highest first: tied scores 1"
    return game(f"{opened}\n{ranked}", most=64)


def walks(size: int) -> str:
    one = "count of (walk from cell(1, 1) along east to each cell as next while next is empty)"
    ways = "words:\n  way: {has: {across: number, down: number}, are: {east: {across: 1}}}\n"
    return game("players score " + " + ".join([one] * min(size, 70)), ways + BOARD)


def regions(size: int) -> str:
    """Regions that ask of each place for a region, which asks again."""
    deep = min(size, 3)
    code = "cell(8, 8) is empty"
    for at in range(deep):
        code = f"count of (region from cell(1, 1) to each cell as x{at} while {code}) > 0"
    many = " + ".join(["count of (region from cell(1, 1) to each cell)"] * min(size, 60))
    return game(f"if {code}: players score {many}", BOARD)


# ---------------------------------------------------------------- questions


def parts(size: int) -> str:
    """A choice of so many parts, of which each could be written out for each word."""
    count = min(size, 60)
    taken = ", ".join(f"w as x{i}" for i in range(count))
    tests = " or ".join(f"x{i} is x{i + 1}" for i in range(min(count, 40) - 1)) or "yes"
    code = f"player_1 must take: {taken}\n  where g0: {tests}\n  otherwise: skip"
    return guarded(game(code, words(2), asks=True), 1)


def guards_that_look(size: int) -> str:
    count = min(3 * size, 250)
    asked = "\n".join(f"  where g{i}: there is a w as x{i} where x{i} is w" for i in range(count))
    code = f"player_1 must take: w\n{asked}\n  otherwise: skip"
    return guarded(game(code, words(9), asks=True), count)


def alternatives(size: int) -> str:
    each = "\n".join(f"  alt{i}: number in 1..9" for i in range(min(10 * size, 700)))
    return game(f"player_1 must choose one of\n{each}", asks=True)


def plain_alternatives(size: int) -> str:
    each = "\n".join(f"  a{i}" for i in range(min(10 * size, 900)))
    return game(f"player_1 must choose one of\n{each}", asks=True)


def joined_alternatives(size: int) -> str:
    """A question that many clauses join."""
    joined = "  j{i}: {{says: s., joins: game, offers: b{i}}}"
    many = numbered_lines(min(10 * size, 900), joined)
    return game("player_1 must choose one of\n  a0\n  a1", more=many, asks=True)


def subsets(size: int) -> str:
    return game("player_1 must take: any number of w as x", words(min(3 * size, 900)), asks=True)


def sets_of_nearly_all(size: int) -> str:
    """As many choices as members, or half their square, each nearly as long as all there are."""
    count = min(3 * size, 300)
    less = 2 if count < 150 else 1
    code = f"player_1 must take: {count - less} w as x\n  otherwise: skip"
    return game(code, words(count), asks=True)


def secret_questions(size: int) -> str:
    code = "each player secretly must take: any number of w as x"
    return game(code, words(min(size, 16)), asks=True, most=64)


def fields(size: int) -> str:
    count = min(size, 100)
    asked = "\n".join(
        f"  where g{i}: there is a cell as x{i} where row of x{i} > row of cell"
        for i in range(count)
    )
    code = f"player_1 must go: cell\n{asked}\n  otherwise: skip"
    return guarded(game(code, BOARD, asks=True), count)


def windows(size: int) -> str:
    count = min(10 * size, 900)
    kinds = ", ".join(f"k{i}: 1" for i in range(count))
    sections = "windows:\n  w: {says: s., asks: Q}\n" + CARDS.replace("KINDS", kinds)
    cards = "  card.k{i}: {{says: s., plays: k{i}, when: w, rule: players score 1}}"
    return game("for each player: offer w to player", sections, numbered_lines(count, cards))


def cards_that_play_cards(size: int) -> str:
    count = min(3 * size, 200)
    kinds = ", ".join(f"k{i}: 1" for i in range(count))
    sections = "windows:\n  w: {says: s.}\n" + CARDS.replace("KINDS", kinds)
    cards = "  card.k{i}: {{says: s., plays: k{i}, when: w, rule: players score 1}}"
    plays = "\n".join("  player_1 plays card again" for _ in range(2 * size))
    return game(f"for each card:\n{plays}", sections, numbered_lines(count, cards))


# ---------------------------------------------------------------- things, and clauses


def a_chain_of_clauses(size: int) -> str:
    count = min(10 * size, 990)
    each = numbered_lines(count, "  c{i}: {{says: s., rule: do c{n}}}")
    last = f"  c{count}:\n    says: s.\n    asks: Q\n    rule: player_1 may wait\n"
    return game("do c0", "", each + last)


def many_questions(size: int) -> str:
    count = min(10 * size, 900)
    done = "\n".join(f"do c{i}" for i in range(count))
    each = "  c{i}: {{says: s., asks: Q, rule: 'player_1 must take: number in 1..3'}}"
    return game(done, "", numbered_lines(count, each))


def interruptions(size: int) -> str:
    """Clauses that ask, and as many that interrupt each of them."""
    asking = "  q{i}: {{says: s., asks: Q, rule: 'player_1 must choose p'}}"
    interrupting = "  x{i}: {{says: s., interrupts: round, rule: 'm becomes 1'}}"
    more = numbered_lines(size, asking) + numbered_lines(size, interrupting)
    all_of_them = "\n      ".join(f"do q{i}" for i in range(size))
    more += f"  round:\n    says: s.\n    rule: |\n      {all_of_them}\n"
    return game("do round", NUMBERS + MARKER, more)


def nested_interruptions(size: int) -> str:
    """Clauses that ask and do the next one, and as many, each of which interrupts another."""
    head = "  q{i}:\n    says: s.\n    asks: Q\n    rule: |\n"
    asking = f"{head}      player_1 must choose p\n      do q{{n}}"
    interrupting = "  x{i}: {{says: s., interrupts: q{i}, rule: 'm becomes 1'}}"
    more = numbered_lines(2 * size, asking) + f"  q{2 * size}: {{says: s., rule: skip}}\n"
    return game("do q0", NUMBERS + MARKER, more + numbered_lines(2 * size, interrupting))


def types_of_pieces(size: int) -> str:
    count = min(10 * size, 990)
    pieces = numbered_lines(count, "  card{i}: {{starts in: box{i}, count: 5}}")
    return game(
        "skip", f"pieces:\n{pieces}places:\n{numbered_lines(count, '  box{i}: {{holds: card{i}}}')}"
    )


def states(size: int) -> str:
    """As many values as all pieces together may have."""
    count = min(3 * size, 300)
    changes = numbered_lines(count, "      s{i}: {{is: truth, starts as: false}}")
    pieces = f"pieces:\n  card:\n    starts in: box\n    count: {100_000 // count}\n"
    return game("skip", f"{pieces}    changes:\n{changes}places:\n  box: {{holds: card}}\n")


def markers(size: int) -> str:
    many = numbered_lines(min(10 * size, 990), "  m{i}: {{of each: player, shows: 0..9}}")
    return game("skip", f"markers:\n{many}", most=64)


def places(size: int) -> str:
    numbers = f"numbers: {{p: 1..{min(30 * size, 3_000)}}}\n"
    cells = "pieces:\n  card: {count: 1, starts in: box}\nplaces:\n  box: {holds: card}\n"
    return game("skip", f"{numbers}{cells}  x: {{of each: player, at: p, holds: card}}\n", most=64)


def a_large_table(size: int) -> str:
    return game("skip", MARKER) + "table:\n  down:\n" + "    - {marker: m}\n" * min(7 * size, 650)


def long_texts(size: int) -> str:
    return game("skip").replace("It runs.", f"It runs {'on and ' * 500 * size}on.")


def names(size: int) -> str:
    count = min(10 * size, 900)
    called = numbered_lines(
        count, "  a{i}: {{en: Name {i}, de: Name {i}, it: Nome {i}, fr: Nom {i}}}"
    )
    return game("skip", words(count)) + f"names:\n{called}"


KINDS: tuple[Kind, ...] = (
    *(sums_that_double, numbers_that_double, arguments_that_double, truths_that_double),
    *(counts_that_double, choices_that_double, clauses_that_double, values_of_values),
    *(there_is_in_there_is, a_long_is_in, a_list_that_is_worked_out, names_for_names, else_if),
    *(
        then_by,
        blocks,
        deeds,
        loops,
        walks,
        regions,
        parts,
        guards_that_look,
        alternatives,
        subsets,
    ),
    *(plain_alternatives, joined_alternatives),
    *(sets_of_nearly_all, secret_questions, fields, windows, cards_that_play_cards),
    *(a_chain_of_clauses, many_questions, types_of_pieces, states, markers, places),
    *(a_large_table, long_texts, names, interruptions, nested_interruptions),
)


def hostile_games(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """So many hostile games: every kind in its turn, or kinds evenly spread, most of them large."""
    luck = Random(seed)
    step = max(1, len(KINDS) // count)
    for number in range(count):
        kind = KINDS[number * step % len(KINDS)]
        size = luck.choice((1, 2, 5, 20, 40, 100))
        yield f"{kind.__name__} {size}", kind(size)
