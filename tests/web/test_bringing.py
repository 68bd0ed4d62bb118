"""Games that visitors bring along: a folder, a zip, a file; and archives that mean no good."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest

from lawspeaker.faces.web.messages import BadMessage
from lawspeaker.faces.web.workshop import bringing
from lawspeaker.faces.web.workshop.bringing import brought, unpacked
from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT, draft
from lawspeaker.faces.web.workshop.packing import packed
from tests.web.conftest import ROOT, House

GAME = "lawspeaker: 1\ngame: tiny\n"
VARIANT = "lawspeaker: 1\nvariant: short\nof: nim\n"


def zipped(files: Mapping[str, str | bytes], **more: Any) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text, **more)
    return made.getvalue()


def names(files: Mapping[str, str | None]) -> list[str]:
    return [each.name for each in brought(files.items(), ["nim"]).draft.files]


def test_a_real_game_of_several_files_is_brought_and_looked_at(house: House) -> None:
    folder = ROOT / "rules" / "nim"
    files = {
        f"mine/nim/{path.relative_to(folder).as_posix()}": path.read_text(encoding="utf-8")
        for path in folder.rglob("*.yaml")
    }
    answer = house.client.post(
        "/api/bring", content=zipped(files), headers={"content-type": "application/zip"}
    )
    found = answer.json()
    assert answer.is_success, found
    assert found["rules"] == ""
    assert found["name"] == "nim"
    assert {"game.yaml", "languages/de.yaml"} <= {each["name"] for each in found["files"]}
    listed = [{"path": name, "text": text} for name, text in files.items()]
    assert house.post("/api/bring", {"files": listed}) == found
    seats = [{"who": "me"}, {"who": "me"}]
    table = house.post(
        "/api/workshop/table", {"rules": "", "files": found["files"], "seats": seats}
    )
    assert table["link"].startswith("/t/")


def test_files_are_what_they_say_they_are() -> None:
    assert names({"some.yaml": GAME}) == ["game.yaml"]
    found = brought({"short.yaml": VARIANT, "languages/short.de.yaml": "x: 1\n"}.items(), ["nim"])
    assert found.draft.rules == "nim"
    assert [(each.name, each.given) for each in found.draft.files] == [
        ("short.yaml", ()),
        ("languages/short.de.yaml", None),
    ]
    assert names({"a/b/game.yaml": GAME, "a/b/more.yaml": "x: 1\n", "a/other.yaml": "y: 1\n"}) == [
        "game.yaml",
        "more.yaml",
    ]


def test_the_locks_of_books_come_along() -> None:
    lock, other = "lawspeaker lock 1\n", "lawspeaker lock 1\n# another\n"
    files = {
        "two/game.yaml": GAME,
        "two/books/de.lock": lock,
        "two/books/it.lock": other,
        "two/books/de.txt": "Ein Buch.",
        "two/elsewhere/fr.lock": lock,
    }
    found = brought(unpacked(zipped(files)), [])
    kept = {each.name: each.text for each in found.draft.files}
    assert kept == {"game.yaml": GAME, "books/de.lock": lock, "books/it.lock": other}
    assert found.left_out == ("two/books/de.txt", "two/elsewhere/fr.lock")
    again = brought(unpacked(packed("two", found.draft)), [])
    assert again.draft == found.draft
    variant = {"v/short.yaml": VARIANT, "v/books/it.lock": other, "v/it.lock": lock}
    kept = {each.name: each.text for each in brought(variant.items(), ["nim"]).draft.files}
    assert kept == {"books/it.lock": other, "short.yaml": VARIANT}


def test_what_is_left_out_is_said() -> None:
    files = {"g/game.yaml": GAME, "g/logo.svg": None, "g/scenarios/one.yaml": "x: 1\n"}
    assert brought(files.items(), []).left_out == ("g/logo.svg", "g/scenarios/one.yaml")


@pytest.mark.parametrize(
    "files, told",
    [
        ({}, "no rule file"),
        ({"read.me": None}, "no rule file"),
        ({"a.yaml": "x: 1\n"}, "neither a game"),
        ({"mine/a.yaml": "x: 1\nhello: [1,2\n"}, "a.yaml, line 2 cannot be read"),
        ({"a.yaml": GAME, "b.yaml": GAME}, "several games"),
        ({"a.yaml": VARIANT.replace("nim", "chess_for_cats")}, "not on offer"),
        ({"a.yaml": VARIANT, "b.yaml": VARIANT.replace("nim", "go")}, "one game at a time"),
        ({"../game.yaml": GAME}, "leads out"),
        ({"/etc/game.yaml": GAME}, "leads out"),
        ({"a\\game.yaml": GAME}, "leads out"),
        ({"C:game.yaml": GAME}, "leads out"),
        ({"game.yaml": GAME, "a/../../b.yaml": "x: 1\n"}, "leads out"),
        ({"game.yaml": GAME + "#" * LARGEST_DRAFT}, "200,000 characters"),
        ({"game.yaml": GAME, **{f"f{n}.yaml": "x: 1\n" for n in range(90)}}, "80 files"),
        ({"game.yaml": GAME, "Odd Name.yaml": "x: 1\n"}, "is called like"),
    ],
)
def test_what_cannot_be_taken_is_refused(files: Mapping[str, str | None], told: str) -> None:
    with pytest.raises(BadMessage) as bad:
        brought(files.items(), ["nim", "go"])
    assert told in bad.value.message


def test_an_archive_is_held_to_bounds_whatever_it_says() -> None:
    bomb = zipped({"game.yaml": b"#" * 50_000_000})
    assert len(bomb) < 64 * 1024
    with pytest.raises(BadMessage, match="800,000 bytes"):
        unpacked(bomb)
    lying = bomb.replace((50_000_000).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    with pytest.raises(BadMessage):
        unpacked(lying)
    many = zipped({f"{n}.txt": "" for n in range(bringing.MOST_ENTRIES + 1)})
    with pytest.raises(BadMessage, match="300 entries"):
        unpacked(many)
    assert unpacked(zipped({"pictures/large.png": b"\0" * 9_000_000})) == [
        ("pictures/large.png", None)
    ]


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all"])
def test_what_is_no_archive_says_so(content: bytes) -> None:
    with pytest.raises(BadMessage, match="zip cannot be read"):
        unpacked(content)


def test_a_damaged_archive_says_so() -> None:
    with pytest.raises(BadMessage, match="zip cannot be read"):
        unpacked(zipped({"a.yaml": "x"})[:-9])


def test_links_passwords_and_other_letters_are_refused() -> None:
    link = zipfile.ZipInfo("game.yaml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(BadMessage, match="is a link"):
        unpacked(made.getvalue())
    locked = bytearray(zipped({"game.yaml": GAME}))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(BadMessage, match="password"):
        unpacked(bytes(locked))
    with pytest.raises(BadMessage, match="UTF-8"):
        unpacked(zipped({"game.yaml": b"\xff\xfe\x00"}))


@pytest.mark.parametrize("body", [{}, {"files": 3}, {"files": [{}]}, {"files": [{"path": 1}]}])
def test_odd_messages_are_answered(house: House, body: Any) -> None:
    assert house.client.post("/api/bring", json=body).status_code == 400


def test_the_pieces_of_a_game_are_printed(house: House) -> None:
    page = house.client.get("/cards", params={"name": "kuhn_poker", "language": "de"})
    assert page.is_success
    assert page.text.count("<figure") >= 3
    assert "<script" not in page.text
    assert house.client.get("/cards", params={"name": "../x"}).status_code == 404


@pytest.mark.full
def test_pictures_come_along_and_go_home_again(house: House) -> None:
    folder = ROOT / "tests" / "language" / "good" / "own_pictures"
    files = {
        f"mine/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in folder.rglob("*.*")
    }
    answer = house.client.post(
        "/api/bring",
        content=zipped({**files, "mine/pictures/big/x.svg": "", "mine/notes.png": b""}),
        headers={"content-type": "application/zip"},
    )
    found = answer.json()
    assert answer.is_success, found
    assert found["left_out"] == ["mine/notes.png", "mine/pictures/big/x.svg"]
    kept = [each["name"] for each in found["files"]]
    assert kept[-1] == "game.yaml", "what is opened first is no picture"
    assert set(kept) == {"game.yaml", "pictures/boat.svg", "pictures/cod.png"}
    seats = [{"who": "me"}, {"who": "me"}]
    table = house.post(
        "/api/workshop/table", {"rules": "", "files": found["files"], "seats": seats}
    )
    token = table["link"].removeprefix("/t/")
    scene = house.client.get(f"/api/scene/{token}").text
    assert "<symbol" in scene
    assert "data:image/png;base64," in scene
    with zipfile.ZipFile(io.BytesIO(packed("mine", draft(found)))) as archive:
        again = {name: archive.read(name) for name in archive.namelist()}
    assert again == files


def test_a_variant_brings_its_pictures() -> None:
    files = {"short.yaml": VARIANT, "pictures/heap.svg": "<svg/>", "odd name.svg": "<svg/>"}
    found = brought(files.items(), ["nim"])
    assert [each.name for each in found.draft.files] == ["pictures/heap.svg", "short.yaml"]
    assert found.left_out == ("odd name.svg",)
