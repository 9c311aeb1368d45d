"""The data file of the verifier and the code that reads it belong together."""

import pytest

from tools.trust.comparison import Comparison
from tools.trust.verify import features
from tools.trust.weights import LABELS, SUPPORT, shipped


def test_every_measure_has_its_weight_for_every_label() -> None:
    measured = set(features(Comparison("Trees cool streets.", "Streets are cooled by trees."), ()))
    for label in LABELS:
        assert set(shipped().by_label[label]) == measured | {"bias"}


def test_probabilities_add_up_and_more_cover_means_more_support() -> None:
    plain = features(Comparison("Trees cool streets.", "Streets are cooled by trees."), ())
    chances = [shipped().probabilities({**plain, "covered": share}) for share in (0.1, 0.5, 1.0)]
    assert [sum(chance.values()) for chance in chances] == [pytest.approx(1.0, abs=1e-5)] * 3
    assert chances[0][SUPPORT] < chances[1][SUPPORT] < chances[2][SUPPORT]


def test_the_figures_of_the_file_are_above_their_floors() -> None:
    measured = shipped().measured
    assert measured["wice_dev"]["auroc"] >= 0.755
    assert measured["scifact_train"]["auroc"] >= 0.76
    assert abs(measured["both"]["precision"] - measured["both"]["mean_score"]) <= 0.05
