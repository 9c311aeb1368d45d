"""The search index in a PostgreSQL database instead of corpus.db."""

from engine.settings.setting import Key, Part, text

PASSWORD = "POSTGRES_INDEX_KEY"  # noqa: S105 (its name)
POSTGRES = Part(
    settings=(
        text(
            "corpus.index",
            None,
            "Where the index is stored: empty means corpus.db; otherwise postgresql://USER@HOST/DATABASE"
            " (docs/scaling.md).",
        ),
    ),
    keys=(Key(PASSWORD, "PostgreSQL index, where it needs a password", address="corpus.index"),),
    ports={"postgresql": 5432},
    extra="postgres",
    modules=("pg8000",),
    purpose="the search index in PostgreSQL",
)
