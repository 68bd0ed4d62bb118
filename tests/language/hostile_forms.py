"""Every form of the grammar, nested, repeated, doubled and widened as far as a rule file allows.

A form of an expression is a text with holes for a number, `{x}`, and is a number itself, so that
every form fits into every other one. `{i}` makes names unique. Of each form there are these kinds
(see `hostile.py`):

* nested, nested_deeply: the form in itself, four times, and as deep as the parser allows;
* widened: the form twice in itself, over large sets;
* repeated: lines with the form, as many as the code of a clause may have;
* added: a sum of the form;
* defined: values that are each the form of the next one, in every hole;
* named, set_names: `let` lines that are each the form of the line before, in a definition and in a
  rule.

A form of a statement has a hole for a block, and is nested and widened. A line is repeated, over
small and over large sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

HEAD = "lawspeaker: 1\ngame: hostile\nplayers: {{from: 2, to: {players}}}\n"
WORLD = """\
words:
  hue: [{words}]
  way: {{has: {{across: number, down: number}}, are: {{east: {{across: 1}}, south: {{down: 1}}}}}}
  town: [{towns}]
  border: {{joins: yard}}
  road: {{joins: town, has: {{length: number}}, are: {{{roads}}}}}
numbers: {{p: 1..{numbers}}}
pieces:
  card:
    starts in: box
    has: {{worth: number}}
    kinds: {{ace: {{count: {cards}, worth: 1}}}}
places:
  box: {{holds: card, seen by: everyone}}
  hand: {{of each: player, holds: card, seen by: everyone}}
  cell: {{grid: {side} by {side}, holds: card, seen by: everyone}}
  yard: {{grid: 5 by 5, holds: card, seen by: everyone}}
markers:
  m: {{shows: 0..9, starts as: 1}}
  turn: {{shows: player, starts as: player_1}}
  board: {{remembers: [m, turn], last: 3}}
rules:
"""
OTHERS = """\
  game:
    says: It runs.
    rule: |
      do tested
      do helping(1)
      remember board
      players score called(1, appearances of board)
      do asking(1)
  helping: {says: s., given: {amount: number}, rule: 'm becomes remainder(amount, 9)'}
  asking:
    says: s.
    asks: Q
    given: {amount: number}
    rule: 'player_1 may go: cell where amount > 0'
  calling:
    says: s.
    define: called(one, other)
    given: {one: number, other: number}
    as: one + other
