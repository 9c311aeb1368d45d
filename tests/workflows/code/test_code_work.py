"""Editing, generating and developing code with a scripted model: nothing changes on disk unless it
fits."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.settings.config import load
from tests.scripted_models import Answer, Script
from tools.errors import EditError, ModelError, NotFound, Refused
from tools.host import worktree
from tools.host.place import Workplace
from tools.host.shell import Bounds, Ran
from tools.models.model import Request
from workflows.code.asking import Coder
from workflows.code.carrying import Decision, Means
from workflows.code.develop import branch_name, develop
from workflows.code.edit import explain, files_named, generate, propose
from workflows.code.planning import Plan, make_plan
from workflows.code.project import Check, explore

CALC = "def add(a, b):\n    return a - b\n"
TEST = """import unittest

from calc import add


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
"""
BLOCK = "<<<<<<< OLD\n    return a - b\n=======\n    return a + b\n>>>>>>> NEW"
PLAN = {"tasks": [{"title": "Mend the sum", "what": "Use plus.", "files": ["calc.py"]}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "calc.py").write_text(CALC)
    (tmp_path / "test_calc.py").write_text(TEST)
    return tmp_path


@pytest.fixture
def repository(folder: Path) -> Path:
    for words in (
        ("init", "-q"),
        ("add", "."),
        ("-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "first"),
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def coder_of(answer: Answer) -> tuple[Coder, Script]:
    script = Script(answer)
    return Coder(script.models), script


def in_turn(*answers: object) -> Answer:
    """One answer after the other; the last again and again."""
    waiting: Iterator[object] = iter(answers)
    last: list[object] = []

    def answer(_: str, __: Request) -> object:
        last[:] = [next(waiting, last[0] if last else "")]
        return last[0]

    return answer


class Somebody:
    """A person who decides as told."""

    def __init__(
        self, *decisions: tuple[Decision, str], allows: bool = True, allows_tests: bool = False
    ) -> None:
        self.decisions, self.allows, self.allows_tests = list(decisions), allows, allows_tests
        self.tests: list[tuple[str, ...]] = []
        self.requests: list[tuple[Check, ...]] = []
        self.lines: list[str] = []

    def decide(self, plan: Plan) -> tuple[Decision, str]:
        return self.decisions.pop(0)

    def allow(self, checks: tuple[Check, ...]) -> bool:
        self.requests.append(checks)
        return self.allows

    def allow_tests(self, names: tuple[str, ...]) -> bool:
        self.tests.append(names)
        return self.allows_tests

    def tell(self, text: str) -> None:
        self.lines.append(text)


def state_of(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file() and ".git" not in p.parts
    }


def branches(root: Path) -> list[str]:
    listed = subprocess.run(
        ["git", "branch", "--format=%(refname:short)"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


def test_an_edit_that_fits_is_proposed_and_nothing_is_written(folder: Path) -> None:
    coder, _ = coder_of(in_turn(f"Here you are:\n```\n{BLOCK}\n```"))
    proposal = propose(Workplace(folder), "calc.py", "mend add", coder)
    assert "+    return a + b" in proposal.change.diff
    assert (folder / "calc.py").read_text() == CALC


def test_each_attempt_is_told_why_the_last_failed(folder: Path) -> None:
    coder, script = coder_of(in_turn("no block", BLOCK.replace("a - b", "x - y"), BLOCK))
    proposal = propose(Workplace(folder), "calc.py", "mend add", coder)
    assert len(proposal.failures) == 2
    assert "contains no edit" in script.requests[1][1].messages[-1].text
    assert proposal.failures[1] in script.requests[2][1].messages[-1].text


def test_nonsense_three_times_is_a_sentence_and_changes_nothing(folder: Path) -> None:
    coder, script = coder_of(in_turn("I like turtles."))
    with pytest.raises(EditError, match="in 3 attempts; nothing was changed"):
        propose(Workplace(folder), "calc.py", "mend add", coder)
    assert len(script.requests) == 3
    assert state_of(folder) == {"calc.py": CALC.encode(), "test_calc.py": TEST.encode()}


def test_an_edit_of_another_file_is_refused(folder: Path) -> None:
    coder, _ = coder_of(in_turn(f"FILE: test_calc.py\n{BLOCK}"))
    with pytest.raises(EditError, match=r"Only calc\.py is to be changed"):
        propose(Workplace(folder), "calc.py", "mend add", coder)


def test_an_ambiguous_edit_is_refused(folder: Path) -> None:
    (folder / "twice.py").write_text("x = 1\nx = 1\n")
    coder, _ = coder_of(in_turn("<<<<<<< OLD\nx = 1\n=======\nx = 2\n>>>>>>> NEW"))
    with pytest.raises(EditError):
        propose(Workplace(folder), "twice.py", "two", coder)


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", ".git/config"])
def test_files_outside_are_refused_before_anybody_is_asked(folder: Path, path: str) -> None:
    coder, script = coder_of(in_turn(BLOCK))
    with pytest.raises(Refused):
        propose(Workplace(folder), path, "x", coder)
    assert not script.requests


def test_a_new_file_is_the_largest_fenced_block(folder: Path) -> None:
    coder, _ = coder_of(
        in_turn("Like this:\n```sh\nls\n```\n```python\nprint('hello there')\n```\n")
    )
    change = propose(Workplace(folder), "pkg/hello.py", "greet", coder).change
    assert (change.before, change.after) == (None, "print('hello there')\n")


def test_the_file_a_request_names_is_found_inside_only(folder: Path) -> None:
    place = Workplace(folder)
    assert files_named(place, "please fix the sum in `calc.py`.") == ["calc.py"]
    assert files_named(place, "calc.py: what test_calc.py wants of calc.py") == [
        "calc.py",
        "test_calc.py",
    ]
    assert files_named(place, "read /etc/passwd and ../x.py") == []
    assert files_named(place, "write a function that adds") == []


def test_a_plan_with_files_outside_is_repaired_once_and_then_refused(folder: Path) -> None:
    outside = {"tasks": [{"title": "Take over", "what": "Write it.", "files": ["../../.bashrc"]}]}
    coder, script = coder_of(in_turn(outside))
    place = Workplace(folder)
    with pytest.raises(ModelError, match="gave no plan"):
        make_plan(place, explore(place), "x", coder)
    assert "outside the working directory" in script.requests[1][1].messages[-1].text


def test_files_are_generated_only_after_the_plan_was_approved(folder: Path) -> None:
    plan = {"tasks": [{"title": "Greet", "what": "Say hello.", "files": ["hello.py"]}]}
    coder, _ = coder_of(in_turn(plan, "```python\nprint('hello')\n```"))
    assert generate(Workplace(folder), "greet", coder, lambda _: False) is None
    coder, _ = coder_of(in_turn(plan, "```python\nprint('hello')\n```"))
    changes = generate(Workplace(folder), "greet", coder, lambda _: True)
    assert [change.path for change in changes or ()] == ["hello.py"]
    assert not (folder / "hello.py").exists()


@pytest.mark.parametrize(
    ("files", "language", "checks"),
    [
        ({"go.mod": "module x\n", "main.go": "package main\n"}, "Go",
            ["go vet ./...", "go test ./..."]),
        ({"Cargo.toml": "[package]\n", "src/main.rs": "fn main() {}\n"}, "Rust",
         ["cargo check --quiet", "cargo test --quiet"]),
        (
            {"package.json": json.dumps({"scripts": {"test": "t", "lint": "l"},
                "dependencies": {"express": "5"}}),
             "tsconfig.json": "{}", "src/app.ts": "let a = 1;\n"},
            "TypeScript",
            ["npm run --silent lint", "tsc --noEmit", "npm test --silent"],
        ),
        ({"pyproject.toml": "[tool.ruff]\n[tool.pytest.ini_options]\n",
            "tests/test_a.py": "import pytest\n"}, "Python",
         ["ruff check .", "python3 -m pytest -q"]),
        ({"setup.cfg": "[tool:pytest]\n[flake8]\n[mypy]\n", "tests/test_a.py": "x = 1\n"}, "Python",
         ["flake8", "mypy .", "python3 -m pytest -q"]),
        ({"tests/test_a.py": "def test_a():\n    pass\n"}, "Python", ["python3 -m pytest -q"]),
        ({"tests/conftest.py": "", "tests/test_a.py": "class TestA:\n    pass\n"}, "Python",
            ["python3 -m pytest -q"]),
        ({"requirements-dev.txt": "pytest>=8\n", "test_a.py": "class TestA:\n    pass\n"}, "Python",
         ["python3 -m pytest -q"]),
    ],
)  # fmt: skip
def test_projects_are_known_by_their_files(
    tmp_path: Path, files: dict[str, str], language: str, checks: list[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    project = explore(Workplace(tmp_path))
    assert language in project.languages
    assert [check.command for check in project.checks] == checks


def test_hundreds_of_pages_do_not_hide_a_project(tmp_path: Path) -> None:
    for name in (
        "pyproject.toml",
        "src/app.py",
        "tests/test_app.py",
        *(f"docs/{n}.md" for n in range(600)),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("[tool.pytest.ini_options]\n" if name.endswith("toml") else "")
    project = explore(Workplace(tmp_path))
    assert project.languages == ("Python",) and [check.kind for check in project.checks] == [
        "tests"
    ]
    described = project.described()
    assert "\nsrc/app.py" in described and "and 403 more" in described and not project.more


def test_more_files_than_are_looked_at_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workflows.code.project._WALKED", 2)
    for name in ("a.py", "b.py", "deep/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert "There are more files than the first 2" in explore(Workplace(tmp_path)).described()


def test_a_project_does_not_name_its_secrets_and_survives_broken_files(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    (tmp_path / "package.json").write_text("[broken")
    (tmp_path / "pyproject.toml").write_text("= broken")
    (tmp_path / "a.py").write_text("x = 1\n")
    described = explore(Workplace(tmp_path)).described()
    assert ".env" not in described
    assert "Python" in described


def test_a_change_is_made_on_a_branch_and_the_users_tree_is_not_touched(repository: Path) -> None:
    before = state_of(repository)
    person = Somebody(("modify", "keep it short"), ("approve", ""))
    coder, script = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    result = develop(Workplace(repository), "mend the sum", Means(coder, person, {}, "1"))
    assert result.branch == "zorora/mend-the-sum-1"
    assert [check.passed for check in result.checked] == [True]
    assert state_of(repository) == before
    shown = subprocess.run(
        ["git", "show", f"{result.branch}:calc.py"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "a + b" in shown.stdout
    assert "keep it short" in script.requests[1][1].messages[-1].text
    assert [[check.command for check in checks] for checks in person.requests] == [
        ["python3 -m unittest discover -q"]
    ]
    worktrees = subprocess.run(
        ["git", "worktree", "list"], cwd=repository, capture_output=True, text=True, check=True
    )
    assert len(worktrees.stdout.splitlines()) == 1


def test_a_cancelled_plan_leaves_nothing(repository: Path) -> None:
    before, names = state_of(repository), branches(repository)
    coder, _ = coder_of(lambda *_: PLAN)
    assert (
        develop(
            Workplace(repository), "x y z", Means(coder, Somebody(("cancel", "")), {}, "1")
        ).plan
        is None
    )
    assert (state_of(repository), branches(repository)) == (before, names)


def test_a_model_that_answers_nonsense_leaves_no_branch(repository: Path) -> None:
    before, names = state_of(repository), branches(repository)
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else "turtles")
    result = develop(
        Workplace(repository),
        "mend",
        Means(coder, Somebody(("approve", ""), allows=False), {}, "1"),
    )
    assert result.branch is None
    assert "in 3 attempts" in (result.task_results[0].problem or "")
    assert (state_of(repository), branches(repository)) == (before, names)


def test_no_hook_of_the_repository_runs_and_no_check_without_leave(
    repository: Path, tmp_path: Path
) -> None:
    mark = repository / "mark"
    for hook in ("post-checkout", "pre-commit", "post-commit", "prepare-commit-msg"):
        path = repository / ".git" / "hooks" / hook
        path.write_text(f"#!/bin/sh\ntouch {mark}\n")
        path.chmod(0o755)
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    result = develop(
        Workplace(repository),
        "mend",
        Means(coder, Somebody(("approve", ""), allows=False), {}, "1"),
    )
    assert result.branch
    assert result.checked == ()
    assert not mark.exists()


def committed(repository: Path) -> None:
    """Everything there is as one more commit."""
    for words in (
        ("add", "."),
        ("-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "more"),
    ):
        subprocess.run(["git", *words], cwd=repository, check=True)


def test_a_runner_that_found_no_test_has_not_passed(repository: Path) -> None:
    (repository / "test_calc.py").write_text("NOTHING = 1\n")
    committed(repository)
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    result = develop(
        Workplace(repository), "mend", Means(coder, Somebody(("approve", "")), {}, "1")
    )
    assert [check.passed for check in result.checked] == [False] and result.branch


def test_a_project_without_checks_is_told(repository: Path) -> None:
    (repository / "test_calc.py").rename(repository / "more.py")
    committed(repository)
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    person = Somebody(("approve", ""))
    develop(Workplace(repository), "mend", Means(coder, person, {}, "1"))
    assert (
        "No test or linter of this project was found, so nothing checks the change." in person.lines
    )


@pytest.mark.parametrize("data", [b"x" * 11_000_000, b"\x89PNG\xff\x00"], ids=["large", "binary"])
@pytest.mark.lab
def test_a_file_that_cannot_be_opened_ends_its_task_and_not_the_others(
    repository: Path, data: bytes
) -> None:
    (repository / "data.bin").write_bytes(data)
    committed(repository)
    second = {
        "title": "Describe the data",
        "what": "Say what it is.",
        "files": ["data.bin", "test_calc.py"],
    }
    plan = {"tasks": [{**PLAN["tasks"][0], "files": ["calc.py", "data.bin"]}, second]}
    coder, _ = coder_of(lambda step, _: plan if step == "plan" else BLOCK)
    result = develop(
        Workplace(repository),
        "mend",
        Means(coder, Somebody(("approve", ""), allows=False), {}, "1"),
    )
    assert result.branch and "calc.py" in result.summary
    assert all("data.bin" in (done.problem or "") for done in result.task_results)


def test_a_change_is_committed_in_the_name_of_the_user(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text("[user]\nname = Ada L\nemail = ada@example.org\n")
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    means = Means(coder, Somebody(("approve", ""), allows=False), {"HOME": str(home)}, "1")
    result = develop(Workplace(repository), "mend", means)
    log = subprocess.run(
        ["git", "log", "-1", "--format=%an %ae", str(result.branch)],
        cwd=repository,
        capture_output=True,
        text=True,
    )
    assert log.stdout == "Ada L ada@example.org\n"


def test_what_is_not_committed_is_told_and_not_in_the_branch(repository: Path) -> None:
    (repository / "calc.py").write_text(CALC + "# mine\n")
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    result = develop(
        Workplace(repository),
        "mend",
        Means(coder, Somebody(("approve", ""), allows=False), {}, "1"),
    )
    assert result.uncommitted == 1
    assert (repository / "calc.py").read_text().endswith("# mine\n")


def test_failing_checks_are_shown_to_the_model_and_mended(repository: Path) -> None:
    wrong = BLOCK.replace("a + b", "a * b")
    right = "<<<<<<< OLD\n    return a * b\n=======\n    return a + b\n>>>>>>> NEW"
    answers = in_turn(PLAN, wrong, right)
    coder, script = coder_of(answers)
    # the failing test names test_calc.py; calc.py stands in the message of the assertion's
    # traceback
    (repository / "test_calc.py").write_text(TEST.replace("5)", "5, 'calc.py is wrong')"))
    subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qam", "named"],
        cwd=repository,
        check=True,
    )
    result = develop(
        Workplace(repository), "mend", Means(coder, Somebody(("approve", "")), {}, "1")
    )
    assert [check.passed for check in result.checked] == [True]
    assert "calc.py is wrong" in script.requests[2][1].messages[-1].text


SECOND = {"title": "Use it", "what": "Call add.", "files": ["shop.py"]}
NEW_SHOP = "```python\nfrom calc import add\n\n\ndef total(items):\n    return add(*items)\n```"


def test_each_task_sees_what_was_changed_before_it_and_the_code_under_test(
    repository: Path,
) -> None:
    plan = {"tasks": [*PLAN["tasks"], SECOND]}
    coder, script = coder_of(in_turn(plan, BLOCK, NEW_SHOP))
    result = develop(
        Workplace(repository),
        "mend",
        Means(coder, Somebody(("approve", ""), allows=False), {}, "1"),
    )
    planned, first, second = (request.messages[-1].text for _, request in script.requests)
    assert "return a - b" in planned and "self.assertEqual(add(2, 3), 5)" in planned
    assert "self.assertEqual(add(2, 3), 5)" in first
    assert "Changed so far:" in second and "+    return a + b" in second
    assert result.branch and "shop.py" in result.summary


@pytest.mark.parametrize(
    "answer", [{"files": ["odd/name.py"]}, {"files": ["nowhere.py"]}, "no JSON"]
)
@pytest.mark.lab
def test_in_a_large_project_the_model_chooses_what_to_read(
    repository: Path, answer: object
) -> None:
    """What it chooses is in the question for the plan; where it names nothing that exists, the
    request's words lead."""
    (repository / "odd").mkdir()
    (repository / "odd" / "name.py").write_text("QUIETLY = 'elsewhere'\n")
    for number in range(40):
        (repository / f"part_{number}.py").write_text(
            "def sum_of_parts(a, b):\n    return a + b\n" * 60
        )
    committed(repository)
    coder, script = coder_of(
        lambda step, _: answer if step == "look" else PLAN if step == "plan" else BLOCK
    )
    person = Somebody(("approve", ""), allows=False)
    result = develop(Workplace(repository), "mend the sum in calc", Means(coder, person, {}, "1"))
    planned = next(request.messages[-1].text for step, request in script.requests if step == "plan")
    assert script.steps()[0] == "look" and result.branch and "return a - b" in planned
    chosen = answer == {"files": ["odd/name.py"]}
    assert ("QUIETLY" in planned) is chosen and any(
        "reads odd/name.py" in line for line in person.lines
    ) is chosen


