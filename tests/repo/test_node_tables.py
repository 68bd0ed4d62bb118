"""Every statement and every expression in every table.

Many places say something about each class of nodes: how it is written, checked, done, what it
depends on, who may know it. Where one is forgotten some raise an error, but others pass it over in
silence, and a rule then leaks a secret or is worked out once for all. So each such place is a
`Table` here: every class of nodes has an entry in it, or stands under a reason for having none.

After a class is added this test names the places to look at. An entry is a key of a dictionary, a
member of a tuple, or a `case` in a function; for those the code is read.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from lawspeaker import ir
from lawspeaker.ir import walk
from lawspeaker.ir.bounds import _REPEATING, Bounds
from lawspeaker.ir.cost import Costs
from lawspeaker.ir.dependence import _SITUATION
from lawspeaker.ir.secrecy import unannounced_outcomes
from lawspeaker.machines.compiled.compile import values
from lawspeaker.machines.compiled.compile.clauses import ClauseCode
from lawspeaker.machines.compiled.host.frames import _counters
from lawspeaker.machines.compiled.runtime.journal_code import KINDS
from lawspeaker.machines.lower.clauses import WRITERS
from lawspeaker.machines.lower.faults import Faults
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.machines.planned.places import Uses
from lawspeaker.machines.reference import expressions
from lawspeaker.machines.reference.operations import MAKERS
from lawspeaker.machines.reference.slot_pieces import slot_shapes
from lawspeaker.match.events import _is_hidden
from lawspeaker.meaning.check.expressions import Expressions
from lawspeaker.meaning.check.questions import Questions
from lawspeaker.meaning.check.statements import Statements, ends
from lawspeaker.meaning.check.windows import Windows
from lawspeaker.meaning.secrets.expression_labels import Looking
from lawspeaker.meaning.secrets.statements import StatementFlow
from lawspeaker.study.compare import kinds
from lawspeaker.telling.story import Story
from lawspeaker.text import syntax as s
from lawspeaker.text.parse import trees
from tests.meaning.meaning import WALKERS
from tests.repo.checkout import PACKAGE, ROOT

Classes = frozenset[type]


def concrete(base: type, module: ModuleType) -> Classes:
    """The classes of nodes of one sort. What a machine makes for itself is not among them."""
    found = (each for each in vars(module).values() if isinstance(each, type))
    return frozenset(each for each in found if issubclass(each, base) and each is not base)


def cases(*functions: Callable[..., Any]) -> Classes:
    """The classes that functions tell apart, with `case` or `isinstance`."""
    found: set[type] = set()
    for function in functions:
        known = inspect.unwrap(function).__globals__
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
            if isinstance(node, ast.match_case):
                found |= {
                    each
                    for code in outermost(node.pattern)
                    for each in mentioned_nodes(code, known)
                }
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                found |= mentioned_nodes(node.args[1], known)
    return frozenset(found)


def outermost(pattern: ast.pattern | None) -> list[ast.expr]:
    """The classes of a pattern, but for those of what has to be inside."""
    match pattern:
        case ast.MatchClass():
            return [pattern.cls]
        case ast.MatchOr() | ast.MatchSequence():
            return [each for inner in pattern.patterns for each in outermost(inner)]
        case ast.MatchAs():
            return outermost(pattern.pattern)
    return []


def mentioned_nodes(code: ast.AST, known: Mapping[str, Any]) -> set[type]:
    """The classes that are spoken of as `ir.Name` or `s.Name`."""
    found: set[type] = set()
    for each in ast.walk(code):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            module = known.get(each.value.id)
            if module is ir or module is s:
                value = getattr(module, each.attr)
                found |= {value} if isinstance(value, type) else set()
    return found


def spoken_of(*modules: ModuleType) -> Classes:
    """The classes that are named anywhere in some modules."""
    found = (
        mentioned_nodes(ast.parse(inspect.getsource(module)), vars(module)) for module in modules
    )
    return frozenset().union(*found)


def made_by_the_checker() -> Classes:
    known = {"ir": ir, "s": s}
    files = (PACKAGE / "meaning" / "check").glob("*.py")
    found = (mentioned_nodes(ast.parse(file.read_text(encoding="utf-8")), known) for file in files)
    return frozenset().union(*found)


@dataclass(frozen=True, slots=True)
class Table:
    """`entries` are the classes that have one; `others` those that need none, by the reason."""

    name: str
    nodes: Classes
    entries: Iterable[type]
    others: Mapping[str, tuple[type, ...]] = field(default_factory=dict)

    def missing(self, nodes: Classes) -> list[str]:
        reasoned = {each for classes in self.others.values() for each in classes}
        return sorted(each.__name__ for each in nodes - set(self.entries) - reasoned)

    def twice(self) -> list[str]:
        reasoned = {each for classes in self.others.values() for each in classes}
        return sorted(each.__name__ for each in reasoned & set(self.entries))


EXPRESSIONS = concrete(ir.Expr, ir.expressions)
STATEMENTS = concrete(ir.Statement, ir.statements)
WRITTEN, DEEDS = concrete(s.Expr, s), concrete(s.Statement, s)

# ---------------------------------------------------------------- sorts of nodes

PLAIN = (ir.Const, ir.Local, ir.ChoiceValue, ir.Domain, ir.PlayerCount)
ATTRIBUTES = (
    *(ir.WordColumn, ir.KindColumn, ir.KindOf, ir.OwnerOf, ir.PlaceIndex),
    *(ir.Neighbour, ir.Playing, ir.PlayersFrom, ir.SideOf, ir.PlayersOf, ir.PartnersOf),
)
PLAYERS = (ir.PlayersFrom, ir.PlayersOf, ir.PartnersOf)
TRUTHS = (ir.Not, ir.And, ir.Or, ir.Compare, ir.Includes, ir.IsEmpty, ir.Exists, ir.Every)
FOUND = (ir.Count, ir.SumOf, ir.Extreme, ir.Filter, ir.Collect, ir.The)
NUMBERS = (ir.NumberOf, ir.Arithmetic, ir.Divide)
LISTS = (ir.Range, ir.ListOf, ir.Combine, ir.EndOf)
GRIDS = (ir.Around, ir.Along, ir.FarEnd, ir.Beside, ir.Walk, ir.Region, ir.Border)
SITUATION = (
    *(ir.MarkerValue, ir.ScoreOf, ir.PieceState, ir.PlaceOf, ir.Contents, ir.TopOf),
    *(ir.Supposing, ir.SupposingDone, ir.Possible, ir.Occupied, ir.OpenPlaces, ir.Appearances),
    ir.PathLength,
)
LOOPS = (ir.ForEach, ir.Repeat, ir.RepeatUntil, ir.Rank)
EFFECTS = (
    *(ir.SetLocal, ir.SetMarker, ir.SetState, ir.Score, ir.Move, ir.MoveSome, ir.Shuffle),
    *(ir.Tell, ir.Finish, ir.EndGame, ir.Remember),
)


def nodes_except(sort: tuple[type, ...], *others: type) -> tuple[type, ...]:
    return tuple(each for each in sort if each not in others)


TABLES = [
    Table(
        "text/parse/trees.py makes every node that can be written",
        WRITTEN | DEEDS,
        spoken_of(trees),
    ),
    Table(
        "meaning/check/expressions.py gives every expression a type",
        WRITTEN,
        cases(Expressions.expr, Expressions.bound),
    ),
    Table(
        "meaning/check/statements.py, questions.py and windows.py check every deed",
        DEEDS,
        cases(Statements.statement, Questions.question, Windows.question),
    ),
    Table(
        "meaning/check makes every typed node of something that is written",
        EXPRESSIONS | STATEMENTS,
        made_by_the_checker(),
    ),
    Table(
        "meaning/secrets/expression_labels.py: whose hidden things an expression looks at",
        EXPRESSIONS,
        cases(Looking._looks),
        {
            "looks at no more than its parts": (
                *nodes_except(PLAIN, ir.Local, ir.Domain),
                *(
                    *ATTRIBUTES,
                    *NUMBERS,
                    *nodes_except(LISTS, ir.EndOf),
                    *nodes_except(GRIDS, ir.Region),
                    *nodes_except(TRUTHS, ir.Exists, ir.IsEmpty, ir.Compare, ir.And, ir.Or),
                ),
                *(*nodes_except(FOUND, ir.Count, ir.The, ir.Extreme), ir.ChoiceItem, ir.PlaceAt),
                ir.PathLength,
            ),
            "is there for all to see": (ir.ScoreOf, ir.Appearances),
        },
    ),
    Table(
        "meaning/secrets/statements.py: what is seen of it",
        STATEMENTS,
        cases(StatementFlow.statement),
    ),
    Table(
        "meaning/secrets/statements.py `tells_first`: which deeds tell everyone something",
        STATEMENTS,
        cases(StatementFlow.tells_first),
        {
            "tells nothing, or not at once": (
                *(*LOOPS, ir.If, ir.Pick, ir.Ask, ir.SetMarker, ir.SetState, ir.Shuffle, ir.Finish),
                ir.Remember,
            )
        },
    ),
    Table(
        "meaning/check/statements.py `ends`: what comes after is never done",
        STATEMENTS,
        cases(ends),
        {
            "goes on": (
                *nodes_except(EFFECTS, ir.Finish, ir.EndGame),
                *(*LOOPS, ir.Draw, ir.Pick, ir.Do),
            )
        },
    ),
    Table(
        "ir/dependence.py: whether a value depends on the situation",
        EXPRESSIONS,
        _SITUATION,
        {
            "depends on its parts alone": (
                *(*PLAIN, *ATTRIBUTES, *TRUTHS, *FOUND, *NUMBERS, *LISTS, *GRIDS),
                *(ir.Conditional, ir.ChoiceItem, ir.CallFunction, ir.PlaceAt),
            )
        },
    ),
    Table(
        "ir/bounds.py `number`: between which ends it lies",
        EXPRESSIONS,
        cases(Bounds.number, Bounds._number, Bounds.values),
        {
            "is no number, and no set of numbers": (
                *TRUTHS,
                *nodes_except(ATTRIBUTES, ir.WordColumn, ir.KindColumn, ir.PlaceIndex),
                *(*nodes_except(GRIDS, ir.Along), ir.PlaceAt, ir.PlaceOf, ir.Contents, ir.TopOf),
                *(ir.Supposing, ir.SupposingDone, ir.Possible, ir.Occupied, ir.OpenPlaces),
            ),
            "can be any number": (ir.ScoreOf,),
        },
    ),
    Table(
        "ir/bounds.py `members`: how many a set has, and in which a thing can be twice",
        EXPRESSIONS,
        (*cases(Bounds._count), *_REPEATING),
        {
            "is no set": (
                *(*TRUTHS, *NUMBERS, ir.Const, ir.PlayerCount, ir.Count, ir.SumOf, ir.Extreme),
                *nodes_except(ATTRIBUTES, ir.WordColumn, ir.KindColumn, *PLAYERS),
                *nodes_except(SITUATION, ir.Contents, ir.Occupied, ir.OpenPlaces),
                *(ir.EndOf, ir.ItemOf, ir.Beside, ir.FarEnd, ir.PlaceAt, ir.ChoiceItem),
            ),
        },
    ),
    Table(
        "ir/cost.py: what is more work than its parts",
        EXPRESSIONS,
        cases(Costs.of, Costs._itself),
        {
            "is a step, and its parts": (
                *(*nodes_except(PLAIN, ir.Const, ir.Local), *ATTRIBUTES, *NUMBERS, ir.EndOf),
                *nodes_except(TRUTHS, ir.Includes, ir.Exists, ir.Every),
                *(ir.Around, ir.Along, ir.FarEnd, ir.Beside, ir.PlaceAt, ir.ChoiceItem),
                *(ir.MarkerValue, ir.ScoreOf, ir.PieceState, ir.PlaceOf, ir.Contents, ir.TopOf),
            )
        },
    ),
    Table(
        "ir/cost.py: what deeds cost, each of them done once",
        STATEMENTS,
        cases(Costs._once),
        {"is a change of the table": (ir.SetMarker, ir.SetState, ir.EndGame)},
    ),
    Table(
        "ir/cost.py: what is paid for each time",
        STATEMENTS,
        cases(Costs.each),
        {
            "is done once": (
                *(ir.SetLocal, ir.SetMarker, ir.SetState, ir.Score, ir.Shuffle, ir.Finish),
                *(ir.Tell, ir.EndGame, ir.If, ir.Pick, ir.Do, ir.Ask, ir.Remember),
            )
        },
    ),
    Table(
        "ir/walk.py `clauses_used`: which clauses a node leads to",
        EXPRESSIONS | STATEMENTS,
        cases(walk.clauses_used),
        {
            "leads to none, or its parts do": (
                *(
                    *nodes_except(PLAIN, ir.ChoiceValue),
                    *ATTRIBUTES,
                    *TRUTHS,
                    *FOUND,
                    *NUMBERS,
                    *LISTS,
                ),
                ir.Subsets,
                *(*GRIDS, *nodes_except(SITUATION, ir.Possible, ir.SupposingDone)),
                *(ir.ItemOf, ir.PlaceAt, ir.Conditional),
                *(*EFFECTS, *LOOPS, ir.If, ir.Draw, ir.Pick),
            ),
            "its clause is the one it stands in, or a window, which is looked at apart": (ir.Ask,),
        },
    ),
    Table(
        "machines/lower/faults.py: what can be a fault although its parts are none",
        EXPRESSIONS,
        cases(Faults._itself),
        {
            "is safe if its parts are": (
                *(*PLAIN, *TRUTHS, ir.Conditional, ir.NumberOf),
                *nodes_except(ATTRIBUTES, ir.WordColumn, ir.KindColumn),
                *(ir.Count, ir.Filter, ir.Collect, ir.ListOf, ir.EndOf),
                *(*nodes_except(GRIDS, ir.Beside), ir.PlaceOf, ir.Contents),
                *(ir.Occupied, ir.OpenPlaces, ir.Appearances),
            )
        },
    ),
    Table(
        "machines/reference/expressions.py works out every expression",
        EXPRESSIONS,
        expressions.BUILDERS,
    ),
    Table("machines/lower/clauses.py writes every statement as operations", STATEMENTS, WRITERS),
    Table(
        "machines/reference/operations.py does every statement",
        STATEMENTS,
        {kind for _, kind in MAKERS},
        {"is a jump": (ir.Finish,)},
    ),
    Table(
        "machines/reference/slot_pieces.py: slots that hold pieces in a way of their own",
        STATEMENTS,
        cases(slot_shapes),
        {
            "its slots hold what their types say": (
                *(*EFFECTS, *nodes_except(LOOPS, ir.Rank), ir.If, ir.Draw, ir.Pick, ir.Do),
            )
        },
    ),
    Table(
        "machines/compiled/compile/values.py works out every expression",
        EXPRESSIONS,
        values.BUILDERS,
        {
            "is always known beforehand": nodes_except(PLAIN, ir.Local),
            "is gone through by binders alone": (ir.Subsets,),
        },
    ),
    Table(
        "machines/lower/fold.py works out beforehand what is fixed",
        EXPRESSIONS,
        cases(
            ConstantFolder._value,
            ConstantFolder._combined,
            ConstantFolder._bound,
            ConstantFolder._attribute,
        ),
        {
            "depends on the situation, or is said to": (*SITUATION, ir.Subsets),
            "is walked when it is asked for": (ir.Walk,),
        },
    ),
    Table("machines/compiled/compile/flow.py does every statement", STATEMENTS, ClauseCode.writers),
    Table(
        "machines/planned/clause_facts.py: slots that hold lists",
        STATEMENTS,
        cases(ClauseFacts.kinds, ClauseFacts.rooms),
        {
            "keeps no list": (
                *nodes_except(EFFECTS, ir.SetLocal),
                *(ir.Repeat, ir.RepeatUntil, ir.If, ir.Draw, ir.Pick),
            )
        },
    ),
    Table(
        "machines/planned/clause_facts.py `is_point`: where a clause can wait",
        STATEMENTS,
        cases(ClauseFacts.is_point),
        {"never waits itself": (*EFFECTS, *LOOPS, ir.If)},
    ),
    Table(
        "machines/compiled/host/frames.py: slots that count",
        STATEMENTS,
        cases(_counters),
        {"does not count": (*EFFECTS, ir.If, ir.Pick, ir.Do)},
    ),
    Table(
        "machines/planned/places.py: what has to be kept beside the places",
        STATEMENTS,
        cases(Uses._note),
        {
            "needs nothing": (
                *nodes_except(EFFECTS, ir.Shuffle),
                *(*LOOPS, ir.If, ir.Do, ir.Ask, ir.Pick),
            )
        },
    ),
    Table(
        "ir/secrecy.py: deeds that can hide what luck has brought",
        STATEMENTS,
        cases(unannounced_outcomes),
        {
            "tells by an event of its own what everyone may know": (
                *nodes_except(EFFECTS, ir.SetMarker, ir.SetState, ir.Tell),
                *(ir.Draw, ir.Pick, ir.Ask),
            ),
            "only its parts do anything": (*LOOPS, ir.If),
        },
    ),
    Table(
        "match/events.py: what not everyone sees",
        EXPRESSIONS,
        cases(_is_hidden),
        {
            "shows no more than its parts": (
                *(*PLAIN, *ATTRIBUTES, *TRUTHS, *FOUND, *NUMBERS, *LISTS, *GRIDS),
                *(ir.Conditional, ir.ChoiceItem, ir.CallFunction, ir.PlaceAt, ir.Supposing),
                ir.Subsets,
                ir.PathLength,
            ),
            "is there for all to see": (ir.ScoreOf, ir.Appearances),
        },
    ),
    Table(
        "study/compare/kinds.py: deeds that can differ in who does them, or in a condition",
        DEEDS,
        cases(kinds._any_modal, kinds._anyone, kinds._any_condition, kinds._parts_in_play),
        {
            "differs in the whole": (
                *(s.Let, s.Becomes, s.Move, s.MoveSome, s.Draw, s.Shuffle, s.Pick, s.Do, s.Finish),
                *(s.Outcome, s.Skip, s.CannotHappen, s.EndGame, s.Wins),
                *(s.Repeat, s.RepeatUntil, s.Rank, s.Remember),
            )
        },
    ),
    Table("tests/meaning/meaning.py says what every expression means", EXPRESSIONS, WALKERS),
]


def test_every_node_is_in_every_table() -> None:
    missing = {table.name: found for table in TABLES if (found := table.missing(table.nodes))}
    assert not missing, "\n" + "\n".join(
        f"{table}: what about {', '.join(nodes)}?" for table, nodes in missing.items()
    )


def test_no_reason_is_given_for_what_has_an_entry() -> None:
    assert [table.name for table in TABLES if table.twice()] == []


def test_a_new_node_is_missed() -> None:
    class New(ir.Statement):
        pass

    assert [each.name for each in TABLES if "New" not in each.missing(each.nodes | {New})] == []


def test_every_class_of_nodes_is_walked() -> None:
    """A class that keeps nodes where the walkers do not look is refused by them."""
    held = {each.__name__: walk._WALKER.holding(each) for each in EXPRESSIONS | STATEMENTS}
    held |= {each.__name__: s.WALKER.holding(each) for each in WRITTEN | DEEDS}
    assert len(held) > 80


def test_every_kind_of_event_is_told() -> None:
    """Both machines note events by the same words; who tells of them knows them all."""
    code = ast.parse(textwrap.dedent(inspect.getsource(Story._told)))
    values = [node.value for node in ast.walk(code) if isinstance(node, ast.MatchValue)]
    assert {ast.literal_eval(each) for each in values} == set(KINDS[1:])
    schema = json.loads((ROOT / "schema" / "replay.schema.json").read_text(encoding="utf-8"))
    steps = schema["properties"]["steps"]["items"]["properties"]
    assert set(steps["events"]["items"]["properties"]["kind"]["enum"]) == set(KINDS[1:])
