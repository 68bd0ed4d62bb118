"""What stands in braces in a text for people."""

from __future__ import annotations

import pytest

from lawspeaker.base.braces import Filling, Named, Truth, bare, filled


@pytest.mark.parametrize(
    "text, language, told",
    [
        ("Pay {amount}.", "en", "Pay 1."),
        ("Pay {amount | coin | coins}.", "en", "Pay 1 coin."),
        ("Pay {none | coin | coins}.", "en", "Pay 0 coins."),
        ("{none | sou | sous}", "fr", "0 sou"),
        (
            "{none | coin | coins | 0 = no coins}, {amount | coin | coins | 0 = no}",
            "en",
            "no coins, 1 coin",
        ),
        ("{none | 0 = nothing}{none | a | b | c | 0 =}", "en", "nothing"),
        ("{nobody | to | 0 = nowhere}, {work | to | 0 = nowhere}", "en", "nowhere, to the mill"),
        ("{amount | a | b | c}{last | a | b | c}", "en", "ac"),
        ("{none | a | b | c} {beyond | a | b | c}", "en", "0 4"),
        ("{unknown | a | b | c}", "en", "{unknown | a | b | c}"),
        ("{so | True! | A lie!} {not_so | True! | A lie!}", "en", "True! A lie!"),
        ("{so}, {not_so}", "en", "yes, no"),
        ("go {work | to}, {work}", "en", "go to the mill, mill"),
        ("All{so | , ones too |}{not_so | , ones too |}", "en", "All, ones too"),
    ],
)
def test_braces_are_filled(text: str, language: str, told: str) -> None:
    values: dict[str, Filling] = {"amount": "1", "none": "0", "last": "3", "beyond": "4"}
    values |= {"so": Truth(True, "yes"), "not_so": Truth(False, "no")}
    values["work"] = Named(lambda form: {"to": "to the mill"}.get(form, "mill"))
    values["nobody"] = Named(lambda form: "none", empty=True)
    assert filled(text, values.get, language) == told


def test_a_bar_in_braces_parts_no_form_from_a_name() -> None:
    assert bare("{column | a | b | c}{row}") == "{column | a | b | c}{row}"
    assert bare("mill {row | a | b | c} | to = to {row | a | b | c}") == "mill {row | a | b | c}"
