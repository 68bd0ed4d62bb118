"""Random rule files that the checker accepts give nothing away when they are played as twins."""

from __future__ import annotations

import pytest

from tests.secrets.generated.playing import first_leak
from tests.tiers import pick

FILES = pick(test=100, full=300, nightly=100_000)
EACH = 25


@pytest.mark.parametrize("first", range(0, FILES, EACH))
def test_no_file_that_is_accepted_gives_anything_away(first: int) -> None:
    reports = map(first_leak, range(first, first + EACH))
    found = next((each for each in reports if each is not None), None)
    assert found is None, found