def test_a_file_that_does_not_fit_into_the_window_is_shown_in_its_parts(folder: Path) -> None:
    functions = [f"def part_{n}(value):\n    return value + {n}\n\n\n" for n in range(600)]
    (folder / "calc.py").write_text("".join([*functions[:300], CALC, *functions[300:]]))
    coder, script = coder_of(in_turn(BLOCK))
    assert "a + b" in propose(Workplace(folder), "calc.py", "mend add", coder).change.after
    text = script.requests[0][1].messages[-1].text
    assert "return a - b" in text and len(text) < 12_000 < (folder / "calc.py").stat().st_size


WEAKER = "<<<<<<< OLD\n        self.assertEqual(add(2, 3), 5)\n=======\n        pass\n>>>>>>> NEW"


@pytest.mark.parametrize("allowed", [False, True])
def test_a_test_that_exists_is_changed_only_when_the_person_says_so(
    repository: Path, allowed: bool
) -> None:
    both = {
        "tasks": [{**PLAN["tasks"][0], "files": ["test_calc.py", "calc.py", "tests/test_more.py"]}]
    }
    answers = in_turn(
        both, *([WEAKER] if allowed else []), BLOCK, "```python\nimport unittest\n```"
    )
    coder, _ = coder_of(answers)
    person = Somebody(("approve", ""), allows=False, allows_tests=allowed)
    result = develop(Workplace(repository), "mend", Means(coder, person, {}, "1"))
    assert person.tests == [("test_calc.py",)]
    assert (
        ("test_calc.py" in result.summary) is allowed
        and "calc.py" in result.summary
        and "test_more" in result.summary
    )
    assert (result.task_results[0].problem is None) is allowed


