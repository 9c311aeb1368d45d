"""What a line typed at the prompt should do."""
