"""Numbers are shown with one rounding, whoever shows them."""

from tests.tables import each
from tools.text.figures import hundredths


@each(("value", "shown"), [
    (0.575, "0.58"), (0.405, "0.41"), (0.765, "0.77"), (0.005, "0.01"), (1.005, "1.01"),
    (0.0, "0.00"), (1, "1.00"),
    (0.5749999, "0.57"), (-0.125, "-0.13"), (float("nan"), "nan"),
    (1e22, "10000000000000000000000.00"),
])  # fmt: skip
def test_a_half_is_rounded_up_as_it_is_written(value: float, shown: str) -> None:
    assert hundredths(value) == shown
