"""A pure-Python shim for `rpds`, the persistent collections used by `jsonschema` and `referencing`.

The original has trees with structural sharing, written in Rust, which browsers lack; these copy,
which is fast enough for a few entries.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class HashTrieMap(dict[K, V]):
    @classmethod
    def convert(cls, value: Mapping[K, V] | HashTrieMap[K, V]) -> HashTrieMap[K, V]:
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: K, value: V) -> HashTrieMap[K, V]:
        return HashTrieMap({**self, key: value})

    def remove(self, key: K) -> HashTrieMap[K, V]:
        made = HashTrieMap(self)
        del made[key]
        return made

    def discard(self, key: K) -> HashTrieMap[K, V]:
        return HashTrieMap({each: value for each, value in self.items() if each != key})

    def update(self, *others: Any) -> HashTrieMap[K, V]:  # type: ignore[override]
        made = HashTrieMap(self)
        for each in others:
            dict.update(made, each)
        return made

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[K]):
    def insert(self, value: K) -> HashTrieSet[K]:
        return HashTrieSet(self | {value})

    def discard(self, value: K) -> HashTrieSet[K]:
        return HashTrieSet(self - {value})

    def update(self, *others: Iterable[K]) -> HashTrieSet[K]:
        return HashTrieSet(self.union(*others))


class List(tuple[V, ...]):
    __slots__ = ()

    def push_front(self, value: V) -> List[V]:
        return List((value, *self))
