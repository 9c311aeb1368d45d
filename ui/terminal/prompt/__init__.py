"""The prompt: its editor, its loop, and what a line means."""
