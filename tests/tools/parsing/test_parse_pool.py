"""The bounded child processes: limits, crashes, threads, and that nothing is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import warm_start
from tools.documents import parse_pool, parse_wire
from tools.documents.parse_pool import ParsePool
from tools.documents.parse_processes import Limits
from tools.errors import ParseError

ROOT = Path(__file__).resolve().parents[3]
PAGE = (
    b"<html><head><title>T</title></head><body><h1>Head</h1><p>A sentence of this page, long "
    b"enough.</p></body></html>"
)
SLOW = b'a,b\n"' + b"x,y\n" * 5_000_000  # a table whose quotes are broken: seconds of work
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@pytest.fixture(scope="module", autouse=True)
def own_templates() -> Iterator[None]:
    """Each pool starts a template of its own, as in the program."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parse_pool, "_new_template", warm_start.open_template)
        yield


@pytest.fixture(scope="module")
def shared_pool() -> Iterator[ParsePool]:
    """A pool of two readers for tests that leave it whole."""
    with ParsePool() as pool:
        yield pool


@pytest.fixture
def others() -> set[int]:
    """Templates that were there before the test."""
    return templates() if sys.platform == "linux" else set()


@pytest.fixture
def pool(others: set[int]) -> Iterator[ParsePool]:
    """A pool of two readers."""
    with ParsePool() as pool:
        yield pool


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(pid: int) -> list[int]:
    return [
        int(p.name)
        for p in Path("/proc").iterdir()
        if p.name.isdigit() and parent_of(int(p.name)) == pid
    ]


