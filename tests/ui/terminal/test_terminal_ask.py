"""Asking at the terminal: follow, ask, list, load, save, analyst, image, vision, over a real
engine."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import ResearchEngine
from tests.finished import COUNT, record
from tests.model_endpoint import PICTURE, ModelEndpoint
from tests.ui.terminal.conftest import Ran, Terminal
from ui.terminal.main import main
from ui.terminal.render.answer_progress import waiting
from ui.terminal.screen import Screen

ID = "do_grid_scale_batteries_20260101_000000"
Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one research, to be copied."""
    home = tmp_path_factory.mktemp("filled") / "home"
    with ResearchEngine(home=home, overrides={"embeddings.enabled": False}, environ={}) as engine:
        engine.import_record(record())
    return home


@pytest.fixture
def run(filled: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs one command line over an engine that holds one research."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(filled, home)

    def opened(_: Path | None) -> Any:
        return ResearchEngine(home=home, overrides={"embeddings.enabled": False}, environ={})

    def run(*argv: str, keys: str = "") -> Ran:
        screen = Screen(Terminal(), Terminal(), Terminal(keys))
        code = main(list(argv), screen=screen, open_engine=opened)
        return Ran(code, screen.out.getvalue(), screen.err.getvalue())  # type: ignore[attr-defined]

    return run


@pytest.fixture
def model(home: Path, run: Run) -> Iterator[ModelEndpoint]:
    """A model that repeats the question, with an escape sequence, for every role."""
    with ModelEndpoint(lambda request: f"You asked: {request.question[:60]}\x1b[31m") as endpoint:
        for role in ("reasoning", "vision", "image_generation"):
            assert run("models", "set", role, endpoint.url, "small").code == 0
        yield endpoint


def test_last_means_the_last_report_whatever_was_talked_about_since(
    run: Run, model: ModelEndpoint
) -> None:
    assert run("ask", "What is a mill?").code == 0
    ran = run("follow", "last", COUNT, "--json")
    assert json.loads(ran.out)["research_id"] == ID


def test_sentences_that_passed_are_drawn_while_the_answer_comes() -> None:
    screen = Screen(Terminal(), Terminal(), Terminal(""))
    with waiting(screen) as shown:
        shown.step("Checking 2 sentences.")
        shown.sentence("Batteries lowered\x1b[31m the price. [S1] ")
        rows = shown.rows()
        assert rows[0].startswith("Checking 2 sentences.") and "Batteries lowered" in rows[1]
        assert "\x1b" not in "".join(rows) and len(shown.rows()) < 10


def test_a_research_answers_with_its_sources(run: Run) -> None:
    ran = run("follow", ID, COUNT)
    assert ran.code == 0
    assert "The monitor counted 40 batteries in Norland." in " ".join(
        ran.out.split("Sources")[0].split()
    )
    assert "\n  [S" in ran.out and "Monitor" in ran.out.split("Sources")[1]
    assert f"> {COUNT}" in run("follow", ID, "--list").out and f"> {COUNT}" in run("show", ID).out
    payload = json.loads(run("follow", ID, COUNT, "--json").out)
    assert (
        payload["found"]
        and payload["number"] == 2
        and "40 batteries" in payload["turn"]["answer"]["passages"][0]["text"]
    )


def test_what_is_not_answered_says_how_to_search_further(run: Run) -> None:
    ran = run("follow", ID, "Who is the king of France?")
    assert ran.code == 4 and ran.out.startswith("Not found: ") and "3 texts searched" in ran.out
    assert "--further" in ran.err


@pytest.mark.parametrize(
    ("argv", "status", "message"),
    [
        (("follow", ID), 2, "Write what you want to ask"),
        (("follow", "nothing", "Why?"), 1, "no report called"),
        (("ask",), 2, "Write what you want to ask"),
        (("ask", "Hello"), 1, "No model is configured"),
        (("load",), 2, "No conversation yet"),
        (("image", "a", "mill"), 1, "No model is configured for making images"),
        (("vision", "none.png"), 1, "cannot be read"),
        (("analyst", "What does the plan say?"), 1, "no document in the library"),
        (("analyst", "What?"), 1, "What do you want to find out?"),
        (("search", "ls"), 1, "What do you want to find out?"),
        (("research", "What does /etc/passwd say?", "--brief"), 1, "none of your document folders"),
        (("academic",), 2, "Write what you want to ask"),
        (("search", "  "), 2, "Write what you want to ask"),
    ],
)
def test_what_cannot_be_asked_is_answered_in_words(
    run: Run, argv: tuple[str, ...], status: int, message: str
) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (status, "") and message in ran.err


def test_a_conversation_at_the_prompt_goes_on_is_named_and_reopened(
    run: Run, model: ModelEndpoint
) -> None:
    ran = run(keys='/ask What is a "mill"?\n/ask And a dam?\n/save water things\n/list\n/exit\n')
    assert 'You asked: What is a "mill"?␛[31m' in ran.out  # nothing of a model moves the cursor
    assert 'What is a "mill"?' in model.calls[1].text  # the second question goes on with the first
    assert ran.out.count("what_is_a_mill_") == 1
    ran = run("load", "water", "things")
    assert "> And a dam?" in ran.out
    ran = run(keys="/load @water things\n/ask More?\n/exit\n")
    assert "And a dam?" in model.calls[-1].text
    shown = run("show", "@water things").out
    assert (
        "> And a dam?" in shown
        and "Quality" not in shown
        and "depth" not in shown
        and "source" not in shown
    )
    assert run("load", ID).out.startswith("Do grid-scale batteries")
    assert json.loads(run("load", ID, "--json").out)["research_id"] == ID
    payload = json.loads(run("ask", "Hello", "--json").out)
    assert payload["turn"]["text"].startswith("You asked: Hello") and payload[
        "conversation_id"
    ].startswith("hello_")


def test_pictures_are_written_once_and_described(run: Run, model: ModelEndpoint) -> None:
    assert run("image", "a mill", "-o", "mill.png").out.strip() == "mill.png"
    assert Path("mill.png").read_bytes() == PICTURE
    assert "exists already" in run("image", "a mill", "-o", "mill.png").err
    name = run("image", "a mill").out.strip()
    assert name.startswith("picture_") and Path(name).read_bytes() == PICTURE
    assert "You asked: What is it?" in run("vision", "mill.png", "What", "is", "it?").out


def test_tools_are_called_by_hand_and_ask_before_they_write(
    run: Run, home: Path, tmp_path: Path
) -> None:
    listed = run("tool").out
    assert (
        "search_documents\tread\t" in listed and "write_file" not in listed
    )  # nobody is there who could be asked
    assert "is not offered here" in run("tool", "bash", '{"command": "ls"}').err
    assert (
        run("tool", "read_file").code == 2
        and 'read_file {"path": "..."}' in run("tool", "read_file").err
    )
    assert json.loads(run("tool", "search_history", "{}", "--json").out)["tool"] == "search_history"
    expected = '/tool write_file {"path": "%s", "content": "hello\\u001b[31m"}\n%s\n'
    keys = (
        expected % ("no.md", "n")
        + expected % ("yes.md", "y")
        + '/tool read_file {"path": "yes.md"}\n'
    )
    keys += (
        '/tool run_shell {"command": "ls no.md"}\n\n/tool edit_file {"path": "yes.md"}\n/tool pwd\n'
    )
    out, err = Terminal(), Terminal(tty=True)

    def opened(_: Path | None) -> Any:
        return ResearchEngine(home=home, overrides={"embeddings.enabled": False}, environ={})

    main([], screen=Screen(out, err, Terminal(keys, tty=True)), open_engine=opened)
    assert not (tmp_path / "no.md").exists() and (tmp_path / "yes.md").read_text().startswith(
        "hello"
    )
    errors = err.getvalue()
    assert "content: hello␛[31m" in errors and f"write_file in {tmp_path}? [y/N]" in errors
    assert (
        errors.count("Nothing was done.") == 2
        and "1    hello" in out.getvalue()
        and str(tmp_path) in out.getvalue()
    )
    assert "as JSON" in errors or " lacks " in errors


def test_a_text_that_is_piped_in_answers_the_question(run: Run) -> None:
    minutes = (
        "# Minutes of May\n\nThe board decided to fit 120 heat pumps. Nobody was against it.\n"
    )
    words = (
        "research",
        "How many heat pumps did the board decide to fit?",
        "-",
        "--brief",
        "--depth",
        "1",
    )
    ran = run(*words, keys=minutes)
    assert (
        ran.code == 0
        and "The board decided to fit 120 heat pumps." in ran.out
        and "piped text" in ran.out
    )
    assert "Norland" not in ran.out  # no other document is asked
    ran = run("research", "-", *words[1:2], *words[3:], keys=minutes)
    assert "The board decided to fit 120 heat pumps." in ran.out and "Norland" not in ran.out
    ran = run(*words)
    assert ran.code == 2 and "Nothing came through the pipe" in ran.err


def test_what_is_no_text_is_refused_and_not_kept(run: Run) -> None:
    before = run("library", "--json").out
    ran = run("research", "What was decided?", "-", keys="\x7fELF\x02\x01\x01\x00\x00" * 200)
    assert ran.code == 2 and "What came through the pipe cannot be read" in ran.err
    assert run("library", "--json").out == before
