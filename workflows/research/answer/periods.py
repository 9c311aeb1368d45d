"""Groups of texts by their years, or the months of one year, where they are named by their dates,
as minutes and reports are."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from tools.text.dates import MONTH_NAMES
from workflows.research.answer.collection import TextInfo
from workflows.research.answer.folders import Places

_NAMED = 0.75  # of the texts, that must have their year in their title or in the name of their file
_YEAR, _MONTH = 4, 7  # characters of a date
_ISO = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_WITHOUT = {_YEAR: "Without a date", _MONTH: "Without a month"}


def by_period(texts: Sequence[TextInfo], count: int) -> dict[str, Places]:
    """The places of texts under the years that they are from, or the months where all are from one
    year, the latest first; empty where too few are named by their dates, or all are from one month.

    Neighbouring years or months are one group where there would be more than `count` groups.
    """
    if sum(map(_is_named_by_year, texts)) < _NAMED * len(texts):
        return {}
    years = {(info.date or "")[:_YEAR] for info in texts if info.date}
    return _by(texts, _YEAR if len(years) > 1 else _MONTH, count)


def _is_named_by_year(info: TextInfo) -> bool:
    year = (info.date or "")[:_YEAR]
    return bool(year) and year in info.names


def _by(texts: Sequence[TextInfo], length: int, count: int) -> dict[str, Places]:
    """The places of texts under the first so many characters of their dates; empty where these are
    the same."""
    periods = [_period(info.date or "", length) for info in texts]
    undated = [i for i, period in enumerate(periods) if not period]
    groups = _periods(periods, count - 1 if undated else count)
    if len(groups) < 2:
        return {}
    by_name = {_name(periods[group[0]], periods[group[-1]]): group for group in groups}
    return dict(reversed(by_name.items())) | ({_WITHOUT[length]: undated} if undated else {})


def _period(date: str, length: int) -> str:
    """The year or the month of a date, which may be anything in a record from elsewhere."""
    match = _ISO.match(date)
    return date[:length] if length == _YEAR or match else ""


def _periods(periods: Sequence[str], most: int) -> list[Places]:
    """The places of texts that have a period, by periods; at most so many groups, about equal."""
    dated = sorted((i for i, each in enumerate(periods) if each), key=lambda i: (periods[i], i))
    by_each = [list(places) for _, places in groupby(dated, key=lambda i: periods[i])]
    if len(by_each) <= most:
        return by_each
    groups: dict[int, Places] = defaultdict(list)
    earlier = 0
    for places in by_each:
        groups[earlier * most // len(dated)] += places
        earlier += len(places)
    return list(groups.values())


def _name(first: str, last: str) -> str:
    """A year or month, or the first and the last: "2019 to 2021", "May to July 2024"."""
    both = dict.fromkeys((first, last))
    if len(first) == _YEAR:
        return " to ".join(both)
    months = (MONTH_NAMES[int(month[-2:]) - 1].capitalize() for month in both)
    return f"{' to '.join(months)} {first[:_YEAR]}"
