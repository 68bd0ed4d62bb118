"""What is said of an address holds on every way to it."""

from __future__ import annotations

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Load, Variable, either, word
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.native.alignment import Alignment
from tests.middle.running import build_into


def test_what_is_given_and_given_back_is_followed() -> None:
    module = Module()
    shared = module.variable("shared", I32, 16)
    scaled = module.function("scaled", (I32,), (I32,))
    reading = module.function("reading", (I32, I32))
    door = module.function("door", (I32,))
    module.exports["door"] = door
    places: dict[str, Load] = {}
    build_into(scaled, lambda f, a: f.return_(either(a, a << 2, shared)))

    def read(f: Body, a: Variable, b: Variable) -> None:
        places["always"], places["sometimes"] = word(a, 4), word(b, 4)
        f.set(places["always"], places["sometimes"])

    def start(f: Body, a: Variable) -> None:
        at = f.let("at", scaled(a))
        places["unknown"], places["shared"] = word(a), word(shared)
        f.do(reading, at + 8, at)
        f.do(reading, 64, at + 2)
        f.set(places["unknown"], places["shared"])
        f.set(shared, shared + 12)
        with f.each_number("number", 0, a) as number:
            places["counted"] = word(number)
            f.set(places["counted"], 1)

    build_into(reading, read)
    build_into(door, start)
    alignment = Alignment(module)
    whole = {name for name, place in places.items() if alignment.is_whole(place)}
    assert whole == {"always", "shared"}
