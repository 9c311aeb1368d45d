"""Records: the JSON file of each research, and what of it stands in the database."""
