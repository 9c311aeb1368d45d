"""/code and /develop over real files with a scripted model: everything is shown and asked, nothing
else is written."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.code import coding
from tests.scripted_models import Script
from tools.host import files
from tools.host.place import Workplace
from workflows.code.asking import Coder

Run = Callable[..., Any]
CALC = "def add(a, b):\n    return a - b\n"
BLOCK = "<<<<<<< OLD\n    return a - b\n=======\n    return a + b\n>>>>>>> NEW"
PLAN = {"tasks": [{"title": "Mend the sum", "what": "Use plus.", "files": ["calc.py"]}]}
HELLO = {"tasks": [{"title": "Greet", "what": "Say hello.", "files": ["hello.py"]}]}


class ScriptedCoding(coding.Coding):
    """The real work with answers of ours."""

    def __init__(self, answer: Any) -> None:
        config = SimpleNamespace(toolchain={"PATH": "/usr/local/bin:/usr/bin:/bin"})
        super().__init__(SimpleNamespace(config=config))  # type: ignore[arg-type]
        self.script = Script(answer)

    def _coder(self) -> Coder:
        return Coder(self.script.models)


class Tools:
    def workplace_at(self, folder: Path, confirm: Callable[[str], bool]) -> Workplace:
        return Workplace(folder, confirm)

    def call(
        self, name: str, arguments: dict[str, str], *, classes: Any, workplace: Workplace
    ) -> str:
        assert classes == ("host",)
        return str(getattr(files, name)(workplace, **arguments))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: Any) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    (place / "calc.py").write_text(CALC)
    monkeypatch.chdir(place)
    fake.tools = Tools()
    return place


@pytest.fixture
def repository(folder: Path) -> Path:
    (folder / "test_calc.py").write_text(
        "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n"
        "    def test_it(self):\n        self.assertEqual(calc.add(2, 3), 5)\n"
    )
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def test_an_edit_is_shown_and_made_after_a_yes(zorora: Run, fake: Any, folder: Path) -> None:
    fake.coding = ScriptedCoding(lambda *_: BLOCK)
    ran = zorora("code", "mend", "the", "sum", "in", "calc.py", tty=True, keys="y\n")
    assert ran.code == 0 and "return a + b" in ran.out and "\x1b[32m" in ran.out
    assert "Apply to calc.py?" in ran.err and ran.err.endswith("Applied.\n")
    assert (folder / "calc.py").read_text() == CALC.replace("-", "+")


@pytest.mark.parametrize("keys", ["n\n", "\n", ""])
def test_without_a_yes_nothing_is_written(zorora: Run, fake: Any, folder: Path, keys: str) -> None:
    fake.coding = ScriptedCoding(lambda *_: BLOCK)
    ran = zorora("code", "mend calc.py", tty=True, keys=keys)
    assert ran.code == 0 and "Nothing was changed." in ran.err
    assert (folder / "calc.py").read_text() == CALC


def test_in_a_pipe_the_diff_is_printed_and_nothing_is_written(
    zorora: Run, fake: Any, folder: Path
) -> None:
    fake.coding = ScriptedCoding(lambda *_: BLOCK)
    ran = zorora("code", "mend calc.py")
    assert ran.out.splitlines()[0].startswith("--- ") and "\x1b" not in ran.out
    payload = json.loads(zorora("code", "mend calc.py", "--json").out)
    assert payload["applied"] is False and payload["changes"][0]["file"] == "calc.py"
    assert (folder / "calc.py").read_text() == CALC
    assert zorora("code", "write a script that sorts").code == 1


def test_a_diff_cannot_steer_the_terminal(zorora: Run, fake: Any, folder: Path) -> None:
    fake.coding = ScriptedCoding(lambda *_: BLOCK.replace("a + b", "a + b  # \x1b[2J\u202e"))
    ran = zorora("code", "mend calc.py", tty=True, keys="n\n")
    assert "\x1b[2J" not in ran.out and "\u241b[2J<U+202E>" in ran.out


def test_nonsense_three_times_is_a_sentence(zorora: Run, fake: Any, folder: Path) -> None:
    fake.coding = ScriptedCoding(lambda *_: "turtles")
    ran = zorora("code", "mend calc.py", tty=True, keys="y\n")
    assert ran.code == 1 and "in 3 attempts; nothing was changed" in ran.err
    assert (folder / "calc.py").read_text() == CALC


def test_failed_attempts_are_told(zorora: Run, fake: Any, folder: Path) -> None:
    answers = iter(["turtles", BLOCK])
    fake.coding = ScriptedCoding(lambda *_: next(answers))
    assert "Attempt 1 did not fit" in zorora("code", "mend calc.py", tty=True, keys="y\n").err


def test_a_file_that_is_not_there_is_not_invented(zorora: Run, fake: Any, folder: Path) -> None:
    fake.coding = ScriptedCoding(lambda *_: BLOCK)
    ran = zorora("code", "fix the bug in parser.py", tty=True)
    assert ran.code == 1 and "There is no 'parser.py'" in ran.err
    assert not fake.coding.script.requests


@pytest.mark.parametrize(
    ("request_text", "file"),
    [
        ("fix the rounding in calc.py", "calc.py"),
        ("write tests for calc.py", None),
        ("add a docstring to calc.py", "calc.py"),
        ("create hello.py that greets", None),
        ("move add from calc.py to test_calc.py", None),
        ("a script that sorts", None),
    ],
)
def test_one_existing_file_is_edited_and_the_rest_is_planned(
    repository: Path, request_text: str, file: str | None
) -> None:
    assert ScriptedCoding(lambda *_: "").file_to_edit(Workplace(repository), request_text) == file


def test_new_files_need_a_plan_and_a_look(zorora: Run, fake: Any, folder: Path) -> None:
    fake.coding = ScriptedCoding(
        lambda step, _: HELLO if step == "plan" else "```python\nprint('hello')\n```"
    )
    assert "Cancelled" in zorora("code", "a greeting", tty=True, keys="n\n").err
    ran = zorora("code", "a greeting", tty=True, keys="y\nn\n")
    assert "hello.py (new)" in ran.err and "+print('hello')" in ran.out
    assert not (folder / "hello.py").exists()
    zorora("code", "a greeting", tty=True, keys="y\ny\n")
    assert (folder / "hello.py").read_text() == "print('hello')\n"


def test_a_file_with_secrets_is_opened_only_after_a_yes(
    zorora: Run, fake: Any, folder: Path
) -> None:
    (folder / "prod.env").write_text("KEY=1\n")
    fake.coding = ScriptedCoding(lambda *_: "<<<<<<< OLD\nKEY=1\n=======\nKEY=2\n>>>>>>> NEW")
    ran = zorora("code", "edit prod.env", tty=True, keys="n\n")
    assert (
        ran.code == 1 and "usually contains secrets" in ran.err and not fake.coding.script.requests
    )


def test_a_change_is_developed_on_a_branch(zorora: Run, fake: Any, repository: Path) -> None:
    fake.coding = ScriptedCoding(lambda step, _: PLAN if step == "plan" else BLOCK)
    ran = zorora("develop", "mend the sum", tty=True, keys="what\nm\nkeep it short\na\ny\n")
    assert ran.code == 0, ran.err
    assert "python3 -m unittest discover -q" in ran.err and "passed" in ran.out
    branch = next(
        line
        for line in git(repository, "branch", "--format=%(refname:short)").split()
        if "zorora/" in line
    )
    assert f"git merge {branch}" in ran.out and "1 file changed" in ran.out
    assert (
        git(repository, "status", "--porcelain") == ""
        and (repository / "calc.py").read_text() == CALC
    )
    assert "a + b" in git(repository, "show", f"{branch}:calc.py")


def test_a_cancelled_or_unanswered_plan_leaves_nothing(
    zorora: Run, fake: Any, repository: Path
) -> None:
    fake.coding = ScriptedCoding(lambda *_: PLAN)
    for keys in ("c\n", "", "x\nx\nx\n"):
        ran = zorora("develop", "mend the sum", tty=True, keys=keys)
        assert ran.code == 0 and "Nothing was changed" in ran.err
    assert (
        "zorora/" not in git(repository, "branch")
        and len(git(repository, "worktree", "list").splitlines()) == 1
    )


def test_an_interrupt_in_the_work_leaves_nothing(zorora: Run, fake: Any, repository: Path) -> None:
    def answer(step: str, _: Any) -> object:
        if step != "plan":
            os.kill(os.getpid(), signal.SIGHUP)  # the terminal goes away
        return PLAN if step == "plan" else BLOCK

    fake.coding = ScriptedCoding(answer)
    ran = zorora("develop", "mend the sum", tty=True, keys="a\n")
    assert ran.code == 130
    assert (
        "zorora/" not in git(repository, "branch")
        and len(git(repository, "worktree", "list").splitlines()) == 1
    )
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_failing_checks_and_tasks_end_with_partial(
    zorora: Run, fake: Any, repository: Path
) -> None:
    wrong = {
        "tasks": [*PLAN["tasks"], {"title": "Another", "what": "Do it.", "files": ["test_calc.py"]}]
    }
    fake.coding = ScriptedCoding(
        lambda step, _: wrong if step == "plan" else BLOCK.replace("a + b", "a * b")
    )
    ran = zorora("develop", "mend", tty=True, keys="a\ny\ny\n")
    assert ran.code == 3 and "FAILED  python3" in ran.out and "in 3 attempts" in ran.out


def test_develop_tells_programs_what_became_of_it(zorora: Run, fake: Any, repository: Path) -> None:
    fake.coding = ScriptedCoding(lambda step, _: PLAN if step == "plan" else BLOCK)
    payload = json.loads(zorora("develop", "mend", "--json", tty=True, keys="a\ny\n").out)
    assert (
        payload["approved"]
        and payload["branch"].startswith("zorora/mend-")
        and payload["checks"][0]["passed"]
    )
    assert zorora("develop", "mend").code == 1  # nobody there to approve


def test_quotation_marks_of_a_request_stay(zorora: Run, fake: Any, folder: Path) -> None:
    fake.coding = ScriptedCoding(lambda *_: BLOCK)
    zorora(keys='/code replace "a - b" in calc.py, it\'s wrong\nfix the sum in calc.py\n')
    prompts = [request.messages[-1].text for _, request in fake.coding.script.requests]
    assert (
        'replace "a - b" in calc.py, it\'s wrong' in prompts[0]
        and "fix the sum in calc.py" in prompts[1]
    )


def test_the_prompt_lists_and_shows_files_and_deletes_none(
    zorora: Run, fake: Any, folder: Path
) -> None:
    ran = zorora(
        keys="list files\nshow the file calc.py\nread ../outside.txt\ndelete the file calc.py\n"
    )
    assert "calc.py" in ran.out and "return a - b" in ran.out
    assert "outside the working directory" in ran.err and "Zorora does not delete files." in ran.err
    assert (folder / "calc.py").exists()


def test_programs_of_the_project_come_first(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    assert coding.with_programs({"PATH": "/x"}, tmp_path) == {"PATH": f"{tmp_path}/.venv/bin:/x"}
    assert coding.with_programs({"PATH": "/x"}, tmp_path / "none") == {"PATH": "/x"}


def test_code_explains_a_file_and_writes_nothing(zorora: Run, fake: Any, folder: Path) -> None:
    fake.coding = ScriptedCoding(lambda *_: "It \x1b[31mtakes away.")
    ran = zorora("code", "explain", "calc.py")
    assert ran.code == 0 and "takes away." in ran.out and "\x1b[31m" not in ran.out
    assert json.loads(zorora("code", "explain", "add", "--json").out)["explanation"].startswith(
        "It"
    )
    missing = zorora("code", "explain", "nothing")
    assert missing.code == 1 and "Name a file" in missing.err
    assert (folder / "calc.py").read_text() == CALC