def test_a_repair_sees_all_that_was_changed_and_may_not_weaken_the_tests(repository: Path) -> None:
    plan = {"tasks": [*PLAN["tasks"], SECOND]}
    wrong = BLOCK.replace("a + b", "a * b")
    right = "FILE: calc.py\n<<<<<<< OLD\n    return a * b\n=======\n    return a + b\n>>>>>>> NEW"
    coder, script = coder_of(in_turn(plan, wrong, NEW_SHOP, f"FILE: test_calc.py\n{WEAKER}", right))
    person = Somebody(("approve", ""))
    result = develop(Workplace(repository), "mend", Means(coder, person, {}, "1"))
    shown, again = (request.messages[-1].text for _, request in script.requests[3:5])
    assert (
        "AssertionError: 6 != 5" in shown
        and "return a * b" in shown
        and "return add(*items)" in shown
    )
    assert "decides what is tested" in again and person.tests == [("test_calc.py",)]
    assert [check.passed for check in result.checked] == [
        True
    ] and "test_calc.py" not in result.summary


@pytest.mark.parametrize("answer", [
    "FILE: ../calc.py\n" + BLOCK, "FILE: other.py\n" + BLOCK, "no block",
    BLOCK.replace("a - b", "x"),
])  # fmt: skip
@pytest.mark.lab
def test_a_repair_that_does_not_fit_changes_nothing_and_ends(repository: Path, answer: str) -> None:
    coder, script = coder_of(in_turn(PLAN, BLOCK.replace("a + b", "a * b"), answer))
    person = Somebody(("approve", ""))
    result = develop(Workplace(repository), "mend", Means(coder, person, {}, "1"))
    assert [check.passed for check in result.checked] == [False] and len(script.requests) == 5
    assert any("could not mend it in 3 attempts" in line for line in person.lines)


