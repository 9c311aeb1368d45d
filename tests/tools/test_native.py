"""The end of a program waits for calls into C++, and lets daemon threads begin no more of them."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CALLS = """
import sys, threading, time
from tools.native import native_call
begun = threading.Event()
def call():
    while True:
        with native_call():
            print("in", flush=True)
            begun.set()
            time.sleep(0.3)
            print("out", flush=True)
threading.Thread(target=call, daemon=True).start()
begun.wait()
sys.exit(7)
"""
EMBEDS = """
import sys, threading, time
from tools.index.vectors.embeddings import find
model = find().embedder
model.embed(["one"])
def embed():
    while True:
        model.embed(["word " * 200] * 8)
threading.Thread(target=embed, daemon=True).start()
time.sleep(0.5)
sys.exit(7)
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )


def test_the_end_waits_for_the_call_under_way_and_no_other_begins() -> None:
    ran = run(CALLS)
    assert (ran.returncode, ran.stdout.split(), ran.stderr) == (7, ["in", "out"], "")


@pytest.mark.lab
@pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None, reason="the extra embeddings is not installed"
)
def test_a_program_that_ends_while_it_embeds_ends_with_its_own_status() -> None:
    ran = run(EMBEDS)
    assert (ran.returncode, ran.stderr) == (7, "")
