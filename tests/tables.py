"""A table of cases as one test: thousands of tests of one line cost a fifth of the suite in
bookkeeping."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def each(
    names: str | tuple[str, ...], rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each row of a table, as `pytest.mark.parametrize` does, but as one test that
    names what fails.

    For tests that change nothing: every row gets the same fixtures.
    """
    columns = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    table = list(rows)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failures = []
            for number, row in enumerate(table, 1):
                cells = dict(zip(columns, (row,) if len(columns) == 1 else row, strict=True))
                try:
                    test(**fixtures, **cells)
                except BaseException as error:
                    error.add_note(f"row {number} of {len(table)}: {cells!r:.500}")
                    if not isinstance(error, AssertionError):
                        raise
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(table)} rows fail", failures)

        signature = inspect.signature(test)
        rest = [argument for name, argument in signature.parameters.items() if name not in columns]
        run.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return run

    return decorate