def test_how_tests_are_run_is_not_changed_without_asking(repository: Path) -> None:
    (repository / "package.json").write_text('{"scripts": {"test": "node --test"}}\n')
    committed(repository)
    plan = {"tasks": [{**PLAN["tasks"][0], "files": ["package.json", "calc.py"]}]}
    block = (
        '<<<<<<< OLD\n{"scripts": {"test": "node --test"}}\n=======\n{"scripts": {"test": '
        '"true"}}\n>>>>>>> NEW'
    )
    coder, _ = coder_of(in_turn(plan, block, BLOCK))
    person = Somebody(("approve", ""), allows=False)
    result = develop(Workplace(repository), "mend", Means(coder, person, {}, "1"))
    assert (
        person.tests == [("package.json",)]
        and "package.json" not in result.summary
        and "calc.py" in result.summary
    )


def test_a_file_or_a_name_is_explained_with_its_users(folder: Path) -> None:
    for request in ("explain calc.py", "explain add", "explain `add()`, please"):
        coder, script = coder_of(in_turn("It takes away.\n"))
        assert explain(Workplace(folder), request, coder) == "It takes away."
        text = script.requests[0][1].messages[-1].text
        assert "return a - b" in text and "self.assertEqual(add(2, 3), 5)" in text
    with pytest.raises(NotFound, match="Name a file"):
        explain(Workplace(folder), "explain everything", coder)


