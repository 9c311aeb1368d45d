"""Every command through `main`, over an engine of values: what it prints where, and how it ends."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.answers import JobStatus
from engine.models import Cancelled, StorageError
from ui.terminal.command_table import COMMANDS, suggestion
from ui.terminal.screen import ProgressLine

SLEEP = "sleep_and_memory_20260102_101500"
TEA = "tea_and_iron_20260103_090000"
Run = Callable[..., Any]


def test_a_research_prints_the_report_on_standard_output_and_progress_on_standard_error(
    zorora: Run,
) -> None:
    ran = zorora("research", "How does sleep help memory?")
    assert ran.code == 0
    for part in (
        SLEEP,
        "31 s",
        "[S1,S2]",
        "Verdict: contested",
        "Where sources disagree",
        "zorora show",
        "findings",
    ):
        assert part in ran.out, part
    assert "OpenAlex: 12 hits" in ran.err and "OpenAlex" not in ran.out


def test_facts_stand_above_and_the_way_back_below(zorora: Run) -> None:
    out = zorora("research", "q").out
    first = ("How does sleep help memory?", SLEEP, "2026-01-02", "31 s", "5 sources", "depth 2")
    places = [
        out.index(part) for part in (*first, "Key findings", "http://localhost:5000/research/")
    ]
    assert places == sorted(places)


def test_json_leaves_standard_output_to_the_record(zorora: Run, fake: Any) -> None:
    ran = zorora("research", "q", "--json", "--with-snapshots")
    assert json.loads(ran.out)["format"] == "zorora-research/1"
    assert ("export", SLEEP, "json", True) in fake.calls


@pytest.mark.parametrize(
    ("status", "ended_by", "code"),
    [
        ("complete", None, 0),
        ("partial", "limit", 3),
        ("partial", "user", 130),
        ("cancelled", "user", 130),
        ("failed", "error", 1),
    ],
)
def test_the_exit_status_says_how_it_ended(
    zorora: Run, fake: Any, status: str, ended_by: str | None, code: int
) -> None:
    fake.result = replace(fake.states[SLEEP], status=status, ended_by=ended_by)
    assert zorora("research", "q").code == code


def test_an_interrupt_ends_with_130(zorora: Run, fake: Any) -> None:
    fake.raises = KeyboardInterrupt()
    assert zorora("research", "q").code == 130
    fake.raises = Cancelled("Stopped.")
    assert zorora("research", "q").code == 130


def test_all_flags_of_a_research_reach_the_engine(zorora: Run, fake: Any) -> None:
    line = (
        "research what is tea --depth 3 --sources local,web --docs a b --offline --since 2024 "
        "--until 2025-06"
        " --site a.org --site b.org --exclude-site c.org --lang en --url https://a.org/x --lean "
        "--workers 1"
        " --no-follow --no-cross-reference --max-sources 9 --no-clarify"
    )
    assert zorora(*line.split()).code == 0
    request = fake.requests[0]
    options = request.options
    assert request.query == "what is tea"
    assert (options.depth, options.sources, options.docs, options.offline) == (
        3,
        ("local", "web"),
        ("a", "b"),
        True,
    )
    assert (options.filters.since, options.filters.until, options.filters.sites) == (
        "2024",
        "2025-06",
        ("a.org", "b.org"),
    )
    assert (options.filters.exclude_sites, options.filters.lang) == (("c.org",), "en")
    assert (options.lean, options.workers, options.follow, options.cross_reference) == (
        True,
        1,
        False,
        False,
    )
    assert (options.max_sources, options.clarify, options.filters.urls) == (
        9,
        False,
        ("https://a.org/x",),
    )


def test_a_piped_run_never_asks_back_and_one_on_a_terminal_may(zorora: Run, fake: Any) -> None:
    zorora("research", "q")
    zorora("research", "q", tty=True)
    zorora("research", "q", "--json", tty=True)
    assert [request.options.clarify for request in fake.requests] == [False, None, False]


def test_a_run_that_asks_is_answered_and_goes_on(zorora: Run, fake: Any) -> None:
    fake.result = replace(
        fake.states[SLEEP], research_id="w_20260104_000000", status="waiting_for_input"
    )
    fake.waiting["w_20260104_000000"] = JobStatus(
        "w_20260104_000000",
        "q",
        "waiting_for_input",
        2,
        "2026-01-04",
        question="Which one?",
        choices=("A", "B"),
    )
    ran = zorora("research", "q", tty=True, keys="2\n")
    assert ("clarify", "w_20260104_000000", "2") in fake.calls
    assert ran.code == 0 and "Which one?" in ran.err and "2. B" in ran.err


def test_a_watched_run_that_asks_ends_as_it_ends(zorora: Run, fake: Any) -> None:
    fake.waiting[SLEEP] = JobStatus(SLEEP, "q", "waiting_for_input", 2, "2026-01-04")
    fake.states[SLEEP] = replace(fake.states[SLEEP], status="partial")
    fake.clarify = lambda research_id, answer: fake.waiting.pop(research_id)
    assert zorora("watch", SLEEP, tty=True, keys="1\n").code == 3


def test_verbose_runs_tell_how_scores_came_about(zorora: Run) -> None:
    ran = zorora("research", "q", "-v")
    assert (
        "score S1   Sleep and the consolidation of memory: Base: 0.85" in ran.err
        and "score" not in zorora("research", "q").err
    )


def test_detach_prints_the_id_alone(zorora: Run) -> None:
    ran = zorora("research", "q", "--detach")
    assert ran.out == f"{SLEEP}\n" and "zorora watch" in ran.err


def test_an_export_is_written_whole(zorora: Run, tmp_path: Path) -> None:
    target = tmp_path / "r.md"
    assert zorora("research", "q", "-o", str(target)).code == 0
    assert target.read_text().startswith("# How does")
    assert [path.name for path in tmp_path.iterdir()] == ["r.md"]
    assert zorora("export", SLEEP, "html", "-o", str(tmp_path)).code == 0
    assert (tmp_path / f"{SLEEP}.html").exists()


def test_a_place_that_cannot_be_written_is_refused_before_the_work(zorora: Run, fake: Any) -> None:
    ran = zorora("research", "q", "-o", "/no/such/folder/r.md")
    assert ran.code == 2 and not fake.requests
    assert zorora("research", "q", "--format", "docs").code == 2 and not fake.requests


def test_history_lists_newest_first_and_tabs_when_piped(zorora: Run) -> None:
    lines = zorora("history").out.splitlines()
    assert [line.split("\t")[0] for line in lines] == [TEA, SLEEP]
    assert (
        json.loads(zorora("history", "--json").out)["entries"][0]["title"] == "How does sleep help?"
    )
    assert [line.split("\t")[3] for line in lines] == ["", "0.66"]  # nobody judged the first
    assert "deep \x1b[36msleep\x1b[0m and" in zorora("history", "sleep", tty=True).out
    assert zorora("history", "--limit", "1").err.strip().endswith("--before cursor")


def test_an_empty_history_is_told_from_one_where_nothing_matches(zorora: Run, fake: Any) -> None:
    fake.states.clear()
    assert "No reports yet." in zorora("history", "--limit", "3").err
    for words in (("tea",), ("--starred",), ("--source-type", "academic"), ("--bin",)):
        assert "Nothing matches." in zorora("history", *words).err, words


@pytest.mark.parametrize("reference", [SLEEP, "sleep", "last", ""])
def test_a_research_is_found_by_id_beginning_or_as_the_last(
    zorora: Run, fake: Any, reference: str
) -> None:
    if reference in ("last", ""):
        fake.states.pop(TEA)
    assert "How does sleep help memory?" in zorora("show", *([reference] if reference else [])).out


def test_marks(zorora: Run, fake: Any) -> None:
    assert zorora("star", SLEEP).code == 0 and fake.states[SLEEP].user.starred
    assert zorora("star", SLEEP, "--off").code == 0 and not fake.states[SLEEP].user.starred
    assert zorora("tag", SLEEP, "a,b", "c").code == 0 and fake.states[SLEEP].user.tags == (
        "health",
        "a",
        "b",
        "c",
    )
    assert zorora("tag", SLEEP).out == "health, a, b, c\n"
    assert zorora("tag", SLEEP, "--clear").code == 0 and fake.states[SLEEP].user.tags == ()
    assert (
        zorora("note", SLEEP, "look", "again").code == 0
        and zorora("note", SLEEP).out == "look again\n"
    )


def test_delete_and_undelete(zorora: Run, fake: Any) -> None:
    assert zorora("delete").code == 2
    assert zorora("delete", TEA).code == 0 and TEA in fake.bin
    assert zorora("undelete", TEA).code == 0 and TEA in fake.states
    assert zorora("delete", TEA, "--now", tty=True, keys="no\n").code == 0 and TEA in fake.states
    assert (
        zorora("delete", TEA, "--now").code == 0 and TEA not in fake.states and TEA not in fake.bin
    )


def test_jobs_cancel_watch_answer_and_resume(zorora: Run, fake: Any) -> None:
    assert "Nothing is running" in zorora("jobs").err
    fake.waiting["w_20260104_000000"] = JobStatus(
        "w_20260104_000000", "Who?", "waiting_for_input", 2, "2026-01-04"
    )
    assert zorora("jobs").out.startswith("w_20260104_000000\twaiting for input")
    assert zorora("answer", "last", "the", "first").code == 0
    assert ("clarify", "w_20260104_000000", "the first") in fake.calls
    assert zorora("answer", "last").code == 2
    assert zorora("cancel", "w_20260104_000000").code == 0
    ran = zorora("watch", SLEEP)
    assert ran.code == 0 and "arXiv: timed out" in ran.err
    assert zorora("resume", SLEEP, "--force").code == 0 and ("resume", SLEEP, True) in fake.calls


def test_an_ingest_that_is_stopped_says_what_is_there(zorora: Run, fake: Any) -> None:
    fake.stops_ingest_after = 1
    ran = zorora("ingest", "a.txt", "b.pdf")
    assert ran.code == 130
    assert (
        "Stopped after 1 of 2 files. They are in the library; run the same command again to "
        "continue." in ran.err
    )


def test_progress_groups_the_digits_of_large_counts() -> None:
    screen = SimpleNamespace(live=True, err=io.StringIO())
    ProgressLine(screen).show("a.txt", 1234, 20003)  # type: ignore[arg-type]
    assert "1,234 of 20,003  a.txt" in screen.err.getvalue()


def test_ingest_waits_for_search_by_meaning_until_it_is_ready_stuck_or_stopped(
    zorora: Run, fake: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.terminal.commands.library.LOOK_SECONDS", 0.0)
    counts = iter([(0, 40), (16, 40), (40, 40)])

    def preparing(begin: bool = False) -> tuple[int, int]:
        if begin:
            fake.vectors = next(counts)
        return fake.vectors

    fake.preparing = preparing
    ran = zorora("ingest", "--wait", tty=True)
    assert ran.code == 0 and fake.vectors == (40, 40) and "by meaning" not in ran.out
    assert "16 of 40  passages prepared" in ran.err and "still being prepared" not in ran.err

    def stopped(begin: bool = False) -> tuple[int, int]:
        if begin:
            raise KeyboardInterrupt
        return 16, 40

    fake.preparing = stopped
    ran = zorora("ingest", "a.txt", "--wait")
    assert ran.code == 0 and "(16 of 40)" in ran.err and "zorora ingest --wait" in ran.err
    fake.preparing = lambda begin=False: (16, 40)
    monkeypatch.setattr("ui.terminal.commands.library.STUCK_SECONDS", 0.0)
    assert "(16 of 40)" in zorora("ingest", "--wait").err
    assert ("prepare_after_exit",) not in fake.calls
    assert "(16 of 40). It goes on in the background" in zorora("ingest", "a.txt").err
    assert fake.calls[-1] == ("prepare_after_exit",)


def test_documents(zorora: Run, fake: Any) -> None:
    ran = zorora("ingest", "a.txt", "b.pdf")
    assert (
        ran.code == 0
        and "old/index.pdf: The file is damaged." in ran.err
        and "c.zip, in part: x.png: A picture." in ran.err
    )
    assert ran.out.split("\n") == [
        "added\ta.txt\t2026-01-01\tMy notes", "added\tc.zip\t(2020)\tOld things",
        "2 added, 1 refused", ""
    ]  # fmt: skip
    files = json.loads(zorora("ingest", "a.txt", "--json").out)["files"]
    assert [(file["name"], file["status"], file["reason"]) for file in files][1] == (
        "index.pdf", "refused", "The file is damaged."
    )  # fmt: skip
    assert "by meaning" not in ran.err and "words alone" not in ran.err
    fake.vectors, fake.words_alone = (80, 2400), "Search is by words alone."
    ran = zorora("ingest", "a.txt", "b.pdf")
    assert "Search is by words alone." in ran.err
    assert (
        "Search by meaning is still being prepared (80 of 2,400). It goes on in the background"
        in ran.err
    )
    assert zorora("ingest").code == 2
    assert zorora("library").out.split("\t")[3] == "notes.md"
    assert "  notes.md · 2 kB · d1" in zorora("library", tty=True).out
    assert (
        "Sleep" in zorora("library", "sleep").out
        and "Sleep" in zorora("library", "sleep", tty=True).out
    )
    assert zorora("library", "--add", "papers").code == 0 and ("root", "papers") in fake.calls
    assert zorora("library", "--folders").out == "papers\n"
    near = replace(fake.search_library("sleep")[0], text="Rest is what counts")
    fake.search_library = lambda query, limit=20: [near]
    assert (
        "No passage contains these words. Closest in meaning:"
        in zorora("library", "xyzzyqwert").err
    )
    assert json.loads(zorora("sources", "--json").out)[0]["name"] == "openalex"


def test_settings_and_keys(zorora: Run, fake: Any) -> None:
    assert zorora("config", "get", "research.depth").out == "2\n"
    assert (
        zorora("config", "set", "research.depth", "3").code == 0
        and zorora("config", "get", "research.depth").out == "3\n"
    )
    assert zorora("config", "path").out.endswith("config.toml\n")
    assert zorora("config", "list", "web").out.startswith("web.port\t5000")
    assert "Did you mean research.depth?" in zorora("config", "get", "research.dept").err
    assert zorora("config", "set", "research.depth").code == 2
    assert zorora("keys", "set", "BRAVE_SEARCH_API_KEY", keys="secret\n").code == 0
    assert ("key", "BRAVE_SEARCH_API_KEY", "secret") in fake.calls
    assert zorora("keys", "set", "BRAVE").code == 2
    assert "secret" not in zorora("keys").out


def test_upkeep(zorora: Run, tmp_path: Path) -> None:
    ran = zorora("doctor")
    assert ran.code == 1 and "PROBLEM  disk: full" in ran.out and "Free some space." in ran.out
    assert zorora("repair-db").out == "2 reports were indexed again.\n"
    assert zorora("backup", str(tmp_path / "b.db")).out.endswith("b.db\n")
    assert zorora("restore", str(tmp_path / "none.db")).code == 1
    assert zorora("worker", SLEEP).code == 0
    # What a worker prints goes into the log
    busy = zorora("worker", "my_secret_question_20261014_140200")
    assert (
        busy.code == 0
        and "already being worked on" in busy.err
        and "my_secret_question" not in busy.err + busy.out
    )
    assert zorora("version").out.startswith("zorora ") and "sqlite" in json.loads(
        zorora("version", "--json").out
    )


def test_the_doctor_answers_even_when_nothing_can_be_opened(zorora: Run) -> None:
    ran = zorora("doctor", fault=StorageError("zorora.db is damaged."))
    assert ran.code == 1 and "zorora.db is damaged." in ran.out


def test_route_prints_the_rule(zorora: Run) -> None:
    assert zorora("route", "why do files get corrupted").out.split("\t")[:3] == [
        "research",
        "research",
        "everything else",
    ]
    assert json.loads(zorora("route", "draw a cat", "--json").out)["workflow"] == "image"


def test_a_mistyped_command_or_flag_names_the_nearest(zorora: Run) -> None:
    assert "Did you mean history?" in zorora("histroy").err
    assert zorora("histroy").code == 2
    assert "Did you mean academic?" in zorora("research", "q", "--sources", "acadmic").err


def test_help_shows_all_commands_and_each_one(zorora: Run) -> None:
    overview = zorora("help").out
    for command in COMMANDS:
        assert f"  {command.name} " in overview
        ran = zorora(command.name, "--help")
        assert ran.code == 0 and f"zorora {command.name}" in ran.out
    assert zorora("help", "research").code == 0
    assert zorora("help", "nothing").code == 2


def test_every_command_names_a_function() -> None:
    for command in COMMANDS:
        module, _, name = command.function.partition(".")
        assert callable(getattr(import_module(f"ui.terminal.commands.{module}"), name))


def test_the_engine_is_closed_again(zorora: Run, fake: Any) -> None:
    zorora("history")
    assert fake.closed


def test_every_command_has_an_example_and_a_beginning_finds_its_command() -> None:
    assert [command.name for command in COMMANDS if not command.examples] == ["worker"]
    assert suggestion("hist", repl=True) == "history" and suggestion("reserch") == "research"
    assert suggestion("x") is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"star {SLEEP} --json", {"research_id": SLEEP, "starred": True}),
        (f"tag {SLEEP} health --json", {"research_id": SLEEP, "tags": ["health"]}),
        (f"tag {TEA} --json", {"research_id": TEA, "tags": ["health"]}),
        (f"note {SLEEP} read again --json", {"research_id": SLEEP, "note": "read again"}),
        (f"note {TEA} --json", {"research_id": TEA, "note": "Read again."}),
        (f"delete {SLEEP} --json", {"research_id": SLEEP, "in_bin": True}),
        (
            f"export {SLEEP} html -o OUT --json",
            {"research_id": SLEEP, "format": "html", "file": "OUT"},
        ),
        ("export --list --json", {"format": "md", "label": "Markdown", "suffix": ".md"}),
        ("config path --json", {"path": "HOME/config.toml"}),
        ("backup --json", {"file": "backups/zorora.db"}),
    ],
)
def test_what_changes_something_answers_scripts(
    zorora: Run, fake: Any, tmp_path: Path, line: str, expected: dict[str, Any]
) -> None:
    ran = zorora(*line.replace("OUT", str(tmp_path / "a.html")).split())
    payload = json.loads(ran.out)
    payload = payload[0] if isinstance(payload, list) else payload
    assert ran.code == 0 and ran.err == ""
    for name, value in expected.items():
        if isinstance(value, str) and value.startswith(("OUT", "HOME")):
            assert payload[name].startswith(str(tmp_path)) and Path(payload[name]).name, payload
        else:
            assert payload[name] == value


def test_clearing_tags_keeps_the_name_that_was_given(zorora: Run, fake: Any) -> None:
    fake.tag(SLEEP, ("@naps", "health"))
    zorora("tag", SLEEP, "--clear", "review")
    assert fake.states[SLEEP].user.tags == ("@naps", "review")


def test_a_file_is_not_given_the_name_of_another_format(zorora: Run, tmp_path: Path) -> None:
    ran = zorora("export", SLEEP, "json", "-o", str(tmp_path / "x.html"))
    assert (
        ran.code == 2
        and "a name for html, not for json" in ran.err
        and not (tmp_path / "x.html").exists()
    )
    assert zorora("export", SLEEP, "json", "-o", str(tmp_path / "x.txt")).code == 0
    assert "needs -o FILE" in zorora("export", SLEEP, "html", "--json").err


def test_a_conversation_in_the_history_has_no_depth_and_no_sources(zorora: Run, fake: Any) -> None:
    fake.states[TEA] = replace(fake.states[TEA], kind="ask")
    fake.states[SLEEP] = replace(fake.states[SLEEP], kind="search")
    shown = zorora("history", tty=True).out
    assert (
        "· conversation · #health" in shown
        and "· quick search · " in shown
        and "depth" not in shown
    )


def test_a_question_needs_no_command_and_a_mistyped_command_starts_nothing(
    zorora: Run, fake: Any
) -> None:
    assert (
        zorora("How does sleep help memory?", "--depth", "1").code == 0
        and zorora("sleep?").code == 0
    )
    assert [(request.query, request.options.depth) for request in fake.requests] == [
        ("How does sleep help memory?", 1),
        ("sleep?", None),
    ]
    for words in (("histroy",), ("/show last",), ("sleep", "and", "memory")):
        assert zorora(*words).code == 2
    assert len(fake.requests) == 2