def templates() -> set[int]:
    """The children of this process that run our template."""
    return {
        pid
        for pid in children(os.getpid())
        if b"parse_worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    }


def readers(of: set[int]) -> list[int]:
    """The readers that were forked from some templates."""
    return [reader for pid in of for reader in children(pid)]


def computed(pid: int) -> float:
    """Seconds of work that a process has done."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def gone(pids: list[int], seconds: float = 60.0) -> bool:
    """Whether all processes end within some seconds."""
    end = time.monotonic() + seconds
    while any(alive(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(alive(pid) for pid in pids)


def run(script: str, *, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """A Python program of its own that uses the pool."""
    environment = {"PYTHONPATH": str(ROOT), "PATH": os.defpath, "ZORORA_SECRET": "hidden"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment,
    )


def test_bytes_become_text(shared_pool: ParsePool) -> None:
    extracted = shared_pool.parse(b"One line.\r\nAnother.", name="a.txt")
    assert extracted.text == "One line.\n\nAnother."
    assert extracted.media_type == "text/plain"


def test_small_files_travel_in_one_message(
    shared_pool: ParsePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[object] = []
    send = parse_wire.send

    def counted(*arguments: object) -> None:
        messages.append(arguments)
        send(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(parse_wire, "send", counted)
    files = [
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 50 if n == 7 else b"Note %d." % n, f"{n}.txt")
        for n in range(30)
    ]
    results = shared_pool.parse_all(files)
    assert isinstance(results[7], ParseError) and "image" in str(results[7])
    texts = {
        n: result.text for n, result in enumerate(results) if not isinstance(result, ParseError)
    }
    assert texts == {n: f"Note {n}." for n in range(30) if n != 7}
    assert len(messages) == 1 and shared_pool.parse_all([]) == []


@pytest.mark.lab
def test_a_file_that_ends_its_reader_takes_no_other_with_it() -> None:
    with ParsePool(seconds=0.2) as pool:
        before, slow, after = pool.parse_all(
            [(b"before", "a.txt"), (SLOW, "slow.csv"), (b"after", "b.txt")]
        )
    assert isinstance(slow, ParseError) and "of computing time" in str(slow)
    assert [outcome.text for outcome in (before, after) if not isinstance(outcome, ParseError)] == [
        "before",
        "after",
    ]


def test_a_format_is_imported_with_its_first_file() -> None:
    listed = (
        "print(*(name for name in sys.modules if "
        "name.startswith('tools.documents.parsers.')), sep=' ')"
    )
    loaded = run(f"import sys\nimport tools.documents.parse_worker\n{listed}").stdout.split()
    rooms = {name.split(".")[3] for name in loaded}
    assert "formats" in rooms and rooms.isdisjoint(("html", "office", "pdf", "scholarly", "text"))


def test_a_page_comes_back_with_its_structure(shared_pool: ParsePool) -> None:
    page = PAGE.replace(b"</p>", b' <a href="/next">more</a></p>')
    extracted = shared_pool.parse(
        page, media_type="text/html; charset=utf-8", url="https://example.org/a/"
    )
    assert extracted.title == "T"
    assert [section.title for section in extracted.sections] == ["Head"]
    assert [link.url for link in extracted.links] == ["https://example.org/next"]


def test_a_refusal_is_a_sentence_and_the_pool_goes_on(shared_pool: ParsePool) -> None:
    with pytest.raises(ParseError, match="image"):
        shared_pool.parse(b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, name="a.txt")
    assert shared_pool.parse(b"still here", name="b.txt").text == "still here"


def test_a_file_beyond_the_size_limit_is_refused_unread() -> None:
    with ParsePool(max_mb=1) as pool, pytest.raises(ParseError, match="limit is 1 MB"):
        pool.parse(b"x" * 1_100_000, name="a.txt")


@pytest.mark.lab
def test_a_file_that_takes_too_long_is_stopped() -> None:
    with ParsePool(seconds=0.4) as pool:
        with pytest.raises(ParseError, match=r"more than 0\.4 s of computing time"):
            pool.parse(SLOW, name="slow.csv")
        pool._readers.limits = Limits()  # the next one has time, however busy the machine is
        assert pool.parse(b"next", name="a.txt").text == "next"


@pytest.mark.lab
@linux
@linux
def test_a_machine_that_is_busy_with_other_things_refuses_no_file(others: set[int]) -> None:
    with ParsePool(workers=1, seconds=1.0) as pool, ThreadPoolExecutor(1) as thread:
        pool.parse(b"warm", name="a.txt")
        reader = readers(templates() - others)[0]
        before = computed(reader)
        os.kill(reader, signal.SIGSTOP)  # as if other programs had the processors
        waiting = thread.submit(pool.parse, b"Some words.", name="b.txt")
        time.sleep(1.3)
        os.kill(reader, signal.SIGCONT)
        assert waiting.result(30).text == "Some words." and computed(reader) - before < 1.0


@pytest.mark.lab
def test_a_file_that_needs_too_much_memory_is_refused() -> None:
    with ParsePool(memory_mb=60) as pool:
        with pytest.raises(ParseError, match="60 MB"):
            pool.parse(b"[" + b",".join([b'{"a":"b"}'] * 400_000) + b"]", name="a.json")
        assert pool.parse(b"next", name="a.txt").text == "next"


@linux
def test_nothing_starts_before_the_first_parse_and_nothing_stays_after_close(
    others: set[int],
) -> None:
    pool = ParsePool()
    assert templates() == others
    pool.parse(b"text", name="a.txt")
    started = templates() - others
    assert len(started) == 1
    forked = readers(started)
    pool.close()
    pool.close()
    assert gone([*started, *forked])
    with pytest.raises(ParseError, match="closed"):
        pool.parse(b"text", name="a.txt")


@linux
def test_a_reader_killed_while_idle_costs_nothing(others: set[int], pool: ParsePool) -> None:
    pool.parse(b"text", name="a.txt")
    for pid in readers(templates() - others):
        os.kill(pid, signal.SIGKILL)
    assert pool.parse(b"more", name="a.txt").text == "more"


@pytest.mark.lab
@linux
def test_a_reader_killed_at_work_costs_that_file_only(others: set[int], pool: ParsePool) -> None:
    failures: list[ParseError] = []

    def read() -> None:
        try:
            pool.parse(SLOW, name="slow.csv")
        except ParseError as exc:
            failures.append(exc)

    thread = threading.Thread(target=read)
    thread.start()
    while not (working := [pid for pid in readers(templates() - others) if computed(pid) > 0.05]):
        time.sleep(0.01)
    for pid in working:
        os.kill(pid, signal.SIGKILL)
    thread.join(60)
    assert "SIGKILL" in str(failures[0])
    assert pool.parse(b"more", name="a.txt").text == "more"


@pytest.mark.lab
@linux
def test_a_killed_template_is_replaced(others: set[int], pool: ParsePool) -> None:
    pool.parse(b"text", name="a.txt")
    started = templates() - others
    forked = readers(started)
    for pid in started:
        os.kill(pid, signal.SIGKILL)
    assert gone(forked)
    assert pool.parse(b"more", name="a.txt").text == "more"
    assert pool.parse(PAGE, name="a.html").title == "T"


def test_a_page_has_twenty_seconds_and_half_a_gigabyte_and_a_reader_two_hundred_files() -> None:
    with ParsePool() as pool:
        limits = pool._readers.limits
    assert (limits.seconds, limits.memory_mb, limits.recycle) == (20.0, 512, 200)
    assert limits == Limits()


@pytest.mark.lab
@linux
def test_readers_are_replaced_after_so_many_files(others: set[int]) -> None:
    seen: set[int] = set()
    with ParsePool(workers=1, recycle=2) as pool:
        for _ in range(6):
            pool.parse(b"text", name="a.txt")
            forked = readers(templates() - others)
            seen.update(forked)
            assert len(forked) <= 1
    assert len(seen) >= 2


def test_six_threads_share_two_readers(others: set[int], pool: ParsePool) -> None:
    def read(number: int) -> str:
        if number % 5 == 0:
            return pool.parse(PAGE.replace(b"this page", b"page %d" % number), name="a.html").text
        return pool.parse(b"text %d" % number, name="a.txt").text

    with ThreadPoolExecutor(6) as threads:
        texts = list(threads.map(read, range(24)))
    assert all(
        f"page {n}" in text if n % 5 == 0 else text == f"text {n}" for n, text in enumerate(texts)
    )
    if sys.platform == "linux":
        assert len(readers(templates() - others)) <= 2


@pytest.mark.lab
def test_closing_while_a_file_is_read_ends_that_parse() -> None:
    pool = ParsePool()
    failures: list[str] = []

    def read() -> None:
        try:
            pool.parse(SLOW, name="slow.csv")
        except ParseError as exc:
            failures.append(str(exc))

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.5)
    pool.close()
    thread.join(60)
    assert failures and "closed" in failures[0]


@pytest.mark.lab
@linux
def test_a_forked_copy_of_the_program_starts_its_own_readers(pool: ParsePool) -> None:
    pool.parse(b"text", name="a.txt")
    pid = os.fork()
    if not pid:
        try:
            os._exit(0 if pool.parse(b"copy", name="a.txt").text == "copy" else 1)
        finally:
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
    assert pool.parse(b"original", name="a.txt").text == "original"


@pytest.mark.lab
@linux
@pytest.mark.parametrize("busy", [False, True])
def test_children_die_with_a_program_that_is_killed(busy: bool) -> None:
    script = f"""
import threading, time
from tools.documents.parse_pool import ParsePool
pool = ParsePool()
pool.parse(b"text", name="a.txt")
if {busy}:
    threading.Thread(target=pool.parse, args=(b'a,b\\n"' + b"x,y\\n" * 5_000_000,), kwargs={{"name": "a.csv"}}).start()
    time.sleep(0.3)
print("ready", flush=True)
time.sleep(20)
"""  # noqa: E501
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env={"PYTHONPATH": str(ROOT)}
    ) as program:
        assert program.stdout is not None and program.stdout.readline() == b"ready\n"
        started = set(children(program.pid))
        forked = readers(started)
        assert started and forked
        program.kill()
        assert gone([*started, *forked])


@pytest.mark.lab
def test_a_program_that_forgets_to_close_ends_cleanly() -> None:
    done = run(
        'from tools.documents.parse_pool import ParsePool; print(ParsePool().parse(b"text", '
        'name="a.txt").text)'
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "text\n", "")


@pytest.mark.lab
def test_a_daemon_thread_at_work_does_not_hold_up_the_end_of_the_program() -> None:
    done = run("""
import threading, time
from tools.documents.parse_pool import ParsePool
pool = ParsePool()
def read():
    pool.parse(b'a,b\\n"' + b"x,y\\n" * 5_000_000, name="a.csv")
threading.excepthook = lambda *_: None
threading.Thread(target=read, daemon=True).start()
time.sleep(0.5)
""")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_pool_that_ends_while_its_first_reader_starts_warns_of_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pool = ParsePool()

    def end_meanwhile() -> None:
        pool.close()
        raise parse_wire.Closed

    monkeypatch.setattr(parse_pool, "_new_template", end_meanwhile)
    with pytest.raises(ParseError, match=r"^The document reader is closed\.$"):
        pool.parse(b"text", name="a.txt")
    assert not caplog.records


def test_the_main_program_is_not_run_again(tmp_path: Path) -> None:
    script = tmp_path / "console-script"
    script.write_text(
        "print('main runs')\nfrom tools.documents.parse_pool import ParsePool\n"
        "with ParsePool() as pool:\n    print(pool.parse(b'text', name='a.txt').text)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
    )
    assert done.stdout == "main runs\ntext\n"


def test_importing_the_pool_loads_no_extractor() -> None:
    done = run(
        "import sys, tools.documents.parse_pool\n"
        "heavy = {'lxml', 'pypdfium2', 'pylatexenc', 'docutils', 'charset_normalizer'}\n"
        "heavy &= set(sys.modules)\n"
        "print(sorted(heavy))"
    )
    assert done.stdout == "[]\n"


@linux
def test_child_processes_do_not_see_the_environment() -> None:
    done = run("""
import os
from pathlib import Path
from tools.documents.parse_pool import ParsePool
pool = ParsePool()
pool.parse(b"text", name="a.txt")
mine = str(os.getpid())
def parent(p):
    try: return (p / "stat").read_text().rsplit(")", 1)[1].split()[1]
    except OSError: return ""
found = [p for p in Path("/proc").iterdir() if p.name.isdigit() and parent(p) == mine]
print([b"hidden" in (p / "environ").read_bytes() for p in found])
""")
    assert done.stdout == "[False]\n", done.stderr


@pytest.mark.lab
def test_a_reader_cannot_reach_out() -> None:
    done = run("""
import os, socket, subprocess, urllib.request
from tools.documents import parse_worker
parse_worker._confine(1 << 30)
attempts = [
    lambda: socket.create_connection(("127.0.0.1", 9)),
    lambda: socket.socket(),
    lambda: urllib.request.urlopen("http://127.0.0.1:9/"),
    lambda: subprocess.run(["true"]),
    lambda: os.system("true"),
    lambda: os.fork(),
    lambda: os.kill(os.getppid(), 9),
    lambda: open("written-by-a-parser", "w"),
    lambda: os.open("written-by-a-parser", os.O_CREAT | os.O_WRONLY),
    lambda: os.remove("x"),
]
for attempt in attempts:
    try:
        attempt()
    except PermissionError as exc:
        assert "a parser may not" in str(exc)
    else:
        raise AssertionError
print("held")
""")
    assert done.stdout == "held\n", done.stderr
