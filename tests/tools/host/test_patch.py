"""Unified diffs are applied as they are or not at all."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tables import each
from tools.errors import Conflict, EditError, Refused
from tools.host import files
from tools.host.diff import unified
from tools.host.patch import apply_hunks, parse
from tools.host.place import Workplace

PATCH = """diff --git a/a.txt b/a.txt
index 1234567..89abcde 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@ some heading
 one
-two
+2
 three
diff --git a/new/file.txt b/new/file.txt
new file mode 100755
--- /dev/null
+++ b/new/file.txt
@@ -0,0 +1,2 @@
+x
+y
\\ No newline at end of file
diff --git a/src/b.py b/src/c.py
similarity index 50%
rename from src/b.py
rename to src/c.py
--- a/src/b.py
+++ b/src/c.py
@@ -2 +2 @@
-    return 1
+    return 2
"""


@pytest.fixture
def read(place: Workplace) -> Workplace:
    """The workplace after its files were read."""
    for name in ("a.txt", "src/b.py"):
        files.read_file(place, name)
    return place


def test_a_patch_of_several_files_is_applied_whole(read: Workplace) -> None:
    assert files.apply_patch(read, PATCH).splitlines() == [
        "Applied the patch:", "  changed a.txt", "  made new/file.txt", "  src/b.py -> src/c.py",
    ]  # fmt: skip
    assert (read.root / "a.txt").read_text() == "one\n2\nthree\n"
    assert (read.root / "new/file.txt").read_text() == "x\ny" and (
        read.root / "new/file.txt"
    ).stat().st_mode & 0o100
    assert (read.root / "src/c.py").read_text() == "def f():\n    return 2\n" and not (
        read.root / "src/b.py"
    ).exists()


def hunk(lines: str, name: str = "a.txt") -> str:
    return f"--- a/{name}\n+++ b/{name}\n{lines}"


@each(
    ("patch", "words"),
    [
        (hunk("@@ -1,3 +1,3 @@\n one\n-zwei\n+2\n three\n"), "hunk 1 .line 1.: line 2 is 'two"),
        (hunk("@@ -1,3 +1,3 @@\n one \n-two\n+2\n three\n"), "line 1 is 'one"),
        (hunk("@@ -1,2 +1,3 @@\n one\n-two\n+2\n three\n"), "says 2 old and 3 new lines but has 3 "
                                                            "and 3"),
        (hunk("@@ -1,9 +1,9 @@\n one\n"), "says 9 old"),
        (hunk("@@ -3,2 +3,2 @@\n three\n-four\n+4\n"), "ends at line 3"),
        (hunk("@@ -9,0 +10 @@\n+x\n"), "file has 3"),
        (hunk("@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+1\n"), "line 1 is"),
        (hunk("@@ -1 +1 @@\n-one\n+1\n@@ -1 +1 @@\n-one\n+uno\n"), "hunk 2 .line 1.: line 2 is"),
        (hunk(""), "changes nothing"), ("hello", "not a unified diff"), ("", "not a unified diff"),
        ("@@ -1 +1 @@\n-one\n+1\n", "before any file"),
        ("--- a/a.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n", "never deleted"),
        ("diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n", "never deleted"),
        (PATCH + PATCH, "twice"),
        ("diff --git a/x b/x\nGIT binary patch\nliteral 1\n", "binary"),
        ("Binary files a/x and b/x differ\n", "binary"),
        ("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n",
            "mode 120000"),
        ("diff --git a/s b/s\nnew file mode 160000\n", "mode 160000"),
        ("--- a/a.txt\n+++ b/z.txt\n@@ -1 +1 @@\n-one\n+1\n", "renames"),
        ("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n", "exists already"),
        ("diff --git a/a.txt b/src/b.py\nrename from a.txt\nrename to src/b.py\n",
            "exists already"),
    ],
)  # fmt: skip
def test_a_patch_that_does_not_fit_changes_nothing(read: Workplace, patch: str, words: str) -> None:
    """Also the parts before it, which fit."""
    good = "--- a/src/b.py\n+++ b/src/b.py\n@@ -2 +2 @@\n-    return 1\n+    return 3\n"
    for whole in (
        (patch, good + patch)
        if patch.startswith(("---", "diff")) and patch != PATCH + PATCH
        else (patch,)
    ):
        with (
            pytest.raises(EditError, match=words)
            if "src/b.py" not in patch or whole == patch
            else pytest.raises(EditError)
        ):
            files.apply_patch(read, whole)
        assert (read.root / "a.txt").read_text() == "one\ntwo\nthree\n" and "return 1" in (
            read.root / "src/b.py"
        ).read_text()


@each(
    "name",
    ["../x", "/etc/x", "way-out/x", "link", ".git/config", "src/../../x", ".env", "dangling"],
)
def test_a_patch_cannot_reach_outside(read: Workplace, name: str) -> None:
    for patch in (
        f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+x\n",
        f"diff --git a/a.txt b/x\nrename from a.txt\nrename to {name}\n",
        f"diff --git a/a.txt b/x\ncopy from {name}\ncopy to copied\n",
        f'--- /dev/null\n+++ "b/{name}"\n@@ -0,0 +1 @@\n+x\n',
    ):
        before = sorted(path.name for path in read.root.rglob("*"))
        with pytest.raises((Refused, EditError)):
            files.apply_patch(read, patch)
        assert sorted(path.name for path in read.root.rglob("*")) == before
        assert (read.root / ".env").read_text() == "KEY=TOP SECRET\n"


def test_a_hunk_elsewhere_counts_when_its_lines_are_there_once(read: Workplace) -> None:
    files.apply_patch(read, hunk("@@ -40,2 +40,2 @@\n two\n-three\n+3\n"))
    assert (read.root / "a.txt").read_text() == "one\ntwo\n3\n"
    with pytest.raises(EditError, match="2 places"):
        apply_hunks("x\nx\n", parse(hunk("@@ -9 +9 @@\n-x\n+y\n"))[0].hunks, "a.txt")


def test_a_missing_file_is_named_with_the_one_that_looks_like_it(read: Workplace) -> None:
    with pytest.raises(EditError, match=r"no 'a.tx' to patch. Did you mean 'a.txt'"):
        files.apply_patch(read, hunk("@@ -1 +1 @@\n-one\n+1\n", "a.tx"))


def test_a_renamed_file_that_changed_since_is_left(read: Workplace) -> None:
    planned = files.plan_patch(
        read, "diff --git a/a.txt b/z.txt\nrename from a.txt\nrename to z.txt\n"
    )
    (read.root / "a.txt").write_text("changed")
    with pytest.raises(Conflict):
        files.write_all(read, [edit.change for edit in planned])
    assert (read.root / "a.txt").read_text() == "changed" and not (read.root / "z.txt").exists()


@pytest.mark.parametrize("ends", [("\r\n", "\n"), ("\n", "\r\n"), ("\r\n", "\r\n")])
def test_line_ends_may_differ_between_patch_and_file(
    place: Workplace, ends: tuple[str, str]
) -> None:
    (place.root / "a.txt").write_bytes(f"one{ends[0]}two{ends[0]}".encode())
    files.read_file(place, "a.txt")
    files.apply_patch(place, hunk("@@ -1,2 +1,2 @@\n one\n-two\n+2\n").replace("\n", ends[1]))
    assert (place.root / "a.txt").read_bytes() == f"one{ends[0]}2{ends[0]}".encode()


def test_names_may_be_quoted_dated_and_without_prefix(place: Workplace) -> None:
    name = "ärger x.txt"
    (place.root / name).write_text("one\n")
    files.read_file(place, name)
    quoted = '--- "a/\\303\\244rger x.txt"\n+++ "b/\\303\\244rger x.txt"\n@@ -1 +1 @@\n-one\n+1\n'
    files.apply_patch(place, quoted)
    files.apply_patch(
        place, f"--- {name}\t2026-01-01 10:00\n+++ {name}\t2026-01-02\n@@ -1 +1 @@\n-1\n+2\n"
    )
    assert (place.root / name).read_text() == "2\n"


def random_text(rng: random.Random) -> list[str]:
    return [
        rng.choice("abcde") + rng.choice(["", "\r", "\x0c"]) + "\n"
        for _ in range(rng.choice([0, 1, 3, 10, 40]))
    ]


def changed(rng: random.Random, lines: list[str]) -> list[str]:
    new = list(lines)
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, len(new))
        if rng.random() < 0.5 or not new:
            new.insert(at, rng.choice("xyzab") + "\n")
        else:
            new.pop(min(at, len(new) - 1))
    return new


def test_our_own_diffs_bring_one_text_to_the_other() -> None:
    rng = random.Random(7)
    for _ in range(150):
        old = random_text(rng)
        new = "".join(changed(rng, old))
        before, after = (
            "".join(old).rstrip("\n" * rng.randint(0, 1)),
            new.rstrip("\n" * rng.randint(0, 1)),
        )
        diff = unified(before, after, "f", rng.choice([0, 1, 3]))
        assert (apply_hunks(before, parse(diff)[0].hunks, "f") if diff else before) == after


@pytest.mark.lab
def test_git_and_diff_agree_with_us(tmp_path: Path) -> None:
    """Our diffs go into git apply, those of GNU diff into our patch."""
    if not shutil.which("git") or not shutil.which("diff"):
        pytest.skip("git and diff are needed")
    rng = random.Random(8)
    for _ in range(120):
        old = random_text(rng)
        before, after = "".join(old), "".join(changed(rng, old)).rstrip("\n" * rng.randint(0, 1))
        if before == after:
            continue
        (tmp_path / "f").write_bytes(before.encode())
        (tmp_path / "g").write_bytes(after.encode())
        ran = subprocess.run(
            ["diff", f"-U{rng.choice([0, 1, 3])}", "f", "g"], cwd=tmp_path, capture_output=True
        )
        theirs = ran.stdout.decode().replace("--- f", "--- a/f", 1).replace("+++ g", "+++ b/f", 1)
        assert apply_hunks(before, parse(theirs)[0].hunks, "f") == after
        (tmp_path / "p").write_bytes(unified(before, after, "f").encode())
        subprocess.run(["git", "apply", "p"], cwd=tmp_path, check=True, capture_output=True)
        assert (tmp_path / "f").read_bytes().decode() == after
