"""What a question asks for: its intent, its parts and its topic."""
