"""Explains syntax errors in plain words.

The parser knows where it stopped and which tokens were acceptable. This module turns that into a
message, a hint and the span to mark, which is not always where the parser stopped: for an unclosed
bracket it is the bracket, for a line that begins like no statement its first word.

Tables cover mistakes of people used to other languages or to prose: operators and phrases written
differently, other first words of lines, and what to say when a certain token was expected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lawspeaker.base import lettering
from lawspeaker.base.diagnostics import nearest
from lawspeaker.text.parse.language import reserved_words, statements

_WORD = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"#[^\r\n]*")
_OPEN, _CLOSED = "([", ")]"
_MOST_EXPECTED = 6
_CONDITIONS = ("if ", "else if ")

_LONGEST_TOLD = 200
_EVERYBODY = ("all", "everybody", "everyone", "all players")

_CALLED = {
    "PREPOSITION": "`of`",
    "COMPARE": "a comparison",
    "NAME": "a name",
    "NUMBER": "a number",
    "MODAL": "`must` or `may`",
    "WHICH": "`highest` or `lowest`",
    "ROUNDING": "`up` or `down`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "$END": "the end",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
}

# Foreign operators and keywords: the first pattern that covers the offset wins.
_SIGNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), advice)
    for pattern, advice in (
        (r"==", "write `=` for numbers and `is` for everything else"),
        (r"!=|<>|≠", "write `is not`"),
        (r"≤|=<", "write `<=`"),
        (r"≥|=>", "write `>=`"),
        (r"&&|&", "write `and`"),
        (r"\|\||\|", "write `or`"),
        (r"!", "write `not`"),
        (r"\+=|-=|\+\+|--", "write `x becomes x + 1`, or `player scores 1`"),
        (r":=|<-", "write `let x be …` for a new name, `x becomes …` for something that changes"),
        (r"\w+['’]s?\b", "say whose with `of`: `hand of player`"),
        (r"[\"'“”„‚‘’«»`]", "names in code are written without quotation marks"),
        (r"\w*[^\x00-\x7f\W]\w*", "names in code are the letters a to z, digits and `_`"),
        (r"\w*[A-Z]\w*", "names in code are small letters (a to z), digits and `_`"),
        (r"[×·]", "write `*`"),
        (r"÷", "write `/`, and say `rounded up` or `rounded down`"),
        (r"[–—−]", "write the sign `-` of the keyboard"),
        (r"…|\.\.\.", "a range is written with two dots: `1..6`"),
        (r"%", "write `remainder(a, b)`"),
        (r"\^", "write a product: `a * a`"),
        (r";", "one statement a line: start a new line instead of `;`"),
        (r"//", "a comment begins with `#`; a division says how it is rounded"),
        (r"\{|\}", "blocks are made by `:` and indentation"),
        (r"\(\s*\)", "brackets with nothing in them are left out"),
        (r"\d+\.\d+|\d+,\d{3}\b", "numbers are whole numbers without dots and commas, as `1000`"),
        (r"\btrue\b|\bfalse\b", "write `yes` or `no`"),
        (r"\b(none|null|nil)\b", "write `nothing`"),
        (r"\b(can|could|should|shall)\b", "write `may` for a choice and `must` for a duty"),
        (r"\bchooses\b", "write `must choose` or `may choose`"),
        (r"\b(gets|gains|receives|earns)\b", "points are given with `player scores N`"),
        (r"\bpoints?\b", "`player scores 3` is enough"),
        (r"\bare\b", "write `there is a …`, or `count of …` and compare it"),
    )
)

# Foreign phrases, with their replacements.
_CHAIN = r"[\w.]+(?:\([^()]*\))?(?: (?:of|on|at|along) [\w.]+(?:\([^()]*\))?)*"
_NOUN = r"(?P<noun>[a-z_]\w*?)(?P<plural>(?<!s)s)?"
_COMPARED = (
    (">", r"(?:more|greater|higher) than|over|above"),
    ("<", r"(?:less|fewer|lower) than|under|below"),
    (">=", r"at least"),
    ("<=", r"at most|up to"),
    ("=", r"exactly"),
)
_ASKED = (
    r"(?:^(?!(?:else )?if |repeat |where |let |for |pick )"
    r"|(?<=if )|(?<=and )|(?<=or )|(?<=not )|(?<=until )|(?<=while )|(?<=: ))"
)
"""Where a condition begins."""
_NUMERALS = {
    word: str(number)
    for number, word in enumerate(
        "no one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_POINTS = rf"(?P<points>\d+|{'|'.join(_NUMERALS)}) (?:victory )?points?"
_SCORED, _LOST = "write `{who} scores {points}`", "write `{who} loses {points}`"

# Foreign phrases for giving points, which are tried before single signs and words.
_GIVING: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern.replace("CHAIN", _CHAIN)), advice)
    for pattern, advice in (
        (rf"^(?:give|pay|award|add) {_POINTS} to (?:the )?(?P<who>CHAIN)$", _SCORED),
        (rf"^(?:give|pay|award) (?:the )?(?P<who>CHAIN) {_POINTS}$", _SCORED),
        (rf"^score {_POINTS} for (?:the )?(?P<who>CHAIN)$", _SCORED),
        (
            rf"^(?:the )?(?P<who>CHAIN) (?:gets|gains|receives|earns|scores?|wins) {_POINTS}$",
            _SCORED,
        ),
        (rf"^(?:the )?(?P<who>CHAIN) (?:loses|pays|forfeits) {_POINTS}$", _LOST),
        (rf"^(?:subtract|take) {_POINTS} from (?:the )?(?P<who>CHAIN)$", _LOST),
    )
)
_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern.replace("CHAIN", _CHAIN).replace("NOUN", _NOUN)), advice)
    for pattern, advice in (
        (
            r"\b(?P<in>in|on|from|to) (?:an?|the) (?P<place>CHAIN)(?=:|$)",
            "a place is called by its name alone: write `{in} {place}`",
        ),
        (r"^add (?P<much>.+?) to (?P<what>CHAIN)$", "write `{what} increases by {much}`"),
        (r"^increase (?P<what>CHAIN) by (?P<much>.+)$", "write `{what} increases by {much}`"),
        (r"^subtract (?P<much>.+?) from (?P<what>CHAIN)$", "write `{what} decreases by {much}`"),
        (r"^decrease (?P<what>CHAIN) by (?P<much>.+)$", "write `{what} decreases by {much}`"),
        (r"^(?:set|change) (?P<what>CHAIN) to (?P<value>.+)$", "write `{what} becomes {value}`"),
        (
            r"^(?:give|pay) (?P<much>\d+) (?P<what>[a-z_]\w*) to (?P<who>CHAIN)$",
            (
                "points are given with `{who} scores {much}`; if `{what}` is a marker of each "
                "player, write `{what} of {who} increases by {much}`"
            ),
        ),
        (
            r"^(?P<who>CHAIN) (?:draws|takes) (?P<some>an?|\d+) NOUN$",
            "say from where and to where: `draw {noun} from … to hand of {who}`",
        ),
        (
            r"\b(?:be|becomes|to) (?:the |an? )?NOUN where (?P<when>[^:]+)$",
            (
                "several may be like that, or none: `if there is a {noun} where {when}:` calls the "
                "first one found `{noun}`, and `{noun}s where {when}` are all of them"
            ),
        ),
        (
            r"\b(?:the )?NOUN with (?:the )?(?P<which>most|highest|fewest|lowest|least) .*$",
            (
                "several may have as much: `rank {noun}s by …, highest first:` goes through all of "
                "them, and `highest of … for each {noun}` is how much that is"
            ),
        ),
        (
            r"\bfor each kind of NOUN\b",
            "write `kinds called: role` beside `kinds:`, with your word, and `for each role` here",
        ),
        (
            r"\b(?P<one>CHAIN) (?:touches|borders|is (?:next|adjacent) to) (?P<other>CHAIN)",
            "write `{other} is in neighbours of {one}`; if corners count, in its `surroundings`",
        ),
        (
            r"(?<=: )1 to (?P<many>\d+) NOUN\b",
            "write `up to {many} {noun}{plural}`, or `at least 1 {noun}`",
        ),
        (
            r"(?<=: )(?P<few>\d+) to (?P<many>\d+) (?P<things>\w+)",
            "write `up to {many} {things}`, or `at least {few} {things}`",
        ),
        (
            (
                r"\b(?!is\b)NOUN in (?!(?:an?|the)\b)(?P<index>[a-z_]\w*) "
                r"(?P<value>\w+\b)(?=\s*(?:[:,)]|$|(?:where|and|or)\b))"
            ),
            "write `{noun}{plural} where {index} of {noun} is {value}`",
        ),
        (
            (
                r"(?:(?<=: )|(?<=, )|\b(?:there is(?: an?| no)?|for each) )"
                r"(?P<noun>[a-z_]\w*?)(?P<plural>(?:(?<=[sx])|(?<=[cs]h))es|(?<!s)s)?"
                r" of (?P<who>[a-z_]\w*)\s*(?:[,:]|$|where\b)"
            ),
            "say whose it is in the condition: `{noun}{plural} where owner of {noun} is {who}`",
        ),
        (
            r"\brepeat\s*:",
            "say how often: `repeat 3 times:`, or `repeat until …, at most 100 times:`",
        ),
        (
            r"\b(?P<what>CHAIN) becomes (?:the )?next player",
            "write `{what} becomes left_neighbour of {what}`: the next clockwise",
        ),
        (
            r"\b(?P<what>CHAIN) becomes (?:the )?(?:previous|last) player",
            "write `{what} becomes right_neighbour of {what}`",
        ),
        (r"\b(?:the )?next player\b", "the next clockwise is `left_neighbour of player`"),
        (
            r"\b(?P<who>CHAIN) has (?:an? |the )?NOUN (?P<sign>[<>]=?|=) ?(?P<value>\w+)",
            "write `{noun}{plural} of {who} {sign} {value}`",
        ),
        (
            r"\b(?P<who>CHAIN) (?:scores?|has) (?P<sign>[<>]=?|=) ?(?P<points>\w+)",
            "write `score of {who} {sign} {points}`",
        ),
        *(
            (
                rf"\b(?P<who>CHAIN) has (?:{words}) (?P<points>\w+) points?\b",
                f"write `score of {{who}} {sign} {{points}}`",
            )
            for sign, words in _COMPARED
        ),
        *(
            (
                rf"\b(?P<who>CHAIN) has (?:an?|the) NOUN (?:of )?(?:{words}) (?P<value>\w+)",
                f"write `{{noun}}{{plural}} of {{who}} {sign} {{value}}`",
            )
            for sign, words in _COMPARED
        ),
        (
            rf"\b(?P<who>CHAIN) has (?P<points>\d+|{'|'.join(_NUMERALS)}) points?\b",
            "write `score of {who} = {points}`",
        ),
        (
            r"\b(?P<who>CHAIN) has (?:an?|the) NOUN of (?P<value>\d+)\b",
            "write `{noun}{plural} of {who} = {value}`",
        ),
        (
            r"\bdraw up to (?P<much>.+) NOUN from (?P<from>.+?) to (?P<place>.+)",
            "write `draw {much} {noun}s from {from} to {place}`, and below it `otherwise: skip`",
        ),
        (
            r"\bdraw (?P<what>(?:(?! from ).)+) to (?P<place>.+)",
            "say from where: `draw {what} from … to {place}`",
        ),
        (r"\bcount (?P<what>(?!of\b)\w+(?: in CHAIN)?)", "write `count of {what}`"),
        (
            r"\b(?P<who>CHAIN) has (?P<some>an?|no) NOUN in (?P<place>\w+)",
            "write `there is {some} {noun} in {place} of {who}`",
        ),
        (
            r"\b(?P<who>CHAIN) has (?P<some>an?|no) NOUN\b",
            "say where: `there is {some} {noun} in … of {who}`",
        ),
        (
            r"\b(?P<who>CHAIN) has (?P<count>\d+) (?P<things>\w+)",
            "say where: `count of {things} in … of {who} = {count}`",
        ),
        (
            r"\b(?P<thing>CHAIN) is (?P<one>\w+), (?P<two>\w+),? or (?P<three>\w+)",
            "write `{thing} is {one} or {two} or {three}`",
        ),
        (
            r"\boffer (?P<window>\w+) to (?P<who>CHAIN),? (?:who|which|and) (?:must|has to)\b",
            "write `offer {window} to {who}, who must play`",
        ),
        (
            r"\b(?P<form>combinations?) of (?P<size>[a-z]\w*) (?P<noun>(?!in\b|to\b|least\b)\w+)",
            "put how many in brackets: `{form} of ({size}) {noun}`",
        ),
        (
            rf"{_ASKED}(?P<what>[^:]+?) (?P<not>not )?in (?P<low>-?\w+)\.\.(?P<high>-?\w+)",
            "write `{what} is {not}in {low}..{high}`",
        ),
        (
            rf"{_ASKED}(?P<what>[^:]+?) (?:is )?between (?P<low>-?\w+) and (?P<high>-?\w+)",
            "write `{what} is in {low}..{high}`",
        ),
        (
            rf"{_ASKED}(?P<what>[^:]+?) (?:equals|is equal to) (?P<value>-?\d+)",
            "write `{what} = {value}`",
        ),
        (
            rf"{_ASKED}(?P<what>[^:]+?) (?:equals|is equal to) (?P<value>\w+)",
            "write `{what} = {value}` for numbers, and `{what} is {value}` for everything else",
        ),
        (
            rf"{_ASKED}(?P<what>[^:]+?) is one of (?P<one>\w+), (?P<two>\w+)",
            "write `{what} is in [{one}, {two}]`",
        ),
        *(
            (
                rf"{_ASKED}(?P<what>[^:]+?) is (?:{words}) (?P<value>-?\w+)",
                f"write `{{what}} {sign} {{value}}`",
            )
            for sign, words in _COMPARED
        ),
        (
            r"\bexcept (?P<one>CHAIN) (?:and|or) (?P<other>CHAIN)",
            "write `except [{one}, {other}]`",
        ),
    )
)

# Foreign first words of lines. The group is marked.
_LINES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), advice)
    for pattern, advice in (
        (r"(elif|elsif|elseif)\b", "write `else if`"),
        (r"(set|change|make|assign)\b", "write `x becomes …`"),
        (r"(var|const|def|define|put|give)\b", "write `let x be …` for a new name"),
        (r"(while|do while)\b", "write `repeat while …, at most N times:`"),
        (r"(until|loop)\b", "write `repeat until …, at most N times:`"),
        (r"(for)\s+(?!each\b)\w", "write `for each card in hand of player:`"),
        (r"(foreach|for_each|each)\b(?!.*\bsecretly\b)", "write `for each …:`"),
        (r"(return|answer)\s+[\w(\[]", "write `the outcome is …`"),
        (r"(return|stop|leave|exit|break)\b", "write `finish` to leave a clause"),
        (r"(play)\s+\w", "say who plays it: `active plays card`; a clause is done with `do`"),
        (r"(call|perform|run|execute|play|go)\b", "write `do clause_id`"),
        (r"(when|unless)\b", "write `if …:`"),
        (r"(choose|select)\b", "say who chooses: `active must choose …`"),
        (r"(take|deal)\b", "write `draw card from pile to hand of player`, or `move … to …`"),
        (r"(discard|place|lay)\b", "write `move card to …`"),
        (r"(score|add)\b", "points are given with `player scores N`"),
        (r"(subtract|pay|lose)\b", "points are taken with `player loses N`"),
        (r"(roll|randomly|random)\b", "write `pick a random …`"),
        (r"(win)\b", "write `player wins`, or `end the game`: most points win"),
        (r"(print|say|log)\b", "the table shows by itself what is done"),
        (r"(pass)\b", "write `skip` where nothing is to be done"),
        (r"(where)\s+\w+\s*:", "guards are indented below the question they belong to"),
        (r"(in)\s+each\s+case\b", "`in each case` stands below the last of several alternatives"),
        (r"(otherwise)\b", "`otherwise:` is indented below the question or the draw it belongs to"),
        (r"(then)\b", "`then:` is indented below the choice it belongs to, above `otherwise:`"),
        (r"(else)\b", "`else:` stands below an `if`, in the same column"),
    )
)

_TELL, _TELL_WHETHER = "tell {who} {what}", "tell {who} whether {what}"
_SHOW = "show {what} to {who}"

# Foreign phrases for disclosing something.
_TELLING: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r"(reveal|announce|tell)\s+(?!everyone\b)(?P<what>.+?)\s+to\s+(?P<who>.+)", _TELL),
        (r"(tell|show|inform)\s+(?P<who>.+?)\s+(that|if|about)\s+(?P<what>.+)", _TELL_WHETHER),
        (r"show\s+(?P<what>.+?)\s+(for|before)\s+(?!(each|every)\b)(?P<who>.+)", _SHOW),
        (r"show\s+(?P<who>everyone|\w+)\s+(?P<what>\w+( (of|in|on) .+)?)", _SHOW),
        (r"show\s+(?P<what>.+)", _SHOW),
        (r"(reveal|announce)\s+(?P<what>.+)", _TELL),
        (r"(?P<who>[\w. ]+?)\s+is\s+told\s+(?P<what>.+)", _TELL),
        (r"(?P<who>[\w. ]+?)\s+is\s+shown\s+(?P<what>.+)", _SHOW),
    )
)

# Hints by the token that was expected.
_WANTED: tuple[tuple[str, str], ...] = (
    ("ROUNDED", "say how a division is rounded: `a / b rounded up` or `rounded down`"),
    ("EACH", "write `for each …:`"),
    ("TIMES", "say how often: `repeat 3 times:` or `repeat until …, at most 10 times:`"),
    ("THE", "write `end the game`"),
    ("GAME", "write `end the game`"),
    ("FIRST", "say which is best: `rank players by score of player, highest first:`"),
    ("BE", "write `let name be …`"),
    ("RANDOM", "write `pick a random …`"),
    ("FROM", "say from where and to where: `draw card from pile to hand of player`"),
    ("TO", "say where to: `move … to …`, `draw … from … to …`, `offer … to …`"),
    ("ELSE", "say also what it is otherwise: `if … then … else …`"),
)


# The full form of a line, by its first word, for one that ends too early.
_FORMS = {
    "move": "say what goes where: `move all cards in hand of player to pile`",
    "draw": "say from where and to where: `draw card from pile to hand of player`",
    "offer": "say to whom: `offer window to player`, or `…, who must play`",
    "rank": "say which is best: `rank players by score of player, highest first:`",
    "pick": "say of what: `pick a random player`",
    "shuffle": "say what is shuffled: `shuffle pile`",
    "show": "say what is shown, and to whom: `show card to everyone`, `show hand of ben to active`",
    "tell": "say who is told what: `tell everyone loser`, `tell active whether …`",
    "let": "say what it is: `let name be …`",
    "do": "say which clause is done: `do setup`",
}


@dataclass(frozen=True, slots=True)
class Slip:
    """A message and hint, and the span to mark."""

    message: str
    hint: str | None
    start: int
    end: int


def word_at(text: str, at: int) -> str:
    """The word that begins at an offset, or ""."""
    found = _WORD.match(text, at)
    return found.group() if found else ""


def describe(
    text: str, code: tuple[int, int], at: int, found: str, accepted: set[str], form: str = "rule"
) -> Slip:
    """Explains a syntax error at offset `at` of the code. `found` is the token there, empty at the
    end of a line; `form` is what is being parsed: a rule, a value, or a header."""
    low, high = code
    at = at if found else _end_of_words(text, low, at)
    begins = max(text.rfind("\n", low, at) + 1, low)
    line = text[begins:at]
    indent = len(line) - len(line.lstrip())
    first = begins + indent
    bracket = open_bracket(text, low, at, high)
    if bracket is not None and (not found or "\n" in text[bracket:at]):
        return Slip(f"this `{text[bracket]}` is never closed", None, bracket, bracket + 1)
    if found and found in _CLOSED and not text[low:at].count(_OPEN[_CLOSED.index(found)]):
        return Slip(f"this `{found}` closes nothing", "delete it", at, at + 1)
    slip = (
        _phrase(text, first, at, high, form, _GIVING)
        or _sign(text, begins, at, high)
        or _phrase(text, first, at, high, form, _PHRASES)
    )
    if slip is not None:
        return slip
    if form == "header":
        hint = "a value is called like `strength of player on hill`, or like `field is free`"
        return Slip(_plainly(found, accepted), hint, at, at + len(found))
    if form == "rule":
        slip = _telling(text, first, at, high) or _first_word(text, first, at, found, accepted)
        if slip is not None:
            return slip
    return _by_expectation(text, first, at, found, accepted, form)


def misses_indent(accepted: set[str]) -> bool:
    """Whether only an indented line would be acceptable."""
    return accepted == {"_INDENT"}


def _end_of_words(text: str, low: int, at: int) -> int:
    """The end of the code on the line of an offset, without comments."""
    begins = max(text.rfind("\n", low, at) + 1, low)
    return begins + len(text[begins:at].split("#", 1)[0].rstrip())


def open_bracket(text: str, low: int, at: int, high: int) -> int | None:
    """The innermost bracket that is open at an offset and never closed after it."""
    opened = _brackets(text, low, at, [])
    left = _brackets(text, at, high, list(opened))
    return next((each for each in reversed(opened) if each in left), None)


def _brackets(text: str, low: int, high: int, opened: list[int]) -> list[int]:
    at = low
    while at < high:
        sign = text[at]
        if sign == "#":
            comment = _COMMENT.match(text, at)
            at = comment.end() if comment else at
        elif sign in _OPEN:
            opened.append(at)
        elif sign in _CLOSED and opened:
            opened.pop()
        at += 1
    return opened


def _sign(text: str, begins: int, at: int, high: int) -> Slip | None:
    """A foreign operator or keyword at the offset, if there is one."""
    ends = text.find("\n", at)
    ends = min(high, ends if ends >= 0 else high)
    low = max(begins, at - 80)
    for pattern, advice in _SIGNS:
        for match in pattern.finditer(text, low, min(ends, at + 80)):
            if match.start() <= at < match.end() or (match.end() == at and len(match[0]) == 2):
                mistaken = lettering.mistaken(match[0]) if match[0][0].isalnum() else None
                advice += f"; {mistaken}" if mistaken else ""
                return Slip(f"`{match[0]}` cannot stand here", advice, *match.span())
    return None


def _line(text: str, first: int, at: int, high: int) -> str:
    """The code on the line of an offset, from its first word, without comments."""
    ends = text.find("\n", at)
    return text[first : min(high, ends if ends >= 0 else high)].split("#", 1)[0].rstrip()


def _phrase(
    text: str,
    first: int,
    at: int,
    high: int,
    form: str,
    phrases: tuple[tuple[re.Pattern[str], str], ...],
) -> Slip | None:
    """A foreign phrase at the offset, if there is one. Also corrects a following `then` that opens
    no block."""
    line = _line(text, first, at, high)
    for pattern, advice in phrases if len(line) <= _LONGEST_TOLD else ():
        for match in pattern.finditer(line):
            start, end = first + match.start(), first + match.end()
            said = {name: part or "" for name, part in match.groupdict().items()}
            missing = at == end and match.end() == len(line)
            if not (start <= at < end or missing) or not _somebody(said.get("who", "")):
                continue
            told = advice.format(**{name: _digits(name, part) for name, part in said.items()})
            then = _THEN.match(line, match.end()) if form == "rule" else None
            if then and line.startswith(_CONDITIONS) and _WHOLE.fullmatch(told):
                told, end = f"{told[:-1]}:`", first + then.end()
            return Slip("this is said otherwise here", told, start, end)
    return None


_WHOLE = re.compile(r"write `[^`…]+`")
_THEN = re.compile(r"\s*\b(?P<word>then)\b(?!.*\belse\b)(?:\s*:)?")


def _digits(name: str, said: str) -> str:
    """A numeral as digits."""
    return _NUMERALS.get(said, said) if name in ("points", "much") else said


def _somebody(who: str) -> bool:
    """Whether a text may denote a player: no keyword, and no verb."""
    word = word_at(who, 0)
    return word not in reserved_words() and word not in _VERBS_IN_OTHER_WORDS


def _telling(text: str, first: int, at: int, high: int) -> Slip | None:
    """A line that discloses something in other words."""
    line = _line(text, first, at, high)
    for pattern, form in _TELLING if len(line) <= _LONGEST_TOLD else ():
        match = pattern.fullmatch(line)
        if match:
            said = match.groupdict()
            who = said.get("who") or "everyone"
            told = form.format(who="everyone" if who in _EVERYBODY else who, what=said["what"])
            how = f"this is not how something is {'shown' if form == _SHOW else 'told'}"
            return Slip(how, f"write `{told}`", first, first + len(line))
    return None


_LOSES = "points are taken with `player loses N`, pieces go by `move … to …`"
_SCORES = "points are given with `player scores N`, pieces come by `move … to …`"
_VERBS_IN_OTHER_WORDS = {
    **dict.fromkeys(("pays", "spends", "forfeits"), _LOSES),
    **dict.fromkeys(("gains", "gets", "earns", "receives", "collects", "obtains"), _SCORES),
    **dict.fromkeys(("takes", "draws"), "write `draw card from pile to hand of player`"),
    **dict.fromkeys(("discards", "places", "puts", "lays", "gives"), "write `move card to …`"),
    **dict.fromkeys(("chooses", "selects", "picks"), "write `player must choose …`, or `may`"),
    **dict.fromkeys(("can", "could", "should", "shall", "has"), "write `may`, or `must`"),
    **dict.fromkeys(("rolls", "tosses"), "write `pick a random …`"),
    **dict.fromkeys(("passes", "skips"), "write `skip` where nothing is to be done"),
}
"""Verbs that are no misspellings, but synonyms of what a line can say."""
_VERBS = ("becomes", "increases", "decreases", "scores", "loses", "wins", "plays", "must", "may")
"""What can follow the name of something mutable, or of a player."""


def _first_word(text: str, first: int, at: int, found: str, accepted: set[str]) -> Slip | None:
    """A line that begins like no statement."""
    if not accepted & {"BECOMES", "SCORES", "WHERE"} and not text.startswith(found or "\n", first):
        return None
    for pattern, advice in _LINES:
        match = pattern.match(text, first)
        if match and ("BECOMES" in accepted or match.start(1) == at):
            word = match[1]
            return Slip(f"no line begins with `{word}` here", advice, *match.span(1))
    if "BECOMES" not in accepted:
        return None
    said = text[first:at].strip()
    word = word_at(text, first)
    if found:
        meant = _VERBS_IN_OTHER_WORDS.get(found)
        if meant:
            return Slip(f"`{found}` cannot stand here", meant, at, at + len(found))
        verb = nearest(found, _VERBS)
        if verb:
            told = f"`{found}` cannot stand here"
            return Slip(told, f"did you mean `{verb}`?", at, at + len(found))
        if not re.fullmatch(r"[\w.]+", said):
            return None
        near = nearest(word, statements())
        if near and word not in statements() and _goes_on(near, found):
            return Slip(f"no line begins with `{word}`", f"did you mean `{near}`?", first, at)
        return Slip(
            f"`{found}` cannot stand here: the line begins like no statement",
            _statement_forms(),
            at,
            at + len(found),
        )
    change = re.match(r"(?!there\b)([\w. ]+?)\s*(?:=|\bis\b)\s*(.+)", said)
    if change:
        name, value = change[1], change[2]
        hint = f"to change it, write `{name} becomes {value}`; to ask, write `if {said}:`"
    elif re.fullmatch(r"[\w.]+(\s*\(.*\))?", said):
        hint = f"to do a clause, write `do {said}`"
    else:
        hint = _statement_forms()
    return Slip("this line does nothing", hint, first, first + len(said))


def _goes_on(statement: str, found: str) -> bool:
    """Whether a line that begins with this keyword can continue so: `foo x` is no misspelt `for
    each`."""
    _, *fixed = statements()[statement].split()
    return not fixed or found == fixed[0] or nearest(found, fixed[:1]) is not None


def _statement_forms() -> str:
    return (
        f"a line begins with a statement ({', '.join(statements().values())}), or says who "
        "`scores`, `loses`, `wins`, `plays`, `must` or `may`, or what `becomes` something else"
    )


def _by_expectation(
    text: str, first: int, at: int, found: str, accepted: set[str], form: str
) -> Slip:
    line = text[first:at]
    end = at + len(found)
    if misses_indent(accepted) or ("_INDENT" in accepted and not found):
        if found:
            message = f"`{found}` should be indented: it belongs to the line above"
            return Slip(message, "lines of a block begin further right", at, end)
        return Slip(
            "below this line something is missing",
            "after `:` come the lines of the block, indented, or one statement on the same line",
            at,
            end,
        )
    condition = form == "rule" and line.startswith(_CONDITIONS)
    then = _THEN.search(text[first : end if found == ":" else at])
    if condition and then:
        start = first + then.start("word")
        return Slip("`then` opens no block", "write `:`", start, first + then.end())
    if condition and "COLON" in accepted:
        accepted = accepted - {"THEN"}
    message = _plainly(found, accepted)
    hint: str | None = None
    if found and {"WHERE", "THEN", "OTHERWISE"} & accepted and text.startswith(found, first):
        hint = (
            "below a question stand `where`, `then:` and `otherwise:`; what is done next begins "
            "in the column of the question"
        )
    elif ("COLON" in accepted and line.startswith("where ")) or (found == "where" and not line):
        hint = "a guard has a name: `where name: condition`"
    elif "COLON" in accepted and not found:
        hint = "a line that opens a block ends with `:`"
        message = "a `:` is missing at the end of this line"
    elif found == ":" and (asks := re.search(r"\b(must|may)\s+choose\s*$", line)):
        hint = (
            f"write `{asks[1]} choose …` without `:`, or in place of `choose` what is done, as in "
            f"`{asks[1]} discard: …`"
        )
    elif found and (asks := re.search(r"\b(must|may)\s+(\w+)\s*$", line)):
        hint = f"write `{asks[0].strip()}: {found} …`, or `{asks[1]} choose {found} …`"
    elif found == "where" and re.search(r"\bcount of\b", line):
        hint = "only a noun has a `where`: write `count of cards in … where …`"
    elif found == ":" and accepted <= {"_NL"}:
        hint = "no `:` stands here; what can be chosen follows on indented lines, one on each"
    elif found and accepted <= {"_NL"} and re.search(r"\bone of\s*$", line):
        hint = "what can be chosen follows on indented lines, one on each"
    elif found == "in" and "_NL" not in accepted:
        hint = "to ask whether something is in a set, write `is in`"
    elif not found and (form_of := _FORMS.get(word_at(text, first))):
        hint = form_of
    elif found == "to":
        hint = "`to` belongs to `move … to …`, `draw … to …` and `offer … to …`"
    elif found == ":" and form == "value":
        hint = "a value is chosen with `if … then … else …`, without `:`"
    elif "COMMA" in accepted and line.startswith("rank "):
        hint = "say which is best: `rank players by score of player, highest first:`"
    elif line.startswith("pick ") and "A" in accepted:
        hint = "write `pick a random …`"
    elif re.search(r"(?<!for )\bevery\b", line):
        hint = "say of what, and then what holds: `for every player, hand of player is empty`"
    elif found and re.search(r"\bwins\s*$", line):
        hint = "`player wins` ends the game; points are given with `player scores N`"
    elif re.search(r"\bthere is\s*$", line):
        hint = "write `there is a …` or `there is no …`"
    else:
        few = accepted if len(accepted) <= _MOST_EXPECTED else set[str]()
        hint = next((advice for word, advice in _WANTED if word in few), None)
    return Slip(message, hint, at, end)


def _plainly(found: str, accepted: set[str]) -> str:
    message = f"`{found}` cannot stand here" if found else "something is missing here"
    expected = _expected(accepted)
    return f"{message}; expected {expected}" if expected else message


def _expected(accepted: set[str]) -> str:
    names = []
    for each in sorted(accepted):
        if each in _CALLED:
            names.append(_CALLED[each])
        elif each.isalpha():
            names.append(f"`{each.lower()}`")
    names = sorted(set(names), key=lambda each: (each.startswith("`"), each))
    if not names or len(names) > _MOST_EXPECTED:
        return ""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
