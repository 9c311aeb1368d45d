"""Bytes to text: one parser per format, all pure functions; tools.documents.parsers.formats chooses
by content."""
