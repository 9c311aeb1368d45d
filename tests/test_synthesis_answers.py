"""The measurement of answers sees right documents, deciding sentences and answers; a trivial summary is its floor."""

import json
from pathlib import Path

from benchmarks.synthesis_answers import Judged, Marks, Told, holds, mark, rows, trivial, whole
from benchmarks.synthesis_gold import HELD_OUT, WORKED_ON, Gold, gold_sets

RIGHT = "Trees cool streets by shade. Lime trees shade most."
WRONG = "Bread is made of flour and water in every town."
DECIDING = "Lime trees gave the deepest shade of all trees in July."


def test_right_documents_deciding_sentences_and_answers_are_seen() -> None:
    gold = Gold("Which trees shade most?", WORKED_ON, (RIGHT,), (DECIDING,), ("lime trees", "3,559 people"))
    heading = f"# Trees\n\n{RIGHT}"
    assert mark([Told("Lime trees shade most.", heading), Told(WRONG, WRONG)], gold) == Marks(0.5, 1.0, 1.0)
    assert mark([Told(WRONG, WRONG)], gold) == Marks(0.0, 0.0, 0.0)
    assert mark([], gold) == Marks(0.0, 0.0, 0.0)
    assert holds("In 2010 there were 3,559 people in the city.", gold)
    assert not holds("In 2010 there were 13,559 people in the city.", gold)
    assert holds("Lime trees gave the deepest shade of all trees.", gold)  # a part of the deciding sentence
    assert not holds("Trees.", gold)
    assert mark([Told(WRONG, WRONG)], Gold("?", WORKED_ON)) == Marks(None, None, None)


def test_a_half_below_its_floor_fails_and_is_not_hidden_by_the_other() -> None:
    good, bad, floor = Marks(1.0, 1.0, None), Marks(0.2, 0.0, None), Marks(0.5, 0.5, None)
    judged = [
        Judged("a", Gold("x", WORKED_ON), good, good, floor, floor),
        Judged("a", Gold("y", HELD_OUT), bad, bad, floor, floor),
    ]
    found = {row["what"]: row["ok"] for row in rows(judged) if row["bar"]}
    assert [ok for what, ok in found.items() if WORKED_ON in what] == [True, True]
    assert [ok for what, ok in found.items() if HELD_OUT in what] == [False, False]


def test_the_trivial_summary_is_made_of_the_nearest_sentences() -> None:
    library = [Told(text, text) for text in (WRONG, DECIDING, "It rained.", "A choir sang.", "Bread rose.")]
    assert trivial(Gold("Which trees give the deepest shade?", WORKED_ON), library)[0].text == DECIDING


def test_the_floor_keeps_the_rules_a_report_keeps() -> None:
    assert whole("Lime trees gave the deepest shade of all trees.")
    for text in ("# Lime trees and their shade in July.", "It gave the deepest shade of all trees.", "Lime trees", ""):
        assert not whole(text)


def test_halves_are_apart_and_go_by_the_text_of_a_question_alone(tmp_path: Path) -> None:
    folder = tmp_path / "bench" / "retrieval" / "cranfield"
    folder.mkdir(parents=True)
    texts = [{"id": str(n), "title": f"Part {n}", "text": f"wing number {n} of alloy {n * n}"} for n in range(40)]
    asked = [{"id": str(n), "text": f"what is wing {n} ."} for n in range(12)]
    (folder / "corpus.jsonl").write_text("\n".join(json.dumps(one) for one in texts), "utf-8")
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(one) for one in asked), "utf-8")
    (folder / "qrels.tsv").write_text("\n".join(f"{n}\t{n}\t1" for n in range(12)), "utf-8")
    (made,) = gold_sets(tmp_path, tmp_path / "out", each=3)
    halves = {half: {one.text for one in made.questions if one.half == half} for half in (WORKED_ON, HELD_OUT)}
    assert len(halves[WORKED_ON]) == len(halves[HELD_OUT]) == 3 and not halves[WORKED_ON] & halves[HELD_OUT]
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(one) for one in reversed(asked)), "utf-8")
    (again,) = gold_sets(tmp_path, tmp_path / "again", each=3)
    assert again.questions == made.questions
    written = " ".join(path.read_text("utf-8") for path in made.folder.iterdir())
    assert all(document in written for one in made.questions for document in one.documents)
    assert list(gold_sets(None, tmp_path)) == []
