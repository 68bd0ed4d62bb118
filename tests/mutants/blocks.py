"""The blocks of the package, numbered, and bytecode that marks the blocks it runs.

    def sign(x):            block 0
        if x < 0:           block 1
            return -1       block 3
        return 1            block 2

A block is a run of statements of which only the last can leave the function early: a body up to and
including its first compound statement, then up to the second, and so on. The first statement of
block 3 becomes `__marks__[3] = 1`. The marks are an array of bytes that is mapped into memory from
a file. All processes that a test starts map the same file, so they are covered as well, even those
that are killed.

The marked bytecode is written beside the sources of a copy, as files that Python does not check
against the sources. So every process that imports the package from that copy runs marked code, and
tests that read the sources see them as they are. Marking costs about a tenth of the run time, where
a tracing function costs several times as much.
"""

from __future__ import annotations

import ast
import hashlib
import marshal
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType

from tests.mutants.operators import line_starts, offset

PACKAGE = Path("interpreter") / "lawspeaker"
MARKS = "MUTANTS_MARKS"
"""The environment variable that names the file with the marks."""
LOADER = "_mutants_marks"
_LOADER_TEXT = f"""'The marks of blocks that run.'
import builtins, mmap, os
if {MARKS!r} in os.environ:
    with open(os.environ[{MARKS!r}], "r+b") as file:
        builtins.__marks__ = mmap.mmap(file.fileno(), 0)
else:
    builtins.__marks__ = bytearray({{size}})
"""
_COMPOUND = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match, ast.AsyncFor, ast.AsyncWith)
_UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
"""The flags of bytecode that is not checked against its source, and no hash of the source."""


class Blocks:
    """The blocks of all modules of the package in a checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.texts = {
            file.relative_to(root): file.read_text(encoding="utf-8")
            for file in sorted((root / PACKAGE).rglob("*.py"))
        }
        self.first: dict[Path, int] = {}
        self.ranges: dict[Path, list[tuple[int, int]]] = {}
        self.size = 0
        for file, text in self.texts.items():
            self.first[file] = self.size
            self.ranges[file] = ranges(text)
            self.size += len(self.ranges[file])

    @property
    def digest(self) -> str:
        content = hashlib.sha256()
        for file, text in self.texts.items():
            content.update(f"{file.as_posix()} {len(text)} {text}".encode())
        return content.hexdigest()

    def at(self, file: Path, place: int) -> int:
        """The number of the innermost block that has this place of the text."""
        around = [
            (end - start, number)
            for number, (start, end) in enumerate(self.ranges[file])
            if start <= place < end
        ]
        return self.first[file] + min(around)[1]

    def write(self, copy: Path) -> None:
        """Writes marked bytecode for all modules of a copy of the checkout."""
        loader = copy / PACKAGE.parent / f"{LOADER}.py"
        loader.write_text(_LOADER_TEXT.format(size=self.size), encoding="utf-8")
        for file, text in self.texts.items():
            code = marked(text, self.first[file], str(copy / file))
            compiled = Path(cache_from_source(str(copy / file)))
            compiled.parent.mkdir(exist_ok=True)
            compiled.write_bytes(MAGIC_NUMBER + _UNCHECKED + marshal.dumps(code))


def ranges(text: str) -> list[tuple[int, int]]:
    """Start and end of each block in the text."""
    lines = line_starts(text)
    found = []
    for body in _bodies(ast.parse(text)):
        for block in _split(body):
            first, last = block[0], block[-1]
            assert last.end_lineno is not None
            assert last.end_col_offset is not None
            start = offset(text, lines, first.lineno, first.col_offset)
            end = offset(text, lines, last.end_lineno, last.end_col_offset)
            found.append((start, end))
    return found


def marked(text: str, first: int, name: str) -> CodeType:
    """The code of a module in which each block first marks its number, counted from `first`."""
    tree = ast.parse(text)
    head = _head(tree.body)
    for body in list(_bodies(tree)):
        blocks = list(_split(body))
        del body[_head(body) :]
        for block in blocks:
            mark = ast.parse(f"__marks__[{first}] = 1").body[0]
            body += [_placed(mark, block[0]), *block]
            first += 1
    if tree.body[head:]:
        load = ast.parse(f"__import__({LOADER!r})").body[0]
        tree.body.insert(head, _placed(load, tree.body[head]))
    return compile(tree, name, "exec", dont_inherit=True)


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def _split(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    block: list[ast.stmt] = []
    for each in body[_head(body) :]:
        block.append(each)
        if isinstance(each, _COMPOUND):
            yield block
            block = []
    if block:
        yield block


def _head(body: list[ast.stmt]) -> int:
    """How many docstrings and `from __future__` a body begins with; those are in no block."""
    for number, each in enumerate(body):
        match each:
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
                pass
            case _:
                return number
    return len(body)


def _placed(new: ast.stmt, old: ast.stmt) -> ast.stmt:
    for node in ast.walk(new):
        ast.copy_location(node, old)
    return new
