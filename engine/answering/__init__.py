"""What is asked without a new report: follow-up questions, conversations, quick searches,
pictures."""
