"""The database: what is in it is there for good, and it belongs to one server."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lawspeaker.faces.web.agreement import Proposal
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.seats import Link, Seat, invitation, links, new_token, watch_token
from lawspeaker.faces.web.store import FILE, KeptReply, KeptTable, Store
from lawspeaker.match.log import RuleFile

TABLE = KeptTable(
    "d" * 64, "duel", 7, "quick", "en", (Seat(True, nick="Ann"), Seat(False, "greedy"))
)
FILES = (RuleFile("game.yaml", "game: duel — ü"), RuleFile("hard.yaml", "variant: hard", ("3",)))


def test_what_is_kept_is_there_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    number = store.add_table(TABLE, FILES, links(host := new_token(), [0], []))
    replies = [KeptReply(at % 2, at, f"move {at}") for at in range(5)]
    for at, reply in enumerate(replies):
        store.add_reply(number, at, reply)
    store.take_back(number, 3)
    seats = (Seat(True, "random", "Ann"), TABLE.seats[1])
    store.set_seats(number, seats)
    store.close()

    again = Store(tmp_path)
    kept = again.table(number)
    assert kept == KeptTable(TABLE.digest, "duel", 7, "quick", "en", seats)
    assert again.replies(number) == replies[:3]
    assert again.files(TABLE.digest) == FILES
    assert again.link(host) == Link(number, "host", (0,))
    assert again.count() == 1
    again.close()


def test_rules_are_kept_once_for_all_tables(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for _ in range(3):
        store.add_table(TABLE, FILES, {})
    assert store.count() == 3
    store.close()
    with sqlite3.connect(tmp_path / FILE) as base:
        assert base.execute("SELECT count(*) FROM rules").fetchone() == (1,)


def test_a_reply_has_one_place(tmp_path: Path) -> None:
    store = Store(tmp_path)
    number = store.add_table(TABLE, FILES, {})
    store.add_reply(number, 0, KeptReply(0, 0, "a"))
    with pytest.raises(NotKept):
        store.add_reply(number, 0, KeptReply(1, 0, "b"))
    with pytest.raises(NotKept):
        store.add_reply(number + 1, 0, KeptReply(1, 0, "b"))
    assert store.replies(number) == [KeptReply(0, 0, "a")]
    store.close()


def test_a_new_table_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    store = Store(tmp_path)
    twice = {new_token(): Link(0, "watch")}
    store.add_table(TABLE, FILES, twice)
    with pytest.raises(NotKept):
        store.add_table(TABLE, FILES, twice)
    assert store.count() == 1
    store.close()


def test_links_are_not_in_the_database(tmp_path: Path) -> None:
    store = Store(tmp_path)
    host = new_token()
    made = links(host, [0], [1, 2])
    number = store.add_table(TABLE, FILES, made)
    found = {token: store.link(token) for token in made}
    assert found[invitation(host, 2)] == Link(number, "invitation", (2,))
    assert found[watch_token(host)] == Link(number, "watch")
    assert store.link(invitation(host, 0)) is None
    store.close()
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for token in made:
        assert token.encode() not in content


def test_links_cannot_be_guessed_from_one_another() -> None:
    hosts = {new_token() for _ in range(50)}
    assert len(hosts) == 50
    everything = {token for host in hosts for token in links(host, [0], [1, 2, 3])}
    assert len(everything) == 50 * 5
    assert all(len(token) == 32 for token in everything)


def test_the_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "data")
    store.add_table(TABLE, FILES, {})
    for file in (tmp_path / "new" / "data").iterdir():
        assert not stat.S_IMODE(file.stat().st_mode) & 0o077, file.name
    store.close()


def test_each_reply_is_forced_onto_the_disk(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store._base.execute("PRAGMA synchronous") == [(2,)]
    assert store._base.execute("PRAGMA journal_mode") == [("wal",)]
    store.close()


def test_two_servers_cannot_have_the_same_tables(tmp_path: Path) -> None:
    store = Store(tmp_path)
    code = (
        "import sys; from pathlib import Path; from lawspeaker.faces.web import database, store\n"
        "database.PATIENCE = 0\n"
        "try: store.Store(Path(sys.argv[1]))\n"
        "except database.NotKept as error: print(error)"
    )
    path = str(Path(__file__).resolve().parents[2] / "interpreter")
    other = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": path},
        check=False,
    )
    assert "another server" in other.stdout, other.stderr
    store.close()


@pytest.mark.parametrize("content", [b"no database", b"\0" * 5000])
def test_a_damaged_database_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(NotKept, match="cannot keep tables"):
        Store(tmp_path)


def test_a_database_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as base:
        base.execute("PRAGMA user_version = 12")
    with pytest.raises(NotKept, match="version 12"):
        Store(tmp_path)


def test_a_database_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as base, base:
        later = "proposal finished touched sum owner waiting pace titles paused"
        for column in later.split():
            base.execute(f"ALTER TABLE tables DROP COLUMN {column}")
        base.execute("ALTER TABLE rules DROP COLUMN sum")
        for table in (
            "days",
            "peers",
            "homes",
            "talk",
            "measured",
            "listed",
            "mails",
            "pushes",
            "push_key",
            "thinking",
        ):
            base.execute(f"DROP TABLE {table}")
        base.execute("INSERT INTO rules VALUES ('d', '[]')")
        row = (1, "d", "duel", 7, "quick", "en", "[]", "2020-02-03 04:05:06")
        base.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        base.execute("PRAGMA user_version = 1")
    store = Store(tmp_path)
    assert store.table(1) == KeptTable("d", "duel", 7, "quick", "en", ())
    assert store.forget(30, None) == 0
    assert store.forget(None, 30) == 1
    store.close()


def test_a_proposal_is_kept_until_the_game_goes_on(tmp_path: Path) -> None:
    store = Store(tmp_path)
    number = store.add_table(TABLE, FILES, {})
    proposal = Proposal("undo", frozenset({0}), 0, frozenset({1, 2}), agreed=frozenset({2}))
    store.set_standing(number, False, proposal)
    store.close()
    again = Store(tmp_path)
    kept = again.table(number)
    assert kept is not None
    assert kept.proposal == proposal
    again.peers.claim(number)
    again.add_reply(number, 0, KeptReply(0, 0, "a"))
    kept = again.table(number)
    assert kept is not None
    assert kept.proposal is None
    again.close()


def aged(store: Store, number: int, days: int) -> None:
    """Nobody has been at a table for so many days, on which a server ran."""
    store._base.execute(
        "UPDATE tables SET touched = date('now', ?) WHERE id = ?", (f"-{days} days", number)
    )
    for day in range(days):
        store._base.execute("INSERT OR IGNORE INTO days VALUES (date('now', ?))", (f"-{day} days",))


def test_only_what_nobody_wants_any_more_is_deleted(tmp_path: Path) -> None:
    store = Store(tmp_path)
    tokens = [new_token() for _ in range(4)]
    over, fresh, running, spared = [
        store.add_table(TABLE, FILES, links(t, [0], [])) for t in tokens
    ]
    for number in (over, fresh, spared):
        store.add_reply(number, 0, KeptReply(0, 0, "a"), finished=True)
    store.add_reply(running, 0, KeptReply(0, 0, "a"))
    for number in (over, running, spared):
        aged(store, number, 31)
    assert store.forget(None, None) == 0
    assert store.forget(31, 31) == 0
    assert store.forget(30, None, [spared]) == 1
    assert [store.link(token) is None for token in tokens] == [True, False, False, False]
    assert not store.replies(over)
    assert store.files(TABLE.digest) == FILES
    for number in (fresh, spared):
        aged(store, number, 31)
    assert store.forget(30, 30) == 3
    assert store.count() == store.count_rules() == 0
    store.close()


def test_a_clock_that_jumps_deletes_nothing(tmp_path: Path) -> None:
    """Years that no server saw are no days on which nobody came."""
    store = Store(tmp_path)
    number = store.add_table(TABLE, FILES, {})
    store._base.execute("UPDATE tables SET touched = '2001-02-03'")
    store._base.execute("INSERT INTO days VALUES ('2001-02-03')")
    for day in ("1970-01-01", "2099-12-31"):
        assert store.forget(2, 2) == 0
        store._base.execute("INSERT INTO days VALUES (?)", (day,))
    assert store.table(number) is not None
    assert store.forget(1, 1) == 1, "but two days are two days"
    store.close()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotKept, match="cannot keep tables"):
        Store(tmp_path / "file" / "data")
