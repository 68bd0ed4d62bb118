"""Tests are spread over several processes.

Those of a group run in one: what they share is made once. xdist writes the group of a test into its
id, and sends equal ones to the same worker. A pytest that does not let it do so would spread them,
without a word: everything passes, and takes longer.

Each process gathers all tests by itself and must come to the same ids, so none may be made of what
differs from one moment to the next, like the bytes of an archive with the time in it.
"""

from __future__ import annotations

import os

import pytest


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="there is one process")
@pytest.mark.xdist_group("groups")
def test_a_test_bears_its_group(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@groups")


@pytest.mark.parametrize("content", [bytes(3), b"x"])
def test_an_id_tells_nothing_of_bytes(request: pytest.FixtureRequest, content: bytes) -> None:
    assert len(content) < len(request.node.callspec.id)
    assert request.node.callspec.id.startswith("content")
