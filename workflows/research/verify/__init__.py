"""Agreement, disagreement, verdicts and confidence: what a judge may say of the passages."""
