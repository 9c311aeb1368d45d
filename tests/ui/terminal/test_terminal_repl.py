"""The prompt: slash commands are the subcommands, other lines are routed, nothing ends it but
leaving."""

import io
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.answering import routing
from engine.answers import HistoryPage
from engine.models import Cancelled, StorageError
from tests.tables import each
from ui.terminal.command import UsageError
from ui.terminal.hangup import interrupted_by_hangup
from ui.terminal.prompt import line_editor, plain_commands, repl, routed_lines
from ui.terminal.prompt.plain_commands import words_of
from ui.terminal.screen import Screen
from ui.terminal.session import Session

SLEEP = "sleep_and_memory_20260102_101500"
TEA = "tea_and_iron_20260103_090000"
Run = Callable[..., Any]


def test_lines_from_a_pipe_are_carried_out_one_by_one(zorora: Run, fake: Any) -> None:
    ran = zorora(keys='what is tea\n\n/history\n/deep "why tea"\n/exit\nnever read\n')
    assert ran.code == 0
    assert [request.query for request in fake.requests] == ["what is tea", "why tea"]
    assert fake.requests[1].options.depth == 3
    assert f"{TEA}\t" in ran.out


def test_a_mistyped_word_is_told_the_nearest_and_where_it_works(zorora: Run) -> None:
    lines = zorora(keys="/hepl\n/exti\n/claer\n/web\n/mcp\n/help web\n").err.splitlines()
    assert [line.rpartition(" ")[2] for line in lines[:3]] == ["/help?", "/exit?", "/clear?"]
    assert (
        lines[3]
        == lines[5]
        == "There is no command /web at the prompt; in the shell it is: zorora web"
    )
    assert lines[4].endswith("zorora mcp") and "Did you mean help?" in zorora("hlep").err


def test_the_end_of_input_leaves(zorora: Run) -> None:
    assert zorora(keys="").code == 0
    assert zorora(keys="/help\n").out.startswith("Research")
    assert zorora(keys="/help exit\n").out == "/exit           leave (Ctrl+D)\n"


def test_a_question_with_an_apostrophe_or_flags_in_it_stays_whole(zorora: Run, fake: Any) -> None:
    zorora(keys="what's the --best way, isn't it \"so\"\n/research what's the best way --depth 1\n")
    assert [request.query for request in fake.requests] == [
        "what's the --best way, isn't it \"so\"",
        "what's the best way",
    ]
    assert fake.requests[1].options.depth == 1


