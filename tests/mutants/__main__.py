"""`python -m tests.mutants [PART...]`: which numbers can move by a fifth without a test that
notices?

Every number that decides what a report says (scope.toml) is made a fifth smaller, then a fifth
larger, each time in a copy of the tree in which the tests run that reach the code around it. Prints
the survivors, and fails if there are any. The first call measures which test reaches what
(minutes); `--measure` does it again.
"""

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.numbers import ROOT, Number
from tests.mutants.reach import MEASURED, Reach, measure, numbers_in_scope
from tests.mutants.trial import run_tests

SECONDS = 60  # a trial that takes longer is stopped: a number that makes the tests hang is noticed


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help="only numbers whose file and name contain this"
    )
    parser.add_argument("--list", action="store_true", help="print the numbers and try none")
    parser.add_argument(
        "--measure", action="store_true", help="measure anew which test reaches what"
    )
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    numbers = [
        number
        for number in numbers_in_scope()
        if not args.parts or any(part in f"{number.path} {number.name}" for part in args.parts)
    ]
    if args.list:
        print(
            "\n".join(
                f"{number.path}:{number.line} {number.name} = {number.text}" for number in numbers
            )
        )
        return 0
    if args.measure or not MEASURED.exists():
        measure()
    reach = Reach()
    began = time.monotonic()
    plans = [(number, reach.tests_of(number)) for number in numbers]
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        survive, failing = _tried(
            plans, [Path(scratch) / str(worker) for worker in range(args.workers)]
        )
    print(
        f"{len(numbers)} numbers, {2 * len(numbers)} mutants, {survive} survive"
        f" ({time.monotonic() - began:.0f} s; {failing} tests fail in a copy of the tree and were "
        "left out)"
    )
    return 1 if survive else 0


def _tried(plans: Sequence[tuple[Number, list[str]]], copies: Sequence[Path]) -> tuple[int, int]:
    """Prints the survivors; how many there are, and how many tests fail in a tree where nothing was
    moved."""
    by_file: dict[str, list[str]] = {}
    for test in sorted({test for _, tests in plans for test in tests}):
        by_file.setdefault(test.partition("::")[0], []).append(test)
    queue: multiprocessing.SimpleQueue[Path] = multiprocessing.SimpleQueue()
    for copy in copies:
        _copy_tree(copy)
        queue.put(copy)
    survive = 0
    with multiprocessing.Pool(len(copies), _start_worker, (queue,)) as pool:
        failing = {
            test for failed in pool.imap_unordered(_failed, by_file.values()) for test in failed
        }
        jobs = [
            (number, text, [test for test in tests if test not in failing])
            for number, tests in plans
            for text in number.moved()
        ]
        for done, (job, unnoticed) in enumerate(
            zip(jobs, pool.imap(_unnoticed, jobs), strict=True), 1
        ):
            number, text, tests = job
            if unnoticed:
                survive += 1
                place = f"{number.path}:{number.line} {number.name}"
                print(f"{place}: {number.text} -> {text} survives {len(tests)} tests", flush=True)
            if done % 50 == 0:
                print(f"{done} of {len(jobs)}", file=sys.stderr, flush=True)
    return survive, len(failing)


def _copy_tree(copy: Path) -> None:
    """A copy of the tree without what git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)


# Of a worker: its copy of the tree, and the time that its next change of a file gets
_copy: Path
_moment = 1_000_000_000


def _start_worker(copies: "multiprocessing.SimpleQueue[Path]") -> None:
    global _copy
    _copy = copies.get()
    os.chdir(_copy)


def _failed(tests: list[str]) -> list[str]:
    """The tests that fail where nothing was moved: they would be taken for witnesses of every
    mutant."""
    trial = run_tests(_copy, tests, stop_at_first=False, seconds=10 * SECONDS)
    if not trial.unnoticed and not trial.failed:
        raise RuntimeError(
            f"The tests of {tests[0]} cannot be run in a copy of the tree (pytest: {trial.status})."
        )
    return trial.failed


def _unnoticed(job: tuple[Number, str, list[str]]) -> bool:
    """Whether every test passes with this text in place of the number."""
    number, text, tests = job
    path = _copy / number.path
    before = path.read_bytes()
    lines = before.splitlines(keepends=True)
    line = lines[number.line - 1]
    lines[number.line - 1] = line[: number.start] + text.encode() + line[number.end :]
    try:
        _write(path, b"".join(lines))
        return run_tests(_copy, tests, stop_at_first=True, seconds=SECONDS).unnoticed
    finally:
        _write(path, before)


def _write(path: Path, content: bytes) -> None:
    """With a time of its own, or Python would take its compiled form of the file as it was for
    current."""
    global _moment
    path.write_bytes(content)
    _moment += 10
    os.utime(path, (_moment, _moment))


if __name__ == "__main__":
    sys.exit(main())
