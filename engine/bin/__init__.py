"""The bin, and what is left of researches that were removed from it."""
