"""Which modules a test file can load, found by reading the code.

A test file reaches the modules that it imports, those that these import, and so on. The graph
follows what is imported at run time, so its nodes are modules and the functions of modules:

- An import at module level happens when the module is imported.
- An import inside a function happens when the function is called, so it counts as soon as reached
  code refers to the function. A decorated function counts as module level: its decorator may have
  registered it. So does a class: its methods are called through objects.
- An import for types alone (`if TYPE_CHECKING`) does not happen. In a package with a `__getattr__`
  it says which module a name of the package is fetched from.
- The name of a module inside a string counts as an import of it: `import_module`, `python -m`,
  scripts for `python -c`, resources.
- The pages of the manual have code and calls in them. They count as strings of the tests that read
  them.
- The command line imports the module of a command when the command is called. A test that runs it
  calls the commands that are named in its strings.

`DYNAMIC` names the imports that no rule finds. tests/repo/test_selection.py compares the graph with
the modules that tests really load.
"""

from __future__ import annotations

import ast
import os
import pickle
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".pytest_cache" / "code.pickle"
SOURCES = {"lawspeaker": ROOT / "interpreter", "tests": ROOT, "benchmarks": ROOT}

MAIN = "lawspeaker.__main__"
COMMANDS = "lawspeaker.faces.cli"
RUNNING = frozenset({f"{COMMANDS}.app", f"{COMMANDS}.main", MAIN})
"""A test that refers to one of these calls commands."""
REFERENCE = ROOT / "docs" / "language"
PAGES = (*(ROOT / "docs").glob("*.*"), *REFERENCE.glob("*.md"), ROOT / "README.md")

DYNAMIC = {
    # A script in Lua starts the language server.
    "tests.editing.test_neovim": "lawspeaker.faces.cli.lsp",
    # The name of a command is put into a script.
    "tests.repo.test_startup": "lawspeaker.faces.cli.check lawspeaker.faces.cli.compare",
    # It measures commands, each in a process of its own.
    "lawspeaker.outside.startup_times": "lawspeaker.faces.cli.check lawspeaker.faces.cli.simulate",
    # All files of the package are packed, and a browser imports them from there.
    "lawspeaker.faces.publishing.archives": "lawspeaker.*",
}
"""The modules that a module loads besides, by patterns."""

OURS = frozenset({"tests.reach", "tests.selection"})
"""Their strings name modules and pages that they do not load."""

HARMLESS = frozenset({"cache", "lru_cache", "contextmanager", "asynccontextmanager"})
"""Decorators that keep no reference to the function."""

LONGEST_PATH = 100
_HERE = Path(__file__).read_bytes()

_WORD = re.compile(r"(?:--)?\w+")
_FOLDER = re.compile(r"\w+/")
_DOTTED = re.compile(r"\b(?:lawspeaker|tests|benchmarks)(?:\.\w+)+")
_PROGRAM = re.compile(r"(?:-m |run_module\(.)lawspeaker\b")
_FROM = re.compile(r"\bfrom ((?:lawspeaker|tests|benchmarks)[\w.]*) import \(?([\w, ]+)")


@dataclass(frozen=True, slots=True)
class Code:
    """What one file refers to, as dotted names, and in a file of the tests the words in its strings
    (`_words`). The methods that it calls are among the words: `.method()`."""

    top: set[str] = field(default_factory=set)
    functions: dict[str, set[str]] = field(default_factory=dict)
    handed_on: dict[str, str] = field(default_factory=dict)
    """The names that the `__getattr__` of a package fetches, and where they stand."""
    words: set[str] = field(default_factory=set)

    def refers(self) -> set[str]:
        """All dotted names, at module level and in functions."""
        return self.top.union(*self.functions.values())


