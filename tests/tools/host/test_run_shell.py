"""Programs that only look are run; every known way to make them do more is refused before anything
starts."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.errors import Cancelled, Refused
from tools.host import environment, shell
from tools.host.arguments import split
from tools.host.place import Workplace
from tools.host.programs import ShellRules
from tools.host.shell import check

DATA = Path(__file__).parents[2] / "data"


def lines(name: str) -> list[str]:
    """The commands of a table; JSON where a line could not hold one."""
    lines = [
        line
        for line in (DATA / name).read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    return [json.loads(line) if line.startswith('"') else line for line in lines]


def names(root: Path) -> list[str]:
    return sorted(path.name for path in root.rglob("*"))


def test_every_way_around_is_refused(place: Workplace) -> None:
    (place.root / ".git").mkdir()  # so that no git command is refused for want of a repository
    before, commands = names(place.root), [*lines("shell_refused.txt"), "ls " + "a" * 9000]
    assert len(commands) > 400
    for command in commands:
        with pytest.raises(Refused) as refusal:
            output = shell.run_shell(place, command)
            pytest.fail(f"{command!r} was run: {output[:200]}")
        assert str(refusal.value).endswith(".") and "TOP SECRET" not in str(refusal.value), command
        assert "not the top of a git repository" not in str(refusal.value), command
    assert names(place.root) == before


def test_looking_is_allowed(place: Workplace) -> None:
    for command in lines("shell_allowed.txt"):
        assert check(place, split(command))[0] == command.split()[0]


def test_a_command_gives_its_output_and_its_status(place: Workplace) -> None:
    assert shell.run_shell(place, "head -2 a.txt") == "one\ntwo"
    assert shell.run_shell(place, "grep nothing a.txt") == "(exit status 1)"
    assert shell.run_shell(place, "true") == "(no output)"
    assert "No such file" in shell.run_shell(place, "cat gone.txt")


def test_a_search_passes_links_and_secrets_over(place: Workplace) -> None:
    assert shell.run_shell(place, "grep -rl SECRET .") == "(exit status 1)"
    assert shell.run_shell(place, "grep -rl --include=.env SECRET .") == "(exit status 1)"
    assert "a.txt" in shell.run_shell(place, "grep -rl two -- .")


def test_a_search_passes_folders_of_secrets_over_in_capitals_too(place: Workplace) -> None:
    for name in (
        ".docker/config.json",
        ".kube/config",
        ".SSH/config",
        ".git/config",
        ".ENV",
        "Server.PEM",
        ".pgpass",
    ):
        (place.root / name).parent.mkdir(exist_ok=True)
        (place.root / name).write_text("TOP SECRET\n")
    commands = ["grep -ra SECRET .", "grep -ra SECRET -- . src", "diff -rN . src", "diff -rN src ."]
    if shutil.which("rg", path=environment.FOLDERS):
        commands += [
            "rg SECRET",
            "rg --iglob .env SECRET",
            "rg -g '.*' -g '.*/**' SECRET",
            "rg -e SECRET --iglob '*.pem' .",
        ]
    for command in commands:
        assert "SECRET" not in shell.run_shell(place, command), command
    assert "exclude" not in shell.run_shell(place, "diff -rN . src")


def test_a_person_may_open_a_secret(folder: Path) -> None:
    questions: list[str] = []
    place = Workplace(folder, lambda question: questions.append(question) is None)
    assert shell.run_shell(place, "cat .env") == "KEY=TOP SECRET"
    assert len(questions) == 1 and ".env usually contains secrets" in questions[0]


def test_the_environment_of_the_user_stays_here(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-not-for-programs")
    printed = shell.run_approved(
        [sys.executable, "-c", "import os; print(sorted(os.environ))"],
        place.root,
        environment.environment(),
        shell.Bounds(20),
    )
    assert "SOME_API_KEY" not in printed.output and "GIT_CONFIG_GLOBAL" in printed.output


def test_control_characters_do_not_reach_the_screen(place: Workplace) -> None:
    (place.root / "a.txt").write_text("\x1b[2Jgone\r\nnext\x07\x9b1m")
    assert shell.run_shell(place, "cat a.txt") == "\ufffd[2Jgone\nnext\ufffd\ufffd1m"


def test_a_program_that_does_not_end_is_ended_with_its_children(place: Workplace) -> None:
    began = time.monotonic()
    child = "import time; time.sleep(60)"
    code = (
        f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); "
        "time.sleep(60)"
    )
    ran = shell.run_approved(
        [sys.executable, "-c", code], place.root, environment.environment(), shell.Bounds(0.5)
    )
    assert ran.ended == "timeout" and time.monotonic() - began < 40


def test_endless_output_is_cut(place: Workplace) -> None:
    output = shell.run_shell(place, "seq 1 100000000")
    assert 60_000 < len(output) < 65_000 and output.endswith("(the output is cut at 64 kB)")


def test_settings_leave_programs_out(place: Workplace) -> None:
    rules = ShellRules({"ls": ("*",), "git": ("log", "status"), "python3": ("*",)}, output=100)
    assert "a.txt" in shell.run_shell(place, "ls -1", rules)
    (place.root / ".git").mkdir()
    for command, words in (
        ("cat a.txt", "leaves cat out"),
        ("git diff", "begin with log, status"),
        ("python3 -c 1", "is not one of"),
    ):
        with pytest.raises(Refused, match=words):
            shell.run_shell(place, command, rules)


def test_the_user_can_stop_a_program(place: Workplace) -> None:
    def stop() -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        shell.run_approved(
            [sys.executable, "-c", "import time; time.sleep(60)"],
            place.root,
            environment.environment(),
            shell.Bounds(30, look=stop),
        )


def test_a_program_can_write_no_file(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.run(place.root, ("cp", "a.txt", "copy.txt"), 10, 1000)
    assert not (place.root / "copy.txt").exists() or (place.root / "copy.txt").read_text() == ""


def repository(root: Path, *configuration: str) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words],
            cwd=root,
            check=True,
            capture_output=True,
        )

    git("init", "-q", "-b", "main")
    git("add", "a.txt", "src")
    git("commit", "-q", "-m", "First")
    for setting in configuration:
        name, _, value = setting.partition("=")
        git("config", name, value)


def test_git_shows_what_changed(place: Workplace) -> None:
    repository(place.root)
    (place.root / "a.txt").write_text("one\n2\nthree\n")
    assert "M a.txt" in shell.run_shell(place, "git status --short")
    assert "+2" in shell.run_shell(place, "git diff -- a.txt") and "+2" in shell.run_shell(
        place, "git diff HEAD a.txt"
    )
    assert "First" in shell.run_shell(place, "git log --oneline -5")
    assert shell.run_shell(place, "git show HEAD:src/b.py").startswith("def f()")
    assert "main" in shell.run_shell(place, "git branch -a") and "a.txt:1" in shell.run_shell(
        place, "git grep -n one"
    )


def test_git_passes_over_what_usually_holds_secrets(place: Workplace) -> None:
    repository(place.root)
    names = (".env", "src/Prod.ENV", "server.pem", ".ssh/config", "a.txt")
    (place.root / ".ssh").mkdir()
    for text in ("KEY=OLD", "KEY=NEW"):
        for name in names:
            (place.root / name).write_text(f"{text} {name}\n")
        for words in (
            ("add", "-f", "."),
            ("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"),
        ):
            subprocess.run(["git", *words], cwd=place.root, check=True)
    commands = (
        "grep KEY",
        "grep KEY HEAD src",
        "grep -e KEY -- .",
        "show",
        "show HEAD~1",
        "log -p",
        "diff HEAD~1 HEAD",
    )
    for command in (*commands, "log -p --oneline HEAD -- src a.txt .ssh", "log -c", "diff HEAD~1"):
        output = shell.run_shell(place, f"git {command}")
        assert "fatal" not in output and not any(
            f"{name}\n" in f"{output}\n" for name in names[:-1]
        ), command
    assert "KEY=NEW a.txt" in shell.run_shell(
        place, "git grep KEY"
    ) and "OLD a.txt" in shell.run_shell(place, "git show")
    for command in (
        "log -L 1,1:.env",
        "grep KEY HEAD:.ssh",
        "grep KEY -- .env",
        "show HEAD:server.pem",
    ):
        with pytest.raises(Refused, match="usually contains secrets"):
            shell.run_shell(place, f"git {command}")
    workplace = Workplace(place.root, lambda question: True)
    assert "NEW .env" in shell.run_shell(workplace, "git grep KEY -- .env")


def test_a_repository_cannot_bring_programs_of_its_own(place: Workplace, tmp_path: Path) -> None:
    """fsmonitor, filters, drivers, pagers, hooks, aliases, signature checkers: each would leave a
    file behind."""
    trap = f"touch {tmp_path / 'sprung'}"
    repository(
        place.root, f"core.fsmonitor={trap}; echo", f"filter.x.clean={trap}; cat",
        f"filter.x.process={trap}", "filter.x.required=true", f"diff.x.textconv={trap}; cat",
        f"diff.x.command={trap}", f"diff.external={trap}", f"core.pager={trap}",
        f"pager.log={trap}", f"alias.status=!{trap}", f"gpg.program={trap}",
        "log.showSignature=true", f"core.sshCommand={trap}", "format.pretty=%h %G? %s",
        f"core.editor={trap}",
    )  # fmt: skip
    (place.root / ".gitattributes").write_text("* filter=x diff=x\n")
    (place.root / ".git" / "info").mkdir(exist_ok=True)
    (place.root / ".git" / "info" / "attributes").write_text("* filter=x diff=x\n")
    hook = place.root / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{trap}\n")
    hook.chmod(0o755)
    (place.root / "a.txt").write_text("changed\n")
    for command in (
        "status",
        "diff",
        "log -p",
        "log -1",
        "show HEAD",
        "grep one",
        "blame a.txt",
        "ls-files -m",
        "describe --always",
    ):
        shell.run_shell(place, f"git {command}")
        assert not (tmp_path / "sprung").exists(), command
    assert "+changed" in shell.run_shell(place, "git diff")


@pytest.mark.parametrize("name", ["a=b", "\udcff", "-c", 'q"x'])
def test_a_driver_with_an_odd_name_is_switched_off_or_git_is_not_run(
    place: Workplace, tmp_path: Path, name: str
) -> None:
    """What -c could not name would stay on: a name with "=", or one of bytes that are no text."""
    trap, quoted = f"touch {tmp_path / 'sprung'}; cat", name.replace('"', '\\"')
    repository(place.root)
    with (place.root / ".git" / "config").open("ab") as config:
        config.write(
            os.fsencode(
                f'[filter "{quoted}"]\n\tclean = {trap}\n[diff "{quoted}"]\n\ttextconv = {trap}\n'
            )
        )
    (place.root / ".gitattributes").write_bytes(os.fsencode(f"* filter={name} diff={name}\n"))
    (place.root / "a.txt").write_text("changed\n")
    for command in ("git diff", "git blame a.txt"):
        try:
            assert "changed" in shell.run_shell(place, command)
        except Refused as refusal:
            assert name == "a=b" and "cannot be switched off" in str(refusal)
        assert not (tmp_path / "sprung").exists(), command


def test_keys_in_the_address_of_a_remote_stay_here(place: Workplace) -> None:
    repository(place.root, "remote.origin.url=https://me:ghp_key@example.org/a/b")
    assert shell.run_shell(place, "git remote -v").startswith(
        "origin\thttps://example.org/a/b (fetch)"
    )


@pytest.mark.parametrize(
    "trick", ["file", "link", "common", "none", "worktree", "empty", "made up"]
)
def test_a_repository_of_another_place_is_not_read(
    place: Workplace, tmp_path: Path, trick: str
) -> None:
    other = tmp_path / "outside"
    repository(place.root) if trick in ("common", "worktree") else None
    (other / "a.txt").write_text("TOP SECRET")
    (other / "src").mkdir()
    repository(other)
    git = place.root / ".git"
    if trick == "file":
        git.write_text(f"gitdir: {other / '.git'}\n")
    elif trick == "link":
        git.symlink_to(other / ".git")
    elif trick == "common":
        (git / "commondir").write_text(str(other / ".git"))
    elif (
        trick == "made up"
    ):  # with a way back, as git writes it, and the other repository as the common one
        (place.root / "fake").mkdir()
        git.write_text("gitdir: fake\n")
        for name, content in (
            ("gitdir", str(git)),
            ("commondir", str(other / ".git")),
            ("HEAD", "ref: refs/heads/main"),
        ):
            (place.root / "fake" / name).write_text(content + "\n")
    elif trick == "empty":  # then git looks for a repository above
        git.mkdir()
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        repository_above = shell.run_shell(place, "git ls-files")
        assert "not a git repository" in repository_above
        return
    if trick == "worktree":
        subprocess.run(["git", "config", "core.worktree", str(other)], cwd=place.root, check=True)
        assert "SECRET" not in shell.run_shell(place, "git diff")
        return
    with pytest.raises(Refused):
        shell.run_shell(place, "git log -p")


def test_a_work_tree_that_git_made_is_used(place: Workplace, tmp_path: Path) -> None:
    repository(place.root)
    tree = tmp_path / "tree"
    subprocess.run(
        ["git", "worktree", "add", "-q", "-b", "new", str(tree)],
        cwd=place.root,
        check=True,
        capture_output=True,
    )
    assert "First" in shell.run_shell(Workplace(tree), "git log --oneline")


@pytest.mark.parametrize("setting", ["include.path=pipe", "broken"])
def test_a_repository_whose_settings_cannot_be_read_is_left(
    place: Workplace, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """A pipe where a file should be must not make us wait, nor settings that are none be passed
    over."""
    repository(place.root)
    if setting == "broken":
        (place.root / ".git" / "config").write_text("[core\n")
    else:
        os.mkfifo(place.root / ".git" / "pipe")
        config = place.root / ".git" / "config"
        config.write_text(config.read_text() + "[include]\n\tpath = pipe\n")
    monkeypatch.setattr("tools.host.git._SETTINGS_SECONDS", 0.3)
    with pytest.raises(Refused, match="cannot be read"):
        shell.run_shell(place, "git log")
