"""Where lines go that people type: what is meant for this machine never leaves it as a query."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.answering.routing import route_here
from tests.ui.terminal.conftest import Terminal
from ui.terminal.prompt import plain_commands, repl
from ui.terminal.screen import Screen
from ui.terminal.session import Session

FILES = (
    "README.md notes.md Makefile Dockerfile pyproject.toml package.json main.go data.csv "
    "diagram.png photo.jpg"
    " report.pdf config.toml todo.txt data.tar.gz src/app.py src/parser.py src/utils.ts src/lib.rs "
    "tests/test_parser.py"
    " docs/intro.md logs/app.log scripts/deploy.sh"
).split()
LINES = [
    (line, frozenset(right.split("|")))
    for line, right in (
        row.split("\t")
        for row in (Path(__file__).parents[2] / "data" / "prompt_lines.tsv")
        .read_text("utf-8")
        .splitlines()
        if not row.startswith("#")
    )
]
RIGHT, LEAKED = 0.97, 0.015  # at least, at most


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n", "utf-8")
    monkeypatch.chdir(folder)
    return folder


def test_lines_go_where_their_writers_meant_them_to(fake: Any, project: Path) -> None:
    session = Session(Screen(), open_engine=lambda home: fake)
    workflows = {line: plain_commands.understood(session, line).workflow for line, _ in LINES}
    wrong = {line: workflows[line] for line, right in LINES if workflows[line] not in right}
    leaked = [line for line, workflow in wrong.items() if workflow == "research"]
    assert len(LINES) > 800
    assert 1 - len(wrong) / len(LINES) >= RIGHT, wrong
    assert len(leaked) / len(LINES) <= LEAKED, leaked


def test_a_file_that_is_there_decides(project: Path) -> None:
    (project / "statistics").mkdir()
    assert route_here("open statistics").workflow == "file"
    (project / "statistics").rmdir()
    assert route_here("open statistics").workflow == "research"
    assert route_here("why does app.py crash").workflow == "research"  # not in this folder
    assert route_here("why does src/app.py crash").action == "explain"
    assert route_here("show me the readme").arguments["name"] == "README.md"


@pytest.mark.parametrize(
    "line",
    ["ls", "git status", "photosynthesis", "asdf", "hello there", "x = 5", "cat notes.md",
        "src/app.py",
     "./scripts/deploy.sh", "explain src/parser.py", "what is in config.toml?",
     "OPENAI_API_KEY=abc", "history", "append milk to todo.txt", "create a folder called drafts",
     "rm notes.md",
     "curl https://example.com | sh"],
)  # fmt: skip
def test_what_is_meant_for_this_machine_is_never_researched(
    zorora: Any, fake: Any, project: Path, line: str
) -> None:
    zorora(keys=f"{line}\n")
    assert not fake.requests
    assert (project / "notes.md").exists()


def test_a_question_about_a_document_is_put_to_it_alone(
    zorora: Any, fake: Any, project: Path
) -> None:
    zorora(keys="what does notes.md say about the deadline?\n")
    (request,) = fake.requests
    assert request.query == "what does “notes.md” say about the deadline?"
    assert request.options.docs == ("notes.md",) and request.options.sources == ("local",)


def test_what_is_asked_back_says_how_to_go_on(zorora: Any, project: Path) -> None:
    ran = zorora(keys="histry\nbatteries\ngit status\n...\n")
    lines = ran.err.splitlines()
    assert "Did you mean /history?" in lines[0]
    assert "/research batteries" in lines[1]
    assert "Zorora is not a shell" in lines[2] and "/research git status" in lines[2]
    assert "What do you want to find out?" in lines[3]


@pytest.fixture
def real_tools(project: Path, fake: Any) -> Iterator[None]:
    """The file tools of a real engine."""
    with engine.ResearchEngine(home=project.parent / "home") as opened:
        fake.tools = opened.tools
        yield


@pytest.mark.usefixtures("real_tools")
def test_files_are_made_after_a_yes_alone(fake: Any, project: Path) -> None:
    out, seen = io.StringIO(), Terminal(tty=True)
    typed = (
        "make a folder called drafts\ny\ncreate ideas.md\nn\ncreate todo.txt\ncreate list.md\nyes\n"
    )
    repl.run(Session(Screen(out, seen, Terminal(typed, tty=True)), open_engine=lambda home: fake))
    assert "Create the folder drafts?" in seen.getvalue() and (project / "drafts").is_dir()
    assert not (project / "ideas.md").exists() and "todo.txt exists already" in seen.getvalue()
    assert (project / "list.md").read_text("utf-8") == ""
    assert not (project / "other").exists()


@pytest.mark.usefixtures("real_tools")
def test_shell_words_that_look_at_files_are_the_file_tools(
    zorora: Any, fake: Any, project: Path
) -> None:
    (project / "notes.md").write_text("Decided: ship on Friday.\n", "utf-8")
    ran = zorora(
        keys="ls\ncat notes.md\nshow me the notes\npwd\nls *.toml\nmake a folder called drafts\n"
    )
    assert (
        "photo.jpg" in ran.out
        and ran.out.count("ship on Friday") == 2
        and f"\n{project}\n" in ran.out
    )
    assert (
        "config.toml" in ran.out.splitlines()[-2:]
        or "config.toml" in ran.out.rpartition(str(project))[2]
    )
    assert (
        "a person at the terminal has to confirm it" in ran.err
        and not (project / "drafts").exists()
        and not fake.requests
    )
