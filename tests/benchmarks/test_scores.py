"""Figures of classifiers on data small enough to reckon by hand."""

import pytest

from benchmarks.scores import auroc, balanced_accuracy, f1, interval, macro_f1, reliability, wilson


def test_auroc_counts_ties_as_half() -> None:
    assert auroc([True, False], [0.9, 0.1]) == 1.0
    assert auroc([True, False], [0.1, 0.9]) == 0.0
    assert auroc([True, True, False, False], [0.5, 0.5, 0.5, 0.5]) == 0.5
    assert auroc([True, False, True, False], [0.9, 0.8, 0.7, 0.1]) == 0.75


def test_accuracy_and_f1_by_hand() -> None:
    assert balanced_accuracy(
        [True, False, False, False], [True, True, False, False]
    ) == pytest.approx(5 / 6)
    assert f1("aab", "abb", "a") == pytest.approx(2 / 3)
    assert macro_f1("aab", "abb", "ab") == pytest.approx(2 / 3)


def test_a_share_of_one_is_not_certain() -> None:
    low, high = wilson(14, 14)
    assert (round(low, 2), high) == (0.78, 1.0)
    assert [round(bound, 3) for bound in wilson(5, 10)] == [0.237, 0.763]
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_reliability_table_gives_mean_and_share() -> None:
    (low, high) = reliability([False, True, True], [0.1, 0.7, 0.9], [0.0, 0.5, 1.01])
    assert (low.count, low.share) == (1, 0.0)
    assert (high.count, high.share, round(high.mean, 2)) == (2, 1.0, 0.8)


def test_an_interval_holds_the_figure_and_is_the_same_twice() -> None:
    rows = [i % 3 == 0 for i in range(90)]
    bounds = interval(range(90), lambda chosen: sum(rows[i] for i in chosen) / len(chosen))
    assert bounds[0] < 1 / 3 < bounds[1]
    assert bounds == interval(range(90), lambda chosen: sum(rows[i] for i in chosen) / len(chosen))
