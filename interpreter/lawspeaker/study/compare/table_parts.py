"""Parts of the table layout as comparable units; they do not change play.

Only parts that show something count, under the name by which variants refer to them; containers
have no content of their own. Ambiguous names are skipped.
"""

from __future__ import annotations

from collections import Counter

from lawspeaker.meaning.overlay.table_patches import LISTS, part_at, parts
from lawspeaker.text.document import Mapping, scalar_at
from lawspeaker.text.rulebook import Entry, Rulebook

TABLE = "table"


def table_parts(book: Rulebook) -> dict[str, Entry]:
    """The layout parts that show something, by name."""
    if book.table is None:
        return {}
    known = list(parts(book.table))
    often = Counter(name for name, _ in known)
    found: dict[str, Entry] = {}
    for name, way in known:
        part = part_at(book.table, way)
        holds = isinstance(part, Mapping) and any(part.get(each) is not None for each in LISTS)
        if way and often[name] == 1 and not holds:
            found[name] = Entry(name, scalar_at(name, part), part)
    return found


def neighbour(book: Rulebook, name: str, there: set[str]) -> dict[str, str]:
    """The position of a part: after or before an existing one in the same list."""
    assert book.table is not None
    ways = dict(parts(book.table))
    own = ways[name]
    beside = {way[-1]: each for each, way in ways.items() if way[:-1] == own[:-1] and way}
    earlier = [at for at, each in beside.items() if at < own[-1] and each in there]
    later = [at for at, each in beside.items() if at > own[-1] and each in there]
    if earlier:
        return {"after": beside[max(earlier)]}
    return {"before": beside[min(later)]} if later else {}
