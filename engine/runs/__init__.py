"""Runs: one question from its options to its record, in a worker or a batch."""
