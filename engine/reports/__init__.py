"""What is shown of a finished report: figures, matrix, comparison, the reader's page."""
