"""Answers without a new report: follow-up questions, quick searches."""