def test_what_a_check_leaves_behind_is_not_committed(repository: Path) -> None:
    left = TEST.replace("self.assertEqual", "open('left.txt', 'w').close(); self.assertEqual")
    (repository / "test_calc.py").write_text(left)
    subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qam", "x"],
        cwd=repository,
        check=True,
    )
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    result = develop(
        Workplace(repository), "mend", Means(coder, Somebody(("approve", "")), {}, "1")
    )
    assert [check.passed for check in result.checked] == [True]
    assert result.summary.splitlines()[0].strip().startswith("calc.py")
    assert "1 file changed" in result.summary


def test_a_folder_without_repository_or_commit_is_refused(folder: Path) -> None:
    coder, _ = coder_of(lambda *_: PLAN)
    with pytest.raises(Refused, match="no git repository"):
        develop(Workplace(folder), "x", Means(coder, Somebody(("approve", "")), {}, "1"))
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    coder, script = coder_of(lambda *_: PLAN)
    with pytest.raises(Refused, match="no commit"):
        develop(Workplace(folder), "x", Means(coder, Somebody(("approve", "")), {}, "1"))
    assert not script.requests  # it is said before a model works for nothing


def test_a_project_in_a_part_of_a_repository_is_checked_where_it_lies(repository: Path) -> None:
    part = repository / "parts" / "sums"
    part.mkdir(parents=True)
    coder, script = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    with pytest.raises(Refused, match="parts/sums is not in the last commit"):
        develop(Workplace(part), "mend", Means(coder, Somebody(), {}, "1"))
    assert not script.requests
    (part / "calc.py").write_text(CALC)
    (part / "test_calc.py").write_text(TEST)
    (repository / "calc.py").write_text("raise SystemExit('the wrong project')\n")
    (part / "node_modules").mkdir()
    (part / ".gitignore").write_text("node_modules\n")
    for words in (
        ("add", "."),
        ("-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "part"),
    ):
        subprocess.run(["git", *words], cwd=repository, check=True)
    before = state_of(repository)
    result = develop(Workplace(part), "mend", Means(coder, Somebody(("approve", "")), {}, "1"))
    assert result.branch and [check.passed for check in result.checked] == [True], result.checked
    assert (
        result.summary.splitlines()[0].strip().startswith("parts/sums/calc.py")
        and "1 file" in result.summary
    )
    assert state_of(repository) == before and (part / "node_modules").is_dir()


def test_a_branch_is_named_by_the_request() -> None:
    assert branch_name("Add a --verbose flag; rm -rf /", "7") == "zorora/add-a-verbose-flag-rm-7"
    assert branch_name("…", "7") == "zorora/change-7"


def test_what_a_killed_process_left_is_taken_away(repository: Path) -> None:
    died = subprocess.Popen(["true"])
    died.wait()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.getpid", lambda: died.pid)
        left = worktree.add(repository, "zorora/left-1")
        whole = worktree.add(repository, "zorora/whole-1")
    (whole.root / "calc.py").write_text("x = 1\n")
    worktree.commit(whole, "something to look at", whole.root, ["calc.py"])
    tree = worktree.add(repository, "zorora/new-1")  # of this process: it stays
    assert not left.root.exists() and not whole.root.exists() and tree.root.exists()
    assert [name for name in branches(repository) if name.startswith("zorora/")] == [
        "zorora/new-1",
        "zorora/whole-1",
    ]
    worktree.remove(tree, keep_branch=False)


def test_a_stop_while_the_work_tree_is_made_leaves_nothing(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = worktree._git

    def stopped(folder: Path, *words: str, before: tuple[str, ...] = ()) -> Ran:
        ran = real(folder, *words, before=before)
        if words[:2] == ("worktree", "add"):
            raise KeyboardInterrupt
        return ran

    monkeypatch.setattr(worktree, "_git", stopped)
    with pytest.raises(KeyboardInterrupt):
        worktree.add(repository, "zorora/x-1")
    monkeypatch.undo()
    assert "zorora/x-1" not in branches(repository)


def test_a_check_whose_program_is_not_installed_is_left_out_and_said(repository: Path) -> None:
    (repository / "ruff.toml").write_text("")
    coder, _ = coder_of(lambda step, _: PLAN if step == "plan" else BLOCK)
    person = Somebody(("approve", ""))
    result = develop(
        Workplace(repository), "mend", Means(coder, person, {"PATH": "/usr/bin:/bin"}, "1")
    )
    assert "ruff check .: left out, ruff is not installed." in person.lines
    assert [check.check.words[0] for check in result.checked] == ["python3"] and result.checked[
        0
    ].passed


def test_checks_see_the_files_of_the_branch_and_the_packages_of_the_project(
    repository: Path,
) -> None:
    """Sources below src come from the work tree, installed JavaScript packages from the project;
    home is elsewhere."""
    (repository / "src").mkdir()
    (repository / "src" / "sums.py").write_text("WHERE = __file__\n")
    (repository / "node_modules" / "dice").mkdir(parents=True)
    (repository / "node_modules" / "dice" / "index.js").write_text("module.exports = 4;\n")
    subprocess.run(["git", "add", "src"], cwd=repository, check=True)
    subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "x"],
        cwd=repository,
        check=True,
    )
    tree = worktree.add(repository, "zorora/x-1")
    try:
        code = "import os, sums; print(sums.WHERE, os.environ['HOME'])"
        where, home = worktree.run_check(
            tree, tree.root, ("python3", "-c", code), {}, Bounds(20)
        ).output.split()
        assert Path(where).is_relative_to(tree.root) and not Path(home).is_relative_to(tree.root)
        if shutil.which("node", path="/usr/bin:/bin"):
            output = worktree.run_check(
                tree, tree.root, ("node", "-p", "require('dice')"), {}, Bounds(20)
            ).output
            assert output.strip() == "4"
    finally:
        worktree.remove(tree, keep_branch=False)
    assert (
        repository / "node_modules" / "dice" / "index.js"
    ).exists() and not tree.root.parent.exists()


