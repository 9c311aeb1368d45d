"""Vectors of chunks: made, coded, and the nearest of them found."""
