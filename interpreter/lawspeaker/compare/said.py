"""What a telling does on a point, in a few words of one language."""

from __future__ import annotations

from typing import Any

from lawspeaker import ir
from lawspeaker.compare.points import Point
from lawspeaker.compare.telling import Telling
from lawspeaker.layout import Layout, Value
from lawspeaker.types import SetType, Type

LONGEST = 160


class Speaker:
    """Speaks for one telling in one language."""

    def __init__(self, telling: Telling, language: str) -> None:
        self.telling = telling
        self.program = telling.program
        self.language = language
        self.layout = Layout(self.program, self.program.most)
        self.choices = {choice.id: choice for choice in self.program.choices}

    def texts(self, texts: dict[str, str] | ir.Texts) -> str:
        """A text in the language, or else in the first there is."""
        return texts.get(self.language) or next(iter(texts.values()), "")

    def says(self, point: Point) -> str:
        words = point.words
        return self.texts(words.get("says", {})) if isinstance(words, dict) else ""

    def title(self, point: Point) -> str:
        """What a point is about: its sentence, or the way to it in words."""
        if point.sort in ("names", "symbols"):
            key = point.id.removeprefix(f"{point.sort}.{point.entry.id}").strip(".")
            called = self.called(point.entry.id.rpartition(".")[2])
            what = "what it is called" if point.sort == "names" else "how it is drawn"
            return f"{called}: {what}" + (f" ({key})" if key else "")
        if says := self.says(point):
            return says
        keys = point.id.split(".")[1:]
        named = [self.called(key) for key in keys if key != "kinds"]
        return f"{', '.join(named[:-1])}: {named[-1]}" if len(named) > 1 else "".join(named)

    def called(self, thing: str) -> str:
        return self.layout.called(thing, "", self.language)

    def does(self, point: Point) -> str:
        """What it does here: a value, or the sentence of the rule."""
        if point.sort == "choice" and point.id in self.choices:
            return self.choice(self.choices[point.id])
        if point.sort in ("names", "symbols"):
            return self.data(point.words, raw=True)
        if point.words is not None and not isinstance(point.words, dict):
            return self.data(point.words, raw=True)
        return self.says(point) or self.data(point.deeds)

    # ------------------------------------------------------------ values

    def choice(self, choice: ir.Choice) -> str:
        texts = [self.constant(choice.type, value) for value in choice.values]
        if len(set(texts)) == 1:
            return texts[0]
        numbers = range(self.program.fewest, self.program.most + 1)
        pairs = zip(numbers, texts, strict=False)
        return "; ".join(f"{number} players: {text}" for number, text in pairs)

    def constant(self, of: Type, value: Value) -> str:
        if isinstance(of, SetType):
            return ", ".join(self.layout.name(of.of, each, self.language) for each in value)
        if isinstance(value, tuple):
            return ", ".join(self.layout.name(of, each, self.language) for each in value)
        return self.layout.name(of, value, self.language)

    def data(self, data: Any, raw: bool = False) -> str:
        """Plain data in words: `count 2, moment at the end`."""
        if isinstance(data, bool):
            return self.called("yes" if data else "no")
        if data is None:
            return self.called("nothing")
        if isinstance(data, str):
            return data.strip() if raw else self.called(data)
        if isinstance(data, int):
            return str(data)
        if isinstance(data, tuple):
            key, value = data
            return f"{key}: {self.data(value, raw)}" if raw else self.pair(str(key), value)
        return ", ".join(self.data(each, raw) for each in data)

    def pair(self, key: str, value: Any) -> str:
        name = self.called(key)
        if isinstance(value, list) and value and isinstance(value[0], tuple):
            return f"{name} ({self.data(value)})"
        return f"{name} {self.data(value)}"


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text cut at a word."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0].rstrip(",;:. ") + " …"
