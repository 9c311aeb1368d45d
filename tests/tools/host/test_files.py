"""Files are read, edited and patched inside the folder only, after they were read, wholly or not at
all."""

import os
import stat
from pathlib import Path

import pytest

from tests.tables import each
from tools.errors import Conflict, EditError, NotFound, Refused, StorageError
from tools.host import files, place, writing
from tools.host.edits import Edit, apply_edits, parse_blocks
from tools.host.place import Workplace


def tree(root: Path) -> dict[str, bytes]:
    """Every plain file, so that a test can say that nothing changed."""
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in sorted(root.rglob("*"))
        if p.is_file() and ".git" not in p.parts
    }


OUTSIDE = (
    "..",
    "../outside/secret.txt",
    "/etc/passwd",
    "link",
    "way-out/secret.txt",
    "way-out",
    "dangling",
    "src/../../x",
    "/",
)


@each("path", [*OUTSIDE, "", "a\x00b"])
def test_nothing_outside_can_be_named(place: Workplace, path: str) -> None:
    for call in (
        files.read_file,
        files.make_directory,
        files.list_files,
        lambda p, x: files.write_file(p, x, "x"),
    ):
        with pytest.raises(Refused):
            call(place, path)


def test_a_link_put_in_between_is_not_followed(
    place: Workplace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder becomes a link after its path was checked and before it is opened."""
    real = place.parts

    def swapped(path: str) -> tuple[str, ...]:
        content = real(path)
        if (place.root / "src").is_dir() and not (place.root / "src").is_symlink():
            (place.root / "src").rename(place.root / "moved")
            (place.root / "src").symlink_to(tmp_path / "outside")
        return content

    monkeypatch.setattr(place, "parts", swapped)
    with pytest.raises((Refused, NotFound)):
        files.read_file(place, "src/secret.txt")
    assert not (tmp_path / "outside" / "new.txt").exists()


def test_a_file_is_shown_with_numbers(place: Workplace) -> None:
    assert (
        files.read_file(place, "a.txt") == "a.txt, 3 lines\n     1\tone\n     2\ttwo\n     3\tthree"
    )
    assert files.read_file(place, "inner", 2, 1).splitlines() == [
        "a.txt, lines 2-2 of 3", "     2\ttwo", "1 more lines; go on with start=3.",
    ]  # fmt: skip
    (place.root / "empty").write_text("")
    assert files.read_file(place, "empty") == "empty is empty."
    with pytest.raises(NotFound, match="has 3 lines"):
        files.read_file(place, "a.txt", 9)


def test_what_cannot_be_read_has_its_sentence(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.root / "zip").write_bytes(b"PK\x03\x04\x00\x00")
    (place.root / "latin").write_bytes(b"caf\xe9")
    (place.root / "huge").write_bytes(b"x" * 11)
    monkeypatch.setattr(place.__class__.read.__globals__["read_in"], "__defaults__", (10,))
    os.mkfifo(place.root / "pipe")
    for name, kind, words in (
        ("zip", Refused, "binary"), ("latin", Refused, "UTF-8"), ("huge", StorageError, "MB"),
        ("pipe", Refused, "no plain file"),
        ("src", Refused, "list_files"), ("gone", NotFound, "There is no"),
        (".", Refused, "list_files"),
        (".env", Refused, "secrets"),
        ("a.txt/b", Refused, "no folder"), ("x" * 300, StorageError, "cannot be used"),
    ):  # fmt: skip
        with pytest.raises(kind, match=words):
            files.read_file(place, name)


def test_a_file_is_edited_where_the_text_is_unique(place: Workplace) -> None:
    files.read_file(place, "a.txt")
    output = files.edit_file(place, "a.txt", "two", "2\nzwei")
    assert (
        output
        == "Edited a.txt.\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+zwei\n "
        "three\n"
    )
    assert (place.root / "a.txt").read_text() == "one\n2\nzwei\nthree\n"
    files.edit_file(place, "a.txt", "e", "E", replace_all=True)  # what was written counts as read
    assert (place.root / "a.txt").read_text() == "onE\n2\nzwEi\nthrEE\n"


@each(
    ("old", "new", "words"),
    [
        ("e", "x", "3 times"), ("gone", "x", "No line of the file is 'gone'"),
        ("two", "two", "are the same"),
        ("", "x", "OLD is empty"),
        ("  two", "x", "other spaces"), ("two\nfour", "x", "Line 3 is 'three' and not 'four'"),
        ("three\nfour", "x", "ends before"),
        ("\n\n", "x", "blank lines"), ("two", "\ud800", "cannot be stored"),
    ],
)  # fmt: skip
def test_an_edit_that_does_not_fit_changes_nothing(
    place: Workplace, old: str, new: str, words: str
) -> None:
    files.read_file(place, "a.txt")
    before = tree(place.root)
    with pytest.raises(EditError, match=words):
        files.edit_file(place, "a.txt", old, new)
    assert tree(place.root) == before


def test_a_file_is_read_before_it_is_changed(place: Workplace) -> None:
    for change in (
        lambda: files.edit_file(place, "a.txt", "two", "2"),
        lambda: files.write_file(place, "a.txt", "x"),
        lambda: files.apply_patch(place, "--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-two\n+2\n"),
    ):
        with pytest.raises(Refused, match="read it before"):
            change()
        files.read_file(place, "a.txt")
        (place.root / "a.txt").write_text((place.root / "a.txt").read_text() + "more\n")
        with pytest.raises(Conflict, match="changed since"):
            change()
        place.read_digests.clear()


def test_new_files_are_made_with_their_folders(place: Workplace) -> None:
    assert files.write_file(place, "new/deep/c.txt", "x\n") == "Made new/deep/c.txt (1 lines)."
    assert files.make_directory(place, "new/other") == "Made the folder new/other."
    assert files.make_directory(place, "new/other") == "The folder new/other already exists."
    with pytest.raises((Refused, StorageError)):
        files.make_directory(place, "a.txt/x")
    assert files.write_file(place, "new/deep/c.txt", "x\n").endswith("already like that.")


@each(
    "path",
    [
        ".git/hooks/pre-commit",
        ".GIT/config",
        "src/.git/config",
        ".hg/hgrc",
        ".env",
        "k.pem",
        ".",
        "link",
    ],
)
def test_some_places_are_not_written(place: Workplace, path: str) -> None:
    before = tree(place.root)
    with pytest.raises(Refused):
        files.write_file(place, path, "x")
    assert tree(place.root) == before and not (place.root / ".git").exists()


def test_a_written_file_keeps_its_mode_and_leaves_nothing_beside_it(place: Workplace) -> None:
    (place.root / "a.txt").chmod(0o750)
    files.read_file(place, "inner")
    files.edit_file(place, "inner", "two", "2")
    assert (
        stat.S_IMODE((place.root / "a.txt").stat().st_mode) == 0o750
        and (place.root / "inner").is_symlink()
    )
    assert not [
        name for name in (path.name for path in place.root.iterdir()) if name.endswith(".zorora")
    ]


def test_a_disk_that_fails_in_the_middle_leaves_everything_as_it_was(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "src/b.py"):
        files.read_file(place, name)
    before = tree(place.root)
    changes = [writing.Change("new/x.txt", b"x"),
        writing.Change("a.txt", b"A", place.read_digests["a.txt"]),
               writing.Change("c.py", b"C", None, "src/b.py"),
               writing.Change("z.txt", b"Z")]  # fmt: skip
    for failing in range(12):
        calls = iter(range(100))

        def broken(
            *args: object, real: object = os.fsync, at: int = failing, calls: object = calls
        ) -> None:
            if next(calls) == at:  # type: ignore[call-overload]
                raise OSError(28, "No space left on device")
            real(*args)  # type: ignore[operator]

        monkeypatch.setattr(os, "fsync", broken)
        try:
            writing.write_all(place, changes)
        except StorageError as error:
            assert "No space left" in str(error)
            assert tree(place.root) == before and not (place.root / "new").exists()
        else:
            break
        finally:
            monkeypatch.undo()
    assert (
        failing > 4
        and (place.root / "c.py").read_bytes() == b"C"
        and not (place.root / "src/b.py").exists()
    )


def test_what_appears_meanwhile_is_not_overwritten(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.link

    def late(source: str, target: str, **more: int) -> None:
        (place.root / target).write_text("mine")
        real(source, target, **more)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(Conflict, match="appeared"):
        files.write_file(place, "new.txt", "x")
    assert (place.root / "new.txt").read_text() == "mine"


def test_files_are_listed(place: Workplace) -> None:
    (place.root / "node_modules").mkdir()
    assert files.list_files(place).splitlines() == sorted(
        [".env", "a.txt", "dangling", "inner", "link", "node_modules/", "src/", "way-out/"]
    )
    assert (
        files.list_files(place, pattern="*.py", recursive=True)
        == "src/b.py\nNot looked into: node_modules."
    )
    assert files.list_files(place, "src") == "src/b.py"
    assert files.list_files(place, ".", "*.rs") == "Nothing in . matches '*.rs'."


ANSWER = """Here you are.

FILE: src/b.py
<<<<<<< OLD
def f():
=======
def g():
>>>>>>> NEW

```
<<<<<<< SEARCH
    return 1
=======
    return 2
>>>>>>> REPLACE
```
FILE: `new.py`
<<<<<<<<<< OLD
=======
==========
=======
>>>>>>>>>> NEW
"""


def test_edits_are_read_out_of_an_answer() -> None:
    assert parse_blocks(ANSWER) == [
        Edit("def f():\n", "def g():\n", "src/b.py"),
        Edit("    return 1\n", "    return 2\n", "src/b.py"),
        Edit("=======\n", "=======\n", "new.py"),
    ]  # fmt: skip
    assert (
        apply_edits("def f():\n    return 1", parse_blocks(ANSWER)[:2]) == "def g():\n    return 2"
    )


@each(
    ("answer", "words"),
    [
        ("Nothing to do.", "contains no edit"), ("<<<<<<< OLD\nx\n=======\ny\n", "does not end"),
        ("<<<<<<< OLD\nx\n>>>>>>> NEW", "no line"),
        ("<<<<<<< OLD\nx\n=======\n=======\ny\n>>>>>>> NEW", "2 lines of 7"),
        ("", "contains no edit"),
        ("<<<<<<< HEAD\nx", "contains no edit"),
        ("<<<<<<< OLD\nx\n<<<<<<< OLD\n=======\ny\n>>>>>>> NEW", "beginning of another"),
        ("\ud800", "contains no edit"),
    ],
)  # fmt: skip
def test_an_answer_that_is_no_edit_is_told_why(answer: str, words: str) -> None:
    with pytest.raises(EditError, match=words):
        parse_blocks(answer)


def test_line_ends_of_the_file_are_kept() -> None:
    assert apply_edits("a\r\nb\r\nc", [Edit("b\n", "x\ny\n")]) == "a\r\nx\r\ny\r\nc"
    assert apply_edits("a\r\nb", [Edit("b\n", "x\n")]) == "a\r\nx"
    assert apply_edits("a\nb\r\n", [Edit("b\r\n", "x\n")]) == "a\nx\n"


def test_several_edits_count_together_or_not_at_all(place: Workplace) -> None:
    files.read_file(place, "a.txt")
    before = tree(place.root)
    with pytest.raises(EditError, match="Edit 2"):
        files.plan_edits(place, "a.txt", [Edit("one", "1"), Edit("gone", "x")])
    assert tree(place.root) == before
    planned = files.plan_edits(place, "a.txt", [Edit("one", "1"), Edit("1", "first")])
    assert planned.after.startswith("first\n") and tree(place.root) == before


def test_secrets_are_known_by_their_names() -> None:
    secret = (
        ".env .env.local prod.env id_rsa id_ed25519.old server.pem .npmrc x.key "
        "credentials.json secrets.yaml"
    )
    open_ = (
        ".env.example id_rsa.pub environment.py keys.py secret_sauce.md pem.txt "
        "credentials.py.example envoy.yaml"
    )
    assert all(place_secret(name) for name in secret.split()) and not any(
        place_secret(name) for name in open_.split()
    )
    assert place.is_secret((".ssh", "config")) and place.is_secret((".aws", "x"))


def place_secret(name: str) -> bool:
    return place.is_secret((name,))