def read_code(module: str, text: str, package: str) -> Code:
    """Reads a module. `package` is the package that its relative imports start from."""
    code = Code()
    if module in OURS:
        code.top.update(dotted for _, dotted in _bound(ast.walk(ast.parse(text, module)), package))
        return code
    top: list[ast.stmt] = []
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for statement in ast.parse(text, module).body:
        if isinstance(statement, ast.If) and _name(statement.test) == "TYPE_CHECKING":
            code.handed_on.update(_bound(statement.body, package))
            top += statement.orelse
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and all(
            _name(each) in HARMLESS for each in statement.decorator_list
        ):
            functions.append(statement)
        else:
            top.append(statement)

    nodes = [node for statement in top for node in ast.walk(statement)]
    known = _bound(nodes, package)
    code.top.update(dotted for _, dotted in known)
    known += [(each.name, f"{module}.{each.name}") for each in functions]
    code.top.update(_references(nodes, known, code.words))
    for function in functions:
        nodes = [*ast.walk(function)]
        inner = _bound(nodes, package)
        refers = code.functions.setdefault(function.name, {dotted for _, dotted in inner})
        refers.update(_references(nodes, known + inner, code.words))
    if code.functions.pop("__getattr__", None) is None:
        code.handed_on.clear()
    if not module.startswith("tests."):
        code.words.clear()
    return code


def _name(node: ast.AST) -> str:
    """The last name of an expression, or of the function that it calls."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _bound(nodes: Iterable[ast.AST], package: str) -> list[tuple[str, str]]:
    """The names that imports of our modules bind, and the dotted names that they stand for."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            for each in node.names:
                first = each.name.partition(".")[0]
                found += [(first, first), (each.asname or first, each.name)]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            base = ".".join((*above, node.module) if node.module else above)
            found += [(each.asname or each.name, f"{base}.{each.name}") for each in node.names]
    return [(name, dotted) for name, dotted in found if dotted.partition(".")[0] in SOURCES]


def _references(
    nodes: list[ast.AST], known: list[tuple[str, str]], words: set[str]
) -> Iterator[str]:
    """The dotted names that nodes refer to. The words in their strings are added to `words`."""
    bound: dict[str, set[str]] = {}
    for name, dotted in known:
        bound.setdefault(name, set()).add(dotted)
    done: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            done.add(node.value)
            yield from (f"{each}.{node.attr}.*" for each in bound.get(node.value.id, ()))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            words.add(f".{node.func.attr}()")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            done.add(node.value)  # a docstring
        elif isinstance(node, ast.Name) and node not in done:
            # A module that is handed on as a value may have any of its functions called.
            yield from (f"{each}.*" for each in bound.get(node.id, ()))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _text(node.right):
            words.add(f"{_text(node.right)}/")
        elif isinstance(node, ast.List | ast.Tuple):
            # The program is started: by a command that is written there, or by one that is given.
            texts = [_text(each) for each in (*node.elts, None)]
            for at in range(len(texts) - 2):
                if texts[at : at + 2] == ["-m", "lawspeaker"]:
                    yield f"{COMMANDS}.{texts[at + 2]}.*" if texts[at + 2] else MAIN
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in done:
            words.update(_words(node.value))
            yield from _in_text(node.value)


def _words(text: str) -> Iterator[str]:
    """The words of a text. A short text is also given as it is, in quotes, and a path by its
    folders, each with a slash: folder/."""
    yield from _WORD.findall(text)
    if len(text) < LONGEST_PATH:
        yield f'"{text}"'
        yield from _FOLDER.findall(text)


def _in_text(text: str) -> Iterator[str]:
    """The dotted names in a string or a page."""
    yield from _DOTTED.findall(text)
    yield from (MAIN for _ in _PROGRAM.findall(text))
    for base, names in _FROM.findall(text):
        yield from (f"{base}.{each.strip()}" for each in names.split(","))


def _load(kept: Path) -> dict[bytes, Code]:
    """The code that was kept, by digests; none where the file cannot be read."""
    try:
        found: dict[bytes, Code] = pickle.loads(kept.read_bytes())
    except (OSError, EOFError, AttributeError, pickle.UnpicklingError):
        return {}
    return found


