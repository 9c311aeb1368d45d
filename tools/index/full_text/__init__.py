"""The full-text indexes of SQLite."""
