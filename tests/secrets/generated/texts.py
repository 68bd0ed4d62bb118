"""Words that players write: asked for, kept, compared with those of hidden scrolls and with each
other, told."""

from __future__ import annotations

from tests.secrets.generated.extension import Extension, Wide
from tests.secrets.generated.files import Line
from tests.secrets.generated.grammar import Code
from tests.secrets.generated.values import NAMES, NUMBER, PREFIX, TRUTH

SAYING, SCROLL = "saying", "scroll"
PREFIX |= {SAYING: "y", SCROLL: "v"}
NAMES |= {"a_saying": SAYING, "a_scroll": SCROLL}

TEXTS = Extension(
    name="texts",
    table={
        "words": """\
  saying:
    written: {words: 1..2, letters: 2..12}
    such as: [hello, low_tide]
""",
        "pieces": """\
  scroll:
    has: {motto: saying}
    starts in: press
    kinds: {early: 3, late: {count: 3, motto: hello}}
""",
        "places": """\
  press:   {holds: scroll, seen by: nobody}
  satchel: {of each: player, holds: scroll, seen by: owner}
""",
        "markers": """\
  quote:   {shows: saying}
  whisper: {of each: player, shows: saying, seen by: owner}
  secret_word: {shows: saying, seen by: nobody}
""",
    },
    dealt=(
        "for each player:",
        "  pick a random scroll in press",
        "  move scroll to satchel of player",
        "pick a random scroll in press",
        "secret_word becomes motto of scroll",
    ),
    values={
        NUMBER: (
            (0.5, "(count of scrolls in satchel of {player} where motto of scroll is {text})"),
        ),
        TRUTH: (
            "({text} is nothing)",
            (2, "({text} is {text})"),
            "(there is a scroll in satchel of {player} where motto of scroll is {text})",
        ),
    },
    lines=(
        "quote becomes {text}",
        "whisper of {player} becomes {text}",
        "secret_word becomes {text}",
    ),
    loud=((0.5, "tell {everyone|ann} whether {text} is {text}"),),
    questions=("text_question", "text_question"),
)


class Writing(Wide):
    def text(self) -> str:
        return self.say("quote", "whisper of {player}", "secret_word", "whisper of {ann|ben}")

    def text_question(self) -> Code:
        name = self.fresh(SAYING)
        self.count += 1
        with self.inside({name: SAYING}):
            guard = self.say(
                f"({name} is not {{text}})",
                f"(there is no scroll in satchel of {{player}} where motto of scroll is {name})",
                "{truth}",
            )
        below = (Line(f"where guard_{self.count}: {guard}"), Line("otherwise: finish"))
        after = self.say(f"quote becomes {name}", f"whisper of {{player}} becomes {name}")
        head = f"{self.asked()} must write: saying as {name}"
        return (Line(head, below), Line(after))
