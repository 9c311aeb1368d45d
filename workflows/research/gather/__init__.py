"""Gathering: search, selection, reading, citations, gaps."""
