"""The report: its parts, its document, its figures."""
