"""Bytes to text: one parser per format, all pure functions; tools.corpus.parsers.formats chooses by content."""
