"""Writing: with a language model the answer and the sections are written, each sentence with its
passages."""