@each(
    ("text", "words"),
    [
        ("a  b", ["a", "b"]),
        ('a "b c" d', ["a", "b c", "d"]),
        ("it's", ["it's"]),
        ('"', [""]),
        ('a ""', ["a", ""]),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_orders_become_commands(zorora: Run, fake: Any) -> None:
    ran = zorora(
        keys="list my reports\nshow my research on tea\ndelete the last research\nstar it\nsave it "
        "as tea time\n"
    )
    assert f"{SLEEP}\t" in ran.out and "Tea and iron?" in ran.out
    assert not fake.bin and f"To move it to the bin: /delete {TEA}" in ran.err
    assert "/star last" in ran.err and "can be called @tea time now" in ran.err


class Keys(io.StringIO):
    """What a person at a terminal types, or sees."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "gone"), [("y", [SLEEP]), ("", []), ("delete all reports", [])])
def test_an_order_to_delete_is_asked_back(fake: Any, answer: str, gone: list[str]) -> None:
    seen = Keys()
    screen = Screen(io.StringIO(), seen, Keys(f"delete the report on sleep\n{answer}\n"))
    repl.run(Session(screen, open_engine=lambda home: fake))
    assert list(fake.bin) == gone and f"Move {SLEEP} (" in seen.getvalue()


def test_several_are_never_taken_for_the_newest(zorora: Run, fake: Any) -> None:
    ran = zorora(keys="delete all reports\ndelete everything\nstar my reports\n")
    assert ran.err.count("One at a time: /delete ID") == 2 and "One at a time: /star ID" in ran.err
    assert not fake.bin and not any(state.user.starred for state in fake.states.values())
    assert f"{SLEEP}\t" in zorora(keys="show my reports\n").out


def test_earlier_researches_on_the_question_are_named(zorora: Run, fake: Any) -> None:
    ran = zorora(keys="Tea and iron?\n/deep something else\n")
    assert ran.err.count("Similar questions") == 1 and f"  {TEA}  Tea and iron?" in ran.err
    assert len(fake.requests) == 2
    ran = zorora("research", "Tea and iron?", "--json")
    assert (
        "Similar questions you asked before (zorora show ID):" in ran.err
        and TEA in ran.err
        and "before" not in ran.out
    )
    assert "before" not in zorora("research", "Tea and iron?", "--show-hosts").err


def test_what_this_version_lacks_is_said(zorora: Run, fake: Any) -> None:
    ran = zorora(keys="rename the file a.txt to b.txt\n")
    assert (
        "Zorora cannot do that" in ran.err
        and "/research rename the file" in ran.err
        and not fake.requests
    )


def test_mistakes_and_faults_do_not_end_it(zorora: Run, fake: Any) -> None:
    ran = zorora(
        keys="/histroy\n/show nothing\n/research\n/research x --depth 9\n/config get nothing\n"
        "/version\n"
    )
    assert ran.code == 0 and "Did you mean /history?" in ran.err and "zorora " in ran.out
    for fault in (
        Cancelled("Stopped."),
        KeyboardInterrupt(),
        StorageError("full"),
        OSError(28, "No space left"),
    ):
        fake.raises = fault
        assert "zorora " in zorora(keys="a question\n/version\n").out


def test_shell_only_commands_are_not_offered(zorora: Run) -> None:
    ran = zorora(keys="/worker x\n/web\n/help worker\n")
    assert ran.err.count("There is no command") == 3


def test_the_last_research_needs_no_id(zorora: Run, fake: Any) -> None:
    fake.result = replace(fake.states[SLEEP], original_query="tea")
    zorora(keys="what is tea\n/star\n")
    assert fake.states[SLEEP].user.starred


def test_completion_offers_commands_flags_ids_and_paths(fake: Any, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "page.md").touch()
    session = Session(Screen(), repl=True, open_engine=lambda home: fake)

    def offered(text: str) -> list[str]:
        return [completion.text for completion in line_editor.completions(session, text)]

    assert offered("/hi") == ["history"] and offered("what") == [] and "exit" in offered("/")
    assert offered("/research --dep") == ["--depth"]
    assert offered("/show sl") == [SLEEP] and offered("/nothing x") == []
    assert offered(f"/ingest {tmp_path}/pa") == [f"{tmp_path}/page.md", f"{tmp_path}/papers/"]
    assert offered("/ingest /no/such/folder/x") == []
    assert offered(f"/export last -o {tmp_path}/pap") == [f"{tmp_path}/papers/"]
    assert offered("/research x --depth ") == ["1", "2", "3"] and offered("/help rem") == [
        "remember"
    ]
    assert "html" in offered("/export last h") and offered("/export sl") == [SLEEP]
    assert offered("/show --format h") == ["html"] and offered("/history --since ") == []
    fake.tag(TEA, ("@tea time",))
    assert offered("/load te") == offered('/show "te') == ['"tea time"', TEA]
    (tmp_path / "my docs").mkdir()
    (tmp_path / "my docs" / "a b.md").touch()
    assert offered(f"/ingest {tmp_path}/my") == [f'"{tmp_path}/my docs/']
    assert offered(f'/ingest "{tmp_path}/my docs/') == [f'"{tmp_path}/my docs/a b.md"']


def test_the_typed_lines_are_kept_for_the_owner_only(fake: Any, tmp_path: Path) -> None:
    line_editor._history(Session(Screen(), open_engine=lambda _: fake))
    assert (tmp_path / "prompt_history").stat().st_mode & 0o077 == 0


def test_orders_name_what_they_mean(fake: Any) -> None:
    fake.tools = None
    session: Any = SimpleNamespace(engine=fake, conversation=None, knows=SLEEP.__eq__)

    def meant(line: str) -> Any:
        return routed_lines.command_of(session, routing.route(line), line)

    assert meant('save my report as "summer notes"') == ("save", ["--", "summer notes"])
    assert meant("save this report") == ("save", [])
    assert meant(f"rename the report {SLEEP} to naps") == ("save", ["--id", SLEEP, "--", "naps"])
    assert meant("load my last research") == ("load", ["last"])
    assert meant("list my saved conversations") == ("list", ["--"])
    assert meant("draw me a cat") == ("image", ["--", "me a cat"])
    assert meant("describe cat.png") == ("vision", ["cat.png", "describe cat.png"])
    assert meant("fix parser.py") == ("code", ["--", "fix parser.py"])
    assert meant("rename the file a.txt to b.txt") is None
    with pytest.raises(UsageError, match="/export"):
        meant("save the report to out.pdf")
    with pytest.raises(UsageError, match="/export last html"):
        meant("save as html")  # no name it could be called by later


def test_the_last_conversation_is_never_a_research(
    zorora: Run, fake: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake, "history", lambda query: HistoryPage((), None, 0))
    ran = zorora(keys="delete the last conversation\n")
    assert "No conversation yet" in ran.err and len(fake.states) == 2


COMMANDS = (
    "help", "help export", "exit", "quit", "history", "History", "jobs", "models", "sources",
    "answer", "history --starred", "jobs --all --json", "config list", "config get research.depth",
    "cache list", "keys set BRAVE_SEARCH_API_KEY", "show last", "visualize last --no-browser",
    "export last html", "load naps", "export sleep_and md", "delete naps", "load my nap notes",
    "note naps Compare with the trial", "follow naps what about children?",
)  # fmt: skip
QUESTIONS = (
    "load balancing", "delete culture", "history of tea", "history vaccines",
    "show last year's inflation", "sleep", "note last king of Scotland", "export latest figures",
    "cancel culture", "help children sleep", "exit strategies", "star formation",
    "data list structures", "models test how theories fail", "config --nonsense", "clear skies",
    "follow the money", "resume writing", "answer engines", "open source", "load sleep", "load tea",
    "quit smoking", "library science", "recall bias", "code review", "q fever",
)  # fmt: skip


@each("line", [*COMMANDS, *QUESTIONS])
def test_what_is_a_command_to_its_last_word_is_not_researched(fake: Any, line: str) -> None:
    fake.tag(SLEEP, ("@naps", "@my nap notes"))
    route = plain_commands.understood(Session(Screen(), open_engine=lambda home: fake), line)
    assert (route.workflow == "command") == (line in COMMANDS), route


def test_a_command_without_its_slash_is_said_and_done(zorora: Run, fake: Any) -> None:
    ran = zorora(keys="show last\nload balancing\nexit\nwhat is tea\n")
    assert "/show last   (as a question: /research show last)" in ran.err and TEA in ran.out
    assert [request.query for request in fake.requests] == [
        "load balancing"
    ]  # and nothing after the exit
    assert "command without its slash" in zorora("route", "history").out


def test_hints_are_typed_as_they_stand_at_the_prompt(zorora: Run, fake: Any) -> None:
    ran = zorora(keys="/jobs\nzorora show last\nzorora is a name of what?\n")
    assert "`/jobs --all`" in ran.err and f"again   /show {TEA}" in ran.out
    assert [request.query for request in fake.requests] == ["zorora is a name of what?"]
    assert (
        "`zorora jobs --all`" in zorora("jobs").err and f"zorora show {TEA}" in zorora("show").out
    )


def test_results_that_nobody_reads_any_more_end_the_prompt(
    fake: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    session = Session(
        Screen(Closed(), io.StringIO(), io.StringIO("/version\n/version\n")),
        open_engine=lambda _: fake,
    )
    with pytest.raises(BrokenPipeError):
        repl.run(session)


def test_nothing_to_list_is_said_without_a_head_of_a_table(zorora: Run, fake: Any) -> None:
    fake.states.clear()
    ran = zorora("list", tty=True)
    assert "No conversation yet" in ran.err and "first question" not in ran.out
    assert "md" in zorora("export", "--list").out  # also before there is a research


@pytest.mark.parametrize("fault", ["full", "folder", "long"])
def test_a_history_that_cannot_be_kept_stops_no_line(
    fake: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def full(history: Any, line: str) -> None:
        raise OSError(28, "No space left on device")

    if fault == "full":
        monkeypatch.setattr("prompt_toolkit.history.FileHistory.store_string", full)
    if fault == "folder":
        (tmp_path / line_editor.HISTORY_FILE).mkdir()
    history: Any = line_editor._behind(Session(Screen(), open_engine=lambda _: fake))
    line = "x" * (line_editor.LONGEST + 1) if fault == "long" else "what is tea"
    history.append_string(line)
    assert history.get_strings() == [line]  # until the prompt is left
    assert list(history.history.load_history_strings()) == []


def test_a_prompt_told_to_end_ends(monkeypatch: pytest.MonkeyPatch, fake: Any) -> None:
    def read_line() -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        return "never carried out"

    monkeypatch.setattr(line_editor, "reader", lambda session: read_line)
    session = Session(Screen(), open_engine=lambda _: fake)
    assert list(repl._lines(session)) == []

    def watched(session: Session, line: str) -> bool:
        with interrupted_by_hangup():
            return bool(read_line())

    monkeypatch.setattr(repl, "_execute", watched)
    assert repl.execute(session, "watch last") is False


@pytest.fixture
def in_time() -> Iterator[None]:
    """A prompt that waits for a key nobody will press fails instead."""

    def late(number: int, frame: object) -> None:
        raise TimeoutError("nothing came out of the prompt")

    former = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, former)


@pytest.mark.usefixtures("in_time")
def test_colours_in_what_is_pasted_are_no_mouse(
    fake: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("why \x1b[31mdo files get corrupted\r")
        assert (
            line_editor.reader(Session(Screen(), open_engine=lambda _: fake))()
            == "why do files get corrupted"
        )
    assert "Exception" not in "".join(capfd.readouterr())
