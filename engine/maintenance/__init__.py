"""Keeping a home sound: copies, checks, repair, recovery, cleaning."""
