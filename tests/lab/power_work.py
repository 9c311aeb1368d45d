"""What is recorded for the power cuts: documents, a research, marks, the bin, a note, a list, a
backup, an import.

    python -m tests.lab.power_work DISK DOCUMENTS LIST

works on DISK/home and writes to DISK/done what it was promised to be kept, a line each, once the
promise is given.
"""

import os
import sys
from pathlib import Path

from engine.answers import RunOptions
from engine.maintenance import backup
from engine.research_engine import ResearchEngine

QUESTION = "How do batteries change evening electricity prices?"


def main(disk: Path, documents: str, lists: str) -> None:
    """All of it, on a new home."""
    handle = os.open(disk / "done", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def done(*words: str) -> None:
        os.write(handle, ("\t".join(words) + "\n").encode())

    settings = {"embeddings.enabled": False}
    options = RunOptions(depth=1, sources=("local",), clarify=False)
    with ResearchEngine(home=disk / "home", environ={}, overrides=settings) as engine:
        for document_id in engine.ingest([documents]).document_ids:
            done("document", document_id)
        first = engine.run(QUESTION, options).research_id
        done("saved", first)
        engine.star(first)
        done("starred", first)
    # Opened again: the logs of both databases were folded in, and begin anew
    with ResearchEngine(home=disk / "home", environ={}, overrides=settings) as engine:
        upload = engine.upload(
            "A note.txt", b"Evening prices fell by nine percent in 2024, says the note."
        )
        done("document", upload.document_id)
        engine.note(first, "worth reading")
        done("noted", first)
        engine.memory.remember("Batteries are cheap at noon.")
        done("remembered", "Batteries are cheap at noon.")
        (loaded,) = engine.upkeep.update_data(journals=lists)
        assert loaded.problem is None, loaded.problem
        done("list", loaded.name)
        record = engine.export(first, "json", with_snapshots=True).data.replace(
            first.encode(), b"brought_in"
        )
        done("saved", engine.import_record(record).research_id)
        engine.delete(first)
        done("deleted", first)
        done("copy", backup.make(engine.config.paths).name)
        engine.undelete(first)
        done("alive", first)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
