"""Feed the targets with mutations of examples: `python -m tests.security.fuzz --seconds 20 [NAME
...]`.

With the extra `fuzz` (atheris) the mutations are led by the lines they reach; without it they are
random. What breaks a target is written to build/fuzz and printed; the exit status is 1.
"""

import argparse
import json
import random
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.security.targets import Target, feed
from tests.security.targets_inside import targets

BROKEN = Path("build/fuzz")
LONGEST = 200_000
PIECES = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xe2\x80\xae", b"\r\n", b"\n\n",
    b"\x1b[2J", b"'\"`",
    b"<", b"<![CDATA[", b"]]>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"&#0;", b"&#xD800;",
    b"&lt;b&gt;", b"</",
    b"{", b"}", b"[", b"]", b"[[[[[[[[", b",", b":", b"null", b"true", b"NaN", b"-1", b"1e999",
    b"0", b"9" * 30,
    b"\\ud800", b"\\u0000", b"javascript:alert(1)", b"http://[", b"//", b"%00", b"../", b"@",
    b"a" * 300, b" " * 300,
    b"=", b";",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, 10**30, "", " ", "a", "\x00", "\ud800", "<b>x</b>",
    "javascript:x", "http://[", "2020-13-45", "9" * 20, [], {}, [None], [[]], [{}], {"": None},
    {"a": []}, ["a", 1], "\u202e", "1999", "10.1/x",
)  # fmt: skip


def mutated(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A text like `data`, wrong in one to four places."""
    for _ in range(chance.randint(1, 4)):
        change = chance.choice((_other_value, _other_value, _cut, _insert, _flip, _again, _splice))
        data = change(data, others, chance)
    return data[:LONGEST]


def _other_value(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """JSON with another value somewhere; other texts get a piece."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return _insert(data, others, chance)
    places = list(_places(tree))
    if not places:
        return json.dumps(chance.choice(VALUES)).encode()
    holder, key = chance.choice(places)
    if chance.random() < 0.15:
        del holder[key]
    else:
        holder[key] = chance.choice(VALUES)
    return json.dumps(tree).encode()


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    keys = (
        list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    )
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def _cut(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    a, b = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return data[:a] if chance.random() < 0.3 else data[:a] + data[min(b, a + 200) :]


def _insert(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(PIECES) * chance.choice((1, 1, 1, 2, 40)) + data[at:]


def _flip(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    if not data:
        return bytes([chance.randrange(256)])
    mutant = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20))):
        mutant[chance.randrange(len(mutant))] = chance.randrange(256)
    return bytes(mutant)


def _again(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    piece = data[at : at + chance.choice((1, 10, 100))]
    return data[:at] + piece * chance.choice((2, 3, 50)) + data[at:]


def _splice(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def drive(
    target: Target, rounds: int, seconds: float, seed: int = 1
) -> tuple[int, list[tuple[bytes, str]]]:
    """How many texts were tried, and those that broke the target with where: each place once."""
    chance = random.Random(seed)
    seeds, until = target.seeds(), time.monotonic() + seconds
    tried, broken = 0, dict[str, bytes]()
    for data in _texts(seeds, chance, rounds):
        if time.monotonic() > until:
            break
        tried += 1
        try:
            feed(target, data)
        except Exception as fault:  # noqa: BLE001 - which one it is, is what is asked
            broken.setdefault(_where(fault), data)
    return tried, [(data, where) for where, data in broken.items()]


def _texts(seeds: Sequence[bytes], chance: random.Random, rounds: int) -> Iterator[bytes]:
    yield from (
        b"",
        b"\x00",
        b"null",
        b"[]",
        b"{}",
        b'""',
        b"<a/>",
        b"[" * 100_000,
        b"<a>" * 20_000,
        *seeds,
    )
    for _ in range(rounds):
        yield mutated(chance.choice(seeds), seeds, chance)


def _where(fault: Exception) -> str:
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    ours = [
        f for f in traceback.extract_tb(fault.__traceback__) if "/site-packages/" not in f.filename
    ][-1]
    name = "/".join(Path(ours.filename).parts[-3:])
    return f"{type(fault).__name__} at {name}:{ours.lineno} ({frame.name}): {str(fault)[:100]!r}"


def main() -> int:
    """Every target for some seconds."""
    words = argparse.ArgumentParser(description="Fuzz what reads outside data.")
    words.add_argument("names", nargs="*", help="targets; all when left out")
    words.add_argument("--seconds", type=float, default=20.0, help="for each target (20)")
    words.add_argument(
        "--seed", type=int, default=None, help="of the random numbers; the time when left out"
    )
    # Inside the child process of atheris
    words.add_argument("--led", action="store_true", help=argparse.SUPPRESS)
    options = words.parse_args()
    if options.led:
        return _led(options.names[0], options.seconds)
    readers, bad = targets(), 0
    if wrong := set(options.names) - set(readers):
        words.error(f"there is no target {sorted(wrong)[0]!r}; there are {', '.join(readers)}")
    for name in options.names or readers:
        if find_spec("atheris"):
            bad += _in_child(name, options.seconds)
        else:
            bad += _at_random(name, readers[name], options)
    return 1 if bad else 0


def _at_random(name: str, target: Target, options: argparse.Namespace) -> int:
    seed = options.seed if options.seed is not None else int(time.time())
    tried, broken = drive(target, 10**9, options.seconds, seed)
    print(f"{name:<34} {tried:>8} tried {len(broken):>3} broke (seed {seed})", flush=True)
    for data, where in broken:
        print(f"    {where}\n    {_save_example(name, data)}")
    return len(broken)


def _in_child(name: str, seconds: float) -> int:
    """atheris ends its process, so each target has one."""
    command = [
        sys.executable,
        "-m",
        "tests.security.fuzz",
        "--led",
        "--seconds",
        str(seconds),
        name,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds * 2 + 120)
    lines = [line for line in done.stderr.splitlines() if "DONE" in line or "cov:" in line]
    print(
        f"{name:<34} {'broke' if done.returncode else 'held'}  "
        f"{lines[-1].strip() if lines else ''}",
        flush=True,
    )
    if done.returncode:
        print(done.stderr[-2000:] + done.stdout[-1000:])
    return int(done.returncode != 0)


def _led(name: str, seconds: float) -> int:
    """Mutations led by coverage; returns only by ending the process."""
    import atheris  # 33 MB, and it instruments what is imported: only here

    with atheris.instrument_imports(include=["tools", "engine", "workflows"]):
        target = targets()[name]
        seeds = target.seeds()
        for data in seeds:
            feed(target, data)  # what a target imports, it imports now
    folder = BROKEN / "corpus" / name.replace(" ", "_").replace(":", "_")
    folder.mkdir(parents=True, exist_ok=True)
    for data in seeds:
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        return (
            mutated(data, seeds, chance) if chance.random() < 0.5 else atheris.Mutate(data, most)
        )[:most]

    options = [
        f"-max_total_time={seconds:.0f}",
        f"-artifact_prefix={BROKEN}/",
        f"-max_len={LONGEST}",
        "-timeout=20",
    ]
    atheris.Setup(
        [sys.argv[0], *options, str(folder)], lambda data: feed(target, data), custom_mutator=mutate
    )
    atheris.Fuzz()
    return 0


def _save_example(name: str, data: bytes) -> Path:
    BROKEN.mkdir(parents=True, exist_ok=True)
    file = BROKEN / f"{name.replace(' ', '_').replace(':', '_')}-{sha256(data).hexdigest()[:12]}"
    file.write_bytes(data)
    return file


if __name__ == "__main__":
    sys.exit(main())
