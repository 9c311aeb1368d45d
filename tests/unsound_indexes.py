"""Whether the full-text indexes of a store agree with its chunks, as FTS5 itself checks it."""

from tools.index.full_text.store import FullText
from tools.index.index import EXACT, PAIRS, STEM


def unsound_indexes(store: FullText) -> list[str]:
    """Full-text indexes that disagree with the chunks (their names); empty when all is well."""
    problems = []
    for index in (STEM, EXACT, PAIRS):
        with store.db.write() as connection:
            try:
                connection.execute(
                    f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)"
                )
            except connection.DatabaseError:
                problems.append(index)
    return problems
