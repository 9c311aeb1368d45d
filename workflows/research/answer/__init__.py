"""The answer: which passages answer the question, shown whole, or that none does."""
