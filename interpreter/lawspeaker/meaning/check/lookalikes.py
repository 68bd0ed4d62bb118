"""Reports names that are confusable: in themselves, or with another name of the same language.

Identifiers in code are limited to a to z, but names shown at the table may be in any script. So
each name is checked by itself (`base/lettering`), and against others whose letters look the same.
Equal names are another matter (`shared_names`): that can be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawspeaker.base import lettering
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.shared_names import SHARED
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Scalar
from lawspeaker.text.translation.weaving import default_name

Named = tuple[str, str, str, Span]
"""A thing, a language, its name there, and the span of the name."""


def lookalikes(world: World, needed: Mapping[str, Span]) -> None:
    """Reports suspicious names, and names that look like another."""
    looks: dict[tuple[str, str], Named] = {}
    for named in _names(world, needed):
        thing, language, text, span = named
        trouble = lettering.strange(text)
        if trouble is not None:
            world.diagnostics.error(
                "confusing-name",
                f"the name of `{thing}` may be taken for another: {trouble}",
                span,
                hint="write each word in plain letters of one alphabet",
            )
            continue
        other = looks.setdefault((language, lettering.skeleton(text)), named)
        if lettering.normalized(other[2]) != lettering.normalized(text):
            world.diagnostics.error(
                "confusing-name",
                f"the name of `{thing}` looks like that of `{other[0]}`, but is written in other "
                f"letters: {lettering.differing(text, other[2])}",
                span,
                Label(other[3], "this one"),
                hint="give one of them a name that looks different",
            )


def _names(world: World, needed: Mapping[str, Span]) -> Iterator[Named]:
    """The names players read: declared ones, and ids of things that have none."""
    names = world.book.section("names")
    for name, span in needed.items():
        if name not in names and name.isascii():
            yield name, world.book.language, default_name(name), span
    for entry in names.values():
        if isinstance(entry.body, Scalar):
            yield entry.id, world.book.language, entry.body.value, entry.body.span
        elif isinstance(entry.body, MappingNode):
            for language, text in entry.body.entries:
                if isinstance(text, Scalar) and language.value != SHARED:
                    yield entry.id, language.value, text.value, text.span