def _names(words: set[str], page: Path) -> bool:
    """Whether strings with these words name a page."""
    if page.parent == REFERENCE:
        return {"docs/", "language/"} <= words
    stems = (f'"{page.stem}"', '"*.md"')
    return f'"{page.name}"' in words or ("docs/" in words and not words.isdisjoint(stems))


class Reach:
    """The graph of all modules. A node is a module, or `module:function`."""

    def __init__(self, sources: Mapping[str, Path] = SOURCES, kept: Path = KEPT) -> None:
        """Reads all modules. Their code is `kept` in a file: to read it takes some seconds."""
        self.files: dict[str, Path] = {}
        self.code: dict[str, Code] = {}
        known = _load(kept)
        now: dict[bytes, Code] = {}
        for top, folder in sources.items():
            for file in sorted((folder / top).rglob("*.py")):
                *packages, last = file.relative_to(folder).with_suffix("").parts
                name = ".".join(packages if last == "__init__" else (*packages, last))
                text = file.read_bytes()
                digest = sha256(b"\0".join((name.encode(), text, _HERE))).digest()
                code = known.get(digest) or read_code(name, text.decode(), ".".join(packages))
                self.files[name], self.code[name], now[digest] = file, code, code
        if now.keys() != known.keys():
            kept.parent.mkdir(exist_ok=True)
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_bytes(pickle.dumps(now))
            part.replace(kept)
        pages = {page: page.read_text(encoding="utf-8") for page in PAGES}
        for code in self.code.values():
            for page in [each for each in PAGES if _names(code.words, each)]:
                code.top.update(each for each in _in_text(pages[page]) if "lawspeaker" in each)
                code.words.update(_words(pages[page]))
        self.nodes: dict[str, set[str]] = {}
        """The nodes that a node leads to."""
        for name, code in self.code.items():
            self.nodes[name] = {*self._meant(code.top), *self._besides(name)}
            for function, refers in code.functions.items():
                self.nodes[f"{name}:{function}"] = {name, *self._meant(refers)}

    def tests(self) -> list[str]:
        """The modules that pytest collects."""
        return [name for name in self.files if re.match(r"tests\.(\w+\.)*test_\w+$", name)]

    def of(self, test: str) -> set[str]:
        """The nodes that a test file can reach: modules that it loads, functions that it calls."""
        reached = self._closure(self._all(test))
        own = [self.code[each] for each in reached if each.startswith("tests.") and ":" not in each]
        if any(RUNNING & code.refers() for code in own):
            words = set[str]().union(*(code.words for code in own))
            for name in self.code:
                base, _, command = name.rpartition(".")
                if base == COMMANDS and (command in words or "--help" in words):
                    reached |= self._closure(self._all(name))
        return reached

    def _closure(self, ahead: list[str]) -> set[str]:
        seen: set[str] = set()
        while ahead:
            node = ahead.pop()
            if node not in seen:
                seen.add(node)
                ahead += self.nodes[node]
        return seen

    def _all(self, module: str) -> list[str]:
        """A module and all its functions."""
        return [module, *(f"{module}:{each}" for each in self.code[module].functions)]

    def _meant(self, refers: set[str]) -> Iterator[str]:
        """The nodes that dotted names stand for."""
        for dotted in refers:
            module, rest = dotted, ""
            while module and module not in self.code:
                module, _, rest = module.rpartition(".")
            if module:
                yield module
                if rest == "*":
                    yield from self._all(module)
                elif rest in self.code[module].functions:
                    yield f"{module}:{rest}"
                elif rest in self.code[module].handed_on:
                    yield from self._meant({self.code[module].handed_on[rest]})

    def _besides(self, module: str) -> Iterator[str]:
        """What is loaded with a module: its packages, conftest files, and what DYNAMIC names."""
        for pattern in DYNAMIC.get(module, "").split():
            for each in self.code:
                yield from self._all(each) if fnmatchcase(each, pattern) else ()
        while module:
            module = module.rpartition(".")[0]
            if module in self.code:
                yield module
            if (shared := f"{module}.conftest") in self.code:
                yield from self._all(shared)
