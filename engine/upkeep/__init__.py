"""Keeping the databases sound: copies, checks, rebuilding."""