JS = {
    "package.json": '{"name": "sums", "version": "1.0.0", "scripts": {"test": "node --test"}}',
    "calc.js": "exports.add = (a, b) => (\n  a - b\n);\n",
    "calc.test.js": "require('node:test')('adds', () => "
    "require('assert').equal(require('./calc').add(2, 3), 5));\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n"
    "#[test]\nfn adds() {\n    assert_eq!(add(2, 3), 5);\n}\n",
}
GO = {
    "go.mod": "module example.org/sums\n\ngo 1.19\n",
    "calc.go": "package sums\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n",
    "calc_test.go": 'package sums\n\nimport "testing"\n\n'
    "func TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal()\n\t}\n}\n",
}


@pytest.mark.lab
@pytest.mark.parametrize(
    ("files", "changed", "checks"),
    [
        pytest.param(JS, "calc.js", ["npm test --silent"], id="npm"),
        pytest.param(RUST, "src/lib.rs", ["cargo check --quiet", "cargo test --quiet"], id="cargo"),
        pytest.param(GO, "calc.go", ["go vet ./...", "go test ./..."], id="go"),
    ],
)
def test_projects_of_other_languages_are_changed_and_checked(
    tmp_path: Path,
    files: dict[str, str],
    changed: str,
    checks: list[str],
    request: pytest.FixtureRequest,
) -> None:
    toolchain = load(tmp_path / "none").toolchain  # where the tools of this machine lie
    if not shutil.which(request.node.callspec.id, path=toolchain.get("PATH")):
        pytest.skip(f"{request.node.callspec.id} is not installed")
    # a project may be called as the folder that its tools keep at home
    root = tmp_path / request.node.callspec.id
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for words in ("init -q", "add .", "-c user.name=n -c user.email=e@x commit -qm first"):
        subprocess.run(["git", *words.split()], cwd=root, check=True)
    plan = {"tasks": [{"title": "Mend the sum", "what": "Use plus.", "files": [changed]}]}
    block = "<<<<<<< OLD\na - b\n=======\na + b\n>>>>>>> NEW"
    coder, _ = coder_of(lambda step, _: plan if step == "plan" else block)
    result = develop(
        Workplace(root), "mend the sum", Means(coder, Somebody(("approve", "")), toolchain, "1")
    )
    assert [(check.check.command, check.passed) for check in result.checked] == [
        (check, True) for check in checks
    ]
    assert result.branch and "a - b" in (root / changed).read_text()


@pytest.mark.parametrize(
    ("name", "text", "framework"),
    [
        ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.11"\nFlask = "^3"\n', "flask"),
        (
            "pyproject.toml",
            '[tool.poetry.group.web.dependencies]\nfastapi = {version = "1"}\n',
            "fastapi",
        ),
        ("Cargo.toml", '[dependencies]\naxum = "0.7"\n', "axum"),
        (
            "go.mod",
            "module example.com/m\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.1\n)\n",
            "gin",
        ),
        ("go.mod", "module example.com/m\n\nrequire github.com/go-chi/chi/v5 v5.0.1\n", "chi"),
    ],
)
def test_the_framework_is_known_by_the_files_of_any_language(
    tmp_path: Path, name: str, text: str, framework: str
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "tool.cjs").write_text("")
    project = explore(Workplace(tmp_path))
    assert (project.frameworks, project.languages) == ((framework,), ("JavaScript",))
    assert project.conventions == (), "an empty file has none"