"""
LONGEST = 19_000
"""So many characters the code of a clause has here; 20,000 are possible."""
MOST_CODE = 58_000
"""The same of all clauses; 60,000 are possible."""

EXPRESSIONS: dict[str, str] = {
    "add": "({x} + {x})",
    "subtract": "({x} - {x})",
    "multiply": "({x} * {x})",
    "divide": "({x} / (1 + {x}) rounded down)",
    "remainder": "remainder({x}, 7)",
    "larger": "larger({x}, {x})",
    "difference": "difference({x}, {x})",
    "negate": "(-{x})",
    "conditional": "(if {x} > 1 then {x} else {x})",
    "not": "(if not {x} > 1 then 1 else 2)",
    "and": "(if {x} > 1 and {x} > 2 then 1 else 2)",
    "or": "(if {x} > 1 or {x} > 2 then 1 else 2)",
    "between": "(if 1 <= {x} <= 3 then 1 else 2)",
    "is": "(if {x} is {x} then 1 else 2)",
    "is_not": "(if {x} is not {x} then 1 else 2)",
    "is_in_list": "(if {x} is in [1, {x}, {x}] then 1 else 2)",
    "is_in_range": "(if {x} is in 1..{x} then 1 else 2)",
    "is_in_set": (
        "(if {x} is in (collect {x} + column of c{i} for each cell as c{i}) then 1 else 2)"
    ),
    "list": "(count of ([{x}, {x}]))",
    "joined_lists": "(count of ([{x}] + [{x}] - [3]))",
    "joined_sets": (
        "(count of (all cells as c{i} where {x} > 0) "
        "+ count of ((all cells) - (all cells as d{i} where {x} > 1)))"
    ),
    "count": "(count of cells as c{i} where {x} + column of c{i} > 0)",
    "count_pieces": "(count of cards as c{i} where {x} + worth of c{i} > 0)",
    "count_numbers": "(count of ps as c{i} where {x} > c{i})",
    "count_range": "(count of numbers as c{i} in 1..(9 + {x}) where c{i} > 1)",
    "sum": "(sum of {x} + column of c{i} for each cell as c{i})",
    "sum_of_players": "(sum of {x} + score of c{i} for each player as c{i})",
    "highest": "(highest of {x} + column of c{i} for each cell as c{i} otherwise 0)",
    "collect": "(count of (collect {x} + column of c{i} for each cell as c{i}))",
    "collect_different": (
        "(count of (collect different {x} + column of c{i} for each cell as c{i}))"
    ),
    "all": "(count of (all cells as c{i} where {x} + column of c{i} > 0))",
    "the": "(score of the player as c{i} where {x} > 0)",
    "exists": "(if there is a cell as c{i} where {x} + column of c{i} > 99 then 1 else 2)",
    "exists_no": "(if there is no cell as c{i} where {x} + column of c{i} > 99 then 1 else 2)",
    "for_every": "(if for every cell as c{i}, {x} + column of c{i} > 0 then 1 else 2)",
    "in_pool": "(count of cells as c{i} in (all cells as d{i} where {x} + row of d{i} > 0))",
    "except": "(count of cells as c{i} except cell(1, 1) where {x} + row of c{i} > 0)",
    "starting_with": "(count of players as c{i} starting with turn where {x} + score of c{i} > 0)",
    "score": "(score of player_1 + {x})",
    "place": "(column of cell(1 + remainder({x}, 2), 1))",
    "neighbours": "(count of cells as c{i} in neighbours of cell(1, 1 + remainder({x}, 2)))",
    "border": "(count of neighbours of (all cells as c{i} where {x} + row of c{i} > 0))",
    "walk": (
        "(count of (walk from cell(1, 1) along east to each cell as c{i} while {x} + row "
        "of c{i} > 0))"
    ),
    "region": (
        "(count of (region from cell(1, 1) to each cell as c{i} while {x} + row of c{i} > 0))"
    ),
    "region_by": (
        "(count of (region from cell(1, 1) by neighbours of c{i} to each cell as c{i} "
        "while {x} + row of c{i} > 0))"
    ),
    "supposing": "(if supposing the card in box moves to cell(1, 1), {x} > 0 then 1 else 2)",
    "supposing_done": "(if supposing helping({x}), {x} > 0 then 1 else 2)",
    "possible": "(if asking({x}) is possible then 1 else 2)",
    "called": "called({x}, {x})",
    "item": "(item of [{x}, {x}] at 1)",
    "first": "(column of (if {x} > 9 then cell(1, 1) else cell(1, 2)))",
    "appearances": "(appearances of board + {x})",
    "product": "(product of 1 + remainder({x}, 2) for each cell as c{i})",
    "combination": "(count of combinations of 2 towns as s{i} where {x} + count of s{i} > 0)",
    "combination_of_any": "(count of combinations of numbers as s{i} in 1..15 where {x} > 0)",
    "combination_up_to": "(count of combinations of up to {x} ps as s{i} where count of s{i} > 0)",
    "largest": "(count of (the largest combination of up to 3 towns as s{i} where {x} > 0))",
    "over_combinations": (
        "(highest of (sum of {x} + c{i} for each p as c{i} in s{i}) "
        "for each combination of at least 2 ps as s{i} otherwise 0)"
    ),
    "path": (
        "(if there is a path from t0 to t5 over roads as r{i} where {x} + length of r{i} > 0 "
        "then 1 else 2)"
    ),
    "path_between_sets": (
        "(if there is a path from (all towns as c{i} where {x} > number of c{i}) to t5 over roads "
        "then 1 else 2)"
    ),
    "shortest": (
        "(shortest path of {x} + length of r{i} from t0 to t9 over roads as r{i} otherwise 0)"
    ),
    "shortest_on_board": (
        "(shortest path from yard(1, 1) to yard(5, 5) over borders as r{i} where {x} > 0 "
        "otherwise 0)"
    ),
    "longest": "(longest path of {x} from t0 over roads as r{i} where length of r{i} < 3)",
    "longest_through": "(longest path through different towns over roads as r{i} where {x} > 0)",
    "along": "(count of neighbours of t0 along all roads as r{i} where {x} > 0)",
    "region_along": (
        "(count of (region from t0 by neighbours of c{i} along all roads as r{i} where {x} > 0 "
        "to each town as c{i}))"
    ),
    "roads_with": "(count of roads of t0 with (if {x} > 1 then t1 else t2))",
}

STATEMENTS: dict[str, str] = {
    "if": "if m > 0:\n{block}",
    "else": "if m > 9: skip\nelse:\n{block}",
    "for_each_cell": "for each cell as c{i}:\n{block}",
    "for_each_player": "for each player as c{i}:\n{block}",
    "for_each_found": (
        "for each cell as c{i} in (all cells as d{i} where m > 0) where m > 0:\n{block}"
    ),
    "for_each_number": "for each number as c{i} in 1..99:\n{block}",
    "repeat": "repeat 90 times:\n{block}",
    "repeat_until": "repeat until m > 8, at most 90 times:\n{block}",
    "repeat_while": "repeat while m > 0, at most 90 times:\n{block}",
    "rank": "rank cells by column of cell, highest first:\n{block}",
    "rank_then": "rank cells by column of cell, then by row of cell, lowest first:\n{block}",
    "draw": "draw card as c{i} from box to cell(1, 1)\n  otherwise:\n{deeper}",
    "ask": "turn may go{i}: cell as c{i}\n  then:\n{deeper}",
    "one_of": "turn must choose one of\n  go: cell as c{i}\n    then:\n{deepest}\n  wait",
    "secretly": "each player secretly must go{i}: hue as c{i}\n  then:\n{deeper}",
    "any": "any player as a{i} may go{i}: hue as c{i}\n  then:\n{deeper}",
    "for_each_receiver": (
        "turn must go{i}: hue as c{i} for each player as r{i} where number of r{i} < 5\n"
        "  then:\n{deeper}\n  otherwise: skip"
    ),
    "for_each_road": "for each road as c{i} in roads of t0:\n{block}",
}
LINES: dict[str, str] = {
    "let": "let v{i} be m + {i}",
    "becomes": "m becomes 1 + remainder(m + {i}, 7)",
    "increases": "m increases by 0",
    "scores": "players score m",
    "scores_for_each": "turn scores 1 for each cell where m > 0",
    "scores_for_combinations": "turn scores 1 for each combination of up to 4 ps where m > 0",
    "move": "move all cards in box to cell(1, 1)",
    "move_some": "move up to 9 cards in box to cell(1, 2)",
    "shuffle": "shuffle box",
    "pick": "pick a random cell as c{i}",
    "tell": "tell everyone all cells",
    "remember": "remember board",
    "do": "do helping(m)",
    "draw": "draw card as c{i} from box to cell(1, 1)\n  otherwise: skip",
    "rank": "rank players by score of player, highest first: tied scores tier",
    "if_deep": "if m = {i}: players score {i}",
}

Kind = Callable[[int], str]

SMALL = {"players": 4, "words": 6, "numbers": 9, "cards": 20, "side": 8, "towns": 10, "roads": 20}
WIDE = {
    "players": 64,
    "words": 900,
    "numbers": 4_000,
    "cards": 9_000,
    "side": 60,
    "towns": 300,
    "roads": 900,
}


def world(code: str, more: str = "", *, wide: bool = False) -> str:
    """A game with a clause of this code, over small or large sets."""
    sizes = WIDE if wide else SMALL
    words = ", ".join(f"h{i}" for i in range(sizes["words"]))
    towns = ", ".join(f"t{i}" for i in range(sizes["towns"]))
    roads = ", ".join(map(partial(_road, sizes["towns"]), range(sizes["roads"])))
    lists = {"words": words, "towns": towns, "roads": roads}
    said = f"{HEAD}{WORLD}".format(**{**sizes, **lists})
    asks = "    asks: What?\n" if " must " in code or " may " in code else ""
    return f"{said}{OTHERS}  tested:\n    says: s.\n{asks}    rule: |\n{indented(code, 6)}\n{more}"


def _road(towns: int, at: int) -> str:
    """Roads go round the towns in a circle, then further across it with every round."""
    start = at % towns
    return f"r{at}: {{joins: [t{start}, t{(start + 1 + at // towns) % towns}], length: {at % 5}}}"


def indented(code: str, by: int) -> str:
    return "\n".join(" " * by + line for line in code.split("\n"))


def filled(form: str, inner: str, at: int) -> str:
    """A form with its first hole filled, and something small in the others."""
    first, *rest = form.split("{x}")
    return (first + inner + "m".join(rest)).replace("{i}", str(at))


def nested(form: str, size: int, *, most: int, wide: bool = False) -> str:
    """A form in itself so many times."""
    code = "m"
    for at in range(min(size, most)):
        code = filled(form, code, at)
    return world(f"players score {code}", wide=wide)


def repeated(form: str, size: int) -> str:
    """Lines with the form, as many as can be written in one clause."""
    lines = [f"turn scores {filled(form, 'm', at)}" for at in range(10 * size)]
    return world(_within(lines, LONGEST))


def added(form: str, size: int) -> str:
    """A sum of the form, as long as can be."""
    terms = [filled(form, "m", at) for at in range(min(size, 65))]
    return world("players score " + " + ".join(terms))


def defined(form: str, size: int) -> str:
    """Values that are each the form of the next one, in every hole."""
    values = [
        f"  d{at}: {{says: s., define: v{at}, as: '{_all_holes(form, f'v{at + 1}', at)}'}}"
        for at in range(min(size, 100))
    ]
    last = f"  d{len(values)}: {{says: s., define: v{len(values)}, as: m}}\n"
    return world("players score v0", _within(values, MOST_CODE) + "\n" + last)


def named(form: str, size: int) -> str:
    """`let` lines in a definition that are each the form of the line before, in every hole."""
    lines = ["let x0 be m"]
    lines += [f"let x{at + 1} be {_all_holes(form, f'x{at}', at)}" for at in range(size)]
    code = _within(lines, LONGEST)
    last = code.count("\n")
    value = f"  d: \n    says: s.\n    define: v\n    as: |\n{indented(code, 6)}\n      x{last}\n"
    return world("players score v", value)


def set_names(form: str, size: int) -> str:
    """The same lines in a rule."""
    lines = ["let x0 be m"]
    lines += [f"let x{at + 1} be {_all_holes(form, f'x{at}', at)}" for at in range(size)]
    code = _within(lines, LONGEST - 100)
    return world(f"{code}\nplayers score x{code.count(chr(10))}")


def _all_holes(form: str, inner: str, at: int) -> str:
    return form.replace("{x}", inner).replace("{i}", str(at))


def _within(lines: list[str], longest: int) -> str:
    """As many lines as there is room for."""
    found, length = [], 0
    for each in lines:
        length += len(each) + 7
        if length > longest:
            break
        found.append(each)
    return "\n".join(found)


def nested_statement(form: str, size: int, wide: bool = False) -> str:
    code = "players score 1"
    for at in range(min(size, 3 if wide else 30)):
        deeper = form.replace("{i}", str(at))
        for name, by in (("block", 2), ("deeper", 4), ("deepest", 6)):
            deeper = deeper.replace(f"{{{name}}}", indented(code, by))
        if len(deeper) > LONGEST:
            break
        code = deeper
    return world(code, wide=wide)


def repeated_line(line: str, size: int, wide: bool = False) -> str:
    lines = [line.replace("{i}", str(at)) for at in range(20 * size)]
    return world(_within(lines, LONGEST), wide=wide)


def _kinds() -> Iterator[tuple[str, Kind]]:
    for name, form in EXPRESSIONS.items():
        yield f"nested {name}", partial(nested, form, most=4)
        yield f"nested_deeply {name}", partial(nested, form, most=16)
        yield f"widened {name}", partial(nested, form, most=2, wide=True)
        for way in (repeated, added, defined, named, set_names):
            yield f"{way.__name__} {name}", partial(way, form)
    for name, form in STATEMENTS.items():
        yield f"nested_statement {name}", partial(nested_statement, form)
        yield f"widened_statement {name}", partial(nested_statement, form, wide=True)
    for name, line in LINES.items():
        yield f"repeated_line {name}", partial(repeated_line, line)
        yield f"widened_line {name}", partial(repeated_line, line, wide=True)


FORMS: dict[str, Kind] = dict(_kinds())
"""Every form in every way."""
