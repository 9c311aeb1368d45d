"""The research memory: notes of sessions, and what finished researches have found."""
