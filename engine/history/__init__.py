"""The list of past researches: search, filters, paging."""
