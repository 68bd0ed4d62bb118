"""The catalogue of diagnostic codes, in plain words.

A diagnostic says what is wrong at one place. Its code names the kind of mistake; the catalogue
explains why it matters and how to fix it, with an example before and after where that helps.
`explain` renders one code, `markdown` the whole catalogue as docs/codes.md.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

WIDTH = 88


@dataclass(frozen=True, slots=True)
class DiagnosticCode:
    """A kind of mistake: its title, an explanation, and optionally an example before and after."""

    group: str
    title: str
    text: str
    before: str = ""
    after: str = ""


def explain(code: str) -> str:
    """Renders the explanation of one code. The code must be in the catalogue."""
    found = CODES[code]
    parts = [f"{code}: {found.title}", textwrap.fill(found.text, WIDTH)]
    if found.before:
        parts.append("Instead of\n" + textwrap.indent(found.before, "    "))
    if found.after:
        parts.append("write\n" + textwrap.indent(found.after, "    "))
    return "\n\n".join(parts) + "\n"


def markdown() -> str:
    """Renders the whole catalogue, by groups, as docs/codes.md."""
    about = (
        "Every message about a rule file carries a code, such as `unknown-name`. This page tells "
        "what each of them is about; `lawspeaker explain CODE` tells it in the terminal. (The page "
        "is made from the catalogue in the package: change it there.)\n"
    )
    parts = ["# Codes of messages\n", about]
    groups = dict.fromkeys(each.group for each in CODES.values())
    for group in groups:
        parts.append(f"## {group}\n")
        for code, each in CODES.items():
            if each.group != group:
                continue
            parts.append(f"### {code}\n")
            parts.append(f"**{each.title}.** {each.text}\n")
            if each.before:
                parts.append(f"Instead of\n\n```text\n{each.before}\n```\n")
            if each.after:
                parts.append(f"write\n\n```text\n{each.after}\n```\n")
    return "\n".join(parts)


_FILES = "Files"
_SHAPE = "Keys and values"
_NAMES = "Names"
_CODE = "Reading code"
_TYPES = "What fits together"
_ASKING = "Questions and secrets"
_WHOLE = "The whole game"
_VARIANTS = "Variants"
_PLAYED = "Logs and scenarios"

CODES: dict[str, DiagnosticCode] = {
    # ---------------------------------------------------------------- files
    "not-found": DiagnosticCode(
        _FILES,
        "a file, a game or a variant is not there",
        "A game is found by its name in the current folder, along LAWSPEAKER_PATH and among those "
        "that come with the package, or by its path. The files that a game names under `files:` "
        "lie in its own folder: nothing outside of it is ever read.",
    ),
    "too-large": DiagnosticCode(
        _FILES,
        "something is larger than any table",
        "There are bounds on the length of files and of code, on the number of pieces and places, "
        "on ranges of numbers and on how often something is repeated. They are far beyond what "
        "people can play with, and are there so that every game fits every machine. Nearly "
        "always a number has a digit too many; code that is too long is split into clauses.",
    ),
    "too-deep": DiagnosticCode(
        _FILES,
        "something is nested too deeply",
        "Lists in lists, brackets in brackets, or values that build on values that build on "
        "values. Give a part a name of its own, with `let` or with a defined value, and use the "
        "name.",
    ),
    "bad-picture": DiagnosticCode(
        _FILES,
        "a picture of the game cannot be drawn",
        "A symbol names a file in the folder `pictures` beside the rules: a drawing (`.svg`) or an "
        "image (`.png`). It is built anew from what only draws, so that nothing else of it reaches "
        "the screens of others. For that it must be whole, of the kind its name says, say how "
        "large it is, and keep to the bounds: 100,000 bytes, of a drawing 2,000 elements, of an "
        "image 1,024 points each way. Drawing programs save plain SVG if they are asked to.",
        before="picture: boat.svg        # <svg> without a viewBox or a size",
        after='picture: boat.svg        # <svg viewBox="0 0 24 24">',
    ),
    "picture-changed": DiagnosticCode(
        _FILES,
        "something of a picture is not drawn",
        "Of a drawing only shapes, their colours, gradients and clips are kept. Letters depend on "
        "the fonts of each machine; scripts, style sheets, filters, links and other files do not "
        "belong on the tables of others. Turn letters and effects into outlines in your drawing "
        "program.",
    ),
    "yaml-syntax": DiagnosticCode(
        _FILES,
        "the file cannot be read as YAML",
        "YAML is strict about three things: keys of one group begin in the same column, every key "
        "ends with `:` and a space, and a text that holds `: ` or ` #`, or begins with a bracket "
        "or a quotation mark, stands in quotation marks. The place that is marked is where "
        "reading stopped; the cause is there or on the line above.",
        "says: One thing is sure: it ends.",
        'says: "One thing is sure: it ends."',
    ),
    "yaml-tab": DiagnosticCode(
        _FILES,
        "a tab stands where only spaces may stand",
        "Tabs are shown with different widths by different editors, so YAML does not allow them "
        "for indentation. Most editors can be set to put spaces when the tab key is pressed.",
    ),
    "yaml-character": DiagnosticCode(
        _FILES,
        "a character that nobody can see",
        "Control characters, signs without a width and marks that turn the direction of text would "
        "make a rule read otherwise than it is. They usually come along when text is copied from "
        "elsewhere: delete them and type the place anew.",
    ),
    "yaml-anchor": DiagnosticCode(
        _FILES,
        "a reference to another place in the file",
        "YAML can give a value a name with `&` and repeat it with `*` or `<<`. Rule files do not "
        "use this: what stands there is all there is, so that a change at one place changes one "
        "thing. Write the value out; what several rules share is best made a choice.",
    ),
    "yaml-tag": DiagnosticCode(
        _FILES,
        "a YAML tag",
        "Words that begin with `!` change how YAML reads a value. Rule files do not use them. Put "
        "the text in quotation marks if the `!` is meant.",
    ),
    "yaml-key": DiagnosticCode(
        _FILES,
        "something that cannot be a key",
        "A key is a word or some words. If it begins with a bracket, or is a plain `true` or "
        "`null`, put it in quotation marks or choose another word.",
    ),
    "yaml-many-documents": DiagnosticCode(
        _FILES,
        "a second document in one file",
        "A line `---` begins a new document. A rule file holds one; put what follows into a file "
        "of its own and name it under `files:`.",
    ),
    "yaml-empty": DiagnosticCode(
        _FILES,
        "the file is empty",
        "There is nothing in the file but perhaps comments. A further file of a game holds at "
        "least one section, such as `rules:`.",
    ),
    "surprising-truth": DiagnosticCode(
        _FILES,
        "a plain word that YAML may take for true or false",
        "Many programs read a plain `yes`, `no`, `on` or `off` as true or false, and so the same "
        "file would mean two things. Write true or false if that is meant, and put the word in "
        "quotation marks if the word is meant.",
        "one of: [on, off]",
        "one of: [shown, hidden_away]",
    ),
    # ---------------------------------------------------------------- keys and values
    "unknown-key": DiagnosticCode(
        _SHAPE,
        "a key that has no meaning here",
        "Every kind of entry has its own keys; the message lists those that are still possible. "
        "Most often the key is misspelt or stands one level too deep or too high. Attributes of "
        "kinds are keys too: declare them under `has:` first.",
        "deck: {holds: card, aranged: pile}",
        "deck: {holds: card, arranged: pile}",
    ),
    "missing-key": DiagnosticCode(
        _SHAPE,
        "a key that is needed is not there",
        "The entry says too little to be used: a place that does not say what it holds, a piece "
        "that does not say where it starts, a clause without a rule, a choice without a value for "
        "one of the numbers of players. Add the key that the message names.",
    ),
    "duplicate-key": DiagnosticCode(
        _SHAPE,
        "a key is written twice",
        "Both cannot be meant, and which of them would win is not for a reader to guess. Delete "
        "one, or join the two.",
    ),
    "wrong-shape": DiagnosticCode(
        _SHAPE,
        "a value of the wrong shape",
        "A list where a text should be, a text where keys should be, a number where a text should "
        "be. Lists are written with `- ` before each item or in square brackets, keys with `: ` "
        "after them or in curly brackets.",
        "players: 2",
        "players: {from: 2, to: 2}",
    ),
    "bad-value": DiagnosticCode(
        _SHAPE,
        "a value that is not possible here",
        "The value has the right shape, but is none of those that can stand here: a word that is "
        "not in the set, a range that begins with its larger number, a number that is too small. "
        "The message says what is possible.",
        "row: 8..1",
        "row: 1..8",
    ),
    "out-of-range": DiagnosticCode(
        _SHAPE,
        "a number outside its range",
        "A marker or an attribute that shows a range such as 1..9 cannot begin with 10. In code, "
        "numbers go up to 2,147,483,647, which no score comes near.",
    ),
    "totals-differ": DiagnosticCode(
        _SHAPE,
        "the kinds do not add up to what is in the box",
        "`in the box:` is the number the publisher prints; the counts of the kinds are added up "
        "and compared with it, since a miscounted deck spoils a game without anybody noticing. "
        "One of the counts is wrong, or the number in the box.",
        "in the box: 52\nkinds: {red: 26, black: 25}",
        "in the box: 52\nkinds: {red: 26, black: 26}",
    ),
    "number-differs": DiagnosticCode(
        _SHAPE,
        "the sentence says another number than the code",
        "People play by the sentence, the game by the code. A number of a sentence is missed if it "
        "is written in digits, or counts points or pieces (`three cards`, `drei Karten`), and "
        "neither the code nor anything that it names has it. Correct one of the two. A number that "
        "is a choice can be said by its name, as `{hand_size}`, and then cannot differ.",
        "says: A player gets 3 points.\nrule: |\n  player scores 2",
        "says: A player gets 2 points.\nrule: |\n  player scores 2",
    ),
    "unused": DiagnosticCode(
        _SHAPE,
        "something that has no effect",
        "It is written down, and nothing in the game looks at it: a question's text in a clause "
        "that asks nothing, a value for a number of players that never play, `beyond:` of "
        "something that is no list. Whoever changes it later would wonder why nothing changes. "
        "Delete it, or use it.",
    ),
    "no-owner": DiagnosticCode(
        _SHAPE,
        "seen by its owner, but without an owner",
        "Only what is declared `of each: player` has an owner. A place or marker that there is "
        "once is seen by everyone or by nobody.",
        "hand: {holds: card, seen by: owner}",
        "hand: {of each: player, holds: card, seen by: owner}",
    ),
    # ---------------------------------------------------------------- names
    "unknown-name": DiagnosticCode(
        _NAMES,
        "a name that means nothing here",
        "Nothing that is declared has this name, and no line above has given it: it is misspelt, "
        "not declared yet, or was given in a block that has ended. A name given by `let`, by a "
        "loop, by a choice or by `if there is a …` holds to the end of the block it stands in.",
        "draw crad from deck to hand of player",
        "draw card from deck to hand of player",
    ),
    "unknown-type": DiagnosticCode(
        _NAMES,
        "there is no such type",
        "What something is declared to be is the name of a word set, of a range of numbers, of a "
        "piece or of a place, or `number`, `truth` or `player`; in the plural, several of them. "
        "Places that other places are told apart by come before them.",
        "given: {many: nubmer}",
        "given: {many: number}",
    ),
    "unknown-source": DiagnosticCode(
        _NAMES,
        "a citation of a book that is not declared",
        "What clauses cite are the sources of the entry file (and of a variant), by the short "
        "names they have there.",
        "cites: {de: Game end}",
        "sources:\n  de: {title: The Rules, language: de}",
    ),
    "bad-citation": DiagnosticCode(
        _NAMES,
        "a citation that does not say where",
        "A citation is the heading of a section, and after § the numbers of sentences in it: "
        "`Landing § 2 5-7`. The book need not be named where there is only one: that of the game, "
        "or for a variant its own. Where there are several, say for each where it stands.",
        "cites: Landing § 7-5",
        "cites: {de: Landing § 5-7}",
    ),
    "unknown-sentence": DiagnosticCode(
        _NAMES,
        "a citation of a sentence that the book does not have",
        "The lock of a book, in the folder `books` beside the rules, knows its headings and how "
        "many sentences stand under each. Cite what is there; or, if the text of the book has "
        "changed, let `lawspeaker sources NAME --texts FOLDER --write` bring the lock up to date.",
        "cites: Landing § 77",
        "cites: Landing § 7",
    ),
    "bad-lock": DiagnosticCode(
        _FILES,
        "the lock of a book is damaged",
        "A lock is written by `lawspeaker sources NAME --texts FOLDER --write`, and never by hand. "
        "Written again, it keeps all marks that can be read, also those of both versions that a "
        "merge left in the file. Without the text of the book, take back what was changed by hand; "
        "after a merge, take out its signs and the sentences that stand there twice. Until then "
        "the game can be played, but nothing is known of the sentences that it cites.",
    ),
    "duplicate-name": DiagnosticCode(
        _NAMES,
        "two things have one name",
        "Words, pieces, places, markers and players share one set of names, clauses of all sorts "
        "share one set of ids, and so do plurals, the alternatives of a question and the guards "
        "of a clause. Give one of the two another name; a plural is chosen with `plural:`.",
    ),
    "name-taken": DiagnosticCode(
        _NAMES,
        "a name is given again while it still holds",
        "A reader could not tell which of the two is meant afterwards. Choose another name; in a "
        "loop or a choice, `as` gives one.",
        "for each player:\n  for each player where …:",
        "for each player:\n  for each player as rival where …:",
    ),
    "reserved-word": DiagnosticCode(
        _NAMES,
        "a word of the language is used as a name",
        "Words such as `of`, `each`, `count` or `draw` are part of the language, and a line that "
        "used them for something else could not be read. Choose another name, or add to it: "
        "`draw_pile`.",
    ),
    "bad-name": DiagnosticCode(
        _NAMES,
        "something that cannot be a name",
        "Names that are used in code are small letters from a to z, digits and `_`, and begin with "
        "a letter. Ids of clauses are such names joined by dots. What players read stands under "
        "`names:`, in any letters and languages. A variant that is found by its name is called as "
        "its file is: with two names, players would have to know the one and other variants the "
        "other (a warning).",
        "Swans",
        "swans",
    ),
    "confusing-name": DiagnosticCode(
        _NAMES,
        "a name that can be taken for another",
        "What things are called at the table may be written in any alphabet, but a name must look "
        "like what it is. Letters of several alphabets in one word, letters that are drawings of "
        "others and heaps of marks are refused, and so are two names that look the same and are "
        "written in different letters: `A` is a Latin, a Greek and a Cyrillic letter. Such names "
        "come from keyboards that were switched in the middle of a word, or from somebody who "
        "wants one thing to be taken for another.",
    ),
    "which-one": DiagnosticCode(
        _NAMES,
        "it is not said which one is meant",
        "The name stands for several things: a hand that every player has, a word that is in two "
        "sets, a card where no card has been chosen. Say which: `hand of player`, `field(3)`; a "
        "word is understood beside something it can be compared with.",
        "shuffle hand",
        "shuffle hand of player",
    ),
    # ---------------------------------------------------------------- reading code
    "syntax": DiagnosticCode(
        _CODE,
        "code that cannot be read",
        "Code is made of a few fixed forms. A line begins with a statement (let, move, draw, if, "
        "for each and so on), or says who `scores`, `loses`, `wins`, `must` or `may`, or what "
        "`becomes` something else. What is marked is the first word that fits no form; the hint "
        "names the form that was probably meant.",
        "set round to 2\nif round == 2\n  active gets 3 points",
        "round becomes 2\nif round = 2:\n  active scores 3",
    ),
    "indentation": DiagnosticCode(
        _CODE,
        "a line begins in a column in which no line can begin",
        "Lines that belong together begin in the same column. What belongs to a line that ends "
        "with `:`, or to a question, begins further right. Spaces are used for this, no tabs.",
        "for each player:\n    player scores 1\n  player scores 2",
        "for each player:\n  player scores 1\n  player scores 2",
    ),
    "code-style": DiagnosticCode(
        _CODE,
        "code of several lines without a `|`",
        "Where one line of code ends matters. Only after `|` does YAML keep the lines as they are; "
        "in every other form it joins them.",
        "rule:\n  do setup\n  do turns",
        "rule: |\n  do setup\n  do turns",
    ),
    # ---------------------------------------------------------------- what fits together
    "wrong-type": DiagnosticCode(
        _TYPES,
        "something of another kind is needed here",
        "Every expression is of a type: a number, yes or no, a player, a word of a set, a piece, a "
        "kind of piece, a place, or several of one of these. What is done with it must fit: points "
        "are numbers, conditions are yes or no, cards go where cards are held. The message says "
        "what stands there and what is needed.",
        "active scores hand of active",
        "active scores count of cards in hand of active",
    ),
    "wrong-operands": DiagnosticCode(
        _TYPES,
        "something lacks what belongs to it, or has too much",
        "A defined value is used just as it is declared: `strength of player on hill` needs both, "
        "in this order and with these prepositions. A clause is given as many things as stand "
        "under `given:`, and the clause `game` none. A window takes what it is given from names of "
        "the lines before it.",
        "player scores strength of player",
        "player scores strength of player on hill",
    ),
    "maybe-nothing": DiagnosticCode(
        _TYPES,
        "this may be nothing",
        "An empty pile has no top, an attribute that only some kinds have is nothing for the "
        "others, and a draw with `otherwise: skip` may bring nothing. What may be nothing cannot "
        "be used until it is known that it is something. Give it a name and ask.",
        "player scores value of top of deck",
        "let card be top of deck\nif card is not nothing:\n  player scores value of card",
    ),
    "maybe-empty": DiagnosticCode(
        _TYPES,
        "there may be nothing to choose from",
        "A player who `must` choose needs something to choose, and the highest of nothing is no "
        "number. Say what happens then: `otherwise:` below a question, `otherwise 0` after the "
        "value. If you know that it never happens, say so with `otherwise: cannot happen`: the "
        "game then stops with a fault if it does. With `may` nobody has to choose.",
        "player must choose card in hand of player",
        "player must choose card in hand of player\n  otherwise: finish",
    ),
    "cannot-change": DiagnosticCode(
        _TYPES,
        "this does not change during a game",
        "Markers change, attributes under `changes:`, and names given with `let`. Choices are made "
        "before the game, attributes under `has:` are printed on the pieces, and points change "
        "with `scores` and `loses`.",
        "score of player becomes score of player + 3",
        "player scores 3",
    ),
    "cannot-do": DiagnosticCode(
        _TYPES,
        "this is nothing that can be done",
        "`do` is followed by the id of a clause with a `rule:`. A value is used where it is "
        "needed, without `do`. A clause with `plays:` happens when its piece is played in its "
        "window: `offer` the window.",
        "do bonus",
        "player scores bonus",
    ),
    "cannot-suppose": DiagnosticCode(
        _TYPES,
        "this cannot be supposed",
        "`supposing CLAUSE(…), CONDITION` asks how the table would be after a clause. Then all is "
        "as before, so in that clause, and in those that it does, nobody is asked or told "
        "anything, nothing is drawn, picked or shuffled, and the game does not end. Put what "
        "changes the table into a clause of its own, and suppose that.",
        "supposing turn(player), safe",
        "supposing placing(player, point), safe",
    ),
    "hidden-position": DiagnosticCode(
        _ASKING,
        "a position that not everyone sees",
        "Positions are remembered and compared for all to see, so only what everyone sees can "
        "count in them: places and markers that are `seen by: everyone`.",
        "position: {remembers: [hand, turn]}",
        "position: {remembers: [board, turn]}",
    ),
    "no-outcome": DiagnosticCode(
        _TYPES,
        "an outcome that is missing",
        "Whoever writes `let victim be choosing(active)` asks a clause for its outcome. So the "
        "clause says one, by `the outcome is …`, on every way by which it is left. Where it has "
        "found nothing, the outcome is `nothing`.",
        "if count of rivals = 0: finish",
        "if count of rivals = 0: the outcome is nothing",
    ),
    "same-for-all": DiagnosticCode(
        _TYPES,
        "a step or a condition that does not mention what it is asked of",
        "Steps of a region, and conditions of a walk, a region or a binder, are asked of one thing "
        "after the other. That thing has the name after `as`, or that of the noun. If another "
        "name of the same sort stands there, the answer is the same for all of them: a region "
        "stops beside the place where it begins, and a condition lets all things through or none.",
        "region from square by beside of square to each square as next",
        "region from square by beside of next to each square as next",
    ),
    # ---------------------------------------------------------------- questions and secrets
    "two-questions": DiagnosticCode(
        _ASKING,
        "a second question in one clause",
        "A clause has one text for a question under `asks:`, and a refused choice is explained by "
        "the clause it belongs to. Put the second question into a clause of its own and `do` it.",
    ),
    "silent-where": DiagnosticCode(
        _ASKING,
        "a guard of all alternatives that does not say so",
        "Below the alternatives of `choose one of`, as far left as they are, a guard holds for "
        "all of them, and for those that join the question. By its looks it might belong to the "
        "last one only, so say it; `lawspeaker format` does that for you.",
        "where is_free: cell is empty",
        "in each case where is_free: cell is empty",
    ),
    "mixed-guard": DiagnosticCode(
        _ASKING,
        "a guard about one thing and about all of them",
        "When several things are chosen at once, a guard is asked of each of them or of the whole "
        "choice; only then can it be told which of them was refused. Make two guards of it.",
        "where few_and_small: card is small and count of cards < 3",
        "where small: card is small\nwhere few: count of cards < 3",
    ),
    "top-is-seen": DiagnosticCode(
        _ASKING,
        "a pile is shuffled whose top is seen",
        "A shuffled pile has no order yet: luck decides what comes off it when it is drawn from, "
        "so nobody can see its top. Shuffle the cards in a place that nobody sees, and draw them "
        "from there, one by one or all of them.",
        "shuffle discard",
        "move all cards in discard to deck\nshuffle deck",
    ),
    "hidden-from-chooser": DiagnosticCode(
        _ASKING,
        "what is offered depends on what the player cannot see",
        "From what is offered a player learns what it depends on. If it depends on the hand of "
        "somebody else or on a face-down pile, the game gives the secret away, at a table and on a "
        "screen alike. A name, a defined value and what a clause is given carry the secret along. "
        "Offer the choice anyway and let the rule deal with what happens, or declare that the "
        "place is seen.",
        "player may choose player as victim\n"
        "  where has_cards: there is a card in hand of victim where card is gold",
        "player may choose player as victim\nif there is a card in hand of victim where card is "
        "gold:\n  …",
    ),
    "asking-reveals": DiagnosticCode(
        _ASKING,
        "being asked gives a secret away",
        "The question itself is harmless, but it is put only if something hidden is so, or to whom "
        "something hidden says: whoever is asked, or is not, is known to have it. Ask always, and "
        "make the condition a guard; whether people without a choice are asked for the sake of "
        "discretion is a setting of the table. That somebody cannot do what he must is told to "
        "everyone: the rule says so with `otherwise`.",
        "if there is a card in hand of player where card is shield:\n  player may defend",
        "player may defend: card in hand of player\n  where is_a_shield: card is shield",
    ),
    "tells-a-secret": DiagnosticCode(
        _ASKING,
        "something that is seen depends on something hidden",
        "A public marker, a move, the text of a question: whatever players see must follow from "
        "what they may know. A name, a defined value, a condition, a loop and what a clause is "
        "given carry a secret along, and the message shows the way it takes. If players are meant "
        "to know it, say so before, with `tell everyone …`; scoring, ending the game and moving a "
        "hidden piece to where everyone sees it tell as well. So a card is shown before something "
        "is done that depends on it.",
        "led becomes suit of card\nmove card to trick",
        "move card to trick\nled becomes suit of card",
    ),
    "secret-kept": DiagnosticCode(
        _ASKING,
        "a secret is kept over a question",
        "While somebody is asked, the game stands still, and everyone at the table may know what "
        "it keeps in mind for later. A number that was found out in a hand or a face-down pile "
        "must not be among it, nor a card that was found there by what it shows, nor the rounds "
        "that a loop has yet to go through. Work it out again after the question, or put it on a "
        "marker that only its owner sees.",
        "let best be highest of rank of card for each card in hand of player otherwise 0\n"
        "do bidding\nplayer scores best",
        "do bidding\nlet best be highest of rank of card for each card in hand of player "
        "otherwise 0\nplayer scores best",
    ),
    "fault-reveals": DiagnosticCode(
        _ASKING,
        "whether the game stops depends on something hidden",
        "If a rule asks for something impossible (a division by zero, a card that is not there, a "
        "number out of its range, more than can be done in one go), the game stops, and everyone "
        "sees that. So whether it is possible must not depend on what not everyone knows. Ask for "
        "it before with `if`, say what happens `otherwise`, move `up to` so many, keep a number "
        "in its range with `smaller` and `larger`; or say before what everyone may know.",
        "fate becomes 10 / worth of ben rounded down",
        "if worth of ben > 0:\n  fate becomes 10 / worth of ben rounded down",
    ),
    "hidden-label": DiagnosticCode(
        _ASKING,
        "the table would show something hidden",
        "What is written on the table is seen by all. A value that looks into a hand or a "
        "face-down pile cannot stand there.",
    ),
    # ---------------------------------------------------------------- the whole game
    "missing-game-clause": DiagnosticCode(
        _WHOLE,
        "there is no clause `game`",
        "A game begins with the clause `game` and is over when that clause is done, or when "
        "something says `end the game`.",
        "",
        "rules:\n  game:\n    says: Setup, then turns until the deck is empty.\n    rule: |\n"
        "      do setup\n      do turns",
    ),
    "nobody-can-win": DiagnosticCode(
        _WHOLE,
        "the rules are to say who wins, and never do",
        "`wins: as the rules say` means that points decide nothing: only those win whom a rule "
        "names. Then some rule has to name somebody.",
        "wins: as the rules say",
        "if fort of player is empty:\n  left_neighbour of player wins",
    ),
    "missing-sentence": DiagnosticCode(
        _WHOLE,
        "a clause or a guard without a sentence",
        "Every clause says in a sentence what it means, and every guard answers the question "
        '"why not?". These sentences are what players read when a choice is refused or points are '
        "given; they are in your own words, not copied from a book.",
        "where not_full: count of cards in hand of player < 7",
        "guards: {not_full: A hand has at most seven cards.}",
    ),
    "missing-translation": DiagnosticCode(
        _WHOLE,
        "a name or a text is missing in a language of the game",
        "The languages under `languages:` are a promise: everything a player sees or is asked is "
        "there in each of them. Rules that say their `language` have the others in files of their "
        "own; what is missing there is shown in the language of the rules, one warning for each "
        "language says so, and `lawspeaker translate` puts it into the file. Otherwise names stand "
        "under `names:` and questions under `asks:`, and it is an error when one is missing: add "
        "it, or take the language out until it is complete.",
    ),
    "missing-form": DiagnosticCode(
        _WHOLE,
        "a name lacks a form in which a sentence tells it",
        "A sentence may ask for a form of what stands in braces, as `goes {work | to}`: then the "
        "name of everything that can stand there says how it reads in that form, after a bar. What "
        "lacks it is told by its bare name, which may read badly. Other languages may want other "
        "forms, or none.",
        "market: market",
        "market: market | to = to the market",
    ),
    "stale-translation": DiagnosticCode(
        _WHOLE,
        "a text has changed since it was translated",
        "Each line of a translation carries the print of the text it translates, and the text has "
        "another print by now. The translation is shown with a small ring behind it (°) until "
        "somebody has looked at it. `lawspeaker translate` puts the text of today above the line "
        "and a `?` behind the print: mend the translation, and take the `?` out.",
        "says @3f2a91?: Wer am Zug ist, zieht eine Karte.",
        "says @3f2a91: Wer am Zug ist, zieht zwei Karten.",
    ),
    "unknown-text": DiagnosticCode(
        _WHOLE,
        "a translation of something that the rules do not say",
        "A translation has the keys of the rules. The clause has another name, its sentence is "
        "gone, or the key is misspelt. `lawspeaker translate` brings the file up to date; a "
        "translation whose text stands elsewhere now goes there with it.",
    ),
    "missing-placeholder": DiagnosticCode(
        _WHOLE,
        "a translation leaves out what stands in braces",
        "What stands in braces is filled in when the text is shown. A translation has the same "
        "braces, wherever they belong in its language.",
        'take @55d2c1: "nehmen"',
        'take @55d2c1: "{card} nehmen"',
    ),
    "shared-name": DiagnosticCode(
        _WHOLE,
        "two things have one name",
        "Whoever reads the name cannot tell which of them is meant. Call one of them otherwise. "
        "Where a book itself has one word for both, say so under `names:`, beside either of them.",
        "names: {bank: {de: Bank}, bench: {de: Bank}}",
        "names: {bank: {de: Bank}, bench: {de: Bank, shared with: bank}}",
    ),
    "unreachable": DiagnosticCode(
        _WHOLE,
        "no game ever comes to this",
        "A rule that nobody does, a value that nobody asks for, a choice that no rule looks at, a "
        "window that is never offered, a line after `finish`. It would read like a rule and be "
        "none. Most often a `do` was forgotten or a name is misspelt elsewhere.",
    ),
    "unbounded-loop": DiagnosticCode(
        _WHOLE,
        "a loop that might go on for ever",
        "Every game ends, so a loop until something happens says how often it goes round at most. "
        "Take a number that no real game comes near.",
        "repeat until deck is empty:",
        "repeat until deck is empty, at most 100 times:",
    ),
    "recursion": DiagnosticCode(
        _WHOLE,
        "something leads back to itself",
        "A clause that does itself, or a value that needs itself, through however many others, "
        "might never come to an end. Clauses are repeated with `repeat`; a value is built in "
        "layers, each on the one before.",
        "turn:\n  rule: |\n    do turn",
        "turns:\n  rule: |\n    repeat until deck is empty, at most 100 times:\n      do turn",
    ),
    "too-much-work": DiagnosticCode(
        _WHOLE,
        "something takes more steps than there are",
        "Between two decisions there are 50,000,000 steps, and one value, one clause or one round "
        "of a loop may not need more. That is so where a definition needs another one many times, "
        "which needs a third one many times. Give what is needed twice a name with `let`, or keep "
        "it in a marker and work it out in a rule.",
    ),
    # ---------------------------------------------------------------- variants
    "wrong-game": DiagnosticCode(
        _VARIANTS,
        "a variant of another game",
        "A variant says under `of:` which game it changes, and can be laid over that one only.",
    ),
    "missing-variant": DiagnosticCode(
        _VARIANTS,
        "a variant that needs another",
        "Under `needs:` a variant names those without which it makes no sense. Name them too: "
        "GAME+ONE+OTHER.",
    ),
    "variants-clash": DiagnosticCode(
        _VARIANTS,
        "two variants do not go together",
        "They say so themselves under `conflicts:`, or have one name, or both change the same "
        "clause on the same layer and do not say the same. The order in which variants are named "
        "means nothing, so one of them must be left out, or say with `after:` that it has the last "
        "word.",
    ),
    "unknown-target": DiagnosticCode(
        _VARIANTS,
        "a change of something that is not there",
        "A change names a choice, a clause, a guard (`CLAUSE.GUARD`) or a value by its path "
        "(`pieces.card.kinds.ace.count`) as the game has it. If the game was changed since, the "
        "variant must follow: a change that changes nothing would go unnoticed.",
    ),
    "bad-change": DiagnosticCode(
        _VARIANTS,
        "a change that does not say what to do",
        "Each change does one thing: set, replace, amend, add, remove or cite. `set` says `to:`; "
        "`amend` is about a guard and says one of `where:`, `unless:` and `also:`. A variant sets "
        "a thing once.",
    ),
    "bad-parameters": DiagnosticCode(
        _VARIANTS,
        "values that a variant cannot take",
        "A variant with `takes:` is given as many whole numbers, in brackets after its name, and "
        "they must meet what stands under `demands:`.",
    ),
    # ---------------------------------------------------------------- logs and scenarios
    "bad-log": DiagnosticCode(
        _PLAYED,
        "a log that cannot be read",
        "The file is no log of a game, or was damaged. Logs are written by `lawspeaker play` and "
        "by `match.log()`; they are not meant to be changed by hand.",
    ),
    "log-differs": DiagnosticCode(
        _PLAYED,
        "a log does not come out as it was played",
        "The rules are others than those the game was played by, so at some reply the game would "
        "have gone on differently. The message says where. A log that carries its rules can "
        "always be replayed by them.",
    ),
    "impossible-luck": DiagnosticCode(
        _PLAYED,
        "luck that cannot come as it was handed in",
        "A file for `lawspeaker play --luck` lists what is drawn from a place or picked by a "
        "clause. It names something the game does not have, or something that cannot come at that "
        "point, or a list ends too early: `...` as the last entry leaves what follows to the seed.",
    ),
    "bad-scenario": DiagnosticCode(
        _PLAYED,
        "a scenario that makes no sense",
        "It puts pieces where they cannot be, names something the game does not have, or expects "
        "something that cannot be asked.",
    ),
    "scenario-failed": DiagnosticCode(
        _PLAYED,
        "a scenario came out otherwise than expected",
        "The situation was set up as described, and the answer is not the one that is written "
        "down. Either the rules or the expectation is wrong.",
    ),
}
