"""Put a collection that nothing was chosen on where `benchmarks answers --data FOLDER` reads it.

    python -m benchmarks.asked_questions NAME CLONES SCORE FOLDER

The questions (benchmarks/asked/NAME.jsonl) were written by reading the documents, before the
program was asked, and mostly in other words than theirs. documents.json says which files of which
repository at which commit they are about, or the pattern of their paths, and to which collection
they belong where a set is about several; CLONES holds bare clones, OWNER+NAME or OWNER+NAME/repo.
SCORE is score.py of bench/answers. Read with them; nothing may be chosen on them. Two things were:
`LEAST_GLOSSED_FIT` in absence.py, by how many of the German, French, Spanish and Dutch ones are
refused, and that more is read where nothing likely answers (`MOST_READ` in reader.py), by "hard".
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

QUESTIONS = Path(__file__).with_name("asked")


def assemble(name: str, clones: Path, score: Path, folder: Path) -> int:
    """How many documents there are in FOLDER/corpora now."""
    collection = json.loads((QUESTIONS / "documents.json").read_text(encoding="utf-8"))[name]
    count = 0
    for origin in collection:
        clone = clones / origin["repository"].replace("/", "+")
        git = f"--git-dir={clone / 'repo' if (clone / 'repo').is_dir() else clone}"
        for path in origin.get("files") or _files(git, origin["commit"], origin["paths"]):
            corpus = folder / "corpora" / origin.get("corpus", name)
            target = corpus / origin["folder"] / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_output("git", git, "show", f"{origin['commit']}:{path}"))
            count += 1
    shutil.copy(QUESTIONS / f"{name}.jsonl", folder / "questions.jsonl")
    shutil.copy(score, folder / "score.py")
    return count


def _files(git: str, commit: str, paths: str) -> list[str]:
    """The paths of a commit that a pattern matches, without links."""
    lines = _output("git", git, "ls-tree", "-r", "-z", commit).decode().split("\0")
    entries = [line.split("\t", 1) for line in lines if line and not line.startswith("120000")]
    return [path for _, path in entries if re.fullmatch(paths, path)]


def _output(*command: str) -> bytes:
    return subprocess.run(command, capture_output=True, check=True).stdout


if __name__ == "__main__":
    collection_name, places = sys.argv[1], [Path(argument) for argument in sys.argv[2:5]]
    print(
        f"{assemble(collection_name, *places)} documents of {collection_name} are in {places[2]}."
    )
