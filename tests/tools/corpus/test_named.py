"""Files that a question names are found where they lie in a document folder, and nowhere else."""

from pathlib import Path

import pytest

from tests.tables import each
from tools.documents.model import Document
from tools.errors import Refused
from tools.library.named_files import LONGEST, MOST, documents_by_name, find_named, may_name


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A document folder with a secret beside it and links that lead out."""
    root = tmp_path / "documents"
    (root / "nested deep").mkdir(parents=True)
    (root / "nested").mkdir()
    for name in ("a.txt", "nested/a.txt", "nested/b (2).pdf", "nested deep/c.md", ".hidden.txt"):
        (root / name).write_text("text")
    (root / ".git").mkdir()
    (root / ".git" / "config.txt").write_text("token")
    (tmp_path / "secret.txt").write_text("secret")
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "way-out").symlink_to(tmp_path)
    return root


def find_files(question: str, root: Path, home: str = "/home/ada") -> list[tuple[str, str]]:
    """(what was named, the path below the root) of each."""
    return [
        (
            question[file.start : file.end],
            file.path.relative_to(root).as_posix() if file.path else f"#{file.document_id}",
        )
        for file in find_named(question, [root], home, {"d1": "d1", "Minutes of May": "d2"}.get)
    ]


@each(
    ("question", "expected"),
    [
        ("What does file://ROOT/a.txt say?", [("file://ROOT/a.txt", "a.txt")]),
        ("What does file://localhost/ROOT/a.txt say?", [("file://localhost/ROOT/a.txt", "a.txt")]),
        ("Sum up FILE:///nested/a.txt.", [("FILE:///nested/a.txt", "nested/a.txt")]),
        ("Sum up local://nested/a.txt, please", [("local://nested/a.txt", "nested/a.txt")]),
        (
            "Is (local://nested/b%20(2).pdf) right?",
            [("local://nested/b%20(2).pdf", "nested/b (2).pdf")],
        ),
        ("Sum up /nested/a.txt!", [("/nested/a.txt", "nested/a.txt")]),
        ("Sum up ROOT/nested/a.txt", [("ROOT/nested/a.txt", "nested/a.txt")]),
        ("Sum up ./nested/../a.txt", [("./nested/../a.txt", "a.txt")]),
        ("Sum up nested/a.txt and a.txt", [("nested/a.txt", "nested/a.txt"), ("a.txt", "a.txt")]),
        ('Compare "/nested deep/c.md" with tea', [('"/nested deep/c.md"', "nested deep/c.md")]),
        ("What do the files in /nested say?", [("/nested", "nested")]),
        ("What do they say in file:///?", [("file:///", ".")]),
        ("What says local://d1/notes.md?", [("local://d1/notes.md", "#d1")]),
        ('What says "local://Minutes of May"?', [('"local://Minutes of May"', "#d2")]),
        ("What is /dev/null, and how does ~/.bashrc work?", []),
        ("Is and/or better than either/or at 5 km/h?", []),
        ("See https://example.org/nested/a.txt and example.org/a.txt", []),
        ("What belongs into /robots.txt?", []),
        ("Does GET /api/users/5 answer /v2/items?", []),
        ("What is notes.md used for in 1.5.txtual data?", []),
        ("Why is /nested/missing so slow", []),
        ("Is /.git/config secret? And .hidden.txt?", []),
        ("", []),
    ],
)
def test_what_a_question_names_is_found_below_the_roots(
    question: str, expected: list[tuple[str, str]], root: Path
) -> None:
    named_question = question.replace("ROOT", str(root))
    assert find_files(named_question, root) == [
        (typed.replace("ROOT", str(root)), path) for typed, path in expected
    ]
    assert may_name(named_question) or not expected


@each(
    "target",
    [
        "./papers/tea.html",
        "../notes.md",
        "file:///etc/passwd",
        "file://ROOT/../secret.txt",
        "file:///etc/passwd%00.txt",
        "file://otherhost/share/x.txt",
        "local://../secret.txt",
        "local:///etc/hosts",
        "file:///.hidden.txt",
        "file:///.git/config.txt",
        "file://ROOT/link.txt",
        "local://way-out/secret.txt",
        "/mnt/reports/2024.pdf",
        "/etc/passwd",
        "/usr/../etc/shadow",
        "~/.ssh/id_rsa",
        "~/.aws/credentials",
        "~/papers/private",
        "../../etc/passwd",
        "C:\\Users\\ada\\notes",
        "ROOT/../secret.txt",
        "~/papers/private.pdf",
        "/home/ada/papers",
        "file:///" + "x" * 300,
        "file://%2e%2e/secret.txt",
        "local://" + "d/" * 400,
    ],
)
def test_a_target_outside_the_roots_is_refused_whether_it_exists_or_not(
    target: str, root: Path
) -> None:
    with pytest.raises(Refused, match="none of your document folders"):
        find_files(f"Sum up {target.replace('ROOT', str(root))} for me", root)


def test_a_refusal_tells_nothing_about_what_exists_outside(root: Path) -> None:
    there, missing = f"file://{root.parent}/secret.txt", f"file://{root.parent}/sEcret.txt"
    cases = []
    for target in (there, missing):
        with pytest.raises(Refused) as refused:
            find_files(target, root)
        cases.append(str(refused.value).replace(target, "X"))
    assert cases[0] == cases[1]


def test_a_question_cannot_name_files_without_end(root: Path) -> None:
    assert len(find_files("/a.txt " * MOST, root)) == MOST
    with pytest.raises(Refused, match="at most 20"):
        find_files("/a.txt " * (MOST + 1), root)
    with pytest.raises(Refused):
        find_files("file://" + "a" * (LONGEST * 3), root)


def test_a_root_that_is_a_link_or_is_missing_is_no_danger(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to(root)
    question = f"Sum up {tmp_path}/other/a.txt"
    assert [
        file.path
        for file in find_named(question, [tmp_path / "other", tmp_path / "none"], "/home/ada")
    ] == [root / "a.txt"]
    with pytest.raises(Refused):
        find_named("file:///a.txt", [tmp_path / "none"], "/home/ada")


@each(
    ("question", "expected"),
    [
        ("Sum up charter.md.", ["charter.md"]),
        ("In minutes/may.md, who chaired?", ["minutes/may.md"]),
        ("Compare charter.md and minutes/may.md", ["charter.md", "minutes/may.md"]),
        ("Sum up Annual report 2024.pdf, please", ["Annual report 2024.pdf"]),
        ("Sum up “Annual report 2024.pdf”", ["Annual report 2024.pdf"]),
        ("charter.md Annual report 2024.pdf", ["charter.md", "Annual report 2024.pdf"]),
        ("What belongs into a charter.md?", []),
        ("Does every “charter.md” name a chair?", []),
        ("Sum up other.md and the charter", []),
        ("Sum up a.txt", ["/a.txt"]),
    ],
)
def test_a_document_of_the_library_is_named_by_the_name_of_its_file(
    question: str, expected: list[str], root: Path
) -> None:
    names = {name: name for name in ("charter.md", "minutes/may.md", "Annual report 2024.pdf")}
    names["a.txt"] = "what lies in a folder comes first"
    matches = find_named(question, [root], "/home/ada", by_name=names.get)
    assert [m.document_id or f"/{m.path.name if m.path else ''}" for m in matches] == expected
    assert [question[m.start : m.end] for m in matches] == [name.strip("/") for name in expected]


@each("target", ["/etc/charter.md", "./charter.md", "~/papers/charter.md", "file:///charter.md"])
def test_the_name_of_a_document_opens_no_path_elsewhere(target: str, root: Path) -> None:
    with pytest.raises(Refused):
        find_named(f"Sum up {target}", [root], "/home/ada", by_name=lambda _: "d1")


@each(
    ("name", "expected"),
    [
        ("may.md", ["minutes/may.md", "old/minutes/may.md"]),
        ("minutes/may.md", ["minutes/may.md"]),
        ("old/minutes/may.md", ["old/minutes/may.md"]),
        ("tes/may.md", []),
        ("may", []),
        ("READ.md", ["READ.md"]),
        ("read.md", ["READ.md", "Read.md"]),
        ("empty.md", []),
    ],
)
def test_documents_are_called_by_their_file_and_its_folders(name: str, expected: list[str]) -> None:
    paths = "minutes/may.md old/minutes/may.md READ.md Read.md".split()
    documents = [_document(path, text="t1") for path in paths] + [_document("empty.md", None)]
    assert [
        f"{d.folder}/{d.name}".lstrip("/") for d in documents_by_name(name, documents)
    ] == expected


def _document(path: str, text: str | None) -> Document:
    folder, _, name = path.rpartition("/")
    return Document(
        path, name, name, "text/markdown", 1, "", "indexed", snapshot_id=text, folder=folder
    )
