"""What the library stands on: finding files, and the rows of documents."""
