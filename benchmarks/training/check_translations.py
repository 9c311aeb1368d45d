"""How well questions in German and Spanish are answered from English texts: XQuAD, the same
questions in each language.

    python -m benchmarks.training.check_translations CLONE [EVERY]

CLONE is a clone of deepmind/xquad (CC BY-SA 4.0; measured with, not shipped). Of its 1,190
questions each EVERY-th (8) is asked over its 240 paragraphs, words alone. Printed for each
language: the share of questions whose English answer stands in the first passage and in the first
three, of the paragraph that it was asked about; the share refused.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine import ResearchEngine
from engine.answers import RunOptions

LANGUAGES = ("en", "de", "es")
OPTIONS = RunOptions(sources=("local",), depth=1, clarify=False, offline=True)


@dataclass(frozen=True)
class Asked:
    """A question, with the English answer and the English paragraph that holds it."""

    question: str
    answer: str
    paragraph: str

    def is_answered_by(self, passage: str, lead: str) -> bool:
        """Whether a passage with its lead is of that paragraph and holds the answer."""
        return self.answer.lower() in passage.lower() and lead in self.paragraph


def main(clone: Path, every: int) -> None:
    english = {key: (answer, paragraph) for key, _, answer, paragraph in _rows(clone, "en")}
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder, "texts")
        texts.mkdir()
        for number, paragraph in enumerate(
            sorted({paragraph for _, paragraph in english.values()})
        ):
            (texts / f"{number}.txt").write_text(paragraph, encoding="utf-8")
        overrides = {"embeddings.enabled": False}
        with ResearchEngine(home=Path(folder, "home"), environ={}, overrides=overrides) as engine:
            engine.ingest([texts])
            for language in LANGUAGES:
                rows = list(_rows(clone, language))[::every]
                _print(
                    language,
                    engine,
                    [Asked(question, *english[key]) for key, question, _, _ in rows],
                )


def _print(language: str, engine: ResearchEngine, results: list[Asked]) -> None:
    first = three = refused = 0
    for result in results:
        answer = engine.run(result.question, OPTIONS).answer
        right = [
            result.is_answered_by(p.text, p.lead.text)
            for p in (answer.passages[:3] if answer else ())
        ]
        first += right[:1] == [True]
        three += any(right)
        refused += answer is None or answer.status == "not_found"
    count = len(results)
    print(f"{language}: {count} questions, first {first / count:.2f}, first three "
          f"{three / count:.2f}, "
          f"refused {refused / count:.2f}")  # fmt: skip


def _rows(clone: Path, language: str) -> Iterator[tuple[str, str, str, str]]:
    data = json.loads((clone / f"xquad.{language}.json").read_text(encoding="utf-8"))["data"]
    for paragraph in (paragraph for article in data for paragraph in article["paragraphs"]):
        for row in paragraph["qas"]:
            yield row["id"], row["question"], row["answers"][0]["text"], paragraph["context"]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8)
