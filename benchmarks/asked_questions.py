"""Put a collection that nothing was chosen on where `benchmarks answers --data FOLDER` reads it.

    python -m benchmarks.asked_questions NAME CLONES SCORE FOLDER

The questions (benchmarks/asked/NAME.jsonl) were written by reading the documents, before the
program was asked, and mostly in other words than theirs. documents.json says which files of which
repository at which commit they are about; CLONES holds bare clones, OWNER+NAME or OWNER+NAME/repo.
SCORE is score.py of bench/answers. Read with them; nothing may be chosen on them. One number was:
`LEAST_GLOSSED_FIT` in absence.py, by how many of the German, French, Spanish and Dutch ones are
refused.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

QUESTIONS = Path(__file__).with_name("asked")


def assemble(name: str, clones: Path, score: Path, folder: Path) -> int:
    """How many documents there are in FOLDER/corpora/NAME."""
    collection = json.loads((QUESTIONS / "documents.json").read_text(encoding="utf-8"))[name]
    count = 0
    for origin in collection:
        clone = clones / origin["repository"].replace("/", "+")
        git = clone / "repo" if (clone / "repo").is_dir() else clone
        for path in origin["files"]:
            target = folder / "corpora" / name / origin["folder"] / path
            target.parent.mkdir(parents=True, exist_ok=True)
            command = ("git", f"--git-dir={git}", "show", f"{origin['commit']}:{path}")
            target.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
            count += 1
    shutil.copy(QUESTIONS / f"{name}.jsonl", folder / "questions.jsonl")
    shutil.copy(score, folder / "score.py")
    return count


if __name__ == "__main__":
    collection_name, places = sys.argv[1], [Path(argument) for argument in sys.argv[2:5]]
    print(
        f"{assemble(collection_name, *places)} documents of {collection_name} are in {places[2]}."
    )
