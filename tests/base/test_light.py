"""Values that are made quickly are otherwise what frozen dataclasses are."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from lawspeaker.base.light import light


def frozen() -> Any:
    @dataclass(frozen=True, slots=True)
    class Tree:
        name: str
        place: int = field(compare=False)
        parts: tuple[int, ...] = ()
        seen: list[int] = field(default_factory=list, compare=False)
        length: int = field(init=False, compare=False)
        apart: bool = field(default=False, kw_only=True)

        def __post_init__(self) -> None:
            object.__setattr__(self, "length", len(self.name))

    return Tree


@pytest.mark.parametrize("quickly", [False, True])
def test_light_classes_are_made_as_dataclasses(quickly: bool) -> None:
    kind = light(frozen()) if quickly else frozen()
    one = kind("elder", 3, apart=True)
    assert (one.name, one.place, one.parts, one.seen) == ("elder", 3, (), [])
    assert (one.length, one.apart) == (5, True)
    assert one.seen is not kind("elder", 3).seen
    assert one == kind("elder", 4, apart=True) != kind("elder", 3)
    assert len({one, kind("elder", 4, apart=True)}) == 1
    assert replace(one, name="ash").length == 3
    assert deepcopy(one) == one
    with pytest.raises(TypeError, match="place"):
        kind("elder")
