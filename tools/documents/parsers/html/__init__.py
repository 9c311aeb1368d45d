"""HTML pages and e-books: markup to blocks, and which blocks are the main text."""
