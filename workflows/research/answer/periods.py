"""Groups of texts by their years, where they are named by their dates, as minutes and reports
are."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from workflows.research.answer.collection import TextInfo
from workflows.research.answer.folders import Places

_NAMED = 0.75  # of the texts, that must have their year in their title or in the name of their file
_UNDATED = "Without a date"


def by_period(texts: Sequence[TextInfo], count: int) -> dict[str, Places]:
    """The places of texts under the years that they are from, the latest first; empty where too few
    are named by their dates, or all are from one year.

    Neighbouring years are one group where there would be more than `count` groups.
    """
    years = [(info.date or "")[:4] for info in texts]
    named = [bool(year) and year in info.names for year, info in zip(years, texts, strict=True)]
    if sum(named) < _NAMED * len(texts):
        return {}
    undated = [i for i, year in enumerate(years) if not year]
    dated = sorted((i for i, year in enumerate(years) if year), key=lambda i: (years[i], i))
    most = count - 1 if undated else count
    by_year = [list(of_year) for _, of_year in groupby(dated, key=lambda i: years[i])]
    periods: dict[int, Places] = defaultdict(list)
    earlier = 0
    for number, places in enumerate(by_year):
        periods[number if len(by_year) <= most else earlier * most // len(dated)] += places
        earlier += len(places)
    if len(periods) < 2:
        return {}
    groups = {_name(years[group[0]], years[group[-1]]): group for group in periods.values()}
    return dict(reversed(groups.items())) | ({_UNDATED: undated} if undated else {})


def _name(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"
