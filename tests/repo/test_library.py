"""How games, variants and files are found and read; see lawspeaker/outside/library.py."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copytree

import pytest

from lawspeaker.outside import library
from lawspeaker.outside.library import LARGEST, Library, LibraryError, NotFound, Unreadable
from lawspeaker.outside.loading import load
from tests.repo.checkout import PACKAGE, ROOT


def write_files(root: Path, *names: str) -> None:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"name: {name}\n", encoding="utf-8")


@pytest.fixture
def shelf(tmp_path: Path) -> Library:
    """Three roots with games in each of the three forms, and variants."""
    here, there, own = tmp_path / "here", tmp_path / "there", tmp_path / "package" / "data"
    write_files(
        here, "rules/chess/game.yaml", "go/game.yaml", "nim.yaml", "variants/draughts/mine.yaml"
    )
    write_files(there, "rules/chess/game.yaml", "rules/hex/game.yaml", "variants/chess/tall.yaml")
    write_files(
        own, "rules/draughts/game.yaml", "rules/hex/game.yaml", "variants/draughts/polish.yaml"
    )
    write_files(own, "variants/draughts/mine.yaml", "variants/draughts/.hidden.yaml")
    return Library(here=here, path=(there,), built_in=own)


def test_the_folders_of_a_checkout() -> None:
    assert library.data_folder("rules") == ROOT / "rules"
    assert library.data_folder("variants") == ROOT / "variants"
    assert library.data_folder("schema") == ROOT / "schema"


def test_the_folders_of_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lawspeaker" / "data").mkdir(parents=True)
    file = tmp_path / "lawspeaker" / "outside" / "library.py"
    monkeypatch.setattr(library, "__file__", str(file))
    assert library.data_folder("rules") == tmp_path.resolve() / "lawspeaker" / "data" / "rules"


def test_the_usual_search_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWSPEAKER_PATH", os.pathsep.join(["games", "", str(tmp_path / "more")]))
    here = Path.cwd()
    assert Library().roots == (here, here / "games", tmp_path / "more", ROOT)
    monkeypatch.delenv("LAWSPEAKER_PATH")
    assert Library().roots == (here, ROOT)
    monkeypatch.chdir(ROOT)
    assert Library().roots == (ROOT,)


@pytest.mark.parametrize(
    "name, file",
    [
        ("chess", "here/rules/chess/game.yaml"),
        ("go", "here/go/game.yaml"),
        ("nim", "here/nim.yaml"),
        ("nim.yaml", "here/nim.yaml"),
        ("hex", "there/rules/hex/game.yaml"),
        ("draughts", "package/data/rules/draughts/game.yaml"),
        ("rules/chess", "here/rules/chess/game.yaml"),
        ("./rules/chess/", "here/rules/chess/game.yaml"),
        ("rules/draughts/game.yaml", "package/data/rules/draughts/game.yaml"),
        ("../there/rules/hex", "here/../there/rules/hex/game.yaml"),
    ],
)
def test_a_game_is_found(shelf: Library, tmp_path: Path, name: str, file: str) -> None:
    assert shelf.find_game(name) == tmp_path / file
    assert shelf.game(name) == tmp_path / file


@pytest.mark.parametrize("name", ["", " ", ".", "..", "rules", "x" * 5000, "a\0b", "../data/hex"])
def test_what_is_no_game_is_not_found(shelf: Library, name: str) -> None:
    assert shelf.find_game(name) is None
    assert shelf.find_variant("chess", name) is None


def test_a_game_is_found_by_an_absolute_path(shelf: Library, tmp_path: Path) -> None:
    folder = tmp_path / "there" / "rules" / "chess"
    assert shelf.find_game(str(folder)) == folder / "game.yaml"
    assert shelf.find_game(str(folder / "game.yaml")) == folder / "game.yaml"


def test_a_file_that_only_shares_the_name_does_not_hide_a_game(shelf: Library) -> None:
    (shelf.here / "draughts").write_text("notes", encoding="utf-8")
    assert shelf.find_game("draughts") == shelf.built_in / "rules" / "draughts" / "game.yaml"


def test_games_are_listed_by_name(shelf: Library) -> None:
    assert shelf.games() == ["chess", "draughts", "go", "hex"]


def test_a_missing_game_is_answered_with_the_nearest(shelf: Library) -> None:
    with pytest.raises(NotFound, match="there is no game 'Ches'; did you mean 'chess'?") as caught:
        shelf.game("Ches")
    assert caught.value.nearest == ("chess",)
    with pytest.raises(NotFound, match="no game 'poker'; known: 'chess', 'draughts', 'go' and"):
        shelf.game("poker")


def test_a_variant_is_found(shelf: Library, tmp_path: Path) -> None:
    mine = shelf.here / "variants" / "draughts" / "mine.yaml"
    assert shelf.find_variant("draughts", "mine") == mine
    assert shelf.find_variant("draughts", "variants/draughts/mine.yaml") == mine
    assert shelf.find_variant("draughts", str(mine)) == mine
    assert shelf.find_variant("chess", "mine") is None
    assert shelf.variants("draughts") == ["mine", "polish"]
    assert shelf.variants("chess") == ["tall"]
    assert shelf.variants("poker") == []


def test_variants_beside_a_game_given_by_path(shelf: Library, tmp_path: Path) -> None:
    for layout in ("rules/chess/game.yaml", "chess/game.yaml", "chess.yaml"):
        root = tmp_path / f"layout {len(layout)}"
        write_files(root, layout, "variants/chess/tall.yaml")
        assert shelf.variant(str(root / layout), "tall") == root / "variants/chess/tall.yaml"


def test_a_copy_has_the_variants_of_the_game_it_says_it_is(shelf: Library) -> None:
    write_files(shelf.here, "my_draughts/game.yaml", "variants/my_draughts/quick.yaml")
    write_files(shelf.here, "variants/my_draughts/mine.yaml")
    entry = shelf.here / "my_draughts" / "game.yaml"
    entry.write_text("lawspeaker: 1\ngame: 'draughts' # a copy\n", encoding="utf-8")
    for name in ("my_draughts", "./my_draughts", str(entry)):
        assert shelf.variants(name) == ["mine", "polish", "quick"]
        assert shelf.find_variant(name, "polish") == shelf.find_variant("draughts", "polish")
        own = shelf.here / "variants" / "my_draughts" / "mine.yaml"
        assert shelf.find_variant(name, "mine") == own


@pytest.mark.parametrize("said", ["", "game: ../draughts", "notes: |\n  game: draughts", "game: 7"])
def test_a_game_that_does_not_say_who_it_is_has_its_own_variants(shelf: Library, said: str) -> None:
    write_files(shelf.here, "my_draughts/game.yaml")
    (shelf.here / "my_draughts" / "game.yaml").write_text(said, encoding="utf-8")
    assert shelf.variants("my_draughts") == []


@pytest.mark.full
def test_a_copy_of_a_game_is_loaded_with_its_variants(tmp_path: Path) -> None:
    copytree(ROOT / "rules" / "walhalla", tmp_path / "my_walhalla")
    shelf = Library(here=tmp_path, path=(), built_in=ROOT)
    game = load("my_walhalla+italian", shelf)
    assert game.program.digest == load("walhalla+italian", shelf).program.digest


def test_a_path_is_loaded_as_a_path(tmp_path: Path) -> None:
    copytree(ROOT / "rules" / "pig", tmp_path / "hex")
    shelf = Library(here=tmp_path, path=(), built_in=ROOT)
    for path in (Path("hex"), tmp_path / "hex", tmp_path / "hex" / "game.yaml"):
        assert load(path, shelf).program.name == "pig"
    assert load("pig", shelf).program.digest == load(Path("hex"), shelf).program.digest


def test_a_missing_variant_is_answered_with_the_nearest(shelf: Library) -> None:
    with pytest.raises(NotFound, match="no variant of 'draughts' named 'polnish'; did you mean"):
        shelf.variant("draughts", "polnish")
    with pytest.raises(NotFound, match="named 'x'; known: 'mine' and 'polish'"):
        shelf.variant("draughts", "x")


@pytest.mark.parametrize(
    "name, game, variants",
    [
        ("chess", "chess", ()),
        ("chess+tall", "chess", ("tall",)),
        ("unknown+a+b", "unknown", ("a", "b")),
        ("a+b/rules/duel", "a+b/rules/duel", ()),
        ("a+b/rules/duel+tall", "a+b/rules/duel", ("tall",)),
        ("chess+a+b/odd.yaml+tall", "chess", ("a+b/odd.yaml", "tall")),
        ("two+two", "two+two", ()),
    ],
)
def test_a_name_is_split(shelf: Library, name: str, game: str, variants: tuple[str, ...]) -> None:
    write_files(shelf.here, "a+b/rules/duel/game.yaml", "a+b/odd.yaml", "two+two.yaml")
    assert shelf.split_name(name) == (game, variants)


@pytest.mark.parametrize("name", ["", "+", "chess+", "+tall", "chess++tall"])
def test_an_empty_part_of_a_name_is_an_error(shelf: Library, name: str) -> None:
    with pytest.raises(LibraryError, match="empty name"):
        shelf.split_name(name)


def test_files_are_displayed_by_short_paths(shelf: Library, tmp_path: Path) -> None:
    assert shelf.display(shelf.game("chess")) == "rules/chess/game.yaml"
    assert shelf.display(shelf.game("hex")) == "rules/hex/game.yaml"
    assert shelf.display(shelf.game("draughts")) == "rules/draughts/game.yaml"
    assert shelf.display(Path("nim.yaml")) == "nim.yaml"
    assert shelf.display(shelf.game("../there/rules/hex")) == "../there/rules/hex/game.yaml"
    elsewhere = tmp_path / "elsewhere.yaml"
    assert shelf.display(elsewhere) == str(elsewhere)


def test_short_names_of_built_in_games_from_a_folder_above(shelf: Library, tmp_path: Path) -> None:
    above = Library(here=tmp_path, path=(), built_in=shelf.built_in)
    assert above.display(above.game("draughts")) == "rules/draughts/game.yaml"
    assert above.display(shelf.game("chess")) == "here/rules/chess/game.yaml"


def test_files_are_read_without_byte_mark_and_carriage_returns(shelf: Library) -> None:
    file = shelf.here / "text.yaml"
    file.write_bytes(b"\xef\xbb\xbfname: V\xc3\xb6lu\r\nnext\rlast\n")
    assert shelf.read(file) == "name: Völu\nnext\nlast\n"
    assert shelf.read(Path("text.yaml")) == "name: Völu\nnext\nlast\n"


def test_reading_what_is_not_there(shelf: Library) -> None:
    with pytest.raises(NotFound, match="no file 'nin.yaml'; did you mean 'nim.yaml'?"):
        shelf.read(shelf.here / "nin.yaml")
    with pytest.raises(NotFound, match="no file 'nim.yaml/x'"):
        shelf.read(shelf.here / "nim.yaml" / "x")


def test_what_is_not_there_is_no_other_file_of_the_same_folder(shelf: Library) -> None:
    folder = shelf.here / "a_folder_with_a_long_name"
    folder.mkdir()
    for name in ("names.yaml", "game.yaml", "notes.txt", "namse.txt"):
        (folder / name).write_text("", encoding="utf-8")
    with pytest.raises(NotFound) as misspelt:
        shelf.read(folder / "namse.yaml")
    assert str(misspelt.value).endswith("; did you mean 'a_folder_with_a_long_name/names.yaml'?")
    with pytest.raises(NotFound) as other:
        shelf.read(folder / "rooms.yaml")
    assert str(other.value).endswith("rooms.yaml'"), "nothing there is like it"


def test_reading_a_folder(shelf: Library) -> None:
    with pytest.raises(Unreadable, match="cannot read 'rules': it is a folder"):
        shelf.read(shelf.here / "rules")


def test_reading_what_is_not_utf_8(shelf: Library) -> None:
    (shelf.here / "old.yaml").write_bytes(b"one\ntwo\nV\xf6lu\n")
    with pytest.raises(Unreadable, match=r"not UTF-8 text \(byte 0xF6 in line 3\)"):
        shelf.read(shelf.here / "old.yaml")


def test_reading_what_is_too_large(shelf: Library) -> None:
    file = shelf.here / "large.yaml"
    file.write_bytes(b"x" * LARGEST)
    assert len(shelf.read(file)) == LARGEST
    with file.open("r+b") as sparse:
        sparse.truncate(1 << 40)
    with pytest.raises(Unreadable, match="it is larger than 1024 KiB"):
        shelf.read(file)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_reading_without_permission(shelf: Library) -> None:
    file = shelf.game("chess")
    file.chmod(0)
    with pytest.raises(Unreadable, match="permission denied"):
        shelf.read(file)


def test_no_permission_is_told_from_a_folder(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("lawspeaker.outside.library._without_waiting", refuse)
    with pytest.raises(Unreadable, match="cannot read 'nim.yaml': permission denied"):
        shelf.read(shelf.here / "nim.yaml")
    with pytest.raises(Unreadable, match="it is a folder"):
        shelf.read(shelf.here / "rules")


def test_the_package_is_marked_as_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()
