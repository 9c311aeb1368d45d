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
    if sum(map(_is_named_by, texts, years)) < _NAMED * len(texts):
        return {}
    undated = [i for i, year in enumerate(years) if not year]
    periods = _periods(years, count - 1 if undated else count)
    if len(periods) < 2:
        return {}
    groups = {_name(years[group[0]], years[group[-1]]): group for group in periods}
    return dict(reversed(groups.items())) | ({_UNDATED: undated} if undated else {})


def _is_named_by(info: TextInfo, year: str) -> bool:
    return bool(year) and year in info.names


def _periods(years: Sequence[str], most: int) -> list[Places]:
    """The places of texts that have a year, by years; at most so many groups, about as large."""
    dated = sorted((i for i, year in enumerate(years) if year), key=lambda i: (years[i], i))
    by_year = [list(of_year) for _, of_year in groupby(dated, key=lambda i: years[i])]
    if len(by_year) <= most:
        return by_year
    periods: dict[int, Places] = defaultdict(list)
    earlier = 0
    for places in by_year:
        periods[earlier * most // len(dated)] += places
        earlier += len(places)
    return list(periods.values())


def _name(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"
