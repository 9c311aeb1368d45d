"""`zorora models get` as a program: killed in the middle, resumed, used without a network,
removed."""

import subprocess
import sys
from pathlib import Path

import onnx
import pytest
from onnx import helper

from benchmarks.standin import Reply, serve
from tests.engine.pretend import wait_for
from tests.file_server import BINARY, ETAG, file_route
from tests.lab.places import LONGEST, ROOT, kill
from tests.tiny_reader import tiny_model
from tests.tools.test_model_manifest import list_only

pytestmark = pytest.mark.lab

COMMAND = """
import sys
from pathlib import Path
from tools import model_manifest
model_manifest.MANIFEST = Path(sys.argv[1])
from ui.terminal.main import main
sys.exit(main(sys.argv[2:]))
"""


def test_a_killed_download_is_resumed_and_the_model_is_used_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tiny_model(tmp_path / "plain.onnx")
    model = onnx.load(path)
    stated = {entry.key: entry.value for entry in model.metadata_props}
    helper.set_model_props(model, stated | {"padding": "x" * 1_000_000})
    onnx.save(model, path)
    data = path.read_bytes()
    list_only(path, tmp_path, monkeypatch)
    home, listed = tmp_path / "home", tmp_path / "models.toml"
    home.mkdir()
    part = home / "models" / ".part-reader"

    def command(*words: str) -> list[str]:
        return [sys.executable, "-c", COMMAND, str(listed), "--home", str(home), *words]

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*words), cwd=ROOT, capture_output=True, text=True, timeout=LONGEST
        )

    with serve() as server:
        (home / "config.toml").write_text(
            f'[http]\nallow_fetch_hosts = ["{server.place}"]\n[embeddings]\nenabled = false\n'
        )
        half = Reply(data[:500_000], 200, {"ETag": ETAG}, BINARY, length=len(data))
        address = server.on("/plain.onnx", half, Reply(delay=60))
        listed.write_text(listed.read_text().replace("https://files.example/plain.onnx", address))
        assert run("models", "get", "reader").returncode != 0  # nobody agreed
        process = subprocess.Popen(
            command("models", "get", "reader", "--yes"), cwd=ROOT, stdin=subprocess.DEVNULL
        )
        wait_for(lambda: part.exists() and part.stat().st_size == 500_000, LONGEST)
        kill(process)
        assert part.stat().st_size == 500_000 and not (home / "models" / "reader.onnx").exists()
        server.on("/plain.onnx", file_route(data))
        done = run("models", "get", "reader", "--yes")
        assert done.returncode == 0 and "tiny reader, licence Apache-2.0" in done.stdout, (
            done.stderr
        )
        assert server.requests[-1].headers["range"] == "bytes=500000-"
    assert (home / "models" / "reader.onnx").read_bytes() == data and not part.exists()
    checks = run("doctor", "--quick")
    assert "tiny reader, Apache-2.0" in checks.stdout
    removed = run("models", "remove", "reader")
    assert removed.returncode == 0 and not (home / "models" / "reader.onnx").exists()
