"""Figures of classifiers on data small enough to reckon by hand."""

import json
from pathlib import Path

import pytest

from benchmarks import agreement
from benchmarks.scores import auroc, balanced_accuracy, f1, interval, macro_f1, reliability, wilson
from benchmarks.verification_data import folds, read


def test_auroc_counts_ties_as_half() -> None:
    assert auroc([True, False], [0.9, 0.1]) == 1.0
    assert auroc([True, False], [0.1, 0.9]) == 0.0
    assert auroc([True, True, False, False], [0.5, 0.5, 0.5, 0.5]) == 0.5
    assert auroc([True, False, True, False], [0.9, 0.8, 0.7, 0.1]) == 0.75


def test_accuracy_and_f1_by_hand() -> None:
    assert balanced_accuracy([True, False, False, False], [True, True, False, False]) == pytest.approx(5 / 6)
    assert f1("aab", "abb", "a") == pytest.approx(2 / 3)
    assert macro_f1("aab", "abb", "ab") == pytest.approx(2 / 3)


def test_a_share_of_one_is_not_certain() -> None:
    low, high = wilson(14, 14)
    assert (round(low, 2), high) == (0.78, 1.0)
    assert [round(one, 3) for one in wilson(5, 10)] == [0.237, 0.763]
    assert wilson(0, 0) == (0.0, 1.0)


def test_passages_read_by_hand_have_one_verdict_each() -> None:
    lines = Path(agreement.__file__).with_name("agreement_judged.txt").read_text("utf-8").splitlines()
    judged = [line.split() for line in lines if not line.startswith("#")]
    assert len({key for key, _ in judged}) == len(judged) == 139
    assert sum(verdict == "says" for _, verdict in judged) == 23
    assert {verdict for _, verdict in judged} == {"says", "not"}


def test_a_claim_is_denied_by_a_sentence_about_the_same_thing_alone() -> None:
    claim = "Grid batteries lowered evening prices in Norvalen."
    assert agreement.denies(claim, ["We begin.", "Grid batteries raised evening prices in Norvalen."], "")
    assert not agreement.denies(claim, ["Grid batteries raised evening prices in Ostervale and Sudland."], "")


def test_the_reliability_table_gives_mean_and_share() -> None:
    (low, high) = reliability([False, True, True], [0.1, 0.7, 0.9], [0.0, 0.5, 1.01])
    assert (low.count, low.share) == (1, 0.0)
    assert (high.count, high.share, round(high.mean, 2)) == (2, 1.0, 0.8)


def test_an_interval_holds_the_figure_and_is_the_same_twice() -> None:
    rows = [i % 3 == 0 for i in range(90)]
    found = interval(range(90), lambda chosen: sum(rows[i] for i in chosen) / len(chosen))
    assert found[0] < 1 / 3 < found[1]
    assert found == interval(range(90), lambda chosen: sum(rows[i] for i in chosen) / len(chosen))


def test_pairs_that_share_a_claim_or_a_text_stay_in_one_fold(tmp_path: Path) -> None:
    rows = [
        {"claim": f"c{i // 2}", "evidence": [f"t{(i + 1) // 2}"], "label": "SUPPORT", "support": [0]} for i in range(9)
    ] + [{"claim": f"x{i}", "evidence": [f"y{i}"], "label": "CONTRADICT", "support": []} for i in range(20)]
    path = tmp_path / "some.jsonl"
    path.write_text("\n".join(map(json.dumps, [*rows, rows[0]])), encoding="utf-8")
    pairs = read(path)
    assert len(pairs) == 29
    place = folds(pairs, 1)
    assert len(set(place[:9])) == 1
    assert len(set(place[9:])) == 10


def test_an_unknown_label_is_named(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"claim": "a", "evidence": ["b"], "label": "maybe"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 1: the label 'maybe'"):
        read(path)
