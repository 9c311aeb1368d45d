"""Runs: one question from its options to its record, in a worker, a batch or on a cluster."""
