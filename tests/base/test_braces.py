"""What stands in braces in a text for people."""

from __future__ import annotations

import pytest

from lawspeaker.base.braces import filled


@pytest.mark.parametrize(
    "text, language, told",
    [
        ("Pay {amount}.", "en", "Pay 1."),
        ("Pay {amount | coin | coins}.", "en", "Pay 1 coin."),
        ("Pay {none | coin | coins}.", "en", "Pay 0 coins."),
        ("{none | sou | sous}", "fr", "0 sou"),
        ("{amount | a | b | c}{last | a | b | c}", "en", "ac"),
        ("{none | a | b | c} {beyond | a | b | c}", "en", "0 4"),
        ("{unknown | a | b | c}", "en", "{unknown | a | b | c}"),
    ],
)
def test_braces_are_filled(text: str, language: str, told: str) -> None:
    values = {"amount": "1", "none": "0", "last": "3", "beyond": "4"}
    assert filled(text, values.get, language) == told
