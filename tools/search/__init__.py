"""Search in the index: words, meaning, leads, and how they are combined."""
