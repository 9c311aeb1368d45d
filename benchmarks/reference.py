"""How fast this machine is right now: bars on time grow with the time of a fixed piece of work run
beside them.

The work is what Zorora itself does most: regular expressions, dictionaries, JSON, hashing, sorting,
a little SQLite.
"""

import hashlib
import json
import re
import sqlite3
import statistics
import time

NOMINAL_SECONDS = 0.040  # CPU time of one round on the machine on which the bars were set
ROUNDS = 5
_WORD = re.compile(r"\w+")
_TEXT = " ".join(f"word{number % 997} is {number * 7919 % 104729}." for number in range(4000))


def slowness(rounds: int = ROUNDS) -> float:
    """1.0 on the machine of the bars, 2.0 where everything takes twice as long."""
    return statistics.median(_timed() for _ in range(rounds)) / NOMINAL_SECONDS


def scaled(seconds: float, slow: float) -> float:
    """A measured time as the machine of the bars would have taken. A faster machine earns nothing
    by it."""
    return seconds / max(1.0, slow)


def _timed() -> float:
    began = time.process_time()
    _work()
    return time.process_time() - began


def _work() -> None:
    counts: dict[str, int] = {}
    for _ in range(6):
        for word in _WORD.findall(_TEXT):
            counts[word] = counts.get(word, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    for _ in range(4):
        json.loads(json.dumps(ordered))
    for word, count in ordered:
        hashlib.sha256(f"{word}{count}".encode()).hexdigest()
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE words (word TEXT PRIMARY KEY, count INTEGER)")
        connection.executemany("INSERT INTO words VALUES (?, ?)", ordered)
        connection.execute("SELECT word FROM words ORDER BY count DESC, word").fetchall()
    connection.close()


if __name__ == "__main__":
    print(f"{slowness():.2f} times the nominal {NOMINAL_SECONDS} s")
