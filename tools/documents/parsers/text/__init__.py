"""Text formats: plain text, markup languages, tables, notebooks, messages."""
