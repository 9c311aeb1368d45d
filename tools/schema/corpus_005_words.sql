-- The words of the texts as they are written (folded), for misspelled questions.
CREATE VIRTUAL TABLE IF NOT EXISTS chunk_words USING fts5vocab ('chunk_exact', 'row');
